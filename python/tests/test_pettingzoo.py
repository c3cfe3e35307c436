"""Environments of PettingZoo."""

from __future__ import annotations

import random
import time
from types import SimpleNamespace
from typing import Any

import pytest

import hindsight_games as hs
from hindsight_games.pettingzoo import AecSolution, PerfectOpponent, solve_aec

pettingzoo = pytest.importorskip("pettingzoo")
pytest.importorskip("pygame")


def make(name: str) -> Any:
    """Return a classic environment."""
    return pettingzoo.make("aec", f"classic/{name}")


@pytest.fixture(scope="module")
def solution() -> AecSolution:
    """Return tic-tac-toe, solved."""
    return solve_aec(make("tictactoe_v3"))


def test_counts_are_those_of_the_game(solution: AecSolution) -> None:
    """The environment has the positions and values of our own tic-tac-toe."""
    own = hs.solve("tic-tac-toe")
    assert solution.positions == own.positions == 5478
    assert solution.counts == own.counts
    assert solution.start == own.start
    assert (solution.solution.histogram == own.histogram).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_the_opponent_never_loses(solution: AecSolution, seat: int) -> None:
    """From either seat, against random moves."""
    rng = random.Random(5)
    opponent = PerfectOpponent(solution, seed=seat)
    wins = 0
    for _ in range(40):
        env = make("tictactoe_v3")
        env.reset()
        perfect = env.possible_agents[seat]
        final = 0
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if agent == perfect:
                final = reward
            if termination or truncation:
                env.step(None)
            elif agent == perfect:
                value = solution.value(env)
                action = opponent.action(env)
                assert action in solution.best_actions(env)
                assert value >= hs.Value("draw")
                env.step(action)
            else:
                mask: Any = observation["action_mask"]
                env.step(rng.choice([i for i, legal in enumerate(mask) if legal]))
        assert final >= 0
        wins += final > 0
        env.close()
    assert wins > 20


def test_a_game_at_the_same_time_is_refused() -> None:
    with pytest.raises(hs.SolveError, match=r"^rps_v2 .*: its agents move at the same time$"):
        solve_aec(make("rps_v2"))


class RandomStart:
    """An environment whose first observation is drawn at random."""

    possible_agents = ("a", "b")
    agent_selection = "a"
    terminations: dict[str, bool] = {}  # noqa: RUF012 - never changes
    truncations: dict[str, bool] = {}  # noqa: RUF012 - never changes
    metadata: dict[str, Any] = {}  # noqa: RUF012 - never changes

    def __init__(self) -> None:
        self.seen = 0

    @property
    def unwrapped(self) -> RandomStart:
        return self

    def reset(self, seed: int | None = None) -> None:
        self.seen = random.Random(seed).randrange(10**6)

    def observe(self, agent: str) -> Any:
        return {"observation": self.seen, "action_mask": [1]}

    def step(self, action: int) -> None:
        raise ZeroDivisionError("a fault of the environment")

    def __str__(self) -> str:
        return "random_start"


class FaultyStep(RandomStart):
    """An environment that cannot be stepped."""

    def reset(self, seed: int | None = None) -> None:
        self.seen = 0


def test_chance_at_the_start_is_refused() -> None:
    with pytest.raises(hs.SolveError, match=r"^random_start .*: it has chance, its start is dra"):
        solve_aec(RandomStart())


def test_an_exception_of_an_environment_is_the_cause() -> None:
    with pytest.raises(
        hs.GameError, match=r"play\(\) of the move 0 raised ZeroDivisionEr"
    ) as caught:
        solve_aec(FaultyStep())
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("thing", [None, "tictactoe_v3", hs.game("tic-tac-toe")])
def test_what_is_no_environment_is_refused_in_words(thing: Any) -> None:
    with pytest.raises(TypeError, match="takes an AEC environment of PettingZoo, not "):
        solve_aec(thing)


def test_limits_hold_from_the_first_states() -> None:
    """A state of Go has 82 moves, each of which takes some milliseconds to copy."""
    begin = time.monotonic()
    with pytest.raises(hs.LimitError, match="more than 300 positions were met"):
        solve_aec(make("go_v5"), max_positions=300)
    with pytest.raises(hs.LimitError, match=r"0\.5 s"):
        solve_aec(make("go_v5"), seconds=0.5)
    with pytest.raises(hs.LimitError, match="more than 500 positions were met"):
        solve_aec(make("connect_four_v3"), max_positions=500, check=0)
    assert time.monotonic() - begin < 30


def test_progress_and_threads(solution: AecSolution) -> None:
    told: list[hs.Progress] = []
    again = solve_aec(make("tictactoe_v3"), check=0, threads=1, progress=told.append)
    assert again.counts == solution.counts
    assert {progress.phase for progress in told} <= {"exploring", "solving"}
    with pytest.raises(hs.LimitError, match=r"out of memory at .*, 1000 are allowed"):
        solve_aec(make("tictactoe_v3"), memory=1_000)


def test_there_is_no_action_where_the_game_is_over(solution: AecSolution) -> None:
    env = make("tictactoe_v3")
    env.reset()
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    assert solution.best_actions(env) == []
    with pytest.raises(hs.GameError, match="the game is over: no action is left but None"):
        PerfectOpponent(solution).action(env)
    with pytest.raises(TypeError, match="an AEC environment is needed, not None"):
        solution.value(None)
    with pytest.raises(hs.GameError, match=r"has no state before its reset\(\)"):
        solution.value(SimpleNamespace(unwrapped=object()))


def test_a_key_that_raises_is_told() -> None:
    with pytest.raises(hs.GameError, match=r"tictactoe_v3 raised ZeroDivisionError: ") as caught:
        solve_aec(make("tictactoe_v3"), key=lambda environment: 1 // 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
