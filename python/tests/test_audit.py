"""Audits: the same as by the command, and callables as agents."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import hindsight_games as hs

Command = Callable[..., dict[str, Any]]

AGENTS = ["random", "mcts:playouts=30", "alphabeta:depth=2", "perfect"]


def first_move(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
    """Play the first move."""
    return moves[0]


@pytest.fixture(scope="module", params=["quoridor:3x3:1", "onitama:3x3:boar", "ostle:3x3:2:1"])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> hs.Table:
    """Return a table of a small game of each layout."""
    file = tmp_path_factory.mktemp("tables") / "a.table"
    return hs.solve(request.param, out=file)


@pytest.fixture(scope="module")
def values() -> hs.Solution:
    """Return the values of a small game."""
    return hs.solve("quoridor:3x3:1")


@pytest.mark.parametrize("source", ["games", "ranks"])
def test_the_command_gives_the_same(command_answer: Command, table: hs.Table, source: Any) -> None:
    """Counts and shares are those of ``hindsight audit``."""
    origin = {"games": "self-play", "ranks": "ranks"}[source]
    line = ("--table", table.info()["file"], "--from", origin, "-n", "150", "--seed", "5")
    told = command_answer("audit", *AGENTS, *line)["rows"]
    judged = hs.audit(AGENTS, table=table, positions=150, seed=5, source=source)
    for row, result in zip(told, judged, strict=True):
        same(row, result)
        for name in ("agent", "kept", "kept_critical", "best", "plies_lost_a_win"):
            assert getattr(result, name) == row[name], name
        assert result.kept_interval == tuple(row["kept_interval"])
        for part, counted in zip(row["by_remoteness"], result.by_remoteness, strict=True):
            same(part, counted)
            assert counted.value == part["value"]
            assert (counted.from_plies, counted.to_plies) == (part["from_plies"], part["to_plies"])
        for part, layer in zip(row["by_layer"], result.by_layer, strict=True):
            same(part, layer)
            assert (layer.layer, layer.name) == (part["layer"], part["name"])


def same(told: dict[str, Any], counted: hs.AuditResult | hs.AuditClass | hs.AuditLayer) -> None:
    """Check counts against those of the command, whose ``by_chance`` is what chance keeps."""
    assert counted.positions == told["positions"]
    assert counted.critical == told["critical"]
    if counted.critical:
        assert counted.given_away == told["given_away"] / told["critical"]
        assert counted.by_chance == 1 - told["by_chance"]
    else:
        assert counted.given_away is None
        assert counted.by_chance is None


@pytest.mark.parametrize("source", ["games", "ranks"])
def test_a_perfect_callable_gives_nothing_away(values: hs.Solution, source: Any) -> None:
    """And each of its moves is best."""

    def best(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
        return values.probe(position).moves[0].move

    [judged] = hs.audit(best, table=values, positions=300, source=source)
    assert judged.agent == "best"
    assert judged.positions == 300
    assert judged.critical > 50
    assert (judged.given_away, judged.kept, judged.best) == (0.0, 1.0, 1.0)
    assert judged.by_layer == []


@pytest.mark.parametrize("source", ["games", "ranks"])
def test_the_same_seed_gives_the_same(values: hs.Solution, source: Any) -> None:
    """A callable is judged twice alike, and on one thread as on two."""
    timeless = []
    for threads in (1, 2, None):
        judged = hs.audit(
            [first_move, "mcts:playouts=20"],
            table=values,
            positions=200,
            source=source,
            threads=threads,
        )
        timeless.append([{**vars(result), "seconds_a_move": 0} for result in judged])
    assert timeless[0] == timeless[1] == timeless[2]
    assert timeless[0][0]["given_away"] > 0.1


def test_a_random_callable_is_as_good_as_chance(values: hs.Solution) -> None:
    """The share it gives away is near that of the expectation."""

    def any_move(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
        return rng.choice(moves)

    [judged] = hs.audit([any_move], table=values, positions=3000, source="ranks")
    assert judged.given_away == pytest.approx(judged.by_chance, abs=0.04)
    critical = sum(part.critical for part in judged.by_remoteness)
    assert critical == judged.critical


def test_the_result_is_printed_in_lines(values: hs.Solution) -> None:
    """The text names the agent and its shares."""
    [judged] = hs.audit("random", table=values, positions=100)
    text = str(judged)
    assert text.startswith("random: 100 positions, ")
    assert "of the critical ones, a random move " in text


@pytest.mark.parametrize("source", ["games", "ranks"])
def test_errors_of_a_callable_arrive(values: hs.Solution, source: Any) -> None:
    """Exceptions are the same objects, and answers must be legal moves."""
    raised = RuntimeError("broken")

    def fails(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
        raise raised

    def silent(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> Any:
        return None

    def stops(game: hs.NamedGame, position: hs.Position, moves: list[str], rng: Random) -> str:
        raise KeyboardInterrupt

    with pytest.raises(RuntimeError) as caught:
        hs.audit(["random", fails], table=values, source=source)
    assert caught.value is raised
    with pytest.raises(hs.AgentError, match="silent answered None in '"):
        hs.audit(silent, table=values, source=source)
    with pytest.raises(KeyboardInterrupt):
        hs.audit(stops, table=values, source=source)


def test_progress_counts_all_agents(values: hs.Solution) -> None:
    """The last report is of all positions of all agents."""
    heard: list[hs.Progress] = []
    hs.audit(["random", first_move], table=values, positions=50, progress=heard.append)
    assert heard[-1].phase == "judging"
    assert (heard[-1].done, heard[-1].total) == (100, 100)


def test_wrong_arguments_are_named(values: hs.Solution) -> None:
    """Errors are sentences that say what would be right."""
    with pytest.raises(hs.AgentError, match="there is no agent 'nobody'"):
        hs.audit("nobody", table=values)
    with pytest.raises(ValueError, match="there is no agent to judge"):
        hs.audit([], table=values)
    with pytest.raises(ValueError, match="source is 'games' or 'ranks', not 'tables'"):
        hs.audit("random", table=values, source="tables")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="opening and max_turns are for games"):
        hs.audit("random", table=values, source="ranks", opening=2)
    with pytest.raises(ValueError, match="nothing is left of games of 4"):
        hs.audit("random", table=values, max_turns=4)
    with pytest.raises(hs.AgentError, match="1000 games had no position to judge"):
        hs.audit("random", table=hs.solve("tic-tac-toe"), opening=9)
