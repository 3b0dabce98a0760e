"""How the terms of draws without replacement are weighted, and how far what labels add is believed."""

from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.draw_terms import Outlook, left_over, look, terms_of, with_indicator
from activeeval_widgets.stats.adaptive.few_deviations import Drawn
from activeeval_widgets.stats.adaptive.form_of_q import Coefficients, apart_in, coefficients
from activeeval_widgets.stats.predictions.base import head_start
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.target import Target

_LEAST_FREEDOM = 3.0
"""With fewer degrees of freedom Student's t has no variance, or hardly one."""

_STAGES = 16
"""At how many numbers of draws the efficiency of q is computed; in between it is taken as constant."""

_AT_ONCE = 1 << 13

_LEAST_INFORMED = 1e-3
"""What tells less than this share of the most counts as that: all that tells more may have been drawn."""

_LEAST_DRAWN, _HARDLY, _RARELY = 0.1, 0.3, 0.75
"""Seldom drawn is what had at most 30 % more chance than the least drawn tenth, and at most three quarters of
the mean: draws go elsewhere."""


def value_at(target: Target, mean: FloatArray) -> float:
    """g(E z) of what can be labeled; the last entry of `mean` is its share."""
    if not mean[-1] > 0:
        return nan
    with np.errstate(invalid="ignore"):
        return float(target.g(mean[:-1] / mean[-1]))


class Weighing(NamedTuple):
    """How terms are weighted, and what follows.

    Attributes
    ----------
    value : float
        The estimate, not confined to the measure's range; NaN while it is not defined.
    variance : float
        Its variance.
    standard_error : float
        That of the interval: the root of a variance that is larger where few draws carry it
        (`caution`), or where errors could not be met (`DrawRule.times_unmet`).
    size : float
        The number of terms of equal weight that weigh as much.
    plain : float
        The estimate that is not shrunk.
    share : float
        What can be labeled of the pool, as estimated.
    weights : ndarray of shape (n_draws,)
        The weight of each term; they sum to 1.
    cautious : float
        The largest of the variance that is seen, with that caution, the one that is expected, and the one
        with errors that could not be met (`DrawRule.times_unmet`): what the approximate interval is made of,
        whatever is believed of the three.
    influences : ndarray of shape (n_draws,), or None
        How far each term moves the value: its weight times its deviation. None while there is no value.
    gradient : ndarray of shape (n_statistics,), or None
        ∇g at the mean of the statistics; None while there is no value.
    center : float
        ∇gᵀ of that mean.
    kept : float
        The share that is kept of what the terms add to the labels and E[z | x], from 0 to 1.
    belief : Belief
        The predictive distribution that E[z | x] is by.
    unevenness : float
        By how much the value may be off because of what was excluded; see `Measure.unevenness`.
    """

    value: float
    variance: float
    standard_error: float
    size: float
    plain: float
    share: float
    weights: FloatArray
    cautious: float
    influences: FloatArray | None
    gradient: FloatArray | None
    center: float
    kept: float
    belief: Belief
    unevenness: float = 0.0


def weigh(target: Target, drawn: Drawn, rule: DrawRule = DRAW_RULE) -> Weighing:
    """Weight the terms of some draws, of which at least one has a label; see `estimate_adaptive`."""
    draws, q_draws, labeled = drawn.draws, drawn.q_draws, drawn.labeled
    rows = with_indicator(drawn.z, labeled)
    outlook = look(target, draws[labeled], drawn.labels, drawn.z, with_informed=True)
    n_draws, n_instances = draws.size, target.size
    terms = terms_of(outlook.expected, draws, q_draws, rows)
    expected = _expected_variances(target, outlook, draws, q_draws, rule)
    expected_variance = expected.of_all / n_instances**2
    weights = expected_variance.min() / expected_variance
    total = float(weights.sum())
    size = total**2 / float(weights @ weights)
    mean = weights @ terms / total
    value = value_at(target, mean)
    if value != value:
        return Weighing(
            nan, nan, nan, size, nan, nan, weights / total, nan, None, None, nan, 1.0, outlook.belief
        )
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
    assisted = (
        rows.sum(axis=0) + left_over(outlook.expected, draws)[-1] - outlook.expected.row(int(draws[-1]))
    ) / n_instances
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
        outlook.belief,
        0.0
        if labeled.all() and not target.measure.is_binned
        else target.unevenness(mean[:-1] / share, min(share, 1.0)),
    )


class _Expected(NamedTuple):
    """The variance of m Y_t that is expected by the spread.

    Attributes
    ----------
    of_all : ndarray of shape (n_draws,)
        Of all instances.
    of_seldom : ndarray of shape (n_draws,)
        What instances that are seldom drawn add to it.
    is_seldom : ndarray of bool of shape (n_instances,)
        Which these are: by all draws they had hardly more chance than any instance has.
    """

    of_all: FloatArray
    of_seldom: FloatArray
    is_seldom: BoolArray


