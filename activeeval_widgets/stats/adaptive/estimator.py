"""Estimates and intervals from labeled draws without replacement from changing distributions."""

from collections.abc import Sequence
from math import nan
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_at, check_float_array, check_fraction, split_excluded
from activeeval_widgets.stats.adaptive._limit_of_draws import LimitOfDraws
from activeeval_widgets.stats.adaptive.adaptive_q import check_distinct
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.draw_terms import with_indicator
from activeeval_widgets.stats.adaptive.few_deviations import Drawn, FewDeviations, promised_least_q
from activeeval_widgets.stats.adaptive.form_of_q import favored_in
from activeeval_widgets.stats.adaptive.revised import Earlier, revised
from activeeval_widgets.stats.adaptive.weighting import value_at, weigh
from activeeval_widgets.stats.anytime.approximate_interval import Approximate
from activeeval_widgets.stats.intervals import wald_interval
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models, n_pseudo_labels
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.stats.questions.target import Target
from activeeval_widgets.stats.results import Estimate

_ANY_LEVEL = 0.95
"""For computations that depend on the pool only, so that any level will do."""


@overload
def estimate_adaptive(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    least_q: ArrayLike | None = None,
    own: Predictions | Sequence[Predictions] | None = None,
    y_range: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
    at: None = None,
    rule: DrawRule = ...,
    earlier: Sequence[Earlier] = (),
) -> Estimate: ...


@overload
def estimate_adaptive(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    least_q: ArrayLike | None = None,
    own: Predictions | Sequence[Predictions] | None = None,
    y_range: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
    at: Sequence[int] | IntArray,
    rule: DrawRule = ...,
    earlier: Sequence[Earlier] = (),
) -> list[Estimate]: ...


def estimate_adaptive(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    least_q: ArrayLike | None = None,
    own: Predictions | Sequence[Predictions] | None = None,
    y_range: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
    at: Sequence[int] | IntArray | None = None,
    rule: DrawRule = DRAW_RULE,
    earlier: Sequence[Earlier] = (),
) -> Estimate | list[Estimate]:
    """Estimate a measure from labeled draws without replacement, each with its own probability.

    Ê z is the average of Y_t = (Σ_drawn z + Σ_left E[z | x] + (z_t − E[z_t | x]) / q_t(x_t)) / m, weighted by
    the inverse of each term's expected variance, and Ĝ = g(Ê z). E[z | x] is the model's, recalibrated with
    the labels (`recalibrate`). The labels' correction to E[z | x] is shrunk by c²/(c² + S²), where c is its
    effect on Ĝ to first order and S its standard error. This changes a risk, which is linear, by at most S/2,
    other measures by little more (the Matthews correlation by 0.58 S), and none of them once the labels
    clearly contradict the model. Votes (`ClassPredictions.from_votes`) and predicted classes without
    probabilities (`PredictedClasses`) are not shrunk.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    draws : array-like of shape (n_draws,)
        Distinct indices into the pool, in draw order. Leave out draws that are not answered yet: they count
        as the model expects.
    q_draws : array-like of shape (n_draws,)
        The probability of each draw, given those before it.
    y_true : array-like of shape (n_draws,)
        Their labels, as in `estimate`; None for an excluded draw. The estimate is for the instances that can
        be labeled.
    least_q : array-like of shape (n_draws,), optional
        For each draw, the smallest probability of any remaining instance, which limits how many errors may
        not have been observed. Unless given, what `adaptive_q` of this measure guarantees at equal costs
        with its own `defensive`; exact for uniform draws.
    own : Predictions or list of two Predictions, optional
        If rows of the predictions stand for several instances (`Predictions.counts`), so that `draws` are
        rows: the predictions of the drawn instances themselves, one row for each draw.
    y_range : tuple of two floats, optional
        The smallest and the largest possible label, for values: without it errors have no limit, and there
        is no approximate interval (`Estimate.approximate_low`).
    confidence_level : float
        1 − α.
    at : sequence of int, optional
        Return a list of estimates after the first n draws, for each n.
    rule : DrawRule
        Constants of the draws and of the expectations.
    earlier : sequence of (int, Predictions)
        Predictions that were replaced, oldest first, each with the number of the draws before: later draws
        are by the next ones, or by `predictions`. For a share of labels, such as `LabelShare`.

    Returns
    -------
    Estimate, or list of Estimate
        The interval is Wald's, for one number of draws fixed in advance, within the measure's range; while
        fewer than ten labels deviate from the predicted ones or from a constant, it also contains a bound
        that needs no variance. With the whole pool drawn it is exact: a point, with standard error 0. While
        the measure is undefined, the value is NaN and the interval the whole range.

    Raises
    ------
    ValueError, TypeError
        If arguments don't match, a draw is repeated, or a probability is not in (0, 1].

    See Also
    --------
    estimate : for draws with replacement from one q.
    AdaptiveConfidenceSequence : an interval that is valid at every number of draws.
    adaptive_q : the distribution to draw from.

    Notes
    -----
    The variance is the observed one of Y_t, increased if it comes from few draws (`weighting.caution`); or,
    if the recalibrated model expects a larger one, their mean, in which the expected variance counts for
    twenty draws. Neither includes errors of a confident model that were not observed yet, so the interval
    also covers those that draws may have missed: for uniform draws without an error it is at least Clopper
    and Pearson's (`few_deviations`). For ratios such as F, the variance of seldom drawn instances is
    increased while their labels show less (`DrawRule.unmet`). The p-value of two models agrees with the
    interval.

    Every E[z | x] uses all labels, the draw's own and later ones included, and the correction is shrunk, so
    that the estimate is exact in the limit only. By enumeration of three models' error rates on a pool of 5,
    its bias after two draws is between −0.17 and 0.1; it vanishes with more labels. The confidence sequence
    (`AdaptiveConfidenceSequence`) uses only the labels before each draw, and is exact.

    References
    ----------
    Kossen et al., *Active testing*, ICML 2021 (LURE); Zrnic & Candès, *Active statistical inference*, ICML
    2024; Cassel, Särndal & Wretman, *Some results on generalized difference estimation*, 1976.

    Examples
    --------
    >>> result = estimate_adaptive(ErrorRate(), model, [1, 0, 2], [1 / 3, 1 / 2, 1], [0, 0, 1])
    >>> round(result.value, 3), result.standard_error
    (0.333, 0.0)
    """
    made = AdaptiveEstimator(measure, predictions, y_range=y_range, rule=rule)
    results = made.estimates(
        draws, q_draws, y_true, least_q=least_q, own=own, confidence_level=confidence_level, at=at,
        earlier=[Earlier(*each) for each in earlier],
    )  # fmt: skip
    return results[0] if at is None else results


