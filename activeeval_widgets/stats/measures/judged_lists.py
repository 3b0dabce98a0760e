"""Measures of rankings compared with everything judged for a query, as in retrieval evaluation."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count, check_positive
from activeeval_widgets.stats.measures._err_moments import batches
from activeeval_widgets.stats.measures._list_moments import Lists, by_points, lists_of
from activeeval_widgets.stats.measures.base import Moments, Term
from activeeval_widgets.stats.measures.rankings import same_lists
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, RelevanceModel
from activeeval_widgets.stats.predictions.rankings import RankingPredictions, judged

Levels = Callable[[FloatArray], tuple[IntArray, FloatArray]]
"""From grades to the level of each, from 0, and the worth of each level, (n_levels,)."""


class JudgedListMeasure(Risk):
    """The mean over queries of a value from 0 to 1 that depends on the items' levels and positions.

    Items of a label that the list does not contain count in what the list could have achieved: the items in
    the label's mapping from item to grade. Items without a grade count as not relevant.
    """

    predictions_kind = "ranking"
    greater_is_better = True
    value_range = (0.0, 1.0)
    example_options: ClassVar[Sequence[Mapping[str, Any]]] = ({}, {"cutoff": 2})

    def __init__(self, levels: Levels, cutoff: int | None = None) -> None:
        self._levels = levels
        self.cutoff = None if cutoff is None else check_count("cutoff", cutoff, minimum=1)

    def depth(self, n_models: int) -> int | None:
        """Return the cutoff for several rankers' lists, as when runs are pooled; for one, the whole list.

        A single list's own value would be trivial if only its first items were judged, because the best
        order may include items below the cutoff.
        """
        return self.cutoff if n_models > 1 else None

    def _note_lists(self, model: RankingPredictions) -> None:
        """Store what a model's lists contain, if the measure needs it."""

    @abstractmethod
    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        """Return the values of lists from levels and positions, (…, n_items) each; (…)."""

    def _joint_moments(
        self, lists: Lists, directions: Sequence[float], worth: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of Σ direction · value for each query."""
        return by_points(lists, lambda levels, at: self._values(levels, at, worth), directions)

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(RankingPredictions, predictions)
        self._note_lists(model)
        levels, worth = self._levels(model.grades)
        grades, lengths, n_listed = judged(model, y_true, draws, self.cutoff)
        order = np.argsort(model.grades)
        # With a last item that is not relevant, as padding.
        own = np.append(levels[order[np.searchsorted(model.grades, grades, sorter=order)]], 0)
        starts = lengths.cumsum() - lengths
        z = np.zeros((len(draws), 1))
        for queries, valid in batches(lengths):
            columns = np.arange(valid.shape[1])
            items = np.where(valid, starts[queries][:, np.newaxis] + columns, -1)
            position = np.where(columns < n_listed[queries][:, np.newaxis], columns, -1)
            z[queries, 0] = self._values(own[items], position, worth)
        return z

    def outcomes(
        self,
        models: Sequence[Predictions],
        y_range: tuple[float, float] | None,  # noqa: ARG002
    ) -> Iterator[FloatArray]:
        """Yield lists at their worst and best; for two, also one at its best, the other at its worst."""
        given = [self._expect(RankingPredictions, model) for model in models]
        best = [self._best(model) for model in given]
        nothing = np.zeros_like(best[0])
        yield np.stack([nothing] * len(best), axis=1)
        yield np.stack(best, axis=1)
        if len(best) == 2:
            # Equal lists have equal values.
            differ = ~self.same_statistics(*given)
            yield np.stack([best[0], np.where(differ, nothing, best[0])], axis=1)
            yield np.stack([np.where(differ, nothing, best[1]), best[1]], axis=1)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        return super().introspective_mean(self._expect(RankingPredictions, predictions), belief)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models can't differ."""
        a, b = self._expect(RankingPredictions, first), self._expect(RankingPredictions, second)
        return same_lists(a, b, self.cutoff)

    def _best(self, model: RankingPredictions) -> FloatArray:
        """Return the greatest possible value of each query."""
        self._levels(model.grades)
        return (model.lengths > 0).astype(np.float64)

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        models = [self._expect(RankingPredictions, term.predictions) for term in terms]
        self._note_lists(models[0])
        directions = tuple(float(term.direction[0]) for term in terms)
        rankings = [model.rankings for model in models]
        key = (repr(self), directions, *map(id, rankings))
        kept = relevance.kept.get(key)
        if kept is None:
            mean, variance = np.zeros((2, len(relevance.rows)))
            levels, worth = self._levels(relevance.grades)
            for lists in lists_of(relevance, rankings, levels):
                found = self._joint_moments(lists, directions, worth)
                mean[lists.queries], variance[lists.queries] = found
            # Stored with the rankings, so that their ids stay in use.
            kept = relevance.kept[key] = mean, variance, rankings
        mean, variance, _ = kept
        return Moments(mean - offset, (mean - offset) ** 2 + variance)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(cutoff={self.cutoff!r})"


class Relevance:
    """The level and the worth of relevant items, whose grades are `relevant_from` or more, and of others."""

    def __init__(self, relevant_from: float) -> None:
        check_positive("relevant_from", relevant_from)
        self.relevant_from = relevant_from

    def __call__(self, grades: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the level of each grade, and the worth of each level."""
        relevant = grades >= self.relevant_from
        if not relevant.any():
            raise ValueError(
                f"relevant_from is {self.relevant_from:g}, but the greatest grade is {grades.max():g}: "
                "nothing would be relevant; give a smaller one"
            )
        return relevant.astype(np.intp), np.array([0.0, 1.0])


def is_found(levels: IntArray, position: IntArray, cutoff: int | None) -> BoolArray:
    """Return which items are listed above the cutoff and relevant."""
    in_time = position >= 0
    if cutoff is not None:
        in_time = in_time & (position < cutoff)
    return np.asarray(in_time & (levels > 0))


def quotient(numerator: FloatArray | IntArray, denominator: FloatArray | IntArray) -> FloatArray:
    """Return the quotient; 0 where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    found: FloatArray = np.zeros(numerator.shape)
    np.divide(numerator, denominator, out=found, where=denominator > 0)
    return found
