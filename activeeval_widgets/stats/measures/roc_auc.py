"""The area under the ROC curve, as a function of a few means."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import BandPart, Composition, ratio, ratio_gradient
from activeeval_widgets.stats.measures.labels import LabelShare
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.measures.score_measures import (
    Affine,
    ScoreMeasure,
    of_one_score,
    places,
    scores_of,
    sparse_rows,
)
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions

_N_INTERVALS = 16
"""Number of intervals of scores in which labelable instances are counted."""

_SHARE_OF_RANKS = 0.75
"""Share of α for the interval of the positives' places; the rest is for their share of the pool."""

_ROUNDING = 1e-13


class ROCAUC(ScoreMeasure):
    """The area under the ROC curve: the chance that a positive has a greater score than a negative.

    Ties count half. The score is the probability of the class of interest. Where R(x), the share of the pool
    with a smaller score, is known, A = (E[y R] − π²/2) / (π (1 − π)) with π = E[y]: Wilcoxon's rank sum. Its
    influence is y (F₀(s) − A)/π + (1 − y)(F̄₁(s) − A)/(1 − π), F₀ the share of negatives below the score and
    F̄₁ that of positives above. Undefined while there is no positive, or no negative, label.

    Parameters
    ----------
    positive : class label
        The class of interest. Label 1 unless given.

    Raises
    ------
    ValueError, TypeError
        On use: if `positive` is not one of the predictions' classes, or they have no probabilities.

    See Also
    --------
    AveragePrecision : For rare classes of interest, if the top of the ranking counts.

    Notes
    -----
    R is approximated by the share of labelable instances in lower intervals of 16 of scores, plus the place
    within the own interval. With the whole pool that is R itself; with weighted draws, or with exclusions, it
    is R among the remaining instances, up to their uneven distribution within intervals, by which approximate
    intervals are wider (`Measure.unevenness`). Where q is fixed there are none: positives with low scores are
    hardly drawn, so they missed the value of a rare class too often.

    The confidence sequence is exact: it combines one for the mean of R over the positives and one for π,
    which hold together. Its R is that in the whole pool, excluded instances included.

    References
    ----------
    Mann & Whitney, *On a test of whether one of two random variables is stochastically larger than the
    other*, 1947; Hanley & McNeil, *The meaning and use of the area under a ROC curve*, 1982; the influence:
    DeLong, DeLong & Clarke-Pearson, *Comparing the areas under two or more correlated ROC curves*, 1988.

    Examples
    --------
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]])
    >>> pool_value(ROCAUC(), model, [0, 0, 1, 1])
    0.75
    """

    summary = "How well the scores tell the class of interest from the rest, whatever the threshold."
    aliases = ("roc-auc", "auc")
    sentence = "The model's {name} is {value}."
    value_range = (0.0, 1.0)
    parts_count_whole_pool = True
    has_limit_if_weighted = False
    n_carrying = 10.0  # with 5, a rare class of an overconfident model was missed in 9 % of 120 sessions

    def __init__(self, positive: Any = 1) -> None:
        super().__init__(positive)
        self.name = self._called("ROC AUC")

    @property
    def long_name(self) -> str:
        """The name, with abbreviations spelled out."""
        return self.name.replace("ROC AUC", "area under the ROC curve (ROC AUC)")

    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:  # noqa: ARG002
        n_intervals = min(_N_INTERVALS, scores.size)
        found, ones = places(scores, n_intervals), np.ones(scores.size)
        of_positive = [found.interval, n_intervals + found.interval]
        return Affine(
            sparse_rows(of_positive, [ones, found.within], 3 * n_intervals),
            sparse_rows([2 * n_intervals + found.interval], [ones], 3 * n_intervals),
        )

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]: of positives, their places, and all instances, by interval."""
        positive, within, everything = np.split(mean, 3, axis=-1)
        share = positive.sum(axis=-1)
        below = everything.cumsum(axis=-1) - everything
        rank_sum = (positive * below + everything * within).sum(axis=-1)
        return ratio(rank_sum - share**2 / 2, _pairs(share))

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        positive, within, everything = np.split(mean, 3, axis=-1)
        share = positive.sum(axis=-1, keepdims=True)
        below = everything.cumsum(axis=-1) - everything
        above = share - positive.cumsum(axis=-1)
        value = self.g(mean)[..., np.newaxis]
        slopes = [below - share - value * (1 - 2 * share), everything, above + within]
        return np.concatenate([ratio(slope, _pairs(share)) for slope in slopes], axis=-1)

    def unevenness(self, predictions: Predictions, mean: FloatArray, share: float) -> float:
        """Return the limit if labels may be anywhere in intervals; see `Measure.unevenness`."""
        model, _, affine = self._affine(predictions)
        positive, _, everything = np.split(mean, 3)
        in_pool = np.split(np.asarray(affine.always.mean(axis=0)).ravel(), 3)[2]
        interval = places(scores_of(self, model), positive.size).interval
        is_even = of_one_score(scores_of(self, model), interval, positive.size)
        # No place changes by more than the excluded share of its interval.
        excluded = np.where(is_even, 0.0, np.clip(1 - share * ratio(everything, in_pool), 0, 1))
        total = float(positive.sum())
        return float(ratio(positive @ (everything * excluded), _pairs(np.array(total))))

    def composition(self, model: Predictions) -> Composition:
        """Return the positives' mean place and their share; see `Measure.composition`."""
        place = BandPart(_MeanPlace(self.positive), [model], _SHARE_OF_RANKS)
        return Composition((place, self._share(model)), _area)

    def difference_composition(self, first: Predictions, second: Predictions) -> Composition:
        """Return the difference of the positives' places and their share; see the base."""
        places = BandPart(_PlacesOfPositives(self.positive), [first, second], _SHARE_OF_RANKS)
        return Composition((places, self._share(first)), _area_difference)

    def _share(self, model: Predictions) -> BandPart:
        return BandPart(LabelShare(self.positive), [model], 1 - _SHARE_OF_RANKS)


