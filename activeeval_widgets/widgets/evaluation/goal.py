"""The distance to the goal, and the advice once it is reached, in words."""

from collections.abc import Mapping, Sequence
from math import inf, isnan
from typing import Any

from activeeval_widgets.session import Goal, Session
from activeeval_widgets.session.findings.goal_plan import Contenders, GoalProgress
from activeeval_widgets.session.findings.sentences import begun
from activeeval_widgets.stats import Measure, Plan
from activeeval_widgets.stats.quantities import Differences
from activeeval_widgets.stats.text import NO_BREAK, counted, duration, two_digits
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.goal_fields import DIFFERENCE, FIELDS, MARGIN
from activeeval_widgets.widgets.wording.measures import format_round, format_width
from activeeval_widgets.widgets.wording.progress import on_sheets_text, planned_seconds

_FIRST_LABELS = "The first labels will show how many it takes"
_NOT_YET = "Not known yet"

_FEW = 5
"""If fewer labels than this are expected, but many more are plausible, no number is given."""


def goal_content(session: Session, goal: Goal, progress: GoalProgress) -> dict[str, Any]:
    """Return what the page shows of the goal."""
    measure = session.measure
    is_contest = progress.contest is not None
    names = session.question.names if is_contest else session.question.quantity.sides
    lines = []
    if goal.half_width is not None and "half_width" not in progress.reached:
        begin = f"Goal: {format_width(measure, goal.half_width)}."
        lines.append(plan_text(session, progress.to_half_width, progress.seconds_per_label, begin))
    if progress.contest is not None:
        if "threshold" not in progress.reached:
            lines.append(_contest_text(session, progress, progress.contest))
    elif goal.threshold is not None and not _is_decided(progress):
        lines.append(_decision_text(session, goal.threshold, progress, names))
    if goal.minutes is not None:
        lines.append(f"{progress.minutes:.0f} of {goal.minutes:g} minutes")
    if goal.cost is not None:
        unit = "labels" if session.pool.costs is None else "spent on labels"
        lines.append(f"{progress.cost:,.4g} of {goal.cost:,.4g} {unit}")
    return {
        "lines": lines,
        "advice": _advice(session, goal, progress, names),
        "fields": [_field(session, name, getattr(goal, name)) for name in FIELDS]
        + ([_margin_field(session)] if session.question.zero_asks == "verdict" else []),
    }


def _field(session: Session, name: str, value: float | None) -> dict[str, Any]:
    """Return one part of the goal, as the dialog asks for it."""
    is_share = session.measure.is_share
    if name == "threshold" and session.question.asked_by(value or 0.0) == "leader":
        return {"name": name, "text": "Find the best model", "unit": "", "value": value, "is_choice": True}
    text, unit = FIELDS[name], ""
    if name == "cost" and session.pool.costs is None:
        text = "Number of labels"
    elif name == "half_width" and is_share:
        unit = "points"
    elif name == "threshold":
        quantity = session.question.quantity
        text = DIFFERENCE if quantity.sides else text
        unit = quantity.unit().strip() if is_share else ""
    factor = 100 if is_share and name in ("half_width", "threshold") else 1
    return {
        "name": name,
        "text": text,
        "unit": unit,
        "value": None if value is None else round(value * factor, 6),
    }


def preview_content(session: Session, goal: Goal, progress: GoalProgress) -> dict[str, Any]:
    """Return the cost of a goal while it is typed; see `messages.from_python.GoalPreview`."""
    content = goal_content(session, goal, progress)
    advice = [content["advice"]] if content["advice"] else []
    return {"lines": [*advice, *content["lines"]] or ["No goal."], "error": ""}


def _is_decided(progress: GoalProgress) -> bool:
    return progress.decision is not None if progress.verdict is None else progress.verdict.is_decided


def _margin_field(session: Session) -> dict[str, Any]:
    """Return the field for the margin of equivalence, which is stored with the session."""
    is_share = session.measure.is_share
    value = session.log.margin
    return {
        "name": "margin",
        "text": MARGIN,
        "unit": "points" if is_share else "",
        "value": None if value is None else round(value * (100 if is_share else 1), 10),
    }


