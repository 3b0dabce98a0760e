"""Tests for one fixed number of draws: two models by Wald's, several with adjusted p-values.

Repeated after every label until one is significant, these tests err far more often than their level.
"""

from collections.abc import Sequence
from math import ceil, isnan, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, stdtr

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count, check_fraction, check_option, check_positive
from activeeval_widgets.stats.measures.base import Measure, max_weight
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import comparison_of, target_of
from activeeval_widgets.stats.questions.sample import Sample
from activeeval_widgets.stats.questions.target import Target
from activeeval_widgets.stats.results import PairwiseComparison, PairwiseTable

_CORRECTIONS = ("holm", "bonferroni", "tukey")


def wald_power(
    difference: float, standard_deviation: float, n_draws: int, *, confidence_level: float = 0.95
) -> float:
    """Return the probability that the two-sided Wald test rejects, for a true difference.

    Parameters
    ----------
    difference : float
        The true difference Δ.
    standard_deviation : float
        σ_q of one draw: √n times the standard error of n draws (see `asymptotic_variance`).
    n_draws : int
        n.
    confidence_level : float
        1 − α.

    Returns
    -------
    float
        1 − F(z; √n Δ/σ), F the folded normal distribution function; α if the difference is 0.

    Raises
    ------
    ValueError, TypeError
        If a number is out of its range.

    See Also
    --------
    draws_for_power : the inverse.

    References
    ----------
    T, eq. 5.3–5.4.

    Examples
    --------
    >>> round(wald_power(0.05, 0.3, 300), 3)
    0.823
    """
    deviation = check_positive("standard_deviation", standard_deviation)
    count = check_count("n_draws", n_draws, minimum=1)
    level = check_fraction("confidence_level", confidence_level, closed=False)
    critical = ndtri(1 - (1 - level) / 2)
    shift = sqrt(count) * abs(difference) / deviation
    return float(ndtr(shift - critical) + ndtr(-shift - critical))


def draws_for_power(
    difference: float, standard_deviation: float, *, power: float = 0.8, confidence_level: float = 0.95
) -> int:
    """Return the smallest number of draws for which the Wald test has a given power.

    Parameters
    ----------
    difference : float
        The true difference Δ, not 0.
    standard_deviation : float
        σ_q of one draw.
    power : float
        The probability of rejecting, strictly between 0 and 1.
    confidence_level : float
        1 − α.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If the difference is 0, for which no number of draws is enough.

    See Also
    --------
    wald_power : the inverse.
    asymptotic_variance : the square of the standard deviation.

    References
    ----------
    T, eq. 5.3–5.4, inverted.

    Examples
    --------
    >>> draws_for_power(0.05, 0.3, power=0.8)
    283
    """
    size = check_positive("abs(difference)", abs(difference))
    deviation = check_positive("standard_deviation", standard_deviation)
    wanted = check_fraction("power", power, closed=False)

    def reached(n_draws: int) -> bool:
        return wald_power(size, deviation, n_draws, confidence_level=confidence_level) >= wanted

    # The far tail only adds power, so the one-sided number is an upper bound, and power increases with n.
    level = check_fraction("confidence_level", confidence_level, closed=False)
    shift = max(0.0, float(ndtri(1 - (1 - level) / 2) + ndtri(wanted)))
    high = max(1, ceil((shift * deviation / size) ** 2) + 1)
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle
    return high


def wald_test(
    target: Target, sample: Sample, value: float, standard_error: float, interval: str = "wald"
) -> tuple[float, float]:
    """Return the Wald statistic |Δ̂|/SE and the p-value of "no difference" (T, eq. 3.24).

    It is the smallest α whose interval excludes 0: for the interval "t" by Student's t with n − 1 degrees of
    freedom. If no draw deviates from Δ̂, the interval is that of `constant_loss_interval`, and there is no
    statistic.
    """
    if isnan(value):
        return nan, nan
    if not isnan(standard_error):
        statistic = abs(value) / standard_error
        tail = stdtr(len(sample.z) - 1, -statistic) if interval == "t" else ndtr(-statistic)
        return statistic, float(2 * tail)
    if not target.measure.is_risk or value == 0:
        return nan, 1.0
    least, greatest = target.range
    share = value / (value - least) if value > 0 else value / (value - greatest)
    deviating = share / max_weight(sample.q)
    return nan, float(min(1.0, 2 * (1 - deviating) ** len(sample.z))) if deviating < 1 else 0.0


