"""Rules of games that a spec names."""

from __future__ import annotations

import pathlib
import pickle
import xml.etree.ElementTree as ElementTree

import pytest

import hindsight_games as hs

SPECS = ["tic-tac-toe", "dodgem:3x3", "onitama:3x4:boar", "ostle", "quoridor:9x9:10"]


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_is_played_to_its_end(spec: str) -> None:
    """Moves are legal, players alternate, and the end has a result and no moves."""
    game = hs.game(spec)
    position = game.start
    for ply in range(300):
        moves = game.moves(position)
        if not moves:
            assert game.result(position) in ("win", "draw", "loss")
            break
        assert game.result(position) is None
        assert game.player(position) in game.players
        following = game.play(position, moves[(7 * ply) % len(moves)])
        assert game.player(following) != game.player(position)
        assert game.position(following) == following
        position = following


@pytest.mark.parametrize("spec", SPECS)
def test_pictures(spec: str) -> None:
    """A notebook shows a position and its game as SVG; PNG and text are there too."""
    game = hs.game(spec)
    for svg in (game.start._repr_svg_(), game._repr_svg_(), game.svg(game.start, "")):
        assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert game.png(game.start).startswith(b"\x89PNG")
    assert game.diagram(game.start).count("\n") >= 2


def test_a_position_is_a_text() -> None:
    """A position can be a key, is equal to its text, and can be pickled."""
    game = hs.game("tic-tac-toe")
    position = game.play(game.start, "b2")
    assert position == ".../.x./..."
    assert ".../.x./..." in {position}
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.game == game
    assert str(game) == "tic-tac-toe"
    assert repr(game) == "game('tic-tac-toe')"


def test_random_deals() -> None:
    """The same seed draws the same cards."""
    specs = [hs.game("onitama:5x5:random", seed=seed).spec for seed in (1, 1, 2)]
    assert specs[0] == specs[1] != specs[2]


def test_faults_have_their_place() -> None:
    """Specs, positions and moves that are none: a sentence, and the offset of the fault."""
    with pytest.raises(hs.SpecError, match="there is no game 'chess'") as spec:
        hs.game("chess")
    assert isinstance(spec.value, ValueError)
    with pytest.raises(hs.SpecError) as size:
        hs.game("quoridor:5x99:1")
    assert size.value.at == 9
    game = hs.game("tic-tac-toe")
    with pytest.raises(hs.PositionError) as position:
        game.moves("xé./.o./..q")
    assert position.value.at == 1
    with pytest.raises(hs.PositionError):
        game.svg("")
    with pytest.raises(hs.MoveError, match="legal are: a3 b3"):
        game.play(game.start, "z9")
    for text in ("\0", "x" * 100_000, "\U0001f600"):
        with pytest.raises(ValueError):  # noqa: PT011 - either error of ours is one
            game.position(text)
        with pytest.raises(hs.SpecError):
            hs.game(text)


def test_own_cards_keep_their_names(tmp_path: pathlib.Path) -> None:
    """Names of a deck are in specs, positions and moves, and in a table without the deck."""
    deck = tmp_path / "d.toml"
    deck.write_text("[[card]]\nname = 'Wolf'\noffsets = [[1, 1], [0, 1]]\n")
    named, nameless = "onitama:3x3:wolf=(0,1)(1,1)", "onitama:3x3:(0,1)(1,1)"
    game = hs.game(f"onitama:3x3:wolf:deck={deck}")
    assert game.spec == named
    assert game.start == "rRr/3/bBb wolf,wolf wolf,wolf wolf red"
    assert all(move.endswith(":wolf") for move in game.moves(game.start))
    assert ">wolf<" in game.svg(game.start, "")
    table = hs.solve(game, out=tmp_path / "w.table")
    deck.unlink()
    assert hs.open(tmp_path / "w.table").game.spec == named
    spelled = "rRr/3/bBb (1,1)(0,1),wolf wolf,wolf wolf red"
    assert table[spelled] == table.start == hs.solve(nameless).start
    for spec in (named, nameless):
        played = hs.match("perfect", "random", game=spec, table=table, games=2)
        assert played.game == spec
    with pytest.raises(hs.SpecError, match="is a built-in card with other offsets"):
        hs.game("onitama:3x3:boar=(0,1)")


def test_a_game_is_read_as_people_write_it() -> None:
    """By the game that its text names, or the caller; positions are checked."""
    typed = '[Game "tic-tac-toe"] [White "Ada"] 1. b2! a1 {why?} 2. c3 (2. a3) $2 1/2-1/2'
    played = hs.read_game(typed)
    assert (played.game.spec, played.players) == ("tic-tac-toe", ("Ada", None))
    assert (played.moves, played.result) == (["b2", "a1", "c3"], "1/2-1/2")
    assert played.positions[0] == played.game.start
    assert played.positions[-1] == "..x/.x./o.."
    assert played.game.play(played.positions[1], "a1") == played.positions[2]
    assert hs.read_game(typed, game="Tic-Tac-Toe").moves == played.moves
    from_position = hs.read_game('[Position ".../.x./o.."] c3', game=played.game)
    assert from_position.positions == played.positions[2:]
    assert (from_position.players, from_position.result) == ((None, None), None)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("1. b2 a1 2. b2", hs.MoveError, r"^move 3 \(X\): 'b2' .* c3"),
        ("b2 {never closed", hs.MoveError, "comment begins with"),
        ("b2 1-0 a1", hs.MoveError, "stands behind the result 1-0"),
        ('{"game": "tic-tac-toe", "moves": ["b2"]}', hs.MoveError, "this is a record of games"),
        ('[Position "xx"] a1', hs.PositionError, "xx"),
        ('[Game "four:7x6"] d', hs.SpecError, "is a game of four:7x6, not of tic-tac-toe"),
        ('[Game "nothing"] d', hs.SpecError, "nothing"),
    ],
)
def test_what_is_no_played_game_is_refused(
    text: str, kind: type[hs.HindsightError], words: str
) -> None:
    """A move by its number, with the legal ones."""
    with pytest.raises(kind, match=words):
        hs.read_game(text, game="tic-tac-toe")
    with pytest.raises(hs.SpecError, match=r"begin it with \[Game"):
        hs.read_game("b2")
