"""The rows that are drawn: single instances, or rows that many instances share."""

from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.pool.shared_rows import GROUPING, SharedRows
from activeeval_widgets.stats import Measure, Predictions, draw_without_replacement
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray


class DrawnRows(Protocol):
    """The rows of a pool; q has one probability for each row, that of each of its instances."""

    models: list[Predictions]
    costs: FloatArray | None
    how: str

    def of(self, instances: Sequence[int] | IntArray) -> IntArray:
        """Return the rows of instances."""

    def own_predictions(self, instances: IntArray) -> list[Predictions] | None:
        """Return the instances' own predictions; None if rows are instances."""

    def labels(self, instances: Sequence[int], labels: Any) -> Any:
        """Convert labels of instances to labels of rows; see `Predictions.as_of_rows`."""

    def left(self, instances: Sequence[int] | IntArray) -> AnyArray:
        """Return how many instances of each row remain after these draws; see `Predictions.left`."""

    def spread(self, values: FloatArray) -> FloatArray:
        """Expand values of rows to instances."""

    def draw(
        self, q: FloatArray, drawn: Sequence[int], n_draws: int, rng: np.random.Generator
    ) -> tuple[IntArray, FloatArray]:
        """Draw more instances without replacement; return them and their probabilities."""


class OwnRows:
    """Rows that are single instances."""

    how = ""

    def __init__(self, models: Sequence[Predictions], costs: FloatArray | None = None) -> None:
        self.models, self.costs = list(models), costs

    def of(self, instances: Sequence[int] | IntArray) -> IntArray:
        """Return the instances as an array, as rows are instances."""
        return np.asarray(instances, dtype=np.intp)

    def own_predictions(self, instances: IntArray) -> list[Predictions] | None:
        """Return None, as rows are instances."""
        del instances
        return None

    def labels(self, instances: Sequence[int], labels: Any) -> Any:
        """Return the labels unchanged."""
        del instances
        return labels

    def left(self, instances: Sequence[int] | IntArray) -> AnyArray:
        """Return which instances remain."""
        return self.models[0].left(self.of(instances))

    def spread(self, values: FloatArray) -> FloatArray:
        """Return the values unchanged."""
        return values

    def draw(
        self, q: FloatArray, drawn: Sequence[int], n_draws: int, rng: np.random.Generator
    ) -> tuple[IntArray, FloatArray]:
        """Draw by `stats.draw_without_replacement`; q is 0 for drawn instances."""
        del drawn
        return draw_without_replacement(q, n_draws, rng)


class GroupedRows:
    """Rows that stand for all similar instances: a row is drawn, then one of its instances uniformly."""

    how = f"by groups {GROUPING}"

    def __init__(self, shared: SharedRows, models: Sequence[Predictions]) -> None:
        self._shared, self._own = shared, models
        self.models, self.costs = shared.models, shared.costs
        self._places: dict[int, tuple[int, int]] = {}

    def of(self, instances: Sequence[int] | IntArray) -> IntArray:
        """Return the rows of instances."""
        return self._shared.of(np.asarray(instances, dtype=np.intp))

    def own_predictions(self, instances: IntArray) -> list[Predictions]:
        """Return the instances' own predictions."""
        return [model.part(instances) for model in self._own]

    def labels(self, instances: Sequence[int], labels: Any) -> Any:
        """Shift labels so that residuals from rows equal those from the instances' own predictions."""
        where = np.asarray(instances, dtype=np.intp)
        return self.models[0].as_of_rows(self.own_predictions(where)[0], self.of(where), labels)

    def left(self, instances: Sequence[int] | IntArray) -> AnyArray:
        """Return how many instances of each row remain."""
        return self.models[0].left(self.of(instances))

    def spread(self, values: FloatArray) -> FloatArray:
        """Expand values of rows to instances."""
        return self._shared.spread(values)

    def draw(
        self, q: FloatArray, drawn: Sequence[int], n_draws: int, rng: np.random.Generator
    ) -> tuple[IntArray, FloatArray]:
        """Draw a row and then one of its remaining instances, n times, with two random numbers each."""
        left = self.left(drawn)
        gone: dict[int, list[int]] = defaultdict(list)
        for instance in drawn:
            row, place = self._place(int(instance))
            insort(gone[row], place)
        draws, probabilities = np.empty(n_draws, dtype=np.intp), np.empty(n_draws)
        for n in range(n_draws):
            cumulative = (left * q).cumsum()
            row = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
            if row == q.size or not left[row] * q[row] > 0:
                row = int(np.flatnonzero(left * q > 0)[-1])
            place = int(rng.integers(int(left[row])))
            for each in gone[row]:  # ascending: skip drawn instances
                if each > place:
                    break
                place += 1
            insort(gone[row], place)
            draws[n] = self._shared.member(row, place)
            self._places[int(draws[n])] = row, place
            probabilities[n] = q[row] / cumulative[-1]
            left[row] -= 1
        # All at once, as predictions may be fetched; changed instances are rejected.
        self._shared.check(draws, self.own_predictions(draws))
        return draws, np.minimum(probabilities, 1.0)

    def counts_by(self, codes: AnyArray, n_groups: int) -> IntArray:
        """Return the number of instances by row and group; see `SharedRows.counts_by`."""
        return self._shared.counts_by(codes, n_groups)

    def _place(self, instance: int) -> tuple[int, int]:
        if instance not in self._places:
            self._places[instance] = int(self.of([instance])[0]), self._shared.place(instance)
        return self._places[instance]


def check_in_memory(pool: Pool, measure: Measure) -> None:
    """Reject a measure that needs all predictions in memory if they are streamed."""
    if pool.is_streamed and not measure.shares_rows:
        raise ValueError(
            f"{measure!r} needs the predictions for all {pool.n_instances:,} instances in memory, and these "
            "are streamed: its estimate depends on all instances together. Evaluate a smaller part of the "
            "data set, or another measure"
        )


def rows_of(pool: Pool, positive: Any, *, is_grouped: bool) -> DrawnRows:
    """Return the rows that a session draws."""
    return (
        GroupedRows(pool.shared_rows(positive), pool.models)
        if is_grouped
        else OwnRows(pool.models, pool.costs)
    )
