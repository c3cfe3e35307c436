"""Environments of PettingZoo: solved exactly, and an opponent that plays perfectly.

Needs PettingZoo: ``pip install pettingzoo pygame``.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

from ._errors import GameError, HindsightError, SolveError, shown
from ._options import Listener
from ._own_game import Game, told
from ._own_handle import OwnNamedGame, own_game
from ._own_solution import OwnSolution
from ._solving import solve
from ._value import Result, Value

__all__ = ["AecSolution", "AecState", "PerfectOpponent", "aec_game", "solve_aec"]

Environment: TypeAlias = Any
"""An AEC environment of PettingZoo."""

Key: TypeAlias = Callable[[Environment], Hashable]
"""Function that tells the states of an environment apart."""

_RESULTS: dict[int, Result] = {1: "win", 0: "draw", -1: "loss"}


class AecState:
    """State of an environment, with the agent whose turn it is. It is told apart by its key."""

    __slots__ = ("agent", "environment", "key")

    def __init__(self, environment: Environment, agent: str, key: Hashable) -> None:
        """Make the state of an environment, which must not change any more."""
        self.environment = environment
        self.agent = agent
        self.key = key

    def __eq__(self, other: object) -> bool:
        """Return whether the keys are equal."""
        return isinstance(other, AecState) and self.key == other.key

    def __hash__(self) -> int:
        """Return a hash of the key."""
        return hash(self.key)

    def __repr__(self) -> str:
        """Return the agent and the key."""
        return f"<AecState: {self.agent} to move, {self.key!r}>"


class _Rules(Game[AecState, int]):
    """Rules of an environment: its copies are stepped."""

    turns = "alternate"

    def __init__(self, environment: Environment, key: Key | None) -> None:
        self._first = environment.unwrapped
        self._own_key = key
        self.agents: list[str] = []

    def check(self) -> None:
        """Check what can be seen before the first move."""
        name, metadata = str(self._first), getattr(self._first, "metadata", {})
        self.agents = list(self._first.possible_agents)
        if len(self.agents) != 2:
            raise SolveError(f"{name} has {len(self.agents)} agents, and two are needed")
        if metadata.get("is_parallelizable"):
            raise SolveError(f"{name} cannot be solved: its agents move at the same time")
        starts = {self.started(seed) for seed in (0, 1, 2)}
        if len(starts) > 1:
            raise SolveError(
                f"{name} cannot be solved: it has chance, its start is drawn at random"
            )

    def start(self) -> AecState:
        return self.started(0)

    def started(self, seed: int) -> AecState:
        """Return the state after a reset."""
        environment = _copy(self._first)
        environment.reset(seed=seed)
        return self.state(environment, environment.agent_selection)

    def state(self, environment: Environment, agent: str) -> AecState:
        """Return the state of an environment in which it is the turn of an agent."""
        over = _is_over(environment)
        if not over and environment.agent_selection != agent:
            raise SolveError(f"{agent} does not move after the other agent: turns must alternate")
        if self._own_key is not None:
            seen: Hashable = self._own_key(environment)
        else:
            seen = tuple(_bytes_of(environment.observe(name)) for name in self.agents)
        rewards = tuple(environment.rewards[name] for name in self.agents) if over else None
        return AecState(environment, agent, (agent, seen, rewards))

    def result(self, state: AecState, /) -> Result | None:
        environment = state.environment
        if not _is_over(environment):
            return None
        if any(environment.truncations.values()):
            raise SolveError("the environment cuts games off by their length: a draw of history")
        own = environment.rewards[state.agent]
        other = environment.rewards[self.other(state.agent)]
        if own not in _RESULTS or own != -other:
            raise SolveError(f"rewards at the end are 1 and -1 or 0 and 0, not {own} and {other}")
        return _RESULTS[int(own)]

    def moves(self, state: AecState, /) -> list[int]:
        mask = _mask(state.environment, state.agent)
        return [action for action, legal in enumerate(mask) if legal]

    def play(self, state: AecState, action: int, /) -> AecState:
        environment = _copy(state.environment)
        environment.step(action)
        return self.state(environment, self.other(state.agent))

    def format(self, state: AecState, /) -> str:
        return state.agent

    def other(self, agent: str) -> str:
        """Return the other agent."""
        first, second = self.agents
        return second if agent == first else first

    def __str__(self) -> str:
        return str(self._first)


class AecSolution:
    """Solved environment, by `solve_aec()`: the value of each state that can be reached.

    Attributes:
        solution: The solution of its states, with all that an `OwnSolution` has.

    >>> import pettingzoo
    >>> from hindsight_games.pettingzoo import solve_aec
    >>> env = pettingzoo.make("aec", "classic/tictactoe_v3")
    >>> solution = solve_aec(env)
    >>> env.reset()
    >>> env.step(4)
    >>> str(solution.value(env)), solution.best_actions(env)
    ('draw', [0, 2, 6, 8])
    """

    def __init__(self, rules: _Rules, solution: OwnSolution[AecState, int]) -> None:
        """Wrap a solution; `solve_aec` makes one."""
        self._rules = rules
        self.solution = solution

    @property
    def start(self) -> Value:
        """Value of the start for the agent that begins."""
        return self.solution.start

    @property
    def positions(self) -> int:
        """Number of states."""
        return self.solution.positions

    @property
    def counts(self) -> dict[str, int]:
        """Number of states by result for the agent to move."""
        return self.solution.counts

    def value(self, environment: Environment) -> Value:
        """Return the value of the state of an environment for the agent whose turn it is."""
        return self.solution.value(self._state(environment))

    def best_actions(self, environment: Environment) -> list[int]:
        """Return the best actions: the quickest win, a draw, or the slowest loss.

        There are none where the game is over.
        """
        return self.solution.best(self._state(environment))

    def _state(self, environment: Environment) -> AecState:
        if not hasattr(environment, "unwrapped"):
            raise TypeError(f"an AEC environment is needed, not {shown(environment)}")
        if not hasattr(environment.unwrapped, "agent_selection"):
            raise GameError(f"{environment} has no state before its reset()")
        inner = _copy(environment.unwrapped)
        return self._rules.state(inner, inner.agent_selection)

    def __repr__(self) -> str:
        """Return the environment and the value of the start."""
        return f"<AecSolution of {self._rules}: {self.start}>"


class PerfectOpponent:
    """Agent that plays a best action, drawn at random where there are several.

    >>> import pettingzoo
    >>> from hindsight_games.pettingzoo import PerfectOpponent, solve_aec
    >>> env = pettingzoo.make("aec", "classic/tictactoe_v3")
    >>> opponent = PerfectOpponent(solve_aec(env), seed=1)
    >>> env.reset()
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     is_over = termination or truncation
    ...     env.step(None if is_over else opponent.action(env))
    >>> reward
    0
    """

    def __init__(self, solution: AecSolution, *, seed: int = 0) -> None:
        """Make an opponent that plays by a solution."""
        self._solution = solution
        self._rng = random.Random(seed)

    def action(self, environment: Environment) -> int:
        """Return an action for the agent whose turn it is.

        Raises:
            GameError: The game is over, so that only ``step(None)`` is left.
        """
        best = self._solution.best_actions(environment)
        if not best:
            raise GameError("the game is over: no action is left but None")
        return self._rng.choice(best)


def solve_aec(
    environment: Environment,
    *,
    key: Key | None = None,
    check: int = 20,
    max_positions: int = 1_000_000,
    threads: int | None = None,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Listener | None = None,
) -> AecSolution:
    """Solve an environment of PettingZoo: two agents in turn, no chance, nothing hidden.

    The environment is copied and stepped, so this is for games of up to some hundred thousand
    states.

    Args:
        environment: The environment, in any state: copies of it are reset.
        key: Tells states apart; by default what both agents observe. If observations leave
            something out, states that look alike are solved as one.
        check: Number of first states on which the laws of a game are checked.
        max_positions: Most states.
        threads: Number of threads of the solve. States are expanded by one.
        memory: Bytes allowed, or a text such as '2G'; 7/8 of what is free by default.
        seconds: Time allowed.
        progress: Called with a `Progress` a few times a second.

    Raises:
        TypeError: It is no AEC environment.
        SolveError: The environment is not of this kind; the text says why.
        GameError: The environment contradicts itself, or raised an exception.
        LimitError: Memory, time or the number of states do not suffice.

    >>> import pettingzoo
    >>> from hindsight_games.pettingzoo import PerfectOpponent, solve_aec
    >>> env = pettingzoo.make("aec", "classic/tictactoe_v3")
    >>> solution = solve_aec(env)
    >>> str(solution.start), solution.positions
    ('draw', 5478)
    >>> env.reset()
    >>> env.step(PerfectOpponent(solution).action(env))
    """
    rules = _checked_rules(environment, key, "solve_aec()")
    try:
        solution = solve(
            rules,
            check=check,
            max_positions=max_positions,
            threads=threads,
            memory=memory,
            seconds=seconds,
            progress=progress,
        )
    except GameError as error:
        if isinstance(error.__cause__, SolveError):
            raise error.__cause__ from None
        raise
    return AecSolution(rules, solution)


def aec_game(environment: Environment, *, key: Key | None = None) -> OwnNamedGame:
    """Return an environment as a game for all that takes one: `match`, `analyse` and so on.

    The text of a state is the agent to move, with a number in the order in which states are shown.

    Args:
        environment: As for `solve_aec`.
        key: As for `solve_aec`.

    Raises:
        TypeError, SolveError, GameError: As `solve_aec`.

    >>> import pettingzoo
    >>> import hindsight_games as hs
    >>> from hindsight_games.pettingzoo import aec_game
    >>> game = aec_game(pettingzoo.make("aec", "classic/tictactoe_v3"))
    >>> game.start, game.moves(game.start)
    (Position('player_1 first'), ['0', '1', '2', '3', '4', '5', '6', '7', '8'])
    """
    return own_game(_checked_rules(environment, key, "aec_game()"))


def _checked_rules(environment: Environment, key: Key | None, function: str) -> _Rules:
    """Return the rules of an environment that can be a game."""
    if not all(hasattr(environment, name) for name in ("unwrapped", "possible_agents", "observe")):
        text = f"{function} takes an AEC environment of PettingZoo"
        raise TypeError(f"{text}, not {shown(environment)}")
    rules = _Rules(environment, key)
    try:
        rules.check()
    except (HindsightError, MemoryError):
        raise
    except Exception as cause:
        raise GameError(f"{environment} raised {told(cause)}") from cause
    return rules


def _copy(environment: Environment) -> Environment:
    """Copy an environment with its state; `copy.deepcopy` makes many of them anew."""
    other = object.__new__(type(environment))
    other.__dict__.update(copy.deepcopy(environment.__dict__))
    return other


def _is_over(environment: Environment) -> bool:
    return any(environment.terminations.values()) or any(environment.truncations.values())


def _mask(environment: Environment, agent: str) -> Any:
    observed = environment.observe(agent)
    if isinstance(observed, dict) and "action_mask" in observed:
        return observed["action_mask"]
    info = environment.infos.get(agent, {})
    if "action_mask" in info:
        return info["action_mask"]
    raise SolveError(f"{environment} does not tell the legal actions by an 'action_mask'")


def _bytes_of(observed: Any) -> bytes:
    import numpy as np

    if isinstance(observed, dict) and "observation" in observed:
        observed = observed["observation"]
    return np.asarray(observed).tobytes()
