"""Messages for a page whose answer came after a change in another tab."""

from collections.abc import Callable, Mapping
from typing import Any

from activeeval_widgets.session import Session

Label = Callable[[Any, int], str]
"""Returns the label of an instance in words."""


def stale_text(
    session: Session,
    answer: Mapping[str, Any],
    label_text: Label,
    given: str | None,
) -> str:
    """Return a sentence or two on what happened instead of the answer, and what comes next."""
    if answer["type"] == "undo":
        return "Nothing undone: this session went on in another tab. Undo again to undo what was done there."
    if answer["type"] == "sheet":
        return "Some instances of this sheet were answered in another tab, and those answers stand."
    if answer["type"] == "note":
        note = session.log.notes.get(answer["index"])
        theirs = f"It says {_quoted(note)} now" if note else "It is gone now"
        return (
            f"This note was changed in another tab. {theirs}; yours was not saved: {_quoted(answer['text'])}"
        )
    if "draw" in answer:
        coming = " Here is the next one." if session.upcoming(1) else ""
        return _answered(session, answer, label_text, given) + coming
    label = session.log.label_of(answer["index"])
    if label is None:
        return "Nothing changed: this label was undone in another tab. The item is asked again."
    return (
        f"This label was changed to {_quoted(label_text(label, answer['index']))} in another tab; "
        f"your {_quoted(given)} was not saved."
    )


def _answered(session: Session, answer: Mapping[str, Any], label_text: Label, given: str | None) -> str:
    """Return the message for a draw that has an answer already."""
    item, is_label = f"Item {answer['draw']}", answer["type"] == "label"
    lost = f"your {_quoted(given)} was not saved" if is_label else "that stands"
    done = next((one for one in session.log.actions if getattr(one, "draw", None) == answer["draw"]), None)
    if done is None:  # answered with a second opinion
        return f"{item} was answered in another tab; {lost}."
    label = session.log.label_of(done.instance)
    if label is None:
        return f"{item} was excluded in another tab; {lost}."
    theirs = label_text(label, done.instance)
    if theirs == given:
        return f"{item} was labeled {_quoted(theirs)} in another tab, too."
    change = " You can change it in the history." if is_label else ""
    return f"{item} was labeled {_quoted(theirs)} in another tab; {lost}.{change}"


def _quoted(text: str | None) -> str:
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"
