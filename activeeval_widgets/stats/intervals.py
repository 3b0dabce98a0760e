"""Intervals for one fixed number of draws. They do not stay valid while they are watched."""

import numpy as np
from scipy.special import ndtri


def wald_interval(value: float, standard_error: float, confidence_level: float) -> tuple[float, float]:
    """The Wald interval value ± Φ⁻¹(1 − α/2) · standard error (T, Lemma 3.3).

    Parameters
    ----------
    value, standard_error : float
        The estimate and its standard error, which must be positive.
    confidence_level : float
        1 − α, strictly between 0 and 1.

    Returns
    -------
    low, high : float
    """
    half_width = float(ndtri(1 - (1 - confidence_level) / 2)) * standard_error
    return value - half_width, value + half_width


def constant_loss_interval(
    value: float, n_draws: int, max_weight: float, confidence_level: float, value_range: tuple[float, float]
) -> tuple[float, float]:
    """An interval for a bounded risk when every draw had the same loss, so that no variance can be estimated.

    With u = 1 − (α/2)^(1/n), a loss other than `value` has probability below u under q, or n draws would have
    met one (probability 1 − α/2). Its probability under p is then below s = u · max(p/q), and the risk is
    off by at most s times the distance to either end of the range. For unweighted zero-one losses this is the
    Clopper–Pearson interval.

    Parameters
    ----------
    value : float
        The loss that all draws had.
    n_draws : int
        Their number.
    max_weight : float
        The greatest p/q in the pool.
    confidence_level : float
        1 − α, strictly between 0 and 1.
    value_range : tuple of float
        The least and the greatest possible loss.

    Returns
    -------
    low, high : float
    """
    share = min(1.0, -np.expm1(np.log((1 - confidence_level) / 2) / n_draws) * max_weight)
    least, greatest = value_range
    return float(value - share * (value - least)), float(value + share * (greatest - value))
