"""Edges a second and bytes a position of games whose rules are a class.

    python benchmarks/own_game.py

Each row is a process of its own. "plain" is the least that Python itself does with such rules: a
set of positions, and each method called as often as a solve calls it.
"""

from __future__ import annotations

import resource
import runpy
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import hindsight_games as hs

Discs = tuple[int, ...]


class Four(hs.Game[Discs, int]):
    """Four in a row on 4 x 4: 16 squares, each 0 if empty, 1 of the mover or -1 of the other."""

    turns = "alternate"

    lines = [  # noqa: RUF012 - a constant
        [start + step * i for i in range(4)]
        for start, step in [
            (0, 5),
            (3, 3),
            *((4 * i, 1) for i in range(4)),
            *((i, 4) for i in range(4)),
        ]
    ]

    def start(self) -> Discs:
        return (0,) * 16

    def result(self, discs: Discs) -> hs.Result | None:
        for a, b, c, d in self.lines:
            if discs[a] == -1 and discs[b] == -1 and discs[c] == -1 and discs[d] == -1:
                return "loss"
        return None if 0 in discs else "draw"

    def moves(self, discs: Discs) -> list[int]:
        return [column for column in range(4) if discs[12 + column] == 0]

    def play(self, discs: Discs, column: int) -> Discs:
        after = [-disc for disc in discs]
        while after[column]:
            column += 4
        after[column] = -1
        return tuple(after)


class Sums(hs.Game[tuple[int, int], int]):
    """Almost no rules: what remains is the cost of the solve."""

    turns = "alternate"

    def start(self) -> tuple[int, int]:
        return (0, 0)

    def result(self, position: tuple[int, int]) -> hs.Result | None:
        return "loss" if position[0] >= 700 else None

    def moves(self, position: tuple[int, int]) -> tuple[int, ...]:
        return (1, 2, 3, 4)

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        return (position[0] + 1, (position[1] + move) % 500)


def games() -> dict[str, hs.Game[Any, Any]]:
    """Return the games by name."""
    l_game = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "l_game.py"))
    return {
        "four": Four(),
        "sums": Sums(),
        "l-game": l_game["LGame"](),
        "l-game-keys": l_game["SymmetricLGame"](),
    }


def explore_plainly(game: hs.Game[Any, Any]) -> tuple[int, int]:
    """Return the numbers of positions and edges."""
    start = game.start()
    seen, positions, edges = {game.key(start)}, [start], 0
    for position in positions:
        if game.result(position) is None:
            for move in game.moves(position):
                after = game.play(position, move)
                edges += 1
                key = game.key(after)
                if key not in seen:
                    seen.add(key)
                    positions.append(after)
    return len(positions), edges


def measure(name: str, way: str) -> None:
    """Print the row of a game."""
    game = games()[name]
    hs.solve("tic-tac-toe")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    if way == "plain":
        positions, edges = explore_plainly(game)
    else:
        solution = hs.solve(game, check=0)
        positions, edges = solution.positions, solution.edges
    seconds = time.perf_counter() - begin
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    rate = f"{edges / seconds:12,.0f} edges/s"
    print(
        f"{name:12} {way:6} {positions:9,} {edges:10,} {rate} {peak / positions:6,.0f} B/position"
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(*sys.argv[1:])
    else:
        for row in ((name, way) for name in games() for way in ("plain", "solve")):
            subprocess.run([sys.executable, __file__, *row], check=True)
