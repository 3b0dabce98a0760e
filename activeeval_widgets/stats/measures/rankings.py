"""DCG and ERR of rankings."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import MAX_GRADE, check_count, check_positive
from activeeval_widgets.stats.measures._err_moments import (
    batches,
    item_moments,
    one_ranker,
    pad_rows,
    two_rankers,
)
from activeeval_widgets.stats.measures.base import Moments, Term
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, RelevanceModel
from activeeval_widgets.stats.predictions.rankings import RankingPredictions, graded


class RankingMeasure(Risk):
    """The mean over queries of a gain from the ranked items' grades."""

    predictions_kind = "ranking"
    greater_is_better = True
    example_options = ({}, {"cutoff": 2})

    def __init__(self, cutoff: int | None = None) -> None:
        self.cutoff = None if cutoff is None else check_count("cutoff", cutoff, minimum=1)

    def depth(self, n_models: int) -> int | None:  # noqa: ARG002
        """Return the cutoff, because items below do not count; see `Measure.depth`."""
        return self.cutoff

    @abstractmethod
    def _gains(self, grades: FloatArray, lengths: IntArray, model: RankingPredictions) -> FloatArray:
        """Return the gain of each ranking, given the grades of its items, query after query."""

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(RankingPredictions, predictions)
        grades, lengths = graded(model, y_true, draws, self.cutoff)
        return self._gains(grades, lengths, model)[:, np.newaxis]

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Yield, for two rankers, one at its best, the other at its worst: wider than possible."""
        *first, last = [[*super(RankingMeasure, self).outcomes([model], y_range)] for model in models]
        if not first:
            yield from last
            return
        for z in first[0]:
            for other in last:
                yield np.concatenate([z, other], axis=1)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        return super().introspective_mean(self._expect(RankingPredictions, predictions), belief)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models can't differ."""
        a, b = self._expect(RankingPredictions, first), self._expect(RankingPredictions, second)
        return same_lists(a, b, self.cutoff)


class DCG(RankingMeasure):
    """Discounted cumulative gain Σ_i (2^y_i − 1) / log₂(i + 1).

    Parameters
    ----------
    cutoff : int, optional
        Only the first `cutoff` items count; all unless given.

    Raises
    ------
    ValueError, TypeError
        If the cutoff is not a whole number of at least 1.

    See Also
    --------
    ERR : Items below more relevant ones count less.
    RankingPredictions : The predictions that it takes.

    References
    ----------
    T, eq. 6.1, 6.10 and 6.11.

    Examples
    --------
    >>> model = RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.2, 0.8]}], grades=[0, 1])
    >>> pool_value(DCG(), model, [{"a": 0, "b": 1}])
    0.6309297535714575
    """

    summary = "How much relevant content the rankings list, and how early."
    name = "DCG"
    long_name = "discounted cumulative gain (DCG)"
    sentence = "The rankings' discounted cumulative gain ({name}) is {value}."
    value_range = (0.0, np.inf)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        model = self._expect(RankingPredictions, predictions)
        longest = int(model.lengths.max())
        discounts = _discounts(longest if self.cutoff is None else min(longest, self.cutoff))
        return 0.0, float((2 ** model.grades.max() - 1) * discounts.sum())

    def robust_alternative(self, predictions: Predictions) -> str:  # noqa: ARG002
        """Return nDCG; see `Measure.robust_alternative`."""
        return f"for nDCG, NDCG({'' if self.cutoff is None else self.cutoff}), which is at most 1"

    def _gains(self, grades: FloatArray, lengths: IntArray, model: RankingPredictions) -> FloatArray:  # noqa: ARG002
        query, position = _layout(lengths)
        gains = (2**grades - 1) * _discounts(int(lengths.max(initial=0)))[position]
        return _sums(query, gains, len(lengths))

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        gain = 2**relevance.grades - 1
        return additive_moments(terms, relevance, offset, gain, _discounts, self.cutoff)

    def __repr__(self) -> str:
        return f"DCG(cutoff={self.cutoff!r})"