def _expected_variances(
    target: Target, outlook: Outlook, draws: IntArray, q_draws: FloatArray, rule: DrawRule
) -> _Expected:
    """What is expected of draws by `adaptive_q`, or of uniform ones."""
    rows, spread = target.models[0].counts, outlook.spread
    informed = spread
    if outlook.informed is not None:
        informed = outlook.informed
        usable = np.isfinite(informed).all() and informed.max() > 0
        informed = np.maximum(informed, _LEAST_INFORMED * informed.max()) if usable else spread
    differ = apart_in(target, rule)
    if differ is not None:
        informed = np.where(differ, informed, 0.0)
    mass = left_over(informed, draws, rows)
    square = spread**2
    left, squares = left_over(spread, draws, rows), left_over(square, draws, rows)
    counts = target.size - np.arange(draws.size)
    is_uniform = np.abs(q_draws * counts - 1) < 1e-9
    start = head_start(target.models)
    stages = np.unique(np.geomspace(1, draws.size, _STAGES).round().astype(int)) - 1
    ends = np.append(stages[1:], draws.size)
    used = [not is_uniform[stage:end].all() for stage, end in zip(stages, ends, strict=True)]
    stages, ends = stages[used], ends[used]
    if not stages.size:
        return _Expected(counts * squares - squares, np.zeros(draws.size), np.zeros(square.size, dtype=bool))
    shares = np.array([rule.share(target.measure, int(stage) + start) for stage in stages])
    n_there = None
    if differ is not None:
        n_there = np.maximum(left_over(differ.astype(np.float64), draws, rows)[stages], 1.0)
    form = coefficients(shares, np.where(mass > 0, mass, np.inf)[stages], counts[stages], n_there, rule)
    is_seldom = np.zeros(square.size, dtype=bool)
    if rule.times_unmet(target.measure):
        # Two models' ratios can differ everywhere: no draws are apart.
        times = np.array(
            [np.count_nonzero(~is_uniform[stage:end]) for stage, end in zip(stages, ends, strict=True)]
        )
        chances = informed * (times @ form.scale) + times @ form.floor + (1 / counts)[is_uniform].sum()
        is_seldom = _are_seldom(chances, rows)
    found = _left_per_draw(square, informed, form, differ, is_seldom, draws, stages, rows)
    ratios = np.ones((2, draws.size))
    for number, (stage, end) in enumerate(zip(stages, ends, strict=True)):
        ratios[:, stage:end] = found[:, number, np.newaxis] / left[stage] ** 2
    of_all, of_seldom = (
        np.where(is_uniform, counts * some, ratio * left**2) - some
        for some, ratio in zip((squares, left_over(square * is_seldom, draws, rows)), ratios, strict=True)
    )
    return _Expected(of_all, of_seldom, is_seldom)


def _are_seldom(chances: FloatArray, counts: IntArray | None) -> BoolArray:
    """Which instances had hardly more chance to be drawn than any."""
    many = np.ones(chances.size) if counts is None else counts
    order = np.argsort(chances, kind="stable")
    below = many[order].cumsum()
    least = float(chances[order[np.searchsorted(below, _LEAST_DRAWN * below[-1])]])
    mean = float(many @ chances) / float(below[-1])
    seldom: BoolArray = chances <= min((1 + _HARDLY) * least, _RARELY * mean)
    return seldom


def _left_per_draw(
    square: FloatArray,
    informed: FloatArray,
    form: Coefficients,
    differ: BoolArray | None,
    is_seldom: BoolArray,
    draws: IntArray,
    stages: IntArray,
    counts: IntArray | None,
) -> FloatArray:
    """Σ square/q over what is left after so many draws, and over what is seldom drawn of it; (2, n_stages).

    Some thousand instances at a time, so that nothing leaves the processor's cache.
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
            if differ is not None:
                per_draw += differ[some] * there
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
    """By what the variance that is seen is multiplied, for few draws carry it.

    A variance is the sum of squares v; in the mean, squares that are as unequal as these tell it as well
    as d = 2/(Σ v²/(Σ v)² − 1/n) normal ones would (Satterthwaite), and Student's t of d degrees of
    freedom has the variance d/(d − 2).

    Parameters
    ----------
    influences : ndarray of shape (n_draws,)
        How far each draw moves the estimate.
    """
    squares: FloatArray = np.square(influences)
    total = float(squares.sum())
    if not total > 0:
        return 1.0
    unequal = float(squares @ squares) / total**2 - 1 / squares.size
    freedom = max(_LEAST_FREEDOM, 2 / max(unequal, 1e-12))
    return freedom / (freedom - 2)
