"""Tables: single probes, arrays, scans, faults."""

from __future__ import annotations

import pathlib
import threading

import numpy as np
import pytest

import hindsight_games as hs
from hindsight_games import Column


def test_single_positions(q_table: hs.Table) -> None:
    """Subscripts, get, in, probe and line agree."""
    start = q_table.game.start
    probe = q_table.probe(start)
    assert q_table[start] == q_table.get(start, None) == probe.value == q_table.start
    assert start in q_table
    assert "nonsense" not in q_table
    assert q_table.get("nonsense", 7) == 7
    assert q_table.get("nonsense") is None
    best = probe.moves[0]
    assert best.gives == 0
    assert best.value == probe.value
    after = q_table[best.to]
    assert probe.value is not None
    assert probe.value.remoteness is not None
    assert after.remoteness == probe.value.remoteness - 1
    line = q_table.line(start)
    assert len(line) == probe.value.remoteness
    assert line.moves[0] == best.move
    assert len(line.positions) == len(line.moves) + 1
    assert q_table.game.result(line.positions[-1]) is not None
    gives = [move.gives for move in probe.moves]
    assert gives == sorted(gives, key=lambda given: (given is None, given))


COLUMNS: tuple[Column, ...] = ("layer", "tier", "rank", "copies", "wdl", "plies", "position")


@pytest.mark.parametrize("name", ["q", "o", "ostle", "d", "t"])
def test_arrays_agree_with_single_probes(name: str, table_files: dict[str, pathlib.Path]) -> None:
    """Texts, ranks and scans give the same values."""
    table = hs.open(table_files[name])
    texts = table.sample(300, seed=3)
    assert len(texts) == len(set(texts)) == 300
    assert texts == table.sample(300, seed=3) != table.sample(300, seed=4)
    wdl, plies = table.probe_many(texts)
    assert (str(wdl.dtype), str(plies.dtype)) == ("int8", "uint16")
    for text, result, remoteness in zip(texts, wdl.tolist(), plies.tolist(), strict=True):
        value = table[text]
        expected = hs.NO_PLIES if value.remoteness is None else value.remoteness
        assert (value.wdl, expected) == (result, remoteness)


@pytest.mark.parametrize("name", ["q", "o", "d", "ostle"])
def test_ranks_and_scans(name: str, table_files: dict[str, pathlib.Path]) -> None:
    """A scan has every position once, with the value that its rank and its text have."""
    table = hs.open(table_files[name])
    seen = 0
    for layer in range(len(table.stats()["layers"])):
        for batch in table.scan(layer=layer, columns=COLUMNS):
            seen += int(batch["copies"].sum())
            assert set(batch["layer"].tolist()) == {layer}
            for tier in np.unique(batch["tier"]).tolist():
                here = batch["tier"] == tier
                wdl, plies = table.values(tier=tier, ranks=batch["rank"][here])
                assert (wdl == batch["wdl"][here]).all()
                assert (plies == batch["plies"][here]).all()
            some = slice(None, None, 97)
            wdl, plies = table.probe_many(batch["position"][some].tolist())
            assert (wdl == batch["wdl"][some]).all()
            assert (plies == batch["plies"][some]).all()
            tiers, ranks = table.ranks(batch["position"][some].tolist())
            assert (tiers == batch["tier"][some]).all()
            assert (ranks == batch["rank"][some]).all()
            at = table.position_at(int(batch["tier"][0]), int(batch["rank"][0]))
            assert at == batch["position"][0]
    assert seen == table.info()["positions"]


def test_bad_ranks(q_table: hs.Table) -> None:
    """Tiers, ranks, layers and columns that are not there."""
    with pytest.raises(ValueError, match="no tier 99999999"):
        q_table.values(tier=99_999_999, ranks=[0])
    with pytest.raises(ValueError, match="has the ranks 0 to"):
        q_table.values(tier=0, ranks=[0, 2**40])
    for ranks in ([-1], [0.5], [[1]]):
        with pytest.raises(ValueError, match="whole numbers"):
            q_table.values(tier=0, ranks=ranks)  # type: ignore[arg-type]
    assert [len(array) for array in q_table.values(tier=0, ranks=[])] == [0, 0]
    with pytest.raises(ValueError, match="no layer 77"):
        next(iter(q_table.scan(layer=77)))
    with pytest.raises(ValueError, match="no column 'colour'"):
        q_table.scan(columns=("colour",))  # type: ignore[arg-type]
    assert q_table.position_at(2**63, 0) is None