class AdaptiveEstimator:
    """Repeated estimates of one measure; what depends on the pool only is computed once."""

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        *,
        y_range: tuple[float, float] | None = None,
        rule: DrawRule = DRAW_RULE,
    ) -> None:
        self._target, self._rule = target_of(measure, as_models(predictions)), rule
        self._few = FewDeviations(self._target)
        self._few_of_first: FewDeviations | None = None
        self._limit = LimitOfDraws(self._target, y_range, _ANY_LEVEL)

    def estimates(
        self,
        draws: ArrayLike,
        q_draws: ArrayLike,
        y_true: Any,
        *,
        least_q: ArrayLike | None = None,
        own: Predictions | Sequence[Predictions] | None = None,
        confidence_level: float = 0.95,
        at: Sequence[int] | IntArray | None = None,
        earlier: Sequence[Earlier] = (),
    ) -> list[Estimate]:
        """Return the estimates after the first n draws, for each n of `at`; see `estimate_adaptive`."""
        level = check_fraction("confidence_level", confidence_level, closed=False)
        given = check_drawn(self._target, draws, q_draws, y_true, least_q, own, self._rule)
        counts = check_at(at, given.draws.size)
        limit = self._limit.at_level(level)
        few = self._few_by(earlier)
        return [
            _estimate(self._target, given.first(n), few, limit, level, self._rule, earlier) for n in counts
        ]

    def _few_by(self, earlier: Sequence[Earlier]) -> FewDeviations:
        """Return bounds by what was predicted before the first draw: later predictions may copy labels."""
        if not earlier:
            return self._few
        if self._few_of_first is None:
            self._few_of_first = FewDeviations(revised(self._target, earlier[0].predictions))
        return self._few_of_first


