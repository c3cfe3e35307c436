"""Rules of games over arrays of NumPy."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from ._errors import GameError, HindsightError, game_error, shown
from ._own_game import told

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Code: TypeAlias = int | bytes
"""Code of a position: a number, or bytes where codes are strings, records or rows."""

MOST_BYTES = 32
OPEN = 2
"""Result of a position in which the game goes on."""

_RESULTS = (-1, 0, 1, OPEN)


class ArrayGame(ABC):
    """Rules of a game whose positions are codes in an array, many of them a call.

    Subclass it where a class with a method a position is too slow: `expand` gets an array of codes
    and returns the codes after all moves of all of them. Codes are numbers of one type of NumPy
    (``np.uint8`` to ``np.uint64``), bytes (``"S9"``, ``"V9"``), or rows of ``np.uint8``: an array
    of two axes. The type is that of `start`.

    `expand` may also be a compiled function, by its address (an attribute, such as that of
    ``numba.cfunc``) or as a function of ctypes. It is called without the lock of Python, by several
    threads, and has this form in C::

        int64_t expand(const uint8_t *positions, int64_t count, uint8_t *successors,
                       int64_t capacity, int64_t *offsets, int8_t *results);

    There are `count` positions, one after the other as in the array. It writes at most `capacity`
    successors, `count` + 1 offsets and `count` results, and returns the number of successors; if
    they are more, minus that number, and it is called again with more room.

    >>> import numpy as np
    >>> import hindsight_games as hs
    >>> class TakeAway(hs.ArrayGame):
    ...     "A heap of stones. A move takes one or two; whoever takes the last one wins."
    ...
    ...     turns = "alternate"
    ...
    ...     def start(self):
    ...         return np.uint8(20)
    ...
    ...     def expand(self, stones):
    ...         after = stones[:, None] - np.array([1, 2], dtype=np.uint8)
    ...         legal = stones[:, None] >= [1, 2]
    ...         offsets = np.concatenate([[0], legal.sum(axis=1).cumsum()])
    ...         return after[legal], offsets, np.where(stones == 0, -1, hs.OPEN)
    >>> solution = hs.solve(TakeAway())
    >>> str(solution.start), solution.best(20), str(solution.line(4))
    ('win in 13 plies', ['2'], '1 1 2')
    """

    turns: ClassVar[Literal["alternate"] | None] = None
    """'alternate' if the players move in turn, and `player` need not tell."""
    version: ClassVar[str] = ""
    """Text that tells these rules from others of the same name; tables need it."""
    parallel: ClassVar[bool] = False
    """Whether several threads may call the methods at the same time, as those of Numba that
    leave the lock of Python to others."""

    @abstractmethod
    def start(self) -> Any:
        """Return the first position: a number of NumPy, or an array of bytes."""

    if TYPE_CHECKING:
        expand: Any
    else:

        @abstractmethod
        def expand(self, codes):
            """Return the successors of positions, where those of each begin, and results.

            Returns:
                The codes after all moves, those of the first position first; offsets, one more
                than positions: the successors of position i are from offset i to i + 1; results
                for the side to move: 1, 0 or -1 where the game is over, `OPEN` where it goes on.
            """

    def canonical(self, codes: NDArray[Any], /) -> NDArray[Any]:
        """Return the codes that stand for all that are equal by symmetry; optional."""
        return codes

    def player(self, codes: NDArray[Any], /) -> Any:
        """Return the player to move in each position, 0 or 1; optional."""
        raise NotImplementedError

    def tiers(self) -> Iterable[int]:
        """Return the number of ranks of each tier; optional, with `rank` and `unrank`.

        A game that numbers its positions has tables (``hs.solve(.., out=)``). Most games need one
        tier. A move stays in its tier or leads to an earlier one.
        """
        raise NotImplementedError

    def rank(self, codes: NDArray[Any], /) -> Any:
        """Return the ranks of positions, from 0, or their tiers and their ranks; optional.

        Positions of one rank have one value. -1 is for those in which the game is over.
        """
        raise NotImplementedError

    def unrank(self, tier: int, ranks: NDArray[np.int64], /) -> Any:
        """Return the codes of ranks; optional.

        Where some ranks have no position, return the codes, with any in their place, and an array
        of which ranks have one.
        """
        raise NotImplementedError

    def names(self, code: Any, /) -> list[str]:
        """Return the names of the moves of a position, in their order; optional."""
        raise NotImplementedError

    def format(self, code: Any, /) -> str:
        """Return the text of a position in one line; optional.

        A first word with slashes, such as ``x.o/.x./o..``, is drawn as the rows of a board.
        """
        return str(code) if isinstance(code, int) else code.hex()

    def parse(self, text: str, /) -> Any:
        """Return the code of a text of `format`, or raise a ValueError; optional, as `format`."""
        return bytes.fromhex(text) if self._kind().is_bytes else int(text)

    def __str__(self) -> str:
        """Return the name of the class."""
        return type(self).__name__

    def _kind(self) -> CodeKind:
        kind: CodeKind | None = self.__dict__.get("_code_kind")
        if kind is None:
            kind = CodeKind(self)
            self.__dict__["_code_kind"] = kind
        return kind

    def _code(self, packed: bytes) -> Code:
        return self._kind().code(packed)

    def _bytes(self, code: Any) -> bytes:
        return self._kind().packed(code)


class CodeKind:
    """Type of the codes of a game."""

    def __init__(self, game: ArrayGame) -> None:
        """Read the type from the start."""
        import numpy as np

        try:
            start = np.asarray(game.start())
        except HindsightError:
            raise
        except Exception as cause:
            raise GameError(f"start() raised {told(cause)}") from cause
        self.row = int(start.shape[0]) if start.shape else 0
        self.dtype = start.dtype
        self.bytes = self.dtype.itemsize * (self.row or 1)
        self.is_bytes = bool(self.row) or self.dtype.kind in "SV"
        is_fit = start.ndim == 0 and self.dtype.kind in "uiSV" and not self.dtype.hasobject
        if start.ndim == 1:
            is_fit = self.dtype == np.uint8
        if not is_fit or not 1 <= self.bytes <= MOST_BYTES:
            raise GameError(
                f"start() returned {shown(start)} of {self.dtype}: a code is a number of NumPy "
                f"such as np.uint32(0), or 1 to {MOST_BYTES} bytes"
            )
        self.start = self.packed(start)

    def codes(self, packed: bytes) -> NDArray[Any]:
        """Return the array of codes of some bytes."""
        import numpy as np

        codes = np.frombuffer(packed, dtype=self.dtype)
        return codes.reshape(-1, self.row) if self.row else codes

    def code(self, packed: bytes) -> Code:
        """Return the code of some bytes."""
        return bytes(packed) if self.is_bytes else int(self.codes(packed)[0])

    def packed(self, code: Any) -> bytes:
        """Return the bytes of a code."""
        import numpy as np

        if isinstance(code, bytes | np.bytes_):
            packed = bytes(code)
            if self.is_bytes and len(packed) <= self.bytes:
                return packed.ljust(self.bytes, b"\0")
        else:
            try:
                packed = np.asarray(code, dtype=self.dtype).tobytes()
            except (OverflowError, TypeError, ValueError):
                packed = b""
            if len(packed) == self.bytes and (self.is_bytes or code == self.code(packed)):
                return packed
        raise GameError(f"{shown(code)} is no code of {self.dtype}", code)


class ArrayDoor:
    """Calls of the methods of an `ArrayGame` by the native module."""

    def __init__(self, game: ArrayGame) -> None:
        """Open the door of a game."""
        from ._own_door import Names, tells_alternate, tier_lengths

        self._game = game
        self._kind = game._kind()
        self.start_bytes = self._kind.start
        self.tells_turns = _has_own(game, "player")
        if not self.tells_turns:
            tells_alternate(game)
        names = Names(game, getattr(game, "version", ""))
        self.name, self.spec = names.name, names.spec
        self.version, self.object = names.version, names.object
        self.tiers = tier_lengths(game, lambda name: _has_own(game, name))
        self.players = ["First", "Second"]
        self.has_symmetry = _has_own(game, "canonical")
        compiled = _compiled(game.expand, self._kind.bytes)
        self.is_parallel = bool(game.parallel) or compiled is not None
        self._compiled = compiled
        if self.tells_turns and self.player_numbers(self.start_bytes)[0] == 1:
            self.players.reverse()

    def expand(self, packed: bytes) -> tuple[NDArray[np.uint8], Any, Any]:
        """Expand positions."""
        if self._compiled is not None:
            expanded: tuple[NDArray[np.uint8], Any, Any] = self._compiled(packed)
            return expanded
        codes = self._kind.codes(packed)
        try:
            answer = self._game.expand(codes)
            successors, offsets, results = answer
        except HindsightError:
            raise
        except Exception as cause:
            raise self._broken("expand()", codes, cause) from cause
        return self._checked(codes, successors, offsets, results)

    def _checked(
        self, codes: NDArray[Any], successors: Any, offsets: Any, results: Any
    ) -> tuple[NDArray[np.uint8], Any, Any]:
        """Return checked arrays of bytes, offsets and results."""
        import numpy as np

        successors = self._array(codes, "expand()", successors)
        offsets, results = np.asarray(offsets), np.asarray(results)
        fault = None
        if results.dtype.kind not in "iub" or results.shape != (len(codes),):
            fault = f"results of {results.dtype} in the form {results.shape}, not one number each"
        elif not np.isin(results, _RESULTS).all():
            at = int(np.flatnonzero(~np.isin(results, _RESULTS))[0])
            text = f"expand() returned the result {results[at]}, not 1, 0, -1 or hs.OPEN"
            raise game_error(text, self._shown(codes, at))
        elif offsets.dtype.kind not in "iu" or offsets.shape != (len(codes) + 1,):
            fault = f"offsets of {offsets.dtype} in the form {offsets.shape}, not {len(codes) + 1}"
        elif offsets[0] != 0 or offsets[-1] != len(successors) or (np.diff(offsets) < 0).any():
            fault = f"offsets that do not ascend from 0 to the {len(successors)} successors"
        if fault:
            raise game_error(f"expand() returned {fault}", self._shown(codes, 0))
        return (
            successors.reshape(-1).view(np.uint8),
            np.ascontiguousarray(offsets, dtype=np.int64),
            np.ascontiguousarray(results, dtype=np.int8),
        )

    def _array(self, codes: NDArray[Any], what: str, found: Any) -> NDArray[Any]:
        """Return an array of codes."""
        import numpy as np

        kind = self._kind
        array = np.asarray(found)
        if array.size == 0:
            return np.empty((0, kind.row) if kind.row else 0, dtype=kind.dtype)
        shape = array.shape[1:] if kind.row else array.shape
        right = (kind.row,) if kind.row else (array.size,)
        if array.dtype != kind.dtype or shape != right:
            text = f"{what} returned codes of {array.dtype} in the form {array.shape}"
            wanted = f"rows of {kind.row}" if kind.row else "one axis"
            text += f", not of {kind.dtype} in {wanted}"
            raise game_error(text, self._shown(codes, 0))
        return np.ascontiguousarray(array)

    def _shown(self, codes: NDArray[Any], at: int) -> Code:
        return self._kind.code(codes[at : at + 1].tobytes())

    def _broken(self, what: str, codes: NDArray[Any], cause: Exception) -> GameError:
        text = f"{what} of {len(codes)} positions raised {told(cause)}"
        return game_error(text, self._shown(codes, 0))

    def player_numbers(self, packed: bytes) -> NDArray[np.uint8]:
        """Return the players to move."""
        import numpy as np

        codes = self._kind.codes(packed)
        try:
            players = np.asarray(self._game.player(codes))
        except Exception as cause:
            raise self._broken("player()", codes, cause) from cause
        is_fit = players.shape == (len(codes),) and players.dtype.kind in "iub"
        if not is_fit or not np.isin(players, (0, 1)).all():
            text = f"player() returned {shown(players)}, not 0 or 1 for each position"
            raise game_error(text, self._shown(codes, 0))
        return players.astype(np.uint8)

    def symmetric(self, packed: bytes) -> NDArray[np.uint8]:
        """Return the codes that stand for others."""
        import numpy as np

        codes = self._kind.codes(packed)
        try:
            found = self._game.canonical(codes)
        except Exception as cause:
            raise self._broken("canonical()", codes, cause) from cause
        array = self._array(codes, "canonical()", found)
        if len(array) != len(codes):
            text = f"canonical() of {len(codes)} positions returned {len(array)}"
            raise game_error(text, self._shown(codes, 0))
        return array.reshape(-1).view(np.uint8)

    def ranks(self, packed: bytes) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return the tiers and the ranks of positions; a rank below 0 is none."""
        import numpy as np

        codes = self._kind.codes(packed)
        try:
            found = self._game.rank(codes)
            pair = found if isinstance(found, tuple) else (0, found)
            tiers, ranks = (np.broadcast_to(np.asarray(part), len(codes)) for part in pair)
        except HindsightError:
            raise
        except Exception as cause:
            raise self._broken("rank()", codes, cause) from cause
        if tiers.dtype.kind not in "iu" or ranks.dtype.kind not in "iu" or (tiers < 0).any():
            text = f"rank() returned tiers of {tiers.dtype} and ranks of {ranks.dtype}"
            raise game_error(f"{text}, not numbers from 0 on", self._shown(codes, 0))
        return (
            np.ascontiguousarray(tiers, dtype=np.uint64),
            np.ascontiguousarray(ranks, dtype=np.int64),
        )

    def positions_of(
        self, tier: int, ranks: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the positions of ranks, and which of them exist."""
        import numpy as np

        kind = self._kind
        what = f"unrank() of {len(ranks)} ranks of tier {tier}"
        try:
            found = self._game.unrank(tier, ranks)
            codes, exist = found if isinstance(found, tuple) else (found, True)
            codes = np.asarray(codes)
            exist = np.ascontiguousarray(np.broadcast_to(np.asarray(exist), len(ranks)))
        except HindsightError:
            raise
        except Exception as cause:
            raise GameError(f"{what} raised {told(cause)}") from cause
        right = (len(ranks), kind.row) if kind.row else (len(ranks),)
        if codes.dtype != kind.dtype or codes.shape != right or exist.dtype != np.bool_:
            raise GameError(
                f"{what} returned codes of {codes.dtype} in the form {codes.shape}, not of "
                f"{kind.dtype} in the form {right}, perhaps with an array of bool"
            )
        return np.ascontiguousarray(codes).reshape(-1).view(np.uint8), exist

    def names(self, packed: bytes) -> list[str]:
        """Return the names of the moves of a position."""
        from ._own_door import words

        code = self._kind.code(packed)
        if not _has_own(self._game, "names"):
            _, offsets, _ = self.expand(packed)
            return [str(number) for number in range(1, int(offsets[-1]) + 1)]
        try:
            return words([str(name) for name in self._game.names(code)])
        except Exception as cause:
            raise game_error(f"names() raised {told(cause)}", code) from cause

    def format(self, packed: bytes) -> str:
        """Return the text of a position."""
        code = self._kind.code(packed)
        try:
            return str(self._game.format(code))
        except Exception as cause:
            raise game_error(f"format() raised {told(cause)}", code) from cause

    def parse(self, text: str) -> tuple[list[int] | None, str | None]:
        """Return the position of a text, or what is wrong with it."""
        try:
            return (list(self._kind.packed(self._game.parse(text))), None)
        except (ValueError, GameError) as cause:
            return (None, told(cause).partition(": ")[2] or f"{shown(text)} is no position")
        except Exception as cause:
            raise game_error(f"parse() raised {told(cause)}", text) from cause


def _has_own(game: ArrayGame, name: str) -> bool:
    return getattr(getattr(game, name), "__func__", None) is not getattr(ArrayGame, name)


class _Compiled:
    """Calls of a compiled function; ctypes leaves the lock of Python to others meanwhile."""

    def __init__(self, address: int, position_bytes: int) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        prototype = ctypes.CFUNCTYPE(
            number, ctypes.c_char_p, number, pointer, number, pointer, pointer
        )
        self._function = prototype(address)
        self._bytes = position_bytes
        self._room = 16

    def __call__(self, packed: bytes) -> tuple[NDArray[np.uint8], Any, Any]:
        import numpy as np

        count = len(packed) // self._bytes
        offsets, results = np.empty(count + 1, dtype=np.int64), np.empty(count, dtype=np.int8)
        room = self._room * count
        for _ in range(2):
            successors = np.empty(room * self._bytes, dtype=np.uint8)
            pointers = (array.ctypes.data for array in (successors, offsets, results))
            found, at_offsets, at_results = pointers
            many = self._function(packed, count, found, room, at_offsets, at_results)
            if many >= 0:
                break
            room = -many
            self._room = max(self._room, -(-room // count))
        if not 0 <= many <= room:
            raise GameError(f"the compiled expand() returned {many} for room of {room} successors")
        if offsets[0] != 0 or offsets[-1] != many or (np.diff(offsets) < 0).any():
            text = f"offsets that do not ascend from 0 to the {many} successors"
            raise GameError(f"the compiled expand() returned {text}")
        if not np.isin(results, _RESULTS).all():
            raise GameError("the compiled expand() returned a result that is none")
        return successors[: many * self._bytes], offsets, results


def _compiled(expand: Any, position_bytes: int) -> Callable[[bytes], Any] | None:
    """Return the call of a compiled function; None for a method."""
    if isinstance(expand, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        address = ctypes.cast(expand, ctypes.c_void_p).value or 0
    elif isinstance(expand, int):
        address = expand
    elif isinstance(getattr(expand, "address", None), int):
        address = expand.address
    else:
        return None
    if address == 0:
        raise GameError("the address of the compiled expand() is 0")
    return _Compiled(address, position_bytes)
