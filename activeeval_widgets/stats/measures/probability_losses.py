"""Losses of a classifier's probabilities, whatever class it predicts."""

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.measures.tables import Scorer, check_promises, class_loss_bounds, class_moments
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions

MIN_PROBABILITY = float(np.finfo(np.float64).eps)
"""Smaller probabilities count as this one (2.2e-16) in the log loss, as in scikit-learn."""


class ProbabilityLoss(Risk):
    """A loss of the probabilities, not of the predicted class."""

    predictions_kind = "class"
    moments = class_moments
    loss_bounds = class_loss_bounds

    @abstractmethod
    def _losses(self, y_proba: FloatArray) -> FloatArray:
        """Return the loss for each true class, (n_rows, n_classes), from probabilities of the same shape."""

    def statistics(self, predictions: Predictions, y_true: ArrayLike, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ClassPredictions, predictions)
        check_promises(self, model)
        losses = self._losses(model.y_proba[draws])
        return np.take_along_axis(losses, model.encode(y_true)[:, np.newaxis], axis=1)

    def _scorer(self, model: ClassPredictions, direction: FloatArray) -> Scorer:
        return lambda rows: self._losses(model.y_proba[rows]) * direction[0]

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models have equal probabilities."""
        a, b = self._expect(ClassPredictions, first), self._expect(ClassPredictions, second)
        equal: BoolArray = (a.y_proba == b.y_proba).all(axis=1)
        return equal


class LogLoss(ProbabilityLoss):
    """The mean of −log p(y | x; model), in nats.

    Probabilities below 2.2e-16 count as 2.2e-16, as in scikit-learn's `log_loss`, so a loss is at most 36.04
    and an impossible label does not make the estimate infinite.

    See Also
    --------
    BrierScore : Another loss of the probabilities, bounded by 2.

    References
    ----------
    T, eq. 4.6 with ℓ = −log p(y | x).

    Examples
    --------
    >>> round(pool_value(LogLoss(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), [0, 0]), 3)
    0.511
    """

    summary = "How far the model's probabilities are from the truth; being sure and wrong costs most."
    name = "log loss"
    value_range = (0.0, float(-np.log(MIN_PROBABILITY)))

    def robust_alternative(self, predictions: Predictions) -> str:  # noqa: ARG002
        """Return the Brier score; see `Measure.robust_alternative`."""
        return "for the Brier score, BrierScore(), which is at most 2"

    def _losses(self, y_proba: FloatArray) -> FloatArray:
        losses: FloatArray = np.clip(y_proba, MIN_PROBABILITY, 1.0)
        np.log(losses, out=losses)
        return np.negative(losses, out=losses)


class BrierScore(ProbabilityLoss):
    """The mean squared distance Σ_c (p(c | x; model) − [c = y])² of the probabilities from the label.

    This is Brier's own definition, from 0 to 2, whatever the number of classes. For two classes
    scikit-learn's `brier_score_loss` is half of it.

    See Also
    --------
    LogLoss : Penalizes labels of tiny probability more.

    References
    ----------
    Brier, *Verification of forecasts expressed in terms of probability*, 1950; T, eq. 4.6.

    Examples
    --------
    >>> round(pool_value(BrierScore(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), [0, 0]), 3)
    0.37
    """

    summary = "How far the model's probabilities are from the truth, as a mean of squares."
    name = "Brier score"
    value_range = (0.0, 2.0)

    def _losses(self, y_proba: FloatArray) -> FloatArray:
        # Σ_c p_c² − 2 p_y + 1, as a sum of squares, so that no loss is below 0 by rounding.
        others = np.einsum("ij,ij->i", y_proba, y_proba)[:, np.newaxis] - y_proba**2
        losses: FloatArray = np.maximum(others, 0) + (1 - y_proba) ** 2
        return losses
