"""Measures of rankings, held against all that was judged of a query, as in evaluations of retrieval."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count, check_positive
from activeeval_widgets.stats.measures._err_moments import batches
from activeeval_widgets.stats.measures._list_moments import Lists, by_points, lists_of
from activeeval_widgets.stats.measures.base import Moments, Risk, Term, mean_of_moments
from activeeval_widgets.stats.measures.rankings import same_lists
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, RelevanceModel
from activeeval_widgets.stats.predictions.rankings import RankingPredictions

Levels = Callable[[FloatArray], tuple[IntArray, FloatArray]]
"""From grades to the level of each, from 0, and what each level is worth, (n_levels,)."""


class JudgedListMeasure(Risk):
    """The mean over queries of a value from 0 to 1 of the items' levels and of their places in the list.

    A label's items that the list does not hold count in what the list could have had: they are those in
    its mapping from item to grade. Items without a grade count as not relevant.
    """

    predictions_kind = "ranking"
    greater_is_better = True
    value_range = (0.0, 1.0)

    def __init__(self, levels: Levels, cutoff: int | None = None) -> None:
        self._levels = levels
        self.cutoff = None if cutoff is None else check_count("cutoff", cutoff, minimum=1)

    @classmethod
    def examples(cls) -> list[Self]:
        """Of whole lists, and of the first two items; see `Measure.examples`."""
        return [cls(), cls(cutoff=2)]  # type: ignore[call-arg]

    def depth(self, n_models: int) -> int | None:
        """Of several rankers' lists, to the cutoff, as pools of runs are judged; of one, the whole list.

        A single list's own value would be trivial if nothing but its first items were judged: the best
        order of what is below the cutoff may be better.
        """
        return self.cutoff if n_models > 1 else None

    def _look_at(self, model: RankingPredictions) -> None:
        """Take note of what the lists of a model hold: most measures need not."""

    @abstractmethod
    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        """The values of lists: of levels and positions, (…, n_items) each; (…)."""

    def _joint_moments(
        self, lists: Lists, directions: Sequence[float], worth: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and variance of Σ direction · value of each query."""
        return by_points(lists, lambda levels, at: self._values(levels, at, worth), directions)

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """z of labeled draws; see `Measure.statistics`."""
        model = self._expect(RankingPredictions, predictions)
        self._look_at(model)
        levels, worth = self._levels(model.grades)
        grades, lengths, n_listed = model.judged(y_true, draws, self.cutoff)
        order = np.argsort(model.grades)
        # A last item of no relevance, to fill lists up.
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
        """A list at its worst and at its best; of two, one at its best and the other at its worst."""
        given = [self._expect(RankingPredictions, model) for model in models]
        best = [self._best(model) for model in given]
        nothing = np.zeros_like(best[0])
        yield np.stack([nothing] * len(best), axis=1)
        yield np.stack(best, axis=1)
        if len(best) == 2:
            # The same lists are as good as one another.
            differ = ~self.same_statistics(*given)
            yield np.stack([best[0], np.where(differ, nothing, best[0])], axis=1)
            yield np.stack([np.where(differ, nothing, best[1]), best[1]], axis=1)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """The pool's E[z]; see `Measure.introspective_mean`."""
        return mean_of_moments(self, self._expect(RankingPredictions, predictions), belief)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Where two models can't differ."""
        a, b = self._expect(RankingPredictions, first), self._expect(RankingPredictions, second)
        return same_lists(a, b, self.cutoff)

    def _best(self, model: RankingPredictions) -> FloatArray:
        """The greatest value that each query can have."""
        self._levels(model.grades)
        return (model.lengths > 0).astype(np.float64)

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Conditional moments; see `Measure.moments`."""
        relevance = self._expect(RelevanceModel, belief)
        models = [self._expect(RankingPredictions, term.predictions) for term in terms]
        self._look_at(models[0])
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
            # The rankings are kept as well, so that their ids stay theirs.
            kept = relevance.kept[key] = mean, variance, rankings
        mean, variance, _ = kept
        return Moments(mean - offset, (mean - offset) ** 2 + variance)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(cutoff={self.cutoff!r})"


class Relevance:
    """The levels of items that are relevant or not.

    Parameters
    ----------
    relevant_from : float
        The least grade of a relevant item.
    """

    def __init__(self, relevant_from: float) -> None:
        check_positive("relevant_from", relevant_from)
        self.relevant_from = relevant_from

    def __call__(self, grades: FloatArray) -> tuple[IntArray, FloatArray]:
        """The level of each grade, and what each level is worth."""
        relevant = grades >= self.relevant_from
        if not relevant.any():
            raise ValueError(
                f"relevant_from is {self.relevant_from:g}, but the greatest grade is {grades.max():g}: "
                "nothing would be relevant; give a smaller one"
            )
        return relevant.astype(np.intp), np.array([0.0, 1.0])


def found_in(levels: IntArray, position: IntArray, cutoff: int | None) -> BoolArray:
    """Which items are listed in time and relevant."""
    in_time = position >= 0
    if cutoff is not None:
        in_time = in_time & (position < cutoff)
    return np.asarray(in_time & (levels > 0))


def quotient(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """The quotient; 0 where nothing was there to be found."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    found: FloatArray = np.zeros(numerator.shape)
    np.divide(numerator, denominator, out=found, where=denominator > 0)
    return found
