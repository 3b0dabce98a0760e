"""A PostgreSQL database: its address, connections and errors."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar
from weakref import finalize

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from activeeval_widgets.session.errors import DamagedStoreError, LostStoreError, StoreError
from activeeval_widgets.session.stores import postgresql_tables

PATIENCE = 10.0
"""Seconds to wait for a database that was reached before, enough for a restart of the server."""

FIRST_PATIENCE = 3.0
"""Seconds to wait for a database that was never reached, as the address may be wrong."""

_PAUSE = 0.05

_BEING_STARTED = (
    "starting up",
    "shutting down",
    "recovery mode",
    "not yet accepting",
    "not accepting connections",
)
"""Messages of a server that is being restarted."""

_NOBODY_THERE = ("Connection refused", "No such file")

_T = TypeVar("_T")

_SET_UP = """
SELECT set_config('lock_timeout', '10s', false),
    set_config('idle_in_transaction_session_timeout', '5s', false),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
"""
"""Commits are on the server's disk, and locks of a vanished process expire."""


class Address:
    """The address of a database, for SQLAlchemy and in words, without the namespace of its tables."""

    def __init__(self, address: str) -> None:
        try:
            url = make_url("postgresql+psycopg" + address[address.index(":") :])
            if not url.database or "@" in f"{url.host}{url.database}":  # that of a password, say
                raise ArgumentError("no database")
            query = dict(url.query)
        except (ArgumentError, ValueError):  # its text may contain the password
            raise ValueError(
                "store is an address of PostgreSQL that can't be read (it is not shown here: it may hold a "
                "password), expected 'postgresql://user@host/database'. Leave the password to PGPASSWORD or "
                "the file ~/.pgpass, or write its @ as %40, / as %2F and : as %3A"
            ) from None
        self.schema = str(query.pop("schema", postgresql_tables.SCHEMA))
        self.url: URL = url.set(query=query)
        host = self.url.host or query.get("host") or os.environ.get("PGHOST") or "/"
        host = host if isinstance(host, str) else ", ".join(host)
        within = f"the schema {self.schema} of " if self.schema != postgresql_tables.SCHEMA else ""
        at = "on this computer" if host.startswith("/") else f"at {host}"
        self.name = f"{within}the database {self.url.database} {at}"
        self.place = f"in {self.name}"

    def without_password(self, message: str) -> str:
        """Return a message of the database in one line, without the password of this address."""
        words = " ".join(message.partition("\n\tIs the server running")[0].split())
        for secret in (self.url.password, self.url.query.get("password"), self.url.query.get("sslpassword")):
            if secret:
                words = words.replace(str(secret), "***")
        return words if len(words) <= 500 else words[:500] + "…"


