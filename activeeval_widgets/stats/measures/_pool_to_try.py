"""A small pool for checking a measure: models, and labels from their predictive distribution."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import ClassBelief, RelevanceModel
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.rankings import RankingPredictions
from activeeval_widgets.stats.predictions.values import ValuePredictions

_N_INSTANCES, _N_LABELINGS, _N_SAMPLES = 14, 8, 4000

_Y_RANGE = (-8.0, 8.0)
"""Labels of the default pool of values are within these limits."""


@dataclass(frozen=True)
class PoolToTry:
    """A measure with a pool to check it on."""

    measure: Measure
    models: Sequence[Predictions]
    labelings: Sequence[Any]
    y_range: tuple[float, float] | None
    rng: np.random.Generator

    @property
    def everything(self) -> IntArray:
        return np.arange(self.models[0].n_instances)

    @property
    def teams(self) -> list[Sequence[Predictions]]:
        """One model, and both if a difference can be estimated."""
        is_compared = len(self.models) == 2 and self.measure.needs_model
        return [self.models[:1], self.models] if is_compared else [self.models[:1]]

    def z(self, labels: Any, models: Sequence[Predictions] | None = None) -> FloatArray:
        """Return the statistics of the whole pool; for two models side by side."""
        chosen = self.models[:1] if models is None else models
        found = [self.measure.statistics(model, labels, self.everything) for model in chosen]
        return np.concatenate(found, axis=1)


def pool_to_try(measure: Measure, predictions: Any, y_range: tuple[float, float] | None) -> PoolToTry:
    rng = np.random.default_rng(0)
    if predictions is None:
        models = [MAKERS[measure.predictions_kind](rng) for _ in range(2)]
        y_range = y_range or (_Y_RANGE if measure.predictions_kind == "value" else None)
    else:
        models = [predictions] if isinstance(predictions, Predictions) else list(predictions)[:2]
        if models[0].takes_range:
            y_range = y_range or models[0].assumed_range(models[1:])
    belief = models[0].belief(models[1:])
    everything = np.arange(models[0].n_instances)
    labelings = [belief.sample(everything, rng, y_range) for _ in range(_N_LABELINGS)]
    if models[0].takes_range and y_range is not None:
        labelings += [np.full(everything.size, end) for end in y_range]
    return PoolToTry(measure, models, labelings, y_range, rng)


def _classes(rng: np.random.Generator) -> Predictions:
    return ClassPredictions(rng.dirichlet(np.ones(3), _N_INSTANCES))


def _values(rng: np.random.Generator) -> Predictions:
    return ValuePredictions(rng.normal(size=_N_INSTANCES), rng.uniform(0.2, 1, _N_INSTANCES))


def _rankings(rng: np.random.Generator) -> Predictions:
    items = [list("abcd")[: 2 + query % 3] for query in range(_N_INSTANCES)]
    rankings = [[some[i] for i in rng.permutation(len(some))] for some in items]
    probas = [{item: rng.dirichlet(np.ones(3)) for item in some} for some in items]
    return RankingPredictions(rankings, probas, grades=[0, 1, 2])


MAKERS: dict[str, Callable[[np.random.Generator], Predictions]] = {
    "class": _classes,
    "value": _values,
    "ranking": _rankings,
}


def labels_of(model: Predictions, belief: Any, instance: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return all labels of an instance with their probabilities; if too many, sampled ones and None."""
    if isinstance(belief, ClassBelief):
        return belief.classes, belief.y_proba[instance]
    if isinstance(belief, RelevanceModel):
        items = model.items(instance)
        if belief.grades.size ** len(items) <= _N_SAMPLES:
            proba = belief.proba[[belief.rows[instance][item] for item in items]]
            codes = np.array(list(product(range(belief.grades.size), repeat=len(items))))
            labels = [dict(zip(items, grades, strict=True)) for grades in belief.grades[codes].tolist()]
            return labels, proba[np.arange(len(items)), codes].prod(axis=1)
    return belief.sample(np.full(_N_SAMPLES, instance), rng), None
