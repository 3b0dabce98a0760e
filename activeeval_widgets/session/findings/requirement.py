"""Requirements on a measure, or on one model's lead over another, and whether they are known to be met."""

from dataclasses import dataclass, replace
from math import isclose, nan
from typing import TYPE_CHECKING

from activeeval_widgets.session.findings.estimation import suitable_measure
from activeeval_widgets.session.findings.goal_plan import GoalPlan
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.verdict import check_margin, margin_text
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.stats import Estimate, Measure, Plan
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.numbers import exact_text
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.one import One

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

_ROUNDING = 1e-12
"""A value that is known exactly equals a bound up to this share of it."""


@dataclass(frozen=True)
class Requirement:
    """A requirement, and whether it is known to be met: by confidence sequences, however often asked."""

    claim: str
    contrary: str
    is_met: bool | None  # None if it is not known yet
    estimate: Estimate
    plans: tuple[Plan, ...] = ()  # labels until it is known, for each session
    remedy: str = ""  # where no number of labels would give an answer


def require_value(
    findings: "Findings",
    bound: float,
    *,
    is_most: bool = False,
    measure: Measure | None = None,
    confidence_level: float | None = None,
) -> Requirement:
    """Return whether a measure is at least a bound, or at most if `is_most`."""
    findings.question.expect(One, "a bound", remedy="compare two of them instead")
    asked = suitable_measure(findings, measure)
    least, greatest = asked.value_range
    number = exact_text(Quantity(asked), bound)
    if not (least <= bound < greatest if is_most else least < bound <= greatest):
        ends = " to ".join(exact_text(Quantity(asked), end) for end in asked.value_range)
        raise ValueError(
            f"the bound is {number}, but the {asked.name} goes from {ends}: give one that it may meet or not"
        )
    watched = findings.watched(asked, confidence_level=confidence_level)
    estimate = watched.estimate()
    low, high = estimate.low, estimate.high
    met = _is_at_least(-high, -low, -bound) if is_most else _is_at_least(low, high, bound)
    than, other = ("at most", "above") if is_most else ("at least", "below")
    claim, contrary = f"the {asked.name} is {than} {number}", f"the {asked.name} is {other} {number}"
    found = Requirement(claim, contrary, _answer(met, estimate), estimate)
    return _planned(found, findings, watched, Goal(threshold=bound))


def require_better(
    findings: "Findings",
    old: str,
    *,
    margin: float | None = None,
    measure: Measure | None = None,
    confidence_level: float | None = None,
) -> Requirement:
    """Return whether the other one of two models is better than `old`, by at least a margin if given."""
    findings.question.expect(Difference, "a comparison", remedy="begin a session of two of them")
    names = findings.question.names
    if old not in names:
        raise ValueError(f"there is no model {old!r}; there are {' and '.join(map(repr, names))}")
    asked = suitable_measure(findings, measure)
    watched = findings.watched(asked, confidence_level=confidence_level)
    estimate = watched.estimate()
    sign = 1 if old == names[1] else -1
    if sign < 0:
        low, high = -estimate.high, -estimate.low
        estimate = replace(estimate, value=-estimate.value, low=low, high=high)
    new = names[1 - names.index(old)]
    found = _lead(asked, new, old, estimate, margin)
    lead = (margin or 0.0) * (sign if asked.greater_is_better else -sign)
    return _planned(found, findings, watched, Goal(threshold=lead))


def require_better_session(
    findings: "Findings",
    old: "Findings",
    *,
    margin: float | None = None,
    measure: Measure | None = None,
    confidence_level: float | None = None,
) -> Requirement:
    """Return whether one session's model is better than another's; each interval has level 1 − α/2."""
    sessions = (findings, old)
    level = findings._level(confidence_level)
    for each in sessions:
        each.question.expect(One, f"a comparison of {each.name!r} with another session")
    asked, other = (suitable_measure(each, measure) for each in sessions)
    if repr(asked) != repr(other):
        raise ValueError(
            f"{findings.name!r} is about the {asked.name}, and {old.name!r} about the {other.name}: name one "
            "measure for both"
        )
    watched = [each.watched(asked, confidence_level=at_once(level, 2)) for each in sessions]
    first, second = (each.estimate() for each in watched)
    estimate = _of_two(first, second, level)
    found = _lead(asked, findings.name, old.name, estimate, margin)
    lead = estimate.value if asked.greater_is_better else -estimate.value
    distance = abs(lead - (margin or 0.0))
    if not distance > 0 or not estimate.n_labels:
        return found
    goal = Goal(half_width=distance / 2)
    plans = (_planned(found, each, its, goal).plans for each, its in zip(sessions, watched, strict=True))
    return replace(found, plans=tuple(plan for each in plans for plan in each))


