"""Weighted labels give an estimate, its standard error and its interval."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    check_count,
    check_draws,
    check_fraction,
    check_option,
    check_q,
)
from activeeval_widgets.stats.intervals import constant_loss_interval, wald_interval
from activeeval_widgets.stats.measures import Measure
from activeeval_widgets.stats.predictions import Predictions
from activeeval_widgets.stats.results import Estimate

_ESTIMATORS = ("self_normalized",)
_INTERVALS = ("wald",)


def estimate(
    measure: Measure,
    predictions: Predictions,
    q: ArrayLike,
    draws: ArrayLike,
    y_true: ArrayLike,
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
    predictions : Predictions
        The model.
    q : array-like of shape (n_instances,)
        The instrumental distribution that the draws come from.
    draws : array-like of shape (n_draws,)
        Indices into the pool, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order.
    estimator : {"self_normalized"}
        Ê z = Σ v z / Σ v with weights v = p/q, and Ĝ = g(Ê z).
    interval : {"wald"}
        Ĝ ± Φ⁻¹(1 − α/2) · standard error, for one n fixed beforehand. Where all draws had the same outcome
        it would be a point; a bound that does not need a variance stands in (`constant_loss_interval`).
        Intervals are cut off at the ends of the measure's range.
    confidence_level : float
        1 − α, strictly between 0 and 1.

    Returns
    -------
    Estimate
        Without any draws, the value is NaN and the interval the measure's whole range.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, a label is not one of the classes, or a draw has q = 0.

    References
    ----------
    T, eq. 3.11 and 3.14; the general form by the delta method.

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
    predictions: Predictions,
    q: ArrayLike,
    draws: ArrayLike,
    y_true: ArrayLike,
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
    distribution = check_q(q, predictions.n_instances)
    drawn = check_draws(draws, distribution)
    labels = np.asarray(y_true)
    if labels.shape != drawn.shape:
        raise ValueError(
            f"y_true must hold one label for each of {drawn.size} draws, got shape {labels.shape}"
        )
    z = measure.statistics(predictions, labels, drawn)
    weights = 1 / (distribution.size * distribution[drawn])
    # p/q is greatest where q is least; instances that are never drawn have no influence on the measure.
    max_weight = 1 / (distribution.size * float(distribution[distribution > 0].min()))
    return [
        _self_normalized(measure, z[:n], weights[:n], drawn[:n], max_weight, interval, level)
        for n in _check_at(at, drawn.size)
    ]


def _check_at(at: Sequence[int] | IntArray | None, n_draws: int) -> list[int]:
    if at is None:
        return [n_draws]
    counts = [check_count("at", n) for n in at]
    if counts and max(counts) > n_draws:
        raise ValueError(f"at holds {max(counts)}, expected at most the number of draws, {n_draws}")
    return counts


def _self_normalized(
    measure: Measure,
    z: FloatArray,
    weights: FloatArray,
    draws: IntArray,
    max_weight: float,
    interval: str,
    confidence_level: float,
) -> Estimate:
    n_draws = draws.size
    value = standard_error = effective_sample_size = np.nan
    low, high = measure.value_range
    if n_draws:
        total = weights.sum()
        mean = weights @ z / total
        value = measure.g(mean)
        effective_sample_size = float(total**2 / (weights @ weights))
        if (z == z[0]).all():
            # The weighted mean of equal numbers differs from them by rounding alone.
            value = measure.g(z[0])
            low, high = constant_loss_interval(
                value, n_draws, max_weight, confidence_level, measure.value_range
            )
        else:
            influence = (z - mean) @ measure.gradient(mean)
            standard_error = float(np.linalg.norm(weights * influence) / total)
            wald_low, wald_high = wald_interval(value, standard_error, confidence_level)
            low, high = max(low, wald_low), min(high, wald_high)
    return Estimate(
        value=value,
        standard_error=standard_error,
        low=low,
        high=high,
        n_draws=n_draws,
        n_labels=np.unique(draws).size,
        effective_sample_size=effective_sample_size,
        confidence_level=confidence_level,
        estimator="self_normalized",
        interval=interval,
    )
