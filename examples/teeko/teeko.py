"""Teeko on a small board, as arrays of NumPy.

python examples/teeko/teeko.py [SIDE MEN]
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np

import hindsight_games as hs

Codes = np.ndarray[Any, np.dtype[np.uint64]]


class Teeko(hs.ArrayGame):
    """Put your men on the board, then move one to a neighbour, until they are in a line.

    A code has a bit for each man of the side to move, and 32 places higher one for each man of the
    other side. Lines are as long as a side has men: rows, columns and diagonals.
    """

    turns = "alternate"

    def __init__(self, side: int = 4, men: int = 3) -> None:
        """Choose the side of the board, at most 5, and the men of a player, 3 or 4."""
        self.side, self.men = side, men
        self.version = f"{side} x {side}, {men} men"
        cells = list(itertools.product(range(side), repeat=2))
        bit = {cell: 1 << i for i, cell in enumerate(cells)}
        steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
        lines = [
            [(r + k * dr, c + k * dc) for k in range(men)] for r, c in cells for dr, dc in steps
        ]
        self.lines = self._codes(sum(map(bit.get, line)) for line in lines if {*line} <= {*cells})
        self.squares = self._codes(bit.values())
        near = [
            (a, b) for a in cells for b in cells if max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1
        ]
        self.begins = self._codes(bit[a] for a, _ in near)
        self.ends = self._codes(bit[b] for _, b in near)
        self.steps = [(cells.index(a), cells.index(b)) for a, b in near]

    @staticmethod
    def _codes(numbers: Any) -> Codes:
        return np.array(list(numbers), dtype=np.uint64)

    def start(self) -> Any:
        """Return the empty board."""
        return np.uint64(0)

    def _legal(self, own: Any, other: Any) -> Any:
        """Return a row for each position: which men may be put, then which steps are free."""
        taken = own | other
        is_lost = ((other & self.lines) == self.lines).any(axis=1)[:, None]
        has_all = ((own & self.squares) != 0).sum(axis=1)[:, None] == self.men
        put = ((taken & self.squares) == 0) & ~has_all & ~is_lost
        moved = ((own & self.begins) != 0) & ((taken & self.ends) == 0) & has_all & ~is_lost
        # Who has all men on the board and can move none has lost.
        legal = np.concatenate([put, moved], axis=1)
        return legal, is_lost[:, 0] | ~legal.any(axis=1)

    def expand(self, codes: Any) -> Any:
        """Return the codes after all moves, where those of each position begin, and the results."""
        own, other = (codes & 0xFFFF_FFFF)[:, None], (codes >> 32)[:, None]
        legal, is_lost = self._legal(own, other)
        row, column = np.nonzero(legal)
        changed = np.concatenate([self.squares, self.begins | self.ends])
        after = (own[row, 0] ^ changed[column]) << np.uint64(32) | other[row, 0]
        offsets = np.concatenate([[0], legal.sum(axis=1).cumsum()])
        return after, offsets, np.where(is_lost, -1, hs.OPEN)

    def names(self, code: Any) -> list[str]:
        """Return the name of each move, such as `b2` or `b2c3`."""
        code = np.array([code], dtype=np.uint64)
        legal, _ = self._legal((code & 0xFFFF_FFFF)[:, None], (code >> 32)[:, None])
        cells = [self._cell(i) for i in range(self.side**2)]
        steps = [cells[a] + cells[b] for a, b in self.steps]
        return [name for name, fits in zip(cells + steps, legal[0], strict=True) if fits]

    def _cell(self, i: int) -> str:
        return f"{'abcde'[i % self.side]}{self.side - i // self.side}"

    def format(self, code: Any) -> str:
        """Return the rows of the board: `x` is the side to move, `o` the other one."""
        code, side = int(code), self.side
        men = [(code >> i & 1, code >> 32 + i & 1) for i in range(side**2)]
        signs = "".join("x" if own else "o" if other else "." for own, other in men)
        return "/".join(signs[side * row :][:side] for row in range(side))

    def parse(self, text: str) -> Any:
        """Read a board as `format` writes it."""
        signs = text.replace("/", "")
        if len(signs) != self.side**2 or not set(signs) <= set("xo."):
            raise ValueError(f"{self.side} rows of x, o and . with / between them are needed")
        men = {"x": 1, "o": 1 << 32, ".": 0}
        return np.uint64(sum(men[sign] << i for i, sign in enumerate(signs)))


if __name__ == "__main__":
    teeko = Teeko(*map(int, sys.argv[1:3]))
    solution = hs.solve(teeko)
    print(f"{teeko.version}: {solution.start}, {solution.positions:,} positions")
    print("a best line:", solution.line())
