"""What the page is told of where its answers are kept, and of answers that can't be kept there."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.front_end import Handler, Reply


class StoreStatus:
    """Tells whether answers can be saved, and writes them to a new file if they can't."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def handlers(self) -> dict[str, Handler]:
        """By type of message."""
        return {"ping": self._ping, "witness": self._witness, "save_to_new_file": self._save_to_new_file}

    def where(self) -> str:
        """Where the answers are kept, in words."""
        return self._session.storage.place

    def content(self) -> dict[str, Any]:
        """The state of the store, for the page."""
        session = self._session
        path, log = session.path, session.log
        return {
            "problem": session.storage.problem,
            "notices": list(session.storage.notices),
            "can_rescue": path is not None,
            "key": None if path is None else f"{path.absolute()}#{session.name}",
            # What the browser was told is saved: it remembers that, and asks whether it is still so.
            "saved": {
                "n_events": len(log),
                "time": log[-1].time if log else "",
                "n_labels": session.n_labels,
            },
        }

    def _ping(self, _message: Mapping[str, Any]) -> Reply:
        return {"store": self.content()}, []

    def _witness(self, message: Mapping[str, Any]) -> Reply:
        """Compare what a browser was told before with what there is."""
        log, n_events = self._session.log, message["n_events"]
        if n_events <= 0 or (n_events <= len(log) and log[n_events - 1].time == message["time"]):
            return {}, []
        text = (
            f"When this browser last showed this session, it had {counted(message['n_labels'], 'labels')}; "
            f"now it has {self._session.n_labels:,}. What was saved then is not in "
            "this file: answers are missing, or it is another file."
        )
        return {"missing": text}, []

    def _save_to_new_file(self, _message: Mapping[str, Any]) -> Reply:
        path = self._session.save_to()
        text = f"Everything is saved in {path}, and new answers go there."
        return {"store": self.content(), "rescued": text, "session_text": self.where()}, []
