"""Sheets as a page gets them, and what it sends back."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import evaluate
from activeeval_widgets.session import MemoryStore, Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.snapshot import Snapshots
from activeeval_widgets.widgets.labels.keys import label_keys

OpenPage = Callable[..., Any]

SURE = ClassPredictions([[0.02, 0.98], [0.97, 0.03]] * 60, ["ham", "spam"])


def make(**options: Any) -> Session:
    pool = Pool([f"text {i}" for i in range(120)], predictions=SURE)
    return Session(pool, options.pop("measure", ErrorRate()), **{"sheets": True, **options})


def answers_of(sheet: dict[str, Any], **changed: Any) -> list[dict[str, Any]]:
    return [{name: tile[name] for name in ("draw", "index", "value")} | changed for tile in sheet["tiles"]]


def send(page: Any, *answers: dict[str, Any]) -> dict[str, Any]:
    reply: dict[str, Any] = page.ask("answers", answers=list(answers), ahead=48)
    return reply


def test_a_page_opens_a_sheet_and_saves_it(open_page: OpenPage):
    session = make()
    page = open_page(session)
    config = page.ask("hello")
    assert config["state"]["offers_sheet"] is True
    assert "sheet" not in config["state"]
    assert config["config"]["keys"]["actions"]["sheet"] == ["b"]
    state = page.ask("open_sheet")["state"]
    tiles = state["sheet"]["tiles"]
    assert len(tiles) == 24
    assert [tile["value"] for tile in tiles] == sorted(tile["value"] for tile in tiles)
    assert state["sheet"]["question"].startswith("The model is sure of these.")
    assert not {tile["draw"] for tile in tiles} & {drawn["draw"] for drawn in state["queue"]}
    shown = page.ask("instances", indices=[tiles[0]["index"]])
    assert shown["instances"][0]["index"] == tiles[0]["index"]
    state = send(page, {"type": "sheet", "answers": answers_of(state["sheet"]), "seconds": 24.0})["state"]
    assert "sheet" not in state
    assert state["status"].startswith("Saved the sheet")
    seconds = {action.seconds for action in session.log.actions}
    assert session.n_labels + session.log.n_deferred == 24
    assert seconds == {1.0}
    # One key takes all of it back.
    state = send(page, {"type": "undo"})["state"]
    assert len(state["sheet"]["tiles"]) == 24
    assert (state["n_labels"], state["status"]) == (0, "Undone: the sheet")


def test_a_page_knows_a_sheet_again(open_page: OpenPage):
    """Where it remembers marks, they must not go to a sheet of another session, which may show the same."""
    session = make()
    page = open_page(session)
    sheet = page.ask("open_sheet")["state"]["sheet"]
    assert open_page(session).ask("hello")["state"]["sheet"] == sheet
    send(page, {"type": "sheet", "answers": answers_of(sheet), "seconds": 24.0})
    assert send(page, {"type": "undo"})["state"]["sheet"] == sheet
    other = open_page(make()).ask("open_sheet")["state"]["sheet"]
    assert other["tiles"] == sheet["tiles"]
    assert other["begun"] != sheet["begun"]


def test_what_is_on_a_sheet_was_drawn():
    """And what others hold: the present q is 0 there, which is not "never drawn"."""
    session = make()
    assert session.sheets.take() is not None
    taken = Snapshots(session).current()
    assert taken.asked.draw > 16
    assert not (taken.left & (taken.q == 0)).any()
    assert int(taken.left.sum()) == 120 - taken.asked.draw


def test_a_null_puts_an_instance_aside(open_page: OpenPage):
    session = make()
    page = open_page(session)
    sheet = page.ask("open_sheet")["state"]["sheet"]
    state = send(page, {"type": "sheet", "answers": answers_of(sheet, value=None), "seconds": 3.0})["state"]
    assert (state["n_labels"], session.log.n_deferred) == (0, 24)


def test_labels_that_wait_are_not_called_none(open_page: OpenPage):
    session = make()
    page = open_page(session)
    sheet = page.ask("open_sheet")["state"]["sheet"]
    first = min(tile["draw"] for tile in sheet["tiles"])
    answers = [answer | ({"value": None} if answer["draw"] == first else {}) for answer in answers_of(sheet)]
    send(page, {"type": "sheet", "answers": answers, "seconds": 3.0})
    assert session.n_labels >= 20
    shown = Panels(session).content()["estimate"]
    assert shown["sentence"] == "No label counts yet."
    waiting = f"{session.n_labels} labels do not count yet: an earlier item is still open."
    assert waiting in shown["note"]
    assert waiting in session.report()


def test_while_a_sheet_asks_no_other_instance_is_marked(open_page: OpenPage):
    page = open_page(make())

    def note() -> str:
        text: str = page.ask("plots")["plots"]["distribution"]["note"]
        return text

    assert "as often as at random" in note()
    page.ask("open_sheet")
    assert "as often as at random" not in note()


def test_the_question_names_the_class(open_page: OpenPage):
    of_one_class = Pool(["a"] * 90, predictions=ClassPredictions([[0.02, 0.98]] * 90, ["ham", "spam"]))
    session = Session(of_one_class, ErrorRate(), sheets=True)
    sheet = open_page(session).ask("open_sheet")["state"]["sheet"]
    assert sheet["question"] == "These look like spam. Mark those that are not."
    session = make(measure=FMeasure(positive="spam"), sheets="positive")
    sheet = open_page(session).ask("open_sheet")["state"]["sheet"]
    assert sheet["question"] == "Mark every spam."
    assert {tile["value"] for tile in sheet["tiles"]} == {0}


def test_a_session_without_sheets_says_nothing_of_them(open_page: OpenPage):
    reply = open_page(make(sheets=False)).ask("hello")
    assert not {"sheet", "offers_sheet", "sheet_checks"} & reply["state"].keys()
    assert "sheet" not in reply["config"]["keys"]["actions"]


def test_a_page_without_the_model_has_no_sheets_that_show_it(open_page: OpenPage):
    reply = open_page(make(), shows_estimate=False).ask("hello")
    assert "offers_sheet" not in reply["state"]
    assert "sheet" not in reply["config"]["keys"]["actions"]
    asked = make(measure=FMeasure(positive="spam"), sheets="positive")
    assert open_page(asked, shows_estimate=False).ask("hello")["state"]["offers_sheet"] is True


def test_a_label_may_have_the_key_of_sheets():
    assert label_keys(["a", "b"]) == [("a",), ("b",)]


def test_another_tab_was_first(open_page: OpenPage):
    store = MemoryStore()
    session, other = make(store=store), make(store=store)
    page = open_page(session)
    sheet = page.ask("open_sheet")["state"]["sheet"]
    opened = other.sheets.take()
    assert opened is not None
    n_events = len(other.log)
    other.sheets.answer({drawn.draw: "ham" for drawn in opened.draws})
    result = send(page, {"type": "sheet", "answers": answers_of(sheet), "seconds": 3.0})
    # Those that were answered there keep their answers.
    assert len(session.log) > n_events
    assert session.n_labels == other.n_labels
    assert {session.log.label_of(tile["index"]) for tile in sheet["tiles"]} <= {"ham", None}
    assert "error" not in result


def test_the_page_shows_comparisons(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch):
    from activeeval_widgets.session import sheets

    monkeypatch.setattr(sheets.Sheets, "_is_checked", lambda *_: True)
    session = make()
    page = open_page(session)
    sheet = page.ask("open_sheet")["state"]["sheet"]
    send(page, {"type": "sheet", "answers": answers_of(sheet), "seconds": 3.0})
    while session.log.n_deferred:
        session.label("ham")
    state = page.ask("hello")["state"]
    assert "instances of a sheet were asked again one by one: " in state["sheet_checks"]
    assert state["offers_sheet"] is False


def test_evaluate_takes_sheets():
    app = evaluate(np.zeros((120, 4, 4)), SURE, "error-rate", sheets=True)
    assert app.session.sheets.asks == "prediction"
    assert app.session.sheets.is_offered
