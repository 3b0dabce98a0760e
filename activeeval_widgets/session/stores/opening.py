"""Opens a store's file with the journal that its file system allows."""

import sqlite3
from pathlib import Path

from activeeval_widgets.session.stores import sqlite_schema
from activeeval_widgets.session.stores.connections import BUSY_TIMEOUT, patiently, transaction
from activeeval_widgets.session.stores.file_system import network_type


def connect(path: Path) -> tuple[sqlite3.Connection, str, str | None]:
    """Open an existing file, and create its tables unless they exist."""
    connection = sqlite3.connect(
        sqlite_schema.uri(path, mode="rw"),
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        # FULL: saved labels survive a power failure.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        network = network_type(path)
        if network is not None:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # needs no shared memory
            patiently(connection, "PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA locking_mode = NORMAL")
        # Before the log exists, so that the header of a new file is in the file itself.
        if sqlite_schema.version(connection) != sqlite_schema.VERSION:
            with transaction(connection):
                sqlite_schema.prepare(connection)
            path.chmod(0o600)
        journal = "delete" if network is not None else patiently(connection, "PRAGMA journal_mode = WAL")
        if journal != "wal":
            patiently(connection, "PRAGMA journal_mode = DELETE")
        # Check that the file can be written, and create the log file.
        with transaction(connection):
            connection.execute("SELECT count(*) FROM sessions").fetchall()
    except BaseException:
        connection.close()
        raise
    if journal == "wal":
        return connection, journal, None
    where = "this file system" if network is None else f"a network file system ({network})"
    remark = (
        f"{path.name} is on {where}, where a write-ahead log can't be relied on: it is kept with a rollback "
        "journal; use it from one computer at a time"
    )
    return connection, "delete", remark
