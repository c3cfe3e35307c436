"""Games whose rules are arrays, against classes and a slow solver."""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slow_solver import solve_slowly

import hindsight_games as hs

LINES = []
NEAR: dict[int, list[int]] = {}
for r, c in itertools.product(range(4), repeat=2):
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        squares = [(r + k * dr, c + k * dc) for k in range(3)]
        if all(0 <= a < 4 and 0 <= b < 4 for a, b in squares):
            LINES.append(sum(1 << 4 * a + b for a, b in squares))
    around = itertools.product(range(max(r - 1, 0), min(r + 2, 4)), range(max(c - 1, 0), c + 2))
    NEAR[4 * r + c] = [4 * a + b for a, b in around if (a, b) != (r, c) and b < 4]


class TeekoClass(hs.Game[tuple[int, int], tuple[int, int]]):
    """Teeko on 4 x 4 with three men: those of the mover and of the other, as sets of squares."""

    turns = "alternate"

    def start(self) -> tuple[int, int]:
        return (0, 0)

    def result(self, position: tuple[int, int]) -> hs.Result | None:
        return "loss" if any(position[1] & line == line for line in LINES) else None

    def moves(self, position: tuple[int, int]) -> list[tuple[int, int]]:
        own, other = position
        free = [1 << q for q in range(16) if not (own | other) >> q & 1]
        if own.bit_count() < 3:
            return [(0, square) for square in free]
        return [
            (1 << f, 1 << t)
            for f in range(16)
            if own >> f & 1
            for t in NEAR[f]
            if not (own | other) >> t & 1
        ]

    def play(self, position: tuple[int, int], move: tuple[int, int]) -> tuple[int, int]:
        return (position[1], position[0] ^ move[0] ^ move[1])


class Teeko(hs.ArrayGame):
    """The same over numbers: the own men in the lower 16 bits."""

    turns = "alternate"
    lines = np.array(LINES, dtype=np.uint32)
    begin = np.array([1 << f for f in range(16) for _ in NEAR[f]], dtype=np.uint32)
    end = np.array([1 << t for f in range(16) for t in NEAR[f]], dtype=np.uint32)
    squares = np.uint32(1) << np.arange(16, dtype=np.uint32)

    def start(self) -> Any:
        return np.uint32(0)

    def expand(self, codes: Any) -> Any:
        own, other = (codes & 0xFFFF)[:, None], (codes >> 16)[:, None]
        taken = own | other
        lost = ((other & self.lines) == self.lines).any(axis=1)[:, None]
        men = ((own & self.squares) != 0).sum(axis=1)[:, None]
        placed = ((taken & self.squares) == 0) & (men < 3) & ~lost
        moved = ((own & self.begin) != 0) & ((taken & self.end) == 0) & (men == 3) & ~lost
        legal = np.concatenate([placed, moved], axis=1)
        row, column = np.nonzero(legal)
        toggled = np.concatenate([self.squares, self.begin | self.end])
        after = (own[row, 0] ^ toggled[column]) << 16 | other[row, 0]
        offsets = np.concatenate([[0], legal.sum(axis=1).cumsum()])
        return after.astype(np.uint32), offsets, np.where(lost[:, 0], -1, hs.OPEN)


@pytest.fixture(scope="module")
def teeko() -> hs.ArraySolution:
    return hs.solve(Teeko())


def test_teeko_has_the_values_of_its_class(teeko: hs.ArraySolution) -> None:
    """16 + 240 + .. + 160,160 ways to put the men, less 6,864 with a line of the mover's."""
    assert (teeko.positions, teeko.edges) == (209_833, 2_159_604)
    assert teeko.start == hs.Value("win", 5)
    own = hs.solve(TeekoClass())
    assert own.signature == teeko.signature
    codes, wdl, plies = teeko.arrays()
    assert codes.dtype == np.uint32
    for code in codes[::97].tolist():
        assert own[code & 0xFFFF, code >> 16] == teeko[code]
    again = teeko.values(codes)
    assert (again[0] == wdl).all()
    assert (again[1] == plies).all()
    assert teeko.values(np.array([0xFFFF], dtype=np.uint32))[0].tolist() == [hs.UNKNOWN]


def test_moves_and_lines(teeko: hs.ArraySolution) -> None:
    line = teeko.line()
    assert (len(line), len(line.positions), line.value) == (5, 6, hs.Value("win", 5))
    rated = teeko.moves(0)
    assert len(rated) == 16
    assert rated[0].value == hs.Value("win", 5)
    assert all(teeko[move.to] is not None for move in rated)
    assert teeko.best(0)
    wins = teeko.sample(20, value="win", min_plies=3, max_plies=3)
    assert {teeko[code] for code in wins} == {hs.Value("win", 3)}
    assert teeko.get(0xFFFF) is None
    assert teeko.get(-1) is None
    with pytest.raises(hs.NotInTable):
        teeko.value(0xFFFF)


