"""The estimate, its interval and its test after one number of draws."""

from math import isfinite, isnan, nan
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats.anytime.approximate_interval import Approximate, approximate_interval
from activeeval_widgets.stats.anytime.asymptotic import influences_of
from activeeval_widgets.stats.anytime.limit_conditions import (
    HAS_KINKS,
    WEIGHTS_TOO_UNEVEN,
    WITH_REPLACEMENT,
    FarthestInstance,
)
from activeeval_widgets.stats.fixed_n.hypothesis_tests import wald_test
from activeeval_widgets.stats.intervals import (
    clopper_pearson_interval,
    t_interval,
    wald_interval,
    wilson_interval,
)
from activeeval_widgets.stats.questions.sample import Sample, Weighted
from activeeval_widgets.stats.questions.target import Target
from activeeval_widgets.stats.results import Estimate


class _Answer(NamedTuple):
    """An estimate, the interval to use if the standard error is unknown, and the test."""

    value: float
    standard_error: float
    fallback: tuple[float, float] | None
    statistic: float
    pvalue: float


def _self_normalized(
    target: Target, sample: Sample, share: float, weighted: Weighted, interval: str, level: float
) -> _Answer:
    least, greatest = target.range
    value, error, fallback = float(weighted.value), nan, None
    if weighted.is_constant:
        if (sample.z == sample.z[0]).all():
            # The weighted mean of equal numbers differs from them by rounding only.
            value = float(target.g(sample.z[0]))
        low, high = target.constant_interval(sample, value, level)
        fallback = share * low, share * high
    else:
        error = share * float(weighted.standard_error)
    value = min(max(share * value, least), greatest)
    return _Answer(value, error, fallback, *_test(target, sample, value, error, interval))


def _test(target: Target, sample: Sample, value: float, error: float, interval: str) -> tuple[float, float]:
    """Return the statistic and the p-value of "no difference"; NaN for one model."""
    if target.null_value is None:
        return nan, nan
    return wald_test(target, sample, value, error, interval)


def _difference(target: Target, sample: Sample, weighted: Weighted, interval: str, level: float) -> _Answer:
    assert sample.expected is not None  # noqa: S101 - for the type checker: see `_with_expectation`
    assert sample.expected_mean is not None  # noqa: S101
    share = target.pool_share(sample)
    excluded = None if sample.labeled is None else (~sample.labeled).astype(np.float64)
    assisted = target.assisted(sample.z, sample.weights, sample.expected, sample.expected_mean, excluded)
    sample = sample.only_labeled()
    value, error, fallback = float(assisted.value), float(assisted.standard_error), None
    no_difference = nan if target.null_value is None else 1.0
    if isnan(value):
        return _Answer(value, nan, None, nan, nan)
    if isnan(float(weighted.value)):
        # Expected, but not observed yet: there is an estimate, but nothing to base an interval on.
        return _Answer(value, nan, target.range, nan, no_difference)
    least, greatest = target.range
    center = min(max(value, least), greatest)
    if not (weighted.is_constant or assisted.is_constant or isnan(error)):
        return _Answer(value, error, None, *_test(target, sample, center, error, interval))
    constant = _self_normalized(target, sample, share, weighted, interval, level)
    bounds = constant.fallback or target.range
    half = 0.0 if isnan(error) else wald_interval(0.0, error, level)[1]
    fallback = min(bounds[0], center - half), max(bounds[1], center + half)
    # The hull of two intervals excludes 0 where both do, on the same side.
    pvalue = constant.pvalue if constant.fallback else no_difference
    if not error > 0:
        pvalue = no_difference if center == 0 else pvalue
    else:
        pvalue = max(pvalue, _test(target, sample, center, error, "wald")[1])
    if center * float(weighted.value) <= 0:
        pvalue = no_difference
    return _Answer(value, nan, fallback, nan, pvalue)


_DIFFERENCE = "No approximate interval: it is for the self-normalized estimate."


