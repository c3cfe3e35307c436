"""Tables on disk."""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any

from . import _native
from ._errors import TableError
from ._game import NamedGame
from ._value import Value
from ._values import Values


class Table(Values):
    """Table on disk: the value of every position of a game. `open()` opens one.

    >>> import hindsight_games as hs
    >>> table = hs.solve("quoridor:3x3:1", out="q.table")
    >>> with hs.open("q.table") as table:
    ...     print(table["c1 a3 1,1 - white"], table.layout)
    win in 3 plies compact
    """

    def __init__(self, native: _native.Table) -> None:
        """Wrap a native table; `open()` makes one of a file."""
        self._native: _native.Table | None = native
        self._game = NamedGame(native.game())
        self._values = native.values()

    @property
    def _table(self) -> _native.Table:
        if self._native is None:
            raise TableError("the table is closed")
        return self._native

    def close(self) -> None:
        """Close the file and give back the memory of its blocks."""
        self._native = None
        self.__dict__.pop("_values", None)

    def __enter__(self) -> Table:
        """Return the table."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the table."""
        self.close()

    @property
    def start(self) -> Value:
        """Value of the start."""
        return self[self.game.start]

    @property
    def layout(self) -> str:
        """Layout of the values: 'full', 'compact' or 'states'."""
        return self._table.layout()

    def info(self) -> dict[str, Any]:
        """Return the header, as ``hindsight info --json``."""
        info: dict[str, Any] = json.loads(self._table.info())
        return info

    def stats(self) -> dict[str, Any]:
        """Return the counts of each layer, as ``hindsight stats --json``."""
        stats: dict[str, Any] = json.loads(self._table.stats())
        return stats

    def __repr__(self) -> str:
        """Return file and game."""
        if self._native is None:
            return f"<closed Table of {self.game.spec}>"
        return f"<Table of {self.game.spec}: {self.info()['file']}>"


def open(path: str | os.PathLike[str]) -> Table:
    """Open a table.

    Raises:
        TableNotFoundError: There is no such file.
        TableError: The file is no table, is damaged or of another version.
    """
    return Table(_native.Table(os.fspath(path)))
