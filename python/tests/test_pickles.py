"""Tables and solutions that travel to other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pathlib
import pickle
import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest
from slow_solver import RandomGraph

import hindsight_games as hs


class Rows(hs.Game[str, int]):
    """A row of places. A move fills two free neighbours; whoever cannot move loses."""

    turns = "alternate"
    version = "1"

    def __init__(self, places: int = 7) -> None:
        """Take the number of places."""
        self.places = places

    def start(self) -> str:
        """Return the free row."""
        return "." * self.places

    def result(self, row: str, /) -> Any:
        """Return whether it is over."""
        return None if ".." in row else "loss"

    def moves(self, row: str, /) -> list[int]:
        """Return the places of free pairs."""
        return [at for at in range(len(row) - 1) if row[at : at + 2] == ".."]

    def play(self, row: str, at: int, /) -> str:
        """Fill a pair."""
        return f"{row[:at]}xx{row[at + 2 :]}"

    def pack(self, row: str, /) -> bytes:
        """Return the places."""
        return row.encode()

    def unpack(self, packed: bytes, /) -> str:
        """Return the row."""
        return packed.decode()


class Heaps(hs.ArrayGame):
    """Two heaps; a move takes one stone of a heap, or one of each."""

    turns = "alternate"
    version = "1"
    taken = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.uint8)

    def start(self) -> Any:
        """Return the full heaps."""
        return np.array([9, 7], dtype=np.uint8)

    def expand(self, heaps: Any) -> Any:
        """Take stones."""
        legal = (heaps[:, None] >= self.taken).all(axis=2)
        offsets = np.concatenate([[0], legal.sum(axis=1).cumsum()])
        results = np.where(heaps.any(axis=1), hs.OPEN, -1)
        return (heaps[:, None] - self.taken)[legal], offsets, results


def _values(thing: Any, positions: list[Any]) -> list[str]:
    """Return values of positions; it runs in other processes, too."""
    return [str(thing[position]) for position in positions]


def test_other_processes_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a pool that begins with nothing in memory."""
    rows, heaps = hs.solve(Rows()), hs.solve(Heaps())
    four = hs.solve("four:4x3", solver="graph")
    table = hs.solve(Rows(), out="rows.table")
    keys = rows.arrays()[0]
    things: list[tuple[Any, list[Any]]] = [
        (rows, keys),
        (heaps, [bytes(code) for code in heaps.arrays()[0]]),
        (four, four.sample(200)),
        (table, [table.game.text(key) for key in keys]),  # type: ignore[attr-defined]
    ]
    # The other process imports this module, and the package that is installed.
    monkeypatch.setattr(sys, "path", [*sys.path, str(pathlib.Path(__file__).parents[1])])
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        values = list(pool.map(_values, *zip(*things, strict=True)))
    assert values == [_values(*thing) for thing in things]


def test_a_solution_keeps_all_that_it_has() -> None:
    """Counts, the game, lines and samples; and it is saved and pickled again."""
    for first in (hs.solve("four:4x3", solver="graph"), hs.solve(Rows()), hs.solve(Heaps())):
        second = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(first))))
        assert type(second) is type(first)
        for name in ("start", "positions", "edges", "counts", "signature"):
            assert getattr(second, name) == getattr(first, name)
        assert (second.histogram == first.histogram).all()
        assert second.line().moves == first.line().moves
        assert len(second.sample(10, seed=3)) == 10
        first.save("first.table")
        second.save("second.table")
        assert pathlib.Path("first.table").read_bytes() == pathlib.Path("second.table").read_bytes()
        for name in ("first.table", "second.table"):
            pathlib.Path(name).unlink()
    second = pickle.loads(pickle.dumps(hs.solve(Rows(5))))
    assert second.game.places == 5
    assert second.arrays()[0][0] == "....."
    assert second.get("xx.xx") == hs.Value("loss", 0)
    assert second.get("x....") is None
    pickle.loads(pickle.dumps(hs.solve("four:4x3", solver="graph"))).save("taken.table")
    with pytest.raises(hs.TableError, match=r"taken\.table"):
        pickle.loads(pickle.dumps(hs.solve("four:4x3", solver="graph"))).save("taken.table")


