"""Detects network file systems, and creates private files."""

import os
import re
from pathlib import Path

NETWORK = re.compile(
    r"nfs\d?|cifs|smb\w*|afs|9p|ncpfs|lustre|ceph|beegfs|gpfs|glusterfs|orangefs|pvfs2|fuse(\..+)?"
)
"""Types of file systems without the shared memory that a write-ahead log needs."""


def store_path(path: str | Path) -> Path:
    """Return the path of a store's file, in the home folder if it begins with "~"."""
    found = Path(os.path.expanduser(path))  # noqa: PTH111 - the Path's raises for "~x", which may be a file
    if ":memory:" in found.name:
        raise ValueError(
            f"store is {str(path)!r}, expected the path of a file: leave it out, or pass 'memory:', to keep "
            "labels in memory only"
        )
    return found


def network_type(path: Path, mounts: Path = Path("/proc/self/mounts")) -> str | None:
    """Return the type of the network file system of a path; None if it is local or unknown."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # not Linux: SQLite detects it itself
        return None
    where = str(path.resolve())
    found = ("", "")
    for line in lines:
        _, point, kind, *_ = line.split(" ")
        point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), point)
        is_above = where == point or where.startswith(point.rstrip("/") + "/")
        if is_above and len(point) >= len(found[0]):  # the later of two mounts at one place is visible
            found = (point, kind)
    return found[1] if NETWORK.fullmatch(found[1]) else None


def make_private(path: Path) -> None:
    """Create an empty file with its folders, readable only by its owner, unless it exists."""
    missing = []
    folder = path.parent
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