def check_drawn(
    target: Target,
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    least_q: ArrayLike | None = None,
    own: Predictions | Sequence[Predictions] | None = None,
    rule: DrawRule = DRAW_RULE,
) -> Drawn:
    """Validate labeled draws without replacement; parameters are those of `estimate_adaptive`."""
    model = target.models[0]
    drawn = check_distinct("draws", draws, model.n_instances, model.counts)
    probabilities = check_q_draws(q_draws, drawn.size)
    if len(y_true) != drawn.size:
        raise ValueError(f"y_true must hold one label for each of {drawn.size} draws, got {len(y_true)}")
    given, which = split_excluded(y_true, drawn.size)
    labeled: BoolArray = np.ones(drawn.size, dtype=bool) if which is None else which
    labels = model.check_labels(given, len(given), f"{len(given)} labeled draws")
    itself = None if own is None else target.with_models(as_models(own))
    if itself is None:
        z = target.statistics(labels, drawn[labeled])
    else:
        z = itself.statistics(labels, np.flatnonzero(labeled))
        at = np.flatnonzero(labeled)
        labels = model.as_of_rows(itself.models[0].part(at), drawn[at], labels)
    if least_q is None:
        least = promised_least_q(
            target.measure,
            probabilities,
            labeled,
            model.size,
            rule,
            n_pseudo_labels(target.models),
            favored_in(target, rule),
            len(target.models),
        )
    else:
        least = check_q_draws(least_q, drawn.size, name="least_q", may_be_zero=True)
    return Drawn(drawn, probabilities, least, labeled, labels, z, itself)


def check_q_draws(
    value: ArrayLike, n_draws: int, *, name: str = "q_draws", may_be_zero: bool = False
) -> FloatArray:
    """Return the draws' probabilities: (n_draws,), in (0, 1], or in [0, 1]."""
    probabilities = check_float_array(name, value, ndim=1, shape="(n_draws,)")
    if probabilities.size != n_draws:
        raise ValueError(f"{name} has {probabilities.size} entries, expected one for each of {n_draws} draws")
    too_small = probabilities < 0 if may_be_zero else probabilities <= 0
    outside = too_small | (probabilities > 1 + 1e-9)
    if outside.any():
        where = int(np.argmax(outside))
        raise ValueError(
            f"{name}[{where}] is {probabilities[where]}, expected a probability "
            + ("from 0 to 1" if may_be_zero else "above 0, at most 1")
        )
    return np.minimum(probabilities, 1.0)


def _estimate(
    target: Target,
    drawn: Drawn,
    few: FewDeviations,
    limit: LimitOfDraws,
    level: float,
    rule: DrawRule,
    earlier: Sequence[Earlier],
) -> Estimate:
    value = standard_error = size = statistic = pvalue = nan
    least, greatest = low, high = target.range
    reason = None
    n_draws, n_labels = drawn.draws.size, len(drawn.z)
    around = None
    if n_labels and n_draws == target.size:
        if target.is_by_labels:
            value = target.value_of(drawn.draws[drawn.labeled], drawn.labels)
        else:
            value = value_at(target, with_indicator(drawn.z, drawn.labeled).mean(axis=0))
        standard_error = 0.0
        low, high, size = value, value, float(n_draws)
        if value == value:
            around = Approximate(value, value, 1.0, None)
    elif n_labels:
        found = weigh(target, drawn, rule, earlier)
        size = found.size
        if found.value == found.value:
            # A correction with large weights can be outside the measure's range.
            value = min(max(found.value, least), greatest)
            standard_error = found.standard_error
            low, high = wald_interval(value, standard_error, level)
            low, high = low - found.unevenness, high + found.unevenness
            stand_in = few.bounds(drawn, found.plain, found.variance, found.share, level)
            if stand_in is not None:
                low, high = min(low, stand_in[0]), max(high, stand_in[1])
            low, high = max(low, least), min(high, greatest)
            around = limit.around(found, n_labels, is_known=stand_in is None)
            reason = limit.wald_caveat(found, n_labels, is_known=stand_in is None)
            if target.null_value is not None:
                statistic, pvalue = _test(value, low, high, standard_error, level, stand_in is not None)
    if value != value:
        low, high = target.range
    if around is None:
        around = limit.before(n_labels)
    return Estimate(
        value=value,
        standard_error=standard_error,
        low=low,
        high=high,
        n_draws=n_labels,
        n_labels=n_labels,
        n_excluded=n_draws - n_labels,
        effective_sample_size=size,
        confidence_level=level,
        estimator="adaptive",
        interval="wald",
        statistic=statistic,
        pvalue=pvalue,
        reason=reason,
        quantity=target.quantity,
        **around.of_estimate(),
    )


def _test(
    value: float, low: float, high: float, standard_error: float, level: float, is_stand_in: bool
) -> tuple[float, float]:
    """Return the statistic and the p-value of "no difference"."""
    error = standard_error
    if is_stand_in:
        # The distance from the estimate to the interval's end towards 0, in normal quantiles of its level.
        error = max(error, (value - low if value > 0 else high - value) / float(ndtri(1 - (1 - level) / 2)))
    if not error > 0:
        return nan, nan
    return abs(value) / error, float(2 * ndtr(-abs(value) / error))
