"""What kind of place a file is in, and making it for its owner alone."""

import os
import re
from pathlib import Path

NETWORK = re.compile(
    r"nfs\d?|cifs|smb\w*|afs|9p|ncpfs|lustre|ceph|beegfs|gpfs|glusterfs|orangefs|pvfs2|fuse(\..+)?"
)
"""Types of file systems whose users can't share the memory that a write-ahead log needs."""


def network_type(path: Path, mounts: Path = Path("/proc/self/mounts")) -> str | None:
    """The type of the network file system that a path is on; None if it is on none, or that is unknown."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # not Linux: SQLite will find out by itself
        return None
    where = str(path.resolve())
    found = ("", "")
    for line in lines:
        _, point, kind, *_ = line.split(" ")
        point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), point)
        is_above = where == point or where.startswith(point.rstrip("/") + "/")
        if is_above and len(point) >= len(found[0]):  # of two at one place, the later one is seen
            found = (point, kind)
    return found[1] if NETWORK.fullmatch(found[1]) else None


def make_private(path: Path) -> None:
    """Make an empty file, with its folders, that its owner alone can read; nothing if it is there."""
    missing = []
    folder = path.parent
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
