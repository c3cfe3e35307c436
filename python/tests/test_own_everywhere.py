"""A game whose rules are a class, in all that takes a game."""

from __future__ import annotations

import json
import pickle
import random
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable
from typing import Any, ClassVar
from urllib.parse import quote

import numpy as np
import pytest
from interrupts import interrupt_after
from slow_solver import Named

import hindsight_games as hs

Board = tuple[int, ...]


class Tic(hs.Game[Board, int]):
    """Tic-tac-toe: 0 is empty, 1 is x and 2 is o."""

    turns: ClassVar[Any] = "alternate"
    lines: ClassVar = [
        *((i, i + 1, i + 2) for i in (0, 3, 6)),
        *((i, i + 3, i + 6) for i in (0, 1, 2)),
        (0, 4, 8),
        (2, 4, 6),
    ]

    def start(self) -> Board:
        return (0,) * 9

    def result(self, board: Board) -> hs.Result | None:
        if any(board[a] == board[b] == board[c] != 0 for a, b, c in self.lines):
            return "loss"
        return None if 0 in board else "draw"

    def moves(self, board: Board) -> list[int]:
        return [square for square in range(9) if board[square] == 0]

    def play(self, board: Board, square: int) -> Board:
        mark = 2 - board.count(0) % 2
        return (*board[:square], mark, *board[square + 1 :])


class Drawn(Tic):
    """With texts whose boards are drawn."""

    def format(self, board: Board) -> str:
        rows = ("".join(".xo"[mark] for mark in board[i : i + 3]) for i in (0, 3, 6))
        return "/".join(rows)

    def parse(self, text: str) -> Board:
        if [len(row) for row in text.split("/")] != [3, 3, 3] or set(text) - set(".xo/"):
            raise ValueError("three rows of three signs are needed")
        return tuple(".xo".index(sign) for sign in text.replace("/", ""))


class Symmetric(Drawn):
    turned = (2, 5, 8, 1, 4, 7, 0, 3, 6)
    mirrored = (2, 1, 0, 5, 4, 3, 8, 7, 6)

    def images(self, board: Board) -> list[Board]:
        found = []
        for _ in range(4):
            board = tuple(board[i] for i in self.turned)
            found += [board, tuple(board[i] for i in self.mirrored)]
        return found


class Keyed(Symmetric):
    def key(self, board: Board) -> Board:
        return min(self.images(board))


class Canonical(Symmetric):
    def canonical(self, board: Board) -> Board:
        return min(self.images(board))


class Told(Drawn):
    """It tells whose turn it is."""

    turns = None

    def player(self, board: Board) -> str:
        return "cross" if board.count(0) % 2 else "nought"


class Packed(Drawn):
    def pack(self, board: Board) -> bytes:
        return bytes(board)

    def unpack(self, packed: bytes) -> Board:
        return tuple(packed)


class PackedTold(Told):
    pack = Packed.pack
    unpack = Packed.unpack


BUILT_IN = hs.solve("tic-tac-toe", solver="graph")


@pytest.mark.parametrize("kind", [Tic, Drawn, Told, Packed, PackedTold])
def test_every_value_is_that_of_the_built_in_game(kind: type[Tic]) -> None:
    own = hs.solve(kind())
    assert (own.signature, own.edges) == (BUILT_IN.signature, BUILT_IN.edges)
    assert own.histogram.tolist() == BUILT_IN.histogram.tolist()
    boards, wdl, plies = own.arrays()
    texts = [Drawn().format(board) for board in boards]  # type: ignore[arg-type]
    known = BUILT_IN.probe_many(texts)
    assert (wdl == known[0]).all()
    assert (plies == known[1]).all()


@pytest.mark.parametrize("kind", [Keyed, Canonical])
def test_symmetric_positions_are_one(kind: type[Symmetric]) -> None:
    own = hs.solve(kind())
    assert own.signature == hs.solve("tic-tac-toe", solver="graph", symmetry=True).signature
    for board in hs.solve(Tic()).sample(5_478):
        assert own[board] == BUILT_IN[Drawn().format(board)]


