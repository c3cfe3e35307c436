"""Games of OpenSpiel: against the built-in games and OpenSpiel's own search."""

from __future__ import annotations

import builtins
import collections
import pathlib
import pickle
import random
import subprocess
import sys
from typing import Any

import pytest

import hindsight_games as hs

pyspiel = pytest.importorskip("pyspiel")

from interrupts import interrupt_after  # noqa: E402
from walk_game import WalkGame  # noqa: E402 - needs pyspiel

from hindsight_games._spiel_explorer import StateFinder  # noqa: E402
from hindsight_games.openspiel import (  # noqa: E402
    SpielSolution,
    policy,
    solve_spiel,
    spiel_game,
    tabular_policy,
)

CONNECT_FOUR = "connect_four(rows=4,columns=4,x_in_row=4)"


@pytest.mark.parametrize(
    ("game", "value", "positions", "edges"),
    [
        ("tic_tac_toe", "draw", 5_478, 16_167),
        (CONNECT_FOUR, "draw", 161_029, 304_574),
        ("quoridor(board_size=3)", "loss in 8 plies", 2_856, 6_910),
        ("hex(board_size=3)", "win in 5 plies", 5_514, 16_167),
        ("clobber(rows=3,columns=3)", "win in 5 plies", 761, 1_584),
        ("breakthrough(rows=3,columns=3)", "win in 5 plies", 723, 987),
        ("breakthrough(rows=4,columns=4)", "win in 11 plies", 387_693, 991_260),
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
    with pytest.raises(hs.SolveError, match=rf"cannot be solved: {reason}"):
        solve_spiel(game)


def test_a_game_that_is_not_there_is_no_spec() -> None:
    with pytest.raises(hs.SpecError, match=r"^OpenSpiel has no game 'ludo'$"):
        solve_spiel("ludo")


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("tic_tac_toe(foo=3)", r"'tic_tac_toe\(foo=3\)': Unknown parameter 'foo'$"),
        ("tic_tac_toe(", r"'tic_tac_toe\(': Missing closing bracket '\)'$"),
        ("nfg_game()", r"'nfg_game\(\)': IndexError: map::at$"),
    ],
)
def test_a_game_that_cannot_be_made_is_no_spec(game: str, text: str) -> None:
    with pytest.raises(hs.SpecError, match="^OpenSpiel cannot make the game " + text):
        solve_spiel(game)


@pytest.mark.parametrize("game", [None, 5, hs.game("tic-tac-toe")])
def test_what_is_no_game_is_refused_in_words(game: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^solve_spiel\(\) takes a text such as 'tic_tac_toe', or a"
    ):
        solve_spiel(game)


def test_other_returns_are_refused() -> None:
    with pytest.raises(hs.SolveError, match=r"the returns are \[-?2.*\], not 1, 0 or -1.*, after"):
        solve_spiel(WalkGame(prize=2))


def test_an_exception_of_a_game_is_the_cause() -> None:
    with pytest.raises(hs.GameError, match=r"raised ZeroDivisionError: .*, after .*\+4$") as caught:
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
    keys: list[Any] = solve_spiel("quoridor(board_size=3)").arrays()[0]
    players = collections.Counter(text for _, text in keys)
    assert sum(count == 2 for count in players.values()) == 1_037


def test_quoridor_is_won_by_the_second_player_and_not_as_its_texts_say() -> None:
    """Value iteration over texts, as in the library, finds that the first player wins."""
    all_states = pytest.importorskip("open_spiel.python.algorithms.get_all_states")
    game = pyspiel.load_game("quoridor(board_size=3)")
    assert str(solve_spiel(game).start) == "loss in 8 plies"
    states = all_states.get_all_states(game, to_string=str)
    values = {text: state.player_return(0) for text, state in states.items()}
    going_on = {text: state for text, state in states.items() if not state.is_terminal()}
    before = None
    while before != values:
        before = dict(values)
        for text, state in going_on.items():
            after = [values[str(state.child(action))] for action in state.legal_actions()]
            values[text] = min(after) if state.current_player() else max(after)
    assert values[str(game.new_initial_state())] == 1


