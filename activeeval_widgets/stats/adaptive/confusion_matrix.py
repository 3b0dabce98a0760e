"""The confusion matrices behind an estimate from draws without replacement."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.estimator import check_drawn
from activeeval_widgets.stats.adaptive.few_deviations import Drawn
from activeeval_widgets.stats.adaptive.weighting import Weighing, weigh
from activeeval_widgets.stats.fixed_n.confusion_matrix import (
    ConfusionEstimate,
    ConfusionPair,
    as_class_models,
    matrices_of,
)
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.tables import alike_cells
from activeeval_widgets.stats.predictions.beliefs import ClassBelief
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.questions.make import target_of


@overload
def estimate_adaptive_confusion(
    measure: Measure,
    predictions: ClassPredictions,
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    rule: DrawRule = ...,
) -> ConfusionEstimate: ...


@overload
def estimate_adaptive_confusion(
    measure: Measure,
    predictions: Sequence[ClassPredictions],
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    rule: DrawRule = ...,
) -> ConfusionEstimate | ConfusionPair: ...


def estimate_adaptive_confusion(
    measure: Measure,
    predictions: ClassPredictions | Sequence[ClassPredictions],
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    rule: DrawRule = DRAW_RULE,
) -> ConfusionEstimate | ConfusionPair:
    """Estimate the confusion matrix from labeled draws without replacement, with the weights of a measure.

    A cell is a mean of [cell], so that the weights by which `estimate_adaptive` computes E z give the cells
    as well: the measure of this matrix is the value of that estimate. The matrices of two models have the
    weights and the belief of their difference, so that their measures differ by the estimated difference.

    Parameters
    ----------
    measure : ErrorRate, FMeasure or another measure of classes
        The measure whose estimate the matrix agrees with.
    predictions : ClassPredictions or list of two ClassPredictions
        The model; or two, for both matrices and the errors of their difference.
    draws : array-like of shape (n_draws,)
        Distinct indices into the pool, in draw order.
    q_draws : array-like of shape (n_draws,)
        The probability of each draw, given those before it.
    y_true : array-like of shape (n_draws,)
        Their labels; None for an excluded draw. The matrix is of the instances that can be labeled.
    rule : DrawRule
        Constants of the draws.

    Returns
    -------
    ConfusionEstimate, or ConfusionPair
        Exact, with standard errors of 0, once the whole pool is drawn. Until then cells without labels have
        their expected shares. Standard errors are of the labels' part before shrinkage.

    Raises
    ------
    ValueError, TypeError
        If arguments don't match, a draw is repeated, or a probability is not in (0, 1].

    See Also
    --------
    estimate_confusion : from draws with replacement.

    Notes
    -----
    With weights w of the terms that sum to 1, and the share κ of the labels' contribution that shrinkage
    keeps, a cell is ([cell] of labeled draws times a + E[cell | x] of draws times b + E[cell | x] of all
    remaining instances) / m, with a_s = 1 − κ + κ (Σ_{t>s} w_t + w_s/q_s) and b_s = κ (Σ_{t≤s} w_t −
    w_s/q_s). It is divided by the same sum for "can be labeled". b may be negative, and so may a cell: cells
    to which the measure gives the same weight (`alike_cells`) then make up for it. Where there are none, as
    for the Matthews correlation, it stays negative; it is 0 only if the estimate itself is cut off at the
    end of its range, because for such measures there may be no matrix that agrees with it.

    Examples
    --------
    >>> found = estimate_adaptive_confusion(ErrorRate(), model, [1, 0, 2], [1 / 3, 1 / 2, 1], [0, 0, 1])
    >>> found.shares.round(3).tolist()
    [[0.333, 0.0], [0.333, 0.333]]
    """
    if getattr(measure, "predictions_kind", None) != "class":
        raise TypeError(f"measure must be one for classes, such as ErrorRate(), got {measure!r}")
    models = as_class_models(predictions)
    first, target = models[0], target_of(measure, models)
    drawn = check_drawn(target, draws, q_draws, y_true, rule=rule)
    k = first.n_classes
    labels = first.encode(drawn.labels)
    cells = [model.pred_codes[drawn.draws[drawn.labeled]] * k + labels for model in models]
    seen = [np.bincount(own, minlength=k * k).reshape(k, k) for own in cells]
    nothing: FloatArray = np.full((k, k), np.nan)
    unknown = matrices_of(
        [ConfusionEstimate(first.classes, nothing, nothing, n_seen) for n_seen in seen], nothing
    )
    if not labels.size:
        return unknown
    if drawn.draws.size == first.size:
        zero = np.zeros((k, k))
        return matrices_of(
            [ConfusionEstimate(first.classes, n_seen / labels.size, zero, n_seen) for n_seen in seen], zero
        )
    found = weigh(target, drawn, rule)
    matrices = []
    for model, own, n_seen in zip(models, cells, seen, strict=True):
        total = _weighted_cells(model, drawn, own, found, found.kept)
        if not total.sum() > 0:
            return unknown
        shares = _without_negative(total / total.sum(), alike_cells(measure, model))
        errors = _errors([model], drawn, [own], found)
        matrices.append(ConfusionEstimate(first.classes, shares, errors, n_seen))
    matrix, *others = matrices
    if others:
        return matrices_of(matrices, _errors(models, drawn, cells, found))
    least, greatest = target.range
    if least <= found.value <= greatest:
        return matrix
    # The estimate is cut off there, too.
    shares = np.maximum(matrix.shares, 0)
    return replace(matrix, shares=shares / shares.sum())


def _weighted_cells(
    model: ClassPredictions, drawn: Drawn, cells: IntArray, found: Weighing, kept: float
) -> FloatArray:
    """Return each cell's mean over the pool, (n_classes, n_classes): they sum to the labelable share."""
    k, own = model.n_classes, found.weights / drawn.q_draws
    until = found.weights.cumsum()
    of_labels = (1 - kept + kept * (1 - until + own))[drawn.labeled]
    of_belief = model.left(drawn.draws).astype(np.float64)
    np.add.at(of_belief, drawn.draws, kept * (until - own))
    known = np.bincount(cells, weights=of_labels, minlength=k * k).reshape(k, k)
    total: FloatArray = (known + _by_prediction(model, _believed(found), of_belief)) / model.size
    return total


