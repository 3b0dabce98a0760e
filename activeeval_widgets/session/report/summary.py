"""The state of a session in a few words and numbers, which a store keeps for lists of sessions."""

from math import isfinite
from typing import Any

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import percent


def measure_in_words(session: Findings) -> str:
    """Return the measured quantity in words, such as "difference in error rate"."""
    name = session.measure.long_name
    return f"difference in {name}" if session.question.quantity.sides else name


def session_summary(session: Findings, *, is_done: bool) -> dict[str, Any]:
    """Return the state of a session."""
    found = session.estimate()
    numbers = Numbers.of(session.question.quantity, found)
    is_shown = found.is_defined and not found.withheld
    interval = numbers.interval(found.low, found.high) if is_shown else ""
    if interval == numbers.interval(*session.watched().whole):
        interval = ""  # it says nothing
    is_exact, level = is_shown and found.low == found.high, percent(found.confidence_level)
    ends = {"value": found.value if found.is_defined else None}
    ends |= {key: getattr(found, key) if is_shown else None for key in ("low", "high")}
    return {
        "n_labels": session.n_labels,
        "n_events": len(session.log),
        **{key: end if end is not None and isfinite(end) else None for key, end in ends.items()},
        "value_text": numbers.value(found.value) if found.is_defined else "–",
        "interval_text": "exact" if is_exact else f"{level}: {interval}" if interval else "",
        "change": session.course().change[0] if session.log.state.course else "",
        "is_approximate": is_shown and found.is_asymptotic,
        "is_done": is_done,
    }


def details_so_far(session: Findings, *, budget: int | None, is_done: bool) -> dict[str, Any]:
    """Return what a store keeps beside a log, for lists of sessions."""
    return {
        "measure": measure_in_words(session),
        "budget": budget,
        "summary": session_summary(session, is_done=is_done),
    }
