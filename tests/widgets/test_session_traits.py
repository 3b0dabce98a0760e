"""Traits of the app and of parts: they follow the session, and can be observed and linked, not set."""

from collections.abc import Callable
from math import isnan, nan
from typing import Any

import ipywidgets
import numpy as np
import pytest
from traitlets import TraitError

from activeeval_widgets.session import GradeLabels, Pool, Session
from activeeval_widgets.stats import DCG, ClassPredictions, ErrorRate, RankingPredictions
from activeeval_widgets.widgets import (
    EstimateView,
    HistoryView,
    InstanceView,
    LabelButtons,
    LabelingApp,
    ProgressView,
)

from ..labeling import give_labels
from .conftest import Page

N = 20
WIDGETS = (LabelingApp, InstanceView, LabelButtons, EstimateView, ProgressView, HistoryView)
NAMES = ("n_labels", "n_draws", "value", "low", "high", "is_done", "instance_id", "label")


@pytest.fixture
def session() -> Session:
    return made()


def made(**options: Any) -> Session:
    y_proba = np.random.default_rng(1).dirichlet(np.ones(3), N)
    model = ClassPredictions(y_proba, classes=["cat", "cow", "dog"])
    return Session(Pool([f"text {n}" for n in range(N)], predictions=model), ErrorRate(), **options)


@pytest.fixture(params=WIDGETS, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_they_follow_what_code_does(kind: Any) -> None:
    session = made(budget=5)
    widget = kind(session)
    assert (widget.n_labels, widget.n_draws, widget.is_done, widget.label) == (0, 0, False, None)
    assert widget.instance_id == session.next().instance_id
    assert all(map(isnan, (widget.value, widget.low, widget.high)))
    for n, label in enumerate(["cat", "dog", "dog", "cow"], start=1):
        session.label(label)
        estimate = session.estimate()
        assert (widget.n_labels, widget.n_draws, widget.label) == (n, n, label)
        assert (widget.value, widget.low, widget.high) == (estimate.value, estimate.low, estimate.high)
        assert widget.instance_id == session.next().instance_id
    session.undo()
    assert (widget.n_labels, widget.label) == (3, "dog")
    session.exclude()
    assert widget.n_labels == 3
    assert widget.n_draws == session.estimate().n_draws
    give_labels(session, "cat", 2)
    assert (widget.is_done, widget.instance_id) == (True, None)


def test_they_have_their_values_from_the_beginning_of_a_session_that_goes_on(kind: Any) -> None:
    session = made()
    for label in ["cat", "dog", "dog"]:
        session.label(label)
    widget, estimate = kind(session), session.estimate()
    assert (widget.n_labels, widget.label) == (3, "dog")
    assert (widget.value, widget.low, widget.high) == (estimate.value, estimate.low, estimate.high)


def test_observers_are_called_once_an_event_with_all_values_there(kind: Any, session: Session) -> None:
    widget = kind(session)
    seen: list[Any] = []
    widget.observe(lambda change: seen.append((change["new"], widget.n_labels, widget.label)), "value")
    session.label("cat")
    session.label("dog")
    assert [each[1:] for each in seen] == [(1, "cat"), (2, "dog")]
    assert seen[-1][0] == widget.value
    session.note("a note", session.next().index)  # nothing of the estimate
    assert len(seen) == 2


def test_the_page_is_notified_before_the_traits_change(session: Session) -> None:
    app = LabelingApp(session)
    page = Page(app)
    [present, *_] = page.ask("hello")["state"]["queue"]
    n_before = len(app._front_end.comm.sent)
    result: list[Any] = []
    app.observe(lambda _: result.extend(app._front_end.comm.sent[n_before:]), "n_labels")
    label = {"type": "label", "value": 1, "draw": present["draw"], "seconds": 1.0, "first_key_seconds": 0.5}
    page.ask("answers", answers=[label], ahead=48)
    [(data, _)] = result
    assert data["content"]["state"]["n_labels"] == 1
    assert "ms_each" in data["content"]  # it is the answer itself


def test_a_label_changes_all_of_them_by_one_message(kind: Any, session: Session) -> None:
    widget = kind(session)
    n_before = len(widget.comm.sent)
    session.label("cat")
    [update] = [data["state"] for data, _ in widget.comm.sent[n_before:] if data["method"] == "update"]
    assert (
        {"n_labels", "n_draws", "value", "low", "high", "instance_id", "label"} >= set(update) > {"n_labels"}
    )


def test_an_observer_that_fails_loses_no_label_and_no_answer(session: Session) -> None:
    app = LabelingApp(session)
    page = Page(app)
    queue = page.ask("hello")["state"]["queue"]

    def fail(_change: Any) -> None:
        raise RuntimeError("mine")

    app.observe(fail, "n_labels")
    for n, present in enumerate(queue[:2], start=1):
        label = {
            "type": "label",
            "value": 1,
            "draw": present["draw"],
            "seconds": 1.0,
            "first_key_seconds": 0.5,
        }
        message = {"type": "answers", "answers": [label], "ahead": 48, "client": "tab-1", "seq": 100 + n}
        with pytest.raises(RuntimeError, match="mine"):
            app._front_end._answer(message, [])
        answers = [data["content"] for data, _ in app._front_end.comm.sent if data.get("method") == "custom"]
        assert [each["state"]["n_labels"] for each in answers if each.get("seq") == 100 + n] == [n]
    assert session.n_labels == 2


@pytest.mark.parametrize("name", NAMES)
def test_none_can_be_set(name: str, kind: Any, session: Session) -> None:
    widget = kind(session)
    with pytest.raises(TraitError, match="read-only"):
        setattr(widget, name, getattr(widget, name))


def test_a_front_end_that_changes_one_gets_the_value_again(kind: Any, session: Session) -> None:
    widget = kind(session)
    session.label("cat")
    sent = widget.comm.sent
    n_before = len(sent)
    data = {"method": "update", "state": {"n_labels": 9}, "buffer_paths": []}
    widget._handle_msg({"content": {"data": data}, "buffers": []})
    assert widget.n_labels == 1
    assert {"n_labels": 1} in [data["state"] for data, _ in sent[n_before:] if data["method"] == "update"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("estimate", r"{} has no trait 'estimate': did you mean 'value'\?"),
        ("nlabels", r"{} has no trait 'nlabels': did you mean 'n_labels'\?"),
        ("upper", r"did you mean 'high'\?"),
        (
            "zzz",
            "{} has no trait 'zzz'; it has n_labels, n_draws, value, low, high, is_done",
        ),
    ],
)
def test_unknown_traits_are_refused_with_the_likely_name(
    name: str, error: str, kind: Any, session: Session
) -> None:
    widget = kind(session)
    with pytest.raises(ValueError, match=error.format(kind.__name__)):
        widget.observe(print, name)
    with pytest.raises(ValueError, match=error.format(kind.__name__)):
        widget.observe(print, ["value", name])
    widget.observe(print)  # of all
    widget.unobserve(print)


