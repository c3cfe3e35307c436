"""Messages: short, whatever was given, and of one class for one reason."""

from __future__ import annotations

import pathlib
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

import hindsight_games as hs

LONG = "x" * 1_000_000
# Signs of a text that UTF-8 cannot hold.
ODD = "\ud800"


class Stones(hs.Game[int, int]):
    """Whoever takes the last of some stones wins."""

    turns = "alternate"

    def start(self) -> int:
        return 5

    def result(self, stones: int) -> hs.Result | None:
        return "loss" if stones == 0 else None

    def moves(self, stones: int) -> list[int]:
        return [taken for taken in (1, 2) if taken <= stones]

    def play(self, stones: int, taken: int) -> int:
        return stones - taken


TIC: Any = hs.game("tic-tac-toe")
SOLVED: Any = hs.solve("tic-tac-toe")
SOLVE: Any = hs.solve
Call = Callable[[str], object]

# What each function says of a wrong text: the class of its error, and calls.
REASONS: dict[type[Exception], dict[str, Call]] = {
    hs.SpecError: {
        "game": hs.game,
        "solve": hs.solve,
        "analyse": hs.analyse,
        "puzzles": hs.puzzles,
        "match": lambda text: hs.match("random", "random", game=text),
        "serve": lambda text: hs.serve(text, port=0, block=False),
        "size": lambda text: hs.game(f"quoridor:{text}"),
        "cards": lambda text: hs.game(f"onitama:5x5:{text}"),
        "option": lambda text: hs.game(f"quixo:3x3:{text}=yes"),
        "value": lambda text: hs.game(f"four:7x6:line={text}"),
    },
    hs.PositionError: {
        "moves": TIC.moves,
        "player": TIC.player,
        "result": TIC.result,
        "position": TIC.position,
        "diagram": TIC.diagram,
        "svg": TIC.svg,
        "png": TIC.png,
        "play": lambda text: TIC.play(text, "a1"),
        "analyse": lambda text: hs.analyse(TIC, text),
        "probe": SOLVED.probe,
        "value": lambda text: SOLVED[text],
        "line": SOLVED.line,
        "proof": SOLVED.proof,
        "probe_many": lambda text: SOLVED.probe_many([text]),
        "onitama": lambda text: hs.game("onitama:3x4:boar").moves(f"{text} {text}"),
        "quoridor": lambda text: hs.game("quoridor:3x3:1").moves(f"a1 {text} black"),
        "turn": lambda text: hs.game("onitama:3x3:boar").moves(f"b1b/3/r1r {text}"),
    },
    hs.MoveError: {
        "tic-tac-toe": lambda text: TIC.play(TIC.start, text),
        "quoridor": lambda text: _play("quoridor:5x5:1", text),
        "onitama": lambda text: _play("onitama:3x4:boar", f"a1a2:{text}"),
        "four": lambda text: _play("four:4x4", text),
        "ostle": lambda text: _play("ostle:3x3:2:1", text),
    },
    hs.AgentError: {
        "match": lambda text: hs.match(text, "random", game=TIC),
        "audit": lambda text: hs.audit(text, table=SOLVED),
        "option": lambda text: hs.audit(f"mcts:{text}", table=SOLVED),
        "value": lambda text: hs.audit(f"mcts:playouts={text}", table=SOLVED),
    },
    hs.TableError: {
        "open": hs.open,
        "out": lambda text: hs.solve("quoridor:3x3:1", out=text),
        "checkpoint": lambda text: hs.solve("quoridor:3x3:1", checkpoint=text),
        "cache": lambda text: hs.analyse(TIC, cache=text),
        "save": lambda text: hs.solve(Stones()).save(f"{text}.csv"),
        "serve": lambda text: hs.serve(pathlib.Path(text), port=0, block=False),
    },
    ValueError: {
        "solver": lambda text: SOLVE("tic-tac-toe", solver=text),
        "theme": lambda text: hs.puzzles(SOLVED, theme=text),  # type: ignore[arg-type]
        "unique": lambda text: hs.puzzles(SOLVED, unique=text),  # type: ignore[arg-type]
        "memory": lambda text: hs.solve("tic-tac-toe", memory=text),
        "source": lambda text: hs.audit("random", table=SOLVED, source=text),  # type: ignore[arg-type]
        "errors": lambda text: SOLVED.probe_many([], errors=text),
        "bind": lambda text: hs.serve(bind=text, port=0, block=False),
        "result": lambda text: hs.Value(text),  # type: ignore[arg-type]
        "value": lambda text: SOLVED.sample(1, value=text),
    },
}
WRONG_TEXTS = [
    pytest.param(kind, call, id=f"{kind.__name__}-{name}")
    for kind, calls in REASONS.items()
    for name, call in calls.items()
]


def _play(spec: str, move: str) -> None:
    game = hs.game(spec)
    game.play(game.start, move)


@pytest.mark.parametrize(("kind", "call"), WRONG_TEXTS)
def test_a_message_quotes_some_hundred_characters(kind: type[Exception], call: Call) -> None:
    """However long a text is, also one with signs of several bytes."""
    for text in (LONG, "é" * 5_000, "'" * 5_000):
        with pytest.raises(kind) as caught:
            call(text)
        assert 20 < len(str(caught.value)) < 1_500


@pytest.mark.parametrize(("kind", "call"), WRONG_TEXTS)
def test_a_text_that_utf8_cannot_hold_is_wrong_as_any_is(kind: type[Exception], call: Call) -> None:
    """It has no class of its own."""
    with pytest.raises(kind) as caught:
        call(f"y{ODD}")
    assert not isinstance(caught.value, UnicodeError)
    assert type(caught.value) is kind or kind in (hs.TableError, ValueError)


