"""The state of the store for the page: where answers are kept, and whether they can be saved."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.page_channel import Handler, Reply


class StoreStatus:
    """Reports whether answers can be saved, and moves the session to a new file if not."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def handlers(self) -> dict[str, Handler]:
        """The handlers by type of message."""
        return {"ping": self._ping, "witness": self._witness, "save_to_new_file": self._save_to_new_file}

    def content(self) -> dict[str, Any]:
        """Return the state of the store, for the page."""
        storage, log = self._session.storage, self._session.log
        path = storage.path
        return {
            "problem": storage.problem,
            "notices": list(storage.notices),
            "can_rescue": path is not None,
            "key": None if path is None else f"{path.absolute()}#{self._session.name}",
            # What the browser saw as saved: it remembers this, and checks whether it is still there.
            "saved": {
                "n_events": len(log),
                "time": log[-1].time if log else "",
                "n_labels": log.n_labels,
            },
        }

    def _ping(self, _message: Mapping[str, Any]) -> Reply:
        return {"store": self.content()}, []

    def _witness(self, message: Mapping[str, Any]) -> Reply:
        """Compare what a browser saw earlier with the present log."""
        log, n_events = self._session.log, message["n_events"]
        if n_events <= 0 or (n_events <= len(log) and log[n_events - 1].time == message["time"]):
            return {}, []
        text = (
            f"This session had {counted(message['n_labels'], 'labels')} when this browser last showed it, "
            f"and has {self._session.n_labels:,} now. "
            "Answers are missing from this file, or it is another file."
        )
        return {"missing": text}, []

    def _save_to_new_file(self, _message: Mapping[str, Any]) -> Reply:
        path = self._session.save_to()
        text = f"Everything is saved in {path}, and new answers go there."
        return {"store": self.content(), "rescued": text, "session_text": self._session.storage.place}, []
