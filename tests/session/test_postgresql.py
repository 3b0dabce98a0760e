"""What a store in PostgreSQL does besides what any store does (see test_store.py)."""

import json
import logging
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import BigInteger, Engine, Integer, create_engine, event, inspect, text

from activeeval_widgets.session import (
    DamagedStoreError,
    ForeignStoreError,
    LostStoreError,
    Pool,
    Session,
    SessionConflictError,
    SQLiteStore,
    StoreError,
    open_store,
)
from activeeval_widgets.session.stores import postgresql_connection
from activeeval_widgets.session.stores.postgresql_tables import TABLES
from activeeval_widgets.session.stores.registry import hide_password
from activeeval_widgets.stats import ErrorRate

MakePool = Callable[..., Pool]
IDENTITY = {"pool": "abc", "seed": "0"}
SECRET = "Tr0ub4dor&3"


def record(seq: int, **content: Any) -> dict[str, Any]:
    return {"kind": "label", "seq": seq, **content}


@pytest.fixture
def opened(postgresql_address: str) -> Iterator[Callable[..., Any]]:
    """Open a store of the same tables, as often as wanted."""
    stores: list[Any] = []

    def open_again(address: str = postgresql_address) -> Any:
        stores.append(open_store(address))
        return stores[-1]

    yield open_again
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[..., Any]) -> Any:
    made = opened()
    made.begin("a", IDENTITY)
    return made


@pytest.fixture
def run(postgresql_server: Any, postgresql_address: str) -> Callable[[str], str]:
    """Run a statement past the store."""
    schema = postgresql_address.rpartition("=")[2]

    def execute(statement: str) -> str:
        return str(postgresql_server.psql(f'SET search_path TO "{schema}"; {statement}'))

    return execute


def seqs(records: list[dict[str, Any]]) -> list[int]:
    return [each["seq"] for each in records]


def test_a_role_that_may_only_read_opens_sessions(
    store: Any, opened: Callable[..., Any], run: Callable[[str], str], postgresql_address: str
) -> None:
    store.append("a", record(1))
    schema = postgresql_address.rpartition("=")[2]
    run(
        f'CREATE ROLE reads LOGIN; GRANT USAGE ON SCHEMA "{schema}" TO reads; '
        f'GRANT SELECT ON ALL TABLES IN SCHEMA "{schema}" TO reads'
    )
    reading = opened(postgresql_address.replace("postgres@", "reads@"))
    assert seqs(reading.begin("a", IDENTITY)) == [1]
    assert (reading.details("a"), reading.problem, reading.older) == ({}, None, None)
    with pytest.raises(StoreError, match="permission denied"):
        reading.append("a", record(2))


# -- one description of the tables ------------------------------------------------------------------------


def test_a_file_has_the_same_tables(tmp_path: Path) -> None:
    """SQLite's are stated by themselves, see `TABLES`: but not otherwise."""
    path = tmp_path / "s.sqlite"
    SQLiteStore(path).close()
    engine = create_engine(f"sqlite:///{path}")
    found = inspect(engine)
    assert {*found.get_table_names()} - {"in_use", "notices"} == TABLES.tables.keys()
    for name, table in TABLES.tables.items():
        expected = {
            column.name: (Integer if isinstance(column.type, BigInteger) else type(column.type))
            for column in table.columns
            if column.name != "number"  # SQLite numbers its rows
        }
        columns = {column["name"]: column for column in found.get_columns(name)}
        assert list(columns) == list(expected), name
        for key, column in columns.items():
            assert issubclass(type(column["type"]), expected[key])
            assert column["nullable"] is False
            default = table.columns[key].server_default
            assert (column["default"] is None) == (default is None)
        keys = {tuple(each["constrained_columns"]) for each in found.get_foreign_keys(name)}
        assert keys == {tuple(c.name for c in each.columns) for each in table.foreign_key_constraints}
        unique = {tuple(each["column_names"]) for each in found.get_unique_constraints(name)}
        unique.add(tuple(found.get_pk_constraint(name)["constrained_columns"]))
        assert tuple(c.name for c in table.primary_key) in unique
    engine.dispose()


