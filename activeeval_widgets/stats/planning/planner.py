"""How many more labels until the interval is as narrow as wanted, or a decision can be made."""

from collections.abc import Sequence
from math import exp, inf, isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import (
    ESTIMATORS,
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

_INTERVALS = ("confidence_sequence", "wald")


class Planner:
    """Plans for one pool: what depends on the pool alone is computed once.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,), optional
        The instrumental distribution. Unless given, draws adapt: without replacement, as by `adaptive_q`.
    confidence_level : float
        Of the interval, 1 − α.
    interval : {"confidence_sequence", "wald"}
        The interval that is to be narrow.
    estimator : {"self_normalized", "difference"}
        Whose Wald interval.
    replacement : bool
        Whether instances are drawn with replacement from a given q. Without it each draw is a label, and what
        tells most is used up first.
    y_range : tuple of two floats, optional
        The smallest and the largest label there can be, for values.
    without_model : bool
        Plan for conventional sampling instead: uniform draws without replacement, of which the labels alone
        count. The model only says how much labels will vary. No q is given then.
    rule : DrawRule
        The constants of draws that adapt.

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
    A plan is where the courses of the interval lead that are expected if the model is right about its own
    errors, and if its probabilities should have been raised to a power, exp(±1.28 · 0.85) before the first
    label (of Gaussians: the variances divided by its square). Before any label that range is wide, and the
    model may be outside of it; each label corrects the model (`recalibrate`) and makes the range of powers
    narrower. How narrow the interval is by now corrects the pace.

    For draws without replacement a course is the mean growth of the bets that the confidence sequence places,
    stage after stage as the pool is used up; for draws with replacement it is the time in which bets on draws
    as expected and as seen would win, the models counting as 40 draws. For asymptotic intervals it is the
    number of draws that makes the standard error small enough.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> p = np.linspace(0.05, 0.95, 2000)
    >>> planner = Planner(ErrorRate(), ClassPredictions(np.column_stack([1 - p, p])), uniform_q(2000))
    >>> plan = planner.plan(0.05)
    >>> plan.low < plan.n_labels < plan.high < planner.plan(0.02).n_labels
    True

    What the model saves of conventional sampling:

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
    ) -> None:
        models = as_models(predictions)
        if without_model and q is not None:
            raise ValueError("without_model plans for uniform draws: leave out q")
        self._target = target_of(measure, models)
        n_instances = models[0].n_instances
        given = None if q is None else check_q(q, n_instances)
        level = check_fraction("confidence_level", confidence_level, closed=False)
        check_option("interval", interval, _INTERVALS)
        check_option("estimator", estimator, ESTIMATORS)
        if given is None and interval == "wald":
            raise ValueError("interval 'wald' is planned for a given q only: draws that adapt have none")
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
        sample = self._target.sample(self._q, draws, y_true)
        check_y_in_range(y_true, self._y_range)
        return self._forecasts.after(sample, y_true, q_draws)

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
        seen = self._forecast(draws, y_true, q_draws)
        now = _half(current)
        if now is not None and now <= wanted:
            return Plan(0.0, 0.0, 0.0, 0.0)
        if seen is None:
            return Plan(nan, 0.0, inf, nan)
        totals = []
        for way in seen.ways:
            then = None if now is None else (way.draws_for(now), 1 - now / max(way.whole, now))
            totals.append(_from_now(way.draws_for(wanted), then, seen.worth))
        return self._plan(totals, seen, is_open=now is not None)

    def draws_in_all(self, half_widths: ArrayLike, *, draws: ArrayLike = (), y_true: Any = ()) -> FloatArray:
        """How many draws it takes from the very first until half the width of the interval is so small.

        Parameters
        ----------
        half_widths : array-like of shape (n,)
            What is wanted, in the measure's unit.
        draws, y_true
            As for `plan`: they correct what is expected, however they were drawn.

        Returns
        -------
        ndarray of shape (n,)
            Infinite where the pool is too small; NaN if nothing is known yet.
        """
        wanted = check_float_array("half_widths", half_widths, ndim=1, shape="(n,)")
        seen = self._forecast(draws, y_true, None)
        if seen is None:
            return np.full(wanted.size, nan)
        way = seen.ways[len(seen.ways) // 2]
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
            Before the first label nothing is known.
        """
        value = float(check_float_array("threshold", threshold, ndim=0, shape="()"))
        seen = self._forecast(draws, y_true, q_draws)
        if current is not None and decide(*current, value) is not None:
            return Plan(0.0, 0.0, 0.0, 0.0)
        if seen is None or not seen.worth:
            # How far the value is from the threshold is what nobody knows before there are labels.
            return Plan(nan, 0.0, inf, nan)
        center = seen.center
        if not isfinite(center):
            return Plan(inf, 0.0, inf, inf)
        totals = [
            _until_told(way, value, moved, current, seen.worth)
            # On the other side of the threshold it would be told wrongly, or not at all.
            if (value - moved) * (value - center) > 0
            else inf
            for way in (seen.ways[0], seen.ways[-1])
            for moved in (center - DEVIATIONS * seen.error, center + DEVIATIONS * seen.error)
        ]
        likely = _until_told(seen.ways[len(seen.ways) // 2], value, center, current, seen.worth)
        return self._plan([min(totals), likely, max(totals)], seen, is_open=current is not None)

    def plan_difference(
        self,
        margin: float | None = None,
        *,
        draws: ArrayLike = (),
        y_true: Any = (),
        q_draws: ArrayLike | None = None,
        current: tuple[float, float] | None = None,
    ) -> Plan:
        """How many more labels until a difference is known to be above or below 0, or within a margin.

        Parameters
        ----------
        margin : float, optional
            The interval all within ± this is enough, too. In the measure's unit.
        draws, y_true, q_draws, current
            As for `plan`.

        Returns
        -------
        Plan
            As of `plan_decision` with the threshold 0. With a margin, `high` is at most what the difference
            that takes longest would, of those that it may well be: half the margin, mostly.

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
        center = seen.center
        if not isfinite(center):
            return Plan(inf, 0.0, inf, inf)
        worth = seen.worth

        def until(way: Way, moved: float) -> float:
            """Draws in all until 0 is excluded, or both ends of the margin are."""
            apart, within = (
                max(
                    _until_told(way, value, moved, current, worth) if value != moved else inf
                    for value in values
                )
                for values in ((0.0,), (-wanted, wanted))
            )
            return min(apart, within if abs(moved) < wanted else inf)

        reach = DEVIATIONS * seen.error
        # Between the ends there may be what takes longest: half the margin.
        between = [each for each in (-wanted / 2, wanted / 2) if abs(each - center) < reach]
        totals = [
            until(way, moved)
            for way in (seen.ways[0], seen.ways[-1])
            for moved in (center - reach, center + reach, *between)
        ]
        likely = until(seen.ways[len(seen.ways) // 2], center)
        return self._plan([min(totals), likely, max(totals)], seen, is_open=current is not None)

    def _plan(self, totals: list[float], seen: Forecast, *, is_open: bool) -> Plan:
        """From draws in all to labels still to give; at least one if the interval is known to be too wide."""
        least = 1.0 if is_open else 0.0
        likely = totals[len(totals) // 2]
        more = sorted(each - seen.worth for each in totals)
        first, last = (
            each * exp(sign * DEVIATIONS * seen.deviation(each)) if isfinite(each) else inf
            for sign, each in ((-1, more[0]), (1, more[-1]))
        )
        labels = [
            max(float(np.ceil(seen.labels(n))), least)
            for n in (likely, seen.worth + min(first, likely - seen.worth), seen.worth + last)
        ]
        draws = labels[0]
        if self._replacement:
            draws = max(float(np.ceil(likely)) - seen.worth, least)
        return Plan(labels[0], min(labels), max(labels), draws)


def _until_told(
    way: Way, threshold: float, center: float, current: tuple[float, float] | None, worth: float
) -> float:
    """How many draws in all until a threshold is excluded, if the value is at `center`."""
    distance = threshold - center
    then = None
    if current is not None:
        end = max(current[1] - center if distance > 0 else center - current[0], 0.0)
        then = way.draws_to(end if distance > 0 else -end), 1 - end / max(way.whole, end)
    return _from_now(way.draws_to(distance), then, worth)


def _from_now(total: float, then: tuple[float, float] | None, worth: float) -> float:
    """Draws in all, by a course and by how narrow the interval is after the draws so far."""
    if then is None or not worth or not isfinite(total):
        return max(total, worth)
    planned, told = then
    if not 0 < planned < inf:
        planned, told = worth, 0.0
    pace = (worth / planned) ** (0.6 * told * worth / (worth + PRIOR_DRAWS))
    return worth + float(pace) * max(total - told * planned - (1 - told) * min(worth, total), 0.0)


def _half(current: tuple[float, float] | None) -> float | None:
    if current is None:
        return None
    low, high = current
    if not low <= high:
        raise ValueError(f"current must be an interval (low, high) with low <= high, got {current!r}")
    return (float(high) - float(low)) / 2
