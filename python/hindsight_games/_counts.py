"""Counts of a solved game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native
from ._value import NO_PLIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SolvedCounts:
    """Counts of the positions of a solved game, by value."""

    @property
    def _counted(self) -> _native.Solved | _native.OwnSolved:
        raise NotImplementedError

    @property
    def positions(self) -> int:
        """Number of positions; those that are equal by symmetry are one if that was asked for."""
        return self._counted.counts()[0]

    @property
    def edges(self) -> int:
        """Number of moves between them; 0 if they were not counted."""
        return self._counted.counts()[1]

    @property
    def counts(self) -> dict[str, int]:
        """Number of positions by result: 'win', 'draw' and 'loss'."""
        _, _, wins, losses, draws = self._counted.counts()
        return {"win": wins, "draw": draws, "loss": losses}

    @property
    def histogram(self) -> NDArray[np.void]:
        """Number of positions of each value.

        A row has the fields ``value`` (1, 0, -1), ``remoteness`` (65535 for draws) and
        ``positions``. Without rows if the solve did not find plies.
        """
        return histogram_array(self._counted.histogram() or [])

    @property
    def signature(self) -> str:
        """Counts and a hash of the histogram; equal for solves of one set that agree."""
        return self._counted.signature()


def histogram_array(rows: list[tuple[int, int | None, int]]) -> NDArray[np.void]:
    """Return a histogram as a structured array."""
    import numpy as np

    dtype = [("value", "i1"), ("remoteness", "u2"), ("positions", "u8")]
    filled = [(wdl, NO_PLIES if plies is None else plies, n) for wdl, plies, n in rows]
    return np.array(filled, dtype=dtype)
