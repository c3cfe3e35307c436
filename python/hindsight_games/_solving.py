"""Solves."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, overload

from . import _native
from ._array_game import ArrayGame
from ._array_solution import ArraySolution
from ._game import NamedGame
from ._game import game as make_game
from ._options import (
    Listener,
    Path,
    memory_bytes,
    path_text,
    report_to,
    seconds_limit,
    thread_count,
)
from ._own_game import Game, M, P
from ._own_handle import OwnNamedGame
from ._own_solution import OwnSolution
from ._own_solving import solve_own
from ._own_tables import game_of_table, table_of_parts
from ._solution import Solution
from ._table import Table
from ._table import open as open_table

Solver = Literal["auto", "graph", "forward", "proof", "search", "tiered", "planes"]
OwnSolver = Literal["auto", "graph", "forward", "proof"]
"""Solver of the positions that follow from the start of a game of yours."""


@overload
def solve(  # type: ignore[overload-overlap]
    game: OwnNamedGame,
    *,
    solver: OwnSolver = ...,
    start: Any = ...,
    check: int = ...,
    max_positions: int = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
) -> OwnSolution[Any, Any] | ArraySolution: ...


@overload
def solve(
    game: str | NamedGame,
    *,
    out: None = None,
    solver: Solver = ...,
    symmetry: bool | None = ...,
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
    symmetry: bool | None = ...,
    seed: int = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
    checkpoint: Path | None = ...,
    resume: bool = ...,
) -> Table: ...


@overload
def solve(
    game: Game[Any, Any] | ArrayGame | OwnNamedGame,
    *,
    out: Path,
    solver: Literal["auto", "tiered", "graph"] = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
    checkpoint: Path | None = ...,
    resume: bool = ...,
) -> Table: ...


@overload
def solve(
    game: Game[Any, Any] | ArrayGame | OwnNamedGame,
    *,
    solver: Literal["tiered"],
    out: None = None,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
    checkpoint: Path | None = ...,
    resume: bool = ...,
) -> Solution: ...


@overload
def solve(
    game: Game[P, M],
    *,
    solver: OwnSolver = ...,
    start: P = ...,
    check: int = ...,
    max_positions: int = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
) -> OwnSolution[P, M]: ...


@overload
def solve(
    game: ArrayGame,
    *,
    solver: OwnSolver = ...,
    start: Any = ...,
    max_positions: int = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    seconds: float | None = ...,
    progress: Listener | None = ...,
) -> ArraySolution: ...


def solve(
    game: str | NamedGame | Game[Any, Any] | ArrayGame,
    *,
    out: Path | None = None,
    solver: Solver = "auto",
    symmetry: bool | None = None,
    seed: int = 0,
    start: Any = None,
    check: int | None = None,
    max_positions: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Listener | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> Solution | Table | OwnSolution[Any, Any] | ArraySolution:
    """Solve a game that a spec names, or one whose rules are an object of yours.

    Ctrl-C stops the solve; with a checkpoint its progress is saved, and ``resume=True`` goes on.
    Other threads of Python go on meanwhile.

    Args:
        game: The spec, the game of one, or a `Game` or an `ArrayGame` of yours. These take the
            options ``solver`` ('graph', 'proof', 'forward' or, if they have ranks, 'tiered'),
            ``start``, ``check``, ``max_positions``, ``threads``, ``memory``, ``seconds`` and
            ``progress``; with a version also ``out`` and, with ``pack`` or ranks or arrays,
            ``checkpoint`` and ``resume``.
        out: File of the table to write; it must not exist.
        solver: 'graph' solves the positions that can be reached, 'tiered' every position, tier by
            tier, 'planes' every position of Onitama in bits; 'proof' and 'forward' find only who
            wins, without plies and values of other positions; 'search' finds the value with its
            plies, of a position in which every move fills a square (four, tic-tac-toe). 'auto'
            takes the first of these that is expected to finish: of a game that is too large, or if
            ``seconds`` are few, a search or a proof.
        symmetry: Whether positions that are equal by symmetry count as one; for a `Game`, its
            ``key`` tells.
        seed: Draws the parts of the spec that are random.
        start: For a `Game` or an `ArrayGame`: the position from which it is solved.
        check: For a `Game`: number of its first positions on which the `laws` are checked, 100 by
            default.
        max_positions: For a `Game`: positions allowed, 10,000,000 by default.
        threads: Number of threads; as many as the machine has by default.
        memory: Bytes allowed, or a text such as '2G'; 7/8 of what is free by default.
        seconds: Time allowed.
        progress: Called with a `Progress` a few times a second; an exception of it stops the solve.
        checkpoint: Folder for the progress of a solve that is stopped.
        resume: Whether to go on with the checkpoint, or to begin it if there is none.

    Returns:
        The `Solution`, with ``out`` the `Table`, or the `OwnSolution` of a `Game`, or the
        `ArraySolution` of an `ArrayGame`. Tables and ``solver='tiered'`` have positions as texts.

    Raises:
        SpecError: The spec names no game.
        LimitError: Memory, time or the number of positions do not suffice, also for a search to
            find the value of the start.
        GameError: The rules of a `Game` contradict themselves, or raised an exception.
        SolveError: The solver is not for this game, or a player of a `Game` moves twice.
        TableError: The table or the checkpoint cannot be written.

    >>> import hindsight_games as hs
    >>> str(hs.solve("onitama:3x4:boar").start)
    'win in 21 plies'
    """
    if isinstance(game, type) and issubclass(game, Game | ArrayGame):
        raise TypeError(f"solve() takes an instance of a Game, such as {game.__name__}()")
    of_own = {
        "start": start is not None,
        "check": check is not None,
        "max_positions": max_positions is not None,
    }
    named: NamedGame
    known: AbstractContextManager[None] = nullcontext()
    rules: OwnNamedGame | None = None
    if isinstance(game, Game | ArrayGame | OwnNamedGame):
        _refuse({"symmetry": bool(symmetry), "seed": seed != 0}, "a spec, not for a Game of yours")
        has_checkpoint = checkpoint is not None or resume
        if solver != "tiered" and out is None and not has_checkpoint:
            return solve_own(
                game,
                solver=solver,
                start=start,
                check=check,
                max_positions=max_positions,
                threads=threads,
                memory=memory,
                seconds=seconds,
                progress=progress,
            )
        _refuse(of_own, "solver='graph', not for tables")
        writes = out is not None or has_checkpoint
        rules, method = game_of_table(game, solver, writes=writes, has_checkpoint=has_checkpoint)
        named, known = rules, rules.known()
        if out is not None and method == "graph" and rules.is_by_parts:
            options = {"threads": threads, "memory": memory, "seconds": seconds}
            return table_of_parts(rules, out, {"progress": progress, **options})
    else:
        _refuse(of_own, "a Game of yours, not for a spec")
        named, method = make_game(game, seed=seed, symmetry=symmetry), solver
    with known:
        solved = _native.solve(
            named._native,
            method,
            memory_bytes(memory),
            seconds_limit(seconds),
            thread_count(threads),
            report_to(progress),
            None if out is None else path_text(out),
            None if checkpoint is None else path_text(checkpoint),
            resume,
        )
        return Solution(solved) if out is None else open_table(out, rules=rules)


def _refuse(options: dict[str, bool], owner: str) -> None:
    """Refuse the options that are given."""
    for name, is_given in options.items():
        if is_given:
            raise TypeError(f"the option {name}= of solve() is for {owner}")
