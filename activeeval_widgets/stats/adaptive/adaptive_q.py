"""Draw without replacement from a distribution that adapts to the labels so far."""

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
    check_indices,
    check_q,
    check_rng,
    split_excluded,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule, informed_sizes
from activeeval_widgets.stats.adaptive.form_of_q import PartOfQ, beyond, evened_sizes, mixed_q
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models, n_pseudo_labels
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.make import question_of
from activeeval_widgets.stats.questions.question import Question

_MIN_INFORMED = 0.01
"""With no uniform share at all, uninformative instances have up to this share of the largest probability:
until such an instance is drawn, an interval has to allow for its exclusion as well."""

_ROUNDING = 1e-9


def defensive_share(measure: Measure, n_labels: int, rule: DrawRule = DRAW_RULE) -> float:
    """Return ε, the share of the uniform distribution in q after n labels: 2/(4 + n), but at least 0.1.

    The least share is 0.2 for bounded losses, 0.3 for values without a range, and 0.6 for `ROCAUC` of one
    model; for votes (`ClassPredictions.from_votes`) ε is that from the beginning. It falls as labels
    calibrate the model's probabilities, which makes them more reliable; where labels contradict the model,
    the recalibrated q is nearer to uniform by itself.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    n_labels : int
        Number of labels.
    rule : DrawRule
        Constants of the draws.

    Returns
    -------
    float

    See Also
    --------
    adaptive_q : uses it.

    Examples
    --------
    >>> [round(defensive_share(ErrorRate(), n), 2) for n in (0, 1, 4, 100)]
    [0.5, 0.4, 0.25, 0.2]
    """
    return float(rule.share(measure, n_labels))


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
    prior: tuple[ArrayLike, Any] = ((), ()),
    rule: DrawRule = DRAW_RULE,
) -> FloatArray:
    """Return the distribution for the next draw without replacement, given the labels so far.

    q(x) ∝ (1 − ε) sqrt(E[ψ² | x] / λ(x)) + ε / sqrt(λ(x)), each normalized, on the instances not drawn, where
    ψ is the influence of a labeled instance. Its second moment is by the model's predictive distribution,
    recalibrated with the labels (`recalibrate`). The standard deviation alone is what a control variate
    cannot explain, but it vanishes where the model is certain, right or wrong, and an instance of tiny
    probability has a large weight when it is drawn after all. For ratios and rankings the standard deviation
    is used.

    For means over classes (`BalancedAccuracy`, `MacroF`) and ratios of classes (`FMeasure`, `Recall`, …), a
    share of q favors rare predicted classes unless `defensive` is given, and the informative part is what
    exceeds all else. It is a fifth for means; for ratios of one model half, and 0.3 from 300 labels on.

    For two models, both parts of q are on instances where the models can differ (`Measure.can_differ`),
    except a tenth that is uniform on the whole pool, for each model's own estimate. For several models whose
    own measures are shown side by side, q is as for one model.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of Predictions
        The model; or two, for the difference of their measures; or more, for the equal mixture of the best
        distributions for each of some `pairs`.
    draws : array-like of shape (n_draws,)
        The answered instances, in draw order.
    y_true : array-like of shape (n_draws,)
        Their labels; None for an excluded one.
    costs : array-like of shape (n_instances,), optional
        λ(x), the cost of labeling each instance, all positive. Equal unless given.
    drawn : array-like of int, optional
        Instances that were drawn, but are not answered yet.
    defensive : float, optional
        ε, from 0 to 1; `defensive_share` of the number of labels unless given. With 0, uninformative
        instances (where two models agree, for example) have a hundredth of the largest probability.
    pairs : sequence of pairs of int, optional
        The pairs of models to compare if there are more than two, by position; all pairs unless given.
    prior : tuple of two array-likes of shape (n,)
        Instances whose labels were known before, and these labels. They only recalibrate the model; the
        instances may still be drawn.
    rule : DrawRule
        Constants of the draws: those that the session was started with.

    Returns
    -------
    ndarray of shape (n_instances,)
        Sums to 1; 0 on what was drawn, positive elsewhere. All 0 if everything was drawn.

    Raises
    ------
    ValueError, TypeError
        If arguments don't match, or an index is outside the pool or repeated.

    See Also
    --------
    draw_without_replacement : draws from it.
    defensive_share : the uniform share.
    optimal_q : before any label, with replacement.

    Notes
    -----
    A pure function of its arguments: the same labels give the same bits. For several draws from one q, use
    `draw_without_replacement`, which restricts q to the remaining instances.

    References
    ----------
    Kossen et al., *Active testing*, ICML 2021; Zrnic & Candès, *Active statistical inference*, ICML 2024;
    Shekhar et al., *Risk-limiting financial audits via weighted sampling without replacement*, UAI 2023, and
    CELEUS, 2026, use the same signal. `docs/explanations/adaptive-draws.md` explains the choice.

    Examples
    --------
    >>> adaptive_q(ErrorRate(), model).round(3)
    array([0.3  , 0.372, 0.328])
    >>> adaptive_q(ErrorRate(), model, [0, 2], [0, 1])
    array([0., 1., 0.])
    """
    models = as_models(predictions)
    n_instances, counts = models[0].n_instances, models[0].counts
    cost = check_costs(costs, n_instances, models[0])
    answered = check_distinct("draws", draws, n_instances, counts)
    given, which = split_excluded(y_true, answered.size)
    labeled = answered if which is None else answered[which]
    labels = models[0].check_labels(given, labeled.size, f"{labeled.size} draws")
    pending = check_distinct("drawn", drawn, n_instances, counts)
    known, known_labels = _with_prior(models[0], labeled, labels, prior)
    n_known = labeled.size + n_pseudo_labels(models)
    if defensive is None:
        share = float(rule.share(measure, n_known, len(models)))
    else:
        share = check_fraction("defensive", defensive, closed=True)
    left = models[0].left(np.concatenate([answered, pending]))
    rest = left > 0
    scale: FloatArray = np.where(rest, 1.0, 0.0)
    if cost is not None:
        scale /= np.sqrt(cost / cost.max())
    # Nothing is left of what is drawn; for rows that count more than once, `left` has the number.
    total = scale.sum() if counts is None else left @ scale
    if total == 0:
        return scale
    uniform: FloatArray = scale / total
    question = question_of(measure, models)
    evened = evened_sizes(question) if defensive is None else None
    differ = None
    if rule.alike_share is not None and defensive is None and evened is None:
        differ = question.can_differ()
    if share == 1:
        return uniform
    belief = recalibrate(measure, models, known, known_labels, with_labels=True)
    if differ is not None:
        return _where_they_differ(question, belief, rule, share, scale, left, np.where(differ, scale, 0.0))
    informed = question.informed(partial(informed_sizes, belief=belief), left * scale, pairs) * scale
    greatest = informed.max()
    if not greatest > 0:
        # Nothing is uncertain, or the measure is undefined for the expected labels.
        return uniform
    informed /= greatest
    if share == 0:
        nothing = rest & (informed <= _ROUNDING)
        informed[nothing] = _MIN_INFORMED * uniform[nothing] / uniform.max()
    total = informed.sum() if counts is None else left @ informed
    informative, even, third = PartOfQ(informed, total), PartOfQ(uniform), None
    of_third = rule.favored_share(measure, n_known)
    if evened is not None:
        # Positive: where no label can change a ratio, nothing is uncertain either.
        third = PartOfQ(scale * evened, left @ (scale * evened))
        informed = beyond(informative, even, share, third, of_third)
        informative = PartOfQ(informed, left @ informed)
    q = mixed_q(share, informative, even, third, of_third)
    q /= q.sum() if counts is None else left @ q
    return q


