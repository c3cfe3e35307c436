"""Board games solved exactly.

A game is named by a *spec* such as ``onitama:3x4:boar``, or its rules are a class of yours. Each
position has a value: win, draw or loss for the side to move, and the plies to the end if the
winner hurries and the loser delays.

>>> import hindsight_games as hs
>>> solution = hs.solve("onitama:3x4:boar")
>>> str(solution.start)
'win in 21 plies'

| to | use |
|---|---|
| solve a game | `solve` |
| open a table | `open` |
| play by the rules alone | `game` |
| read a played game | `read_game` |
| prove or estimate a position of any size | `analyse` |
| find puzzles | `puzzles` |
| let agents play, also your own | `match` |
| judge the moves of agents | `audit` |
| look at it in a browser | `serve` |
| solve rules of your own | `Game` or `ArrayGame`, and `laws` to check them |
| do any of it beside an event loop | `to_thread` |

The guide is docs/python.md of the project.
"""

import atexit

from . import _native
from ._agents import Agent
from ._analysis import AnalysedMove, Analysis, Knowledge, analyse
from ._array_game import OPEN, ArrayGame
from ._array_solution import ArraySolution
from ._audit import AuditClass, AuditLayer, AuditResult, audit
from ._errors import (
    AgentError,
    GameError,
    HindsightError,
    LimitError,
    MoveError,
    NotInTable,
    PositionError,
    ServerError,
    SolveError,
    SpecError,
    TableError,
    TableNotFoundError,
)
from ._game import NamedGame, Position, game
from ._laws import laws
from ._match import GameRecord, MatchResult, match
from ._options import Progress
from ._own_door import TurnsWarning
from ._own_game import Game
from ._own_handle import OwnNamedGame
from ._own_line import OwnLine
from ._own_solution import OwnRatedMove, OwnSolution
from ._played import PlayedGame, read_game
from ._puzzles import Grade, Puzzle, puzzles
from ._server import Server, serve
from ._solution import Solution
from ._solving import solve
from ._table import Column, Comparison, Difference, Fault, Table, Verdict
from ._table import open as open
from ._threads import to_thread
from ._value import NO_PLIES, UNKNOWN, Result, Value
from ._values import Line, Probe, RatedMove, Values

__all__ = [
    "NO_PLIES",
    "OPEN",
    "UNKNOWN",
    "Agent",
    "AgentError",
    "AnalysedMove",
    "Analysis",
    "ArrayGame",
    "ArraySolution",
    "AuditClass",
    "AuditLayer",
    "AuditResult",
    "Column",
    "Comparison",
    "Difference",
    "Fault",
    "Game",
    "GameError",
    "GameRecord",
    "Grade",
    "HindsightError",
    "Knowledge",
    "LimitError",
    "Line",
    "MatchResult",
    "MoveError",
    "NamedGame",
    "NotInTable",
    "OwnLine",
    "OwnNamedGame",
    "OwnRatedMove",
    "OwnSolution",
    "PlayedGame",
    "Position",
    "PositionError",
    "Probe",
    "Progress",
    "Puzzle",
    "RatedMove",
    "Result",
    "Server",
    "ServerError",
    "Solution",
    "SolveError",
    "SpecError",
    "Table",
    "TableError",
    "TableNotFoundError",
    "TurnsWarning",
    "Value",
    "Values",
    "Verdict",
    "__version__",
    "analyse",
    "audit",
    "game",
    "laws",
    "match",
    "puzzles",
    "read_game",
    "serve",
    "solve",
    "to_thread",
]

__version__: str = _native.VERSION
"""Version of the package, which is that of the command."""

atexit.register(_native.end_calls)
