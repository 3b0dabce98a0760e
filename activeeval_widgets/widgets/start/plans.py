"""How many labels each margin of error will take, before there is any."""

from collections.abc import Sequence
from math import inf, isfinite, isnan, sqrt
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.stats import Plan, Planner, asymptotic_variance, uniform_q
from activeeval_widgets.stats.text import NO_BREAK, counted, two_digits
from activeeval_widgets.widgets.evaluation.default_goal import default_goal
from activeeval_widgets.widgets.wording.measures import format_width

SECONDS = {"text": 8.0, "image": 5.0, "record": 10.0, "ranking": 60.0}
"""What a label takes by the kind of instance, as long as nobody has given one."""

_OTHER_SECONDS = 15.0
_FACTORS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.2, 1.6, 2.0, 3.0, 4.0)
"""The margins to choose from, by the usual one."""

_USUAL_LABELS = 100

_MOST_PLANNED_WITH = 100_000
"""Instances: with more of them a plan would take seconds, and say the same, but for margins that take a large
part of the pool: these are not offered."""

_LARGE_PART = 0.1


class PlannedWidth(NamedTuple):
    """What a half-width of the interval takes.

    Attributes
    ----------
    half_width : float
        In the measure's unit.
    plan : Plan
        With draws as the session makes them.
    uniform : Plan
        With uniform draws.
    """

    half_width: float
    plan: Plan
    uniform: Plan


def planned_widths(session: Session, half_widths: Sequence[float]) -> list[PlannedWidth]:
    """What half-widths take, before the first label."""
    planner, uniform = _planner(session), _planner(session, is_uniform=True)
    return [PlannedWidth(width, planner.plan(width), uniform.plan(width)) for width in half_widths]


def plan_list(session: Session) -> dict[str, Any]:
    """What each margin of error takes."""
    n_instances = session.pool.n_instances
    seconds = label_seconds(session)
    known: dict[str, Any] = {
        "steps": [],
        "first": 0,
        "seconds": seconds,
        "n_instances": n_instances,
        "note": "The first labels will show how many it takes.",
    }
    if session.question.is_of_leader:  # which ones are to be told apart is not known yet
        return known
    usual = default_goal(session.measure, session.watched().whole).half_width or _usual_width(session)
    if usual is None:
        return known
    widths = [_rounded_width(usual * factor) for factor in _FACTORS]
    plans = planned_widths(session, widths)
    if any(isnan(plan.n_labels) for _, plan, _ in plans):
        return known
    # What the pool is too small for is not offered, nor what takes next to nothing.
    is_part = session.draws.is_replaced and n_instances > _MOST_PLANNED_WITH
    most = _LARGE_PART * _MOST_PLANNED_WITH if is_part else inf
    plans = [each for each in plans if 5 <= each[1].n_labels < most]
    # A plan is no exact figure, but a wider margin never takes more.
    for i in range(1, len(plans)):
        width, plan, other = plans[i]
        _, before, other_before = plans[i - 1]
        plans[i] = PlannedWidth(
            width, min(plan, before, key=_n_labels), min(other, other_before, key=_n_labels)
        )
    if not plans:
        return {**known, "note": "The pool is too small to promise a margin of error."}
    steps = [_step(session, width, plan, other, seconds) for width, plan, other in plans]
    first = min(range(len(plans)), key=lambda i: abs(plans[i][0] - usual))
    return {**known, "steps": steps, "first": first, "note": ""}


def _n_labels(plan: Plan) -> float:
    return plan.n_labels


def _usual_width(session: Session) -> float | None:
    """The margin to begin with, where labels have no smallest and largest value: what some labels would give.

    None where nothing is known of what labels will be.
    """
    if session.pool.is_elsewhere:
        return None
    models = list(session.models)
    try:
        variance = asymptotic_variance(
            session.measure, models, session.draws.expected_q(), estimator="difference"
        )
    except ValueError:  # values without variances
        return None
    width = 1.96 * sqrt(variance / _USUAL_LABELS)
    if not 0 < width < inf:
        return None
    planner = _planner(session)
    for _ in range(5):  # the interval that may be watched is wider; but no wider than tells something
        if planner.plan(width).n_labels <= 2 * _USUAL_LABELS:
            break
        width *= 1.25
    return _rounded_width(width)


