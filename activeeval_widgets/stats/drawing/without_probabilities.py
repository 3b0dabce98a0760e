"""Instrumental distributions for comparing models that give no probabilities."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.drawing.baselines import uniform_q
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.make import question_of

MIN_UNIFORM = 0.2
"""The share of uniform draws if labels matter outside the instances on which predictions differ."""


def without_probabilities_q(
    measure: Measure,
    models: Sequence[Predictions],
    costs: FloatArray | None = None,
    share: float | None = None,
) -> tuple[FloatArray, float]:
    """Mix active_≠, averaged over all pairs of models, with a uniform share, which is returned as well.

    It is 0 by default if the difference is 0 wherever the models predict the same, as for error rates;
    otherwise a fifth. T, 5: active_≠; 5.16 for more than two models, and 4.25 for costs.
    """
    n_instances = models[0].n_instances
    found = np.zeros(n_instances)
    question = question_of(measure, models)
    # Agreeing instances cancel out in a difference of risks, and in no other question.
    is_enough = isinstance(question, Difference)
    for one, other in combinations(models, 2):
        differ = one.differs(other)
        is_enough &= measure.is_risk and not (measure.can_differ(one, other) & ~differ).any()
        each = differ.astype(np.float64)
        if costs is not None:
            each /= np.sqrt(costs)
        if each.any():
            found += each / each.sum()
    if share is None:
        share = 0.0 if is_enough and found.any() else MIN_UNIFORM
    even = uniform_q(n_instances)
    if not found.any():
        return even, share
    found /= found.sum()
    return (1 - share) * found + share * even, share
