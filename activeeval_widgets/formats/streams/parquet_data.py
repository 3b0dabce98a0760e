"""Parquet files that are read piece by piece: one file, or all of a folder."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from activeeval_widgets.formats.opening.plain_types import plain_batches
from activeeval_widgets.formats.problems import FileProblemsError, Problem
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts
from activeeval_widgets.session.pool.parts import Result
from activeeval_widgets.stats._typing import IntArray

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = (".parquet", ".pq")
"""How the names of such files end."""

_AT_ONCE = 1 << 18
"""So many rows are in memory at once."""

_N_HEAD = 2_000


class ParquetData:
    """Rows of Parquet files that stay where they are.

    Parameters
    ----------
    path : Path
        A file; or a folder, of which all files are taken in the order of their names, folders in it included.

    Attributes
    ----------
    path : Path
    n_rows : int
    names : list of str
        The columns' names.

    Raises
    ------
    FileProblemsError
        If a file is damaged, or has other columns than the first.
    """

    def __init__(self, path: Path) -> None:
        from pyarrow import ArrowException, parquet

        self.path = path
        self._files = parquet_files(path)
        self._stamps, self._metadata = [], []
        sizes: list[int] = []
        self._groups: list[tuple[int, int]] = []  # the file and the number of each row group
        for at, file in enumerate(self._files):
            self._stamps.append(_stamp(file))
            try:
                metadata = parquet.read_metadata(file)
            except (ArrowException, OSError) as error:
                raise _damaged(file, error) from error
            self._metadata.append(metadata)
            schema = metadata.schema.to_arrow_schema()
            if at == 0:
                self._schema = schema
            elif schema.names != self._schema.names:
                raise FileProblemsError(
                    [
                        Problem(
                            file.name,
                            f"its columns are {', '.join(schema.names)}, those of {self._files[0].name} are "
                            f"{', '.join(self._schema.names)}",
                            "Put files of one table into the folder, and no others.",
                        )
                    ]
                )
            for group in range(metadata.num_row_groups):
                sizes.append(metadata.row_group(group).num_rows)
                self._groups.append((at, group))
        self._starts: IntArray = np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)]).astype(np.intp)
        self.n_rows = int(self._starts[-1])
        self.names: list[str] = _plain([], self._schema).column_names

    @property
    def n_bytes(self) -> int:
        """The size of all rows in memory, about."""
        return sum(
            metadata.row_group(group).total_byte_size
            for metadata in self._metadata
            for group in range(metadata.num_row_groups)
        )

    def each(self, columns: Sequence[str], work: Callable[[FileTable], Result]) -> Iterator[Result]:
        """What a function gives of each piece of all rows, some columns of it, one piece after another."""
        for number in range(len(self._groups)):
            start = int(self._starts[number])
            for batch in self._batches(number, columns):
                yield work(self._table(start, [batch]))
                start += batch.num_rows

    def digest_of(self, columns: Sequence[str]) -> str:
        """A digest of what some columns hold, by what the files say of themselves."""
        return f"{self.digest}/{','.join(columns)}"

    def head(self, n_rows: int = _N_HEAD) -> FileTable:
        """The first rows, all columns."""
        batches, found = [], 0
        for number in range(len(self._groups)):
            for batch in self._batches(number, self.names, n_rows):
                batches.append(batch)
                found += batch.num_rows
                if found >= n_rows:
                    break
            if found >= n_rows:
                break
        table = self._table(0, batches)
        table.arrow = table.arrow.slice(0, n_rows)
        return table

    def rows(self, indices: IntArray, columns: Sequence[str]) -> FileTable:
        """Some rows, by their indices, ascending."""
        import pyarrow as pa

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
        table = self._table(0, found)
        table.rows_of = lambda positions: [int(chosen[at]) + 1 for at in positions]
        return table

    @cached_property
    def digest(self) -> str:
        """A short digest of what the files say of themselves: numbers, sizes and ends of all columns."""
        parts = [as_json(self.names, self.n_rows)]
        for metadata in self._metadata:
            for group in range(metadata.num_row_groups):
                of_group = metadata.row_group(group)
                for at in range(of_group.num_columns):
                    column = of_group.column(at)
                    told = column.statistics
                    ends = None if told is None or not told.has_min_max else [repr(told.min), repr(told.max)]
                    sizes = column.total_compressed_size, column.total_uncompressed_size
                    parts.append(as_json(column.path_in_schema, of_group.num_rows, *sizes, ends))
        return digest_of_parts("parquet", parts)

    def _batches(
        self, number: int, columns: Sequence[str], at_once: int = _AT_ONCE
    ) -> Iterator["pa.RecordBatch"]:
        """The rows of a row group, some at a time."""
        from pyarrow import ArrowException, parquet

        at, group = self._groups[number]
        file = self._files[at]
        if _stamp(file) != self._stamps[at]:
            raise FileProblemsError(
                [
                    Problem(
                        file.name,
                        "the file was changed since it was opened",
                        "Keep the data set as it is while it is evaluated; open it anew.",
                    )
                ]
            )
        wanted = [
            name
            for name in self._schema.names
            if any(each == name or each.startswith(f"{name}.") for each in columns)
        ]
        try:
            with parquet.ParquetFile(file, metadata=self._metadata[at], pre_buffer=False) as opened:
                yield from opened.iter_batches(at_once, row_groups=[group], columns=wanted)
        except (ArrowException, OSError) as error:
            raise _damaged(file, error) from error

    def _table(self, start: int, batches: list["pa.RecordBatch"]) -> FileTable:
        arrow = _plain(batches, self._schema)
        return FileTable(self.path, arrow, lambda positions: [start + at + 1 for at in positions])


def parquet_files(path: Path) -> list[Path]:
    """The Parquet files of a folder, in the order of their names; or the file itself."""
    if not path.is_dir():
        return [path]
    inside = sorted(each for each in path.rglob("*") if each.suffix.lower() in SUFFIXES and each.is_file())
    return [
        each
        for each in inside
        if not any(part.startswith((".", "_")) for part in each.relative_to(path).parts)
    ]


def _plain(batches: list["pa.RecordBatch"], schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    if not batches:
        batches = [pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)]
    return pa.Table.from_batches(list(plain_batches(batches)))


def _stamp(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_size, found.st_mtime_ns


def _damaged(file: Path, error: Exception) -> FileProblemsError:
    reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
    what = f"the Parquet file is damaged or cut off ({reason})"
    return FileProblemsError([Problem(file.name, what, "Copy it again, or make it anew.")])
