"""A store's file: whether it is the one that was opened, what is not as it was written, who may read it."""

import gc
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.session import (
    DamagedStoreError,
    LostStoreError,
    Pool,
    Session,
    SessionConflictError,
    SQLiteStore,
    StoreError,
)
from activeeval_widgets.session.stores import opening, shared_file
from activeeval_widgets.session.stores.file_system import network_type
from activeeval_widgets.session.stores.sqlite_pages import load_into_memory
from activeeval_widgets.stats import ErrorRate, FMeasure

MakePool = Callable[..., Pool]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


@pytest.fixture
def begin(path: Path, make_pool: MakePool) -> Iterator[Callable[..., Session]]:
    """Open a session of one file, as often as wanted."""
    opened: list[Session] = []

    def open_session(name: str = "default", where: Path = path, **options: Any) -> Session:
        opened.append(
            Session(make_pool(30), ErrorRate(), store=where, name=name, **{"protocol": "papers", **options})
        )
        return opened[-1]

    yield open_session
    for session in opened:
        session.store.close()


def close(session: Session) -> None:
    session.store.close()


def raw(path: Path, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def values(session: Session) -> list[Any]:
    return [action.value for action in session.log.actions]


def test_a_log_that_can_not_be_emptied_is_reported_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class FullDisk:
        def execute(self, _statement: str) -> None:
            raise sqlite3.OperationalError("database or disk is full")

    with closing(SQLiteStore(path)) as store:
        for n_times in (1, 2):
            with monkeypatch.context() as patched:
                patched.setattr(store._file, "_connection", FullDisk())
                for _ in range(3):
                    store._file._settle()
            assert caplog.text.count("could not be emptied: database or disk is full") == n_times
            store._file._settle()  # there is room again


# -- one connection a file and process --------------------------------------------------------------------


def test_all_stores_of_a_file_share_a_connection(path: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    first, second = SQLiteStore(path), SQLiteStore(tmp_path / "link" / path.name)
    assert first._file is second._file
    first.close()
    with pytest.raises(StoreError, match="closed"):
        first.names()
    assert second.names() == []
    second.close()
    assert not log_of(path).exists()


def test_a_forgotten_store_is_closed(path: Path) -> None:
    SQLiteStore(path)
    end = time.monotonic() + 60  # another thread may hold it for a moment
    while log_of(path).exists():
        assert time.monotonic() < end
        gc.collect()


def test_the_second_opening_goes_on_and_the_first_is_notified(begin: Callable[..., Session]) -> None:
    older = begin()
    older.label(0)
    newer = begin()
    newer.label(1)
    with pytest.raises(SessionConflictError, match="continued elsewhere"):
        older.label(2)
    assert older.n_labels == 2
    older.label(2)
    assert values(begin()) == [0, 1, 2]


def test_a_session_begun_elsewhere_at_the_same_moment_is_joined(
    path: Path, make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_pool(30)
    other: list[Session] = []
    begin = SQLiteStore.begin

    def slow(store: SQLiteStore, *arguments: Any) -> Any:
        records = begin(store, *arguments)
        if not other:  # between reading the log and drawing
            other.append(Session.__new__(Session))
            other[0].__init__(pool, ErrorRate(), store=path, protocol="adaptive")
        return records

    monkeypatch.setattr(SQLiteStore, "begin", slow)
    session = Session(pool, ErrorRate(), store=path, protocol="adaptive")
    assert session.log.events == other[0].log.events != ()
    assert session.next() == other[0].next()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_can_not_use_it(path: Path) -> None:
    store = SQLiteStore(path)
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        content = []
        for act in (store.names, lambda: SQLiteStore(path)):
            try:
                act()
            except StoreError as error:
                content.append(str(error))
        os.write(write, json.dumps(content).encode())
        os._exit(0)
    os.waitpid(child, 0)
    content = json.loads(os.read(read, 10_000))
    assert len(content) == 2
    assert all("was opened before this process was forked" in text for text in content)
    assert store.names() == []
    store.close()


# -- the file that was opened -----------------------------------------------------------------------------


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("moved"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def cut(path: Path) -> None:
    os.truncate(path, 4096)


def delete_log(path: Path) -> None:
    log_of(path).unlink()


def cut_log(path: Path) -> None:
    os.truncate(log_of(path), 32)


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (delete, "sessions.sqlite' is gone: it was deleted or moved"),
        (move, "sessions.sqlite' is gone: it was deleted or moved"),
        (replace, "sessions.sqlite' is a different file now: it was replaced"),
        (cut, "sessions.sqlite' was cut to 4096 bytes"),
        (delete_log, "sessions.sqlite-wal' was deleted or replaced"),
        (cut_log, "sessions.sqlite-wal' was cut to 32 bytes"),
    ],
)
def test_nothing_is_acknowledged_that_would_not_be_found(
    begin: Callable[..., Session], path: Path, harm: Callable[[Path], None], message: str
) -> None:
    session = begin()
    for label in (0, 1, 2):
        session.label(label)
    harm(path)
    assert session.storage.problem is not None
    assert message in session.storage.problem
    for _ in range(2):
        with pytest.raises(LostStoreError, match="while it was in use"):
            session.label(0)
    assert session.n_labels == 3
    assert session.estimate().n_labels == 3
    saved = session.save_to()
    assert saved.name == (path.name if harm in (delete, move) else "sessions-rescued.sqlite")
    assert session.storage.problem is None
    session.label(1)
    close(session)
    assert values(begin(where=saved)) == [0, 1, 2, 1]


def test_a_file_that_is_put_back_goes_on(begin: Callable[..., Session], path: Path) -> None:
    session = begin()
    session.label(0)
    path.rename(path.with_name("moved"))
    with pytest.raises(LostStoreError):
        session.label(1)
    path.with_name("moved").rename(path)
    session.label(2)
    assert values(session) == [0, 2]


def test_after_its_log_was_deleted_it_can_be_opened_again(begin: Callable[..., Session], path: Path) -> None:
    session = begin()
    for label in (0, 1):
        session.label(label)
    log_of(path).unlink()
    with pytest.raises(LostStoreError):
        session.label(2)
    again = begin()
    assert values(again) == [0, 1]
    again.label(2)
    with pytest.raises(StoreError):
        session.label(1)
    close(again)
    assert values(begin()) == [0, 1, 2]


def test_a_session_in_memory_can_be_saved(make_pool: MakePool, begin: Any, path: Path) -> None:
    session = Session(make_pool(30), ErrorRate(), protocol="papers")
    session.label(1)
    with pytest.raises(StoreError, match="path must be given"):
        session.save_to()
    assert session.save_to(path) == path
    with pytest.raises(StoreError, match="path must be a file that does not exist yet"):
        session.save_to(path)
    session.label(2)
    close(session)
    assert values(begin()) == [1, 2]


# -- what is not as it was written ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "harm",
    [
        """UPDATE events SET record = replace(record, '"value": 2', '"value": 1') WHERE seq = 3""",
        "UPDATE events SET record = substr(record, 1, 20) WHERE seq = 3",
        "UPDATE events SET hash = upper(hash) WHERE seq = 3",
        "DELETE FROM events WHERE seq = 3",
        "DELETE FROM events WHERE seq >= 3",
        "UPDATE events SET seq = 30 WHERE seq = 3",
    ],
)
def test_a_damaged_log_is_shown_as_far_as_it_is_whole(
    begin: Callable[..., Session], path: Path, harm: str
) -> None:
    session = begin()
    for label in (0, 1, 2, 0, 1):
        session.label(label)
    close(session)
    raw(path, harm)
    before = path.read_bytes()
    damaged = begin()
    assert damaged.storage.problem is not None
    assert (
        "event 3 of the session 'default' is not as it was written, or missing; the 2 events"
        in damaged.storage.problem
    )
    assert values(damaged) == [0, 1]
    assert damaged.estimate().n_labels == 2
    assert damaged.report()
    with pytest.raises(DamagedStoreError, match="is damaged: event 3"):
        damaged.label(2)
    with pytest.raises(DamagedStoreError, match="is damaged"):
        begin("another")
    close(damaged)
    assert path.read_bytes() == before
    rescued = begin()
    saved = rescued.save_to()
    rescued.label(2)
    close(rescued)
    assert values(begin(where=saved)) == [0, 1, 2]


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE sessions SET name = 'defaults'",
        'UPDATE sessions SET identity = replace(identity, \'"seed": "0"\', \'"seed": "1"\')',
        "UPDATE sessions SET n_events = 2",
        "DELETE FROM sessions",
    ],
)
def test_a_damaged_session_is_not_taken_for_another(
    begin: Callable[..., Session], path: Path, harm: str
) -> None:
    session = begin()
    session.label(0)
    close(session)
    raw(path, harm)
    try:
        problem = begin().storage.problem
    except DamagedStoreError as error:
        problem = str(error)
    assert problem is not None
    assert "is damaged" in problem


