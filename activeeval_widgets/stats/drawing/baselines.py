"""Instrumental distributions that the papers compare the optimal one with."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.stats._validation import check_costs, check_count, check_float_array, check_option
from activeeval_widgets.stats.drawing.optimal import optimal_q
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.classes import ErrorRate
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.rankings import RankingPredictions
from activeeval_widgets.stats.predictions.values import ValuePredictions

RECIPES = (
    "passive",
    "active",
    "active_err",
    "active_uniC",
    "active_lambda",
    "active_risk",
    "active_disagreement",
    "active_0",
    "active_inf",
    "active_uniD",
)
"""The names that `recipe_q` knows."""


def uniform_q(n_instances: int) -> FloatArray:
    """The test distribution itself: drawing from it is passive evaluation.

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
    optimal_q : what is best for a measure.

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
    """Uniform on the instances for which two models predict different classes (active_≠).

    Labels of the others say nothing about a difference of error rates. `estimate` scales the difference
    by the share of the pool that can be drawn.

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
        If the predictions are not classes of one pool.

    See Also
    --------
    optimal_q : with the models' probabilities.

    References
    ----------
    T, 5: active_≠.

    Examples
    --------
    >>> disagreement_q([0, 1, 1, 0], [0, 0, 1, 1])
    array([0. , 0.5, 0. , 0.5])
    """
    first, second = _labels("a", a), _labels("b", b)
    _check_same_length(first, second)
    return _proportional(np.asarray(first != second, dtype=np.float64))


def absolute_difference_q(a: ValuePredictions | ArrayLike, b: ValuePredictions | ArrayLike) -> FloatArray:
    """q ∝ |f₁ − f₂| (active_∞): what is optimal for a large constant variance.

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
        If the predictions are not values of one pool.

    See Also
    --------
    squared_difference_q : what is optimal if there is no variance.

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
    """q ∝ (f₁ − f₂)² (active_0): what is optimal for variances that go to 0.

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
        If the predictions are not values of one pool.

    See Also
    --------
    absolute_difference_q : what is optimal if the variance is large.

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
    """q ∝ λ^(−1/2) (active_λ): what the costs alone ask for.

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
    optimal_q : with what labels tell as well.

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


def recipe_q(
    recipe: str,
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    *,
    costs: ArrayLike | None = None,
) -> FloatArray:
    """An instrumental distribution by its name in the papers.

    Parameters
    ----------
    recipe : str
        "passive": uniform. "active": `optimal_q` with the costs. "active_err": what is optimal for the error
        rate, used for another measure. "active_uniC": costs ignored. "active_lambda": `cost_q`.
        "active_risk": the mean of what is optimal for each model by itself. "active_disagreement":
        active_≠. "active_0", "active_inf": `squared_difference_q`, `absolute_difference_q`. "active_uniD":
        all grades equally likely, for rankings.
    measure : Measure
        What will be estimated.
    predictions : Predictions or list of Predictions
        The models.
    costs : array-like of shape (n_instances,), optional
        λ(x).

    Returns
    -------
    ndarray of shape (n_instances,)

    Raises
    ------
    ValueError, TypeError
        If the recipe is not known, or is not for such models or without costs.

    See Also
    --------
    optimal_q : what is best for a measure.
    replicate : compares recipes on a labeled pool.

    References
    ----------
    T, 4.3, 5.3, 6.3; AEF 4; ACP 5.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> model = ClassPredictions([[0.9, 0.1], [0.5, 0.5]])
    >>> recipe_q("active", ErrorRate(), model).round(2)
    array([0.4, 0.6])
    """
    check_option("recipe", recipe, RECIPES)
    models = as_models(predictions)
    if recipe == "passive":
        return uniform_q(models[0].n_instances)
    if recipe in ("active", "active_uniC"):
        return optimal_q(measure, models, costs=costs if recipe == "active" else None)
    if recipe == "active_err":
        return optimal_q(ErrorRate(), models, costs=costs)
    if recipe == "active_lambda":
        if costs is None:
            raise ValueError("recipe 'active_lambda' needs costs")
        return cost_q(costs)
    if recipe == "active_risk":
        return np.asarray(np.mean([optimal_q(measure, model, costs=costs) for model in models], axis=0))
    if recipe == "active_uniD":
        believed = [_rankings(recipe, model).with_uniform_relevance() for model in models]
        return optimal_q(measure, believed, costs=costs)
    if len(models) != 2:
        raise ValueError(f"recipe {recipe!r} compares two models, got {len(models)}")
    pair: Any = models
    if recipe == "active_disagreement":
        return disagreement_q(*pair)
    return squared_difference_q(*pair) if recipe == "active_0" else absolute_difference_q(*pair)


def _rankings(recipe: str, model: Predictions) -> RankingPredictions:
    if not isinstance(model, RankingPredictions):
        raise TypeError(f"recipe {recipe!r} takes RankingPredictions, got {type(model).__name__}")
    return model


def _labels(name: str, predicted: Any) -> AnyArray:
    if isinstance(predicted, ClassPredictions):
        return predicted.y_pred
    if isinstance(predicted, Predictions):
        raise TypeError(f"{name} must be ClassPredictions or predicted labels, got {predicted!r}")
    labels = np.asarray(predicted)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(f"{name} must have shape (n_instances,), got an array of shape {labels.shape}")
    return labels


def _distance(a: Any, b: Any) -> FloatArray:
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