def compare_all(
    measure: Measure,
    predictions: Sequence[Predictions],
    q: ArrayLike,
    draws: ArrayLike,
    y_true: Any,
    *,
    correction: str = "holm",
) -> PairwiseTable:
    """Compare every pair of several models, with p-values that hold for all pairs at once.

    Parameters
    ----------
    measure : Measure
        The measure to compare models by.
    predictions : sequence of at least two Predictions
        The models.
    q : array-like of shape (n_instances,)
        The instrumental distribution of the draws.
    draws : array-like of shape (n_draws,)
        Indices into the pool, at least two.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order; None for an excluded one.
    correction : {"holm", "bonferroni", "tukey"}
        "holm", "bonferroni": the pairs' Wald p-values, adjusted; Holm's are never larger. "tukey":
        √n |Δ̂| / (S_k/√2) against the studentized range of k means with (n − 1) k degrees of freedom, where
        S_k² is the mean of the pairs' variances. It holds only if all pairs have the same variance: with
        near-identical models and one that is different it rejected a true "no two differ" in 8 and 15 % of
        simulated samples for k = 4 and 8 at a nominal 5 % (Holm's: 2 % or less).

    Returns
    -------
    PairwiseTable

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two models or draws, or arguments don't match.

    See Also
    --------
    estimate : of two models.
    sequential_selection : valid at every number of draws, and finds the best model.

    Notes
    -----
    The statistic as printed in T (3.2.3) lacks √n, and its S_k is a variance of differences, twice that of
    one mean, which the studentized range expects: without √n and 1/√2 the test never rejects.

    References
    ----------
    T, 3.2.3 and 5.16; Holm, *A simple sequentially rejective multiple test procedure*, 1979.

    Examples
    --------
    >>> models = [ClassPredictions([[p, 1 - p]] * 30) for p in (0.9, 0.8, 0.3)]
    >>> table = compare_all(ErrorRate(), models, uniform_q(30), np.arange(30), [0] * 20 + [1] * 10)
    >>> round(table[0, 2].value, 3), table[0, 1].value
    (-0.333, 0.0)
    """
    check_option("correction", correction, _CORRECTIONS)
    models = as_models(predictions)
    question = comparison_of(measure, models, "a table of all pairs")
    pairs, targets = question.pairs, question.targets
    given = [target.sample(q, draws, y_true) for target in targets]
    samples = [sample.only_labeled() for sample in given]
    n_draws = samples[0].draws.size
    if n_draws < 2:
        raise ValueError(f"draws must hold at least two draws, got {n_draws}")
    values, errors = np.array(
        [
            _difference(target, sample, target.pool_share(every))
            for target, sample, every in zip(targets, samples, given, strict=True)
        ]
    ).T
    tests = [
        wald_test(*each) for each in zip(targets, samples, values.tolist(), errors.tolist(), strict=True)
    ]
    statistics, pvalues = np.array(tests).T
    if correction == "tukey" and np.nansum(errors) > 0:
        # A pair without any difference in the sample has the variance 0.
        variances = np.where(np.isnan(errors), 0.0, n_draws * errors**2)
        deviation = sqrt(variances.mean() / 2)
        statistics = sqrt(n_draws) * np.abs(values) / deviation
        n_models = len(question.models)
        # Imported only here, because it takes longer than all other imports of a kernel.
        from scipy.stats import studentized_range

        pvalues = studentized_range.sf(statistics, n_models, (n_draws - 1) * n_models)
    elif correction == "holm":
        pvalues = _holm(pvalues)
    else:
        # Bonferroni; also instead of Tukey's test if no pair has a variance to pool.
        pvalues = np.minimum(1.0, pvalues * len(pairs))
    rows = [
        PairwiseComparison(a, b, *map(float, row))
        for (a, b), row in zip(pairs, zip(values, errors, statistics, pvalues, strict=True), strict=True)
    ]
    own = [target_of(measure, [model]) for model in models]
    own_samples = [target.sample(q, draws, y_true).only_labeled() for target in own]
    estimates = [
        float(target.weighted(sample.z, sample.weights).value)
        for target, sample in zip(own, own_samples, strict=True)
    ]
    return PairwiseTable(tuple(rows), tuple(estimates), correction, n_draws)


def _difference(target: Target, sample: Sample, share: float) -> tuple[float, float]:
    """Return Δ̂ and its standard error; NaN where unknown."""
    weighted = target.weighted(sample.z, sample.weights)
    error = nan if weighted.is_constant else share * float(weighted.standard_error)
    return share * float(weighted.value), error


def _holm(pvalues: FloatArray) -> FloatArray:
    order = np.argsort(pvalues)
    stepped = pvalues[order] * np.arange(len(pvalues), 0, -1)
    adjusted = np.empty_like(pvalues)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(stepped))
    return adjusted