def test_what_is_damaged_while_it_is_in_use_is_reported_at_rest(
    begin: Callable[..., Session], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_file, "REST_AFTER", 0.05)
    session = begin()
    session.label(0)
    raw(path, "UPDATE events SET record = replace(record, '\"value\": 0', '\"value\": 1')")
    end = time.monotonic() + 300
    while session.storage.problem is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert "the last events of the session 'default' are not as they were written" in session.storage.problem


# -- what others add --------------------------------------------------------------------------------------

OTHER = """
import sys
from activeeval_widgets.session import SQLiteStore
store = SQLiteStore(sys.argv[1])
store.begin("a", {})
for seq in sys.argv[2:]:
    store.append("a", {"seq": int(seq)})
store.close()
"""


def test_what_another_program_adds_is_checked(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        store.begin("a", {})
        store.append("a", {"seq": 1})
        subprocess.run([sys.executable, "-c", OTHER, str(path), "2", "3"], check=True)
        assert store.events_since("a", 1) == [{"seq": 2}, {"seq": 3}]
        store.append("a", {"seq": 4})
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("""UPDATE events SET record = '{"seq": 3, "value": 1}' WHERE seq = 3""")
        with pytest.raises(DamagedStoreError, match="event 3 of the session 'a' is not as it was written"):
            store.events_since("a", 2)
        assert "event 3" in str(store.problem)


def test_a_saved_session_takes_its_details_along(begin: Callable[..., Session], path: Path) -> None:
    session = begin()
    session.store.keep_details("default", {"title": "Ω"})
    path.unlink()
    session.save_to()
    assert session.store.details("default") == {"title": "Ω"}
    session.label(1)
    assert values(begin()) == [1]


# -- the one file is the session --------------------------------------------------------------------------


def test_at_rest_the_one_file_is_the_session(
    begin: Callable[..., Session], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_file, "REST_AFTER", 0.05)
    session = begin()
    session.label(0)
    session.label(1)
    end = time.monotonic() + 300
    copy = path.with_name("copy.sqlite")
    copy.write_bytes(path.read_bytes())
    # The copy is asked: somebody who reads the file itself keeps its log from being taken in.
    while raw(copy, "SELECT * FROM in_use"):
        assert time.monotonic() < end
        time.sleep(0.02)
        copy.write_bytes(path.read_bytes())
    again = begin(where=copy)
    assert values(again) == [0, 1]
    assert again.storage.notices == ()


def test_a_copy_of_a_file_in_use_says_what_may_be_missing(begin: Callable[..., Session], path: Path) -> None:
    session = begin()
    session.label(0)
    copy = path.with_name("copy.sqlite")
    copy.write_bytes(path.read_bytes())
    for _ in range(2):
        again = begin(where=copy)
        assert values(again) == [0]
        [notice] = again.storage.notices
        assert "the last answers may be missing" in notice
        close(again)


def test_a_database_is_read_apart_as_sqlite_reads_it(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("CREATE TABLE numbers (n INTEGER, text TEXT)")
        for n in range(300):
            connection.execute("INSERT INTO numbers VALUES (?, ?)", (n, str(n) * 50))
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        for n in range(200):
            connection.execute("UPDATE numbers SET text = ? WHERE n = ?", ("x" * n, n))
        expected = connection.execute("SELECT * FROM numbers").fetchall()
        copy = path.with_name("copy")
        shutil.copy(path, copy)
        shutil.copy(log_of(path), log_of(copy))
    with closing(load_into_memory(copy)) as apart:
        assert apart.execute("SELECT * FROM numbers").fetchall() == expected


# -- where it is, and who may read it ---------------------------------------------------------------------


def test_a_file_that_is_only_read_is_left_alone(begin: Callable[..., Session], path: Path) -> None:
    session = begin()
    session.label(0)
    close(session)
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    store = SQLiteStore(path, reads_only=True)
    about = store.identity("default")
    assert about is not None
    [record] = [each for each in store.begin("default", about) if each["kind"] == "label"]
    assert (store.problem, store.older, store.notices) == (None, None, ())
    with pytest.raises(StoreError, match="can't be used: attempt to write a readonly database"):
        store.append("default", {**record, "seq": record["seq"] + 1})
    store.close()
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before
    # What is open already is not opened a second time.
    again = begin()
    store = SQLiteStore(path, reads_only=True)
    again.label(1)
    assert len(store.events_since("default", record["seq"])) > 0
    store.close()
    with pytest.raises(StoreError, match="can't be read"):
        SQLiteStore(path.with_name("none.sqlite"), reads_only=True)
    assert not path.with_name("none.sqlite").exists()


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "sessions.sqlite"
    before = os.umask(0)
    try:
        store = SQLiteStore(path)
        store.begin("a", {})
        for each in (path, log_of(path), path.with_name(path.name + "-shm")):
            assert stat.S_IMODE(each.stat().st_mode) == 0o600
        for folder in path.parents[:2]:
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        store.close()
    finally:
        os.umask(before)


def test_on_a_network_file_system_a_rollback_journal_is_used(
    begin: Callable[..., Session], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = begin()
    first.label(0)
    close(first)
    monkeypatch.setattr(opening, "network_type", lambda _: "nfs4")
    session = begin()
    session.label(1)
    assert not log_of(path).exists()
    [notice] = session.storage.notices
    assert notice.startswith(
        "sessions.sqlite is on a network file system (nfs4), where a write-ahead log can't"
    )
    path.rename(path.with_name("moved"))
    with pytest.raises(LostStoreError):
        session.label(2)
    path.with_name("moved").rename(path)
    close(session)
    monkeypatch.undo()
    assert values(begin()) == [0, 1]
    assert begin().storage.notices == ()


def test_file_systems_are_distinguished(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    home = tmp_path / "my home"
    (home / "local").mkdir(parents=True)
    escaped = str(home).replace(" ", "\\040")
    mounts.write_text(
        f"/dev/sda1 / ext4 rw 0 0\nserver:/home {escaped} nfs4 rw 0 0\n"
        f"/dev/sdb {escaped}/local fuseblk rw 0 0\n"
    )
    assert network_type(tmp_path / "x", mounts) is None
    assert network_type(home / "x", mounts) == "nfs4"
    assert network_type(home / "local" / "x", mounts) is None
    assert network_type(home / "x", tmp_path / "none") is None
    for kind in ("nfs", "cifs", "smb3", "fuse.sshfs", "fuse", "9p", "lustre", "beegfs"):
        mounts.write_text(f"x / {kind} rw 0 0\n")
        assert network_type(home, mounts) == kind
    for kind in ("ext4", "xfs", "btrfs", "overlay", "tmpfs", "apfs", "fuseblk", "zfs"):
        mounts.write_text(f"x / {kind} rw 0 0\n")
        assert network_type(home, mounts) is None


def test_a_read_only_store_is_shown(path: Path, make_pool: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(make_pool(30), FMeasure(), store=path, protocol="papers")
    session.label(1)
    close(session)

    def refuse(_: Path) -> Any:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    with monkeypatch.context() as patched:
        patched.setattr(shared_file, "connect", refuse)
        shown = Session(make_pool(30), FMeasure(), store=path, protocol="papers")
        assert values(shown) == [1]
        assert "can't be written (attempt to write a readonly database)" in str(shown.storage.problem)
        assert shown.report()
        with pytest.raises(StoreError, match="nothing can be saved to it"):
            shown.label(2)
        with pytest.raises(StoreError, match="can't be written"):
            Session(make_pool(30), FMeasure(), store=path, name="new", protocol="papers")
    shown.label(2)  # once it can be written
    assert shown.storage.problem is None
    close(shown)
    again = Session(make_pool(30), FMeasure(), store=path, protocol="papers")
    assert values(again) == [1, 2]
