"""A part of a pool, such as a group, as a pool of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from activeeval_widgets.session.draws.rows import GroupedRows
from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Part:
    """Some instances of a pool, with the models' predictions for them alone.

    Given that a draw is one of them, it is a draw from q restricted to them: what holds of the pool holds of
    a part, by the draws that fell into it.

    Attributes
    ----------
    members : ndarray of int of shape (n,)
        Their indices into the pool, ascending.
    models : tuple of one or two Predictions
        Of the members, in their order.
    """

    members: IntArray
    models: tuple[Predictions, ...]

    @property
    def size(self) -> int:
        """How many instances it has."""
        return int(self.members.size)

    def has(self, instances: IntArray) -> AnyArray:
        """Which of some instances are in it."""
        nearest = self.members[np.minimum(self.positions(instances), self.size - 1)]
        found: AnyArray = nearest == instances
        return found

    def positions(self, instances: IntArray) -> IntArray:
        """Where instances of the pool are among the members."""
        return np.searchsorted(self.members, instances)

    def own(self, instances: IntArray) -> None:
        """None: `models` have all that is predicted for them."""

    def told_by(self, instances: IntArray) -> tuple[Sequence[Predictions], IntArray]:
        """Predictions, and where in them some members are."""
        return self.models, self.positions(instances)


class PartOfRows:
    """The same of a pool in which instances share rows: of each row those that are in the part.

    Parameters
    ----------
    rows : GroupedRows
        The pool's rows.
    codes : ndarray of int of shape (n_instances,)
        The number of each instance's group.
    code : int
        The group that the part is.
    counts : ndarray of int of shape (n_rows,)
        How many instances of each row are in it.

    Attributes
    ----------
    rows : ndarray of int
        The rows that it has instances of.
    models : tuple of one or two Predictions
        What is predicted in each of them, with the counts of the part.
    """

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
        """Those of all instances of the rows, in the part or not; see `Members`."""
        members = self._rows.models[0].members
        assert members is not None  # noqa: S101 - shared rows know what they stand for
        low, high = members.loss_bounds(measure, y_range, positions)
        return low[self.rows], high[self.rows]

    def has(self, instances: IntArray) -> AnyArray:
        """Which of some instances are in it."""
        found: AnyArray = self._codes[instances] == self._code
        return found

    def positions(self, instances: IntArray) -> IntArray:
        """Where the rows of some of its instances are among `rows`."""
        found: IntArray = self._position[self._rows.of(instances)]
        return found

    def own(self, instances: IntArray) -> list[Predictions]:
        """What is predicted for instances themselves."""
        return self._rows.own(instances)

    def told_by(self, instances: IntArray) -> tuple[Sequence[Predictions], IntArray]:
        """Predictions, and where in them some instances are: their own alone."""
        return self.own(instances), np.arange(instances.size)
