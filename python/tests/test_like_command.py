"""The same answers as the command gives, for random positions of each game."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sysconfig

import pytest

import hindsight_games as hs

COMMAND = pathlib.Path(sysconfig.get_path("scripts")) / "hindsight"


def run(*arguments: str, stdin: str = "") -> str:
    """Run the command of the package and return its output."""
    done = subprocess.run(
        [str(COMMAND), *arguments], input=stdin, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("name", ["q", "o", "ostle", "d", "t"])
def test_probes(name: str, table_files: dict[str, pathlib.Path]) -> None:
    """Values and rated moves of a thousand positions, whatever their game."""
    file = table_files[name]
    table = hs.open(file)
    texts = table.sample(1000, seed=11)
    lines = run("probe", str(file), "--batch", "-", "--moves", "--json", stdin="\n".join(texts))
    answers = [json.loads(line) for line in lines.splitlines()]
    assert len(answers) == len(texts) > 300
    wdl, plies = table.probe_many(texts)
    for i, (text, answer) in enumerate(zip(texts, answers, strict=True)):
        probe = table.probe(text)
        assert probe.position == answer["position"]
        assert probe.value is not None
        assert (probe.value.result, probe.value.remoteness) == (
            answer["value"],
            answer["remoteness"],
        )
        assert wdl[i] == probe.value.wdl
        assert plies[i] == (hs.NO_PLIES if answer["remoteness"] is None else answer["remoteness"])
        moves = [
            (move.move, move.value.result, move.value.remoteness)
            for move in probe.moves
            if move.value is not None
        ]
        rows = [(row["move"], row["value"], row["remoteness"]) for row in answer["moves"]]
        assert moves == rows


def test_headers(table_files: dict[str, pathlib.Path]) -> None:
    """Info and stats are those of the command."""
    for file in table_files.values():
        table = hs.open(file)
        assert table.info() == json.loads(run("info", str(file), "--json"))
        assert table.stats() == json.loads(run("stats", str(file), "--json"))


def test_lines(table_files: dict[str, pathlib.Path]) -> None:
    """A best line is that of the command."""
    for file in table_files.values():
        line = hs.open(file).line()
        answer = json.loads(run("line", str(file), "--json"))
        assert line.moves == [ply["move"] for ply in answer["line"]]
        assert line.positions[-1] == answer["end"]
        assert (line.repeats is None) == (answer["repeats"] is None)


def test_solves(tmp_path: pathlib.Path) -> None:
    """A table has the same bytes."""
    hs.solve("quoridor:4x4:2", out="python.table", threads=1)
    run("solve", "quoridor:4x4:2", "--out", "command.table")
    assert pathlib.Path("python.table").read_bytes() == pathlib.Path("command.table").read_bytes()


def test_exit_codes() -> None:
    """The command of the package leaves as the program does."""
    codes = [
        subprocess.run([str(COMMAND), *arguments], capture_output=True, check=False).returncode
        for arguments in (["--version"], ["solve", "chess"], ["nonsense"], [])
    ]
    assert codes == [0, 2, 2, 2]