def test_they_are_linked_in_python_and_in_the_browser(kind: Any, session: Session) -> None:
    widget = kind(session)
    session.label("cat")  # ipywidgets' own widgets send NaN as it is, which is not JSON
    count, value = ipywidgets.IntProgress(), ipywidgets.FloatText()
    ipywidgets.dlink((widget, "n_labels"), (count, "value"))
    ipywidgets.dlink((widget, "value"), (value, "value"))
    ipywidgets.jslink((widget, "n_labels"), (ipywidgets.IntText(), "value"))
    shown: list[Any] = []
    ipywidgets.interactive_output(lambda estimate: shown.append(estimate), {"estimate": widget})
    session.label("dog")
    assert count.value == 2
    assert value.value == widget.value == shown[-1]


def test_what_is_undefined_is_no_number_in_json_and_in_javascript(kind: Any, session: Session) -> None:
    widget = kind(session)
    state = widget.get_state(NAMES)
    assert (state["value"], state["low"], state["instance_id"]) == ("NaN", "NaN", widget.instance_id)
    session.label("cat")
    assert widget.get_state(NAMES)["value"] == widget.value


def test_an_app_without_the_estimate_shows_nothing_of_it(session: Session) -> None:
    app = LabelingApp(session, shows_estimate=False)
    session.label("cat")
    assert app.n_labels == 1
    assert all(map(isnan, (app.value, app.low, app.high)))
    for_labelers = LabelingApp(session, shows_estimate=False)
    assert isnan(for_labelers.value)
    assert for_labelers.n_draws == 1
    assert nan not in [app.n_labels, app.n_draws]


def test_grades_are_reported_by_the_names_of_the_items() -> None:
    predictions = RankingPredictions(
        [["a", "b"], ["b", "c"]],
        [{"a": [0.5, 0.5], "b": [0.2, 0.8]}, {"b": [0.6, 0.4], "c": [0.3, 0.7]}],
        [0, 1],
    )
    session = Session(Pool(["x", "y"], predictions=predictions, kind="custom"), DCG())
    assert isinstance(session.labels, GradeLabels)
    InstanceView(session, view=lambda instance: f"query {instance}")
    labels = LabelButtons(session)
    items = session.labels.items[session.next().index]
    given = dict.fromkeys(items, 1)
    session.label(given)
    assert labels.get_state("label")["label"] == {str(item): 1 for item in items}


def test_what_a_link_does_not_change_is_not_sent(session: Session, kind: Any) -> None:
    widget = kind(session)
    session.label("cat")
    n_before = len(widget.comm.sent)
    session.note("a note", session.next().index)
    assert [data for data, _ in widget.comm.sent[n_before:] if data["method"] == "update"] == []


CHANGES: dict[str, Callable[[Session], Any]] = {
    "a change": lambda session: session.change(session.log.actions[-1].instance, "cow"),
    "an undo": lambda session: session.undo(),
}


@pytest.mark.parametrize("how", CHANGES)
def test_the_latest_label_is_the_one_that_counts(how: str, kind: Any, session: Session) -> None:
    widget = kind(session)
    session.label("dog")
    session.label("cat")
    CHANGES[how](session)
    assert widget.label == {"a change": "cow", "an undo": "dog"}[how]
