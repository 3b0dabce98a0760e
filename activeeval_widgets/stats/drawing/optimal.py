"""Instrumental distributions: predictions and a measure (and costs) give q."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import (
    ESTIMATORS,
    check_costs,
    check_fraction,
    check_option,
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
    """The instrumental distribution that minimizes the estimate's asymptotic variance.

    q*(x) ∝ p(x) sqrt(E[ψ² | x] / λ(x)), where ψ(x, y) = ∇g(E z)ᵀ (z(x, y) − E z) is the influence of a
    labeled instance, y is distributed as the model says, and E z is its average over the pool.

    Parameters
    ----------
    measure : Measure
        What will be estimated.
    predictions : Predictions or list of Predictions
        One model; or two, for the difference of their measures; or more, for the equal mixture of what is
        optimal for each pair. Labels are then distributed as the equal mixture of the models says.
    costs : array-like of shape (n_instances,), optional
        λ(x), the cost of labeling each instance, in any unit; all positive. Equal unless given.
    defensive : float
        ε, from 0 to 1: the share of the uniform distribution in (1 − ε) q* + ε p. It bounds the weights
        p/q by 1/ε.
    belief : Predictions, optional
        p(y | x) in place of the models' own: predictions whose probabilities, variances or relevance
        probabilities are believed.
    estimator : {"self_normalized", "difference"}
        Whose variance is minimized. For the difference estimator what the model expects is no longer in
        doubt: q* ∝ p sqrt(E[(ψ − E[ψ | x])² | x] / λ). That is 0 where the model is sure, so a defensive
        share is what keeps the estimate consistent when the model is sure and wrong.

    Returns
    -------
    ndarray of shape (n_instances,)
        Not negative, sums to 1. Where no instance is expected to tell more than another (E[ψ² | x] = 0
        everywhere, or a measure that is not defined on what the model expects), only the costs count.

    Raises
    ------
    ValueError, TypeError
        If models speak of different pools or classes, or costs are not positive.

    See Also
    --------
    recipe_q : others by their names.
    adaptive_q : for draws that learn from the labels.
    asymptotic_variance : what it makes smallest.

    Notes
    -----
    Values without variances: one constant variance is assumed, large compared with the differences of the
    models' predictions. That gives the uniform distribution for one model, and |f₁ − f₂| for two (active_∞).

    References
    ----------
    T, eq. 4.6 (any measure), 4.14 (zero-one loss), 4.25 (costs), 5.5 and 5.16 (two and more models),
    6.10 and 6.11 (rankings).

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> optimal_q(ErrorRate(), ClassPredictions([[1.0, 0.0], [0.6, 0.4]])).round(3)
    array([0.274, 0.726])
    """
    models = as_models(predictions)
    n_instances = models[0].n_instances
    cost = check_costs(costs, n_instances)
    share = check_fraction("defensive", defensive, closed=True)
    check_option("estimator", estimator, ESTIMATORS)
    believed = mixture(models) if belief is None else mixture(_of_same_pool(belief, models[0]))
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
    """The variance σ_q² = E_p[(p/q) E[ψ² | x]] that the models promise: n draws have standard error σ_q/√n.

    Parameters
    ----------
    measure : Measure
        What will be estimated.
    predictions : Predictions or list of two Predictions
        One model, or two for the difference of their measures.
    q : array-like of shape (n_instances,)
        The instrumental distribution.
    belief : Predictions, optional
        p(y | x) in place of the models' own.
    estimator : {"self_normalized", "difference"}
        Whose variance.

    Returns
    -------
    float
        Infinite if an instance that tells something is never drawn; NaN if the measure is not defined on
        what the models expect.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or there are values without variances.

    See Also
    --------
    optimal_q : makes it smallest.
    draws_for_power : how many draws a test then takes.

    References
    ----------
    T, eq. 4.3 and 5.2, with the plug-in of 4.2.2.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, optimal_q, uniform_q
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.01, 0.99]])
    >>> q = optimal_q(ErrorRate(), model)
    >>> asymptotic_variance(ErrorRate(), model, q) < asymptotic_variance(ErrorRate(), model, uniform_q(3))
    True
    """
    models = as_models(predictions)
    target = target_of(measure, models)
    distribution = check_q(q, models[0].n_instances)
    believed = mixture(models) if belief is None else mixture(_of_same_pool(belief, models[0]))
    believed.check_known()
    check_option("estimator", estimator, ESTIMATORS)
    deviation = influence(target, believed, estimator)
    # In relation to q first: q* of 10⁶ instances is tiny, its square tinier.
    per_instance = np.full(deviation.size, np.inf)
    np.divide(deviation**2, distribution, out=per_instance, where=distribution > 0)
    per_instance[deviation == 0] = 0
    return float(per_instance.mean() / deviation.size)


def expected_draws(q: ArrayLike, costs: ArrayLike, budget: float) -> float:
    """How many draws a budget pays for on average: n* = Λ / Σ λ q (T, eq. 4.25).

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
        If q is not a distribution, a cost is not positive, or they are not of one pool.

    See Also
    --------
    cost_q, optimal_q : take costs into account.

    Examples
    --------
    >>> expected_draws([0.5, 0.5], [1.0, 3.0], 100)
    50.0
    """
    distribution = check_q(q)
    cost = check_costs(costs, distribution.size)
    assert cost is not None  # noqa: S101 - for the type checker: costs were given
    return check_positive("budget", budget) / float(distribution @ cost)


def _of_same_pool(belief: Predictions, model: Predictions) -> list[Predictions]:
    """The belief alone, after the checks that models of one pool have to pass."""
    return as_models([model, belief])[1:]


def influence(target: Target, believed: Belief, estimator: str) -> FloatArray:
    """sqrt(E[ψ² | x]) for one model, or for the difference of two; for the difference estimator sd(ψ | x)."""
    return influences(target, believed)[estimator == "difference"]


def influences(target: Target, believed: Belief) -> tuple[FloatArray, FloatArray]:
    """Both: sqrt(E[ψ² | x]) and sd(ψ | x)."""
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
        # Models of which the same is expected: where they agree nothing is told, and a draw is not possible.
        offset = target.null_value
    first, second = measure.moments(terms, believed, offset)
    variance = second - first**2
    # What is left of cancellation is no doubt.
    variance = np.where(variance > 1e-14 * second, variance, 0.0)
    return _told(np.sqrt(second), magnitude), _told(np.sqrt(variance), magnitude)


def _told(deviation: FloatArray, magnitude: float) -> FloatArray:
    """Nothing where there are only rounding errors, as of two models that can't differ in the measure."""
    return deviation if deviation.max() > 1e-14 * magnitude else np.zeros_like(deviation)


def _dot(a: FloatArray, b: FloatArray) -> float:
    """aᵀb; exactly 0 where it is a rounding error of 0.

    The gradient of a ratio is orthogonal to the mean. Instances that say nothing about it, as predicted
    negatives about precision, are told from others by an exact 0.
    """
    products = a * b
    total = float(products.sum())
    return 0.0 if abs(total) <= 1e-14 * float(np.abs(products).sum()) * len(products) else total


def _normalized(influence: FloatArray, costs: FloatArray | None) -> FloatArray:
    """q ∝ influence / sqrt(costs)."""
    greatest = influence.max()
    # NaN where the measure is not defined on what the models expect; 0 where nothing is in doubt.
    scale = influence / greatest if greatest > 0 else np.ones_like(influence)
    if costs is not None:
        scale = scale / np.sqrt(costs / costs.max())
        scale /= scale.max()
    q: FloatArray = scale / scale.sum()
    return q
