"""Distances of two opinions: 0 or 1, or by the order or the values of the grades."""

from typing import Protocol

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray

MAX_RATIO_VALUES = 10_000
"""Largest number of different values for the distance "ratio", which has to visit all pairs."""

_CHUNK = 500


class Distance(Protocol):
    """A distance between classes, given by their codes; 0 between a class and itself."""

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distance of each pair."""

    def to_all(self, totals: FloatArray) -> FloatArray:
        """Return Σ total · distance for each class, over totals of shape (n_classes,)."""

    @property
    def largest(self) -> float:
        """The largest distance."""


class Nominal:
    """1 where two classes differ."""

    largest = 1.0

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distance of each pair."""
        return np.asarray(first != second, dtype=np.float64)

    def to_all(self, totals: FloatArray) -> FloatArray:
        """Return Σ total · distance for each class."""
        # Summed without its own total, so that a single class gives exactly 0.
        before = totals.cumsum() - totals
        after = totals[::-1].cumsum()[::-1] - totals
        return np.asarray(before + after)


class Linear:
    """|x − y| of values in ascending order."""

    def __init__(self, values: FloatArray) -> None:
        self._values = values
        self.largest = float(np.ptp(values)) if values.size else 0.0

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distance of each pair."""
        return np.abs(self._values[first] - self._values[second])

    def to_all(self, totals: FloatArray) -> FloatArray:
        """Return Σ total · distance for each class."""
        x, sums = self._values, totals * self._values
        below, sum_below = totals.cumsum() - totals, sums.cumsum() - sums
        above, sum_above = totals.sum() - totals - below, sums.sum() - sums - sum_below
        return np.asarray(x * (below - above) - sum_below + sum_above)


class Squared:
    """(x − y)² of values."""

    def __init__(self, values: FloatArray) -> None:
        self.values = values - values.mean() if values.size else values
        self.largest = float(np.ptp(values)) ** 2 if values.size else 0.0

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distance of each pair."""
        return np.asarray(np.square(self.values[first] - self.values[second]))

    def to_all(self, totals: FloatArray) -> FloatArray:
        """Return Σ total · distance for each class."""
        total = totals.sum() or 1.0
        apart = self.values - totals @ self.values / total
        return np.asarray(total * apart**2 + totals @ apart**2)


class Ratio:
    """((x − y) / (x + y))² of nonnegative values."""

    def __init__(self, values: FloatArray) -> None:
        if values.size > MAX_RATIO_VALUES:
            raise ValueError(
                f"distance 'ratio' is for at most {MAX_RATIO_VALUES:,} different values, got "
                f"{values.size:,}: round the ratings"
            )
        self._values = values
        self.largest = float(self._pairs(values[:1], values[-1:])[0]) if values.size else 0.0

    @staticmethod
    def _pairs(x: FloatArray, y: FloatArray) -> FloatArray:
        total = x + y
        return np.square(np.divide(x - y, total, out=np.zeros_like(total), where=total > 0))

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distance of each pair."""
        return self._pairs(self._values[first], self._values[second])

    def to_all(self, totals: FloatArray) -> FloatArray:
        """Return Σ total · distance for each class."""
        x = self._values
        parts = [
            self._pairs(x[start : start + _CHUNK, np.newaxis], x[np.newaxis, :]) @ totals
            for start in range(0, x.size, _CHUNK)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)


def mid_ranks(totals: FloatArray) -> FloatArray:
    """Return the mean rank of each class; two ranks differ by what lies between, plus half of each class."""
    return np.asarray(totals.cumsum() - totals / 2)


def within_rows(distance: Distance, packed: IntArray, counts: IntArray) -> FloatArray:
    """Return the mean distance of two opinions in each row, packed to the left, with two opinions or more."""
    sums = np.zeros(len(packed))
    for second in range(1, packed.shape[1]):
        rows = np.flatnonzero(counts > second)
        for first in range(second):
            sums[rows] += distance.between(packed[rows, first], packed[rows, second])
    return np.asarray(sums / (counts * (counts - 1) / 2))
