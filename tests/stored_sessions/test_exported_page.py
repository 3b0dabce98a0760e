"""An imported session has a page: its instances are shown by their ids where the file has no contents."""

from collections.abc import Callable
from pathlib import Path

import pytest

from activeeval_widgets import Session
from activeeval_widgets.app.pages import exported, page_of, start
from activeeval_widgets.app.stored_sessions.find_session import open_session
from activeeval_widgets.formats import read_session_file, write_session
from activeeval_widgets.session import open_store
from activeeval_widgets.session.pool.kinds.absent import Absent
from activeeval_widgets.widgets import AbsentView

from ..labeling import give_labels

Maker = Callable[..., Session]


@pytest.mark.parametrize("task", ["texts", "rankings", "records"])
def test_the_page_goes_on_with_the_session(make_session: Maker, tmp_path: Path, task: str) -> None:
    session = make_session(task, name="Ada")
    path = write_session(session, tmp_path / "ada.json")
    store = str(tmp_path / "s.sqlite")
    spec = {"kind": "exported", "export": str(path), "store": store}
    assert page_of(spec) is exported
    exported.prepare(spec)
    app = exported.build(spec, {"session": None, "who": None})
    assert app.session.n_labels == session.n_labels
    assert app.session.next() == session.next()
    n_events = len(app.session.log)
    app.session.exclude()
    app.close()
    # Opened again from the start page, it is as it was left.
    spec = {"kind": "start", "store": store, "folder": str(tmp_path)}
    app = start.build(spec, {"session": "Ada", "who": "Bob"})
    assert (len(app.session.log) > n_events, app.session.people.who) == (True, "Bob")
    app.close()


def test_an_instance_whose_content_is_elsewhere_is_shown_by_its_id() -> None:
    shown = str(AbsentView()(Absent("<b>7", "text", "texts")))
    assert "<b>7" in shown
    assert "look it up by its id" in shown
    assert "d7" in str(AbsentView()(Absent("q", "ranking", "rankings", ("d7", "d2"))))


def test_reading_a_session_adds_nothing_to_it(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", name="Ada")
    path = write_session(session, tmp_path / "ada.json")
    store = open_store(tmp_path / "s.sqlite")
    read_session_file(path).open(store)
    before = store.begin("Ada", store.identity("Ada") or {})
    opened = open_session(store, "Ada", str(path))
    give_labels(opened, "ham", 9)
    assert opened.n_labels == 33
    assert store.begin("Ada", store.identity("Ada") or {}) == before
    writing = open_session(store, "Ada", str(path), writes=True)
    writing.label("ham")
    assert len(store.begin("Ada", store.identity("Ada") or {})) > len(before)