def _area(lows: FloatArray, highs: FloatArray) -> tuple[float, float]:
    """Return the ends of A = (C − π/2)/(1 − π) for a mean place C: monotone in both parts."""
    shares = np.array([lows[1], highs[1]])
    ends = np.array([lows[0], highs[0]])[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        return _hull((ends - shares / 2) / (1 - shares), 0.0)


def _area_difference(lows: FloatArray, highs: FloatArray) -> tuple[float, float]:
    """Return the ends of A₁ − A₂ = (E[y R₁] − E[y R₂])/(π (1 − π)), which is largest at the ends of π."""
    shares = np.array([lows[1], highs[1]])
    ends = np.array([lows[0], highs[0]])[:, np.newaxis]
    if shares[0] < 0.5 < shares[1]:
        shares = np.append(shares, 0.5)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _hull(ends / (shares * (1 - shares)), -1.0)


def _hull(values: FloatArray, least: float) -> tuple[float, float]:
    """Return the ends of all values, with those at lower ends first; NaN (0/0) limits nothing."""
    low = np.where(np.isnan(values[0]), least, values[0]).min()
    high = np.where(np.isnan(values[1]), 1.0, values[1]).max()
    return float(np.clip(low, least, 1.0)), float(np.clip(high, least, 1.0))


def _pairs(share: FloatArray) -> FloatArray:
    """Return π (1 − π), the share of pairs of a positive and a negative; 0 instead of rounding errors."""
    pairs = share * (1 - share)
    return np.asarray(np.where(pairs > _ROUNDING, pairs, 0.0))


def _of_positives(columns: Sequence[FloatArray]) -> Affine:
    """Return statistics that are 0 for negatives."""
    n_instances = columns[0].size
    numbers = [np.full(n_instances, number) for number in range(len(columns))]
    nothing = sparse_rows(numbers, [np.zeros(n_instances)] * len(columns), len(columns))
    nothing.eliminate_zeros()
    return Affine(sparse_rows(numbers, columns, len(columns)), nothing)


class _MeanPlace(ScoreMeasure):
    """E[y R]/E[y]: the mean share of the pool that is below a positive."""

    name = "mean place of the positives"
    value_range = (0.0, 1.0)
    is_ratio = True

    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:  # noqa: ARG002
        return _of_positives([places(scores, 1).below, np.ones(scores.size)])

    def g(self, mean: FloatArray) -> FloatArray:
        return ratio(mean[..., 0], mean[..., 1])

    def gradient(self, mean: FloatArray) -> FloatArray:
        return ratio_gradient(mean)


class _PlacesOfPositives(Risk, ScoreMeasure):
    """E[y R]."""

    name = "places of the positives"
    value_range = (0.0, 1.0)

    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:  # noqa: ARG002
        return _of_positives([places(scores, 1).below])
