"""Speed of reading a table, in positions a second.

Run ``python benchmarks/tables.py [FILE]``; without a file, Quoridor on 5 x 5 with two fences each
is solved first.
"""

from __future__ import annotations

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import hindsight_games as hs

SPEC = "quoridor:5x5:2"
TEXTS = 1_000_000
RANKS = 2_000_000


def best_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the least seconds of several runs."""
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def microseconds(call: Callable[[Any], object], arguments: Sequence[Any]) -> float:
    """Return the median time of calls with each of some arguments."""
    times = []
    for argument in arguments:
        begin = time.perf_counter_ns()
        call(argument)
        times.append(time.perf_counter_ns() - begin)
    return statistics.median(times) / 1000


def run(code: str) -> None:
    """Run some code in a fresh interpreter."""
    subprocess.run([sys.executable, "-c", code], check=True)


def import_seconds() -> float:
    """Return the seconds that the import takes in a fresh interpreter, beside its own start."""
    bare = best_seconds(lambda: run("pass"), 9)
    full = best_seconds(lambda: run("import hindsight_games"), 9)
    return full - bare


def measure(file: str) -> None:
    """Print the figures of a table."""
    table = hs.open(file)
    print(f"{table.game.spec}, layout {table.layout}, {table.info()['ranks']:,} ranks")
    texts = table.sample(TEXTS)
    seconds = best_seconds(lambda: table.probe_many(texts))
    print(f"probe_many of texts: {len(texts) / seconds:,.0f} a second")
    sizes: dict[int, int] = {}
    for batch in table.scan(columns=("tier", "rank")):
        for tier, count in zip(*np.unique(batch["tier"], return_counts=True), strict=True):
            sizes[int(tier)] = sizes.get(int(tier), 0) + int(count)
    tier = max(sizes, key=lambda tier: sizes[tier])
    ranks = np.resize(np.arange(sizes[tier], dtype=np.uint64), RANKS)
    seconds = best_seconds(lambda: table.values(tier=tier, ranks=ranks))
    print(f"values of {RANKS:,} ranks in order: {RANKS / seconds:,.0f} a second")
    np.random.default_rng(1).shuffle(ranks)
    seconds = best_seconds(lambda: table.values(tier=tier, ranks=ranks))
    print(f"values of {RANKS:,} ranks at random: {RANKS / seconds:,.0f} a second")
    single = texts[:10_000]
    warm = microseconds(lambda text: table[text], single)
    print(f"a subscript: {warm:.2f} microseconds, the median")
    opened = [hs.open(file) for _ in single[:100]]
    pairs = list(zip(opened, single, strict=False))
    cold = microseconds(lambda pair: pair[0][pair[1]], pairs)
    opening = microseconds(hs.open, [file] * 100)
    print(f"open: {opening:.0f} microseconds, and the first subscript {cold:.0f}")


def main() -> None:
    """Measure a table and the import."""
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = str(pathlib.Path(folder) / "q.table")
            hs.solve(SPEC, out=file).close()
            measure(file)
    print(f"import: {import_seconds():.3f} s")


if __name__ == "__main__":
    main()
