"""Measures of answers that are graded on several criteria at once: a rubric."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Moments, Term
from activeeval_widgets.stats.measures.judged_lists import JudgedListMeasure, RelevanceMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.predictions.rankings import RankingPredictions


class _RubricMeasure(JudgedListMeasure):
    """A measure of some of the criteria, which all instances have in the same order."""

    criteria: tuple[str, ...] | None
    _positions: frozenset[int] | None = None

    def _counted(self, position: IntArray) -> BoolArray:
        """Which items are criteria that count."""
        counted: BoolArray = position >= 0
        if self._positions is not None:
            counted = counted & np.isin(position, sorted(self._positions))
        return counted

    def _find(self, model: Predictions) -> None:
        """Find the criteria in the lists of a model."""
        given = self._expect(RankingPredictions, model)
        if self.criteria is None:
            self._positions = None
            return
        first = tuple(map(str, given.rankings[0]))
        unknown = [name for name in self.criteria if name not in first]
        if unknown:
            raise ValueError(f"criteria names {unknown[0]!r}, but the criteria are {list(first)}")
        if any(ranking != given.rankings[0] for ranking in given.rankings):
            raise ValueError("criteria are named, but instances have different ones, or in another order")
        self._positions = frozenset(first.index(name) for name in self.criteria)

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """z of labeled draws; see `Measure.statistics`."""
        self._find(predictions)
        return super().statistics(predictions, y_true, draws)

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Conditional moments; see `Measure.moments`."""
        self._find(terms[0].predictions)
        return super().moments(terms, belief, offset)

    def _check_criteria(self, criteria: Sequence[str] | str | None) -> tuple[str, ...] | None:
        if criteria is None:
            return None
        if not isinstance(criteria, list | tuple):
            return (str(criteria),)
        if not criteria:
            raise ValueError(f"criteria must be one name or more, got {criteria!r}")
        return tuple(map(str, criteria))

    @property
    def _told(self) -> str:
        return "" if self.criteria is None else f" on {' and '.join(self.criteria)}"


class RubricPassRate(_RubricMeasure, RelevanceMeasure):
    """The share of answers that are good enough on every criterion.

    Parameters
    ----------
    least : float
        The least grade that is good enough; 1 unless given.
    criteria : str or sequence of str, optional
        Those that count; all unless given.

    Raises
    ------
    ValueError, TypeError
        If `least` is not positive, or no grade is that high; if there is no such criterion.

    See Also
    --------
    RubricScore : the mean grade.
    rubric_predictions : what judges said of the same criteria.

    References
    ----------
    T, eq. 4.6 with ℓ = [all grades are at least so high].

    Examples
    --------
    >>> from activeeval_widgets.stats import pool_value, rubric_predictions
    >>> judged = rubric_predictions(["correct", "polite"], grades=[0, 1, 2], n_instances=2)
    >>> labels = [{"correct": 2, "polite": 1}, {"correct": 0, "polite": 2}]
    >>> [pool_value(each, judged, labels) for each in (RubricPassRate(), RubricPassRate(1, ["polite"]))]
    [0.5, 1.0]
    """

    tells = "How many answers are good enough on every criterion of a rubric."
    spellings = ("rubric-pass-rate",)
    question = "How good is it?"
    sentence = "The {name} of the {instances} is {value}."
    is_share = True

    def __init__(self, least: float = 1, criteria: Sequence[str] | str | None = None) -> None:
        super().__init__(None, least)
        self.least, self.criteria = least, self._check_criteria(criteria)
        self.name = f"pass rate{self._told}"

    @classmethod
    def examples(cls) -> list[Self]:
        """Of two thresholds; see `Measure.examples`."""
        return [cls(), cls(2)]

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        del worth
        counted = self._counted(position)
        fails: BoolArray = (counted & (levels == 0)).any(axis=-1)
        return np.asarray(~fails & counted.any(axis=-1), dtype=np.float64)

    def __repr__(self) -> str:
        named = "" if self.criteria is None else f", criteria={list(self.criteria)!r}"
        return f"RubricPassRate(least={self.least!r}{named})"


class RubricScore(_RubricMeasure):
    """The mean grade on the criteria of a rubric, as a share of the best grade.

    Parameters
    ----------
    criteria : str or sequence of str, optional
        Those that count, all alike; all unless given.

    Raises
    ------
    ValueError
        If there is no such criterion.

    See Also
    --------
    RubricPassRate : how many answers are good enough on all of them.

    References
    ----------
    T, eq. 4.6 with the mean of the grades as ℓ.

    Examples
    --------
    >>> from activeeval_widgets.stats import pool_value, rubric_predictions
    >>> judged = rubric_predictions(["correct", "polite"], grades=[0, 1, 2], n_instances=2)
    >>> labels = [{"correct": 2, "polite": 1}, {"correct": 0, "polite": 2}]
    >>> pool_value(RubricScore(), judged, labels), pool_value(RubricScore(["polite"]), judged, labels)
    (0.625, 0.75)
    """

    tells = "The mean grade on the criteria of a rubric, in percent of the best."
    spellings = ("rubric-score",)
    question = "How good is it?"
    sentence = "The {name} of the {instances} is {value} of the best."
    is_share = True

    def __init__(self, criteria: Sequence[str] | str | None = None) -> None:
        super().__init__(None)
        self.criteria = self._check_criteria(criteria)
        self.name = f"mean grade{self._told}"

    @classmethod
    def examples(cls) -> list[Self]:
        """Of all criteria; see `Measure.examples`."""
        return [cls()]

    def _levels(self, grades: FloatArray) -> tuple[IntArray, FloatArray]:
        values, levels = np.unique(grades, return_inverse=True)
        return levels.astype(np.intp), values / values.max()

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        counted = self._counted(position)
        total = (worth[levels] * counted).sum(axis=-1)
        found: FloatArray = total / np.maximum(counted.sum(axis=-1), 1)
        return found

    def __repr__(self) -> str:
        return "RubricScore()" if self.criteria is None else f"RubricScore({list(self.criteria)!r})"
