"""A store in an SQLite file."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from weakref import finalize

from activeeval_widgets.session.errors import DamagedStoreError, StoreError
from activeeval_widgets.session.stores import chain, sqlite_schema
from activeeval_widgets.session.stores.connections import snapshot
from activeeval_widgets.session.stores.file_system import store_path
from activeeval_widgets.session.stores.open_files import share
from activeeval_widgets.session.stores.protocol import (
    BaseStore,
    Record,
    check_detail,
    check_identity,
    read_details,
    read_identity,
    to_text,
)
from activeeval_widgets.session.stores.sequence_numbers import conflict
from activeeval_widgets.session.stores.shared_file import SharedFile


class SQLiteStore(BaseStore):
    """A store in an SQLite file. When `append` returns, the record is on disk, in the file in its place.

    Events are chained by hashes, which are checked when a session is opened. Damage is reported, and the
    intact events before it can be read. The store can be used in any thread. All stores of a process for one
    file share a connection; a forked process can't use it.

    Parameters
    ----------
    path : str or path-like
        The file. If it does not exist, it is created with its folder, readable only by its owner.
    reads_only : bool
        If True, the file is only read: as it is now, without locks, and nothing is written.

    Raises
    ------
    ForeignStoreError
        If the file is not a store of this package, or has another format. It is left unchanged.
    DamagedStoreError
        If nothing of the file can be read.
    StoreError
        If the file can't be read or created.

    See Also
    --------
    open_store : Open the store of a path or an address.
    MemoryStore : Logs that last as long as the process.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = SQLiteStore(Path(folder, "labels.sqlite"))
    ...     print(store.names(), store.place)
    ...     store.close()
    [] in labels.sqlite
    """

    APPLICATION_ID = sqlite_schema.APPLICATION_ID
    VERSION = sqlite_schema.VERSION
    checks_numbers = True

    def __init__(self, path: str | Path, *, reads_only: bool = False) -> None:
        self.path: Path = store_path(path)
        self.place = f"in {self.path.name}"
        try:
            self._file: SharedFile = share(self.path, reads_only=reads_only)
        except sqlite3.DatabaseError as error:
            kind = StoreError if isinstance(error, sqlite3.OperationalError) else DamagedStoreError
            raise kind(f"the store {str(self.path)!r} can't be used: {error}") from error
        except OSError as error:
            raise StoreError(f"the store {str(self.path)!r} can't be read: {error}") from error
        self._is_closed = False
        self._release = finalize(self, self._file.release_later)
        self._release.atexit = False  # all files are closed at exit, see `open_files`

    @property
    def problem(self) -> str | None:
        """Why nothing can be saved now, as far as known without trying; None if it can."""
        return f"the store {str(self.path)!r} was closed" if self._is_closed else self._file.problem

    @property
    def older(self) -> str | None:
        """A notice if the file contains less than when it was last used; see `BaseStore.older`."""
        return self._file.older

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices about how the file is kept, and what may be missing."""
        try:
            with self._shared_file().use() as connection:
                found = [text for (text,) in connection.execute("SELECT text FROM notices ORDER BY rowid")]
        except StoreError:  # reported by `problem`
            found = []
        return tuple(dict.fromkeys([*filter(None, [self._file.remark, self._file.older]), *found]))

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Begin or resume a session; see `Store.begin`.

        For a damaged session, return the intact events before the first damaged one, and set `problem`.
        """
        file = self._shared_file()
        if self.identity(name) is None:
            if file.problem is not None:
                file.check()
            with file.change() as connection:
                begun, text = datetime.now(UTC).isoformat(), json.dumps(dict(identity))
                connection.execute(
                    "INSERT OR IGNORE INTO sessions (name, begun, identity, seal, n_events, head) "
                    "VALUES (?, ?, ?, ?, 0, ?)",
                    (name, begun, text, chain.seal(name, begun, text), chain.beginning(name)),
                )
        with file.use() as connection, snapshot(connection):
            query = "SELECT identity, n_events, head FROM sessions WHERE name = ?"
            [(begun_with, n_events, head)] = connection.execute(query, (name,)).fetchall()
            found = self._events(connection, name)
            whole = chain.check_whole(name, found, n_events, head)
        if whole.breaks_at is not None:
            file.mark_damaged(whole.damage(name))
        with suppress(*([ValueError] if file.is_damaged else [])):
            check_identity(name, json.loads(begun_with), identity)
        file.knows(name, len(whole.texts), whole.head)
        return [json.loads(text) for text in whole.texts]

    def begin_with(self, name: str, identity: Mapping[str, str], records: Sequence[Record]) -> None:
        """Begin a session with an existing log; see `BaseStore.begin_with`."""
        file = self._shared_file()
        begun, about = datetime.now(UTC).isoformat(), json.dumps(dict(identity))
        links = chain.links_of(name, map(to_text, records))
        head = links[-1].hash if links else chain.beginning(name)
        with file.change() as connection:
            if connection.execute("SELECT 1 FROM sessions WHERE name = ?", (name,)).fetchall():
                raise StoreError(f"there is a session {name!r} already")
            connection.execute(
                "INSERT INTO sessions (name, begun, identity, seal, n_events, head) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (name, begun, about, chain.seal(name, begun, about), len(links), head),
            )
            connection.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?)", [(name, *each) for each in links]
            )
        file.knows(name, len(links), head)

    def append(self, name: str, record: Record) -> None:
        """Add a record; see `Store.append`.

        Raises
        ------
        SessionConflictError
            If the log already has a record with this number.
        LostStoreError
            If the file was deleted, moved, replaced or truncated.
        DamagedStoreError
            If the file is damaged.
        StoreError
            If the file can't be written now.
        """
        file = self._shared_file()
        text, seq = to_text(record), record["seq"]
        hashed = None
        try:
            with file.change() as connection:
                rows = connection.execute("SELECT n_events, head FROM sessions WHERE name = ?", (name,))
                [(n_events, head)] = rows.fetchall() or [(None, "")]
                if n_events is None:
                    raise StoreError(f"the session {name!r} was not begun")
                known = file.head(name)
                if known is not None and known != (n_events, head) and known[0] >= n_events:
                    raise DamagedStoreError(
                        file.mark_damaged(
                            f"the session {name!r} does not end as it did when it was last written"
                        )
                    )
                if seq != n_events + 1:
                    raise conflict(name)
                hashed = chain.link(head, seq, text)
                connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (name, seq, text, hashed))
                connection.execute(
                    "UPDATE sessions SET n_events = ?, head = ? WHERE name = ?", (seq, hashed, name)
                )
        except StoreError as error:
            # A write may raise an error after it was done.
            if type(error) is not StoreError or not self._has_event(name, seq, hashed):
                raise
        file.added(name, seq, str(hashed))

    def identity(self, name: str) -> dict[str, str] | None:
        """Return the identity of a session; see `Store.identity`."""
        with self._shared_file().use() as connection:
            rows = connection.execute("SELECT identity FROM sessions WHERE name = ?", (name,)).fetchall()
        return read_identity(rows[0][0] if rows else None)

    def names(self) -> list[str]:
        """Return the sessions' names; see `Store.names`."""
        with self._shared_file().use() as connection:
            return [name for (name,) in connection.execute("SELECT name FROM sessions ORDER BY rowid")]

    def details(self, name: str) -> dict[str, Any]:
        """Return the details of a session; see `BaseStore.details`."""
        with self._shared_file().use() as connection:
            found = connection.execute("SELECT key, value FROM details WHERE session = ?", (name,)).fetchall()
        return read_details(found)

    def all_details(self) -> dict[str, dict[str, Any]]:
        """Return the details of all sessions; see `BaseStore.all_details`."""
        with self._shared_file().use() as connection:
            names = connection.execute("SELECT name FROM sessions ORDER BY rowid")
            kept: dict[str, list[tuple[str, str]]] = {name: [] for (name,) in names}
            for name, *detail in connection.execute("SELECT session, key, value FROM details"):
                kept[name].append(tuple(detail))
        return {name: read_details(rows) for name, rows in kept.items()}

    def keep_details(self, name: str, changes: Mapping[str, Any]) -> None:
        """Change details of a session; see `BaseStore.keep_details`."""
        checked = {key: check_detail(key, value) for key, value in changes.items()}
        with self._shared_file().change() as connection:
            if not connection.execute("SELECT 1 FROM sessions WHERE name = ?", (name,)).fetchall():
                raise StoreError(f"the session {name!r} was not begun")
            for key, value in checked.items():
                if value is None:
                    connection.execute("DELETE FROM details WHERE session = ? AND key = ?", (name, key))
                else:
                    text = to_text(value)
                    connection.execute("INSERT OR REPLACE INTO details VALUES (?, ?, ?)", (name, key, text))

    def events_since(self, name: str, seq: int) -> list[Record]:
        """Return the intact records after a number; see `BaseStore.events_since`.

        Raises
        ------
        DamagedStoreError
            If a record is damaged.
        """
        file = self._shared_file()
        with file.use() as connection:
            query = "SELECT seq, record, hash FROM events WHERE session = ? AND seq >= ? ORDER BY seq"
            found = [chain.Link(*row) for row in connection.execute(query, (name, seq))]
            known = file.head(name)
        whole = chain.check_rest(name, found, seq, known)
        if whole.breaks_at is not None:
            raise DamagedStoreError(file.mark_damaged(whole.break_in(name)))
        if known is not None and known[0] == seq:
            file.added(name, seq + len(whole.texts), whole.head)
        return [json.loads(text) for text in whole.texts]

    def close(self) -> None:
        """Close the store, and its file unless other stores of this process use it."""
        self._is_closed = True
        if self._release.detach() is not None:
            self._file.release()

    def __repr__(self) -> str:
        return f"SQLiteStore({str(self.path)!r})"

    def _shared_file(self) -> SharedFile:
        if self._is_closed:
            raise StoreError(
                f"the store {str(self.path)!r} can't be used: Cannot operate on a closed database."
            )
        return self._file

    def _has_event(self, name: str, seq: int, hashed: str | None) -> bool:
        if hashed is None:
            return False
        try:
            with self._file.use() as connection:
                query = "SELECT hash FROM events WHERE session = ? AND seq = ?"
                return connection.execute(query, (name, seq)).fetchall() == [(hashed,)]
        except StoreError:
            return False

    @staticmethod
    def _events(connection: sqlite3.Connection, name: str) -> list[chain.Link]:
        """Return a session's events as far as they can be read."""
        found: list[chain.Link] = []
        query = "SELECT seq, record, hash FROM events WHERE session = ? ORDER BY seq"
        # An interrupted read gives fewer events than were counted, which `begin` reports.
        with suppress(sqlite3.DatabaseError, UnicodeError):
            found.extend(chain.Link(*row) for row in connection.execute(query, (name,)))
        return found
