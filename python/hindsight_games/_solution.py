"""Solved games."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from . import _native
from ._counts import histogram_array
from ._errors import SolveError
from ._game import NamedGame
from ._options import Path, path_text, thread_count
from ._pickled import Saved, State, solved_of
from ._value import Value, known_value
from ._values import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Solution(Values):
    """Solved game, by `solve()`: values in memory, and how many positions have each of them.

    A search (the solvers 'proof' and 'search') finds the value of the start alone: it keeps no
    other values, and counts are None. So are others that a solver does not count.

    >>> import hindsight_games as hs
    >>> solution = hs.solve("onitama:3x4:boar")
    >>> str(solution.start), solution.positions, solution.edges
    ('win in 21 plies', 431793, 1569941)
    >>> search = hs.solve("onitama:3x4:boar", solver="proof")
    >>> str(search.start), search.positions, search.counts
    ('win', None, None)
    """

    def __init__(self, native: _native.Solved) -> None:
        """Wrap a native solution; `solve()` makes one."""
        self._native = native
        self._native_values = native.values()
        self._game = NamedGame(native.game())

    def save(self, path: Path, *, threads: int | None = None) -> None:
        """Write the positions and their values to a table, after a solve by ``solver='graph'``.

        Args:
            path: File of the table; it must not exist.
            threads: Number of threads; as many as the machine has by default.

        Raises:
            SolveError: The solve did not reach its positions from the start.
            TableError: The table cannot be written.

        >>> import hindsight_games as hs
        >>> hs.solve("four:4x3", solver="graph").save("four.table")
        >>> with hs.open("four.table") as table:
        ...     print(table.start, table.verify().positions)
        draw 12031
        """
        self._native.save(path_text(path), thread_count(threads))

    @property
    def _values(self) -> _native.Values:
        if not self._native.has_values():
            raise SolveError(self._lack_of_values())
        return self._native_values

    def _lack_of_values(self) -> str:
        """Return the sentence on values that were not kept, and what keeps them."""
        ways = []
        if self._native.has_possible_table():
            ways.append("solve(.., out=FILE) writes those of all positions")
        if self._native.has_possible_graph():
            ways.append(
                "solver='graph' keeps those that can be reached, if there is memory for them"
            )
        if not ways:
            ways.append("neither a table nor a graph of this game is possible here")
        spec = self.game.spec
        return f"the solve of {spec} has kept no values of positions: {', and '.join(ways)}"

    @property
    def start(self) -> Value:
        """Value of the start, of which some searches do not find the plies."""
        return known_value(self._native.start())

    @property
    def positions(self) -> int | None:
        """Number of positions; those that are equal by symmetry are one if that was asked for."""
        return self._native.counts()[0]

    @property
    def edges(self) -> int | None:
        """Number of moves between them."""
        return self._native.counts()[1]

    @property
    def counts(self) -> dict[str, int] | None:
        """Number of positions by result: 'win', 'draw' and 'loss'."""
        _, _, wins, losses, draws = self._native.counts()
        if wins is None or losses is None or draws is None:
            return None
        return {"win": wins, "draw": draws, "loss": losses}

    @property
    def histogram(self) -> NDArray[np.void]:
        """Number of positions of each value.

        A row has the fields ``value`` (1, 0, -1), ``remoteness`` (65535 for draws) and
        ``positions``. Without rows if the solve did not find the plies of all.
        """
        return histogram_array(self._native.histogram() or [])

    @property
    def signature(self) -> str | None:
        """Counts and a hash of the histogram; equal for solves of one set that agree."""
        return self._native.signature()

    def __copy__(self) -> Solution:
        """Return the solution, which never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Solution:
        """Return the solution, which never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to unpickle the solution: by its table."""
        return (_unpickled, (Saved(self, self._native),))

    def __repr__(self) -> str:
        """Return game and value of the start."""
        return f"<Solution of {self.game.spec}: {self.start}>"


def _unpickled(state: State) -> Solution:
    """Return the solution of a pickle."""
    return Solution(solved_of(state, nullcontext()))
