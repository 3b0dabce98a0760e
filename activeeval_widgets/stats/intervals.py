"""Intervals for one fixed number of draws; they are not valid under continuous monitoring."""

import numpy as np
from scipy.special import betaincinv, ndtri, stdtrit


def normal_quantile(confidence_level: float) -> float:
    """Return half the width of a normal interval in standard errors: 1.96 at the level 0.95."""
    return float(ndtri(1 - (1 - confidence_level) / 2))


def wald_interval(value: float, standard_error: float, confidence_level: float) -> tuple[float, float]:
    """Compute the Wald interval value ± Φ⁻¹(1 − α/2) · standard error (T, Lemma 3.3).

    Parameters
    ----------
    value, standard_error : float
        The estimate and its standard error, which must be positive.
    confidence_level : float
        1 − α, strictly between 0 and 1.

    Returns
    -------
    low, high : float

    See Also
    --------
    t_interval : For few draws.
    estimate : Computes it from labels.

    Examples
    --------
    >>> low, high = wald_interval(0.1, 0.02, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.061, 0.139)
    """
    half_width = normal_quantile(confidence_level) * standard_error
    return value - half_width, value + half_width


def t_interval(
    value: float, standard_error: float, n_draws: int, confidence_level: float
) -> tuple[float, float]:
    """Compute the Wald interval with quantiles of Student's t for n − 1 degrees of freedom (ARE 3.2).

    Parameters
    ----------
    value, standard_error : float
        The estimate and its standard error, which must be positive.
    n_draws : int
        The number of draws, at least 2.
    confidence_level : float
        1 − α, strictly between 0 and 1.

    Returns
    -------
    low, high : float

    See Also
    --------
    wald_interval : For many draws.
    estimate : Computes it from labels.

    Examples
    --------
    >>> low, high = t_interval(0.1, 0.02, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.055, 0.145)
    """
    half_width = float(stdtrit(n_draws - 1, 1 - (1 - confidence_level) / 2)) * standard_error
    return value - half_width, value + half_width


def wilson_interval(successes: int, n_draws: int, confidence_level: float) -> tuple[float, float]:
    """Compute the Wilson score interval of a share, for unweighted draws with values 0 or 1 (T, 3.19–3.20).

    Parameters
    ----------
    successes, n_draws : int
        The number of draws with value 1, and of all draws, at least 1.
    confidence_level : float
        1 − α, strictly between 0 and 1.

    Returns
    -------
    low, high : float

    See Also
    --------
    clopper_pearson_interval : Conservative, and wider.
    estimate : Computes it from labels.

    Examples
    --------
    >>> low, high = wilson_interval(1, 20, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.009, 0.236)
    """
    z2 = normal_quantile(confidence_level) ** 2
    failures = n_draws - successes
    center = (successes + z2 / 2) / (n_draws + z2)
    half_width = np.sqrt(z2) / (n_draws + z2) * np.sqrt(successes * failures / n_draws + z2 / 4)
    # At the ends, the two terms are equal up to rounding.
    low = 0.0 if successes == 0 else float(center - half_width)
    high = 1.0 if failures == 0 else float(center + half_width)
    return low, high


def clopper_pearson_interval(successes: int, n_draws: int, confidence_level: float) -> tuple[float, float]:
    """Compute the exact binomial interval of a share, for unweighted draws with values 0 or 1.

    Parameters
    ----------
    successes, n_draws : int
        The number of draws with value 1, and of all draws, at least 1.
    confidence_level : float
        1 − α, strictly between 0 and 1.

    Returns
    -------
    low, high : float

    See Also
    --------
    wilson_interval : Narrower, with the nominal coverage on average.
    estimate : Computes it from labels.

    References
    ----------
    Clopper & Pearson, *The use of confidence or fiducial limits*, 1934; T, 3.1.

    Examples
    --------
    >>> low, high = clopper_pearson_interval(1, 20, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.001, 0.249)
    """
    tail = (1 - confidence_level) / 2
    failures = n_draws - successes
    low = 0.0 if successes == 0 else float(betaincinv(successes, failures + 1, tail))
    high = 1.0 if failures == 0 else float(betaincinv(successes + 1, failures, 1 - tail))
    return low, high


def constant_loss_interval(
    value: float, n_draws: int, max_weight: float, confidence_level: float, value_range: tuple[float, float]
) -> tuple[float, float]:
    """Bound a bounded risk if all draws had the same loss, so that no variance can be estimated.

    With u = 1 − (α/2)^(1/n), a loss other than `value` has probability below u under q; otherwise n draws
    would have met one (with probability 1 − α/2). Its probability under p is then below s = u · max(p/q), and
    the risk differs from `value` by at most s times the distance to either end of the range. For unweighted
    zero-one losses this is the Clopper–Pearson interval.

    References
    ----------
    Clopper & Pearson, *The use of confidence or fiducial limits*, 1934, for no failure in n; T, 3.11.
    """
    share = min(1.0, -np.expm1(np.log((1 - confidence_level) / 2) / n_draws) * max_weight)
    least, greatest = value_range
    return float(value - share * (value - least)), float(value + share * (greatest - value))


def constant_ratio_interval(
    value: float, n_informative: int, spread: float, confidence_level: float
) -> tuple[float, float]:
    """Bound a ratio G = E num / E den in [0, 1] if every draw had num = value · den.

    Only draws with den > 0 are informative. With u = 1 − (α/2)^(1/n) for their number n, a deviating draw has
    probability below u among them (with probability 1 − α/2). Its share of Σ v den is then below
    s = u r / (u r + 1 − u), where r is the ratio of the largest to the smallest possible v · den. For an
    unweighted recall or precision this is the Clopper–Pearson interval.

    References
    ----------
    Clopper & Pearson, 1934, for no failure in n; T, eq. 3.31, for the ratio.
    """
    if n_informative == 0:
        return 0.0, 1.0
    deviating = -np.expm1(np.log((1 - confidence_level) / 2) / n_informative)
    share = deviating * spread / (deviating * spread + 1 - deviating)
    return float(value - share * value), float(value + share * (1 - value))


def at_once(confidence_level: float, n_intervals: int) -> float:
    """Return the level of each of several intervals for all to hold jointly (Bonferroni)."""
    return 1 - (1 - confidence_level) / n_intervals
