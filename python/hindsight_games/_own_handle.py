"""Games whose rules are an object, as those that a spec names."""

from __future__ import annotations

import pickle
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _native
from ._array_game import ArrayDoor, ArrayGame
from ._errors import SolveError, shown, unpicklable
from ._game import NamedGame, Position
from ._own_door import Door
from ._own_game import Game, told

_known: Counter[str] = Counter()
_lock = threading.Lock()


class OwnNamedGame(NamedGame):
    """Rules of an object of yours, with positions and moves as texts.

    `game()` makes one of a `Game` or an `ArrayGame`.

    >>> import hindsight_games as hs
    >>> class TakeAway(hs.Game[int, int]):
    ...     turns = "alternate"
    ...
    ...     def start(self):
    ...         return 20
    ...
    ...     def result(self, stones):
    ...         return "loss" if stones == 0 else None
    ...
    ...     def moves(self, stones):
    ...         return [taken for taken in (1, 2) if taken <= stones]
    ...
    ...     def play(self, stones, taken):
    ...         return stones - taken
    >>> g = hs.game(TakeAway())
    >>> g.start, g.moves(g.start), g.play(g.start, "2"), g.object("18 second")
    (Position('20 first'), ['1', '2'], Position('18 second'), 18)
    """

    def __init__(
        self,
        door: Door | ArrayDoor,
        owner: Game[Any, Any] | ArrayGame,
        *,
        again: tuple[Callable[..., OwnNamedGame], tuple[Any, ...]] | None = None,
    ) -> None:
        """Take the door to the rules; `game()` opens one. `again` makes the game from a pickle."""
        self._rules = _native.OwnRules(door)
        super().__init__(self._rules.game())
        self._door = door
        self._owner = owner
        self._again = again or (own_game, (owner,))

    def expand(self, packed: bytes) -> Any:
        """Return successors, offsets and results of positions of an `ArrayGame`, as bytes."""
        assert isinstance(self._door, ArrayDoor)
        return self._door.expand(packed)

    @property
    def is_by_key(self) -> bool:
        """Whether keys tell positions apart, not the positions themselves."""
        return isinstance(self._door, Door) and self._door.identity_samples is not None

    @property
    def is_by_parts(self) -> bool:
        """Whether bytes of positions are made of their parts."""
        return isinstance(self._door, Door) and self._door.pack is None

    @property
    def has_ranks(self) -> bool:
        """Whether the rules number positions."""
        return bool(self._door.tiers)

    def check_table(self, *, by_bytes: bool, solved: _native.Solved | None = None) -> None:
        """Refuse a table of ranks, or of bytes of positions, that could not be opened again.

        Bytes are those of all positions of `solved` or, if it is None, of the start.
        """
        if not self._door.version and self.is_by_key:
            text = "has no table: a key of yours, and not the rules, tells its positions apart"
            raise SolveError(f"{self.rules} {text}")
        if not self._door.version:
            text = "needs a version for its tables, such as version = '1', to change with the rules"
            raise SolveError(f"{self.rules} {text}")
        if by_bytes and isinstance(self._door, Door) and self._door.key_samples is not None:
            text = "needs canonical instead of key for a table: a key does not tell which position"
            raise SolveError(f"{self.rules} {text} stands for the others")
        if by_bytes and self.is_by_parts and self.has_ranks:
            text = "needs pack and unpack for a table of what can be reached, as it has ranks"
            raise SolveError(f"{self.rules} {text}")
        if not by_bytes or not self.is_by_parts:
            return
        for odd in self._rules.without_lasting_bytes(solved):
            text = f"has no table, as no other process finds the bytes of the position {shown(odd)}"
            why = (
                "it takes more than 31, has parts that are no numbers, strings, bytes or tuples, "
                "or is too unlike those of random games"
            )
            how = "" if self.is_by_key else "; pack and unpack make such bytes"
            raise SolveError(f"{self.rules} {text}: {why}{how}")

    @property
    def rules(self) -> Game[Any, Any] | ArrayGame:
        """The object."""
        return self._owner

    def object(self, text: str) -> Any:
        """Return the position of a text, as the rules have it."""
        position = self._rules.object(text)
        return self._owner._code(position) if isinstance(self._owner, ArrayGame) else position

    def text(self, position: Any) -> Position:
        """Return the text of a position of the rules."""
        if isinstance(self._owner, ArrayGame):
            position = self._owner._bytes(position)
        return Position(self._rules.text(position), self)

    @contextmanager
    def known(self) -> Iterator[None]:
        """Let this process find the game by its spec, for some time."""
        self.know()
        try:
            yield
        finally:
            self.forget()

    def know(self) -> None:
        """Let this process find the game by its spec."""
        with _lock:
            _known[self.spec] += 1
            self._rules.set_known(True)

    def forget(self) -> None:
        """Undo a call of `know`."""
        with _lock:
            _known[self.spec] -= 1
            if _known[self.spec] == 0:
                self._rules.set_known(False)

    def __repr__(self) -> str:
        """Return the call that makes the game."""
        return f"game({shown(self._owner)})"

    def __copy__(self) -> OwnNamedGame:
        """Return the game, which never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> OwnNamedGame:
        """Return the game, which never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to unpickle the game: its rules are pickled."""
        try:
            pickle.dumps(self._again)
        except Exception as cause:
            text = f"{told(cause)}; what a module defines at its top can"
            raise unpicklable(self._owner, text) from cause
        return self._again


def own_game(game: Game[Any, Any] | ArrayGame, door: Door | None = None) -> OwnNamedGame:
    """Return the game of an object."""
    if isinstance(game, ArrayGame):
        return OwnNamedGame(ArrayDoor(game), game)
    return OwnNamedGame(door or Door(game), game)
