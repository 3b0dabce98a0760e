"""Histograms of the pool and its draws: by a number of each instance, or by how often it is drawn."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log2
from typing import Any

import numpy as np

from activeeval_widgets.session.findings.plot_axes import (
    multiple_tick,
    multiples_range,
    multiples_ticks,
)
from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis


@dataclass(frozen=True)
class PoolPart:
    """A part of the pool with its own draw probabilities.

    Attributes
    ----------
    name : str
    pool : float
        The part's share of the pool.
    n_drawn : int
        The number of draws from it.
    """

    name: str
    pool: float
    n_drawn: int


@dataclass(frozen=True)
class Bins:
    """Histograms of the pool and its draws.

    Attributes
    ----------
    edges : ndarray of shape (n_bins + 1,)
    pool : ndarray of shape (n_bins,)
        Each bin's share of the pool.
    n_drawn : ndarray of int of shape (n_bins,)
        The number of draws in each bin.
    n_never : int
        The number of instances that are never drawn, in any bin.
    label : str
        The quantity on the horizontal axis.
    texts : list of str
        The bins in words.
    ticks : list of float
    tick_text : callable
    parts : list of PoolPart
    options : dict
        Options of the axis, such as "is_log".
    """

    edges: FloatArray
    pool: FloatArray
    n_drawn: IntArray
    n_never: int
    label: str
    texts: list[str]
    ticks: list[float]
    tick_text: Callable[[float], str]
    parts: list[PoolPart] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)


class _Never:
    """Counts the instances that a distribution never draws, looking them up once for each distribution."""

    def __init__(self) -> None:
        self._q: FloatArray | None = None
        self._rows: IntArray = np.empty(0, dtype=np.intp)

    def count(self, q: FloatArray, left: Callable[[], AnyArray]) -> int:
        """Return the number of remaining instances with probability 0."""
        if q is not self._q:
            self._q, self._rows = q, np.flatnonzero(q <= 0)
        return int(left()[self._rows].sum()) if self._rows.size else 0


class PoolHistogram:
    """The pool by a number of each instance, binned once.

    Parameters
    ----------
    axis : PoolAxis
        The number.
    counts : ndarray of shape (n_rows,), optional
        The number of instances in each row.
    rows_of : callable
        Maps instances to rows of `axis`; by default, each instance has its own row.
    parts : tuple of ndarray of bool, str and str, optional
        The rows with their own draw probabilities, their name, and the name of all others.
    """

    def __init__(
        self,
        axis: PoolAxis,
        counts: IntArray | None = None,
        rows_of: Callable[[Any], Any] = np.asarray,
        parts: tuple[BoolArray, str, str] | None = None,
    ) -> None:
        self._axis, self._rows_of = axis, rows_of
        self._edges = axis.edges()
        n_bins = self._edges.size - 1
        found = np.searchsorted(self._edges, axis.values, side="right") - 1
        self._bin = np.clip(found, 0, n_bins - 1).astype(np.uint8)
        sizes = np.bincount(self._bin, weights=counts, minlength=n_bins)
        self._pool: FloatArray = sizes / sizes.sum()
        self._texts = [
            f"{axis.label} {axis.range_text(low, high)}"
            for low, high in zip(self._edges[:-1].tolist(), self._edges[1:].tolist(), strict=True)
        ]
        self._never = _Never()
        self._named = parts
        if parts is not None:
            each = np.ones(parts[0].size) if counts is None else counts
            self._share = float(each[parts[0]].sum() / each.sum())

    def bins(self, q: FloatArray, left: Callable[[], AnyArray], draws: IntArray, times: FloatArray) -> Bins:
        """Return the pool and the given draws in bins."""
        del times
        rows = np.asarray(self._rows_of(draws), dtype=np.intp)
        axis = self._axis
        ends = float(self._edges[0]), float(self._edges[-1])
        return Bins(
            self._edges,
            self._pool,
            np.bincount(self._bin[rows], minlength=self._pool.size),
            self._never.count(q, left),
            axis.label,
            self._texts,
            [tick for tick in axis.ticks() if ends[0] - 1e-9 <= tick <= ends[1] + 1e-9],
            axis.text,
            self._parts(rows),
        )

    def _parts(self, rows: IntArray) -> list[PoolPart]:
        if self._named is None:
            return []
        is_inside, inside, outside = self._named
        n_inside = int(np.count_nonzero(is_inside[rows]))
        return [
            PoolPart(inside, self._share, n_inside),
            PoolPart(outside, 1 - self._share, rows.size - n_inside),
        ]

    def _value(self, index: int) -> float:
        return float(self._axis.values[self._rows_of([index])[0]])

    def place(self, index: int, times: float) -> float:
        """Return the position of an instance on the axis."""
        del times
        return self._value(index)

    def shows(self) -> bool:
        """Return whether an instance may be marked before it has a label."""
        return not self._axis.is_prediction

    def why(self, index: int, subject: str) -> str:
        """Return why an instance is drawn so often; "" if this would reveal the model's prediction."""
        axis = self._axis
        if axis.is_prediction:
            return ""
        value = axis.text(self._value(index))
        if axis.is_share and axis.label.endswith("confidence"):
            return f": {subject} is {value} sure"
        return f" ({axis.label}: {value})"


class TimesHistogram:
    """The pool by how often each instance is drawn, if nothing else may be revealed about instances.

    Parameters
    ----------
    counts : ndarray of shape (n_rows,), optional
        The number of instances in each row.
    """

    def __init__(self, counts: IntArray | None = None) -> None:
        self._counts = counts
        self._never = _Never()
        self._smallest = self._largest = 1.0

    def bins(self, q: FloatArray, left: Callable[[], AnyArray], draws: IntArray, times: FloatArray) -> Bins:
        """Return the pool by the current distribution, and draws by theirs, in bins around powers of 2."""
        del draws
        counts = np.ones(q.size) if self._counts is None else self._counts.astype(np.float64)
        is_drawn = q > 0
        pool, sizes = q[is_drawn], counts[is_drawn]
        pool = pool / (sizes @ pool) * sizes.sum()
        ends = [*times.tolist(), float(pool.min()), float(pool.max())]
        # The axis never shrinks, which would make it jump.
        self._smallest, self._largest = min([self._smallest, *ends]), max([self._largest, *ends])
        low, high = multiples_range(self._smallest, self._largest)
        powers = np.arange(round(log2(low)), round(log2(high)) + 1)
        edges = 2.0 ** (np.arange(powers.size + 1) + powers[0] - 0.5)

        def bin_of(values: FloatArray) -> IntArray:
            return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, powers.size - 1)

        of_pool = np.bincount(bin_of(pool), weights=sizes, minlength=powers.size)
        return Bins(
            edges,
            of_pool / of_pool.sum(),
            np.bincount(bin_of(times), minlength=powers.size),
            self._never.count(q, left),
            "times as often as at random",
            [f"about {multiple_tick(2.0 ** float(power))} as often as at random" for power in powers],
            multiples_ticks(low, high),
            multiple_tick,
            options={"is_log": True},
        )

    def place(self, index: int, times: float) -> float:
        """Return the position of an instance on the axis."""
        del index
        low, high = multiples_range(self._smallest, self._largest)
        return min(max(times, low), high)

    def shows(self) -> bool:
        """Return whether an instance may be marked before it has a label."""
        return True

    def why(self, index: int, subject: str) -> str:  # noqa: ARG002
        """Return an empty string, since nothing may be revealed."""
        return ""
