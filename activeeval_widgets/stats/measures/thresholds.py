"""F-measures at thresholds other than that of the predicted classes, and the best of them."""

from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count, check_positive
from activeeval_widgets.stats.measures.base import BandPart, Composition, Measure, ratio, ratio_gradient
from activeeval_widgets.stats.measures.score_measures import Affine, ScoreMeasure, scores_of, sparse_rows
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions

_ROUNDING = 1e-12


class BestF(ScoreMeasure):
    """The best F-measure over thresholds of the score.

    The score is the probability of the class of interest, which is predicted if the score is at least the
    threshold. Thresholds are scores of the pool, chosen so that the numbers of instances at or above them
    form a geometric sequence, from 1 to all.

    Parameters
    ----------
    beta : float
        Recall counts β times as much as precision. F₁ unless given.
    positive : class label
        The class of interest. Label 1 unless given.
    n_thresholds : int
        Upper limit on the number of thresholds.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; on use, if `positive` is not one of the predictions' classes, or
        they have no probabilities.

    See Also
    --------
    FMeasure : At the threshold of the predicted classes.
    best_threshold : Which threshold it is; in a session, `best_threshold()`.
    AveragePrecision : Over all thresholds, instead of at the best.

    Notes
    -----
    With z the numbers of positives and of all instances between neighboring thresholds, F at each of them is
    a ratio of two sums of means, and the greatest of these a function g whose gradient is that of the best
    one. As the greatest of several, estimates are biased upward while there are few labels. The confidence
    sequence is exact: it combines one for F at each threshold, which all hold together (Bonferroni), and the
    best F is between the greatest lower end and the greatest upper end.

    References
    ----------
    T, eq. 3.26, at each threshold; Lipton, Elkan & Naryanaswamy, *Optimal thresholding of classifiers to
    maximize F1 measure*, ECML 2014.

    Examples
    --------
    >>> model = ClassPredictions([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.6, 0.4]])
    >>> labels = [0, 1, 1, 1]
    >>> pool_value(FMeasure(), model, labels), pool_value(BestF(), model, labels)
    (0.5, 1.0)
    """

    summary = "The best F-measure that any threshold of the score gives, and which threshold that is."
    aliases = ("best-f1", "best-f", "best-f{beta}")
    sentence = "The model's {name} over all thresholds is {value}."
    value_range = (0.0, 1.0)
    example_options = ({}, {"beta": 2.0, "positive": 0, "n_thresholds": 4})

    def __init__(self, beta: float = 1.0, positive: Any = 1, n_thresholds: int = 20) -> None:
        super().__init__(positive)
        self.beta = check_positive("beta", beta)
        self.eta = 1 / (1 + self.beta**2)
        self.n_thresholds = check_count("n_thresholds", n_thresholds)
        if not self.n_thresholds:
            raise ValueError("n_thresholds is 0, expected at least 1")
        self.name = self._called(f"best F{self.beta:.3g}")

    def thresholds(self, predictions: Predictions) -> FloatArray:
        """Return the thresholds for these predictions, ascending."""
        model = self._expect(ClassPredictions, predictions)
        return self._of_scores(scores_of(self, model))

    def _of_scores(self, scores: FloatArray) -> FloatArray:
        counts = np.unique(np.geomspace(1, scores.size, self.n_thresholds).round().astype(np.intp))
        # A single threshold includes all instances.
        counts[-1] = scores.size
        found: FloatArray = np.unique(np.sort(scores)[scores.size - counts])
        return found

    def candidates(self, predictions: Predictions) -> list[tuple[float, Measure]]:
        """Return the thresholds, with the F-measure at each; see `Measure.candidates`."""
        thresholds = self.thresholds(predictions).tolist()
        return [(each, _FAtThreshold(each, self.beta, self.positive)) for each in thresholds]

    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:  # noqa: ARG002
        # Models of one pool may have fewer thresholds than others: their last slots are then empty.
        slot = np.searchsorted(self._of_scores(scores), scores, side="right") - 1
        ones = np.ones(scores.size)
        return Affine(
            sparse_rows([slot], [ones], 2 * self.n_thresholds),
            sparse_rows([self.n_thresholds + slot], [ones], 2 * self.n_thresholds),
        )

    def _curve(self, mean: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return F at each threshold, NaN where undefined, and its denominator; (…, n_thresholds)."""
        positive, everything = np.split(mean, 2, axis=-1)
        found, chosen = (part[..., ::-1].cumsum(axis=-1)[..., ::-1] for part in (positive, everything))
        denominator = self.eta * chosen + (1 - self.eta) * found[..., :1]
        return ratio(found, denominator), denominator

    def _best(self, curve: FloatArray) -> IntArray:
        known = np.where(np.isnan(curve), -np.inf, curve)
        # The last bits of sums don't choose among thresholds of the same F.
        is_best = known >= known.max(axis=-1, keepdims=True) - _ROUNDING
        return np.asarray(is_best.argmax(axis=-1))[..., np.newaxis]

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]: of positives and all instances, between adjacent thresholds."""
        curve, _ = self._curve(mean)
        return np.asarray(np.take_along_axis(curve, self._best(curve), axis=-1)[..., 0])

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]: that of F at the best threshold."""
        curve, denominator = self._curve(mean)
        best = self._best(curve)
        value = np.take_along_axis(curve, best, axis=-1)
        scale = ratio(np.ones_like(value), np.take_along_axis(denominator, best, axis=-1))
        is_chosen = (np.arange(self.n_thresholds) >= best).astype(np.float64)
        slopes = [is_chosen - value * (1 - self.eta), -value * self.eta * is_chosen]
        return np.concatenate([scale * slope for slope in slopes], axis=-1)

    def composition(self, model: Predictions) -> Composition:
        """Return F at each threshold, of which it is the largest; see `Measure.composition`."""
        found = self.candidates(model)
        return Composition(
            tuple(BandPart(measure, [model], 1 / len(found)) for _, measure in found),
            interval=lambda lows, highs: (float(lows.max()), float(highs.max())),
            settled=lambda lows, highs: np.asarray(highs < lows.max()),
        )

    def __repr__(self) -> str:
        return f"BestF(beta={self.beta!r}, positive={self.positive!r}, n_thresholds={self.n_thresholds!r})"


class _FAtThreshold(ScoreMeasure):
    """The F-measure if the class of interest is predicted where its probability is at least a threshold."""

    is_ratio = True
    value_range = (0.0, 1.0)

    def __init__(self, threshold: float, beta: float, positive: Any) -> None:
        super().__init__(positive)
        self.threshold, self.beta = threshold, beta
        self.eta = 1 / (1 + beta**2)
        self.name = f"F{beta:g} from {threshold:.3g} on"

    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:  # noqa: ARG002
        chosen = (scores >= self.threshold).astype(np.float64)
        first, second = np.zeros(scores.size, dtype=np.intp), np.ones(scores.size, dtype=np.intp)
        return Affine(
            sparse_rows([first, second], [chosen, np.full(scores.size, 1 - self.eta)], 2),
            sparse_rows([second], [self.eta * chosen], 2),
        )

    def alike(self, predictions: Predictions, instances: IntArray) -> tuple[IntArray, IntArray]:
        """Group instances on the same side of the threshold; see `Measure.alike`."""
        scores = scores_of(self, self._expect(ClassPredictions, predictions))
        _, first, group = np.unique(
            scores[instances] >= self.threshold, return_index=True, return_inverse=True
        )
        return instances[first], group.reshape(-1)

    def g(self, mean: FloatArray) -> FloatArray:
        return ratio(mean[..., 0], mean[..., 1])

    def gradient(self, mean: FloatArray) -> FloatArray:
        return ratio_gradient(mean)

    def __repr__(self) -> str:
        return f"_FAtThreshold({self.threshold!r}, {self.beta!r}, {self.positive!r})"
