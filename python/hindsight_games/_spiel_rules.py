"""Rules of a game of OpenSpiel, for a solve."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

from ._errors import GameError, SolveError, SpecError, needs, shown
from ._own_game import Game, told
from ._value import Result

State: TypeAlias = Any
"""A pyspiel.State."""
Key: TypeAlias = Callable[[State], Hashable]

TERMINAL = -4
"""The player to move where the game is over."""

_WORDS: dict[int, Result] = {1: "win", 0: "draw", -1: "loss"}


def load(game: Any) -> Any:
    """Return a game that can be solved.

    Raises:
        SpecError: There is no such game.
        SolveError: It is of another kind; the message says why.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise needs("open-spiel", "a game of OpenSpiel") from error
    if isinstance(game, str):
        game = _made(game)
    elif not isinstance(game, pyspiel.Game):
        text = "solve_spiel() takes a text such as 'tic_tac_toe', or a pyspiel.Game"
        raise TypeError(f"{text}, not {shown(game)}")
    kind = game.get_type()
    faults = {
        "its players move at the same time": kind.dynamics != kind.Dynamics.SEQUENTIAL,
        "it has chance": kind.chance_mode != kind.ChanceMode.DETERMINISTIC,
        "it has secrets": kind.information != kind.Information.PERFECT_INFORMATION,
        f"it has {game.num_players()} players, not two": game.num_players() != 2,
        "what one player wins the other does not lose": kind.utility != kind.Utility.ZERO_SUM,
    }
    for fault, has_fault in faults.items():
        if has_fault:
            raise SolveError(f"{game} cannot be solved: {fault}")
    return game


def _made(text: str) -> Any:
    """Return the game of a text."""
    import pyspiel

    # The library itself would print the names of all games.
    if text.partition("(")[0].strip() not in pyspiel.registered_names():
        raise SpecError(f"OpenSpiel has no game {shown(text)}")
    try:
        return pyspiel.load_game(text)
    except Exception as cause:
        reason = told(cause).removeprefix("SpielError: ").partition(" Available ")[0].rstrip(".: ")
        raise SpecError(f"OpenSpiel cannot make the game {shown(text)}: {reason}") from cause


def mover(state: State) -> int:
    """Return the player to move or, where the game is over, who would be next."""
    if not state.is_terminal():
        return int(state.current_player())
    history = state.full_history()
    return 1 - history[-1].player if history else 0


def moves_before(state: State) -> str:
    """Return the moves that led to a state, in words."""
    past = state.get_game().new_initial_state()
    words = []
    for action in state.history():
        words.append(past.action_to_string(past.current_player(), action))
        past.apply_action(action)
    return f"after {' '.join(words)}" if words else "at the start"


def number_of_end(state: State, player: int) -> int:
    """Return 1, 0 or -1, the result of a state that is terminal."""
    returns = list(state.returns())
    if returns[player] not in (1, 0, -1) or sum(returns) != 0:
        text = f"the returns are {returns}, not 1, 0 or -1 that add to 0"
        raise SolveError(f"{state.get_game()} cannot be solved: {text}, {moves_before(state)}")
    return int(returns[player])


def spiel_error(text: str, state: State) -> GameError:
    """Return the error of a fault at a state."""
    return GameError(f"{text}, {moves_before(state)}", state)


class SpielRules(Game[State, int]):
    """Rules of a game of OpenSpiel."""

    turns = "alternate"

    def __init__(self, game: Any, key: Key | None) -> None:
        """Take a game that `load` returned, and the key of the caller."""
        import pyspiel

        self.spiel = game
        self.own_key = key
        # A text tells positions apart in all processes.
        self.version = "" if key else pyspiel.__version__  # type: ignore[misc]

    def __str__(self) -> str:
        """Return the game in the words of OpenSpiel."""
        return str(self.spiel)

    def start(self) -> State:
        """Return the first state."""
        return self.spiel.new_initial_state()

    def result(self, state: State, /) -> Result | None:
        """Return the result of a state that is terminal."""
        return _WORDS[number_of_end(state, mover(state))] if state.is_terminal() else None

    def moves(self, state: State, /) -> list[int]:
        """Return the legal actions."""
        actions: list[int] = state.legal_actions()
        return actions

    def play(self, state: State, action: int, /) -> State:
        """Return the state after an action."""
        return state.child(action)

    def name(self, state: State, action: int, /) -> str:
        """Return an action in the words of OpenSpiel."""
        return str(state.action_to_string(state.current_player(), action))

    def format(self, state: State, /) -> str:
        """Return the text of a state in one line."""
        return " ".join(str(state).split()) or "empty"

    def key(self, state: State, /) -> Hashable:
        """Return the key of the caller, or by default the player to move and the text."""
        if self.own_key is not None:
            return self.own_key(state)
        return (mover(state), str(state))
