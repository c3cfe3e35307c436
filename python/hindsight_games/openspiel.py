"""Games of OpenSpiel, solved exactly.

    pip install open-spiel

A game is sequential, without chance or secrets, for two players in turn, and its returns are 1, 0
and -1. Play may go round in circles: that is a draw, and the library's own cap on the length of a
game is left aside.

>>> from hindsight_games.openspiel import solve_spiel
>>> solution = solve_spiel("breakthrough(rows=4,columns=3)")
>>> str(solution.start), solution.positions
('win in 9 plies', 10689)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ._errors import SolveError, shown
from ._numbers import MANY, checked
from ._options import Listener, memory_bytes, report_to, seconds_limit, thread_count
from ._own_door import Door
from ._own_game import Rules
from ._own_handle import OwnNamedGame
from ._own_solution import OwnValues
from ._own_solving import MAX_POSITIONS, position_limit
from ._spiel_explorer import SpielExplorer, StateFinder
from ._spiel_policy import policy, tabular_policy
from ._spiel_rules import Key, SpielRules, State, load
from ._value import Value

if TYPE_CHECKING:
    from . import _native

__all__ = ["SpielReport", "SpielSolution", "policy", "solve_spiel", "spiel_game", "tabular_policy"]


@dataclass(frozen=True)
class SpielReport:
    """What a solve found out about a game of OpenSpiel.

    Attributes:
        keys: Number of keys of which every state that reached them was checked.
        compared: Number of states that were compared with the first one of their key: the player
            to move, the moves, and the keys and results after them. A difference ends the solve
            with a `GameError`.
        playouts: Number of games played on at random from two states with equal keys, which must
            stay equal to the end.
        longest: The greatest number of moves of a game, by the library.
        cut: Number of moves after which the library ends the game in a draw for its length, in
            positions that go on. They are left aside.
        drawn_at_longest: Number of positions that are draws by the library after that number of
            moves, as a full board is. They count as draws.
    """

    keys: int
    compared: int
    playouts: int
    longest: int
    cut: int
    drawn_at_longest: int

    def __str__(self) -> str:
        """Return the report in a few sentences."""
        text = (
            f"{self.compared:,} states were compared with the first one of their key, and "
            f"{self.playouts:,} games played on from both at random: no difference was found."
        )
        if self.cut:
            text += (
                f" {self.cut:,} moves lead to draws by the cap of {self.longest} moves, "
                "which are left aside."
            )
        if self.drawn_at_longest:
            text += f" {self.drawn_at_longest:,} draws come with the last of {self.longest} moves."
        return text


class SpielSolution(OwnValues[State, int]):
    """Solved game of OpenSpiel, by `solve_spiel()`: the value of each state.

    A value is for the player to move or, where the game is over, for who would be next.

    >>> from hindsight_games.openspiel import solve_spiel
    >>> solution = solve_spiel("tic_tac_toe")
    >>> state = solution.game.new_initial_state()
    >>> state.apply_action(4)
    >>> str(solution[state]), solution.best_actions(state)
    ('draw', [0, 2, 6, 8])
    """

    def __init__(
        self, rules: SpielRules, named: OwnNamedGame, native: _native.Solved, report: SpielReport
    ) -> None:
        """Wrap a native solution; `solve_spiel()` makes one."""
        super().__init__(Rules(rules), named, native)
        self._spiel = rules.spiel
        self._report = report

    @property
    def game(self) -> Any:
        """The pyspiel.Game."""
        return self._spiel

    @property
    def report(self) -> SpielReport:
        """What the solve found out about the game."""
        return self._report

    def _more(self) -> tuple[Any, ...]:
        """Return what is pickled beside the values."""
        return (self._report,)

    def value(self, position: State) -> Value:
        """Return the value of a state for the player to move.

        Raises:
            NotInTable: The state cannot be reached from the start.
            TypeError: It is no state.
        """
        if not hasattr(position, "is_terminal"):
            raise TypeError(f"a pyspiel.State is needed, not {shown(position)}")
        return super().value(position)

    def _label(self, position: Any) -> Any:
        """Return the key of a position: it is what the native part has."""
        return position

    def _moves_of(self, position: Any) -> int:
        """Return the number of moves of the state with a key."""
        moves = self._named._rules.moves_of_key(position)
        if moves is None:
            # What was pickled was not explored here.
            door = self._named._door
            assert isinstance(door, Door)
            assert door.find is not None
            state = door.find(position)
            moves = 0 if state.is_terminal() else len(state.legal_actions())
        return moves

    def best_actions(self, state: State) -> list[int]:
        """Return the best actions: the quickest win, a draw, or the slowest loss."""
        return self.best(state)


def solve_spiel(
    game: Any,
    *,
    key: Key | None = None,
    cap: Literal["ignore", "error"] = "ignore",
    max_positions: int = MAX_POSITIONS,
    check: int = 2_000,
    threads: int | None = None,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Listener | None = None,
) -> SpielSolution:
    """Solve a game of OpenSpiel.

    Args:
        game: Its text, such as ``"connect_four(rows=4,columns=4)"``, or a pyspiel.Game.
        key: Function of a state; states with equal keys count as one position, so they must have
            the same player to move and be alike for that player. The default is the player to move
            with the text of the state. A key may say less, to merge what is equal by symmetry, or
            more, where the text leaves something out.
        cap: Some games of the library end in a draw after a number of moves, so that positions
            depend on it. 'ignore' solves the game without: such draws are counted in the report.
            'error' refuses.
        max_positions: Positions allowed.
        check: Number of keys, spread over the game, of which all states are compared: those with
            equal keys must have the same player and the same actions, that lead to the same keys
            and results. From the first ones, games are played on to the end at random. Differences
            that none of this shows are not found. 0 compares none.
        threads: Number of threads of the solve; as many as the machine has by default. States are
            expanded by one.
        memory: Bytes allowed, or a text such as '2G'; 7/8 of what is free by default.
        seconds: Time allowed.
        progress: Called with a `Progress` a few times a second.

    Raises:
        ImportError: OpenSpiel is not installed.
        SpecError: OpenSpiel has no such game.
        SolveError: The game is of another kind, such as one in which a player moves twice, or its
            cap decides; the message says why.
        GameError: Equal keys are not interchangeable; the message names the moves to both states.
        LimitError: Memory, time or the number of positions do not suffice.

    >>> from hindsight_games.openspiel import solve_spiel
    >>> solution = solve_spiel("hex(board_size=3)")
    >>> str(solution.start), solution.positions, solution.report.cut
    ('win in 5 plies', 5514, 0)
    """
    if cap not in ("ignore", "error"):
        raise ValueError(f"cap is 'ignore' or 'error', not {shown(cap)}")
    rules = SpielRules(load(game), key)
    explorer, to_check = SpielExplorer(rules), checked("check", check, 0, MANY)
    start = explorer.start()
    most = position_limit(max_positions)
    limits = (most, memory_bytes(memory), seconds_limit(seconds), thread_count(threads))
    named = _named(explorer, start=start, keeps_objects=False)
    explorer.begin(to_check)
    native = named._rules.solve("graph", None, *limits, report_to(progress))
    return SpielSolution(rules, named, native, _report(explorer, named, cap))


def spiel_game(game: Any, *, key: Key | None = None) -> OwnNamedGame:
    """Return a game of OpenSpiel for all that takes a game: `match`, `analyse`, `serve` and so on.

    States are kept in memory as they are met, so `solve_spiel` is for solves. If the texts of
    states fit in 31 bytes, ``hs.solve(.., out=)`` writes a table, which ``hs.open(.., rules=)``
    opens.

    Args:
        game: Its text, or a pyspiel.Game.
        key: As that of `solve_spiel`.

    Raises:
        SpecError, SolveError: As `solve_spiel`.

    >>> import hindsight_games as hs
    >>> from hindsight_games.openspiel import spiel_game
    >>> game = spiel_game("tic_tac_toe")
    >>> game.start, game.moves(game.start)[0]
    (Position('... ... ... first'), 'x(0,0)')
    >>> hs.match("mcts:playouts=200", "random", game=game, games=4).wins[1]
    0
    """
    return _game(load(game), key, keeps_objects=True)


def _game(game: Any, key: Key | None, keeps_objects: bool) -> OwnNamedGame:
    return _named(SpielExplorer(SpielRules(game, key)), start=None, keeps_objects=keeps_objects)


def _named(explorer: SpielExplorer, *, start: State | None, keeps_objects: bool) -> OwnNamedGame:
    rules, find = explorer.rules, StateFinder(explorer)
    door = Door(
        rules,
        expand=explorer.expand_all,
        identity=rules.key,
        keeps_objects=keeps_objects,
        find=find,
        start=start,
    )
    again = (_game, (rules.spiel, rules.own_key, keeps_objects))
    return OwnNamedGame(door, rules, again=again)


def _report(explorer: SpielExplorer, named: OwnNamedGame, cap: str) -> SpielReport:
    """Return the report, or raise the error of a cap that decides."""
    cut = drawn = 0
    for key, count in explorer.capped.items():
        if named._rules.moves_of_key(key):
            cut += count
        else:
            drawn += 1
    longest, compared = explorer.longest, explorer.comparison
    if drawn and (cut or compared.lengths_vary):
        text = (
            f"{drawn:,} positions are draws only by the cap of {longest} moves: they have no value"
        )
        raise SolveError(text)
    if cut and cap == "error":
        raise SolveError(f"{cut:,} moves lead to draws by the cap of {longest} moves")
    return SpielReport(
        len(compared.sample), compared.compared, compared.playouts, longest, cut, drawn
    )
