"""Measures of agreement between predicted and true classes, beyond what their margins make likely."""

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import ratio
from activeeval_widgets.stats.measures.confusion import cells_apart, expectation_by_class
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.measures.tables import TableMeasure, joint_of
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, ClassBelief
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class _Agreement(TableMeasure):
    """A measure of z = ([f = y], one-hot f, one-hot y): agreement c compared with the margins p and t."""

    value_range = (-1.0, 1.0)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        rows, k = np.arange(predicted.size), model.n_classes
        z = np.zeros((predicted.size, 2 * k + 1))
        z[:, 0] = predicted == true
        z[rows, 1 + predicted] = 1
        z[rows, 1 + k + true] = 1
        return z

    def _scores(self, model: ClassPredictions, direction: FloatArray) -> FloatArray:
        correct, predicted, true = self._parts(direction)
        scores = predicted[:, np.newaxis] + true[np.newaxis, :]
        scores[np.diag_indices(model.n_classes)] += correct
        return scores

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        model = self._expect(ClassPredictions, predictions)
        joint = joint_of(model, self._expect(ClassBelief, belief))
        predicted = np.bincount(model.pred_codes, model.counts, model.n_classes) / model.size
        return np.concatenate([[joint.trace()], predicted, joint.sum(axis=0)])

    def _expected(self, predicted: IntArray, y_proba: FloatArray) -> FloatArray:
        rows, k = np.arange(predicted.size), y_proba.shape[1]
        z = np.zeros((predicted.size, 2 * k + 1))
        z[:, 0] = y_proba[rows, predicted]
        z[rows, 1 + predicted] = 1
        z[:, 1 + k :] = y_proba
        return z

    def expectation(self, predictions: Predictions, belief: Belief) -> Expectation:
        """Return E[z | x], rows on demand; see `Measure.expectation`."""
        return expectation_by_class(self, predictions, belief, self._expected)

    def alike_cells(self, model: ClassPredictions) -> IntArray:
        """Return a different number for every cell; see the function `alike_cells`."""
        return cells_apart(model)

    @staticmethod
    def _parts(mean: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        k = mean.shape[-1] // 2
        return mean[..., :1], mean[..., 1 : k + 1], mean[..., k + 1 :]

    @staticmethod
    def _chance_disagreement(a: FloatArray, b: FloatArray) -> FloatArray:
        """Return 1 − Σ a b for margins a and b that sum to 1: exactly 0 if both consist of the same class."""
        return np.asarray((a * (b.sum(axis=-1, keepdims=True) - b)).sum(axis=-1, keepdims=True))


class MatthewsCorrelation(_Agreement):
    """The correlation of predicted and true class: (c − Σ p t) / sqrt((1 − Σ p²)(1 − Σ t²)).

    Undefined while only one class occurs among the labels, or among the predictions.

    See Also
    --------
    CohenKappa : agreement beyond chance.
    BalancedAccuracy : the mean of recalls.

    References
    ----------
    Gorodkin, *Comparing two K-category assignments by a K-category correlation coefficient*, 2004.

    Examples
    --------
    >>> round(pool_value(MatthewsCorrelation(), model, [0, 0, 1]), 3)
    0.5
    """

    summary = "How far prediction and truth go together, from −1 to 1; fair to rare classes."
    aliases = ("matthews-correlation", "mcc")
    name = "Matthews correlation"

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        correct, predicted, true = self._parts(mean)
        spread = np.sqrt(
            self._chance_disagreement(predicted, predicted) * self._chance_disagreement(true, true)
        )
        covariance = correct - (predicted * true).sum(axis=-1, keepdims=True)
        return ratio(covariance, spread)[..., 0]

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        _, predicted, true = self._parts(mean)
        apart_predicted, apart_true = (
            self._chance_disagreement(predicted, predicted),
            self._chance_disagreement(true, true),
        )
        scale = ratio(np.ones_like(apart_true), np.sqrt(apart_predicted * apart_true))
        value = self.g(mean)[..., np.newaxis]
        return np.concatenate(
            [
                scale,
                -scale * true + value * ratio(predicted, apart_predicted),
                -scale * predicted + value * ratio(true, apart_true),
            ],
            axis=-1,
        )


class CohenKappa(_Agreement):
    """Agreement beyond chance: (c − Σ p t) / (1 − Σ p t).

    Undefined while labels and predictions consist of the same one class.

    See Also
    --------
    MatthewsCorrelation : a correlation.

    References
    ----------
    Cohen, *A coefficient of agreement for nominal scales*, 1960.

    Examples
    --------
    >>> round(pool_value(CohenKappa(), model, [0, 0, 1]), 3)
    0.4
    """

    summary = "How much more often the model is right than it would be by chance alone."
    aliases = ("cohen-kappa", "kappa")
    name = "Cohen's kappa"

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        correct, predicted, true = self._parts(mean)
        by_chance = (predicted * true).sum(axis=-1, keepdims=True)
        return ratio(correct - by_chance, self._chance_disagreement(predicted, true))[..., 0]

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        correct, predicted, true = self._parts(mean)
        scale = ratio(np.ones_like(correct), self._chance_disagreement(predicted, true))
        chance = (correct - 1) * scale**2
        return np.concatenate([scale, chance * true, chance * predicted], axis=-1)
