"""Tables of games whose rules are an object."""

from __future__ import annotations

from typing import Any

from . import _native
from ._array_game import ArrayGame
from ._errors import GameError, SolveError
from ._options import Listener, memory_bytes, path_text, report_to, seconds_limit, thread_count
from ._own_game import Game
from ._own_handle import OwnNamedGame, own_game
from ._solution import Solution
from ._table import Table
from ._table import open as open_table

CHECKED_POSITIONS = 200
"""Positions on which a solve checks the laws."""


def solve_with_table(
    game: Game[Any, Any] | ArrayGame | OwnNamedGame,
    *,
    solver: str = "auto",
    out: Any = None,
    threads: int | None = None,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Listener | None = None,
    checkpoint: Any = None,
    resume: bool = False,
) -> Table | Solution:
    """Solve a game into a table, or every position that has a rank."""
    named = game if isinstance(game, OwnNamedGame) else own_game(game)
    is_reachable = solver == "graph" or (solver == "auto" and not named.has_ranks)
    if not is_reachable and not named.has_ranks:
        text = "has no numbered positions: solver='tiered' needs tiers, rank and unrank"
        raise SolveError(f"{named.rules} {text}")
    if is_reachable and checkpoint is not None:
        text = "has no checkpoints: these are for games with tiers, rank and unrank"
        raise SolveError(f"{named.rules} {text}")
    if out is not None or checkpoint is not None:
        named.check_table(by_bytes=is_reachable)
    broken = named._rules.broken_law(CHECKED_POSITIONS, 1)
    if broken is not None:
        raise GameError(f"a law is broken: {broken[0]}; position {broken[1]}", broken[1])
    with named.known():
        solved = _native.solve(
            named._native,
            "graph" if is_reachable else "tiered",
            memory_bytes(memory),
            seconds_limit(seconds),
            thread_count(threads),
            report_to(progress),
            None if out is None else path_text(out),
            None if checkpoint is None else path_text(checkpoint),
            resume,
        )
        return Solution(solved) if out is None else open_table(out)
