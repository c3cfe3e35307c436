"""Values of positions."""

from __future__ import annotations

import operator
from functools import total_ordering
from typing import Literal, TypeAlias

from ._errors import shown

Result: TypeAlias = Literal["win", "draw", "loss"]
"""Result of a game for the side to move."""

_RESULTS: dict[str, int] = {"win": 1, "draw": 0, "loss": -1}
_WORDS: dict[int, Result] = {1: "win", 0: "draw", -1: "loss"}

NO_PLIES = 65535
"""Plies in arrays where a position is drawn or its plies are not known."""

UNKNOWN = -128
"""Result in arrays where it is not known."""


@total_ordering
class Value:
    """Value of a position for the side to move: a result, and the plies to the end.

    The winner hurries, the loser delays. The greater value is better for the side to move. A win
    or a loss whose plies are not known counts as the least of its kind.

    >>> Value("win", 21)
    Value('win', 21)
    >>> str(Value("loss", 12)), str(Value("draw")), str(Value("win", 1))
    ('loss in 12 plies', 'draw', 'win in 1 ply')
    >>> Value("win", 3) > Value("win", 5) > Value("draw") > Value("loss", 8) > Value("loss", 2)
    True
    >>> Value("win", 3).wdl, Value("win", 3).remoteness
    (1, 3)
    """

    __slots__ = ("_remoteness", "_wdl")

    def __init__(self, result: Result, remoteness: int | None = None) -> None:
        """Make a value of a result and, for a win or a loss, its plies."""
        if not isinstance(result, str) or result not in _RESULTS:
            raise ValueError(f"a result is 'win', 'draw' or 'loss', not {shown(result)}")
        if remoteness is not None and (result == "draw" or operator.index(remoteness) < 0):
            raise ValueError("plies go with a win or a loss, and count from 0")
        self._wdl = _RESULTS[result]
        self._remoteness = remoteness

    @property
    def wdl(self) -> int:
        """1 for a win, 0 for a draw, -1 for a loss."""
        return self._wdl

    @property
    def remoteness(self) -> int | None:
        """Plies to the end; None for a draw, and where it is not known."""
        return self._remoteness

    @property
    def result(self) -> Result:
        """The result in a word: 'win', 'draw' or 'loss'."""
        return _WORDS[self.wdl]

    def _key(self) -> tuple[int, int]:
        if self.remoteness is None:
            return (self.wdl, 0 if self.wdl == 0 else -NO_PLIES)
        return (self.wdl, -self.wdl * self.remoteness)

    def __eq__(self, other: object) -> bool:
        """Return whether result and plies are the same."""
        if not isinstance(other, Value):
            return NotImplemented
        return self.wdl == other.wdl and self.remoteness == other.remoteness

    def __lt__(self, other: Value) -> bool:
        """Return whether the other value is better for the side to move."""
        if not isinstance(other, Value):
            return NotImplemented
        return self._key() < other._key()

    def __hash__(self) -> int:
        """Return a hash of result and plies."""
        return hash((self.wdl, self.remoteness))

    def __reduce__(self) -> tuple[type[Value], tuple[Result, int | None]]:
        """Return how to copy or unpickle the value."""
        return (Value, (self.result, self.remoteness))

    def __repr__(self) -> str:
        """Return the call that makes the value."""
        if self.remoteness is None:
            return f"Value({self.result!r})"
        return f"Value({self.result!r}, {self.remoteness})"

    def __str__(self) -> str:
        """Return the value in words, such as 'win in 21 plies'."""
        if self.remoteness is None:
            return self.result
        unit = "ply" if self.remoteness == 1 else "plies"
        return f"{self.result} in {self.remoteness} {unit}"


def value_of(pair: tuple[int, int | None] | None) -> Value | None:
    """Return the value of a native pair."""
    return None if pair is None else known_value(pair)


def known_value(pair: tuple[int, int | None]) -> Value:
    """Return the value of a native pair, which is known."""
    value = Value.__new__(Value)
    value._wdl, value._remoteness = pair
    return value
