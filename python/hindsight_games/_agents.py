"""Agents: texts that name one, and callables."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import TypeAlias

from . import _native
from ._errors import AgentError, MoveError, shown
from ._game import NamedGame, Position
from ._own_solution import OwnValues
from ._values import Values

Choose: TypeAlias = Callable[[NamedGame, Position, list[str], random.Random], str]
"""Callable that chooses a move: ``choose(game, position, moves, rng)`` returns one of the moves."""

Agent: TypeAlias = str | Choose
"""Agent: the text of one, such as ``mcts:playouts=1000``, or a callable."""

NativeAgent: TypeAlias = tuple[str, Callable[[_native.Game, str, list[str], int], int] | None]
"""Text or name of an agent, and the function that the native module asks."""

_MOVES_IN_TEXT = 12


def checked_values(values: object, option: str) -> Values:
    """Return values with positions as texts, or raise an error if these are none."""
    if isinstance(values, Values):
        return values
    if isinstance(values, OwnValues):
        return values.by_text
    text = f"{option} takes a Table or a Solution"
    if isinstance(values, str | bytes | os.PathLike):
        raise TypeError(f"{text}, not a file: open({shown(values)}) opens it")
    raise TypeError(f"{text}, not {shown(values)}")


def native_agent(agent: Agent, game: NamedGame | None = None) -> NativeAgent:
    """Return an agent for the native module, that plays a game if it is known."""
    if isinstance(agent, str):
        return (agent, None)
    if not callable(agent):
        raise TypeError(f"an agent is a text such as 'mcts' or a callable, not {shown(agent)}")
    name = _name_of(agent)
    return (name, _Asked(agent, name, game))


def _name_of(choose: Choose) -> str:
    """Return the name of a callable: its own, that of its function, or that of its class."""
    inner = getattr(choose, "func", choose)
    name = getattr(inner, "__name__", None)
    return name if isinstance(name, str) else type(choose).__name__


class _Asked:
    """Callable of the user, asked by the native module."""

    def __init__(self, choose: Choose, name: str, game: NamedGame | None) -> None:
        self.choose = choose
        self.name = name
        self.game = game

    def __call__(self, native: _native.Game, text: str, moves: list[str], seed: int) -> int:
        """Return the index of the move that the callable chooses."""
        if self.game is None or self.game.spec != native.spec:
            self.game = NamedGame(native)
        position = Position(text, self.game)
        try:
            # The callable gets a list of its own, which it may sort or empty.
            chosen = self.choose(self.game, position, moves.copy(), random.Random(seed))
        except Exception as error:
            if hasattr(error, "add_note"):
                error.add_note(f"{self.name} was asked for a move in '{text}' of {self.game}")
            raise
        return self.index(position, moves, chosen)

    def index(self, position: Position, moves: list[str], chosen: object) -> int:
        """Return the index of a move, which may be written in any form that the game reads."""
        if isinstance(chosen, str):
            if chosen in moves:
                return moves.index(chosen)
            after = _position_after(position, chosen)
            if after is not None:
                played = (position.game.play(position, move) for move in moves)
                return next(i for i, other in enumerate(played) if other == after)
        raise AgentError(
            f"{self.name} answered {shown(chosen)} in '{position}' of {position.game}, "
            f"which is no legal move; {_listed(moves)}",
            position=position,
            answer=chosen,
            moves=moves,
        )


def _position_after(position: Position, move: str) -> Position | None:
    try:
        return position.game.play(position, move)
    except MoveError:
        return None


def _listed(moves: list[str]) -> str:
    """Return the legal moves in words, the first of them if they are many."""
    more = len(moves) - _MOVES_IN_TEXT
    if more <= 0:
        return f"the moves are {', '.join(moves)}"
    return f"the moves are {', '.join(moves[:_MOVES_IN_TEXT])} and {more} more"
