"""Best lines of games whose rules are a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

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


@dataclass
class _Node(Generic[P, M]):
    """Position of a line: its predecessor by number, the move from there, and its rivals."""

    position: P
    parent: int | None = None
    move: M | None = None
    equal: int = 0


def best_line(solution: OwnValues[P, M], start: P) -> OwnLine[P, M]:
    """Return best play from a position."""
    value = solution.value(start)
    nodes: list[_Node[P, M]] = [_Node(start)]
    if value.wdl == 0:
        return _drawn_line(solution, nodes, value)
    while best := _best(solution, nodes[-1].position):
        nodes.append(_Node(best[0].to, len(nodes) - 1, best[0].move, len(best)))
    return _line(nodes, len(nodes) - 1, value, None)


def _best(solution: OwnValues[P, M], position: P) -> list[OwnRatedMove[P, M]]:
    rated = solution.moves(position)
    return [move for move in rated if move.value == rated[0].value]


def _drawn_line(solution: OwnValues[P, M], nodes: list[_Node[P, M]], value: Value) -> OwnLine[P, M]:
    """Search breadth first for a drawn end, or a move back onto the path that leads to it."""
    numbers: dict[Hashable, int] = {solution._key(nodes[0].position): 0}
    expanded = 0
    while True:
        best = _best(solution, nodes[expanded].position)
        if not best:
            return _line(nodes, expanded, value, None)
        for rated in best:
            node = _Node(rated.to, expanded, rated.move, len(best))
            known = numbers.setdefault(solution._key(rated.to), len(nodes))
            if known == len(nodes):
                nodes.append(node)
            elif known in (path := _path(nodes, expanded)):
                nodes.append(node)
                return _line(nodes, len(nodes) - 1, value, path.index(known))
        expanded += 1


def _path(nodes: list[_Node[P, M]], last: int) -> list[int]:
    """Return the numbers of the nodes from the first one to this one."""
    path = [last]
    while (parent := nodes[path[-1]].parent) is not None:
        path.append(parent)
    return path[::-1]


def _line(nodes: list[_Node[P, M]], last: int, value: Value, repeats: int | None) -> OwnLine[P, M]:
    path = [nodes[number] for number in _path(nodes, last)]
    moves: list[M] = [node.move for node in path[1:]]  # type: ignore[misc]
    return OwnLine(
        moves=moves,
        positions=[node.position for node in path],
        equally_good=[node.equal for node in path[1:]],
        value=value,
        repeats=repeats,
    )
