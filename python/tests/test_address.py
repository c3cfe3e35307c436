"""Tables on a web server."""

from __future__ import annotations

import http.server
import pathlib
import re
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


def test_an_address_without_a_table_says_so(address: str) -> None:
    """A missing file and a missing server are errors that name the address."""
    for wrong in (address + "x", "http://127.0.0.1:1/a.table"):
        with pytest.raises(hs.HindsightError, match=re.escape(wrong)):
            hs.open(wrong)
