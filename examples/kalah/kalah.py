"""Kalah with any number of houses and seeds, as a class.

python examples/kalah/kalah.py [HOUSES SEEDS]
"""

from __future__ import annotations

import sys

import hindsight_games as hs

Board = tuple[tuple[int, ...], int, tuple[int, ...], int, bool]


class Kalah(hs.Game[Board, str]):
    """Seeds in houses, and a store on each side.

    A position is the houses and the store of the side to move, those of the other side, and whether
    the side to move has to pass: a move that ends in the own store gives another turn, which is
    written as a pass of the opponent.
    """

    turns = "alternate"

    def __init__(self, houses: int = 4, seeds: int = 3) -> None:
        """Choose the number of houses of a side, and the seeds in each of them."""
        self.houses, self.seeds = houses, seeds
        self.version = f"{houses} houses, {seeds} seeds"

    def start(self) -> Board:
        """Return the first position."""
        full = (self.seeds,) * self.houses
        return (full, 0, full, 0, False)

    def result(self, position: Board) -> hs.Result | None:
        """Compare the stores once a side has no seeds in its houses."""
        own, own_store, other, other_store, passes = position
        if passes or (any(own) and any(other)):
            return None
        lead = own_store + sum(own) - other_store - sum(other)
        return "win" if lead > 0 else "loss" if lead < 0 else "draw"

    def moves(self, position: Board) -> list[str]:
        """Return the houses that have seeds, `a` being the first to be sown into from the left."""
        own, *_, passes = position
        return ["pass"] if passes else ["abcdefghijkl"[i] for i, seeds in enumerate(own) if seeds]

    def play(self, position: Board, move: str) -> Board:
        """Sow the seeds of a house, and turn the board."""
        own, own_store, other, other_store, _ = position
        if move == "pass":
            return (other, other_store, own, own_store, False)
        n = self.houses
        # The ring: own houses, own store, houses of the other side.
        ring = [*own, own_store, *other]
        at = "abcdefghijkl".index(move)
        seeds, ring[at] = ring[at], 0
        while seeds:
            at = (at + 1) % (2 * n + 1)
            ring[at] += 1
            seeds -= 1
        opposite = 2 * n - at
        if at < n and ring[at] == 1 and ring[opposite]:
            ring[n] += ring[opposite] + 1
            ring[at] = ring[opposite] = 0
        own, own_store, other = tuple(ring[:n]), ring[n], tuple(ring[n + 1 :])
        again = at == n and any(own) and any(other)
        return (other, other_store, own, own_store, again)

    def format(self, position: Board) -> str:
        """Return a position in one line: own houses, store, the other side's, and a pass."""
        own, own_store, other, other_store, passes = position
        text = f"{','.join(map(str, own))}+{own_store} {','.join(map(str, other))}+{other_store}"
        return text + " pass" * passes

    def parse(self, text: str) -> Board:
        """Read a position as `format` writes it."""
        first, second, *rest = text.split()
        (own, own_store), (other, other_store) = first.split("+"), second.split("+")
        return (
            tuple(map(int, own.split(","))),
            int(own_store),
            tuple(map(int, other.split(","))),
            int(other_store),
            rest == ["pass"],
        )


if __name__ == "__main__":
    kalah = Kalah(*map(int, sys.argv[1:3]))
    solution = hs.solve(kalah)
    print(f"{kalah.version}: {solution.start}, {solution.positions:,} positions")
    print("a best line:", solution.line())
