import contextlib
import gc
import inspect
import io
import logging
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anywidget
import ipywidgets
import numpy as np
import pytest
from PIL import Image

import activeeval_widgets
from activeeval_widgets import widgets
from activeeval_widgets.session import MemoryStore, Pool, Session, SQLiteStore, StoreError
from activeeval_widgets.stats import Accuracy, ClassPredictions, ErrorRate, uniform_q
from activeeval_widgets.widgets import LabelingApp, evaluate
from activeeval_widgets.widgets.answers.answers import AHEAD
from activeeval_widgets.widgets.labels.keys import ACTIONS
from activeeval_widgets.widgets.messages import ANSWERS, FROM_PAGE
from activeeval_widgets.widgets.messages.from_page import Nothing

STATIC = Path(widgets.__file__).parent / "static"
MakeSession = Callable[..., Session]
OpenPage = Callable[..., Any]


def snapshot(session: Session) -> tuple[Any, ...]:
    return session.next(), session.upcoming(50), session.log.actions, repr(session.estimate())


class FailingStore(MemoryStore):
    """A store whose disk is full, or that has a bug, from a moment on."""

    error: Exception | None = None

    def append(self, name: str, record: dict[str, Any]) -> None:
        if self.error is not None:
            raise self.error
        super().append(name, record)


def test_other_notebooks_show_the_script_without_boxes(
    make_session: MakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = LabelingApp(make_session())
    # What marimo asks for: it shows anywidgets alone.
    assert isinstance(app._display_(), anywidget.AnyWidget)
    view = "application/vnd.jupyter.widget-view+json"
    assert app._repr_mimebundle_()[view]["model_id"] == app.model_id
    # Colab, which has to be told where its manager is.
    installed = SimpleNamespace(_installed_url="https://manager.example")
    manager = SimpleNamespace(_widgets=installed, enable_custom_widget_manager=lambda: None)
    monkeypatch.setitem(sys.modules, "google.colab.output", manager)
    data, metadata = app._repr_mimebundle_()
    assert data[view]["model_id"] == app._front_end.model_id
    assert metadata[view]["colab"]["custom_widget_manager"]["url"] == "https://manager.example"


# -- messages and answers ---------------------------------------------------------------------------------


def test_every_message_is_answered(make_session: MakeSession, open_page: OpenPage) -> None:
    session = make_session()
    page = open_page(session)
    for kind in ("hello", "ping", "plots", "undo", "new_session"):
        assert "error" not in page.ask(kind)
    index = session.upcoming(1)[0].index
    assert "error" not in page.ask("answers", answers=[], ahead=20)
    assert "error" not in page.ask("note", index=index, text="hm")
    assert "error" not in page.ask("flag", index=index, flagged=True)
    assert "error" not in page.ask("instances", indices=[index])
    for kind in ("prediction", "defer", "exclude", "label"):
        content = {"draw": session.upcoming(1)[0].draw, "seconds": 0.5, "value": 1}
        assert "error" not in page.ask(kind, **content)
    assert [action.kind for action in session.log.actions] == ["defer", "exclude", "label"]
    assert [action.seconds for action in session.log.actions] == [0.5] * 3
    assert "error" not in page.ask("change", index=session.log.actions[-1].instance, value=2)
    assert "error" not in page.ask("history")
    assert "error" not in page.ask("row", index=session.log.actions[-1].instance)


def test_two_views_of_one_app_are_distinguished(make_session: MakeSession, open_page: OpenPage) -> None:
    one = open_page(make_session())
    two = open_page(one.app, client="tab-2")
    one.label(0)
    assert two.label(1)["state"]["n_labels"] == 2
    assert one.ask("hello")["state"]["n_labels"] == 2


@pytest.mark.parametrize("message", [{"type": "relabel"}, {"type": None}, {}, {"type": ["label"]}])
def test_an_unknown_message_is_answered_with_an_error(
    make_session: MakeSession, open_page: OpenPage, caplog: pytest.LogCaptureFixture, message: dict[str, Any]
) -> None:
    page = open_page(make_session())
    [answer] = page.exchange({**message, "client": "a", "seq": 7})
    assert answer.keys() == {"error", "client", "seq"}
    assert (answer["client"], answer["seq"]) == ("a", 7)
    assert answer["error"].startswith("The page sent what is no message: there is no type")
    assert len(caplog.text.splitlines()) == 1


ODD = [None, -1, 2**70, 1e300, "../../etc/passwd", "\ud800", [], {}, [[]], {"a": 1}, True, float("nan")]


@pytest.mark.parametrize("kind", [*FROM_PAGE, *ANSWERS])
def test_odd_messages_get_a_short_refusal_and_a_line_each(
    make_session: MakeSession, open_page: OpenPage, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    page = open_page(make_session())
    fields = {name for table in (FROM_PAGE, ANSWERS) for name in table.get(kind, Nothing).__annotations__}
    n_sent = 0
    for odd in ODD:
        for content in ({}, dict.fromkeys(fields, odd), {"extra": odd}):
            for sent in (content, {"type": "answers", "answers": [{**content, "type": kind}], "ahead": 1}):
                n_sent += 1
                [answer] = [
                    each
                    for each in page.exchange({"type": kind, **sent, "client": "a", "seq": n_sent})
                    if each.get("seq") == n_sent
                ]
                assert len(answer.get("error", "")) < 400
                assert "Internal" not in answer.get("error", ""), (kind, sent)
    assert "Traceback" not in caplog.text
    assert len(caplog.text.splitlines()) <= n_sent


def test_a_message_without_an_address_is_answered(make_session: MakeSession, open_page: OpenPage) -> None:
    [answer] = open_page(make_session()).exchange({"type": "ping"})
    assert answer.pop("store")["problem"] is None
    assert answer == {"client": None, "seq": None}


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("label", {}),
        ("label", {"value": 3, "draw": 1, "seconds": 1}),
        ("label", {"value": -1, "draw": 1, "seconds": 1}),
        ("label", {"value": None, "draw": 1, "seconds": 1}),
        ("label", {"value": "0", "draw": 1, "seconds": 1}),
        ("label", {"value": 0.5, "draw": 1, "seconds": 1}),
        ("label", {"value": 0, "draw": 1, "seconds": "soon"}),
        ("label", {"value": 0, "seconds": 1}),
        ("defer", {}),
        ("exclude", {}),
        ("prediction", {}),
        ("instances", {}),
    ],
    ids=str,
)
def test_a_malformed_message_changes_nothing_and_is_answered(
    make_session: MakeSession,
    open_page: OpenPage,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    content: dict[str, Any],
) -> None:
    page = open_page(make_session())
    before = snapshot(page.app.session)
    with caplog.at_level(logging.CRITICAL):
        answer = page.ask(kind, **content)
    assert answer.keys() == {"error"}
    assert snapshot(page.app.session) == before


