"""DCG and ERR of rankings, with their conditional moments by dynamic programming.

Rankings are padded into matrices (queries × positions) in batches of similar length. Nothing is divided by a
product that may underflow, and variances are sums of squares wherever they can be.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import MAX_GRADE, check_count, check_positive
from activeeval_widgets.stats.measures import Moments, Risk, Term
from activeeval_widgets.stats.predictions import Predictions
from activeeval_widgets.stats.ranking_predictions import RankingPredictions, RelevanceModel

_BATCH_CELLS = 1 << 16
"""Cells of one padded batch: a few such matrices stay in the cache while the positions are walked."""


class RankingMeasure(Risk):
    """The mean over queries of a gain of the ranked items' grades."""

    greater_is_better = True

    def __init__(self, cutoff: int | None = None) -> None:
        self.cutoff = None if cutoff is None else check_count("cutoff", cutoff, minimum=1)

    @abstractmethod
    def _gains(self, grades: FloatArray, lengths: IntArray, model: RankingPredictions) -> FloatArray:
        """The gain of each ranking, given the grades of its items, query after query."""

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """z of labeled draws; see `Measure.statistics`."""
        model = self._expect(RankingPredictions, predictions)
        grades, lengths = model.graded(y_true, draws, self.cutoff)
        return self._gains(grades, lengths, model)[:, np.newaxis]

    def introspective_mean(self, predictions: Predictions, belief: Any) -> FloatArray:
        """The pool's E[z]; see `Measure.introspective_mean`."""
        model = self._expect(RankingPredictions, predictions)
        first, _ = self.moments([Term(model, np.ones(1))], belief, 0.0)
        return np.array([first.mean()])

    def same_statistics(self, first: Predictions, second: Predictions) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Where two models can't differ."""
        a, b = self._expect(RankingPredictions, first), self._expect(RankingPredictions, second)
        return np.array(
            [
                one[: self.cutoff] == two[: self.cutoff]
                for one, two in zip(a.rankings, b.rankings, strict=True)
            ]
        )

    def _rows(self, model: RankingPredictions, relevance: RelevanceModel) -> tuple[IntArray, IntArray]:
        """Rows of the relevance model for the items that count, and how many each query has."""
        lengths = model.lengths if self.cutoff is None else np.minimum(model.lengths, self.cutoff)
        return relevance.rows_of(model.rankings, self.cutoff), lengths


