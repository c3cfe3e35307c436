"""Rules of games as classes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from itertools import islice
from typing import ClassVar, Generic, Literal, TypeVar

from ._errors import GameError, SolveError, game_error, shown
from ._value import Result

P = TypeVar("P", bound=Hashable)
M = TypeVar("M")

MOST_MOVES = 32_766
"""The most moves of a position that the solver counts."""

NUMBERS: dict[object, int] = {"win": 1, "draw": 0, "loss": -1}


class Game(ABC, Generic[P, M]):
    """Rules of a game for two players who move in turn, without chance or secrets.

    Subclass it, and `solve()` finds the value of every position. Positions may repeat: play that
    never ends is a draw. A position is a tuple, a string or anything else that can be hashed and
    never changes. It holds all that matters for the rest of the game, whose turn it is included,
    and equal positions are interchangeable. Often it is best seen from the side to move.

    After each move it is the other player's turn: a player who has to pass does so by a move of
    its own, such as 'pass'. A class says so by ``turns = "alternate"``, and a game in which a
    player moves twice is then solved wrong; or its `player` tells whose turn it is, and such a game
    is refused. A class that says neither gets a `TurnsWarning`.

    Numbers, None, strings, bytes and tuples of them, named ones too, take few bytes each, as long
    as they fit in 32. Any other position is kept as an object, which takes some hundred bytes.
    `True` comes back as 1 and 2.0 as 2, to which they are equal.

    The solver counts up to 32,766 moves of a position (more are a `GameError`) and 16,382 plies to
    the end of a game (more are a `LimitError`).

    >>> import hindsight_games as hs
    >>> class TakeAway(hs.Game[int, int]):
    ...     "A heap of stones. A move takes one or two; whoever takes the last one wins."
    ...
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
    >>> solution = hs.solve(TakeAway())
    >>> str(solution.start), solution.best(20)
    ('win in 13 plies', [2])
    """

    turns: ClassVar[Literal["alternate"] | None] = None
    """'alternate' if the players move in turn, and `player` need not tell."""
    version: ClassVar[str] = ""
    """Text that tells these rules from others of the same name; tables need it."""
    position_bytes: ClassVar[int | None] = None
    """Bytes of a position, from 5 to 32; by default random games tell."""

    @abstractmethod
    def start(self) -> P:
        """Return the first position."""

    def result(self, position: P, /) -> Result | None:
        """Return 'win', 'draw' or 'loss' for the side to move if the game is over, else None.

        It is asked before `moves`, which is asked only where the game goes on. A position in which
        the game goes on must have a move.
        """
        return None

    @abstractmethod
    def moves(self, position: P, /) -> Iterable[M]:
        """Return the legal moves: anything that has a text, each with another one."""

    @abstractmethod
    def play(self, position: P, move: M, /) -> P:
        """Return the position after a move. The old one must not change."""

    def name(self, position: P, move: M, /) -> str:
        """Return the name of a move, by default its text; optional.

        Where positions and moves are texts, it is shown as one word.
        """
        return str(move)

    def key(self, position: P, /) -> Hashable:
        """Return what positions have in common that are equal by symmetry; optional.

        Positions with equal keys are solved as one. They must have the same result and, by their
        moves, the same set of keys. The default is the position itself.
        """
        return position

    def canonical(self, position: P, /) -> P:
        """Return the position that stands for all that are equal by symmetry; optional.

        It does what `key` does, without a table of keys, which takes 30 to 100 bytes a position.
        """
        return position

    def pack(self, position: P, /) -> bytes:
        """Return a position as bytes, as many for each, at most 32; optional, with `unpack`."""
        raise NotImplementedError

    def unpack(self, packed: bytes, /) -> P:
        """Return the position of some bytes that `pack` returned; optional."""
        raise NotImplementedError

    def tiers(self) -> Iterable[int]:
        """Return the number of ranks of each tier; optional, with `rank` and `unrank`.

        A game that numbers its positions has tables (``hs.solve(.., out=)``). Most games need one
        tier. A move stays in its tier or leads to an earlier one.
        """
        raise NotImplementedError

    def rank(self, position: P, /) -> int | tuple[int, int] | None:
        """Return the rank of a position, from 0, or its tier and rank; optional.

        Positions of one rank have one value. None is for those in which the game is over.
        """
        raise NotImplementedError

    def unrank(self, tier: int, rank: int, /) -> P | None:
        """Return the position of a rank, or None if it has none; optional."""
        raise NotImplementedError

    def format(self, position: P, /) -> str:
        """Return the text of a position in one line; optional.

        A first word with slashes, such as ``x.o/.x./o..``, is drawn as the rows of a board.
        """
        raise NotImplementedError

    def parse(self, text: str, /) -> P:
        """Return the position of a text of `format`, or raise a ValueError; optional.

        Without it, texts of positions that were shown are read, and those of numbers, strings and
        tuples.
        """
        raise NotImplementedError

    def player(self, position: P, /) -> object:
        """Return the player to move, such as 0 or 'white'; optional.

        Where the game is over, it is the player for whom `result` is. With it `solve()` and
        `laws()` refuse a game in which a move leads to a position of the same player.

        >>> import hindsight_games as hs
        >>> class Dots(hs.Game[tuple[int, str], int]):
        ...     "Whoever takes two of five stones moves again. The last one wins."
        ...
        ...     def start(self):
        ...         return (5, "left")
        ...
        ...     def player(self, position):
        ...         return position[1]
        ...
        ...     def result(self, position):
        ...         return "loss" if position[0] == 0 else None
        ...
        ...     def moves(self, position):
        ...         return [taken for taken in (1, 2) if taken <= position[0]]
        ...
        ...     def play(self, position, taken):
        ...         other = "right" if position[1] == "left" else "left"
        ...         return (position[0] - taken, position[1] if taken == 2 else other)
        >>> try:
        ...     hs.solve(Dots())
        ... except hs.SolveError as error:
        ...     print(error)  # doctest: +NORMALIZE_WHITESPACE
        Dots cannot be solved: the move 2 leads from the position (5, 'left') to (3, 'left'), in
        which it is the same player's turn, 'left'; the players must move in turn, and who passes
        makes a move of its own
        """
        return None

    def __str__(self) -> str:
        """Return the name of the class."""
        return type(self).__name__


def has_own(game: Game[P, M], name: str) -> bool:
    """Return whether a game has its own form of an optional method."""
    return getattr(getattr(game, name), "__func__", None) is not getattr(Game, name)


def check_game(game: object, function: str) -> None:
    """Raise an error unless this is a game."""
    if isinstance(game, type) and issubclass(game, Game):
        raise TypeError(f"{function}() takes an instance of a Game, such as {game.__name__}()")
    if not isinstance(game, Game):
        raise TypeError(f"{function}() takes a Game of yours, not {shown(game)}")


def told(cause: BaseException) -> str:
    r"""Return class and text of an exception on one line, cut where it is long.

    >>> told(ValueError("two\nlines")), told(ValueError())
    ('ValueError: two lines', 'ValueError')
    """
    name = type(cause).__name__
    try:
        text = " ".join(str(cause).split())
    except Exception:
        return f"{name}, whose text cannot be read"
    return name if not text else f"{name}: {text if len(text) <= 200 else text[:197] + '...'}"


def broken(text: str, position: object, cause: BaseException) -> GameError:
    """Return the error of rules that raised an exception, which becomes its cause."""
    error = game_error(f"{text} raised {told(cause)}", position)
    error.__cause__ = cause
    return error


class Rules(Generic[P, M]):
    """Calls of the methods of a game, whose faults become a `GameError`."""

    def __init__(self, game: Game[P, M]) -> None:
        """Take the methods of a game once."""
        self.game = game
        self._key = game.key if has_own(game, "key") else None
        self._player = game.player if has_own(game, "player") else None
        self._players: list[object] = []

    @property
    def has_key(self) -> bool:
        """Whether keys are other than positions."""
        return self._key is not None

    @property
    def has_player(self) -> bool:
        """Whether the game tells whose turn it is."""
        return self._player is not None

    def start(self) -> P:
        """Return the first position."""
        try:
            return self.game.start()
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            raise GameError(f"start() raised {told(cause)}") from cause

    def result(self, position: P) -> int | None:
        """Return 1, 0 or -1 if the game is over, else None."""
        try:
            word = self.game.result(position)
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            raise broken("result()", position, cause) from cause
        return None if word is None else number_of_result(word, position)

    def moves(self, position: P) -> list[M]:
        """Return the moves of a position in which the game goes on."""
        try:
            found = self.game.moves(position)
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            raise broken("moves()", position, cause) from cause
        try:
            iterator = islice(found, MOST_MOVES + 1)
        except TypeError as cause:
            text = f"moves() returned {shown(found)}, which is no list of moves"
            raise game_error(text, position) from cause
        except Exception as cause:
            raise broken("moves()", position, cause) from cause
        try:
            moves = list(iterator)
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            raise broken("moves()", position, cause) from cause
        if not moves:
            text = (
                "there is no move and no result: where nobody can move, result() must be 'win', "
                "'draw' or 'loss'"
            )
            raise game_error(text, position)
        if len(moves) > MOST_MOVES:
            raise game_error(f"a position has more than {MOST_MOVES:,} moves", position)
        return moves

    def play(self, position: P, move: M) -> P:
        """Return the position after a move."""
        try:
            return self.game.play(position, move)
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            raise broken(f"play() of the move {shown(move)}", position, cause) from cause

    def key(self, position: P) -> Hashable:
        """Return the key of a position."""
        if self._key is None:
            return position
        try:
            return self._key(position)
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            raise broken("key()", position, cause) from cause

    def player(self, position: P) -> object:
        """Return the player to move, if the game tells."""
        if self._player is None:
            return None
        try:
            return self._player(position)
        except (GameError, MemoryError):
            raise
        except Exception as cause:
            raise broken("player()", position, cause) from cause

    def check_turns(self, position: P, after: list[P]) -> None:
        """Raise an error if a player moves twice, or there are more than two of them."""
        if self._player is None:
            return
        mover = self.player(position)
        for number, to in enumerate(after):
            other = self.player(to)
            if other == mover:
                raise self._moves_twice(position, number, to, mover)
            for player in (mover, other):
                if player not in self._players:
                    self._players.append(player)
            if len(self._players) > 2:
                players = ", ".join(map(shown, self._players))
                text = f"{self.game} cannot be solved: it has more than two players, {players}"
                raise SolveError(text)

    def _moves_twice(self, position: P, number: int, to: P, player: object) -> SolveError:
        """Return the error of a move that leaves the turn to its player."""
        move = shown(self.moves(position)[number])
        return SolveError(
            f"{self.game} cannot be solved: the move {move} leads from the position "
            f"{shown(position)} to {shown(to)}, in which it is the same player's turn, "
            f"{shown(player)}; the players must move in turn, and who passes makes a move of its "
            "own"
        )


def number_of_result(word: object, position: object) -> int:
    """Return 1, 0 or -1 for the word of a result."""
    cause = None
    try:
        return NUMBERS[word]
    except KeyError:
        pass
    except Exception as error:
        cause = error
    text = f"result() returned {shown(word)}, not 'win', 'draw', 'loss' or None"
    raise game_error(text, position) from cause
