"""Labels beyond the budget: asked for once, remembered by the log."""

from collections.abc import Callable
from typing import Any

import pytest

from activeeval_widgets.session import MemoryStore, Pool, Session, StoreError
from activeeval_widgets.session.errors import SessionMismatchError
from activeeval_widgets.session.log.events import BudgetLifted, from_record, to_record
from activeeval_widgets.stats import ErrorRate

from ..labeling import give_labels

MakePool = Callable[..., Pool]


def full(make_pool: MakePool, store: Any, budget: int = 5) -> Session:
    session = Session(make_pool(40), ErrorRate(), budget=budget, store=store)
    give_labels(session, 0)
    return session


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_going_on_is_remembered(make_pool: MakePool, shelf: Any, protocol: str) -> None:
    def opened(budget: int | None = 5) -> Session:
        return Session(make_pool(40), ErrorRate(), budget=budget, store=shelf.open(), protocol=protocol)

    session = opened()
    give_labels(session, 0)
    assert (session.n_labels, session.is_done, session.budget) == (5, True, 5)
    before = session.estimate()
    event = session.revisions.lift_budget()
    assert isinstance(event, BudgetLifted)
    assert event.budget == 5
    assert session.budget is None
    assert not session.is_done
    assert session.estimate() == before
    asked = session.next()
    assert opened().next() == asked
    assert opened().budget is None
    assert opened(3).budget is None
    assert opened(None).budget is None
    assert opened(9).budget == 9  # who raises it in the code means it
    again = opened()
    again.label(1)
    assert again.n_labels == 6
    again.undo()
    assert again.next() == asked
    assert opened().budget is None


def test_a_larger_budget_can_be_passed_later(make_pool: MakePool) -> None:
    store = MemoryStore()
    full(make_pool, store).revisions.lift_budget()
    full(make_pool, store, budget=9).revisions.lift_budget()
    assert Session(make_pool(40), ErrorRate(), budget=9, store=store).budget is None
    assert Session(make_pool(40), ErrorRate(), budget=10, store=store).budget == 10


def test_without_a_budget_there_is_nothing_to_pass(make_pool: MakePool) -> None:
    session = Session(make_pool(40), ErrorRate())
    n_events = len(session.log)
    assert session.revisions.lift_budget() is None
    assert len(session.log) == n_events


def test_observers_hear_of_it(make_pool: MakePool) -> None:
    session = full(make_pool, None)
    heard: list[Any] = []
    session.subscribe(heard.append)
    assert heard == [session.revisions.lift_budget()]


def test_what_is_not_stored_did_not_happen(make_pool: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    session = full(make_pool, None)

    def refuse(*_: object) -> None:
        raise StoreError("full")

    monkeypatch.setattr(session.store, "append", refuse)
    with pytest.raises(StoreError, match="full"):
        session.revisions.lift_budget()
    assert session.is_done
    assert session.budget == 5


def test_it_is_in_the_history(make_pool: MakePool) -> None:
    session = full(make_pool, None)
    session.revisions.lift_budget()
    row = session.history().query("kind == 'go_on'")
    assert row["value"].tolist() == [5]
    assert row["stands"].isna().all()


def test_the_record_is_read_back() -> None:
    event = BudgetLifted(seq=7, time="2026-01-01T00:00:00+00:00", budget=200)
    assert from_record(to_record(event)) == event


@pytest.mark.parametrize("budget", [0, -1, "5", 5.0, None, True])
def test_a_stored_budget_that_is_none_is_refused(make_pool: MakePool, budget: Any) -> None:
    store = MemoryStore()
    session = full(make_pool, store)
    store.append(
        "default", to_record(BudgetLifted(seq=len(session.log) + 1, time="2026-01-01", budget=budget))
    )
    with pytest.raises(SessionMismatchError, match="does not follow from its draws"):
        Session(make_pool(40), ErrorRate(), budget=5, store=store)
