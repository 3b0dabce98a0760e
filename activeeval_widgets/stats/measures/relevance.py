"""Measures of rankings by whether items are relevant: reciprocal rank, precision and recall at k."""

from collections.abc import Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.measures._list_moments import Lists, by_counts
from activeeval_widgets.stats.measures.base import Moments, Term
from activeeval_widgets.stats.measures.judged_lists import JudgedListMeasure, Relevance, is_found, quotient
from activeeval_widgets.stats.measures.rankings import additive_moments, search_moments
from activeeval_widgets.stats.predictions.beliefs import Belief, RelevanceModel
from activeeval_widgets.stats.predictions.rankings import RankingPredictions


class ReciprocalRank(JudgedListMeasure):
    """One over the position of the first relevant item; 0 if there is none. Its mean is called MRR.

    Parameters
    ----------
    cutoff : int, optional
        Only the first `cutoff` items count; all unless given.
    relevant_from : float
        The smallest grade of a relevant item; 1 unless given.

    Raises
    ------
    ValueError, TypeError
        If the cutoff is not a whole number of at least 1, `relevant_from` is not positive, or no grade
        reaches it.

    See Also
    --------
    ERR : With grades: how likely a search ends.
    PrecisionAt : Counts all relevant items.

    References
    ----------
    `RR` of `ir_measures`; its moments are those of ERR (T, Theorem 6.1) with κ = 1 for relevant items.

    Examples
    --------
    >>> model = RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.2, 0.8]}], grades=[0, 1])
    >>> pool_value(ReciprocalRank(), model, [{"a": 0, "b": 1}])
    0.5
    """

    summary = "How far up the first relevant item is: 1 at the top, a half in second place."
    aliases = ("reciprocal-rank", "mean-reciprocal-rank", "mrr")
    sentence = "The rankings' mean {name} is {value}."

    def __init__(self, cutoff: int | None = None, relevant_from: float = 1) -> None:
        super().__init__(Relevance(relevant_from), cutoff)
        self.relevant_from = relevant_from
        self.name = "reciprocal rank" if self.cutoff is None else f"reciprocal rank at {self.cutoff}"

    def depth(self, n_models: int) -> int | None:  # noqa: ARG002
        """Return the cutoff; see `Measure.depth`."""
        return self.cutoff

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        del worth
        ranks = np.where(is_found(levels, position, self.cutoff), position + 1.0, np.inf)
        values: FloatArray = 1 / ranks.min(axis=-1, initial=np.inf)
        return values

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        levels, worth = self._levels(relevance.grades)
        ends = worth[levels]
        return search_moments(terms, relevance, offset, ends, 1 - ends, self.cutoff)

    def __repr__(self) -> str:
        return f"ReciprocalRank(cutoff={self.cutoff!r}, relevant_from={self.relevant_from!r})"


class PrecisionAt(JudgedListMeasure):
    """The share of relevant items among the first k: their number over k, even if fewer are listed.

    Parameters
    ----------
    k : int
        Number of items that count.
    relevant_from : float
        The smallest grade of a relevant item; 1 unless given.

    Raises
    ------
    ValueError, TypeError
        If k is not a whole number of at least 1, `relevant_from` is not positive, or no grade reaches it.

    See Also
    --------
    RecallAt : The share of relevant items that is among the first k.
    Precision : Of a class.

    References
    ----------
    `P` of `ir_measures`.

    Examples
    --------
    >>> model = RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.2, 0.8]}], grades=[0, 1])
    >>> pool_value(PrecisionAt(2), model, [{"a": 0, "b": 1}])
    0.5
    """

    summary = "How much of the first k items is relevant."
    aliases = ("precision",)
    is_share = True
    example_options = ({"k": 2}, {"k": 6, "relevant_from": 2})

    def __init__(self, k: int, relevant_from: float = 1) -> None:
        super().__init__(Relevance(relevant_from), check_count("k", k, minimum=1))
        self.k, self.relevant_from = int(k), relevant_from
        self.name = f"precision at {self.k}"
        self.sentence = f"Of the first {self.k} results {{value}} are relevant."

    def __repr__(self) -> str:
        return f"PrecisionAt({self.k!r}, relevant_from={self.relevant_from!r})"

    def depth(self, n_models: int) -> int | None:  # noqa: ARG002
        """Return k; see `Measure.depth`."""
        return self.cutoff

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        del worth
        return np.asarray(is_found(levels, position, self.cutoff).sum(axis=-1) / self.k)

    def _best(self, model: RankingPredictions) -> FloatArray:
        super()._best(model)
        best: FloatArray = np.minimum(model.lengths, self.k) / self.k
        return best

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        levels, worth = self._levels(relevance.grades)
        share = 1 / self.k
        return additive_moments(
            terms, relevance, offset, worth[levels], lambda n: np.full(n, share), self.cutoff
        )


class RecallAt(JudgedListMeasure):
    """The share of a query's relevant items that is among the first k.

    Parameters
    ----------
    k : int
        Number of items that count as found.
    relevant_from : float
        The smallest grade of a relevant item; 1 unless given.

    Raises
    ------
    ValueError, TypeError
        If k is not a whole number of at least 1, `relevant_from` is not positive, or no grade reaches it.

    See Also
    --------
    PrecisionAt : The share of the first k that is relevant.
    Recall : Of a class.

    Notes
    -----
    Relevant items are those of a label, listed or not: if labels grade only the listed items, it is recall
    within the list. A query without relevant items has the value 0.

    References
    ----------
    `R` of `ir_measures`.

    Examples
    --------
    >>> model = RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.2, 0.8]}], grades=[0, 1])
    >>> pool_value(RecallAt(1), model, [{"a": 1, "b": 1, "c": 1, "d": 1}])
    0.25
    """

    summary = "How much of what is relevant is among the first k items."
    aliases = ("recall",)
    is_share = True
    example_options = ({"k": 2}, {"k": 6, "relevant_from": 2})

    def __init__(self, k: int, relevant_from: float = 1) -> None:
        super().__init__(Relevance(relevant_from), check_count("k", k, minimum=1))
        self.k, self.relevant_from = int(k), relevant_from
        self.name = f"recall at {self.k}"
        self.sentence = f"Among the first {self.k} results is {{value}} of what is relevant."

    def __repr__(self) -> str:
        return f"RecallAt({self.k!r}, relevant_from={self.relevant_from!r})"

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        del worth
        found = is_found(levels, position, self.cutoff).sum(axis=-1)
        return quotient(found, np.asarray((levels > 0).sum(axis=-1)))

    def _joint_moments(
        self, lists: Lists, directions: Sequence[float], worth: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        weights = [
            direction * is_found(np.ones_like(at), at, self.cutoff).astype(np.float64)
            for direction, at in zip(directions, lists.positions, strict=True)
        ]
        found = by_counts(lists, worth, weights, lambda counts: counts[..., 0].astype(np.float64))
        return super()._joint_moments(lists, directions, worth) if found is None else found
