"""The number of uniform draws that would have given the same precision."""

from collections.abc import Sequence
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._validation import check_float_array
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import target_of

_ROUNDING = 1e-12
"""Influences that are smaller than this, relative to what they are computed from, are 0."""


def uniform_draws_needed(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    draws: ArrayLike,
    weights: ArrayLike,
    y_true: Any,
    standard_error: float,
) -> float:
    """Return the number of uniform draws without replacement that give the same standard error.

    The variance of the measure's influence ψ under uniform draws is estimated from the given draws as
    σ² = Σ v ψ² / Σ v · n / (n − 1), and σ² (1/n − 1/m) = s² is solved for n. This n is for the plain estimate
    from uniform draws, without a control variate.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        One model, or two for their difference.
    draws : array-like of shape (n_draws,)
        Indices into the pool.
    weights : array-like of shape (n_draws,)
        Each draw's weight in a mean over the pool, up to a common factor: p/q.
    y_true : array-like of shape (n_draws,)
        Their labels.
    standard_error : float
        The standard error of the estimate from the given draws.

    Returns
    -------
    float
        At most m; NaN if there are fewer than two draws, if the standard error is not positive and finite, if
        the draws show no variance, or if the measure is not defined.

    Raises
    ------
    ValueError, TypeError
        If the labels don't fit the draws or the predictions.

    See Also
    --------
    labels_needed : Forecast the labels still needed.

    Examples
    --------
    With an error rate of 0.1 on 10,000 instances, a standard error of 0.03 takes 100 uniform draws with
    replacement and 99 without.

    >>> model = ClassPredictions(np.tile([0.9, 0.1], (10_000, 1)))
    >>> labels = [1] + [0] * 9
    >>> n = uniform_draws_needed(ErrorRate(), model, range(10), np.ones(10), labels, 0.03 * (10 / 9) ** 0.5)
    >>> round(n, 1)
    99.0
    """
    target = target_of(measure, as_models(predictions))
    drawn = np.asarray(draws, dtype=np.intp)
    v = check_float_array("weights", weights, ndim=1, shape="(n_draws,)")
    if drawn.size < 2 or not isfinite(standard_error) or standard_error <= 0:
        return nan
    model = target.models[0]
    z = target.statistics(model.check_labels(y_true, drawn.size, f"{drawn.size} draws"), drawn)
    mean = v @ z / v.sum()
    with np.errstate(invalid="ignore"):
        gradient = target.gradient(mean)
        influence = (z - mean) @ gradient
        if np.all(np.abs(influence) <= _ROUNDING * (np.abs(z) + np.abs(mean)) @ np.abs(gradient)):
            return nan
    variance = float(v @ influence**2 / v.sum()) * drawn.size / (drawn.size - 1)
    if not isfinite(variance) or variance <= 0:
        return nan
    return variance / (standard_error**2 + variance / target.size)
