"""Append-only persistence: named session logs in memory, or in one SQLite file."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any, Protocol

from activeeval_widgets.session.errors import (
    ForeignStoreError,
    SessionConflictError,
    SessionMismatchError,
    StoreError,
)

Record = dict[str, Any]


class Store(Protocol):
    """A place for the logs of sessions. Records are only ever added."""

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Begin a session, or resume it.

        Parameters
        ----------
        name : str
            The session's name.
        identity : mapping of str to str
            What the session is about: fingerprints and settings, by what they are of.

        Returns
        -------
        list of dict
            The session's log so far.

        Raises
        ------
        SessionMismatchError
            If the session was begun with another identity.
        """

    def append(self, name: str, record: Record) -> None:
        """Add a record, numbered by its "seq", to a session's log; when this returns, it is stored.

        Raises
        ------
        SessionConflictError
            If the log has a record of this number already.
        """

    def identity(self, name: str) -> dict[str, str] | None:
        """What a session was begun with; None if there is no session of that name."""

    def names(self) -> list[str]:
        """The sessions' names, in the order in which they were begun."""


class MemoryStore:
    """Logs that last as long as the process."""

    def __init__(self) -> None:
        self._sessions: dict[str, tuple[dict[str, str], list[Record]]] = {}

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Begin or resume a session; see `Store.begin`."""
        begun_with, records = self._sessions.setdefault(name, (dict(identity), []))
        _check_identity(name, begun_with, identity)
        return deepcopy(records)

    def append(self, name: str, record: Record) -> None:
        """Add a record; see `Store.append`."""
        if name not in self._sessions:
            raise StoreError(f"the session {name!r} was not begun")
        _, records = self._sessions[name]
        if record["seq"] != len(records) + 1:
            raise _conflict(name)
        records.append(deepcopy(record))

    def identity(self, name: str) -> dict[str, str] | None:
        """What a session was begun with; see `Store.identity`."""
        found = self._sessions.get(name)
        return None if found is None else dict(found[0])

    def names(self) -> list[str]:
        """The sessions' names; see `Store.names`."""
        return list(self._sessions)


class SQLiteStore:
    """Logs in one SQLite file: write-ahead logging, every record on disk before `append` returns.

    Any thread may use it.

    Parameters
    ----------
    path : str or path-like
        The file. It is made, with its folder, where it does not exist.

    Raises
    ------
    ForeignStoreError
        If the file is not a store of this package, or of a newer version of it. It is not touched.
    StoreError
        If the file can't be read or made.
    """

    APPLICATION_ID = 0x41455744  # "AEWD" in the header of the file tells it from any other database
    VERSION = 1

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = RLock()
        is_new = _is_new(self.path, self.APPLICATION_ID, self.VERSION)
        with self._errors():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.path, timeout=5, isolation_level=None, check_same_thread=False
            )
            if is_new:
                self._create()
            # Only now: the header that _create wrote is then in the file itself, not in the write-ahead log.
            self._connection.execute("PRAGMA journal_mode = WAL")
            # FULL: a label that the screen calls saved outlives a power failure, too.
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Begin or resume a session; see `Store.begin`."""
        with self._errors(), self._transaction():
            self._connection.execute(
                "INSERT OR IGNORE INTO sessions (name, begun, identity) VALUES (?, ?, ?)",
                (name, datetime.now(UTC).isoformat(), json.dumps(dict(identity))),
            )
            [(begun_with,)] = self._connection.execute(
                "SELECT identity FROM sessions WHERE name = ?", (name,)
            ).fetchall()
            rows = self._connection.execute(
                "SELECT record FROM events WHERE session = ? ORDER BY seq", (name,)
            ).fetchall()
        _check_identity(name, json.loads(begun_with), identity)
        return [json.loads(record) for (record,) in rows]

    def append(self, name: str, record: Record) -> None:
        """Add a record; see `Store.append`."""
        try:
            with self._errors():
                added = self._connection.execute(
                    "INSERT INTO events (session, seq, record) SELECT ?1, ?2, ?3 "
                    "WHERE ?2 = 1 + coalesce((SELECT max(seq) FROM events WHERE session = ?1), 0)",
                    (name, record["seq"], json.dumps(record, ensure_ascii=False)),
                ).rowcount
            if not added:
                raise _conflict(name)
        except sqlite3.IntegrityError as error:
            raise _conflict(name) from error

    def identity(self, name: str) -> dict[str, str] | None:
        """What a session was begun with; see `Store.identity`."""
        with self._errors():
            rows = self._connection.execute(
                "SELECT identity FROM sessions WHERE name = ?", (name,)
            ).fetchall()
        return json.loads(rows[0][0]) if rows else None

    def names(self) -> list[str]:
        """The sessions' names; see `Store.names`."""
        with self._errors():
            rows = self._connection.execute("SELECT name FROM sessions ORDER BY rowid").fetchall()
        return [name for (name,) in rows]

    def close(self) -> None:
        """Close the file. The store can't be used afterwards."""
        with self._lock:
            self._connection.close()

    def __repr__(self) -> str:
        return f"SQLiteStore({str(self.path)!r})"

    def _create(self) -> None:
        with self._transaction():
            # Two processes may have found no file at the same time; the second finds the first one's tables.
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS sessions ("
                "name TEXT NOT NULL UNIQUE, begun TEXT NOT NULL, identity TEXT NOT NULL)"
            )
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS events ("
                "session TEXT NOT NULL REFERENCES sessions (name), seq INTEGER NOT NULL, "
                "record TEXT NOT NULL, PRIMARY KEY (session, seq)) WITHOUT ROWID"
            )
            self._connection.execute(f"PRAGMA application_id = {self.APPLICATION_ID}")
            self._connection.execute(f"PRAGMA user_version = {self.VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite may have rolled back by itself
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """One thread at a time, and what goes wrong as an error of the store."""
        try:
            with self._lock:
                yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"the store {str(self.path)!r} can't be used: {error}") from error


