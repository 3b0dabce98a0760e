"""The goal of a session in a report, and whether it is reached."""

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goal_plan import plan_of
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.verdict import margin_text
from activeeval_widgets.stats.numbers import exact_text
from activeeval_widgets.stats.quantities import Differences
from activeeval_widgets.stats.text import noun_for


def goal_text(session: Findings, goal: Goal, unit: str | None = None) -> str:
    """Return the parts of a goal, and whether each is reached; any of them is enough."""
    state = plan_of(session).state(goal)
    measure, quantity = session.measure, session.question.quantity
    margin, aims = session.log.margin, {}
    if goal.half_width is not None:
        width = exact_text(Differences(measure), goal.half_width, unit)
        aims["half_width"] = f"an interval of at most ±{width}"
    if goal.threshold is not None:
        or_same = (
            "" if margin is None else f", or that they differ by less than {margin_text(measure, margin)}"
        )
        aims["threshold"] = {
            "leader": "to know the best model",
            "verdict": f"to know which model is better{or_same}",
            "threshold": f"to know whether the {quantity.name} is above or below "
            f"{exact_text(quantity, goal.threshold, unit)}",
        }[session.question.asked_by(goal.threshold) or "threshold"]
    if goal.cost is not None:
        is_count = session.pool.costs is None
        aims["cost"] = (
            f"{goal.cost:,.6g} {noun_for(goal.cost, 'labels')}"
            if is_count
            else f"labels for {goal.cost:,.6g}"
        )
    if goal.minutes is not None:
        aims["minutes"] = f"{goal.minutes:,.6g} {noun_for(goal.minutes, 'minutes')}"
    done = dict.fromkeys(state.reached, "reached")
    if state.verdict is None and state.decision is not None:
        done["threshold"] = f"reached: it is {state.decision}"
    return "; or ".join(f"{aim} ({done.get(name, 'not reached')})" for name, aim in aims.items())
