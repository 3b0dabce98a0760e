"""Optimal instrumental distributions, from predictions, a measure and costs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import (
    ESTIMATORS,
    check_costs,
    check_fraction,
    check_option,
    check_order,
    check_positive,
    check_q,
)
from activeeval_widgets.stats.measures.base import Measure, Term
from activeeval_widgets.stats.predictions.base import Predictions, as_models, mixture
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.make import question_of, target_of
from activeeval_widgets.stats.questions.target import Target


def optimal_q(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    *,
    costs: ArrayLike | None = None,
    defensive: float = 0.0,
    belief: Predictions | None = None,
    estimator: str = "self_normalized",
) -> FloatArray:
    """Compute the instrumental distribution that minimizes the estimate's asymptotic variance.

    q*(x) ∝ p(x) sqrt(E[ψ² | x] / λ(x)), where ψ(x, y) = ∇g(E z)ᵀ (z(x, y) − E z) is the influence of a
    labeled instance, y follows the model's predictive distribution, and E z is the average over the pool.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of Predictions
        One model; two, for the difference of their measures; or more, for the equal mixture of the optimal
        distributions of all pairs. Labels then follow the equal mixture of the models.
    costs : array-like of shape (n_instances,), optional
        λ(x), the cost of labeling each instance, in any unit; all positive. Equal unless given.
    defensive : float
        ε, from 0 to 1: the share of the uniform distribution in (1 − ε) q* + ε p. It bounds the weights p/q
        by 1/ε.
    belief : Predictions, optional
        The distribution p(y | x) to use in place of the models' own: predictions with probabilities,
        variances or relevance probabilities.
    estimator : {"self_normalized", "difference"}
        The estimator whose variance is minimized. The difference estimator knows the model's expectation, so
        that q* ∝ p sqrt(E[(ψ − E[ψ | x])² | x] / λ). This is 0 where the model is sure; a defensive share
        keeps the estimate consistent if the model is sure and wrong.

    Returns
    -------
    ndarray of shape (n_instances,)
        Nonnegative, sums to 1. If E[ψ² | x] = 0 everywhere, or the measure is not defined on the models'
        expectation, q depends on the costs only.

    Raises
    ------
    ValueError, TypeError
        If models are for different pools or classes, or costs are not positive.

    See Also
    --------
    recipe_q : Other distributions, by name.
    adaptive_q : Distributions that learn from the labels.
    asymptotic_variance : The criterion that is minimized.

    Notes
    -----
    For values without variances, a constant variance is assumed that is large compared with the differences
    of the models' predictions. The result is uniform for one model, and |f₁ − f₂| for two (active_∞).

    References
    ----------
    T, eq. 4.6 (any measure), 4.14 (zero-one loss), 4.25 (costs), 5.5 and 5.16 (two and more models),
    6.10 and 6.11 (rankings).

    Examples
    --------
    >>> optimal_q(ErrorRate(), ClassPredictions([[1.0, 0.0], [0.6, 0.4]])).round(3)
    array([0.274, 0.726])
    """
    models = as_models(predictions)
    n_instances = models[0].n_instances
    cost = check_costs(costs, n_instances, models[0])
    share = check_fraction("defensive", defensive, closed=True)
    check_option("estimator", estimator, ESTIMATORS)
    believed = _believed(models, belief)
    q, targets = np.zeros(n_instances), question_of(measure, models).targets
    for target in targets:
        q += _normalized(influence(target, believed, estimator), cost) / len(targets)
    return (1 - share) * q + share / n_instances if share else q


def asymptotic_variance(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    q: ArrayLike,
    *,
    belief: Predictions | None = None,
    estimator: str = "self_normalized",
) -> float:
    """Compute the variance σ_q² = E_p[(p/q) E[ψ² | x]] under the models; n draws have standard error σ_q/√n.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        One model, or two for the difference of their measures.
    q : array-like of shape (n_instances,)
        The instrumental distribution.
    belief : Predictions, optional
        The distribution p(y | x) to use in place of the models' own.
    estimator : {"self_normalized", "difference"}
        The estimator whose variance is computed.

    Returns
    -------
    float
        Infinite if an instance with E[ψ² | x] > 0 is never drawn; NaN if the measure is not defined on the
        models' expectation.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or values have no variances.

    See Also
    --------
    optimal_q : Minimizes this variance.
    draws_for_power : The number of draws that a test needs, given this variance.

    References
    ----------
    T, eq. 4.3 and 5.2, with the plug-in of 4.2.2.

    Examples
    --------
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.01, 0.99]])
    >>> q = optimal_q(ErrorRate(), model)
    >>> asymptotic_variance(ErrorRate(), model, q) < asymptotic_variance(ErrorRate(), model, uniform_q(3))
    True
    """
    models = as_models(predictions)
    target = target_of(measure, models)
    distribution = check_q(q, models[0])
    believed = _believed(models, belief)
    believed.check_known()
    check_option("estimator", estimator, ESTIMATORS)
    deviation = influence(target, believed, estimator)
    # Divide by q before anything else: with 10⁶ instances q is tiny and its square tinier.
    per_instance = np.full(deviation.size, np.inf)
    np.divide(deviation**2, distribution, out=per_instance, where=distribution > 0)
    per_instance[deviation == 0] = 0
    return float(per_instance.mean() / deviation.size)


def expected_draws(q: ArrayLike, costs: ArrayLike, budget: float) -> float:
    """Compute the number of draws that a budget pays for on average: n* = Λ / Σ λ q (T, eq. 4.25).

    Parameters
    ----------
    q : array-like of shape (n_instances,)
        The instrumental distribution.
    costs : array-like of shape (n_instances,)
        λ(x), the cost of labeling each instance.
    budget : float
        Λ, in the costs' unit.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        If q is not a distribution, a cost is not positive, or q and costs are for different pools.

    See Also
    --------
    cost_q, optimal_q : Take costs into account.

    Examples
    --------
    >>> expected_draws([0.5, 0.5], [1.0, 3.0], 100)
    50.0
    """
    distribution = check_q(q)
    check_order("costs", costs, "q", q)
    cost = check_costs(costs, distribution.size)
    assert cost is not None  # noqa: S101 - for the type checker: costs were given
    return check_positive("budget", budget) / float(distribution @ cost)


def _believed(models: list[Predictions], belief: Predictions | None) -> Belief:
    """Return the models' mixture, or what another belief says of the same pool."""
    return mixture(models if belief is None else as_models([models[0], belief])[1:])