@pytest.mark.parametrize(
    "game", [WalkGame(), "tic_tac_toe", "hex(board_size=3)", "nim(pile_sizes=1;2)"]
)
@pytest.mark.parametrize("merged", [lambda state: 1, lambda state: state.is_terminal()])
def test_a_key_that_merges_the_players_is_refused(game: Any, merged: Any) -> None:
    with pytest.raises(hs.GameError, match=r"have the key .* but not the same player to move: at"):
        solve_spiel(game, key=merged)


def test_a_key_that_raises_is_told() -> None:
    def key(state: Any) -> int:
        return 1 // len(state.history())

    with pytest.raises(
        hs.GameError, match=r"key raised ZeroDivisionError: .*, at the st"
    ) as caught:
        solve_spiel("tic_tac_toe", key=key)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(hs.GameError, match="its key, cannot be hashed"):
        solve_spiel("tic_tac_toe", key=lambda state: [])  # type: ignore[arg-type, return-value]


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
    with pytest.raises(hs.SolveError, match="2 moves lead to draws by the cap of 8 moves"):
        solve_spiel(WalkGame(cap=8), cap="error")
    assert solve_spiel(WalkGame(), cap="error").report.cut == 0
    with pytest.raises(hs.SolveError, match="positions are draws only by the cap of 6 moves"):
        solve_spiel(WalkGame(cap=6))
    with pytest.raises(ValueError, match="cap is 'ignore' or 'error', not 'keep'"):
        solve_spiel("tic_tac_toe", cap="keep")  # type: ignore[arg-type]


def test_report_of_full_boards() -> None:
    report = solve_spiel("tic_tac_toe", cap="error").report
    assert (report.longest, report.cut, report.drawn_at_longest) == (9, 0, 16)
    assert report.compared > 2_000
    assert report.playouts > report.keys
    assert "games played on from both at random: no difference was found" in str(report)
    unchecked = solve_spiel("tic_tac_toe", check=0).report
    assert (unchecked.compared, unchecked.playouts) == (0, 0)


def test_limits_and_progress() -> None:
    with pytest.raises(hs.LimitError, match="more than 1,000 positions were met"):
        solve_spiel("tic_tac_toe", max_positions=1_000)
    with pytest.raises(hs.LimitError, match=r"0\.1 s do not suffice"):
        solve_spiel("chess", seconds=0.1)
    told: list[hs.Progress] = []
    solve_spiel("tic_tac_toe", progress=told.append)
    assert {progress.phase for progress in told} <= {"exploring", "solving"}


def test_ctrl_c_stops_an_exploration() -> None:
    with interrupt_after(0.3), pytest.raises(KeyboardInterrupt):
        # The time bounds a failure of this test.
        solve_spiel("chess", seconds=60)


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


@pytest.mark.parametrize("game", ["nim(pile_sizes=1;2;3)", "clobber(rows=2,columns=3)"])
def test_the_policy_cannot_be_exploited(game: str) -> None:
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    solution = solve_spiel(game)
    assert exploitability.exploitability(solution.game, policy(solution)) == 0
    assert exploitability.nash_conv(solution.game, policy(solution)) == 0
    assert pyspiel.nash_conv(solution.game, tabular_policy(solution)) == 0
    assert pyspiel.exploitability(solution.game, tabular_policy(solution)) == 0


def test_the_table_of_a_policy_is_the_policy() -> None:
    for key in (None, lambda state: (state.current_player(), str(state))):
        solution = solve_spiel("nim(pile_sizes=1;2;3)", key=key)
        best, table = policy(solution), tabular_policy(solution)
        for state in random_states(solution.game, 200):
            if not state.is_terminal():
                assert table.action_probabilities(state) == best.action_probabilities(state)
    with pytest.raises(hs.LimitError, match="has more than 10 states"):
        tabular_policy(solution, max_states=10)
    with pytest.raises(hs.SolveError, match=r"breakthrough.* has no information states"):
        tabular_policy(solve_spiel("breakthrough(rows=3,columns=3)"))


