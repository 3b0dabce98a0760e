"""Exact bounds of two models' difference once all instances on which they can differ have an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from activeeval_widgets.session.draws.labeled import Answered
from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.stats.questions.target import Target


@dataclass(frozen=True)
class SettledDifference:
    """The sum of two models' loss differences, which no label can change; the number to divide by may."""

    n_draws: int
    total: float
    n_instances: int
    n_labeled: IntArray
    n_excluded: IntArray

    @property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """The exact bounds of the difference after `n_draws` draws and each later one, (n,) each."""
        if self.total == 0:
            return np.zeros(self.n_labeled.size), np.zeros(self.n_labeled.size)
        if_all = self.total / (self.n_instances - self.n_excluded)
        if_no_more = self.total / self.n_labeled
        return np.minimum(if_all, if_no_more), np.maximum(if_all, if_no_more)

    def narrowed(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Intersect intervals after `n_draws` draws and each later one with the exact bounds."""
        least, greatest = self.ends
        is_disjoint = (low > greatest) | (high < least)
        return (
            np.where(is_disjoint, least, np.maximum(low, least)),
            np.where(is_disjoint, greatest, np.minimum(high, greatest)),
        )


def settled_difference(
    target: Target, can_differ: IntArray, answered: Answered, labeled: Sequence[int], y_true: Any
) -> SettledDifference | None:
    """Return exact bounds of a difference; None while an instance that can differ has no answer."""
    # An instance may be drawn again.
    once, firsts = np.unique(answered.draws, return_index=True)
    places = firsts[np.isin(once, can_differ, assume_unique=True)]
    if not places.size or places.size < can_differ.size:
        return None
    n_draws = int(places.max()) + 1
    is_first = np.zeros(answered.draws.size, dtype=bool)
    is_first[firsts] = True
    n_labeled, n_excluded = (
        np.concatenate([[0], np.cumsum(is_first & which)])[n_draws:]
        for which in (~answered.is_excluded, answered.is_excluded)
    )
    total = 0.0
    if labeled:
        labels = target.models[0].check_labels(y_true, len(labeled), f"{len(labeled)} labels")
        total = len(labeled) * target.value_of(np.array(labeled, dtype=np.intp), labels)
    return SettledDifference(n_draws, total, target.size, n_labeled, n_excluded)


def where_they_differ(measure: Measure, models: Sequence[Predictions]) -> IntArray | None:
    """Return the instances on which two models can differ; None if all, or if unknown."""
    found = target_of(measure, models).differs_at()
    return None if found is None else np.flatnonzero(found)
