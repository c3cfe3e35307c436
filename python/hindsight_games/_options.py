"""Options that several functions share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

from ._errors import TableError, shown
from ._numbers import checked

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
"""Path of a file or folder, as all of Python takes it."""


def path_text(path: Path) -> str:
    """Return a path as text, whose signs stand for all bytes of a name.

    >>> path_text(b"q.table")
    'q.table'
    """
    text = os.fsdecode(path)
    try:
        os.fsencode(text)
    except UnicodeEncodeError as cause:
        raise TableError(f"no file can have the name {shown(text)}") from cause
    return text


@dataclass(frozen=True)
class Progress:
    """Progress of long work.

    Attributes:
        phase: Name of the phase.
        done: Units done: positions, ranks or plies.
        total: Units in all; None if not known.
    """

    phase: str
    done: int
    total: int | None

    def __str__(self) -> str:
        """Return the progress in words."""
        of_total = f" of {self.total:,}" if self.total is not None else ""
        return f"{self.phase}: {self.done:,}{of_total}"


Listener = Callable[[Progress], object]
"""Function that hears of the progress."""

MAX_THREADS = 1024
MAX_BYTES = (1 << 63) - 1
MAX_SEED = (1 << 64) - 1

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def memory_bytes(memory: int | str | None) -> int | None:
    """Return bytes of a number or of a text such as '2G', as the command reads it."""
    if memory is None:
        return None
    if not isinstance(memory, str):
        return checked("memory", memory, 0, MAX_BYTES)
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", memory.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"memory is a number of bytes or a text such as '2G', not {shown(memory)}")
    return checked("memory", int(float(match[1]) * _UNITS[match[2].upper()]), 0, MAX_BYTES)


def seconds_limit(seconds: float | None) -> float | None:
    """Return a limit of time, which is checked."""
    is_number = seconds is None or isinstance(seconds, Real)
    if not is_number:
        raise TypeError(f"seconds are a number or None, not {shown(seconds)}")
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds are a number from 0, or None for no limit, not {shown(seconds)}")
    return None if seconds is None else float(seconds)


def report_to(progress: Listener | None) -> Callable[[str, int, int | None], object] | None:
    """Return a native listener that calls one of Python."""
    if progress is None:
        return None
    return lambda phase, done, total: progress(Progress(phase, done, total))


def thread_count(threads: int | None) -> int | None:
    """Return a number of threads, which is checked."""
    return None if threads is None else checked("threads", threads, 1, MAX_THREADS)


def seed_number(seed: int) -> int:
    """Return a seed, which is checked."""
    return checked("seed", seed, 0, MAX_SEED)