def test_masks(q_table: hs.Table) -> None:
    """Texts that are no positions are errors, or unknown."""
    texts = [q_table.game.start, "nonsense"]
    with pytest.raises(hs.PositionError):
        q_table.probe_many(texts)
    wdl, plies = q_table.probe_many(texts, errors="mask")
    assert (wdl[1], plies[1]) == (hs.UNKNOWN, hs.NO_PLIES)
    assert wdl[0] == q_table.start.wdl
    tier, rank = q_table.ranks(texts, errors="mask")
    assert tier[1] == rank[1] == 2**64 - 1
    with pytest.raises(ValueError, match="errors is"):
        q_table.probe_many(texts, errors="ignore")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a list of positions"):
        q_table.probe_many(q_table.game.start)


def test_samples_by_value(q_table: hs.Table) -> None:
    """Wishes are kept, also where they are rare, and impossible ones give nothing."""
    for position in q_table.sample(50, value="win", min_plies=5, max_plies=9):
        value = q_table[position]
        assert value.wdl == 1
        assert value.remoteness is not None
        assert 5 <= value.remoteness <= 9
    longest = q_table.info()["longest_win"]["remoteness"]
    rare = q_table.sample(10, value="win", min_plies=longest)
    assert rare
    assert q_table.sample(10, value="win", min_plies=longest + 1) == []
    assert q_table.sample(0) == []
    assert q_table.draw(value="win", plies=longest) is not None
    assert q_table.draw(value="win", plies=longest + 1) is None
    everything = q_table.sample(10**6, value="loss")
    assert len(everything) == len(set(everything))
    assert set(q_table.probe_many(everything)[0].tolist()) == {-1}


def test_closed_and_damaged_files(q_table: hs.Table, table_files: dict[str, pathlib.Path]) -> None:
    """Each wrong file is an error with a sentence; a closed table says so."""
    with q_table:
        assert q_table.layout in ("full", "compact")
    for use in (q_table.info, q_table.line, q_table.verify, lambda: q_table["x"]):
        with pytest.raises(hs.TableError, match="the table is closed"):
            use()
    assert repr(q_table) == "<closed Table of quoridor:4x4:1>"
    with pytest.raises(FileNotFoundError):
        hs.open("missing.table")
    whole = table_files["q"].read_bytes()
    for name, content in {
        "empty": b"",
        "text": b"no table",
        "cut": whole[: len(whole) // 2],
        "header": whole[:10],
    }.items():
        pathlib.Path(name).write_bytes(content)
        with pytest.raises(hs.TableError):
            hs.open(name)
    with pytest.raises(OSError, match="is a folder"):
        hs.open(".")
    damaged = bytearray(whole)
    damaged[-20] ^= 0x55
    pathlib.Path("damaged").write_bytes(damaged)
    try:
        verdict = hs.open("damaged").verify()
    except hs.TableError:
        return
    assert not verdict
    assert verdict.faults[0].description


def test_verify_and_compare(table_files: dict[str, pathlib.Path]) -> None:
    """A table is proved, equals itself, and is not compared with another game."""
    table = hs.open(table_files["q"])
    verdict = table.verify(threads=2)
    assert verdict
    assert verdict.positions == sum(len(batch["rank"]) for batch in table.scan())
    comparison = table.compare(table_files["q"])
    assert comparison
    assert comparison.different == 0
    with pytest.raises(hs.TableError, match="different games"):
        table.compare(table_files["o"])


def test_two_threads_probe_one_table(q_table: hs.Table) -> None:
    """Both get the values that one alone gets."""
    texts = [str(text) for text in q_table.sample(2000, seed=5)]
    expected = [(q_table[text].wdl, q_table[text].remoteness) for text in texts]
    found: list[list[tuple[int, int | None]]] = [[], []]

    def probe(own: list[tuple[int, int | None]]) -> None:
        for text in texts:
            value = q_table[text]
            own.append((value.wdl, value.remoteness))
        q_table.probe_many(texts)

    threads = [threading.Thread(target=probe, args=(own,)) for own in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected, expected]


def test_arrow(q_table: hs.Table) -> None:
    """A scan is a stream of Arrow, with null for the plies of draws."""
    pyarrow = pytest.importorskip("pyarrow")
    stream = q_table.arrow(columns=("layer", "tier", "rank", "wdl", "plies", "position"))
    assert hasattr(stream, "__arrow_c_stream__")
    read = pyarrow.RecordBatchReader.from_stream(stream).read_all()
    rows = sum(len(batch["rank"]) for batch in q_table.scan())
    assert read.num_rows == rows > 0
    assert read.column("plies").null_count == q_table.info()["draws"]
