"""How far it is to the goal, and what is advised once it is reached, in words."""

from collections.abc import Mapping, Sequence
from math import floor, inf, isnan, log10
from typing import Any

from activeeval_widgets.session import Goal, Session
from activeeval_widgets.session.reading.goal_plan import Contest, Standing
from activeeval_widgets.session.reading.sentences import begun, capitalized
from activeeval_widgets.stats import Measure, Plan
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.goals import FIELDS, MARGIN
from activeeval_widgets.widgets.wording.measures import format_round, format_width, is_percentage
from activeeval_widgets.widgets.wording.models import model_names

_SPACE = "\N{NO-BREAK SPACE}"  # where no line breaks

_FEW = 5
"""Where fewer labels than this are expected, but it may well take more, no number is given."""


def goal_content(session: Session, goal: Goal, standing: Standing) -> dict[str, Any]:
    """What the page shows of the goal.

    Returns
    -------
    dict
        "lines": what is still to do; "advice": what is reached, "" if nothing; "fields": the goal's parts,
        for the dialog.
    """
    measure = session.measure
    is_contest = standing.contest is not None
    names = model_names(session) if len(session.models) == 2 or is_contest else ()
    factor = 100 if is_percentage(measure) else 1
    lines = []
    if goal.half_width is not None and "half_width" not in standing.reached:
        lines.append(
            _plan_text(
                standing.to_half_width,
                standing,
                f"to {format_width(measure, goal.half_width)}",
                has_labels=session.n_labels > 0,
            )
        )
    if standing.contest is not None:
        if "threshold" not in standing.reached:
            lines.append(_contest_text(standing, standing.contest, has_labels=session.n_labels > 0))
    elif goal.threshold is not None and not _is_decided(standing):
        lines.append(
            _decision_text(measure, goal.threshold, standing, names, has_labels=session.n_labels > 0)
        )
    if goal.minutes is not None:
        lines.append(f"{standing.minutes:.0f} of {goal.minutes:g} minutes")
    if goal.cost is not None:
        unit = "labels" if session.pool.costs is None else "spent on labels"
        lines.append(f"{standing.cost:,.4g} of {goal.cost:,.4g} {unit}")
    values = {name: getattr(goal, name) for name in FIELDS}
    units = {"half_width": "points", "threshold": "" if is_contest else "points" if names else "%"}
    return {
        "lines": lines,
        "advice": _advice(measure, goal, standing, names),
        "fields": [
            {
                "name": name,
                "text": "Number of labels"
                if name == "cost" and session.pool.costs is None
                else "Find the best model: enter 0"
                if name == "threshold" and is_contest
                else "Decide whether the difference is below"
                if name == "threshold" and names
                else text,
                "unit": units.get(name, "") if factor == 100 else "",
                "value": None
                if values[name] is None
                else round(values[name] * (factor if name in ("half_width", "threshold") else 1), 6),
            }
            for name, text in FIELDS.items()
        ]
        + ([_margin_field(session)] if len(session.models) == 2 else []),
    }


def _is_decided(standing: Standing) -> bool:
    return standing.decision is not None if standing.verdict is None else standing.verdict.is_decided


def _margin_field(session: Session) -> dict[str, Any]:
    """The margin of equivalence, which is kept with the session."""
    is_share = is_percentage(session.measure)
    value = session.margin
    return {
        "name": "margin",
        "text": MARGIN,
        "unit": "points" if is_share else "",
        "value": None if value is None else round(value * (100 if is_share else 1), 10),
    }


def _plan_text(plan: Plan | None, standing: Standing, aim: str, *, has_labels: bool) -> str:
    """As in: about 140 more labels (likely 90–210; 12 min) to ±2 points."""
    if plan is None or isnan(plan.n_labels):
        return f"The first labels will show how many it takes {aim.replace('to ±', 'to get to ±')}"
    if plan.n_labels == inf:
        return f"The pool is too small to get {aim}"
    n, spread = _rounded(plan.n_labels), _spread(plan)
    if plan.n_labels <= _FEW < plan.high:
        return f"A few more labels may be enough {aim.replace('to ±', 'for ±')}{_in_brackets(spread)}"
    if plan.is_vague and not has_labels:
        # The model alone says too little, and may be wrong about itself.
        first = f"The first labels will show how many it takes {aim.replace('to ±', 'to get to ±')}"
        return first + _in_brackets(spread)
    seconds = standing.seconds_per_label
    time = _duration(plan.n_labels * seconds) if seconds else ""
    return f"About {n:,} more label{'' if n == 1 else 's'}{_in_brackets(spread, time)} {aim}"