class Database:
    """The connections of a process to a database, usable in any thread and after a fork."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.trouble: str | None = None
        """Why the last attempt failed; None if it succeeded."""
        self._tried_at = 0.0
        self._was_there = False
        self._lock = Lock()
        self._pid = os.getpid()
        self._is_closed = False
        self._engine = _make_engine(address)
        self._once = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._reading = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._release = finalize(self, _dispose, self._engine, self._pid)
        try:
            self.write(self._prepare)
        except BaseException:
            self.close()
            raise
        self._was_there = True

    def ask(self, act: Callable[[Connection], _T]) -> _T:
        """Run a single statement."""
        return self._retry(self._once, act)

    def change_at_once(self, act: Callable[[Connection], _T]) -> _T:
        """Run a single statement that changes data, as its own transaction; see `write`."""
        return self._retry(self._once, act, commits=True)

    def read(self, act: Callable[[Connection], _T]) -> _T:
        """Read one state of the database."""
        return self._retry(self._reading, act)

    def write(self, act: Callable[[Connection], _T]) -> _T:
        """Run a transaction; it may be repeated, so `act` has to lock and see whether it was done."""
        return self._retry(self._engine, act)

    def close(self) -> None:
        """Close the connections."""
        self._is_closed = True
        self._release()

    @property
    def problem(self) -> str | None:
        """Why nothing can be saved now; retried if the last attempt failed."""
        if self._is_closed:
            return str(self._closed())
        if self.trouble is not None and time.monotonic() - self._tried_at > 1:
            with suppress(StoreError):
                self.ask(lambda connection: connection.execute(text("SELECT 1")).all())
        return self.trouble

    def _closed(self) -> StoreError:
        return StoreError(f"the store {self.address.place} was closed")

    def _prepare(self, connection: Connection) -> None:
        encoding = connection.scalar(text("SELECT current_setting('server_encoding')"))
        if encoding != "UTF8":
            raise StoreError(
                f"{self.address.name} has the encoding {encoding}, in which not every label can be written: "
                "make one with the encoding UTF8 (createdb --encoding=UTF8 --template=template0 NAME)"
            )
        postgresql_tables.prepare(connection, self.address.schema)

    def _retry(self, engine: Engine, act: Callable[[Connection], _T], *, commits: bool = False) -> _T:
        """Run a function, retrying while the server is being restarted."""
        if self._is_closed:
            raise self._closed()
        self._follow_fork()
        begun = time.monotonic()
        # If the last attempt failed, don't wait again.
        is_patient = self.trouble is None
        is_open = False  # whether the outcome of a commit is unknown
        pause = _PAUSE
        while True:
            is_committing = commits
            try:
                with engine.connect() as connection, connection.begin() as transaction:
                    done = act(connection)
                    is_committing = commits or engine is self._engine
                    transaction.commit()
                self.trouble = None
                return done
            except SQLAlchemyError as error:
                is_broken = isinstance(error, DBAPIError) and error.connection_invalidated
                # A server error certainly ends the transaction.
                is_open = is_open or (is_committing and is_broken and _state_of(error) is None)
                patience = PATIENCE if is_broken else self._patience(error)
                if not is_patient or time.monotonic() + pause > begun + patience:
                    raise self._store_error(error, is_open=is_open) from None
            time.sleep(pause)
            pause = min(1.5 * pause, 0.5)

    def _patience(self, error: SQLAlchemyError) -> float:
        """Return for how many seconds to retry a failed connection."""
        if not isinstance(error, OperationalError):
            return 0
        state, message = _state_of(error), str(error.orig)
        if state in ("57P01", "57P02", "57P03") or any(words in message for words in _BEING_STARTED):
            return PATIENCE
        if state is not None or "authentication failed" in message:
            return 0
        if self._was_there:
            return PATIENCE
        is_silent = any(words in message for words in _NOBODY_THERE)
        return min(PATIENCE, FIRST_PATIENCE) if is_silent else 0

    def _store_error(self, error: SQLAlchemyError, *, is_open: bool) -> StoreError:
        """Convert an error to a `StoreError`."""
        original: Any = error.orig if isinstance(error, DBAPIError) else error
        state = _state_of(error) or ""
        words = self.address.without_password(str(original) or type(original).__name__)
        name = self.address.name
        self._tried_at = time.monotonic()
        if state in ("XX001", "XX002"):
            return DamagedStoreError(f"{name} is damaged: {words}")
        if state in ("42P01", "3F000"):
            return LostStoreError(f"the tables in {name} are gone: {words}")
        if state == "42501":
            return StoreError(
                f"{name} can't be used: {words}. Let its owner run: CREATE SCHEMA "
                f'"{self.address.schema}" AUTHORIZATION "{self.address.url.username}"'
            )
        trouble = f"{name} can't be used: {words}"
        if is_open:
            trouble += (
                ". Whether the last answer was stored before the connection broke is not known: open the "
                "session again, and see"
            )
        if not state or state[:2] in ("08", "53", "57"):
            self.trouble = trouble
        return StoreError(trouble)

    def _follow_fork(self) -> None:
        """In a forked process, leave the connections to the parent and open new ones."""
        with self._lock:
            if self._pid != os.getpid():
                self._engine.dispose(close=False)
                self._pid = os.getpid()
                self._release.detach()
                self._release = finalize(self, _dispose, self._engine, self._pid)


def _make_engine(address: Address) -> Engine:
    given: dict[str, Any] = {
        "application_name": "activeeval-widgets",
        "client_encoding": "utf8",
        "connect_timeout": 5,
        "keepalives_idle": 20,
        "tcp_user_timeout": 20_000,
        "prepare_threshold": None,  # a proxy may use another connection for each transaction
    }
    engine = create_engine(
        address.url,
        connect_args={key: value for key, value in given.items() if key not in address.url.query},
        hide_parameters=True,
        pool_size=1,
        max_overflow=9,
        pool_timeout=PATIENCE,
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        connection.autocommit = True
        connection.execute(_SET_UP)
        connection.autocommit = False

    return engine.execution_options(schema_translate_map={None: address.schema})


def _state_of(error: SQLAlchemyError) -> str | None:
    """Return the server's error code (SQLSTATE), if any."""
    found: str | None = getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None
    return found


def _dispose(engine: Engine, pid: int) -> None:
    if pid == os.getpid():
        engine.dispose()
