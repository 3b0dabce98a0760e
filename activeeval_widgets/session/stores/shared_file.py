"""One shared connection per file and process, with checks that the file is still the one that was opened.

POSIX drops all locks of a process on a file as soon as the process closes the file anywhere, and two
connections of one process are not protected against each other. So all stores of a process share one
connection to a file, and the file is only read through SQLite.
"""

import logging
import sqlite3
import time
from _thread import start_new_thread
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from activeeval_widgets.platform import has_threads
from activeeval_widgets.session.errors import DamagedStoreError, LostStoreError, StoreError
from activeeval_widgets.session.stores import chain, sqlite_schema
from activeeval_widgets.session.stores.connections import (
    LOCK,
    is_busy,
    is_damage,
    keep_forever,
    transaction,
)
from activeeval_widgets.session.stores.file_identity import Place, log_of, stat_of
from activeeval_widgets.session.stores.in_use_marks import WITHOUT_LOG, Marks
from activeeval_widgets.session.stores.last_seen import LastSeen
from activeeval_widgets.session.stores.opening import connect
from activeeval_widgets.session.stores.sqlite_pages import load_into_memory

_logger = logging.getLogger(__name__)

REST_AFTER = 2.0
"""Seconds after the last record until the log is merged into the file."""

NOTED_EVERY = 30.0
"""Seconds between updates of the record outside of the file, while labels come in."""

CHECKED_WHOLE = 64_000_000
"""The maximum size in bytes of files that are checked page by page when opened."""

FORKED = (
    "was opened before this process was forked, and can't be used in it; start the process anew "
    '(multiprocessing\'s "spawn") and open the store there'
)


class _Known(NamedTuple):
    """The known end of a session: as read again from the file, and as reported by SQLite."""

    n_read: int
    head_read: str
    n_events: int
    head: str


_TO_RELEASE: deque["SharedFile"] = deque()
"""Files of stores without references."""


