"""Keep large tables on disk, in a file that disappears with the process.

The source may be overwritten while a pool is in use. That must not change the pool or crash the
process, as truncating a mapped file does, so the table is a copy.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pyarrow as pa

SMALL = 32 << 20
"""Tables of fewer bytes are kept in memory."""


def kept_table(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """Make a table of batches, in memory if they are small, else mapped from a file."""
    rest = iter(batches)
    head: list[pa.RecordBatch] = []
    size = 0
    for batch in rest:
        head.append(batch)
        size += batch.nbytes
        if size > SMALL:
            return _on_disk(schema, chain(head, rest))
    # A copy, too: batches of an Arrow file lie in the mapped file.
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, schema) as writer:
        for batch in head:
            writer.write_batch(batch)
    return pa.ipc.open_file(sink.getvalue()).read_all()


def _on_disk(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> pa.Table:
    descriptor, path = tempfile.mkstemp(prefix="activeeval-", suffix=".arrow")
    try:
        os.close(descriptor)
        with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
        return pa.ipc.open_file(pa.memory_map(path)).read_all()
    finally:
        Path(path).unlink()  # it exists as long as it is mapped
