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

ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("label"), st.integers(0, 2)),
        st.sampled_from([("defer",), ("defer",), ("exclude",), ("undo",)]),
    ),
    max_size=30,
)
SETTINGS = st.fixed_dictionaries(
    {
        "budget": st.none() | st.integers(1, 9),
        "seed": st.integers(0, 50),
        "defensive": st.sampled_from([0.1, 0.9]),
    }
)


def act(session: Session, action: tuple[Any, ...]) -> bool:
    """Do what a person does, where there is something to answer; say whether it happened."""
    name, *arguments = action
    if name != "undo" and session.is_done:
        return False
    return getattr(session, name)(*arguments) is not None


def plain(value: Any) -> Any:
    return None if value is None or pd.isna(value) else value


def standing(session: Session) -> list[tuple[Any, ...]]:
    history = session.history()
    kept = history[history["stands"].fillna(value=False)].drop(columns="undone_seq")
    return [tuple(plain(value) for value in row) for row in kept.itertuples(index=False)]


def observe(session: Session) -> tuple[Any, ...]:
    """All that can be told of a session, bit for bit, but the events that were taken back."""
    draws, labels = session.labeled_draws()
    return (
        session.next(),
        session.upcoming(50),
        repr(session.estimate()),
        draws.tobytes(),
        (labels.dtype, labels.tobytes()),
        session.actions,
        standing(session),
        (session.n_labels, session.n_draws, session.n_deferred, session.n_excluded, session.is_done),
    )


def n_unanswered(session: Session) -> int:
    return int(np.count_nonzero(session.q)) - session.n_labels - session.n_excluded


def check_all(
    pool: Pool, actions: list[tuple[Any, ...]], options: Any, open_store: Callable[[], Store]
) -> None:
    """Act, reopening after every action; then undo everything."""
    session = Session(pool, ErrorRate(), store=open_store(), **options)
    states = [observe(session)]
    for action in actions:
        if not act(session, action):
            continue
        if action[0] == "undo":
            states.pop()
            assert observe(session) == states[-1]
        else:
            states.append(observe(session))
        reopened = Session(pool, ErrorRate(), store=open_store(), **options)
        assert observe(reopened) == states[-1]
        pd.testing.assert_frame_equal(reopened.history(), session.history())
    while len(states) > 1:
        states.pop()
        assert session.undo() is not None
        assert observe(session) == states[-1]
    assert session.undo() is None
    assert standing(session) == []


@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 15))
@settings(max_examples=40, deadline=None)
def test_undo_and_reopening_in_memory(
    make_pool: MakePool, actions: list[Any], options: dict[str, Any], n_instances: int
) -> None:
    store = MemoryStore()
    check_all(make_pool(n_instances), actions, options, lambda: store)


@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 15))
@settings(max_examples=12, deadline=None)
def test_undo_and_reopening_in_a_file(
    make_pool: MakePool, actions: list[Any], options: dict[str, Any], n_instances: int
) -> None:
    opened: list[SQLiteStore] = []

    with tempfile.TemporaryDirectory() as folder:

        def open_store() -> Store:
            opened.append(SQLiteStore(Path(folder) / "sessions.sqlite"))
            return opened[-1]

        try:
            check_all(make_pool(n_instances), actions, options, open_store)
        finally:
            for store in opened:
                store.close()


@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_upcoming_comes_true(
    make_pool: MakePool, actions: list[Any], options: dict[str, Any], n_instances: int
) -> None:
    session = Session(make_pool(n_instances), ErrorRate(), **options)
    for action in actions:
        act(session, action)
    promised = session.upcoming(100)
    assert len({drawn.index for drawn in promised}) == len(promised)
    shown = []
    while (asked := session.next()) is not None:
        shown.append(asked)
        session.label(0)
    assert shown == promised
    assert session.n_labels == session.budget or n_unanswered(session) == 0


@given(actions=ACTIONS, options=SETTINGS, n_instances=st.integers(1, 15))
@settings(max_examples=60, deadline=None)
def test_putting_aside_moves_on(
    make_pool: MakePool, actions: list[Any], options: dict[str, Any], n_instances: int
) -> None:
    session = Session(make_pool(n_instances), ErrorRate(), **options)
    for action in actions:
        asked = session.next()
        happened = act(session, action)
        if happened and action == ("defer",):
            assert (session.next() != asked) == (n_unanswered(session) > 1)
            assert not session.is_done


@pytest.mark.parametrize("n_deferred", range(1, 12))
def test_going_round_meets_everyone(make_pool: MakePool, n_deferred: int) -> None:
    session = Session(make_pool(n_deferred), ErrorRate())
    seen = set()
    for _ in range(n_deferred):
        asked = session.next()
        assert asked is not None
        seen.add(asked.index)
        session.defer()
    assert len(seen) == n_deferred