def plan_text(session: Session, plan: Plan | None, seconds: float | None, begin: str, aim: str = "") -> str:
    """Return a sentence such as "Goal: ±2 points. About 140 more labels (likely 90–210; 12 min)"."""
    has_labels = session.n_labels > 0
    if plan is None or isnan(plan.n_labels):
        return f"{begin} {_NOT_YET if has_labels else _FIRST_LABELS}"
    if plan.n_labels == inf:
        return f"{begin} The pool is too small for that"
    n, spread = two_digits(plan.n_labels), _spread(plan)
    likely = ""
    if plan.high > plan.low:
        likely = f"likely{NO_BREAK}{spread}" if spread else f"or{NO_BREAK}far{NO_BREAK}more"
    if plan.n_labels <= _FEW < plan.high:
        return f"{begin} A few more labels may be enough{aim}{_in_brackets(likely)}"
    if plan.is_vague and not has_labels:
        # The model's probabilities alone say too little, and may be wrong.
        more = f"Likely {spread} labels{aim}; the first ones will narrow this"
        return f"{begin} {more if spread else _FIRST_LABELS}"
    each = planned_seconds(session, plan) or seconds
    time = duration(plan.n_labels * each, is_short=True) if each else ""
    more = counted(n, "more labels" if has_labels else "labels") + on_sheets_text(session, plan)
    return f"{begin} About {more}{aim}{_in_brackets(likely, time)}"


def _spread(plan: Plan) -> str:
    """Return the range that holds the number in four of five sessions; "" if it is uninformative."""
    low = f"{two_digits(plan.low):,}"
    if plan.high < inf:
        return f"{low}–{two_digits(plan.high):,}"
    return f"{low}{NO_BREAK}or{NO_BREAK}more" if plan.low > 1 else ""


def _in_brackets(*parts: str) -> str:
    text = "; ".join(filter(None, parts))
    return f" ({text})" if text else ""


def _decision_text(session: Session, threshold: float, progress: GoalProgress, names: Sequence[str]) -> str:
    measure, has_labels = session.measure, session.n_labels > 0
    what = "the difference" if names else "it"
    question = f"Is {what} above or below {_threshold_text(measure, threshold, names)}?"
    if progress.verdict is not None:
        question = "Which model is better?"
        if progress.verdict.margin is not None:
            question = f"Which is better, or do they differ by less than {progress.verdict.margin_text()}?"
    plan = progress.to_decision
    if plan is None or not plan.n_labels < inf:
        return f"{question} {_NOT_YET if has_labels else _FIRST_LABELS}"
    return plan_text(session, plan, progress.seconds_per_label, question)


def _contest_text(session: Session, progress: GoalProgress, contest: Contenders) -> str:
    """Return a sentence such as "Which model is the best? 3 of 5 may be. About 60 more labels …"."""
    question = "Which model is the best?"
    plan, has_labels = progress.to_decision, session.n_labels > 0
    if has_labels:
        question += f" {len(contest.left)} of {contest.n_models} may be"
    if plan is None or not plan.n_labels < inf:
        return question if has_labels else f"{question} {_FIRST_LABELS}"
    aim = f" to tell {contest.left[0]} from {contest.left[1]}"
    seconds = progress.seconds_per_label
    return plan_text(session, plan, seconds, f"{question}{'.' if has_labels else ''}", aim)


def _measure_text(measure: Measure, names: Sequence[str]) -> str:
    return f"the difference in {measure.name}" if names else f"the {measure.name}"


def _threshold_text(measure: Measure, threshold: float, names: Sequence[str]) -> str:
    text = format_round(measure, threshold, sign=bool(names))
    return f"{text}{Differences(measure).unit()}" if names and measure.is_share else text


def reached_parts(session: Session, goal: Goal, progress: GoalProgress) -> dict[str, str]:
    """Return the parts of the goal that are reached, in a few words; "" for which model is better or best."""
    measure, names = session.measure, session.question.quantity.sides
    side = f"{progress.decision} {_threshold_text(measure, goal.threshold or 0.0, names)}"
    texts = {
        "half_width": format_width(measure, goal.half_width or 0.0),
        "threshold": "" if progress.contest or progress.verdict else side,
        "minutes": "the time is up",
        "cost": "the budget is spent",
    }
    return {name: texts[name] for name in progress.reached}


def _advice(session: Session, goal: Goal, progress: GoalProgress, names: Sequence[str]) -> str:
    parts = reached_parts(session, goal, progress)
    if not parts:
        return ""
    if "half_width" in parts:
        parts["half_width"] += " reached"
    if "threshold" in parts:
        parts["threshold"] = (
            f"{progress.contest.left[0]} is the best"
            if progress.contest is not None
            else progress.verdict.claim()
            if progress.verdict is not None
            else f"{_measure_text(session.measure, names)} is {parts['threshold']}"
        )
    text = " and ".join(parts.values())
    subjects = progress.contest.left if progress.contest is not None else names
    is_exact = session.known_value() is not None
    choice = "Nothing is left to label." if is_exact else "You can stop here or go on."
    return f"{begun(text, subjects)}. {choice}"


class GoalPanel(Panel):
    """The distance to the goal."""

    name = "goal"
    title = "Goal"

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        return goal_content(snapshot.session, snapshot.goal, snapshot.progress)
