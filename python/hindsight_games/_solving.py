"""Solves."""

from __future__ import annotations

import os
from typing import Literal, overload

from . import _native
from ._game import NamedGame
from ._game import game as make_game
from ._options import Listener, Path, memory_bytes, report_to, thread_count
from ._solution import Solution
from ._table import Table
from ._table import open as open_table

Solver = Literal["auto", "graph", "forward", "proof", "tiered", "planes"]


@overload
def solve(
    game: str | NamedGame,
    *,
    out: None = None,
    solver: Solver = ...,
    symmetry: bool = ...,
    seed: int = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
    checkpoint: Path | None = ...,
    resume: bool = ...,
) -> Solution: ...


@overload
def solve(
    game: str | NamedGame,
    *,
    out: Path,
    solver: Solver = ...,
    symmetry: bool = ...,
    seed: int = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
    checkpoint: Path | None = ...,
    resume: bool = ...,
) -> Table: ...


def solve(
    game: str | NamedGame,
    *,
    out: Path | None = None,
    solver: Solver = "auto",
    symmetry: bool = False,
    seed: int = 0,
    threads: int | None = None,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Listener | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> Solution | Table:
    """Solve a game that a spec names.

    Ctrl-C stops the solve; with a checkpoint its progress is saved, and ``resume=True`` goes on.
    Other threads of Python go on meanwhile.

    Args:
        game: The spec, or the game.
        out: File of the table to write; it must not exist.
        solver: Algorithm. 'auto' takes the one that will finish.
        symmetry: Whether positions that are equal by symmetry count as one.
        seed: Draws the parts of the spec that are random.
        threads: Number of threads; as many as the machine has by default.
        memory: Bytes allowed, or a text such as '2G'; 7/8 of what is free by default.
        seconds: Time allowed.
        progress: Called with a `Progress` a few times a second; an exception of it stops the solve.
        checkpoint: Folder for the progress of a solve that is stopped.
        resume: Whether to go on with the checkpoint, or to begin it if there is none.

    Returns:
        The `Solution`, or with ``out`` the `Table`.

    Raises:
        SpecError: The spec names no game.
        LimitError: Memory or time do not suffice.
        SolveError: The solver is not for this game.
        TableError: The table or the checkpoint cannot be written.

    >>> import hindsight_games as hs
    >>> str(hs.solve("onitama:3x4:boar").start)
    'win in 21 plies'
    """
    named = make_game(game, seed=seed, symmetry=symmetry)
    solved = _native.solve(
        named._native,
        solver,
        memory_bytes(memory),
        seconds,
        thread_count(threads),
        report_to(progress),
        None if out is None else os.fspath(out),
        None if checkpoint is None else os.fspath(checkpoint),
        resume,
    )
    return Solution(solved) if out is None else open_table(out)
