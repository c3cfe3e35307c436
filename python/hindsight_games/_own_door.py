"""Doors of classes: what the native module asks of the rules of a user."""

from __future__ import annotations

import ast
import itertools
import math
import operator
import os
import re
import time
import warnings
from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from typing import Any
from weakref import WeakSet
from zlib import crc32

from ._errors import GameError, HindsightError, SolveError, game_error, shown
from ._own_game import MOST_MOVES, NUMBERS, Game, Rules, broken, has_own, told

SAMPLES = 300
"""Positions of random games by which the size of a position is found."""
SAMPLE_SECONDS = 0.2

Expander = Callable[[list[Any]], list[Any]]
"""Function that expands positions: an int is a result, a list has the positions after each move.

A pair has the list, and the player to move in each of them or, where positions are known by keys,
their keys.
"""

_numbers = itertools.count(1)
_warned: WeakSet[type] = WeakSet()


class TurnsWarning(UserWarning):
    """A class does not say whose turn it is."""


class Names:
    """Names of a game: they are those of one object alone."""

    def __init__(self, game: object, version: object) -> None:
        """Make names for an object."""
        name = " ".join("".join(c if c.isprintable() else " " for c in _text(game)).split())
        self.name = name[:64].strip() or type(game).__name__[:64]
        word = re.sub(r"[^A-Za-z0-9_.=,()-]+", "-", self.name).strip("-")
        self.spec = f"own:{word or 'game'}:{next(_numbers)}"
        self.version = "".join(c if c.isprintable() else " " for c in _text(version))[:64].strip()
        self.object = os.urandom(8).hex()


def _text(thing: object) -> str:
    try:
        return str(thing)
    except Exception as cause:
        raise GameError(f"str() of a game raised {told(cause)}") from cause


def _check_hash(start: Any) -> None:
    try:
        hash(start)
    except Exception as cause:
        text = (
            "a position, or its key, cannot be hashed: it must be a tuple, a string or another "
            "object that never changes"
        )
        raise game_error(text, start) from cause


def tells_alternate(game: object) -> bool:
    """Return whether a game says that the players move in turn; warn once if it says nothing."""
    turns = getattr(game, "turns", None)
    if turns is None:
        kind = type(game)
        if kind not in _warned:
            _warned.add(kind)
            text = (
                f"{kind.__name__} says neither turns = 'alternate' nor player(position): the "
                "players are taken to move in turn"
            )
            warnings.warn(text, TurnsWarning, stacklevel=_depth())
        return False
    if turns != "alternate":
        raise GameError(f"turns of a game are 'alternate', not {shown(turns)}")
    return True


def _depth() -> int:
    """Return the level of the caller outside of this package, for a warning."""
    import sys

    folder, level = os.path.dirname(__file__), 1
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        frame, level = frame.f_back, level + 1
    return level


