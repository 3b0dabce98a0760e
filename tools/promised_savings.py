"""The labels saved by a choice of instances for an error rate, in closed form, by claimed and true errors.

A pool is described by profiles: instances with the same probability of an error, as a share of the pool. That
is enough for an error rate, and few enough numbers to vary by hand.
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count, check_fraction, check_option, check_positive
from activeeval_widgets.stats.anytime.asymptotic import RHO2, boundary

DEFENSIVE = 0.1
"""The share of uniform draws in all distributions except the papers' q* itself."""

_STEPS = 60
_NEWTON_STEPS = 15
_LEAST = 1e-9
"""Limit of the claims: none is more extreme."""


def error_profile(error_rate: float, spread: float, n_profiles: int = 200) -> FloatArray:
    """Return probabilities of an error, equally many instances each: normal on the scale of log-odds."""
    mean = check_fraction("error_rate", error_rate, closed=False)
    count = check_count("n_profiles", n_profiles, minimum=1)
    if not spread >= 0:
        raise ValueError(f"spread must be at least 0, got {spread!r}")
    quantiles = spread * ndtri((np.arange(count) + 0.5) / count)
    low, high = -60.0, 60.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if expit(middle + quantiles).mean() < mean:
            low = middle
        else:
            high = middle
    found: FloatArray = expit((low + high) / 2 + quantiles)
    return found


def sharpened(errors: ArrayLike, power: float) -> FloatArray:
    """Return claims with the true odds raised to a power: above 1 the model is over-confident.

    Parameters
    ----------
    errors : array-like of shape (n_profiles,)
        Probabilities, strictly between 0 and 1.
    power : float
        Positive.
    """
    odds = logit(np.asarray(errors, dtype=np.float64))
    claims: FloatArray = np.clip(expit(check_positive("power", power) * odds), _LEAST, 1 - _LEAST)
    return claims


def recalibrated(errors: ArrayLike, claims: ArrayLike, shares: ArrayLike) -> FloatArray:
    """Return claims recalibrated by many labels: the power of the odds, and the factor, that fit best.

    Parameters
    ----------
    errors, claims, shares : array-like of shape (n_profiles,)
        True errors, the model's claims, and shares of the pool.

    Notes
    -----
    By Newton's steps on the expected log-likelihood. A cluster with the same claims as other instances cannot
    be distinguished from them, whatever the number of labels.
    """
    truth, share = np.asarray(errors, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    x = logit(np.asarray(claims, dtype=np.float64))
    x = x - share @ x
    x = x / max(sqrt(share @ x**2), 1e-12)
    factor, power = float(logit(share @ truth)), 0.0
    for _ in range(_NEWTON_STEPS):
        said = expit(factor + power * x)
        off, weight = share * (truth - said), share * said * (1 - said)
        a, b, c = weight.sum() + 1e-12, weight @ x, weight @ x**2 + 1e-12
        first, second = off.sum(), off @ x
        factor += (c * first - b * second) / (a * c - b * b)
        power += (a * second - b * first) / (a * c - b * b)
    found: FloatArray = np.clip(expit(factor + power * x), _LEAST, 1 - _LEAST)
    return found


def draw_variances(errors: ArrayLike, claims: ArrayLike, shares: ArrayLike) -> dict[str, float]:
    """Return the variances of one draw: n draws have the standard error sqrt(variance/n) for large n.

    Parameters
    ----------
    errors, claims, shares : array-like of shape (n_profiles,)
        True errors, the model's claims, and shares of the pool, which sum to 1.

    References
    ----------
    T, eq. 4.3 and 4.14.
    """
    truth, said, share = (np.asarray(values, dtype=np.float64) for values in (errors, claims, shares))
    if not truth.shape == said.shape == share.shape:
        raise ValueError(f"errors, claims and shares must have one shape, got {truth.shape}, {said.shape}")
    rate = float(share @ truth)
    square = truth * (1 - rate) ** 2 + (1 - truth) * rate**2
    evenly, optimal = share, _preferred(said, share)
    defensive = (1 - DEFENSIVE) * optimal + DEFENSIVE * evenly
    learned = recalibrated(truth, said, share)
    adapted = (1 - DEFENSIVE) * _preferred(learned, share) + DEFENSIVE * evenly
    return {
        "uniform": float((share * square).sum()),
        "optimal": float((_ratio(share, optimal) * square).sum()),
        "defensive": float((_ratio(share, defensive) * square).sum()),
        "control": _with_control(truth, said, share, defensive),
        "corrected": _with_control(truth, learned, share, adapted),
    }


def _preferred(claims: FloatArray, shares: FloatArray) -> FloatArray:
    rate = float(shares @ claims)
    q = shares * np.sqrt(claims * (1 - rate) ** 2 + (1 - claims) * rate**2)
    found: FloatArray = q / q.sum()
    return found


def _ratio(shares: FloatArray, q: FloatArray) -> FloatArray:
    """Return p²/q; 0 if there are no such instances."""
    return np.divide(shares**2, q, out=np.zeros(shares.shape), where=shares > 0)


def _with_control(truth: FloatArray, claims: FloatArray, shares: FloatArray, q: FloatArray) -> float:
    square = truth * (1 - truth) + (truth - claims) ** 2
    return float((_ratio(shares, q) * square).sum() - (shares @ (truth - claims)) ** 2)


def draws_for_half_width(variance: float, half_width: float, interval: str = "wald") -> int:
    """Return the number of draws until a 95 % interval has this half-width."""
    check_option("interval", interval, ("wald", "watched"))
    spread = sqrt(check_positive("variance", variance)) / check_positive("half_width", half_width)
    if interval == "wald":
        return int(np.ceil((float(ndtri(0.975)) * spread) ** 2))
    low, high = 0, 1
    while boundary(high * RHO2, 0.95) * spread > sqrt(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if boundary(middle * RHO2, 0.95) * spread > sqrt(middle):
            low = middle
        else:
            high = middle
    return high


def chance_to_rank(errors: ArrayLike) -> float:
    """Return how often an error has a higher probability than a correct answer: the area under the ROC curve.

    Parameters
    ----------
    errors : array-like of shape (n_profiles,)
        Probabilities of an error, ascending, equally many instances each.
    """
    wrong = np.asarray(errors, dtype=np.float64)
    right = 1 - wrong
    below = np.cumsum(right) - right
    return float((wrong * (below + right / 2)).sum() / (wrong.sum() * right.sum()))
