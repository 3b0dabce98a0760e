"""The tables and the header of a store's file."""

import sqlite3
import time
from contextlib import closing
from errno import EACCES, EISDIR
from os import R_OK, access, strerror, supports_effective_ids
from pathlib import Path
from urllib.parse import quote

from activeeval_widgets.session.errors import DamagedStoreError, ForeignStoreError
from activeeval_widgets.session.stores import sqlite_pages

APPLICATION_ID = 0x41455744
"""The application id in the file's header ("AEWD")."""

VERSION = 1
"""The format of the tables."""

_TABLES = """
CREATE TABLE sessions (name TEXT NOT NULL UNIQUE, begun TEXT NOT NULL, identity TEXT NOT NULL,
    seal TEXT NOT NULL, n_events INTEGER NOT NULL, head TEXT NOT NULL);
CREATE TABLE events (session TEXT NOT NULL REFERENCES sessions (name), seq INTEGER NOT NULL,
    record TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (session, seq)) WITHOUT ROWID;
CREATE TABLE details (session TEXT NOT NULL REFERENCES sessions (name), key TEXT NOT NULL,
    value TEXT NOT NULL, PRIMARY KEY (session, key)) WITHOUT ROWID;
CREATE TABLE in_use (user TEXT NOT NULL PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL,
    started TEXT NOT NULL, device TEXT NOT NULL, inode TEXT NOT NULL);
CREATE TABLE notices (time TEXT NOT NULL, text TEXT NOT NULL)
"""


def uri(path: Path, **options: str) -> str:
    """Return the URI of a file for SQLite."""
    return f"file:{quote(str(path))}?" + "&".join(f"{name}={value}" for name, value in options.items())


def check_header(path: Path) -> None:
    """Reject a file that is not a store of this package."""
    size = path.stat().st_size
    if path.is_dir():
        raise IsADirectoryError(EISDIR, strerror(EISDIR), str(path))
    if not access(path, R_OK, effective_ids=access in supports_effective_ids):
        raise PermissionError(EACCES, strerror(EACCES), str(path))
    if size == 0:
        return  # SQLite creates an empty file first; the process may have been killed then
    # Only through SQLite, as closing the file otherwise would drop its locks, and without changing anything.
    for _ in range(20):
        try:
            _check_header(path, size, immutable="1")
            return
        except ForeignStoreError:
            # While another process writes the header, there is a journal.
            if not path.with_name(path.name + "-journal").exists():
                break
            time.sleep(0.05)
    _check_header(path, path.stat().st_size, immutable="1")


def _check_header(path: Path, size: int, **unchanging: str) -> None:
    try:
        if size < 100:
            raise sqlite3.DatabaseError("no room for a header")
        with closing(sqlite3.connect(uri(path, mode="ro", **unchanging), uri=True)) as connection:
            [(application,)] = connection.execute("PRAGMA application_id").fetchall()
            written_by = version(connection)
            # This makes SQLite check the rest of the header.
            connection.execute("PRAGMA schema_version").fetchall()
    except sqlite3.DatabaseError as error:
        # If a full disk interrupted a checkpoint, the file is only intact with its log.
        is_torn = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT
        if unchanging and is_torn and path.with_name(path.name + "-wal").exists():
            _check_header(path, size)
            return
        whole = sqlite_pages.size_in_header(path)
        if whole is not None and size < whole:
            raise DamagedStoreError(
                f"the store {str(path)!r} is cut short: it has {size:,} bytes of {whole:,}, so labels may "
                "be missing; put a whole copy in its place. It was left untouched"
            ) from error
        raise ForeignStoreError(f"{str(path)!r} is not an SQLite file; it was left untouched") from error
    if application != APPLICATION_ID:
        raise ForeignStoreError(
            f"{str(path)!r} is an SQLite file, but not one of activeeval-widgets; it was left untouched"
        )
    if written_by != VERSION:
        raise ForeignStoreError(
            f"{str(path)!r} is a store of format {written_by}, and this version of activeeval-widgets reads "
            f"format {VERSION}: open it with the version that made it; it was left untouched"
        )


def version(connection: sqlite3.Connection) -> int:
    """Return the format of the tables; 0 if there are none."""
    [(found,)] = connection.execute("PRAGMA user_version").fetchall()
    return int(found)


def prepare(connection: sqlite3.Connection) -> None:
    """Create the tables within a transaction unless they exist."""
    if version(connection) == VERSION:  # another process was faster
        return
    for statement in _TABLES.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
