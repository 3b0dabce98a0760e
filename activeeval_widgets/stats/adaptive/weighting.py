"""Weights of the terms of draws without replacement, and the shrinkage of the labels' contribution."""

from collections.abc import Sequence
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.draw_terms import (
    ControlVariate,
    control_variate,
    left_over,
    terms_of,
    with_indicator,
)
from activeeval_widgets.stats.adaptive.few_deviations import Drawn
from activeeval_widgets.stats.adaptive.form_of_q import Coefficients, Favored, coefficients, favored_in
from activeeval_widgets.stats.adaptive.revised import Earlier, Stage, joined, stages_of
from activeeval_widgets.stats.predictions.base import n_pseudo_labels
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.target import Target

_MIN_FREEDOM = 3.0
"""With fewer degrees of freedom, Student's t has no variance or a huge one."""

_STAGES = 16
"""Number of stages at which the efficiency of q is computed; in between it is assumed constant."""

_AT_ONCE = 1 << 13

_ROUNDING = 1e-12

_MIN_INFORMED = 1e-3
"""Relative lower limit on the informative part of q: all more informative instances may have been drawn."""

_MIN_DRAWN, _HARDLY, _RARELY = 0.1, 0.3, 0.75
"""Seldom drawn instances: their probability was at most 30 % above that of the least drawn tenth, and at most
three quarters of the mean, because draws were concentrated elsewhere."""


def value_at(target: Target, mean: FloatArray) -> float:
    """Return g(E z) of what can be labeled; the last entry of `mean` is its share."""
    if not mean[-1] > 0:
        return nan
    with np.errstate(invalid="ignore"):
        return float(target.g(mean[:-1] / mean[-1]))


class Weighing(NamedTuple):
    """The weights of terms, and what follows from them."""

    value: float
    """The estimate, not limited to the measure's range; NaN while it is undefined."""
    variance: float
    standard_error: float
    """The interval's standard error: its variance is larger where few draws contribute most of it
    (`caution`), or where errors may not have been observed (`DrawRule.times_unmet`)."""
    size: float
    """The number of terms of equal weight that would have the same variance."""
    plain: float
    """The estimate without shrinkage."""
    share: float
    """The estimated share of the pool that can be labeled."""
    weights: FloatArray
    """The weight of each term; they sum to 1."""
    cautious: float
    """The largest of the observed variance, with that caution, the expected one, and the one with errors that
    may not have been observed: for the approximate interval, which does not depend on how far each is
    trusted."""
    influences: FloatArray | None
    """Each term's contribution to the value: its weight times its deviation."""
    gradient: FloatArray | None
    """∇g at the mean of the statistics; None while there is no value."""
    center: float
    """∇gᵀ of that mean."""
    kept: float
    """The share of the terms' contribution to the labels and E[z | x] that shrinkage keeps, from 0 to 1."""
    belief: Belief
    """The predictive distribution behind E[z | x]."""
    unevenness: float = 0.0
    """Upper limit on the value's error because of exclusions; see `Measure.unevenness`."""


