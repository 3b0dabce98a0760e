"""Read a Dask DataFrame in place: passes run on the cluster, single rows are fetched."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from activeeval_widgets.formats.opening.plain_types import empty_batch, plain_batches
from activeeval_widgets.formats.problems import FileProblemsError, Problem
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.fetched_predictions import PoolChangedError
from activeeval_widgets.session.pool.parts import Result
from activeeval_widgets.stats._typing import IntArray

_PATH = Path("Dask DataFrame")
_N_HEAD = 2_000


class DaskData:
    """The rows of a Dask DataFrame; partitions are tasks, on workers that have this package, too."""

    path = _PATH

    def __init__(self, frame: Any) -> None:
        self._frame, self._dask = frame, import_module("dask")
        lengths = list(self._computed(frame[[frame.columns[0]]], len))
        self._starts: IntArray = np.concatenate([[0], np.cumsum(lengths)]).astype(np.intp)
        self.n_rows = int(self._starts[-1])
        self._in_memory: dict[tuple[str, ...], list[Any]] = {}
        self.names: list[str] = _table(frame._meta).arrow.column_names

    @cached_property
    def digest(self) -> str:
        """A digest of the columns' names and the number of rows in each partition."""
        return sha256(repr((self.names, self._starts.tolist())).encode()).hexdigest()

    def place(self, row: int) -> tuple[str, int]:
        """Return the frame's name and a row's number, from 1."""
        return _PATH.name, row + 1

    def each(self, columns: Sequence[str], work: Callable[[FileTable], Result]) -> Iterator[Result | None]:
        """Apply a function to all partitions in parallel; yield the results in their order."""
        done = self._computed(self._frame[self._chosen(columns)], partial(_run, work))
        for number, (found, n_rows, problems) in enumerate(done):
            start, expected = int(self._starts[number]), int(np.diff(self._starts)[number])
            if n_rows != expected:
                raise PoolChangedError(
                    f"partition {number} of the Dask DataFrame has {n_rows:,} rows, and had {expected:,} "
                    "before: a frame that is computed anew must give the same rows. persist() it, or write "
                    "it to files"
                )
            if problems:
                raise FileProblemsError(
                    [each if each.row is None else replace(each, row=start + each.row) for each in problems]
                )
            yield found

    def head(self, n_rows: int = _N_HEAD) -> FileTable:
        """Return the first rows, with all columns."""
        if not self.n_rows:
            return _table(self._frame._meta)
        full = int(np.argmax(np.diff(self._starts) > 0))
        return _table(self._frame.partitions[full].head(n_rows, compute=True))

    def rows(self, indices: IntArray, columns: Sequence[str]) -> FileTable:
        """Return the rows at some ascending indices."""
        chosen = np.asarray(indices, dtype=np.intp)
        numbers = np.searchsorted(self._starts, chosen, side="right") - 1
        parts = self._parts(tuple(self._chosen(columns)))
        tasks = [
            self._dask.delayed(_taken)(parts[number], chosen[numbers == number] - self._starts[number])
            for number in np.unique(numbers).tolist()
        ]
        found = [_table(part).arrow for part in self._dask.compute(*tasks)]
        return FileTable(
            _PATH,
            pa.concat_tables(found, promote_options="permissive"),
            lambda at: [int(chosen[each]) + 1 for each in at],
            is_part=True,
        )

    def _chosen(self, columns: Sequence[str]) -> list[str]:
        """Return the frame's own columns that hold some plain columns."""
        names = [str(name) for name in self._frame.columns]
        return [n for n in names if any(each == n or each.startswith(f"{n}.") for each in columns)]

    def _parts(self, columns: tuple[str, ...]) -> list[Any]:
        """Return the partitions of some columns, not yet computed."""
        if columns not in self._in_memory:
            self._in_memory[columns] = self._frame[list(columns)].to_delayed()
        return self._in_memory[columns]

    def _computed(self, frame: Any, work: Callable[[Any], Result]) -> list[Result]:
        tasks = [self._dask.delayed(work, pure=True)(part) for part in frame.to_delayed()]
        return list(self._dask.compute(*tasks))


def is_dask_frame(value: Any) -> bool:
    """Return whether a value is a Dask DataFrame, without importing Dask."""
    return all(hasattr(value, name) for name in ("__dask_graph__", "npartitions", "to_delayed", "columns"))


def _table(frame: Any) -> FileTable:
    """Convert a pandas DataFrame to a table of plain columns."""
    arrow = pa.Table.from_pandas(frame, preserve_index=False).combine_chunks()
    batches = arrow.to_batches() or [empty_batch(arrow.schema)]
    return FileTable(_PATH, pa.Table.from_batches(list(plain_batches(batches))), is_part=True)


def _run(work: Callable[[FileTable], Result], part: Any) -> tuple[Result | None, int, list[Problem]]:
    """Apply a function to a partition; return the result, the number of rows, and problems."""
    if not len(part):
        return None, 0, []
    try:
        return work(_table(part)), len(part), []
    except FileProblemsError as error:  # numbered by the rows of the partition
        return None, len(part), list(error.problems)


def _taken(part: Any, positions: IntArray) -> Any:
    return part.iloc[positions]
