"""Drawing without replacement from a distribution that learns from the labels so far."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    check_costs,
    check_count,
    check_fraction,
    check_q,
    check_rng,
    split_excluded,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule, informed_sizes
from activeeval_widgets.stats.adaptive.form_of_q import PartOfQ, mixed_q
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models, head_start
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.make import question_of
from activeeval_widgets.stats.questions.question import Question

_LEAST_INFORMED = 0.01
"""With no uniform share at all, what tells nothing is drawn by this share of what tells most: until it is
drawn, nobody knows whether it can be labeled, and an interval has to allow for both."""

_ROUNDING = 1e-9


def defensive_share(measure: Measure, n_labels: int, rule: DrawRule = DRAW_RULE) -> float:
    """ε: the share of the uniform distribution in q after n labels, 2/(2 + n), but 0.1 or more.

    0.2 or more for losses with bounds, 0.3 for values without a range; 1 before the first label, but of
    votes (`ClassPredictions.from_votes`) that least share from the beginning. It
    falls as labels correct the model's probabilities, which is what earns them trust; where labels contradict
    the model, the corrected q is nearer to uniform by itself.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    n_labels : int
        How many labels there are.
    rule : DrawRule
        The constants.

    Returns
    -------
    float

    See Also
    --------
    adaptive_q : uses it.

    Examples
    --------
    >>> from activeeval_widgets.stats import ErrorRate
    >>> [round(defensive_share(ErrorRate(), n), 2) for n in (0, 2, 6, 100)]
    [1.0, 0.5, 0.25, 0.2]
    """
    return rule.share(measure, n_labels)


def adaptive_q(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    draws: ArrayLike = (),
    y_true: Any = (),
    *,
    costs: ArrayLike | None = None,
    drawn: ArrayLike = (),
    defensive: float | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
    rule: DrawRule = DRAW_RULE,
) -> FloatArray:
    """The instrumental distribution for the next draw without replacement, by the labels so far.

    q(x) ∝ (1 − ε) sqrt(E[ψ² | x] / λ(x)) + ε / sqrt(λ(x)), each normalized, on what was not drawn, where ψ
    is the influence of a labeled instance, and its second moment that of the model's predictive distribution,
    corrected by the labels (`recalibrate`). What a control variate can't explain is the standard deviation
    alone; but that vanishes where the model is sure, whether it is right or not, and what has hardly any
    probability weighs most when it is drawn after all. For ratios and rankings it is the standard deviation.

    Of two models, draws are made where they can differ (`Measure.can_differ`), both parts of q; all but a
    tenth, which is uniform on the whole pool, for the sake of each model's own estimate. Of more, whose own
    measures are told beside each other, draws are as for one.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of Predictions
        The model; or two, for the difference of their measures; or more, for the equal mixture of what is
        best for each of some `pairs`.
    draws : array-like of shape (n_draws,)
        The instances that have an answer, in draw order.
    y_true : array-like of shape (n_draws,)
        Their labels; None for one that can't be labeled.
    costs : array-like of shape (n_instances,), optional
        λ(x), the cost of labeling each instance, all positive. Equal unless given.
    drawn : array-like of int, optional
        Instances that were drawn, but have no answer yet.
    defensive : float, optional
        ε, from 0 to 1; `defensive_share` of the number of labels unless given. With 0, what tells nothing
        (where two models agree, say) is drawn with a hundredth of the largest probability.
    pairs : sequence of pairs of int, optional
        Of more than two models, which are to be told apart, by their positions; all unless given.
    rule : DrawRule
        The constants: a session's own, if it was begun with others.

    Returns
    -------
    ndarray of shape (n_instances,)
        Sums to 1; 0 on what was drawn, positive on all else. All 0 if everything was drawn.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, an index is outside the pool or occurs twice.

    See Also
    --------
    draw_without_replacement : draws from it.
    defensive_share : how much of it is uniform.
    optimal_q : before any label, with replacement.

    Notes
    -----
    A pure function of its arguments: the same labels give the same bits. For draws in between, use an older
    q restricted to what is left (`draw_without_replacement` does).

    References
    ----------
    Kossen et al., *Active testing*, ICML 2021; Zrnic & Candès, *Active statistical inference*, ICML 2024;
    Shekhar et al., *Risk-limiting financial audits via weighted sampling without replacement*, UAI 2023, and
    CELEUS, 2026, draw by the same signal. `docs/explanations/adaptive-draws.md` says why by this one.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> adaptive_q(ErrorRate(), model).round(3)
    array([0.333, 0.333, 0.333])
    >>> adaptive_q(ErrorRate(), model, [0, 2], [0, 1])
    array([0., 1., 0.])
    """
    models = as_models(predictions)
    n_instances, counts = models[0].n_instances, models[0].counts
    cost = check_costs(costs, n_instances)
    answered = check_distinct("draws", draws, n_instances, counts)
    given, which = split_excluded(y_true, answered.size)
    labeled = answered if which is None else answered[which]
    labels = models[0].check_labels(given, labeled.size, f"{labeled.size} draws")
    pending = check_distinct("drawn", drawn, n_instances, counts)
    if defensive is None:
        share = rule.share(measure, labeled.size + head_start(models))
    else:
        share = check_fraction("defensive", defensive, closed=True)
    left = models[0].left(np.concatenate([answered, pending]))
    rest = left > 0
    scale: FloatArray = np.where(rest, 1.0, 0.0)
    if cost is not None:
        scale /= np.sqrt(cost / cost.max())
    # Of what is drawn already there is nothing: with rows that count more than once, `left` says how much.
    total = scale.sum() if counts is None else left @ scale
    if total == 0:
        return scale
    uniform: FloatArray = scale / total
    question = question_of(measure, models)
    differ = question.can_differ() if rule.alike_share is not None and defensive is None else None
    if share == 1 and differ is None:
        return uniform
    belief = recalibrate(measure, models, labeled, labels, with_labels=True) if share < 1 else None
    if differ is not None:
        even: FloatArray = np.where(differ, scale, 0.0)
        return _where_they_differ(question, belief, rule, share, scale, left, even)
    assert belief is not None  # noqa: S101 - else all draws are uniform
    informed = question.informed(partial(informed_sizes, belief=belief), left * scale, pairs) * scale
    greatest = informed.max()
    if not greatest > 0:
        # Nothing is in doubt, or the measure is not defined on what is expected.
        return uniform
    informed /= greatest
    if share == 0:
        nothing = rest & (informed <= _ROUNDING)
        informed[nothing] = _LEAST_INFORMED * uniform[nothing] / uniform.max()
    told = informed.sum() if counts is None else left @ informed
    q = mixed_q(share, PartOfQ(informed, told), PartOfQ(uniform), None, rule)
    q /= q.sum() if counts is None else left @ q
    return q


def _where_they_differ(
    question: Question,
    belief: Belief | None,
    rule: DrawRule,
    share: float,
    scale: FloatArray,
    left: FloatArray,
    even: FloatArray,
) -> FloatArray:
    """The same for two models, where they can differ.

    `belief`: None before the first label; `share`: of the uniform distribution there; `scale`: what it is
    proportional to at equal costs, 0 on what was drawn.
    """
    everywhere: FloatArray = scale / (left @ scale)
    n_even = float(left @ even)
    if not n_even > 0:
        # Nothing is left where they differ.
        return everywhere
    evenly = PartOfQ(even, n_even)
    telling = evenly
    if belief is not None:
        informed = np.where(
            even > 0, question.informed(partial(informed_sizes, belief=belief), left) * scale, 0.0
        )
        told = float(left @ informed)
        share, telling = (share, PartOfQ(informed, told)) if told > 0 else (1.0, evenly)
    # Where they can differ on all that is left, that is the whole pool.
    is_apart = bool((even[left > 0] == 0).any())
    mixed = mixed_q(share, telling, evenly, PartOfQ(everywhere) if is_apart else None, rule)
    mixed /= left @ mixed
    return mixed


def draw_without_replacement(
    q: ArrayLike, n_draws: int, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    """Draw instances one after another, each from what is left of q, normalized.

    Parameters
    ----------
    q : array-like of shape (n_instances,)
        The instrumental distribution; 0 on what was drawn before.
    n_draws : int
        How many to draw, at most as many as have q > 0.
    rng : numpy.random.Generator
        The source of randomness; each draw takes one uniform number.

    Returns
    -------
    draws : ndarray of shape (n_draws,)
        Different indices into the pool.
    probabilities : ndarray of shape (n_draws,)
        For each draw its probability given the draws before it: what `estimate_adaptive` takes.

    Raises
    ------
    ValueError
        If there are fewer instances with q > 0.

    See Also
    --------
    adaptive_q : what to draw from.
    draw : with replacement.

    Examples
    --------
    >>> draws, probabilities = draw_without_replacement([0.5, 0.0, 0.5], 2, np.random.default_rng(0))
    >>> draws, probabilities
    (array([2, 0]), array([0.5, 1. ]))
    """
    distribution = check_q(q)
    count = check_count("n_draws", n_draws)
    generator = check_rng(rng)
    possible = np.flatnonzero(distribution)
    if count > possible.size:
        raise ValueError(f"n_draws is {count}, but only {possible.size} instances have q > 0")
    left = distribution[possible]
    draws = np.empty(count, dtype=np.intp)
    probabilities = np.empty(count)
    for n in range(count):
        # Summed up again each time: what is left of q is never a rounding error of it.
        cumulative = left.cumsum()
        uniform = generator.random() * cumulative[-1]
        at = int(np.searchsorted(cumulative, uniform, side="right"))
        if (n == count - 1 and count == possible.size) or at == left.size or left[at] == 0:
            at = int(np.flatnonzero(left)[-1])
        draws[n] = possible[at]
        probabilities[n] = left[at] / cumulative[-1]
        left[at] = 0.0
    return draws, np.minimum(probabilities, 1.0)


def check_distinct(name: str, value: ArrayLike, n_instances: int, most: IntArray | None = None) -> IntArray:
    """Return different indices into the pool; of rows that count more than once, at most so often each."""
    indices = np.asarray(value)
    if indices.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got an array of shape {indices.shape}")
    if indices.size == 0:
        return indices.astype(np.intp)
    if indices.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers (indices into the pool), got dtype {indices.dtype}")
    outside = (indices < 0) | (indices >= n_instances)
    if outside.any():
        where = int(np.argmax(outside))
        raise ValueError(
            f"{name}[{where}] is {indices[where]}, expected an index from 0 to {n_instances - 1}"
        )
    values, counts = np.unique(indices, return_counts=True)
    if most is not None and (counts > most[values]).any():
        at = int(np.argmax(counts > most[values]))
        raise ValueError(
            f"{name} holds {values[at]} {counts[at]} times, "
            f"but that row stands for {most[values[at]]} instances"
        )
    if most is None and counts.max() > 1:
        raise ValueError(
            f"{name} holds {values[np.argmax(counts)]} more than once, but draws are without replacement"
        )
    return indices.astype(np.intp, copy=False)
