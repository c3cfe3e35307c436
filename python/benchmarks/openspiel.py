"""Edges a second of games of OpenSpiel.

    python benchmarks/openspiel.py

"plain" is the least that its bindings cost: a set of texts, and each method called once where it
is needed. "solve" has the values too, with and without the check of keys.
"""

from __future__ import annotations

import time
from typing import Any

import pyspiel

from hindsight_games.openspiel import solve_spiel

GAMES = [
    "connect_four(rows=4,columns=4,x_in_row=4)",
    "breakthrough(rows=4,columns=4)",
    "mnk(m=4,n=3,k=3)",
    "y(board_size=4)",
]


def explore_plainly(game: Any) -> int:
    """Return the number of edges."""
    start = game.new_initial_state()
    seen, states, edges = {(0, str(start))}, [start], 0
    while states:
        state = states.pop()
        if state.is_terminal():
            state.returns()
            continue
        other = 1 - state.current_player()
        for action in state.legal_actions():
            child = state.child(action)
            edges += 1
            key = (other, str(child))
            if key not in seen:
                seen.add(key)
                states.append(child)
    return edges


def main() -> None:
    """Print a row for each game and way."""
    for name in GAMES:
        game = pyspiel.load_game(name)
        for way in ("plain", "solve, check=0", "solve"):
            begin = time.perf_counter()
            if way == "plain":
                edges = explore_plainly(game)
            else:
                edges = solve_spiel(game, check=2_000 if way == "solve" else 0).edges
            rate = edges / (time.perf_counter() - begin)
            print(f"{name:42} {way:15} {edges:10,} {rate:12,.0f} edges/s")


if __name__ == "__main__":
    main()
