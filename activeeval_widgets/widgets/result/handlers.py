"""What the page asks for to show and to save the result."""

from collections.abc import Callable, Mapping
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.widgets.evaluation.panels import Side
from activeeval_widgets.widgets.front_end import Handler, Reply
from activeeval_widgets.widgets.instances.instance_view import InstanceView
from activeeval_widgets.widgets.result.content import counts_content, result_content, saved_file
from activeeval_widgets.widgets.result.mistakes import mistakes_content


class Results:
    """Answers the page's questions about the result.

    Parameters
    ----------
    session : Session
        What is told of.
    side : Side
        What its labels say so far.
    view : InstanceView
        Says what instances look like.
    label_text : callable
        What a stored label is in words.
    told : set of int
        The indices of the instances that the page may ask for; those that it shows are added.
    about : str
        What is measured on what.
    texts : mapping
        "title", "question" and "unit", for the report.
    shows_estimate : bool
        Whether the page may tell of the estimate at all.
    """

    def __init__(
        self,
        session: Session,
        side: Side,
        view: InstanceView,
        label_text: Callable[[Any], str],
        told: set[int],
        *,
        about: str,
        texts: Mapping[str, str | None],
        shows_estimate: bool,
    ) -> None:
        self._session, self._side, self._view, self._label_text = session, side, view, label_text
        self._told, self._about, self._texts, self._shows_estimate = told, about, texts, shows_estimate

    @property
    def handlers(self) -> dict[str, Handler]:
        """By type of message."""
        return {"result": self._result, "save": self._save}

    def _result(self, message: Mapping[str, Any]) -> Reply:
        if not self._shows_estimate or message.get("may_tell") is not True:
            return {"result": counts_content(self._session)}, []
        content = result_content(
            self._session,
            self._session.watched(),
            reached=self._side.reached(),
            about=self._about,
            unit=self._texts["unit"],
        )
        mistakes, thumbnails = mistakes_content(self._session, self._view, self._label_text)
        self._told.update(row["index"] for row in mistakes["rows"])
        return {"result": {**content, "plot": self._side.trajectory(), "mistakes": mistakes}}, thumbnails

    def _save(self, message: Mapping[str, Any]) -> Reply:
        if not self._shows_estimate:
            return {}, []
        return {"file": saved_file(self._session, message["which"], self._texts)}, []
