"""A labeling page of a demo without a browser: its requests, and all messages from Python."""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import comm
import ipywidgets
from comm.base_comm import BaseComm

from activeeval_widgets import LabelingApp, Session
from activeeval_widgets.demos import Demo

_N_ANSWERS = 24
_TIMES = re.compile(r'("ms_each": )[\d.]+')
_MADE = re.compile(r'("_(?:esm|css)": )"(?:[^"\\]|\\.)*"')
"""Bundled files, which their own tests compare."""


class _Recorder(BaseComm):
    """Replaces the kernel's side of a widget's comm."""

    sent: list[str] = []  # noqa: RUF012 - of all widgets, in order
    n_opened = 0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        _Recorder.n_opened += 1
        super().__init__(*arguments, **{**options, "comm_id": f"widget-{_Recorder.n_opened}"})

    def publish_msg(
        self,
        msg_type: str,
        data: Any = None,
        metadata: Any = None,  # noqa: ARG002
        buffers: Any = None,
        **_keys: Any,
    ) -> None:
        digests = [[len(each), hashlib.sha256(each).hexdigest()] for each in map(bytes, buffers or [])]
        message = [self.comm_id, msg_type, data, digests]
        text = json.dumps(message, default=str, ensure_ascii=False, sort_keys=True)
        _Recorder.sent.append(_MADE.sub(r'\1"…"', _TIMES.sub(r"\g<1>0", text)))


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Collect the messages of widgets; close all widgets at the end."""
    _Recorder.sent, _Recorder.n_opened = [], 0
    create, comm.create_comm = comm.create_comm, _Recorder
    try:
        yield _Recorder.sent
    finally:
        ipywidgets.Widget.close_all()
        comm.create_comm = create


class Page:
    """Sends the browser's requests."""

    def __init__(self, app: LabelingApp) -> None:
        self.app, self.seq = app, 0

    def ask(self, kind: str, **content: Any) -> None:
        """Send a message; replies are recorded."""
        self.seq += 1
        message = {**content, "type": kind, "client": "tab", "seq": self.seq}
        data = {"content": {"data": {"method": "custom", "content": message}}, "buffers": []}
        self.app._front_end._handle_msg(data)

    def answer(self, kind: str, **content: Any) -> None:
        """Send one action of a person, as the page packs it."""
        self.ask("answers", answers=[{"type": kind, **content}], ahead=2)

    def of_draw(self, kind: str, **content: Any) -> None:
        """Answer the current draw."""
        asked = self.app.session.next()
        if asked is not None:
            given = {"draw": asked.draw, "seconds": 1.5, "first_key_seconds": 0.5}
            self.answer(kind, **given, **content)


def value_of(session: Session, demo: Demo, index: int) -> Any:
    """Return the true label as the page sends it."""
    truth = demo.y_true[index]
    if isinstance(truth, dict):
        return {str(item): truth.get(item) for item in session.labels.items[index]}
    if session.labels.kind == "number":
        return float(truth)
    return list(session.labels.classes).index(truth)


def _asks_of_all(page: Page) -> None:
    """Send a page's requests for all parts of the result."""
    session = page.app.session
    shown = ["interval", "estimate", "leaderboard", "calibration", "confusion", "groups"]
    for draws_figures in (False, True):
        page.ask("plots", shows_wald=True, shown=shown, draws_figures=draws_figures)
    if len(session.pool.models) > 2:
        page.ask("plots", shows_wald=False, shown=shown, pair=[0, 2])
    for only in ([], ["wrong"], ["flagged", "noted", "changed"]):
        page.ask(
            "history", query="", only=only, answer=None, offset=0, shows_prediction=not only, asked=page.seq
        )
    first = int(session.draws.so_far()[0])
    page.ask("row", index=first, shows_prediction=True)
    page.ask("goal", fields={"half_width": 0.05})
    page.ask("plan")
    page.ask("result", shows_results=True, draws_figures=True)


def run(app: LabelingApp, demo: Demo) -> None:
    """Run one session with the page."""
    page, session = Page(app), app.session
    page.ask("hello")
    page.ask("plots", shows_wald=False, shown=["interval"])
    page.ask("instances", indices=[drawn.index for drawn in session.upcoming(3)])
    for n in range(1, _N_ANSWERS + 1):
        asked = session.next()
        if asked is None:
            break
        if n % 8 == 3:
            page.of_draw("defer")
        elif n % 8 == 5:
            page.of_draw("exclude", reason="not sure")
        else:
            page.of_draw("label", value=value_of(session, demo, asked.index))
        if n == 4:
            page.answer("undo")
            page.answer("note", index=asked.index, text="A <note> on this one")
            page.answer("flag", index=asked.index, flagged=True)
            page.ask("prediction", draw=asked.draw)
        if n == 10:
            first = int(session.draws.labeled()[0][0])
            page.answer("change", index=first, value=value_of(session, demo, asked.index % 2 + first // 2))
            page.ask("plots", shows_wald=True, shown=["interval"])
    _asks_of_all(page)
    for which in ("markdown", "html", "labels", "events"):
        page.ask("save", which=which)


def shown(session: Session, demo: Demo) -> LabelingApp:
    """Return the demo's page."""
    return LabelingApp(
        session,
        title=demo.title,
        question=demo.question,
        intro=demo.intro,
        unit=demo.unit,
        grade_words=demo.grade_words,
        reasons=demo.reasons,
        guidelines=demo.guidelines,
    )
