"""Exploration of a game of OpenSpiel, with a check of its keys."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import TypeAlias
from zlib import crc32

from ._errors import GameError, HindsightError, SolveError, shown
from ._own_game import told
from ._spiel_rules import (
    TERMINAL,
    SpielRules,
    State,
    moves_before,
    number_of_end,
    spiel_error,
)

Picture: TypeAlias = tuple[int | None, tuple[int, ...], frozenset[tuple[Hashable, int | None]]]
"""What must be equal in states with equal keys: result, actions, keys and results after them."""


class SpielExplorer:
    """Expansion of states, with a check that equal keys are interchangeable.

    A sample of keys is checked: those whose hash ends with some zero bits, as many bits as keep
    the sample below `most` keys. Each state that reaches one of them is compared with the first.
    """

    def __init__(self, rules: SpielRules) -> None:
        """Begin with nothing seen and no checks."""
        self.rules = rules
        self.first_player = int(rules.start().current_player())
        self.longest = int(rules.spiel.max_game_length())
        self.comparison = KeyComparison(self, 0)
        self.capped: dict[Hashable, int] = {}

    def expand(self, state: State) -> int | tuple[list[State], list[Hashable]]:
        """Expand a state, as the native part wants it."""
        try:
            return self._expand(state)
        except (HindsightError, MemoryError):
            raise
        except Exception as cause:
            raise self.error(cause, state) from cause

    def expand_all(self, states: list[State]) -> list[int | tuple[list[State], list[Hashable]]]:
        """Expand some states."""
        return [self.expand(state) for state in states]

    def begin(self, most: int) -> None:
        """Forget what was seen when the size of a key was looked for; `most` keys are checked."""
        self.comparison = KeyComparison(self, most)
        self.capped = {}
        self.start()

    def start(self) -> State:
        """Return the first state."""
        state = self.rules.start()
        try:
            self.comparison.add([state], [self.rules.key(state)])
            return state
        except (HindsightError, MemoryError):
            raise
        except Exception as cause:
            raise self.error(cause, state) from cause

    def error(self, cause: Exception, state: State) -> GameError:
        """Return the error of an exception at a state."""
        who = "the game or its key" if self.rules.own_key else "the game"
        return spiel_error(f"{who} raised {told(cause)}", state)

    def _expand(self, state: State) -> int | tuple[list[State], list[Hashable]]:
        player, plies = state.current_player(), state.move_number()
        if player == TERMINAL:
            return self.end(state, plies)
        after, keys = self.successors(state, 1 - player)
        if not after:
            raise spiel_error("there is no legal action and no end", state)
        self.comparison.add(after, keys)
        if plies + 1 >= self.longest:
            for child, key in zip(after, keys, strict=True):
                if self.is_cut(child):
                    self.capped[key] = self.capped.get(key, 0) + 1
        return after, keys

    def end(self, state: State, plies: int) -> int:
        """Return the result of a state that is terminal, for who would be next."""
        return number_of_end(state, (self.first_player + plies) % 2)

    def successors(self, state: State, other: int) -> tuple[list[State], list[Hashable]]:
        """Return the states after each action, in which the other player moves, and their keys."""
        child, own_key = state.child, self.rules.own_key
        after = [child(action) for action in state.legal_actions()]
        for next_state in after:
            if next_state.current_player() not in (other, TERMINAL):
                text = f"{self.rules} cannot be solved: the players do not move in turn"
                raise SolveError(f"{text}, {moves_before(next_state)}")
        if own_key is not None:
            return after, [own_key(next_state) for next_state in after]
        return after, [(other, str(next_state)) for next_state in after]

    def is_cut(self, state: State) -> bool:
        """Return whether a state is a draw at the greatest length of a game."""
        return bool(
            state.is_terminal() and state.move_number() >= self.longest and not any(state.returns())
        )


class _FirstState:
    """The first state that reached a key, and its picture if it was needed."""

    __slots__ = ("picture", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.picture: Picture | None = None


class KeyComparison:
    """Comparison of states with equal keys."""

    def __init__(self, explorer: SpielExplorer, most: int) -> None:
        """Begin without keys; there will be `most` at most."""
        self.explorer = explorer
        self.most = most
        self.mask = 0
        self.sample: dict[Hashable, _FirstState] = {}
        self.compared = 0
        self.playouts = 0
        self.lengths_vary = False

    def add(self, after: list[State], keys: list[Hashable]) -> None:
        """Compare states whose keys are in the sample with the first states of these keys."""
        if self.most <= 0:
            return
        mask = self.mask
        for number, key in enumerate(keys):
            if _hash_of(key) & mask == 0:
                self._arrive(after[number], key)

    def _arrive(self, state: State, key: Hashable) -> None:
        first = self.sample.setdefault(key, _FirstState(state))
        if first.state is not state:
            self._compare(first, state, key)
        elif len(self.sample) > self.most:
            mask = self.mask = 2 * self.mask + 1
            kept = {key: first for key, first in self.sample.items() if _hash_of(key) & mask == 0}
            self.sample = kept

    def _compare(self, first: _FirstState, state: State, key: Hashable) -> None:
        self.lengths_vary |= first.state.move_number() != state.move_number()
        if self.explorer.is_cut(state) or self.explorer.is_cut(first.state):
            return
        self.compared += 1
        self._expect_mover(first.state, state, key)
        if first.picture is None:
            first.picture = self._picture(first.state)
        self._expect(first.picture == self._picture(state), first.state, state, key)
        for _ in range(self._playouts_of_pair()):
            self.playouts += 1
            self._play_on(first.state, state, random.Random(self.playouts))

    def _playouts_of_pair(self) -> int:
        """Return how many random games are played on from a pair: more of the first ones."""
        if self.compared > self.most:
            return 0
        return 4 if self.compared <= 250 else 1

    def _expect_mover(self, first: State, state: State, key: Hashable) -> None:
        """Raise the error of a key that merges states of different players."""
        if first.is_terminal() and state.is_terminal():
            return
        if first.move_number() % 2 != state.move_number() % 2:
            text = (
                f"two states have the key {shown(key)} but not the same player to move: "
                f"{moves_before(first)}, and {moves_before(state)}; a key=.. tells them apart if "
                "it has state.current_player()"
            )
            raise GameError(text, state)

    def _expect(self, is_so: bool, first: State, state: State, key: Hashable) -> None:
        """Raise the error of a key that merges unequal states unless all is well."""
        if not is_so:
            text = (
                f"two states have the key {shown(key)} but not the same moves, results or keys "
                f"after them: {moves_before(first)}, and {moves_before(state)}; "
                "solve_spiel(.., key=..) takes a function of states that tells them apart"
            )
            raise GameError(text, state)

    def _picture(self, state: State) -> Picture:
        if state.is_terminal():
            return (self.explorer.end(state, state.move_number()), (), frozenset())
        after, keys = self.explorer.successors(state, 1 - state.current_player())
        ends = [self._end(next_state) for next_state in after]
        return (None, self._actions(state), frozenset(zip(keys, ends, strict=True)))

    def _end(self, state: State) -> int | None:
        """Return the result of a state; None if it goes on, or would without the cap."""
        if not state.is_terminal() or self.explorer.is_cut(state):
            return None
        return self.explorer.end(state, state.move_number())

    def _actions(self, state: State) -> tuple[int, ...]:
        # A key of the caller may be one up to symmetry, under which actions differ.
        return () if self.explorer.rules.own_key else tuple(state.legal_actions())

    def _play_on(self, first: State, state: State, rng: random.Random) -> None:
        """Play a random game on from two states with equal keys, which must stay equal.

        Differences that show only later, such as pieces in hand that the text leaves out, are not
        seen elsewhere: the search goes on from the first state alone.
        """
        while not (first.is_terminal() or state.is_terminal()):
            key = self.explorer.rules.key(first)
            self._expect(self._actions(first) == self._actions(state), first, state, key)
            action = rng.choice(first.legal_actions())
            next_first = first.child(action)
            next_state = self._same_move(state, action, self.explorer.rules.key(next_first))
            self._expect(next_state is not None, first, state, key)
            if self.explorer.is_cut(next_first) or self.explorer.is_cut(next_state):
                return
            self._expect(self._end(next_first) == self._end(next_state), first, state, key)
            first, state = next_first, next_state

    def _same_move(self, state: State, action: int, key: Hashable) -> State | None:
        """Return the state after a move to a key: by this action if the default key is in use."""
        rules = self.explorer.rules
        actions = state.legal_actions() if rules.own_key else [action]
        after = (state.child(action) for action in actions)
        return next((to for to in after if rules.key(to) == key), None)


class StateFinder:
    """States of keys that were not met, by an exploration of the game when the first is asked for.

    It keeps the way to each key: the key before it, and the action.
    """

    def __init__(self, explorer: SpielExplorer) -> None:
        """Begin without an exploration."""
        self.explorer = explorer
        self.ways: dict[Hashable, tuple[Hashable, int] | None] = {}

    def __call__(self, key: Hashable) -> State:
        """Return the state with a key."""
        if not self.ways:
            self._explore()
        if key not in self.ways:
            raise GameError(f"no play from the start leads to a state with the key {shown(key)}")
        actions = []
        while (way := self.ways[key]) is not None:
            key, action = way
            actions.append(action)
        state = self.explorer.rules.start()
        for action in reversed(actions):
            state.apply_action(action)
        return state

    def _explore(self) -> None:
        rules = self.explorer.rules
        start = rules.start()
        ways: dict[Hashable, tuple[Hashable, int] | None] = {rules.key(start): None}
        frontier = [(start, rules.key(start))]
        while frontier:
            reached = []
            for state, key in frontier:
                if state.is_terminal():
                    continue
                after, keys = self.explorer.successors(state, 1 - state.current_player())
                for action, child, child_key in zip(
                    state.legal_actions(), after, keys, strict=True
                ):
                    if child_key not in ways:
                        ways[child_key] = (key, action)
                        reached.append((child, child_key))
            frontier = reached
        self.ways = ways


def _hash_of(key: Hashable) -> int:
    """Return a hash of a key that is the same in each run."""
    # The default key has the text of the state.
    text = key[1] if type(key) is tuple and len(key) == 2 and type(key[1]) is str else repr(key)
    return crc32(text.encode(errors="surrogatepass"))
