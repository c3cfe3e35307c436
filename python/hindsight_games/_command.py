"""The command ``hindsight``, the same as of the Rust program."""

from __future__ import annotations

import os
import signal
import sys

from . import _native


def main() -> None:
    """Run the command line of the process and leave with its exit code."""
    # The command has handlers of its own, which save a checkpoint.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Other programs are looked for beside the command.
    program = os.path.join(os.path.dirname(sys.argv[0]), "hindsight")
    sys.exit(_native.run_command([program, *sys.argv[1:]]))