def _spread(plan: Plan) -> str:
    """Between which numbers it is four times in five."""
    if plan.high <= plan.low:
        return ""
    low = f"{_rounded(plan.low):,}"
    if plan.high < inf:
        return f"likely{_SPACE}{low}–{_rounded(plan.high):,}"
    return f"likely{_SPACE}{low}{_SPACE}or{_SPACE}more" if plan.low > 1 else f"or{_SPACE}far{_SPACE}more"


def _in_brackets(*parts: str) -> str:
    said = "; ".join(filter(None, parts))
    return f" ({said})" if said else ""


def _decision_text(
    measure: Measure, threshold: float, standing: Standing, names: Sequence[str], *, has_labels: bool
) -> str:
    question = f"{capitalized(_what(measure, names))} below {_threshold_text(measure, threshold, names)}?"
    if standing.verdict is not None:
        question = "Which model is better?"
        if standing.verdict.margin is not None:
            question = f"Which is better, or do they differ by less than {standing.verdict.margin_text()}?"
    plan = standing.to_decision
    if plan is None or not plan.n_labels < inf:
        return (
            f"{question} {'Not known yet' if has_labels else 'The first labels will show how many it takes'}"
        )
    return f"{question} {_plan_text(plan, standing, 'to tell', has_labels=has_labels)}"


def _contest_text(standing: Standing, contest: Contest, *, has_labels: bool) -> str:
    """As in: Which model is the best? 3 of 5 may be. About 60 more labels to tell A from B."""
    question = f"Which model is the best? {len(contest.left)} of {contest.n_models} may be"
    plan = standing.to_decision
    if plan is None or not plan.n_labels < inf:
        return question if has_labels else f"{question}. The first labels will show how many it takes"
    aim = f"to tell {contest.left[0]} from {contest.left[1]}"
    return f"{question}. {_plan_text(plan, standing, aim, has_labels=has_labels)}"


def _what(measure: Measure, names: Sequence[str]) -> str:
    return f"difference in {measure.name}" if names else measure.name


def _threshold_text(measure: Measure, threshold: float, names: Sequence[str]) -> str:
    text = format_round(measure, threshold, sign=bool(names))
    return f"{text}\N{NO-BREAK SPACE}points" if names and is_percentage(measure) else text


def _advice(measure: Measure, goal: Goal, standing: Standing, names: Sequence[str]) -> str:
    said = {
        "half_width": f"{format_width(measure, goal.half_width or 0.0)} reached",
        "threshold": f"{standing.contest.left[0]} is the best"
        if standing.contest is not None
        else standing.verdict.claim()
        if standing.verdict is not None
        else f"{_what(measure, names)} is {standing.decision} "
        f"{_threshold_text(measure, goal.threshold or 0.0, names)}",
        "minutes": "the time is up",
        "cost": "the budget is spent",
    }
    reached = [said[name] for name in standing.reached]
    if not reached:
        return ""
    text = " and ".join(reached)
    told = standing.contest.left if standing.contest is not None else names
    return f"{begun(text, told)}. You can stop here or go on."


def _rounded(n: float) -> int:
    """Two digits: more would promise too much."""
    if n < 20:
        return round(n)
    unit = int(10 ** (floor(log10(n)) - 1))
    return round(n / unit) * unit


def _duration(seconds: float) -> str:
    minutes = seconds / 60
    if minutes < 1.5:
        return f"1{_SPACE}min"
    if minutes < 90:
        return f"{_rounded(minutes)}{_SPACE}min"
    return f"{minutes / 60:.1f}{_SPACE}h"


class GoalPanel(Panel):
    """How far it is to the goal."""

    name = "goal"
    title = "Goal"

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        return goal_content(snapshot.session, snapshot.goal, snapshot.standing)
