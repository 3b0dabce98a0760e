"""The confusion matrices of two models from the same draws without replacement, and their difference."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.confusion_matrix import (
    _believed,
    _by_prediction,
    _errors,
    _weighted_cells,
    _without_negative,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.estimator import check_drawn
from activeeval_widgets.stats.adaptive.few_deviations import Drawn
from activeeval_widgets.stats.adaptive.weighting import Weighing, weigh
from activeeval_widgets.stats.fixed_n.confusion_matrix import ConfusionEstimate
from activeeval_widgets.stats.fixed_n.confusion_pair import ConfusionPair
from activeeval_widgets.stats.measures.classes import ClassMeasure
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.questions.make import target_of


def estimate_adaptive_confusions(
    measure: ClassMeasure,
    first: ClassPredictions,
    second: ClassPredictions,
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    rule: DrawRule = DRAW_RULE,
) -> ConfusionPair:
    """Estimate two models' confusion matrices from the same labels, with the weights of their difference.

    A cell of each is a mean, as in `estimate_adaptive_confusion`, but with weights and belief of the two
    models' difference in the measure: so the measures of the two matrices differ by that estimate. Where the
    models predict the same, a label moves a cell of both alike: only where they differ does it add to the
    error of the cells' difference.

    Parameters are those of `estimate_adaptive_confusion`, for two models.
    """
    models = [first, second]
    target = target_of(measure, models)
    drawn = check_drawn(target, draws, q_draws, y_true, rule=rule)
    k = first.n_classes
    labels = first.encode(drawn.labels)
    cells = [model.pred_codes[drawn.draws[drawn.labeled]] * k + labels for model in models]
    seen = [np.bincount(each, minlength=k * k).reshape(k, k) for each in cells]
    nothing: FloatArray = np.full((k, k), np.nan)
    unknown = [ConfusionEstimate(first.classes, nothing, nothing, each) for each in seen]
    if not labels.size:
        return ConfusionPair(unknown[0], unknown[1], nothing)
    if drawn.draws.size == first.size:
        zero = np.zeros((k, k))
        one, two = (ConfusionEstimate(first.classes, each / labels.size, zero, each) for each in seen)
        return ConfusionPair(one, two, zero)
    found = weigh(target, drawn, rule)
    made = []
    for model, own, n_seen in zip(models, cells, seen, strict=True):
        total = _weighted_cells(model, drawn, own, found, found.kept)
        if not total.sum() > 0:
            return ConfusionPair(unknown[0], unknown[1], nothing)
        shares = _without_negative(total / total.sum(), measure.alike_cells(model))
        made.append(ConfusionEstimate(first.classes, shares, _errors(model, drawn, own, found), n_seen))
    return ConfusionPair(made[0], made[1], _errors_of_difference(models, drawn, cells, found))


def _errors_of_difference(
    models: list[ClassPredictions], drawn: Drawn, cells: list[IntArray], found: Weighing
) -> FloatArray:
    """As `_errors`, of first minus second: the root of Σ w² (Y[cell, first] − Y[cell, second] − …)²."""
    one, two = models
    k, m, draws = one.n_classes, one.size, drawn.draws
    everything = np.ones(m) if one.counts is None else one.counts.astype(np.float64)
    means = [_weighted_cells(model, drawn, own, found, 1.0) for model, own in zip(models, cells, strict=True)]
    total = means[0].sum()  # the share that can be labeled, the same for both
    difference = (means[0] - means[1]) / total
    believed = _believed(found)
    expected = _by_prediction(one, believed, everything) - _by_prediction(two, believed, everything)
    expected -= m * difference
    codes = np.full(draws.size, -1)
    codes[drawn.labeled] = cells[0] % k
    w2 = found.weights**2
    until = np.concatenate([[0.0], w2.cumsum()])
    squares = np.zeros((k, k))
    for row in range(k):
        # What a draw moves: +1 where the first model alone predicts this class, −1 where the second does.
        sign = (one.pred_codes[draws] == row).astype(np.float64) - (two.pred_codes[draws] == row)
        at = np.flatnonzero((sign != 0) | ~drawn.labeled)
        moves = -believed[draws[at]] * sign[at, np.newaxis]
        here = np.flatnonzero(drawn.labeled[at])
        moves[here, codes[at[here]]] += sign[at[here]]
        moves += (~drawn.labeled[at])[:, np.newaxis] * difference[row]
        before = expected[row] + np.concatenate([np.zeros((1, k)), moves.cumsum(axis=0)])
        between = until[np.append(at, draws.size)] - until[np.concatenate([[0], at + 1])]
        squares[row] = between @ before**2
        squares[row] += w2[at] @ (before[:-1] + moves / drawn.q_draws[at, np.newaxis]) ** 2
    scale = 1 / (m * total)
    if draws.size > 1:
        scale *= np.sqrt(draws.size / (draws.size - 1))
    errors: FloatArray = scale * np.sqrt(squares)
    return errors
