"""Options that several functions share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

Path = str | os.PathLike[str]
"""Path of a file or folder."""


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

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def memory_bytes(memory: int | str | None) -> int | None:
    """Return bytes of a number or of a text such as '2G', as the command reads it."""
    if memory is None or isinstance(memory, int):
        return memory
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", memory.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"memory is a number of bytes or a text such as '2G', not {memory!r}")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def report_to(progress: Listener | None) -> Callable[[str, int, int | None], object] | None:
    """Return a native listener that calls one of Python."""
    if progress is None:
        return None
    return lambda phase, done, total: progress(Progress(phase, done, total))


def thread_count(threads: int | None) -> int | None:
    """Return a number of threads, which is checked."""
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads are from 1 to {MAX_THREADS}, not {threads}")
    return threads
