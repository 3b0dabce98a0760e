"""Measures of classifiers that are smooth functions of the confusion matrix, by the delta method.

Only the necessary statistics are kept: 2k or 2k + 1 for k classes, not k². Their expectations follow from the
margins, without a table of all statistics of all pairs of classes. On a pool where a class never occurs (or
is never predicted, for some measures) they are undefined: NaN, where other libraries return 0.
"""

from collections.abc import Callable

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_positive
from activeeval_widgets.stats.intervals import at_once, constant_ratio_interval
from activeeval_widgets.stats.measures.base import Measure, ratio
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.measures.tables import TableMeasure, joint_of
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, ClassBelief
from activeeval_widgets.stats.predictions.classes import ClassPredictions


def expectation_by_class(
    measure: Measure,
    predictions: Predictions,
    belief: Belief,
    expected: Callable[[IntArray, FloatArray], FloatArray],
) -> Expectation:
    """Return E[z | x], rows on demand, from each instance's predicted class and class probabilities."""
    model, believed = measure._expect(ClassPredictions, predictions), measure._expect(ClassBelief, belief)
    codes, proba_of = model.pred_codes, believed.proba_of
    total = measure.introspective_mean(model, believed) * model.size
    return Expectation(
        lambda chosen: expected(codes[chosen], proba_of(chosen)), total, model.n_instances, model.counts
    )


def cells_apart(model: ClassPredictions) -> IntArray:
    """Return a different number for every cell; see the function `alike_cells`."""
    return np.arange(model.n_classes**2).reshape(model.n_classes, model.n_classes)


class _MeanOfRatios(TableMeasure):
    """The mean over classes of ratios: z = (numerators of the classes, then their denominators)."""

    value_range = (0.0, 1.0)
    is_evened = True
    _eta = 0.0
    """η of a class's denominator η [f = c] + (1 − η) [y = c]."""

    def evened_groups(self, predictions: Predictions) -> tuple[IntArray, FloatArray]:
        """Return each class by itself; see `Measure.evened_groups`."""
        n_classes = self._expect(ClassPredictions, predictions).n_classes
        return np.arange(n_classes), np.ones(n_classes)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        rows, k, eta = np.arange(predicted.size), model.n_classes, self._eta
        z = np.zeros((predicted.size, 2 * k))
        z[rows, predicted] = predicted == true
        z[rows, k + predicted] += eta
        z[rows, k + true] += 1 - eta
        return z

    def _scores(self, model: ClassPredictions, direction: FloatArray) -> FloatArray:
        numerators, denominators = np.split(direction, 2)
        eta = self._eta
        scores = eta * denominators[:, np.newaxis] + (1 - eta) * denominators[np.newaxis, :]
        scores[np.diag_indices(model.n_classes)] += numerators
        return np.asarray(scores)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        model = self._expect(ClassPredictions, predictions)
        joint = joint_of(model, self._expect(ClassBelief, belief))
        eta = self._eta
        predicted = np.bincount(model.pred_codes, model.counts, model.n_classes) / model.size
        return np.concatenate([joint.diagonal(), eta * predicted + (1 - eta) * joint.sum(axis=0)])

    def _expected(self, predicted: IntArray, y_proba: FloatArray) -> FloatArray:
        rows, k, eta = np.arange(predicted.size), y_proba.shape[1], self._eta
        z = np.zeros((predicted.size, 2 * k))
        z[rows, predicted] = y_proba[rows, predicted]
        z[:, k:] = (1 - eta) * y_proba
        z[rows, k + predicted] += eta
        return z

    def expectation(self, predictions: Predictions, belief: Belief) -> Expectation:
        return expectation_by_class(self, predictions, belief, self._expected)

    def alike_cells(self, model: ClassPredictions) -> IntArray:
        return cells_apart(model)

    def g(self, mean: FloatArray) -> FloatArray:
        numerators, denominators = np.split(mean, 2, axis=-1)
        return np.asarray(ratio(numerators, denominators).mean(axis=-1))

    def gradient(self, mean: FloatArray) -> FloatArray:
        numerators, denominators = np.split(mean, 2, axis=-1)
        scale = ratio(np.full(denominators.shape, 1 / denominators.shape[-1]), denominators)
        return np.concatenate([scale, -scale * ratio(numerators, denominators)], axis=-1)

    def constant_interval(
        self, predictions: Predictions, q: FloatArray, z: FloatArray, value: float, confidence_level: float
    ) -> tuple[float, float]:
        model = self._expect(ClassPredictions, predictions)
        k = model.n_classes
        numerators, denominators = z[:, :k], z[:, k:]
        values = ratio(numerators.sum(axis=0), denominators.sum(axis=0))
        if not np.allclose(numerators, values * denominators, rtol=0, atol=1e-12):
            return self.value_range
        # Every class's ratio is constant by itself: k intervals hold at once with α/k each.
        level = at_once(confidence_level, k)
        spreads = _spreads(model, q, self._eta)
        counts = np.count_nonzero(denominators, axis=0)
        bounds = [
            constant_ratio_interval(float(values[c]), int(counts[c]), float(spreads[c]), level)
            for c in range(k)
        ]
        low, high = np.mean(bounds, axis=0)
        return min(float(low), value), max(float(high), value)


