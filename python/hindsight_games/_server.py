"""The explorer in the browser, from Python."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import warnings
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Literal, overload

from . import _native
from ._array_game import ArrayGame
from ._errors import TableError, shown, unpicklable
from ._game import NamedGame, Rules
from ._numbers import checked
from ._options import Path, memory_bytes, path_text
from ._own_game import Game
from ._own_handle import OwnNamedGame, own_game
from ._table import Table
from ._table import open as open_table

_running: set[Server] = set()
"""Servers that run: they go on if nobody keeps them."""


class Server:
    """Running server of tables and games. It ends with the process, or by `stop`.

    Attributes:
        url: Address of the explorer.
    """

    def __init__(self, native: _native.Server, own: list[OwnNamedGame]) -> None:
        """Wrap a native server; `serve()` starts one."""
        self._native = native
        self._own = own
        self.url = native.url
        _running.add(self)

    @property
    def is_running(self) -> bool:
        """Whether the server answers."""
        return self._native.is_running

    def stop(self) -> None:
        """End the server, and wait until it has ended."""
        self._native.stop()
        _running.discard(self)
        while self._own:
            self._own.pop().forget()

    def __enter__(self) -> Server:
        """Return the server."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the server."""
        self.stop()

    def __reduce__(self) -> tuple[Any, ...]:
        """Refuse to be copied or pickled."""
        raise unpicklable(self, f"it runs in this process; its address is {self.url}")

    def __repr__(self) -> str:
        """Return the address."""
        return f"<Server at {self.url}>" if self.is_running else "<stopped Server>"

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}" target="_blank">{self.url}</a>'


@overload
def serve(
    *subjects: Path | Table | Rules,
    port: int = ...,
    bind: str = ...,
    memory: int | str | None = ...,
    block: Literal[False],
) -> Server: ...


@overload
def serve(
    *subjects: Path | Table | Rules,
    port: int = ...,
    bind: str = ...,
    memory: int | str | None = ...,
    block: bool = ...,
) -> Server | None: ...


def serve(
    *subjects: Path | Table | Rules,
    port: int = 8017,
    bind: str = "127.0.0.1",
    memory: int | str | None = None,
    block: bool = True,
) -> Server | None:
    """Serve tables and games to a browser, as ``hindsight serve`` does.

    Args:
        subjects: Files of tables, opened tables, specs or games, also those of yours; any other
            game of a spec can be asked for.
        port: Port; 0 for a free one.
        bind: Address of this machine; others reach the server only if it is not the default. A
            warning says so, and each of them has 50 requests a second.
        memory: Bytes for solves and analyses that the server is asked for; 1 GiB by default.
        block: Whether to wait until Ctrl-C, and then return; otherwise the server goes on beside
            the program.

    >>> import hindsight_games as hs
    >>> with hs.serve("tic-tac-toe", port=0, block=False) as server:
    ...     print(server.url.startswith("http://127.0.0.1:"), server.is_running)
    True True
    """
    tables: list[tuple[str, _native.Table]] = []
    specs: list[str] = []
    own: list[OwnNamedGame] = []
    for subject in subjects:
        table = _table_of(subject)
        if table is not None:
            name = os.fsencode(FilePath(table._file).stem).decode(errors="replace")
            tables.append((name, table._table))
        elif isinstance(subject, Game | ArrayGame | OwnNamedGame):
            own.append(own_game(subject) if not isinstance(subject, OwnNamedGame) else subject)
            specs.append(own[-1].spec)
        else:
            specs.append(str(subject))
    try:
        address = ipaddress.ip_address("127.0.0.1" if bind == "localhost" else bind)
    except ValueError as error:
        raise ValueError(f"bind is an address such as '127.0.0.1', not {shown(bind)}") from error
    port, limit = checked("port", port, 0, 65535), memory_bytes(memory)
    if not (getattr(address, "ipv4_mapped", None) or address).is_loopback:
        warnings.warn(_open_warning(address, bool(tables)), stacklevel=2)
    for named in own:
        named.know()
    try:
        native = _native.Server(tables, specs, str(address), port, limit)
    except BaseException:
        for named in own:
            named.forget()
        raise
    server = Server(native, own)
    if not block:
        return server
    with server, contextlib.suppress(KeyboardInterrupt):
        print(server.url, flush=True)
        native.wait()
    return None


def _open_warning(address: ipaddress.IPv4Address | ipaddress.IPv6Address, has_tables: bool) -> str:
    """Return what it means that other machines reach a server."""
    reached = "every network of this machine" if address.is_unspecified else str(address)
    files = ", and read all values of the tables served" if has_tables else ""
    return (
        f"other machines reach this server by {reached}: anyone there may let this machine solve "
        f"and analyse, within memory=..{files}. There is no password and no encryption; "
        "bind='127.0.0.1' is for this machine alone"
    )


def _table_of(subject: Path | Table | Rules) -> Table | None:
    """Return the table that a subject is or names; None for a game."""
    if isinstance(subject, Table):
        return subject
    if isinstance(subject, NamedGame | Game | ArrayGame):
        return None
    if not isinstance(subject, str | bytes | os.PathLike):
        raise TypeError(f"a table, a file, a game or a spec is wanted, not {shown(subject)}")
    is_spec = isinstance(subject, str) and os.sep not in subject and not _is_file(subject)
    return None if is_spec else open_table(subject)


def _is_file(name: str) -> bool:
    """Return whether there is a file with a name."""
    try:
        return os.path.exists(path_text(name))
    except (TableError, ValueError):
        # No file can have it.
        return False
