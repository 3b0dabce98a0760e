"""Forecasts of the labels that each margin of error takes, before the first label."""

from collections.abc import Sequence
from math import inf, isfinite, isnan, sqrt
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.formats.option_messages import in_terms_of_files
from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.goal_plan import known_so_far
from activeeval_widgets.session.findings.heavy_tail import before_labels
from activeeval_widgets.session.sheets import MAX_ON_SHEET
from activeeval_widgets.stats import Plan, Planner, asymptotic_variance, uniform_q
from activeeval_widgets.stats.text import NO_BREAK, counted, duration, percent, two_digits
from activeeval_widgets.widgets.evaluation.default_goal import default_goal
from activeeval_widgets.widgets.start.questions import in_terms_of_page
from activeeval_widgets.widgets.wording.measures import format_width
from activeeval_widgets.widgets.wording.progress import on_sheets_text

SECONDS = {"text": 8.0, "image": 5.0, "record": 10.0, "ranking": 60.0}
"""Assumed seconds per label by the kind of instance, before anybody has labeled."""

_OTHER_SECONDS = 15.0
_FACTORS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.2, 1.6, 2.0, 3.0, 4.0)
"""The offered margins, as multiples of the default one."""

_USUAL_LABELS = 100

_MAX_PLANNED_WITH = 100_000
"""The largest number of instances for forecasts. With more, a forecast would take seconds and give the same
result, except for margins that take a large part of the pool, which are not offered."""

_LARGE_PART = 0.1


class PlannedWidth(NamedTuple):
    """The labels that a half-width of the interval takes.

    Attributes
    ----------
    half_width : float
        The half-width, in the measure's unit.
    plan : Plan
        The forecast for the session's draws.
    uniform : Plan
        The forecast for uniform draws.
    """

    half_width: float
    plan: Plan
    uniform: Plan


def planned_widths(session: Session, half_widths: Sequence[float]) -> list[PlannedWidth]:
    """Forecast the labels that half-widths take beyond those that were known before."""
    planner, uniform = _planner(session), _planner(session, is_uniform=True)
    known = known_so_far(session.findings, session.watched()) if session.n_labels else {}
    return [
        PlannedWidth(width, planner.plan(width, **known), uniform.plan(width, **known))
        for width in half_widths
    ]


def plan_list(session: Session) -> dict[str, Any]:
    """Return the forecast for each margin of error, and what to ask instead where none is worth it."""
    found = _plan_list(session)
    advice = in_terms_of_page(before_labels(session.findings))
    return {**found, "note": " ".join(filter(None, [found["note"], advice]))}


def asked_instead(session: Session) -> str:
    """Return what to ask instead if the guaranteed interval would be useless; see `before_labels`."""
    advice = before_labels(session.findings)
    return in_terms_of_files(advice) if session.pool.is_by_command else advice


def _plan_list(session: Session) -> dict[str, Any]:
    n_instances = session.pool.n_instances
    known: dict[str, Any] = {
        "steps": [],
        "first": 0,
        "seconds": label_seconds(session),
        "n_instances": n_instances,
        "note": "The first labels will show how many it takes.",
    }
    if session.question.is_of_leader:  # it is not known yet which models have to be distinguished
        return known
    usual = usual_width(session)
    if usual is None:
        return known
    plans = planned_widths(session, [rounded_width(usual * factor) for factor in _FACTORS])
    if any(isnan(plan.n_labels) for _, plan, _ in plans):
        return known
    # Margins that the pool is too small for, or that take almost no labels, are not offered.
    is_part = session.draws.is_replaced and n_instances > _MAX_PLANNED_WITH
    most = _LARGE_PART * _MAX_PLANNED_WITH if is_part else inf
    plans = [each for each in plans if 5 <= each[1].n_labels < most]
    # Forecasts are not exact, but a wider margin must never take more labels.
    for i in range(1, len(plans)):
        width, plan, other = plans[i]
        _, before, other_before = plans[i - 1]
        plans[i] = PlannedWidth(
            width, min(plan, before, key=_n_labels), min(other, other_before, key=_n_labels)
        )
    if not plans:
        return {**known, "note": "The pool is too small to promise a margin of error."}
    steps = [_step(session, *each) for each in plans]
    first = min(range(len(plans)), key=lambda i: abs(plans[i][0] - usual))
    seconds = assumed_seconds(session, plans[first].plan)
    return {**known, "steps": steps, "first": first, "seconds": seconds, "note": ""}


def _n_labels(plan: Plan) -> float:
    return plan.n_labels


