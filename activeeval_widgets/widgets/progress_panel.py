"""How far the session is."""

from collections.abc import Callable
from statistics import median
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.events import Changed, Labeled
from activeeval_widgets.stats import Estimate


def progress_content(session: Session, estimate: Estimate) -> dict[str, Any]:
    """What the page shows of the progress: texts by name, and the share of the budget (None without one)."""
    n_labels = session.n_labels
    seconds = [
        answer.seconds
        for answer in session.actions
        if isinstance(answer, Labeled) and answer.seconds is not None
    ]
    return {
        "labels": f"{n_labels:,}" if session.budget is None else f"{n_labels:,} of {session.budget:,}",
        "draws": f"{estimate.n_draws:,}",
        "effective_sample_size": f"{estimate.effective_sample_size:,.0f}" if estimate.is_defined else "–",
        "seconds": f"{median(seconds):.1f}" if seconds else "–",
        "share": None if session.budget is None else n_labels / session.budget,
    }


def without_estimate(progress: dict[str, Any]) -> dict[str, Any]:
    """The progress as it is shown to who is not to know the estimate."""
    return {name: progress[name] for name in ("labels", "draws", "seconds", "share")}


def status_text(session: Session, label_text: Callable[[Any], str] = str) -> str:
    """The last answer, and what is pending or left out: nothing is dropped silently.

    Parameters
    ----------
    session : Session
        The session.
    label_text : callable
        A stored label in words.
    """
    if not session.actions:
        parts = ["Nothing labeled yet"]
    else:
        last = session.actions[-1]
        what = {"label": "Saved", "defer": "Put aside", "exclude": "Excluded", "change": "Changed"}[last.kind]
        where = last.instance_id if isinstance(last, Changed) else f"draw {last.draw}"
        value = f": {label_text(last.value)}" if isinstance(last, Labeled | Changed) else ""
        parts = [f"{what}{value} ({where})"]
    if session.n_deferred:
        parts.append(f"{session.n_deferred} put aside, not in the estimate until answered")
    if session.n_excluded:
        parts.append(f"{session.n_excluded} excluded: the estimate is for what can be labeled")
    return ". ".join(parts)
