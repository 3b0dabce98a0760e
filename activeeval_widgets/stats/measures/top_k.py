"""Top-k accuracy: whether the true class is among the most probable ones."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.measures.base import Risk, Term
from activeeval_widgets.stats.measures.classes import ClassMeasure, Scorer, check_promises
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class TopKAccuracy(Risk, ClassMeasure):
    """The share of instances whose true class is among the k most probable ones.

    Of equally probable classes, the later one counts as more probable, as in scikit-learn's
    `top_k_accuracy_score`.

    Parameters
    ----------
    k : int
        How many classes; 1 or more, and fewer than there are.

    Raises
    ------
    ValueError, TypeError
        If `k` is no positive whole number; once it is used, if there are not more classes, or the
        predictions have no probabilities.

    See Also
    --------
    Accuracy : of the predicted class alone.

    References
    ----------
    T, eq. 4.6 with ℓ = [y among the k most probable].

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, pool_value
    >>> pool_value(TopKAccuracy(2), ClassPredictions([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]]), [1, 0])
    0.5
    """

    tells = "How often the true class is among the most probable ones, where a person picks from suggestions."
    value_range = (0.0, 1.0)
    greater_is_better = True
    is_share = True
    is_binary = True

    def __init__(self, k: int) -> None:
        self.k = check_count("k", k)
        if not self.k:
            raise ValueError("k is 0, expected at least 1: how many of the most probable classes count")
        self.name = f"top-{self.k} accuracy"
        most = "most probable class" if self.k == 1 else f"{self.k} most probable classes"
        self.sentence = f"The true class is among the {most} on {{value}} of the {{instances}}."

    @classmethod
    def examples(cls) -> list[Self]:
        """Of fewer than three classes; see `Measure.examples`."""
        return [cls(1), cls(2)]

    def _among_top(self, model: ClassPredictions, rows: slice | IntArray) -> FloatArray:
        """1 for the k most probable classes of each instance, else 0; (n_rows, n_classes)."""
        check_promises(self, model)
        if self.k >= model.n_classes:
            raise ValueError(
                f"k is {self.k}, but there are {model.n_classes} classes: "
                "with all of them among the top, there is nothing to find out"
            )
        proba = model.y_proba[rows]
        top = np.argsort(proba, axis=1, kind="stable")[:, -self.k :]
        among = np.zeros(proba.shape)
        np.put_along_axis(among, top, 1.0, axis=1)
        return among

    def statistics(self, predictions: Predictions, y_true: ArrayLike, draws: IntArray) -> FloatArray:
        """Whether the true class is among the top; see `Measure.statistics`."""
        model = self._expect(ClassPredictions, predictions)
        return np.take_along_axis(self._among_top(model, draws), model.encode(y_true)[:, np.newaxis], axis=1)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """The pool's E[z]; see `Measure.introspective_mean`."""
        first, _ = self.moments([Term(predictions, np.ones(1))], belief, 0.0)
        return np.array([predictions.average(first)])

    def _scorer(self, model: ClassPredictions, direction: FloatArray) -> Scorer:
        return lambda rows: self._among_top(model, rows) * direction[0]

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Where the same classes are among the top."""
        a, b = self._expect(ClassPredictions, first), self._expect(ClassPredictions, second)
        equal: Any = self._among_top(a, slice(None)) == self._among_top(b, slice(None))
        return np.asarray(equal.all(axis=1))

    def __repr__(self) -> str:
        return f"TopKAccuracy({self.k!r})"
