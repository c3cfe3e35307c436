"""The server beside a program."""

from __future__ import annotations

import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from typing import Any

import pytest

import hindsight_games as hs


def get(url: str) -> Any:
    """Return an answer of the server."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def test_tables_and_games_are_served(q_table: hs.Table) -> None:
    """The values are those of the table, whether by file, object or spec."""
    with hs.serve(q_table, "tic-tac-toe", port=0, block=False) as server:
        probe = get(f"{server.url}api/v1/tables/q/probe")
        assert (probe["value"], probe["remoteness"]) == (
            q_table.start.result,
            q_table.start.remoteness,
        )
        page = urllib.request.urlopen(server.url, timeout=10).read()
        assert b"<html" in page
        assert repr(server) == f"<Server at {server.url}>"
    assert not server.is_running
    assert repr(server) == "<stopped Server>"
    with pytest.raises(urllib.error.URLError):
        get(f"{server.url}api/v1/tables")
    server.stop()


def test_a_server_goes_on_without_a_name() -> None:
    """Its address alone keeps it."""
    url = hs.serve("tic-tac-toe", port=0, block=False).url
    gc.collect()
    assert get(f"{url}api/v1/games")


def test_files_by_path(table_files: dict[str, pathlib.Path], tmp_path: pathlib.Path) -> None:
    """A path is a table, also after the folder has changed."""
    os.chdir(table_files["d"].parent)
    with hs.open("d.table") as table:
        os.chdir(tmp_path)
        assert table.info()["positions"] > 0
        with hs.serve(table, table_files["q"], port=0, block=False) as server:
            assert get(f"{server.url}api/v1/tables/d/probe")
            assert get(f"{server.url}api/v1/tables/q/probe")


def test_what_cannot_be_served() -> None:
    """Each says what is wrong."""
    with pytest.raises(FileNotFoundError):
        hs.serve(pathlib.Path("none.table"), port=0, block=False)
    with pytest.raises(hs.SpecError):
        hs.serve("chess", port=0, block=False)
    with pytest.raises(TypeError, match="a table, a file, a game or a spec"):
        hs.serve(3, port=0, block=False)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="bind is an address"):
        hs.serve(port=0, bind="nonsense", block=False)
    with pytest.raises(ValueError, match="port is a whole number from 0 to 65535"):
        hs.serve(port=70_000, block=False)
    with hs.serve(port=0, block=False) as server:
        port = int(server.url.rstrip("/").rpartition(":")[2])
        with pytest.raises(hs.HindsightError, match="port"):
            hs.serve(port=port, block=False)


@pytest.mark.parametrize("bind", ["0.0.0.0", "::ffff:0.0.0.0"])
def test_a_server_that_others_reach_warns_and_has_limits(bind: str) -> None:
    """Both are those of the command."""
    with pytest.warns(UserWarning, match="other machines reach this server .* no password") as seen:
        server = hs.serve("tic-tac-toe", port=0, bind=bind, block=False)
    with server:
        assert [warning.filename for warning in seen] == [__file__]
        port = server.url.rstrip("/").rpartition(":")[2]
        assert get(f"http://127.0.0.1:{port}/api/v1")["limits"]["requests_a_second"] == 50


@pytest.mark.parametrize("bind", ["localhost", "127.0.0.2", "::ffff:127.0.0.1"])
def test_a_server_for_this_machine_gives_no_warning(bind: str) -> None:
    """It would be an error here."""
    hs.serve(port=0, bind=bind, block=False).stop()


def test_ctrl_c_ends_a_blocking_server() -> None:
    """The call returns, and the program goes on."""
    code = "import hindsight_games as hs; hs.serve('tic-tac-toe', port=0); print('goes on')"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert (rest, process.returncode) == ("goes on\n", 0)
