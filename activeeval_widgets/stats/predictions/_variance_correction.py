"""Correction of a regression model's variances by labels."""

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray

_PRIOR_LABELS = 10.0
"""The number of labels that the promised scale of the variances counts for."""

_OF_POWER = 0.5
"""The standard deviation of the normal prior of the variances' power around 1."""

_MAX_RATIO = 1e12
"""Larger squared deviations, in units of the promised variance, count as this: a system stays solvable."""

_MAX_STEPS = 50
_LARGEST_STEP = 0.5


def corrected_variances(
    promised: FloatArray, squares: FloatArray, draws: IntArray, typical: float
) -> FloatArray:
    """Correct the promised variances v to s t (v/t)^a by labels, where t is a typical variance.

    log s and a maximize the likelihood of Gaussian deviations (`squares`, for each model and draw), with a
    prior of ten labels that deviate as promised (s = 1), and a ~ N(1, 0.5²). If deviations are unrelated to
    the variances, a goes to 0, and q to uniform draws. Davidian & Carroll, *Variance function estimation*,
    1987.
    """
    share = 1 / len(promised)
    relative = np.log(promised / typical)
    of_draws = relative[:, draws]
    scale, power = 0.0, 1.0
    for _ in range(_MAX_STEPS):
        ratios = share * np.minimum(squares / (typical * np.exp(scale + power * of_draws)), _MAX_RATIO)
        prior = _PRIOR_LABELS * np.exp(-scale)
        gradient = np.array(
            [
                0.5 * (float((ratios - share).sum()) + prior - _PRIOR_LABELS),
                0.5 * float(((ratios - share) * of_draws).sum()) - (power - 1) / _OF_POWER**2,
            ]
        )
        crossed = 0.5 * float((ratios * of_draws).sum())
        curvature = np.array(
            [
                [0.5 * (float(ratios.sum()) + prior), crossed],
                [crossed, 0.5 * float((ratios * of_draws**2).sum()) + _OF_POWER**-2],
            ]
        )
        step = np.clip(np.linalg.solve(curvature, gradient), -_LARGEST_STEP, _LARGEST_STEP)
        scale, power = scale + float(step[0]), power + float(step[1])
        if np.abs(step).max() < 1e-9:
            break
    variances: FloatArray = typical * np.exp(scale + power * relative)
    return variances
