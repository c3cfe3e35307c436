"""Numbers that callers give."""

from __future__ import annotations

import operator

MANY = 10**18
"""More than any number of positions that there will be."""


def checked(name: str, number: int, least: int, most: int) -> int:
    """Return a whole number in a range, of any integer type.

    >>> checked("games", 5, 1, 10)
    5
    """
    whole = operator.index(number)
    if not least <= whole <= most:
        raise ValueError(f"{name} is a whole number from {least} to {most}, not {whole}")
    return whole
