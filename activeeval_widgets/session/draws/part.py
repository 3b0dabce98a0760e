"""Parts of a pool, such as groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from activeeval_widgets.session.draws.rows import GroupedRows
from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Part:
    """Some instances of a pool; a draw among them is one from q restricted to them."""

    members: IntArray
    models: tuple[Predictions, ...]

    @property
    def size(self) -> int:
        """The number of instances."""
        return int(self.members.size)

    def has(self, instances: IntArray) -> AnyArray:
        """Return which instances are in the part."""
        nearest = self.members[np.minimum(self.positions(instances), self.size - 1)]
        found: AnyArray = nearest == instances
        return found

    def positions(self, instances: IntArray) -> IntArray:
        """Return the positions of instances among the members."""
        return np.searchsorted(self.members, instances)

    def own_predictions(self, instances: IntArray) -> None:
        """Return None, as `models` have the instances' own predictions."""

    def predictions_of(self, instances: IntArray) -> tuple[Sequence[Predictions], IntArray]:
        """Return predictions, and the positions of instances in them."""
        return self.models, self.positions(instances)


class PartOfRows:
    """A part of a pool in which instances share rows, whose models have the counts of the part."""

    def __init__(self, rows: GroupedRows, codes: AnyArray, code: int, counts: IntArray) -> None:
        self._rows, self._codes, self._code = rows, codes, code
        self.rows: IntArray = np.flatnonzero(counts)
        self.size = int(counts.sum())
        self._position = np.full(counts.size, -1, dtype=np.intp)
        self._position[self.rows] = np.arange(self.rows.size)
        self.models = tuple(
            model.part(self.rows).with_counts(counts[self.rows], self, model.position)
            for model in rows.models
        )

    def loss_bounds(
        self, measure: Measure, y_range: tuple[float, float] | None, positions: tuple[int, ...]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the bounds for all instances of the rows, in the part or not; see `Members`."""
        members = self._rows.models[0].members
        assert members is not None  # noqa: S101 - shared rows have members
        low, high = members.loss_bounds(measure, y_range, positions)
        return low[self.rows], high[self.rows]

    def has(self, instances: IntArray) -> AnyArray:
        """Return which instances are in the part."""
        found: AnyArray = self._codes[instances] == self._code
        return found

    def positions(self, instances: IntArray) -> IntArray:
        """Return the positions of the instances' rows among `rows`."""
        found: IntArray = self._position[self._rows.of(instances)]
        return found

    def own_predictions(self, instances: IntArray) -> list[Predictions]:
        """Return the instances' own predictions."""
        return self._rows.own_predictions(instances)

    def predictions_of(self, instances: IntArray) -> tuple[Sequence[Predictions], IntArray]:
        """Return the instances' own predictions, and their positions in them."""
        return self.own_predictions(instances), np.arange(instances.size)
