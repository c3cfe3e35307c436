"""Laws of games whose rules are a class."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from . import _native
from ._array_game import ArrayGame
from ._errors import GameError, HindsightError, shown
from ._numbers import MANY
from ._numbers import checked as checked_number
from ._options import seed_number
from ._own_game import Game, M, P, Rules, check_game, has_own, told

if TYPE_CHECKING:
    import random

_LONGEST_GAME = 200


@dataclass(frozen=True)
class _Picture:
    """What must be equal in positions with equal keys."""

    result: int | None
    successors: frozenset[Hashable]


class _Laws(Generic[P, M]):
    """Laws of a game, checked one position after another."""

    def __init__(self, rules: Rules[P, M], again: str) -> None:
        self.rules = rules
        self.again = again
        self.first_with_key: dict[Hashable, tuple[P, _Picture]] = {}

    def broken(self, law: str, position: object, more: str = "") -> GameError:
        """Return the error of a broken law."""
        text = (
            f"a law is broken: {law}{more}; position {shown(position)}; {self.again} shows it again"
        )
        return GameError(text, position)

    def start(self) -> P:
        """Return the start."""
        start = self.rules.start()
        self.hash(start)
        self.equal(start, self.rules.start(), "start() twice gives equal positions", start)
        return start

    def hash(self, position: P) -> int:
        """Return the hash of a position."""
        try:
            return hash(position)
        except Exception as cause:
            raise self.broken("positions can be hashed", position) from cause

    def key(self, position: P) -> Hashable:
        """Return the key of a position."""
        key = self.rules.key(position)
        try:
            hash(key)
        except Exception as cause:
            raise self.broken("keys can be hashed", position, f", not {shown(key)}") from cause
        return key

    def texts(self, moves: list[M], position: P) -> list[str]:
        """Return the texts of moves."""
        try:
            return [str(move) for move in moves]
        except Exception as cause:
            raise self.broken("moves have a text", position) from cause

    def equal(self, one: P, other: P, law: str, at: object) -> None:
        """Check that two positions are equal and have equal hashes."""
        hashes = (self.hash(one), self.hash(other))
        try:
            is_equal = bool(one == other)
        except Exception as cause:
            raise self.broken("positions can be compared", one, f", but {told(cause)}") from cause
        if not is_equal:
            raise self.broken(law, at, f", not {shown(one)} and {shown(other)}")
        if hashes[0] != hashes[1]:
            raise self.broken("equal positions have equal hashes", one)

    def check(self, position: P) -> list[P]:
        """Check the laws at a position, and return its successors."""
        after: list[P] = []
        with self.comparisons_at(position):
            after = self._check(position)
        return after

    def unseen(self, positions: list[P], seen: set[P]) -> list[P]:
        """Return the positions that were not seen before, and note them."""
        new = []
        for position in positions:
            with self.comparisons_at(position):
                if position not in seen:
                    seen.add(position)
                    new.append(position)
        return new

    @contextmanager
    def comparisons_at(self, position: P) -> Iterator[None]:
        """Tell that a comparison, or a hash, raised an exception; the methods have errors."""
        try:
            yield
        except (HindsightError, MemoryError, OutOfTimeError):
            raise
        except Exception as cause:
            law = "positions and keys can be hashed and compared"
            raise self.broken(law, position, f", but {told(cause)}") from cause

    def _check(self, position: P) -> list[P]:
        before = (self.hash(position), shown(position))
        after = self.check_moves(position)
        if self.rules.has_key:
            self.check_key(position, self.picture(position, after))
            self.check_siblings(after)
        if before != (self.hash(position), shown(position)):
            law = "result, moves, play and key leave a position as it is"
            raise self.broken(law, position, f", which was {before[1]}")
        return after

    def check_moves(self, position: P) -> list[P]:
        """Check result, moves and play, and return the successors."""
        rules = self.rules
        result = rules.result(position)
        if result != rules.result(position):
            raise self.broken("result() of a position is always the same", position)
        if result is not None:
            return []
        moves = rules.moves(position)
        texts = self.texts(moves, position)
        again = self.texts(rules.moves(position), position)
        if texts != again:
            more = f", not {shown(texts)} and then {shown(again)}"
            raise self.broken("moves() of a position is always the same", position, more)
        if len(set(texts)) < len(texts):
            twice = next(text for i, text in enumerate(texts) if text in texts[:i])
            raise self.broken("moves have different texts", position, f", not twice {shown(twice)}")
        after = [rules.play(position, move) for move in moves]
        for move, one in zip(moves, after, strict=True):
            law = f"play() of the move {shown(move)} twice gives equal positions"
            self.equal(one, rules.play(position, move), law, position)
        rules.check_turns(position, after)
        return after

    def picture(self, position: P, after: list[P]) -> _Picture:
        """Return what must be equal in positions with equal keys."""
        return _Picture(self.rules.result(position), frozenset(map(self.key, after)))

    def check_key(self, position: P, picture: _Picture) -> None:
        """Check that the key merges only positions that are interchangeable."""
        key = self.key(position)
        if key != self.key(position):
            raise self.broken("key() of a position is always the same", position)
        first, expected = self.first_with_key.setdefault(key, (position, picture))
        if picture != expected:
            what = "results" if picture.result != expected.result else "keys after their moves"
            law = f"positions with equal keys have equal {what}"
            raise self.broken(law, position, f", and {shown(first)} has the same key")

    def check_siblings(self, after: list[P]) -> None:
        """Check the key of two different positions that are one move away and have the same key.

        Random games alone seldom meet two positions with the same key.
        """
        first: dict[Hashable, P] = {}
        pairs = []
        for position in after:
            other = first.setdefault(self.key(position), position)
            if other != position:
                pairs.append((other, position))
        if pairs:
            # Another kind of pair at each position.
            for position in pairs[len(self.first_with_key) % len(pairs)]:
                self.check_key(position, self.picture(position, self.after(position)))

    def after(self, position: P) -> list[P]:
        """Return the positions after each move."""
        if self.rules.result(position) is not None:
            return []
        return [self.rules.play(position, move) for move in self.rules.moves(position)]


def laws(game: Game[P, M] | ArrayGame, *, positions: int = 10_000, seed: int = 1) -> None:
    """Check the laws of a game of yours on positions of random games.

    Of a `Game`:

    * A position can be hashed, and equal positions have equal hashes.
    * The methods return the same each time, and leave positions as they are.
    * Where the game goes on there is a move, and moves have different texts.
    * Positions with equal keys have the same result and, after their moves, the same set of keys.
    * If the game has a ``player``, the two players move in turn.

    Of an `ArrayGame`: `expand` answers always the same, and about many positions as about one; each
    move has another name, each position another text, which is read back; `canonical` of a position
    has the same result, and the same successors up to symmetry.

    Of both, if they number positions: a rank has the position that has the rank, or one with the
    same result and the same ranks after its moves, none of them in a later tier.

    Args:
        game: The game.
        positions: Number of positions.
        seed: Seed of the random games, each of 200 plies at most.

    Raises:
        GameError: A law is broken; the message names it, the position and the seed.
        SolveError: A player moves twice; the message names the position and the move.

    >>> import hindsight_games as hs
    >>> class Forgetful(hs.Game[tuple[int, ...], int]):
    ...     turns = "alternate"
    ...
    ...     def start(self):
    ...         return (3, 5)
    ...
    ...     def result(self, heaps):
    ...         return None if any(heaps) else "loss"
    ...
    ...     def moves(self, heaps):
    ...         return [i for i, heap in enumerate(heaps) if heap]
    ...
    ...     def play(self, heaps, i):
    ...         return tuple(heap - (i == j) for j, heap in enumerate(heaps))
    ...
    ...     def key(self, heaps):
    ...         return max(heaps)
    >>> try:
    ...     hs.laws(Forgetful(), positions=100)
    ... except hs.GameError as error:
    ...     print(error)  # doctest: +ELLIPSIS
    a law is broken: positions with equal keys have equal keys after their moves, and ...
    """
    import random

    positions = checked_number("positions", positions, 0, MANY)
    if isinstance(game, ArrayGame):
        _check_together(game, positions, seed_number(seed))
        return
    check_game(game, "laws")
    checked: _Laws[P, M] = _Laws(Rules(game), f"laws(.., positions={positions}, seed={seed})")
    for _ in zip(
        range(positions), _random_games(checked, random.Random(seed_number(seed))), strict=False
    ):
        _native.look()
    if has_own(game, "rank"):
        _check_together(game, positions, seed_number(seed))


def _check_together(game: Game[P, M] | ArrayGame, positions: int, seed: int) -> None:
    """Check the laws that are those of any game, of many positions at a time."""
    from ._own_handle import own_game

    broken = own_game(game)._rules.broken_law(positions, seed)
    if broken is not None:
        law, position = broken
        again = f"laws(.., positions={positions}, seed={seed}) shows it again"
        raise GameError(f"a law is broken: {law}; position {position}; {again}", position)


def _random_games(checked: _Laws[P, M], rng: random.Random) -> Iterator[P]:
    """Yield positions of random games, one game after the other, each of them checked."""
    while True:
        position = checked.start()
        for _ in range(_LONGEST_GAME):
            after = checked.check(position)
            yield position
            if not after:
                break
            position = rng.choice(after)


class OutOfTimeError(Exception):
    """There is no time left to check more."""


class _TimedRules(Rules[P, M]):
    """Calls of the methods of a game, up to some time."""

    def __init__(self, game: Game[P, M], end: float) -> None:
        super().__init__(game)
        self.end = end

    def result(self, position: P) -> int | None:
        self.look()
        return super().result(position)

    def moves(self, position: P) -> list[M]:
        self.look()
        return super().moves(position)

    def play(self, position: P, move: M) -> P:
        self.look()
        return super().play(position, move)

    def key(self, position: P) -> Hashable:
        self.look()
        return super().key(position)

    def player(self, position: P) -> object:
        self.look()
        return super().player(position)

    def look(self) -> None:
        if time.monotonic() > self.end:
            raise OutOfTimeError


def check_first(game: Game[P, M], positions: int, seconds: float | None) -> Iterator[None]:
    """Check the laws on the first positions that a solve meets, one each time it is advanced.

    The positions of these checks are met once more by the solve, which looks at its limits in
    between. The checks end with the time.
    """
    if positions == 0:
        return
    end = math.inf if seconds is None else time.monotonic() + seconds
    checked: _Laws[P, M] = _Laws(_TimedRules(game, end), f"solve(.., check={positions})")
    with suppress(OutOfTimeError):
        yield from _check_first(checked, positions)


def _check_first(checked: _Laws[P, M], positions: int) -> Iterator[None]:
    found = [checked.start()]
    seen = {found[0]}
    for number in range(positions):
        if number == len(found):
            break
        after = checked.check(found[number])
        if len(found) < positions:
            found += checked.unseen(after, seen)[: positions - len(found)]
        yield
