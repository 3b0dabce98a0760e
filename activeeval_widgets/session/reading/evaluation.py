"""What a session's log says of the measure: estimates, intervals, the models' own probabilities on trial."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.intervals import DrawnInterval
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.log.state import UNANSWERED, State
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.reading.goals import Goal
from activeeval_widgets.session.reading.known_value import known_value
from activeeval_widgets.session.reading.log_view import LogView
from activeeval_widgets.session.reading.trials import Trials
from activeeval_widgets.session.reading.watched_interval import WatchedInterval, pvalue_of_known
from activeeval_widgets.stats import (
    ClassPredictions,
    ConfusionEstimate,
    Estimate,
    Measure,
    ModelTrial,
    Predictions,
)
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.stats._validation import check_count, check_fraction
from activeeval_widgets.stats.measures.target import Target

_MOST_WATCHED = 16
"""Intervals of so many measures and levels are kept up to date; others begin anew when they are asked for."""


class Evaluation(LogView):
    """All that follows from pool, q, seed and log: what goals, reports and panels read.

    Parameters
    ----------
    pool : Pool
        The instances and the predictions.
    measure : Measure
        What is estimated, unless another measure is asked for.
    labels : Labels
        What a label is.
    state : State
        What the log says.
    draws : Draws
        The draws.
    name : str
        The session's name.
    seed : int
        What the draws were seeded with.
    y_range : tuple of two floats, or None
        For labels that are numbers: the smallest and the largest there can be.
    goal : Goal or None
        What the labels are for.
    """

    def __init__(
        self,
        pool: Pool,
        measure: Measure,
        labels: Labels,
        state: State,
        draws: Draws,
        *,
        name: str,
        seed: int,
        y_range: tuple[float, float] | None,
        goal: Goal | None,
    ) -> None:
        super().__init__(pool, labels, state, draws)
        self.measure = measure
        self.name = name
        self.seed = seed
        self.y_range = y_range
        self.goal = goal
        self._trials = Trials(self)
        self._watched: dict[tuple[type, str, float], WatchedInterval] = {}

    def estimate(
        self,
        measure: Measure | None = None,
        *,
        interval: str | None = None,
        confidence_level: float = 0.95,
        estimator: str | None = None,
    ) -> Estimate:
        """The estimate from all labels so far, with the interval that the page shows.

        Parameters
        ----------
        measure : Measure, optional
            Another measure than the session's: one log answers for all. Draws are the best for the
            session's own.
        interval : str, optional
            "confidence_sequence", the default, may be watched: it holds at every number of labels at once. It
            counts draws in draw order, so it waits for an instance that was put aside. Others hold for one
            number of labels fixed beforehand: "wald", and by the papers' protocol "t"; for unweighted draws
            that count 0 or 1 "wilson" and "clopper_pearson". See `intervals`.
        confidence_level : float
            Of the interval.
        estimator : str, optional
            How the value is computed: by the papers' protocol "self_normalized", the default, or "difference"
            (see `stats.estimate`); by the adaptive one "adaptive" alone (`stats.estimate_adaptive`). See
            `estimators`.

        Returns
        -------
        Estimate
            For two models, the difference of the first one's measure and the second's. The p-value belongs to
            the interval: it may be watched if that may. `standard_error` is that of the value. Where all that
            can be drawn has an answer the value is known: interval and standard error say so.

        Raises
        ------
        ValueError, TypeError
            If the measure does not suit the predictions, or needs instances that are never drawn; if the
            interval does not hold for these draws: the message names those that do.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> result = session.estimate()
        >>> round(result.value, 3), result.interval, result.standard_error
        (0.667, 'confidence_sequence', 0.0)
        """
        return self.trajectory(
            measure=measure, interval=interval, confidence_level=confidence_level, estimator=estimator
        )[0]

    def trajectory(
        self,
        at: ArrayLike | None = None,
        measure: Measure | None = None,
        *,
        interval: str | None = None,
        confidence_level: float = 0.95,
        estimator: str | None = None,
    ) -> list[Estimate]:
        """The estimates after the first n labeled draws, for each n of `at`; after all unless given.

        Other parameters are as for `estimate`.
        """
        level = check_fraction("confidence_level", confidence_level, closed=False)
        asked = self.measure if measure is None else measure
        if measure is not None:
            if not isinstance(measure, Measure):
                raise TypeError(f"measure must be a Measure, such as Recall(), got {measure!r}")
            check_suits(measure, self.models, self.labels)
            self._draws.check(measure)
        name = self._check_interval(interval, asked, estimator)
        if name != "confidence_sequence":
            return self._fixed_n(at, asked, name, level, estimator)
        found = self._fixed_n(at, asked, "wald", level, estimator)
        return self.watched(asked, confidence_level=level).given(found)

    def intervals(self, measure: Measure | None = None) -> tuple[str, ...]:
        """The names of the intervals that hold for these draws, the default first; see `estimate`.

        Parameters
        ----------
        measure : Measure, optional
            Another measure than the session's.
        """
        return self._draws.intervals(self.measure if measure is None else measure)

    @property
    def estimators(self) -> tuple[str, ...]:
        """The names of the estimators that there are for these draws, the default first; see `estimate`."""
        return self._draws.estimators

    def _check_interval(self, interval: str | None, measure: Measure, estimator: str | None) -> str:
        if estimator is not None and estimator not in self.estimators:
            does = "have one of their own: leave it out, or give" if len(self.estimators) == 1 else "have"
            raise ValueError(
                f"estimator is {estimator!r}, but draws by the {self.protocol} protocol {does} "
                f"{', '.join(map(repr, self.estimators))}"
            )
        if interval is None:
            return "confidence_sequence"
        names = self.intervals(measure)
        if interval not in names:
            raise ValueError(
                f"interval is {interval!r}, which does not hold for the {measure.name} from draws by the "
                f"protocol {self.protocol!r}; those that do: {', '.join(map(repr, names))}"
            )
        return interval

    def _fixed_n(
        self, at: ArrayLike | None, measure: Measure, interval: str, level: float, estimator: str | None
    ) -> list[Estimate]:
        """The estimates with an interval for one number of draws fixed beforehand."""
        answered = self._labeled.answered()
        n_answered = answered.draws.size
        counts = [n_answered] if at is None else _positions(at, answered.is_excluded)
        found = self._draws.estimate(
            measure, answered, at=counts, interval=interval, confidence_level=level, estimator=estimator
        )
        known = self.known_value(measure) if n_answered in counts else None
        if known is None:
            return found
        pvalue = pvalue_of_known(known, len(self.models))
        exact: dict[str, Any] = {
            "value": known, "standard_error": 0.0, "low": known, "high": known, "pvalue": pvalue,
            "statistic": nan, "is_asymptotic": False,
        }  # fmt: skip
        return [
            replace(each, **exact) if n == n_answered else each for n, each in zip(counts, found, strict=True)
        ]

    def watched(self, measure: Measure | None = None, *, confidence_level: float = 0.95) -> WatchedInterval:
        """The interval that may be watched, up to date; the same object for the same measure and level.

        Parameters
        ----------
        measure : Measure, optional
            Another measure than the session's.
        confidence_level : float
            Its level.
        """
        asked = self.measure if measure is None else measure
        key = type(asked), repr(asked), confidence_level
        if key not in self._watched:
            self._watched[key] = WatchedInterval(self, asked, confidence_level=confidence_level)
            while len(self._watched) > _MOST_WATCHED:
                # The session's own, which the page shows, is the first one asked for and stays.
                del self._watched[list(self._watched)[1]]
        self._watched[key].update()
        return self._watched[key]

    def trials(self) -> list[ModelTrial | None]:
        """Of each model, its own probabilities on trial; None for one that does not say how sure it is.

        Like `watched`, they take draws in draw order, up to the first that has no answer.
        """
        return self._trials.update()

    def known_value(self, measure: Measure | None = None) -> float | None:
        """The value, if all that can be drawn has an answer and the measure is defined; None until then."""
        if not self._is_known():
            return None
        indices = sorted(self._state.labels)
        labels = self.labels.decode([self._state.labels[index] for index in indices], indices)
        asked = self.measure if measure is None else measure
        return known_value(asked, list(self.models), indices, labels, float(self._draws.drawable.mean()))

    def _is_known(self) -> bool:
        """Whether all that can be drawn has an answer."""
        # First the quick one.
        if len(self._state.answers) < self._draws.n_drawable:
            return False
        return bool((self._state.status[self._draws.drawable] != UNANSWERED).all())

    def confusion(self) -> ConfusionEstimate:
        """The confusion matrix of the pool, with the weights of the estimate: its measure is that value.

        Returns
        -------
        ConfusionEstimate
            Exact, with standard errors of 0, where all that can be drawn has an answer.

        Raises
        ------
        TypeError
            If the session is not about one model that predicts classes.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> session.confusion().shares.round(3).tolist()
        [[0.333, 0.0], [0.667, 0.0]]
        """
        model = self.models[0]
        if len(self.models) > 1 or not isinstance(model, ClassPredictions):
            raise TypeError(
                f"a confusion matrix is for one model's ClassPredictions, got {self.models!r:.200}"
            )
        return self._draws.confusion(self.measure, model, self._labeled, is_known=self._is_known())

    def begin_interval(self, confidence_level: float, measure: Measure | None = None) -> DrawnInterval:
        """Deprecated: `watched` gives the interval that may be watched."""
        warnings.warn("begin_interval() will go: use watched()", DeprecationWarning, stacklevel=3)
        return self._begin_interval(confidence_level, measure)

    def _begin_interval(self, confidence_level: float, measure: Measure | None = None) -> DrawnInterval:
        """The interval that may be watched, before the first draw."""
        asked = self.measure if measure is None else measure
        return self._draws.begin_interval(asked, confidence_level, self.y_range)


def check_suits(measure: Measure, models: Sequence[Predictions], labels: Labels) -> None:
    """Refuse a measure that does not suit the predictions, before anything is computed.

    Raises
    ------
    ValueError, TypeError
        If it is not for such predictions, or not for these classes.
    """
    Target(measure, list(models)).statistics(labels.decode([], []), np.zeros(0, dtype=np.intp))


def _positions(at: ArrayLike, is_excluded: AnyArray) -> list[int]:
    """How many answered draws go with each number of labeled draws: all that came before the next label."""
    n_labeled = np.concatenate([[0], np.cumsum(~is_excluded)])
    counts = [check_count("at", n) for n in np.asarray(at).tolist()]
    if counts and max(counts) > n_labeled[-1]:
        raise ValueError(f"at holds {max(counts)}, expected at most the {n_labeled[-1]} labeled draws")
    return [int(n) for n in np.searchsorted(n_labeled, counts, side="right") - 1]
