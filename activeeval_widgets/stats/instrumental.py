"""Instrumental distributions: predictions and a measure (and costs) give q."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_costs, check_count, check_fraction
from activeeval_widgets.stats.measures import Measure, Term
from activeeval_widgets.stats.predictions import Predictions, as_models, mixture


def optimal_q(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    *,
    costs: ArrayLike | None = None,
    defensive: float = 0.0,
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

    Returns
    -------
    ndarray of shape (n_instances,)
        Not negative, sums to 1. Where no instance is expected to tell more than another (E[ψ² | x] = 0
        everywhere), only the costs count.

    Raises
    ------
    ValueError, TypeError
        If models speak of different pools or classes, or costs are not positive.

    References
    ----------
    T, eq. 4.6 (any measure), 4.14 (zero-one loss), 4.25 (costs), 5.5 and 5.16 (two and more models).

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
    belief = mixture(models)
    if len(models) == 1:
        q = _optimal(measure, models, belief, cost)
    else:
        pairs = [_optimal(measure, pair, belief, cost) for pair in combinations(models, 2)]
        q = sum(pairs[1:], start=pairs[0]) / len(pairs)
    return (1 - share) * q + share / n_instances if share else q


def uniform_q(n_instances: int) -> FloatArray:
    """The test distribution itself: drawing from it is passive evaluation.

    Parameters
    ----------
    n_instances : int
        The size of the pool, at least 1.

    Returns
    -------
    ndarray of shape (n_instances,)
    """
    return np.full(check_count("n_instances", n_instances, minimum=1), 1 / n_instances)


def _optimal(
    measure: Measure, models: Sequence[Predictions], belief: Predictions, costs: FloatArray | None
) -> FloatArray:
    """q* for one model, or for the difference of two."""
    terms = []
    offset = 0.0
    for sign, model in zip((1.0, -1.0), models, strict=False):
        mean = measure.introspective_mean(model, belief)
        direction = sign * measure.gradient(mean)
        offset += float(direction @ mean)
        terms.append(Term(model, direction))
    scale = np.sqrt(measure.moments(terms, belief, offset).second)
    if not scale.any():
        scale = np.ones_like(scale)
    if costs is not None:
        # Dividing by the mean cost first keeps costs of any unit away from under- and overflow.
        scale = scale / np.sqrt(costs / costs.mean())
    scale /= scale.max()
    q: FloatArray = scale / scale.sum()
    return q
