"""What is certain of two models' difference once all that can tell them apart has an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.differing import differ_in
from activeeval_widgets.stats.measures.target import Target


@dataclass(frozen=True)
class SettledDifference:
    """The sum of two models' differences, to which no further label can add.

    The difference is this sum over how many instances can be labeled. So which model is better is certain;
    by how much depends on that number alone, which is at least that of the labels, and at most that of all
    instances but those that are known not to have one.

    Parameters
    ----------
    n_draws : int
        After so many draws all that can tell the models apart had an answer.
    total : float
        The sum.
    n_instances : int
        The size of the pool.

    Examples
    --------
    >>> import numpy as np
    >>> settled = SettledDifference(n_draws=4, total=2.0, n_instances=20)
    >>> low, high = settled.ends(np.array([5, 20]), n_labels=np.array([5, 16]))
    >>> low.tolist(), high.tolist()
    ([0.1, 0.125], [0.4, 0.125])
    """

    n_draws: int
    total: float
    n_instances: int

    def ends(self, n_draws: IntArray, n_labels: IntArray) -> tuple[FloatArray, FloatArray]:
        """Between what the difference is for certain, after some numbers of draws and of labels among them.

        Parameters
        ----------
        n_draws, n_labels : ndarray of shape (n,), int
            From `SettledDifference.n_draws` on.

        Returns
        -------
        low, high : ndarray of shape (n,)
        """
        if self.total == 0:
            return np.zeros(n_draws.size), np.zeros(n_draws.size)
        if_all = self.total / (self.n_instances - (n_draws - n_labels))
        if_no_more = self.total / n_labels
        return np.minimum(if_all, if_no_more), np.maximum(if_all, if_no_more)

    def narrowed(
        self, low: FloatArray, high: FloatArray, n_draws: IntArray, n_labels: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Intervals, without what is certainly not the difference.

        Parameters
        ----------
        low, high : ndarray of shape (n,)
            The intervals.
        n_draws, n_labels : ndarray of shape (n,), int
            As of `ends`.

        Returns
        -------
        low, high : ndarray of shape (n,)
            Where an interval holds nothing that is possible, all that is.
        """
        least, greatest = self.ends(n_draws, n_labels)
        is_elsewhere = (low > greatest) | (high < least)
        return (
            np.where(is_elsewhere, least, np.maximum(low, least)),
            np.where(is_elsewhere, greatest, np.minimum(high, greatest)),
        )


def settled_difference(
    target: Target, can_differ: IntArray, draws: IntArray, labeled: Sequence[int], y_true: Any
) -> SettledDifference | None:
    """What is certain of a difference; None while something that can tell the models apart has no answer.

    Parameters
    ----------
    target : Target
        The difference of a risk.
    can_differ : ndarray of shape (n,), int
        All instances that can tell the models apart.
    draws : ndarray of shape (n_draws,), int
        Different instances, all with an answer, in the order in which they were drawn.
    labeled : sequence of int
        Those of `can_differ` that have a label.
    y_true : array-like of shape (n_labeled,), or list of mappings
        Their labels.
    """
    places = np.flatnonzero(np.isin(draws, can_differ, assume_unique=True))
    if not places.size or places.size < can_differ.size:
        return None
    total = 0.0
    if labeled:
        labels = target.models[0].check_labels(y_true, len(labeled), f"{len(labeled)} labels")
        total = len(labeled) * target.value_of(np.array(labeled, dtype=np.intp), labels)
    return SettledDifference(int(places[-1]) + 1, total, target.size)


def where_they_differ(measure: Measure, models: Sequence[Predictions]) -> IntArray | None:
    """All instances that can tell two models apart; None where all can, or nothing is known of it."""
    target = Target(measure, list(models))
    found = differ_in(target)
    return None if found is None else np.flatnonzero(found)