class Door:
    """Calls of the methods of a class by the native module, which reads the attributes once."""

    start_bytes = None

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        checks: Iterator[None] | None = None,
        expand: Expander | None = None,
        identity: Callable[[Any], Hashable] | None = None,
        keeps_objects: bool = True,
        find: Callable[[Hashable], Any] | None = None,
        start: Any = None,
    ) -> None:
        """Open the door of a game.

        Args:
            game: The game.
            checks: Checks of the laws, one for each position that is expanded.
            expand: Expands positions instead of the methods of the game.
            identity: Key that tells positions apart.
            keeps_objects: Whether these are kept once they are expanded.
            find: Returns the position of a key that was not met.
            start: The start, if it is known.
        """
        self._rules = rules = Rules(game)
        self._checks = checks
        self._players: list[Any] = []
        self._identity = identity
        self.tells_turns = rules.has_player and identity is None
        if not self.tells_turns and identity is None:
            tells_alternate(game)
        names = Names(game, getattr(game, "version", ""))
        self.name, self.spec = names.name, names.spec
        self.version, self.object = names.version, names.object
        self.tiers = tier_lengths(game, lambda name: has_own(game, name))
        self.start = rules.start() if start is None else start
        if identity is None:
            _check_hash(self.start)
        self.position_bytes = getattr(game, "position_bytes", None)
        self.pack = self._pack if has_own(game, "pack") else None
        self.unpack = self._unpack if has_own(game, "unpack") else None
        if (self.pack is None) != (self.unpack is None):
            raise GameError(f"{self.name} has one of pack and unpack, and both are needed")
        self._canonical = game.canonical if has_own(game, "canonical") else None
        has_key = rules.has_key and identity is None and self._canonical is None
        self.has_symmetry = has_key or self._canonical is not None
        self.keeps_objects, self.find = keeps_objects, find
        self._has_format, self._has_parse = has_own(game, "format"), has_own(game, "parse")
        self._texts: dict[str, Any] = {}
        self._packed_bytes = 0
        self.expand: Expander = expand or self._expander()
        is_by_parts = self.pack is None and not has_key and not self.tiers
        self.has_lasting_bytes = is_by_parts and bool(self.version)
        self.start_mark = None if identity is None else identity(self.start)
        samples = self._sampled() if self.pack is None else []
        self.samples = samples if identity is None else []
        self.identity_samples = None if identity is None else samples
        if self.tells_turns:
            self.player_number(self.start)
        self.players = self._names_of_players()
        self.key_samples = self._keys() if has_key else None

    def identity(self, position: Any) -> Hashable:
        """Return the key that tells a position apart."""
        assert self._identity is not None
        return self._identity(position)

    def _expander(self) -> Expander:
        """Return the function that expands positions."""
        game, slowly, most = self._rules.game, self._expand_slowly, MOST_MOVES + 1
        result, moves, play, numbers = game.result, game.moves, game.play, NUMBERS
        add_players = self._with_players if self.tells_turns else None

        def expand(positions: list[Any]) -> list[Any]:
            if self._checks is not None:
                self._check(len(positions))
            answers: list[Any] = []
            add = answers.append
            for position in positions:
                try:
                    word = result(position)
                    if word is not None:
                        add(numbers[word])
                        continue
                    after = [play(position, move) for move in islice(moves(position), most)]
                    if not 0 < len(after) < most:
                        after = slowly(position, None)
                except HindsightError:
                    raise
                except Exception as cause:
                    after = slowly(position, cause)
                if add_players is None or isinstance(after, int):
                    add(after)
                else:
                    add(add_players(position, after))
            return answers

        return expand

    def _check(self, count: int) -> None:
        """Check the laws at some more positions."""
        for _ in range(count):
            if next(self._checks, True):  # type: ignore[arg-type]
                self._checks = None
                break

    def _expand_slowly(self, position: Any, cause: Exception | None) -> Any:
        """Expand a position at which something failed, with errors that say what."""
        if isinstance(cause, MemoryError):
            raise cause
        number = self._rules.result(position)
        if number is not None:
            return number
        after = [self._rules.play(position, move) for move in self._rules.moves(position)]
        if cause is not None:
            # It did not fail a second time.
            text = f"the rules raised {told(cause)}, once and not again"
            raise broken_once(text, position) from cause
        return after

    def _with_players(self, position: Any, after: list[Any]) -> tuple[list[Any], list[int]]:
        """Return positions with the players to move, who must be the other one."""
        mover, number = self.player_number(position), self.player_number
        players = [number(to) for to in after]
        if mover in players:
            self._rules.check_turns(position, after)
        return after, players

    def player_number(self, position: Any, learns: bool = True) -> Any:
        """Return the player to move, 0 for that of the start; None if new and not to be learned."""
        player = self._rules.player(position)
        try:
            return self._players.index(player)
        except ValueError:
            pass
        except Exception as cause:
            raise broken("the comparison of players", position, cause) from cause
        if not learns:
            return None
        if len(self._players) == 2:
            players = ", ".join(map(shown, [*self._players, player]))
            text = f"{self.name} cannot be solved: it has more than two players, {players}"
            raise SolveError(text)
        self._players.append(player)
        return len(self._players) - 1

    def _sampled(self) -> list[Any]:
        """Return positions of random games or, where keys tell positions apart, their keys.

        Those of a game with lasting bytes are the same in each process: texts tell which moves are
        made, in whatever order these are listed.
        """
        first = self.start if self._identity is None else self.start_mark
        seconds, most = (math.inf, 1000) if self.has_lasting_bytes else (SAMPLE_SECONDS, SAMPLES)
        end = time.monotonic() + seconds
        found, position = [first], self.start
        checks, self._checks = self._checks, None
        for number in range(most):
            if time.monotonic() > end:
                break
            [answer] = self.expand([position])
            if isinstance(answer, int):
                position = self.start
                continue
            after, marks = answer if isinstance(answer, tuple) else (answer, answer)
            marks = after if self._identity is None else marks
            chosen = _chosen(number, marks)
            position = after[chosen]
            found.append(marks[chosen])
        self._checks = checks
        return found

    def _names_of_players(self) -> list[str]:
        names = ["".join(_text(player).split()) for player in self._players]
        names = [name if name and name.isprintable() else "" for name in names]
        if len(names) != 2 or not all(names) or names[0].lower() == names[1].lower():
            return ["First", "Second"]
        return [name[:64] for name in names]

    def _keys(self) -> list[Any]:
        return [self._rules.key(position) for position in self.samples or [self.start]]

    def symmetric(self, positions: list[Any], learns: bool = True) -> list[Any]:
        """Return the keys of positions or, of a game with canonical(), what stands for them."""
        canonical = self._canonical
        if canonical is None:
            key = self._rules.key
            return [key(position) for position in positions]
        found: list[Any] = []
        for position in positions:
            try:
                found.append(canonical(position))
            except Exception as cause:
                raise broken("canonical()", position, cause) from cause
        if self.tells_turns:
            return [(position, self.player_number(position, learns)) for position in found]
        return found

    def _pack(self, position: Any) -> bytes:
        try:
            packed = self._rules.game.pack(position)
        except Exception as cause:
            raise broken("pack()", position, cause) from cause
        if not isinstance(packed, bytes):
            raise game_error(f"pack() returned {shown(packed)}, which is no bytes", position)
        size = self._packed_bytes = self._packed_bytes or len(packed)
        if len(packed) != size:
            text = f"pack() returned {len(packed)} bytes, not {size} as of the start"
            raise game_error(text, position)
        return packed

    def _unpack(self, packed: bytes) -> Any:
        try:
            return self._rules.game.unpack(packed)
        except Exception as cause:
            raise broken("unpack()", packed, cause) from cause

    def rank(self, positions: list[Any]) -> list[tuple[int, int] | None]:
        """Return tier and rank of positions, None where the game is over without."""
        found: list[tuple[int, int] | None] = []
        for position in positions:
            told_rank: Any
            address: tuple[int, int] | None
            try:
                told_rank = self._rules.game.rank(position)
            except Exception as cause:
                raise broken("rank()", position, cause) from cause
            is_pair = isinstance(told_rank, tuple) and len(told_rank) == 2
            try:
                tier, rank = told_rank if is_pair else (0, told_rank)
                address = None if rank is None else (operator.index(tier), operator.index(rank))
            except TypeError:
                address = (0, -1)
            if address is not None and not all(0 <= number < 2**63 for number in address):
                text = f"rank() returned {shown(told_rank)}, not a rank, a tier and a rank, or None"
                raise game_error(text, position)
            found.append(address)
        return found

    def unrank(self, tier: int, ranks: list[int]) -> list[Any]:
        """Return the positions of ranks, None where there is none."""
        found = []
        for rank in ranks:
            try:
                found.append(self._rules.game.unrank(tier, rank))
            except Exception as cause:
                text = f"unrank({tier}, {rank}) raised {told(cause)}"
                raise GameError(text) from cause
        return found

    def names(self, position: Any) -> list[str]:
        """Return the moves of a position in one word each, all of them different."""
        if self._rules.result(position) is not None:
            return []
        return words([self._name(position, move) for move in self._rules.moves(position)])

    def _name(self, position: Any, move: Any) -> str:
        try:
            return str(self._rules.game.name(position, move))
        except Exception as cause:
            raise broken("name() of a move", position, cause) from cause

    def format(self, position: Any) -> str:
        """Return the text of a position, which `parse` reads in this process."""
        game = self._rules.game
        try:
            text = game.format(position) if self._has_format else text_of_position(position)
        except Exception as cause:
            raise broken("format()", position, cause) from cause
        if not isinstance(text, str):
            raise GameError(f"format() returned {shown(text)}, which is no text", position)
        return text if self._has_parse else self._remembered(text, position)

    def _remembered(self, text: str, position: Any) -> str:
        """Return a text by which a position is found again."""
        if self._read(text)[1] is None and self._is_equal(self._read(text)[0], position):
            return text
        for number in itertools.count(1):
            own = text if number == 1 else f"{text} #{number}"
            if self._is_equal(self._texts.setdefault(own, position), position):
                break
        return own

    def _is_equal(self, one: Any, other: Any) -> bool:
        try:
            return bool(one == other)
        except Exception as cause:
            raise broken("the comparison of positions", other, cause) from cause

    def _read(self, text: str) -> tuple[Any, str | None]:
        if text in self._texts:
            return (self._texts[text], None)
        try:
            return (ast.literal_eval(text), None)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            if isinstance(self.start, str):
                return (text, None)
        return (None, f"{shown(text)} is no position that this process has met")

    def parse(self, text: str) -> tuple[Any, str | None]:
        """Return the position of a text, or what is wrong with it."""
        if not self._has_parse:
            return self._read(text)
        try:
            return (self._rules.game.parse(text), None)
        except ValueError as cause:
            return (None, told(cause).partition(": ")[2] or f"{shown(text)} is no position")
        except Exception as cause:
            raise broken("parse()", text, cause) from cause


