"""Files of solved games whose rules are a class."""

from __future__ import annotations

import csv
import errno
import os
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ._errors import TableError, needs, shown
from ._own_game import broken, told

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from ._own_solution import OwnValues

_BATCH = 100_000
_STEP = 1_000
_BATCH_CHARACTERS = 1 << 26
_COLUMNS = ("key", "wdl", "plies", "moves")


def save(solution: OwnValues[Any, Any], path: str) -> None:
    """Write all values to a file of the kind that its name tells."""
    kinds = {
        ".csv": _write_csv,
        ".npz": _write_npz,
        ".parquet": _write_parquet,
        ".table": _write_table,
    }
    ending = os.path.splitext(path)[1].lower()
    if ending not in kinds:
        raise ValueError(f"the name of a file ends in {', '.join(kinds)}, not in {shown(ending)}")
    # Threads and processes that save to one name do not meet.
    name = f".{os.getpid()}-{threading.get_ident()}{ending}.partial"
    partial = os.path.join(os.path.dirname(path), name)
    try:
        kinds[ending](solution, partial)
        _sync(partial, os.O_RDWR)
        os.replace(partial, path)
        _sync(os.path.dirname(path) or ".", os.O_RDONLY)
    except OSError as cause:
        reason = cause.strerror or told(cause)
        raise TableError(f"{shown(path)} cannot be written: {reason}") from cause
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def _write_table(solution: OwnValues[Any, Any], path: str) -> None:
    """Write a table, which `open` opens with the rules."""
    solution._save_table(path)


def _sync(path: str, flags: int) -> None:
    """Write a file, or the names in a folder, to the disk, where the file system can."""
    lacking = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
    if flags == os.O_RDONLY:
        lacking |= {errno.EBADF, errno.EISDIR, errno.EACCES, errno.EPERM}
    try:
        opened = os.open(path, flags)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as cause:
        if cause.errno not in lacking:
            raise


def _text(key: object) -> str:
    """Return the text of a key, which UTF-8 can hold."""
    if isinstance(key, str):
        try:
            key.encode()
        except UnicodeEncodeError:
            return repr(key)
        return key
    try:
        return repr(key).encode(errors="backslashreplace").decode()
    except Exception as cause:
        raise broken("repr() of a key", key, cause) from cause


_Batch = tuple[list[str], "NDArray[np.int8]", "NDArray[np.uint16]", "NDArray[np.uint16]"]


def _batches(solution: OwnValues[Any, Any]) -> Iterator[_Batch]:
    """Yield rows, some megabytes of them at once."""
    import numpy as np

    texts: list[str] = []
    parts: list[tuple[NDArray[np.int8], NDArray[np.uint16], NDArray[np.uint16]]] = []
    characters, begin, positions = 0, 0, solution.positions
    while begin < positions:
        keys, wdl, plies, moves = solution.rows(begin, begin + _STEP)
        begin += len(keys)
        own = [_text(key) for key in keys]
        texts += own
        characters += sum(map(len, own))
        parts.append((wdl, plies, np.array(moves, dtype=np.uint16)))
        if len(texts) >= _BATCH or characters > _BATCH_CHARACTERS or begin == positions:
            columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
            yield (texts, columns[0], columns[1], columns[2])
            texts, parts, characters = [], [], 0


def _write_csv(solution: OwnValues[Any, Any], path: str) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        for texts, wdl, plies, moves in _batches(solution):
            writer.writerows(zip(texts, wdl.tolist(), plies.tolist(), moves.tolist(), strict=True))


def _write_npz(solution: OwnValues[Any, Any], path: str) -> None:
    """Keys are bytes with their ends: an array of texts is as wide as the longest of them."""
    import numpy as np

    key_bytes = bytearray()
    key_ends: list[int] = []
    parts = []
    for texts, *columns in _batches(solution):
        for text in texts:
            key_bytes += text.encode()
            key_ends.append(len(key_bytes))
        parts.append(columns)
    wdl, plies, moves = (np.concatenate(column) for column in zip(*parts, strict=True))
    with open(path, "wb") as file:
        np.savez_compressed(
            file,
            key_bytes=np.frombuffer(key_bytes, dtype=np.uint8),
            key_ends=np.array(key_ends, dtype=np.uint64),
            wdl=wdl,
            plies=plies,
            moves=moves,
        )


def _write_parquet(solution: OwnValues[Any, Any], path: str) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise needs("pyarrow", "a .parquet file") from error
    types = (pa.string(), pa.int8(), pa.uint16(), pa.uint16())
    schema = pa.schema(list(zip(_COLUMNS, types, strict=True)))
    with pq.ParquetWriter(path, schema) as writer:
        for batch in _batches(solution):
            arrays = [pa.array(column, kind) for column, kind in zip(batch, types, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
