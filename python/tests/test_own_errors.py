"""Faults of rules, limits and interrupts of solves of a class."""

from __future__ import annotations

import gc
import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from interrupts import interrupt_after
from slow_solver import Counter, Named, RandomGraph

import hindsight_games as hs


def fail(*_: object) -> Any:
    raise ZeroDivisionError("a fault of the rules")


def fails_at(bad: int, result: object = None) -> Callable[..., Any]:
    """Return a method that fails at one position."""
    return lambda position, *_: fail() if position == bad else result


CHECKS = pytest.mark.parametrize("check", [0, 100])


@CHECKS
@pytest.mark.parametrize(
    ("methods", "text", "position"),
    [
        ({"start": fail}, r"start\(\) raised ZeroDivisionError: a fault of the rules", None),
        ({"result": fails_at(5)}, r"result\(\) raised ZeroDivisionError: .*; position 5$", 5),
        ({"moves": fails_at(5, [1])}, r"moves\(\) raised ZeroDivisionError: .*; position 5$", 5),
        ({"play": lambda p, m: 5 // (4 - p) * 0 + p + m}, r"play\(\) of the move 1 raised", 4),
        ({"key": fails_at(5, 7)}, r"key\(\) raised ZeroDivisionError: .*; position 5$", 5),
    ],
)
def test_an_exception_of_the_rules_is_the_cause(
    check: int, methods: dict[str, Any], text: str, position: int | None
) -> None:
    if "key" in methods:
        methods = {"key": lambda p: fail() if p == 5 else p}
    with pytest.raises(hs.GameError, match=text) as caught:
        hs.solve(Counter(**methods), check=check, max_positions=1_000)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.position == position


def moves_that_fail(position: int) -> Any:
    yield 1
    fail()


@CHECKS
@pytest.mark.parametrize(
    ("methods", "text", "position"),
    [
        ({"moves": moves_that_fail}, r"moves\(\) raised ZeroDivisionError", 0),
        ({"moves": lambda p: 5}, r"moves\(\) returned 5, which is no list of moves", 0),
        ({"moves": lambda p: None}, r"moves\(\) returned None, which is no list of moves", 0),
        ({"moves": lambda p: []}, "there is no move and no result: where nobody can move", 0),
        ({"result": lambda p: "won"}, r"result\(\) returned 'won', not 'win', 'draw', 'los", 0),
        ({"result": lambda p: 1}, r"result\(\) returned 1, not 'win', 'draw', 'loss' or None", 0),
        ({"result": lambda p: []}, r"result\(\) returned \[\], not 'win'", 0),
    ],
)
def test_faults_of_the_rules_are_told_with_their_position(
    check: int, methods: dict[str, Any], text: str, position: object
) -> None:
    with pytest.raises(hs.GameError, match=text) as caught:
        hs.solve(Counter(**methods), check=check)
    assert caught.value.position == position


@pytest.mark.parametrize("methods", [{"start": lambda: [0]}, {"key": lambda p: [p]}])
def test_what_cannot_be_hashed_is_refused(methods: dict[str, Any]) -> None:
    with pytest.raises(hs.GameError, match="cannot be hashed: it must be a tuple") as caught:
        hs.solve(Counter(**methods), check=0)
    assert isinstance(caught.value.__cause__, TypeError)
    assert caught.value.position == [0]


def test_more_moves_than_the_solver_counts_are_refused() -> None:
    def result(position: int) -> hs.Result | None:
        return "loss" if position else None

    most = Counter(result=result, moves=lambda p: range(1, 32_767))
    assert hs.solve(most, check=0).positions == 32_767
    too_many = [lambda p: range(1, 32_768), lambda p: iter(int, 1)]
    for moves, check in itertools.product(too_many, [0, 100]):
        with pytest.raises(hs.GameError, match="has more than 32,766 moves; position 0"):
            hs.solve(Counter(result=result, moves=moves), check=check)


class Cell:
    """A position that changes."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        return hash(self.number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and self.number == other.number

    def __repr__(self) -> str:
        return f"Cell({self.number})"


def changed(cell: Cell, move: int) -> Cell:
    cell.number += move
    return Cell(cell.number)


def test_a_position_that_changes_is_found() -> None:
    game = Counter(start=lambda: Cell(0), play=changed)
    with pytest.raises(hs.GameError, match=r"play\(\) of the move 1 twice gives equal positions"):
        hs.solve(game)

    with pytest.raises(hs.GameError, match="has changed since it was met") as caught:
        hs.solve(game, check=0)
    assert isinstance(caught.value.position, Cell)

    def change_another(cell: Cell, move: int) -> Cell:
        if cell.number == 1:
            met[-1].number = 100
        met.append(Cell(cell.number + move))
        return met[-1]

    met: list[Cell] = []
    game = Counter(start=lambda: Cell(0), play=change_another)
    with pytest.raises(hs.GameError, match=r"has changed since it was met.*Cell\(100\)"):
        hs.solve(game, check=0)


class Odd(Cell):
    """A position that cannot be compared."""

    __hash__ = Cell.__hash__

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError("a fault of __eq__")


def test_an_exception_of_a_comparison_is_the_cause() -> None:
    game = Counter(start=lambda: Odd(0), play=lambda p, m: Odd((p.number + m) % 3))
    with pytest.raises(hs.GameError, match="two positions cannot be compared") as caught:
        hs.solve(game, check=0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_fault_that_happens_only_once_is_told() -> None:
    calls: list[int] = []

    def play(position: int, move: int) -> int:
        calls.append(move)
        return 1 if len(calls) > 1 else fail()

    with pytest.raises(hs.GameError, match=r"raised ZeroDivisionError: .*, once and not again"):
        hs.solve(Counter(play=play), check=0)


def test_a_position_whose_repr_fails_is_told() -> None:
    class Silent(Cell):
        def __repr__(self) -> str:
            raise ZeroDivisionError("a fault of __repr__")

    with pytest.raises(hs.GameError, match="position of Silent, whose repr"):
        hs.solve(Counter(start=lambda: Silent(0), moves=fail), check=0)


def test_an_endless_game_ends_at_the_number_of_positions() -> None:
    with pytest.raises(hs.LimitError, match="more than 1,000 positions were met: max_positions"):
        hs.solve(Counter(), max_positions=1_000)
    assert hs.solve(RandomGraph(1), max_positions=60, check=0).positions <= 60
    one_less = hs.solve(RandomGraph(1), check=0).positions - 1
    with pytest.raises(hs.LimitError):
        hs.solve(RandomGraph(1), max_positions=one_less, check=0)

    with pytest.raises(ValueError, match="max_positions is at least 1, not 0"):
        hs.solve(RandomGraph(1), max_positions=0)


def test_an_endless_game_ends_in_time() -> None:
    with pytest.raises(hs.LimitError, match=r"0\.3 s do not suffice: [\d,]+ positions were met"):
        hs.solve(Counter(), seconds=0.3, max_positions=10**9)


def test_an_endless_game_ends_at_the_limit_of_memory() -> None:
    with pytest.raises(hs.LimitError, match=r"out of memory at .*, 50000000 are allowed"):
        hs.solve(Counter(play=lambda p, m: p + m), memory=50_000_000, seconds=60)


class Counted(Cell):
    """A position of which those alive are counted."""

    alive = 0

    def __init__(self, number: int) -> None:
        super().__init__(number)
        Counted.alive += 1

    def __del__(self) -> None:
        Counted.alive -= 1


def test_positions_are_given_back() -> None:
    game = Counter(start=lambda: Counted(0), play=lambda p, m: Counted(p.number + m))
    with pytest.raises(hs.LimitError):
        hs.solve(game, max_positions=1_000)
    gc.collect()
    assert Counted.alive == 0
    ring = Counter(start=lambda: Counted(0), play=lambda p, m: Counted((p.number + m) % 50))
    solution = hs.solve(ring)
    assert Counted.alive >= 50
    del solution
    gc.collect()
    assert Counted.alive == 0


def slow_moves(position: object) -> Any:
    for _ in range(1_000):
        time.sleep(0.01)
        yield 1


@pytest.mark.parametrize(
    "game",
    [
        Counter(),
        Counter(moves=slow_moves),
    ],
    ids=["positions", "moves"],
)
def test_ctrl_c_stops_an_exploration(game: Counter) -> None:
    with interrupt_after(0.3), pytest.raises(KeyboardInterrupt):
        # The time bounds a failure of this test.
        hs.solve(game, check=0, max_positions=10**9, seconds=60)


def test_progress_is_told_and_its_exception_stops_the_solve() -> None:
    told: list[hs.Progress] = []
    solution = hs.solve(Named("tic-tac-toe"), progress=told.append)
    assert {progress.phase for progress in told} <= {"exploring", "solving"}
    assert told[-1].done <= solution.positions
    with pytest.raises(ZeroDivisionError):
        hs.solve(Counter(), progress=fail)


def test_other_threads_go_on_during_an_exploration() -> None:
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(hs.LimitError):
        hs.solve(Counter(), seconds=0.5)
    stop.set()
    thread.join()
    assert len(ticks) > 10


def test_a_class_without_its_methods_is_no_game() -> None:
    class Half(hs.Game[int, int]):
        turns = "alternate"

        def start(self) -> int:
            return 0

    with pytest.raises(TypeError, match="abstract"):
        Half()  # type: ignore[abstract]