def test_files(tmp_path: Path) -> None:
    class Short(Teeko):
        def start(self) -> Any:
            return np.uint32(0b0000_0000_0000_0111)

    solution = hs.solve(Short(), start=0b1011_0000)
    solution.save(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as file:
        assert len(file["wdl"]) == solution.positions
        assert file["moves"][0] == len(solution.moves(0b1011_0000))


def test_an_array_game_in_all_that_takes_a_game() -> None:
    game = rows_game(nim)
    assert hs.analyse(game, seconds=20).known.value == hs.Value("win", 7)
    assert hs.match("mcts:playouts=50", "random", game=game, games=10).wins[0] > 5
    puzzles = hs.puzzles(hs.solve(game), count=2, unique="first")
    assert all(puzzle.value.result == "win" for puzzle in puzzles)
    g = hs.game(Teeko())
    assert str(g.start) == "0 first"
    assert g.moves(g.start) == [str(number) for number in range(1, 17)]
    with pytest.raises(hs.PositionError):
        g.moves("q first")


C_SOURCE = """
#include <stdint.h>
/* A heap of stones. A move takes one or two; whoever takes the last one wins. */
int64_t expand(const uint8_t *positions, int64_t count, uint8_t *successors, int64_t capacity,
               int64_t *offsets, int8_t *results) {
    const uint64_t *stones = (const uint64_t *)positions;
    uint64_t *after = (uint64_t *)successors;
    int64_t many = 0;
    offsets[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        results[i] = stones[i] ? 2 : -1;
        for (uint64_t taken = 1; taken <= MOST && taken <= stones[i]; taken++) {
            if (many < capacity) after[many] = stones[i] - taken;
            many++;
        }
        offsets[i + 1] = many;
    }
    return many <= capacity ? many : -many;
}
"""


def compiled(folder: Path, most: int) -> Any:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, library = folder / "rules.c", folder / f"rules{most}.so"
    source.write_text(C_SOURCE)
    call = [compiler, "-O2", "-shared", "-fPIC", f"-DMOST={most}", "-o", str(library), str(source)]
    subprocess.run(call, check=True)
    return ctypes.CDLL(str(library)).expand


@pytest.mark.parametrize("most", [2, 100])
def test_a_compiled_function(tmp_path: Path, most: int) -> None:
    function = compiled(tmp_path, most)

    class Heap(hs.ArrayGame):
        turns = "alternate"
        expand = function

        def start(self) -> Any:
            return np.uint64(5_000)

    class ByAddress(Heap):
        expand = ctypes.cast(function, ctypes.c_void_p).value

    class HeapClass(hs.Game[int, int]):
        turns = "alternate"

        def start(self) -> int:
            return 5_000

        def result(self, stones: int) -> hs.Result | None:
            return None if stones else "loss"

        def moves(self, stones: int) -> range:
            return range(1, min(most, stones) + 1)

        def play(self, stones: int, taken: int) -> int:
            return stones - taken

    expected = hs.solve(HeapClass())
    for kind in (Heap, ByAddress):
        solution = hs.solve(kind(), threads=2)
        assert solution.signature == expected.signature
        assert solution.positions == 5_001
    assert solution[17] == expected[17]


def test_a_compiled_function_that_misbehaves() -> None:
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.c_void_p,
    )

    def game_of(answer: Callable[..., int]) -> hs.ArrayGame:
        class Wrong(hs.ArrayGame):
            turns = "alternate"
            expand = prototype(answer)

            def start(self) -> Any:
                return np.uint8(1)

        return Wrong()

    with pytest.raises(hs.GameError, match="returned 1000000 for room of"):
        hs.solve(game_of(lambda *_: 1_000_000))
    with pytest.raises(hs.GameError, match="compiled expand"):
        hs.solve(game_of(lambda *_: 3))


def rows_game(expand: Callable[[Any], Any], start: Any = None) -> hs.ArrayGame:
    class Rows(hs.ArrayGame):
        turns = "alternate"

        def start(self) -> Any:
            return np.array([3, 5], dtype=np.uint8) if start is None else start

        def expand(self, codes: Any) -> Any:
            return expand(codes)

    return Rows()


def nim(codes: Any) -> Any:
    """Nim with heaps in rows."""
    after, offsets, results = [], [0], []
    for code in codes:
        heaps = code.tolist()
        for i, heap in enumerate(heaps):
            after += [[*heaps[:i], left, *heaps[i + 1 :]] for left in range(heap)]
        offsets.append(len(after))
        results.append(hs.OPEN if any(heaps) else -1)
    return np.array(after, dtype=np.uint8).reshape(-1, codes.shape[1]), offsets, results


class Nim(hs.Game[tuple[int, ...], tuple[int, int]]):
    turns = "alternate"

    def start(self) -> tuple[int, ...]:
        return (3, 5)

    def result(self, heaps: tuple[int, ...]) -> hs.Result | None:
        return None if any(heaps) else "loss"

    def moves(self, heaps: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(i, left) for i, heap in enumerate(heaps) for left in range(heap)]

    def play(self, heaps: tuple[int, ...], move: tuple[int, int]) -> tuple[int, ...]:
        i, left = move
        return (*heaps[:i], left, *heaps[i + 1 :])


