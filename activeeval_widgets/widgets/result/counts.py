"""The counts of answers: the whole result for a person who must not know the estimate."""

from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.stats.text import counted, duration, noun_for


def counts_content(session: Session) -> dict[str, Any]:
    """Return what the page shows to a person who must not know the estimate: the counts of answers."""
    value, text = cost_text(session.n_labels, session.log.minutes)
    is_done = session.is_done
    return {
        "badge": badge(session),
        "answer": "All labels are done. Thank you!" if is_done else "Thank you for your labels so far.",
        "confidence": "",
        "caveats": [],
        "bar": None,
        "figures": [{"value": value, "text": text, "title": ""}],
        "copy": "",
        "can_lift_budget": can_lift_budget(session),
        "is_whole": False,
    }


def can_lift_budget(session: Session) -> bool:
    """Return whether the budget is spent but the pool is not."""
    if session.budget is None:
        return False
    n_labels, log = session.n_labels, session.log
    is_spent = n_labels - log.n_known_before >= session.budget
    return is_spent and n_labels + log.n_excluded < session.pool.n_instances


def cost_text(n_labels: int, minutes: float | None) -> tuple[str, str]:
    """Return the number of labels, and its unit with the time: ("200", "labels, 10 minutes")."""
    labels = noun_for(n_labels, "labels")
    if minutes is None:
        return f"{n_labels:,}", labels
    return f"{n_labels:,}", f"{labels}, {duration(60 * minutes)}"


def badge(session: Session, goal: str | None = None) -> str:
    """Return the progress of the session in a few words; `goal` is what is reached of the goal."""
    if goal is not None:
        return f"Goal reached: {goal}" if goal else "Goal reached"
    n = session.n_labels
    if session.is_done and n > 1:
        return f"All {n:,} labels done"
    return f"After {counted(n, 'labels')}"