def test_a_table_that_does_not_fit_is_not_there() -> None:
    """Neither a part of it, wherever the values come from."""
    first = hs.solve("four:4x3", solver="graph")
    second, limits = pickle.loads(pickle.dumps(first)), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        for solution in (first, second):
            with pytest.raises(hs.TableError, match=r"cannot write 'small\.table': "):
                solution.save("small.table")
            assert list(pathlib.Path().iterdir()) == []
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_puzzle_takes_its_solution_along() -> None:
    """It proves its value there."""
    puzzle = hs.puzzles(hs.solve("four:4x3", solver="graph"), count=1)[0]
    again = pickle.loads(pickle.dumps(puzzle))
    assert again.certificate() == puzzle.certificate()


def test_a_table_knows_its_rules_and_its_file() -> None:
    """A file that is another one, or gone, is refused."""
    table = hs.solve(Rows(), out="rows.table")
    pickled = pickle.dumps(table)
    again = pickle.loads(pickled)
    assert again.start == table.start
    assert str(pickle.loads(pickle.dumps(again.game.start))) == str(again.game.start)
    file = pathlib.Path("rows.table")
    file.rename("old.table")
    with pytest.raises(hs.TableNotFoundError, match=r"rows\.table"):
        pickle.loads(pickled)
    hs.solve(Rows(), out="rows.table").close()
    assert pickle.loads(pickled).start == table.start
    file.unlink()
    hs.solve("four:4x3", solver="graph", out="rows.table").close()
    with pytest.raises(hs.TableError, match="has changed since its table was pickled"):
        pickle.loads(pickled)
    # What is open is still the old file.
    old = hs.open("old.table", rules=Rows())
    assert copy.copy(table).start == copy.deepcopy(table).start == old.start


class Counted(Rows):
    """Rows that count how often they are pickled."""

    times = 0

    def __getstate__(self) -> dict[str, Any]:
        """Return the number of places."""
        type(self).times += 1
        return self.__dict__


def test_rules_are_pickled_once_and_once_to_see_that_they_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rules that cannot be are refused before the table of a solution is written."""
    solution = hs.solve(Counted())
    for thing in (solution.named, solution, hs.solve(Counted(), out="counted.table")):
        Counted.times = 0
        pickle.dumps(thing)
        assert Counted.times == 2
    monkeypatch.setattr(Counted, "__getstate__", lambda rows: 1 // 0)
    monkeypatch.setattr("tempfile.TemporaryDirectory", None)
    with pytest.raises(TypeError, match=r"^Counted cannot be pickled: ZeroDivisionError"):
        pickle.dumps(solution)


class ByKey(Rows):
    """Rows that are the same from both ends."""

    def key(self, row: str, /) -> str:
        """Return the same text of a row and its image."""
        return min(row, row[::-1])


def test_what_has_no_table_is_not_pickled() -> None:
    """A sentence says so, and what can be done; a copy is the thing itself."""

    class Local(Rows):
        """Rules that another process cannot import."""

    own, searched = hs.solve(RandomGraph(1)), hs.solve("tic-tac-toe", solver="proof")
    local = hs.solve(Local())
    for thing, words in (
        (hs.solve("quoridor:3x3:1", solver="tiered"), r"^Solution .*pickled: only .*out=FILE"),
        (searched, r"^Solution cannot be pickled: only the positions that solver='graph'"),
        (own, r"^OwnSolution cannot be pickled: .* needs a version"),
        (local, r"^Local cannot be pickled: .*<locals>.*; what a module defines at its top can"),
        (hs.solve(ByKey()), r"^OwnSolution cannot be pickled: .* needs canonical instead of key"),
        (hs.solve(Local(), out="local.table"), r"^Local cannot be pickled"),
        (hs.game(Local()), r"^Local cannot be pickled"),
    ):
        with pytest.raises(TypeError, match=words):
            pickle.dumps(thing)
    assert copy.copy(searched) is copy.deepcopy(searched) is searched
    assert copy.copy(own) is copy.deepcopy(own) is own
    with hs.serve(port=0, block=False) as server:
        for refused in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=r"^Server cannot be pickled: .*http://"):
                refused(server)
