"""The instances that a measure needs to be drawn: those whose labels could count."""

from collections.abc import Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.make import question_of
from activeeval_widgets.stats.questions.target import Target


def check_support(measure: Measure, models: Sequence[Predictions], q: FloatArray) -> None:
    """Refuse a measure that depends on instances that are never drawn; q may be meant for another one."""
    never = np.flatnonzero(q == 0)
    if not never.size:
        return
    question = question_of(measure, models)
    if not isinstance(question, Target):
        for model in models:
            check_support(measure, [model], q)
        return
    if question.skips_agreement:
        question.rest_share(q)
        return
    counts = np.zeros(never.size, dtype=bool)
    for model in models:
        alike, group = measure.alike(model, never)
        of_group = np.zeros(alike.size, dtype=bool)
        for labels in model.counting_labels(alike):
            of_group |= (measure.statistics(model, labels, alike) != 0).any(axis=1)
            if of_group.all():
                break
        counts |= of_group[group]
    if counts.any():
        where = int(never[np.argmax(counts)])
        raise ValueError(
            f"q[{where}] is 0, but a label there would count for the {measure.name}: it would never be drawn"
        )