def test_a_bug_in_a_handler_is_shown_and_logged(
    make_session: MakeSession,
    open_page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = open_page(make_session())

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(page.app.session.findings, "estimate", fail)
    assert page.ask("hello") == {"error": "Internal error: ZeroDivisionError: oh"}
    assert "the answer to {'type': 'hello'" in caplog.text
    assert "Traceback" in caplog.text
    assert page.ask("ping")["store"]["problem"] is None


# -- labels -----------------------------------------------------------------------------------------------


def test_a_label_is_answered_after_it_is_stored(make_session: MakeSession, open_page: OpenPage) -> None:
    order = []

    class TellingStore(MemoryStore):
        def append(self, name: str, record: dict[str, Any]) -> None:
            super().append(name, record)
            order.append(f"stored {record['seq']}")

    page = open_page(make_session(store=TellingStore()))
    publish = page.app._front_end.comm.publish_msg

    def record(*args: Any, **keys: Any) -> None:
        content = keys["data"]["content"]
        order.append(f"told {content['state']['n_labels']}" if "state" in content else "answered")
        publish(*args, **keys)

    page.app._front_end.comm.publish_msg = record
    try:
        page.label(0)
        page.label(1)
    finally:
        page.app._front_end.comm.publish_msg = publish
    # The page takes a label as saved when it is answered, and has the next state by then.
    assert order == ["stored 1", "told 1", "answered", "stored 2", "told 2", "answered"]


def test_what_code_does_is_reported_to_the_page(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    sent = page.app._front_end.comm.sent
    before = len(sent)
    page.app.session.label(0)
    page.app.session.undo()
    result = [data["content"] for data, _ in sent[before:]]
    assert [content.keys() for content in result] == [{"state"}, {"state"}]
    assert [content["state"]["n_labels"] for content in result] == [1, 0]


def test_a_closed_app_no_longer_follows(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    sent = page.app._front_end.comm.sent
    page.app.close()
    before = len(sent)
    page.app.session.label(0)
    assert len(sent) == before
    page.app.close()


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (StoreError("the disk is full"), "the disk is full"),
        (RuntimeError("a bug"), "Internal error: RuntimeError: a bug"),
    ],
)
@pytest.mark.parametrize("kind", ["label", "defer", "exclude", "undo"])
def test_what_can_not_be_stored_is_answered_with_an_error(
    make_session: MakeSession,
    open_page: OpenPage,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    error: Exception,
    text: str,
) -> None:
    store = FailingStore()
    page = open_page(make_session(store=store))
    page.label(2)
    before = snapshot(page.app.session)
    store.error = error
    present = page.app.session.next()
    assert present is not None
    with caplog.at_level(logging.CRITICAL):
        answer = page.ask(kind, value=0, draw=present.draw, seconds=1)
    assert answer == {"error": text}
    assert snapshot(page.app.session) == before
    store.error = None
    assert page.label(0)["state"]["n_labels"] == 2


def test_a_wrong_draw_number_is_refused(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    first = page.app.session.next()
    assert first is not None
    page.label(0)
    present = page.app.session.next()
    assert present is not None
    # A key that fired twice: the second label is not meant for the next instance.
    for kind in ("label", "defer", "exclude"):
        reply = page.ask(kind, value=0, draw=first.draw, seconds=1)
        assert f"draw {first.draw} is answered there, and that answer stays" in reply["error"]
    assert page.app.session.n_labels == len(page.app.session.log.actions) == 1


def test_forty_labels_in_a_row(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    queue = [drawn.draw for drawn in page.app.session.upcoming(40)]
    for i, draw in enumerate(queue):
        state = page.label(i % 3, draw=draw)["state"]
        assert state["n_labels"] == i + 1
    assert [(a.draw, a.value) for a in page.app.session.log.actions] == [
        (d, i % 3) for i, d in enumerate(queue)
    ]


def test_labels_are_positions_of_classes(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session(classes=["spam", "eggs", "ham"]))
    config = page.ask("hello")["config"]
    assert [choice["text"] for choice in config["labels"]["choices"]] == ["spam", "eggs", "ham"]
    page.label(1)
    assert page.app.session.log.actions[0].value == "eggs"


def test_undo_defer_and_exclude(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    hello = page.ask("hello")["state"]
    assert hello["can_undo"] is False
    page.label(0)
    draws = [drawn.draw for drawn in page.app.session.upcoming(2)]
    assert page.ask("defer", draw=draws[0], seconds=1)["state"]["status"].startswith("Put aside · ")
    assert page.ask("exclude", draw=draws[1], seconds=1)["state"]["status"].startswith("Excluded · ")
    state = page.ask("undo")["state"]
    assert state["can_undo"] is True
    assert state["queue"][0]["draw"] == draws[1]
    page.ask("undo")
    state = page.ask("undo")["state"]
    assert state["status"] == "Undone: 0"
    # All but how long the log is.
    assert {**state, "store": hello["store"], "status": ""} == hello
    assert page.ask("undo") == {}


def test_done(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session(budget=2))
    assert page.label(0)["state"]["is_done"] is False
    state = page.label(0)["state"]
    assert (state["is_done"], state["queue"], state["n_labels"]) == (True, [], 2)
    assert state["done_text"] == "All done: 2 labels. Thank you!"
    assert "is done: there is no instance to answer" in page.ask("label", value=0, draw=9, seconds=1)["error"]
    assert page.ask("prediction", draw=1) == {}
    assert page.ask("plots").keys() == {"plots", "goal"}
    assert page.ask("undo")["state"]["is_done"] is False


# -- what is sent -----------------------------------------------------------------------------------------


def test_hello_of_a_notebook(make_session: MakeSession, open_page: OpenPage) -> None:
    session = make_session()
    answer = open_page(session).ask("hello")
    assert answer.keys() == {"config", "state"}
    page_goal = answer["config"]["goal"]
    assert page_goal["fields"][0] == {
        "name": "half_width", "text": "Margin of error: at most ±", "unit": "points", "value": 5.0,
    }  # fmt: skip
    assert "±5 points" in page_goal["lines"][0]
    config = answer["config"]
    assert [action["name"] for action in config.pop("actions")] == [
        action.name for action in ACTIONS if action.name != "sheet"
    ]
    assert config.pop("keys").keys() == {"scope", "labels", "actions", "taken"}
    assert config == {
        "title": "Active evaluation",
        "question": "Which class is this?",
        "labels": {
            "kind": "class",
            "is_searched": False,
            "choices": [{"text": text, "keys": (text,)} for text in "012"],
        },
        "guidelines": None,
        "reasons": ["broken", "unreadable", "cut off", "a duplicate", "no label fits"],
        "is_standalone": False,
        "has_new_session": False,
        "session": "default",
        "session_text": "kept in memory only, until the kernel stops",
        "about": f"error rate · {session.pool.n_instances:,} images",
        "sessions": [],
        "is_guest": False,
        "is_labeler_view": False,
        "goal": page_goal,
        "panels": [
            {"name": name, "title": title, "kind": kind, "source": "", "is_hidden_at_first": is_hidden}
            for name, title, kind, is_hidden in (
                ("estimate", "Estimate", "estimate", False),
                ("trajectory", "Estimate after each label", "plot", False),
                ("distribution", "Which instances are asked", "plot", False),
                ("interval", "How wide the interval is", "plot", True),
                ("evidence", "Evidence against each value", "plot", True),
                ("calibration", "How often predictions are right, by how sure they are", "plot", True),
                ("confusion", "Confusion matrix", "matrix", True),
            )
        ],
        "instance_modules": [],
        "asks_name": False,
    }
    upcoming = session.upcoming(AHEAD)
    assert answer["state"]["queue"] == [
        {"draw": drawn.draw, "index": drawn.index, "id": drawn.instance_id} for drawn in upcoming
    ]
    state = answer["state"]
    assert (state["n_labels"], state["n_draws"], state["is_done"], state["can_undo"]) == (0, 0, False, False)
    assert state["status"] == ""


def test_hello_of_a_page(make_session: MakeSession, open_page: OpenPage, tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "kept.sqlite")
    session = make_session(store=store, name="digits-2")
    page = open_page(
        session, title="Digits", question="Which?", sessions=["digits", "digits-2"], new_session="digits-3"
    )
    config = page.ask("hello")["config"]
    assert (config["title"], config["question"], config["is_standalone"]) == ("Digits", "Which?", True)
    assert (config["session"], config["sessions"]) == ("digits-2", ["digits", "digits-2"])
    assert config["session_text"] == "session digits-2, kept in kept.sqlite"
    assert page.ask("new_session") == {"open_session": "digits-3"}
    store.close()


def test_hello_resumes(make_session: MakeSession, open_page: OpenPage) -> None:
    store = MemoryStore()
    page = open_page(make_session(store=store))
    for _ in range(3):
        page.label(1)
    resumed = open_page(make_session(store=store))
    assert resumed.ask("hello") == page.ask("hello")


@pytest.mark.parametrize("n_labels", [0, 1, 12])
def test_the_queue_is_what_comes_next(make_session: MakeSession, open_page: OpenPage, n_labels: int) -> None:
    session = make_session(20)
    page = open_page(session)
    state = page.ask("hello")["state"]
    for _ in range(n_labels):
        state = page.label(0)["state"]
    assert len(state["queue"]) == min(AHEAD, 20 - n_labels)
    shown = []
    while (asked := session.next()) is not None and len(shown) < AHEAD:
        shown.append({"draw": asked.draw, "index": asked.index, "id": asked.instance_id})
        page.label(0)
    assert shown == state["queue"]


def words_of(content: Any) -> Iterator[str]:
    """All keys and values of a message, as texts."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield key
            yield from words_of(value)
    elif isinstance(content, list):
        for value in content:
            yield from words_of(value)
    else:
        yield str(content)


def test_predictions_are_not_sent_unless_asked_for(open_page: OpenPage) -> None:
    names = [f"class-{i}" for i in range(30)]
    rng = np.random.default_rng(1)
    predictions = ClassPredictions(rng.dirichlet(np.ones(30), size=30), names)
    page = open_page(
        Session(Pool(rng.random((30, 3, 3)), predictions=predictions), ErrorRate(), protocol="papers")
    )
    answers = [page.ask("hello")]
    indices = [drawn["index"] for drawn in answers[0]["state"]["queue"]]
    answers += [page.ask("instances", indices=indices), page.label(0), page.ask("undo"), page.label(1)]
    for name in ("labels", "keys", "actions", "about", "panels"):
        answers[0]["config"].pop(name)
    # What the page says of the session as a whole.
    for answer in answers:
        result = answer.get("state", {}).get("estimate", {})
        assert all("class-" not in result.pop(name, "") for name in ("intro", "sentence"))
    present = page.app.session.next()
    given = {names[0], names[1]}
    for answer in answers:
        result = " ".join(words_of(answer))
        assert not re.search(r"predict|confiden|proba(?!bility the truth)|y_pred|model", result)
        assert set(re.findall(r"class-\d+", result)) <= given
        numbers = set(words_of(answer))
        assert not numbers & {str(p) for p in predictions.y_proba[indices].ravel().tolist()}
    label, confidence = predictions.y_pred[present.index], predictions.confidence[present.index]
    assert page.ask("prediction", draw=present.draw) == {
        "prediction": {
            "draw": present.draw,
            "text": f"The model says {label} ({100 * confidence:.0f}%)",
        }
    }
    assert page.ask("prediction", draw=present.draw + 1) == {}


def test_instances_are_images_in_the_order_asked_for(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    indices = [drawn["index"] for drawn in page.ask("hello")["state"]["queue"]][::-1]
    answer = page.ask("instances", indices=indices)
    assert answer["instances"] == [
        {
            "index": i,
            "mime": "image/png",
            "description": f"Instance {i}",
            "pixelated": True,
            "note": "",
        }
        for i in indices
    ]
    assert len(page.buffers) == AHEAD
    for index, buffer in zip(indices, page.buffers, strict=True):
        shown = np.asarray(Image.open(io.BytesIO(buffer)))
        assert np.array_equal(shown, np.round(255 * page.app.session.pool.instances[index]).astype(np.uint8))


def test_no_more_instances_than_a_page_can_need(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    indices = [drawn.index for drawn in page.app.session.upcoming(60)]
    assert page.ask("instances", indices=indices)["instances"] == []
    page.ask("hello")
    assert len(page.ask("instances", indices=indices)["instances"]) == AHEAD


@pytest.mark.parametrize("index", ["a late one", -1, 10**6, "0", None])
def test_instances_that_are_not_drawn_are_not_told(
    make_session: MakeSession, open_page: OpenPage, caplog: pytest.LogCaptureFixture, index: Any
) -> None:
    page = open_page(make_session())
    index = page.app.session.upcoming(60)[-1].index if index == "a late one" else index
    with caplog.at_level(logging.CRITICAL):
        answer = page.ask("instances", indices=[index])
    assert not answer.get("instances")
    assert page.buffers == []


# -- the widget -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("session", [None, "default", Session])
def test_a_session_of_a_wrong_type(session: Any) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(f'session must be a Session, got {session!r}')}$"):
        LabelingApp(session)


def test_a_refused_app_goes_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", errors.append)
    with contextlib.suppress(TypeError):
        LabelingApp("default")
    gc.collect()
    assert errors == []


def test_the_app_is_a_widget(make_session: MakeSession) -> None:
    session = make_session()
    app = LabelingApp(session)
    assert isinstance(app, ipywidgets.Widget)
    assert app.session is session
    assert "aew-app" in app._dom_classes
    [grid] = app.children
    assert list(grid.children) == [app._front_end]


def test_a_resumed_session_has_the_same_plots(make_session: MakeSession, open_page: OpenPage) -> None:
    store = MemoryStore()
    page = open_page(make_session(store=store))
    for _ in range(5):
        page.label(1)
    resumed = open_page(make_session(store=store)).ask("plots")["plots"]
    assert resumed["trajectory"]["curves"][0]["x"][-1] == page.app.session.n_draws
    assert resumed == page.ask("plots")["plots"]


EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"


def tree(widget: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from tree(child)


class EvilMeasure(ErrorRate):
    name = EVIL


def test_no_widget_makes_markup_of_content(open_page: OpenPage) -> None:
    predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6]], classes=[EVIL, EVIL + "2"], name=EVIL)
    pool = Pool(np.zeros((2, 3, 3)), predictions=predictions, ids=[EVIL, "b"])
    page = open_page(Session(pool, EvilMeasure(), name=EVIL, protocol="papers"), title=EVIL, question=EVIL)
    page.ask("hello")
    page.label(0)
    page.ask("plots")
    # All of it goes to the page as data. Only these would make markup of it.
    assert [
        widget for widget in tree(page.app) if isinstance(widget, ipywidgets.HTML | ipywidgets.HTMLMath)
    ] == []


def test_the_script_makes_no_markup_of_content() -> None:
    script = "\n".join(path.read_text() for path in STATIC.glob("*.js"))
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", script
    )


# -- the one-liner ----------------------------------------------------------------------------------------


def test_evaluate_takes_every_option_of_pool_and_session() -> None:
    def options(function: Callable[..., Any]) -> set[str]:
        parameters = inspect.signature(function).parameters.values()
        return {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}

    assert options(Pool) - {"predictions"} <= options(evaluate)
    assert options(Session) <= options(evaluate)


def test_evaluate_has_the_defaults_of_what_it_calls() -> None:
    given = inspect.signature(evaluate).parameters
    for called in (Pool, Session, LabelingApp):
        for name, parameter in inspect.signature(called).parameters.items():
            if name in given and name not in ("predictions", "seed"):
                assert given[name].default == parameter.default


def test_evaluate_passes_all_options_on(open_page: OpenPage) -> None:
    images = np.random.default_rng(0).random((5, 3, 3))
    predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.5, 0.5], [1, 0]])
    store = MemoryStore()
    app = evaluate(
        images,
        predictions,
        Accuracy(),
        ids=list("abcde"),
        costs=[1, 2, 3, 4, 5],
        kind="image",
        budget=4,
        seed=17,
        store=store,
        name="mine",
        q=uniform_q(5),
        defensive=0.25,
        title="A title",
        question="A question?",
    )
    session = app.session
    assert isinstance(app, LabelingApp)
    assert np.array_equal(session.pool.instances, images)
    assert session.pool.predictions is predictions
    assert isinstance(session.measure, Accuracy)
    assert session.pool.ids == list("abcde")
    assert session.pool.costs.tolist() == [1, 2, 3, 4, 5]
    assert (session.budget, session.seed, session.name, session.draws.defensive) == (4, 17, "mine", 0.25)
    assert session.store is store
    assert session.q.tolist() == [0.2] * 5
    config = open_page(app).ask("hello")["config"]
    assert (config["title"], config["question"]) == ("A title", "A question?")


def test_evaluate_refuses_what_pool_and_session_refuse() -> None:
    predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
    with pytest.raises(ValueError, match="instances holds 3 images, but the predictions are for 2 instances"):
        evaluate(np.zeros((3, 2, 2)), predictions, ErrorRate(), protocol="papers")
    with pytest.raises(ValueError, match=r"kind must be one of .*'text', got 'txt'"):
        evaluate(np.zeros((2, 2, 2)), predictions, ErrorRate(), kind="txt", protocol="papers")
    with pytest.raises(TypeError, match="unexpected keyword 'bugdet': did you mean 'budget'"):
        evaluate(np.zeros((2, 2, 2)), predictions, ErrorRate(), bugdet=3, protocol="papers")


def test_the_package_gives_it() -> None:
    assert activeeval_widgets.evaluate is evaluate
    assert activeeval_widgets.LabelingApp is LabelingApp
