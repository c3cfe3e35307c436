"""Matches between two agents."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _native
from ._agents import Agent, checked_values, native_agent
from ._game import NamedGame, Rules
from ._game import game as make_game
from ._numbers import checked
from ._options import Listener, memory_bytes, report_to, thread_count
from ._own_handle import OwnNamedGame
from ._own_solution import OwnValues
from ._values import Values

DEFAULT_GAME = "onitama:5x5:random"


@dataclass(frozen=True)
class GameRecord:
    """A played game.

    Attributes:
        number: Number of the game in its match, from 0.
        game: Spec of the game, with its cards.
        start: First position, after an opening; None for the start of the game.
        first: Agent that made the first move, 0 or 1.
        moves: The moves.
        winner: Agent that won, 0 or 1; None for a tie.
        ending: 'draw', 'limit' for a game that was cut off, 'win', or the word of the game where
            it has several ways to win.
    """

    number: int
    game: str
    start: str | None
    first: Literal[0, 1]
    moves: list[str]
    winner: Literal[0, 1] | None
    ending: str


@dataclass(frozen=True)
class MatchResult:
    """Result of a match, printed well by `print`. Names are those of ``hindsight match --json``.

    Attributes:
        game: Spec of the game; random cards stay random.
        agents: The two agents; a callable has its ``__name__``.
        games: Number of games.
        wins: Games won by each agent.
        ties: Games that nobody won.
        first_mover: 'wins', 'ties' and 'losses' of the agent that moved first, whichever it was.
        elo: Elo difference of the first agent over the second; None if one has all points.
        elo_interval: Its 95 % confidence interval.
        share: Points of the first agent a game: 1 for a win, 1/2 for a tie.
        share_interval: Its 95 % confidence interval (Wilson).
        mean_plies: Mean length of a game.
        median_plies: Median length of a game.
        lengths: Number of games by length in plies.
        endings: Number of games by ending.
        seconds_a_move: Mean thinking time of each agent.
        max_turns: Plies of the agents after which a game is a tie.
        opening: Plies drawn at random before the agents took over.
        seed: Seed of the match.
        seconds: Time of the match.
        records: The games.
    """

    game: str
    agents: tuple[str, str]
    games: int
    wins: tuple[int, int]
    ties: int
    first_mover: dict[str, int]
    elo: float | None
    elo_interval: tuple[float | None, float | None]
    share: float
    share_interval: tuple[float, float]
    mean_plies: float
    median_plies: float
    lengths: dict[int, int]
    endings: dict[str, int]
    seconds_a_move: tuple[float, float]
    max_turns: int
    opening: int
    seed: int
    seconds: float
    records: list[GameRecord] = field(repr=False)

    def __str__(self) -> str:
        """Return the result in some lines."""
        width = max(len(name) for name in self.agents)
        lines = [f"{self.game}: {self.games} games, seed {self.seed}"]
        for name, wins, seconds in zip(self.agents, self.wins, self.seconds_a_move, strict=True):
            share = wins / self.games
            lines.append(f"{name:{width}}  {wins:>6} wins {share:>7.1%} {seconds * 1e3:>9.3f} ms")
        lines.append(f"{'ties':{width}}  {self.ties:>6}      {self.ties / self.games:>7.1%}")
        low, high = (_signed(elo) for elo in self.elo_interval)
        lines.append(f"Elo of the first agent {_signed(self.elo)} (95 %: {low} to {high})")
        lines.append(f"mean length {self.mean_plies:.1f} plies, median {self.median_plies:g}")
        endings = [f"{ending} {games}" for ending, games in self.endings.items()]
        lines.append(f"endings: {', '.join(endings)}")
        return "\n".join(lines)


def _signed(elo: float | None) -> str:
    return "?" if elo is None else f"{elo:+.0f}"


def match(
    first: Agent,
    second: Agent,
    *,
    game: Rules | None = None,
    games: int = 100,
    seed: int = 1,
    table: Values | OwnValues[Any, Any] | None = None,
    max_turns: int = 100,
    opening: int = 0,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: Listener | None = None,
) -> MatchResult:
    """Play a match between two agents, as ``hindsight match``.

    An agent is a text such as ``mcts:playouts=1000`` (random, mc, mcts, alphabeta, level:N,
    perfect, lure; programs, ``cmd:..``, play in the command alone), or a callable
    ``choose(game, position, moves, rng)`` that returns one of the moves: ``game`` is the
    `NamedGame`, ``position`` a `Position`, ``moves`` a list of texts, ``rng`` a `random.Random`
    whose seed depends on that of the match. The agents move first in turns, and a pair of games
    has the same cards and opening. The same seed gives the same games if the agents keep to their
    random numbers and have no limit of time.

    Agents that texts name play on all threads. With a callable the games are played one after the
    other in the calling thread. An exception of a callable ends the match and reaches the caller.

    Args:
        first: The first agent.
        second: The second agent.
        game: The spec, or the game, also one of yours; that of the table by default, else
            ``onitama:5x5:random``. Random cards are drawn for each pair of games.
        games: Number of games.
        seed: Seed of the deals and of every random choice.
        table: Values of the game, for the agents level, perfect and lure; without them the game is
            solved for perfect and lure, and for level if that takes some seconds.
        max_turns: Plies of the agents after which a game is a tie.
        opening: Plies drawn at random before the agents take over. Agents without random numbers
            need some, lest all games be the same.
        threads: Number of threads; as many as the machine has by default.
        memory: Bytes for the searches of all agents, or a text such as '2G'.
        progress: Called with a `Progress` a few times a second.

    Raises:
        AgentError: A text names no agent, an agent cannot play, or a callable returned no legal
            move.
        SpecError: The spec names no game.
        TableError: The table is of another game.

    >>> import hindsight_games as hs
    >>> def first_move(game, position, moves, rng):
    ...     return moves[0]
    >>> result = hs.match("mcts:playouts=200", first_move, game="onitama:3x3:boar", games=20)
    >>> result.wins[0] > 10, result.agents, len(result.records)
    (True, ('mcts:playouts=200', 'first_move'), 20)
    """
    values = None if table is None else checked_values(table, "table=")
    named = _game_of(game, table, values)
    own = named if isinstance(named, OwnNamedGame) else None
    with own.known() if own else nullcontext():
        told = _native.play_match(
            str(named),
            native_agent(first, own),
            native_agent(second, own),
            None if values is None else values._values,
            checked("games", games, 1, 1 << 40),
            checked("seed", seed, 0, (1 << 64) - 1),
            checked("max_turns", max_turns, 1, (1 << 32) - 1),
            checked("opening", opening, 0, (1 << 32) - 1),
            thread_count(threads),
            memory_bytes(memory),
            report_to(progress),
        )
    answer: dict[str, Any] = json.loads(told)
    return _result_of(answer)


def _game_of(
    game: Rules | None, table: Values | OwnValues[Any, Any] | None, values: Values | None
) -> str | NamedGame:
    own = table.named if isinstance(table, OwnValues) else None
    if game is None:
        return DEFAULT_GAME if values is None else values.game
    if isinstance(game, str):
        # Its cards may be drawn for each pair of games.
        return game
    # The rules of the table are those of its solve.
    return own if own is not None and game is own.rules else make_game(game)


def _result_of(answer: dict[str, Any]) -> MatchResult:
    """Return the result of a match as the native module tells it."""
    known: dict[str, Any] = answer["answer"]
    for name in ("agents", "wins", "elo_interval", "seconds_a_move"):
        known[name] = tuple(known[name])
    # Only programs lose by faults: an exception of a callable ends the match.
    for name in ("faults", "first_faults"):
        del known[name]
    known["lengths"] = {int(plies): games for plies, games in known["lengths"].items()}
    return MatchResult(
        **known,
        share=answer["share"],
        share_interval=tuple(answer["share_interval"]),
        records=[_record_of(record) for record in answer["records"]],
    )


def _record_of(record: dict[str, Any]) -> GameRecord:
    names = ("number", "game", "first", "moves", "winner", "ending")
    return GameRecord(start=record.get("start"), **{name: record[name] for name in names})
