"""Files of solved games whose rules are a class."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 100_000
_COLUMNS = ("key", "wdl", "plies", "moves")


def save(native: _native.OwnSolved, path: str) -> None:
    """Write all values to a file of the kind that its name tells."""
    kinds = {".csv": _write_csv, ".npz": _write_npz, ".parquet": _write_parquet}
    ending = os.path.splitext(path)[1].lower()
    if ending not in kinds:
        raise ValueError(f"the name of a file ends in {', '.join(kinds)}, not in {ending!r}")
    partial = f"{path}.partial"
    try:
        kinds[ending](native, partial)
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def _texts(native: _native.OwnSolved, begin: int, end: int) -> list[str]:
    keys = map(native.key, range(begin, end))
    return [key if isinstance(key, str) else repr(key) for key in keys]


_Batch = tuple[list[str], "NDArray[np.int8]", "NDArray[np.uint16]", "NDArray[np.uint16]"]


def _batches(native: _native.OwnSolved) -> Iterator[_Batch]:
    wdl, plies, moves = native.arrays()
    for begin in range(0, len(wdl), _BATCH):
        end = min(begin + _BATCH, len(wdl))
        part = slice(begin, end)
        yield _texts(native, begin, end), wdl[part], plies[part], moves[part]


def _write_csv(native: _native.OwnSolved, path: str) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        for texts, wdl, plies, moves in _batches(native):
            writer.writerows(zip(texts, wdl.tolist(), plies.tolist(), moves.tolist(), strict=True))


def _write_npz(native: _native.OwnSolved, path: str) -> None:
    import numpy as np

    wdl, plies, moves = native.arrays()
    texts = np.array(_texts(native, 0, len(wdl)))
    with open(path, "wb") as file:
        np.savez_compressed(file, key=texts, wdl=wdl, plies=plies, moves=moves)


def _write_parquet(native: _native.OwnSolved, path: str) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        text = "a .parquet file needs pyarrow: pip install 'hindsight-games[arrow]'"
        raise ImportError(text) from error
    types = (pa.string(), pa.int8(), pa.uint16(), pa.uint16())
    schema = pa.schema(list(zip(_COLUMNS, types, strict=True)))
    with pq.ParquetWriter(path, schema) as writer:
        for batch in _batches(native):
            arrays = [pa.array(column, kind) for column, kind in zip(batch, types, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
