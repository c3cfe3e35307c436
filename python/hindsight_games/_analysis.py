"""Analyses of positions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from . import _native
from ._game import Position, Rules, game
from ._options import (
    Listener,
    Path,
    memory_bytes,
    path_text,
    report_to,
    seconds_limit,
    thread_count,
)
from ._value import Value


@dataclass(frozen=True)
class Knowledge:
    """What is known of the value of a position or a move.

    Attributes:
        value: Proved value; None if none is proved. Its plies are None where only the winner is.
        at_most: Most plies that a proved win or loss takes, where it is not known exactly.
        estimate: Estimate from -1 to 1; None if the value is proved.
    """

    value: Value | None
    at_most: int | None
    estimate: float | None

    def __str__(self) -> str:
        """Return the value, the bound or the estimate in words."""
        if self.value is not None and self.at_most is not None:
            return f"{self.value.result} in at most {self.at_most} plies"
        if self.value is not None:
            return str(self.value)
        return "unknown" if self.estimate is None else f"{self.estimate:+.2f}"


@dataclass(frozen=True)
class AnalysedMove:
    """A move of an analysis.

    Attributes:
        move: The move.
        to: The position after it.
        known: What is known of its value for the player who makes it.
        line: The move and the best moves after it, as far as they are known.
    """

    move: str
    to: Position
    known: Knowledge
    line: list[str]


@dataclass(frozen=True)
class Analysis:
    """Analysis of a position.

    Attributes:
        position: The position in its normal form.
        known: What is known of its value for the side to move.
        moves: Legal moves, best first.
        seconds: Seconds of the analysis.
        work: Positions looked at.
        sources: Tables and solvers that were used.
    """

    position: Position
    known: Knowledge
    moves: list[AnalysedMove]
    seconds: float
    work: int
    sources: list[str]

    def __str__(self) -> str:
        """Return the position and its moves, a line each."""
        lines = [f"{self.position}: {self.known}"]
        lines += [f"  {move.move}  {move.known}" for move in self.moves]
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        return self.position.game.svg(self.position)


def analyse(
    subject: Rules,
    position: str | None = None,
    *,
    seconds: float | None = 10.0,
    memory: int | str | None = None,
    threads: int | None = None,
    cache: Path | None = None,
    every_move: bool = False,
    progress: Listener | None = None,
) -> Analysis:
    """Analyse a position of any game, however large: proved if that is possible, else estimated.

    Args:
        subject: The spec, or the game, also one of yours.
        position: The position; the start by default. Of a game of yours, its text.
        seconds: Seconds that may pass; None for as long as it takes.
        memory: Bytes allowed, or a text such as '2G'.
        threads: Number of threads; as many as the machine has by default.
        cache: Folder that keeps what took long, for the next analysis.
        every_move: True to prove every move, and not the best one first.
        progress: Called with a `Progress` a few times a second.

    >>> import hindsight_games as hs
    >>> analysis = hs.analyse("tic-tac-toe", "xx./oo./...")
    >>> str(analysis.known), analysis.moves[0].move
    ('win in 1 ply', 'c3')
    """
    named = game(subject)
    text = named.start if position is None else position
    folder = None if cache is None else path_text(cache)
    answer: dict[str, Any] = json.loads(
        _native.analyse(
            named._native,
            text,
            seconds_limit(seconds),
            memory_bytes(memory),
            thread_count(threads),
            folder,
            every_move,
            report_to(progress),
        )
    )
    moves = [
        AnalysedMove(row["move"], Position(row["to"], named), _knowledge(row), row["line"])
        for row in answer["moves"]
    ]
    return Analysis(
        position=Position(answer["position"], named),
        known=_knowledge(answer),
        moves=moves,
        seconds=answer["seconds"],
        work=answer["work"],
        sources=answer["sources"],
    )


def _knowledge(row: dict[str, Any]) -> Knowledge:
    value = None if row["value"] is None else Value(row["value"], row["remoteness"])
    bound = row["bound"]
    return Knowledge(value, None if bound is None else bound["plies"], row["estimate"])