@pytest.mark.parametrize("spec", ["four:4x4", "dodgem:3x3", "quoridor:3x3:1", "onitama:3x3:boar"])
def test_other_games_agree_position_by_position(spec: str) -> None:
    own, known = hs.solve(Named(spec)), hs.solve(spec, solver="graph")
    assert (own.signature, own.edges) == (known.signature, known.edges)
    texts, wdl, plies = own.arrays()
    values = known.probe_many([str(text) for text in texts])
    assert (wdl == values[0]).all()
    assert (plies == values[1]).all()


def test_one_thread_finds_what_two_find() -> None:
    for kind in (Tic, Keyed):
        one, two = hs.solve(kind(), threads=1), hs.solve(kind(), threads=2)
        assert one.signature == two.signature
        assert one.arrays()[0] == two.arrays()[0]


def test_searches_find_the_value_of_the_start() -> None:
    for solver in ("proof", "forward"):
        search = hs.solve(Drawn(), solver=solver)
        assert search.start.result == "draw"
        with pytest.raises(hs.SolveError, match="has kept no values"):
            search.value((0,) * 9)
        with pytest.raises(hs.SolveError, match="has kept no values"):
            _ = search.counts
    with pytest.raises(hs.SolveError, match="has no numbered positions"):
        hs.solve(Drawn(), solver="tiered")


def test_a_solve_begins_at_a_position() -> None:
    board = Drawn().parse("xx./oo./...")
    own = hs.solve(Drawn(), start=board)
    assert own.start == hs.Value("win", 1)
    assert own.positions < 5_478
    assert own.get((0,) * 9) is None


def test_positions_and_moves_as_texts() -> None:
    g = hs.game(Drawn())
    assert isinstance(g, hs.OwnNamedGame)
    assert str(g.start) == ".../.../... first"
    after = g.play(g.start, "4")
    assert (str(after), g.player(after), g.result(after)) == (".../.x./... second", "Second", None)
    assert g.object(after) == (0, 0, 0, 0, 1, 0, 0, 0, 0)
    assert g.text((0, 0, 0, 0, 1, 0, 0, 0, 0)) == ".../.x./... first"
    assert "x" in g.diagram(after)
    assert g.svg(after, "4").startswith("<svg")
    assert g.position(".../.X./... SECOND".lower()) == after
    with pytest.raises(hs.PositionError, match="three rows of three signs"):
        g.moves("../.../...")
    with pytest.raises(hs.MoveError, match="0"):
        g.play(after, "4")
    assert pickle.loads(pickle.dumps(g)).start == g.start
    told = hs.game(Told())
    assert told.players == ("cross", "nought")
    assert (str(told.start), told.player(told.start)) == (".../.../...", "cross")


def test_positions_without_a_text_of_their_own_are_read_back() -> None:
    class Sets(hs.Game[frozenset[int], int]):
        turns = "alternate"

        def start(self) -> frozenset[int]:
            return frozenset(range(4))

        def result(self, left: frozenset[int]) -> hs.Result | None:
            return None if left else "loss"

        def moves(self, left: frozenset[int]) -> list[int]:
            return sorted(left)

        def play(self, left: frozenset[int], taken: int) -> frozenset[int]:
            return left - {taken}

    g = hs.game(Sets())
    assert isinstance(g, hs.OwnNamedGame)
    after = g.play(g.start, "2")
    assert str(after) == "frozenset({0, 1, 3}) second"
    assert g.object(after) == {0, 1, 3}
    assert len(g.moves(after)) == 3
    with pytest.raises(hs.PositionError, match="is no position that this process has met"):
        g.moves("frozenset({7}) first")


