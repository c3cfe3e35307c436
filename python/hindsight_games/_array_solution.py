"""Solved games whose rules are arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _native
from ._array_game import ArrayGame, Code
from ._errors import GameError, NotInTable, shown
from ._numbers import MANY
from ._own_solution import OwnValues, draw_numbers
from ._value import Result, Value, known_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._own_handle import OwnNamedGame


class _CodeRules:
    """Calls of the rules for one position at a time, as those of a class."""

    has_key = False

    def __init__(self, game: ArrayGame, named: OwnNamedGame) -> None:
        self.game = game
        self._named = named

    def start(self) -> Code:
        return self.game._code(self.game._kind().start)

    def result(self, code: Code) -> int | None:
        result = self._named.result(self._named.text(code))
        return None if result is None else Value(result).wdl

    def moves(self, code: Code) -> list[str]:
        return self._named.moves(self._named.text(code))

    def play(self, code: Code, move: str) -> Code:
        after: Code = self._named.object(self._named.play(self._named.text(code), move))
        return after

    def key(self, code: Code) -> Code:
        return code


class ArraySolution(OwnValues[Code, str]):
    """Solved game whose rules are arrays, by `solve()` of an `ArrayGame`.

    A position is its code: a number, or bytes. A move is its name.
    """

    def __init__(self, game: ArrayGame, named: OwnNamedGame, native: _native.Solved) -> None:
        """Wrap a native solution."""
        super().__init__(_CodeRules(game, named), named, native)
        self._game = game

    @property
    def game(self) -> ArrayGame:
        """The game."""
        return self._game

    def value(self, position: Any) -> Value:
        """Return the value of a position for the side to move.

        Raises:
            NotInTable: The position cannot be reached from the start.
            GameError: It is no code of the game.
        """
        self._check_values()
        pair = self._named._rules.value(self._native, self._game._bytes(position))
        if pair is None:
            raise NotInTable(f"no play from the start leads to position {shown(position)}")
        return known_value(pair)

    def values(self, codes: Any) -> tuple[NDArray[np.int8], NDArray[np.uint16]]:
        """Return results and plies of an array of codes.

        Results are 1, 0 and -1, or `UNKNOWN` for codes that cannot be reached; the plies of draws
        and unknown values are 65535.
        """
        import numpy as np

        kind = self._game._kind()
        array = np.ascontiguousarray(codes)
        if array.dtype != kind.dtype or array.ndim != 1 + bool(kind.row):
            raise GameError(f"codes are an array of {kind.dtype}, not of {array.dtype}")
        self._check_values()
        return self._named._rules.values(self._native, array.tobytes())

    def arrays(self) -> tuple[Any, NDArray[np.int8], NDArray[np.uint16]]:
        """Return all codes as an array with their results and plies, the start first."""
        self._check_values()
        packed, wdl, plies = self._named._rules.reached(self._native, 0, MANY)
        return self._game._kind().codes(packed), wdl, plies

    def rows(self, begin: int, end: int) -> Any:
        """Return codes, results, plies and numbers of moves of some positions."""
        import numpy as np

        packed, wdl, plies = self._named._rules.reached(self._native, begin, end)
        size = self._named._rules.position_bytes()
        codes = [self._game._code(packed[at : at + size]) for at in range(0, len(packed), size)]
        _, offsets, _ = self._named.expand(packed)
        return codes, wdl, plies, np.diff(offsets).tolist()

    def sample(
        self,
        count: int,
        *,
        seed: int = 1,
        value: Result | None = None,
        min_plies: int = 0,
        max_plies: int | None = None,
    ) -> list[Code]:
        """Return different positions drawn at random, as `OwnSolution.sample`."""
        chosen = draw_numbers(self, count, seed, value, min_plies, max_plies)
        reached = self._named._rules.reached
        found = (reached(self._native, number, number + 1)[0] for number in chosen)
        return [self._game._code(packed) for packed in found]
