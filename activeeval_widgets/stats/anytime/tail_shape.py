"""The shape of a tail: whether a few sizes matter as much as all others."""

from math import inf, sqrt

import numpy as np
from scipy.special import softmax

from activeeval_widgets.stats._typing import FloatArray

_FEWEST = 5
"""The least number of sizes to which a tail is fitted."""

_ROUNDING = 1e-9
"""Sizes that differ by less than this share of the largest one are equal: few values may occur, and rounding
must not decide whether there is a tail."""

_PRIOR_SIZES, _PRIOR_SHAPE = 10.0, 0.5
"""The prior of the fit: as if this many more sizes of a tail of this shape had been observed."""


def tail_shape(sizes: FloatArray) -> float:
    """Return k of a generalized Pareto distribution fitted to the largest sizes, none of them negative.

    With k below 1/2 the variance is finite, and an average is soon normal; with k above 0.7 an average is of
    no practical use. The tail consists of the largest 3 sqrt(n) of n sizes, or a fifth of them if that is
    less.

    Zhang & Stephens, *A new and efficient estimation method for the generalized Pareto distribution*,
    Technometrics 2009; Vehtari, Simpson, Gelman, Yao & Gabry, *Pareto smoothed importance sampling*, JMLR
    2024, with its prior.
    """
    n_tail = int(min(0.2 * sizes.size, 3 * sqrt(sizes.size)))
    if n_tail < _FEWEST:
        return inf
    ordered = np.sort(sizes)
    excess = ordered[-n_tail:] - ordered[-n_tail - 1]
    excess = excess[excess > _ROUNDING * ordered[-1]]
    fitted = _fit(excess) if excess.size >= _FEWEST else 0.0
    n_known = float(excess.size)
    return (n_known * fitted + _PRIOR_SIZES * _PRIOR_SHAPE) / (n_known + _PRIOR_SIZES)


def _fit(excess: FloatArray) -> float:
    """Return k by Zhang & Stephens, a mean over profile likelihoods; `excess` is positive and ascending."""
    n = excess.size
    n_points = 30 + int(sqrt(n))
    quartile = excess[int(n / 4 + 0.5) - 1]
    places = 1 - np.sqrt(n_points / (np.arange(1, n_points + 1) - 0.5))
    theta = 1 / excess[-1] + places / (3 * quartile)
    shapes = np.log1p(-theta[:, np.newaxis] * excess).mean(axis=1)
    # Where theta is 0, as for nearly equal sizes, the fit is the exponential distribution.
    rate = np.divide(-theta, shapes, out=np.full(n_points, 1 / excess.mean()), where=shapes != 0)
    likelihood = n * (np.log(rate) - shapes - 1)
    mean = float(theta @ softmax(likelihood))
    return float(np.log1p(-mean * excess).mean())
