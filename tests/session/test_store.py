import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.session import (
    DamagedStoreError,
    ForeignStoreError,
    Pool,
    Session,
    SessionConflictError,
    SessionMismatchError,
    SQLiteStore,
    StoreError,
)
from activeeval_widgets.stats import ErrorRate

IDENTITY = {"pool": "abc", "seed": "0"}


def record(seq: int, **content: Any) -> dict[str, Any]:
    return {"kind": "label", "seq": seq, **content}


def raw(path: Path, statement: str) -> list[Any]:
    """Run a statement past the store."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement).fetchall()


@pytest.fixture(params=["memory", "sqlite", "postgresql", "outside"])
def shelf(request: pytest.FixtureRequest) -> Any:
    """A place of each kind of store, and of one that is not of the package."""
    return request.getfixturevalue(f"{request.param}_shelf")


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def own_shelf(request: pytest.FixtureRequest) -> Any:
    """A place of each kind of store of the package."""
    return request.getfixturevalue(f"{request.param}_shelf")


# -- what any store does ----------------------------------------------------------------------------------


def test_a_new_session_is_empty_and_a_resumed_one_is_not(shelf: Any) -> None:
    store = shelf.open()
    assert store.begin("a", IDENTITY) == []
    records = [
        *(
            record(1, value="Ω 😀 \u202e", seconds=0.1 + 0.2),
            record(2, value=None),
            record(3, value=[1, True]),
        ),
        *(
            record(4, value="'; DROP TABLE events; --\0"),
            record(5, value=10**30),
            record(6, value="x" * 3_000_000),
        ),
    ]
    for one in records:
        store.append("a", one)
    assert store.begin("a", IDENTITY) == records
    assert shelf.open().begin("a", IDENTITY) == records


def test_sessions_do_not_mix_and_keep_their_order(shelf: Any) -> None:
    store = shelf.open()
    names = ["zebra", "ant", "it's; DROP TABLE events --", "Ω"]
    for i, name in enumerate(names):
        store.begin(name, IDENTITY)
        store.append(name, record(1, value=i))
    store.begin("zebra", IDENTITY)
    assert store.names() == shelf.open().names() == names
    assert [store.begin(name, IDENTITY)[0]["value"] for name in names] == [0, 1, 2, 3]


def test_a_new_store_has_no_sessions(shelf: Any) -> None:
    assert shelf.open().names() == []


@pytest.mark.parametrize(
    ("opened_with", "differing"),
    [
        ({"pool": "abd", "seed": "0"}, "pool (abc then, abd now)"),
        ({"pool": "abd", "seed": "1"}, "pool (abc then, abd now), seed (0 then, 1 now)"),
        ({"pool": "abc"}, "seed (0 then, none now)"),
        ({"pool": "abc", "seed": "0", "costs": "c"}, "costs (none then, c now)"),
    ],
)
def test_another_identity_is_refused(shelf: Any, opened_with: dict[str, str], differing: str) -> None:
    store = shelf.open()
    store.begin("a", IDENTITY)
    store.append("a", record(1))
    with pytest.raises(SessionMismatchError) as error:
        store.begin("a", opened_with)
    assert str(error.value) == (
        f"the session 'a' was started with different settings: {differing}. "
        "Open it with the settings it was started with, or pass another name to start a new one"
    )
    assert store.begin("a", IDENTITY) == [record(1)]
    assert store.names() == ["a"]


def test_a_number_is_given_once(shelf: Any) -> None:
    store = shelf.open()
    store.begin("a", IDENTITY)
    store.append("a", record(1, value="first"))
    with pytest.raises(SessionConflictError) as error:
        shelf.open().append("a", record(1, value="second"))
    assert str(error.value) == (
        "the session 'a' was continued elsewhere (in another tab or program); open it again to go on here"
    )
    store.append("a", record(2))
    assert store.begin("a", IDENTITY) == [record(1, value="first"), record(2)]


def test_a_gap_is_refused(shelf: Any) -> None:
    store = shelf.open()
    store.begin("a", IDENTITY)
    with pytest.raises(StoreError):
        store.append("a", record(2))
    assert store.begin("a", IDENTITY) == []


def test_a_session_that_was_not_begun_takes_no_records(shelf: Any) -> None:
    store = shelf.open()
    with pytest.raises(StoreError):
        store.append("a", record(1))
    assert store.names() == []


def test_what_is_stored_is_a_copy(shelf: Any) -> None:
    store = shelf.open()
    store.begin("a", IDENTITY)
    given = record(1, value=5)
    store.append("a", given)
    given["value"] = 6
    store.begin("a", IDENTITY)[0]["value"] = 7
    assert store.begin("a", IDENTITY) == [record(1, value=5)]


def test_details_are_kept_beside_the_log(own_shelf: Any) -> None:
    store = own_shelf.open()
    assert store.details("a") == {}
    with pytest.raises(StoreError, match="the session 'a' was not begun"):
        store.keep_details("a", {"title": "x"})
    store.begin("a", IDENTITY)
    store.append("a", record(1))
    given = {"title": "Ω '; DROP TABLE", "summary": {"value": 0.1 + 0.2, "low": None}, "who": ["Ada"]}
    store.keep_details("a", given)
    store.keep_details("a", {"is_archived": True, "who": ["Ada", "Bo"], "measure": None})
    kept = {**given, "is_archived": True, "who": ["Ada", "Bo"]}
    assert store.details("a") == own_shelf.open().details("a") == kept
    store.details("a")["who"].append("Cy")
    given["summary"]["value"] = 7
    assert store.details("a")["who"] == ["Ada", "Bo"]
    assert store.details("a")["summary"]["value"] == 0.1 + 0.2
    store.keep_details("a", {"title": None, "summary": None})
    assert own_shelf.open().details("a") == {"who": ["Ada", "Bo"], "is_archived": True}
    # No part of the log.
    assert store.begin("a", IDENTITY) == [record(1)]
    store.append("a", record(2))
    store.begin("b", IDENTITY)
    assert store.details("b") == store.details("none") == {}
    store.keep_details("b", {"title": "half of a pair: \ud83d", "nul": "\0"})
    expected = {"a": store.details("a"), "b": {"title": "half of a pair: \ud83d", "nul": "\0"}}
    assert own_shelf.open().all_details() == expected
    assert list(store.all_details()) == ["a", "b"]


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_a_detail_that_is_no_json_is_refused(own_shelf: Any, value: Any) -> None:
    store = own_shelf.open()
    store.begin("a", IDENTITY)
    store.keep_details("a", {"title": "x"})
    with pytest.raises((TypeError, ValueError), match=r"^changes\['summary'\] must be a JSON value, got "):
        store.keep_details("a", {"title": "y", "summary": value})
    assert store.details("a") == {"title": "x"}


def test_what_others_added_is_reported(shelf: Any) -> None:
    here, there = shelf.open(), shelf.open()
    assert here.events_since("a", 0) == []
    assert here.names() == []
    here.begin("a", IDENTITY)
    here.append("a", record(1))
    assert there.events_since("a", 0) == [record(1)]
    there.begin("a", IDENTITY)
    there.append("a", record(2, value="Ω"))
    there.append("a", record(3))
    there.begin("b", IDENTITY)
    there.append("b", record(1))
    assert here.events_since("a", 1) == [record(2, value="Ω"), record(3)]
    assert here.events_since("a", 3) == []
    here.append("a", record(4))
    assert there.events_since("a", 3) == [record(4)]
    assert there.events_since("a", 0) == here.begin("a", IDENTITY)


# -- one SQLite file --------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


@contextmanager
def opened(path: Path) -> Iterator[SQLiteStore]:
    with closing(SQLiteStore(path)) as store:
        yield store


def test_write_ahead_log_and_full_synchronization(path: Path) -> None:
    with opened(path) as store:
        assert store._file._connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert store._file._connection.execute("PRAGMA synchronous").fetchall() == [(2,)]
        assert store._file._connection.execute("PRAGMA foreign_keys").fetchall() == [(1,)]
    with opened(path) as store:
        assert store._file._connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert store._file._connection.execute("PRAGMA synchronous").fetchall() == [(2,)]


def test_write_ahead_log_after_an_interrupted_creation(path: Path) -> None:
    with opened(path):
        pass
    raw(path, "PRAGMA journal_mode = DELETE")  # as if killed between the tables and this
    with opened(path) as store:
        assert store._file._connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]


def test_the_file_says_whose_it_is(path: Path) -> None:
    with opened(path):
        header = path.read_bytes()[:100]
    assert header[68:72] == b"AEWD"
    assert int.from_bytes(header[60:64]) == SQLiteStore.VERSION


def test_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "sessions.sqlite"
    with opened(path) as store:
        store.begin("a", IDENTITY)
        assert repr(store) == f"SQLiteStore({str(path)!r})"
    assert path.is_file()


def test_a_path_may_be_a_string(path: Path) -> None:
    with closing(SQLiteStore(str(path))) as store:
        assert store.path == path


def test_an_appended_record_is_seen_by_others_at_once(path: Path) -> None:
    with opened(path) as store:
        store.begin("a", IDENTITY)
        store.append("a", record(1))
        assert raw(path, "SELECT session, seq FROM events") == [("a", 1)]


KILLED = """
import sys
from activeeval_widgets.session.stores import SQLiteStore
store = SQLiteStore(sys.argv[1])
store.begin("a", {"pool": "abc", "seed": "0"})
for seq in range(1, 1000):
    store.append("a", {"kind": "label", "seq": seq})
    print(seq, flush=True)
