"""Games of OpenSpiel: against the built-in games and OpenSpiel's own search."""

from __future__ import annotations

import builtins
import os
import random
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import hindsight_games as hs

pyspiel = pytest.importorskip("pyspiel")

from walk_game import WalkGame  # noqa: E402 - needs pyspiel

from hindsight_games.openspiel import SpielSolution, policy, solve_spiel  # noqa: E402

CONNECT_FOUR = "connect_four(rows=4,columns=4,x_in_row=4)"


@pytest.mark.parametrize(
    ("game", "value", "positions", "edges"),
    [
        ("tic_tac_toe", "draw", 5_478, 16_167),
        (CONNECT_FOUR, "draw", 161_029, 304_574),
        ("quoridor(board_size=3)", "loss in 8 plies", 2_856, 6_910),
        ("hex(board_size=3)", "win in 5 plies", 5_514, 16_167),
        ("clobber(rows=3,columns=3)", "win in 5 plies", 761, 1_584),
        ("mnk(m=3,n=3,k=3)", "draw", 5_478, 16_167),
    ],
)
def test_counts(game: str, value: str, positions: int, edges: int) -> None:
    """Those of tic-tac-toe, 4 x 4 and Quoridor are known from elsewhere; the rest are our own."""
    solution = solve_spiel(game)
    assert str(solution.start) == value
    assert (solution.positions, solution.edges) == (positions, edges)


@pytest.mark.parametrize(
    ("game", "spec"), [("tic_tac_toe", "tic-tac-toe"), ("quoridor(board_size=3)", "quoridor:3x3:1")]
)
def test_values_are_those_of_the_built_in_game(game: str, spec: str) -> None:
    assert solve_spiel(game).signature == hs.solve(spec, solver="graph").signature


def test_each_position_of_tic_tac_toe_has_the_built_in_value() -> None:
    solution, built_in = solve_spiel("tic_tac_toe"), hs.solve("tic-tac-toe")
    states = {str(state): state for state in random_states(solution.game, 2_000)}
    for text, state in states.items():
        assert solution[state] == built_in[text.replace("\n", "/")]


def random_states(game: Any, count: int) -> list[Any]:
    """Return states of random games."""
    rng = random.Random(1)
    states: list[Any] = []
    while len(states) < count:
        state = game.new_initial_state()
        while not state.is_terminal():
            states.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
        states.append(state)
    return states[:count]


@pytest.mark.parametrize(
    ("game", "most_actions"),
    [
        ("tic_tac_toe", 6),
        ("breakthrough(rows=3,columns=3)", 20),
        ("breakthrough(rows=4,columns=4)", 6),
        (CONNECT_FOUR, 3),
        ("hex(board_size=3)", 6),
        ("clobber(rows=3,columns=3)", 8),
        ("nim(pile_sizes=2;3;3)", 6),
        ("mnk(m=4,n=3,k=3)", 6),
    ],
)
def test_results_are_those_of_alpha_beta_search(game: str, most_actions: int) -> None:
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
    solution = solve_spiel(game)
    states = [s for s in random_states(solution.game, 400) if not s.is_terminal()]
    small = [state for state in states if len(state.legal_actions()) <= most_actions][:40]
    assert len(small) == 40
    for state in small:
        result, _ = minimax.alpha_beta_search(
            solution.game, state, maximizing_player_id=state.current_player()
        )
        assert solution[state].wdl == result


def test_remoteness_and_best_actions_follow_from_the_moves() -> None:
    solution = solve_spiel("breakthrough(rows=3,columns=3)")
    for state in random_states(solution.game, 300):
        value, rated = solution[state], solution.moves(state)
        assert [move.move for move in rated if move.value == value] == solution.best_actions(state)
        assert sorted(move.move for move in rated) == state.legal_actions()
        for move in rated:
            after = solution[move.to]
            assert move.value.wdl == -after.wdl
            assert move.value.remoteness == (after.remoteness or 0) + 1
        assert bool(rated) != state.is_terminal()