class DCG(RankingMeasure):
    """Discounted cumulative gain Σ_i (2^y_i − 1) / log₂(i + 1).

    Parameters
    ----------
    cutoff : int, optional
        Only the first `cutoff` items count; all of them unless given.

    References
    ----------
    T, eq. 6.1, 6.10 and 6.11.
    """

    name = "DCG"
    value_range = (0.0, np.inf)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:
        """The least and the greatest value."""
        model = self._expect(RankingPredictions, predictions)
        longest = int(model.lengths.max())
        discounts = _discounts(longest if self.cutoff is None else min(longest, self.cutoff))
        return 0.0, float((2 ** model.grades.max() - 1) * discounts.sum())

    def _gains(self, grades: FloatArray, lengths: IntArray, model: RankingPredictions) -> FloatArray:  # noqa: ARG002
        query, position = _layout(lengths)
        gains = (2**grades - 1) * _discounts(int(lengths.max(initial=0)))[position]
        return _sums(query, gains, len(lengths))

    def moments(self, terms: Sequence[Term], belief: Any, offset: float) -> Moments:
        """Conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        gain = 2**relevance.grades - 1
        mean = relevance.proba @ gain
        variance = np.einsum("ij,ij->i", relevance.proba, (gain - mean[:, np.newaxis]) ** 2)
        # The combination is linear in the items' gains: one coefficient for each item of a query.
        coefficient = np.zeros(len(mean))
        query_of = np.zeros(len(mean), dtype=np.intp)
        n_queries = len(relevance.rows)
        for term in terms:
            model = self._expect(RankingPredictions, term.predictions)
            rows, lengths = self._rows(model, relevance)
            query, position = _layout(lengths)
            coefficient[rows] += term.direction[0] * _discounts(int(lengths.max(initial=0)))[position]
            query_of[rows] = query
        first = _sums(query_of, coefficient * mean, n_queries) - offset
        spread = _sums(query_of, coefficient**2 * variance, n_queries)
        return Moments(first, first**2 + spread)

    def __repr__(self) -> str:
        return f"DCG(cutoff={self.cutoff!r})"


class ERR(RankingMeasure):
    """Expected reciprocal rank Σ_i (1/i) κ_i Π_{l<i} (1 − κ_l) with κ = (2^y − 1)/2^y_max.

    Parameters
    ----------
    cutoff : int, optional
        Only the first `cutoff` items count; all of them unless given.
    max_grade : float, optional
        y_max, at least as great as every grade; the greatest grade unless given.

    References
    ----------
    T, eq. 6.2 and Theorem 6.1; Chapelle et al., *Expected reciprocal rank for graded relevance*, 2009.
    """

    name = "ERR"
    value_range = (0.0, 1.0)

    def __init__(self, cutoff: int | None = None, max_grade: float | None = None) -> None:
        super().__init__(cutoff)
        self.max_grade = None if max_grade is None else check_positive("max_grade", max_grade)
        if self.max_grade is not None and self.max_grade > MAX_GRADE:
            raise ValueError(f"max_grade must be at most {MAX_GRADE}, got {max_grade!r}")

    def _satisfaction(self, grades: FloatArray, known_grades: FloatArray) -> tuple[FloatArray, FloatArray]:
        """κ of each grade, the chance that the item ends the search, and 1 − κ."""
        greatest = float(known_grades.max())
        top = greatest if self.max_grade is None else self.max_grade
        if top < greatest:
            raise ValueError(f"max_grade is {top:g}, but the predictions have the grade {greatest:g}")
        # 1 − κ on its own: a great y_max would round it to 0.
        return (2**grades - 1) / 2**top, (1 - 2 ** (grades - top)) + 2**-top

    def _gains(self, grades: FloatArray, lengths: IntArray, model: RankingPredictions) -> FloatArray:
        kappa, _ = self._satisfaction(grades, model.grades)
        starts = np.concatenate([[0], lengths.cumsum()])
        gains = np.zeros(len(lengths))
        for queries, valid in _batches(lengths):
            index = np.where(valid, starts[queries][:, np.newaxis] + np.arange(valid.shape[1]), 0)
            stop = np.where(valid, kappa[index] if kappa.size else 0.0, 0.0)
            gain = np.zeros(len(queries))
            for i in range(valid.shape[1], 0, -1):
                gain = stop[:, i - 1] / i + (1 - stop[:, i - 1]) * gain
            gains[queries] = gain
        return gains

    def moments(self, terms: Sequence[Term], belief: Any, offset: float) -> Moments:
        """Conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        if len(terms) > 2:
            raise ValueError(f"ERR compares two rankers at a time, got {len(terms)}")
        items = _item_moments(relevance, *self._satisfaction(relevance.grades, relevance.grades))
        signs = [float(term.direction[0]) for term in terms]
        layouts = [
            self._rows(self._expect(RankingPredictions, term.predictions), relevance) for term in terms
        ]
        mean = np.zeros(len(relevance.rows))
        variance = np.zeros(len(relevance.rows))
        longest = np.maximum.reduce([lengths for _, lengths in layouts])
        starts = [np.concatenate([[0], lengths.cumsum()]) for _, lengths in layouts]
        for queries, valid in _batches(longest):
            padded = [
                _padded(rows, start[queries], lengths[queries], valid.shape[1])
                for (rows, lengths), start in zip(layouts, starts, strict=True)
            ]
            batch = _one_ranker if len(terms) == 1 else _two_rankers
            mean[queries], variance[queries] = batch(padded, signs, items)
        mean -= offset
        return Moments(mean, mean**2 + variance)

    def __repr__(self) -> str:
        return f"ERR(cutoff={self.cutoff!r}, max_grade={self.max_grade!r})"


