"""Rules of a game of OpenSpiel, for a solve."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeAlias
from zlib import crc32

from ._errors import GameError, SpecError, shown
from ._own_game import Game
from ._value import Result

State: TypeAlias = Any
"""A pyspiel.State."""
Key: TypeAlias = Callable[[State], Hashable]

_RESULTS: dict[float, Result] = {1.0: "win", 0.0: "draw", -1.0: "loss"}
_NUMBERS = {"win": 1, "draw": 0, "loss": -1}


def load(game: Any) -> Any:
    """Return a game that can be solved.

    Raises:
        SpecError: There is no such game.
        GameError: It is of another kind; the message says why.
    """
    try:
        import pyspiel
    except ImportError as error:
        text = "games of OpenSpiel need pyspiel: pip install 'hindsight-games[openspiel]'"
        raise ImportError(text) from error
    if isinstance(game, str):
        try:
            game = pyspiel.load_game(game)
        except pyspiel.SpielError as cause:
            raise SpecError(f"OpenSpiel has no game {game!r}: {cause}") from cause
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
            raise GameError(f"{game} cannot be solved: {fault}")
    return game


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


def spiel_error(text: str, state: State) -> GameError:
    """Return the error of a fault at a state."""
    return GameError(f"{text}, {moves_before(state)}", state)


class SpielRules(Game[State, int]):
    """Rules of a game of OpenSpiel."""

    def __init__(self, game: Any, key: Key | None) -> None:
        """Take a game that `load` returned, and the key of the caller."""
        self.spiel = game
        self.own_key = key

    def __str__(self) -> str:
        """Return the game in the words of OpenSpiel."""
        return str(self.spiel)

    def start(self) -> State:
        """Return the first state."""
        return self.spiel.new_initial_state()

    def result(self, state: State, /) -> Result | None:
        """Return the result of a state that is terminal."""
        if not state.is_terminal():
            return None
        returns = list(state.returns())
        own = returns[mover(state)]
        if own not in _RESULTS or sum(returns) != 0:
            raise spiel_error(f"the returns are {returns}, not 1, 0 and -1 that add to 0", state)
        return _RESULTS[own]

    def moves(self, state: State, /) -> list[int]:
        """Return the legal actions."""
        actions: list[int] = state.legal_actions()
        return actions

    def play(self, state: State, action: int, /) -> State:
        """Return the state after an action."""
        return state.child(action)

    def key(self, state: State, /) -> Hashable:
        """Return the key of the caller, or by default the player to move and the text."""
        if self.own_key is not None:
            return self.own_key(state)
        return (mover(state), str(state))


class SpielExplorer:
    """Expansion of states, with a check that equal keys are interchangeable.

    Of the keys, those whose hash ends with some zero bits are checked: as many bits as keep their
    number below `most`. Each state that reaches one of them must have the same result, and moves
    that lead to the same keys, as the first one.
    """

    def __init__(self, rules: SpielRules, most: int) -> None:
        """Begin with nothing seen; `most` keys are checked."""
        self.rules = rules
        self.most = most
        self.mask = 0
        self.sample: dict[Hashable, _Arrival] = {}
        self.compared = 0
        self.longest = int(rules.spiel.max_game_length())
        self.lengths_vary = False
        self.capped: dict[Hashable, int] = {}

    def expand(self, state: State) -> int | tuple[list[State], list[Hashable]]:
        """Expand a state, as the native part wants it."""
        try:
            return self._expand(state)
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            text = f"the game raised {type(cause).__name__}: {cause}"
            raise spiel_error(text, state) from cause

    def _expand(self, state: State) -> int | tuple[list[State], list[Hashable]]:
        if state.is_terminal():
            return _NUMBERS[self.rules.result(state) or "draw"]
        after, keys = self._successors(state)
        if not after:
            raise spiel_error("there is no legal action and no end", state)
        if self.most > 0:
            mask = self.mask
            for child, key in zip(after, keys, strict=True):
                if hash_of(key) & mask == 0:
                    self._arrive(child, key)
        if state.move_number() + 1 >= self.longest:
            for child, key in zip(after, keys, strict=True):
                if self._is_cut(child):
                    self.capped[key] = self.capped.get(key, 0) + 1
        return after, keys

    def _successors(self, state: State) -> tuple[list[State], list[Hashable]]:
        """Return the states after each action, and their keys."""
        child, own_key = state.child, self.rules.own_key
        other = 1 - state.current_player()
        after = [child(action) for action in state.legal_actions()]
        for next_state in after:
            if next_state.current_player() != other and not next_state.is_terminal():
                raise spiel_error("the same player moves twice, or nobody", next_state)
        if own_key is not None:
            return after, [own_key(next_state) for next_state in after]
        return after, [(other, str(next_state)) for next_state in after]

    def _is_cut(self, state: State) -> bool:
        """Return whether a state is a draw at the greatest length of a game."""
        return bool(
            state.is_terminal() and state.move_number() >= self.longest and not any(state.returns())
        )

    def _arrive(self, state: State, key: Hashable) -> None:
        """Compare a state with the first one of its key."""
        first = self.sample.get(key)
        if first is None:
            self.sample[key] = _Arrival(state)
            if len(self.sample) > self.most:
                self.mask = 2 * self.mask + 1
                kept = {key: a for key, a in self.sample.items() if hash_of(key) & self.mask == 0}
                self.sample = kept
            return
        self.lengths_vary |= first.state.move_number() != state.move_number()
        if self._is_cut(state) != self._is_cut(first.state):
            return
        self.compared += 1
        if first.picture is None:
            first.picture = self._picture(first.state)
        picture = self._picture(state)
        if picture != first.picture:
            raise self._unequal(first, state, picture, key)

    def _picture(self, state: State) -> _Picture:
        """Return what must be equal in states with equal keys."""
        if state.is_terminal():
            return (self.rules.result(state), (), frozenset())
        # A key of the caller may be one up to symmetry, under which actions differ.
        actions = () if self.rules.own_key else tuple(state.legal_actions())
        return (None, actions, frozenset(self._successors(state)[1]))

    def _unequal(
        self, first: _Arrival, state: State, picture: _Picture, key: Hashable
    ) -> GameError:
        """Return the error of a key that merges states which are not interchangeable."""
        if picture[0] != (first.picture or picture)[0]:
            what = "one is over, or their results differ"
        else:
            what = "their legal actions differ, or lead to other states"
        text = (
            f"two states have the key {shown(key)} and are not interchangeable, for {what}: "
            f"{moves_before(first.state)}, and {moves_before(state)}; "
            "solve_spiel(.., key=..) takes a function of the state that tells them apart"
        )
        return GameError(text, state)


_Picture: TypeAlias = "tuple[Result | None, tuple[int, ...], frozenset[Hashable]]"


class _Arrival:
    """The first state that reached a key, and its picture if it was needed."""

    __slots__ = ("picture", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.picture: _Picture | None = None


def hash_of(key: Hashable) -> int:
    """Return a hash of a key that is the same in each run."""
    return crc32(repr(key).encode())
