"""Several people at one session, each with a page: names, who has what on screen, and where they differ."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.session import MemoryStore, Session, StoreError, clock
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.answers import session_sync

from .conftest import Page

MakeSession = Callable[..., Session]


def page(session: Session, **options: Any) -> Page:
    return Page(LabelingApp(session, **options))


def give(shown: Page, value: int) -> Any:
    """Answer what is on screen; returns the state that is told."""
    present = shown.app.session.next()
    answer = {"type": "label", "value": value, "draw": present.draw, "seconds": 1.0}
    reply = shown.ask("answers", answers=[answer], ahead=9)
    assert "error" not in reply
    return reply["state"]


def rows(shown: Page) -> Any:
    asking = {"only": [], "answer": None, "offset": 0, "shows_prediction": False, "asked": 1}
    return shown.ask("history", query="", **asking)["history"]["rows"]


def test_a_name_is_asked_for_and_draws_are_handed_to_it(make_session: MakeSession) -> None:
    store = MemoryStore()
    ada, bob = (page(make_session(store=store), asks_name=True) for _ in range(2))
    for each, who in ((ada, "Ada"), (bob, " Bob ")):
        begun = each.ask("hello")
        assert begun["config"]["asks_name"] is True
        assert begun["state"]["queue"] == []  # what is shown before is not what he will be asked about
        reply = each.ask("name", who=who)["state"]
        assert reply["people"]["who"] == who.strip()
    hers, his = ({drawn["draw"] for drawn in each.app._page.state()["queue"]} for each in (ada, bob))
    assert min(len(hers), len(his)) > 0
    assert not hers & his
    assert "who must be a name" in ada.ask("name", who="  ")["error"]
    assert ada.app.session.people.who == "Ada"


def test_who_is_logged_in_is_not_asked(make_session: MakeSession) -> None:
    shown = page(make_session(who="Ada"), asks_name=True)
    reply = shown.ask("hello")
    assert reply["config"]["asks_name"] is False
    assert reply["state"]["people"]["who"] == "Ada"
    assert "asks for no name" in shown.ask("name", who="Bob")["error"]
    assert shown.app.session.people.who == "Ada"


def test_one_person_without_a_name_sees_no_people(make_session: MakeSession) -> None:
    shown = page(make_session())
    shown.ask("hello")
    assert give(shown, 1)["people"] is None
    assert [event.kind for event in shown.app.session.log if event.kind != "draw"] == ["label"]


def test_a_page_follows_what_others_do(make_session: MakeSession) -> None:
    store = MemoryStore()
    ada, bob = (page(make_session(store=store, who=who)) for who in ("Ada", "Bob"))
    front = ada.ask("hello")["state"]["queue"][0]
    bob.ask("hello")
    give(bob, 1)
    sent = ada.app._front_end.comm.sent
    before = len(sent)
    assert ada.app._page.sync.poll() > 0
    [result] = [data["content"]["state"] for data, _ in sent[before:]]
    assert result["n_labels"] == 1
    assert result["queue"][0] == front
    assert result["can_undo"] is False
    assert {person["who"]: person["text"] for person in result["people"]["people"]} == {
        "Ada": "0 labels",
        "Bob": "1 label",
    }
    before = len(sent)
    assert ada.app._page.sync.poll() == 0
    assert len(sent) == before


def test_two_tabs_of_one_person_agree(make_session: MakeSession, tmp_path: Path) -> None:
    here, there = (page(make_session(store=tmp_path / "s.sqlite")) for _ in range(2))
    for each in (here, there):
        each.ask("hello")
    here.label(1)
    there.app._page.sync.poll()
    assert there.app._page.state()["queue"] == here.app._page.state()["queue"]
    session = there.app.session
    assert session.log.label_of(session.log.actions[0].instance) == 1


def batch(page: Page, *answers: dict[str, Any]) -> dict[str, Any]:
    """What the page is told about answers that it sent at once."""
    return page.ask("answers", answers=[{"seconds": 1.0, **answer} for answer in answers], ahead=9)


@pytest.mark.parametrize("has_heard", [True, False])
def test_a_late_answer_is_reported_and_costs_no_other(make_session: MakeSession, has_heard: bool) -> None:
    """Whether or not Python has heard of the other tab before the page has."""
    store = MemoryStore()
    here, there = (page(make_session(store=store)) for _ in range(2))
    session = there.app.session
    draws = [drawn.draw for drawn in session.upcoming(6)]

    def late(*answers: dict[str, Any]) -> str:
        if has_heard:
            there.app._page.sync.poll()
        result = batch(there, *answers)
        assert "error" not in result
        here.app._page.sync.poll()
        assert here.app.session.log.events == session.log.events
        assert result["state"]["queue"][0]["draw"] == draws[session.n_labels + session.log.n_excluded]
        return str(result["stale"])

    def label(position: int, value: int) -> dict[str, Any]:
        return {"type": "label", "draw": draws[position], "value": value}

    first = here.app.session.label(1).instance
    assert late(label(0, 2)) == (
        f"Item {draws[0]} was labeled “1” in another tab; your “2” was not saved. You can change it in the "
        "history. Here is the next one."
    )
    # What was typed after it counts, but for an undo: that was meant for the label that was not saved.
    here.app.session.label(0)
    result = late(label(1, 0), label(2, 2), {"type": "undo"}, label(1, 1))
    assert result == f"Item {draws[1]} was labeled “0” in another tab, too. Here is the next one."
    here.app.session.exclude()
    result = late({"type": "defer", "draw": draws[3]})
    assert result == f"Item {draws[3]} was excluded in another tab; that stands. Here is the next one."
    here.app.session.defer()  # a label is more than that
    if has_heard:
        there.app._page.sync.poll()
    assert "stale" not in batch(there, label(4, 1))
    here.app._page.sync.poll()
    if not has_heard:  # else he sees what he changes
        here.app.session.change(first, 0)
        result = late({"type": "change", "index": first, "value": 2})
        assert result == "This label was changed to “0” in another tab; your “2” was not saved."
        here.app.session.note("theirs", first)
        result = late({"type": "note", "index": first, "text": "mine"})
        assert result == (
            "This note was changed in another tab. It says “theirs” now; yours was not saved: “mine”"
        )
        here.app.session.undo()  # of the change
        assert late({"type": "undo"}).startswith("Nothing undone: this session went on in another tab.")
    while here.app.session.log.label_of(first) is not None:
        here.app.session.undo()
    if has_heard:
        there.app._page.sync.poll()
    result = batch(there, {"type": "change", "index": first, "value": 2})
    assert (
        result["stale"] == "Nothing changed: this label was undone in another tab. The item is asked again."
    )


def test_what_is_on_screen_stays_there(make_session: MakeSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where somebody was so slow that it was handed on; his answer is kept, and he is told kindly."""
    time = [datetime(2026, 1, 1, tzinfo=UTC)]
    monkeypatch.setattr(clock, "now", lambda: time[0])
    store = MemoryStore()
    ada, bob = (page(make_session(store=store, who=who, lease_seconds=60)) for who in ("Ada", "Bob"))
    front = ada.ask("hello")["state"]["queue"][0]
    bob.ask("hello")
    time[0] += timedelta(seconds=100)
    for _ in range(10):
        give(bob, 0)
    ada.app._page.sync.poll()
    result = ada.app._page.state()
    assert result["queue"][0] == front
    assert result["n_labels"] == 10
    answer = ada.ask(
        "answers", answers=[{"type": "label", "value": 1, "draw": front["draw"], "seconds": 90.0}], ahead=9
    )
    assert "error" not in answer
    assert "yours is kept as a second opinion" in answer["state"]["status"]
    assert answer["state"]["queue"][0] != front
    assert bob.app.session.log.label_of(front["index"]) == 0


