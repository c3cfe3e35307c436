"""Numbers that callers give."""

from __future__ import annotations

import operator


def checked(name: str, number: int, least: int, most: int) -> int:
    """Return a whole number in a range, of any integer type.

    >>> checked("games", 5, 1, 10)
    5
    """
    whole = operator.index(number)
    if not least <= whole <= most:
        raise ValueError(f"{name} is a whole number from {least} to {most}, not {whole}")
    return whole