def weigh(
    target: Target, drawn: Drawn, rule: DrawRule = DRAW_RULE, earlier: Sequence[Earlier] = ()
) -> Weighing:
    """Weight the terms of draws, at least one of them labeled; see `estimate_adaptive`."""
    draws, q_draws, labeled = drawn.draws, drawn.q_draws, drawn.labeled
    rows = with_indicator(drawn.z, labeled)
    n_draws, n_instances = draws.size, target.size
    stages = stages_of(target, earlier, n_draws)
    controls = [
        control_variate(each.target, draws[labeled], drawn.labels, drawn.z, with_informed=True)
        for each in stages
    ]
    by_stage = [terms_of(each.expected, draws, q_draws, rows) for each in controls]
    terms = joined(stages, [each.corrected for each in by_stage])
    expected = _joined_variances(
        stages,
        [
            _expected_variances(each.target, control, draws, q_draws, rule)
            for each, control in zip(stages, controls, strict=True)
        ],
    )
    expected_variance = expected.of_all / n_instances**2
    weights = expected_variance.min() / expected_variance
    total = float(weights.sum())
    size = total**2 / float(weights @ weights)
    mean = weights @ terms / total
    value = value_at(target, mean)
    belief = controls[-1].belief
    if value != value:
        return Weighing(nan, nan, nan, size, nan, nan, weights / total, nan, None, None, nan, 1.0, belief)
    share = float(mean[-1])
    with np.errstate(invalid="ignore"):
        gradient = target.gradient(mean[:-1] / share) / share
    center = float(gradient @ mean[:-1]) / share
    influences = weights * (terms[:, :-1] @ gradient - center * terms[:, -1]) / total
    seen = float(influences @ influences)
    if n_draws > 1:
        seen *= n_draws / (n_draws - 1)
    promised = float(weights @ (weights * expected_variance)) / total**2
    variance = rule.variance(seen, promised, n_draws)
    doubted = seen * caution(influences)
    seldom = influences[expected.is_seldom[draws]]
    promised_of_seldom = float(weights @ (weights * expected.of_seldom)) / (total * n_instances) ** 2
    with_unmet = seen + max(
        rule.times_unmet(target.measure) * promised_of_seldom - float(seldom @ seldom), 0.0
    )
    shares = np.array([weights[each.first : each.end].sum() for each in stages]) / total
    assisted = shares @ np.stack([each.assisted for each in by_stage])
    correction = mean - assisted
    square = float(gradient @ correction[:-1] - center * correction[-1]) ** 2
    leans = all(each.assists and not each.is_supposed for each in target.models)
    kept = square / (square + variance) if leans and square + variance > 0 else 1.0
    shrunk = value_at(target, assisted + kept * correction)
    if shrunk != shrunk:
        shrunk, kept = value, 1.0
    return Weighing(
        shrunk,
        variance,
        sqrt(max(rule.variance(doubted, promised, n_draws), with_unmet)),
        size,
        value,
        share,
        weights / total,
        max(doubted, promised, with_unmet),
        influences,
        gradient * share,
        center * share,
        kept,
        belief,
        0.0
        if labeled.all() and not target.measure.is_binned
        else target.unevenness(mean[:-1] / share, min(share, 1.0)),
    )


class _Expected(NamedTuple):
    """The expected variance of m Y_t, from the spread: for all instances, and for some of them."""

    of_all: FloatArray
    of_seldom: FloatArray
    is_seldom: BoolArray
    """Seldom drawn instances: over all draws they had hardly more than the smallest probability."""


def _joined_variances(stages: Sequence[Stage], of_each: Sequence[_Expected]) -> _Expected:
    """Return the expected variances of all draws, each from its own stage."""
    return _Expected(
        joined(stages, [each.of_all for each in of_each]),
        joined(stages, [each.of_seldom for each in of_each]),
        of_each[-1].is_seldom,
    )


def _expected_variances(
    target: Target, control: ControlVariate, draws: IntArray, q_draws: FloatArray, rule: DrawRule
) -> _Expected:
    """Return expected variances for draws by `adaptive_q`, or uniform ones."""
    rows, spread = target.models[0].counts, control.spread
    informed = spread
    if control.informed is not None:
        informed = control.informed
        usable = np.isfinite(informed).all() and informed.max() > 0
        informed = np.maximum(informed, _MIN_INFORMED * informed.max()) if usable else spread
    favored = favored_in(target, rule)
    if favored is not None:
        informed = favored.informed(informed, target, rule)
    mass = left_over(informed, draws, rows)
    square = spread**2
    left, squares = left_over(spread, draws, rows), left_over(square, draws, rows)
    counts = target.size - np.arange(draws.size)
    is_uniform = np.abs(q_draws * counts - 1) < 1e-9
    start = n_pseudo_labels(target.models)
    stages = np.unique(np.geomspace(1, draws.size, _STAGES).round().astype(int)) - 1
    ends = np.append(stages[1:], draws.size)
    used = [not is_uniform[stage:end].all() for stage, end in zip(stages, ends, strict=True)]
    stages, ends = stages[used], ends[used]
    if not stages.size:
        return _Expected(counts * squares - squares, np.zeros(draws.size), np.zeros(square.size, dtype=bool))
    n_labels = stages + start
    shares = rule.share(target.measure, n_labels, len(target.models))
    is_empty = mass[stages] <= _ROUNDING * mass[0]
    n_there, of_third = None, rule.favored_share(target.measure, n_labels)
    if favored is not None:
        least = float(favored.sizes[favored.sizes > 0].min())
        n_there = left_over(favored.sizes, draws, rows)[stages]
        if not favored.is_apart:
            # Nothing that is left exceeds the other parts of q.
            shares[is_empty] = 1.0
        n_there = np.maximum(n_there, least)
    total = np.where(is_empty, np.inf, mass[stages])
    form = coefficients(shares, total, counts[stages], n_there, favored, of_third)
    is_seldom = np.zeros(square.size, dtype=bool)
    if rule.times_unmet(target.measure):
        times = np.array(
            [np.count_nonzero(~is_uniform[stage:end]) for stage, end in zip(stages, ends, strict=True)]
        )
        chances = informed * (times @ form.scale) + times @ form.floor + (1 / counts)[is_uniform].sum()
        if favored is not None:
            chances += favored.sizes * (times @ form.there)
        is_seldom = _are_seldom(chances, rows)
    found = _left_per_draw(square, informed, form, favored, is_seldom, draws, stages, rows)
    ratios = np.ones((2, draws.size))
    for number, (stage, end) in enumerate(zip(stages, ends, strict=True)):
        ratios[:, stage:end] = found[:, number, np.newaxis] / left[stage] ** 2
    of_all, of_seldom = (
        np.where(is_uniform, counts * some, ratio * left**2) - some
        for some, ratio in zip((squares, left_over(square * is_seldom, draws, rows)), ratios, strict=True)
    )
    return _Expected(of_all, of_seldom, is_seldom)


