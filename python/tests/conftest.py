"""Tables that several tests read."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sysconfig
from collections.abc import Callable
from typing import Any

import pytest

import hindsight_games as hs

SPECS = {
    "q": "quoridor:4x4:1",
    "o": "onitama:3x3:boar",
    "ostle": "ostle:3x3:2:1",
    "d": "dodgem:4x4",
    "t": "tic-tac-toe",
}


@pytest.fixture(autouse=True)
def in_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def table_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pathlib.Path]:
    """Return a table of each game that has tables, by a short name."""
    folder = tmp_path_factory.mktemp("tables")
    files = {}
    for name, spec in SPECS.items():
        files[name] = folder / f"{name}.table"
        hs.solve(spec, out=files[name]).close()
    return files


@pytest.fixture
def q_table(table_files: dict[str, pathlib.Path]) -> hs.Table:
    """Return the table of Quoridor."""
    return hs.open(table_files["q"])


@pytest.fixture(scope="session")
def command_answer() -> Callable[..., dict[str, Any]]:
    """Return a function that runs a command line of the package and returns its JSON."""
    command = pathlib.Path(sysconfig.get_path("scripts")) / "hindsight"

    def answer(*line: str) -> dict[str, Any]:
        whole = [str(command), *line, "--json", "--quiet"]
        run = subprocess.run(whole, capture_output=True, check=False, text=True)
        assert run.returncode == 0, run.stderr
        told: dict[str, Any] = json.loads(run.stdout)
        return told

    return answer
