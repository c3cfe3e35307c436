"""Tables of games of yours whose positions are bytes by their parts, read in other processes."""

from __future__ import annotations

import enum
import os
import pathlib
import pickle
import re
import subprocess
import sys
from collections.abc import Hashable
from typing import Any, NamedTuple

import pytest

import hindsight_games as hs


class Pile(NamedTuple):
    """Stones, and who takes."""

    stones: int
    player: str


class Piles(hs.Game[Pile, int]):
    """A pile of stones. A move takes some; whoever takes the last one wins."""

    version = "1"

    def start(self) -> Pile:
        """Return the full pile."""
        return Pile(30, "left")

    def player(self, pile: Pile, /) -> str:
        """Return who takes."""
        return pile.player

    def result(self, pile: Pile, /) -> Any:
        """Return whether it is over."""
        return None if pile.stones else "loss"

    def moves(self, pile: Pile, /) -> set[int]:
        """Return numbers of stones."""
        return {taken for taken in (1, 2, 3) if taken <= pile.stones}

    def play(self, pile: Pile, taken: int, /) -> Pile:
        """Take stones."""
        return Pile(pile.stones - taken, "right" if pile.player == "left" else "left")


class Words(hs.Game[Hashable, str]):
    """Pairs of letters, with sets of moves, in tuples of some lengths."""

    turns = "alternate"
    version = "2"

    def start(self) -> Hashable:
        """Return nothing."""
        return ()

    def result(self, words: Any, /) -> Any:
        """Return whether there are enough words."""
        return "loss" if len(words) >= 5 else None

    def moves(self, words: Any, /) -> set[str]:
        """Return new words, in an order that differs from process to process."""
        return {one + other for one in "abc" for other in "abc"} - set(words)

    def play(self, words: Any, word: str, /) -> Hashable:
        """Add a word."""
        return tuple(sorted({*words, word, word[::-1]}))


class Sides(Words):
    """Pairs as above, which are the same with other letters."""

    def canonical(self, words: Any, /) -> Any:
        """Return the lesser of two."""
        images = [words]
        for _ in range(2):
            turned = (word.translate(str.maketrans("abc", "bca")) for word in images[-1])
            images.append(tuple(sorted(turned)))
        return min(images)


GAMES: list[type[hs.Game[Any, Any]]] = [Piles, Words, Sides]

READ = """
import sys, test_own_tables as own, hindsight_games as hs
game = getattr(own, sys.argv[1])()
with hs.open("x.table", rules=game) as table:
    solution = hs.solve(game)
    keys = solution.arrays()[0]
    assert table.info()["positions"] == len(keys) > 15
    for key in keys:
        assert table[table.game.text(key)] == solution[key]
    for text in table.sample(300, seed=1):
        assert table[text] == solution[table.game.object(text)]
    assert len(table.line().moves) > 0 and table.verify()
    hs.solve(game, out="y.table").close()
"""


