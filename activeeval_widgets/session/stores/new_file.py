"""Writes a session to a new file if its own is lost or can't be written."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.stores.file_identity import log_of
from activeeval_widgets.session.stores.protocol import Record

if TYPE_CHECKING:
    from activeeval_widgets.session.stores.sqlite import SQLiteStore


def free_path(path: Path) -> Path:
    """Return the path itself if it is free, else a new name beside it."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-rescued{'' if number == 2 else f'-{number - 1}'}{path.suffix}")
    return free


def write_new(
    path: Path,
    name: str,
    identity: Mapping[str, str],
    records: Sequence[Record],
    details: Mapping[str, Any],
) -> "SQLiteStore":
    """Create a store with a session's log and details."""
    from activeeval_widgets.session.stores.sqlite import SQLiteStore

    if path.exists():
        raise StoreError(f"path must be a file that does not exist yet, got {str(path)!r}")
    # Leftovers of an earlier file would be applied to the new one.
    for orphan in (log_of(path), path.with_name(path.name + "-shm")):
        with suppress(FileNotFoundError):
            orphan.rename(orphan.with_name(orphan.name + ".old"))
    store = SQLiteStore(path)
    store.begin_with(name, identity, records)
    store.keep_details(name, details)
    return store
