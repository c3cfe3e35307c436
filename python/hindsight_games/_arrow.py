"""Scans as streams of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._errors import needs
from ._value import NO_PLIES

if TYPE_CHECKING:
    import pyarrow
    from numpy.typing import NDArray

TYPES = {
    "layer": "uint32",
    "tier": "uint64",
    "rank": "uint64",
    "copies": "uint64",
    "wdl": "int8",
    "plies": "uint16",
    "position": "string",
}


def record_batches(
    batches: Iterator[dict[str, NDArray[Any]]], columns: tuple[str, ...]
) -> pyarrow.RecordBatchReader:
    """Return batches of a scan as a reader of Arrow."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise needs("pyarrow", "a stream of Arrow") from error
    if not columns:
        raise ValueError("a stream has at least one column")
    fields = [pa.field(name, pa.type_for_alias(TYPES[name])) for name in columns]
    schema = pa.schema(fields)

    def arrays(batch: dict[str, NDArray[Any]]) -> Iterator[Any]:
        for field in schema:
            column = batch[field.name]
            no_plies = column == NO_PLIES if field.name == "plies" else None
            yield pa.array(column, type=field.type, mask=no_plies)

    stream = (pa.RecordBatch.from_arrays(list(arrays(batch)), schema=schema) for batch in batches)
    return pa.RecordBatchReader.from_batches(schema, stream)
