"""Games whose rules are a class: values against the built-in games and a slow solver."""

from __future__ import annotations

import csv
import random
import runpy
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slow_solver import Dodgem, Named, RandomGraph, solve_slowly

import hindsight_games as hs

L_GAME = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "l_game.py"))


def test_the_l_game_has_its_published_counts() -> None:
    solution = hs.solve(L_GAME["LGame"]())
    assert (solution.positions, solution.edges) == (18_368, 1_632_800)
    assert solution.counts == {"win": 8_048, "draw": 10_088, "loss": 232}
    lost_and_won = [120, 6_144, 24, 216, 24, 648, 40, 88, 24, 952]
    assert solution.histogram["positions"].tolist() == [*lost_and_won, 10_088]
    assert solution.histogram["remoteness"].tolist() == [*range(10), hs.NO_PLIES]
    assert solution.start == hs.Value("draw")


def test_the_l_game_has_an_eighth_of_the_positions_by_its_key() -> None:
    plain, keyed = hs.solve(L_GAME["LGame"]()), hs.solve(L_GAME["SymmetricLGame"]())
    assert keyed.positions == 2_296
    for position in plain.sample(18_368):
        assert keyed[position] == plain[position]


@pytest.mark.parametrize("spec", ["tic-tac-toe", "dodgem:3x3", "quoridor:3x3:1"])
def test_values_are_those_of_the_built_in_game(spec: str) -> None:
    own, named = hs.solve(Named(spec)), hs.solve(spec, solver="graph")
    assert own.signature == named.signature
    assert own.edges == named.edges
    for position in own.sample(own.positions):
        assert own[position] == named[position]


def test_dodgem_has_the_counts_of_other_programs() -> None:
    solution = hs.solve(Dodgem(3))
    assert solution.counts == {"win": 1_123, "draw": 0, "loss": 840}
    assert solution.signature == hs.solve("dodgem:3x3").signature
    slow = solve_slowly(Dodgem(3))
    assert {position: solution[position] for position in slow} == slow


@pytest.mark.parametrize("seed", range(40))
def test_values_moves_and_lines_on_random_graphs(seed: int) -> None:
    game = RandomGraph(seed)
    solution, slow = hs.solve(game, check=0), solve_slowly(game)
    assert solution.positions == len(slow)
    assert solution.counts == {
        word: sum(value.result == word for value in slow.values())
        for word in ("win", "draw", "loss")
    }
    for position, value in slow.items():
        assert solution[position] == value
        rated = solution.moves(position)
        assert [move.value for move in rated] == sorted((m.value for m in rated), reverse=True)
        assert all(move.value == value for move in rated if move.move in solution.best(position))
        assert all(move.gives == value.wdl - move.value.wdl for move in rated)
        check_line(game, solution, position)


def check_line(game: RandomGraph, solution: hs.OwnSolution[int, int], position: int) -> None:
    line = solution.line(position)
    assert line.value == solution[position]
    assert len(line.positions) == len(line.moves) + 1 == len(line.equally_good) + 1
    for at, move, to in zip(line.positions, line.moves, line.positions[1:], strict=False):
        assert move in solution.best(at)
        assert game.play(at, move) == to
    if line.value.remoteness is not None:
        assert len(line) == line.value.remoteness
    if line.repeats is not None:
        assert line.positions[line.repeats] == line.positions[-1]
        assert line.value == hs.Value("draw")
    else:
        assert game.result(line.positions[-1]) is not None


def shortest_drawn_walk(solution: hs.OwnSolution[int, int]) -> int:
    """Return the moves of the shortest drawn walk to an end or to a position that it had."""
    walks = [[0]]
    while True:
        longer = []
        for walk in walks:
            after = [m.to for m in solution.moves(walk[-1]) if m.value == hs.Value("draw")]
            if not after or walk[-1] in walk[:-1]:
                return len(walk) - 1
            longer += [[*walk, to] for to in after]
        walks = longer


