"""Forks, threads and the end of the process."""

from __future__ import annotations

import multiprocessing
import pathlib
import pickle
import signal
import subprocess
import sys
import warnings

import pytest

import hindsight_games as hs

# A daemon thread in native code must not abort the interpreter that ends.
DAEMONS = {
    "own game": """
class Endless(hs.Game):
    turns = "alternate"

    def start(self): return 0
    def moves(self, p): return range(5)
    def play(self, p, m): return (5 * p + m) % 1000003
work = lambda: hs.solve(Endless())
""",
    "solve": "work = lambda: hs.solve('quoridor:5x5:3', solver='graph')",
    "probes": """
solution = hs.solve("onitama:3x3:boar")
texts = solution.sample(20000)
def work():
    while True:
        solution.probe_many(texts)
        solution[texts[0]]
""",
    "match": """
def first(game, position, moves, rng): return moves[0]
work = lambda: hs.match(first, "mcts:playouts=10000", game="quoridor:5x5:1", games=1000)
""",
}


@pytest.mark.parametrize("name", DAEMONS)
def test_the_interpreter_ends_while_daemons_work(name: str) -> None:
    """It ends quietly, with its own exit code."""
    code = f"""
import threading, time, sys
import hindsight_games as hs
{DAEMONS[name]}
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.7)
sys.exit(3)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 3, done.stderr
    assert "FATAL" not in done.stderr


def probe_in_child(file: str, texts: list[str]) -> list[int]:
    """Return values that a process reads."""
    with hs.open(file) as table:
        found: list[int] = table.probe_many(texts)[0].tolist()
        tier, rank = table.ranks(texts)
        assert len(tier) == len(rank) == len(texts)
        assert table.sample(5, value="win")
        return found


def test_forked_processes(table_files: dict[str, pathlib.Path]) -> None:
    """Workers that are forked after a read can read tables too."""
    file = str(table_files["q"])
    with hs.open(file) as table:
        texts = [str(text) for text in table.sample(2000)]
        expected = table.probe_many(texts)[0].tolist()
    with warnings.catch_warnings():
        # Python 3.12 warns of a fork of a process that has threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found = pool.starmap_async(probe_in_child, [(file, texts)] * 4).get(timeout=120)
    assert found == [expected] * 4


def test_spawned_processes(q_table: hs.Table) -> None:
    """Games come back from workers that are started anew, and open tables reach them."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map_async(hs.game, ["Quoridor:4x4:1", "tic-tac-toe"]).get(timeout=120)
        value = pool.apply_async(hs.Table.__getitem__, (q_table, q_table.game.start))
        assert value.get(timeout=120) == q_table.start
        with pytest.raises(hs.SpecError, match="chess"):
            pool.apply_async(hs.game, ("chess",)).get(timeout=120)
    assert found == [hs.game("quoridor:4x4:1"), hs.game("tic-tac-toe")]


def test_the_command_is_a_module() -> None:
    """With the version of the package."""
    line = [sys.executable, "-m", "hindsight_games"]
    told = subprocess.run([*line, "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["hindsight", hs.__version__]
    wrong = subprocess.run([*line, "solv"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "hindsight" in wrong.stderr


def test_the_command_of_the_package_has_all_features(tmp_path: pathlib.Path) -> None:
    """SQLite files and clusters, which a plain build leaves out."""
    line = [sys.executable, "-m", "hindsight_games"]
    file = tmp_path / "games.sqlite"
    match = ["match", "random", "random", "-n", "1", "--game", "tic-tac-toe"]
    subprocess.run([*line, *match, "--sqlite", str(file), "--quiet"], check=True)
    assert file.exists()
    cluster = [*line, "cluster", "solve", "tic-tac-toe", "--hosts", "none", "--process", "0"]
    refused = subprocess.run(cluster, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "'none'" in refused.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.parametrize(
    "call",
    [
        "hs.solve('quoridor:5x5:3', solver='graph', memory='64G', seconds=2)",
        "hs.solve('onitama:5x5:boar,ox,elephant,horse,crab', solver='planes', memory='900G')",
        "hs.solve('quoridor:7x7:3', solver='tiered', memory='900G', seconds=2)",
        "hs.solve('four:7x6', solver='search', memory='64G', seconds=1)",
        "hs.solve('onitama:5x5:boar', solver='proof', memory='64G', seconds=2)",
        "hs.solve(Endless(), max_positions=10**9, memory='64G', seconds=3)",
        "hs.analyse('onitama:5x5:boar', memory='64G', seconds=1)",
        "hs.match('mcts:time=0.1', 'mcts:time=0.1', game='four:4x4', games=2, memory='64G')",
    ],
)
def test_a_limit_of_the_system_below_that_of_the_call(call: str) -> None:
    """It is an error at most: the interpreter goes on."""
    code = f"""
import resource
import hindsight_games as hs
class Endless(hs.Game):
    turns = "alternate"

    def start(self): return 0
    def moves(self, p): return range(5)
    def play(self, p, m): return 5 * p + m + 1
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (600 << 20),) * 2)
try:
    {call}
except (hs.LimitError, MemoryError) as error:
    assert str(error) or isinstance(error, MemoryError)
print("alive")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


def test_ctrl_c_during_the_first_array() -> None:
    """KeyboardInterrupt, no panic."""
    code = """
import signal, sys
import numpy
import hindsight_games as hs
solution = hs.solve("tic-tac-toe")
texts = [solution.game.start] * 1_000_000
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    while True:
        solution.probe_many(texts)
except KeyboardInterrupt:
    sys.exit(7)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (7, "")


def test_pickles() -> None:
    """Games, positions, values and answers travel between processes."""
    game = hs.game("tic-tac-toe", symmetry=True)
    assert pickle.loads(pickle.dumps(game)) == game != hs.game("tic-tac-toe")
    assert hs.game(game) is game
    assert hs.solve(game).positions == hs.solve("tic-tac-toe", symmetry=True).positions == 765
    assert hs.solve(game, symmetry=False).positions == 5478
    solution = hs.solve("tic-tac-toe")
    for thing in (solution.start, solution.probe("xo./.x./..."), solution.line()):
        assert pickle.loads(pickle.dumps(thing)) == thing


def test_numpy_is_loaded_late() -> None:
    """The import of the package does not load it."""
    code = "import sys, hindsight_games; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_signals_keep_their_handlers() -> None:
    """A solve leaves the handlers of the program alone."""
    before = signal.getsignal(signal.SIGINT)
    hs.solve("tic-tac-toe")
    assert signal.getsignal(signal.SIGINT) is before
