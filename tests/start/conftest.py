import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import comm
import ipywidgets
import numpy as np
import pytest
from comm.base_comm import BaseComm

from activeeval_widgets.session import Session, SQLiteStore, Store
from activeeval_widgets.widgets.messages import START_FROM_PAGE, StartFromPython
from activeeval_widgets.widgets.start import StartPage

from ..message_types import mismatches


class RecordingComm(BaseComm):
    """Keeps what a widget sends. All of it must be as the table of messages says, and JSON without NaN."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        super().__init__(*args, **kwargs)

    def publish_msg(self, msg_type: str, data: Any = None, buffers: Any = None, **keys: Any) -> None:
        if data and data.get("method") == "custom":
            json.dumps(data, allow_nan=False)
            assert [*mismatches(data["content"], StartFromPython)] == []
            self.sent.append(data["content"])


@pytest.fixture(autouse=True)
def _comms(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand in for the kernel; close all widgets afterwards."""
    monkeypatch.setattr(comm, "create_comm", RecordingComm)
    yield
    ipywidgets.Widget.close_all()


class Start:
    """A start page, and the folder and the store it has: asks what the browser's side asks."""

    def __init__(self, folder: Path, store: Store, **options: Any) -> None:
        self.folder, self.store = folder, store
        self.page = StartPage(store, folder, self.open_session, **options)
        self.seq = 0

    def open_session(self, name: str) -> Session:
        from activeeval_widgets.formats.evaluation_settings import EvaluationSettings

        details = self.store.details(name)
        return EvaluationSettings.from_dict(details["source"]["settings"]).make_session(self.store)

    def ask(self, kind: str, *, buffer: bytes | None = None, **content: Any) -> dict[str, Any]:
        """Send a message; return its one answer without the address."""
        self.seq += 1
        if kind in ("choose", "upload"):
            content.setdefault("after", None)
        assert [*mismatches(content, START_FROM_PAGE[kind])] == []
        message = {**content, "type": kind, "client": "tab", "seq": self.seq}
        before = len(self.page.comm.sent)
        data = {"method": "custom", "content": message}
        self.page._handle_msg({"content": {"data": data}, "buffers": [] if buffer is None else [buffer]})
        [answer] = self.page.comm.sent[before:]
        assert (answer.pop("client"), answer.pop("seq")) == ("tab", self.seq)
        return dict(answer)

    def upload(
        self, name: str, content: bytes, *, part: int = 1000, upload: str = "u", after: str | None = None
    ) -> dict[str, Any]:
        """Send a file in parts, as the page does."""
        offset, answer = 0, {}
        while "error" not in answer and (offset < len(content) or offset == 0):
            answer = self.ask(
                "upload",
                upload=f"{upload}-{name}",
                name=name,
                size=len(content),
                offset=offset,
                after=after,
                buffer=content[offset : offset + part],
            )
            offset = answer.get("received", {}).get("n_bytes", len(content))
        return answer

    def begin(self, **chosen: Any) -> dict[str, Any]:
        """Start what was chosen."""
        return self.ask("start", **{**CHOSEN, **chosen})


CHOSEN = {
    "measure": "error-rate",
    "positive": None,
    "half_width": 0.05,
    "budget": 40,
    "title": "October",
    "guidelines": "",
    "sheets": False,
}


def predictions_csv(n: int = 400, *, broken: bool = False) -> str:
    """A file of tickets with the probabilities of three classes."""
    rng = np.random.default_rng(0)
    lines = ["id,text,p_bug,p_billing,p_howto,lang"]
    for i in range(n):
        p = rng.dirichlet([0.3, 0.3, 0.3])
        if broken and i == 6:
            p /= 2
        lines.append(f't-{i},"Ticket number {i}, which is long enough",{p[0]:.5f},{p[1]:.5f},{p[2]:.5f},en')
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of predictions, and one that is none."""
    (tmp_path / "tickets.csv").write_text(predictions_csv())
    (tmp_path / "notes.md").write_text("nothing")
    return tmp_path


@pytest.fixture
def open_start(folder: Path) -> Callable[..., Start]:
    """Open the start page of the folder."""
    store = SQLiteStore(folder / "evaluations.sqlite")

    def show(**options: Any) -> Start:
        return Start(folder, store, **options)

    return show


@pytest.fixture
def start(open_start: Callable[..., Start]) -> Start:
    return open_start()
