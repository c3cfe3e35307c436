"""Work beside an event loop."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

import hindsight_games as hs


class Endless(hs.Game[int, int]):
    """Positions without end."""

    turns = "alternate"

    def start(self) -> int:
        return 0

    def moves(self, position: int) -> range:
        return range(5)

    def play(self, position: int, move: int) -> int:
        return 5 * position + move + 1


def first(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: object) -> str:
    """Choose the first move."""
    return moves[0]


WORK: dict[str, Callable[[], object]] = {
    "solve": lambda: hs.solve("quoridor:5x5:3", solver="graph"),
    "own": lambda: hs.solve(Endless(), max_positions=10**9),
    "laws": lambda: hs.laws(Endless(), positions=10**9),
    "analyse": lambda: hs.analyse("onitama:5x5:boar,ox,elephant,horse,crab", seconds=None),
    "match": lambda: hs.match("mcts", "mcts", game="quoridor:5x5:1", games=100_000),
    "own match": lambda: hs.match(first, "mcts", game="quoridor:5x5:1", games=100_000),
}


@pytest.mark.parametrize("name", WORK)
def test_a_cancelled_task_ends_its_work(name: str) -> None:
    """Within a moment, and nothing goes on in the thread."""
    threads = threading.active_count()

    async def main() -> float:
        task = asyncio.create_task(hs.to_thread(WORK[name]))
        await asyncio.sleep(0.3)
        begin = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - begin

    assert asyncio.run(main()) < 2
    assert threading.active_count() <= threads


def test_a_result_and_an_error_come_through() -> None:
    """With arguments by place and by name."""

    async def main() -> hs.Solution:
        with pytest.raises(hs.SpecError):
            await hs.to_thread(hs.solve, "chess")
        return await hs.to_thread(hs.solve, "tic-tac-toe", symmetry=True)

    assert asyncio.run(main()).positions == 765


def test_other_tasks_go_on() -> None:
    """The cancelled one alone ends."""

    async def main() -> str:
        long = asyncio.create_task(hs.to_thread(WORK["solve"]))
        short = asyncio.create_task(hs.to_thread(hs.solve, "onitama:3x4:boar"))
        await asyncio.sleep(0.05)
        long.cancel()
        return str((await short).start)

    assert asyncio.run(main()) == "win in 21 plies"


def test_a_timeout_ends_the_work() -> None:
    """As asyncio.wait_for makes it."""

    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(hs.to_thread(WORK["solve"]), 0.2)

    begin = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - begin < 5
