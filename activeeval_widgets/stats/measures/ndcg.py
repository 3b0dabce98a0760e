"""The discounted cumulative gain of rankings, relative to the best that their items allow."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.stats.measures._list_moments import Lists, by_counts
from activeeval_widgets.stats.measures.judged_lists import JudgedListMeasure, quotient


def _linear(grades: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return each grade as a level, with the grade as its worth."""
    order = np.argsort(grades)
    levels = np.empty(len(grades), dtype=np.intp)
    levels[order] = np.arange(len(grades))
    return levels, grades[order]


def _exponential(grades: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return each grade y as a level, with worth 2^y − 1."""
    levels, ascending = _linear(grades)
    return levels, 2**ascending - 1


_GAINS = {"linear": _linear, "exponential": _exponential}


class NDCG(JudgedListMeasure):
    """Normalized discounted cumulative gain: Σ_i gain(y_i) / log₂(i + 1), divided by the best order's.

    Parameters
    ----------
    cutoff : int, optional
        Only the first `cutoff` items count, also in the best order; all unless given.
    gain : {"linear", "exponential"}
        The gain of an item of grade y: y itself, as in trec_eval and `ir_measures`, or 2^y − 1, as in `DCG`
        (`nDCG(dcg='exp-log2')` of `ir_measures`).

    Raises
    ------
    ValueError, TypeError
        If the cutoff is not a whole number of at least 1, or the gain is not one of the two.

    See Also
    --------
    DCG : Not normalized: queries with more relevant items have more weight.
    RankingPredictions : The predictions that it takes.

    Notes
    -----
    The best order is of all items that a label grades, listed or not. A query without relevant items has the
    value 0. Its q is exact if the counts of grades can be enumerated (two grades, or short lists); otherwise
    expectations use a sample of joint grades, which makes no estimate or interval less valid.

    References
    ----------
    Järvelin & Kekäläinen, *Cumulated gain-based evaluation of IR techniques*, 2002; T, eq. 4.6 for q.

    Examples
    --------
    >>> model = RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.2, 0.8]}], grades=[0, 1])
    >>> round(pool_value(NDCG(), model, [{"a": 0, "b": 1}]), 3)
    0.631
    """

    summary = "How near the rankings are to the best order of their items; the top counts most."
    long_name = "normalized discounted cumulative gain (nDCG)"
    sentence = "The rankings' normalized discounted cumulative gain ({name}) is {value}."
    example_options = ({}, {"cutoff": 2, "gain": "exponential"})

    def __init__(self, cutoff: int | None = None, gain: str = "linear") -> None:
        self.gain = check_option("gain", gain, tuple(_GAINS))
        super().__init__(_GAINS[self.gain], cutoff)
        self.name = "nDCG" if self.cutoff is None else f"nDCG@{self.cutoff}"
        self.long_name = f"normalized discounted cumulative gain ({self.name})"

    def _discounts(self, n_items: int) -> FloatArray:
        """Return the discounts of the positions 0, 1, …, and last a 0: that of position −1."""
        discounts = np.append(1 / np.log2(np.arange(2, n_items + 2)), 0.0)
        if self.cutoff is not None:
            discounts[self.cutoff :] = 0
        return discounts

    def _ideal(self, at_least: IntArray, worth: FloatArray, n_items: int) -> FloatArray:
        """Return the best order's gain, by the numbers of items of level l or more, l = 1, 2, …; (…)."""
        sums = np.concatenate([[0.0], self._discounts(n_items)[:-1].cumsum()])
        ideal: FloatArray = sums[at_least] @ np.diff(worth)
        return ideal

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        n_items = levels.shape[-1]
        at_least = np.stack([(levels >= level).sum(axis=-1) for level in range(1, len(worth))], axis=-1)
        gained = (worth[levels] * self._discounts(n_items)[position]).sum(axis=-1)
        return quotient(gained, self._ideal(at_least, worth, n_items))

    def _joint_moments(
        self, lists: Lists, directions: Sequence[float], worth: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        n_items = lists.proba.shape[1]
        discounts = self._discounts(n_items)
        weights = [
            direction * discounts[at] for direction, at in zip(directions, lists.positions, strict=True)
        ]
        found = by_counts(lists, worth, weights, partial(self._best_of_counts, worth=worth, n_items=n_items))
        return super()._joint_moments(lists, directions, worth) if found is None else found

    def _best_of_counts(self, counts: IntArray, *, worth: FloatArray, n_items: int) -> FloatArray:
        at_least = np.minimum(counts[..., ::-1].cumsum(axis=-1)[..., ::-1], n_items)
        return self._ideal(at_least, worth, n_items)

    def __repr__(self) -> str:
        gain = "" if self.gain == "linear" else f", gain={self.gain!r}"
        return f"NDCG(cutoff={self.cutoff!r}{gain})"
