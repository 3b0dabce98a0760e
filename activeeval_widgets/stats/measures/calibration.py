"""The expected calibration error, and its bins of confidence."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.measures.base import BandPart, Composition, Measure, ratio, ratio_gradient
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.measures.tables import Scorer, check_promises, class_loss_bounds, class_moments
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, ClassBelief
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class Confidences(NamedTuple):
    """Each instance's confidence, the position of its class, and its bin of (0, 1/n], (1/n, 2/n], …."""

    confidence: FloatArray
    code: IntArray
    bin: IntArray

    def of(self, chosen: IntArray) -> "Confidences":
        """Return those of some instances."""
        return Confidences(self.confidence[chosen], self.code[chosen], self.bin[chosen])


def confidences_of(measure: Any, model: ClassPredictions, n_bins: int, positive: Any = None) -> Confidences:
    """Return the confidences in predicted classes, or in one class of interest, and their bins."""
    check_promises(measure, model)
    if positive is None:
        confidence, code = model.confidence, model.pred_codes
    else:
        at = model.code_of(positive, name="positive")
        confidence, code = model.y_proba[:, at], np.full(model.n_instances, at)
    which = np.ceil(confidence * n_bins).astype(np.intp) - 1
    return Confidences(confidence, code, np.clip(which, 0, n_bins - 1))


