"""Environments of PettingZoo."""

from __future__ import annotations

import random
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


def test_refusals() -> None:
    """Simultaneous games, and games that are too large, say why they are not solved."""
    with pytest.raises(hs.HindsightError):
        solve_aec(make("rps_v2"))
    with pytest.raises(hs.LimitError):
        solve_aec(make("connect_four_v3"), max_positions=500)