def test_a_line_is_played_by_the_library() -> None:
    solution = solve_spiel("breakthrough(rows=3,columns=3)")
    line = solution.line()
    state = solution.game.new_initial_state()
    for action in line.moves:
        assert action in solution.best_actions(state)
        state.apply_action(action)
    assert state.is_terminal()
    assert len(line) == solution.start.remoteness


def test_the_value_of_a_finished_state_is_for_who_would_be_next() -> None:
    solution = solve_spiel("tic_tac_toe")
    state = solution.game.new_initial_state()
    for action in [0, 3, 1, 4, 2]:
        state.apply_action(action)
    assert solution[state] == hs.Value("loss", 0)
    assert solution.best_actions(state) == []


def test_a_state_of_another_game_is_not_known() -> None:
    solution = solve_spiel("tic_tac_toe")
    with pytest.raises(hs.NotInTable):
        solution.value(pyspiel.load_game("connect_four").new_initial_state())


def test_the_library_may_hand_over_a_game() -> None:
    game = pyspiel.load_game("nim(pile_sizes=1;2,is_misere=False)")
    assert solve_spiel(game).start == hs.Value("win", 3)
    assert repr(solve_spiel("tic_tac_toe")) == "<SpielSolution of tic_tac_toe(): draw>"


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("kuhn_poker", "it has chance"),
        ("goofspiel", "its players move at the same time"),
        ("dark_hex", "it has secrets"),
        ("quoridor(board_size=3,players=3)", "it has 3 players, not two"),
        ("cliff_walking", "it has 1 players, not two"),
        ("mancala", "the players do not move in turn, after"),
        ("coop_to_1p(game=tiny_hanabi())", "it has"),
    ],
)
def test_other_games_are_refused_with_the_reason(game: str, reason: str) -> None:
    with pytest.raises(hs.GameError, match=rf"cannot be solved: {reason}"):
        solve_spiel(game)


def test_a_game_that_is_not_there_is_no_spec() -> None:
    with pytest.raises(hs.SpecError, match="OpenSpiel has no game 'ludo': Unknown game 'ludo'"):
        solve_spiel("ludo")


def test_other_returns_are_refused() -> None:
    with pytest.raises(hs.GameError, match=r"the returns are \[-?2.*\], not 1, 0 or -1.*, after"):
        solve_spiel(WalkGame(prize=2))


def test_an_exception_of_a_game_is_the_cause() -> None:
    with pytest.raises(hs.GameError, match=r"raised ZeroDivisionError: .*, after \+4$") as caught:
        solve_spiel(WalkGame(faulty_at=4))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_game_of_python_with_cycles() -> None:
    solution = solve_spiel(WalkGame())
    assert (solution.start, solution.positions) == (hs.Value("draw"), 20)
    line = solution.line()
    assert line.repeats is not None


@pytest.mark.parametrize(
    "text",
    [
        lambda state: "always the same",
        lambda state: str(min(state.square, 5)),
        lambda state: str(state.square) if state.plies < 3 else str(state.square % 5),
    ],
)
def test_texts_that_merge_unequal_states_are_refused(text: Any) -> None:
    with pytest.raises(
        hs.GameError, match=r"have the key \(\d, .*: after .*, and after .*key=\.\."
    ):
        solve_spiel(WalkGame(text=text))


def test_a_difference_that_shows_only_later_is_found() -> None:
    """The text leaves out whether the first move was a step of 4, which decides much later."""

    class Memory(WalkGame):
        pass

    def text(state: Any) -> str:
        return str(state.plies)

    game = Memory(text=text, size=1_000, goal=40, cap=100)
    with pytest.raises(hs.GameError, match="but not the same moves, results or keys after them"):
        solve_spiel(game)


def test_quoridor_by_the_text_alone_merges_players() -> None:
    """As the keys of OpenSpiel's own value iteration do."""
    with pytest.raises(hs.GameError, match="two states have the key 'Board size: 3"):
        solve_spiel("quoridor(board_size=3)", key=str)


