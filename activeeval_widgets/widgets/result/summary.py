"""The state of a session in a few words and numbers, for a list of sessions."""

from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.stats.text import percent
from activeeval_widgets.widgets.evaluation.estimate import estimate_content


def session_summary(session: Session) -> dict[str, Any]:
    """Return the state of a session."""
    with session.lock:
        watched = session.watched()
        estimate = session.estimate()
        content = estimate_content(
            session.question.quantity,
            estimate,
            whole=watched.whole,
            caution=(estimate.reason or "") if estimate.withheld and estimate.is_defined else "",
        )
        level, interval = percent(estimate.confidence_level), content["interval"]
        return {
            "n_labels": session.n_labels,
            "n_events": len(session.log),
            **{key: content[key] for key in ("value", "low", "high")},
            "value_text": content["headline"],
            "interval_text": f"{level}: {interval}" if interval else "",
            "is_done": session.is_done,
        }
