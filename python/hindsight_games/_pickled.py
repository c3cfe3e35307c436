"""Solved games as bytes, for pickles."""

from __future__ import annotations

import builtins
import os
import tempfile
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from . import _native
from ._errors import LimitError, SolveError, unpicklable

State: TypeAlias = tuple[bytes, Any, Any, Any, Any]
"""A table, the value of the start, counts, histogram and signature."""

_TABLE = "solution.table"


class Saved:
    """A solution where it is pickled: by its table, which becomes a `State`.

    That is written when what comes before it has been pickled, such as the rules.
    """

    def __init__(self, solution: object, native: _native.Solved) -> None:
        """Take a solution."""
        self._solution, self._native = solution, native

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to unpickle the state.

        Raises:
            TypeError: The solution has no table.
        """
        return (tuple, (_state_of(self._solution, self._native),))


def _state_of(solution: object, native: _native.Solved) -> State:
    """Return what is pickled of a solution."""
    with tempfile.TemporaryDirectory(prefix="hindsight-") as folder:
        path = os.path.join(folder, _TABLE)
        try:
            native.save(path, None)
        except LimitError:
            raise
        except SolveError as cause:
            text = (
                "only the positions that solver='graph' reaches from the start are; "
                "a table, by solve(.., out=FILE), can be pickled, too"
            )
            raise unpicklable(solution, text) from cause
        with builtins.open(path, "rb") as file:
            table = file.read()
    return (table, native.start(), native.counts(), native.histogram(), native.signature())


def solved_of(state: State, known: AbstractContextManager[None]) -> _native.Solved:
    """Return the solved game of a pickle; `known` lets this process find its rules."""
    table, *totals = state
    with tempfile.TemporaryDirectory(prefix="hindsight-") as folder:
        path = os.path.join(folder, _TABLE)
        with builtins.open(path, "wb") as file:
            file.write(table)
        # The open file lasts longer than its name.
        with known:
            return _native.Solved(_native.Table(path), *totals)
