"""Solved games whose rules are a class."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from . import _native
from ._counts import histogram_array
from ._errors import GameError, NotInTable, SolveError, shown, unpicklable
from ._numbers import MANY, checked
from ._options import Path, path_text, seed_number
from ._own_game import Game, M, P, Rules
from ._own_handle import OwnNamedGame
from ._own_line import OwnLine, best_line
from ._pickled import Saved, State, solved_of
from ._value import Result, Value, known_value
from ._values import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = tuple[list[Hashable], NDArray[np.int8], NDArray[np.uint16], list[int]]

S = TypeVar("S", bound="OwnValues[Any, Any]")
T = TypeVar("T")


class _Start:
    """Mark of the start of a game, where any object may be a position."""

    def __repr__(self) -> str:
        return "the start"


_START: Any = _Start()


@dataclass(frozen=True)
class OwnRatedMove(Generic[P, M]):
    """A legal move of a game of yours, with its value.

    Attributes:
        move: The move.
        value: Value for the player who makes the move, who counts it as a ply.
        to: The position after the move.
        gives: Value given away: the difference of results, 0 for a move that keeps the result, 1
            for a win made a draw or a draw made a loss, 2 for a win made a loss.
    """

    move: M
    value: Value
    to: P
    gives: int


class OwnValues(Generic[P, M]):
    """Values of a game whose rules are a class: what `OwnSolution` and `SpielSolution` share."""

    def __init__(self, rules: Any, named: OwnNamedGame, native: _native.Solved) -> None:
        """Wrap a native solution; the rules are as `Rules`."""
        self._rules: Any = rules
        self._named = named
        self._native = native
        self._native_values = native.values()

    @property
    def _values(self) -> _native.Values:
        self._check_values()
        return self._native_values

    def _save_table(self, path: str) -> None:
        """Write the positions and their values to a table."""
        self._named.check_table(by_bytes=True, solved=self._native)
        self._native.save(path, None)

    def _check_values(self) -> None:
        """Raise an error after a search, which has kept no values."""
        if not self._native.has_values():
            text = f"a search of {self._named} has kept no values: solver='graph' keeps them"
            raise SolveError(text)

    @property
    def named(self) -> OwnNamedGame:
        """The game with positions as texts: for `match`, `analyse`, `puzzles` and `serve`."""
        return self._named

    @property
    def by_text(self) -> Values:
        """The same values, with positions and moves as texts of `named`."""
        return _ByText(self._named, self._values)

    @property
    def start(self) -> Value:
        """Value of the start; a search does not find its plies."""
        return known_value(self._native.start())

    @property
    def positions(self) -> int:
        """Number of positions; those that are equal by symmetry are one."""
        return self._counts()[0]

    @property
    def edges(self) -> int:
        """Number of moves between them."""
        return self._counts()[1]

    @property
    def counts(self) -> dict[str, int]:
        """Number of positions by result: 'win', 'draw' and 'loss'."""
        _, _, wins, losses, draws = self._counts()
        return {"win": wins, "draw": draws, "loss": losses}

    def _counts(self) -> list[int]:
        self._check_values()
        return [count or 0 for count in self._native.counts()]

    @property
    def histogram(self) -> NDArray[np.void]:
        """Number of positions of each value.

        A row has the fields ``value`` (1, 0, -1), ``remoteness`` (65535 for draws) and
        ``positions``.
        """
        self._check_values()
        return histogram_array(self._native.histogram() or [])

    @property
    def signature(self) -> str:
        """Counts and a hash of the histogram; equal for solves of one set that agree."""
        self._check_values()
        return self._native.signature() or ""

    def value(self, position: P) -> Value:
        """Return the value of a position for the side to move.

        Raises:
            NotInTable: The position cannot be reached from the start.
            GameError: It is no position: it has no key, or none that can be hashed.
        """
        self._check_values()
        pair = self._named._rules.value(self._native, position)
        if pair is None:
            raise NotInTable(f"no play from the start leads to position {shown(position)}")
        return known_value(pair)

    def __getitem__(self, position: P) -> Value:
        """Return the value of a position for the side to move."""
        return self.value(position)

    @overload
    def get(self, position: P) -> Value | None: ...

    @overload
    def get(self, position: P, default: T) -> Value | T: ...

    def get(self, position: P, default: T | None = None) -> Value | T | None:
        """Return the value of a position, or a default if it is none that can be reached."""
        try:
            return self.value(position)
        except (NotInTable, GameError, TypeError):
            # What is no position, has no key, or none that can be hashed, was not met.
            return default

    def __contains__(self, position: P) -> bool:
        """Return whether this is a position that can be reached from the start."""
        return self.get(position) is not None

    def moves(self, position: P) -> list[OwnRatedMove[P, M]]:
        """Return the moves of a position with their values, best first; none if it is over.

        Of equally good moves the first is that which the game lists first.
        """
        own = self.value(position)
        if self._rules.result(position) is not None:
            return []
        rated = []
        for move in self._rules.moves(position):
            to = self._rules.play(position, move)
            value = _before(self.value(to))
            rated.append(OwnRatedMove(move, value, to, own.wdl - value.wdl))
        return sorted(rated, key=lambda rated: rated.value, reverse=True)

    def best(self, position: P) -> list[M]:
        """Return the best moves of a position: the quickest win, a draw, or the slowest loss."""
        rated = self.moves(position)
        return [move.move for move in rated if move.value == rated[0].value]

    def line(self, position: P = _START) -> OwnLine[P, M]:
        """Return best play from a position, or from the start.

        Of equally good moves the first is played. A draw goes the shortest way to a drawn end or
        into a cycle.
        """
        return best_line(self, self._rules.start() if position is _START else position)

    def _key(self, position: P) -> Hashable:
        key: Hashable = self._rules.key(position)
        return key

    def arrays(self) -> tuple[list[Hashable], NDArray[np.int8], NDArray[np.uint16]]:
        """Return all keys with their results and plies, the start first.

        The key is the position itself unless the game has a ``key``. Results are 1, 0 and -1 for
        the side to move; the plies of draws are 65535.
        """
        self._check_values()
        keys, wdl, plies = self._named._rules.reached(self._native, 0, MANY)
        return [self._label(key) for key in keys], wdl, plies

    def _label(self, position: P) -> Hashable:
        """Return the key of a position that the native part has."""
        key: Hashable = self._rules.key(position)
        return key

    def _moves_of(self, position: P) -> int:
        """Return the number of moves of a position that the native part has."""
        if self._rules.result(position) is not None:
            return 0
        return len(self._rules.moves(position))

    def rows(self, begin: int, end: int) -> Rows:
        """Return keys, results, plies and numbers of moves of some positions, by their numbers."""
        found, wdl, plies = self._named._rules.reached(self._native, begin, end)
        keys = [self._label(position) for position in found]
        return keys, wdl, plies, [self._moves_of(position) for position in found]

    def save(self, path: Path) -> None:
        """Write all values to a file: a row for each position, the start first.

        The columns are ``key`` (the key if it is a string that UTF-8 can hold, else its repr),
        ``wdl`` (1, 0, -1), ``plies`` (65535 for draws) and ``moves`` (the number of moves). A file
        for NumPy has ``key_bytes``, the UTF-8 of all keys one after the other, and ``key_ends``
        instead of ``key``: the first is ``bytes(key_bytes[:key_ends[0]]).decode()``, the next one
        begins where it ends.

        A table is opened again by `open` with the rules. For one the rules need a `version`, which
        is to change with them. Positions of a `Game` without `pack` are made of numbers, strings,
        bytes and tuples, and take 31 bytes at most.

        Args:
            path: File whose name ends in .csv, .npz (NumPy), .parquet (which needs
                ``pip install pyarrow``) or .table. An old file is replaced.

        Raises:
            TableError: The file cannot be written.
            SolveError: The rules have no version, or a position has no bytes, for a table.
        """
        from ._own_file import save

        save(self, path_text(path))

    def __copy__(self: S) -> S:
        """Return the solution, which never changes."""
        return self

    def __deepcopy__(self: S, memo: dict[int, Any]) -> S:
        """Return the solution, which never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to unpickle the solution: by its rules and its table."""
        try:
            self._named.check_table(by_bytes=True, solved=self._native)
        except SolveError as cause:
            raise unpicklable(self, str(cause)) from cause
        saved = Saved(self, self._native)
        return (_unpickled, (type(self), self._named, saved, self._more()))

    def _more(self) -> tuple[Any, ...]:
        """Return what is pickled beside the values."""
        return ()

    def __repr__(self) -> str:
        """Return class of the game and value of the start."""
        return f"<{type(self).__name__} of {self._rules.game}: {self.start}>"


def _unpickled(kind: Any, named: OwnNamedGame, state: State, more: tuple[Any, ...]) -> Any:
    """Return the solution of a pickle."""
    return kind(named.rules, named, solved_of(state, named.known()), *more)


class _ByText(Values):
    """Values of a game of the user, with positions as texts."""

    def __init__(self, game: OwnNamedGame, native: _native.Values) -> None:
        self._game = game
        self._native_values = native

    @property
    def _values(self) -> _native.Values:
        return self._native_values


class OwnSolution(OwnValues[P, M]):
    """Solved game whose rules are a class: the value of each position that can be reached.

    `solve()` of a `Game` makes it.

    >>> import hindsight_games as hs
    >>> class Walk(hs.Game[int, int]):
    ...     "A piece on a ring of ten squares; whoever moves it to square 3 wins."
    ...
    ...     turns = "alternate"
    ...
    ...     def start(self):
    ...         return 0
    ...
    ...     def result(self, square):
    ...         return "loss" if square == 3 else None
    ...
    ...     def moves(self, square):
    ...         return [1, 4]
    ...
    ...     def play(self, square, step):
    ...         return (square + step) % 10
    >>> solution = hs.solve(Walk())
    >>> str(solution.start), solution.positions, solution.edges
    ('draw', 10, 18)
    >>> [(m.move, str(m.value)) for m in solution.moves(2)]
    [(1, 'win in 1 ply'), (4, 'draw')]
    >>> str(solution.line()), solution.line().positions, solution.get(99)
    ('1 4 1 4', [0, 1, 5, 6, 0], None)
    >>> keys, wdl, plies = solution.arrays()
    >>> keys[:3], wdl[:3].tolist(), plies[:3].tolist()
    ([0, 1, 4], [0, 0, 1], [65535, 65535, 3])
    """

    def __init__(self, game: Game[P, M], named: OwnNamedGame, native: _native.Solved) -> None:
        """Wrap a native solution."""
        super().__init__(Rules(game), named, native)

    @property
    def game(self) -> Game[P, M]:
        """The game."""
        game: Game[P, M] = self._rules.game
        return game

    def sample(
        self,
        count: int,
        *,
        seed: int = 1,
        value: Result | None = None,
        min_plies: int = 0,
        max_plies: int | None = None,
    ) -> list[P]:
        """Return different positions drawn at random.

        Fewer are returned where there are not so many. The same seed gives the same ones. Of those
        with equal keys it is the one that was met first.

        Args:
            count: Number of positions.
            seed: Seed of the draw.
            value: Result for the side to move that is wanted.
            min_plies: Fewest plies to the end; draws have none and are left out if it is not 0.
            max_plies: Most plies to the end, likewise.
        """
        chosen = draw_numbers(self, count, seed, value, min_plies, max_plies)
        return [self._position(number) for number in chosen]

    def _position(self, number: int) -> P:
        position: P = self._named._rules.reached(self._native, number, number + 1)[0][0]
        return position


def draw_numbers(
    solution: OwnValues[Any, Any],
    count: int,
    seed: int,
    value: Result | None,
    min_plies: int,
    max_plies: int | None,
) -> list[int]:
    """Return the numbers of different positions drawn at random."""
    import random

    import numpy as np

    count, min_plies = checked("count", count, 0, MANY), checked("min_plies", min_plies, 0, MANY)
    solution._check_values()
    wdl, plies = solution._named._rules.arrays(solution._native)
    wanted = np.ones(len(wdl), dtype=bool)
    if value is not None:
        wanted &= wdl == Value(value).wdl
    if min_plies > 0 or max_plies is not None:
        most = np.inf if max_plies is None else checked("max_plies", max_plies, 0, MANY)
        wanted &= (wdl != 0) & (plies >= min_plies) & (plies <= most)
    numbers = np.flatnonzero(wanted).tolist()
    return random.Random(seed_number(seed)).sample(numbers, min(count, len(numbers)))


def _before(value: Value) -> Value:
    """Return the value for the player who moves to a position of this value."""
    if value.remoteness is None:
        return value
    return Value("loss" if value.wdl > 0 else "win", value.remoteness + 1)
