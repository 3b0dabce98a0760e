"""Read Parquet, Arrow and Feather files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from activeeval_widgets.formats.opening.plain_types import plain_batches, plain_schema
from activeeval_widgets.formats.opening.table_on_disk import kept_table
from activeeval_widgets.formats.problems import FileProblemsError, Problem, problem_error, repeated_columns
from activeeval_widgets.formats.table import FileTable

_ROWS_AT_ONCE = 1 << 16

_MAX_ROWS_A_BYTE = 200
"""A file that claims more rows for each of its bytes is refused."""


def read_parquet(path: Path, data: memoryview) -> FileTable:
    """Read a Parquet file."""
    try:
        file = parquet.ParquetFile(pa.BufferReader(pa.py_buffer(data)))
        if file.metadata.num_rows > _MAX_ROWS_A_BYTE * data.nbytes:
            raise problem_error(
                path.name,
                f"it claims {file.metadata.num_rows:,} rows in {data.nbytes:,} bytes",
                "That is not a table of predictions; make the file anew.",
            )
        return _table(path, file.schema_arrow, file.iter_batches(_ROWS_AT_ONCE))
    except FileProblemsError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: names that are not UTF-8
        raise damaged(path.name, "Parquet", error) from error


def read_arrow(path: Path, data: memoryview) -> FileTable:
    """Read an Arrow file or stream, or a Feather file."""
    buffer = pa.py_buffer(data)
    start = bytes(data[:6])
    try:
        if start.startswith(b"ARROW1"):
            file = pa.ipc.open_file(buffer)
            batches = (file.get_batch(at) for at in range(file.num_record_batches))
            return _table(path, file.schema, batches)
        stream = pa.ipc.open_stream(buffer)
        return _table(path, stream.schema, iter(stream))
    except FileProblemsError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: names that are not UTF-8
        raise damaged(path.name, "Arrow", error) from error


def _table(path: Path, schema: pa.Schema, batches: Iterator[Any]) -> FileTable:
    if repeated := repeated_columns(path.name, schema.names):
        raise FileProblemsError(repeated)
    plain = plain_schema(schema)
    arrow = kept_table(plain, (batch.cast(plain) for batch in plain_batches(_valid(path, batches))))
    return FileTable(path, arrow)


def _valid(path: Path, batches: Iterator[Any]) -> Iterator[Any]:
    """Validate each batch: offsets outside a column would crash the process."""
    start = 0
    for batch in batches:
        problems: list[Problem] = []
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                column.validate(full=True)
            except pa.ArrowInvalid as error:
                if "UTF8" not in str(error):
                    raise  # no part of it is safe to read
                problems += _not_utf8(path, name, column, start)
        if problems:
            raise FileProblemsError(problems)
        start += batch.num_rows
        yield batch


def _not_utf8(path: Path, name: str, column: Any, start: int) -> Iterator[Problem]:
    """Yield a problem for each cell of a column of strings that is not UTF-8."""
    data = column.cast(pa.large_binary() if pa.types.is_large_string(column.type) else pa.binary())
    for index, value in enumerate(data.to_pylist()):
        try:
            (value or b"").decode()
        except UnicodeDecodeError:
            what = "the cell holds bytes that are not UTF-8"
            remedy = "Write the file anew from valid text."
            yield Problem(path.name, what, remedy, start + index + 1, name)


def damaged(file: str, kind: str, error: Exception) -> FileProblemsError:
    """Return the error of a file that Arrow can't read, with the reason."""
    reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
    return problem_error(
        file, f"the {kind} file is damaged or cut off ({reason})", "Copy it again, or make it anew."
    )
