"""Edges a second and bytes a position of games of one's own: classes, arrays, compiled functions.

    python benchmarks/own_game.py [GAME WAY]

Each row is a process of its own. "plain" is the least that Python itself does with such rules: a
set of positions, and each method called as often as a solve calls it. A compiled function needs a C
compiler.
"""

from __future__ import annotations

import ctypes
import resource
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

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


TEEKO_C = """
#include <stdint.h>
static uint64_t lines[64], near[32];
static int squares, line_count, men;
void prepare(int side, int count) {
    squares = side * side; men = count;
    const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int row = 0; row < side; row++) for (int column = 0; column < side; column++) {
        for (int step = 0; step < 4; step++) {
            uint64_t line = 0;
            int k = 0;
            for (; k < men; k++) {
                int r = row + k * steps[step][0], c = column + k * steps[step][1];
                if (r >= side || c < 0 || c >= side) break;
                line |= 1ull << (side * r + c);
            }
            if (k == men) lines[line_count++] = line;
        }
        for (int r = row - 1; r <= row + 1; r++) for (int c = column - 1; c <= column + 1; c++)
            if ((r != row || c != column) && r >= 0 && r < side && c >= 0 && c < side)
                near[side * row + column] |= 1ull << (side * r + c);
    }
}
int64_t expand(const uint8_t *positions, int64_t count, uint8_t *successors, int64_t capacity,
               int64_t *offsets, int8_t *results) {
    const uint64_t *codes = (const uint64_t *)positions;
    uint64_t *after = (uint64_t *)successors;
    int64_t many = 0;
    offsets[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t own = codes[i] & 0xffffffff, other = codes[i] >> 32;
        uint64_t empty = ~(own | other) & ((1ull << squares) - 1);
        int is_lost = 0;
        for (int k = 0; k < line_count; k++) is_lost |= (other & lines[k]) == lines[k];
        if (!is_lost && __builtin_popcountll(own) < men) {
            for (uint64_t to = empty; to; to &= to - 1, many++)
                if (many < capacity) after[many] = (own | (to & -to)) << 32 | other;
        } else if (!is_lost) {
            for (uint64_t from = own; from; from &= from - 1) {
                uint64_t near_empty = near[__builtin_ctzll(from)] & empty;
                for (uint64_t to = near_empty; to; to &= to - 1, many++)
                    if (many < capacity)
                        after[many] = (own ^ (from & -from) ^ (to & -to)) << 32 | other;
            }
        }
        results[i] = many == offsets[i] ? -1 : 2;
        offsets[i + 1] = many;
    }
    return many <= capacity ? many : -many;
}
"""


def compiled_teeko() -> hs.ArrayGame:
    """Return Teeko on 4 x 4 with three men, in C."""
    folder = tempfile.mkdtemp()
    source, library = f"{folder}/teeko.c", f"{folder}/teeko.so"
    Path(source).write_text(TEEKO_C)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    loaded = ctypes.CDLL(library)
    loaded.prepare(4, 3)

    class CompiledTeeko(hs.ArrayGame):
        turns = "alternate"
        expand = loaded.expand

        def start(self) -> Any:
            return np.uint64(0)

    return CompiledTeeko()


def example(name: str) -> Any:
    """Return the names of an example."""
    return runpy.run_path(str(Path(__file__).parents[2] / "examples" / name / f"{name}.py"))


# Games over arrays, and those whose positions are too many to be collected plainly.
SOLVED: dict[str, Callable[[], Any]] = {
    "kalah-4-3": lambda: example("kalah")["Kalah"](4, 3),
    "teeko-arrays": lambda: example("teeko")["Teeko"](4, 3),
    "teeko-c": compiled_teeko,
}


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
    game = SOLVED[name]() if name in SOLVED else games()[name]
    hs.solve("tic-tac-toe")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    if way == "plain":
        positions, edges = explore_plainly(game)
    else:
        solution = hs.solve(game)
        positions, edges = solution.positions, solution.edges
    seconds = time.perf_counter() - begin
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    rate = f"{edges / seconds:12,.0f} edges/s {positions / seconds:10,.0f} positions/s"
    print(
        f"{name:12} {way:6} {positions:9,} {edges:10,} {rate} {peak / positions:6,.0f} B/position"
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(*sys.argv[1:])
    else:
        rows = [(name, way) for name in games() for way in ("plain", "solve")]
        for row in rows + [(name, "solve") for name in SOLVED]:
            subprocess.run([sys.executable, __file__, *row], check=True)
