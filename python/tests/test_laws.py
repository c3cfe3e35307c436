"""Laws of games whose rules are a class, against planted faults."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from slow_solver import Dodgem, Named, RandomGraph

import hindsight_games as hs


class Heaps(hs.Game[Any, Any]):
    """Nim with three heaps, without faults; the key is the sorted heaps."""

    turns = "alternate"

    def start(self) -> Any:
        return (1, 2, 3)

    def result(self, heaps: Any) -> Any:
        return None if any(heaps) else "loss"

    def moves(self, heaps: Any) -> Any:
        return [(i, n) for i, heap in enumerate(heaps) for n in range(heap)]

    def play(self, heaps: Any, move: Any) -> Any:
        index, left = move
        return tuple(left if i == index else heap for i, heap in enumerate(heaps))

    def key(self, heaps: Any) -> Any:
        return tuple(sorted(heaps))


class OtherStart(Heaps):
    def start(self) -> Any:
        return (1, 2, random.random())


class RandomResult(Heaps):
    flips = itertools.cycle(["loss", "win"])

    def result(self, heaps: Any) -> Any:
        return None if any(heaps) else next(self.flips)


class RandomMoves(Heaps):
    def moves(self, heaps: Any) -> Any:
        moves = super().moves(heaps)
        random.shuffle(moves)
        return moves


class RandomPlay(Heaps):
    def play(self, heaps: Any, move: Any) -> Any:
        after = super().play(heaps, move)
        return tuple(random.sample(after, 3))


class TwiceTheMove(Heaps):
    def moves(self, heaps: Any) -> Any:
        return super().moves(heaps) + super().moves(heaps)[:1]


class NoHash(Heaps):
    def start(self) -> Any:
        return [1, 2, 3]


class Board:
    """A board that is equal to others, with a hash of its own."""

    def __init__(self, heaps: Any) -> None:
        self.heaps = heaps

    def __iter__(self) -> Any:
        return iter(self.heaps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.heaps == other.heaps

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Board({self.heaps})"


class OwnHash(Heaps):
    def start(self) -> Any:
        return Board((1, 2, 3))

    def play(self, heaps: Any, move: Any) -> Any:
        return Board(super().play(heaps, move))


class NoEquality(Heaps):
    def start(self) -> Any:
        return object()


class Diary(list[int]):
    """A position that notes how often it was asked."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self[:3]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Diary) and self[:3] == other[:3]


class Noted(Heaps):
    def start(self) -> Any:
        return Diary((1, 2, 3))

    def moves(self, heaps: Any) -> Any:
        heaps.append(0)
        return super().moves(heaps[:3])

    def play(self, heaps: Any, move: Any) -> Any:
        return Diary(super().play(heaps[:3], move))

    def key(self, heaps: Any) -> Any:
        return tuple(heaps[:3])


class CoarseKey(Heaps):
    def key(self, heaps: Any) -> Any:
        return sum(heaps)


class KeyOfOtherResult(Heaps):
    def key(self, heaps: Any) -> Any:
        return sorted(heaps)[1]

    def result(self, heaps: Any) -> Any:
        return "loss" if sorted(heaps)[1] == 0 and sum(heaps) < 3 else None


class RandomKey(Heaps):
    def key(self, heaps: Any) -> Any:
        return random.random()


class KeyOfAnotherKind(Heaps):
    """The key of (1, 2, 3) is (2, 3, 1), whose own key is (3, 1, 2); it tells all apart."""

    def key(self, heaps: Any) -> Any:
        return (*heaps[1:], heaps[0])