def require_no_drop(findings: "Findings", old: str, *, margin: float | None = None) -> Requirement:
    """Return whether the measure is no worse than in an earlier session of the course; see `Course.drop`."""
    found, asked = findings.course(), findings.measure
    if old in [each.session for each in findings.log.state.went_on]:
        since = found.sessions[:-1]
        raise ValueError(
            f"{findings.name!r} goes on with the labels of {old!r}, as only votes have changed, so both are "
            f"one session: {'name one of ' + ', '.join(since) if since else 'it follows no other one'}"
        )
    if old == findings.log.state.after and old not in found.sessions[:-1]:
        raise ValueError(
            f"{findings.name!r} was begun after {old!r}, but they can't be compared: both need the same "
            "measure and confidence level, one model, and a guaranteed interval"
        )
    allowed = check_margin(margin) or 0.0
    drop = found.drop(old)
    first, own = found.estimates[found.sessions.index(old)], found.estimates[-1]
    sign = 1.0 if asked.greater_is_better else -1.0
    change = _named(_of_two(own, first, found.confidence_level), asked, findings.name, old)
    than = f"{'lower' if asked.greater_is_better else 'higher'} than in {old}"
    most, more = "no", ""
    if allowed:
        most, more = (f"{word} {margin_text(asked, allowed)}" for word in ("at most", "more than"))
        more += " "
    met = _is_at_least(-drop.high, -drop.low, -allowed)
    requirement = Requirement(
        f"the {asked.name} is {most} {than}",
        f"the {asked.name} is {more}{than}",
        _answer(met, change),
        change,
    )
    if requirement.is_met is not None or not change.n_labels:
        return requirement
    # A yes needs the whole interval on one side of the earlier one, a no on the other.
    ends = sorted(sign * end for end in (first.low, first.high))
    at = sign * own.value + allowed
    bound = ends[1] if at > ends[1] else ends[0] if at < ends[0] else None
    if bound is None:
        wide = f"{old} has too few labels ({first.n_labels:,}) for an answer if the values are as estimated"
        return replace(
            requirement, remedy=f"{wide}: ask with a larger margin, or since a session with more labels."
        )
    watched = findings.watched(confidence_level=own.confidence_level)
    return _planned(requirement, findings, watched, Goal(threshold=sign * (bound - allowed)))


def _of_two(new: Estimate, old: Estimate, level: float) -> Estimate:
    """Return the difference of two sessions' estimates, whose intervals hold jointly at a level."""
    is_known = new.n_labels > 0 and old.n_labels > 0
    return replace(
        new,
        value=new.value - old.value,
        standard_error=(new.standard_error**2 + old.standard_error**2) ** 0.5,
        low=new.low - old.high,
        high=new.high - old.low,
        n_draws=new.n_draws + old.n_draws,
        n_labels=new.n_labels + old.n_labels if is_known else 0,
        n_excluded=new.n_excluded + old.n_excluded,
        confidence_level=level,
        is_asymptotic=new.is_asymptotic or old.is_asymptotic,
        withheld=new.withheld or old.withheld,
        reason=new.reason or old.reason,
    )


def _lead(measure: Measure, new: str, old: str, estimate: Estimate, margin: float | None) -> Requirement:
    """Return whether a model is better, given the estimate of its measure minus the old one's."""
    wanted = check_margin(margin)
    least, greatest = measure.value_range
    low, high = estimate.low, estimate.high
    if not measure.greater_is_better:
        low, high = -high, -low
    by, less = "", ""
    if wanted is not None:
        size = margin_text(measure, wanted)
        if not wanted <= greatest - least:
            raise ValueError(f"margin is {size}, which no two models can differ by in {measure.name}")
        by, less = f" by at least {size}", f" by {size} or more"
    estimate = _named(estimate, measure, new, old)
    met = _is_at_least(low, high, wanted or 0.0, or_equal=wanted is not None)
    return Requirement(
        f"{new} is better than {old}{by} in {measure.name}",
        f"{new} is not better than {old}{less} in {measure.name}",
        _answer(met, estimate),
        estimate,
    )


def _named(estimate: Estimate, measure: Measure, new: str, old: str) -> Estimate:
    """Return a difference with what it is of, and with its guaranteed interval only."""
    return replace(
        estimate,
        quantity=Differences(measure, (new, old)),
        statistic=nan,
        approximate_low=nan,
        approximate_high=nan,
        approximate_error=nan,
        approximate_skew=nan,
    )


def _is_at_least(low: float, high: float, bound: float, *, or_equal: bool = True) -> bool | None:
    """Return whether a value is at least a bound, or else above it, given its interval; None if unknown."""
    if low == high and isclose(low, bound, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
        return or_equal
    if not low <= high:  # the value is not defined
        return None
    if low > bound or (or_equal and low == bound):
        return True
    return False if high < bound or (not or_equal and high == bound) else None


def _answer(is_met: bool | None, estimate: Estimate) -> bool | None:
    """Return an answer if the interval gives one, and some label supports a "yes"."""
    return None if estimate.is_asymptotic or (is_met and not estimate.n_labels) else is_met


def _planned(found: Requirement, findings: "Findings", watched: WatchedInterval, goal: Goal) -> Requirement:
    """Add the forecast of the labels that a goal needs, if there is one."""
    if found.is_met is not None or found.estimate.is_asymptotic or not watched.low <= watched.high:
        return found
    # A margin of equivalence would answer another question.
    progress = GoalPlan(findings, watched).progress(goal, margin=0.0)
    plan = progress.to_decision if goal.half_width is None else progress.to_half_width
    return found if plan is None else replace(found, plans=(plan,))