def test_the_kernel_looks_by_itself(make_session: MakeSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_sync, "EVERY", 0.01)
    store = MemoryStore()
    other = make_session(store=store)

    async def watch() -> int:
        shown = page(make_session(store=store))
        shown.ask("hello")
        other.label(1)
        await asyncio.sleep(0.2)
        n_labels = shown.app.session.n_labels
        shown.app.close()
        other.label(1)
        await asyncio.sleep(0.05)
        assert shown.app.session.n_labels == n_labels
        return n_labels

    assert asyncio.run(watch()) == 1


def test_a_store_that_fails_meanwhile_is_no_end(
    make_session: MakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:

    store = MemoryStore()
    ada, bob = (page(make_session(store=store, who=who)) for who in ("Ada", "Bob"))
    ada.ask("hello")

    def fail(*_: Any) -> Any:
        raise StoreError("the server is away")

    with monkeypatch.context() as away:
        away.setattr(store, "events_since", fail)
        assert ada.app._page.sync.poll() == 0
    give(bob, 1)
    assert ada.app._page.sync.poll() > 0


def test_a_store_that_is_away_is_not_the_end(
    make_session: MakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    shown = page(make_session(store=store, who="Ada"))

    def fail(*_: Any) -> Any:
        raise StoreError("the server is away")

    with monkeypatch.context() as away:
        away.setattr(store, "append", fail)
        reply = shown.ask("hello")["state"]
        assert (reply["queue"], reply["is_done"]) == ([], False)
        assert shown.app._page.sync.poll() == 0
    shown.app._page.sync.poll()
    assert shown.app._page.state()["queue"] != []


def test_where_people_differ_somebody_decides(make_session: MakeSession) -> None:
    store = MemoryStore()
    ada, bob, boss = (page(make_session(store=store, who=who, n_raters=2)) for who in ("Ada", "Bob", "Cleo"))
    for each in (ada, bob):
        each.ask("hello")
    give(ada, 0)
    result = give(bob, 1)
    assert result["people"]["n_open"] == 1
    assert "counts one person's answer" in result["estimate"]["note"]
    [found] = result["people"]["disagreements"]
    assert [(each["who"], each["text"], each["value"]) for each in found["answers"]] == [
        ("Ada", "0", 0),
        ("Bob", "1", 1),
    ]
    boss.ask("hello")
    result = boss.ask(
        "answers", answers=[{"type": "adjudicate", "index": found["index"], "value": 1}], ahead=9
    )["state"]
    assert result["people"]["n_open"] == 0
    assert result["people"]["disagreements"][0]["decided"] == "1, decided by Cleo"
    assert result["status"].startswith("Decided")
    assert boss.app.session.log.label_of(found["index"]) == 1


def test_who_labels_without_the_estimate_sees_his_own_alone(make_session: MakeSession) -> None:
    store = MemoryStore()
    ada = page(make_session(store=store, who="Ada"))
    bob = page(make_session(store=store, who="Bob"), shows_estimate=False)
    ada.ask("hello")
    bob.ask("hello")
    for _ in range(3):
        give(ada, 1)
    result = give(bob, 2)
    assert [person["who"] for person in result["people"]["people"]] == ["Bob"]
    assert result["people"]["disagreements"] == []
    assert result["progress"]["text"].startswith("you 1 · 4 labels")
    rows = bob.ask("history", query="", only=[], answer=None, offset=0, shows_prediction=False, asked=1)[
        "history"
    ]["rows"]
    assert [row["answer"] for row in rows] == ["2"]
    rows = ada.ask("history", query="", only=[], answer=None, offset=0, shows_prediction=False, asked=1)[
        "history"
    ]["rows"]
    assert len(rows) == 3


def test_history_does_not_sway_a_second_rater(make_session: MakeSession) -> None:
    store = MemoryStore()
    ada, bob = (page(make_session(store=store, who=who, n_raters=2)) for who in ("Ada", "Bob"))
    ada.ask("hello")
    give(ada, 1)
    front = bob.ask("hello")["state"]["queue"][0]
    assert rows(bob) == []
    assert "no answer yet" in bob.ask("row", index=front["index"], shows_prediction=False)["error"]
    give(bob, 2)
    assert [row["answer"] for row in rows(bob)] == ["1"]  # the label that counts


def test_the_provisional_value_is_named_as_one(make_session: MakeSession) -> None:
    store = MemoryStore()
    ada, bob = (page(make_session(store=store, who=who)) for who in ("Ada", "Bob"))
    ada.ask("hello")
    bob.ask("hello")
    for _ in range(3):
        result = give(bob, 1)
    assert result["n_labels"] == 3
    assert result["n_draws"] == 0
    note = result["estimate"]["note"]
    assert "Provisional value from all labels:" in note
    assert "3 labels do not count yet: an earlier item is still open." in note


def test_who_has_nothing_left_is_notified(make_session: MakeSession) -> None:
    store = MemoryStore()
    ada, bob = (page(make_session(store=store, who=who, budget=5)) for who in ("Ada", "Bob"))
    ada.ask("hello")
    bob.ask("hello")
    result = give(bob, 1)
    assert (result["is_done"], result["waits_for_others"]) == (True, True)
    assert result["done_text"] == "Nothing for you right now: others have the last items. Thank you!"
    for _ in range(4):
        result = give(ada, 1)
    assert (result["is_done"], result["waits_for_others"]) == (True, False)
    assert result["done_text"] == "All done: 5 labels. Thank you!"
