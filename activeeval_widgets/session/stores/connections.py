"""SQLite connections: their lock, transactions and errors."""

import ctypes
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import RLock

LOCK = RLock()
"""Held by the thread that uses a file; one lock for all files, as a process seldom has several."""

BUSY_TIMEOUT = 5.0
"""Seconds to wait for another process's lock."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run a transaction."""
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
    """Read from one state of the file, whatever other processes add meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")


def patiently(connection: sqlite3.Connection, pragma: str) -> str:
    """Retry a pragma that SQLite rejects without waiting while another process has locked the file."""
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
    """Return whether another process has locked the file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(error: BaseException) -> bool:
    """Return whether the file is damaged or not a database."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def keep_forever(connection: sqlite3.Connection) -> None:
    """Keep a connection from being closed, even at the interpreter's exit."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