def _other_process(code: str, *words: str, seed: int) -> str:
    folder = os.path.dirname(__file__)
    path = os.pathsep.join([folder, *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": str(seed)},
    )
    return done.stderr


@pytest.mark.parametrize("kind", GAMES)
def test_other_processes_read_a_table(kind: type[hs.Game[Any, Any]]) -> None:
    """With the values of a solve, and the same bytes, in whatever order moves come."""
    with hs.solve(kind(), out="x.table") as table:
        assert table.verify()
    hs.solve(kind()).save("z.table")
    for seed in (1, 2):
        assert _other_process(READ, kind.__name__, seed=seed) == ""
        written = pathlib.Path("x.table").read_bytes()
        assert pathlib.Path("y.table").read_bytes() == written
        assert pathlib.Path("z.table").read_bytes() == written
        pathlib.Path("y.table").unlink()


def test_a_position_that_was_never_reached_has_no_value() -> None:
    """Though it is read."""
    with hs.solve(Piles(), out="x.table") as table:
        assert table.get("Pile(stones=29, player='left')") is None
        assert table.get("Pile(stones=2**70, player='nobody')") is None
        assert table.game.spec.startswith("own:Piles")
        # With another sum, tables that lie on a disk could be opened no more.
        assert table.info()["game"] == "rules+0721779a:Piles 1"


class Cell(enum.IntEnum):
    """A number with a name."""

    FREE = 0
    FULL = 1


class Positions(hs.Game[Any, int]):
    """A row of given positions."""

    turns = "alternate"
    version = "1"

    def __init__(self, *positions: Any) -> None:
        """Take the positions."""
        self.positions = positions

    def start(self) -> Any:
        """Return the first."""
        return self.positions[0]

    def result(self, position: Any, /) -> Any:
        """Return whether it is the last."""
        return "loss" if position == self.positions[-1] else None

    def moves(self, position: Any, /) -> list[int]:
        """Return the only move."""
        return [1]

    def play(self, position: Any, move: int, /) -> Any:
        """Return the next."""
        return self.positions[self.positions.index(position) + 1]


@pytest.mark.parametrize("odd", [frozenset({1}), (Cell.FULL,), 2**130, 0.5])
def test_other_positions_have_no_table(odd: Any) -> None:
    """A sentence names the position, and says what helps."""
    for game in (Positions(odd, 3), Positions(3, odd, 4)):
        with pytest.raises(hs.SolveError, match=r"no other process.*pack and unpack"):
            hs.solve(game, out="x.table")
        with pytest.raises(hs.SolveError, match="no other process finds the bytes"):
            hs.solve(game).save("x.table")
        assert os.listdir(".") == []


def test_a_position_unlike_those_of_random_games_has_no_table() -> None:
    """Its form is not known when the table is opened."""
    line = [(number,) for number in range(2000)]
    large = ("x" * 300, "y" * 300)
    for game in (Positions(*line, "end"), Positions(*line, (10**6,)), Positions(*large)):
        with pytest.raises(hs.SolveError, match=r"31, .* too unlike those of random games"):
            hs.solve(game, out="x.table")
    assert os.listdir(".") == []


class Ranked(Piles):
    """Piles with ranks."""

    def tiers(self) -> list[int]:
        """Return the number of ranks."""
        return [62]

    def rank(self, pile: Pile, /) -> int:
        """Return the rank of a pile."""
        return 2 * pile.stones + (pile.player == "left")

    def unrank(self, tier: int, rank: int, /) -> Pile:
        """Return the pile of a rank."""
        return Pile(rank // 2, "left" if rank % 2 else "right")


def test_ranks_leave_bytes_aside() -> None:
    """A table by ranks names the rules alone."""
    with hs.solve(Ranked(), out="x.table") as table:
        assert table.info()["game"] == "rules:Ranked 1"
    with pytest.raises(hs.SolveError, match=r"needs pack and unpack .* as it has ranks"):
        hs.solve(Ranked(), solver="graph", out="y.table")


def test_rules_that_have_changed_are_noticed() -> None:
    """By the bytes of positions, even if their version is the same."""
    hs.solve(Positions(1, 2, 3), out="x.table").close()
    with pytest.raises(hs.TableError, match="other bytes: the rules have changed, or need pack"):
        hs.open("x.table", rules=Positions("a", "b", "c"))
    with pytest.raises(hs.TableError, match="cannot be written: the file exists"):
        hs.solve(Positions(1, 2, 3), out="x.table")


@pytest.mark.parametrize("version", ["2", "1+b", "1 c"])
def test_rules_of_another_version_are_no_others(version: str) -> None:
    """Whatever signs it has."""
    game, other = Positions(1, 2, 3), Positions(1, 2, 3)
    game.version, other.version = "1+a", version  # type: ignore[misc]
    hs.solve(game, out="x.table").close()
    words = rf"'Positions 1\+a': name its rules, .* are 'Positions {re.escape(version)}'$"
    with pytest.raises(hs.TableError, match=words):
        hs.open("x.table", rules=other)


class Both(Words):
    """Words with a player, up to the order of letters."""

    turns = None  # type: ignore[assignment]

    def player(self, words: Any, /) -> int:
        """Return who adds a word."""
        return words[0] if words else 0

    def play(self, words: Any, word: str, /) -> Hashable:
        """Add a word, behind the player."""
        return (1 - self.player(words), *sorted({*words[1:], word}))

    def canonical(self, words: Any, /) -> Any:
        """Return the lesser of two."""
        turned = (word[::-1] for word in words[1:])
        return min(words, (*words[:1], *sorted(turned)))


class Pair(NamedTuple):
    """A tuple of another class."""

    one: str
    two: str


@pytest.mark.parametrize("kind", [Words, Sides, Both])
def test_a_probe_of_what_was_never_reached_changes_nothing(kind: type[hs.Game[Any, Any]]) -> None:
    """Neither the table nor the pickle, nor the classes of positions."""
    hs.solve(kind()).save("x.table")
    solution = hs.solve(kind())
    keys = solution.arrays()[0]
    for odd in (("zz",), (7, "zz"), (0, "ab", "x" * 99), Pair("zz", "zz"), Pair("ab", "ba"), ()):
        assert solution.get(odd) == (solution.start if odd == () else None) or odd in keys
    with pytest.raises(hs.NotInTable):
        solution.value(("zy",))
    assert {type(key) for key in solution.arrays()[0]} == {tuple}
    again = pickle.loads(pickle.dumps(solution))
    assert again.value(keys[9]) == solution.value(keys[9])
    solution.by_text.get("(0, 'zz', 'öö') second")
    solution.save("y.table")
    assert pathlib.Path("x.table").read_bytes() == pathlib.Path("y.table").read_bytes()