def test_analyses_matches_audits_and_puzzles() -> None:
    game = Drawn()
    own = hs.solve(game)
    analysis = hs.analyse(game, "xx./oo./... first")
    assert analysis.known.value == hs.Value("win", 1)
    assert analysis.moves[0].move == "2"
    assert hs.analyse(own.named, "xx./oo./... first").known.value == hs.Value("win", 1)

    def first(g: hs.NamedGame, position: hs.Position, moves: list[str], rng: Any) -> str:
        assert isinstance(g.rules, Drawn)  # type: ignore[attr-defined]
        return moves[0]

    result = hs.match("perfect", first, table=own, games=20)
    assert result.wins[1] == 0
    assert result.game.startswith("own:Drawn:")
    assert hs.match("perfect", "random", game=game, table=own, games=10).wins[1] == 0
    assert hs.match("mcts:playouts=100", "random", game=game, games=10).wins[0] > 5
    [mine, perfect] = hs.audit([first, "perfect"], table=own, positions=100)
    assert perfect.given_away == 0
    assert mine.given_away is not None
    assert mine.given_away > 0
    puzzle = hs.puzzles(own, count=1)[0]
    assert len(puzzle.line) == puzzle.value.remoteness
    board = own.named.object(puzzle.position)
    assert own[board] == puzzle.value
    assert hs.puzzles(game, count=2)[0].value.result == "win"


def test_a_known_name_is_forgotten() -> None:
    game = Drawn()
    hs.match("random", "random", game=game, games=1)
    spec = hs.game(game).spec
    with pytest.raises(hs.SpecError):
        hs.game(spec)


def answer_of(url: str) -> Any:
    with urllib.request.urlopen(url) as answer:
        return json.loads(answer.read())


def test_the_explorer_serves_the_game() -> None:
    g = hs.game(Drawn())
    with hs.serve(g, port=0, block=False) as server:
        base = f"{server.url}api/v1/tables/{quote(g.spec, safe='')}"
        listed = answer_of(f"{server.url}api/v1")
        assert g.spec in listed["tables"]
        told = answer_of(f"{base}/position?p={quote('xx./oo./... first')}")
        assert "win" in json.dumps(told)
    with pytest.raises(hs.SpecError):
        hs.game(g.spec)


def failing_at(position: Board) -> type[Drawn]:
    class Failing(Drawn):
        def moves(self, board: Board) -> list[int]:
            if board == position:
                raise ZeroDivisionError("a fault of the rules")
            return super().moves(board)

    return Failing


