"""The state of a session in a few words and numbers, which a store keeps for lists of sessions."""

from math import isfinite
from typing import Any

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goals import Goal, decided_values
from activeeval_widgets.session.report.result import says_little
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import percent


def measure_in_words(session: Findings) -> str:
    """Return the measured quantity in words, such as "difference in error rate"."""
    name = session.measure.long_name
    return f"difference in {name}" if session.question.quantity.sides else name


def session_summary(session: Findings, *, goal: Goal | None, is_done: bool) -> dict[str, Any]:
    """Return the state of a session."""
    found = session.estimate()
    numbers = Numbers.of(session.question.quantity, found, apart=decided_values(session, goal))
    is_shown, interval = found.is_defined and not found.withheld, ""
    if found.is_defined and found.low == found.high:
        interval = "exact"
    elif found.is_defined and not says_little(found, session.watched()):
        about = "approximately " if found.is_asymptotic else ""
        level = percent(found.confidence_level)
        interval = f"{about}{level}: {numbers.interval(found.low, found.high)}"
    ends = {"value": found.value if found.is_defined else None}
    ends |= {key: getattr(found, key) if is_shown else None for key in ("low", "high")}
    return {
        "n_labels": session.n_labels,
        "n_events": len(session.log),
        **{key: end if end is not None and isfinite(end) else None for key, end in ends.items()},
        "value_text": numbers.value(found.value) if found.is_defined else "–",
        "interval_text": interval,
        "change": session.course().change[0] if session.log.state.course else "",
        "is_done": is_done,
    }


def details_so_far(
    session: Findings, *, budget: int | None, goal: Goal | None, is_done: bool
) -> dict[str, Any]:
    """Return what a store keeps beside a log, for lists of sessions."""
    return {
        "measure": measure_in_words(session),
        "budget": budget,
        "summary": session_summary(session, goal=goal, is_done=is_done),
    }