"""


def test_records_survive_kill_9(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        output = [int(process.stdout.readline()) for _ in range(5)]
        process.send_signal(signal.SIGKILL)
        output += [int(line) for line in process.stdout if line.endswith("\n")]
    assert process.returncode == -signal.SIGKILL
    assert len(output) < 999
    with opened(path) as store:
        stored = [one["seq"] for one in store.begin("a", IDENTITY)]
    # One may be stored that was not told any more; none that was told may be missing.
    assert stored[: len(output)] == output == list(range(1, len(output) + 1))
    assert len(stored) - len(output) in (0, 1)


AT_ONCE = """
import sys
from activeeval_widgets.session.stores import SQLiteStore
print("ready", flush=True)
sys.stdin.readline()
SQLiteStore(sys.argv[1]).begin(sys.argv[2], {})
"""


@pytest.mark.slow
def test_two_processes_may_make_the_file_at_once(path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE, str(path), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for name in "abc"
    ]  # fmt: skip
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    assert [(process.communicate()[1], process.returncode) for process in processes] == [("", 0)] * 3
    with opened(path) as store:
        assert sorted(store.names()) == ["a", "b", "c"]


def test_a_locked_file_refuses_the_label_and_takes_it_later(
    path: Path, make_pool: Callable[..., Pool]
) -> None:
    with opened(path) as store:
        session = Session(make_pool(), ErrorRate(), store=store, protocol="papers")
        store._file._connection.execute("PRAGMA busy_timeout = 20")
        asked = session.next()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match=r"can't be used: database is locked$"):
                session.label(0)
            other.execute("ROLLBACK")
        assert (session.n_labels, session.next()) == (0, asked)
        session.label(0)
        assert len(session.store.begin("default", session.storage.identity)) == session.n_labels == 1


def test_a_closed_store_says_so(path: Path) -> None:
    with opened(path) as store:
        store.begin("a", IDENTITY)
    with pytest.raises(StoreError, match=r"can't be used: Cannot operate on a closed database\.$"):
        store.append("a", record(1))
    with pytest.raises(StoreError, match="can't be used"):
        store.begin("a", IDENTITY)
    with pytest.raises(StoreError, match="can't be used"):
        store.names()


# -- what is not ours -------------------------------------------------------------------------------------


def refuse(path: Path, error: type[StoreError], message: str) -> None:
    """Check that a file is refused with this message, and that nothing in its folder changes."""
    before = contents(path.parent)
    with pytest.raises(StoreError) as raised:
        SQLiteStore(path)
    assert type(raised.value) is error
    assert str(raised.value) == message
    assert contents(path.parent) == before


def contents(folder: Path) -> dict[str, tuple[bytes | None, int]]:
    return {
        entry.name: (entry.read_bytes() if entry.is_file() else None, entry.stat().st_mtime_ns)
        for entry in folder.iterdir()
    }


@pytest.mark.parametrize(
    "content", [b"x", b"id,label\n1,2\n" * 40, b"SQLite format 3", b"\0" * 4096], ids=len
)
def test_a_file_that_is_not_sqlite(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refuse(path, ForeignStoreError, f"{str(path)!r} is not an SQLite file; it was left untouched")


@pytest.mark.parametrize("size", [16, 99, 100, 5000, 8192, 20_000])
def test_a_file_that_is_cut_short(path: Path, size: int) -> None:
    with closing(SQLiteStore(path)) as store:
        store.begin("a", IDENTITY)
    whole = path.stat().st_size
    os.truncate(path, size)
    refuse(
        path,
        DamagedStoreError,
        f"the store {str(path)!r} is cut short: it has {size:,} bytes of {whole if size > 99 else 100:,}, so "
        "labels may be missing; put a whole copy in its place. It was left untouched",
    )


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_another_sqlite_file(path: Path, journal: str) -> None:
    raw(path, f"PRAGMA journal_mode = {journal}")
    raw(path, "CREATE TABLE sessions (name TEXT)")
    refuse(
        path,
        ForeignStoreError,
        f"{str(path)!r} is an SQLite file, but not one of activeeval-widgets; it was left untouched",
    )


def test_another_sqlite_file_in_use(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE sessions (name TEXT)")
        assert path.with_name(path.name + "-wal").exists()
        refuse(
            path,
            ForeignStoreError,
            f"{str(path)!r} is an SQLite file, but not one of activeeval-widgets; it was left untouched",
        )


@pytest.mark.parametrize("version", [0, 2, 3])
def test_another_format(path: Path, version: int) -> None:
    assert SQLiteStore.VERSION == 1
    with opened(path) as store:
        store.begin("a", IDENTITY)
    raw(path, f"PRAGMA user_version = {version}")
    refuse(
        path,
        ForeignStoreError,
        f"{str(path)!r} is a store of format {version}, and this version of activeeval-widgets reads format "
        "1: open it with the version that made it; it was left untouched",
    )


def test_an_empty_file_is_a_new_store(path: Path) -> None:
    # SQLite makes such a file before it writes to it: a program killed then must not lock itself out.
    path.touch()
    with opened(path) as store:
        assert store.names() == []
        store.begin("a", IDENTITY)
    assert path.read_bytes()[68:72] == b"AEWD"


def test_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    message = f"the store {str(folder)!r} can't be read: [Errno 21] Is a directory: {str(folder)!r}"
    refuse(folder, StoreError, message)
    assert list(folder.iterdir()) == []


def test_a_path_through_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"can't be read: \[Errno 20\] Not a directory"):
        SQLiteStore(tmp_path / "file" / "sessions.sqlite")
    assert (tmp_path / "file").read_text() == "x"


def test_a_file_that_may_not_be_read(path: Path) -> None:
    with opened(path) as store:
        store.begin("a", IDENTITY)
    before = contents(path.parent)
    path.chmod(0)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        with pytest.raises(
            StoreError, match=r"^the store '.*' can't be read: \[Errno 13\] Permission denied"
        ):
            SQLiteStore(path)
    finally:
        if root:
            os.seteuid(0)
        path.chmod(0o600)
    assert contents(path.parent) == before


def test_a_damaged_store_of_ours(path: Path) -> None:
    with opened(path) as store:
        store.begin("a", IDENTITY)
        store.append("a", record(1))
    damaged = path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100)
    path.write_bytes(damaged)
    with pytest.raises(StoreError, match="can't be used: "), opened(path) as store:
        store.begin("a", IDENTITY)
    assert path.read_bytes() == damaged


# -- two sessions on one store ----------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["label", "defer", "exclude", "undo"])
def test_the_second_writer_is_reported(shelf: Any, make_pool: Callable[..., Pool], action: str) -> None:
    pool = make_pool()
    first = Session(pool, ErrorRate(), store=shelf.open(), protocol="papers")
    first.label(0)
    second = Session(pool, ErrorRate(), store=shelf.open(), protocol="papers")
    assert second.n_labels == 1
    asked = second.next()
    first.label(1)
    arguments = (2,) if action == "label" else ()
    with pytest.raises(SessionConflictError, match="'default' was continued elsewhere"):
        getattr(second, action)(*arguments)
    # What was meant for the draw of before was not recorded, and what the first did is taken in.
    assert second.log.events == first.log.events
    assert second.next() == first.next() != asked
    second.label(2)
    first.refresh()
    assert [answer.value for answer in first.log.actions] == [0, 1, 2]
    third = Session(pool, ErrorRate(), store=shelf.open(), protocol="papers")
    assert third.log.actions == first.log.actions == second.log.actions
    assert third.next() == first.next() == second.next()
    assert repr(third.estimate()) == repr(first.estimate()) == repr(second.estimate())


def test_sessions_of_other_names_do_not_conflict(shelf: Any, make_pool: Callable[..., Pool]) -> None:
    store = shelf.open()
    one = Session(make_pool(), ErrorRate(), store=store, name="one", protocol="papers")
    two = Session(make_pool(6, 2), ErrorRate(), store=store, name="two", seed=3, protocol="papers")
    one.label(0)
    two.label(1)
    one.label(2)
    assert [answer.value for answer in one.log.actions] == [0, 2]
    assert [answer.value for answer in two.log.actions] == [1]