def influence(target: Target, believed: Belief, estimator: str) -> FloatArray:
    """Return sqrt(E[ψ² | x]), or sd(ψ | x) for the difference estimator."""
    return influences(target, believed)[estimator == "difference"]


def influences(target: Target, believed: Belief) -> tuple[FloatArray, FloatArray]:
    """Return both sqrt(E[ψ² | x]) and sd(ψ | x)."""
    measure, models = target.measure, target.models
    if not believed.is_known:
        found = target.influence_without_variances()
        return found, found
    terms = []
    offset = 0.0
    magnitude = 0.0
    for sign, model in zip(target.signs, models, strict=True):
        mean = measure.introspective_mean(model, believed)
        direction = sign * measure.gradient(mean)
        offset += _dot(direction, mean)
        magnitude += float(np.abs(direction * mean).sum())
        terms.append(Term(model, direction))
    if not np.isfinite(offset):
        nothing = np.full(models[0].n_instances, np.nan)
        return nothing, nothing
    if target.null_value is not None and abs(offset) <= 1e-14 * magnitude:
        # Equal expectations: agreeing instances would have influence 0, and could not be drawn.
        offset = target.null_value
    first, second = measure.moments(terms, believed, offset)
    variance = second - first**2
    # What cancellation leaves is no variance.
    variance = np.where(variance > 1e-14 * second, variance, 0.0)
    return _without_rounding(np.sqrt(second), magnitude), _without_rounding(np.sqrt(variance), magnitude)


def _without_rounding(deviation: FloatArray, magnitude: float) -> FloatArray:
    """Return 0 where there are only rounding errors, as for two models that cannot differ in the measure."""
    return deviation if deviation.max() > 1e-14 * magnitude else np.zeros_like(deviation)


def _dot(a: FloatArray, b: FloatArray) -> float:
    """Return aᵀb; exactly 0 if it is a rounding error of 0.

    The gradient of a ratio is orthogonal to the mean. An exact 0 identifies instances that carry no
    information, such as predicted negatives for precision.
    """
    products = a * b
    total = float(products.sum())
    return 0.0 if abs(total) <= 1e-14 * float(np.abs(products).sum()) * len(products) else total


def _normalized(influence: FloatArray, costs: FloatArray | None) -> FloatArray:
    """Return q ∝ influence / sqrt(costs)."""
    greatest = influence.max()
    # NaN: the measure is not defined on the models' expectation. 0: no instance has any influence.
    scale = influence / greatest if greatest > 0 else np.ones_like(influence)
    if costs is not None:
        scale = scale / np.sqrt(costs / costs.max())
        scale /= scale.max()
    q: FloatArray = scale / scale.sum()
    return q
