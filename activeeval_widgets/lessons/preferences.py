"""The papers' closed forms of the expected information of a label, given the model and a believed value.

`optimal_q` computes them for any measure, with the belief taken from the pool; these functions take it as a
number to vary. q* is proportional to them, divided by the square root of the label's cost.
"""

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_fraction


def error_preference(confidence: ArrayLike, error_rate: float) -> FloatArray:
    """Return the expected information of a label for the error rate: sqrt((1 − 2R)(1 − p(f(x) | x)) + R²).

    Parameters
    ----------
    confidence : array-like of shape (n,)
        p(f(x) | x), the probability of the model's own answer.
    error_rate : float
        R, the believed error rate, from 0 to 1.

    References
    ----------
    T, eq. 4.14.
    """
    p, risk = _fractions("confidence", confidence), check_fraction("error_rate", error_rate, closed=True)
    preference: FloatArray = np.sqrt((1 - p) * (1 - risk) ** 2 + p * risk**2)
    return preference


def f_preference(positive: ArrayLike, f: float, eta: float, predicted: ArrayLike) -> FloatArray:
    """Return the expected information of a label for F.

    For predicted positives: sqrt(p (1 − G)² + η² (1 − p) G²); for predicted negatives: (1 − η) G sqrt(p),
    where p is the probability of the class of interest.

    Parameters
    ----------
    positive : array-like of shape (n,)
        The probability of the class of interest.
    f : float
        G, the believed value of F, from 0 to 1.
    eta : float
        The weight of precision, from 0 (recall) to 1 (precision); 0.5 is F₁.
    predicted : array-like of bool of shape (n,)
        Whether the class of interest is predicted.

    References
    ----------
    T, eq. 4.18, with the special cases 4.19 and 4.20.
    """
    p = _fractions("positive", positive)
    value, weight = check_fraction("f", f, closed=True), check_fraction("eta", eta, closed=True)
    found = np.sqrt(p * (1 - value) ** 2 + weight**2 * (1 - p) * value**2)
    preference: FloatArray = np.where(predicted, found, (1 - weight) * value * np.sqrt(p))
    return preference


def difference_preference(
    positive: ArrayLike, difference: float, first: ArrayLike, second: ArrayLike
) -> FloatArray:
    """Return the expected information of a label for the difference of two binary classifiers' error rates.

    If only the first predicts the class of interest: sqrt(1 − 2Δ(1 − 2p) + Δ²); if only the second does:
    sqrt(1 + 2Δ(1 − 2p) + Δ²); if both or neither do: |Δ|.

    Parameters
    ----------
    positive : array-like of shape (n,)
        p, the probability of the class of interest under the mixture of both models.
    difference : float
        Δ, the believed error rate of the first minus that of the second, from −1 to 1.
    first, second : array-like of bool of shape (n,)
        Whether each predicts the class of interest.

    References
    ----------
    T, Corollary 5.1.
    """
    p = _fractions("positive", positive)
    if not -1 <= difference <= 1:
        raise ValueError(f"difference must be from -1 to 1, got {difference!r}")
    side = np.subtract(first, second, dtype=np.float64)
    differ = np.sqrt(1 - 2 * side * difference * (1 - 2 * p) + difference**2)
    preference: FloatArray = np.where(side == 0, abs(difference), differ)
    return preference


def squared_error_preference(variance: ArrayLike, squared_error: float, bias: ArrayLike = 0.0) -> FloatArray:
    """Return the expected information of a label for the MSE: sqrt((σ² + b² − R)² + 2σ⁴ + 4b²σ²).

    The label is N(f(x) − b, σ²). σ² + b² − R is the difference of the expected squared error from the
    believed value; the other terms are its variance.

    Parameters
    ----------
    variance : array-like of shape (n,)
        σ², the variance of the label.
    squared_error : float
        R, the believed mean squared error; nonnegative.
    bias : array-like of shape (n,)
        b = f(x) − μ(x), the prediction's distance from the mean of the label; by default 0.

    References
    ----------
    T, Corollary 4.3; eq. 4.23 is the case b = 0, sqrt((3σ² − 2R) σ² + R²).
    """
    s2, b2 = _not_negative("variance", variance), np.square(np.asarray(bias, dtype=np.float64))
    believed = _not_negative("squared_error", squared_error)
    preference: FloatArray = np.sqrt((s2 + b2 - believed) ** 2 + 2 * s2**2 + 4 * b2 * s2)
    return preference


def squared_difference_preference(distance: ArrayLike, first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return the expected information of a label for the difference of two mean squared errors.

    It is sqrt(d⁴ + 2d²(σ₁² + σ₂²)), with a believed difference of 0. For small variances this is d²
    (active_0); for large ones it is proportional to |d| (active_∞).

    Parameters
    ----------
    distance : array-like of shape (n,)
        d, the distance of the two predictions.
    first, second : array-like of shape (n,)
        σ₁², σ₂², the models' variances.

    References
    ----------
    T, section 5.2.
    """
    d2 = np.square(np.asarray(distance, dtype=np.float64))
    sum_of = _not_negative("first", first) + _not_negative("second", second)
    preference: FloatArray = np.sqrt(d2**2 + 2 * d2 * sum_of)
    return preference


def _not_negative(name: str, values: ArrayLike) -> FloatArray:
    found: FloatArray = np.asarray(values, dtype=np.float64)
    if (found < 0).any():
        raise ValueError(f"{name} holds {found[found < 0].flat[0]}, expected nonnegative numbers")
    return found


def _fractions(name: str, values: ArrayLike) -> FloatArray:
    found: FloatArray = np.asarray(values, dtype=np.float64)
    outside = ~((found >= 0) & (found <= 1))
    if outside.any():
        raise ValueError(f"{name} holds {found[outside][0]}, expected probabilities from 0 to 1")
    return found
