"""A record outside of each store of its last content, to detect that an older copy has replaced it.

A copy is consistent by itself, so its content does not reveal that later labels are missing. The record is
not part of any session: if it can't be read or written, nothing else changes.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from activeeval_widgets.data_folder import data_folder
from activeeval_widgets.stats.text import counted

if TYPE_CHECKING:
    import sqlite3  # not at run time: Python in a browser may come without it

MAX_STORES = 1000
"""The maximum number of remembered stores; the least recently used ones are forgotten."""


class Seen(NamedTuple):
    """The state of a session: the number of its events, the last hash, its labels, and the time."""

    n_events: int
    head: str
    n_labels: int
    time: str


def n_labels_of(records: Iterable[Mapping[str, Any]]) -> int:
    """Count the labels in the records of a log."""
    standing: set[Any] = set()
    for record in records:
        if record.get("kind") == "label":
            standing.add(record.get("seq"))
        elif record.get("kind") == "undo":
            standing.discard(record.get("undone_seq"))
    return len(standing)


class LastSeen:
    """The remembered content of a store's file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        name = sha256(os.fsencode(path)).hexdigest()[:32]
        self._file = data_folder() / "last-seen" / f"{name}.json"
        self._sessions: dict[str, Seen] = {}
        self._changed: dict[str, tuple[int, str]] = {}

    def forget(self) -> None:
        """Forget the content, as the file is new."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def compare(self, connection: "sqlite3.Connection") -> str | None:
        """Return a notice if the store contains less than before, or something else."""
        self._sessions = self._read()
        now = _sessions_in(connection)
        for name, seen in self._sessions.items():
            if seen.n_labels and not _has(connection, name, seen):
                self._changed[name] = now.get(name, (0, ""))
        if not self._changed:
            return None
        return self._notice(sum(_n_labels(connection, name) for name in self._changed))

    def remember(self, connection: "sqlite3.Connection") -> bool:
        """Remember the store's content, but not an older copy's; return whether there is any to write."""
        is_new = False
        for name, (n_events, head) in _sessions_in(connection).items():
            seen = self._sessions.get(name)
            if self._changed.get(name) == (n_events, head):
                continue
            if seen is None or (seen.n_events, seen.head) != (n_events, head):
                now = datetime.now(UTC).isoformat(timespec="seconds")
                self._sessions[name] = Seen(n_events, head, _n_labels(connection, name), now)
                self._changed.pop(name, None)
                is_new = True
        return is_new

    def write(self) -> None:
        """Write the record to the user's data folder if possible."""
        content = {"path": str(self._path), "sessions": self._sessions}
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            if not self._file.exists():
                _make_room(self._file.parent)
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=self._file.parent, suffix=".new", delete=False
            ) as new:
                json.dump(content, new)
            Path(new.name).replace(self._file)

    def _notice(self, n_labels: int) -> str:
        before = [self._sessions[name] for name in self._changed]
        had = sum(seen.n_labels for seen in before)
        then = datetime.fromisoformat(max(seen.time for seen in before)).astimezone()
        names = ", ".join(repr(name) for name in list(self._changed)[:3])
        more = f" and {len(self._changed) - 3} more" if len(self._changed) > 3 else ""
        other = "" if n_labels < had else ", not all of them the same"
        return (
            f"This store had {counted(had, 'labels')} on {then.day} {then:%B}, now it has "
            f"{n_labels:,}{other} (session {names}{more}): it is an older copy, or another file in its "
            "place. Put the newer file back, or go on with this one."
        )

    def _read(self) -> dict[str, Seen]:
        try:
            sessions = json.loads(self._file.read_text(encoding="utf-8"))["sessions"].items()
            return {
                str(name): Seen(int(n_events), str(head), int(n_labels), _time(time))
                for name, (n_events, head, n_labels, time) in sessions
            }
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}


def _time(text: str) -> str:
    datetime.fromisoformat(text)
    return text


def _sessions_in(connection: "sqlite3.Connection") -> dict[str, tuple[int, str]]:
    rows = connection.execute("SELECT name, n_events, head FROM sessions").fetchall()
    return {name: (n_events, head) for name, n_events, head in rows}


def _has(connection: "sqlite3.Connection", name: str, seen: Seen) -> bool:
    """Return whether a session still contains the remembered events."""
    if seen.n_events == 0:
        return True
    query = "SELECT hash FROM events WHERE session = ? AND seq = ?"
    return connection.execute(query, (name, seen.n_events)).fetchall() == [(seen.head,)]


def _n_labels(connection: "sqlite3.Connection", name: str) -> int:
    found = connection.execute("SELECT record FROM events WHERE session = ? ORDER BY seq", (name,))
    return n_labels_of(json.loads(text) for (text,) in found)


def _make_room(folder: Path) -> None:
    """Remove the oldest files."""
    known = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
    for file in known[: max(len(known) - MAX_STORES + 1, 0)]:
        file.unlink()
