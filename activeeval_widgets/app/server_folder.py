"""The temporary folder of a server; the next server removes the folder of one that was killed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.platform != "win32":
    import fcntl

PREFIX = "activeeval-widgets-"
_LOCK = "server.lock"


@contextmanager
def server_folder() -> Iterator[Path]:
    """Make a temporary folder for a server; the user's next server removes it if the process is killed."""
    remove_left_folders()
    folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
    with folder as name, Path(name, f"{_LOCK}.new").open("w") as lock:
        if _is_taken(lock):  # from now on others may find it
            Path(lock.name).rename(Path(name, _LOCK))
        yield Path(name)


def remove_left_folders() -> None:
    """Remove the folders of this user's servers that no longer run."""
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{_LOCK}"):
        if _is_left(lock):
            shutil.rmtree(lock.parent, ignore_errors=True)


def _is_taken(lock: IO[str]) -> bool:
    """Take a lock until the file is closed; return False if it is taken, or if there are no locks."""
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_left(lock: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        if lock.parent.lstat().st_uid != os.getuid() or lock.parent.is_symlink():
            return False
        with lock.open("r+") as file:
            return _is_taken(file)
    except OSError:
        return False
