"""One connection per file and process, and whether the file is still the one that was opened.

POSIX drops all locks that a process has on a file as soon as it closes the file anywhere; and two connections
of one process can't protect themselves against each other. So all stores of a process share one connection to
a file, and the file is read through SQLite alone.
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

from activeeval_widgets.session.errors import DamagedStoreError, LostStoreError, StoreError
from activeeval_widgets.session.stores import chain, schema
from activeeval_widgets.session.stores.connections import (
    LOCK,
    is_busy,
    is_damage,
    keep_forever,
    transaction,
)
from activeeval_widgets.session.stores.database_pages import open_apart
from activeeval_widgets.session.stores.file_identity import Place, log_of, stat_of
from activeeval_widgets.session.stores.in_use_marks import Marks
from activeeval_widgets.session.stores.last_seen import LastSeen
from activeeval_widgets.session.stores.opening import connect

_logger = logging.getLogger(__name__)

REST_AFTER = 2.0
"""Seconds after the last record until the file is taken to be at rest."""

NOTED_EVERY = 30.0
"""Seconds between two times that what the file holds is remembered outside of it, while labels come in."""

CHECKED_WHOLE = 64_000_000
"""A file of more bytes is not checked page by page when it is opened."""

FORKED = (
    "was opened before this process was forked, and can't be used in it; start the process anew "
    '(multiprocessing\'s "spawn") and open the store there'
)


class _Known(NamedTuple):
    """How far a session is known to be in the file: read again, and told by SQLite."""

    n_read: int
    head_read: str
    n_events: int
    head: str


_GIVEN_BACK: deque["SharedFile"] = deque()
"""Files of stores that nobody refers to any more."""


class SharedFile:
    """A store's file, open.

    Attributes
    ----------
    path : Path
        The file, links resolved.
    journal : {"wal", "delete", "memory"}
        How changes are written; "memory" if they can't be: then what the file holds was read into memory.
    remark : str or None
        What there is to say about how the file is kept.
    refusal : str or None
        Why nothing can be written.
    older : str or None
        What there is to say if it holds less than it did when it was last used.
    """

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        self.path = path
        self.journal = "wal"
        self.remark: str | None = None
        self.refusal: str | None = None
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
            self._connect()
        except (sqlite3.OperationalError, OSError) as error:
            if is_busy(error):
                raise
            self._read_apart(error)
        try:
            self._place = Place(self.path, has_log=self.journal == "wal")
            self._marks = Marks(self.key)
            with self.use() as connection:
                self._check_pages(connection)
                if self.journal == "wal" and self._damage is None:
                    self._marks.clear_stale(connection, had_log=had_log)
                    self._settle()
                if is_new:
                    self._last_seen.forget()
                elif self._damage is None:
                    self.older = self._last_seen.compare(connection)
        except BaseException:
            self.close()
            raise

    @property
    def key(self) -> tuple[int, int]:
        """The file's device and inode."""
        return self._place.key

    @property
    def problem(self) -> str | None:
        """Why nothing can be saved now, as far as is known without trying; None if it can."""
        with LOCK:
            try:
                self.check()
            except StoreError as error:
                return str(error)
            return self.refusal

    @property
    def is_damaged(self) -> bool:
        """Whether something in it is known not to be as it was written."""
        return self._damage is not None

    @property
    def is_lost(self) -> bool:
        """Whether it is no longer the file that was opened."""
        try:
            self.check()
        except LostStoreError:
            return True
        except DamagedStoreError:
            return False
        return False

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time; what goes wrong as an error of the store."""
        with LOCK:
            if self.is_forked:
                raise StoreError(f"the store {str(self.path)!r} {FORKED}")
            try:
                if self._connection is None:
                    raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
                yield self._connection
            except (sqlite3.Error, OSError) as error:
                if is_damage(error):
                    raise DamagedStoreError(self.damaged(str(error))) from error
                raise StoreError(f"the store {str(self.path)!r} can't be used: {error}") from error

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """A transaction. When it is left, what was done in it is in the file that is still there."""
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
            self._rest_soon()

    def check(self) -> None:
        """Whether the file is still the one that was opened."""
        if self._damage is not None:
            raise DamagedStoreError(self._damage)
        if self._loss is None and self.journal != "memory" and self._connection is not None:
            self._loss, is_final = self._place.find_loss()
            if self._loss is not None and not is_final:  # if it was put back in its place, all is well
                loss, self._loss = self._loss, None
                raise LostStoreError(loss)
        if self._loss is not None:
            raise LostStoreError(self._loss)

    def damaged(self, what: str) -> str:
        """Let nothing be written any more; returns the reason."""
        self._damage = (
            f"the store {str(self.path)!r} is damaged: {what}. "
            "What is intact can be read; nothing will be added to it"
        )
        return self._damage

    def give_up(self, reason: str) -> None:
        """Close the file for all who use it: it is opened anew."""
        self._loss = self._loss or reason
        self.close()

    def leave_to_parent(self) -> None:
        """In a forked process: what was inherited is not to be touched. The parent holds the locks."""
        self.is_forked = True
        if self._connection is not None:
            keep_forever(self._connection)

    def knows(self, name: str, n_events: int, head: str) -> None:
        """Take a session to be in the file as far as this: it was just read."""
        self._known[name] = _Known(n_events, head, n_events, head)

    def added(self, name: str, n_events: int, head: str) -> None:
        """Take a session to be in the file as far as this: SQLite says so."""
        with LOCK:
            known = self._known.get(name)
            if known is not None and n_events > known.n_events:  # another thread may have added more
                self._known[name] = known._replace(n_events=n_events, head=head)

    def head(self, name: str) -> tuple[int, str] | None:
        """How long a session is that was read here, and the hash of its last event."""
        known = self._known.get(name)
        return None if known is None else (known.n_events, known.head)

    def rest(self) -> None:
        """Make the one file the session: nothing is left to be taken from a log, and no mark says so."""
        with LOCK:
            if not self.is_open or self.is_forked or self.problem is not None:
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
            except StoreError as error:  # the next record tells of it; all of them are stored
                _logger.warning("the store %s could not be put to rest: %s", self.path, error)

    def give_back(self) -> None:
        """Release the file from a finalizer, if need be later.

        A finalizer runs in any thread at any moment, also in one that is just starting and is waited for by
        which holds the lock: so it must not wait for that. The next opening of a file does it then.
        """
        _GIVEN_BACK.append(self)
        if LOCK.acquire(blocking=False):
            try:
                release_given_back()
            finally:
                LOCK.release()

    def release(self) -> None:
        """Close the file, if nobody else in this process uses it."""
        with LOCK:
            self.n_users -= 1
            if self.n_users > 0 or self._connection is None or self.is_forked:
                return
            self.rest()
            self.close()

    @property
    def is_open(self) -> bool:
        """Whether it can be read."""
        return self._connection is not None

    def close(self) -> None:
        """Close the connection, even if it is in use."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self.journal == "wal" and not self._place.is_there():
            keep_forever(connection)  # to close it would delete the log of whatever is in its place
        else:
            connection.close()

    # -- opening ------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._connection, self.journal, self.remark = connect(self.path)

    def _read_apart(self, reason: Exception) -> None:
        """Read what the file holds, as it can't be opened to be written: the disk is full, or read-only."""
        try:
            connection = open_apart(self.path)
            with transaction(connection):
                schema.prepare(connection)
            connection.execute("PRAGMA query_only = ON")
        except (sqlite3.Error, OSError, IndexError):
            raise reason from None
        self._connection, self.journal = connection, "memory"
        self.refusal = (
            f"the store {str(self.path)!r} can't be written ({reason}): what it holds is shown, but "
            "nothing can be saved to it"
        )

    def try_again(self) -> None:
        """Open the file to be written after all, if that has become possible."""
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
        """Look for damage that shows in the file's structure, and in what each session was begun with."""
        if self._place.size > CHECKED_WHOLE:
            return
        try:
            [(found,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
            if found != "ok":
                self.damaged(str(found).splitlines()[-1])
            rows = connection.execute("SELECT name, begun, identity, seal FROM sessions").fetchall()
            for name, begun, identity, seal in rows:
                if chain.seal(name, begun, identity) != seal:
                    self.damaged(f"what the session {name!r} was begun with is not as it was written")
            lost = "SELECT session FROM events WHERE session NOT IN (SELECT name FROM sessions) LIMIT 1"
            for (name,) in connection.execute(lost).fetchall():
                self.damaged(f"it holds events of a session {name!r} that was never begun")
        except (sqlite3.DatabaseError, UnicodeError) as error:
            if isinstance(error, sqlite3.DatabaseError) and not is_damage(error):
                raise
            self.damaged(str(error))

    # -- resting ------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Bring what is in the log into the file itself, as far as nobody reads what was there before."""
        if self.journal != "wal" or self._connection is None:
            return
        try:
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._is_log_stuck = False
        except sqlite3.Error as error:  # what is in the log is stored: a full disk is told of by the next
            if not self._is_log_stuck:
                _logger.warning("the log of the store %s could not be emptied: %s", self.path, error)
            self._is_log_stuck = True

    def _rest_soon(self) -> None:
        self._rest_at = time.monotonic() + REST_AFTER
        if not self._is_watched:
            self._is_watched = True
            # Thread.start would wait, with the lock held, for a thread in which any finalizer may run first.
            start_new_thread(self._wait_and_rest, ())

    def _wait_and_rest(self) -> None:
        noted_at = time.monotonic()
        while True:
            release_given_back()
            with LOCK:
                wait = self._rest_at - time.monotonic()
                if wait <= 0 or self._connection is None:
                    self._is_watched = False
                    self.rest()
                    return
            time.sleep(wait)
            if time.monotonic() > noted_at + NOTED_EVERY:
                self._note()
                noted_at = time.monotonic()

    def _note(self) -> None:
        """Remember outside of the file what it holds."""
        with suppress(StoreError):
            with self.use() as connection:
                is_new = self._damage is None and self._last_seen.remember(connection)
            if is_new:
                self._last_seen.write()

    def _read_again(self) -> None:
        """Read what was added since the last time as another program would."""
        with closing(sqlite3.connect(schema.uri(self.path, mode="ro"), uri=True, timeout=1)) as other:
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
                        self.damaged(f"the last events of the session {name!r} are not as they were written")
                    )
                self._known[name] = known._replace(n_read=known.n_events, head_read=head)


def release_given_back() -> None:
    """Close the files that finalizers gave back, as far as nobody else uses them."""
    while _GIVEN_BACK:
        with suppress(IndexError):  # another thread was faster
            _GIVEN_BACK.popleft().release()
