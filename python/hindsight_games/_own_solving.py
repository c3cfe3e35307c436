"""Solves of games whose rules are a class."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterator

from . import _native
from ._laws import check_first
from ._numbers import MANY, checked
from ._options import Listener, memory_bytes, report_to, seconds_limit, thread_count
from ._own_game import Expander, Game, M, P, Rules
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
    most, seconds = position_limit(max_positions), seconds_limit(seconds)
    to_check = CHECKED_POSITIONS if check is None else checked("check", check, 0, MANY)
    checks = check_first(game, to_check, seconds)
    rules = Rules(game)
    start = rules.start()
    solved = _native.solve_own(
        start,
        rules.key(start),
        _checked(rules.expander(), checks),
        KEEP_POSITIONS if rules.has_key else KEYS_ARE_POSITIONS,
        most,
        memory_bytes(memory),
        seconds,
        thread_count(threads),
        report_to(progress),
    )
    # Positions that keys merged, or those of a small game, are left.
    for _ in checks:
        pass
    return OwnSolution(game, solved)


def _checked(expand: Expander[P], checks: Iterator[None]) -> Expander[P]:
    """Return a function that expands a position after one more check.

    So the solve sees to its limits, to Ctrl-C and to other threads between two checks.
    """

    def check_and_expand(position: P) -> int | tuple[list[P], list[Hashable]]:
        next(checks, None)
        return expand(position)

    return check_and_expand


def position_limit(max_positions: int | None) -> int:
    """Return the number of positions that a solve allows."""
    if max_positions is None:
        return MAX_POSITIONS
    if operator.index(max_positions) < 1:
        raise ValueError(f"max_positions is at least 1, not {max_positions}")
    return min(max_positions, MANY)