CALLS: dict[str, Callable[[hs.Game[Any, Any]], object]] = {
    "solve": hs.solve,
    "analyse": lambda game: hs.analyse(game, seconds=5),
    "puzzles": hs.puzzles,
    "match": lambda game: hs.match("mc:playouts=50", "random", game=game, games=50),
    "match of a function": lambda game: hs.match(
        lambda g, position, moves, rng: rng.choice(moves), "random", game=game, games=200
    ),
    "moves": lambda game: hs.game(game).moves("xo./.../... first"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_fault_is_the_same_wherever_it_is_met(name: str) -> None:
    game = failing_at(Drawn().parse("xo./.../..."))()
    with pytest.raises(hs.GameError, match=r"moves\(\) raised ZeroDivisionError") as caught:
        CALLS[name](game)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.position == (1, 2, 0, 0, 0, 0, 0, 0, 0)


def test_a_fault_is_a_problem_of_the_server() -> None:
    rare = Drawn().parse("xox/oxo/ox.")
    g = hs.game(failing_at(rare)())
    with hs.serve(g, port=0, block=False) as server:
        base = f"{server.url}api/v1/tables/{quote(g.spec, safe='')}"
        with pytest.raises(urllib.error.HTTPError) as caught:
            answer_of(f"{base}/position?p={quote('xox/oxo/ox. first')}")
        problem = json.loads(caught.value.read())
        assert "ZeroDivisionError" in problem["detail"]


@pytest.mark.parametrize("result", [float("nan"), 1.0, [], "Win", 1])
def test_a_result_that_is_none_is_refused(result: object) -> None:
    class Odd(Drawn):
        def result(self, board: Board) -> Any:
            return result if board.count(0) == 7 else super().result(board)

    with pytest.raises(hs.GameError, match=r"result\(\) returned .*, not 'win', 'draw', 'loss'"):
        hs.solve(Odd(), check=0)


def test_a_pack_of_another_size_is_refused() -> None:
    class Odd(Packed):
        def pack(self, board: Board) -> bytes:
            return bytes(board[: 9 - board.count(1)])

    with pytest.raises(hs.HindsightError, match="bytes, not 9 as of the start"):
        hs.solve(Odd(), check=0)


def test_ctrl_c_stops_an_analysis() -> None:
    class Slow(Drawn):
        def moves(self, board: Board) -> list[int]:
            import time

            time.sleep(0.05)
            return super().moves(board)

    with interrupt_after(0.5), pytest.raises(KeyboardInterrupt):
        hs.analyse(Slow(), seconds=60)


def test_a_class_that_is_silent_about_turns_gets_one_warning() -> None:
    class Silent(Drawn):
        turns = None

    with pytest.warns(hs.TurnsWarning, match="Silent says neither turns = 'alternate' nor player"):
        hs.solve(Silent())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hs.solve(Silent())

    class Wrong(Drawn):
        turns = "twice"  # type: ignore[assignment]

    with pytest.raises(hs.GameError, match="turns of a game are 'alternate', not 'twice'"):
        hs.solve(Wrong())


class Any9(hs.Game[Any, int]):
    """Positions are the given ones, in a row."""

    turns = "alternate"

    def __init__(self, positions: list[Any]) -> None:
        self.positions = positions

    def start(self) -> Any:
        return self.positions[0]

    def result(self, position: Any) -> hs.Result | None:
        return "loss" if position == self.positions[-1] else None

    def moves(self, position: Any) -> list[int]:
        return [1]

    def play(self, position: Any, move: int) -> Any:
        return self.positions[self.positions.index(position) + 1]


def random_object(rng: random.Random, depth: int = 0) -> Any:
    """Return an object of any kind that the codec has, or has not."""
    kinds = 9 if depth < 3 else 7
    kind = rng.randrange(kinds)
    if kind == 0:
        return rng.choice([0, 1, -1, 2**31, -(2**63), 2**64, 2**125, rng.randrange(100)])
    if kind == 1:
        return rng.random() < 0.5
    if kind == 2:
        return None
    if kind == 3:
        return "".join(rng.choice("abxo./ \n\u5c06") for _ in range(rng.randrange(12)))
    if kind == 4:
        return rng.randbytes(rng.randrange(10))
    if kind == 5:
        return rng.choice([0.5, 2.0, -3.0, 1e300])
    if kind == 6:
        return rng.choice([np.int64(3), np.uint8(1), frozenset({1, 2})])
    return tuple(random_object(rng, depth + 1) for _ in range(rng.randrange(5)))


@pytest.mark.parametrize("seed", range(10))
def test_objects_are_equal_if_and_only_if_their_bytes_are(seed: int) -> None:
    rng = random.Random(seed)
    objects = [random_object(rng) for _ in range(600)]
    rules = hs.game(Any9([0, 1]))._rules  # type: ignore[attr-defined]
    by_object: dict[Any, Any] = {}
    by_bytes: dict[bytes, Any] = {}
    for one in [*objects, *objects]:
        packed = bytes(rules.encoded(one, True))
        assert len(packed) == rules.position_bytes()
        assert bytes(rules.encoded(one, False)) == packed
        assert rules.decoded(packed) == one
        assert by_object.setdefault(one, packed) == packed
        assert by_bytes.setdefault(packed, one) == one
    assert rules.encoded((123456789, "new"), False) is None


def test_named_tuples_come_back() -> None:
    from typing import NamedTuple

    class Place(NamedTuple):
        row: int
        column: int

    class Walk(hs.Game[Place, int]):
        turns = "alternate"

        def start(self) -> Place:
            return Place(5, 5)

        def result(self, place: Place) -> hs.Result | None:
            return None if place.row + place.column else "loss"

        def moves(self, place: Place) -> list[int]:
            return [i for i in range(2) if place[i]]

        def play(self, place: Place, i: int) -> Place:
            return place._replace(**{("row", "column")[i]: place[i] - 1})

    own = hs.solve(Walk())
    assert own.positions == 36
    assert all(isinstance(place, Place) for place in own.sample(36))
    assert own[Place(1, 0)] == own[1, 0] == hs.Value("win", 1)  # type: ignore[index]