class SharedFile:
    """A store's file, open."""

    def __init__(self, path: Path, *, is_new: bool = False, reads_only: bool = False) -> None:
        self.path = path
        self.journal = "wal"  # or "delete"; "memory" if it is only read, or can't be written
        self.remark: str | None = None  # about how it is kept
        self.refusal: str | None = None  # why nothing can be written
        self.n_users = 1
        self._loss: str | None = None
        self._damage: str | None = None
        self.is_forked = False
        self._known: dict[str, _Known] = {}
        self._rest_at = 0.0
        self._is_watched = False
        self._is_log_stuck = False
        self._last_seen = LastSeen(path)
        self.older: str | None = None
        log = stat_of(log_of(path))
        had_log = log is not None and log.st_size > 0
        self._connection: sqlite3.Connection | None = None
        try:
            if reads_only:
                self._load()
            else:
                self._connect()
        except (sqlite3.OperationalError, OSError) as error:
            if reads_only or is_busy(error):
                raise
            self._read_apart(error)
        try:
            self._place = Place(self.path, has_log=self.journal == "wal")
            self._marks = Marks(self.key)
            with self.use() as connection:
                self._check_pages(connection)
                if self.journal != "delete" and self._damage is None:
                    if self._marks.clear_stale(connection, had_log=had_log):
                        self.older = WITHOUT_LOG
                    self._settle()
                if self.journal == "memory":
                    connection.execute("PRAGMA query_only = ON")
                if is_new:
                    self._last_seen.forget()
                elif self._damage is None:
                    self.older = self._last_seen.compare(connection) or self.older
        except BaseException:
            self.close()
            raise

    @property
    def key(self) -> tuple[int, int]:
        """The file's device and inode."""
        return self._place.key

    @property
    def problem(self) -> str | None:
        """Why nothing can be saved now, as far as known without trying; None if it can."""
        with LOCK:
            try:
                self.check()
            except StoreError as error:
                return str(error)
            return self.refusal

    @property
    def is_damaged(self) -> bool:
        """Whether the file is known to be damaged."""
        return self._damage is not None

    @property
    def is_lost(self) -> bool:
        """Whether the file is no longer the one that was opened."""
        try:
            self.check()
        except LostStoreError:
            return True
        except DamagedStoreError:
            return False
        return False

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection to one thread at a time, converting errors to `StoreError`."""
        with LOCK:
            if self.is_forked:
                raise StoreError(f"the store {str(self.path)!r} {FORKED}")
            try:
                if self._connection is None:
                    raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
                yield self._connection
            except (sqlite3.Error, OSError) as error:
                if is_damage(error):
                    raise DamagedStoreError(self.mark_damaged(str(error))) from error
                raise StoreError(f"the store {str(self.path)!r} can't be used: {error}") from error

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction. Its changes are then in the file, which is still in its place."""
        with self.use() as connection:
            self.check()
            if self.refusal is not None:
                self.try_again()
                connection = self._connection or connection
            with self._marks.setting(), transaction(connection):
                if self.journal == "wal":
                    self._marks.set(connection)
                yield connection
            self.check()
            self._settle()
            self.check()
            self._merge_log_soon()

    def check(self) -> None:
        """Raise an error if the file is no longer the one that was opened."""
        if self._damage is not None:
            raise DamagedStoreError(self._damage)
        if self._loss is None and self.journal != "memory" and self._connection is not None:
            self._loss, is_final = self._place.find_loss()
            if self._loss is not None and not is_final:  # the file may be put back in its place
                loss, self._loss = self._loss, None
                raise LostStoreError(loss)
        if self._loss is not None:
            raise LostStoreError(self._loss)

    def mark_damaged(self, what: str) -> str:
        """Mark the file as damaged, so that nothing is written; return the reason."""
        self._damage = (
            f"the store {str(self.path)!r} is damaged: {what}. "
            "What is intact can be read; nothing will be added to it"
        )
        return self._damage

    def close_for_all(self, reason: str) -> None:
        """Close the file for all users before it is opened again."""
        self._loss = self._loss or reason
        self.close()

    def leave_to_parent(self) -> None:
        """Keep a forked process from using the inherited file, whose locks the parent holds."""
        self.is_forked = True
        if self._connection is not None:
            keep_forever(self._connection)

    def knows(self, name: str, n_events: int, head: str) -> None:
        """Record the end of a session that was just read from the file."""
        self._known[name] = _Known(n_events, head, n_events, head)

    def added(self, name: str, n_events: int, head: str) -> None:
        """Record the new end of a session, as reported by SQLite."""
        with LOCK:
            known = self._known.get(name)
            if known is not None and n_events > known.n_events:  # another thread may have added more
                self._known[name] = known._replace(n_events=n_events, head=head)

    def head(self, name: str) -> tuple[int, str] | None:
        """Return the length and the last hash of a session that was read here, else None."""
        known = self._known.get(name)
        return None if known is None else (known.n_events, known.head)

    def merge_log(self) -> None:
        """Merge the log into the file and remove the mark."""
        with LOCK:
            is_apart = self.journal == "memory"
            if is_apart or not self.is_open or self.is_forked or self.problem is not None:
                return
            try:
                with self.use() as connection:
                    self.check()
                    if self._marks.is_set:
                        with transaction(connection):
                            self._marks.remove(connection)
                    self._settle()
                    self._read_again()
                self._note()
            except StoreError as error:  # all records are stored; the next one reports the error
                _logger.warning("the store %s could not be put to rest: %s", self.path, error)

    def release_later(self) -> None:
        """Release the file from a finalizer, which must not wait: a thread may be starting under the lock."""
        _TO_RELEASE.append(self)
        if LOCK.acquire(blocking=False):
            try:
                release_given_back()
            finally:
                LOCK.release()

    def release(self) -> None:
        """Close the file unless another store of this process uses it."""
        with LOCK:
            self.n_users -= 1
            if self.n_users > 0 or self._connection is None or self.is_forked:
                return
            self.merge_log()
            self.close()

    @property
    def is_open(self) -> bool:
        """Whether the file is open."""
        return self._connection is not None

    def close(self) -> None:
        """Close the connection, even if it is in use."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self.journal == "wal" and not self._place.is_there():
            keep_forever(connection)  # closing would delete the log of the file in its place
        else:
            connection.close()

    # -- opening ------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._connection, self.journal, self.remark = connect(self.path)

    def _load(self) -> None:
        """Read the file into memory."""
        self._connection, self.journal = _in_memory(self.path), "memory"

    def _read_apart(self, reason: Exception) -> None:
        """Read the file into memory if it can't be opened for writing, as on a full or read-only disk."""
        try:
            self._load()
        except (sqlite3.Error, OSError, IndexError):
            raise reason from None
        self.refusal = (
            f"the store {str(self.path)!r} can't be written ({reason}): what it holds is shown, but "
            "nothing can be saved to it"
        )

    def try_again(self) -> None:
        """Try again to open the file for writing."""
        apart, self._connection = self._connection, None
        try:
            self._connect()
        except (sqlite3.Error, OSError) as error:
            self._connection = apart
            raise StoreError(self.refusal) from error
        self.refusal = None
        if apart is not None:
            apart.close()
        self._place = Place(self.path, has_log=self.journal == "wal")

    def _check_pages(self, connection: sqlite3.Connection) -> None:
        """Check the file's structure and the seals of its sessions."""
        if self._place.size > CHECKED_WHOLE:
            return
        try:
            [(found,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
            if found != "ok":
                self.mark_damaged(str(found).splitlines()[-1])
            rows = connection.execute("SELECT name, begun, identity, seal FROM sessions").fetchall()
            for name, begun, identity, seal in rows:
                if chain.seal(name, begun, identity) != seal:
                    self.mark_damaged(f"what the session {name!r} was begun with is not as it was written")
            lost = "SELECT session FROM events WHERE session NOT IN (SELECT name FROM sessions) LIMIT 1"
            for (name,) in connection.execute(lost).fetchall():
                self.mark_damaged(f"it holds events of a session {name!r} that was never begun")
        except (sqlite3.DatabaseError, UnicodeError) as error:
            if isinstance(error, sqlite3.DatabaseError) and not is_damage(error):
                raise
            self.mark_damaged(str(error))

    # -- resting ------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Merge the log into the file, as far as other readers allow."""
        if self.journal != "wal" or self._connection is None:
            return
        try:
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._is_log_stuck = False
        except sqlite3.Error as error:  # the records are stored in the log; the next one reports a full disk
            if not self._is_log_stuck:
                _logger.warning("the log of the store %s could not be emptied: %s", self.path, error)
            self._is_log_stuck = True

    def _merge_log_soon(self) -> None:
        if not has_threads():
            self.merge_log()
            return
        self._rest_at = time.monotonic() + REST_AFTER
        if not self._is_watched:
            self._is_watched = True
            # Thread.start would wait, holding the lock, for a thread in which a finalizer may run first.
            start_new_thread(self._wait_and_rest, ())

    def _wait_and_rest(self) -> None:
        noted_at = time.monotonic()
        while True:
            release_given_back()
            with LOCK:
                wait = self._rest_at - time.monotonic()
                if wait <= 0 or self._connection is None:
                    self._is_watched = False
                    self.merge_log()
                    return
            time.sleep(wait)
            if time.monotonic() > noted_at + NOTED_EVERY:
                self._note()
                noted_at = time.monotonic()

    def _note(self) -> None:
        """Update the record outside of the file."""
        with suppress(StoreError):
            with self.use() as connection:
                is_new = self._damage is None and self._last_seen.remember(connection)
            if is_new:
                self._last_seen.write()

    def _read_again(self) -> None:
        """Verify the records added since the last time through another connection."""
        with closing(sqlite3.connect(sqlite_schema.uri(self.path, mode="ro"), uri=True, timeout=1)) as other:
            for name, known in self._known.items():
                rows = other.execute(
                    "SELECT seq, record, hash FROM events "
                    "WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq",
                    (name, known.n_read, known.n_events),
                )
                head = known.head_read
                for seq, text, found in rows:
                    head = found if chain.link(head, seq, text) == found else ""
                if head != known.head:
                    raise DamagedStoreError(
                        self.mark_damaged(
                            f"the last events of the session {name!r} are not as they were written"
                        )
                    )
                self._known[name] = known._replace(n_read=known.n_events, head_read=head)


def release_given_back() -> None:
    """Close the files that finalizers released, unless other stores use them."""
    while _TO_RELEASE:
        with suppress(IndexError):  # another thread was faster
            _TO_RELEASE.popleft().release()


def _in_memory(path: Path) -> sqlite3.Connection:
    """Return a connection to a copy of a file."""
    connection = load_into_memory(path)
    try:
        with transaction(connection):
            sqlite_schema.prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection
