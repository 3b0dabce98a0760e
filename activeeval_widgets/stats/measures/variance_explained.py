"""R²: the share of the labels' variance that predictions explain."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure, Moments, Term, ratio
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, GaussianMixture
from activeeval_widgets.stats.predictions.values import ValuePredictions

_ROUNDING = 1e-12
"""A variance that is a smaller share of the mean square counts as 0."""


class RSquared(Measure):
    """The share of the labels' variance that predictions explain: R² = 1 − E (f(x) − y)² / Var(y).

    1 is perfect; 0 is no better than the labels' mean for all; there is no smallest value.

    See Also
    --------
    RootMeanSquaredError : How far off predictions are, in the unit of the labels.

    Notes
    -----
    z = ((f − y)², y − c, (y − c)²) with c the predictions' mean, and g(z) = 1 − z₁/(z₃ − z₂²). It is not the
    mean of a loss: confidence sequences are approximate, whatever the range of labels. Undefined while all
    labels are equal.

    References
    ----------
    T, eq. 4.6 by the delta method; Draper & Smith, *Applied regression analysis*, 1998.

    Examples
    --------
    >>> round(pool_value(RSquared(), ValuePredictions([1.0, 2.0, 3.0]), [1.0, 2.0, 4.0]), 3)
    0.786
    """

    predictions_kind = "value"
    summary = "How much of the variation of the labels the model explains: 1 is all, 0 nothing."
    aliases = ("r-squared", "r2")
    needs_whole_pool = True  # labels are centered by the mean of all predictions
    name = "R²"
    long_name = "coefficient of determination (R²)"
    sentence = "The model explains {value} of the labels' variance (R²)."
    value_range = (-np.inf, 1.0)
    greater_is_better = True
    needs_range = True
    needs_whole_pool = True

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ValuePredictions, predictions)
        labels = model.check_labels(y_true, draws.size, f"{draws.size} draws")
        centered = labels - _center(model)
        return np.stack([(model.mean[draws] - labels) ** 2, centered, centered**2], axis=1)

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        return 1 - ratio(mean[..., 0], _variance(mean))

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        variance = _variance(mean)
        inverse = ratio(np.ones(variance.shape), variance)
        unexplained = inverse * ratio(mean[..., 0], variance)
        return np.stack([-inverse, -2 * mean[..., 1] * unexplained, unexplained], axis=-1)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        model = self._expect(ValuePredictions, predictions)
        columns = [self.moments([Term(model, direction)], belief, 0.0).first for direction in np.eye(3)]
        return np.array([model.average(column) for column in columns])

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        means, variances = self._expect(GaussianMixture, belief).known()
        n_instances = means.shape[1]
        first, second = np.zeros((2, n_instances))
        for mean, variance in zip(means, variances, strict=True):
            # With y = μ + ε, s = a ε² + b ε + c: E s = aσ² + c and Var s = 2a²σ⁴ + b²σ².
            a, b, c = 0.0, np.zeros(n_instances), np.full(n_instances, -offset)
            for term in terms:
                model = self._expect(ValuePredictions, term.predictions)
                error, linear, square = term.direction
                distance, centered = model.mean - mean, mean - _center(model)
                a += error + square
                b += -2 * error * distance + linear + 2 * square * centered
                c += error * distance**2 + linear * centered + square * centered**2
            expected = a * variance + c
            first += expected / len(means)
            second += (expected**2 + (2 * a**2 * variance + b**2) * variance) / len(means)
        return Moments(first, second)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models can't differ."""
        a, b = self._expect(ValuePredictions, first), self._expect(ValuePredictions, second)
        equal: BoolArray = (a.mean == b.mean) & (_center(a) == _center(b))
        return equal


def _center(model: ValuePredictions) -> float:
    """Return the center of labels, so that their variance is not a difference of two large numbers."""
    return float(model.average(model.mean))


def _variance(mean: FloatArray) -> FloatArray:
    """Return the labels' variance; 0, not a rounding error, if all labels are equal."""
    variance = mean[..., 2] - mean[..., 1] ** 2
    return np.where(variance > _ROUNDING * mean[..., 2], variance, 0.0)