def as_store(store: Store | str | Path | None) -> Store:
    """A store as given, or the SQLite file of a path, or one in memory for None."""
    if store is None:
        return MemoryStore()
    if isinstance(store, str | Path):
        return SQLiteStore(store)
    if not all(hasattr(store, method) for method in ("begin", "append", "names")):
        raise TypeError(f"store must be a store, the path of an SQLite file, or None, got {store!r}")
    return store


def _is_new(path: Path, application_id: int, version: int) -> bool:
    """Whether there is nothing at `path` yet; raise if what is there is not ours, having only read it."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return True
    except OSError as error:
        raise StoreError(f"the store {str(path)!r} can't be read: {error}") from error
    if not header:
        return True
    # The layout of the header is part of SQLite's file format (sqlite.org/fileformat.html, section 1.3).
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise ForeignStoreError(f"{str(path)!r} is not an SQLite file; it was left untouched")
    if int.from_bytes(header[68:72]) != application_id:
        raise ForeignStoreError(
            f"{str(path)!r} is an SQLite file, but not one of activeeval-widgets; it was left untouched"
        )
    found = int.from_bytes(header[60:64])
    if found > version:
        raise ForeignStoreError(
            f"{str(path)!r} was written by a newer version of activeeval-widgets (store version {found}, "
            f"this one knows up to {version}); it was left untouched"
        )
    return False


def _check_identity(name: str, begun_with: Mapping[str, str], opened_with: Mapping[str, str]) -> None:
    differing = [
        f"{key} ({begun_with.get(key, 'none')} then, {opened_with.get(key, 'none')} now)"
        for key in sorted(begun_with.keys() | opened_with.keys())
        if begun_with.get(key) != opened_with.get(key)
    ]
    if differing:
        raise SessionMismatchError(
            f"the session {name!r} was begun with something else: {', '.join(differing)}. "
            "Open it with what it was begun with, or begin another session under a new name"
        )


def _conflict(name: str) -> SessionConflictError:
    return SessionConflictError(
        f"the session {name!r} was continued elsewhere (in another tab or program); "
        "open it again to go on here"
    )