def _approximate(
    target: Target,
    labeled: Sample,
    value: float,
    error: float,
    level: float,
    farthest: FarthestInstance,
    unevenness: float = 0.0,
) -> Approximate:
    """Return the interval around the self-normalized estimate that holds in the limit, at all n."""
    n_draws = labeled.draws.size
    has_limit = target.quantity.measure.has_limit_if_weighted
    reason = HAS_KINKS if not target.is_smooth else None if has_limit else WEIGHTS_TOO_UNEVEN
    influences = gradient = None
    center = nan
    if isfinite(value) and n_draws >= WITH_REPLACEMENT.n_labels:
        influences, gradient, center = influences_of(target, labeled.z, labeled.weights)
    return approximate_interval(
        value,
        error,
        influences,
        n_draws,
        level=level,
        possible=target.range,
        needed=WITH_REPLACEMENT,
        farthest=farthest.deviation(gradient, center),
        reason=reason,
        unevenness=unevenness,
    )


def estimate_at(
    target: Target,
    sample: Sample,
    interval: str,
    confidence_level: float,
    farthest: FarthestInstance,
) -> Estimate:
    labeled = sample.only_labeled()
    n_draws, share = labeled.draws.size, target.pool_share(sample)
    value = standard_error = effective_sample_size = statistic = pvalue = nan
    unevenness = 0.0
    least, greatest = low, high = target.range
    estimator = "self_normalized" if sample.expected is None else "difference"
    around = Approximate(low, high, 1.0, None if sample.expected is None else _DIFFERENCE)
    if sample.expected is None:
        around = _approximate(target, labeled, nan, nan, confidence_level, farthest)
    if n_draws:
        weighted = target.weighted(labeled.z, labeled.weights)
        value, effective_sample_size = float(weighted.value), float(weighted.effective_sample_size)
        if sample.expected is not None or not isnan(value):
            if sample.expected is None:
                answer = _self_normalized(target, labeled, share, weighted, interval, confidence_level)
            else:
                answer = _difference(target, sample, weighted, interval, confidence_level)
            value, standard_error, fallback, statistic, pvalue = answer
            if sample.labeled is not None or target.measure.is_binned:
                kept = float(labeled.weights.sum() / sample.weights.sum())
                unevenness = target.unevenness(labeled.weights @ labeled.z / labeled.weights.sum(), kept)
            if sample.expected is None and fallback is None:
                around = _approximate(
                    target, labeled, value, standard_error, confidence_level, farthest, unevenness
                )
    if not isnan(value):
        # Around a possible value, so that no interval is cut off to a point.
        center = min(max(value, least), greatest)
        if interval in ("wilson", "clopper_pearson"):
            bounds = wilson_interval if interval == "wilson" else clopper_pearson_interval
            low, high = bounds(int(labeled.z.sum()), n_draws, confidence_level)
        elif fallback is not None:
            low, high = fallback
        elif interval == "t":
            low, high = t_interval(center, standard_error, n_draws, confidence_level)
        else:
            low, high = wald_interval(center, standard_error, confidence_level)
        if sample.labeled is not None:
            # Extended to where no never drawn instance can be labeled.
            low, high = min(low, low / share), max(high, high / share)
            around = around._replace(
                low=min(around.low, around.low / share), high=max(around.high, around.high / share)
            )
        low, high = max(low - unevenness, least), min(high + unevenness, greatest)
    return Estimate(
        value=value,
        standard_error=standard_error,
        low=low,
        high=high,
        n_draws=n_draws,
        n_labels=np.unique(labeled.draws).size,
        n_excluded=np.unique(sample.draws).size - np.unique(labeled.draws).size,
        effective_sample_size=effective_sample_size,
        confidence_level=confidence_level,
        estimator=estimator,
        interval=interval,
        statistic=statistic,
        pvalue=pvalue,
        is_asymptotic=interval != "clopper_pearson",
        quantity=target.quantity,
        **around.of_estimate(),
    )
