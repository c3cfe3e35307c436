"""The example games, as their pages show them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import hindsight_games as hs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name: str) -> ModuleType:
    """Return the module of an example."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / name / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kalah() -> ModuleType:
    return example("kalah")


def test_kalah(kalah: ModuleType) -> None:
    game = kalah.Kalah(3, 2)
    hs.laws(game)
    solution = hs.solve(game)
    assert (str(solution.start), solution.positions) == ("win in 10 plies", 3_672)
    for position in solution.sample(50, seed=1):
        assert game.parse(game.format(position)) == position
    # Seeds are never lost, and a pass is the only move of who has to pass.
    for position in solution.sample(200, seed=2):
        own, own_store, other, other_store, passes = position
        assert sum(own) + own_store + sum(other) + other_store == 12
        assert not passes or game.moves(position) == ["pass"]


def test_kalah_captures(kalah: ModuleType) -> None:
    game = kalah.Kalah(3, 2)
    after = game.play(((0, 1, 0), 4, (5, 1, 1), 0, False), "b")
    assert after == ((0, 1, 1), 0, (0, 0, 0), 10, False)
    # The last seed in the own store: the other side passes.
    after = game.play(((1, 0, 1), 4, (5, 1, 0), 0, False), "c")
    assert after == ((5, 1, 0), 0, (1, 0, 0), 5, True)


def test_teeko() -> None:
    teeko = example("teeko").Teeko(4, 3)
    solution = hs.solve(teeko)
    assert (solution.start, solution.positions) == (hs.Value("win", 5), 209_833)
    codes, _, _ = solution.arrays()
    for code in codes[::9973]:
        assert teeko.parse(teeko.format(code)) == code
    game = hs.game(teeko)
    assert [str(mv) for mv in game.moves(game.start)][:5] == ["a4", "b4", "c4", "d4", "a3"]
    with pytest.raises(ValueError, match="4 rows of x"):
        teeko.parse("x..")
    assert np.uint64(0) == teeko.start()
