"""Any thread may use a session and its store: kernels handle widgets' messages on threads of their own."""

import copy
import inspect
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from threading import Barrier, Thread
from time import monotonic, sleep
from typing import Any

import pytest

from activeeval_widgets.session import (
    Answers,
    Findings,
    OfflineLabels,
    Opinions,
    People,
    Pool,
    Revisions,
    Session,
    SessionDraws,
    SessionLog,
    SQLiteStore,
    Storage,
)
from activeeval_widgets.session.stores.connections import LOCK
from activeeval_widgets.stats import ErrorRate


def in_thread(act: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act).result()


def test_a_store_opened_in_one_thread_serves_another(tmp_path: Path, make_pool: Callable[..., Pool]) -> None:
    store = in_thread(lambda: SQLiteStore(tmp_path / "s.sqlite"))
    session = Session(make_pool(), ErrorRate(), store=store)
    session.label(0)
    in_thread(lambda: session.label(1))
    assert in_thread(store.names) == ["default"]
    again = in_thread(lambda: Session(make_pool(), ErrorRate(), store=store))
    assert [action.value for action in again.log.actions] == [0, 1]
    in_thread(store.close)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_threads_at_once_give_each_instance_one_label(
    shelf: Any, make_pool: Callable[..., Pool], protocol: str
) -> None:
    pool = make_pool(120)
    session = Session(pool, ErrorRate(), store=shelf.open(), protocol=protocol)
    start = Barrier(4)
    errors: list[Exception] = []

    def work(label: int) -> None:
        start.wait()
        try:
            for _ in range(12):
                session.label(label)
                session.estimate()
                session.history()
        except Exception as error:
            errors.append(error)

    threads = [Thread(target=work, args=(label % 3,)) for label in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert session.n_labels == 48
    assert [event.seq for event in session.log] == list(range(1, len(session.log) + 1))
    assert len({action.instance for action in session.log.actions}) == 48
    again = Session(pool, ErrorRate(), store=shelf.open(), protocol=protocol)
    assert again.log.events == session.log.events
    assert again.estimate() == session.estimate()


def test_who_holds_the_lock_is_alone(make_pool: Callable[..., Pool]) -> None:
    session = Session(make_pool(), ErrorRate())
    with session.lock:
        asked = session.next()
        other = Thread(target=lambda: session.label(1))
        other.start()
        other.join(0.1)
        assert other.is_alive()
        assert session.next() == asked
        assert session.n_labels == 0
    other.join()
    assert session.n_labels == 1


def test_all_that_is_public_waits_its_turn() -> None:
    parts = (Answers, Findings, OfflineLabels, Opinions, People, Revisions, SessionDraws, SessionLog, Storage)
    for cls in (Session, *parts):
        for name in (name for name in dir(cls) if not name.startswith("_")):
            member = inspect.getattr_static(cls, name)
            method = member.fget if isinstance(member, property) else member
            # What is computed once is asked for by methods that hold the lock.
            assert isinstance(member, cached_property) or method.is_locked, (cls, name)


def test_a_store_that_is_forgotten_waits_for_nobody(tmp_path: Path) -> None:
    """Garbage is collected in any thread, also in one that is waited for by who holds the stores' lock."""
    store = SQLiteStore(tmp_path / "forgotten.sqlite")
    store.begin("a", {})
    file = store._file
    held = [store]
    del store
    with LOCK:
        other = Thread(target=held.clear, daemon=True)
        other.start()
        other.join(10)
        assert not other.is_alive()
    SQLiteStore(tmp_path / "another.sqlite").close()
    # A thread that waits for another file to rest may have taken it, and be about to close it.
    end = monotonic() + 60
    while file.is_open and monotonic() < end:
        sleep(0.01)
    assert not file.is_open


@pytest.mark.parametrize("part", ["session", "log", "findings", "storage", "answers"])
@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_session_is_opened_again_instead_of_copied(how: Callable[[Any], Any], part: str) -> None:
    pool = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
    session = Session(pool, ErrorRate())
    given = session if part == "session" else getattr(session, part)
    with pytest.raises(TypeError, match=r"^\w+ objects can't be copied or pickled: .*store=session.store"):
        how(given)
    session.label(1)
    assert Session(pool, ErrorRate(), store=session.store).n_labels == 1
