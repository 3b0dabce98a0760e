"""Texts, records and images of a file, read from disk one at a time."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from activeeval_widgets.formats.within_folder import is_within
from activeeval_widgets.session.pool.fingerprints import (
    digest_of_parts,
    digest_of_utf8,
    frame_parts,
)
from activeeval_widgets.session.pool.stored import SMALL, Ids, StoredInstances
from activeeval_widgets.stats._typing import AnyArray, FloatArray

SMALL_ARRAY = 32 << 20
"""Arrays of at most this many bytes are kept in memory."""

_CHUNK = 10_000


class StoredTexts(StoredInstances):
    """The texts of one column."""

    kind: ClassVar[str] = "text"

    def __init__(self, column: pa.ChunkedArray) -> None:
        self._column = column

    def __len__(self) -> int:
        return len(self._column)

    def at(self, index: int) -> str:
        """Return a text."""
        text: str = self._column[index].as_py()
        return text

    def fingerprint(self) -> str:
        """Return the digest that a list of the texts has."""
        return digest_of_utf8(self.kind, len(self), pieces_of(self._column))


class StoredPairs(StoredInstances):
    """The pairs of texts of two columns."""

    kind: ClassVar[str] = "pair"

    def __init__(self, first: pa.ChunkedArray, second: pa.ChunkedArray) -> None:
        self._columns = first, second

    def __len__(self) -> int:
        return len(self._columns[0])

    def at(self, index: int) -> tuple[str, ...]:
        """Return a pair."""
        return tuple(column[index].as_py() for column in self._columns)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        for start in range(0, len(self), _CHUNK):
            yield from zip(
                *(column.slice(start, _CHUNK).to_pylist() for column in self._columns), strict=True
            )


class StoredRecords(StoredInstances):
    """The rows of a table, as mappings from column to value."""

    kind: ClassVar[str] = "record"

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def at(self, index: int) -> dict[str, Any]:
        """Return a row."""
        return {name: self._table[name][index].as_py() for name in self._table.column_names}

    def frame(self) -> pd.DataFrame:
        """Return all rows, in memory."""
        frame: pd.DataFrame = self._table.to_pandas()
        return frame

    def fingerprint(self) -> str:
        """Return the digest that a DataFrame of the rows has, computed column by column."""
        names = self._table.column_names
        parts = (part for name in names for part in frame_parts(self._table.select([name]).to_pandas()))
        return digest_of_parts(self.kind, parts)


class StoredImages(StoredInstances):
    """Images in files below a folder, or stored as bytes in a column."""

    kind: ClassVar[str] = "image"

    def __init__(self, names: pa.ChunkedArray, folder: Path) -> None:
        self._names, self._folder = names, folder
        self._root = Path(os.path.realpath(folder))

    def __len__(self) -> int:
        return len(self._names)

    def at(self, index: int) -> Path | bytes:
        """Return the path or the bytes of an image."""
        name: str | bytes | None = self._names[index].as_py()
        if isinstance(name, bytes):
            return name
        if not is_within(self._root, image_path(self._root, name or "")):
            raise ValueError(f"the image {name!r:.80} is outside the folder {self._root.name!r}")
        return image_path(self._folder, name or "")

    def fingerprint(self) -> str:
        """Return a digest of the names or bytes; the folder is not part of it and may move."""
        if pa.types.is_string(self._names.type):
            return digest_of_utf8("path", len(self), pieces_of(self._names))
        return digest_of_utf8("image", len(self), pieces_of(self._names))


def image_path(folder: Path, name: str) -> Path:
    """Return the path of an image; a name from Windows may have backslashes."""
    path = folder / name
    if "\\" in name and os.sep == "/" and not path.exists():
        return folder / name.replace("\\", "/")
    return path


class StoredIds(Ids):
    """A column of distinct strings."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        self._column = column

    def __len__(self) -> int:
        return len(self._column)

    def between(self, start: int, stop: int) -> list[str]:
        """Return some ids that follow each other; see `Ids.between`."""
        found: list[str] = self._column.slice(start, max(0, stop - start)).to_pylist()
        return found

    def longest(self) -> int:
        """Return the length of the longest id; see `Ids.longest`."""
        return int(pc.max(pc.utf8_length(self._column)).as_py())

    def array(self, start: int, stop: int, width: int) -> AnyArray:
        """Return ids as an array, see `Ids.array`; ASCII ids are copied without making strings."""
        data, lengths = next(iter(pieces_of(self._column.slice(start, stop - start).combine_chunks())))
        found = np.frombuffer(data, dtype=np.uint8)
        if found.size and found.max() > 127:
            return super().array(start, stop, width)
        characters = np.zeros((stop - start, width), dtype="<u4")
        characters[np.arange(width) < lengths[:, np.newaxis]] = found
        return characters.view(f"<U{width}")[:, 0]


def array_on_disk(n_rows: int, n_columns: int) -> tuple[FloatArray, Callable[[], FloatArray]]:
    """Return an array to fill, and a function that returns it filled; a large one is in a nameless file."""
    shape = (n_rows, n_columns)
    if 8 * n_rows * n_columns <= SMALL_ARRAY:
        small = np.empty(shape)
        return small, lambda: small
    file = tempfile.TemporaryFile(prefix="activeeval-")  # noqa: SIM115 - closed once it is mapped
    array = np.memmap(file, np.float64, "w+", shape=shape)

    def finished() -> FloatArray:
        array.flush()
        with file:
            return np.memmap(file, np.float64, "r", shape=shape)

    return array, finished


def strings_of(column: pa.ChunkedArray) -> Sequence[str]:
    """Return a column of strings: a list if they are few, else a sequence on disk."""
    found: list[str] = column.to_pylist() if len(column) <= SMALL else []
    return found or StoredIds(column)


def pieces_of(column: Any) -> Iterator[tuple[memoryview, AnyArray]]:
    """Yield the pieces of a column without missing values: the bytes, and the length of each value."""
    for chunk in getattr(column, "chunks", [column]):
        for start in range(0, len(chunk), _CHUNK):
            piece = chunk.slice(start, _CHUNK)
            is_wide = pa.types.is_large_string(piece.type) or pa.types.is_large_binary(piece.type)
            _, offsets, data = piece.buffers()
            dtype = np.dtype(np.int64 if is_wide else np.int32)
            ends = np.frombuffer(offsets, dtype, len(piece) + 1, piece.offset * dtype.itemsize)
            view = memoryview(data)[ends[0] : ends[-1]] if data is not None else memoryview(b"")
            yield view, np.diff(ends)
