"""Tables on disk."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, get_args

from . import _native
from ._array_game import ArrayGame
from ._arrow import record_batches
from ._errors import TableError, TableNotFoundError, shown
from ._game import NamedGame, Position
from ._numbers import checked
from ._options import Listener, Path, memory_bytes, path_text, report_to, thread_count
from ._own_game import Game
from ._own_handle import OwnNamedGame, own_game
from ._value import Value, value_of
from ._values import Values, as_list, is_mask

if TYPE_CHECKING:
    import numpy as np
    import pyarrow
    from numpy.typing import NDArray

Column = Literal["layer", "tier", "rank", "copies", "wdl", "plies", "position"]
"""Column of a scan."""

MAX_RANK = (1 << 64) - 1

COLUMNS: tuple[Column, ...] = get_args(Column)


@dataclass(frozen=True)
class Fault:
    """Fault of a table.

    Attributes:
        layer: The layer; None if the fault is of the whole file.
        tier: The tier; None if the fault is of a layer.
        rank: The rank; None if the fault is of a layer.
        position: The position as text, if there is one.
        description: The fault in words.
    """

    layer: int | None
    tier: int | None
    rank: int | None
    position: str | None
    description: str


@dataclass(frozen=True)
class Verdict:
    """Result of `Table.verify`; true if no fault was found.

    Attributes:
        positions: Number of positions that were checked.
        faults: The first faults.
    """

    positions: int
    faults: list[Fault]

    def __bool__(self) -> bool:
        """Return whether there is no fault."""
        return not self.faults


@dataclass(frozen=True)
class Difference:
    """Position to which two tables give different values.

    Attributes:
        layer: The layer.
        tier: The tier.
        rank: The rank.
        position: The position as text; None for a hole.
        values: The value in each table; None for a hole.
    """

    layer: int
    tier: int
    rank: int
    position: str | None
    values: tuple[Value | None, Value | None]


@dataclass(frozen=True)
class Comparison:
    """Result of `Table.compare`; true if no value differs.

    Attributes:
        positions: Number of positions that were compared.
        different: Number of those with different values.
        differences: The first of them.
    """

    positions: int
    different: int
    differences: list[Difference]

    def __bool__(self) -> bool:
        """Return whether all values are the same."""
        return self.different == 0


def _flat(
    fault: tuple[int | None, tuple[int, int] | None, str | None, str],
) -> tuple[int | None, int | None, int | None, str | None, str]:
    layer, address, position, description = fault
    tier, rank = (None, None) if address is None else address
    return (layer, tier, rank, position, description)


class Table(Values):
    """Table on disk: the value of every position of a game. `open()` opens one.

    A table numbers positions: a *tier* is a set of positions that play leaves for good, and each
    position has a *rank* in its tier. A *layer* is a run of tiers that were solved together, such
    as those with two fences on the board; `stats()` names them. A solve writes a table.

    A pickled table is its path or address, with the rules of a game of yours: whoever unpickles it
    opens the file, which must be there and the same.

    >>> import hindsight_games as hs
    >>> table = hs.solve("quoridor:3x3:1", out="q331.table")
    >>> with hs.open("q331.table") as table:
    ...     print(table.start, table.layout)
    loss in 8 plies full
    """

    def __init__(self, native: _native.Table, file: str, rules: OwnNamedGame | None = None) -> None:
        """Wrap a native table; `open()` makes one of a file."""
        self._open: tuple[_native.Table, _native.Values] | None = (native, native.values())
        game = NamedGame(native.game())
        self._rules = rules if rules is not None and rules.spec == game.spec else None
        self._game = self._rules or game
        self._file = file

    @property
    def _table(self) -> _native.Table:
        return self._opened()[0]

    @property
    def _values(self) -> _native.Values:
        return self._opened()[1]

    def _opened(self) -> tuple[_native.Table, _native.Values]:
        if self._open is None:
            raise TableError("the table is closed")
        return self._open

    def close(self) -> None:
        """Close the file and give back the memory of its blocks."""
        self._open = None

    def __copy__(self) -> Table:
        """Return the same open table, which is closed by itself."""
        return Table(self._table, self._file, self._rules)

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        """Return the same open table, which is closed by itself."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to unpickle the table: its file, or its address, is opened again."""
        return (_open_again, (self._file, self._rules, self._table.digest()))

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
        """Layout of the values: 'full', 'compact', 'wdl' or 'states'.

        In 'compact' the plies of wins follow from those of their moves, in 'wdl' those of losses
        do, too; 'states' is for games in which a move may be forbidden.
        """
        return self._table.layout()

    def info(self) -> dict[str, Any]:
        """Return the header, as ``hindsight info --json``."""
        info: dict[str, Any] = json.loads(self._table.info())
        return info

    def stats(self) -> dict[str, Any]:
        """Return the counts of each layer, as ``hindsight stats --json``."""
        stats: dict[str, Any] = json.loads(self._table.stats())
        return stats

    def ranks(
        self, positions: Iterable[str], *, errors: Literal["raise", "mask"] = "raise"
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the tiers and the ranks of positions, by which `values` reads them.

        Positions that are equal by symmetry have the same, and so have positions that differ only
        in a forbidden move. With ``errors="mask"``, a text without a rank has 2**64 - 1.

        >>> import hindsight_games as hs
        >>> table = hs.solve("quoridor:3x3:1", out="ranks.table")
        >>> table.values(*table.ranks([table.game.start]))[1].tolist()
        [8]
        """
        tiers, ranks = self._table.ranks(as_list(positions), is_mask(errors))
        return tiers, ranks

    def values(
        self,
        tier: int | NDArray[np.integer[Any]] | Sequence[int],
        ranks: NDArray[np.integer[Any]] | Sequence[int],
    ) -> tuple[NDArray[np.int8], NDArray[np.uint16]]:
        """Return the values at some ranks, the fastest way to read a table.

        Args:
            tier: The tier of all ranks, or one for each of them, as `ranks()` returns them;
                `stats()` counts the tiers of each layer.
            ranks: Ranks in any order.

        Returns:
            Results and plies as by `probe_many`; the result `UNKNOWN` (-128) marks a hole of the
            numbering, and what `ranks(.., errors="mask")` has masked.

        Raises:
            ValueError: There is no such tier or rank.
        """
        import numpy as np

        numbers = _whole_numbers("ranks", ranks)
        if np.ndim(tier) == 0:
            tiers = np.array([checked("tier", tier, 0, MAX_RANK - 1)], dtype=np.uint64)  # type: ignore[arg-type]
        else:
            tiers = _whole_numbers("tiers", tier)  # type: ignore[arg-type]
            if len(tiers) != len(numbers):
                text = f"a tier for each rank is needed: {len(numbers)}, not {len(tiers)}"
                raise ValueError(text)
        return self._table.probe_ranks(tiers, numbers)

    def position_at(self, tier: int, rank: int) -> Position | None:
        """Return the position at a rank; None for a hole, and where there is no such rank."""
        numbers = (checked("tier", tier, 0, MAX_RANK), checked("rank", rank, 0, MAX_RANK))
        text = self._table.position_at(*numbers)
        return None if text is None else Position(text, self._game)

    def scan(
        self,
        *,
        layer: int | None = None,
        columns: Sequence[Column] = ("tier", "rank", "wdl", "plies"),
        memory: int | str | None = None,
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield all positions of a layer, or of all layers, in batches of some ten thousand.

        A layer is decoded at once, in a byte a rank. In games in which a move may be forbidden, a
        position stands with no move forbidden.

        Args:
            layer: The layer; all of them by default.
            columns: Arrays of each batch: 'layer', 'tier', 'rank', 'copies', 'wdl', 'plies' and
                'position', the text, which takes longer than all others. In games with a symmetry,
                a row stands for as many positions as 'copies' says.
            memory: Bytes allowed, or a text such as '2G'.

        >>> import hindsight_games as hs
        >>> table = hs.solve("quoridor:3x3:1", out="scan.table")
        >>> batches = table.scan(columns=("wdl", "copies"))
        >>> wins = sum(int(batch["copies"][batch["wdl"] == 1].sum()) for batch in batches)
        >>> wins == table.info()["wins"]
        True
        """
        if isinstance(columns, str):
            raise TypeError(f"columns are a list, such as [{shown(columns)}]")
        unknown = [column for column in columns if column not in COLUMNS]
        if unknown:
            raise ValueError(
                f"there is no column {shown(unknown[0])}; columns are {', '.join(COLUMNS)}"
            )
        layers = range(self._table.layers())
        if layer is not None:
            if layer not in layers:
                raise ValueError(f"there is no layer {layer}; layers are 0 to {len(layers) - 1}")
            layers = range(layer, layer + 1)
        return self._batches(layers, tuple(columns), memory_bytes(memory))

    def _batches(
        self, layers: range, columns: tuple[Column, ...], memory: int | None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        import numpy as np

        for layer in layers:
            scan = self._table.scan(layer, memory)
            while (batch := scan.next("position" in columns)) is not None:
                (tier, rank, copies), wdl, plies, texts = batch
                every: dict[str, NDArray[Any]] = {
                    "tier": tier,
                    "rank": rank,
                    "copies": copies,
                    "wdl": wdl,
                    "plies": plies,
                }
                if texts is not None:
                    every["position"] = np.array(texts, dtype=object)
                if "layer" in columns:
                    every["layer"] = np.full(len(rank), layer, dtype=np.uint32)
                yield {column: every[column] for column in columns}

    def arrow(
        self,
        *,
        layer: int | None = None,
        columns: Sequence[Column] = ("tier", "rank", "wdl", "plies"),
        memory: int | str | None = None,
    ) -> pyarrow.RecordBatchReader:
        """Return a scan as a stream of Arrow, for DuckDB, Polars and others.

        Plies are null for draws. Needs pyarrow: ``pip install pyarrow``.
        """
        return record_batches(
            self.scan(layer=layer, columns=columns, memory=memory), tuple(columns)
        )

    def verify(
        self,
        *,
        memory: int | str | None = None,
        threads: int | None = None,
        progress: Listener | None = None,
    ) -> Verdict:
        """Compute every value again from those of the successors, which proves the table.

        >>> import hindsight_games as hs
        >>> table = hs.solve("quoridor:3x3:1", out="verify.table")
        >>> bool(table.verify())
        True
        """
        listener = report_to(progress)
        checked, faults = self._table.verify(memory_bytes(memory), thread_count(threads), listener)
        return Verdict(checked, [Fault(*_flat(fault)) for fault in faults])

    def compare(
        self,
        other: Table | Path,
        *,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Comparison:
        """Compare with another table of the same game, value by value."""
        second = other if isinstance(other, Table) else open(other)
        listener = report_to(progress)
        native = self._table.compare(second._table, memory_bytes(memory), listener)
        positions, different, first = native
        differences = [
            Difference(layer, tier, rank, position, (value_of(values[0]), value_of(values[1])))
            for layer, (tier, rank), position, values in first
        ]
        return Comparison(positions, different, differences)

    def __repr__(self) -> str:
        """Return file and game."""
        if self._open is None:
            return f"<closed Table of {self.game.spec}>"
        return f"<Table of {self.game.spec}: {self._file}>"


def _whole_numbers(
    name: str, numbers: NDArray[np.integer[Any]] | Sequence[int]
) -> NDArray[np.uint64]:
    """Return numbers of positions as an array."""
    import numpy as np

    array = np.asarray(numbers)
    if array.size and (array.dtype.kind not in "iu" or array.ndim != 1 or array.min() < 0):
        raise ValueError(f"{name} are an array of whole numbers from 0")
    return np.ascontiguousarray(array, dtype=np.uint64)


def open(path: Path, *, rules: Game[Any, Any] | ArrayGame | OwnNamedGame | None = None) -> Table:
    """Open a table.

    Only its header is read. Of a table on a web server, range requests fetch the parts that are
    needed. Blocks that were decoded are kept, up to 256 MiB a table.

    Args:
        path: File that a solve with ``out=`` or ``hindsight solve --out`` has written, or its
            address on a web server, ``http://..`` or ``https://..``.
        rules: Your own game, of which it is a table. It must have the same name and version.

    Raises:
        TableNotFoundError: There is no such file.
        TableError: The file is no table, is damaged or of another version.

    >>> import hindsight_games as hs
    >>> hs.solve("quoridor:3x3:1", out="open.table").close()
    >>> with hs.open("open.table") as table:
    ...     print(table.game, table.start)
    quoridor:3x3:1 loss in 8 plies
    """
    name = path_text(path)
    is_address = name.lower().startswith(("http://", "https://"))
    # The file is found again after a change of the folder.
    file = name if is_address else os.path.abspath(name)
    named = own_game(rules) if isinstance(rules, Game | ArrayGame) else rules
    try:
        with contextlib.nullcontext() if named is None else named.known():
            return Table(_native.Table(file), file, named)
    except TableNotFoundError as error:
        error.filename = file
        raise


def _open_again(file: str, rules: OwnNamedGame | None, digest: tuple[int, int]) -> Table:
    """Open the file of a table that was pickled."""
    table = open(file, rules=rules)
    if table._table.digest() != digest:
        raise TableError(f"{shown(file)} has changed since its table was pickled")
    return table
