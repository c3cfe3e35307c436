"""Objects of the rules that misbehave: the error is always one of the package, with its cause."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from slow_solver import Counter

import hindsight_games as hs


class FaultError(Exception):
    """The fault of an object."""


class Thing:
    """A number; its methods are replaced in subclasses."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        return hash(self.number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self.number == other.number


class NoHash(Thing):
    def __hash__(self) -> int:
        raise FaultError


class LateHash(Thing):
    def __hash__(self) -> int:
        if self.number > 1:
            raise FaultError
        return 1


class NoEquality(Thing):
    __hash__ = Thing.__hash__

    def __eq__(self, other: object) -> bool:
        raise FaultError


class ArrayEquality(Thing):
    """As a class with an array that compares it."""

    __hash__ = Thing.__hash__

    def __eq__(self, other: object) -> Any:
        return np.zeros(3) == self.number


class NoTexts(Thing):
    __hash__ = Thing.__hash__

    def __repr__(self) -> str:
        raise FaultError

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise FaultError


class SilentError(Exception):
    def __str__(self) -> str:
        raise FaultError


class Ring(Counter):
    """A piece on a ring; methods are replaced by keyword."""

    def play(self, position: Any, move: Any) -> Any:
        return (position + move) % 7


def with_positions(kind: type[Thing]) -> Ring:
    return Ring(
        start=lambda: kind(0), play=lambda position, move: kind((position.number + move) % 7)
    )


def with_keys(kind: Callable[[int], object]) -> Ring:
    return Ring(key=kind)


def raising(error: Exception) -> Callable[..., Any]:
    def method(*_: object) -> Any:
        raise error

    return method


FAULTS: dict[str, tuple[Ring, type[Exception]]] = {
    "hash of a position": (with_positions(NoHash), FaultError),
    "hash of a later position": (with_positions(LateHash), FaultError),
    "comparison of positions": (with_positions(NoEquality), FaultError),
    "comparison that is an array": (with_positions(ArrayEquality), ValueError),
    "texts and comparison of positions": (with_positions(NoTexts), FaultError),
    "array as a position": (Ring(start=lambda: np.zeros(3)), TypeError),
    "list as a key": (with_keys(lambda position: [position]), TypeError),
    "list in a key": (with_keys(lambda position: (position, [])), TypeError),
    "hash of a key": (with_keys(NoHash), FaultError),
    "hash of a later key": (with_keys(LateHash), FaultError),
    "comparison of keys": (with_keys(NoEquality), FaultError),
    "comparison of keys that is an array": (with_keys(ArrayEquality), ValueError),
    "texts of keys": (with_keys(NoTexts), FaultError),
    "error without a text": (Ring(moves=raising(SilentError())), SilentError),
    "error without a text at the start": (Ring(start=raising(SilentError())), SilentError),
    "result that cannot be hashed": (Ring(result=NoHash), FaultError),
    "list as a result": (Ring(result=lambda _: ["win"]), TypeError),
    "result that cannot be shown": (Ring(result=NoTexts), type(None)),  # type: ignore[dict-item]
    "iteration of moves": (
        Ring(moves=lambda _: type("M", (), {"__iter__": raising(FaultError())})()),
        FaultError,
    ),
    "end of an iteration": (Ring(play=raising(StopIteration())), StopIteration),
    "recursion": (Ring(play=lambda p, m: recursion()), RecursionError),
}


def recursion() -> Any:
    return recursion()


@pytest.mark.parametrize("way", ["solve", "solve without check", "laws"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_an_object_is_the_cause(name: str, way: str) -> None:
    game, cause = FAULTS[name]
    ways: dict[str, Callable[[], object]] = {
        "solve": lambda: hs.solve(game),
        "solve without check": lambda: hs.solve(game, check=0),
        "laws": lambda: hs.laws(game, positions=100),
    }
    with pytest.raises(hs.GameError) as caught:
        ways[way]()
    assert isinstance(caught.value.__cause__, cause)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 600


def test_a_move_without_a_text_breaks_a_law() -> None:
    game = Ring(moves=lambda _: [NoTexts(1)], play=lambda position, move: 0)
    for check in (lambda: hs.laws(game, positions=5), lambda: hs.solve(game)):
        with pytest.raises(hs.GameError, match="moves have a text") as caught:
            check()
        assert isinstance(caught.value.__cause__, FaultError)
    assert hs.solve(game, check=0).positions == 1


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("one\n\n  two"), "moves() raised ValueError: one two; position 0"),
        (ValueError(), "moves() raised ValueError; position 0"),
        (ValueError("x" * 1_000), f"moves() raised ValueError: {'x' * 197}...; position 0"),
    ],
)
def test_the_text_of_an_exception_is_one_line(error: Exception, text: str) -> None:
    with pytest.raises(hs.GameError) as caught:
        hs.solve(Ring(moves=raising(error)))
    assert str(caught.value) == text


def slow(position: object) -> list[int]:
    time.sleep(0.05)
    return [1, 2]


def test_limits_hold_during_the_check() -> None:
    """The checks of a hundred positions alone would take more than ten seconds."""
    begin = time.monotonic()
    with pytest.raises(hs.LimitError, match=r"^0\.2 s do not suffice"):
        hs.solve(Ring(moves=slow, play=lambda p, m: p + m), seconds=0.2)
    with pytest.raises(hs.LimitError, match="more than 4 positions were met"):
        hs.solve(Ring(moves=slow, play=lambda p, m: p + m), max_positions=4)
    assert time.monotonic() - begin < 8


def test_what_is_left_to_check_ends_with_the_time() -> None:
    """A key that merges nearly all: the solve is done before the check."""

    def pairs(position: tuple[int, int], move: int) -> tuple[int, int]:
        return (0, position[1] + move)

    game = Ring(start=lambda: (0, 0), moves=slow, play=pairs, key=lambda position: position[0])
    begin = time.monotonic()
    assert hs.solve(game, seconds=1).positions == 1
    assert time.monotonic() - begin < 8


def test_the_greatest_length_of_a_game() -> None:
    def down(length: int) -> Ring:
        return Ring(
            start=lambda: length,
            result=lambda position: None if position else "loss",
            moves=lambda position: [1],
            play=lambda position, move: position - move,
        )

    assert hs.solve(down(16_382)).start == hs.Value("loss", 16_382)
    with pytest.raises(hs.LimitError):
        hs.solve(down(16_384))


def test_the_check_is_a_number() -> None:
    with pytest.raises(ValueError, match="check is a whole number from 0 to"):
        hs.solve(Ring(), check=-1)
    assert hs.solve(Ring(), max_positions=10**30).positions == 7
