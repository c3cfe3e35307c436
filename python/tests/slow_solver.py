"""Slow, obvious solver, and small games, for comparisons."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import hindsight_games as hs

P = TypeVar("P", bound=Hashable)
M = TypeVar("M")


def solve_slowly(game: hs.Game[P, M]) -> dict[P, hs.Value]:
    """Return the values of all positions: what is decided in no ply, then in one, and so on."""
    after: dict[P, list[P]] = {}
    values: dict[P, hs.Value] = {}
    found = [game.start()]
    while found:
        position = found.pop()
        if position in after:
            continue
        after[position] = []
        result = game.result(position)
        if result is not None:
            values[position] = hs.Value(result) if result == "draw" else hs.Value(result, 0)
        else:
            after[position] = [game.play(position, move) for move in game.moves(position)]
            found.extend(after[position])
    for plies in range(1, len(after) + 1):
        decided: dict[P, hs.Value] = {}
        for position in after.keys() - values.keys():
            known = [values.get(to, hs.Value("draw")) for to in after[position]]
            if any(value.wdl == -1 for value in known):
                decided[position] = hs.Value("win", plies)
            elif all(value.wdl == 1 for value in known):
                decided[position] = hs.Value("loss", plies)
        values.update(decided)
    return {position: values.get(position, hs.Value("draw")) for position in after}


class RandomGraph(hs.Game[int, int]):
    """Positions are numbers; from each lead up to four moves to numbers drawn at random."""

    turns = "alternate"

    def __init__(self, seed: int, size: int = 60, ends: float = 0.2, most_moves: int = 4) -> None:
        rng = random.Random(seed)
        self.after: list[list[int]] = []
        for _ in range(size):
            count = 0 if rng.random() < ends else rng.randint(1, most_moves)
            self.after.append([rng.randrange(size) for _ in range(count)])
        self.after[0] = [1, 2, 3, 4][:most_moves]
        self.results: list[hs.Result] = [
            rng.choice(["win", "draw", "loss", "loss"]) for _ in range(size)
        ]

    def start(self) -> int:
        return 0

    def result(self, position: int) -> hs.Result | None:
        return None if self.after[position] else self.results[position]

    def moves(self, position: int) -> range:
        return range(len(self.after[position]))

    def play(self, position: int, move: int) -> int:
        return self.after[position][move]


class Counter(hs.Game[Any, Any]):
    """An endless game: positions count upwards. Methods are replaced by keyword."""

    turns = "alternate"

    def __init__(self, **methods: Callable[..., Any]) -> None:
        for name, method in methods.items():
            setattr(self, name, method)

    def start(self) -> Any:
        return 0

    def moves(self, position: Any) -> Any:
        return [1, 2]

    def play(self, position: Any, move: Any) -> Any:
        return position + move


class Named(hs.Game[str, str]):
    """A game that a spec names, by its rules alone."""

    turns = "alternate"

    def __init__(self, spec: str) -> None:
        self.rules = hs.game(spec)

    def start(self) -> str:
        return str(self.rules.start)

    def result(self, position: str) -> hs.Result | None:
        return self.rules.result(position)

    def moves(self, position: str) -> list[str]:
        return self.rules.moves(position)

    def play(self, position: str, move: str) -> str:
        return str(self.rules.play(position, move))


Men = frozenset[tuple[int, int]]


class Dodgem(hs.Game[tuple[int, Men, Men], str]):
    """Dodgem: the men of player 0 move up, those of player 1 to the right.

    A position is the player to move, with the men of the mover and those of the other as (column,
    row), from the side of the mover: rows and columns of player 1 are exchanged, so that men of the
    mover always move up.
    """

    turns = "alternate"

    def __init__(self, size: int) -> None:
        self.size = size

    def start(self) -> tuple[int, Men, Men]:
        line = range(1, self.size)
        return 0, frozenset((i, 0) for i in line), frozenset((0, i) for i in line)

    def result(self, position: tuple[int, Men, Men]) -> hs.Result | None:
        _, _, other = position
        if not other:
            return "loss"
        return None if self.moves(position) else "win"

    def moves(self, position: tuple[int, Men, Men]) -> list[str]:
        _, own, other = position
        found = []
        for column, row in sorted(own):
            for dx, dy in ((0, 1), (1, 0), (-1, 0)):
                x, y = column + dx, row + dy
                if 0 <= x < self.size and (x, y) not in own | other:
                    found.append(f"{column},{row}>{x},{y}")
        return found

    def play(self, position: tuple[int, Men, Men], move: str) -> tuple[int, Men, Men]:
        player, own, other = position
        begin, end = (tuple(map(int, square.split(","))) for square in move.split(">"))
        moved = {(x, y) for x, y in (own - {begin}) | {end} if y < self.size}
        return 1 - player, turned(other), turned(frozenset(moved))


def turned(men: Men) -> Men:
    """Exchange columns and rows."""
    return frozenset((row, column) for column, row in men)
