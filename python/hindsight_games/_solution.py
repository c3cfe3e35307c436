"""Solved games."""

from __future__ import annotations

from . import _native
from ._counts import SolvedCounts
from ._game import NamedGame
from ._value import Value, value_of
from ._values import Values


class Solution(SolvedCounts, Values):
    """Solved game, by `solve()`: values in memory, and how many positions have each of them.

    >>> import hindsight_games as hs
    >>> solution = hs.solve("onitama:3x4:boar")
    >>> str(solution.start), solution.positions, solution.edges
    ('win in 21 plies', 431793, 1569941)
    """

    def __init__(self, native: _native.Solved) -> None:
        """Wrap a native solution; `solve()` makes one."""
        self._native = native
        self._native_values = native.values()
        self._game = NamedGame(native.game())

    @property
    def _values(self) -> _native.Values:
        return self._native_values

    @property
    def start(self) -> Value | None:
        """Value of the start; None if a search did not find it."""
        return value_of(self._native.start())

    @property
    def _counted(self) -> _native.Solved:
        return self._native

    def __repr__(self) -> str:
        """Return game and value of the start."""
        return f"<Solution of {self.game.spec}: {self.start or 'value not found'}>"