def test_a_key_may_merge_what_is_equal_by_symmetry() -> None:
    def key(state: Any) -> tuple[int, str]:
        rows = str(state).split("\n")
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        images = []
        for board in (rows, columns):
            for image in (board, board[::-1]):
                images += ["/".join(image), "/".join(row[::-1] for row in image)]
        return (len(state.history()) % 2, min(images))

    plain, keyed = solve_spiel("tic_tac_toe"), solve_spiel("tic_tac_toe", key=key)
    assert keyed.positions == 765
    for state in random_states(plain.game, 500):
        assert keyed[state] == plain[state]


def test_cap() -> None:
    report = solve_spiel(WalkGame(cap=8)).report
    assert (report.longest, report.cut, report.drawn_at_longest) == (8, 2, 0)
    assert "2 moves lead to draws by the cap of 8 moves" in str(report)
    with pytest.raises(hs.GameError, match="2 moves lead to draws by the cap of 8 moves"):
        solve_spiel(WalkGame(cap=8), cap="error")
    assert solve_spiel(WalkGame(), cap="error").report.cut == 0
    with pytest.raises(hs.GameError, match="positions are draws only by the cap of 6 moves"):
        solve_spiel(WalkGame(cap=6))
    with pytest.raises(ValueError, match="cap is 'ignore' or 'error', not 'keep'"):
        solve_spiel("tic_tac_toe", cap="keep")  # type: ignore[arg-type]


def test_report_of_full_boards() -> None:
    report = solve_spiel("tic_tac_toe", cap="error").report
    assert (report.longest, report.cut, report.drawn_at_longest) == (9, 0, 16)
    assert report.compared > 2_000
    assert solve_spiel("tic_tac_toe", check=0).report.compared == 0


def test_limits_and_progress() -> None:
    with pytest.raises(hs.LimitError, match="more than 1,000 positions were met"):
        solve_spiel("tic_tac_toe", max_positions=1_000)
    with pytest.raises(hs.LimitError, match=r"0\.1 s do not suffice"):
        solve_spiel("chess", seconds=0.1)
    told: list[hs.Progress] = []
    solve_spiel("tic_tac_toe", progress=told.append)
    assert told[0].phase == "exploring"


def test_ctrl_c_stops_an_exploration() -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        solve_spiel("chess")
    timer.join()
    assert time.monotonic() - begin < 2


def test_the_policy_in_evaluations() -> None:
    solution: SpielSolution = solve_spiel("tic_tac_toe")
    best, uniform = policy(solution), pyspiel.UniformRandomPolicy(solution.game)
    start = solution.game.new_initial_state()
    assert isinstance(best, pyspiel.Policy)
    assert pyspiel.expected_returns(start, [best, best], -1, True) == [0, 0]
    first, _ = pyspiel.expected_returns(start, [best, uniform], -1, True)
    assert 0.9 < first < 1
    _, second = pyspiel.expected_returns(start, [uniform, best], -1, True)
    assert 0.5 < second < 1


def test_the_policy_is_uniform_over_the_best_actions() -> None:
    solution = solve_spiel("tic_tac_toe")
    state = solution.game.new_initial_state()
    state.apply_action(4)
    expected = {0: 0.25, 1: 0, 2: 0.25, 3: 0, 5: 0, 6: 0.25, 7: 0, 8: 0.25}
    assert policy(solution).action_probabilities(state) == expected
    bot = pyspiel.make_policy_bot(solution.game, 1, 1, policy(solution))
    assert bot.step(state) in (0, 2, 6, 8)


def test_the_policy_cannot_be_exploited() -> None:
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    solution = solve_spiel("nim(pile_sizes=1;2;3)")
    assert exploitability.exploitability(solution.game, policy(solution)) == 0


def test_without_openspiel_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def no_pyspiel(name: str, *rest: Any) -> Any:
        if name == "pyspiel":
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_pyspiel)
    with pytest.raises(ImportError, match=r"pip install 'hindsight-games\[openspiel\]'"):
        solve_spiel("tic_tac_toe")


def test_the_package_does_not_import_openspiel() -> None:
    code = "import sys, hindsight_games.openspiel; print('pyspiel' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
