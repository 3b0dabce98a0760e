"""Instrumental distributions by their names in the papers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.stats.drawing.baselines import (
    absolute_difference_q,
    cost_q,
    disagreement_q,
    squared_difference_q,
    uniform_q,
)
from activeeval_widgets.stats.drawing.optimal import optimal_q
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.classes import ErrorRate
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.predictions.rankings import RankingPredictions
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.make import question_of

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


def recipe_q(
    recipe: str,
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    *,
    costs: ArrayLike | None = None,
) -> FloatArray:
    """Return an instrumental distribution by its name in the papers.

    Parameters
    ----------
    recipe : str
        "passive": uniform. "active": `optimal_q` with the costs. "active_err": optimal for the error rate,
        used for another measure. "active_uniC": ignores costs. "active_lambda": `cost_q`. "active_risk": the
        mean of the optimal distributions of the single models. "active_disagreement": active_≠. "active_0"
        and "active_inf": `squared_difference_q` and `absolute_difference_q`. "active_uniD": all grades
        equally likely, for rankings.
    measure : Measure
        The measure to estimate.
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
        If the recipe is unknown, does not apply to such models, or needs costs that are missing.

    See Also
    --------
    optimal_q : The best distribution for a measure.
    replicate : Compare recipes on a labeled pool.

    References
    ----------
    T, 4.3, 5.3, 6.3; AEF 4; ACP 5.

    Examples
    --------
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
    question_of(measure, models).expect(Difference, f"recipe {recipe!r}")
    pair: Any = models
    if recipe == "active_disagreement":
        return disagreement_q(*pair)
    return squared_difference_q(*pair) if recipe == "active_0" else absolute_difference_q(*pair)


def _rankings(recipe: str, model: Predictions) -> RankingPredictions:
    if not isinstance(model, RankingPredictions):
        raise TypeError(f"recipe {recipe!r} takes RankingPredictions, got {type(model).__name__}")
    return model
