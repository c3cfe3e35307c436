"""Solved games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native
from ._game import NamedGame
from ._value import NO_PLIES, Value, value_of
from ._values import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Solution(Values):
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
    def positions(self) -> int:
        """Number of positions."""
        return self._native.counts()[0]

    @property
    def edges(self) -> int:
        """Number of moves between them; 0 if they were not counted."""
        return self._native.counts()[1]

    @property
    def counts(self) -> dict[str, int]:
        """Number of positions by result: 'win', 'draw' and 'loss'."""
        _, _, wins, losses, draws = self._native.counts()
        return {"win": wins, "draw": draws, "loss": losses}

    @property
    def histogram(self) -> NDArray[np.void]:
        """Number of positions of each value.

        A row has the fields ``value`` (1, 0, -1), ``remoteness`` (65535 for draws) and
        ``positions``. Without rows if the solve did not find plies.
        """
        return histogram_array(self._native.histogram() or [])

    @property
    def signature(self) -> str:
        """Counts and a hash of the histogram; equal for solves of one set that agree."""
        return self._native.signature()

    def __repr__(self) -> str:
        """Return game and value of the start."""
        return f"<Solution of {self.game.spec}: {self.start or 'value not found'}>"


def histogram_array(rows: list[tuple[int, int | None, int]]) -> NDArray[np.void]:
    """Return a histogram as a structured array."""
    import numpy as np

    dtype = [("value", "i1"), ("remoteness", "u2"), ("positions", "u8")]
    filled = [(wdl, NO_PLIES if plies is None else plies, n) for wdl, plies, n in rows]
    return np.array(filled, dtype=dtype)
