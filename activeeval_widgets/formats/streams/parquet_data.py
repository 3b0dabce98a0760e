"""Read one Parquet file, or all of a folder, piece by piece."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import ArrowException, parquet

from activeeval_widgets.formats.opening.columnar import damaged
from activeeval_widgets.formats.opening.plain_types import empty_batch, plain_batches
from activeeval_widgets.formats.problems import FileProblemsError, problem_error
from activeeval_widgets.formats.streams.parquet_schema import common_types, folder_values
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts
from activeeval_widgets.session.pool.parts import Result
from activeeval_widgets.stats._typing import IntArray

SUFFIXES = (".parquet", ".pq")
"""The suffixes of such files."""

_AT_ONCE = 1 << 18
"""The number of rows in memory at once."""

_N_HEAD = 2_000


class ParquetData:
    """The rows of Parquet files, read in place; columns of folder names, as in "lang=de", come last."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files = parquet_files(path)
        self._stamps, self._metadata = [], []
        schemas = []
        sizes: list[int] = []
        self._groups: list[tuple[int, int]] = []  # the file and the number of each row group
        for at, file in enumerate(self._files):
            self._stamps.append(_stamp(file))
            try:
                metadata = parquet.read_metadata(file)
                schemas.append(metadata.schema.to_arrow_schema())
            except (ArrowException, OSError) as error:
                raise self._damaged(at, error) from error
            self._metadata.append(metadata)
            for group in range(metadata.num_row_groups):
                sizes.append(metadata.row_group(group).num_rows)
                self._groups.append((at, group))
        self._schemas = schemas
        self._starts: IntArray = np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)]).astype(np.intp)
        self.n_rows = int(self._starts[-1])
        self._types = common_types(list(zip(map(self._called, range(len(schemas))), schemas, strict=True)))
        in_folders = folder_values(path, self._files).items()
        self._folder_values = {name: values for name, values in in_folders if name not in self._types}
        self.names: list[str] = [*self._types, *self._folder_values]

    @property
    def n_bytes(self) -> int:
        """The approximate size of all rows in memory."""
        return sum(
            metadata.row_group(group).total_byte_size
            for metadata in self._metadata
            for group in range(metadata.num_row_groups)
        )

    def each(self, columns: Sequence[str], work: Callable[[FileTable], Result]) -> Iterator[Result]:
        """Apply a function to some columns, piece by piece; yield the results."""
        for number in range(len(self._groups)):
            start = int(self._starts[number])
            for batch in self._batches(number, columns):
                yield work(self._table([batch], columns, start))
                start += batch.num_rows

    def head(self, n_rows: int = _N_HEAD) -> FileTable:
        """Return the first rows, with all columns."""
        batches, found = [], 0
        of_groups = (self._batches(number, self.names, n_rows) for number in range(len(self._groups)))
        for batch in chain.from_iterable(of_groups):
            batches.append(batch)
            found += batch.num_rows
            if found >= n_rows:
                break
        table = self._table(batches, self.names)
        table.arrow = table.arrow.slice(0, n_rows)
        return table

    def rows(self, indices: IntArray, columns: Sequence[str]) -> FileTable:
        """Return the rows at some ascending indices."""
        chosen = np.asarray(indices, dtype=np.intp)
        numbers = np.searchsorted(self._starts, chosen, side="right") - 1
        found = []
        for number in np.unique(numbers).tolist():
            inside = chosen[numbers == number] - self._starts[number]
            start = 0
            for batch in self._batches(number, columns):
                here = inside[(inside >= start) & (inside < start + batch.num_rows)] - start
                if here.size:
                    found.append(batch.take(pa.array(here)))
                start += batch.num_rows
                if start > inside[-1]:
                    break
        return self._table(found, columns, chosen)

    @cached_property
    def digest(self) -> str:
        """A digest of the files' metadata: row counts, and sizes and ranges of all columns."""
        parts = [as_json(self.names, self.n_rows, *([self._folder_values] if self._folder_values else []))]
        for metadata in self._metadata:
            for group in range(metadata.num_row_groups):
                of_group = metadata.row_group(group)
                for at in range(of_group.num_columns):
                    column = of_group.column(at)
                    statistics = column.statistics
                    ends = (
                        None
                        if statistics is None or not statistics.has_min_max
                        else [repr(statistics.min), repr(statistics.max)]
                    )
                    sizes = column.total_compressed_size, column.total_uncompressed_size
                    parts.append(as_json(column.path_in_schema, of_group.num_rows, *sizes, ends))
        return digest_of_parts("parquet", parts)

    def _batches(
        self, number: int, columns: Sequence[str], at_once: int = _AT_ONCE
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a row group, some at a time."""
        at, group = self._groups[number]
        file = self._files[at]
        if _stamp(file) != self._stamps[at]:
            gone = not file.exists()
            raise problem_error(
                self._called(at),
                f"the file {'is gone' if gone else 'was changed'} since it was opened",
                "Keep the data set as it is while it is evaluated: put the file back as it was.",
            )
        wanted = [
            name
            for name in self._schemas[at].names
            if any(each == name or each.startswith(f"{name}.") for each in columns)
        ]
        # Columns have the same order and types in all files.
        read = [name for name in self._types if any(name == w or name.startswith(f"{w}.") for w in wanted)]
        schema = pa.schema([(name, self._types[name]) for name in read])
        names = [name for name in self._folder_values if name in columns]
        try:
            with parquet.ParquetFile(file, metadata=self._metadata[at], pre_buffer=False) as opened:
                n_left = self._metadata[at].row_group(group).num_rows
                if not wanted:  # all columns come from folder names
                    yield self._with_folder_values(None, names, at, n_left)
                    return
                for batch in opened.iter_batches(at_once, row_groups=[group], columns=wanted):
                    [plain] = plain_batches([batch])
                    n_left -= plain.num_rows
                    yield self._with_folder_values(plain.select(read).cast(schema, safe=False), names, at)
                if n_left:
                    raise OSError("a row group has fewer rows than it says")
        except (ArrowException, OSError) as error:
            raise self._damaged(at, error) from error

    def _with_folder_values(
        self, batch: pa.RecordBatch | None, names: list[str], at: int, n_rows: int = 0
    ) -> pa.RecordBatch:
        """Add the columns that folder names give to the rows of a file."""
        columns = {} if batch is None else dict(zip(batch.schema.names, batch.columns, strict=True))
        n_rows = n_rows if batch is None else batch.num_rows
        for name in names:
            columns[name] = pa.repeat(pa.scalar(self._folder_values[name][at], pa.string()), n_rows)
        return pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))

    def _table(
        self, batches: list[pa.RecordBatch], columns: Sequence[str], rows: IntArray | int = 0
    ) -> FileTable:
        """Make a table of batches that hold the rows from one on, or some rows."""
        if not batches:
            types = [(name, self._types.get(name, pa.string())) for name in self.names if name in columns]
            batches = [empty_batch(pa.schema(types))]

        def row(at: int) -> int:
            return rows + at if isinstance(rows, int) else int(rows[at])

        return FileTable(
            self.path,
            pa.Table.from_batches(batches),
            lambda positions: [row(at) + 1 for at in positions],
            place_of=lambda at: self.place(row(at)),
            is_part=True,
        )

    def place(self, row: int) -> tuple[str, int]:
        """Return the file of a row and the row's number in it, from 1."""
        group = int(np.searchsorted(self._starts, row, side="right")) - 1
        at = self._groups[group][0]
        first = next(n for n, (file, _) in enumerate(self._groups) if file == at)
        return self._called(at), row - int(self._starts[first]) + 1

    def _called(self, at: int) -> str:
        """Return a file's name in messages: its path below the folder."""
        file = self._files[at]
        return file.name if file == self.path else file.relative_to(self.path).as_posix()

    def _damaged(self, at: int, error: Exception) -> FileProblemsError:
        if isinstance(error, PermissionError):
            return problem_error(self._called(at), "it may not be read", "Check the permissions of the file.")
        return damaged(self._called(at), "Parquet", error)


def parquet_files(path: Path) -> list[Path]:
    """Return the Parquet files of a folder, sorted by name; or the file itself."""
    if not path.is_dir():
        return [path]
    inside = sorted(each for each in path.rglob("*") if each.suffix.lower() in SUFFIXES and each.is_file())
    return [
        each
        for each in inside
        if not any(part.startswith((".", "_")) for part in each.relative_to(path).parts)
    ]


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return -1, -1
    return found.st_size, found.st_mtime_ns