def tier_lengths(game: Any, has_own: Callable[[str], bool]) -> list[int]:
    """Return the number of ranks of each tier; none if the game has no ranks."""
    parts = ("tiers", "rank", "unrank")
    own = [name for name in parts if has_own(name)]
    if not own:
        return []
    if len(own) < len(parts):
        own_parts = " and ".join(own)
        raise GameError(f"a game with ranks has tiers, rank and unrank, not {own_parts} alone")
    try:
        lengths = [operator.index(length) for length in game.tiers()]
    except Exception as cause:
        raise GameError(f"tiers() raised {told(cause)}") from cause
    if not lengths or any(not 0 <= length < 2**32 for length in lengths):
        raise GameError(f"tiers() returned {shown(lengths)}, not the number of ranks of each tier")
    return lengths


def _chosen(number: int, things: list[Any]) -> int:
    """Return the index of one of some things, at random, by their texts."""

    def draw(index: int) -> int:
        return crc32(f"{number} {things[index]!r}".encode(errors="backslashreplace"))

    try:
        return min(range(len(things)), key=draw)
    except Exception:
        return number % len(things)


def broken_once(text: str, position: Any) -> GameError:
    """Return the error of a fault that did not happen again."""
    return GameError(f"{text}; position {shown(position)}", position)


def words(texts: list[str]) -> list[str]:
    r"""Return texts as words that differ, whatever their letters are.

    >>> words(["a (1, 2)", "A (1,2)", "\n"])
    ['a(1,2)#1', 'A(1,2)#2', '3#3']
    """
    found = []
    for number, text in enumerate(texts, 1):
        word = "".join(c for c in text if c.isprintable() and not c.isspace())
        found.append(word[:200] or str(number))
    if len({word.lower() for word in found}) < len(found):
        found = [f"{word}#{number}" for number, word in enumerate(found, 1)]
    return found


def text_of_position(position: object) -> str:
    """Return the text of a position, in one line.

    >>> text_of_position((1, "a")), text_of_position("x./.o"), text_of_position("5")
    ("(1, 'a')", 'x./.o', "'5'")
    """
    if type(position) is str and position == position.strip() and position.isprintable():
        try:
            ast.literal_eval(position)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            if position:
                return position
    text = " ".join(repr(position).split())
    return text if len(text) < 1000 else f"{text[:900]} .. {text[-90:]}"
