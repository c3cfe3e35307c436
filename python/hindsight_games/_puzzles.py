"""Puzzles: positions with one solution."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from ._agents import checked_values
from ._game import Position, Rules
from ._game import game as make_game
from ._numbers import checked
from ._options import Listener, report_to, seconds_limit, seed_number
from ._own_handle import OwnNamedGame
from ._own_solution import OwnValues
from ._own_solving import solve_own
from ._solving import solve
from ._value import NO_PLIES, Value
from ._values import MAX_COUNT, Values

Theme = Literal["sacrifice", "quiet", "only", "swindle"]
"""Theme of a puzzle, as ``hindsight help puzzles`` explains it."""


@dataclass(frozen=True)
class Grade:
    """Difficulty of a puzzle.

    Attributes:
        plies: Plies of the win; None for draws.
        tempting: Wrong moves that look good.
        quiet: Whether the first move neither captures nor threatens.
        wrong: Wrong moves along the solution.
        stars: Difficulty in stars, from 1 to 5.
    """

    plies: int | None
    tempting: int
    quiet: bool
    wrong: int
    stars: int


@dataclass(frozen=True)
class Puzzle:
    """Position with one solution.

    Attributes:
        position: The position, whose side to move solves it.
        player: Name of that side.
        value: Value for that side.
        line: The moves of the solution.
        positions: The positions before each move, and the last one.
        grade: Its difficulty.
    """

    position: Position
    player: str
    value: Value
    line: list[str]
    positions: list[Position]
    grade: Grade
    _values: Values = field(repr=False, compare=False)

    def certificate(self, *, full: bool = False) -> list[dict[str, Any]]:
        """Return a proof of the value that a program can check; see `Values.proof`."""
        return self._values.proof(self.position, full=full)

    def _repr_svg_(self) -> str:
        return self.position.game.svg(self.position)


def puzzles(
    subject: Rules | Values | OwnValues[Any, Any],
    *,
    theme: Theme | None = None,
    count: int = 10,
    unique: Literal["line", "first", "win"] = "line",
    min_plies: int | None = None,
    max_plies: int | None = None,
    sample: int = 100_000,
    seed: int = 1,
    mix: bool = False,
    alike: bool = False,
    seconds: float | None = None,
    progress: Listener | None = None,
) -> list[Puzzle]:
    """Find puzzles among positions drawn at random, hardest first, no two alike.

    Two are alike if their boards differ in at most two squares, if the position of one is on the
    line of the other, or if half of the shorter line has such boards, counted from the end.

    Args:
        subject: A `Table` or a `Solution`; a game, or its spec, is solved first.
        theme: Theme; any win by default.
        count: Most puzzles to return.
        unique: What is the only good one: each move of the 'line', the 'first' move, which must
            be the fastest, or the first move that keeps the 'win'.
        min_plies: Fewest plies of a solution; by default 1, and 3 of a mix.
        max_plies: Most plies of a solution.
        sample: Positions to look at; all, if there are not more.
        seed: Seed of the draw; the same one gives the same puzzles.
        mix: Choose puzzles of all degrees of difficulty, at most 100, and return the easiest
            first.
        alike: Choose the hardest puzzles, also those that are like a harder one. Without it, at
            most 1,000 are chosen.
        seconds: Seconds for the search, which then returns what it has found.
        progress: Called with a `Progress` a few times a second.

    Raises:
        SolveError: The game cannot have the theme, or so many puzzles are not chosen.
        LimitError: The game is too large to be solved without a table.

    >>> import hindsight_games as hs
    >>> puzzle = hs.puzzles("onitama:3x4:boar", theme="sacrifice", count=1)[0]
    >>> puzzle.grade.plies == len(puzzle.line) == puzzle.value.remoteness
    True
    """
    if isinstance(subject, Values | OwnValues):
        values = checked_values(subject, "puzzles()")
    else:
        values = _solved(subject, progress)
    most = NO_PLIES if max_plies is None else max_plies
    if min_plies is None:
        min_plies = 3 if mix and theme != "swindle" and most >= 3 else 1
    if not 1 <= min_plies <= most <= NO_PLIES:
        raise ValueError(f"plies are from 1 to {NO_PLIES}, and max_plies is not below min_plies")
    if mix and alike:
        raise ValueError("a mix has no two puzzles that are alike: leave out alike")
    answer: dict[str, Any] = json.loads(
        values._values.puzzles(
            theme,
            unique,
            "mixed" if mix else "hardest" if alike else "different",
            checked("count", count, 0, MAX_COUNT),
            min_plies,
            most,
            checked("sample", sample, 1, MAX_COUNT),
            seed_number(seed),
            seconds_limit(seconds),
            report_to(progress),
        )
    )
    return [_puzzle(row, values) for row in answer["puzzles"]]


def _solved(subject: Rules, progress: Listener | None) -> Values:
    named = make_game(subject)
    if isinstance(named, OwnNamedGame):
        return solve_own(named, progress=progress).by_text
    named._native.check_solvable()
    return solve(named, progress=progress)


def _puzzle(row: dict[str, Any], values: Values) -> Puzzle:
    texts = [ply["position"] for ply in row["line"]] + [row["end"]]
    return Puzzle(
        position=Position(row["position"], values.game),
        player=row["player"],
        value=Value(row["value"], row["remoteness"]),
        line=[ply["move"] for ply in row["line"]],
        positions=[Position(text, values.game) for text in texts],
        grade=Grade(**row["grade"]),
        _values=values,
    )
