"""The value of a measure where all that can be drawn has an answer."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats.questions.make import target_of


def known_value(
    measure: Measure, models: Sequence[Predictions], indices: Sequence[int], y_true: Any, n_drawable: int
) -> float | None:
    """The measure on what could be labeled, or None where it is not known, or not defined.

    Of a difference to which only a part of the pool can add, the rest of which is never drawn, it is known
    while all that was drawn could be labeled: so all counts. Else nobody knows how much of the rest can be;
    see `SettledDifference`.

    Parameters
    ----------
    measure : Measure
        What is asked for.
    models : sequence of one or two Predictions
        Two: the difference of their measures.
    indices : sequence of int
        All instances that have a label.
    y_true : array-like of shape (n_labels,), or list of mappings
        Their labels.
    n_drawable : int
        How many instances can be drawn. The rest is known to make no difference: two models agree there, or
        the measure does not count it.
    """
    if not indices:
        return None
    target = target_of(measure, list(models))
    labels = models[0].check_labels(y_true, len(indices), f"{len(indices)} labels")
    value = target.value_of(np.array(indices, dtype=np.intp), labels)
    if target.skips_agreement:
        if len(indices) < n_drawable < target.size:
            return None
        value *= n_drawable / target.size
    return value if isfinite(value) else None
