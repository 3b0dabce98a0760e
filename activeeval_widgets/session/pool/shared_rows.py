"""A pool as some thousand rows of instances with similar predictions.

Two passes over the pool compute the counts and sums of each row, and the places of its instances.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from activeeval_widgets.session.pool.fetched_predictions import PoolChangedError
from activeeval_widgets.session.pool.parts import Parts
from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions.grouping import (
    Rows,
    Rule,
    Tally,
    merged,
    sampled,
    tally,
)

_BLOCK = 1 << 16
"""The number of instances in the blocks by which rows are counted."""

_AT_ONCE = 1 << 20

GROUPING = "1"
"""The version of the rule by which instances share rows."""


KnownBounds = dict[tuple[str, tuple[float, float] | None, tuple[int, ...]], tuple[FloatArray, FloatArray]]


class SharedRows:
    """Rows that stand for all instances of a pool, with their average predictions, costs, and counts."""

    def __init__(self, parts: Parts, positive: Any = None) -> None:
        self._parts = parts
        n_instances = parts.n_instances
        like, costs = parts.of(np.zeros(1, dtype=np.intp))
        if like[0].needs_sample or costs is not None:
            like, costs = parts.of(np.arange(0, n_instances, sampled(n_instances)))
        rule = Rule(like, positive=positive, costs=costs)

        tallies: list[Tally] = []
        places: list[AnyArray] = []
        for found, at in parts.each(partial(_counted, rule)):
            tallies.append(found)
            places.append(at)
        self._rows = Rows(rule, merged(tallies), like)
        dtype = np.uint16 if self._rows.n_rows < 1 << 16 else np.uint32
        self._row_of: AnyArray = np.empty(n_instances, dtype=dtype)
        start = 0
        for found, at in zip(tallies, places, strict=True):
            self._row_of[start : start + at.size] = self._rows.of(found.keys)[at]
            start += at.size
        self.counts, self.costs = self._rows.counts, self._rows.costs
        self.models: list[Predictions] = [*self._rows.with_members(self)]
        self._bounds: KnownBounds = {}
        self._before = self._counts_before()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self._rows.n_rows

    @property
    def known_bounds(self) -> KnownBounds:
        """Cached bounds of losses, by the measure's repr, range and models."""
        return self._bounds

    def of(self, instances: IntArray) -> IntArray:
        """Return the rows of some instances."""
        return self._row_of[instances].astype(np.intp)

    def member(self, row: int, place: int) -> int:
        """Return the instance at a place in a row, from 0, in the pool's order."""
        block = int(np.searchsorted(self._before[:, row], place, side="right")) - 1
        start = block * _BLOCK
        inside = np.flatnonzero(self._row_of[start : start + _BLOCK] == row)
        return start + int(inside[place - int(self._before[block, row])])

    def place(self, instance: int) -> int:
        """Return the place of an instance in its row, from 0."""
        row, block = self._row_of[instance], instance // _BLOCK
        start = block * _BLOCK
        return int(self._before[block, row]) + int(np.count_nonzero(self._row_of[start:instance] == row))

    def counts_by(self, codes: AnyArray, n_groups: int) -> IntArray:
        """Return the number of instances by group and row, (n_groups, n_rows)."""
        counts: IntArray = np.zeros(n_groups * self.n_rows, dtype=np.intp)
        for start in range(0, self._row_of.size, _AT_ONCE):
            here = slice(start, start + _AT_ONCE)
            cells = codes[here].astype(np.intp) * self.n_rows + self._row_of[here]
            counts += np.bincount(cells, minlength=counts.size)
        return counts.reshape(n_groups, self.n_rows)

    def check(self, instances: IntArray, models: Sequence[Predictions]) -> None:
        """Reject instances whose predictions have changed since the rows were computed."""
        if not self._parts.is_streamed or not instances.size:
            return
        _, costs = self._parts.of(instances)
        rows = self._rows.of_instances(models, costs)
        changed = np.flatnonzero(rows != self.of(instances))
        if changed.size:
            raise PoolChangedError(
                f"instance {int(instances[changed[0]])} has other predictions now than when the data set was "
                "opened: keep it as it is while it is evaluated, and open the session again. A frame that is "
                "computed anew must give the same rows: persist() it, or write it to files"
            )

    def spread(self, values: FloatArray) -> FloatArray:
        """Expand values of rows to instances: (n_rows,) to (n_instances,)."""
        return values[self._row_of]

    def loss_bounds(
        self, measure: Measure, y_range: tuple[float, float] | None, positions: tuple[int, ...]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest loss in each row; see `Members`. One pass over the pool."""
        key = repr(measure), y_range, positions
        if key not in self._bounds:
            least, greatest = np.full(self.n_rows, np.inf), np.full(self.n_rows, -np.inf)

            start = 0
            for low, high in self._parts.each(partial(_bounds, measure, y_range, positions)):
                rows = self._row_of[start : start + low.size]
                np.minimum.at(least, rows, low)
                np.maximum.at(greatest, rows, high)
                start += low.size
            self._bounds[key] = least, greatest
        return self._bounds[key]

    def _counts_before(self) -> IntArray:
        """Return the number of instances of each row before each block, (n_blocks, n_rows)."""
        starts = range(0, self._row_of.size, _BLOCK)
        counts = np.zeros((len(starts), self.n_rows), dtype=np.int32)
        for block, start in enumerate(starts):
            counts[block] = np.bincount(self._row_of[start : start + _BLOCK], minlength=self.n_rows)
        before: IntArray = np.zeros_like(counts)
        np.cumsum(counts[:-1], axis=0, out=before[1:])
        return before


def _counted(rule: Rule, models: Sequence[Predictions], costs: FloatArray | None) -> tuple[Tally, AnyArray]:
    """Return the tally of a part, and the position of each instance's key in it."""
    found, at = tally(rule, models, costs)
    return found, at.astype(np.uint16 if found.keys.size < 1 << 16 else np.uint32)


def _bounds(
    measure: Measure,
    y_range: tuple[float, float] | None,
    positions: tuple[int, ...],
    models: Sequence[Predictions],
    costs: FloatArray | None,
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest loss of each instance of a part."""
    del costs
    return measure.loss_bounds([models[at] for at in positions], y_range)
