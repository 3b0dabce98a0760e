"""Exact coverage of intervals for a fixed number of labels."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlog1py, xlogy

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count, check_fraction, check_option
from activeeval_widgets.stats.intervals import clopper_pearson_interval, wald_interval, wilson_interval


def binomial_coverage(
    interval: str, n_draws: int, rates: ArrayLike, *, confidence_level: float = 0.95
) -> FloatArray:
    """Compute the coverage of an interval from uniform draws with values 0 or 1.

    Since counts are discrete, coverage jumps from rate to rate, and no interval covers with exactly 95 %.

    Parameters
    ----------
    interval : {"wald", "wilson", "clopper_pearson"}
        The interval. A Wald interval of width 0, when all draws are equal, counts as not covering.
    n_draws : int
        The number of draws, at least 1.
    rates : array-like of shape (n,)
        True rates, from 0 to 1.
    confidence_level : float
        1 − α.

    References
    ----------
    T, figure 3.2.
    """
    check_option("interval", interval, tuple(_INTERVALS))
    n = check_count("n_draws", n_draws, minimum=1)
    level = check_fraction("confidence_level", confidence_level, closed=False)
    rate: FloatArray = np.asarray(rates, dtype=np.float64)
    if not ((rate >= 0) & (rate <= 1)).all():
        raise ValueError(f"rates must be from 0 to 1, got {rates!r}")
    counts = np.arange(n + 1)
    ends = np.array([_INTERVALS[interval](int(k), n, level) for k in counts])
    log_ways = gammaln(n + 1) - gammaln(counts + 1) - gammaln(n - counts + 1)
    at = rate[..., np.newaxis]
    chances = np.exp(log_ways + xlogy(counts, at) + xlog1py(n - counts, -at))
    held = (ends[:, 0] <= at) & (at <= ends[:, 1])
    found: FloatArray = (chances * held).sum(axis=-1)
    return found


def _wald(successes: int, n_draws: int, confidence_level: float) -> tuple[float, float]:
    share = successes / n_draws
    if share in (0.0, 1.0):
        return np.inf, -np.inf
    return wald_interval(share, float(np.sqrt(share * (1 - share) / n_draws)), confidence_level)


_INTERVALS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {
    "wald": _wald,
    "wilson": wilson_interval,
    "clopper_pearson": clopper_pearson_interval,
}
