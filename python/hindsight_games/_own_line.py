"""Best lines of games whose rules are a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from ._errors import game_error
from ._own_draws import shortest_drawn_path
from ._own_game import M, P
from ._value import Value

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ._own_solution import OwnRatedMove, OwnValues


@dataclass(frozen=True)
class OwnLine(Generic[P, M]):
    """Best play in a game of yours, to the end or, in a draw, into a cycle.

    Attributes:
        moves: The moves.
        positions: The positions before each move, and the last one: one more than moves.
        equally_good: For each move, how many moves are as good, itself included.
        value: Value of the first position for the side to move.
        repeats: Index of the position that the last one repeats, up to equal keys; None unless it
            is a cycle.
    """

    moves: list[M]
    positions: list[P]
    equally_good: list[int]
    value: Value
    repeats: int | None

    def __len__(self) -> int:
        """Return the number of plies."""
        return len(self.moves)

    def __str__(self) -> str:
        """Return the moves with spaces between them."""
        return " ".join(map(str, self.moves))


def best_line(solution: OwnValues[P, M], start: P) -> OwnLine[P, M]:
    """Return best play from a position."""
    value = solution.value(start)
    if value.wdl == 0:
        return _drawn_line(solution, start, value)
    line: OwnLine[P, M] = OwnLine([], [start], [], value, None)
    while best := _best(solution, line.positions[-1]):
        _add(line, best[0], len(best))
    return line


def _best(solution: OwnValues[P, M], position: P) -> list[OwnRatedMove[P, M]]:
    rated = solution.moves(position)
    return [move for move in rated if move.value == rated[0].value]


def _add(line: OwnLine[P, M], played: OwnRatedMove[P, M], equally_good: int) -> None:
    line.moves.append(played.move)
    line.positions.append(played.to)
    line.equally_good.append(equally_good)


def _drawn_line(solution: OwnValues[P, M], start: P, value: Value) -> OwnLine[P, M]:
    positions = [start]
    keys = [solution._key(start)]
    numbers: dict[Hashable, int] = {keys[0]: 0}

    def expand(number: int) -> list[int]:
        after = []
        for rated in _best(solution, positions[number]):
            key = solution._key(rated.to)
            after.append(numbers.setdefault(key, len(numbers)))
            if len(numbers) > len(positions):
                positions.append(rated.to)
                keys.append(key)
        return after

    path = shortest_drawn_path(expand)
    line: OwnLine[P, M] = OwnLine([], [start], [], value, path.repeats)
    for number in path.numbers[1:]:
        # A position of the line may differ from that of its number, by symmetry.
        at = line.positions[-1]
        best = _best(solution, at)
        played = [rated for rated in best if solution._key(rated.to) == keys[number]]
        if not played:
            raise game_error("positions with equal keys have equal keys after their moves", at)
        _add(line, played[0], len(best))
    return line
