"""Audits: the moves of agents compared with known values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _native
from ._agents import Agent, checked_values, native_agent
from ._errors import shown
from ._numbers import checked
from ._options import Listener, memory_bytes, report_to, thread_count
from ._own_solution import OwnValues
from ._table import Table
from ._value import Result
from ._values import Values

_OPENING = 4
_MAX_TURNS = 100


@dataclass(frozen=True)
class AuditClass:
    """Counts of the positions of a class: a result and a range of plies to the end.

    Attributes:
        value: Result for the side to move, before its move.
        from_plies: Fewest plies to the end; None for draws.
        to_plies: Most plies to the end; None for draws.
        positions: Number of judged positions.
        critical: Number of those in which some legal move gives away the result.
        given_away: Share of the critical positions whose result the agent gave away.
        by_chance: Share of them that a random move gives away, on average.
    """

    value: Result
    from_plies: int | None
    to_plies: int | None
    positions: int
    critical: int
    given_away: float | None
    by_chance: float | None


@dataclass(frozen=True)
class AuditLayer:
    """Counts of the positions of a layer of the table.

    Attributes:
        layer: Number of the layer.
        name: Name of the layer, such as '2 fences on the board'.
        positions: Number of judged positions.
        critical: Number of those in which some legal move gives away the result.
        given_away: Share of the critical positions whose result the agent gave away.
        by_chance: Share of them that a random move gives away, on average.
    """

    layer: int
    name: str
    positions: int
    critical: int
    given_away: float | None
    by_chance: float | None


@dataclass(frozen=True)
class AuditResult:
    """Quality of the moves of an agent, printed well by `print`.

    A position counts if it has at least two legal moves. It is *critical* if some of them give
    away its result: a win or a draw. Shares are from 0 to 1, and None if the whole is 0.

    Attributes:
        agent: The agent; a callable has its ``__name__``.
        positions: Number of judged positions.
        critical: Number of critical positions.
        given_away: Share of the critical positions whose result the agent gave away.
        by_chance: Share of them that a random move gives away, on average.
        kept: Share of all positions whose result the agent kept.
        kept_interval: 95 % confidence interval of ``kept`` (Wilson).
        kept_critical: Share of the critical positions whose result the agent kept.
        kept_critical_interval: 95 % confidence interval of ``kept_critical``.
        best: Share of all positions in which no move was better, plies included.
        plies_lost_a_win: Mean plies by which a win that was kept became longer.
        plies_lost_a_loss: Mean plies by which a loss became shorter.
        seconds_a_move: Mean thinking time.
        by_remoteness: Counts by result and plies to the end.
        by_layer: Counts by layer of a table; empty for values without layers.
    """

    agent: str
    positions: int
    critical: int
    given_away: float | None
    by_chance: float | None
    kept: float | None
    kept_interval: tuple[float, float] | None
    kept_critical: float | None
    kept_critical_interval: tuple[float, float] | None
    best: float | None
    plies_lost_a_win: float | None
    plies_lost_a_loss: float | None
    seconds_a_move: float
    by_remoteness: list[AuditClass] = field(repr=False)
    by_layer: list[AuditLayer] = field(repr=False)

    def __str__(self) -> str:
        """Return the result in some lines."""
        lines = [
            f"{self.agent}: {self.positions:,} positions, {self.critical:,} critical",
            f"gave away {_percent(self.given_away)} of the critical ones, "
            f"a random move {_percent(self.by_chance)}",
            f"kept {_percent(self.kept)} of all (95 %: {_bounds(self.kept_interval)}), "
            f"a best move in {_percent(self.best)}",
        ]
        lines.append(f"{'':<16}{'critical':>9}{'gave away':>11}{'by chance':>11}")
        for part in self.by_remoteness:
            if part.critical:
                given, chance = _percent(part.given_away), _percent(part.by_chance)
                lines.append(f"{_class_name(part):<16}{part.critical:>9,}{given:>11}{chance:>11}")
        return "\n".join(lines)


def _class_name(part: AuditClass) -> str:
    word = {"win": "won", "draw": "drawn", "loss": "lost"}[part.value]
    return word if part.from_plies is None else f"{word} in {part.from_plies} to {part.to_plies}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _bounds(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.1%} to {interval[1]:.1%}"


def audit(
    agents: Agent | Iterable[Agent],
    *,
    table: Values | OwnValues[Any, Any],
    positions: int = 1000,
    source: Literal["games", "ranks"] = "games",
    opening: int | None = None,
    max_turns: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: Listener | None = None,
) -> list[AuditResult]:
    """Judge the moves of agents by the values of a game, as ``hindsight audit``.

    Agents are those of `match()`: texts, or callables. With a callable all is done in the calling
    thread. The same seed gives the same counts.

    Args:
        agents: The agents to judge, or one.
        table: Values of the game: a `Table`, or a `Solution` that has them, also of yours.
        positions: Number of positions in which each agent is judged.
        source: 'games' for games of the agent against itself, 'ranks' for positions drawn from all
            those of the table, each as likely as any other.
        opening: With games: plies drawn at random before the agent takes over, 4 by default.
        max_turns: With games: plies after which a game ends, 100 by default.
        seed: Seed of every random choice.
        threads: Number of threads; as many as the machine has by default.
        memory: Bytes for the searches of all agents, or a text such as '2G'.
        progress: Called with a `Progress` a few times a second.

    Returns:
        A result for each agent, in their order.

    Raises:
        AgentError: A text names no agent, an agent cannot play, or a callable returned no legal
            move.
        NotInTable: A value is not known.
        SolveError: The solution has kept no values.

    >>> import hindsight_games as hs
    >>> def first_move(game, position, moves, rng):
    ...     return moves[0]
    >>> values = hs.solve("quoridor:3x3:1")
    >>> mine, perfect = hs.audit([first_move, "perfect"], table=values, positions=200)
    >>> mine.given_away > 0, perfect.given_away
    (True, 0.0)
    """
    values = checked_values(table, "table=")
    own = table.named if isinstance(table, OwnValues) else None
    if not isinstance(agents, Iterable) and not callable(agents):
        raise TypeError(f"agents are a list, or one agent, not {shown(agents)}")
    given = [agents] if isinstance(agents, str) or callable(agents) else list(agents)
    if not given:
        raise ValueError("there is no agent to judge")
    rows: list[dict[str, Any]] = json.loads(
        _native.audit(
            values._values,
            table._table if isinstance(table, Table) else None,
            [native_agent(agent, own) for agent in given],
            checked("positions", positions, 1, 10_000_000),
            _games_of(source, opening, max_turns),
            checked("seed", seed, 0, (1 << 64) - 1),
            thread_count(threads),
            memory_bytes(memory),
            report_to(progress),
        )
    )
    return [_result_of(row) for row in rows]


def _games_of(source: str, opening: int | None, max_turns: int | None) -> tuple[int, int] | None:
    """Return the plies of the opening and of a game; None for positions of the table."""
    if source == "ranks":
        if opening is not None or max_turns is not None:
            raise ValueError("opening and max_turns are for games, not for source='ranks'")
        return None
    if source != "games":
        raise ValueError(f"source is 'games' or 'ranks', not {shown(source)}")
    drawn = checked("opening", _OPENING if opening is None else opening, 0, (1 << 32) - 1)
    most = checked("max_turns", _MAX_TURNS if max_turns is None else max_turns, 1, (1 << 32) - 1)
    if drawn >= most:
        raise ValueError(f"after an opening of {drawn} plies nothing is left of games of {most}")
    return (drawn, most)


def _result_of(row: dict[str, Any]) -> AuditResult:
    """Return the result of an agent as the native module tells it."""
    row.pop("playouts")
    for name in ("kept_interval", "kept_critical_interval"):
        row[name] = None if row[name] is None else tuple(row[name])
    row["by_remoteness"] = [AuditClass(**_shares(part)) for part in row["by_remoteness"]]
    row["by_layer"] = [AuditLayer(**_shares(part)) for part in row["by_layer"]]
    return AuditResult(**_shares(row))


def _shares(counts: dict[str, Any]) -> dict[str, Any]:
    """Return counts with what is given away as shares, by the agent and by chance."""
    critical, kept = counts["critical"], counts["by_chance"]
    given_away = counts["given_away"] / critical if critical else None
    by_chance = None if kept is None else 1 - kept
    return {**counts, "given_away": given_away, "by_chance": by_chance}