def test_masks_hold_for_all_texts() -> None:
    """Also for texts that UTF-8 cannot hold."""
    wdl, _ = SOLVED.probe_many([ODD, TIC.start, LONG], errors="mask")
    assert wdl.tolist() == [hs.UNKNOWN, 0, hs.UNKNOWN]


OWN = hs.solve(Stones())
# Things of a wrong type are a `TypeError` that says in words what is wanted.
WRONG_THINGS: dict[str, tuple[Callable[[], object], str]] = {
    "audit of a file": (
        lambda: hs.audit("random", table="q.table"),  # type: ignore[arg-type]
        r"not a file: open\('q.table'\) opens it",
    ),
    "match of a class": (
        lambda: hs.match("random", "random", game=Stones),  # type: ignore[arg-type]
        r"is a Game of yours: an instance, such as Stones\(\)",
    ),
    "analyse": (lambda: hs.analyse(OWN), "is a Game of yours, not <OwnSolution"),  # type: ignore[arg-type]
    "puzzles": (lambda: hs.puzzles(3), "is a Game of yours, not 3"),  # type: ignore[arg-type]
    "game": (lambda: hs.game(Stones), r"an instance, such as Stones\(\)"),  # type: ignore[arg-type]
    "serve": (
        lambda: hs.serve(OWN, block=False),  # type: ignore[call-overload]
        "a table, a file, a game or a spec is wanted",
    ),
    "laws": (lambda: hs.laws("four"), "takes a Game of yours"),  # type: ignore[arg-type]
    "agents": (lambda: hs.audit(3, table=SOLVED), "agents are a list, or one agent"),  # type: ignore[arg-type]
    "seconds": (
        lambda: hs.solve("tic-tac-toe", seconds="1"),  # type: ignore[call-overload]
        "seconds are a number or None, not '1'",
    ),
    "scale": (lambda: TIC.png(TIC.start, scale="2"), "scale is a number, not '2'"),
    "texts": (lambda: SOLVED.probe_many(3), "a list of positions is wanted, not 3"),
}


@pytest.mark.parametrize("name", WRONG_THINGS)
def test_a_thing_of_a_wrong_type_is_refused_in_words(name: str) -> None:
    """The sentence says what is taken instead."""
    call, words = WRONG_THINGS[name]
    with pytest.raises(TypeError, match=words):
        call()


def test_a_lack_of_memory_time_or_positions_is_a_limit() -> None:
    """Whatever the work is."""
    lacks: list[Callable[[], object]] = [
        lambda: hs.solve("quoridor:4x4:1", solver="tiered", memory=1000),
        lambda: hs.solve("quoridor:4x4:1", solver="graph", memory=1000),
        lambda: hs.solve("four:6x5", solver="search", memory=1000),
        lambda: hs.solve("onitama:5x5:boar", solver="proof", memory=1000),
        lambda: hs.solve("onitama:5x5:boar", solver="planes", memory=1000),
        lambda: hs.solve("four:6x5", memory=1000),
        lambda: hs.solve("four:6x6", solver="search", seconds=0.05),
        lambda: hs.solve("onitama:5x5:boar", seconds=0.05),
        lambda: hs.solve(Stones(), max_positions=2),
        lambda: hs.puzzles("onitama:5x5:boar"),
        lambda: SOLVED.proof("xo./.x./...", full=True, max_positions=2),
    ]
    for number, lack in enumerate(lacks):
        with pytest.raises(hs.LimitError):
            print(number, lack())


def test_no_table_of_another_game_is_taken(table_files: dict[str, pathlib.Path]) -> None:
    """By a match as by a comparison."""
    with hs.open(table_files["q"]) as table:
        with pytest.raises(hs.TableError, match=r"the table is of quoridor:4x4:1, not of four"):
            hs.match("random", "random", game="four:4x4", table=table)
        with pytest.raises(hs.TableError, match="different games"):
            table.compare(table_files["d"])
        for tier, rank in ((2**40, 0), (0, 2**62)):
            with pytest.raises(ValueError, match=r"tier") as caught:
                table.values(tier, [rank])
            assert not isinstance(caught.value, hs.HindsightError)


def test_a_port_in_use_is_an_error_of_the_server() -> None:
    """As an OSError, which it is."""
    with hs.serve(port=0, block=False) as server:
        port = int(re.findall(r"\d+", server.url)[-1])
        with pytest.raises(hs.ServerError, match="is taken by another program") as caught:
            hs.serve(port=port, block=False)
    assert isinstance(caught.value, OSError)


def test_a_missing_package_is_named_as_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package itself comes from a clone, so that its extras are no advice."""
    import builtins

    load = builtins.__import__

    def without_arrow(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_arrow)
    with pytest.raises(ImportError, match=r"file needs pyarrow: pip install pyarrow$"):
        OWN.save("a.parquet")
    with hs.solve("quoridor:3x3:1", out="q.table") as table, pytest.raises(ImportError) as caught:
        table.arrow()
    assert str(caught.value).endswith(": pip install pyarrow")


def test_errors_travel_between_processes() -> None:
    """With what they know."""
    for call in (
        lambda: TIC.moves("xo./.q./..."),
        lambda: hs.game("chess"),
        lambda: hs.open("none.table"),
        lambda: TIC.play(TIC.start, "z9"),
    ):
        with pytest.raises(hs.HindsightError) as caught:
            call()
        error = caught.value
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
        for name in ("at", "filename", "errno"):
            assert getattr(again, name, None) == getattr(error, name, None)
