"""The command ``hindsight``, the same as of the Rust program."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> None:
    """Run the command line of the process and leave with its exit code."""
    # The command has handlers of its own, which save a checkpoint.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.run_command(["hindsight", *sys.argv[1:]]))
