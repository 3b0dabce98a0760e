"""Connections to SQLite: their lock, transactions, and what an error means."""

import ctypes
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import RLock

LOCK = RLock()
"""Held by whichever thread is using a file: a process seldom has more than one."""

BUSY_TIMEOUT = 5.0
"""Seconds to wait for another program's lock."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of what is done, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite may have rolled back by itself
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """One state of the file for all that is read, whatever other programs add meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")


def patiently(connection: sqlite3.Connection, pragma: str) -> str:
    """Execute what SQLite refuses at once, without waiting, where another program has the file locked."""
    end = time.monotonic() + 2 * BUSY_TIMEOUT
    while True:
        try:
            [(mode,)] = connection.execute(pragma).fetchall()
            return str(mode)
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > end:
                raise
            time.sleep(0.02)


def is_busy(error: BaseException) -> bool:
    """Whether another program has the file locked."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(error: BaseException) -> bool:
    """Whether what is in the file is no database."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def keep_forever(connection: sqlite3.Connection) -> None:
    """See to it that a connection is never closed, not even when the interpreter ends."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
