"""Average precision: the area under the precision-recall curve, as a function of means."""

from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.base import ratio
from activeeval_widgets.stats.measures.score_measures import (
    Affine,
    ScoreMeasure,
    of_one_score,
    scores_of,
    sparse_rows,
)
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions

_N_INTERVALS = 48
_N_SINGLE = 16
"""The ranking is cut into 48 parts: 16 of one position at the top, then longer and longer ones."""


class AveragePrecision(ScoreMeasure):
    """The mean, over all positives, of the precision at their positions: Σ (R_n − R_{n−1}) P_n.

    The score is the probability of the class of interest; equal scores share a position. Undefined while
    there is no positive label.

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
    ROCAUC : Top and bottom of the ranking have equal weight.
    FMeasure : At one threshold.

    Notes
    -----
    With C(s) the share of the pool that scores at least s (known before any label), it is
    E E′[y y′ [s′ ≥ s] / C(s)] / E[y], a mean over pairs. The ranking is cut into 48 parts, short at the top.
    For pairs in different parts this is a product of means over single instances. For pairs within a part,
    which are few, it is approximated by such products (Hoeffding's projection). That is exact for parts of
    one or two positions, hence for pools up to 48; for larger ones the error is about 10⁻⁵, and 10⁻⁴ if many
    scores are equal. `pool_value` is exact for all.

    There is no guaranteed interval, because no estimating equation is known. The confidence sequence holds
    in the limit.

    References
    ----------
    Su, Yuan & Zhu, *A relationship between the average precision and the area under the ROC curve*, 2015;
    Pavlu & Aslam, *A practical sampling strategy for efficient retrieval evaluation*, 2007 (statAP); Yilmaz &
    Aslam, *Estimating average precision with incomplete and imperfect judgments*, CIKM 2006 (infAP);
    Hoeffding, *A class of statistics with asymptotically normal distribution*, 1948.

    Examples
    --------
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]])
    >>> round(pool_value(AveragePrecision(), model, [0, 0, 1, 1]), 3)
    0.833
    """

    summary = (
        "How near the top of the ranking the class of interest is; for a rare class more telling than AUC."
    )
    aliases = ("average-precision", "ap", "pr-auc")
    value_range = (0.0, 1.0)
    parts_count_whole_pool = True

    def __init__(self, positive: Any = 1) -> None:
        super().__init__(positive)
        self.name = self._called("average precision")

    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:  # noqa: ARG002
        size = scores.size
        n_parts = min(_N_INTERVALS, size)
        part, inverse, within = _weights(scores, n_parts)
        ones = np.ones(size)
        # With exclusions or weighted draws, the number above is counted, because it is not known.
        count = np.asarray(np.bincount(part, ones, n_parts), dtype=np.float64)
        typical = ratio(count, np.asarray(np.bincount(part, inverse, n_parts)))
        above = (count.cumsum() - count) / size
        own = ratio(typical - above, count / size)
        last = np.full(size, 5 * n_parts)
        of_positive = [part, n_parts + part, 2 * n_parts + part, last]
        values = [ones, inverse * typical[part], within * typical[part], (inverse - within) / size]
        return Affine(
            sparse_rows(of_positive, values, 5 * n_parts + 1),
            sparse_rows([3 * n_parts + part, 4 * n_parts + part], [ones, own[part]], 5 * n_parts + 1),
        )

    def of_pool(self, predictions: Predictions, labels: AnyArray) -> float:
        """Return the value on a labeled pool, by the definition; see `Measure.of_pool`."""
        model = self._expect(ClassPredictions, predictions)
        scores = scores_of(self, model)
        is_positive = model.encode(labels) == model.code_of(self.positive, name="positive")
        _, group, count = np.unique(-scores, return_inverse=True, return_counts=True)
        found = np.bincount(group, is_positive)
        if not found.sum() > 0:
            return float("nan")
        precision = found.cumsum() / count.cumsum()
        return float(found @ precision / found.sum())

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        parts = _split(mean)
        with np.errstate(divide="ignore", invalid="ignore"):
            return ratio(parts.pairs.sum(axis=-1) + parts.selves, parts.positive.sum(axis=-1))

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        parts = _split(mean)
        share = parts.positive.sum(axis=-1, keepdims=True)
        of_across = parts.across * parts.scale
        of_all = -parts.pairs * parts.scale
        slopes = [
            parts.within * parts.scale + _after(of_across) - self.g(mean)[..., np.newaxis],
            parts.above * parts.scale,
            parts.positive * parts.scale,
            _after(of_all),
            of_all,
            np.ones_like(share),
        ]
        return np.concatenate([ratio(slope, share) for slope in slopes], axis=-1)

    def unevenness(self, predictions: Predictions, mean: FloatArray, share: float) -> float:
        """Return the limit if labelable instances are anywhere in their parts; see `Measure.unevenness`."""
        model, _, affine = self._affine(predictions)
        everything, own = np.split(np.asarray(affine.always.mean(axis=0)).ravel()[:-1], 5)[3:]
        parts, one = _split(mean), 1 / model.n_instances
        kept = share * np.split(mean[:-1], 5)[3]
        above, kept_above = everything.cumsum() - everything, kept.cumsum() - kept
        # The assumed number at or above a position, by the pool, as a share of the instances that are kept.
        scale = ratio(share * ratio(np.ones(own.size), parts.scale), above + own)
        first, last = scale * (above + one), scale * (above + everything)
        excluded = np.clip(1 - ratio(kept, everything), 0, 1)
        scores = scores_of(self, model)
        part = _weights(scores, own.size)[0]
        # If all scores of a part are equal, all positions are the last one.
        off_first = ratio(np.abs(kept_above + np.minimum(kept, one) - first) + excluded * kept, first)
        off_last = ratio(np.abs(kept_above + kept - last), last)
        off = np.where(of_one_score(scores, part, own.size), off_last, np.maximum(off_first, off_last))
        inside = parts.positive * parts.within * parts.scale
        missed = (
            np.abs(parts.pairs) @ np.nan_to_num(off)
            + np.abs(inside) @ np.nan_to_num(excluded)
            + abs(parts.selves) * (1 / share - 1)
        )
        return float(ratio(np.asarray(missed), np.asarray(parts.positive.sum())))