def _with_prior(
    model: Predictions, labeled: IntArray, labels: Any, prior: tuple[ArrayLike, Any]
) -> tuple[IntArray, Any]:
    """Return the labeled instances and their labels, followed by those that were known before."""
    instances = check_distinct("prior", prior[0], model.n_instances, model.counts)
    if not instances.size:
        return labeled, labels
    known = model.check_labels(prior[1], instances.size, f"{instances.size} instances of prior")
    return np.concatenate([labeled, instances]), np.concatenate([labels, known])


def _where_they_differ(
    question: Question,
    belief: Belief,
    rule: DrawRule,
    share: float,
    scale: FloatArray,
    left: FloatArray,
    even: FloatArray,
) -> FloatArray:
    """Return q for two models where they can differ; `share`: of the part that is uniform there."""
    everywhere: FloatArray = scale / (left @ scale)
    n_even = float(left @ even)
    if not n_even > 0:
        # No remaining instance is one where they differ.
        return everywhere
    evenly = PartOfQ(even, n_even)
    informed = np.where(
        even > 0, question.informed(partial(informed_sizes, belief=belief), left) * scale, 0.0
    )
    total = float(left @ informed)
    informative = PartOfQ(informed, total) if total > 0 else evenly
    # If they can differ on all remaining instances, the separate uniform part is not needed.
    is_apart = bool((even[left > 0] == 0).any())
    third = PartOfQ(everywhere) if is_apart else None
    mixed = mixed_q(share, informative, evenly, third, rule.alike_share or 0.0)
    mixed /= left @ mixed
    return mixed


def draw_without_replacement(
    q: ArrayLike, n_draws: int, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    """Draw instances one after another, each from the remaining part of q, normalized.

    Parameters
    ----------
    q : array-like of shape (n_instances,)
        The instrumental distribution; 0 on what was drawn before.
    n_draws : int
        Number of draws, at most the number of instances with q > 0.
    rng : numpy.random.Generator
        Random generator; each draw takes one uniform number.

    Returns
    -------
    draws : ndarray of shape (n_draws,)
        Distinct indices into the pool.
    probabilities : ndarray of shape (n_draws,)
        Probability of each draw given the draws before it, as `estimate_adaptive` takes.

    Raises
    ------
    ValueError
        If there are fewer instances with q > 0.

    See Also
    --------
    adaptive_q : the distribution to draw from.
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
        # Summed again each time, so that the remaining part of q is never a rounding error.
        cumulative = left.cumsum()
        uniform = generator.random() * cumulative[-1]
        at = int(np.searchsorted(cumulative, uniform, side="right"))
        if at == left.size:
            # The product was rounded up to the sum.
            at = int(np.flatnonzero(left)[-1])
        draws[n] = possible[at]
        probabilities[n] = left[at] / cumulative[-1]
        left[at] = 0.0
    return draws, probabilities


def check_distinct(name: str, value: ArrayLike, n_instances: int, most: IntArray | None = None) -> IntArray:
    """Return distinct indices into the pool; rows that count more than once may occur that often."""
    indices = check_indices(name, value, n_instances)
    values, counts = np.unique(indices, return_counts=True)
    if most is not None and (counts > most[values]).any():
        at = int(np.argmax(counts > most[values]))
        raise ValueError(
            f"{name} holds {values[at]} {counts[at]} times, "
            f"but that row stands for {most[values[at]]} instances"
        )
    if most is None and counts.max(initial=1) > 1:
        raise ValueError(
            f"{name} holds {values[np.argmax(counts)]} more than once, but draws are without replacement"
        )
    return indices