def test_rows_and_strings_of_bytes() -> None:
    slow = solve_slowly(Nim())
    rows = hs.solve(rows_game(nim))
    assert rows.positions == len(slow) == 24
    for heaps, value in slow.items():
        assert rows[bytes(heaps)] == value == rows.value(np.array(heaps, dtype=np.uint8))
    codes, _, _ = rows.arrays()
    assert codes.shape == (24, 2)

    def strings(codes: Any) -> Any:
        table = codes.view(np.uint8).reshape(len(codes), -1)
        after, offsets, results = nim(table)
        return np.ascontiguousarray(after).view("V2").reshape(-1), offsets, results

    solution = hs.solve(rows_game(strings, np.array(b"\x03\x05", dtype="V2")))
    assert solution.signature == rows.signature


def test_players_and_symmetry() -> None:
    class Told(hs.ArrayGame):
        """The lowest bit is the player to move, the others are the stones."""

        def start(self) -> Any:
            return np.uint16(2 * 20 + 1)

        def player(self, codes: Any) -> Any:
            return codes & 1

        def expand(self, codes: Any) -> Any:
            stones, other = codes >> 1, 1 - (codes & 1)
            after = np.stack([stones - taken for taken in (1, 2)], axis=1) * 2 + other[:, None]
            legal = stones[:, None] >= [1, 2]
            offsets = np.concatenate([[0], legal.sum(axis=1).cumsum()])
            return after[legal].astype(np.uint16), offsets, np.where(stones == 0, -1, hs.OPEN)

    told = hs.solve(Told())
    assert told.start == hs.Value("win", 13)
    assert told.named.player(told.named.start) == "First"

    class Twice(Told):
        def player(self, codes: Any) -> Any:
            return codes & 0

    with pytest.raises(hs.GameError, match="the same player's turn"):
        hs.solve(Twice())

    class Sorted(hs.ArrayGame):
        turns = "alternate"

        def start(self) -> Any:
            return np.array([4, 4], dtype=np.uint8)

        expand = staticmethod(nim)

        def canonical(self, codes: Any) -> Any:
            return np.sort(codes, axis=1)

    assert hs.solve(Sorted()).positions == 15


BAD: dict[str, tuple[Callable[[Any], Any], str]] = {
    "exception": (lambda codes: 1 // 0, r"expand\(\) of 1 positions raised ZeroDivisionError"),
    "no triple": (lambda codes: codes, r"expand\(\) of 1 positions raised"),
    "floats": (lambda codes: (codes.astype(float), [0, 1], [2]), "codes of float64"),
    "form": (lambda codes: (codes[:, :1], [0, 1], [2]), r"in the form \(1, 1\), not of uint8"),
    "result": (lambda codes: (codes, [0, 1], [3]), "the result 3, not 1, 0, -1 or hs.OPEN"),
    "nan": (lambda codes: (codes, [0, 1], [np.nan]), "results of float64"),
    "results": (lambda codes: (codes, [0, 1], [2, 2]), r"results of int64 in the form \(2,\)"),
    "offsets": (lambda codes: (codes, [0, 2], [2]), "do not ascend from 0 to the 1 successors"),
    "too few offsets": (lambda codes: (codes, [0], [2]), "offsets of int64 in the form"),
    "no move": (lambda codes: (codes[:0], [0, 0], [2]), "there is no move and no result"),
    "moves after the end": (lambda codes: (codes, [0, 1], [0]), "although the game is over"),
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_answers_are_told_with_the_position(name: str) -> None:
    expand, words = BAD[name]
    with pytest.raises(hs.GameError, match=words) as caught:
        hs.solve(rows_game(expand))
    assert "0305" in str(caught.value) or r"b'\x03\x05'" in str(caught.value)


@pytest.mark.parametrize(
    "start", [3.5, "text", np.zeros((2, 2)), np.zeros(40, dtype=np.uint8), None]
)
def test_a_start_that_is_no_code_is_refused(start: Any) -> None:
    class Odd(hs.ArrayGame):
        turns = "alternate"

        def start(self) -> Any:
            return start

        def expand(self, codes: Any) -> Any:
            return nim(codes)

    with pytest.raises(hs.GameError, match=r"start\(\) returned .*: a code is a number of NumPy"):
        hs.solve(Odd())


def test_laws_of_arrays() -> None:
    hs.laws(rows_game(nim), positions=500)
    hs.laws(Teeko(), positions=300)

    class Forgetful(hs.ArrayGame):
        """Its canonical form forgets a heap."""

        turns = "alternate"
        expand = staticmethod(nim)

        def start(self) -> Any:
            return np.array([3, 5], dtype=np.uint8)

        def canonical(self, codes: Any) -> Any:
            return codes * np.array([1, 0], dtype=np.uint8)

    with pytest.raises(hs.GameError, match=r"a law is broken: .*, seed=1"):
        hs.laws(Forgetful(), positions=500)
    calls = []

    def changing(codes: Any) -> Any:
        calls.append(len(codes))
        after, offsets, results = nim(codes)
        return (after[:-1] if len(calls) % 3 == 0 and len(after) > 1 else after), offsets, results

    with pytest.raises(hs.GameError):
        hs.laws(rows_game(changing), positions=500)