class _Means(NamedTuple):
    """The parts of E[z], each of shape (…, n_parts) from the top, `selves` (…)."""

    positive: FloatArray
    across: FloatArray
    within: FloatArray
    """The positives' share, and their weights in pairs with higher parts, and within their own."""
    above: FloatArray
    """The share of positives in all higher parts."""
    scale: FloatArray
    """One over the share of instances above a position of this part."""
    pairs: FloatArray
    """The contribution of pairs whose lower member is in this part."""
    selves: FloatArray
    """The additional contribution of an instance's pair with itself."""


def _split(mean: FloatArray) -> _Means:
    positive, across, within, everything, own = np.split(mean[..., :-1], 5, axis=-1)
    below = everything.cumsum(axis=-1) - everything + own
    scale = np.divide(1.0, below, out=np.zeros_like(below), where=below > 0)
    above = positive.cumsum(axis=-1) - positive
    pairs = (across * above + positive * within) * scale
    return _Means(positive, across, within, above, scale, pairs, mean[..., -1])


def _after(values: FloatArray) -> FloatArray:
    """Return the sum over all lower parts, for each part."""
    return np.asarray(values.sum(axis=-1, keepdims=True) - values.cumsum(axis=-1))


def _weights(scores: FloatArray, n_parts: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return each instance's part of the ranking, 1/C, and its factor in pairs within a part.

    Within a part, y y′ ([s′ ≥ s]/C + [s ≥ s′]/C′)/2 is replaced by its best approximation y y′ (φ + φ′)/2.
    """
    size = scores.size
    _, group, count = np.unique(-scores, return_inverse=True, return_counts=True)
    place = count.cumsum() - (count - 1) / 2
    at: FloatArray = place - 1
    if size > n_parts:
        lengths = np.log(np.maximum(place, _N_SINGLE) / _N_SINGLE) / np.log(size / _N_SINGLE)
        at = np.where(place <= _N_SINGLE, np.ceil(place) - 1, _N_SINGLE + (n_parts - _N_SINGLE) * lengths)
    part: IntArray = np.minimum(at.astype(np.intp), n_parts - 1)
    inverse = size / count.cumsum()
    # By tie group, from the top: instances of the same part at or above, and 1/C of those at or below.
    of_part = np.asarray(np.bincount(part, count, n_parts), dtype=np.float64)
    start = (of_part.cumsum() - of_part)[part]
    higher = count.cumsum() - start
    total: FloatArray = count * inverse
    lower = np.bincount(part, total, n_parts).cumsum()[part] - total.cumsum() + total
    others = np.maximum(of_part[part] - 1, 1)
    mean = (inverse * (higher - 1) + lower - inverse) / (2 * others)
    center = np.bincount(part, count * mean, n_parts)[part] / of_part[part]
    more = np.where(others > 1, others / np.maximum(others - 1, 1), 1.0)
    within = np.where(of_part[part] > 1, center + 2 * (mean - center) * more, inverse)
    return part[group], inverse[group], within[group]
