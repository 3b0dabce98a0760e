"""The exact value of a measure once all instances that can be drawn have an answer."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats.questions.make import target_of


def known_value(
    measure: Measure, models: Sequence[Predictions], indices: Sequence[int], y_true: Any, n_drawable: int
) -> float | None:
    """Return the measure on the instances that could be labeled; None if unknown or not defined.

    If instances on which two models agree are never drawn, the difference is known only if no drawn instance
    was excluded: otherwise it is unknown how many of the others can be labeled; see `SettledDifference`.

    Parameters
    ----------
    measure : Measure
        The measure to evaluate.
    models : sequence of Predictions
        One model, or two for the difference of their measures.
    indices : sequence of int
        The labeled instances.
    y_true : array-like of shape (n_labels,), or list of mappings
        Their labels.
    n_drawable : int
        The number of instances that can be drawn. The others don't contribute: two models agree there, or
        the measure does not count them.
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
