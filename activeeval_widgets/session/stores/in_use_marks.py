"""Marks in a store's file: processes that may have records in its -wal log that are not in the file yet.

A mark is set with the first record, and removed once the log is merged. A mark of a dead process in a file
without a log shows that the file was copied or moved without its log, or that the log was deleted.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from platform import node
from uuid import uuid4

_here: set[str] = set()
"""The marks set by this process."""

WITHOUT_LOG = (
    "This file was in use when it was copied or moved, or when its program stopped, and its -wal file is not "
    "there: the last answers may be missing."
)


class Marks:
    """The mark of this process in a file, and the marks of others."""

    def __init__(self, key: tuple[int, int]) -> None:
        self._key = key
        self._user = uuid4().hex
        self.is_set = False

    def set(self, connection: sqlite3.Connection) -> None:
        """Set the mark, within the transaction of a record."""
        if self.is_set:
            return
        _here.add(self._user)
        connection.execute(
            "INSERT OR REPLACE INTO in_use VALUES (?, ?, ?, ?, ?, ?)",
            (self._user, node(), os.getpid(), _started(os.getpid()), *map(str, self._key)),
        )
        self.is_set = True

    @contextmanager
    def setting(self) -> Iterator[None]:
        """Restore the state of the mark if the transaction that may set it fails."""
        was_set = self.is_set
        try:
            yield
        except BaseException:
            self.is_set = was_set
            raise

    def remove(self, connection: sqlite3.Connection) -> None:
        """Remove the mark, within a transaction."""
        connection.execute("DELETE FROM in_use WHERE user = ?", (self._user,))
        self.is_set = False

    def clear_stale(self, connection: sqlite3.Connection, *, had_log: bool) -> bool:
        """Remove marks of dead processes; if there was no log, add a notice and return True."""
        is_missing = False
        rows = connection.execute("SELECT user, host, pid, started, device, inode FROM in_use").fetchall()
        for user, host, pid, started, *key in rows:
            if tuple(map(int, key)) == self._key and _is_alive(user, host, pid, started):
                continue
            connection.execute("DELETE FROM in_use WHERE user = ?", (user,))
            if not had_log:
                is_missing = True
                connection.execute(
                    "INSERT INTO notices VALUES (?, ?)", (datetime.now(UTC).isoformat(), WITHOUT_LOG)
                )
        return is_missing


def _is_alive(user: str, host: str, pid: int, started: str) -> bool:
    if host != node():
        return False
    if pid == os.getpid():
        return user in _here
    if started:
        return _started(pid) == started
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _started(pid: int) -> str:
    """Return when a process was started, on Linux, as its id may have been reused."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""
