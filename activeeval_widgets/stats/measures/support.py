"""Which instances have to be drawn for a measure: those whose labels could count."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.classes import TableMeasure
from activeeval_widgets.stats.measures.target import Target
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.rankings import RankingPredictions
from activeeval_widgets.stats.predictions.values import ValuePredictions


def check_support(measure: Measure, models: Sequence[Predictions], q: FloatArray) -> None:
    """Refuse a measure to which instances matter that are never drawn, for q may be meant for another.

    Parameters
    ----------
    measure : Measure
        What is to be estimated.
    models : sequence of one or two Predictions
        The models.
    q : ndarray of shape (n_instances,)
        The instrumental distribution.

    Raises
    ------
    ValueError
        If q is 0 for an instance whose label would count.
    """
    never = np.flatnonzero(q == 0)
    if not never.size:
        return
    target = Target(measure, models)
    if target.is_difference and measure.is_risk:
        target.pool_share(q)
        return
    counts = np.zeros(never.size, dtype=bool)
    for model in models:
        alike, group = _alike(measure, model, never)
        of_group = np.zeros(alike.size, dtype=bool)
        for labels in _telling_labels(model, alike):
            of_group |= (measure.statistics(model, labels, alike) != 0).any(axis=1)
            if of_group.all():
                break
        counts |= of_group[group]
    if counts.any():
        where = int(never[np.argmax(counts)])
        raise ValueError(
            f"q[{where}] is 0, but a label there would count for the {measure.name}: it would never be drawn"
        )


def _alike(measure: Measure, model: Predictions, instances: IntArray) -> tuple[IntArray, IntArray]:
    """Some of the instances, and for each of all the position of one that has the same statistics."""
    if not (isinstance(measure, TableMeasure) and isinstance(model, ClassPredictions)):
        return instances, np.arange(instances.size)
    _, first, group = np.unique(model.pred_codes[instances], return_index=True, return_inverse=True)
    return instances[first], group.reshape(-1)


def _telling_labels(model: Predictions, instances: IntArray) -> Iterator[Any]:
    """Labels of some instances among which there is one that counts, if any does."""
    if isinstance(model, ClassPredictions):
        for label in model.classes:
            yield np.full(instances.size, label)
    elif isinstance(model, ValuePredictions):
        yield model.mean[instances] + 1
    elif isinstance(model, RankingPredictions):
        greatest = float(model.grades.max())
        yield [[greatest] * int(model.lengths[query]) for query in instances]