def test_a_drawn_line_is_the_shortest() -> None:
    """On graphs of up to twelve positions, of which a different share is over."""
    kinds = set()
    for seed in range(2_000):
        rng = random.Random(seed)
        game = RandomGraph(seed, rng.randrange(5, 13), ends=rng.random() / 3, most_moves=3)
        solution = hs.solve(game, check=0)
        check_line(game, solution, 0)
        if solution.start == hs.Value("draw"):
            line = solution.line()
            assert len(line) == shortest_drawn_walk(solution)
            kinds.add((len(line), line.repeats))
    assert len(kinds) > 8


def test_a_cycle_that_is_closed_from_aside_is_found() -> None:
    """The moves into a and b both come from s, so that neither is on the way to the other."""

    class Aside(hs.Game[str, str]):
        turns = "alternate"

        def start(self) -> str:
            return "s"

        def moves(self, position: str) -> str:
            return {"s": "ab", "a": "b", "b": "a"}[position]

        def play(self, position: str, move: str) -> str:
            return move

    line = hs.solve(Aside()).line()
    assert (str(line), line.positions, line.repeats) == ("a b a", ["s", "a", "b", "a"], 1)


def test_a_line_into_a_long_cycle_is_found() -> None:
    class Ring(hs.Game[int, str]):
        turns = "alternate"

        def start(self) -> int:
            return -10

        def moves(self, position: int) -> list[str]:
            return ["on"]

        def play(self, position: int, move: str) -> int:
            return (position + 1) % 30_000 if position >= 0 else position + 1

    line = hs.solve(Ring()).line()
    assert (len(line), line.repeats) == (30_010, 10)


def test_a_drawn_line_of_a_game_with_keys_is_legal() -> None:
    """Positions with equal keys differ, and so do their moves."""
    game = L_GAME["SymmetricLGame"]()
    solution = hs.solve(game)
    for position in solution.sample(10, value="draw"):
        line = solution.line(position)
        for at, move, to in zip(line.positions, line.moves, line.positions[1:], strict=False):
            assert move in solution.best(at)
            assert game.play(at, move) == to
        assert line.repeats is not None
        assert game.key(line.positions[line.repeats]) == game.key(line.positions[-1])


def test_a_position_that_was_not_met_is_not_known() -> None:
    solution = hs.solve(Named("tic-tac-toe"))
    assert "xxx/xxx/xxx" not in solution
    assert solution.get("xxx/xxx/xxx", None) is None
    with pytest.raises(hs.NotInTable, match="no play from the start leads to position 'xxx/"):
        solution.value("xxx/xxx/xxx")
    with pytest.raises(hs.NotInTable):
        solution.moves("xxx/xxx/xxx")


def test_a_finished_position_has_no_moves_and_an_empty_line() -> None:
    solution = hs.solve(Named("tic-tac-toe"))
    over = "xxx/oo./..."
    assert (solution[over], solution.moves(over), solution.best(over)) == (
        hs.Value("loss", 0),
        [],
        [],
    )
    assert solution.line(over).positions == [over]


def test_a_start_that_is_over_is_solved() -> None:
    class Over(hs.Game[int, int]):
        turns = "alternate"

        def start(self) -> int:
            return 0

        def result(self, position: int) -> hs.Result | None:
            return "draw"

        def moves(self, position: int) -> list[int]:
            raise AssertionError("moves of a position that is over")

        def play(self, position: int, move: int) -> int:
            raise AssertionError("no move is legal")

    solution = hs.solve(Over())
    assert (solution.start, solution.positions, len(solution.line())) == (hs.Value("draw"), 1, 0)


def test_sample_keeps_to_what_is_wanted_and_to_its_seed() -> None:
    solution = hs.solve(Named("tic-tac-toe"))
    wins = solution.sample(50, seed=3, value="win", min_plies=3, max_plies=3)
    assert len(set(wins)) == 50
    assert {solution[position] for position in wins} == {hs.Value("win", 3)}
    assert wins == solution.sample(50, seed=3, value="win", min_plies=3, max_plies=3)
    assert wins != solution.sample(50, seed=4, value="win", min_plies=3, max_plies=3)
    assert len(solution.sample(10**6)) == 5_478
    assert all(solution[position].wdl for position in solution.sample(100, min_plies=1))
    with pytest.raises(ValueError, match="count is a whole number from 0 to"):
        solution.sample(-1)


