"""Played games as people write them."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native
from ._game import NamedGame, Position, Rules
from ._game import game as make_game


@dataclass(frozen=True)
class PlayedGame:
    """A played game, read by `read_game()`.

    Attributes:
        game: The game.
        players: Names of the players, by the tags ``White``, who begins the game, and ``Black``;
            None if the text has none.
        moves: The moves.
        positions: The first position, and that after each move.
        result: '1-0', a win of who begins the game, '0-1', '1/2-1/2' or '*' behind the moves; None
            if the text has none.
    """

    game: NamedGame
    players: tuple[str | None, str | None]
    moves: list[str]
    positions: list[Position]
    result: str | None


def read_game(text: str, *, game: Rules | None = None) -> PlayedGame:
    """Read a game as people write it.

    It may have numbers, comments, variations, signs of judgement, a result and tags as in PGN:
    ``Game`` has the spec and ``Position`` the first position, if it is not the start. Digits may
    stand together, as in ``4453``, and positions and moves as in USI.

    Args:
        text: The game.
        game: The game that is played, if the text has no tag for it.

    Raises:
        MoveError: A move is not legal, and the message has its number and the legal ones; or the
            text has something else than moves.
        PositionError: The first position is none.
        SpecError: The text names no game, or another one.

    >>> import hindsight_games as hs
    >>> played = hs.read_game("1. d1 {the middle} d2 2. c 3 1/2-1/2", game="four:7x6")
    >>> played.moves, played.result
    (['d1', 'd2', 'c1', 'c2'], '1/2-1/2')
    >>> played.positions[-1], len(played.positions)
    (Position('......./......./......./......./..oo.../..xx...'), 5)
    """
    given = None if game is None else make_game(game)
    native, (white, black), moves, positions, result = _native.read_game(
        text, None if given is None else given._native
    )
    read = given or NamedGame(native)
    texts = [Position(position, read) for position in positions]
    return PlayedGame(read, (white, black), moves, texts, result)
