"""Measures of answers that are graded on several criteria at once: a rubric."""

from collections.abc import Sequence

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.judged_lists import JudgedListMeasure, Relevance
from activeeval_widgets.stats.predictions.rankings import RankingPredictions


class _Criteria:
    """The criteria that count, in the same order for all instances."""

    def __init__(self, criteria: Sequence[str] | str | None) -> None:
        if isinstance(criteria, list | tuple) and not criteria:
            raise ValueError(f"criteria must be one name or more, got {criteria!r}")
        named = criteria if isinstance(criteria, list | tuple) else [criteria]
        self.names = None if criteria is None else tuple(map(str, named))
        self._positions: list[int] | None = None

    def find(self, model: RankingPredictions) -> None:
        """Set their positions in the lists of a model."""
        if self.names is None:
            return
        first = tuple(map(str, model.rankings[0]))
        unknown = [name for name in self.names if name not in first]
        if unknown:
            raise ValueError(f"criteria names {unknown[0]!r}, but the criteria are {list(first)}")
        if any(ranking != model.rankings[0] for ranking in model.rankings):
            raise ValueError("criteria are named, but instances have different ones, or in another order")
        self._positions = sorted({first.index(name) for name in self.names})

    def counted(self, position: IntArray) -> BoolArray:
        """Return which items are criteria that count."""
        counted: BoolArray = position >= 0
        return counted if self._positions is None else counted & np.isin(position, self._positions)

    @property
    def suffix(self) -> str:
        """The suffix of a measure's name."""
        return "" if self.names is None else f" on {' and '.join(self.names)}"


class RubricPassRate(JudgedListMeasure):
    """The share of answers that are good enough on every criterion.

    Parameters
    ----------
    least : float
        The smallest grade that is good enough; 1 unless given.
    criteria : str or sequence of str, optional
        The criteria that count; all unless given.

    Raises
    ------
    ValueError, TypeError
        If `least` is not positive, no grade reaches it, or there is no such criterion.

    See Also
    --------
    RubricScore : The mean grade.
    rubric_predictions : Judges' votes on the same criteria.

    References
    ----------
    T, eq. 4.6 with ℓ = [all grades are at least this high].

    Examples
    --------
    >>> judged = rubric_predictions(["correct", "polite"], grades=[0, 1, 2], n_instances=2)
    >>> labels = [{"correct": 2, "polite": 1}, {"correct": 0, "polite": 2}]
    >>> [pool_value(each, judged, labels) for each in (RubricPassRate(), RubricPassRate(1, ["polite"]))]
    [0.5, 1.0]
    """

    summary = "How many answers are good enough on every criterion of a rubric."
    aliases = ("rubric-pass-rate",)
    question = "How good is it?"
    sentence = "The {name} of the {instances} is {value}."
    is_share = True
    example_options = ({}, {"least": 2})

    def __init__(self, least: float = 1, criteria: Sequence[str] | str | None = None) -> None:
        super().__init__(Relevance(least))
        self.least, self._criteria = least, _Criteria(criteria)
        self.name = f"pass rate{self._criteria.suffix}"

    @property
    def criteria(self) -> tuple[str, ...] | None:
        """The criteria that count; None: all."""
        return self._criteria.names

    def _note_lists(self, model: RankingPredictions) -> None:
        self._criteria.find(model)

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        del worth
        counted = self._criteria.counted(position)
        fails: BoolArray = (counted & (levels == 0)).any(axis=-1)
        return np.asarray(~fails & counted.any(axis=-1), dtype=np.float64)

    def __repr__(self) -> str:
        named = "" if self.criteria is None else f", criteria={list(self.criteria)!r}"
        return f"RubricPassRate(least={self.least!r}{named})"


def _shares_of_best(grades: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return each grade as a level, with its share of the best grade as worth."""
    values, levels = np.unique(grades, return_inverse=True)
    return levels.astype(np.intp), values / values.max()


class RubricScore(JudgedListMeasure):
    """The mean grade on the criteria of a rubric, as a share of the best grade.

    Parameters
    ----------
    criteria : str or sequence of str, optional
        The criteria that count, with equal weights; all unless given.

    Raises
    ------
    ValueError
        If there is no such criterion.

    See Also
    --------
    RubricPassRate : How many answers are good enough on all criteria.

    References
    ----------
    T, eq. 4.6 with the mean of the grades as ℓ.

    Examples
    --------
    >>> judged = rubric_predictions(["correct", "polite"], grades=[0, 1, 2], n_instances=2)
    >>> labels = [{"correct": 2, "polite": 1}, {"correct": 0, "polite": 2}]
    >>> pool_value(RubricScore(), judged, labels), pool_value(RubricScore(["polite"]), judged, labels)
    (0.625, 0.75)
    """

    summary = "The mean grade on the criteria of a rubric, in percent of the best."
    aliases = ("rubric-score",)
    question = "How good is it?"
    sentence = "The {name} of the {instances} is {value} of the best."
    is_share = True
    example_options = ({},)

    def __init__(self, criteria: Sequence[str] | str | None = None) -> None:
        super().__init__(_shares_of_best)
        self._criteria = _Criteria(criteria)
        self.name = f"mean grade{self._criteria.suffix}"

    @property
    def criteria(self) -> tuple[str, ...] | None:
        """The criteria that count; None: all."""
        return self._criteria.names

    def _note_lists(self, model: RankingPredictions) -> None:
        self._criteria.find(model)

    def _values(self, levels: IntArray, position: IntArray, worth: FloatArray) -> FloatArray:
        counted = self._criteria.counted(position)
        total = (worth[levels] * counted).sum(axis=-1)
        found: FloatArray = total / np.maximum(counted.sum(axis=-1), 1)
        return found

    def __repr__(self) -> str:
        return "RubricScore()" if self.criteria is None else f"RubricScore({list(self.criteria)!r})"
