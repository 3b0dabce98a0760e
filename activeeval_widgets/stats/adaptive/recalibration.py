"""What the labels so far say about the model's own probabilities: a corrected predictive distribution."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief

_PRIOR_LABELS = 10.0
"""For how many labels the model's own expectation counts."""


def recalibrate(
    measure: Measure,
    models: Sequence[Predictions],
    draws: IntArray,
    y_true: Any,
    *,
    with_labels: bool = False,
) -> Belief:
    """The predictive distribution of the models' equal mixture, corrected by labels.

    Parameters
    ----------
    measure : Measure
        What is estimated: its class of interest has a parameter of its own.
    models : sequence of Predictions
        One model or more, of one pool.
    draws : ndarray of shape (n_draws,)
        The labeled instances.
    y_true : array-like of shape (n_draws,)
        Their labels.
    with_labels : bool
        Whether the labeled instances themselves get their labels.
    """
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
    """E[z | x] corrected by labels where the predictive distribution is not: α + β E[z | x].

    α and β by weighted least squares, with a prior that counts as ten labels at α = 0, β = 1. With
    `by_factor`, positive expectations get a β alone: of losses that follow the spread of the labels, which
    has been corrected, no more is left to correct, and heavy tails would make α and β noise.

    Parameters
    ----------
    expected : ndarray of shape (n_instances, n_statistics)
        E[z | x] as the model says.
    spread : ndarray of shape (n_instances,)
        The standard deviation that is expected of the labels' influence.
    draws : ndarray of shape (n_draws,)
        The labeled instances.
    z : ndarray of shape (n_draws, n_statistics)
        Their statistics.
    average : callable, optional
        The mean over the pool of what rows have: `Predictions.average`.
    by_factor : bool
        Whether positive expectations are only multiplied.
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
