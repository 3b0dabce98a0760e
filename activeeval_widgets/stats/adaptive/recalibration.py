"""Predictive distributions, recalibrated with the labels so far."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief

_PRIOR_LABELS = 10.0
"""Number of labels that the model's own expectation counts for."""


def recalibrate(
    measure: Measure,
    models: Sequence[Predictions],
    draws: IntArray,
    y_true: Any,
    *,
    with_labels: bool = False,
) -> Belief:
    """Return the predictive distribution of the models' equal mixture, recalibrated with labels."""
    first, *others = models
    return first.corrected(others, draws, y_true, positive=measure.positive, with_labels=with_labels)


def corrected_mean(
    expected: FloatArray,
    spread: FloatArray,
    draws: IntArray,
    z: FloatArray,
    average: Callable[[FloatArray], Any] = np.mean,
    *,
    by_factor: bool = False,
) -> FloatArray:
    """Return E[z | x] corrected with labels if the predictive distribution is not: α + β E[z | x].

    α and β by least squares, weighted by the influence's `spread`, with a prior that counts as ten labels at
    α = 0, β = 1. With `by_factor`, positive expectations have only a β: losses that follow the labels'
    spread, which has been recalibrated, need no other correction, and heavy tails would make α and β noisy.
    """
    if not draws.size:
        return expected
    variance = np.maximum(spread[draws], 1e-3 * spread.max()) ** 2
    weights = np.ones(draws.size) if not variance.min() > 0 else 1 / variance
    weights /= weights.mean()
    made = expected.copy()
    for k in range(expected.shape[1]):
        own = expected[:, k]
        if by_factor and own.min() > 0:
            strength_of_one = float((weights * own[draws] ** 2).mean())
            seen = float(weights @ (z[:, k] * own[draws])) / strength_of_one
            made[:, k] *= (_PRIOR_LABELS + seen) / (_PRIOR_LABELS + draws.size)
            continue
        slope = expected[:, k] - average(expected[:, k])
        rows = np.column_stack([np.ones(draws.size), slope[draws]])
        strength = np.array([1.0, max(float(average(slope**2)), 1e-300)])
        curvature = rows.T @ (weights[:, np.newaxis] * rows) + _PRIOR_LABELS * np.diag(strength)
        scale = np.sqrt(np.diag(curvature))
        right = rows.T @ (weights * (z[:, k] - expected[draws, k]))
        solution = np.linalg.solve(curvature / np.outer(scale, scale), right / scale) / scale
        made[:, k] += solution[0] + solution[1] * slope
    return made
