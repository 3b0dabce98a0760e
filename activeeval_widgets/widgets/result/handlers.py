"""Requests of the page to show and to save the result."""

from collections.abc import Callable, Mapping
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.page_channel import Reply
from activeeval_widgets.widgets.result.content import result_content, saved_file
from activeeval_widgets.widgets.result.counts import counts_content
from activeeval_widgets.widgets.result.mistakes import mistakes_content


class Results:
    """Handles the page's requests for the result."""

    def __init__(
        self,
        session: Session,
        panels: Panels,
        view: InstanceRenderer,
        label_text: Callable[[Any], str],
        sent: set[int],
        *,
        about: str,
        texts: Mapping[str, str | None],
    ) -> None:
        self._session, self._panels, self._view, self._label_text = session, panels, view, label_text
        self._sent, self._about, self._texts = sent, about, texts

    def result(self, message: Mapping[str, Any]) -> Reply:
        """Return the result as the page shows it."""
        if message.get("shows_results") is not True:  # the person chose the labeler's view
            return {"result": counts_content(self._session)}, []
        snapshot = self._panels.snapshot()
        content = result_content(
            self._session,
            snapshot.watched,
            goal=snapshot.goal,
            progress=snapshot.progress,
            about=self._about,
            unit=self._texts["unit"],
        )
        mistakes, thumbnails = mistakes_content(self._session, self._view, self._label_text)
        self._sent.update(row["index"] for row in mistakes["rows"])
        content |= {"plot": self._panels.one("trajectory"), "mistakes": mistakes}
        if "models" in self._panels.names:
            content["models"] = self._panels.one("models")
        return {"result": content}, thumbnails

    def save(self, message: Mapping[str, Any]) -> Reply:
        """Return a file with the result or the labels."""
        return {"file": saved_file(self._session, message["which"], self._texts)}, []
