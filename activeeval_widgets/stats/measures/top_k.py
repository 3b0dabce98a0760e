"""Top-k accuracy: whether the true class is among the most probable ones."""

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.measures.probability_losses import ProbabilityLoss
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class TopKAccuracy(ProbabilityLoss):
    """The share of instances whose true class is among the k most probable ones.

    Of equally probable classes, the later one counts as more probable, as in scikit-learn's
    `top_k_accuracy_score`.

    Parameters
    ----------
    k : int
        Number of classes; at least 1, and fewer than there are.

    Raises
    ------
    ValueError, TypeError
        If `k` is not a positive whole number; on use, if there are not more classes, or the predictions have
        no probabilities.

    See Also
    --------
    Accuracy : Only of the predicted class.

    References
    ----------
    T, eq. 4.6 with ℓ = [y among the k most probable].

    Examples
    --------
    >>> pool_value(TopKAccuracy(2), ClassPredictions([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]]), [1, 0])
    0.5
    """

    summary = (
        "How often the true class is among the most probable ones, where a person picks from suggestions."
    )
    value_range = (0.0, 1.0)
    greater_is_better = True
    is_share = True
    is_binary = True
    example_options = ({"k": 1}, {"k": 2})

    def __init__(self, k: int) -> None:
        self.k = check_count("k", k)
        if not self.k:
            raise ValueError("k is 0, expected at least 1: how many of the most probable classes count")
        self.name = f"top-{self.k} accuracy"
        most = "most probable class" if self.k == 1 else f"{self.k} most probable classes"
        self.sentence = f"The true class is among the {most} on {{value}} of the {{instances}}."

    def _losses(self, y_proba: FloatArray) -> FloatArray:
        """Return 1 for the k most probable classes of each instance, else 0."""
        n_classes = y_proba.shape[1]
        if self.k >= n_classes:
            raise ValueError(
                f"k is {self.k}, but there are {n_classes} classes: "
                "with all of them among the top, there is nothing to find out"
            )
        top = np.argsort(y_proba, axis=1, kind="stable")[:, -self.k :]
        among: FloatArray = np.zeros(y_proba.shape)
        np.put_along_axis(among, top, 1.0, axis=1)
        return among

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where the k most probable classes are the same."""
        a, b = self._expect(ClassPredictions, first), self._expect(ClassPredictions, second)
        return np.asarray((self._losses(a.y_proba) == self._losses(b.y_proba)).all(axis=1))

    def __repr__(self) -> str:
        return f"TopKAccuracy({self.k!r})"
