"""Policies of OpenSpiel that play a solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import LimitError, PositionError, SolveError, shown
from ._spiel_rules import State

if TYPE_CHECKING:
    from .openspiel import SpielSolution

MAX_STATES = 1_000_000
"""States that a table of a policy may have unless it is told otherwise."""


def policy(solution: SpielSolution) -> Any:
    """Return the pyspiel.Policy that plays each best action with equal probability.

    It serves the functions and bots that ask it state by state: ``pyspiel.expected_returns``,
    ``pyspiel.make_policy_bot``, and those of open_spiel.python.algorithms such as
    ``exploitability.nash_conv``. ``pyspiel.nash_conv`` and ``pyspiel.exploitability`` take a
    `tabular_policy`. A state of unknown value raises `NotInTable`.

    >>> from hindsight_games.openspiel import policy, solve_spiel
    >>> solution = solve_spiel("nim(pile_sizes=1;2)")
    >>> policy(solution).action_probabilities(solution.game.new_initial_state())
    {0: 0.0, 1: 0.0, 3: 1.0}
    """
    import pyspiel

    class BestActions(pyspiel.Policy):  # type: ignore[misc]
        """Uniform over the best actions."""

        def action_probabilities(
            self, state: State, player_id: int | None = None
        ) -> dict[int, float]:
            """Return the probability of each legal action."""
            if isinstance(state, str):
                state = _after(solution.game, state)
            return dict(_probabilities(solution, state))

        def get_state_policy(
            self, state: State, player: int | None = None
        ) -> list[tuple[int, float]]:
            """Return the probability of each legal action, as pairs."""
            return list(self.action_probabilities(state).items())

    return BestActions()


def tabular_policy(solution: SpielSolution, *, max_states: int = MAX_STATES) -> Any:
    """Return the pyspiel.TabularPolicy that plays each best action with equal probability.

    It takes all functions of the library, such as ``pyspiel.nash_conv``. It has a row for each
    state that is not terminal, by its information state: the same position after other moves is
    another one, so this is for small games.

    Args:
        solution: The solved game.
        max_states: Rows allowed.

    Raises:
        LimitError: The game has more states.
        SolveError: The game has no information states.

    >>> import pyspiel
    >>> from hindsight_games.openspiel import solve_spiel, tabular_policy
    >>> solution = solve_spiel("nim(pile_sizes=1;2)")
    >>> pyspiel.nash_conv(solution.game, tabular_policy(solution))
    0.0
    """
    import pyspiel

    game = solution.game
    if not game.get_type().provides_information_state_string:
        raise SolveError(f"{game} has no information states: policy(..) serves it")
    rows: dict[str, list[tuple[int, float]]] = {}
    known: dict[object, list[tuple[int, float]]] = {}
    states = [game.new_initial_state()]
    while states:
        state = states.pop()
        if len(rows) == max_states:
            text = f"{game} has more than {max_states:,} states; policy(..) needs no table"
            raise LimitError(text)
        key = solution._key(state)
        if solution._rules.game.own_key is not None or key not in known:
            known[key] = _probabilities(solution, state)
        rows[state.information_state_string(state.current_player())] = known[key]
        after = map(state.child, state.legal_actions())
        states += [child for child in after if not child.is_terminal()]
    return pyspiel.TabularPolicy(rows)


def _probabilities(solution: SpielSolution, state: State) -> list[tuple[int, float]]:
    best = solution.best_actions(state)
    return [(action, (action in best) / len(best)) for action in state.legal_actions()]


def _after(game: Any, information_state: str) -> State:
    """Return the state of an information state, which is the list of actions so far."""
    state = game.new_initial_state()
    for word in filter(str.strip, information_state.split(",")):
        if word.strip() not in map(str, state.legal_actions()):
            text = f"an information state of {game} is a list of actions, not"
            raise PositionError(f"{text} {shown(information_state)}")
        state.apply_action(int(word))
    return state
