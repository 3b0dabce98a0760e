"""Changed labels, notes and flags: events like all others."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.session import Pool, Session, SessionConflictError, SessionMismatchError
from activeeval_widgets.session.log.events import Changed, Flagged, Noted, to_record
from activeeval_widgets.stats import ErrorRate

from .conftest import exactly

MakePool = Callable[..., Pool]


def begin(make_pool: MakePool, **options: Any) -> Session:
    session = Session(make_pool(), ErrorRate(), **{"protocol": "papers", **options})
    session.label(0, seconds=2, first_key_seconds=0.75)
    session.defer()
    session.exclude(reason="blank")
    session.label(1)
    return session


# -- changes ----------------------------------------------------------------------------------------------


def test_a_change_is_an_event_and_the_label_stays_in_the_log(make_pool: MakePool) -> None:
    session = begin(make_pool)
    first, _, _, last = session.log.actions
    asked = session.next()
    changed = session.change(first.instance, 2)
    assert isinstance(changed, Changed)
    assert (changed.kind, changed.seq, changed.changed_seq, changed.value) == ("change", 5, first.seq, 2)
    assert (changed.instance, changed.instance_id) == (first.instance, first.instance_id)
    assert session.log.label_of(first.instance) == 2
    assert session.log.actions == (*session.log.actions[:4], changed)
    assert session.log.actions[0] is first
    assert (session.n_labels, session.next()) == (2, asked)
    again = session.change(np.int64(first.instance), 1)
    assert again.changed_seq == first.seq
    assert session.undo() is again
    assert session.log.label_of(first.instance) == 2
    assert session.undo() is changed
    assert session.log.label_of(first.instance) == 0
    assert session.undo() is last
    assert session.log.label_of(last.instance) is None


def test_a_change_to_the_same_label_is_none(make_pool: MakePool) -> None:
    session = begin(make_pool)
    assert session.change(session.log.actions[0].instance, 0) is None
    assert session.change(session.log.actions[0].instance, 0.0) is None
    assert len(session.log) == 4


def test_a_label_given_again_after_undo_can_be_changed(make_pool: MakePool, shelf: Any) -> None:
    session = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers")
    session.label(0)
    session.undo()
    second = session.label(1)
    changed = session.change(second.instance, 2)
    assert changed.changed_seq == 3
    again = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers")
    assert again.log.events == session.log.events
    assert again.log.label_of(second.instance) == 2


def test_a_session_that_is_done_can_be_changed(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), budget=1, protocol="papers")
    index = session.label(0).instance
    assert session.is_done
    session.change(index, 1)
    session.note("later", index)
    session.flag(index)
    assert session.is_done
    for act in (lambda: session.note("x"), session.flag):
        with pytest.raises(
            ValueError, match=r"^the session 'default' is done: pass the index of an instance$"
        ):
            act()


@pytest.mark.parametrize(
    ("instance", "error", "message"),
    [
        (-1, ValueError, "instance must be an integer >= 0, got -1"),
        (12, ValueError, "instance is 12, expected an index from 0 to 11"),
        ("0", TypeError, "instance must be an integer >= 0, got '0'"),
        (1.0, TypeError, "instance must be an integer >= 0, got 1.0"),
        (True, TypeError, "instance must be an integer >= 0, got True"),
    ],
)
def test_no_such_instance(make_pool: MakePool, instance: Any, error: type[Exception], message: str) -> None:
    session = begin(make_pool)
    actions: list[Callable[[], object]] = [
        lambda: session.change(instance, 1),
        lambda: session.note("x", instance),
        lambda: session.flag(instance),
    ]
    for act in actions:
        with pytest.raises(error, match=exactly(message)):
            act()
    assert len(session.log) == 4


def test_only_labels_can_be_changed(make_pool: MakePool) -> None:
    session = begin(make_pool)
    _, deferred, excluded, _ = session.log.actions
    untouched = session.next()
    for index, state in (
        (deferred.instance, "has no label"),
        (excluded.instance, "is excluded"),
        (untouched.index, "has no label"),
    ):
        message = f"instance {index} ('{index}') {state}: only a label can be changed"
        with pytest.raises(ValueError, match=exactly(message)):
            session.change(index, 1)
    with pytest.raises(TypeError, match="instance must be an integer >= 0, got None"):
        session.change(None, 1)
    assert len(session.log) == 4


@pytest.mark.parametrize("value", [3, "1", True, None, float("nan")])
def test_a_change_to_what_is_no_label(make_pool: MakePool, value: Any) -> None:
    session = begin(make_pool)
    with pytest.raises(
        ValueError, match=exactly(f"label is {value!r}, expected one of the classes [0, 1, 2]")
    ):
        session.change(session.log.actions[0].instance, value)
    assert len(session.log) == 4
    assert session.log.label_of(session.log.actions[0].instance) == 0


# -- notes and flags --------------------------------------------------------------------------------------


def test_the_latest_note_counts(make_pool: MakePool) -> None:
    session = begin(make_pool)
    asked = session.next()
    assert asked is not None
    noted = session.note("odd\nΩ")
    assert isinstance(noted, Noted)
    assert (noted.instance, noted.instance_id, noted.text) == (asked.index, asked.instance_id, "odd\nΩ")
    first = session.log.actions[0].instance
    session.note("one", first)
    session.note("two", first)
    assert session.log.notes == {asked.index: "odd\nΩ", first: "two"}
    assert session.note("two", first) is None
    session.note("", first)
    assert session.log.notes == {asked.index: "odd\nΩ"}
    assert session.note("", first) is None
    assert len(session.log) == 8


def test_flags_are_set_and_removed(make_pool: MakePool) -> None:
    session = begin(make_pool)
    asked = session.next()
    assert asked is not None
    flagged = session.flag()
    assert isinstance(flagged, Flagged)
    assert (flagged.instance, flagged.flagged) == (asked.index, True)
    session.flag(3)
    assert session.log.flags == {asked.index, 3}
    assert session.flag(3) is None
    session.flag(3, flagged=False)
    assert session.log.flags == {asked.index}
    assert session.flag(3, flagged=False) is None
    assert len(session.log) == 7


def test_undo_takes_back_answers_not_notes_and_flags(make_pool: MakePool) -> None:
    session = begin(make_pool)
    last = session.log.actions[-1]
    session.note("kept", last.instance)
    session.flag(last.instance)
    assert session.undo() is last
    assert (session.log.notes, session.log.flags) == ({last.instance: "kept"}, {last.instance})
    while session.undo() is not None:
        pass
    assert (session.log.notes, session.log.flags) == ({last.instance: "kept"}, {last.instance})


@pytest.mark.parametrize("text", [None, 5, b"x", ["x"]])
def test_notes_are_text(make_pool: MakePool, text: Any) -> None:
    session = begin(make_pool)
    with pytest.raises(TypeError, match=exactly(f"text must be a string, got {text!r}")):
        session.note(text)
    assert session.log.notes == {}


@pytest.mark.parametrize("flagged", [None, 1, "yes"])
def test_flags_are_true_or_false(make_pool: MakePool, flagged: Any) -> None:
    session = begin(make_pool)
    with pytest.raises(TypeError, match=exactly(f"flagged must be True or False, got {flagged!r}")):
        session.flag(3, flagged)
    assert session.log.flags == set()


def test_observers_are_notified(make_pool: MakePool) -> None:
    session = begin(make_pool)
    result: list[str] = []
    session.subscribe(lambda event: result.append(event.kind))
    session.change(session.log.actions[0].instance, 2)
    session.note("x")
    session.flag()
    session.undo()
    assert result == ["change", "note", "flag", "undo"]


# -- times ------------------------------------------------------------------------------------------------


def test_times_are_kept(make_pool: MakePool, shelf: Any) -> None:
    session = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers")
    session.label(0, seconds=1.23456, first_key_seconds=0.98765)
    session.defer(first_key_seconds=np.float64(2))
    session.exclude(seconds=3)
    log = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers").log.events
    times = [(event.seconds, event.first_key_seconds) for event in log]
    assert times == [(1.235, 0.988), (None, 2.0), (3.0, None)]


@pytest.mark.parametrize("name", ["seconds", "first_key_seconds"])
@pytest.mark.parametrize("action", ["label", "defer", "exclude"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (-1, ValueError, "must be a finite number >= 0 or None, got -1"),
        (float("nan"), ValueError, "must be a finite number >= 0 or None, got nan"),
        (float("inf"), ValueError, "must be a finite number >= 0 or None, got inf"),
        ("2", TypeError, "must be a number >= 0 or None, got '2'"),
        (True, TypeError, "must be a number >= 0 or None, got True"),
    ],
)
def test_bad_times(
    make_pool: MakePool, action: str, name: str, value: Any, error: type[Exception], message: str
) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    with pytest.raises(error, match=exactly(f"{name} {message}")):
        getattr(session, action)(*([0] if action == "label" else []), **{name: value})
    assert session.log.events == ()


# -- history ----------------------------------------------------------------------------------------------


def test_history_shows_changes_notes_and_flags(make_pool: MakePool) -> None:
    session = begin(make_pool)
    index = session.log.actions[0].instance
    session.change(index, 2)
    session.change(index, 1)
    session.undo()
    session.note("one", index)
    session.note("two", index)
    session.flag(3)
    session.flag(3, flagged=False)
    history = session.history().iloc[4:].set_index("seq")
    assert history["kind"].tolist() == ["change", "change", "undo", "note", "note", "flag", "flag"]
    assert history["instance"].tolist() == [index, index, pd.NA, index, index, 3, 3]
    assert history["value"].tolist()[:2] == [2, 1]
    assert history["changed_seq"].tolist()[:3] == [1, 1, pd.NA]
    assert history["note"].tolist()[3:5] == ["one", "two"]
    assert history["flagged"].tolist()[4:] == [pd.NA, True, False]
    assert history["stands"].tolist() == [True, False, pd.NA, False, True, False, True]
    times = session.history()
    assert times.loc[0, ["seconds", "first_key_seconds"]].tolist() == [2, 0.75]


# -- storing ----------------------------------------------------------------------------------------------


def act_on_all(session: Session) -> None:
    index = session.log.actions[0].instance
    session.change(index, 2)
    session.note("odd", index)
    session.flag(index)
    session.undo()
    session.change(index, 1)


def test_opened_again_it_is_the_same(make_pool: MakePool, shelf: Any) -> None:
    session = begin(make_pool, store=shelf.open())
    act_on_all(session)
    again = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers")
    assert again.log.events == session.log.events
    assert (again.log.notes, again.log.flags, again.log.actions) == (
        session.log.notes,
        session.log.flags,
        session.log.actions,
    )
    pd.testing.assert_frame_equal(again.history(), session.history())


@pytest.mark.parametrize("kind", ["number", "grades"])
def test_labels_of_other_kinds_are_stored(make_task: Callable[..., Any], shelf: Any, kind: str) -> None:
    task = make_task(kind, 20)
    session = Session(task.pool, task.measure, store=shelf.open(), protocol="papers")
    for i in range(15):
        session.label(task.label(session.next().index, i))
    index = session.log.actions[3].instance
    session.change(index, task.label(index, 8))
    again = Session(task.pool, task.measure, store=shelf.open(), protocol="papers")
    assert again.log.events == session.log.events
    assert repr(again.estimate()) == repr(session.estimate())
    assert again.log.label_of(index) == session.log.label_of(index) != session.log.actions[3].value


def test_what_can_not_be_stored_did_not_happen(make_pool: MakePool, make_list_store: Any) -> None:
    store = make_list_store()
    session = begin(make_pool, store=store)
    index = session.log.actions[0].instance
    store.error = OSError("disk full")
    actions: list[Callable[[], object]] = [
        lambda: session.change(index, 2),
        lambda: session.note("x"),
        session.flag,
    ]
    for act in actions:
        with pytest.raises(OSError, match="disk full"):
            act()
    assert len(session.log) == len(session.log.actions) == 4
    assert (session.log.label_of(index), session.log.notes, session.log.flags) == (0, {}, set())


@pytest.mark.parametrize(
    "act", [lambda session, index: session.change(index, 1), lambda session, _: session.undo()]
)
def test_of_two_who_change_at_once_the_second_is_notified(
    make_pool: MakePool, shelf: Any, act: Callable[[Session, int], object]
) -> None:
    """What he meant to change is another label by now: he sees that first, and nothing is overwritten."""
    one = begin(make_pool, store=shelf.open())
    other = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers")
    index = one.log.actions[0].instance
    one.change(index, 2)
    n_events = len(one.log)
    with pytest.raises(SessionConflictError):
        act(other, index)
    assert other.log.events == one.log.events
    assert (other.log.label_of(index), len(other.log)) == (2, n_events)
    assert Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers").log.label_of(index) == 2


def test_notes_and_flags_are_added_to_what_others_did(make_pool: MakePool, shelf: Any) -> None:
    one = begin(make_pool, store=shelf.open())
    other = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers")
    index, second = (action.instance for action in one.log.actions[:2])
    one.change(index, 2)
    other.note("x", instance=second)
    one.flag(second)
    other.flag(index)
    again = Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers")
    assert (again.log.label_of(index), again.log.notes, again.log.flags) == (
        2,
        {second: "x"},
        {index, second},
    )
    assert again.log.events == other.log.events
    one.note("mine", instance=second)  # it was seen: what is written replaces it
    with pytest.raises(SessionConflictError):
        other.note("his", instance=second)
    assert other.log.notes == {second: "mine"}


TAMPERED: dict[str, tuple[int, dict[str, Any]]] = {
    "a change of another label": (5, {"changed_seq": 4}),
    "a change of what has no label": (5, {"instance": 11, "instance_id": "11"}),
    "a change to no label": (5, {"value": 17}),
    "a change by truth": (5, {"value": True}),
    "a change of another id": (5, {"instance_id": "someone else"}),
    "a change outside the pool": (5, {"instance": 99, "instance_id": "99"}),
    "a change of a negative index": (5, {"instance": -1}),
    "a change by an index that is no integer": (5, {"instance": 0.5}),
    "a note outside the pool": (6, {"instance": 99, "instance_id": "99"}),
    "a note of another id": (6, {"instance_id": "x"}),
    "a note that is no text": (6, {"text": 5}),
    "a flag that is none": (7, {"flagged": 1}),
    "a flag of an instance by its id": (7, {"instance": "0"}),
    "an undo of a note": (8, {"undone_seq": 6}),
    "an undo of a label under a change": (8, {"undone_seq": 4}),
    "a draw that is far off": (4, {"draw": 10**15}),
    "a draw that is no integer": (4, {"draw": "4"}),
    "an instance that is no integer": (4, {"instance": None}),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_a_log_that_was_tampered_with_is_refused(
    make_pool: MakePool, make_list_store: Any, case: str
) -> None:
    session = begin(make_pool, store=make_list_store())
    act_on_all(session)
    records = [to_record(event) for event in session.log]
    assert (
        Session(make_pool(), ErrorRate(), store=make_list_store(records), protocol="papers").log.events
        == session.log.events
    )
    seq, change = TAMPERED[case]
    tampered = [{**record, **(change if record["seq"] == seq else {})} for record in records]
    with pytest.raises(
        SessionMismatchError, match="in the log of the session 'default' does not follow from its"
    ):
        Session(make_pool(), ErrorRate(), store=make_list_store(tampered), protocol="papers")
