"""Parts of a session by themselves: what Python answers and tells, without a browser."""

from collections.abc import Callable
from math import isnan
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import activeeval_widgets
from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate, SquaredError, ValuePredictions
from activeeval_widgets.widgets import (
    EstimateView,
    HistoryView,
    InstanceView,
    LabelButtons,
    LabelingApp,
    ProgressView,
    element,
)
from activeeval_widgets.widgets.parts import ACTIONS

from .conftest import Page

N = 20
PARTS = (InstanceView, LabelButtons, EstimateView, ProgressView, HistoryView)


@pytest.fixture
def session() -> Session:
    y_proba = np.random.default_rng(1).dirichlet(np.ones(3), N)
    model = ClassPredictions(y_proba, classes=["cat", "cow", "dog"])
    return Session(Pool([f"text {n}" for n in range(N)], predictions=model), ErrorRate(), budget=12)


class PartPage(Page):
    """A page that shows parts: asks the model that they share."""

    def __init__(self, part: Any, client: str = "tab-1") -> None:
        super().__init__(SimpleNamespace(_front_end=part._page), client)


@pytest.mark.parametrize("part", PARTS)
def test_each_stands_alone(part: Any, session: Session) -> None:
    widget = part(session, layout={"width": "50%"})
    assert widget.layout.width == "50%"
    assert widget._esm.count("renderPart") == 1
    reply = PartPage(widget).ask("hello")
    assert reply["config"]["question"] == "Which class is this?"
    assert {action["name"] for action in reply["config"]["actions"]} == ACTIONS
    assert reply["config"]["is_standalone"] is False
    assert reply["state"]["n_labels"] == 0
    assert getattr(activeeval_widgets, part.__name__) is part


def test_all_parts_of_a_session_share_one_front_end(session: Session) -> None:
    parts = [part(session) for part in (*PARTS, InstanceView)]
    assert len({part.get_state("_page")["_page"] for part in parts}) == 1
    other = Session(session.pool, ErrorRate(), seed=2)
    assert LabelButtons(other)._page is not parts[0]._page


def test_a_label_by_one_part_is_stored_once_and_told_to_all(session: Session) -> None:
    labels, estimate, app = LabelButtons(session), EstimateView(session), LabelingApp(session)
    page = PartPage(labels)
    [present, *_] = page.ask("hello")["state"]["queue"]
    label = {"type": "label", "value": 1, "draw": present["draw"], "seconds": 1.0, "first_key_seconds": 0.5}
    reply = page.ask("answers", answers=[label], ahead=48)
    assert reply["state"]["n_labels"] == 1
    assert session.log.label_of(present["index"]) == "cow"
    for widget in (labels, estimate, app):
        assert (widget.n_labels, widget.label) == (1, "cow")
        assert widget.instance_id == reply["state"]["queue"][0]["id"]
    assert app._front_end.comm.sent[-1][0]["content"]["state"]["n_labels"] == 1


def test_what_one_part_says_of_the_labels_holds_for_all(session: Session) -> None:
    instance = InstanceView(session)
    page = PartPage(instance)
    assert page.ask("hello")["config"]["labels"]["choices"][0]["keys"] == ("1",)
    sent = instance._page.comm.sent
    n_before = len(sent)
    labels = LabelButtons(session, keys={"cat": "k"}, question="Which animal?")
    [(result, _)] = sent[n_before:]
    assert result["content"]["config"]["question"] == "Which animal?"
    assert result["content"]["config"]["labels"]["choices"][0]["keys"] == ("k",)
    InstanceView(session, view=lambda text: element("h3", text))  # what was said before stays
    config = PartPage(labels, "tab-2").ask("hello")["config"]
    assert config["question"] == "Which animal?"
    [first, *_] = page.ask("hello")["state"]["queue"]
    page.ask("instances", indices=[first["index"]])
    assert b'["h3"' in bytes(page.buffers[0])


def test_a_refused_option_leaves_the_parts_as_they_were(session: Session) -> None:
    labels = LabelButtons(session)
    with pytest.raises(ValueError, match="'bird', which is not one of the labels"):
        LabelButtons(session, keys={"bird": "b"})
    with pytest.raises(ValueError, match="unit"):
        LabelButtons(session, unit="kg")
    assert PartPage(labels).ask("hello")["config"]["labels"]["choices"][0]["keys"] == ("1",)
    session.label("cat")
    assert labels.n_labels == 1


def test_a_refused_first_part_leaves_nothing(session: Session) -> None:
    with pytest.raises(ValueError, match="not one of the labels"):
        LabelButtons(session, keys={"bird": "b"})
    labels = LabelButtons(session)
    assert PartPage(labels).ask("hello")["config"]["labels"]["choices"][0]["keys"] == ("1",)
    labels.close()
    assert session.label("cat")


@pytest.mark.parametrize("part", PARTS)
def test_what_is_no_session_is_refused(part: Any) -> None:
    with pytest.raises(TypeError, match="session must be a Session, got 7"):
        part(7)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda session: LabelButtons(session, key={}), "unexpected keyword 'key': did you mean 'keys'"),
        (lambda session: InstanceView(session, views=str), "did you mean 'view'"),
        (lambda session: ProgressView(session, title="a"), "'title'; it takes session, layout"),
        (lambda session: LabelingApp(session, show_estimate=False), "did you mean 'shows_estimate'"),
    ],
)
def test_unknown_options_are_refused_with_the_likely_name(
    make: Callable[[Session], Any], error: str, session: Session
) -> None:
    with pytest.raises(TypeError, match=error):
        make(session)


def test_the_last_part_that_is_closed_stops_following(session: Session) -> None:
    parts = [LabelButtons(session), ProgressView(session)]
    front_end = parts[0]._page
    parts[0].close()
    session.label("dog")
    assert parts[1].n_labels == 1
    parts[1].close()
    parts[1].close()  # twice is once
    assert front_end.comm is None
    session.label("dog")
    assert parts[1].n_labels == 1
    assert LabelButtons(session).n_labels == 2


def test_parts_of_numbers(session: Session) -> None:
    pool = Pool(["a", "b"], predictions=ValuePredictions([1.0, 2.0], [1.0, 1.0]))
    numbers = Session(pool, SquaredError(), y_range=(0, 9))
    labels = LabelButtons(numbers, unit="kg", question="How heavy?")
    assert PartPage(labels).ask("hello")["config"]["labels"]["unit"] == ("kg", "kg")
    numbers.label(3.5)
    assert labels.label == 3.5
    assert isnan(EstimateView(Session(pool, SquaredError(), y_range=(0, 9))).value)
