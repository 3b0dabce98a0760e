"""Risks: means of one statistic, a loss or a gain; also of a user's function or table."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.intervals import constant_loss_interval
from activeeval_widgets.stats.measures.base import Measure, Moments, Term, max_weight
from activeeval_widgets.stats.measures.custom import (
    Function,
    OfClasses,
    cells_of,
    check_function,
    checked_tables,
    describe,
    options_of,
    source_of,
)
from activeeval_widgets.stats.measures.tables import TableMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, GaussianMixture
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.values import ValuePredictions

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(32)
"""Gauss–Hermite quadrature for a standard normal variable: exact for polynomials up to degree 63."""


class Risk(Measure):
    """A measure with one statistic, a loss or a gain: its value is the mean.

    `Risk.from_loss` makes one from a function.

    Raises
    ------
    TypeError
        If it is instantiated directly.

    See Also
    --------
    CostMatrix : The cost of each error, as a table.
    Ratio : Quotients of two means.

    References
    ----------
    T, eq. 3.1 and 4.6.

    Examples
    --------
    >>> far_off = Risk.from_loss(lambda f, y: abs(f - y) > 1, "share far off", is_share=True)
    >>> stars = ClassPredictions([[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]], classes=[1, 2, 3])
    >>> pool_value(far_off, stars, [3, 2])
    0.5
    """

    is_risk = True
    greater_is_better = False

    @staticmethod
    def from_loss(
        function: Callable[[Any, Any], Any],
        name: str,
        *,
        kind: str = "class",
        bounds: tuple[float, float] | None = None,
        greater_is_better: bool = False,
        is_share: bool = False,
    ) -> "Risk":
        """Return a measure with your own loss: the mean loss, or gain, of predictions and labels.

        Parameters
        ----------
        function : callable
            The loss of a prediction and a label, function(predicted, true): two classes, once for all
            pairs; or for values two arrays of numbers (or two numbers).
        name : str
            The measure's name.
        kind : {"class", "value"}
            The kind of predictions and labels.
        bounds : tuple of two floats, optional
            For values: the smallest and the largest possible loss, which a guaranteed interval needs. Labels
            with another loss raise an error. Unless given, the interval is approximate.
        greater_is_better : bool
            Whether it is a gain.
        is_share : bool
            Whether it is between 0 and 1, to be shown in percent.

        Raises
        ------
        ValueError, TypeError
            If an argument does not match; on use, if a loss is not a finite number.

        Notes
        -----
        In a session, a loss of classes is known by its table, one of values by its name, its bounds and a
        digest of the function's source: with another one, a stored session is not opened.
        """
        options = {"greater_is_better": greater_is_better, "is_share": is_share}
        if kind == "value":
            return _ValueLoss(name, function, bounds, **options)
        if kind != "class":
            raise ValueError(f"kind is {kind!r}, expected 'class' or 'value'")
        if bounds is not None:
            raise ValueError("bounds are for losses of numbers: those of classes follow from all pairs")
        return _ClassLoss(name, function, **options)

    @staticmethod
    def from_table(
        name: str, table: ArrayLike, *, greater_is_better: bool = False, is_share: bool = False
    ) -> "Risk":
        """Return the same from the loss of each predicted class i and true class j, table[i][j]."""
        return _LossTable(name, table, greater_is_better=greater_is_better, is_share=is_share)

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        return np.asarray(mean[..., 0])

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        return np.ones_like(mean)

    def constant_interval(
        self,
        predictions: Predictions,
        q: FloatArray,
        z: FloatArray,
        value: float,
        confidence_level: float,
    ) -> tuple[float, float]:
        """Return an interval for when no draw deviates; see `Measure.constant_interval`."""
        return constant_loss_interval(
            value, len(z), max_weight(q), confidence_level, self.range_for(predictions)
        )


class _LossTable(Risk, TableMeasure):
    """A loss, or a gain, by the predicted and the true class."""

    def __init__(self, name: str, table: ArrayLike, *, greater_is_better: bool, is_share: bool) -> None:
        describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._tables = [loss] = checked_tables(table)
        self.value_range = (float(loss.min()), float(loss.max()))
        if is_share and not 0 <= loss.min() <= loss.max() <= 1:
            raise ValueError(
                f"the {self.name} is from {loss.min():g} to {loss.max():g}, but a share is from 0 to 1: "
                "leave is_share out"
            )
        if loss.min() == loss.max():
            raise ValueError(
                f"the {self.name} is {loss.min():g} whatever the label is: there is nothing to label"
            )
        self.is_binary = bool(np.isin(loss, (0, 1)).all())

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return cells_of(self._tables, self.name, model, predicted, true)

    def __repr__(self) -> str:
        return f"Risk.from_table({self.name!r}, {self._tables[0].tolist()}, {options_of(self)})"


class _ClassLoss(Risk, TableMeasure):
    """A loss by a function of the predicted and the true class, before the classes are known."""

    value_range = (-inf, inf)

    def __init__(self, name: str, function: Function, *, greater_is_better: bool, is_share: bool) -> None:
        describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._of_classes = OfClasses(self, [function], _LossTable)
        if is_share:
            self.value_range = (0.0, 1.0)

    def bound_to(self, models: Sequence[Predictions]) -> Measure:
        """Return the same from the table of these classes; see `Measure.bound_to`."""
        return self._of_classes.measure_for(models[0])

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return self._of_classes.measure_for(model)._cells(model, predicted, true)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:
        """Return the table's range; see `Measure.range_for`."""
        return self._of_classes.measure_for(predictions).value_range

    def __repr__(self) -> str:
        return f"Risk.from_loss({self.name!r}, {source_of(self._of_classes.functions)}, {options_of(self)})"


