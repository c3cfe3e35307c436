"""Games whose rules are a class: values against the built-in games and a slow solver."""

from __future__ import annotations

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


def test_a_sample_of_a_game_with_keys_has_positions() -> None:
    game = L_GAME["SymmetricLGame"]()
    solution = hs.solve(game)
    sample = solution.sample(solution.positions)
    assert len({game.key(position) for position in sample}) == solution.positions
    assert game.start() in sample


def rows_of(path: Path) -> list[tuple[Any, ...]]:
    """Read a file of any kind."""
    if path.suffix == ".csv":
        lines = path.read_text().splitlines()
        assert lines[0] == "key,wdl,plies,moves"
        return [(key, *map(int, rest)) for key, *rest in (line.split(",") for line in lines[1:])]
    if path.suffix == ".npz":
        with np.load(path) as file:
            columns = [file[name].tolist() for name in ("key", "wdl", "plies", "moves")]
        return list(zip(*columns, strict=True))
    import pyarrow.parquet as pq

    return [tuple(row.values()) for row in pq.read_table(path).to_pylist()]


@pytest.mark.parametrize("ending", [".csv", ".npz", ".parquet"])
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
    with pytest.raises(ValueError, match=r"ends in \.csv, \.npz, \.parquet, not in '\.xls'"):
        solution.save(tmp_path / "t.xls")
    assert not list(tmp_path.iterdir())


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