def test_who_labels_into_a_file_waits_for_no_database_library(tmp_path: Path) -> None:
    code = (
        "import sys, activeeval_widgets.session\n"
        "activeeval_widgets.session.open_store(sys.argv[1]).close()\n"
        "print({'sqlalchemy', 'psycopg'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "s.sqlite")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


def test_libraries_are_loaded_ahead_without_a_thread() -> None:
    """Kernels are forked from a process that has them, and may have no second thread."""
    code = (
        "import sys, threading\n"
        "from activeeval_widgets.session.stores.registry import load_libraries\n"
        "load_libraries('labels.sqlite')\n"
        "print('sqlalchemy' in sys.modules)\n"
        "load_libraries('postgresql://ada@db.invalid/labels')\n"
        "print({'sqlalchemy', 'psycopg'} <= set(sys.modules), threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\nTrue 1\n"


@pytest.mark.parametrize("library", ["sqlalchemy", "psycopg"])
def test_what_is_missing_is_stated_with_its_remedy(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(sys.modules):
        if name.startswith((f"{library}.", "activeeval_widgets.session.stores.postgresql")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(StoreError, match=r"pip install 'activeeval-widgets\[postgresql\]'$"):
        open_store("postgresql://ada@host/labels")


# -- what is acknowledged is there ------------------------------------------------------------------------


def test_a_commit_waits_for_the_disk(postgresql_server: Any, opened: Callable[..., Any]) -> None:
    postgresql_server.psql("ALTER DATABASE labels SET synchronous_commit = off")
    try:
        shown = opened()._database.ask(lambda c: c.scalar(text("SHOW synchronous_commit")))
    finally:
        postgresql_server.psql("ALTER DATABASE labels RESET synchronous_commit")
    assert shown == "on"
    # The server of the tests is in a hurry.
    [notice] = opened().notices
    assert "does not wait for its disk (fsync is off)" in notice


@pytest.mark.parametrize("crash", [False, True])
def test_a_server_that_restarts_is_waited_for(
    postgresql_server: Any, store: Any, opened: Callable[..., Any], crash: bool
) -> None:
    store.append("a", record(1))
    restart = Thread(target=postgresql_server.restart, kwargs={"crash": crash, "pause": 0.4})
    restart.start()
    for seq in range(2, 40):
        store.append("a", record(seq))
        assert store.problem is None
        time.sleep(0.01)
    restart.join()
    assert store.names() == ["a"]
    assert seqs(opened().begin("a", IDENTITY)) == list(range(1, 40))


def test_a_server_that_is_down_is_reported_and_goes_on_later(
    postgresql_server: Any, store: Any, make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_connection, "PATIENCE", 0.3)
    session = Session(make_pool(), ErrorRate(), store=store, name="b", protocol="papers")
    session.label(0)
    postgresql_server.stop()
    try:
        before = time.monotonic()
        with pytest.raises(StoreError, match=r"database labels on this computer can't be used: ") as result:
            session.label(1)
        assert "not known" not in str(result.value)
        assert session.storage.problem == str(result.value)
        assert session.n_labels == 1
        # The next ones are not kept waiting.
        postgresql_connection.PATIENCE = 600
        with pytest.raises(StoreError):
            session.label(1)
        assert time.monotonic() - before < 300
    finally:
        postgresql_server.start()
    end = time.monotonic() + 300
    while session.storage.problem is not None:
        assert time.monotonic() < end
        time.sleep(0.05)
    session.label(2)
    assert [action.value for action in session.log.actions] == [0, 2]


@pytest.fixture
def proxy(postgresql_server: Any, tmp_path: Path) -> Iterator[Any]:
    made = import_module("postgresql_proxy").Proxy(tmp_path, postgresql_server.data)
    yield made
    made.close()


@pytest.fixture
def address_by_proxy(postgresql_address: str, postgresql_server: Any, tmp_path: Path) -> str:
    return postgresql_address.replace(quote(str(postgresql_server.data)), quote(str(tmp_path)))


@pytest.mark.parametrize("is_end_known", [True, False])
@pytest.mark.parametrize("how", ["before", "after", "late"])
def test_a_connection_that_breaks_at_the_commit(
    how: str, is_end_known: bool, store: Any, opened: Callable[..., Any], proxy: Any, address_by_proxy: str
) -> None:
    """Whether the record was stored is found out before anything is said: it is there, and once."""
    there = opened(address_by_proxy)
    there.begin("a", IDENTITY)
    there.append("a", record(1))
    if not is_end_known:  # as when others have added something meanwhile
        there._known.clear()
    proxy.cut = how
    there.append("a", record(2, value="x"))
    assert proxy.n_cut == 1
    there.append("a", record(3))
    assert store.begin("a", IDENTITY) == [record(1), record(2, value="x"), record(3)]
    proxy.cut = how
    there.keep_details("a", {"title": "Ω"})
    assert proxy.n_cut == 2
    assert store.details("a") == {"title": "Ω"}
    proxy.cut = how
    assert there.begin("b", IDENTITY) == []
    assert (proxy.n_cut, store.names()) == (3, ["a", "b"])


@pytest.mark.parametrize("how", ["before", "after"])
def test_what_can_not_be_found_out_is_stated_to_be_unknown(
    how: str,
    store: Any,
    opened: Callable[..., Any],
    proxy: Any,
    address_by_proxy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgresql_connection, "PATIENCE", 0.5)
    there = opened(address_by_proxy)
    there.begin("a", IDENTITY)
    proxy.cut, proxy.is_refusing = how, True
    with pytest.raises(StoreError, match=r"Whether the last answer was stored .* is not known"):
        there.append("a", record(1))
    proxy.is_refusing = False
    is_stored = how == "after"
    assert there.events_since("a", 0) == store.begin("a", IDENTITY) == [record(1)] * is_stored
    assert there.problem is None
    there.append("a", record(1 + is_stored))
    assert len(store.begin("a", IDENTITY)) == 1 + is_stored


def test_a_label_of_which_nobody_knew_is_found_and_counts_once(
    opened: Callable[..., Any],
    proxy: Any,
    address_by_proxy: str,
    make_pool: MakePool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgresql_connection, "PATIENCE", 0.3)
    session = Session(make_pool(), ErrorRate(), store=opened(address_by_proxy), protocol="papers")
    asked = session.next()
    assert asked is not None
    proxy.cut, proxy.is_refusing = "after", True
    with pytest.raises(StoreError, match="is not known"):
        session.label(1)
    assert session.n_labels == 0
    proxy.is_refusing = False
    with pytest.raises(SessionConflictError, match="is answered there, and that answer stays"):
        session.label(1, draw=asked.draw)  # as the page sends it again
    assert session.n_labels == 1
    session.label(0)
    again = Session(make_pool(), ErrorRate(), store=opened(), protocol="papers")
    assert [action.value for action in again.log.actions] == [1, 0]


def test_another_record_is_not_taken_for_ones_own(
    store: Any, opened: Callable[..., Any], proxy: Any, address_by_proxy: str
) -> None:
    there = opened(address_by_proxy)
    there.begin("a", IDENTITY)
    there._known.clear()
    keep, taken = there._database.write, []

    def write(act: Any) -> Any:
        def then(connection: Any) -> Any:
            if len(taken) == 1:  # the second attempt: another program was faster
                store.append("a", record(1, value="other"))
            taken.append(1)
            return act(connection)

        return keep(then)

    there._database.write = write
    proxy.cut = "before"
    with pytest.raises(SessionConflictError):
        there.append("a", record(1, value="own"))
    assert store.begin("a", IDENTITY) == [record(1, value="other")]


def test_connections_that_break_while_it_rests(
    store: Any, opened: Callable[..., Any], proxy: Any, address_by_proxy: str
) -> None:
    there = opened(address_by_proxy)
    for seq in (1, 2, 3):
        proxy.break_all()
        assert there.begin("a", IDENTITY) == [record(each) for each in range(1, seq)]
        proxy.break_all()
        there.append("a", record(seq))
    assert seqs(store.begin("a", IDENTITY)) == [1, 2, 3]


def test_a_vanished_program_locks_nothing_for_long(
    store: Any, opened: Callable[..., Any], run: Callable[[str], str]
) -> None:
    """One that was stopped within a transaction, say: its connection is given up by the server."""
    limit = store._database.ask(lambda c: c.scalar(text("SHOW idle_in_transaction_session_timeout")))
    waits = store._database.ask(lambda c: c.scalar(text("SHOW lock_timeout")))
    assert (limit, waits) == ("5s", "10s")


def test_a_forked_process_has_connections_of_its_own(store: Any, opened: Callable[..., Any]) -> None:
    store.append("a", record(1))
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        try:
            store.append("a", record(2))
            os.write(write, json.dumps(seqs(store.begin("a", IDENTITY))).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert json.loads(os.read(read, 1000)) == [1, 2]
    store.begin("a", IDENTITY)
    store.append("a", record(3))
    assert seqs(opened().begin("a", IDENTITY)) == [1, 2, 3]
    for end in (read, write):
        os.close(end)


def test_any_thread_may_use_it(store: Any, opened: Callable[..., Any]) -> None:
    names = [f"thread {i}" for i in range(8)]

    def work(name: str) -> None:
        store.begin(name, IDENTITY)
        for seq in range(1, 11):
            store.append(name, record(seq))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, names))
    assert all(seqs(opened().begin(name, IDENTITY)) == list(range(1, 11)) for name in names)


def test_a_closed_store_says_so(store: Any) -> None:
    store.close()
    assert "database labels on this computer was closed" in str(store.problem)
    with pytest.raises(StoreError, match="was closed"):
        store.append("a", record(1))
    with pytest.raises(StoreError, match="was closed"):
        store.names()


# -- what is not as it was written ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "harm",
    [
        """UPDATE events SET record = replace(record, '"value": 2', '"value": 1') WHERE seq = 3""",
        "UPDATE events SET record = substr(record, 1, 20) WHERE seq = 3",
        "UPDATE events SET hash = upper(hash) WHERE seq = 3",
        "DELETE FROM events WHERE seq = 3 AND session = 'default'",
        "DELETE FROM events WHERE seq >= 3",
        "UPDATE events SET seq = 30 WHERE seq = 3",
    ],
)
def test_a_damaged_log_is_shown_as_far_as_it_is_whole(
    harm: str, opened: Callable[..., Any], run: Callable[[str], str], make_pool: MakePool, tmp_path: Path
) -> None:
    def begin(where: Any, name: str = "default") -> Session:
        return Session(make_pool(30), ErrorRate(), store=where, name=name, protocol="papers")

    session = begin(opened())
    for label in (0, 1, 2, 0, 1):
        session.label(label)
    run(harm)
    damaged = begin(opened())
    assert "event 3 of the session 'default' is not as it was written, or missing" in str(
        damaged.storage.problem
    )
    assert [action.value for action in damaged.log.actions] == [0, 1]
    with pytest.raises(DamagedStoreError, match="is damaged: event 3"):
        damaged.label(2)
    assert run("SELECT count(*) FROM events WHERE seq > 5 AND seq < 30") == "0"
    # Others' sessions go on.
    begin(opened(), "another").label(0)
    damaged.save_to(tmp_path / "rescued.sqlite")
    damaged.label(2)
    assert damaged.n_labels == 3
    damaged.store.close()


@pytest.mark.parametrize(
    "harm",
    [
        'UPDATE sessions SET identity = replace(identity, \'"seed": "0"\', \'"seed": "1"\')',
        "UPDATE sessions SET n_events = 0",
        "UPDATE sessions SET begun = 'then'",
    ],
)
def test_what_a_session_was_begun_with_is_sealed(
    harm: str, store: Any, opened: Callable[..., Any], run: Callable[[str], str]
) -> None:
    store.append("a", record(1))
    run(harm)
    again = opened()
    assert len(again.begin("a", IDENTITY)) == 1
    assert "is damaged" in str(again.problem)
    with pytest.raises(DamagedStoreError):
        again.append("a", record(2))


def test_a_database_that_was_set_back_is_reported(store: Any, run: Callable[[str], str]) -> None:
    """As by a backup that was brought back while somebody went on."""
    store.append("a", record(1))
    store.append("a", record(2))
    run(
        "UPDATE sessions SET n_events = 1, head = (SELECT hash FROM events WHERE seq = 1);"
        "DELETE FROM events WHERE seq = 2"
    )
    with pytest.raises(DamagedStoreError, match="event 2 of the session 'a'"):
        store.events_since("a", 2)
    store._damage.clear()
    with pytest.raises(DamagedStoreError, match="does not end as it did when it was last written"):
        store.append("a", record(2, value="other"))


def test_tables_that_are_gone_are_reported(store: Any, run: Callable[[str], str]) -> None:
    run("DELETE FROM sessions")
    with pytest.raises(LostStoreError, match=r"the session 'a' is gone from the .*database labels"):
        store.append("a", record(1))
    run("DROP TABLE events, details, sessions")
    with pytest.raises(LostStoreError, match=r"the tables in .* are gone"):
        store.append("a", record(1))


# -- the format of the tables -------------------------------------------------------------------------------


def test_another_format_is_refused(store: Any, opened: Callable[..., Any], run: Callable[[str], str]) -> None:
    store.append("a", record(1))
    run("UPDATE schema_version SET version = 2")
    with pytest.raises(
        ForeignStoreError,
        match=r"is a store of format 2, and this version of activeeval-widgets reads format 1: open it with "
        r"the version that made it; it was left untouched$",
    ):
        opened()
    run("UPDATE schema_version SET version = 1")
    assert opened().begin("a", IDENTITY) == [record(1)]


def test_several_programs_make_the_tables_at_once(opened: Callable[..., Any]) -> None:
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda name: opened().begin(name, IDENTITY), "abcdef"))
    assert found == [[]] * 6
    assert sorted(opened().names()) == list("abcdef")


