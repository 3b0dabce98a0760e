"""Measures of regression models, with Gaussian predictive distributions in closed form."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures._gaussian_pieces import moments_of_pieces
from activeeval_widgets.stats.measures.base import Moments, Term
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, GaussianMixture
from activeeval_widgets.stats.predictions.values import ValuePredictions
from activeeval_widgets.stats.text import significant, with_blank


class ValueMeasure(Risk):
    """The mean of a loss that depends on the difference of predicted and true value."""

    predictions_kind = "value"
    value_range = (0.0, np.inf)
    needs_range = True

    @abstractmethod
    def _loss(self, distance: FloatArray) -> FloatArray:
        """Return the loss for f − y."""

    @abstractmethod
    def _gaussian_moments(
        self, signs: FloatArray, distances: FloatArray, variance: FloatArray, offset: float
    ) -> Moments:
        """Return moments of Σ sign · loss(f − y) − offset, y ~ N(μ, σ²); `distances`: f − μ, (n_terms, n)."""

    def robust_alternative(self, predictions: Predictions) -> str:
        """Return a share of small errors if the model says which are small; see `Measure`."""
        if not self.needs_range:
            return ""
        variance = self._expect(ValuePredictions, predictions).variance
        usual = 0.0 if variance is None else float(np.sqrt(np.median(variance)))
        error, code = "t", "t"
        if usual > 0:
            error, code = significant(usual, 2), f"{float(f'{usual:.2g}'):.15g}"
        return f"how often the error is at most {error}, WithinTolerance({code})"

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ValuePredictions, predictions)
        labels = model.check_labels(y_true, draws.size, f"{draws.size} draws")
        return self._loss(model.mean[draws] - labels)[:, np.newaxis]

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        signs = np.array([term.direction[0] for term in terms])
        predicted = np.stack([self._expect(ValuePredictions, term.predictions).mean for term in terms])
        means, variances = self._expect(GaussianMixture, belief).known()
        by_component = [
            self._gaussian_moments(signs, predicted - mean, variance, offset)
            for mean, variance in zip(means, variances, strict=True)
        ]
        first, second = np.mean(by_component, axis=0)
        return Moments(first, second)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models can't differ."""
        return ~first.differs(second)


class SquaredError(ValueMeasure):
    """The mean squared error (f(x) − y)², in squared units of the labels.

    See Also
    --------
    RootMeanSquaredError, AbsoluteError : In the unit of the labels.
    ClippedSquaredError : For when a few huge errors would dominate the mean.

    References
    ----------
    T, Cor. 4.3 and eq. 4.23 for the instrumental distribution.

    Examples
    --------
    >>> pool_value(SquaredError(), ValuePredictions([1.0, 2.0]), [1.5, 4.0])
    2.125
    """

    summary = "How far off the model is, as a mean of squares: large misses count most."
    aliases = ("squared-error", "mean-squared-error", "mse")
    name = "mean squared error"
    sentence = "The model's {name} is {value}: it is typically off by {root}."

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit of the labels, squared; see `Measure.unit`."""
        return squared_unit(label_unit)

    def _loss(self, distance: FloatArray) -> FloatArray:
        return distance**2

    def _gaussian_moments(
        self, signs: FloatArray, distances: FloatArray, variance: FloatArray, offset: float
    ) -> Moments:
        # With y = μ + ε, s = a ε² + b ε + c: E s = aσ² + c and Var s = 2a²σ⁴ + b²σ².
        quadratic = signs.sum()
        linear = -2 * (signs @ distances)
        mean = quadratic * variance + signs @ distances**2 - offset
        return Moments(mean, mean**2 + (2 * quadratic**2 * variance + linear**2) * variance)


class AbsoluteError(ValueMeasure):
    """The mean absolute error |f(x) − y|, in the unit of the labels.

    See Also
    --------
    SquaredError : Gives large errors more weight.

    References
    ----------
    T, eq. 4.6 with ℓ = |f − y|; the moments are those of folded and truncated Gaussians.

    Examples
    --------
    >>> pool_value(AbsoluteError(), ValuePredictions([1.0, 2.0]), [1.5, 4.0])
    1.25
    """

    summary = "How far off the model is on average, in the unit of the labels."
    aliases = ("absolute-error", "mean-absolute-error", "mae")
    name = "mean absolute error"
    sentence = "The model is off by {value} on average."

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit of the labels; see `Measure.unit`."""
        return with_blank(label_unit)

    def _loss(self, distance: FloatArray) -> FloatArray:
        return np.abs(distance)

    def _gaussian_moments(
        self, signs: FloatArray, distances: FloatArray, variance: FloatArray, offset: float
    ) -> Moments:
        return moments_of_pieces(
            signs, distances, variance, offset, breaks=(0.0,), pieces=((0.0, -1.0, 0.0), (0.0, 1.0, 0.0))
        )


def squared_unit(label_unit: str | None) -> str:
    """Return the square of the labels' unit, with a space before it; "" if unknown."""
    if not label_unit:
        return ""
    return with_blank(f"{label_unit if label_unit.isalpha() else f'({label_unit})'}²")
