"""Average precision of each query's ranking."""

from collections.abc import Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures._list_moments import Lists
from activeeval_widgets.stats.measures.judged_lists import JudgedListMeasure, Relevance, is_found, quotient


class MeanAveragePrecision(JudgedListMeasure):
    """The mean over queries of average precision: the mean precision at the relevant items.

    Parameters
    ----------
    cutoff : int, optional
        Only relevant items among the first `cutoff` contribute to the sum; all unless given.
    relevant_from : float
        The smallest grade of a relevant item; 1 unless given.

    Raises
    ------
    ValueError, TypeError
        If the cutoff is not a whole number of at least 1, `relevant_from` is not positive, or no grade
        reaches it.

    See Also
    --------
    NDCG : With grades.
    PrecisionAt, RecallAt : Of the first k items.

    Notes
    -----
    The sum is divided by the number of items that a label grades as relevant, listed or not. A query without
    relevant items has the value 0. Expectations of the difference of two long rankings use a sample of joint
    grades, which makes no estimate or interval less valid.

    References
    ----------
    `AP` of `ir_measures`.

    Examples
    --------
    >>> model = RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.2, 0.8]}], grades=[0, 1])
    >>> pool_value(MeanAveragePrecision(), model, [{"a": 0, "b": 1}])
    0.5
    """

    summary = "How far up all relevant items are, in one number for each ranking."
    aliases = ("mean-average-precision", "map")
    long_name = "mean average precision (MAP)"
    sentence = "The rankings' mean average precision ({name}) is {value}."

    def __init__(self, cutoff: int | None = None, relevant_from: float = 1) -> None:
        super().__init__(Relevance(relevant_from), cutoff)
        self.relevant_from = relevant_from
        self.name = "MAP" if self.cutoff is None else f"MAP@{self.cutoff}"
        self.long_name = f"mean average precision ({self.name})"

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        del worth
        order = _ranked(position)
        at = np.take_along_axis(position, order, axis=-1)
        shape = np.broadcast_shapes(levels.shape, order.shape)
        ranked = np.take_along_axis(np.broadcast_to(levels, shape), np.broadcast_to(order, shape), axis=-1)
        found = is_found(ranked, at, self.cutoff)
        precision = (ranked > 0).cumsum(axis=-1) / np.arange(1, position.shape[-1] + 1)
        return quotient((found * precision).sum(axis=-1), (levels > 0).sum(axis=-1))

    def _joint_moments(
        self, lists: Lists, directions: Sequence[float], worth: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        if len(directions) > 1:
            return super()._joint_moments(lists, directions, worth)
        # From the top down: the number of relevant items so far, with the sum's first two moments.
        [direction], [position] = directions, lists.positions
        order = _ranked(position)
        at = np.take_along_axis(position, order, axis=1)
        chance = np.take_along_axis(lists.proba[..., 1], order, axis=1)
        counts = is_found(np.ones_like(at), at, self.cutoff)
        n, n_items = position.shape
        number = np.arange(n_items + 1)
        mass, first, second = np.zeros((3, n, n_items + 1))
        mass[:, 0] = 1
        for item in range(n_items):
            p = chance[:, item, np.newaxis]
            gain = counts[:, item, np.newaxis] * number[1:] / (item + 1)
            m, f, s = (array[:, :-1].copy() for array in (mass, first, second))
            for array in (mass, first, second):
                array *= 1 - p
            mass[:, 1:] += p * m
            first[:, 1:] += p * (f + gain * m)
            second[:, 1:] += p * (s + 2 * gain * f + gain**2 * m)
        mean = (first[:, 1:] / number[1:]).sum(axis=1)
        square = (second[:, 1:] / number[1:] ** 2).sum(axis=1)
        # Cancellation can leave a rounding error below 0.
        return direction * mean, direction**2 * np.maximum(square - mean**2, 0)

    def __repr__(self) -> str:
        return f"MeanAveragePrecision(cutoff={self.cutoff!r}, relevant_from={self.relevant_from!r})"


def _ranked(position: IntArray) -> IntArray:
    """Return the items in ranked order, with unlisted ones last."""
    n_items = position.shape[-1]
    return np.argsort(np.where(position < 0, n_items, position), axis=-1, kind="stable")
