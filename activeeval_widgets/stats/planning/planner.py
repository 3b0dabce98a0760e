"""Forecasts of the labels needed for an interval of a given width, or for a decision."""

from collections.abc import Callable, Sequence
from math import exp, hypot, inf, isfinite, log, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import (
    ESTIMATORS,
    check_costs,
    check_count,
    check_float_array,
    check_fraction,
    check_option,
    check_positive,
    check_q,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.anytime.assumed_range import assumed_range
from activeeval_widgets.stats.anytime.estimating_equation import (
    EstimatingEquation,
    check_y_in_range,
    check_y_range,
    has_equation,
)
from activeeval_widgets.stats.drawing.baselines import uniform_q
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.planning._courses import BettingCourse, Course, ErrorCourse, RisingCourse
from activeeval_widgets.stats.planning._expected_draws import PRIOR_DRAWS
from activeeval_widgets.stats.planning._forecasts import (
    DEVIATIONS,
    ExpectedDraws,
    Forecast,
    Forecasts,
    IndependentDraws,
    Way,
)
from activeeval_widgets.stats.planning.plan import Plan, decide
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.stats.questions.sample import Sample

_INTERVALS = ("confidence_sequence", "wald")

_LIKELY = ndtri((np.arange(11) + 0.5) / 11)
"""Equally likely deviations of the true value from the estimate, in standard errors. They reach to ±1.7,
because after few labels, estimates are drawn towards what the models expect."""


class Planner:
    """Forecast labels for one pool; what depends on the pool alone is computed once.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        One model, or two for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,), optional
        The instrumental distribution. Unless given, draws adapt without replacement, as `adaptive_q` does.
    confidence_level : float
        The interval's level, 1 − α.
    interval : {"confidence_sequence", "wald"}
        The interval to plan for.
    estimator : {"self_normalized", "difference"}
        The estimator of the Wald interval.
    replacement : bool
        Whether a given q is drawn from with replacement. Without replacement, each draw costs a label, and
        the most informative instances are used up first.
    y_range : tuple of two floats, optional
        The smallest and largest possible label, for values.
    without_model : bool
        Plan for conventional sampling instead: uniform draws without replacement, estimated from the labels
        only. The model then only predicts how much labels vary, and q must not be given.
    rule : DrawRule
        The constants of adaptive draws.
    costs : array-like of shape (n_instances,), optional
        λ(x), the cost of labeling each instance, for draws that adapt. Equal unless given.
    n_calibrated : int
        The number of labels that the predictions have been calibrated with, for draws that adapt.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other.

    See Also
    --------
    labels_needed : Ask once.
    decide : Check whether the interval answers a question already.

    Notes
    -----
    A forecast follows the interval's expected course for three states of the model: right about its own
    errors, and with its probabilities raised to a power, exp(±1.28 · 1.1) before the first label (for
    Gaussians, with variances divided by the power's square). Before any label this range is wide, and the
    truth may still lie outside it; each label corrects the model (`recalibrate`) and narrows the range of
    powers. The interval's current width corrects the pace.

    For draws without replacement, the course is the mean growth of the confidence sequence's wealth, stage by
    stage as the pool is used up. For draws with replacement, it is the time in which bets on a mixture of
    expected and observed draws would win, the models counting as 40 draws. For asymptotic intervals, it is
    the number of draws that makes the standard error small enough.

    Examples
    --------
    >>> p = np.linspace(0.05, 0.95, 2000)
    >>> planner = Planner(ErrorRate(), ClassPredictions(np.column_stack([1 - p, p])), uniform_q(2000))
    >>> plan = planner.plan(0.05)
    >>> plan.low < plan.n_labels < plan.high < planner.plan(0.02).n_labels
    True

    The labels that the model saves over conventional sampling:

    >>> model = ClassPredictions(np.column_stack([1 - p, p]))
    >>> alone = Planner(ErrorRate(), model, without_model=True)
    >>> Planner(ErrorRate(), model).plan(0.05).n_labels < alone.plan(0.05).n_labels
    True
    """

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        q: ArrayLike | None = None,
        *,
        confidence_level: float = 0.95,
        interval: str = "confidence_sequence",
        estimator: str = "self_normalized",
        replacement: bool = True,
        y_range: tuple[float, float] | None = None,
        without_model: bool = False,
        rule: DrawRule = DRAW_RULE,
        costs: ArrayLike | None = None,
        n_calibrated: int = 0,
    ) -> None:
        models = as_models(predictions)
        if without_model and q is not None:
            raise ValueError("without_model plans for uniform draws: leave out q")
        if costs is not None and (without_model or q is not None):
            raise ValueError("costs are for draws that adapt: leave out costs, or q and without_model")
        self._target = target_of(measure, models)
        n_instances = models[0].n_instances
        given = None if q is None else check_q(q, models[0])
        level = check_fraction("confidence_level", confidence_level, closed=False)
        check_option("interval", interval, _INTERVALS)
        check_option("estimator", estimator, ESTIMATORS)
        if given is None and interval == "wald":
            raise ValueError("interval 'wald' needs a q: it is not planned for adaptive draws")
        self._replacement = replacement and given is not None
        self._y_range = check_y_range(y_range, models[0])
        self._q = uniform_q(n_instances) if given is None else given
        self._forecasts: Forecasts
        if interval == "confidence_sequence" and not self._replacement:
            self._forecasts = ExpectedDraws(
                self._target,
                self._q if without_model else given,
                level,
                self._y_range,
                is_control=not without_model,
                rule=rule,
                costs=check_costs(costs, n_instances, models[0]),
                n_calibrated=check_count("n_calibrated", n_calibrated),
            )
        else:
            bounds = self._y_range or assumed_range(models)
            course: Course
            if interval == "confidence_sequence" and has_equation(self._target, bounds):
                base = self._target.base
                course = BettingCourse(EstimatingEquation(base, self._q, bounds), level)
                if base is not self._target:
                    course = RisingCourse(measure, course)
            else:
                course = ErrorCourse(self._target, level, interval, estimator == "difference")
            self._forecasts = IndependentDraws(
                self._target, self._q, course, self._y_range, replacement=self._replacement
            )

    def _forecast(self, draws: ArrayLike, y_true: Any, q_draws: ArrayLike | None) -> Forecast | None:
        return self._forecasts.after(*self._checked(draws, y_true), q_draws)

    def _checked(self, draws: ArrayLike, y_true: Any) -> tuple[Sample, Any]:
        sample = self._target.sample_from(self._q, draws, y_true)
        check_y_in_range(y_true, self._y_range)
        return sample, y_true

    def plan(
        self,
        half_width: float,
        *,
        draws: ArrayLike = (),
        y_true: Any = (),
        q_draws: ArrayLike | None = None,
        current: tuple[float, float] | None = None,
    ) -> Plan:
        """Forecast how many more labels an interval of half-width `half_width` requires.

        Parameters
        ----------
        half_width : float
            The target half-width, in the measure's unit.
        draws : array-like of shape (n_draws,)
            Indices of the draws so far, with repeats.
        y_true : array-like of shape (n_draws,)
            Their labels, in draw order; None for an excluded instance.
        q_draws : array-like of shape (n_draws,), optional
            The probability of each draw given the earlier ones; by default from q.
        current : tuple of two floats, optional
            The current interval, whose width corrects the forecast.

        Returns
        -------
        Plan

        Raises
        ------
        ValueError, TypeError
            If `half_width` is not positive, or arguments don't fit each other.
        """
        wanted = check_positive("half_width", half_width)
        seen = self._forecast(draws, y_true, q_draws)
        now = _half(current)
        if now is not None and now <= wanted:
            return Plan(0.0, 0.0, 0.0, 0.0)
        if seen is None:
            return Plan(nan, 0.0, inf, nan)
        first, likely, last = (_draws_until_narrow(way, wanted, now, seen.worth) for way in seen.ways)
        return self._plan(likely, (first, last), seen, is_open=now is not None)

    def draws_in_all(self, half_widths: ArrayLike, *, draws: ArrayLike = (), y_true: Any = ()) -> FloatArray:
        """Forecast how many draws, from the very first, intervals of given half-widths require.

        Parameters
        ----------
        half_widths : array-like of shape (n,)
            The target half-widths, in the measure's unit.
        draws, y_true
            As for `plan`. They correct the model's expectation, whichever way they were drawn.

        Returns
        -------
        ndarray of shape (n,)
            Infinite where the pool is too small; NaN if there is nothing to go by yet.
        """
        wanted = check_float_array("half_widths", half_widths, ndim=1, shape="(n,)")
        way = self._forecasts.middle(*self._checked(draws, y_true))
        if way is None:
            return np.full(wanted.size, nan)
        return np.array([way.draws_for(float(each)) for each in wanted])

    def plan_decision(
        self,
        threshold: float,
        *,
        draws: ArrayLike = (),
        y_true: Any = (),
        q_draws: ArrayLike | None = None,
        current: tuple[float, float] | None = None,
    ) -> Plan:
        """Forecast how many more labels until the interval excludes a threshold; see `decide`.

        Parameters
        ----------
        threshold : float
            In the measure's unit.
        draws, y_true, q_draws, current
            As for `plan`.

        Returns
        -------
        Plan
            For what is likely of the true value, on either side of the threshold: the closer it is, the
            longer it takes. Before the first label, the number is NaN.
        """
        value = float(check_float_array("threshold", threshold, ndim=0, shape="()"))
        seen = self._forecast(draws, y_true, q_draws)
        if current is not None and decide(*current, value) is not None:
            return Plan(0.0, 0.0, 0.0, 0.0)
        if seen is None or not seen.worth:
            # Before the first label, the distance of the value from the threshold is unknown.
            return Plan(nan, 0.0, inf, nan)

        def until(way: Way, moved: float) -> float:
            return _draws_until_excluded(way, value, moved, current, seen.worth)

        return self._plan_answer(until, seen, is_open=current is not None)

    def plan_difference(
        self,
        margin: float | None = None,
        *,
        draws: ArrayLike = (),
        y_true: Any = (),
        q_draws: ArrayLike | None = None,
        current: tuple[float, float] | None = None,
    ) -> Plan:
        """Forecast how many more labels until a difference excludes 0, or lies within a margin.

        Parameters
        ----------
        margin : float, optional
            An interval within ± this margin is an answer, too. In the measure's unit.
        draws, y_true, q_draws, current
            As for `plan`.

        Returns
        -------
        Plan
            As by `plan_decision` with the threshold 0.

        Raises
        ------
        ValueError, TypeError
            If `margin` is not positive, or arguments don't fit each other.
        """
        if margin is None:
            return self.plan_decision(0.0, draws=draws, y_true=y_true, q_draws=q_draws, current=current)
        wanted = check_positive("margin", margin)
        seen = self._forecast(draws, y_true, q_draws)
        if current is not None and (decide(*current, 0.0) or -wanted < current[0] <= current[1] < wanted):
            return Plan(0.0, 0.0, 0.0, 0.0)
        if seen is None or not seen.worth:
            return Plan(nan, 0.0, inf, nan)

        def until(way: Way, moved: float) -> float:
            """Return the total draws until 0 is excluded, or both ends of the margin are."""
            apart, *ends = (
                _draws_until_excluded(way, value, moved, current, seen.worth)
                for value in (0.0, -wanted, wanted)
            )
            return min(apart, max(ends) if abs(moved) < wanted else inf)

        return self._plan_answer(until, seen, is_open=current is not None)

    def _plan_answer(self, until: Callable[[Way, float], float], seen: Forecast, *, is_open: bool) -> Plan:
        """Plan for the total draws `until` there is an answer, given a way and the true value."""
        if not isfinite(seen.center):
            return Plan(inf, 0.0, inf, inf)
        values = (seen.center + seen.error * _LIKELY).tolist()
        totals = [sorted(until(way, value) for value in values) for way in seen.ways]
        likely = totals[len(totals) // 2][len(values) // 2]
        ends = min(each[0] for each in totals), max(each[-1] for each in totals)
        return self._plan(likely, ends, seen, is_open=is_open)

    def _plan(self, likely: float, ends: tuple[float, float], seen: Forecast, *, is_open: bool) -> Plan:
        """Turn total draws into labels still needed; at least one if the interval is known to be too wide."""
        least = 1.0 if is_open else 0.0
        bounds = min(*ends, likely), max(*ends, likely)
        more, *others = (max(each - seen.worth, least) for each in (likely, *bounds))
        first, last = min(others), inf
        if isfinite(more):
            own = DEVIATIONS * seen.deviation(more)
            # Deviations that are independent of each other add up by their squares.
            below, above = (hypot(own, log(max(each, 1) / max(more, 1))) for each in others)
            first, last = more * exp(-below), more * exp(above) if more else 0.0
        labels = [max(float(np.ceil(seen.labels(seen.worth + n))), least) for n in (more, first, last)]
        draws = labels[0]
        if self._replacement:
            draws = max(float(np.ceil(seen.worth + more)) - seen.worth, least)
        n_on_sheets = labels[0] * seen.share_on_sheets(likely) if isfinite(likely) else 0.0
        return Plan(labels[0], min(labels), max(labels), draws, n_on_sheets)


def _draws_until_narrow(way: Way, wanted: float, now: float | None, worth: float) -> float:
    """Return the total draws until half the interval's width is `wanted`."""
    then = None if now is None else (way.draws_for(now), 1 - now / max(way.whole, now))
    # An early lead is mostly luck.
    return _from_now(way.draws_for(wanted), then, worth, worth / (worth + PRIOR_DRAWS))


def _draws_until_excluded(
    way: Way, threshold: float, center: float, current: tuple[float, float] | None, worth: float
) -> float:
    """Return the total draws until a threshold is excluded, if the value is at `center`."""
    distance = threshold - center
    then = None
    if current is not None:
        end = max(current[1] - center if distance > 0 else center - current[0], 0.0)
        then = way.draws_to(end if distance > 0 else -end), 1 - end / max(way.whole, end)
    return _from_now(way.draws_to(distance), then, worth)


def _from_now(total: float, then: tuple[float, float] | None, worth: float, lead: float = 1.0) -> float:
    """Return the total draws, combining a course with the interval's width after the draws so far.

    `lead` is the share that counts of what the interval is ahead of its course.
    """
    if then is None or not worth or not isfinite(total):
        return max(total, worth)
    planned, progress = then
    if not 0 < planned < inf:
        planned, progress = worth, 0.0
    pace = (worth / planned) ** (0.6 * progress * worth / (worth + PRIOR_DRAWS))
    # The width tells how far it is, not the number of labels.
    reached = worth + lead * (planned - worth) if planned > worth else planned
    return worth + float(pace) * max(total - reached, 0.0)


def _half(current: tuple[float, float] | None) -> float | None:
    if current is None:
        return None
    low, high = current
    if not low <= high:
        raise ValueError(f"current must be an interval (low, high) with low <= high, got {current!r}")
    return (float(high) - float(low)) / 2
