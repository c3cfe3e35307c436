"""Games of OpenSpiel in Python, with faults that can be planted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyspiel


def game_type() -> Any:
    """Return the type of a small game for two."""
    kind = pyspiel.GameType
    return kind(
        short_name="walk",
        long_name="Walk",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )


class WalkGame(pyspiel.Game):  # type: ignore[misc]
    """A piece on a ring; who moves it to the goal wins. After some moves the game is a draw."""

    def __init__(
        self,
        cap: int = 1_000,
        size: int = 10,
        goal: int = 3,
        steps: tuple[int, ...] = (1, 4),
        text: Callable[[WalkState], str] = lambda state: str(state.square),
        prize: float = 1,
        faulty_at: int | None = None,
    ) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=size,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=cap,
        )
        super().__init__(game_type(), info, {})
        self.cap, self.size, self.goal, self.steps = cap, size, goal, steps
        self.text, self.prize, self.faulty_at = text, prize, faulty_at

    def new_initial_state(self) -> WalkState:
        return WalkState(self)

    def __deepcopy__(self, memo: object) -> WalkGame:
        return self


class WalkState(pyspiel.State):  # type: ignore[misc]
    """Square of the piece, and number of moves so far."""

    def __init__(self, game: WalkGame) -> None:
        super().__init__(game)
        self.rules = game
        self.square: int = 0
        self.plies: int = 0

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_over() else self.plies % 2

    def is_over(self) -> bool:
        return self.square == self.rules.goal or self.plies >= self.rules.cap

    def is_terminal(self) -> bool:
        return self.is_over()

    def _legal_actions(self, player: int) -> list[int]:
        if self.square == self.rules.faulty_at:
            raise ZeroDivisionError("a fault of the rules")
        return list(self.rules.steps)

    def _apply_action(self, action: int) -> None:
        self.square = (self.square + action) % self.rules.size
        self.plies += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return f"+{action}"

    def returns(self) -> list[float]:
        if self.square != self.rules.goal:
            return [0.0, 0.0]
        winner = (self.plies - 1) % 2
        return [self.rules.prize if player == winner else -self.rules.prize for player in (0, 1)]

    def __str__(self) -> str:
        return self.rules.text(self)
