"""E[z | x] of a pool's instances, with only the requested rows in memory."""

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray

Rows = Callable[[IntArray], FloatArray]
"""Returns E[z | x] of some instances, (n, n_statistics), by their indices."""

_CHUNK_CELLS = 1 << 22


class Expectation:
    """E[z | x] of all instances: rows on demand, their sum over the pool, and the instances of each row."""

    def __init__(
        self, rows: Rows, everything: FloatArray, n_instances: int, counts: IntArray | None = None
    ) -> None:
        self._rows, self._everything, self._n_instances = rows, everything, n_instances
        self.counts = counts

    @classmethod
    def of(cls, values: FloatArray, counts: IntArray | None = None) -> Self:
        """Return the expectation from values in memory, (n_instances, n_statistics)."""
        everything = values.sum(axis=0) if counts is None else counts @ values
        return cls(values.__getitem__, everything, len(values), counts)

    @classmethod
    def beside(cls, parts: Sequence[Self]) -> Self:
        """Return several models' statistics side by side."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            lambda chosen: np.concatenate([part[chosen] for part in parts], axis=1),
            np.concatenate([part._everything for part in parts]),
            parts[0]._n_instances,
            parts[0].counts,
        )

    def with_ones(self) -> "Expectation":
        """Return it with a column of ones, the expectation of "can be labeled"."""
        return Expectation(
            lambda chosen: np.column_stack([self._rows(chosen), np.ones(len(chosen))]),
            np.append(self._everything, self.size),
            self._n_instances,
            self.counts,
        )

    def __len__(self) -> int:
        return self._n_instances

    @property
    def size(self) -> int:
        """The number of instances."""
        return self._n_instances if self.counts is None else int(self.counts.sum())

    @property
    def n_statistics(self) -> int:
        """The number of columns."""
        return int(self._everything.size)

    @property
    def mean(self) -> FloatArray:
        """The pool's average, (n_statistics,)."""
        return self._everything / self.size

    def __getitem__(self, chosen: IntArray) -> FloatArray:
        """Return the rows of some instances."""
        return self._rows(chosen)

    def row(self, instance: int) -> FloatArray:
        """Return one instance's row, (n_statistics,)."""
        found: FloatArray = self._rows(np.array([instance]))[0]
        return found

    def dense(self) -> FloatArray:
        """Return all rows, (n_instances, n_statistics)."""
        return self._rows(np.arange(self._n_instances))

    def total(self, left: AnyArray) -> FloatArray:
        """Return the sum over the remaining instances, as by `Predictions.left`."""
        return self._total(left) if left.dtype == bool else left @ self.dense()

    def _total(self, chosen: BoolArray) -> FloatArray:
        inside = np.flatnonzero(chosen)
        if 2 * inside.size <= self._n_instances:
            return self._sum(inside)
        # At least half is left after the subtraction, so it is not a rounding error.
        return self._everything - self._sum(np.flatnonzero(~chosen))

    def _sum(self, instances: IntArray) -> FloatArray:
        total = np.zeros_like(self._everything)
        step = max(1, _CHUNK_CELLS // total.size)
        for start in range(0, instances.size, step):
            total += self._rows(instances[start : start + step]).sum(axis=0)
        return total