def _are_seldom(chances: FloatArray, counts: IntArray | None) -> BoolArray:
    """Return which instances had hardly more than the smallest chance to be drawn."""
    many = np.ones(chances.size) if counts is None else counts
    order = np.argsort(chances, kind="stable")
    below = many[order].cumsum()
    least = float(chances[order[np.searchsorted(below, _MIN_DRAWN * below[-1])]])
    mean = float(many @ chances) / float(below[-1])
    seldom: BoolArray = chances <= min((1 + _HARDLY) * least, _RARELY * mean)
    return seldom


def _left_per_draw(
    square: FloatArray,
    informed: FloatArray,
    form: Coefficients,
    favored: Favored | None,
    is_seldom: BoolArray,
    draws: IntArray,
    stages: IntArray,
    counts: IntArray | None,
) -> FloatArray:
    """Return Σ square/q over all and over the seldom drawn instances left after each stage, (2, n_stages).

    Computed for some thousand instances at a time, to stay within the processor's cache.
    """
    totals = np.zeros((2, stages.size))
    everything = np.arange(draws.size)
    for start in range(0, square.size, _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        inside = everything[(draws >= start) & (draws < start + _AT_ONCE)]
        own, n_before = draws[inside] - start, np.searchsorted(inside, stages)
        per_draw = np.empty_like(square[some])
        for number, (scale, floor, there) in enumerate(zip(*form, strict=True)):
            np.multiply(informed[some], scale, out=per_draw)
            np.add(per_draw, floor, out=per_draw)
            if favored is not None:
                per_draw += favored.sizes[some] * there
            np.divide(square[some], per_draw, out=per_draw)
            gone = own[: n_before[number]]
            if counts is None:
                per_draw[gone] = 0.0
                totals[:, number] += per_draw.sum(), per_draw @ is_seldom[some]
            else:
                many = counts[some] - np.bincount(gone, minlength=per_draw.size)
                totals[:, number] += many @ per_draw, (many * is_seldom[some]) @ per_draw
    return totals


def caution(influences: FloatArray) -> float:
    """Return the factor by which to increase the observed variance if few draws contribute most of it.

    A variance is the sum of squares v. On average, squares as unequal as these estimate it as well as d =
    2/(Σ v²/(Σ v)² − 1/n) normal ones would (Satterthwaite), and Student's t with d degrees of freedom has the
    variance d/(d − 2).
    """
    squares: FloatArray = np.square(influences)
    total = float(squares.sum())
    if not total > 0:
        return 1.0
    unequal = float(squares @ squares) / total**2 - 1 / squares.size
    freedom = max(_MIN_FREEDOM, 2 / max(unequal, 1e-12))
    return freedom / (freedom - 2)
