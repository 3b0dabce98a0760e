"""How far a session is, in the few words and numbers that a list of sessions has room for."""

from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.widgets.evaluation.estimate import estimate_content


def session_summary(session: Session) -> dict[str, Any]:
    """How far a session is."""
    with session.lock:
        watched = session.watched()
        estimate = session.estimate()
        content = estimate_content(
            session.question.quantity,
            estimate,
            whole=watched.whole,
            caution=(estimate.reason or "") if estimate.withheld and estimate.is_defined else "",
        )
        return {
            "n_labels": session.n_labels,
            "n_events": len(session.log),
            **{key: content[key] for key in ("value", "low", "high")},
            "value_text": content["headline"],
            "interval_text": content["interval"],
            "is_done": session.is_done,
        }