class ERR(RankingMeasure):
    """Expected reciprocal rank Σ_i (1/i) κ_i Π_{l<i} (1 − κ_l) with κ = (2^y − 1)/2^y_max.

    Parameters
    ----------
    cutoff : int, optional
        Only the first `cutoff` items count; all unless given.
    max_grade : float, optional
        y_max, at least as large as every grade; the largest grade unless given.

    Raises
    ------
    ValueError, TypeError
        If the cutoff is not a whole number of at least 1, or `max_grade` is not a positive number or
        too large.

    See Also
    --------
    DCG : Each item counts independently of those above it.
    RankingPredictions : The predictions that it takes.

    References
    ----------
    T, eq. 6.2 and Theorem 6.1; Chapelle et al., *Expected reciprocal rank for graded relevance*, 2009.

    Examples
    --------
    >>> model = RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.2, 0.8]}], grades=[0, 1])
    >>> pool_value(ERR(), model, [{"a": 0, "b": 1}])
    0.25
    """

    summary = "How early in the rankings someone finds what satisfies them."
    name = "ERR"
    long_name = "expected reciprocal rank (ERR)"
    sentence = "The rankings' expected reciprocal rank ({name}) is {value}."
    value_range = (0.0, 1.0)

    def __init__(self, cutoff: int | None = None, max_grade: float | None = None) -> None:
        super().__init__(cutoff)
        self.max_grade = None if max_grade is None else check_positive("max_grade", max_grade)
        if self.max_grade is not None and self.max_grade > MAX_GRADE:
            raise ValueError(f"max_grade must be at most {MAX_GRADE}, got {max_grade!r}")

    def _satisfaction(self, grades: FloatArray, known_grades: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return κ of each grade, the chance that the item ends the search, and 1 − κ."""
        greatest = float(known_grades.max())
        top = greatest if self.max_grade is None else self.max_grade
        if top < greatest:
            raise ValueError(f"max_grade is {top:g}, but the predictions have the grade {greatest:g}")
        # 1 − κ is computed directly, because a large y_max would round it to 0.
        return (2**grades - 1) / 2**top, (1 - 2 ** (grades - top)) + 2**-top

    def _gains(self, grades: FloatArray, lengths: IntArray, model: RankingPredictions) -> FloatArray:
        kappa, _ = self._satisfaction(grades, model.grades)
        starts = np.concatenate([[0], lengths.cumsum()])
        gains = np.zeros(len(lengths))
        for queries, valid in batches(lengths):
            index = np.where(valid, starts[queries][:, np.newaxis] + np.arange(valid.shape[1]), 0)
            stop = np.where(valid, kappa[index] if kappa.size else 0.0, 0.0)
            gain = np.zeros(len(queries))
            for i in range(valid.shape[1], 0, -1):
                gain = stop[:, i - 1] / i + (1 - stop[:, i - 1]) * gain
            gains[queries] = gain
        return gains

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        kappa, remaining = self._satisfaction(relevance.grades, relevance.grades)
        return search_moments(terms, relevance, offset, kappa, remaining, self.cutoff)

    def __repr__(self) -> str:
        return f"ERR(cutoff={self.cutoff!r}, max_grade={self.max_grade!r})"


def _counted_rows(term: Term, relevance: RelevanceModel, cutoff: int | None) -> tuple[IntArray, IntArray]:
    """Return rows of the relevance model for the items that count, and their number for each query."""
    model = term.predictions
    if not isinstance(model, RankingPredictions):
        raise TypeError(f"models must be RankingPredictions, got {type(model).__name__}")
    lengths = model.lengths if cutoff is None else np.minimum(model.lengths, cutoff)
    return relevance.rows_of(model.rankings, cutoff), lengths


def same_lists(first: RankingPredictions, second: RankingPredictions, cutoff: int | None) -> BoolArray:
    """Return where two rankers have the same list, down to the cutoff."""
    pairs = zip(first.rankings, second.rankings, strict=True)
    return np.array([one[:cutoff] == two[:cutoff] for one, two in pairs])


def additive_moments(
    terms: Sequence[Term],
    relevance: RelevanceModel,
    offset: float,
    gain: FloatArray,
    discounts: Callable[[int], FloatArray],
    cutoff: int | None,
) -> Moments:
    """Return moments if a list's value is the sum of its items' gains, discounted by their positions."""
    mean = relevance.proba @ gain
    variance = np.einsum("ij,ij->i", relevance.proba, (gain - mean[:, np.newaxis]) ** 2)
    # The combination is linear in the items' gains, with one coefficient for each item of a query.
    coefficient = np.zeros(len(mean))
    query_of = np.zeros(len(mean), dtype=np.intp)
    n_queries = len(relevance.rows)
    for term in terms:
        rows, lengths = _counted_rows(term, relevance, cutoff)
        query, position = _layout(lengths)
        coefficient[rows] += term.direction[0] * discounts(int(lengths.max(initial=0)))[position]
        query_of[rows] = query
    first = _sums(query_of, coefficient * mean, n_queries) - offset
    spread = _sums(query_of, coefficient**2 * variance, n_queries)
    return Moments(first, first**2 + spread)


def search_moments(
    terms: Sequence[Term],
    relevance: RelevanceModel,
    offset: float,
    kappa: FloatArray,
    remaining: FloatArray,
    cutoff: int | None,
) -> Moments:
    """Return moments if a list's value is one over the position at which a search ends; for κ see `ERR`."""
    if len(terms) > 2:
        raise ValueError(f"two rankers are compared at a time, got {len(terms)}")
    items = item_moments(relevance.grades, relevance.proba, kappa, remaining)
    signs = [float(term.direction[0]) for term in terms]
    layouts = [_counted_rows(term, relevance, cutoff) for term in terms]
    mean = np.zeros(len(relevance.rows))
    variance = np.zeros(len(relevance.rows))
    longest = np.maximum.reduce([lengths for _, lengths in layouts])
    starts = [np.concatenate([[0], lengths.cumsum()]) for _, lengths in layouts]
    for queries, valid in batches(longest):
        padded = [
            pad_rows(rows, start[queries], lengths[queries], valid.shape[1])
            for (rows, lengths), start in zip(layouts, starts, strict=True)
        ]
        moments = one_ranker if len(terms) == 1 else two_rankers
        mean[queries], variance[queries] = moments(padded, signs, items)
    mean -= offset
    return Moments(mean, mean**2 + variance)


def _discounts(length: int) -> FloatArray:
    discounts: FloatArray = 1 / np.log2(np.arange(2, length + 2))
    return discounts


def _layout(lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Return the query and the position (from 0) of each item, query after query."""
    query = np.repeat(np.arange(len(lengths)), lengths)
    starts = lengths.cumsum() - lengths
    return query, np.arange(len(query)) - np.repeat(starts, lengths)


def _sums(query: IntArray, values: FloatArray, n_queries: int) -> FloatArray:
    return np.bincount(query, weights=values, minlength=n_queries).astype(np.float64, copy=False)
