"""Paths: texts, bytes and objects, with any name that a file can have."""

from __future__ import annotations

import copy
import os
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from slow_solver import RandomGraph

import hindsight_games as hs

# Ways to name a file.
FORMS: dict[str, Callable[[str], Any]] = {
    "text": str,
    "bytes": os.fsencode,
    "path": pathlib.Path,
}
# Names of files: the second one is no UTF-8.
NAMES = ["q", os.fsdecode(b"q\xff\xfe"), "q \u00e9\u4e2d"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", FORMS)
def test_every_function_takes_every_path(form: str, name: str) -> None:
    """Those that write as those that read."""
    of = FORMS[form]
    out, folder, cache = of(f"{name}.table"), of(f"{name}.checkpoint"), of(f"{name}.cache")
    with hs.solve("quoridor:3x3:1", out=out, checkpoint=folder, resume=True) as table:
        assert str(table.start) == "loss in 8 plies"
        assert table.compare(out)
    with hs.open(out) as again:
        assert again[again.game.start].result == "loss"
        assert name[0] in repr(again)
        copied = pickle.loads(pickle.dumps(again))
        assert copied.start == again.start
    assert hs.analyse("tic-tac-toe", cache=cache).known is not None
    hs.solve(RandomGraph(1)).save(of(f"{name}.csv"))
    with hs.serve(of(os.path.join(".", f"{name}.table")), port=0, block=False) as server:
        assert server.is_running
    assert {f"{name}.table", f"{name}.csv"} <= set(os.listdir("."))


def test_a_name_that_no_file_has_is_refused() -> None:
    """In words, before anything is done."""
    for name in ("a\0b", "\ud800"):
        with pytest.raises(hs.TableError):
            hs.open(name)
        with pytest.raises(hs.TableError):
            hs.solve("quoridor:3x3:1", out=name)
    with pytest.raises(TypeError, match="PathLike"):
        hs.open(3)  # type: ignore[arg-type]
    assert os.listdir(".") == []


def test_an_open_table_is_pickled_by_its_path(
    table_files: dict[str, pathlib.Path], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """Also if it was opened by a relative one, and another folder is current meanwhile."""
    monkeypatch.chdir(table_files["q"].parent)
    with hs.open("q.table") as table:
        text = pickle.dumps(table)
        start = table.start
    monkeypatch.chdir(tmp_path)
    with pickle.loads(text) as again:
        assert again.start == start
    with pytest.raises(hs.TableError, match="the table is closed"):
        pickle.dumps(table)
    monkeypatch.chdir(tmp_path)
    short = hs.solve("quoridor:3x3:1", out="short.table")
    text = pickle.dumps(short)
    pathlib.Path("short.table").unlink()
    with pytest.raises(hs.TableNotFoundError, match=r"short\.table"):
        pickle.loads(text)


def test_a_copied_table_is_closed_by_itself(table_files: dict[str, pathlib.Path]) -> None:
    """It reads what the first one reads."""
    for copied in (copy.copy, copy.deepcopy):
        first = hs.open(table_files["q"])
        second = copied(first)
        first.close()
        assert str(second.start) == str(hs.open(table_files["q"]).start)
        second.close()
