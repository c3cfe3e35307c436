"""The command ``hindsight``, as ``python -m hindsight_games``."""

from ._command import main

if __name__ == "__main__":
    main()
