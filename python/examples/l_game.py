"""The L-game of Edward de Bono: every position, then those equal by symmetry as one."""

from collections.abc import Iterator
from functools import cache

import hindsight_games as hs

# Sets of squares, with a bit for square 4 * row + column.
Position = tuple[int, int, int]  # The own L, the other's L, the two neutral pieces.
Move = tuple[int, int]  # The own L and the neutral pieces after the move.


def image(square: int, symmetry: int) -> int:
    """Return the square to which one of the eight symmetries takes a square."""
    row, column = divmod(square, 4)
    row, column = (3 - row if symmetry & 1 else row), (3 - column if symmetry & 2 else column)
    return 4 * column + row if symmetry & 4 else 4 * row + column


@cache
def images(squares: int) -> list[int]:
    """Return the eight images of a set of squares."""
    return [sum(1 << image(q, s) for q in range(16) if squares >> q & 1) for s in range(8)]


CORNERS = [0b0011_0001_0001 << 4 * row + column for row in range(2) for column in range(3)]
SHAPES = sorted({shape for corner in CORNERS for shape in images(corner)})


class LGame(hs.Game[Position, Move]):
    """A move puts the own L elsewhere, then one neutral piece or none. Who cannot move loses."""

    turns = "alternate"

    def start(self) -> Position:
        return (0b0000_0100_0100_0110, 0b0110_0010_0010_0000, 0b1000_0000_0000_0001)

    def result(self, position: Position) -> hs.Result | None:
        return None if any(self.moves(position)) else "loss"

    def moves(self, position: Position) -> Iterator[Move]:
        own, other, neutral = position
        for shape in SHAPES:
            if shape != own and not shape & (other | neutral):
                yield shape, neutral
                free = [1 << q for q in range(16) if not (shape | other | neutral) >> q & 1]
                for piece in (neutral & -neutral, neutral & neutral - 1):
                    yield from ((shape, neutral ^ piece ^ square) for square in free)

    def play(self, position: Position, move: Move) -> Position:
        return position[1], *move


class SymmetricLGame(LGame):
    def key(self, position: Position) -> Position:
        return min(zip(*map(images, position), strict=True))


if __name__ == "__main__":
    for game in (LGame(), SymmetricLGame()):
        solution = hs.solve(game)
        print(solution.start, solution.positions, solution.counts, solution.histogram, sep="\n")
