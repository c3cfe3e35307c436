"""Solves of games whose rules are a class."""

from __future__ import annotations

from . import _native
from ._laws import check_first
from ._options import Listener, memory_bytes, report_to, thread_count
from ._own_game import Game, M, P, Rules
from ._own_solution import OwnSolution

# What the native part keeps beside keys.
KEYS_ARE_POSITIONS, KEEP_POSITIONS, KEEP_NO_POSITIONS = range(3)

MAX_POSITIONS = 10_000_000
"""Positions that a solve allows unless it is told otherwise."""

CHECKED_POSITIONS = 100
"""Positions on which a solve checks the laws unless it is told otherwise."""


def solve_own(
    game: Game[P, M],
    *,
    check: int | None,
    max_positions: int | None,
    threads: int | None,
    memory: int | str | None,
    seconds: float | None,
    progress: Listener | None,
) -> OwnSolution[P, M]:
    """Solve a game whose rules are a class."""
    most = position_limit(max_positions)
    check_first(game, CHECKED_POSITIONS if check is None else check)
    rules = Rules(game)
    start = rules.start()
    solved = _native.solve_own(
        start,
        rules.key(start),
        rules.expander(),
        KEEP_POSITIONS if rules.has_key else KEYS_ARE_POSITIONS,
        most,
        memory_bytes(memory),
        seconds,
        thread_count(threads),
        report_to(progress),
    )
    return OwnSolution(game, solved)


def position_limit(max_positions: int | None) -> int:
    """Return the number of positions that a solve allows."""
    if max_positions is None:
        return MAX_POSITIONS
    if max_positions < 1:
        raise ValueError(f"max_positions is at least 1, not {max_positions}")
    return max_positions