class KeyOfLateFault(Heaps):
    """The key is wrong where two heaps differ by three, in games too large to meet it twice."""

    def start(self) -> Any:
        return (90, 80, 70)

    def moves(self, heaps: Any) -> Any:
        return [(i, heap - 1) for i, heap in enumerate(heaps) if heap]

    def key(self, heaps: Any) -> Any:
        return (heaps[0] // 2, sum(heaps))


class ListKey(Heaps):
    def key(self, heaps: Any) -> Any:
        return sorted(heaps)


class NoComparison(Board):
    __hash__ = Board.__hash__

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError("a fault of __eq__")


class NotCompared(Heaps):
    def start(self) -> Any:
        return NoComparison((1, 2, 3))


class NoText:
    def __str__(self) -> str:
        raise ZeroDivisionError("a fault of __str__")


class MovesWithoutText(Heaps):
    def moves(self, heaps: Any) -> Any:
        return [NoText()]


class NoEnd(Heaps):
    def result(self, heaps: Any) -> Any:
        return None


@pytest.mark.parametrize(
    "game", [Heaps(), KeyOfAnotherKind(), RandomGraph(1), Named("tic-tac-toe"), Dodgem(3)]
)
def test_games_without_faults_pass(game: hs.Game[Any, Any]) -> None:
    hs.laws(game, positions=1_000)


@pytest.mark.parametrize(
    ("game", "law"),
    [
        (OtherStart(), "start() twice gives equal positions"),
        (RandomResult(), "result() of a position is always the same"),
        (RandomMoves(), "moves() of a position is always the same"),
        (RandomPlay(), "twice gives equal positions"),
        (TwiceTheMove(), "moves have different texts, not twice '(0, 0)'"),
        (NoHash(), "positions can be hashed"),
        (OwnHash(), "equal positions have equal hashes"),
        (NoEquality(), "start() twice gives equal positions"),
        (Noted(), "result, moves, play and key leave a position as it is"),
        (CoarseKey(), "positions with equal keys have equal keys after their moves"),
        (KeyOfOtherResult(), "positions with equal keys have equal"),
        (RandomKey(), "key() of a position is always the same"),
        (KeyOfLateFault(), "positions with equal keys have equal keys after their moves"),
        (ListKey(), "keys can be hashed, not ["),
        (NotCompared(), "positions can be compared"),
        (MovesWithoutText(), "moves have a text"),
        (NoEnd(), "there is no move and no result"),
    ],
)
def test_a_broken_law_is_told_with_its_position(game: hs.Game[Any, Any], law: str) -> None:
    random.seed(1)
    with pytest.raises(hs.GameError) as caught:
        hs.laws(game, positions=2_000, seed=5)
    assert law in str(caught.value)
    assert "; position " in str(caught.value)
    assert caught.value.position is not None


def test_the_message_says_how_to_see_it_again() -> None:
    with pytest.raises(hs.GameError) as caught:
        hs.laws(CoarseKey(), positions=300, seed=7)
    assert str(caught.value).endswith("; laws(.., positions=300, seed=7) shows it again")
    with pytest.raises(hs.GameError, match="equal keys") as again:
        hs.laws(CoarseKey(), positions=300, seed=7)
    assert str(again.value) == str(caught.value)
    with pytest.raises(hs.GameError, match=r"; solve\(\.\., check=100\) shows it again$"):
        hs.solve(CoarseKey())


def test_a_solve_checks_as_many_positions_as_it_is_told() -> None:
    """The fault is at a position far from the start."""

    class Late(hs.Game[int, str]):
        turns = "alternate"

        def start(self) -> int:
            return 0

        def result(self, position: int) -> hs.Result | None:
            return "loss" if position == 500 else None

        def moves(self, position: int) -> list[str]:
            return ["on", "on"] if position == 400 else ["on"]

        def play(self, position: int, move: str) -> int:
            return position + 1

    assert hs.solve(Late()).start == hs.Value("loss", 500)
    with pytest.raises(hs.GameError, match="not twice 'on'; position 400"):
        hs.solve(Late(), check=1_000)


def test_what_is_no_game_is_refused_in_words() -> None:
    with pytest.raises(
        TypeError, match=r"^laws\(\) takes an instance of a Game, such as Heaps\(\)$"
    ):
        hs.laws(Heaps)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^laws\(\) takes a Game of yours, not 'tic-tac-toe'$"):
        hs.laws("tic-tac-toe")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="positions is a whole number from 0 to"):
        hs.laws(Heaps(), positions=-1)
