"""Games that a spec names."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from . import _native
from ._errors import shown
from ._options import seed_number
from ._value import Result

if TYPE_CHECKING:
    from ._array_game import ArrayGame
    from ._own_game import Game

MAX_SCALE = 10.0

Rules: TypeAlias = Union[str, "NamedGame", "Game[Any, Any]", "ArrayGame"]
"""Spec of a game, the game, or rules of the user."""

_RESULTS: dict[int | None, Result | None] = {1: "win", 0: "draw", -1: "loss", None: None}


class Position(str):
    """Position of a game that a spec names: its text, which a notebook shows as a picture.

    A position is a string, so that it can be compared, stored and sorted as such, and wherever a
    position is asked for, a plain string will do.

    >>> import hindsight_games as hs
    >>> hs.game("tic-tac-toe").start
    Position('.../.../...')
    """

    game: NamedGame
    """The game."""

    def __new__(cls, text: str, game: NamedGame) -> Position:
        """Make the position of a text in its normal form; NamedGame.position reads any text."""
        position = super().__new__(cls, text)
        position.game = game
        return position

    def __repr__(self) -> str:
        """Return the text with the name of the class."""
        return f"Position({str.__repr__(self)})"

    def __reduce__(self) -> tuple[type[Position], tuple[str, NamedGame]]:
        """Return how to copy or unpickle the position."""
        return (Position, (str(self), self.game))

    def _repr_svg_(self) -> str:
        return self.game.svg(self)


class NamedGame:
    """Rules of a game that a spec names, such as ``onitama:3x4:boar``.

    ``hindsight games`` lists the games, and docs/notation.md tells how positions and moves are
    written. `game()` makes one.

    >>> import hindsight_games as hs
    >>> g = hs.game("onitama:3x4:boar")
    >>> g.moves(g.start)[0]
    'b4b3:boar'
    >>> g.player(g.play(g.start, "b4b3:boar"))
    'Blue'
    """

    def __init__(self, native: _native.Game) -> None:
        """Wrap a native game; `game()` makes one of a spec."""
        self._native = native

    @property
    def spec(self) -> str:
        """The spec in its normal form."""
        return self._native.spec

    @property
    def players(self) -> tuple[str, str]:
        """Names of the two players; the first one moves first from most starts."""
        first, second = self._native.players
        return (first, second)

    @property
    def start(self) -> Position:
        """First position of the game."""
        return Position(self._native.start(), self)

    def position(self, text: str) -> Position:
        """Read a position.

        Args:
            text: The position in any form that docs/notation.md allows.

        Returns:
            The position in its normal form.

        Raises:
            PositionError: The text is no position; ``.at`` is the offset of the fault.

        >>> import hindsight_games as hs
        >>> hs.game("tic-tac-toe").position("XO./.X./...")
        Position('xo./.x./...')
        """
        return Position(self._native.normal(text), self)

    def moves(self, position: str) -> list[str]:
        """Return the legal moves; none if and only if the game is over."""
        return self._native.moves(position)

    def play(self, position: str, move: str) -> Position:
        """Return the position after a move.

        Raises:
            MoveError: The move is not legal; the message lists the legal ones.
        """
        return Position(self._native.play(position, str(move)), self)

    def player(self, position: str) -> str:
        """Return the name of the player to move."""
        return self.players[self._native.player(position)]

    def result(self, position: str) -> Result | None:
        """Return the result for the side to move, or None if the game goes on."""
        return _RESULTS[self._native.result(position)]

    def diagram(self, position: str) -> str:
        """Draw a position in several lines of text."""
        return self._native.diagram(position)

    def svg(self, position: str, last_move: str = "") -> str:
        """Draw a position as SVG, with the last move marked."""
        return self._native.svg(position, last_move)

    def png(self, position: str, last_move: str = "", scale: float = 2.0) -> bytes:
        """Draw a position as PNG, with the last move marked.

        Args:
            position: The position.
            last_move: The move that led to it.
            scale: Pixels for each unit of the SVG.
        """
        if not isinstance(scale, Real):
            raise TypeError(f"scale is a number, not {shown(scale)}")
        if not 0 < scale <= MAX_SCALE:
            raise ValueError(f"scale is a number above 0, up to {MAX_SCALE}, not {shown(scale)}")
        return self._native.png(position, last_move, scale)

    @property
    def symmetry(self) -> bool:
        """Whether a solve counts positions that are equal by symmetry as one."""
        return self._native.symmetry

    def __eq__(self, other: object) -> bool:
        """Return whether both games have the same spec and symmetry."""
        return isinstance(other, NamedGame) and self._identity() == other._identity()

    def __hash__(self) -> int:
        """Return a hash of spec and symmetry."""
        return hash(self._identity())

    def _identity(self) -> tuple[str, bool]:
        return (self.spec, self.symmetry)

    def __str__(self) -> str:
        """Return the spec."""
        return self.spec

    def __repr__(self) -> str:
        """Return the call that makes the game."""
        return f"game({self.spec!r}{', symmetry=True' if self.symmetry else ''})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to copy or unpickle the game."""
        return (_game_of, self._identity())

    def _repr_svg_(self) -> str:
        return self.svg(self.start)


def game(spec: Rules, *, seed: int = 0, symmetry: bool | None = None) -> NamedGame:
    """Return the game that a spec names, or that of a `Game` or an `ArrayGame` of yours.

    Args:
        spec: Such as ``tic-tac-toe``, ``quoridor:5x5:2`` or ``onitama:5x5:random``; or a game.
            For one of yours it is an `OwnNamedGame`, whose positions and moves are texts.
        seed: Draws the parts of the spec that are random.
        symmetry: Whether a solve counts positions that are equal by symmetry as one; if it is
            None, as the given game does, and not for a spec.

    Raises:
        SpecError: The spec names no game; ``.at`` is the offset of the fault.

    >>> import hindsight_games as hs
    >>> hs.game("Quoridor:5x5:1")
    game('quoridor:5x5:1')
    """
    number = seed_number(seed)
    if isinstance(spec, NamedGame):
        if symmetry in (None, spec.symmetry):
            return spec
        spec = spec.spec
    if not isinstance(spec, str):
        return _own(spec)
    return NamedGame(_native.Game(spec, number, bool(symmetry)))


def _own(thing: object) -> NamedGame:
    """Return the game of an object of the user."""
    from ._array_game import ArrayGame
    from ._own_game import Game
    from ._own_handle import own_game

    if isinstance(thing, Game | ArrayGame):
        return own_game(thing)
    text = "a game is named by its spec, a text, or is a Game of yours"
    if isinstance(thing, type) and issubclass(thing, Game | ArrayGame):
        raise TypeError(f"{text}: an instance, such as {thing.__name__}()")
    raise TypeError(f"{text}, not {shown(thing)}")


def _game_of(spec: str, symmetry: bool) -> NamedGame:
    """Return the game of a copy."""
    return game(spec, symmetry=symmetry)
