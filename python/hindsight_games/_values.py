"""Values of positions, of a solve or a table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from . import _native
from ._errors import NotInTable, quoted, shown
from ._game import NamedGame, Position
from ._numbers import checked
from ._options import seed_number
from ._value import NO_PLIES, Result, Value, known_value, value_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

MAX_COUNT = 1 << 40


def as_list(texts: Iterable[str]) -> list[str]:
    """Return texts as a list; a single text, which is a common slip, is refused."""
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        what = "a single text" if isinstance(texts, str | bytes) else shown(texts)
        raise TypeError(f"a list of positions is wanted, not {what}")
    return texts if isinstance(texts, list) else list(texts)


def is_mask(errors: str) -> bool:
    """Return whether faults are to be masked, not raised."""
    if errors not in ("raise", "mask"):
        raise ValueError(f"errors is 'raise' or 'mask', not {shown(errors)}")
    return errors == "mask"


@dataclass(frozen=True)
class RatedMove:
    """A legal move with its value.

    Attributes:
        move: The move.
        value: Value for the player who makes the move, who counts it as a ply; None if unknown.
        to: The position after the move.
        gives: Value given away: the difference of results, 0 for a move that keeps the result, 1
            for a win made a draw or a draw made a loss, 2 for a win made a loss; None if unknown.
    """

    move: str
    value: Value | None
    to: Position
    gives: int | None


@dataclass(frozen=True)
class Probe:
    """Value of a position and of its moves.

    Attributes:
        position: The position in its normal form.
        value: Value for the side to move; None if it is not known.
        moves: Legal moves, best first.
    """

    position: Position
    value: Value | None
    moves: list[RatedMove]

    def __str__(self) -> str:
        """Return the position and its moves with their values, a line each."""
        lines = [f"{self.position}: {self.value or 'unknown'}"]
        lines += [f"  {move.move}  {move.value or 'unknown'}" for move in self.moves]
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        return self.position.game.svg(self.position)


@dataclass(frozen=True)
class Line:
    """Best play from a position to the end of the game or, in a draw, into a cycle.

    Attributes:
        moves: The moves.
        positions: The positions before each move, and the last one: one more than moves.
        equally_good: For each move, how many moves are as good, itself included.
        value: Value of the first position for the side to move.
        repeats: Index of the position that the last one repeats; None unless it is a cycle.
    """

    moves: list[str]
    positions: list[Position]
    equally_good: list[int]
    value: Value
    repeats: int | None

    def __len__(self) -> int:
        """Return the number of plies."""
        return len(self.moves)

    def __str__(self) -> str:
        """Return the moves with spaces between them."""
        return " ".join(self.moves)


class Values:
    """Values of the positions of a game: of a `Solution` or a `Table`.

    Positions are strings. A position that is not legal raises `PositionError`, and one whose value
    is not known `NotInTable`.

    >>> import hindsight_games as hs
    >>> values = hs.solve("tic-tac-toe")
    >>> values["xo./.x./..."]
    Value('loss', 4)
    >>> "xo./.x./..." in values
    True
    >>> values.get("xxx/xxx/xxx", None) is None
    True
    """

    _game: NamedGame

    @property
    def _values(self) -> _native.Values:
        raise NotImplementedError

    @property
    def game(self) -> NamedGame:
        """The game."""
        return self._game

    def __getitem__(self, position: str) -> Value:
        """Return the value of a position for the side to move."""
        pair = self._values.probe(position)
        if pair is None:
            raise NotInTable(f"the value of {quoted(position.strip())} is not known")
        return known_value(pair)

    @overload
    def get(self, position: str) -> Value | None: ...

    @overload
    def get(self, position: str, default: T) -> Value | T: ...

    def get(self, position: str, default: Any = None) -> Any:
        """Return the value of a position, or a default if it is not legal or not known."""
        try:
            return self[position]
        except (ValueError, KeyError):
            return default

    def __contains__(self, position: str) -> bool:
        """Return whether a text is a position of known value."""
        return self.get(position, None) is not None

    def probe(self, position: str) -> Probe:
        """Return the value of a position and of each of its moves, best first.

        >>> import hindsight_games as hs
        >>> p = hs.solve("tic-tac-toe").probe("xx./oo./...")
        >>> str(p.value), p.moves[0].move, p.moves[-1].gives
        ('win in 1 ply', 'c3', 2)
        """
        text, pair, moves = self._values.probe_with_moves(position)
        value = value_of(pair)
        rated = []
        for move, move_pair, to in moves:
            known = pair is not None and move_pair is not None
            gives = pair[0] - move_pair[0] if known and pair and move_pair else None
            rated.append(RatedMove(move, value_of(move_pair), Position(to, self._game), gives))
        return Probe(Position(text, self._game), value, rated)

    def line(self, position: str | None = None) -> Line:
        """Return best play from a position, or from the start.

        >>> import hindsight_games as hs
        >>> line = hs.solve("quoridor:3x3:1").line()
        >>> len(line), str(line.value)
        (8, 'loss in 8 plies')
        """
        text = self._game.start if position is None else position
        answer: dict[str, Any] = json.loads(self._values.line(text))
        plies = answer["line"]
        texts = [ply["position"] for ply in plies] + [answer["end"]]
        repeats = answer["repeats"]
        return Line(
            moves=[ply["move"] for ply in plies],
            positions=[Position(text, self._game) for text in texts],
            equally_good=[ply["equally_good"] for ply in plies],
            value=Value(answer["value"], answer["remoteness"]),
            repeats=None if repeats is None else repeats - 1,
        )

    def probe_many(
        self, positions: Iterable[str], *, errors: Literal["raise", "mask"] = "raise"
    ) -> tuple[NDArray[np.int8], NDArray[np.uint16]]:
        """Return the values of positions as arrays, much faster than one by one.

        Args:
            positions: Texts.
            errors: 'raise' for a `PositionError` at the first text that is no position; 'mask' for
                the result `UNKNOWN` in its place.

        Returns:
            Results 1, 0, -1, or `UNKNOWN` (-128) where the value is not known, and plies, or
            `NO_PLIES` (65535) for draws and where they are not known; both in the order of the
            positions.

        >>> import hindsight_games as hs
        >>> values = hs.solve("tic-tac-toe")
        >>> wdl, plies = values.probe_many(["xo./.x./...", "xx./oo./..."])
        >>> wdl.tolist(), plies.tolist()
        ([-1, 1], [4, 1])
        """
        return self._values.probe_many(as_list(positions), is_mask(errors))

    def sample(
        self,
        count: int,
        *,
        seed: int = 1,
        value: Result | None = None,
        min_plies: int = 0,
        max_plies: int | None = None,
    ) -> list[Position]:
        """Return different positions at random from those whose values are known, in random order.

        Fewer are returned where there are not so many. The same seed gives the same ones. Of a
        table, positions are those that it keeps: one of each class of symmetric ones, and in games
        in which a move may be forbidden one state of each position. In layers of more than 16
        million ranks, values rarer than one in a thousand may be missed; `draw` finds single ones.

        Args:
            count: Number of positions.
            seed: Seed of the draw.
            value: Result for the side to move that is wanted.
            min_plies: Fewest plies to the end; draws have none and are left out if it is not 0.
            max_plies: Most plies to the end, likewise.

        >>> import hindsight_games as hs
        >>> values = hs.solve("quoridor:3x3:1")
        >>> all(values[p] > hs.Value("draw") for p in values.sample(20, value="win", min_plies=5))
        True
        """
        wdl = None if value is None else Value(value).wdl
        texts = self._values.sample_where(
            checked("count", count, 0, MAX_COUNT),
            seed_number(seed),
            wdl,
            checked("min_plies", min_plies, 0, NO_PLIES),
            NO_PLIES if max_plies is None else checked("max_plies", max_plies, 0, NO_PLIES),
        )
        return [Position(text, self._game) for text in texts]

    def draw(
        self,
        *,
        seed: int = 1,
        value: Result | None = None,
        plies: int | None = None,
    ) -> Position | None:
        """Return a position of a wanted value at random, however rare; None if there is none.

        >>> import hindsight_games as hs
        >>> values = hs.solve("onitama:3x4:boar")
        >>> str(values[values.draw(value="win", plies=21)])
        'win in 21 plies'
        """
        wdl = None if value is None else Value(value).wdl
        wanted = None if plies is None else checked("plies", plies, 0, NO_PLIES)
        text = self._values.draw(wdl, wanted, None, seed_number(seed))
        return None if text is None else Position(text, self._game)

    def proof(
        self,
        position: str,
        *,
        full: bool = False,
        max_positions: int = 100_000,
    ) -> list[dict[str, Any]]:
        """Return positions that prove the value of a position, for programs that check it.

        The position itself comes first; each of the others follows by the best move of its side to
        move and all slowest replies. A position is a dict with ``position``, ``solver``, ``value``,
        ``remoteness`` and ``moves``, of which each has ``move``, ``value``, ``remoteness`` and
        ``to``, the index of the next position or None.

        Args:
            position: The position.
            full: Whether to follow every reply.
            max_positions: Most positions of the proof.

        >>> import hindsight_games as hs
        >>> proof = hs.solve("tic-tac-toe").proof("xx./oo./...")
        >>> proof[1]["position"], proof[1]["value"], proof[1]["moves"]
        ('xxx/oo./...', 'loss', [])
        """
        most = checked("max_positions", max_positions, 1, MAX_COUNT)
        proof: list[dict[str, Any]] = json.loads(self._values.proof(position, full, most))
        return proof