def _believed(found: Weighing) -> FloatArray:
    """Return the believed class probabilities, (n_instances, n_classes)."""
    return cast("ClassBelief", found.belief).y_proba


def _by_prediction(model: ClassPredictions, y_proba: FloatArray, weights: FloatArray) -> FloatArray:
    """Return Σ weight · E[cell | x] over the pool, (n_classes, n_classes)."""
    m = model.n_instances
    predicted = csr_array((weights, model.pred_codes, np.arange(m + 1)), shape=(m, model.n_classes))
    return np.asarray(predicted.T @ y_proba)


def _without_negative(shares: FloatArray, alike: IntArray) -> FloatArray:
    """Return shares with the same sum over alike cells, but without cells of the opposite sign."""
    if not (shares < 0).any():
        return shares
    numbers = alike.ravel()
    sums = np.bincount(numbers, weights=shares.ravel())[numbers].reshape(shares.shape)
    kept = np.where(np.sign(shares) == np.sign(sums), shares, 0.0)
    of_kept = np.bincount(numbers, weights=kept.ravel())[numbers].reshape(shares.shape)
    made: FloatArray = np.divide(kept * sums, of_kept, out=np.zeros_like(kept), where=of_kept != 0)
    return made


def _errors(
    models: Sequence[ClassPredictions], drawn: Drawn, cells: Sequence[IntArray], found: Weighing
) -> FloatArray:
    """Return standard errors of one model's cells, or of first minus second.

    The root of Σ w² (Y[cell] − share Y["can be labeled"])², as for the estimate.
    """
    one = models[0]
    k, m, draws = one.n_classes, one.size, drawn.draws
    everything = np.ones(m) if one.counts is None else one.counts.astype(np.float64)
    believed = _believed(found)
    means = [_weighted_cells(model, drawn, own, found, 1.0) for model, own in zip(models, cells, strict=True)]
    total = means[0].sum()  # the share that can be labeled, the same for both
    mean, expected = means[0], _by_prediction(one, believed, everything)
    for two, its in zip(models[1:], means[1:], strict=True):
        mean = mean - its
        expected = expected - _by_prediction(two, believed, everything)
    shares = mean / total
    expected = expected - m * shares
    codes = np.full(draws.size, -1)
    codes[drawn.labeled] = cells[0] % k
    w2 = found.weights**2
    until = np.concatenate([[0.0], w2.cumsum()])
    squares = np.zeros((k, k))
    for row in range(k):
        # A draw's contribution: +1 where the first model predicts this class, −1 where the second does.
        sign = (one.pred_codes[draws] == row).astype(np.float64)
        for two in models[1:]:
            sign -= two.pred_codes[draws] == row
        at = np.flatnonzero((sign != 0) | ~drawn.labeled)
        moves = -believed[draws[at]] * sign[at, np.newaxis]
        here = np.flatnonzero(drawn.labeled[at])
        moves[here, codes[at[here]]] += sign[at[here]]
        moves += (~drawn.labeled[at])[:, np.newaxis] * shares[row]
        before = expected[row] + np.concatenate([np.zeros((1, k)), moves.cumsum(axis=0)])
        between = until[np.append(at, draws.size)] - until[np.concatenate([[0], at + 1])]
        squares[row] = between @ before**2
        squares[row] += w2[at] @ (before[:-1] + moves / drawn.q_draws[at, np.newaxis]) ** 2
    scale = 1 / (m * total)
    if draws.size > 1:
        scale *= np.sqrt(draws.size / (draws.size - 1))
    errors: FloatArray = scale * np.sqrt(squares)
    return errors