class _OfConfidence(Measure):
    """A measure with z affine in whether the label is the class that the confidence is in."""

    predictions_kind = "class"
    n_bins: int
    positive: Any = None
    moments = class_moments
    loss_bounds = class_loss_bounds

    @abstractmethod
    def _parts(self, confidences: Confidences) -> tuple[FloatArray, FloatArray]:
        """Return z if the label is that class, and if it is another; (n_instances, n_statistics) each."""

    def _with_confidences(self, predictions: Predictions) -> tuple[ClassPredictions, Confidences]:
        model = self._expect(ClassPredictions, predictions)
        return model, confidences_of(self, model, self.n_bins, self.positive)

    def statistics(self, predictions: Predictions, y_true: ArrayLike, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        # Of the draws only, because this is called for each label.
        model, confidences = self._with_confidences(self._expect(ClassPredictions, predictions).part(draws))
        is_right = model.encode(y_true) == confidences.code
        if_right, if_wrong = self._parts(confidences)
        return np.asarray(np.where(is_right[:, np.newaxis], if_right, if_wrong))

    def expectation(self, predictions: Predictions, belief: Belief) -> Expectation:
        """Return E[z | x], rows on demand; see `Measure.expectation`."""
        model, confidences = self._with_confidences(predictions)
        proba_of = self._expect(ClassBelief, belief).proba_of

        def rows(chosen: IntArray) -> FloatArray:
            some = confidences.of(chosen)
            chance = np.take_along_axis(proba_of(chosen), some.code[:, np.newaxis], axis=1)
            if_right, if_wrong = self._parts(some)
            return np.asarray(chance * if_right + (1 - chance) * if_wrong)

        total = self.introspective_mean(model, belief) * model.size
        return Expectation(rows, total, model.n_instances, model.counts)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        model, confidences = self._with_confidences(predictions)
        y_proba = self._expect(ClassBelief, belief).y_proba
        chance = np.take_along_axis(y_proba, confidences.code[:, np.newaxis], axis=1)
        if_right, if_wrong = self._parts(confidences)
        return np.asarray(model.average(chance * if_right + (1 - chance) * if_wrong))

    def _scorer(self, model: ClassPredictions, direction: FloatArray) -> Scorer:
        _, confidences = self._with_confidences(model)
        if_right, if_wrong = (part @ direction for part in self._parts(confidences))
        classes = np.arange(model.n_classes)

        def scores(rows: slice) -> FloatArray:
            is_right = classes == confidences.code[rows, np.newaxis]
            return np.where(is_right, if_right[rows, np.newaxis], if_wrong[rows, np.newaxis])

        return scores

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models have the same confidence in the same class."""
        _, a = self._with_confidences(first)
        _, b = self._with_confidences(second)
        return np.asarray((a.code == b.code) & (a.confidence == b.confidence))


class CalibrationError(_OfConfidence):
    """The expected calibration error: the mean distance between confidence and accuracy over bins.

    Σ over bins of |E[(c(x) − [y is the predicted class]) [x is in the bin]]|, where c(x) is the probability
    of the predicted class.

    Parameters
    ----------
    n_bins : int
        Number of bins of equal width from 0 to 1.

    Raises
    ------
    ValueError, TypeError
        If `n_bins` is not a positive whole number; on use, if predictions have no probabilities.

    See Also
    --------
    calibration_curve : The curve behind it, bin by bin.
    BrierScore : A loss that does not depend on bins.

    Notes
    -----
    Estimates are biased upward, because noise in a bin counts as distance: by up to Σ sqrt(2/π) S_b for a
    calibrated model, with S_b a bin's standard error. `CalibrationCurve.error_corrected` subtracts the
    expected bias. The confidence sequence is exact, because it is composed of one for each bin; for one
    model's error there is no approximate interval, because the bias would make it wrong.

    References
    ----------
    Naeini, Cooper & Hauskrecht, *Obtaining well calibrated probabilities using Bayesian binning*, AAAI 2015;
    Guo et al., *On calibration of modern neural networks*, ICML 2017, eq. 5.

    Examples
    --------
    >>> sure = ClassPredictions([[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.7, 0.3]])
    >>> round(pool_value(CalibrationError(), sure, [0, 1, 1, 0]), 3)
    0.25
    """

    summary = "How far the model's confidence is from how often it is right, on average."
    aliases = ("calibration-error", "ece")
    sentence = "The model's confidence is off by {value} on average."
    name = "calibration error"
    value_range = (0.0, 1.0)
    is_share = True
    is_smooth = False
    greater_is_better = False

    def __init__(self, n_bins: int = 10) -> None:
        self.n_bins = check_bins(n_bins)

    @property
    def long_name(self) -> str:
        """The name, with abbreviations spelled out."""
        return f"expected {self.name} over {self.n_bins} bins of confidence"

    def _parts(self, confidences: Confidences) -> tuple[FloatArray, FloatArray]:
        inside = np.equal.outer(confidences.bin, np.arange(self.n_bins)).astype(np.float64)
        if_wrong: FloatArray = inside * confidences.confidence[:, np.newaxis]
        return if_wrong - inside, if_wrong

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        return np.asarray(np.abs(mean).sum(axis=-1))

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        return np.asarray(np.where(np.isnan(mean), np.nan, np.sign(mean)))

    def composition(self, model: Predictions) -> Composition:
        """Return the contribution of each bin; see `Measure.composition`."""
        _, confidences = self._with_confidences(model)
        bins = np.unique(confidences.bin).tolist()
        parts = tuple(BandPart(_Gap(self.n_bins, each), [model], 1 / len(bins)) for each in bins)
        return Composition(parts, self._sum_of_distances)

    @staticmethod
    def _sum_of_distances(lows: FloatArray, highs: FloatArray) -> tuple[float, float]:
        least = np.maximum(np.maximum(lows, -highs), 0.0).sum()
        greatest = np.maximum(np.abs(lows), np.abs(highs)).sum()
        return min(float(least), 1.0), min(float(greatest), 1.0)

    def __repr__(self) -> str:
        return f"CalibrationError(n_bins={self.n_bins!r})"


class _Gap(Risk, _OfConfidence):
    """E[(c(x) − [y is the predicted class]) [x is in a bin]]."""

    name = "what a bin adds to the calibration error"
    value_range = (-1.0, 1.0)

    def __init__(self, n_bins: int, at: int) -> None:
        self.n_bins, self.at = n_bins, at

    def _parts(self, confidences: Confidences) -> tuple[FloatArray, FloatArray]:
        inside = (confidences.bin == self.at).astype(np.float64)
        if_wrong = (inside * confidences.confidence)[:, np.newaxis]
        return if_wrong - inside[:, np.newaxis], if_wrong

    def __repr__(self) -> str:
        return f"_Gap({self.n_bins!r}, {self.at!r})"


class _AccuracyInBin(_OfConfidence):
    """How often the label is the class that the confidence is in, within one bin."""

    is_ratio = True
    greater_is_better = True
    value_range = (0.0, 1.0)

    def __init__(self, n_bins: int, at: int, of: Any = None) -> None:
        self.n_bins, self.at, self.positive = n_bins, at, of
        self.name = f"accuracy in bin {at + 1} of {n_bins}"

    def _parts(self, confidences: Confidences) -> tuple[FloatArray, FloatArray]:
        inside = (confidences.bin == self.at).astype(np.float64)
        return np.stack([inside, inside], axis=1), np.stack([np.zeros_like(inside), inside], axis=1)

    def g(self, mean: FloatArray) -> FloatArray:
        return ratio(mean[..., 0], mean[..., 1])

    def gradient(self, mean: FloatArray) -> FloatArray:
        return ratio_gradient(mean)

    def outcomes(
        self,
        models: Sequence[Predictions],
        y_range: tuple[float, float] | None,  # noqa: ARG002
    ) -> Iterator[FloatArray]:
        parts = [self._parts(self._with_confidences(model)[1]) for model in models]
        for outcome in zip(*parts, strict=True):
            yield np.concatenate(outcome, axis=1)

    def alike(self, predictions: Predictions, instances: IntArray) -> tuple[IntArray, IntArray]:
        _, confidences = self._with_confidences(predictions)
        inside = confidences.bin[instances] == self.at
        _, first, group = np.unique(inside, return_index=True, return_inverse=True)
        return instances[first], group.reshape(-1)

    def __repr__(self) -> str:
        return f"_AccuracyInBin({self.n_bins!r}, {self.at!r}, {self.positive!r})"


def accuracies(model: ClassPredictions, n_bins: int, positive: Any = None) -> list[Measure]:
    """Return a measure for each nonempty bin: how often the label is the class that the confidence is in."""
    confidences = confidences_of(CalibrationError(n_bins), model, n_bins, positive)
    return [_AccuracyInBin(n_bins, at, positive) for at in np.unique(confidences.bin).tolist()]


def check_bins(n_bins: Any) -> int:
    """Return a number of bins, 1 or more."""
    number = check_count("n_bins", n_bins)
    if not number:
        raise ValueError("n_bins is 0, expected at least 1")
    return number
