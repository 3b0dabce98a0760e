"""Whatever a person does: undo restores, reopening resumes, and the next instance is never a surprise."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from activeeval_widgets.session import MemoryStore, Pool, Session, SQLiteStore, Store
from activeeval_widgets.stats import ErrorRate

MakePool = Callable[..., Pool]
MakeTask = Callable[..., Any]

ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("label"), st.integers(0, 11)),
        st.tuples(st.just("label"), st.integers(0, 11)),
        st.sampled_from([("defer",), ("defer",), ("exclude",), ("undo",)]),
        st.tuples(st.just("change"), st.integers(0, 20), st.integers(0, 11)),
        st.tuples(st.just("note"), st.sampled_from(["", "odd", "Ω"]), st.integers(0, 20)),
        st.tuples(st.just("flag"), st.integers(0, 20), st.booleans()),
    ),
    max_size=30,
)
KINDS = st.tuples(st.sampled_from(["class", "number", "grades"]), st.integers(1, 2))
SETTINGS = st.fixed_dictionaries(
    {
        "budget": st.none() | st.integers(1, 9),
        "seed": st.integers(0, 50),
        "defensive": st.sampled_from([0.1, 0.9]),
    }
)


def act(task: Any, session: Session, action: tuple[Any, ...]) -> bool:
    """Do what a person does, where there is something to answer; say whether it happened."""
    name, *arguments = action
    if name in ("label", "defer", "exclude"):
        asked = session.next()
        if asked is None:
            return False
        seconds = None if arguments == [0] else 1.0 + asked.index  # not always measured
        given = [task.label(asked.index, number) for number in arguments]
        return getattr(session, name)(*given, seconds=seconds) is not None
    if name == "change":
        number, value = arguments
        labeled = sorted(a.instance for a in session.log.actions if a.kind == "label")
        if not labeled:
            return False
        index = labeled[number % len(labeled)]
        arguments = [index, task.label(index, value)]
    elif name == "note":
        arguments = [arguments[0], arguments[1] % task.pool.n_instances]
    elif name == "flag":
        arguments = [arguments[0] % task.pool.n_instances, arguments[1]]
    return getattr(session, name)(*arguments) is not None


def plain(value: Any) -> Any:
    return None if value is None or value is pd.NA or value != value else value


def standing(history: pd.DataFrame) -> list[dict[str, Any]]:
    # Undo adds to the log, so later events have later numbers; but those that stand are still the same.
    columns = {
        name: history[name].tolist() for name in history if name not in ("undone_seq", "note", "flagged")
    }
    rows = (dict(zip(columns, map(plain, row), strict=True)) for row in zip(*columns.values(), strict=True))
    return [row for row in rows if row["stands"] and row["kind"] not in ("note", "flag")]


def bits(labels: Any) -> Any:
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return labels.dtype, labels.tobytes()
    return repr([*labels])


def observe(session: Session, history: pd.DataFrame | None = None) -> tuple[Any, ...]:
    """All that can be told of a session, bit for bit, but notes, flags and events that were taken back."""
    draws, labels = session.draws.labeled()
    prefix = session.draws.watched()
    return (
        session.next(),
        session.upcoming(50),
        repr(session.estimate()),
        draws.tobytes(),
        bits(labels),
        session.draws.so_far().tobytes(),
        (prefix.draws.tobytes(), bits(prefix.y_true), prefix.is_excluded.tobytes()),
        session.log.actions,
        [list(each) for each in session.log.state.label_seconds()],
        standing(session.history() if history is None else history),
        [session.log.label_of(index) for index in range(session.pool.n_instances)],
        (session.n_labels, session.n_draws, session.log.n_deferred, session.log.n_excluded, session.is_done),
    )


def marks(session: Session) -> tuple[Any, ...]:
    return list(session.log.notes.items()), session.log.flags


def n_unanswered(session: Session) -> int:
    return int(np.count_nonzero(session.q)) - session.n_labels - session.log.n_excluded


def check_all(
    task: Any, actions: list[tuple[Any, ...]], options: Any, open_store: Callable[[], Store]
) -> None:
    """Act, reopening after every action; then undo everything."""
    session = Session(task.pool, task.measure, store=open_store(), **{"protocol": "papers", **options})
    states = [observe(session)]
    for action in actions:
        before = marks(session)
        if not act(task, session, action):
            assert observe(session) == states[-1]
            continue
        history = session.history()
        if action[0] == "undo":
            states.pop()
            assert observe(session, history) == states[-1]
        elif action[0] in ("note", "flag"):
            assert observe(session, history) == states[-1]
        else:
            states.append(observe(session, history))
        assert (marks(session) == before) == (action[0] not in ("note", "flag"))
        reopened = Session(task.pool, task.measure, store=open_store(), **{"protocol": "papers", **options})
        assert reopened.log.events == session.log.events
        assert observe(reopened, history) == states[-1]
        assert marks(reopened) == marks(session)
    again = Session(task.pool, task.measure, store=open_store(), **{"protocol": "papers", **options})
    pd.testing.assert_frame_equal(again.history(), session.history())
    before = marks(session)
    while len(states) > 1:
        states.pop()
        assert session.undo() is not None
        assert observe(session) == states[-1]
    assert session.undo() is None
    assert standing(session.history()) == []
    assert marks(session) == before


@pytest.mark.slow
@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 15), kind=KINDS)
@settings(max_examples=30)
def test_undo_and_reopening_in_memory(
    make_task: MakeTask,
    actions: list[Any],
    options: dict[str, Any],
    n_instances: int,
    kind: tuple[str, int],
) -> None:
    store = MemoryStore()
    check_all(make_task(kind[0], n_instances, kind[1]), actions, options, lambda: store)


@pytest.mark.slow
@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 15), kind=KINDS)
@settings(max_examples=12)
def test_undo_and_reopening_in_a_file(
    make_task: MakeTask,
    actions: list[Any],
    options: dict[str, Any],
    n_instances: int,
    kind: tuple[str, int],
) -> None:
    opened: list[SQLiteStore] = []

    with tempfile.TemporaryDirectory() as folder:

        def open_store() -> Store:
            opened.append(SQLiteStore(Path(folder) / "sessions.sqlite"))
            return opened[-1]

        try:
            check_all(make_task(kind[0], n_instances, kind[1]), actions, options, open_store)
        finally:
            for store in opened:
                store.close()


@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 40))
@settings(max_examples=60)
def test_upcoming_comes_true(
    make_task: MakeTask, actions: list[Any], options: dict[str, Any], n_instances: int
) -> None:
    task = make_task("class", n_instances)
    session = Session(task.pool, task.measure, **{"protocol": "papers", **options})
    for action in actions:
        act(task, session, action)
    promised = session.upcoming(100)
    assert len({drawn.index for drawn in promised}) == len(promised)
    shown = []
    while (asked := session.next()) is not None:
        shown.append(asked)
        session.label(0)
    assert shown == promised
    assert session.n_labels == session.budget or n_unanswered(session) == 0


@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 15))
@settings(max_examples=60)
def test_putting_aside_moves_on(
    make_task: MakeTask, actions: list[Any], options: dict[str, Any], n_instances: int
) -> None:
    task = make_task("class", n_instances)
    session = Session(task.pool, task.measure, **{"protocol": "papers", **options})
    for action in actions:
        asked = session.next()
        happened = act(task, session, action)
        if happened and action == ("defer",):
            assert (session.next() != asked) == (n_unanswered(session) > 1)
            assert not session.is_done


@pytest.mark.parametrize("n_deferred", range(1, 12))
def test_going_round_meets_everyone(make_pool: MakePool, n_deferred: int) -> None:
    session = Session(make_pool(n_deferred), ErrorRate(), protocol="papers")
    seen = set()
    for _ in range(n_deferred):
        asked = session.next()
        seen.add(asked.index)
        session.defer()
    assert len(seen) == n_deferred
