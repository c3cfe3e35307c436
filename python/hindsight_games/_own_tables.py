"""Tables of games whose rules are an object."""

from __future__ import annotations

import os
from typing import Any

from ._array_game import ArrayGame
from ._errors import GameError, SolveError, TableError, shown
from ._numbers import MANY
from ._options import Path, path_text
from ._own_game import Game
from ._own_handle import OwnNamedGame, own_game
from ._own_solution import OwnValues
from ._own_solving import solve_own
from ._table import Table
from ._table import open as open_table

CHECKED_POSITIONS = 200
"""Positions on which a solve checks the laws."""


def game_of_table(
    game: Game[Any, Any] | ArrayGame | OwnNamedGame,
    solver: str,
    *,
    writes: bool,
    has_checkpoint: bool,
) -> tuple[OwnNamedGame, str]:
    """Return the game and the solver of a table, or of every position that has a rank."""
    if solver not in ("auto", "tiered", "graph"):
        raise SolveError(f"solver={solver!r} writes no table")
    named = game if isinstance(game, OwnNamedGame) else own_game(game)
    is_reachable = solver == "graph" or (solver == "auto" and not named.has_ranks)
    if not is_reachable and not named.has_ranks:
        text = "has no numbered positions: solver='tiered' needs tiers, rank and unrank"
        raise SolveError(f"{named.rules} {text}")
    if is_reachable and has_checkpoint and named.is_by_parts:
        text = "has no checkpoints: these need pack and unpack, or tiers, rank and unrank"
        raise SolveError(f"{named.rules} {text}")
    if writes:
        named.check_table(by_bytes=is_reachable)
    broken = named._rules.broken_law(CHECKED_POSITIONS, 1)
    if broken is not None:
        raise GameError(f"a law is broken: {broken[0]}; position {broken[1]}", broken[1])
    return named, "graph" if is_reachable else "tiered"


def table_of_parts(game: OwnNamedGame, out: Path, options: dict[str, Any]) -> Table:
    """Solve a game whose positions are bytes by their parts, and write its table."""
    if os.path.lexists(out):
        raise TableError(f"{shown(path_text(out))} cannot be written: the file exists")
    solution: OwnValues[Any, Any]
    if game.is_by_key:
        from .openspiel import solve_spiel

        solution = solve_spiel(game.rules.spiel, max_positions=MANY, **options)  # type: ignore[union-attr]
    else:
        solution = solve_own(game, check=0, max_positions=MANY, **options)
    solution._save_table(path_text(out))
    return open_table(out, rules=game)
