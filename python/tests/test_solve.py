"""Solves: values, progress, limits, interrupts, checkpoints."""

from __future__ import annotations

import pathlib
import threading
import time
from collections.abc import Callable
from typing import Any, Literal

import pytest
from interrupts import interrupt_after

import hindsight_games as hs

LONG = "onitama:4x4:boar,ox,elephant,horse,crab"


def test_a_solution() -> None:
    """Counts, histogram and signature are those of the command."""
    solution = hs.solve("onitama:3x4:boar", threads=2)
    assert solution.start == hs.Value("win", 21)
    assert (solution.positions, solution.edges) == (431793, 1569941)
    assert solution.counts == {"win": 258489, "draw": 1398, "loss": 171906}
    assert solution.signature == "431793-430395-380321442c55df5a"
    rows = solution.histogram
    assert rows["positions"].sum() == solution.positions
    won = rows[rows["value"] == 1]
    assert won["positions"].sum() == solution.counts["win"]
    assert won["remoteness"].max() % 2 == 1
    drawn = rows[rows["value"] == 0]
    assert drawn["remoteness"].tolist() == [hs.NO_PLIES]


def test_symmetry_counts_classes() -> None:
    """Positions that are equal by symmetry count as one."""
    assert hs.solve("tic-tac-toe").positions == 5478
    assert hs.solve("tic-tac-toe", symmetry=True).positions == 765


def test_a_search_finds_only_the_winner() -> None:
    """A value without plies, and no values of other positions."""
    solution = hs.solve("onitama:3x4:boar", solver="proof")
    assert solution.start == hs.Value("win")
    with pytest.raises(hs.SolveError, match="kept no values"):
        solution[solution.game.start]
    assert len(solution.histogram) == 0


@pytest.mark.parametrize("solver", ["auto", "search"])
def test_what_a_search_does_not_count_is_not_known(solver: Literal["auto", "search"]) -> None:
    """It is None, not 0; and the error of values says which solver keeps them."""
    solution = hs.solve("four:4x4", solver=solver, seconds=60)
    assert solution.start == hs.Value("draw")
    if solver == "auto":
        assert solution.positions == 161_029
        return
    assert (solution.positions, solution.edges, solution.counts) == (None, None, None)
    assert solution.signature is None
    assert len(solution.histogram) == 0
    reads: list[Callable[[], object]] = [
        lambda: solution[solution.game.start],
        lambda: solution.probe(solution.game.start),
        lambda: solution.sample(3),
        lambda: hs.audit("random", table=solution),
        lambda: hs.match("perfect", "random", table=solution),
        lambda: hs.puzzles(solution),
    ]
    for read in reads:
        with pytest.raises(
            hs.SolveError, match=r"kept no values of positions: solve\(.., out=FILE\)"
        ):
            read()


def test_the_way_to_values_is_a_table_where_there_are_tables() -> None:
    """The error of values names it."""
    solution = hs.solve("onitama:3x4:boar", solver="proof")
    with pytest.raises(hs.SolveError, match=r"solve\(\.\., out=FILE\) writes those of all"):
        solution.probe(solution.game.start)
    # Moves are not counted by a solve of every position.
    assert hs.solve("onitama:3x4:boar", solver="tiered").edges is None
    assert hs.solve("onitama:3x4:boar", solver="graph").edges == 1_569_941


def test_a_search_that_does_not_end_in_time_is_a_limit() -> None:
    """No solution is without the value of its start."""
    solvers: list[Any] = ["auto", "proof"]
    for solver in solvers:
        with pytest.raises(hs.LimitError, match=r"value of the start of onitama.* is not found"):
            hs.solve("onitama:5x5:boar,ox,elephant,horse,crab", solver=solver, seconds=0.1)
    with pytest.raises(hs.LimitError, match=r"greater seconds=\.\. or memory=\.\. allows more"):
        hs.solve("four:6x6", solver="search", seconds=0.1)


def test_progress() -> None:
    """The listener hears of the work in the thread that called."""
    heard = []
    threads = set()

    def listen(progress: hs.Progress) -> None:
        heard.append(progress)
        threads.add(threading.current_thread())

    hs.solve("onitama:3x4:boar", progress=listen)
    assert heard
    assert threads == {threading.current_thread()}
    assert str(heard[-1])


def test_an_exception_of_the_listener_stops_the_solve() -> None:
    """It reaches the caller as it is."""

    class OwnError(Exception):
        pass

    def listen(progress: hs.Progress) -> None:
        raise OwnError

    begin = time.monotonic()
    with pytest.raises(OwnError):
        hs.solve(LONG, solver="tiered", progress=listen)
    assert time.monotonic() - begin < 20


def test_ctrl_c_ends_a_solve_at_once() -> None:
    """KeyboardInterrupt comes within a moment."""
    begin = time.monotonic()
    with interrupt_after(0.5), pytest.raises(KeyboardInterrupt):
        hs.solve("quoridor:5x5:3", solver="graph")
    assert time.monotonic() - begin < 5


def test_ctrl_c_saves_a_checkpoint() -> None:
    """No table is there after KeyboardInterrupt, but the progress is."""
    begin = time.monotonic()
    with interrupt_after(1), pytest.raises(KeyboardInterrupt):
        hs.solve("quoridor:5x5:3", out="q.table", checkpoint="q.ck")
    # A layer in work is compressed to its end.
    assert time.monotonic() - begin < 90
    assert not pathlib.Path("q.table").exists()
    assert any(pathlib.Path("q.ck").iterdir())


def test_resume() -> None:
    """A checkpoint that is there already is not overwritten, but goes on with resume."""
    table = hs.solve("quoridor:4x4:1", out="q.table", checkpoint="q.ck", resume=True)
    with pytest.raises(hs.TableError):
        hs.solve("quoridor:4x4:1", out="q.table")
    again = hs.solve("quoridor:4x4:1", out="again.table", checkpoint="q.ck", resume=True)
    assert table.compare(again)
    assert pathlib.Path("q.table").read_bytes() == pathlib.Path("again.table").read_bytes()


def test_limits() -> None:
    """Too little memory or time is an error of ours, at once."""
    with pytest.raises(hs.LimitError):
        hs.solve(LONG, memory="1K")
    with pytest.raises(hs.LimitError, match="out of time"):
        hs.solve("quoridor:5x5:3", solver="graph", seconds=0.01)
    for memory in ("2 gallons", "-1", ""):
        with pytest.raises(ValueError, match="memory is"):
            hs.solve("tic-tac-toe", memory=memory)
    for bad in (0, -1, 5000):
        with pytest.raises(ValueError, match="threads is a whole number"):
            hs.solve("tic-tac-toe", threads=bad)
    with pytest.raises(ValueError, match="'fast' is none of 'auto', 'graph'"):
        hs.solve("tic-tac-toe", solver="fast")  # type: ignore[call-overload]
    with pytest.raises(hs.SolveError):
        hs.solve("tic-tac-toe", solver="planes")


def test_other_threads_go_on() -> None:
    """The GIL is released during a solve."""
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    while time.monotonic() - begin < 0.5:
        hs.solve("onitama:3x3:boar", threads=1)
    stop.set()
    ticker.join()
    assert ticks > 20
