import logging
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import MemoryStore, Pool, Ranking, Result, Session
from activeeval_widgets.session.log.events import Changed, Flagged, Labeled, Noted
from activeeval_widgets.stats import (
    DCG,
    ClassPredictions,
    ErrorRate,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.widgets.answers.answers import AHEAD, MAX_AHEAD, check_reasons, usual_reasons
from activeeval_widgets.widgets.labels.panel import label_panel

from ..labeling import give_labels

MakeSession = Callable[..., Session]
OpenPage = Callable[..., Any]


def labels_of(session: Session) -> list[tuple[int, Any]]:
    return [(action.draw, action.value) for action in session.log.actions if isinstance(action, Labeled)]


def test_what_is_sent_again_after_a_reload_counts_once_and_for_its_instance_alone(
    make_session: MakeSession, open_page: OpenPage
) -> None:
    session = make_session()
    page = open_page(session)
    first, second, third = session.upcoming(3)

    def resend(*answers: dict[str, Any]) -> dict[str, Any]:
        sent = [{"seconds": 1, "type": "label", **answer} for answer in answers]
        result = page.exchange({"type": "answers", "answers": sent, "client": "b", "seq": 1})
        answered: dict[str, Any] = result[-1]
        return answered

    session.label(1, draw=first.draw)  # it was saved, and the confirmation was lost
    result = resend(
        {"draw": first.draw, "value": 1, "resent_for": first.index},
        {"draw": second.draw, "value": 2, "resent_for": second.index},
    )
    assert "stale" not in result
    assert labels_of(session) == [(first.draw, 1), (second.draw, 2)]
    result = resend(
        {"draw": second.draw, "value": 0, "resent_for": second.index}
    )  # answered differently since
    assert "was not saved" in result["stale"]
    result = resend({"draw": third.draw, "value": 0, "resent_for": first.index})  # another instance
    assert (
        result["stale"]
        == "An earlier answer to item 3 was not saved: this session asks something else there."
    )
    assert labels_of(session) == [(first.draw, 1), (second.draw, 2)]


@pytest.mark.parametrize("kind", ["label", "defer", "exclude"])
def test_what_was_undone_meanwhile_is_not_saved_by_sending_it_again(
    make_session: MakeSession, open_page: OpenPage, kind: str
) -> None:
    """It was saved, the confirmation was lost, another tab took it back, and the page was loaded again."""
    session = make_session()
    page = open_page(session)
    first = session.upcoming(1)[0]
    value = {"value": 1} if kind == "label" else {}
    answer = {"type": kind, "draw": first.draw, "seconds": 1.25, "first_key_seconds": 0.5, **value}

    def send(*answers: dict[str, Any], seq: int, client: str) -> dict[str, Any]:
        result = page.exchange({"type": "answers", "answers": answers, "client": client, "seq": seq})
        answered: dict[str, Any] = result[-1]
        return answered

    send(answer, seq=1, client="a")
    n_answered = len(session.log.actions)
    assert page.ask("undo").keys() >= {"state"}
    assert len(session.log.actions) == n_answered - 1 == 0
    resent = {**answer, "resent_for": first.index}
    result = send(resent, seq=1, client="b")
    assert result["stale"] == (
        f"An earlier answer to item {first.draw} was saved, and undone since: the item is asked again."
    )
    assert len(session.log.actions) == 0
    assert session.upcoming(1)[0].draw == first.draw
    # An undo that was sent after it is not done a second time either.
    n_events = len(session.log)
    send(resent, {"type": "undo"}, seq=2, client="b")
    assert len(session.log) == n_events
    # The same answer, given anew, is another one: its confirmation was lost before it was saved.
    again = {**answer, "seconds": 2.5, "resent_for": first.index}
    assert "stale" not in send(again, seq=1, client="c")
    assert len(session.log.actions) == 1
    assert "stale" not in send(again, seq=1, client="d") or kind != "label"
    assert len(session.log.actions) == 1


# -- many answers in one message --------------------------------------------------------------------------


def test_answers_are_carried_out_in_order_and_the_state_is_reported_once(
    make_session: MakeSession, open_page: OpenPage
) -> None:
    session = make_session()
    page = open_page(session)
    coming = session.upcoming(3)
    [result] = page.exchange(
        {
            "type": "answers",
            "answers": [
                {
                    "type": "label",
                    "value": 1,
                    "draw": coming[0].draw,
                    "seconds": 2.5,
                    "first_key_seconds": 0.75,
                },
                {"type": "note", "index": coming[1].index, "text": "odd"},
                {"type": "exclude", "draw": coming[1].draw, "seconds": 1, "reason": "a duplicate"},
                {"type": "flag", "index": coming[2].index, "flagged": True},
                {"type": "label", "value": 2, "draw": coming[2].draw, "seconds": 1},
            ],
            "ahead": 20,
            "client": "a",
            "seq": 1,
        }
    )
    # In one message: a connection that is cut between two would leave a page with one of them.
    assert result.keys() == {"state", "client", "seq", "ms_each"}
    assert result["state"]["n_labels"] == 2
    assert len(result["state"]["queue"]) == 20
    assert labels_of(session) == [(coming[0].draw, 1), (coming[2].draw, 2)]
    first, excluded, _ = session.log.actions
    assert (first.seconds, first.first_key_seconds) == (2.5, 0.75)
    assert excluded.reason == "a duplicate"
    assert session.log.notes == {coming[1].index: "odd"}
    assert session.log.flags == {coming[2].index}


def test_what_comes_before_a_refused_answer_is_stored_and_told(
    make_session: MakeSession, open_page: OpenPage
) -> None:
    session = make_session()
    page = open_page(session)
    first, second = session.upcoming(2)
    answer = page.ask(
        "answers",
        answers=[
            {"type": "label", "value": 1, "draw": first.draw, "seconds": 1},
            {"type": "label", "value": 99, "draw": second.draw, "seconds": 1},
            {"type": "label", "value": 1, "draw": second.draw, "seconds": 1},
        ],
    )
    assert answer["error"] == "value must be a number from 0 to 2, got 99"
    assert answer["state"]["n_labels"] == 1
    assert labels_of(session) == [(first.draw, 1)]
    assert page.label(0)["state"]["n_labels"] == 2


def test_the_page_says_how_far_it_wants_to_see(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session(200))
    assert len(page.ask("hello")["state"]["queue"]) == AHEAD
    assert len(page.ask("answers", answers=[], ahead=100)["state"]["queue"]) == 100
    assert len(page.label(0)["state"]["queue"]) == 100
    page.ask("answers", answers=[], ahead=10**9)
    assert page.app._page.answers.ahead == MAX_AHEAD


@pytest.mark.parametrize("ahead", [0, -1, 1.5, "many", True])
def test_a_sight_that_can_not_be(make_session: MakeSession, open_page: OpenPage, ahead: Any) -> None:
    page = open_page(make_session())
    answer = page.ask("answers", answers=[{"type": "undo"}], ahead=ahead)
    assert answer == {"error": f"ahead must be a whole number >= 1, got {ahead!r}"}


def test_an_unknown_answer_is_an_error(
    make_session: MakeSession, open_page: OpenPage, caplog: pytest.LogCaptureFixture
) -> None:
    page = open_page(make_session())
    with caplog.at_level(logging.CRITICAL):
        assert "error" in page.ask("answers", answers=[{"type": "hello"}])
    assert page.label(0)["state"]["n_labels"] == 1


# -- changes, notes, flags --------------------------------------------------------------------------------


def test_a_label_is_changed_and_the_change_undone(make_session: MakeSession, open_page: OpenPage) -> None:
    session = make_session(classes=["spam", "eggs", "ham"])
    page = open_page(session)
    page.label(0)
    index = session.log.actions[0].instance
    assert page.ask("change", index=index, value=2)["state"]["n_labels"] == 1
    assert session.log.label_of(index) == "ham"
    assert isinstance(session.log.actions[-1], Changed)
    assert "undone" not in page.ask("undo")
    assert session.log.label_of(index) == "spam"
    assert page.ask("undo")["undone"] == {"index": index, "value": 0}


def test_what_has_no_label_can_not_be_changed(make_session: MakeSession, open_page: OpenPage) -> None:
    session = make_session()
    page = open_page(session)
    present = session.next()
    assert (
        "has no label: only a label can be changed"
        in page.ask("change", index=present.index, value=1)["error"]
    )


def test_notes_and_flags_come_with_the_queue(make_session: MakeSession, open_page: OpenPage) -> None:
    session = make_session()
    page = open_page(session)
    present = session.upcoming(1)[0]
    page.ask("note", index=present.index, text="  why?\n")
    first = page.ask("flag", index=present.index, flagged=True)["state"]["queue"][0]
    assert (first["note"], first["flagged"]) == ("why?", True)
    page.ask("note", index=present.index, text="")
    first = page.ask("flag", index=present.index, flagged=False)["state"]["queue"][0]
    assert first.keys() == {"draw", "index", "id"}
    events = [type(event) for event in session.log.state.log]
    assert events == [Noted, Flagged, Noted, Flagged]


# -- the history ------------------------------------------------------------------------------------------


def test_the_history_has_a_row_for_each_instance(make_session: MakeSession, open_page: OpenPage) -> None:
    session = make_session(classes=["spam", "eggs", "ham"])
    page = open_page(session)
    coming = session.upcoming(5)
    page.label(0)
    page.label(1)
    page.ask("exclude", draw=coming[2].draw, seconds=1, reason="broken")
    page.ask("defer", draw=coming[3].draw, seconds=1)
    page.ask("change", index=coming[0].index, value=2)
    page.ask("note", index=coming[1].index, text="hm")
    page.ask("flag", index=coming[4].index, flagged=True)
    history = page.ask("history")["history"]
    assert history["n_rows"] == 5
    rows = {row["index"]: row for row in history["rows"]}
    assert [row["index"] for row in history["rows"]] == [coming[i].index for i in (4, 0, 3, 2, 1)]
    for drawn in coming[:4]:
        assert (rows[drawn.index]["draw"], rows[drawn.index]["id"]) == (drawn.draw, drawn.instance_id)
    changed, labeled, excluded, aside, flagged = (rows[drawn.index] for drawn in coming)
    assert (changed["answer"], changed["value"], changed["is_changed"]) == ("ham", 2, True)
    assert (labeled["answer"], labeled["value"], labeled["note"]) == ("eggs", 1, "hm")
    assert not labeled["is_changed"]
    assert (excluded["answer"], "value" in excluded) == ("excluded: broken", False)
    assert (aside["answer"], "value" in aside) == ("put aside", False)
    assert (flagged["answer"], flagged["flagged"], "draw" in flagged) == ("", True, False)


def test_a_deferred_instance_that_was_labeled_has_its_label(
    make_session: MakeSession, open_page: OpenPage
) -> None:
    session = make_session(3)
    page = open_page(session)
    first = session.upcoming(1)[0]
    page.ask("defer", draw=first.draw, seconds=1)
    page.label(1)
    page.label(1)
    page.label(2)
    row = page.ask("history")["history"]["rows"][0]
    assert (row["index"], row["answer"], row["value"]) == (first.index, "2", 2)


def test_instances_of_the_history_can_be_asked_for(make_session: MakeSession, open_page: OpenPage) -> None:
    store = MemoryStore()
    page = open_page(make_session(store=store))
    index = page.app.session.upcoming(1)[0].index
    page.label(0)
    resumed = open_page(make_session(store=store))
    assert resumed.ask("instances", indices=[index])["instances"] == []
    resumed.ask("history")
    assert [result["index"] for result in resumed.ask("instances", indices=[index])["instances"]] == [index]


# -- labels of other kinds --------------------------------------------------------------------------------


def test_numbers_reach_the_session() -> None:
    pool = Pool(["a", "b", "c"], predictions=ValuePredictions([1.0, 2.0, 3.0]))
    session = Session(pool, SquaredError(), y_range=(0, 10), q=np.full(3, 1 / 3))
    panel = label_panel(session.labels, unit="kg")
    assert panel.config() == {
        "kind": "number",
        "low": 0.0,
        "high": 10.0,
        "unit": ("kg", "kg"),
        "decimal_mark": None,
    }
    session.label(panel.decode(2.5))
    assert session.log.actions[0].value == 2.5
    with pytest.raises(ValueError, match=r"label is 11\.0, expected a number from 0 to 10"):
        session.label(panel.decode(11))


def test_grades_reach_the_session() -> None:
    rankings = [["a", 1], ["b"]]
    proba = [{item: [0.5, 0.3, 0.2] for item in ranking} for ranking in rankings]
    predictions = RankingPredictions(rankings, proba, [0, 1, 2])
    pool = Pool(
        [Ranking("q", [Result(i, title=str(i)) for i in r]) for r in rankings], predictions=predictions
    )
    session = Session(pool, DCG(), q=[0.5, 0.5])
    panel = label_panel(session.labels)
    values = [{"a": 2, "1": None}, {"b": 1}]
    give_labels(session, lambda i: panel.decode(values[i]))
    assert [panel.encode(session.log.label_of(index)) for index in (0, 1)] == values


# -- reasons ----------------------------------------------------------------------------------------------


def test_reasons() -> None:
    assert check_reasons(("blurred", "empty")) == ["blurred", "empty"]
    assert check_reasons([]) == []


def test_usual_reasons_fit_the_kind_of_instance() -> None:
    images = Session(Pool(np.zeros((2, 8, 8)), predictions=ClassPredictions([[0.9, 0.1]] * 2)), ErrorRate())
    texts = Session(Pool(["a", "b"], predictions=ValuePredictions([0.0, 1.0], [1.0, 1.0])), SquaredError())
    language, label = "in a foreign language", "no label fits"
    assert language not in usual_reasons(images, label_panel(images.labels))
    assert label in usual_reasons(images, label_panel(images.labels))
    assert language in usual_reasons(texts, label_panel(texts.labels))
    assert label not in usual_reasons(texts, label_panel(texts.labels))


@pytest.mark.parametrize(
    ("reasons", "error", "message"),
    [
        ("broken", TypeError, "reasons must be a sequence of strings, got 'broken'"),
        (None, TypeError, "reasons must be a sequence of strings, got None"),
        (["a", 1], TypeError, "reasons[1] must be a string, got 1"),
        (["a", " "], ValueError, "reasons[1] must not be blank, got ' '"),
    ],
)
def test_reasons_that_can_not_be(reasons: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        check_reasons(reasons)