class _ItemMoments(NamedTuple):
    """Moments of κ for each item; the last entry is of an item that is never relevant, for padding."""

    mean: FloatArray
    remaining: FloatArray
    """E[1 − κ]"""
    variance: FloatArray
    passed: FloatArray
    """E[(1 − κ)²]"""
    tilted: FloatArray
    """E[κ(1 − κ)] / E[1 − κ]: the mean of κ once another list has been read past the item."""
    tilted_remaining: FloatArray
    """E[(1 − κ)²] / E[1 − κ]"""
    square_share: FloatArray
    """E[κ²] / E[κ]"""
    tilted_share: FloatArray
    """`tilted` / E[κ]"""


def _item_moments(relevance: RelevanceModel, kappa: FloatArray, remaining: FloatArray) -> _ItemMoments:
    never = (relevance.grades == 0).astype(float)
    proba = np.vstack([relevance.proba, never])
    mean = proba @ kappa
    mean_remaining = proba @ remaining
    deviation = kappa - mean[:, np.newaxis]
    passed = proba @ remaining**2
    # E[1 − κ] is at least 2^(−y_max): this division is safe, unlike one by products over a list.
    tilted = (proba @ (kappa * remaining)) / mean_remaining
    possible = mean > 0
    return _ItemMoments(
        mean=mean,
        remaining=mean_remaining,
        variance=np.einsum("ij,ij,ij->i", proba, deviation, deviation),
        passed=passed,
        tilted=tilted,
        tilted_remaining=passed / mean_remaining,
        square_share=np.divide(proba @ kappa**2, mean, out=np.zeros_like(mean), where=possible),
        tilted_share=np.divide(tilted, mean, out=np.zeros_like(mean), where=possible),
    )


def _one_ranker(
    padded: Sequence[IntArray], signs: Sequence[float], items: _ItemMoments
) -> tuple[FloatArray, FloatArray]:
    mean, variance = _tail_moments(padded[0], items)
    return signs[0] * mean, signs[0] ** 2 * variance


def _tail_moments(rows: IntArray, items: _ItemMoments) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of ERR by the backward recursion T_i = κ_i/i + (1 − κ_i) T_{i+1}."""
    mean = np.zeros(len(rows))
    variance = np.zeros(len(rows))
    for i in range(rows.shape[1], 0, -1):
        item = rows[:, i - 1]
        # Var T_i = E[Var(T_i | κ_i)] + Var(E[T_i | κ_i]), both at least 0.
        variance = items.passed[item] * variance + items.variance[item] * (1 / i - mean) ** 2
        mean = items.mean[item] / i + items.remaining[item] * mean
    return mean, variance


def _two_rankers(
    padded: Sequence[IntArray], signs: Sequence[float], items: _ItemMoments
) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of a₁ ERR₁ + a₂ ERR₂ where the lists share items."""
    first, second = padded
    pad = len(items.mean) - 1
    passed_once = np.ones(len(first))
    passed_twice = np.ones(len(first))
    if signs[0] == -signs[1]:
        # What both lists begin with is a factor of the difference. Equal lists then differ by exactly 0.
        common = np.cumprod(first == second, axis=1).astype(bool)
        passed_once = np.where(common, items.remaining[first], 1.0).prod(axis=1)
        passed_twice = np.where(common, items.passed[first], 1.0).prod(axis=1)
        first, second = np.where(common, pad, first), np.where(common, pad, second)
    mean_1, variance_1 = _tail_moments(first, items)
    mean_2, variance_2 = _tail_moments(second, items)
    covariance = _mean_product(first, second, items) - mean_1 * mean_2
    mean = signs[0] * mean_1 + signs[1] * mean_2
    variance = signs[0] ** 2 * variance_1 + signs[1] ** 2 * variance_2 + 2 * signs[0] * signs[1] * covariance
    # What is left of cancellation can be below 0 by a rounding error, never by more.
    variance = np.maximum(variance, 0)
    spread = np.maximum(passed_twice - passed_once**2, 0)
    return passed_once * mean, passed_twice * variance + spread * mean**2


