"""Checks whether an open file is still the one that was opened."""

import os
from pathlib import Path


class Place:
    """The state of a file when it was opened: device and inode, and its size, which only grows."""

    def __init__(self, path: Path, *, has_log: bool) -> None:
        self._path = path
        found = path.stat()
        self.key = found.st_dev, found.st_ino
        self.size = found.st_size
        log = stat_of(log_of(path)) if has_log else None
        self._log = None if log is None else (log.st_dev, log.st_ino)
        self._log_size = 0 if log is None else log.st_size

    def find_loss(self) -> tuple[str | None, bool]:
        """Return what happened to the file, if anything, and whether that is final."""
        found = stat_of(self._path)
        shown = str(self._path)
        if found is None:
            return f"the file {shown!r} is gone: it was deleted or moved while it was in use", False
        if (found.st_dev, found.st_ino) != self.key:
            return f"the file {shown!r} is a different file now: it was replaced while it was in use", False
        if found.st_size < self.size:
            return f"the file {shown!r} was cut to {found.st_size} bytes while it was in use", True
        self.size = found.st_size
        if self._log is None:
            return None, False
        log = stat_of(log_of(self._path))
        if log is None or (log.st_dev, log.st_ino) != self._log:
            return f"the file '{shown}-wal' was deleted or replaced while it was in use", True
        if log.st_size < self._log_size:
            return f"the file '{shown}-wal' was cut to {log.st_size} bytes while it was in use", True
        self._log_size = log.st_size
        return None, False

    def is_there(self) -> bool:
        """Return whether the file is still in its place."""
        found = stat_of(self._path)
        return found is not None and (found.st_dev, found.st_ino) == self.key


def log_of(path: Path) -> Path:
    """Return the path of a file's write-ahead log."""
    return path.with_name(path.name + "-wal")


def stat_of(path: Path) -> os.stat_result | None:
    """Return the status of a file; None if there is none."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None
