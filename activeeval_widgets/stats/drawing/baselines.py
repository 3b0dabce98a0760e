"""Instrumental distributions that serve as baselines in the papers."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.stats._validation import (
    check_costs,
    check_count,
    check_float_array,
    check_order,
    refuse_masked,
)
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.values import ValuePredictions


def uniform_q(n_instances: int) -> FloatArray:
    """Return the uniform test distribution; drawing from it is passive evaluation.

    Parameters
    ----------
    n_instances : int
        The size of the pool, at least 1.

    Returns
    -------
    ndarray of shape (n_instances,)

    Raises
    ------
    ValueError, TypeError
        If the size is not a whole number of at least 1.

    See Also
    --------
    optimal_q : The best distribution for a measure.

    References
    ----------
    T, 3.1: p(x) = 1/m.

    Examples
    --------
    >>> uniform_q(4)
    array([0.25, 0.25, 0.25, 0.25])
    """
    return np.full(check_count("n_instances", n_instances, minimum=1), 1 / n_instances)


def disagreement_q(a: ClassPredictions | ArrayLike, b: ClassPredictions | ArrayLike) -> FloatArray:
    """Return the uniform distribution on instances whose two predicted classes differ (active_≠).

    Labels of other instances carry no information on a difference of error rates. `estimate` scales the
    difference by the share of the pool that can be drawn.

    Parameters
    ----------
    a, b : ClassPredictions or array-like of shape (n_instances,)
        The two models, or their predicted labels.

    Returns
    -------
    ndarray of shape (n_instances,)
        Uniform on the whole pool if the models agree everywhere.

    Raises
    ------
    ValueError, TypeError
        If the predictions are not classes for the same pool.

    See Also
    --------
    optimal_q : Uses the models' probabilities.

    References
    ----------
    T, 5: active_≠.

    Examples
    --------
    >>> disagreement_q([0, 1, 1, 0], [0, 0, 1, 1])
    array([0. , 0.5, 0. , 0.5])
    """
    check_order("b", b, "a", a)
    first, second = _labels("a", a), _labels("b", b)
    _check_same_length(first, second)
    return _proportional(np.asarray(first != second, dtype=np.float64))


def absolute_difference_q(a: ValuePredictions | ArrayLike, b: ValuePredictions | ArrayLike) -> FloatArray:
    """Return q ∝ |f₁ − f₂| (active_∞), which is optimal for a large constant variance.

    Parameters
    ----------
    a, b : ValuePredictions or array-like of shape (n_instances,)
        The two models, or their predicted values.

    Returns
    -------
    ndarray of shape (n_instances,)
        Uniform on the whole pool if the models agree everywhere.

    Raises
    ------
    ValueError, TypeError
        If the predictions are not values for the same pool.

    See Also
    --------
    squared_difference_q : Optimal for small variances.

    References
    ----------
    T, 5: active_∞.

    Examples
    --------
    >>> absolute_difference_q([1.0, 2.0, 5.0], [1.0, 1.0, 2.0])
    array([0.  , 0.25, 0.75])
    """
    return _proportional(_distance(a, b))


def squared_difference_q(a: ValuePredictions | ArrayLike, b: ValuePredictions | ArrayLike) -> FloatArray:
    """Return q ∝ (f₁ − f₂)² (active_0), which is optimal in the limit of small variances.

    Parameters
    ----------
    a, b : ValuePredictions or array-like of shape (n_instances,)
        The two models, or their predicted values.

    Returns
    -------
    ndarray of shape (n_instances,)
        Uniform on the whole pool if the models agree everywhere.

    Raises
    ------
    ValueError, TypeError
        If the predictions are not values for the same pool.

    See Also
    --------
    absolute_difference_q : Optimal for large variances.

    References
    ----------
    T, 5: active_0.

    Examples
    --------
    >>> squared_difference_q([1.0, 2.0, 5.0], [1.0, 1.0, 2.0])
    array([0. , 0.1, 0.9])
    """
    distance = _distance(a, b)
    # Squares of tiny distances would underflow.
    return _proportional((distance / max(float(distance.max()), np.finfo(np.float64).tiny)) ** 2)


def cost_q(costs: ArrayLike) -> FloatArray:
    """Return q ∝ λ^(−1/2) (active_λ), which takes only the costs into account.

    Parameters
    ----------
    costs : array-like of shape (n_instances,)
        λ(x), the cost of labeling each instance; all positive.

    Returns
    -------
    ndarray of shape (n_instances,)

    Raises
    ------
    ValueError, TypeError
        If the costs are not positive numbers, or there are none.

    See Also
    --------
    optimal_q : Takes predictions and costs into account.

    References
    ----------
    T, 4.3: active_λ.

    Examples
    --------
    >>> cost_q([1.0, 4.0]).round(3)
    array([0.667, 0.333])
    """
    values = check_float_array("costs", costs, ndim=1, shape="(n_instances,)")
    checked = check_costs(values, check_count("the number of costs", values.size, minimum=1))
    return _proportional(np.asarray((values if checked is None else checked) / values.min()) ** -0.5)


def _labels(name: str, predicted: Any) -> AnyArray:
    if isinstance(predicted, ClassPredictions):
        return predicted.y_pred
    if isinstance(predicted, Predictions):
        raise TypeError(f"{name} must be ClassPredictions or predicted labels, got {predicted!r}")
    refuse_masked(name, predicted)
    labels = np.asarray(predicted)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(f"{name} must have shape (n_instances,), got an array of shape {labels.shape}")
    return labels


def _distance(a: Any, b: Any) -> FloatArray:
    check_order("b", b, "a", a)
    values = []
    for name, given in (("a", a), ("b", b)):
        if isinstance(given, Predictions) and not isinstance(given, ValuePredictions):
            raise TypeError(f"{name} must be ValuePredictions or predicted values, got {given!r}")
        mean = given.mean if isinstance(given, ValuePredictions) else given
        values.append(check_float_array(name, mean, ndim=1, shape="(n_instances,)"))
    _check_same_length(*values)
    return np.asarray(np.abs(values[0] - values[1]))


def _check_same_length(a: AnyArray, b: AnyArray) -> None:
    if a.shape != b.shape or a.size == 0:
        raise ValueError(f"a and b must be for the same pool, got {a.size} and {b.size} instances")


def _proportional(scale: FloatArray) -> FloatArray:
    greatest = scale.max()
    if not greatest > 0:
        return uniform_q(scale.size)
    scaled = scale / greatest
    return np.asarray(scaled / scaled.sum())