def test_a_sample_of_a_game_with_keys_has_positions() -> None:
    game = L_GAME["SymmetricLGame"]()
    solution = hs.solve(game)
    sample = solution.sample(solution.positions)
    assert len({game.key(position) for position in sample}) == solution.positions
    assert game.start() in sample


def rows_of(path: Path) -> list[tuple[Any, ...]]:
    """Read a file of any kind."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as lines:
            first, *rows = csv.reader(lines)
        assert first == ["key", "wdl", "plies", "moves"]
        return [(key, *map(int, rest)) for key, *rest in rows]
    if path.suffix == ".npz":
        with np.load(path) as file:
            ends, text = file["key_ends"].tolist(), file["key_bytes"].tobytes()
            columns = [file[name].tolist() for name in ("wdl", "plies", "moves")]
        keys = [text[a:b].decode() for a, b in zip([0, *ends], ends, strict=False)]
        return list(zip(keys, *columns, strict=True))
    import pyarrow.parquet as pq

    return [tuple(row.values()) for row in pq.read_table(path).to_pylist()]


ENDINGS = pytest.mark.parametrize("ending", [".csv", ".npz", ".parquet"])


@ENDINGS
def test_files_have_every_value(tmp_path: Path, ending: str) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    game = Named("tic-tac-toe")
    solution = hs.solve(game)
    path = tmp_path / f"t{ending}"
    solution.save(path)
    rows = rows_of(path)
    assert rows[0] == (".../.../...", 0, hs.NO_PLIES, 9)
    assert len(rows) == 5_478
    for key, wdl, plies, moves in rows:
        value = solution[key]
        assert (value.wdl, hs.NO_PLIES if value.wdl == 0 else value.remoteness) == (wdl, plies)
        assert moves == len(solution.moves(key))
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    solution = hs.solve(Named("tic-tac-toe"))
    with pytest.raises(
        ValueError, match=r"ends in \.csv, \.npz, \.parquet, \.table, not in '\.xls'"
    ):
        solution.save(tmp_path / "t.xls")
    assert not list(tmp_path.iterdir())


class Chain(hs.Game[Any, str]):
    """Positions one after the other; the last one is lost."""

    turns = "alternate"

    def __init__(self, positions: list[Any]) -> None:
        self.positions = positions

    def start(self) -> Any:
        return self.positions[0]

    def result(self, position: Any) -> hs.Result | None:
        return "loss" if position == self.positions[-1] else None

    def moves(self, position: Any) -> list[str]:
        return ["on"]

    def play(self, position: Any, move: str) -> Any:
        return self.positions[self.positions.index(position) + 1]


@ENDINGS
def test_files_keep_keys_of_any_text(tmp_path: Path, ending: str) -> None:
    """NULs, lines, quotes and other alphabets are kept; half a surrogate pair becomes its repr."""
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    keys = ["", "\0", "a\0\0", "two\nlines", 'a "quoted", text', "\u5c06", "x" * 2_000_000]
    path = tmp_path / f"t{ending}"
    hs.solve(Chain([*keys, "\udc80", (1, "b")])).save(path)
    rows = rows_of(path) if ending != ".csv" else rows_of_any_width(path)
    assert [row[0] for row in rows] == [*keys, r"'\udc80'", "(1, 'b')"]
    assert path.stat().st_size < 3_000_000


def rows_of_any_width(path: Path) -> list[tuple[Any, ...]]:
    """Read a .csv file whose fields are longer than Python allows otherwise."""
    limit = csv.field_size_limit(10**7)
    try:
        return rows_of(path)
    finally:
        csv.field_size_limit(limit)


@ENDINGS
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, ending: str) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    solution = hs.solve(Chain([1, 2]))
    path = tmp_path / "no_folder" / f"t{ending}"
    with pytest.raises(
        hs.TableError, match=rf"no_folder/t\{ending}' cannot be written: "
    ) as caught:
        solution.save(path)
    assert isinstance(caught.value.__cause__, OSError)
    with pytest.raises(hs.TableError, match="cannot be written: File name too long"):
        solution.save(tmp_path / f"{'x' * 300}{ending}")
    solution.save(tmp_path / f"{'x' * 240}{ending}")
    (tmp_path / f"{'x' * 240}{ending}").unlink()
    folder = tmp_path / f"folder{ending}"
    folder.mkdir()
    with pytest.raises(hs.TableError, match="cannot be written: Is a directory"):
        solution.save(folder)
    assert list(tmp_path.iterdir()) == [folder]


def test_a_key_whose_repr_fails_is_told(tmp_path: Path) -> None:
    class Silent:
        def __repr__(self) -> str:
            raise ZeroDivisionError("a fault of __repr__")

    solution = hs.solve(Chain([Silent(), 2]), check=0)
    with pytest.raises(hs.GameError, match=r"repr\(\) of a key raised ZeroDivisionError"):
        solution.save(tmp_path / "t.csv")
    assert not list(tmp_path.iterdir())


def test_threads_save_to_one_name(tmp_path: Path) -> None:
    solution = hs.solve(Named("tic-tac-toe"))
    path, errors = tmp_path / "t.npz", []

    def work() -> None:
        try:
            for _ in range(5):
                solution.save(path)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(rows_of(path)) == 5_478
    assert list(tmp_path.iterdir()) == [path]


def test_arrays_have_every_value() -> None:
    game = L_GAME["SymmetricLGame"]()
    solution = hs.solve(game)
    keys, wdl, plies = solution.arrays()
    assert keys[0] == game.key(game.start())
    assert len(set(keys)) == len(keys) == len(wdl) == len(plies) == 2_296
    assert (wdl.dtype, plies.dtype) == (np.int8, np.uint16)
    for key, result, remoteness in zip(keys, wdl.tolist(), plies.tolist(), strict=True):
        value = solution[key]  # Its keys are positions.
        assert (value.wdl, value.remoteness) == (result, remoteness if result else None)
        assert result or remoteness == hs.NO_PLIES


def test_a_solution_is_asked_like_a_dictionary() -> None:
    solution = hs.solve(Chain([(1, 2), None, 3]))
    assert solution.get((1, 2)) == hs.Value("loss", 2) == solution[1, 2]
    assert (solution.get((2, 2)), solution.get((2, 2), "none")) == (None, "none")
    assert (solution.get([1, 2]), solution.get([1, 2], 5)) == (None, 5)
    assert [1, 2] not in solution
    assert (1, 2) in solution
    assert None in solution
    assert solution.line(None).positions == [None, 3]
    assert solution.line().positions == [(1, 2), None, 3]
    keyed = hs.solve(L_GAME["SymmetricLGame"]())
    assert "what key() cannot read" not in keyed


def test_two_threads_solve_at_the_same_time() -> None:
    signatures = {}

    def work(spec: str) -> None:
        signatures[spec] = hs.solve(Named(spec)).signature

    specs = ["tic-tac-toe", "dodgem:3x3"]
    threads = [threading.Thread(target=work, args=(spec,)) for spec in specs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert signatures == {spec: hs.solve(spec).signature for spec in specs}


def test_a_spec_has_no_options_of_a_class_and_the_other_way_round() -> None:
    with pytest.raises(TypeError, match=r"max_positions= of solve\(\) is for a Game of yours"):
        hs.solve("tic-tac-toe", max_positions=10)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"symmetry= of solve\(\) is for a spec"):
        hs.solve(Named("tic-tac-toe"), symmetry=True)  # type: ignore[call-overload]


def test_repr_names_the_class() -> None:
    assert repr(hs.solve(RandomGraph(0))).startswith("<OwnSolution of RandomGraph: ")
