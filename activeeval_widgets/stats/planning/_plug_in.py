"""Labeled draws as the models expect them: a sample of the plug-in distribution, to plan with."""

from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.target import Target
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.rankings import RelevanceModel
from activeeval_widgets.stats.predictions.values import GaussianMixture

_SEED = 20260101
"""The sample is a means of integration: the same one every time."""


def plug_in_sample(
    target: Target, q: FloatArray, n_draws: int, y_range: tuple[float, float] | None = None
) -> tuple[FloatArray, IntArray] | None:
    """Statistics of draws from q with labels as the models expect them (T, 4.2.2).

    Parameters
    ----------
    target : Target
        The measure and its models; two models' labels are from their equal mixture.
    q : ndarray of shape (n_instances,)
        The instrumental distribution.
    n_draws : int
        How many; instances are drawn systematically, in the order of the pool.
    y_range : tuple of float, optional
        The least and the greatest label, for values.

    Returns
    -------
    z : ndarray of shape (n_draws, n_statistics)
    draws : ndarray of shape (n_draws,)
        Or None, for values without variances: they do not say how labels are distributed.
    """
    rng = np.random.default_rng(_SEED)
    positions = (np.arange(n_draws) + rng.random()) / n_draws
    cumulative = np.cumsum(q)
    draws = np.searchsorted(cumulative, positions * cumulative[-1], side="right")
    # A rounding error must not reach an instance with q = 0 at the end of the pool.
    draws = np.minimum(draws, int(np.flatnonzero(q)[-1]))
    labels = _labels(target, draws, rng, y_range)
    return None if labels is None else (target.statistics(labels, draws), draws)


def _labels(
    target: Target, draws: IntArray, rng: np.random.Generator, y_range: tuple[float, float] | None
) -> Any:
    belief = mixture(target.models)
    if isinstance(belief, GaussianMixture):
        if belief.variances is None:
            return None
        component = rng.integers(len(belief.means), size=draws.size)
        mean, variance = belief.means[component, draws], belief.variances[component, draws]
        labels = rng.normal(mean, np.sqrt(variance))
        return labels if y_range is None else np.clip(labels, *y_range)
    if isinstance(belief, RelevanceModel):
        return [_grades(belief, int(query), rng) for query in draws]
    first = target.models[0]
    assert isinstance(first, ClassPredictions)  # noqa: S101 - there is no fourth kind
    return first.classes[_choose(belief.y_proba[draws], rng)]


def _grades(belief: RelevanceModel, query: int, rng: np.random.Generator) -> dict[Any, float]:
    known = belief.rows[query]
    if not known:
        return {}
    grades = belief.grades[_choose(belief.proba[list(known.values())], rng)]
    return dict(zip(known, grades.tolist(), strict=True))


def _choose(proba: FloatArray, rng: np.random.Generator) -> IntArray:
    """A column of each row, with its probability."""
    below = proba.cumsum(axis=1) < rng.random((len(proba), 1)) * proba.sum(axis=1, keepdims=True)
    return np.asarray(below.sum(axis=1), dtype=np.intp)
