# The native module: the private part of the package that is written in Rust (crates/python).
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Game",
    "OwnSolved",
    "Scan",
    "Server",
    "Solved",
    "Table",
    "Values",
    "analyse",
    "audit",
    "end_calls",
    "play_match",
    "run_command",
    "solve",
    "solve_own",
]

_Pair = tuple[int, int | None]
_Listener = Callable[[str, int, int | None], object]
_Agent = tuple[str, Callable[[Game, str, list[str], int], int] | None]

@final
class Game:
    def __new__(cls, spec: str, seed: int, symmetry: bool) -> Game: ...
    @property
    def spec(self) -> str: ...
    @property
    def symmetry(self) -> bool: ...
    @property
    def players(self) -> list[str]: ...
    @property
    def default_agent(self) -> str: ...
    def start(self) -> str: ...
    def normal(self, position: str) -> str: ...
    def moves(self, position: str) -> list[str]: ...
    def play(self, position: str, text: str) -> str: ...
    def player(self, position: str) -> int: ...
    def result(self, position: str) -> int | None: ...
    def diagram(self, position: str) -> str: ...
    def svg(self, position: str, last_move: str) -> str: ...
    def png(self, position: str, last_move: str, scale: float) -> bytes: ...

@final
class Values:
    def probe(self, position: str) -> _Pair | None: ...
    def probe_with_moves(
        self, position: str
    ) -> tuple[str, _Pair | None, list[tuple[str, _Pair | None, str]]]: ...
    def line(self, position: str) -> str: ...
    def probe_many(
        self, positions: Sequence[str], mask: bool
    ) -> tuple[NDArray[np.int8], NDArray[np.uint16]]: ...
    def sample_where(
        self, count: int, seed: int, wdl: int | None, min_plies: int, max_plies: int
    ) -> list[str]: ...
    def proof(self, position: str, all_replies: bool, max_positions: int) -> str: ...
    def puzzles(
        self,
        theme: str | None,
        unique: str,
        count: int,
        min_plies: int,
        max_plies: int,
        sample: int,
        seed: int,
        seconds: float | None,
        progress: _Listener | None,
    ) -> str: ...
    def draw(
        self, wdl: int | None, plies: int | None, layer: int | None, seed: int
    ) -> str | None: ...

@final
class Solved:
    def game(self) -> Game: ...
    def values(self) -> Values: ...
    def start(self) -> _Pair | None: ...
    def counts(self) -> list[int]: ...
    def histogram(self) -> list[tuple[int, int | None, int]] | None: ...
    def signature(self) -> str: ...
    def has_values(self) -> bool: ...

@final
class Table:
    def __new__(cls, path: str) -> Table: ...
    def game(self) -> Game: ...
    def values(self) -> Values: ...
    def file(self) -> str: ...
    def layout(self) -> str: ...
    def info(self) -> str: ...
    def stats(self) -> str: ...
    def layers(self) -> int: ...
    def ranks(self, positions: Sequence[str], mask: bool) -> list[NDArray[np.uint64]]: ...
    def probe_ranks(
        self, tier: int, ranks: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int8], NDArray[np.uint16]]: ...
    def position_at(self, tier: int, rank: int) -> str | None: ...
    def scan(self, layer: int, memory: int | None) -> Scan: ...
    def verify(
        self, memory: int | None, threads: int | None, progress: _Listener | None
    ) -> tuple[int, list[tuple[int | None, tuple[int, int] | None, str | None, str]]]: ...
    def compare(
        self, other: Table, memory: int | None, progress: _Listener | None
    ) -> tuple[int, int, list[tuple[int, tuple[int, int], str | None, list[_Pair | None]]]]: ...

@final
class Scan:
    def next(
        self, texts: bool
    ) -> (
        tuple[
            list[NDArray[np.uint64]],
            NDArray[np.int8],
            NDArray[np.uint16],
            list[str] | None,
        ]
        | None
    ): ...

@final
class Server:
    def __new__(
        cls,
        tables: Sequence[tuple[str, Table]],
        specs: Sequence[str],
        address: str,
        port: int,
        memory: int | None,
    ) -> Server: ...
    @property
    def url(self) -> str: ...
    @property
    def is_running(self) -> bool: ...
    def wait(self) -> None: ...
    def stop(self) -> None: ...

def analyse(
    game: Game,
    position: str,
    seconds: float | None,
    memory: int | None,
    threads: int | None,
    cache: str | None,
    progress: _Listener | None,
) -> str: ...
def solve(
    game: Game,
    solver: str,
    memory: int | None,
    seconds: float | None,
    threads: int | None,
    progress: _Listener | None,
    out: str | None,
    checkpoint: str | None,
    resume: bool,
) -> Solved: ...

@final
class OwnSolved:
    def number(self, key: object) -> int | None: ...
    def value(self, key: object) -> _Pair | None: ...
    def key(self, number: int) -> Any: ...
    def position(self, number: int) -> Any: ...
    def arrays(
        self,
    ) -> tuple[NDArray[np.int8], NDArray[np.uint16], NDArray[np.uint16]]: ...
    def counts(self) -> list[int]: ...
    def histogram(self) -> list[tuple[int, int | None, int]]: ...
    def signature(self) -> str: ...

def solve_own(
    start: object,
    key: object,
    expand: Callable[[Any], object],
    kept: int,
    max_positions: int,
    memory: int | None,
    seconds: float | None,
    threads: int | None,
    progress: _Listener | None,
) -> OwnSolved: ...
def play_match(
    spec: str,
    first: _Agent,
    second: _Agent,
    values: Values | None,
    games: int,
    seed: int,
    max_turns: int,
    opening: int,
    threads: int | None,
    memory: int | None,
    progress: _Listener | None,
) -> str: ...
def audit(
    values: Values,
    table: Table | None,
    agents: Sequence[_Agent],
    positions: int,
    games: tuple[int, int] | None,
    seed: int,
    threads: int | None,
    memory: int | None,
    progress: _Listener | None,
) -> str: ...
def end_calls() -> None: ...
def run_command(line: Sequence[str]) -> int: ...
