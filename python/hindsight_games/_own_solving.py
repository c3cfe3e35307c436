"""Solves of games whose rules are an object."""

from __future__ import annotations

import operator
from typing import Any

from ._array_game import ArrayGame
from ._array_solution import ArraySolution
from ._errors import SolveError
from ._laws import check_first
from ._numbers import MANY, checked
from ._options import Listener, memory_bytes, report_to, seconds_limit, thread_count
from ._own_door import Door
from ._own_game import Game
from ._own_handle import OwnNamedGame, own_game
from ._own_solution import OwnSolution

MAX_POSITIONS = 10_000_000
"""Positions that a solve of a class allows unless it is told otherwise."""

CHECKED_POSITIONS = 100
"""Positions on which a solve checks the laws unless it is told otherwise."""


def solve_own(
    game: Game[Any, Any] | ArrayGame | OwnNamedGame,
    *,
    solver: str = "graph",
    start: Any = None,
    check: int | None = None,
    max_positions: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Listener | None = None,
) -> OwnSolution[Any, Any] | ArraySolution:
    """Solve a game whose rules are an object."""
    if solver not in ("auto", "graph", "proof", "forward"):
        raise SolveError(f"the solver {solver!r} is not for a game of yours")
    if start is not None and solver not in ("auto", "graph"):
        raise SolveError("a solve from a position is for solver='graph'")
    most, seconds = position_limit(max_positions), seconds_limit(seconds)
    to_check = CHECKED_POSITIONS if check is None else checked("check", check, 0, MANY)
    owner = game.rules if isinstance(game, OwnNamedGame) else game
    checks = None
    if isinstance(owner, Game):
        if isinstance(game, OwnNamedGame):
            # The door is open: the checks are made at the end, unless keys tell positions apart.
            named = game
            checks = None if named.is_by_key else check_first(owner, to_check, seconds)
        else:
            checks = check_first(owner, to_check, seconds)
            named = own_game(owner, Door(owner, checks=checks))
    else:
        named = game if isinstance(game, OwnNamedGame) else own_game(owner)
        if max_positions is None:
            most = MANY
        if start is not None:
            start = owner._bytes(start)
    solved = named._rules.solve(
        "graph" if solver == "auto" else solver,
        start,
        most,
        memory_bytes(memory),
        seconds,
        thread_count(threads),
        report_to(progress),
    )
    # Positions that keys merged, or those of a small game, are left.
    for _ in checks or ():
        pass
    if isinstance(owner, ArrayGame):
        return ArraySolution(owner, named, solved)
    return OwnSolution(owner, named, solved)


def position_limit(max_positions: int | None) -> int:
    """Return the number of positions that a solve allows."""
    if max_positions is None:
        return MAX_POSITIONS
    if operator.index(max_positions) < 1:
        raise ValueError(f"max_positions is at least 1, not {max_positions}")
    return min(max_positions, MANY)
