"""Generalized risks: quotients of two means; also of a user's functions or tables."""

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.intervals import constant_ratio_interval
from activeeval_widgets.stats.measures.base import Measure, ratio, ratio_gradient
from activeeval_widgets.stats.measures.custom import (
    Function,
    OfClasses,
    cells_of,
    checked_tables,
    describe,
    options_of,
    source_of,
)
from activeeval_widgets.stats.measures.tables import TableMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class RatioMeasure(TableMeasure):
    """A generalized risk: z = (numerator, denominator) with 0 ≤ numerator ≤ denominator, g = z₁/z₂.

    It is undefined while no labeled instance has a positive denominator. `Ratio.from_parts` makes one from
    two functions.

    Raises
    ------
    TypeError
        If it is instantiated directly.

    See Also
    --------
    FMeasure, Precision, Recall : Ratios.
    Risk : Means of one statistic.

    References
    ----------
    T, eq. 3.31 and Lemma 3.4.

    Examples
    --------
    >>> escalated = Ratio.from_parts(
    ...     lambda f, y: f == "urgent" and y == "urgent", lambda f, y: y == "urgent", "share of urgent found"
    ... )
    >>> tickets = ClassPredictions([[0.8, 0.2], [0.3, 0.7]], classes=["calm", "urgent"])
    >>> pool_value(escalated, tickets, ["urgent", "urgent"])
    0.5
    """

    value_range = (0.0, 1.0)
    is_ratio = is_evened = True

    @staticmethod
    def from_parts(
        numerator: Callable[[Any, Any], Any],
        denominator: Callable[[Any, Any], Any],
        name: str,
        *,
        greater_is_better: bool = True,
        is_share: bool = True,
    ) -> "RatioMeasure":
        """Return a measure with your own parts: the mean of one function over that of another.

        Parameters
        ----------
        numerator, denominator : callable
            Numbers for a predicted and a true class, function(predicted, true); called once for all pairs.
        name : str
            The measure's name.
        greater_is_better : bool
            Whether a larger value is better.
        is_share : bool
            Whether the numerator is always from 0 to the denominator, so that values are shares. If not, the
            interval is approximate.

        Raises
        ------
        ValueError, TypeError
            If an argument does not match; on use, if a part is not a finite number, or not a share.
        """
        return _ClassRatio(
            name, [numerator, denominator], greater_is_better=greater_is_better, is_share=is_share
        )

    @staticmethod
    def from_tables(
        name: str,
        numerator: ArrayLike,
        denominator: ArrayLike,
        *,
        greater_is_better: bool = True,
        is_share: bool = True,
    ) -> "RatioMeasure":
        """Return the same from both parts for each predicted class i and true class j, in class order."""
        return _RatioTable(
            name, numerator, denominator, greater_is_better=greater_is_better, is_share=is_share
        )

    def outcomes(
        self,
        models: Sequence[Predictions],
        y_range: tuple[float, float] | None,  # noqa: ARG002
    ) -> Iterator[FloatArray]:
        """Yield the extremes; of many classes, one of those that have equal statistics is enough."""
        given = [self._expect(ClassPredictions, model) for model in models]
        everything = np.arange(given[0].n_instances)
        for label in self.distinct_labels(given[0]):
            labels = np.full(everything.size, label)
            yield np.concatenate([self.statistics(model, labels, everything) for model in given], axis=1)

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        return ratio(mean[..., 0], mean[..., 1])

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        return ratio_gradient(mean)

    def evened_groups(self, predictions: Predictions) -> tuple[IntArray, FloatArray]:
        """Return classes with equal statistics together, and ranges of num − G den at G = 1/2."""
        table = self._table(self._expect(ClassPredictions, predictions))
        rows, groups = np.unique(table.reshape(len(table), -1), axis=0, return_inverse=True)
        parts = rows.reshape(len(rows), -1, 2)
        return groups.reshape(-1), np.ptp(parts[..., 0] - parts[..., 1] / 2, axis=1)

    def constant_interval(
        self, predictions: Predictions, q: FloatArray, z: FloatArray, value: float, confidence_level: float
    ) -> tuple[float, float]:
        """Return an interval for when no draw deviates; see `Measure.constant_interval`."""
        model = self._expect(ClassPredictions, predictions)
        spread = denominator_spread(self._table(model)[:, :, 1], model, q)
        return constant_ratio_interval(value, int(np.count_nonzero(z[:, 1])), spread, confidence_level)


class _RatioTable(RatioMeasure):
    """A ratio of two means, by the predicted and the true class."""

    def __init__(
        self,
        name: str,
        numerator: ArrayLike,
        denominator: ArrayLike,
        *,
        greater_is_better: bool,
        is_share: bool,
    ) -> None:
        describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._tables = num, den = checked_tables(numerator, denominator)
        if den.min() < 0 or not den.max() > 0:
            raise ValueError(
                f"the denominator of the {self.name} is from {den.min():g} to {den.max():g}, "
                "expected numbers >= 0 of which some are positive"
            )
        is_part = bool((num >= 0).all() and (num <= den).all())
        if is_share and not is_part:
            raise ValueError(
                f"the numerator of the {self.name} is not everywhere from 0 to its denominator, as of a "
                "share: give is_share=False (its interval is then approximate)"
            )
        self.is_ratio = self.is_evened = is_part  # type: ignore[misc]
        if not is_part:
            self.value_range = (-inf, inf)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return cells_of(self._tables, self.name, model, predicted, true)

    def __repr__(self) -> str:
        num, den = (table.tolist() for table in self._tables)
        return f"Ratio.from_tables({self.name!r}, {num}, {den}, {options_of(self)})"


class _ClassRatio(RatioMeasure):
    """A ratio of two functions of the predicted and the true class, before the classes are known."""

    def __init__(
        self, name: str, functions: Sequence[Function], *, greater_is_better: bool, is_share: bool
    ) -> None:
        describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._of_classes = OfClasses(self, functions, _RatioTable)
        if not is_share:  # the classes decide whether the numerator is part of the denominator
            self.is_ratio = self.is_evened = False  # type: ignore[misc]
            self.value_range = (-inf, inf)

    def bound_to(self, models: Sequence[Predictions]) -> Measure:
        """Return the same from the tables of these classes; see `Measure.bound_to`."""
        return self._of_classes.measure_for(models[0])

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return self._of_classes.measure_for(model)._cells(model, predicted, true)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:
        """Return the tables' range; see `Measure.range_for`."""
        return self._of_classes.measure_for(predictions).value_range

    def __repr__(self) -> str:
        source = source_of(self._of_classes.functions)
        return f"Ratio.from_parts({self.name!r}, {source}, {options_of(self)})"


def denominator_spread(table: FloatArray, model: ClassPredictions, q: FloatArray) -> float:
    """Return the largest over the smallest positive weight × denominator of a draw; 1 if there is none."""
    greatest = table.max(axis=1)[model.pred_codes]
    least = np.where(table > 0, table, np.inf).min(axis=1)[model.pred_codes]
    possible = (q > 0) & (greatest > 0)
    if not possible.any():
        return 1.0
    return float((greatest[possible] / q[possible]).max() / (least[possible] / q[possible]).min())