def test_tables_that_another_program_makes_meanwhile_are_ours(opened: Callable[..., Any]) -> None:
    made: list[Any] = []

    def make(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "pg_class" in statement and not made:  # what asks for the tables, the first time
            made.append("now")
            made.append(opened())

    event.listen(Engine, "after_cursor_execute", make)
    try:
        assert opened().begin("a", IDENTITY) == []
    finally:
        event.remove(Engine, "after_cursor_execute", make)
    assert made[1].names() == ["a"]


def test_tables_of_something_else_are_left_alone(
    postgresql_server: Any, postgresql_address: str, run: Callable[[str], str]
) -> None:
    schema = postgresql_address.rpartition("=")[2]
    postgresql_server.psql(f'CREATE SCHEMA "{schema}"; CREATE TABLE "{schema}".events (day TEXT)')
    with pytest.raises(ForeignStoreError, match=r"holds tables of something else \(events\); it was left"):
        open_store(postgresql_address)
    assert run("SELECT string_agg(table_name, ' ') FROM information_schema.tables "
               f"WHERE table_schema = '{schema}'") == "events"  # fmt: skip


def test_who_may_not_make_tables_is_shown_what_to_do(postgresql_server: Any) -> None:
    postgresql_server.psql("DROP ROLE IF EXISTS ada; CREATE ROLE ada LOGIN")
    address = postgresql_server.address_of("labels", "ada") + "&schema=of_ada"
    with pytest.raises(StoreError, match=r'permission denied .* CREATE SCHEMA "of_ada" AUTHORIZATION "ada"$'):
        open_store(address)
    postgresql_server.psql('CREATE SCHEMA "of_ada" AUTHORIZATION "ada"')
    with closing(open_store(address)) as store:
        assert store.place == "in the schema of_ada of the database labels on this computer"
        assert store.names() == []


def test_another_encoding_is_refused(postgresql_server: Any) -> None:
    postgresql_server.psql(
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", database="postgres"
    )
    with pytest.raises(StoreError, match="has the encoding LATIN1, in which not every label can be written"):
        open_store(postgresql_server.address_of("latin"))


# -- addresses, names and passwords -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("postgresql://ada@db.example.org/labels", "in the database labels at db.example.org"),
        ("postgresql://ada:x@db.example.org:5433/labels", "in the database labels at db.example.org"),
        ("postgres:///labels?host=/run/postgresql", "in the database labels on this computer"),
        ("postgresql://ada@/labels?host=a,b&schema=x", "in the schema x of the database labels at a,b"),
    ],
)
def test_where_labels_are_kept(address: str, place: str) -> None:
    assert postgresql_connection.Address(address).place == place


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ada:{SECRET}@127.0.0.1:1/labels",
        f"postgres://ada:{SECRET}@127.0.0.1:1/labels",
        f"postgresql://ada@127.0.0.1:1/labels?password={SECRET}",
        f"postgresql://ada:{SECRET}@nowhere.invalid/labels",
        f"postgresql://ada:{SECRET}@a@127.0.0.1:1/labels",
        f"postgresql://ada:a@{SECRET}@127.0.0.1:1/labels",
        f"postgresql://ada:x/{SECRET}@127.0.0.1:1/labels",
        f"postgresql://ada:x@y/{SECRET}@127.0.0.1:1/labels",
        f"postgresql://ada:x#{SECRET}@127.0.0.1:1/labels",
        f"postgresql://ada:{SECRET}",
        f"postgresql://ada:{SECRET}@127.0.0.1:{SECRET}/labels",
        f"postgresql://ada:{SECRET}@127.0.0.1:1",
        f"postgresql://ada:{SECRET}@[::1/labels",
        f"postgresql:ada:{SECRET}",
        f"mysql://ada:{SECRET}@127.0.0.1:1/labels",
    ],
)
def test_a_password_is_never_shown(
    address: str, make_pool: MakePool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(postgresql_connection, "PATIENCE", 0)
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - what it says is looked at
        Session(make_pool(), ErrorRate(), store=address)
    error = raised.value
    shown = [str(error), repr(error), "".join(traceback.format_exception(error)), caplog.text]
    assert not any(SECRET in each for each in shown)
    assert "postgresql" in shown[0] or "database labels" in shown[0] or "mysql" in shown[0]


def test_a_password_is_not_in_what_a_store_shows_of_itself(
    postgresql_server: Any, postgresql_address: str, make_pool: MakePool
) -> None:
    address = postgresql_address.replace("postgres@", f"postgres:{SECRET}@")
    assert SECRET in address
    with closing(open_store(address)) as store:
        session = Session(make_pool(), ErrorRate(), store=store)
        shown = [repr(store), str(store.place), session.storage.place, repr(session), str(store.notices)]
        shown.append(session.report())
        assert not any(SECRET in each for each in shown)
        kept = {**vars(store)}
        assert not any(SECRET in repr(each) for each in kept.values())
    assert SECRET not in hide_password(address)


def test_a_log_in_that_is_refused_is_reported_at_once(
    postgresql_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_connection, "PATIENCE", 600)
    before = time.monotonic()
    with pytest.raises(StoreError, match='role "nobody_of_that_name" does not exist'):
        open_store(postgresql_server.address_of("labels", "nobody_of_that_name"))
    with pytest.raises(StoreError, match='database "none" does not exist'):
        open_store(postgresql_server.address_of("none"))
    assert time.monotonic() - before < 300


@pytest.mark.parametrize("schema", ['x"; DROP SCHEMA y CASCADE; --', "Ω 'x'", "%s {0} :name"])
def test_a_name_of_tables_is_data(postgresql_server: Any, schema: str) -> None:
    postgresql_server.psql('CREATE SCHEMA IF NOT EXISTS "y"')
    address = f"{postgresql_server.address}&schema={quote(schema)}"
    with closing(open_store(address)) as store:
        store.begin("a", IDENTITY)
        store.append("a", record(1))
        assert store.begin("a", IDENTITY) == [record(1)]
    assert postgresql_server.psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'y'") == "1"


@pytest.mark.parametrize("name", ["a\0b", "half \ud83d", "x" * 601])
def test_a_name_that_a_database_can_not_hold(store: Any, name: str) -> None:
    with pytest.raises(StoreError, match="the session's name must have at most 600 characters"):
        store.begin(name, IDENTITY)
    assert (store.identity(name), store.details(name), store.events_since(name, 0)) == (None, {}, [])
    assert store.names() == ["a"]
    assert store.problem is None


# -- sessions ---------------------------------------------------------------------------------------------


def test_a_session_goes_on_from_another_program(opened: Callable[..., Any], make_pool: MakePool) -> None:
    here = Session(make_pool(60), ErrorRate(), store=opened())
    in_memory = Session(make_pool(60), ErrorRate())
    for i in range(30):
        for session in (here, in_memory):
            session.label(i % 3)
    again = Session(make_pool(60), ErrorRate(), store=opened())
    assert again.log.events == here.log.events
    assert again.upcoming(10) == in_memory.upcoming(10)
    assert again.estimate() == in_memory.estimate()
    assert again.storage.place.startswith("session default, kept in the schema ")
    assert again.storage.place.endswith(" of the database labels on this computer")
    with pytest.raises(StoreError, match="path must be given"):
        again.save_to()
