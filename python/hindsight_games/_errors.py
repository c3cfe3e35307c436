"""Exceptions of the package."""

from __future__ import annotations

import errno
from typing import Any

_SHOWN = 200
"""Most characters of a thing that a message quotes."""


class HindsightError(Exception):
    """Any error of this package. Its text is one sentence."""


class SpecError(HindsightError, ValueError):
    """A spec names no game.

    Attributes:
        at: Offset of the fault in the spec, in characters from 0.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        """Make the error of a fault at an offset."""
        super().__init__(text)
        self.at = at


class PositionError(HindsightError, ValueError):
    """A text is no position of the game.

    Attributes:
        at: Offset of the fault in the text, in characters from 0.

    >>> import hindsight_games as hs
    >>> try:
    ...     hs.game("tic-tac-toe").moves("xo./.q./...")
    ... except hs.PositionError as error:
    ...     print(error.at)
    5
    """

    def __init__(self, text: str, at: int = 0) -> None:
        """Make the error of a fault at an offset."""
        super().__init__(text)
        self.at = at


class MoveError(HindsightError, ValueError):
    """A text is no legal move of the position, whose moves the message lists, or no played game."""


class NotInTable(HindsightError, KeyError):  # noqa: N818 - as MissingTableError of python-chess
    """The value of a position is not known: the solve or the table does not have it."""

    def __str__(self) -> str:
        """Return the sentence, which KeyError alone would quote."""
        return str(self.args[0]) if self.args else ""


class TableError(HindsightError, OSError):
    """A file is no table, is damaged, of another version or game, or cannot be read or written."""


class TableNotFoundError(TableError, FileNotFoundError):
    """There is no such file."""

    def __init__(self, text: str, filename: str | None = None) -> None:
        """Make the error of a file that is not there."""
        super().__init__(text)
        self.errno = errno.ENOENT
        self.filename = filename

    def __str__(self) -> str:
        """Return the sentence, to which OSError alone would add its number."""
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to copy or unpickle the error."""
        return (TableNotFoundError, (str(self), self.filename))


class ServerError(HindsightError, OSError):
    """A server cannot begin, as its port or address is not free."""


class SolveError(HindsightError, ValueError):
    """A game cannot be solved, drawn or searched in the way that was asked for.

    So it is with rules of yours, or of OpenSpiel or PettingZoo, in which a player moves twice.
    """


class LimitError(SolveError):
    """Memory, time or another limit does not suffice. A checkpoint keeps the work done so far."""


class AgentError(HindsightError, ValueError):
    """An agent is not known, cannot choose a move, or chose one that is not legal.

    Attributes:
        position: The position in which it was asked, or None.
        answer: What it answered instead of a legal move, or None.
        moves: The legal moves, or None.
    """

    def __init__(
        self,
        text: str,
        *,
        position: str | None = None,
        answer: object = None,
        moves: list[str] | None = None,
    ) -> None:
        """Make the error of an agent that was asked in a position."""
        super().__init__(text)
        self.position = position
        self.answer = answer
        self.moves = moves


class GameError(HindsightError, ValueError):
    """Rules in Python contradict themselves, or raised an exception, which is the cause.

    Attributes:
        position: The position at which it was found, or None.
    """

    def __init__(self, text: str, position: object = None) -> None:
        """Make the error of a fault at a position."""
        super().__init__(text)
        self.position = position


def game_error(text: str, position: object = None) -> GameError:
    """Return the error of a fault at a position, whose text it shows."""
    return GameError(f"{text}; position {shown(position)}", position)


def needs(package: str, what: str) -> ImportError:
    """Return the error of a package that is not installed.

    >>> needs("pyarrow", "a stream of Arrow")
    ImportError('a stream of Arrow needs pyarrow: pip install pyarrow')
    """
    return ImportError(f"{what} needs {package}: pip install {package}")


def unpicklable(thing: object, why: str) -> TypeError:
    """Return the error of what cannot be pickled."""
    return TypeError(f"{type(thing).__name__} cannot be pickled: {why}")


def quoted(text: str) -> str:
    """Return a text in a line, without quotes, cut where it is long."""
    return shown(text)[1:-1] if len(text) > _SHOWN else text


def shown(thing: object) -> str:
    """Return a thing in a line of text, cut where it is long."""
    try:
        text = " ".join(repr(thing).split())
    except Exception:
        text = f"of {type(thing).__name__}, whose repr() fails"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 50]} .. {text[-46:]}"
