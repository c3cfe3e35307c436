"""Tables on a web server."""

from __future__ import annotations

import http.server
import pathlib
import re
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator

import pytest

import hindsight_games as hs


class _RangeServer(http.server.BaseHTTPRequestHandler):
    """Answers a GET with the asked bytes of one file."""

    content = b""
    requests = 0

    def do_GET(self) -> None:
        """Send a range, or the whole file."""
        type(self).requests += 1
        if self.path != "/a.table":
            self.send_error(404)
            return
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        size = len(self.content)
        first, last = (int(asked[1]), min(int(asked[2]), size - 1)) if asked else (0, size - 1)
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(self.content[first : last + 1])

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def address(table_files: dict[str, pathlib.Path]) -> Iterator[str]:
    """Serve the table of Quoridor."""
    _RangeServer.content = table_files["q"].read_bytes()
    _RangeServer.requests = 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _RangeServer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/a.table"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Return a table of more bytes than the first request reads."""
    file = tmp_path_factory.mktemp("large") / "ostle.table"
    hs.solve("ostle:4x4:3:1", out=file).close()
    assert file.stat().st_size > 4 << 16
    return file


def test_a_table_is_probed_by_its_address(address: str, q_table: hs.Table) -> None:
    """Values are those of the file, and a position asked again needs no request."""
    with hs.open(address) as table:
        start = table.game.start
        assert table.game == q_table.game
        assert table[start] == q_table[start]
        assert table.line(start).moves == q_table.line(start).moves
        before = _RangeServer.requests
        assert before > 0
        assert table[start] == q_table[start]
        assert _RangeServer.requests == before


# A moment, in seconds, on a machine that has other work; without the wish a read takes 126.
LONGEST = 5


def _interrupted(code: str, seconds: float) -> float:
    """Run a program that is interrupted after some time; return the seconds that it takes then."""
    program = f"""
import os, signal, sys, threading, time
import hindsight_games as hs
# It is ignored in what a shell has started in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
began = []
def interrupt():
    began.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer({seconds}, interrupt)
try:
{textwrap.indent(code, "    ")}
except KeyboardInterrupt:
    print(time.monotonic() - began[0])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_ctrl_c_leaves_a_silent_server(scheme: str) -> None:
    """Be it silent after a request, or in the handshake of encryption."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        code = f"timer.start(); hs.open('{scheme}://127.0.0.1:{port}/q.table')"
        assert _interrupted(code, 0.3) < LONGEST


class _FadingServer(_RangeServer):
    """Answers some requests, then none."""

    answers = 0
    is_silent = threading.Event()
    is_over = threading.Event()

    def do_GET(self) -> None:
        """Send a range, or nothing for long."""
        if type(self).answers == 0:
            self.is_silent.set()
            self.is_over.wait(60)
            return
        type(self).answers -= 1
        super().do_GET()


READS = {
    "value": "table[texts[0]]",
    "probe": "table.probe(texts[0])",
    "line": "table.line(texts[0])",
    "probe_many": "table.probe_many(texts)",
    "values": "table.values(*table.ranks(texts))",
    "sample": "table.sample(50, value='win')",
    "draw": "table.draw(value='win')",
    "proof": "table.proof(texts[0])",
    "scan": "list(table.scan())",
    "verify": "table.verify()",
    "audit": "hs.audit('mcts:playouts=10', table=table)",
    "own audit": "hs.audit(lambda game, position, moves, rng: moves[0], table=table)",
    "ranks audit": "hs.audit('random', table=table, source='ranks')",
    "match": "hs.match('perfect', 'random', table=table, games=2)",
    "puzzles": "hs.puzzles(table)",
}


@pytest.mark.parametrize("name", READS)
def test_ctrl_c_ends_every_read(name: str, large_file: pathlib.Path) -> None:
    """A server that falls silent when a table is open does not keep the caller."""
    _FadingServer.content = large_file.read_bytes()
    _FadingServer.answers = 1
    _FadingServer.is_over.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _FadingServer)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    code = f"""
table = hs.open("http://127.0.0.1:{server.server_port}/a.table")
texts = {[str(text) for text in hs.open(large_file).sample(40)]}
timer.start()
{READS[name]}
"""
    try:
        assert _interrupted(code, 0.4) < LONGEST
    finally:
        _FadingServer.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def test_other_threads_go_on_while_a_server_is_asked(
    address: str, large_file: pathlib.Path
) -> None:
    """Also a server in the same process, which needs the interpreter."""
    _RangeServer.content = large_file.read_bytes()
    with hs.open(address) as table, hs.open(large_file) as local:
        for text in local.sample(20, seed=3):
            assert table[text] == local[text]
            assert str(table.probe(text)) == str(local.probe(text))


def test_an_address_without_a_table_says_so(address: str) -> None:
    """A missing file and a missing server are errors that name the address."""
    for wrong in (address + "x", "http://127.0.0.1:1/a.table"):
        with pytest.raises(hs.HindsightError, match=re.escape(wrong)):
            hs.open(wrong)
