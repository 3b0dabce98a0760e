"""How many more labels until the interval is as narrow as wanted, or a decision can be made."""

from collections.abc import Sequence
from math import exp, inf, isfinite, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    ESTIMATORS,
    check_float_array,
    check_fraction,
    check_option,
    check_positive,
    check_q,
)
from activeeval_widgets.stats.anytime.assumed_range import assumed_range
from activeeval_widgets.stats.anytime.estimating_equation import (
    EstimatingEquation,
    check_y_in_range,
    check_y_range,
    has_equation,
)
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.target import Target
from activeeval_widgets.stats.planning._courses import BettingCourse, Course, ErrorCourse, RisingCourse
from activeeval_widgets.stats.planning._expected_draws import PRIOR_DRAWS, BelievedDraws
from activeeval_widgets.stats.planning._labels_of_draws import LabelsOfDraws
from activeeval_widgets.stats.planning._plug_in import plug_in_sample
from activeeval_widgets.stats.planning.plan import Plan, decide
from activeeval_widgets.stats.predictions.base import Predictions, as_models

_INTERVALS = ("confidence_sequence", "wald")

_DEVIATIONS = 1.2816
"""Standard deviations: this far to both sides lie four of five."""


class Planner:
    """Plans for one pool: what depends on the pool alone is computed once.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution.
    confidence_level : float
        Of the interval, 1 − α.
    interval : {"confidence_sequence", "wald"}
        The interval that is to be narrow.
    estimator : {"self_normalized", "difference"}
        Whose Wald interval.
    replacement : bool
        Whether instances are drawn with replacement. Without it each draw is a label; the variance shrinks as
        the pool is used up, and n draws are worth n / (1 − n/m) with replacement. For draws that adapt, q is
        what they are expected to come from on average.
    y_range : tuple of two floats, optional
        The smallest and the largest label there can be, for values.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other.

    See Also
    --------
    labels_needed : the same asked once.
    decide : whether a question is answered already.

    Notes
    -----
    Draws to come are believed to be as a mixture of what the models expect and what was seen: the models
    count as 40 draws. For the confidence sequence, a plan is the time in which the bets against both
    ends of the wanted interval would win with such draws; for the others, the number of draws that makes
    the standard error small enough. What is uncertain is the variance.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> p = np.linspace(0.05, 0.95, 2000)
    >>> planner = Planner(ErrorRate(), ClassPredictions(np.column_stack([1 - p, p])), uniform_q(2000))
    >>> plan = planner.plan(0.05)
    >>> plan.low < plan.n_labels < plan.high < planner.plan(0.02).n_labels
    True
    """

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        q: ArrayLike,
        *,
        confidence_level: float = 0.95,
        interval: str = "confidence_sequence",
        estimator: str = "self_normalized",
        replacement: bool = True,
        y_range: tuple[float, float] | None = None,
    ) -> None:
        models = as_models(predictions)
        self._target = Target(measure, models)
        self._q = check_q(q, models[0].n_instances)
        level = check_fraction("confidence_level", confidence_level, closed=False)
        check_option("interval", interval, _INTERVALS)
        check_option("estimator", estimator, ESTIMATORS)
        self._replacement = replacement
        self._y_range = check_y_range(y_range, models[0])
        self._course: Course
        bounds = self._y_range or assumed_range(models)
        if interval == "confidence_sequence" and has_equation(self._target, bounds):
            base = self._target.base
            self._course = BettingCourse(EstimatingEquation(base, self._q, bounds), level)
            if base is not self._target:
                self._course = RisingCourse(measure, self._course)
        else:
            self._course = ErrorCourse(self._target, level, interval, estimator == "difference")
        expected = plug_in_sample(self._target, self._q, y_range=self._y_range)
        self._expected = None if expected is None else self._rows(*expected)
        self._labels = LabelsOfDraws(self._q, replacement=replacement)

    def _rows(self, z: FloatArray, draws: IntArray) -> FloatArray:
        return self._course.rows(z, draws, 1 / (self._q.size * self._q[draws]))

    def _believed(self, draws: ArrayLike, y_true: Any, q_draws: ArrayLike | None) -> BelievedDraws:
        sample = self._target.sample(self._q, draws, y_true)
        check_y_in_range(y_true, self._y_range)
        return BelievedDraws(self._course, self._expected, sample, q_draws, replacement=self._replacement)

    def plan(
        self,
        half_width: float,
        *,
        draws: ArrayLike = (),
        y_true: Any = (),
        q_draws: ArrayLike | None = None,
        current: tuple[float, float] | None = None,
    ) -> Plan:
        """How many more labels until half the width of the interval is `half_width`.

        Parameters
        ----------
        half_width : float
            What is wanted, in the measure's unit.
        draws : array-like of shape (n_draws,)
            The draws so far: indices into the pool, with repeats.
        y_true : array-like of shape (n_draws,)
            Their labels, in draw order; None for one that can't be labeled.
        q_draws : array-like of shape (n_draws,), optional
            The probability of each draw, given those before it; by q unless given.
        current : tuple of two floats, optional
            The interval now: what is known of its width then corrects the plan.

        Returns
        -------
        Plan

        Raises
        ------
        ValueError, TypeError
            If `half_width` is not positive, or arguments don't fit each other.
        """
        wanted = check_positive("half_width", half_width)
        seen = self._believed(draws, y_true, q_draws)
        now = _half(current)
        if now is not None and now <= wanted:
            return Plan(0.0, 0.0, 0.0, 0.0)
        if seen.rows is None:
            return Plan(nan, 0.0, inf, nan)
        total = self._course.draws_for(seen.rows, seen.share, wanted)
        if now is not None and seen.worth:
            total *= seen.correction(now)
        factor = exp(_DEVIATIONS * seen.deviation(total))
        return self._plan(total, total / factor, total * factor, seen, now is not None)

    def plan_decision(
        self,
        threshold: float,
        *,
        draws: ArrayLike = (),
        y_true: Any = (),
        q_draws: ArrayLike | None = None,
        current: tuple[float, float] | None = None,
    ) -> Plan:
        """How many more labels until the interval is all below or all above a threshold; see `decide`.

        Parameters
        ----------
        threshold : float
            In the measure's unit.
        draws, y_true, q_draws, current
            As for `plan`.

        Returns
        -------
        Plan
            `high` is infinite where the truth may well be at the threshold: then no number of labels decides.
        """
        value = float(check_float_array("threshold", threshold, ndim=0, shape="()"))
        seen = self._believed(draws, y_true, q_draws)
        if current is not None and decide(*current, value) is not None:
            return Plan(0.0, 0.0, 0.0, 0.0)
        if seen.rows is None:
            return Plan(nan, 0.0, inf, nan)
        course = self._course
        center = course.center(seen.rows, seen.share)
        if not isfinite(center):
            return Plan(inf, 0.0, inf, inf)
        z = course.deviations(seen.rows, seen.share, center)
        error = sqrt(float(seen.share @ z**2) / (seen.worth + PRIOR_DRAWS))
        totals = [
            course.draws_to(seen.rows, seen.share, center, value - center + shift)
            if (value - center + shift) * (value - center) > 0
            else inf
            for shift in (0.0, -_DEVIATIONS * error, _DEVIATIONS * error)
        ]
        factor = exp(_DEVIATIONS * seen.deviation(totals[0]))
        return self._plan(totals[0], min(totals) / factor, max(totals) * factor, seen, current is not None)

    def _plan(self, total: float, low: float, high: float, seen: BelievedDraws, is_open: bool) -> Plan:
        """From draws in all to labels still to give; at least one if the interval is known to be too wide."""
        least = 1.0 if is_open else 0.0
        labels = [
            max(float(np.ceil(self._labels.of(n, seen.worth, seen.draws))), least) for n in (total, low, high)
        ]
        draws = labels[0]
        if self._replacement:
            draws = max(float(np.ceil(total)) - seen.worth, least)
        return Plan(labels[0], min(labels), max(labels), draws)


def _half(current: tuple[float, float] | None) -> float | None:
    if current is None:
        return None
    low, high = current
    if not low <= high:
        raise ValueError(f"current must be an interval (low, high) with low <= high, got {current!r}")
    return (float(high) - float(low)) / 2