class BalancedAccuracy(_MeanOfRatios):
    """The mean over all classes of the recall. Undefined until every class occurs among the labels.

    See Also
    --------
    Accuracy : All instances have equal weight.
    MacroF : The mean of F-measures.

    References
    ----------
    Brodersen et al., *The balanced accuracy and its posterior distribution*, ICPR 2010.

    Examples
    --------
    >>> pool_value(BalancedAccuracy(), model, [0, 0, 1])
    0.75
    """

    summary = (
        "How often the model is right on each class, averaged: rare classes count as much as common ones."
    )
    name = "balanced accuracy"

    def alike_cells(self, model: ClassPredictions) -> IntArray:
        """Return equal numbers for all errors on one true class; see the function `alike_cells`."""
        numbers = np.tile(np.arange(model.n_classes), (model.n_classes, 1))
        numbers[np.diag_indices(model.n_classes)] += model.n_classes
        return numbers


class MacroF(_MeanOfRatios):
    """The mean over all classes of the F-measure. Undefined until every class was labeled or predicted.

    Parameters
    ----------
    beta : float
        Recall counts β times as much as precision. F₁ unless given.

    Raises
    ------
    ValueError, TypeError
        If `beta` is not a positive number.

    See Also
    --------
    FMeasure : Of one class.
    BalancedAccuracy : The mean of recalls.

    References
    ----------
    T, eq. 3.26, for the F-measure of each class.

    Examples
    --------
    >>> round(pool_value(MacroF(), model, [0, 0, 1]), 3)
    0.667
    """

    summary = "The F-measure of each class, averaged: rare classes count as much as common ones."
    aliases = ("macro-f1", "macro-f", "macro-f{beta}")
    example_options = ({}, {"beta": 2.0})

    def __init__(self, beta: float = 1.0) -> None:
        self.beta = check_positive("beta", beta)
        self._eta = 1 / (1 + self.beta**2)
        self.name = f"macro-F{self.beta:.3g}"

    def __repr__(self) -> str:
        return f"MacroF(beta={self.beta!r})"


def _spreads(model: ClassPredictions, q: FloatArray, eta: float) -> FloatArray:
    """Return `denominator_spread` of η [f = c] + (1 − η) [y = c] for every class c."""
    k, drawn = model.n_classes, q > 0
    least, greatest = np.full(k, np.inf), np.zeros(k)
    np.minimum.at(least, model.pred_codes[drawn], q[drawn])
    np.maximum.at(greatest, model.pred_codes[drawn], q[drawn])
    spreads = np.ones(k)
    for c in range(k):
        other = np.arange(k) != c
        # Where c is predicted the denominator is 1 or η (only 1 if that is 0); elsewhere it is 1 − η or 0.
        with np.errstate(divide="ignore"):
            heaviest = max(1 / least[c], (1 - eta) / least[other].min())
            lightest = min((eta or 1.0) / greatest[c], (1 - eta) / greatest[other].max())
        spreads[c] = heaviest / lightest
    return spreads
