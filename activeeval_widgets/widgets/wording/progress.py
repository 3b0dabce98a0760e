"""How far a session is, and what is left out, in words."""

from collections.abc import Callable
from statistics import median
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.log.events import Changed, Labeled
from activeeval_widgets.widgets.wording.text import counted


def progress_content(session: Session, n_draws: int) -> dict[str, Any]:
    """What the page shows of the progress: a text, and the share of the budget (None without one).

    Parameters
    ----------
    session : Session
        The session.
    n_draws : int
        How many draws have labels.
    """
    n_labels = session.n_labels
    seconds = [
        answer.seconds
        for answer in session.actions
        if isinstance(answer, Labeled) and answer.seconds is not None
    ]
    if session.budget is None:
        parts = [counted(n_labels, "labels")]
    else:
        parts = [f"{n_labels:,} of {counted(session.budget, 'labels')}"]
    # With replacement, an instance that has its label can be drawn again.
    if n_draws > n_labels:
        parts.append(counted(n_draws, "draws"))
    if seconds:
        parts.append(f"{median(seconds):.2g}\N{NO-BREAK SPACE}s each")
    return {
        "text": " · ".join(parts),
        "share": None if session.budget is None else n_labels / session.budget,
    }


def status_text(session: Session, label_text: Callable[[Any], str] = str) -> str:
    """The last answer, and what is pending or left out: nothing is dropped silently.

    Parameters
    ----------
    session : Session
        The session.
    label_text : callable
        A stored label in words.
    """
    parts = []
    if session.actions:
        last = session.actions[-1]
        what = {"label": "Saved", "defer": "Put aside", "exclude": "Excluded", "change": "Changed"}[last.kind]
        where = f" {last.instance_id}" if isinstance(last, Changed) else ""
        value = f": {label_text(last.value)}" if isinstance(last, Labeled | Changed) else ""
        parts = [f"{what}{where}{value}"]
    if session.n_deferred:
        parts.append(f"{session.n_deferred} put aside")
    if session.n_excluded:
        parts.append(f"{session.n_excluded} excluded")
    return " · ".join(parts)


def left_out(session: Session) -> str:
    """What the estimate does not count: a sentence, or an empty one."""
    parts = []
    if session.n_excluded:
        parts.append(
            f"{session.n_excluded:,} excluded: the estimate covers only instances that can be labeled."
        )
    if session.n_deferred:
        parts.append(f"{session.n_deferred:,} put aside: not counted yet.")
    return " ".join(parts)
