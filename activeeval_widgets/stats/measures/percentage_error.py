"""The mean absolute percentage error: how far off the model is, relative to the label."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_positive
from activeeval_widgets.stats.measures.base import Moments, Term
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, GaussianMixture
from activeeval_widgets.stats.predictions.values import ValuePredictions

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_FAR = 8.0
"""Gaussian labels are assumed to be within this many standard deviations."""


class MeanAbsolutePercentageError(Risk):
    """The mean absolute percentage error |f(x) − y| / max(|y|, smallest).

    Labels near zero would make it arbitrarily large. A label nearer to zero than `smallest` therefore counts
    as if it were that large: no error is then above 1 + |f(x)|/smallest.

    Parameters
    ----------
    smallest : float
        The smallest size of a label to divide errors by, in the unit of the labels.

    Raises
    ------
    ValueError, TypeError
        If `smallest` is not a positive number.

    See Also
    --------
    AbsoluteError : In the unit of the labels; small labels do not dominate it.
    WithinTolerance : The share of errors up to a size.

    Notes
    -----
    Errors are bounded, so intervals are exact and need no `y_range`; the smaller `smallest` is relative to
    the predictions, the wider they are.

    References
    ----------
    Hyndman & Koehler, *Another look at measures of forecast accuracy*, 2006, on labels near zero. Moments are
    by Gauss–Legendre quadrature between the points where the loss bends.

    Examples
    --------
    >>> model = ValuePredictions([90.0, 3.0, 1.0])
    >>> round(pool_value(MeanAbsolutePercentageError(smallest=1), model, [100.0, 4.0, 0.0]), 3)
    0.45
    """

    predictions_kind = "value"
    summary = "How far off the model is in relation to the label; small labels count most."
    aliases = ("mean-absolute-percentage-error", "mape")
    name = "mean absolute percentage error"
    sentence = "The model is off by {value} of the label on average."
    value_range = (0.0, np.inf)
    is_share = True
    example_options = ({"smallest": 0.5},)

    def __init__(self, smallest: float) -> None:
        self.smallest = check_positive("smallest", smallest)

    def _loss(self, predicted: FloatArray, labels: FloatArray) -> FloatArray:
        error: FloatArray = np.abs(predicted - labels) / np.maximum(np.abs(labels), self.smallest)
        return error

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ValuePredictions, predictions)
        labels = model.check_labels(y_true, draws.size, f"{draws.size} draws")
        return self._loss(model.mean[draws], labels)[:, np.newaxis]

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        predicted = [self._expect(ValuePredictions, term.predictions).mean for term in terms]
        means, variances = self._expect(GaussianMixture, belief).known()
        signs = [float(term.direction[0]) for term in terms]

        def score(labels: FloatArray) -> FloatArray:
            found = np.full(labels.shape, -offset)
            for f, sign in zip(predicted, signs, strict=True):
                found += sign * self._loss(f, labels)
            return found

        first, second = np.zeros((2, means.shape[1]))
        for mean, variance in zip(means, variances, strict=True):
            deviation = np.sqrt(variance)
            bends = [np.full(mean.size, -self.smallest), np.full(mean.size, self.smallest), *predicted]
            # The density itself needs short pieces, in addition to the points where the loss bends.
            bends += [mean + at * deviation for at in (-4.0, -2.0, 0.0, 2.0, 4.0)]
            low, high = mean - _FAR * deviation, mean + _FAR * deviation
            knots = np.sort([low, *(np.clip(bend, low, high) for bend in bends), high], axis=0)
            for start, end in pairwise(knots):
                half = (end - start) / 2
                for node, weight in zip(_NODES, _WEIGHTS, strict=True):
                    labels = start + (1 + node) * half
                    share = np.divide(
                        weight * half * np.exp(-0.5 * _standardized(labels - mean, deviation) ** 2),
                        deviation * np.sqrt(2 * np.pi),
                        out=np.zeros_like(half),
                        where=deviation > 0,
                    )
                    value = score(labels)
                    first += share * value
                    second += share * value**2
            certain = np.where(deviation > 0, 0.0, 1.0)
            value = score(mean)
            first += certain * value
            second += certain * value**2
        return Moments(first / len(means), second / len(means))

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Yield the extremes, which exist without a range as well; see `Measure.outcomes`."""
        means = [self._expect(ValuePredictions, model).mean for model in models]
        # Between these points a loss, and a difference of two, is monotone in the label.
        labels = [np.full(means[0].size, -self.smallest), np.full(means[0].size, self.smallest), *means]
        if y_range is None:
            yield np.ones((means[0].size, len(means)))  # for an arbitrarily large label
        else:
            labels = [np.clip(label, *y_range) for label in labels]
            labels += [np.full(means[0].size, end) for end in y_range]
        for label in labels:
            yield np.stack([self._loss(mean, label) for mean in means], axis=1)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models predict the same."""
        return ~first.differs(second)

    def __repr__(self) -> str:
        return f"MeanAbsolutePercentageError({self.smallest!r})"


def _standardized(distance: FloatArray, deviation: FloatArray) -> FloatArray:
    found: FloatArray = np.divide(distance, deviation, out=np.zeros_like(distance), where=deviation > 0)
    return found
