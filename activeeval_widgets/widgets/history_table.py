"""The answers given so far, one row an instance, for the page to list."""

from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.events import Changed, Deferred, Excluded, Labeled
from activeeval_widgets.widgets.label_panel import LabelPanel

MOST_ROWS = 5000
"""So many of the latest rows are sent; all are in `Session.history()`."""


def history_content(session: Session, panel: LabelPanel) -> dict[str, Any]:
    """The rows of the history, the latest answer first, and how many there are in all.

    Parameters
    ----------
    session : Session
        Whose answers.
    panel : LabelPanel
        Says what labels are in words and in the page's values.
    """
    rows: dict[int, dict[str, Any]] = {}
    for action in session.actions:
        row = rows.pop(action.instance, {})  # and to the end: the latest answer counts
        row |= {"index": action.instance, "id": action.instance_id, "time": action.time}
        if isinstance(action, Labeled | Changed):
            row |= {
                "answer": panel.text(action.value),
                "value": panel.encode(action.value),
                "is_changed": isinstance(action, Changed),
            }
        elif isinstance(action, Excluded):
            row |= {"answer": f"excluded: {action.reason}" if action.reason else "excluded"}
        else:
            row |= {"answer": "put aside"}
        if isinstance(action, Labeled | Excluded | Deferred):
            row |= {"draw": action.draw}
        rows[action.instance] = row
    for index in session.notes.keys() | session.flags:
        rows.setdefault(index, {"index": index, "id": session.pool.ids[index], "answer": ""})
    for index, row in rows.items():
        row |= marks(session, index)
    latest = list(rows.values())[::-1][:MOST_ROWS]
    return {"rows": latest, "n_rows": len(rows)}


def marks(session: Session, index: int) -> dict[str, Any]:
    """The note and the flag of an instance, where it has them."""
    note = session.notes.get(index)
    return {**({"note": note} if note else {}), **({"flagged": True} if index in session.flags else {})}
