import json
from collections.abc import Callable, Iterator
from typing import Any

import comm
import ipywidgets
import numpy as np
import pytest
from comm.base_comm import BaseComm

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets import LabelingApp

from ..message_types import check_from_python


class RecordingComm(BaseComm):
    """Keeps what a widget sends. All of it must be as the table of messages says, and JSON without NaN."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[tuple[dict[str, Any], list[Any]]] = []
        super().__init__(*args, **kwargs)

    def publish_msg(self, msg_type: str, data: Any = None, buffers: Any = None, **keys: Any) -> None:
        json.dumps(data, allow_nan=False)
        if data and data.get("method") == "custom":
            check_from_python(data["content"])
        self.sent.append((data or {}, list(buffers or [])))


@pytest.fixture(autouse=True)
def _comms(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand in for the kernel; close all widgets afterwards."""
    monkeypatch.setattr(comm, "create_comm", RecordingComm)
    yield
    ipywidgets.Widget.close_all()


class Page:
    """A page that shows an app: asks what the browser's side asks."""

    def __init__(self, app: LabelingApp, client: str = "tab-1") -> None:
        self.app = app
        self.client = client
        self.seq = 0
        self.buffers: list[Any] = []

    def exchange(self, content: Any) -> list[dict[str, Any]]:
        """Send any custom message; return all that comes back."""
        front_end = self.app._front_end
        before = len(front_end.comm.sent)
        message = {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}
        front_end._handle_msg(message)
        answers = front_end.comm.sent[before:]
        assert all(data["method"] == "custom" for data, _ in answers)
        self.buffers = [buffer for _, buffers in answers for buffer in buffers]
        return [data["content"] for data, _ in answers]

    def ask(self, kind: str, **content: Any) -> dict[str, Any]:
        """Send a message; return its one answer without the address, with the state that came before it."""
        self.seq += 1
        *result, answer = self.exchange({**content, "type": kind, "client": self.client, "seq": self.seq})
        assert (answer.pop("client"), answer.pop("seq")) == (self.client, self.seq)
        assert all(message.keys() == {"state"} for message in result)
        assert len(result) <= 1
        return {**(result[0] if result else {}), **answer}

    def label(self, label: int, draw: int | None = None, seconds: float = 1.0) -> dict[str, Any]:
        present = self.app.session.next()
        assert present is not None
        return self.ask("label", value=label, draw=present.draw if draw is None else draw, seconds=seconds)


@pytest.fixture(scope="session")
def make_session() -> Callable[..., Session]:
    """Return a maker of sessions about random images."""

    def make(
        n_instances: int = 60, n_classes: int = 3, *, classes: Any = None, measure: Any = None, **options: Any
    ) -> Session:
        rng = np.random.default_rng(0)
        predictions = ClassPredictions(rng.dirichlet(np.ones(n_classes), size=n_instances), classes)
        pool = Pool(rng.random((n_instances, 4, 4)), predictions=predictions)
        return Session(pool, measure or ErrorRate(), **{"protocol": "papers", **options})

    return make


@pytest.fixture(scope="session")
def open_page() -> Callable[..., Page]:
    """Return what shows a session on a page: give a session or an app."""

    def show(shown: Session | LabelingApp, client: str = "tab-1", **options: Any) -> Page:
        app = LabelingApp(shown, **options) if isinstance(shown, Session) else shown
        return Page(app, client)

    return show


def numbers(tree: Any) -> list[float]:
    """Return all numbers in a tree of lists and mappings, in order."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list | tuple):
        return [n for part in tree for n in numbers(part)]
    return [tree] if isinstance(tree, int | float) else []
