"""Games of yours that number their positions: every position, tables and checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hindsight_games as hs


class Walk(hs.Game[tuple[int, int, int], str]):
    """Two men on a ring of five cells, and stones: a move steps, or takes a stone.

    Whoever steps onto the other man wins. A side to move on cell 0 without stones has drawn.
    """

    version = "1"
    turns = "alternate"

    def start(self) -> tuple[int, int, int]:
        return (0, 2, 2)

    def result(self, position: tuple[int, int, int]) -> Any:
        own, other, stones = position
        if own == other:
            return "loss"
        return "draw" if own == 0 and stones == 0 else None

    def moves(self, position: tuple[int, int, int]) -> list[str]:
        return ["left", "right"] + ["take"] * (position[2] > 0)

    def play(self, position: tuple[int, int, int], move: str) -> tuple[int, int, int]:
        own, other, stones = position
        if move == "take":
            return (other, own, stones - 1)
        return (other, (own + (1 if move == "right" else 4)) % 5, stones)

    def tiers(self) -> list[int]:
        return [25, 25, 25]

    def rank(self, position: tuple[int, int, int]) -> Any:
        own, other, stones = position
        return None if own == other and stones == 1 else (stones, 5 * own + other)

    def unrank(self, tier: int, rank: int) -> Any:
        own, other = divmod(rank, 5)
        return None if own == other and tier == 1 else (own, other, tier)


class WalkOfArrays(hs.ArrayGame):
    """The same over rows of bytes."""

    version = "1"
    turns = "alternate"

    def start(self) -> Any:
        return np.array([0, 2, 2], dtype=np.uint8)

    def expand(self, rows: Any) -> Any:
        own, other, stones = rows.T
        over = (own == other) | ((own == 0) & (stones == 0))
        after = np.stack(
            [
                np.stack([other, (own + 4) % 5, stones], axis=1),
                np.stack([other, (own + 1) % 5, stones], axis=1),
                np.stack([other, own, stones - 1], axis=1),
            ],
            axis=1,
        ).astype(np.uint8)
        legal = np.stack([~over, ~over, ~over & (stones > 0)], axis=1)
        offsets = np.concatenate([[0], legal.sum(axis=1).cumsum()])
        results = np.where(own == other, -1, np.where(over, 0, hs.OPEN))
        return after[legal], offsets, results

    def tiers(self) -> list[int]:
        return [25, 25, 25]

    def rank(self, rows: Any) -> Any:
        own, other, stones = rows.T.astype(np.int64)
        hole = (own == other) & (stones == 1)
        return stones, np.where(hole, -1, 5 * own + other)

    def unrank(self, tier: int, ranks: Any) -> Any:
        own, other = np.divmod(ranks, 5)
        rows = np.stack([own, other, np.full_like(own, tier)], axis=1).astype(np.uint8)
        return rows, ~((own == other) & (tier == 1))


def slow_values(game: Walk) -> dict[tuple[int, int, int], tuple[int, int | None]]:
    """Return result and plies of all positions: rounds over all, until nothing changes."""
    numbers = {"win": 1, "draw": 0, "loss": -1}
    all_positions = [(own, other, n) for own in range(5) for other in range(5) for n in range(3)]
    ends = {p: (numbers[r], 0) for p in all_positions if (r := game.result(p)) is not None}
    values = dict(ends)
    for plies in range(1, 60):
        found = {}
        for position in all_positions:
            if position in values:
                continue
            after = [values.get(game.play(position, move)) for move in game.moves(position)]
            if any(value == (-1, plies - 1) for value in after):
                found[position] = (1, plies)
            elif all(value is not None and value[0] == 1 for value in after):
                found[position] = (-1, plies)
        values.update(found)
    return {
        p: (result, plies if result else None)
        for p in all_positions
        for result, plies in [values.get(p, (0, 0))]
    }


def test_every_position_has_the_value_of_a_slow_solve(tmp_path: Path) -> None:
    slow = slow_values(Walk())
    ranked = {p: v for p, v in slow.items() if Walk().rank(p) is not None}
    with hs.solve(Walk(), out=tmp_path / "w.table") as table:
        assert table.verify().positions == len(ranked) == 70
        for position, (result, plies) in slow.items():
            value = table[f"{position} first"]
            assert (value.wdl, value.remoteness) == (result, plies)
    whole = hs.solve(WalkOfArrays(), solver="tiered")
    assert whole.positions == 70
    for (own, other, stones), (result, plies) in slow.items():
        value = whole[bytes([own, other, stones]).hex()]
        assert (value.wdl, value.remoteness) == (result, plies)


def test_a_table_is_opened_with_its_rules_alone(tmp_path: Path) -> None:
    file = tmp_path / "w.table"
    hs.solve(Walk(), out=file).close()
    with pytest.raises(hs.TableError, match="name its rules"):
        hs.open(file)
    with hs.open(file, rules=Walk()) as table:
        start = table.start
        assert table[table.game.start] == start
        assert hs.audit("mcts:playouts=10", table=table, positions=10)
        assert sum(len(batch["rank"]) for batch in table.scan()) == 70

    class Later(Walk):
        version = "2"

        def __str__(self) -> str:
            return "Walk"

    with pytest.raises(hs.TableError, match="the rules that are named are 'Walk 2'"):
        hs.open(file, rules=Later())


def test_a_checkpoint_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    def stop(progress: hs.Progress) -> None:
        raise KeyboardInterrupt

    class Large(Walk):
        def tiers(self) -> list[int]:
            return [25, 25, 8_000_000]

        def unrank(self, tier: int, rank: int) -> Any:
            return super().unrank(tier, rank) if rank < 25 else None

    folder, file = tmp_path / "ck", tmp_path / "w.table"
    with pytest.raises(KeyboardInterrupt):
        hs.solve(Large(), out=file, checkpoint=folder, progress=stop)
    assert folder.exists()
    assert not file.exists()
    with hs.solve(Large(), out=file, checkpoint=folder, resume=True) as table:
        assert table.verify().positions == 70


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"rank": lambda self, position: 1.5}, r"rank\(\) returned 1.5, not a rank"),
        ({"rank": lambda self, position: -1}, r"rank\(\) returned -1, not a rank"),
        ({"rank": lambda self, position: None}, "there is no rank, although the game is not over"),
        ({"rank": lambda self, position: 1 // 0}, r"rank\(\) raised ZeroDivisionError"),
        ({"rank": lambda self, position: (7, 0)}, "tier 7, but there are 3"),
        (
            {"unrank": lambda self, tier, rank: 1 // 0},
            r"unrank\(\d, \d+\) raised Zero",
        ),
        ({"unrank": lambda self, tier, rank: None}, "a rank has the position that has the rank"),
        ({"tiers": lambda self: [0.5]}, r"tiers\(\) raised TypeError"),
        ({"tiers": lambda self: []}, r"tiers\(\) returned \[\], not the number of ranks"),
        ({"tiers": lambda self: [25, 25, 2]}, "rank 2 of tier 2, which has 2"),
    ],
)
def test_faults_of_a_numbering_are_sentences(
    change: dict[str, Any], text: str, tmp_path: Path
) -> None:
    faulty = type("Faulty", (Walk,), change)()
    with pytest.raises(hs.GameError, match=text):
        hs.solve(faulty, out=tmp_path / "x.table")
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    class Partly(Walk):
        tiers = hs.Game.tiers  # type: ignore[assignment]

    class Nameless(Walk):
        version = ""

    with pytest.raises(hs.GameError, match="not rank and unrank alone"):
        hs.solve(Partly(), out=tmp_path / "x.table")
    with pytest.raises(hs.SolveError, match="needs a version for its tables"):
        hs.solve(Nameless(), out=tmp_path / "x.table")
    with pytest.raises(hs.SolveError, match="solver='proof' writes no table"):
        hs.solve(Walk(), out=tmp_path / "x.table", solver="proof")  # type: ignore[call-overload]
    with pytest.raises(hs.SolveError, match="needs pack and unpack for a table"):
        hs.solve(Walk(), out=tmp_path / "x.table", solver="graph")
    with pytest.raises(hs.SolveError, match="has no checkpoints"):
        hs.solve(Walk(), solver="graph", out=tmp_path / "x.table", checkpoint=tmp_path / "ck")
    assert list(tmp_path.iterdir()) == []
    assert hs.solve(Nameless(), solver="tiered").positions == 70


class PackedWalk(Walk):
    """Positions as bytes of its own."""

    tiers = hs.Game.tiers  # type: ignore[assignment]
    rank = hs.Game.rank  # type: ignore[assignment]
    unrank = hs.Game.unrank  # type: ignore[assignment]

    def pack(self, position: tuple[int, int, int]) -> bytes:
        return bytes(position)

    def unpack(self, packed: bytes) -> tuple[int, int, int]:
        own, other, stones = packed
        return (own, other, stones)

    def __str__(self) -> str:
        return "Walk of bytes"


def test_what_is_reachable_has_a_table(tmp_path: Path) -> None:
    file = tmp_path / "w.table"
    solution = hs.solve(PackedWalk())
    with hs.solve(PackedWalk(), out=file) as table:
        assert table.verify().positions == solution.positions
        assert (table.start, table.layout) == (solution.start, "full")
    solution.save(tmp_path / "saved.table")
    assert (tmp_path / "saved.table").read_bytes() == file.read_bytes()
    with pytest.raises(hs.SolveError, match="needs pack and unpack"):
        hs.solve(Walk()).save(tmp_path / "walk.table")
    with hs.open(file, rules=PackedWalk()) as table:
        found, wdl, _ = solution.arrays()
        positions: list[Any] = list(found)
        assert len(positions) == len(wdl) == solution.positions
        for position in positions:
            assert table[f"{position} first"] == solution[position]
    kept: dict[str, Any] = {"solver": "graph", "checkpoint": tmp_path / "ck"}
    assert hs.solve(PackedWalk(), **kept).signature == solution.signature
    with hs.solve(PackedWalk(), out=tmp_path / "kept.table", resume=True, **kept):
        assert (tmp_path / "kept.table").read_bytes() == file.read_bytes()
    arrays = WalkOfArrays()
    with hs.solve(arrays, out=tmp_path / "a.table", solver="graph") as table:
        reached = hs.solve(arrays)
        assert table.verify().positions == reached.positions
        codes, wdl, plies = reached.arrays()
        for code, result, remoteness in zip(codes, wdl, plies, strict=True):
            value = table[bytes(code).hex()]
            assert value.wdl == result
            assert result == 0 or value.remoteness == remoteness
