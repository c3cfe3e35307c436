"""Matches: the same as by the command, and callables as agents."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from interrupts import interrupt_after

import hindsight_games as hs

Command = Callable[..., dict[str, Any]]

SPEC = "quoridor:3x3:1"


def first_move(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
    """Play the first move."""
    return moves[0]


def any_move(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
    """Play a random move."""
    return rng.choice(moves)


@pytest.mark.parametrize(
    ("first", "second", "game"),
    [
        ("mcts:playouts=50", "random", SPEC),
        ("alphabeta:depth=2", "mc:playouts=20", "onitama:3x4:boar"),
        ("random", "mcts:playouts=30", "onitama:5x5:random"),
        ("perfect", "random", "Quoridor:3x3:1"),
        ("level:6", "lure", SPEC),
    ],
)
def test_the_command_gives_the_same(
    command_answer: Command, first: str, second: str, game: str
) -> None:
    """Wins, ties and lengths are those of ``hindsight match``."""
    told = command_answer("match", first, second, "--game", game, "-n", "30", "--seed", "7")
    played = hs.match(first, second, game=game, games=30, seed=7)
    for name in ("game", "games", "ties", "elo", "mean_plies", "median_plies", "endings", "seed"):
        assert getattr(played, name) == told[name], name
    assert played.agents == tuple(told["agents"])
    assert played.wins == tuple(told["wins"])
    assert played.elo_interval == tuple(told["elo_interval"])
    assert {str(plies): games for plies, games in played.lengths.items()} == told["lengths"]


def test_a_game_that_is_cut_off_is_a_tie(command_answer: Command) -> None:
    """The limit of plies is that of the command."""
    line = ("match", "random", "random", "--game", "onitama:5x5:boar", "--max-turns", "5")
    told = command_answer(*line, "-n", "10")
    played = hs.match("random", "random", game="onitama:5x5:boar", max_turns=5, games=10)
    assert played.wins == tuple(told["wins"])
    assert played.ties == told["ties"] > 0
    assert max(len(record.moves) for record in played.records) == 5


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(threads: int) -> None:
    """Games do not depend on the number of threads."""
    by_all = hs.match("mcts:playouts=40", "random", game=SPEC, games=20)
    by_some = hs.match("mcts:playouts=40", "random", game=SPEC, games=20, threads=threads)
    assert by_some.records == by_all.records
    mixed = hs.match(any_move, "mcts:playouts=40", game=SPEC, games=10, threads=threads)
    assert mixed.records == hs.match(any_move, "mcts:playouts=40", game=SPEC, games=10).records


def test_records_can_be_replayed() -> None:
    """Moves are legal, and winners are those of the rules."""
    played = hs.match(any_move, first_move, game="onitama:3x3:random", games=12, seed=3)
    assert played.agents == ("any_move", "first_move")
    assert [record.number for record in played.records] == list(range(12))
    for record in played.records:
        assert record.first == record.number % 2
        game = hs.game(record.game)
        position = game.start
        for move in record.moves:
            position = game.play(position, move)
        lost = game.result(position) == "loss"
        assert lost == (record.winner == (record.first + len(record.moves) + 1) % 2)
    specs = [record.game for record in played.records]
    assert specs[::2] == specs[1::2]
    assert len(set(specs)) > 1


def test_an_opening_is_shared_by_a_pair() -> None:
    """Deterministic agents play different games after a random opening."""
    played = hs.match(first_move, first_move, game="quoridor:5x5:1", games=10, opening=3)
    starts = [record.start for record in played.records]
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) == 5
    alone = hs.match(first_move, first_move, game="quoridor:5x5:1", games=10)
    assert len({tuple(record.moves) for record in alone.records}) == 1
    assert alone.records[0].start is None


def test_a_callable_may_be_any_object() -> None:
    """It gets the documented arguments, and may change its list."""

    class Picky:
        asked = 0

        def __call__(
            self, game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random
        ) -> str:
            assert game == hs.game(SPEC)
            assert isinstance(position, hs.Position)
            assert moves == game.moves(position)
            self.asked += 1
            chosen = moves[rng.randrange(len(moves))]
            moves.clear()
            return chosen.upper()

    picky = Picky()
    played = hs.match(picky, "random", game=hs.game(SPEC), games=4)
    assert played.agents[0] == "Picky"
    assert picky.asked == sum((len(r.moves) + (r.first == 0)) // 2 for r in played.records)
    again = hs.match(Picky(), "random", game=hs.game(SPEC), games=4)
    assert again.records == played.records


def test_a_perfect_callable_does_not_lose() -> None:
    """Values of a solution serve a callable of the user."""
    values = hs.solve(SPEC, symmetry=True)

    def best(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
        return values.probe(position).moves[0].move

    played = hs.match(best, "perfect", game=SPEC, games=6, table=values)
    assert [len(record.moves) for record in played.records] == [8] * 6
    assert all(record.winner != record.first for record in played.records)


def test_the_result_is_printed_in_lines() -> None:
    """The text names agents, wins, ties and the interval."""
    text = str(hs.match(first_move, "random", game=SPEC, games=8))
    assert text.startswith("quoridor:3x3:1: 8 games, seed 1\nfirst_move")
    assert "Elo of the first agent" in text
    assert "(95 %: " in text


def test_an_exception_of_a_callable_is_the_callers() -> None:
    """The same object arrives, with the position as a note."""
    raised = LookupError("no idea")

    def fails(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
        if len(moves) < 5:
            raise raised
        return moves[0]

    with pytest.raises(LookupError) as caught:
        hs.match("random", fails, game=SPEC)
    assert caught.value is raised
    if sys.version_info >= (3, 11):
        assert "fails was asked for a move in '" in caught.value.__notes__[0]


@pytest.mark.parametrize("answer", ["e9", None, 3, ""])
def test_an_answer_must_be_a_legal_move(answer: object) -> None:
    """The error tells position, answer and moves."""

    def wrong(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> Any:
        return answer

    with pytest.raises(hs.AgentError, match="is no legal move; the moves are ") as caught:
        hs.match(wrong, "random", game=SPEC)
    game = hs.game(SPEC)
    assert caught.value.position == game.start
    assert caught.value.answer == answer
    assert caught.value.moves == game.moves(game.start)
    assert repr(answer) in str(caught.value)


def test_an_interrupt_in_a_callable_ends_the_match() -> None:
    """KeyboardInterrupt goes through."""

    def interrupted(
        game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random
    ) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hs.match(interrupted, "random", game=SPEC)


@pytest.mark.parametrize("first", ["mcts:playouts=200", first_move])
def test_ctrl_c_ends_a_match(first: hs.Agent) -> None:
    """A signal is heard between moves, with and without callables."""
    with interrupt_after(0.3), pytest.raises(KeyboardInterrupt):
        hs.match(first, "mcts:playouts=200", game="onitama:5x5:boar", games=1_000_000)


@pytest.mark.parametrize("first", ["random", any_move])
def test_progress_is_told_and_may_stop(first: hs.Agent) -> None:
    """An exception of the listener ends the match and arrives."""
    heard: list[hs.Progress] = []

    def listen(progress: hs.Progress) -> None:
        heard.append(progress)
        if len(heard) > 1:
            raise StopIteration

    with pytest.raises(StopIteration):
        hs.match(first, "random", game="onitama:5x5:boar", games=10_000_000, progress=listen)
    assert heard[0].phase == "playing"
    assert heard[0].total == 10_000_000


def test_wrong_arguments_are_named() -> None:
    """Errors are sentences that say what would be right."""
    with pytest.raises(hs.AgentError, match="did you mean 'mcts'"):
        hs.match("mcst", "random", game=SPEC)
    with pytest.raises(hs.SpecError, match="there is no game 'chess'"):
        hs.match("random", "random", game="chess")
    with pytest.raises(ValueError, match="games is a whole number from 1"):
        hs.match("random", "random", game=SPEC, games=0)
    with pytest.raises(TypeError, match="an agent is a text such as 'mcts' or a callable, not 5"):
        hs.match(5, "random", game=SPEC)  # type: ignore[arg-type]
    with pytest.raises(hs.AgentError, match="name the cards in 'onitama:3x3:random'"):
        hs.match("perfect", "random", game="onitama:3x3:random")
    with pytest.raises(hs.AgentError, match="takes at least"):
        hs.match("mcts", "random", game=SPEC, memory=1000)


def test_a_table_of_another_game_is_refused() -> None:
    """Both games are named."""
    values = hs.solve("tic-tac-toe")
    with pytest.raises(hs.TableError, match="the table is of tic-tac-toe, not of quoridor:3x3:1"):
        hs.match("perfect", "random", game=SPEC, table=values)
    played = hs.match("perfect", "perfect", game="Tic-Tac-Toe", table=values, games=3)
    assert played.ties == 3