class _ValueLoss(Risk):
    """A loss, or a gain, by a function of the predicted and the true number."""

    predictions_kind = "value"

    def __init__(
        self,
        name: str,
        function: Function,
        bounds: tuple[float, float] | None,
        *,
        greater_is_better: bool,
        is_share: bool,
    ) -> None:
        describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._function = check_function(function)
        self.value_range = (-inf, inf) if bounds is None else _check_bounds(bounds)
        # Without bounds it is treated as any function of means, and its interval holds in the limit.
        self.is_risk = bounds is not None  # type: ignore[misc]

    def _losses(self, predicted: FloatArray, labels: FloatArray) -> FloatArray:
        """Return the loss of each pair; shapes broadcast."""
        predicted, labels = np.broadcast_arrays(predicted, labels)
        try:
            found = np.asarray(self._function(predicted, labels), dtype=np.float64)
        except (TypeError, ValueError):  # it takes one pair at a time
            found = np.asarray(np.vectorize(self._function, otypes=[float])(predicted, labels))
        if found.shape != predicted.shape:
            raise ValueError(
                f"the function of the {self.name} gave an array of shape {found.shape}, "
                f"expected a loss for each prediction and label, {predicted.shape}"
            )
        return found

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ValuePredictions, predictions)
        labels = model.check_labels(y_true, draws.size, f"{draws.size} draws")
        found = self._losses(model.mean[draws], labels)
        low, high = self.value_range
        wrong = ~((found >= low) & (found <= high) & np.isfinite(found))
        if wrong.any():
            at = int(np.argmax(wrong))
            expected = f"from {low:g} to {high:g}, its bounds" if isfinite(low) else "a finite number"
            pair = f"the prediction {model.mean[draws][at]:g} and the label {labels[at]:g}"
            raise ValueError(f"the {self.name} of {pair} is {found[at]:g}, expected {expected}")
        return found[:, np.newaxis]

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments by Gauss–Hermite quadrature; see `Measure.moments`."""
        means, variances = self._expect(GaussianMixture, belief).known()
        predicted = [self._expect(ValuePredictions, term.predictions).mean for term in terms]
        signs = [float(term.direction[0]) for term in terms]
        share = _WEIGHTS / _WEIGHTS.sum() / len(means)
        first, second = np.zeros((2, means.shape[1]))
        for mean, variance in zip(means, variances, strict=True):
            deviation = np.sqrt(variance)
            for node, weight in zip(_NODES, share, strict=True):
                labels = mean + deviation * node
                score = np.full(labels.shape, -offset)
                for f, sign in zip(predicted, signs, strict=True):
                    score += sign * self._losses(f, labels)
                first += weight * score
                second += weight * score**2
        return Moments(first, second)

    def check_range(self, y_range: tuple[float, float] | None) -> None:
        """Raise an error for a range without bounds: within it, the function may have any value."""
        if y_range is not None and not self.is_risk:
            low, high = y_range
            raise ValueError(
                f"y_range is ({low:g}, {high:g}), but how large the {self.name} can be does not follow from "
                "the range of labels: give Risk.from_loss the smallest and the largest loss as bounds="
                "(low, high), or leave y_range out"
            )

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Yield the given bounds, for all instances; see `Measure.outcomes`."""
        if not self.is_risk:
            yield from super().outcomes(models, y_range)
            return
        for ends in product(*(self.value_range for _ in models)):
            yield np.tile(ends, (models[0].n_instances, 1))

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models predict the same."""
        return ~first.differs(second)

    def __repr__(self) -> str:
        bounds, source = self.value_range if self.is_risk else None, source_of([self._function])
        return f"Risk.from_loss({self.name!r}, {source}, bounds={bounds}, {options_of(self)})"


def _check_bounds(bounds: Any) -> tuple[float, float]:
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError) as error:
        raise ValueError(f"bounds must be the smallest and the largest loss, got {bounds!r}") from error
    if not -inf < low < high < inf:
        raise ValueError(f"bounds must be two finite numbers, the smaller one first, got {bounds!r}")
    return low, high
