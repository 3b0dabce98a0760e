"""Estimates, standard errors and intervals from weighted labels."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import IntArray
from activeeval_widgets.stats._validation import ESTIMATORS, check_at, check_fraction, check_option
from activeeval_widgets.stats.anytime.confidence_sequences import ConfidenceSequence
from activeeval_widgets.stats.anytime.estimating_equation import check_y_in_range, check_y_range
from activeeval_widgets.stats.anytime.limit_conditions import FarthestInstance
from activeeval_widgets.stats.fixed_n._at_one_n import estimate_at
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.stats.questions.sample import Sample
from activeeval_widgets.stats.questions.target import Target
from activeeval_widgets.stats.results import Estimate

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
    y_range: tuple[float, float] | None = None,
) -> Estimate:
    """Estimate a measure from labeled draws.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution of the draws. For the difference of two risks it may be 0 where the
        models agree; for a ratio, where its statistics are 0 for every label.
    draws : array-like of shape (n_draws,)
        Indices into the pool, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order; for rankings, a mapping from item to grade for each draw. None
        for an excluded instance: the estimate is then the measure on instances that can be labeled (for the
        difference of two risks with q = 0, on those that can also be drawn).
    estimator : {"self_normalized", "difference"}
        "self_normalized": Ê z = Σ v z / Σ v with weights v = p/q, and Ĝ = g(Ê z). "difference": Ê z is the
        pool's average of E[z | x], according to the model, plus the mean of v (z − E[z | x]). The better the
        model's probabilities, the smaller its error, and it converges to the true value if they are wrong.
        For risks it is unbiased, so that its value, unlike its interval, may be outside the measure's range.
        Draws that can't be labeled have to be among the draws, with None for a label, because the pool's
        average includes them and their expectation has to be subtracted.
        If no label deviates from the others (no error observed), the variance of later ones is unknown: the
        interval is then the hull of its own and the one that needs no variance.
    interval : {"wald", "t", "wilson", "clopper_pearson", "confidence_sequence"}
        All but the last are for one n fixed in advance. "wald": Ĝ ± Φ⁻¹(1 − α/2) · standard error.
        "t": the same with Student's t for n − 1 degrees of freedom. If no draw deviates from the estimate,
        these would be a point, so a bound that does not need a variance replaces them
        (`constant_loss_interval` and similar ones). "wilson" and
        "clopper_pearson": for uniform draws with outcomes 0 or 1 (error rate, accuracy).
        "confidence_sequence": valid at every n at once; the last element of `confidence_sequence`, and so is
        its p-value. It does not depend on the estimate, which may be outside. Intervals are cut off at the
        ends of the measure's range.
    confidence_level : float
        1 − α, strictly between 0 and 1.
    y_range : tuple of two floats, optional
        The smallest and the largest possible label, for values (regression): a confidence sequence needs it
        to hold where large errors are rare. Labels outside raise an error.

    Returns
    -------
    Estimate
        While the measure is undefined, the value is NaN and the interval the measure's whole range.

    Raises
    ------
    ValueError, TypeError
        If arguments don't match, a label is not one of the classes, a draw has q = 0, the interval is not
        for such a sample, or the difference estimator is used for values without variances.

    See Also
    --------
    estimate_trajectory : after several numbers of draws.
    estimate_adaptive : for adaptive draws without replacement.
    confidence_sequence : intervals that are valid at every number of draws.

    References
    ----------
    T, eq. 3.11, 3.14 and 3.24; the general form by the delta method. The difference estimator: Särndal,
    Swensson & Wretman, *Model Assisted Survey Sampling*, 1992, eq. 6.3.4.

    Examples
    --------
    >>> result = estimate(ErrorRate(), model, uniform_q(3), [0, 1, 2, 1], [0, 0, 1, 0])
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
        y_range=y_range,
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
    y_range: tuple[float, float] | None = None,
) -> list[Estimate]:
    """Return the estimates after the first n draws, for several n.

    Parameters
    ----------
    measure, predictions, q, draws, y_true, estimator, interval, confidence_level, y_range
        As for `estimate`.
    at : sequence of int, optional
        The numbers of draws; only all draws unless given.

    Returns
    -------
    list of Estimate
        One for each entry of `at`.

    Raises
    ------
    ValueError, TypeError
        As `estimate`; also if an entry of `at` is negative or above the number of draws.

    See Also
    --------
    estimate : after all draws.

    Examples
    --------
    >>> found = estimate_trajectory(ErrorRate(), model, uniform_q(3), [0, 1, 2], [0, 0, 1], at=[1, 3])
    >>> [round(result.value, 3) for result in found]
    [0.0, 0.333]
    """
    check_option("estimator", estimator, ESTIMATORS)
    check_option("interval", interval, _INTERVALS)
    level = check_fraction("confidence_level", confidence_level, closed=False)
    models = as_models(predictions)
    target = target_of(measure, models)
    labels = check_y_range(y_range, models[0])
    sample = target.sample(q, draws, y_true)
    check_y_in_range(y_true, labels)
    if estimator == "difference":
        sample = _with_expectation(target, sample)
    if interval in ("wilson", "clopper_pearson"):
        _check_binomial(interval, target, sample)
    counts = check_at(at, sample.draws.size)
    farthest = FarthestInstance(target, labels)
    if interval != "confidence_sequence":
        return [estimate_at(target, sample.first(n), interval, level, farthest) for n in counts]
    sequence = ConfidenceSequence(measure, predictions, q, confidence_level=level, y_range=labels)
    given = list(y_true)
    watched: dict[int, Estimate] = {}
    for n in sorted(set(counts)):
        sequence.extend(sample.draws[sequence.n_draws : n], given[sequence.n_draws : n])
        watched[n] = replace(
            estimate_at(target, sample.first(n), "wald", level, farthest),
            low=sequence.low,
            high=sequence.high,
            interval=interval,
            statistic=nan,
            pvalue=sequence.pvalue,
            is_asymptotic=sequence.is_asymptotic,
            withheld=sequence.withheld,
            reason=sequence.reason,
        )
    return [watched[n] for n in counts]


def _check_binomial(interval: str, target: Target, sample: Sample) -> None:
    reason = None
    if target.null_value is not None:
        reason = "the difference of two models counts −1, 0 or 1"
    elif not target.measure.is_binary:
        reason = f"{target.measure.name} is not the mean of outcomes that are 0 or 1"
    elif sample.expected is not None:
        reason = "the difference estimator is not a share of the draws"
    elif not np.allclose(sample.q, 1 / sample.q.size, rtol=1e-9, atol=0):
        reason = "these are weighted: q is not uniform"
    if reason:
        raise ValueError(f"interval {interval!r} is for unweighted draws that count 0 or 1, but {reason}")


def _with_expectation(target: Target, sample: Sample) -> Sample:
    expected = target.expectation()
    if expected is None:
        raise ValueError(
            "estimator 'difference' needs the distribution of labels, but the predictions have no variances: "
            "give them, or use 'self_normalized'"
        )
    return sample._replace(expected=expected[sample.draws], expected_mean=expected.mean)