def _planner(session: Session, *, is_uniform: bool = False) -> Planner:
    models = session.draws.rows_of([])[0]
    q = session.q if session.draws.is_replaced else None
    if q is not None and q.size > _MOST_PLANNED_WITH:
        # With replacement it does not count how large the pool is: some of it stands for all.
        some = np.linspace(0, q.size - 1, _MOST_PLANNED_WITH).astype(np.intp)
        parts = [part for model in models if (part := model.of_instances(some)) is not None]
        if len(parts) == len(session.question.names):
            models, q = parts, q[some] / q[some].sum()
    if is_uniform and q is not None:
        q = uniform_q(q.size)
    return Planner(
        session.measure,
        models,
        q,
        replacement=session.draws.is_replaced,
        without_model=is_uniform and q is None,
        confidence_level=session.watched().confidence_level,
        y_range=session.y_range,
        rule=session.draws.rule_of_q,
    )


def label_seconds(session: Session) -> float:
    """What a label will take, by the kind of instance."""
    return SECONDS.get(session.pool.kind, _OTHER_SECONDS)


def labels_in_words(plan: Plan) -> str:
    """A plan in one line."""
    if not plan.n_labels < inf:
        return "the pool is too small"
    if plan.is_vague:
        return f"{_range(plan)} labels"
    high = f"–{two_digits(plan.high):,}" if plan.high < inf else f"{NO_BREAK}or{NO_BREAK}more"
    n = two_digits(plan.n_labels)
    return f"about {counted(n, 'labels')} (likely {two_digits(plan.low):,}{high})"


def _range(plan: Plan) -> str:
    low = f"{two_digits(plan.low):,}"
    return f"{low} to {two_digits(plan.high):,}" if plan.high < inf else f"{low} or more"


def _step(session: Session, half_width: float, plan: Plan, uniform: Plan, seconds: float) -> dict[str, Any]:
    n_labels = two_digits(plan.n_labels)
    # As many as it may well take: the evaluation ends there, or goes on if one wants.
    budget = min(two_digits(plan.high) if plan.high < inf else inf, session.pool.n_instances)
    high = f"–{two_digits(plan.high):,}" if plan.high < inf else f"{NO_BREAK}or{NO_BREAK}more"
    others = (
        "the pool is too small"
        if not isfinite(uniform.n_labels)
        else f"about {two_digits(uniform.n_labels):,}"
    )
    return {
        "half_width": half_width,
        "text": format_width(session.measure, half_width).replace("±", f"±{NO_BREAK}"),
        "headline": f"About {n_labels:,} labels, {duration(n_labels * seconds)}",
        "range": f"(likely {two_digits(plan.low):,}{high})",
        **_vague(plan, seconds),
        "uniform": f"Uniform sampling: {others}.",
        "n_labels": n_labels,
        "budget": int(budget),
    }


def _vague(plan: Plan, seconds: float) -> dict[str, str]:
    """What is said instead where no single number would be honest."""
    if not plan.is_vague:
        return {}
    most = f" to {duration(plan.high * seconds)}" if plan.high < inf else " or more"
    return {
        "headline": f"{_range(plan)} labels, {duration(plan.low * seconds)}{most}",
        "range": "(likely; the first labels will tell)",
    }


def duration(seconds: float) -> str:
    """As in "25 minutes"."""
    minutes = two_digits(max(1.0, seconds / 60))
    if minutes < 90:
        return counted(minutes, "minutes")
    return f"{seconds / 3600:.2g} hours" if seconds < 36_000 else f"{two_digits(seconds / 3600)} hours"


def _rounded_width(width: float) -> float:
    return float(f"{width:.2g}")
