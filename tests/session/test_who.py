"""Every event says who did it; a log in which nobody is named is as it always was."""

from collections.abc import Callable
from pathlib import Path

import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.session.log.events import from_record, to_record
from activeeval_widgets.stats import ErrorRate

MakePool = Callable[..., Pool]


def test_events_say_who_where_somebody_is_named(make_pool: MakePool) -> None:
    store = MemoryStore()
    session = Session(make_pool(40), ErrorRate(), store=store, who="  Ada ")
    assert session.people.who == "Ada"
    first = session.label(1)
    session.people.who = "Bob"
    session.note("look", instance=first.instance)
    session.change(first.instance, 2)
    by_kind = {event.kind: event.who for event in session.log}
    assert (by_kind["label"], by_kind["note"], by_kind["change"]) == ("Ada", "Bob", "Bob")
    history = session.history()
    assert dict(zip(history["kind"], history["who"], strict=True))["note"] == "Bob"
    assert session.labels_table()["who"].tolist() == ["Bob"]  # whose label it is now
    again = Session(make_pool(40), ErrorRate(), store=store)
    assert again.log.events == session.log.events
    assert again.people.who is None


def test_records_of_the_nameless_have_no_name(make_pool: MakePool) -> None:
    """So logs, and the hashes over them, are as they were."""
    session = Session(make_pool(40), ErrorRate())
    session.label(1)
    for event in session.log:
        record = to_record(event)
        assert "who" not in record
        assert from_record(record) == event


def test_a_name_outlives_the_program(make_pool: MakePool, tmp_path: Path) -> None:
    session = Session(make_pool(40), ErrorRate(), store=tmp_path / "s.sqlite", who="Zoë")
    session.label(1)
    session.store.close()
    again = Session(make_pool(40), ErrorRate(), store=tmp_path / "s.sqlite")
    assert again.log.actions[0].who == "Zoë"
    again.store.close()


@pytest.mark.parametrize("who", ["", "  ", "a\nb", "x" * 101, "\ud800", "a\x00"])
def test_what_is_no_name_is_refused(make_pool: MakePool, who: str) -> None:
    with pytest.raises(ValueError, match="who must be"):
        Session(make_pool(5), ErrorRate(), who=who)


def test_a_name_is_a_string(make_pool: MakePool) -> None:
    with pytest.raises(TypeError, match="who must be a string or None, got 3"):
        Session(make_pool(5), ErrorRate(), who=3)


@pytest.mark.parametrize(("name", "part"), [("who", "people"), ("spelled_wrong", None)])
def test_what_a_part_has_is_set_there(make_pool: MakePool, name: str, part: str | None) -> None:
    """An attribute that nothing reads would keep a person's name from every event."""
    session = Session(make_pool(5), ErrorRate())
    where = f": set it on session.{part}" if part else ""
    with pytest.raises(AttributeError, match=f"a Session has no '{name}' to set{where}$"):
        setattr(session, name, "Ada")
    session.people.who = "Ada"
    assert session.label(1).who == "Ada"
