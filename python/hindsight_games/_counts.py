"""Counts of a solved game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._value import NO_PLIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def histogram_array(rows: list[tuple[int, int | None, int]]) -> NDArray[np.void]:
    """Return a histogram as a structured array."""
    import numpy as np

    dtype = [("value", "i1"), ("remoteness", "u2"), ("positions", "u8")]
    filled = [(wdl, NO_PLIES if plies is None else plies, n) for wdl, plies, n in rows]
    return np.array(filled, dtype=dtype)
