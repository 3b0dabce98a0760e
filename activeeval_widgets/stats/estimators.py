"""Weighted labels give an estimate, its standard error and its interval."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    check_count,
    check_fraction,
    check_option,
)
from activeeval_widgets.stats.confidence_sequences import ConfidenceSequence
from activeeval_widgets.stats.hypothesis_tests import wald_test
from activeeval_widgets.stats.intervals import (
    clopper_pearson_interval,
    t_interval,
    wald_interval,
    wilson_interval,
)
from activeeval_widgets.stats.measures import Measure
from activeeval_widgets.stats.predictions import Predictions, as_models
from activeeval_widgets.stats.results import Estimate
from activeeval_widgets.stats.target import Sample, Target

_ESTIMATORS = ("self_normalized",)
_INTERVALS = ("wald", "t", "wilson", "clopper_pearson", "confidence_sequence")


def estimate(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    q: ArrayLike,
    draws: ArrayLike,
    y_true: Any,
    *,
    estimator: str = "self_normalized",
    interval: str = "wald",
    confidence_level: float = 0.95,
) -> Estimate:
    """Estimate a measure from labeled draws.

    Parameters
    ----------
    measure : Measure
        What to estimate.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution that the draws come from. For the difference of two risks it may be 0
        where the models agree; for a ratio, where its statistics are 0 for every label.
    draws : array-like of shape (n_draws,)
        Indices into the pool, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order; for rankings, a mapping from item to grade for each draw.
    estimator : {"self_normalized"}
        Ê z = Σ v z / Σ v with weights v = p/q, and Ĝ = g(Ê z).
    interval : {"wald", "t", "wilson", "clopper_pearson", "confidence_sequence"}
        All but the last for one n fixed beforehand. "wald": Ĝ ± Φ⁻¹(1 − α/2) · standard error.
        "t": the same with Student's t for n − 1 degrees of freedom. Where no draw deviates from the estimate
        these would be a point; a bound that does not need a variance stands in (`constant_loss_interval` and
        its like). "wilson" and
        "clopper_pearson": for draws from the uniform distribution that count 0 or 1 (error rate, accuracy).
        "confidence_sequence": valid at every n at once, so that it may be watched; the last element of
        `confidence_sequence`, without a range of the labels. It does not depend on the estimate, which can be
        outside. Intervals are cut off at the ends of the measure's range.
    confidence_level : float
        1 − α, strictly between 0 and 1.

    Returns
    -------
    Estimate
        Where the measure is not defined yet, the value is NaN and the interval the measure's whole range.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, a label is not one of the classes, a draw has q = 0, or the
        interval is not meant for such a sample.

    References
    ----------
    T, eq. 3.11, 3.14 and 3.24; the general form by the delta method.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> result = estimate(ErrorRate(), predictions, uniform_q(3), [0, 1, 2, 1], [0, 0, 1, 0])
    >>> result.value, result.n_draws, result.n_labels
    (0.5, 4, 3)
    """
    return estimate_trajectory(
        measure,
        predictions,
        q,
        draws,
        y_true,
        estimator=estimator,
        interval=interval,
        confidence_level=confidence_level,
    )[0]


def estimate_trajectory(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    q: ArrayLike,
    draws: ArrayLike,
    y_true: Any,
    *,
    at: Sequence[int] | IntArray | None = None,
    estimator: str = "self_normalized",
    interval: str = "wald",
    confidence_level: float = 0.95,
) -> list[Estimate]:
    """The estimates after the first n draws, for several n: how the answer got sharper.

    Parameters
    ----------
    at : sequence of int, optional
        The numbers of draws; all draws alone unless given.

    Other parameters are as for `estimate`.

    Returns
    -------
    list of Estimate
        One for each entry of `at`.

    Raises
    ------
    ValueError, TypeError
        As `estimate`; also if an entry of `at` is negative or above the number of draws.
    """
    check_option("estimator", estimator, _ESTIMATORS)
    check_option("interval", interval, _INTERVALS)
    level = check_fraction("confidence_level", confidence_level, closed=False)
    target = Target(measure, as_models(predictions))
    sample = target.sample(q, draws, y_true)
    if interval in ("wilson", "clopper_pearson"):
        _check_binomial(interval, target, sample.q)
    counts = _check_at(at, sample.draws.size)
    if interval != "confidence_sequence":
        return [_estimate(target, sample.first(n), interval, level) for n in counts]
    sequence = ConfidenceSequence(measure, predictions, q, confidence_level=level)
    start = sequence.low, sequence.high
    bounds = [start, *zip(*(each.tolist() for each in sequence.extend(draws, y_true)), strict=True)]
    return [
        replace(
            _estimate(target, sample.first(n), "wald", level),
            low=bounds[n][0],
            high=bounds[n][1],
            interval=interval,
            is_asymptotic=sequence.is_asymptotic,
        )
        for n in counts
    ]


def _check_at(at: Sequence[int] | IntArray | None, n_draws: int) -> list[int]:
    if at is None:
        return [n_draws]
    counts = [check_count("at", n) for n in at]
    if counts and max(counts) > n_draws:
        raise ValueError(f"at holds {max(counts)}, expected at most the number of draws, {n_draws}")
    return counts


def _check_binomial(interval: str, target: Target, q: FloatArray) -> None:
    reason = None
    if target.is_difference:
        reason = "the difference of two models counts −1, 0 or 1"
    elif not target.measure.is_binary:
        reason = f"{target.measure.name} is not the mean of outcomes that are 0 or 1"
    elif not np.allclose(q, 1 / q.size, rtol=1e-9, atol=0):
        reason = "these are weighted: q is not uniform"
    if reason:
        raise ValueError(f"interval {interval!r} is for unweighted draws that count 0 or 1, but {reason}")


def _estimate(target: Target, sample: Sample, interval: str, confidence_level: float) -> Estimate:
    n_draws = sample.draws.size
    value = standard_error = effective_sample_size = statistic = pvalue = nan
    least, greatest = low, high = target.range
    if n_draws:
        weighted = target.weighted(sample.z, sample.weights)
        value, effective_sample_size = float(weighted.value), float(weighted.effective_sample_size)
    if not isnan(value):
        share = target.pool_share(sample.q)
        if weighted.is_constant:
            if (sample.z == sample.z[0]).all():
                # The weighted mean of equal numbers differs from them by rounding alone.
                value = float(target.g(sample.z[0]))
            low, high = target.constant_interval(sample, value, confidence_level)
        else:
            standard_error = share * float(weighted.standard_error)
        low, high, value = share * low, share * high, share * value
        value = min(max(value, least), greatest)
        if interval in ("wilson", "clopper_pearson"):
            bounds = wilson_interval if interval == "wilson" else clopper_pearson_interval
            low, high = bounds(int(sample.z.sum()), n_draws, confidence_level)
        elif interval == "t" and not weighted.is_constant:
            low, high = t_interval(value, standard_error, n_draws, confidence_level)
        elif not weighted.is_constant:
            low, high = wald_interval(value, standard_error, confidence_level)
        low, high = max(low, least), min(high, greatest)
        if target.is_difference:
            statistic, pvalue = wald_test(target, sample, value, standard_error)
    return Estimate(
        value=value,
        standard_error=standard_error,
        low=low,
        high=high,
        n_draws=n_draws,
        n_labels=np.unique(sample.draws).size,
        effective_sample_size=effective_sample_size,
        confidence_level=confidence_level,
        estimator="self_normalized",
        interval=interval,
        statistic=statistic,
        pvalue=pvalue,
        is_asymptotic=interval != "clopper_pearson",
    )