def usual_width(session: Session) -> float | None:
    """Return the default margin of error; for unbounded labels, what `_USUAL_LABELS` labels would give.

    None if nothing is known about the labels.
    """
    usual = default_goal(session.measure, session.watched().whole).half_width
    if usual is not None or session.pool.is_streamed:
        return usual
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
    for _ in range(5):  # the confidence sequence is wider; widen the margin until it is affordable
        if planner.plan(width).n_labels <= 2 * _USUAL_LABELS:
            break
        width *= 1.25
    return rounded_width(width)


def _planner(session: Session, *, is_uniform: bool = False) -> Planner:
    models = session.draws.rows_of([])[0]
    q = session.q if session.draws.is_replaced else None
    if q is not None and q.size > _MAX_PLANNED_WITH:
        # With replacement, the size of the pool does not matter: a subset represents it.
        some = np.linspace(0, q.size - 1, _MAX_PLANNED_WITH).astype(np.intp)
        models, q = [model.of_instances(some) for model in models], q[some] / q[some].sum()
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
        costs=None if is_uniform or session.draws.is_replaced else session.draws.rows.costs,
    )


def label_seconds(session: Session) -> float:
    """Return the assumed seconds per label, by the kind of instance."""
    return SECONDS.get(session.pool.kind, _OTHER_SECONDS)


def assumed_seconds(session: Session, plan: Plan) -> float:
    """Return the assumed seconds per label of a forecast, of which some are on sheets."""
    rule, usual = session.draws.rule_of_q.sheets, label_seconds(session)
    if rule is None or not 0 < plan.n_labels < inf:
        return usual
    n_one_by_one, _ = session.sheets.split(plan)
    return usual * (rule.cost + (1 - rule.cost) * n_one_by_one / plan.n_labels)


def labels_in_words(session: Session, plan: Plan) -> str:
    """Return a forecast in one line."""
    if not plan.n_labels < inf:
        return "the pool is too small"
    if plan.is_vague:
        return _range(session, plan)
    n = f"{counted(two_digits(plan.n_labels), 'labels')}{on_sheets_text(session, plan)}"
    return f"about {n} {_likely(plan)}"


def _likely(plan: Plan) -> str:
    high = f"–{two_digits(plan.high):,}" if plan.high < inf else f"{NO_BREAK}or{NO_BREAK}more"
    return f"(likely {two_digits(plan.low):,}{high})"


def _range(session: Session, plan: Plan) -> str:
    low = f"{two_digits(plan.low):,}"
    numbers = f"{low} to {two_digits(plan.high):,}" if plan.high < inf else f"{low} or more"
    _, n_sheets = session.sheets.split(plan)
    share = f", about {percent(n_sheets * MAX_ON_SHEET / plan.n_labels, 0)} on sheets" if n_sheets else ""
    return f"{numbers} labels{share}"


def _step(session: Session, half_width: float, plan: Plan, uniform: Plan) -> dict[str, Any]:
    n_labels, seconds = two_digits(plan.n_labels), assumed_seconds(session, plan)
    # The upper end of the forecast: the evaluation ends there, or continues on request.
    budget = min(two_digits(plan.high) if plan.high < inf else inf, session.pool.n_instances)
    if not isfinite(uniform.n_labels):
        others = "the pool is too small"
    elif uniform.is_vague:
        others = _range(session, uniform)
    else:
        others = f"about {two_digits(uniform.n_labels):,}"
    return {
        "half_width": half_width,
        "text": format_width(session.measure, half_width).replace("±", f"±{NO_BREAK}"),
        "headline": f"About {n_labels:,} labels{on_sheets_text(session, plan)}, "
        f"{duration(n_labels * seconds)}",
        "range": _likely(plan),
        **_vague_texts(session, plan, seconds),
        "uniform": f"Uniform sampling: {others}.",
        "n_labels": n_labels,
        "budget": int(budget),
    }


def _vague_texts(session: Session, plan: Plan, seconds: float) -> dict[str, str]:
    """Return the texts to use if a single number would be misleading."""
    if not plan.is_vague:
        return {}
    return {
        "headline": f"{_range(session, plan)}, {durations(plan.low * seconds, plan.high * seconds)}",
        "range": "(likely; the first labels will tell)",
    }


def durations(least: float, most: float) -> str:
    """Return a range of durations in words, such as "8 to 60 minutes"."""
    shortest = duration(least)
    if most == inf:
        return f"{shortest} or more"
    longest = duration(most)
    number, unit = shortest.split()
    return f"{number if f' {unit}' in longest else shortest} to {longest}"


def rounded_width(width: float) -> float:
    """Return a margin of error to two digits."""
    return float(f"{width:.2g}")
