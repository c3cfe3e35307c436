"""Values: order, words, copies."""

from __future__ import annotations

import copy
import itertools
import pickle

import pytest

from hindsight_games import Value

ORDERED = [
    Value("loss"),
    Value("loss", 0),
    Value("loss", 2),
    Value("loss", 8),
    Value("draw"),
    Value("win"),
    Value("win", 9),
    Value("win", 1),
]


def test_the_greater_value_is_better() -> None:
    """Every pair of values is ordered as a player would."""
    for (i, a), (j, b) in itertools.product(enumerate(ORDERED), repeat=2):
        assert (a < b, a <= b, a == b, a > b) == (i < j, i <= j, i == j, i > j), (a, b)
        assert (hash(a) == hash(b)) or a != b


def test_words() -> None:
    """Values read as in the command."""
    words = [str(value) for value in (Value("win", 21), Value("loss", 1), Value("draw"))]
    assert words == ["win in 21 plies", "loss in 1 ply", "draw"]
    assert [value.wdl for value in (Value("win"), Value("draw"), Value("loss"))] == [1, 0, -1]
    assert Value("loss", 4).result == "loss"


def test_copies_are_equal() -> None:
    """Values can be copied, pickled and written as code."""
    for value in ORDERED:
        assert copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value
        assert eval(repr(value)) == value


def test_bad_values() -> None:
    """A draw has no plies, and a result is one of three words."""
    with pytest.raises(ValueError, match="a result is 'win', 'draw' or 'loss', not 'won'"):
        Value("won")  # type: ignore[arg-type]
    for result, plies in (("draw", 3), ("win", -1)):
        with pytest.raises(ValueError, match="plies go with a win or a loss"):
            Value(result, plies)  # type: ignore[arg-type]
    assert Value("win", 1) != "win"
    with pytest.raises(TypeError):
        Value("win", 2.5)  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        Value("win", 2).remoteness = 5  # type: ignore[misc]
    with pytest.raises(TypeError):
        _ = Value("win", 1) < 3  # type: ignore[operator]