@pytest.mark.parametrize("text", ["zz", "99", "0, 0, 77", "-1"])
def test_a_text_that_is_no_information_state_is_refused(text: str) -> None:
    best = policy(solve_spiel("tic_tac_toe"))
    with pytest.raises(hs.PositionError, match=f"is a list of actions, not '{text}'"):
        best.action_probabilities(text)


def test_what_is_no_state_is_refused() -> None:
    solution = solve_spiel("tic_tac_toe")
    with pytest.raises(TypeError, match=r"^a pyspiel\.State is needed, not 'zz'$"):
        solution.value("zz")
    assert "zz" not in solution
    assert solution.get(None, 5) == 5


def test_without_openspiel_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def no_pyspiel(name: str, *rest: Any) -> Any:
        if name == "pyspiel":
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_pyspiel)
    with pytest.raises(ImportError, match=r": pip install open-spiel$"):
        solve_spiel("tic_tac_toe")


def test_the_package_does_not_import_openspiel() -> None:
    code = "import sys, hindsight_games.openspiel; print('pyspiel' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_game_for_all_that_takes_one() -> None:
    game = spiel_game("tic_tac_toe")
    own: Any = hs.solve(game)
    known = solve_spiel("tic_tac_toe")
    assert own.signature == known.signature
    state = game.rules.start()
    assert own[state] == known[state]
    assert own.sample(3)[0].get_game().get_type().short_name == "tic_tac_toe"
    assert hs.match("perfect", "random", table=own, games=6).wins[1] == 0
    assert hs.analyse(game, seconds=10).known.value == hs.Value("draw")


READ = """
import random, sys
import hindsight_games as hs
from hindsight_games.openspiel import solve_spiel, spiel_game
name = sys.argv[1]
with hs.open("s.table", rules=spiel_game(name)) as table:
    # Of states that this process has not met the ways are found.
    assert table.verify()
    solution, game = solve_spiel(name), table.game
    values = {game.text(game.object(text)): table[text] for text in table.sample(10**6)}
    assert len(values) == solution.positions == table.info()["positions"]
    state, rng = solution.game.new_initial_state(), random.Random(1)
    for _ in range(300):
        assert table[game.text(state)] == solution[state]
        state = solution.game.new_initial_state() if state.is_terminal() else state
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(table.line().moves) == (table.start.remoteness or len(table.line().moves))
    assert [len(table.probe(text).moves) for text in table.sample(20)]
    solution.save("again.table")
"""


@pytest.mark.parametrize("name", ["tic_tac_toe", "breakthrough(rows=4,columns=3)", "nim"])
def test_other_processes_read_a_table(name: str) -> None:
    with hs.solve(spiel_game(name), out="s.table") as table:
        pickled = pickle.dumps(table)
        assert pickle.loads(pickled).start == table.start
    done = subprocess.run(
        [sys.executable, "-c", READ, name], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert pathlib.Path("s.table").read_bytes() == pathlib.Path("again.table").read_bytes()


def test_a_solution_is_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve_spiel("tic_tac_toe")
    again = pickle.loads(pickle.dumps(solution))
    assert (again.start, again.report) == (solution.start, solution.report)
    state = again.game.new_initial_state()
    state.apply_action(4)
    assert again.best_actions(state) == solution.best_actions(state)
    keys, wdl, plies, moves = again.rows(0, again.positions)
    first_keys, first_wdl, first_plies, first_moves = solution.rows(0, again.positions)
    assert keys[0] == first_keys[0]
    rows = zip(keys, wdl, plies, moves, strict=True)
    assert set(rows) == set(zip(first_keys, first_wdl, first_plies, first_moves, strict=True))
    # The states of its keys are found once.
    monkeypatch.setattr(StateFinder, "_explore", None)
    assert len(again.by_text.sample(20)) == 20


def test_what_has_no_table_says_why() -> None:
    with pytest.raises(hs.SolveError, match=r"othello\(\) has no table, .* it takes more than 31"):
        hs.solve(spiel_game("othello"), out="s.table")
    by_key = spiel_game("tic_tac_toe", key=lambda state: state.history_str())
    with pytest.raises(hs.SolveError, match="has no table: a key of yours"):
        hs.solve(by_key, out="s.table")
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(by_key)
