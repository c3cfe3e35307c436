"""Analyses, puzzles and proofs."""

from __future__ import annotations

import math
from typing import Any

import pytest

import hindsight_games as hs


def test_an_analysis_of_a_small_game_is_proved() -> None:
    """Every move has the value that a solve gives it, best first."""
    solution = hs.solve("onitama:3x3:boar")
    position = solution.sample(1, seed=4, value="win", min_plies=3)[0]
    analysis = hs.analyse("onitama:3x3:boar", position, seconds=30)
    assert analysis.known.value == solution[position]
    assert analysis.known.estimate is None
    probed = {move.move: move.value for move in solution.probe(position).moves}
    assert {move.move: move.known.value for move in analysis.moves} == probed
    assert analysis.moves[0].line[0] == analysis.moves[0].move
    assert str(analysis).count("\n") == len(analysis.moves)


def test_an_analysis_of_a_large_game_ends_in_time() -> None:
    """What is not proved has an estimate."""
    analysis = hs.analyse("quoridor:9x9:10", seconds=0.3)
    assert analysis.seconds < 10
    assert len(analysis.moves) == 131
    for move in analysis.moves:
        known = move.known
        assert (known.value is None) == (known.estimate is not None) or known.estimate is None
        assert known.estimate is None or -1 <= known.estimate <= 1


@pytest.mark.parametrize("theme", ["sacrifice", "quiet", "only", "swindle", None])
def test_puzzles_have_one_solution(theme: Any) -> None:
    """The line is best play, and of the first moves only one keeps the value."""
    solution = hs.solve("onitama:3x3:boar")
    found = hs.puzzles(solution, theme=theme, count=3, max_plies=9)
    assert found
    for puzzle in found:
        assert solution[puzzle.position] == puzzle.value
        moves = solution.probe(puzzle.position).moves
        if theme != "sacrifice":
            assert [move.move for move in moves if move.value == puzzle.value] == puzzle.line[:1]
        for before, move, after in zip(
            puzzle.positions, puzzle.line, puzzle.positions[1:], strict=False
        ):
            assert solution.game.play(before, move) == after
        assert puzzle._repr_svg_().startswith("<svg")


def test_a_mix_goes_from_easy_to_hard() -> None:
    solution = hs.solve("onitama:3x4:boar")
    mix = [puzzle.grade.stars for puzzle in hs.puzzles(solution, mix=True)]
    assert mix == sorted(mix)
    assert mix[0] < mix[-1]
    assert all(len(puzzle.line) > 1 for puzzle in hs.puzzles(solution, mix=True))
    short = hs.puzzles(solution, mix=True, min_plies=1)
    assert len(short[0].line) == 1
    assert all(len(puzzle.line) == 1 for puzzle in hs.puzzles(solution, mix=True, max_plies=1))
    alike = hs.puzzles(solution, alike=True)
    assert hs.puzzles(solution)[0] == alike[0]
    assert hs.puzzles(solution) != alike
    with pytest.raises(ValueError, match="alike"):
        hs.puzzles(solution, mix=True, alike=True)
    with pytest.raises(hs.SolveError, match="at most 100"):
        hs.puzzles(solution, mix=True, count=101)


def test_games_that_are_too_large_are_refused_at_once() -> None:
    with pytest.raises(hs.LimitError, match="too many to solve"):
        hs.puzzles("ostle")


def test_puzzles_are_the_same_for_a_seed() -> None:
    """Of a spec, of its solution, and again."""
    first = hs.puzzles("quoridor:4x4:1", count=3)
    assert first == hs.puzzles(hs.solve("quoridor:4x4:1"), count=3)
    assert [puzzle.grade.plies for puzzle in first] == sorted(
        (puzzle.grade.plies or 0 for puzzle in first), reverse=True
    )


def test_a_certificate_proves_its_value() -> None:
    """A checker that knows the rules alone finds every step right."""
    game = hs.game("onitama:3x3:boar")
    puzzle = hs.puzzles("onitama:3x3:boar", count=1, max_plies=7)[0]
    nodes = puzzle.certificate(full=True)
    assert nodes[0]["position"] == puzzle.position
    for node in nodes:
        assert [move["move"] for move in node["moves"]] == game.moves(node["position"])
        followed = [move for move in node["moves"] if move["to"] is not None]
        for move in followed:
            after = nodes[move["to"]]
            assert game.play(node["position"], move["move"]) == after["position"]
            assert after["remoteness"] == move["remoteness"] - 1
            assert {move["value"], after["value"]} == {"win", "loss"}
        if not node["moves"]:
            assert game.result(node["position"]) == node["value"]
        elif node["value"] == "win":
            assert min(move["remoteness"] for move in followed) == node["remoteness"]
        else:
            assert len(followed) == len(node["moves"])
            assert max(move["remoteness"] for move in followed) == node["remoteness"]


def test_options_that_are_none() -> None:
    """Each says what would be right."""
    solution = hs.solve("tic-tac-toe")
    with pytest.raises(hs.SolveError, match="sacrifice"):
        hs.puzzles(solution, theme="sacrifice")
    with pytest.raises(ValueError, match="'fun' is none of 'sacrifice'"):
        hs.puzzles(solution, theme="fun")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plies are from 1"):
        hs.puzzles(solution, min_plies=5, max_plies=3)
    for seconds in (-1, math.nan):
        with pytest.raises(ValueError, match="seconds are a number from 0"):
            hs.analyse("tic-tac-toe", seconds=seconds)
        with pytest.raises(ValueError, match="seconds are a number from 0"):
            hs.solve("tic-tac-toe", seconds=seconds)
    onitama = hs.solve("onitama:3x4:boar")
    with pytest.raises(hs.SolveError, match="more than 3 positions"):
        onitama.proof(onitama.game.start, max_positions=3)
    for bad in (-1, 1 << 64):
        for call in (
            lambda bad=bad: solution.sample(3, seed=bad),
            lambda bad=bad: solution.sample(bad),
            lambda bad=bad: solution.sample(3, min_plies=bad),
            lambda bad=bad: solution.draw(plies=bad),
            lambda bad=bad: hs.game("tic-tac-toe", seed=bad),
            lambda bad=bad: hs.solve("tic-tac-toe", memory=bad),
        ):
            with pytest.raises(ValueError, match="is a whole number from"):
                call()
    for scale in (0, -1, math.nan, 1e9):
        with pytest.raises(ValueError, match="scale is a number"):
            solution.game.png(solution.game.start, scale=scale)