def _mean_product(first: IntArray, second: IntArray, items: _ItemMoments) -> FloatArray:
    """E[ERR₁ ERR₂] in O(|r₁| |r₂|): the sum over pairs of positions (i, j) at which the two searches end.

    `ending` holds, for every j, 1/j times the probability that the first search goes on past i − 1 and the
    second one ends at j. An item that both lists have passed counts E[(1 − κ)²], one that one list has
    passed and the other stops at E[κ(1 − κ)] (the cases of T, A.14–A.21): relative to E[1 − κ] these are
    `tilted_remaining` and `tilted`.
    """
    n_queries, length = second.shape
    pad = len(items.mean) - 1
    columns = np.arange(length)
    # Where the first list's items stand in the second; `length` where they do not. Rows belong to one query.
    place = np.empty(len(items.mean), dtype=np.intp)
    place[first] = length
    place[second] = columns
    place[pad] = length
    position = place[first]
    ending = items.mean[second] / np.arange(1, length + 1)
    ending[:, 1:] *= np.cumprod(items.remaining[second[:, :-1]], axis=1)
    total = np.zeros(n_queries)
    for i in range(1, length + 1):
        item = first[:, i - 1]
        at = position[:, i - 1]
        # Beyond the item's place in the second list, both searches have met it once the first one does.
        beyond = columns > at[:, np.newaxis]
        met = np.where(beyond, items.tilted[item, np.newaxis], items.mean[item, np.newaxis])
        gain = np.einsum("ij,ij->i", ending, met)
        shared = np.flatnonzero(at < length)
        here = shared, at[shared]
        own = item[shared]
        # Both searches end at the item: E[κ²] where the sum above has E[κ]².
        gain[shared] += ending[here] * (items.square_share[own] - items.mean[own])
        total += gain / i
        met = np.where(beyond, items.tilted_remaining[item, np.newaxis], items.remaining[item, np.newaxis])
        ending *= met
        ending[here] *= items.tilted_share[own]
    return total


def _discounts(length: int) -> FloatArray:
    discounts: FloatArray = 1 / np.log2(np.arange(2, length + 2))
    return discounts


def _layout(lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Query and position (from 0) of each of the items, query after query."""
    query = np.repeat(np.arange(len(lengths)), lengths)
    starts = lengths.cumsum() - lengths
    return query, np.arange(len(query)) - np.repeat(starts, lengths)


def _sums(query: IntArray, values: FloatArray, n_queries: int) -> FloatArray:
    return np.bincount(query, weights=values, minlength=n_queries).astype(np.float64, copy=False)


def _padded(rows: IntArray, starts: IntArray, lengths: IntArray, width: int) -> IntArray:
    """Rows of the queries' items as a matrix; −1, the never relevant item, fills it up."""
    columns = np.arange(width)
    valid = columns < lengths[:, np.newaxis]
    padded = np.full(valid.shape, -1, dtype=np.intp)
    padded[valid] = rows[(starts[:, np.newaxis] + columns)[valid]]
    return padded


def _batches(lengths: IntArray) -> Iterator[tuple[IntArray, np.ndarray[Any, np.dtype[np.bool_]]]]:
    """Batches of queries of similar length, and which cells of the padded matrix hold an item."""
    order = np.argsort(lengths, kind="stable")
    end = len(order)
    while end:
        width = int(lengths[order[end - 1]])
        start = max(0, end - max(1, _BATCH_CELLS // max(1, width)))
        queries = order[start:end]
        yield queries, np.arange(width) < lengths[queries][:, np.newaxis]
        end = start
