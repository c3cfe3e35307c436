"""Solves."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, overload

from . import _native
from ._game import NamedGame
from ._game import game as make_game
from ._solution import Solution
from ._table import Table
from ._table import open as open_table

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Progress:
    """Progress of long work.

    Attributes:
        phase: Name of the phase.
        done: Units done: positions, ranks or plies.
        total: Units in all; None if not known.
    """

    phase: str
    done: int
    total: int | None

    def __str__(self) -> str:
        """Return the progress in words."""
        of_total = f" of {self.total:,}" if self.total is not None else ""
        return f"{self.phase}: {self.done:,}{of_total}"


Listener = Callable[[Progress], object]

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def memory_bytes(memory: int | str | None) -> int | None:
    """Return bytes of a number or of a text such as '2G', as the command reads it."""
    if memory is None or isinstance(memory, int):
        return memory
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", memory.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"memory is a number of bytes or a text such as '2G', not {memory!r}")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def report_to(progress: Listener | None) -> Callable[[str, int, int | None], object] | None:
    """Return a native listener that calls one of Python."""
    if progress is None:
        return None
    return lambda phase, done, total: progress(Progress(phase, done, total))


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
        threads,
        report_to(progress),
        None if out is None else os.fspath(out),
        None if checkpoint is None else os.fspath(checkpoint),
        resume,
    )
    return Solution(solved) if out is None else open_table(out)
