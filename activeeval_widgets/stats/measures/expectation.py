"""E[z | x] of a pool's instances, of which only the rows that are asked for are held in memory."""

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray

Rows = Callable[[IntArray], FloatArray]
"""E[z | x] of some instances, (n, n_statistics), by their indices."""

_CHUNK_CELLS = 1 << 22


class Expectation:
    """E[z | x] of all instances: rows on demand, sums over parts of the pool.

    Parameters
    ----------
    rows : callable
        The rows of some instances, (n, n_statistics).
    everything : ndarray of shape (n_statistics,)
        Their sum over the pool.
    n_instances : int
    """

    def __init__(self, rows: Rows, everything: FloatArray, n_instances: int) -> None:
        self._rows, self._everything, self._n_instances = rows, everything, n_instances

    @classmethod
    def of(cls, values: FloatArray) -> Self:
        """What is held in memory already, (n_instances, n_statistics)."""
        return cls(lambda chosen: values[chosen], values.sum(axis=0), len(values))

    @classmethod
    def beside(cls, parts: Sequence[Self]) -> Self:
        """Several models' statistics side by side."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            lambda chosen: np.concatenate([part[chosen] for part in parts], axis=1),
            np.concatenate([part._everything for part in parts]),
            parts[0]._n_instances,
        )

    def with_ones(self) -> "Expectation":
        """With a column of ones, the expectation of "can be labeled"."""
        return Expectation(
            lambda chosen: np.column_stack([self._rows(chosen), np.ones(len(chosen))]),
            np.append(self._everything, self._n_instances),
            self._n_instances,
        )

    def __len__(self) -> int:
        return self._n_instances

    @property
    def n_statistics(self) -> int:
        """The number of columns."""
        return int(self._everything.size)

    @property
    def mean(self) -> FloatArray:
        """The pool's average, (n_statistics,)."""
        return self._everything / self._n_instances

    def __getitem__(self, chosen: IntArray) -> FloatArray:
        """The rows of some instances."""
        return self._rows(chosen)

    def row(self, instance: int) -> FloatArray:
        """One instance's row, (n_statistics,)."""
        found: FloatArray = self._rows(np.array([instance]))[0]
        return found

    def dense(self) -> FloatArray:
        """All rows, (n_instances, n_statistics)."""
        return self._rows(np.arange(self._n_instances))

    def total(self, chosen: BoolArray) -> FloatArray:
        """The sum over a part of the pool."""
        inside = np.flatnonzero(chosen)
        if 2 * inside.size <= self._n_instances:
            return self._sum(inside)
        # Less than half of it is taken away: what is left is no rounding error.
        return self._everything - self._sum(np.flatnonzero(~chosen))

    def _sum(self, instances: IntArray) -> FloatArray:
        total = np.zeros(self.n_statistics)
        step = max(1, _CHUNK_CELLS // self.n_statistics)
        for start in range(0, instances.size, step):
            total += self._rows(instances[start : start + step]).sum(axis=0)
        return total
