"""What a session's log says of the measure for a number of labels fixed beforehand."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import nan
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.known_value import known_value
from activeeval_widgets.session.findings.models import predictions_in_words
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.session.findings.settled import (
    SettledDifference,
    settled_difference,
    where_they_differ,
)
from activeeval_widgets.session.findings.watched_interval import pvalue_of_known
from activeeval_widgets.session.log.session_log import SessionLog
from activeeval_widgets.session.log.state import UNANSWERED, State
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions, ConfusionEstimate, Estimate, Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.measures.chosen import as_measure
from activeeval_widgets.stats.questions.make import question_of, target_of
from activeeval_widgets.stats.questions.question import Question


class FixedNEstimates:
    """Estimates without an interval that may be watched."""

    lock: Any

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
        self.pool = pool
        self.models = pool.models
        self.labels = labels
        self.log = SessionLog(pool, labels, state, self.lock)
        self.draws = SessionDraws(draws, state, labels, self.lock)
        self.measure = measure
        self.name = name
        self.seed = seed
        self.y_range = y_range
        self.goal = goal

    @property
    def question(self) -> Question:
        """What is asked: the value of one model, the difference of two, the best of more, labels alone.

        See Also
        --------
        estimate : The answer so far.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 9, "new": [[0.2, 0.8]] * 9}
        >>> question = Session(Pool(["x"] * 9, predictions=models), ErrorRate()).question
        >>> question.quantity.name, question.quantity.sides
        ('difference in error rate', ('old', 'new'))
        """
        return self._question

    @cached_property
    def _question(self) -> Question:
        return question_of(self.measure, self.models)

    @property
    def n_labels(self) -> int:
        """Instances that have a label."""
        return self.log.n_labels

    @property
    def n_draws(self) -> int:
        """Draws up to the last answered one whose instance has a label, repeats included."""
        return self.draws.n_labeled

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); of adaptive draws, what the latest came from."""
        return self.draws.q

    def history(self) -> pd.DataFrame:
        """Everything that happened, one row an event, oldest first: the table of `SessionLog.history`.

        See Also
        --------
        labels_table : The labels alone, one row an instance.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate())
        >>> labeled = session.label(1)
        >>> session.history()["kind"].tolist()
        ['draw', 'label']
        """
        return self.log.history()

    @property
    def method(self) -> tuple[str, str]:
        """How instances are drawn, and how the estimate is computed: a paragraph each, with sources."""
        words = {
            "noun": self.pool.noun,
            "name": self.measure.name,
            "predictions": predictions_in_words(self.models),
        }
        if not self.models[0].is_model:
            how = "with" if self.draws.is_replaced else "without"
            return (
                f"There is no model: {self.pool.noun} were drawn at random, {how} replacement, and labels "
                "alone count.",
                f"The estimate is the {self.measure.name} of what was drawn.",
            )
        draws, estimate = (text.format(**words) for text in self.draws.source.method)
        return capitalized(draws), estimate

    def _leader(self, measure: Measure, level: float) -> tuple[Any, float] | None:  # noqa: ARG002
        """Of more than two models, what is read of the best so far; see `Evaluation`."""
        return None

    def _measure_of(self, measure: Measure | str | None, positive: Any = None) -> Measure:
        """The measure that is asked for: the session's, another, or one by its name."""
        if measure is None:
            if positive is not None:
                raise ValueError(
                    f"positive is {positive!r}, and goes with a measure by its name: give that, such as "
                    "measure='f1'"
                )
            return self.measure
        if isinstance(measure, Measure) and positive is None:
            return measure
        models = None if self.pool.is_open else self.models
        return as_measure(measure, positive, models, default_positive=self.measure.positive)

    def intervals(self, measure: Measure | str | None = None, *, positive: Any = None) -> tuple[str, ...]:
        """The names of the intervals that hold for these draws, the default first; see `estimate`.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.

        Returns
        -------
        tuple of str
            For `estimate`.

        See Also
        --------
        estimate : Takes one of them.
        estimators : The same for how the value is computed.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> session.intervals()
        ('confidence_sequence', 'approximate', 'wald')
        """
        return self.draws.source.intervals(self._measure_of(measure, positive))

    @property
    def estimators(self) -> tuple[str, ...]:
        """The names of the estimators that there are for these draws, the default first; see `estimate`."""
        return self.draws.source.estimators

    def _check_interval(self, interval: str | None, measure: Measure, estimator: str | None) -> str:
        if estimator is not None and estimator not in self.estimators:
            does = "have one of their own: leave it out, or give" if len(self.estimators) == 1 else "have"
            raise ValueError(
                f"estimator is {estimator!r}, but draws by the {self.draws.protocol} protocol {does} "
                f"{', '.join(map(repr, self.estimators))}"
            )
        if interval is None:
            return "confidence_sequence"
        names = self.intervals(measure)
        if interval not in names:
            raise ValueError(
                f"interval is {interval!r}, which does not hold for the {measure.name} from draws by the "
                f"protocol {self.draws.protocol!r}; those that do: {', '.join(map(repr, names))}"
            )
        return interval

    def _fixed_n(
        self, at: ArrayLike | None, measure: Measure, interval: str, level: float, estimator: str | None
    ) -> list[Estimate]:
        """The estimates with an interval for one number of draws fixed beforehand."""
        answered = self.draws.answers.answered()
        n_answered = answered.draws.size
        counts = [n_answered] if at is None else _positions(at, answered.is_excluded)
        found = self.draws.source.estimate(
            measure,
            answered,
            at=counts,
            interval=interval,
            confidence_level=level,
            estimator=estimator,
            y_range=self.y_range,
        )
        known = self.known_value(measure) if n_answered in counts else None
        if known is None:
            return found
        pvalue = pvalue_of_known(known, self.question.quantity)
        exact: dict[str, Any] = {
            "value": known, "standard_error": 0.0, "low": known, "high": known, "pvalue": pvalue,
            "statistic": nan, "is_asymptotic": False,
            "approximate_low": known, "approximate_high": known, "approximate_reason": None,
        }  # fmt: skip
        return [
            replace(each, **exact) if n == n_answered else each for n, each in zip(counts, found, strict=True)
        ]

    def _in_order(self, found: list[Estimate], measure: Measure, level: float) -> list[Estimate]:
        """Estimates whose approximate interval waits for an instance that was put aside."""
        n_known = int((~self.draws.answers.in_order().is_excluded).sum())
        if all(each.n_draws <= n_known for each in found):
            return found
        [last] = self._fixed_n([n_known], measure, "wald", level, None)
        return [
            each
            if each.n_draws <= n_known
            else replace(
                each,
                approximate_low=last.approximate_low,
                approximate_high=last.approximate_high,
                approximate_reason=last.approximate_reason,
                approximate_error=last.approximate_error,
                approximate_skew=last.approximate_skew,
            )
            for each in found
        ]

    def known_value(self, measure: Measure | str | None = None, *, positive: Any = None) -> float | None:
        """The value, if all that can be drawn has an answer and the measure is defined; None until then.

        Of two models it is the difference; of more, the value of the best.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.

        Returns
        -------
        float or None
            Without any uncertainty.

        See Also
        --------
        estimate : The value at any time.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> round(session.known_value(), 3)
        0.667
        >>> event = session.undo()
        >>> session.known_value() is None
        True
        """
        asked = self._measure_of(measure, positive)
        if not self._is_known():
            return None
        leader = self._leader(asked, 0.95)
        if leader is not None:
            of_leader: float | None = leader[0].known_value(asked)
            return of_leader
        indices = sorted(self.log.state.labels)
        labels = self.labels.decode([self.log.state.labels[index] for index in indices], indices)
        return known_value(asked, list(self.models), indices, labels, self.draws.source.n_drawable)

    def _settled_difference(self, measure: Measure) -> SettledDifference | None:
        """What is certain of two models' difference once all that can tell them apart has an answer."""
        if (
            not self.question.draws_apart
            or self.pool.is_elsewhere
            or not self.draws.source.settles_differences
        ):
            return None  # of a streamed pool only what was drawn is at hand
        key = type(measure), repr(measure)
        if key not in self._can_differ:
            self._can_differ[key] = where_they_differ(measure, self.models)
        can_differ = self._can_differ[key]
        if can_differ is None or can_differ.size > len(self.log.state.answers):
            return None
        labeled = [index for index in can_differ.tolist() if index in self.log.state.labels]
        y_true = self.labels.decode([self.log.state.labels[index] for index in labeled], labeled)
        target = target_of(measure, list(self.models))
        return settled_difference(target, can_differ, self.draws.answers.in_order(), labeled, y_true)

    @cached_property
    def _can_differ(self) -> dict[tuple[type, str], IntArray | None]:
        return {}

    def _is_known(self) -> bool:
        """Whether all that can be drawn has an answer."""
        # First the quick one.
        if len(self.log.state.answers) < self.draws.source.n_drawable:
            return False
        return bool((self.log.state.status[self.draws.source.drawable] != UNANSWERED).all())

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

        See Also
        --------
        estimate : The measure of that matrix.

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
        if self.question.pairs or not isinstance(model, ClassPredictions):
            raise TypeError(
                f"a confusion matrix is for one model's ClassPredictions, got {self.models!r:.200}"
            )
        return self.draws.source.confusion(self.measure, model, self.draws.answers, is_known=self._is_known())


def check_suits(measure: Measure, models: Sequence[Predictions], labels: Labels) -> None:
    """Refuse a measure that does not suit the predictions, before anything is computed."""
    none = np.zeros(0, dtype=np.intp)
    for target in question_of(measure, models).targets:
        target.statistics(labels.decode([], []), none)


def _positions(at: ArrayLike, is_excluded: AnyArray) -> list[int]:
    """How many answered draws go with each number of labeled draws: all that came before the next label."""
    n_labeled = np.concatenate([[0], np.cumsum(~is_excluded)])
    counts = [check_count("at", n) for n in np.asarray(at).tolist()]
    if counts and max(counts) > n_labeled[-1]:
        raise ValueError(f"at holds {max(counts)}, expected at most the {n_labeled[-1]} labeled draws")
    return [int(n) for n in np.searchsorted(n_labeled, counts, side="right") - 1]
