"""Measures of classifiers that are smooth functions of the confusion matrix, by the delta method.

Only as many statistics are kept as the measure needs: 2k or 2k + 1 for k classes, not k². On a pool where a
class never occurs (or is never predicted, for some) they are not defined: NaN, where others put 0.
"""

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_positive
from activeeval_widgets.stats.class_measures import TableMeasure
from activeeval_widgets.stats.intervals import constant_ratio_interval
from activeeval_widgets.stats.measures import ratio
from activeeval_widgets.stats.predictions import ClassPredictions, Predictions
from activeeval_widgets.stats.ratio_measures import denominator_spread


class _MeanOfRatios(TableMeasure):
    """The mean over classes of ratios: z = (numerators of the classes, then their denominators)."""

    value_range = (0.0, 1.0)

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
        table = self._table(model)
        k = model.n_classes
        numerators, denominators = z[:, :k], z[:, k:]
        values = ratio(numerators.sum(axis=0), denominators.sum(axis=0))
        if not np.allclose(numerators, values * denominators, rtol=0, atol=1e-12):
            return self.value_range
        # Every class's ratio is constant by itself: k intervals hold at once with α/k each.
        level = 1 - (1 - confidence_level) / k
        bounds = [
            constant_ratio_interval(
                float(values[c]),
                int(np.count_nonzero(denominators[:, c])),
                denominator_spread(table[:, :, k + c], model, q),
                level,
            )
            for c in range(k)
        ]
        low, high = np.mean(bounds, axis=0)
        return min(float(low), value), max(float(high), value)


class BalancedAccuracy(_MeanOfRatios):
    """The mean over all classes of the recall. Not defined until every class has been seen.

    References
    ----------
    Brodersen et al., *The balanced accuracy and its posterior distribution*, ICPR 2010.
    """

    name = "balanced accuracy"

    def _table(self, predictions: ClassPredictions) -> FloatArray:
        k = predictions.n_classes
        one_hot = np.eye(k)
        true = np.broadcast_to(one_hot[np.newaxis, :, :], (k, k, k))
        return np.concatenate([one_hot[:, np.newaxis, :] * true, true], axis=-1)


class MacroF(_MeanOfRatios):
    """The mean over all classes of the F-measure. Not defined until every class was seen or predicted.

    Parameters
    ----------
    beta : float
        Recall counts β times as much as precision. F₁ unless given.

    References
    ----------
    T, eq. 3.26, for the F-measure of each class.
    """

    def __init__(self, beta: float = 1.0) -> None:
        self.beta = check_positive("beta", beta)
        self.name = f"macro-F{self.beta:.3g}"

    def _table(self, predictions: ClassPredictions) -> FloatArray:
        eta = 1 / (1 + self.beta**2)
        one_hot = np.eye(predictions.n_classes)
        predicted, true = one_hot[:, np.newaxis, :], one_hot[np.newaxis, :, :]
        return np.concatenate([predicted * true, eta * predicted + (1 - eta) * true], axis=-1)

    def __repr__(self) -> str:
        return f"MacroF(beta={self.beta!r})"


class _Agreement(TableMeasure):
    """A measure of z = ([f = y], one-hot f, one-hot y): agreement c against the margins p and t."""

    value_range = (-1.0, 1.0)

    def _table(self, predictions: ClassPredictions) -> FloatArray:
        k = predictions.n_classes
        one_hot = np.eye(k)
        predicted = np.broadcast_to(one_hot[:, np.newaxis, :], (k, k, k))
        true = np.broadcast_to(one_hot[np.newaxis, :, :], (k, k, k))
        return np.concatenate([one_hot[:, :, np.newaxis], predicted, true], axis=-1)

    @staticmethod
    def _parts(mean: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        k = mean.shape[-1] // 2
        return mean[..., :1], mean[..., 1 : k + 1], mean[..., k + 1 :]

    @staticmethod
    def _apart(a: FloatArray, b: FloatArray) -> FloatArray:
        """1 − Σ a b for margins a and b that sum to 1: exactly 0 where both hold one and the same class."""
        return np.asarray((a * (b.sum(axis=-1, keepdims=True) - b)).sum(axis=-1, keepdims=True))


class MatthewsCorrelation(_Agreement):
    """The correlation of predicted and true class: (c − Σ p t) / sqrt((1 − Σ p²)(1 − Σ t²)).

    Not defined while only one class has been seen or predicted.

    References
    ----------
    Gorodkin, *Comparing two K-category assignments by a K-category correlation coefficient*, 2004.
    """

    name = "Matthews correlation"

    def g(self, mean: FloatArray) -> FloatArray:
        """The measure, given E[z]."""
        correct, predicted, true = self._parts(mean)
        spread = np.sqrt(self._apart(predicted, predicted) * self._apart(true, true))
        covariance = correct - (predicted * true).sum(axis=-1, keepdims=True)
        return ratio(covariance, spread)[..., 0]

    def gradient(self, mean: FloatArray) -> FloatArray:
        """∇g at E[z]."""
        _, predicted, true = self._parts(mean)
        apart_predicted, apart_true = self._apart(predicted, predicted), self._apart(true, true)
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

    Not defined while one and the same class alone has been seen and predicted.

    References
    ----------
    Cohen, *A coefficient of agreement for nominal scales*, 1960.
    """

    name = "Cohen's kappa"

    def g(self, mean: FloatArray) -> FloatArray:
        """The measure, given E[z]."""
        correct, predicted, true = self._parts(mean)
        by_chance = (predicted * true).sum(axis=-1, keepdims=True)
        return ratio(correct - by_chance, self._apart(predicted, true))[..., 0]

    def gradient(self, mean: FloatArray) -> FloatArray:
        """∇g at E[z]."""
        correct, predicted, true = self._parts(mean)
        scale = ratio(np.ones_like(correct), self._apart(predicted, true))
        chance = (correct - 1) * scale**2
        return np.concatenate([scale, chance * true, chance * predicted], axis=-1)
