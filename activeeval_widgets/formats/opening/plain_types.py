"""Convert columns to plain types: strings, numbers, booleans and bytes, without structure."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_MAX_PARTS = 1_000


def plain_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Convert batches to plain columns; the parts of a structure become columns "name.part"."""
    for batch in batches:
        columns = [
            part
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
            for part in _plain(name, column)
        ]
        yield pa.RecordBatch.from_arrays(
            [column for _, column in columns], names=[name for name, _ in columns]
        )


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return the plain columns of batches with this schema."""
    [plain] = plain_batches([empty_batch(schema)])
    return plain.schema


def empty_batch(schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch without rows."""
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)


def _plain(name: str, column: Any) -> Iterator[tuple[str, Any]]:
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = column.storage
        kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_struct(kind):
        for position, field in enumerate(kind):
            yield from _plain(f"{name}.{field.name}", pc.struct_field(column, [position]))
    elif pa.types.is_fixed_size_list(kind) and kind.list_size <= _MAX_PARTS and _is_number(kind.value_type):
        for position in range(kind.list_size):
            yield f"{name}.{position}", pc.list_element(column, position).cast(pa.float64(), safe=False)
    elif (
        pa.types.is_string(kind) or pa.types.is_binary(kind) or pa.types.is_boolean(kind) or _is_number(kind)
    ):
        yield name, column
    elif pa.types.is_decimal(kind):
        yield name, column.cast(pa.float64())
    elif pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        yield name, column.cast(pa.string())
    elif (
        pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind) or pa.types.is_fixed_size_binary(kind)
    ):
        yield name, column.cast(pa.binary())
    elif pa.types.is_null(kind) or pa.types.is_temporal(kind):
        yield name, column.cast(pa.string())
    else:
        yield name, _as_json(column)


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _as_json(column: Any) -> Any:
    """Convert lists and mappings to JSON texts."""
    import json

    texts = [
        None if value is None else json.dumps(value, ensure_ascii=False, default=str)
        for value in column.to_pylist()
    ]
    return pa.array(texts, pa.string())
