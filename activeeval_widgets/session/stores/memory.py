"""A store in memory."""

from collections.abc import Mapping
from copy import deepcopy
from threading import RLock
from typing import Any

from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.stores.protocol import (
    BaseStore,
    Record,
    check_identity,
    merge_details,
)
from activeeval_widgets.session.stores.sequence_numbers import conflict


class MemoryStore(BaseStore):
    """Logs that last as long as the process.

    See Also
    --------
    SQLiteStore : Logs in a file.

    Examples
    --------
    >>> store = MemoryStore()
    >>> labeled = Session(pool, ErrorRate(), store=store, name="Ada").label(1)
    >>> store.names(), Session(pool, ErrorRate(), store=store, name="Ada").n_labels
    (['Ada'], 1)
    """

    place = "in memory only, until the kernel stops"
    is_lasting = False
    checks_numbers = True

    def __init__(self) -> None:
        self._sessions: dict[str, tuple[dict[str, str], list[Record]]] = {}
        self._details: dict[str, dict[str, Any]] = {}
        self._lock = RLock()

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Begin or resume a session; see `Store.begin`."""
        with self._lock:
            begun_with, records = self._sessions.setdefault(name, (dict(identity), []))
            check_identity(name, begun_with, identity)
            return deepcopy(records)

    def append(self, name: str, record: Record) -> None:
        """Add a record; see `Store.append`."""
        with self._lock:
            if name not in self._sessions:
                raise StoreError(f"the session {name!r} was not begun")
            _, records = self._sessions[name]
            if record["seq"] != len(records) + 1:
                raise conflict(name)
            records.append(deepcopy(record))

    def identity(self, name: str) -> dict[str, str] | None:
        """Return the identity of a session; see `Store.identity`."""
        found = self._sessions.get(name)
        return None if found is None else dict(found[0])

    def names(self) -> list[str]:
        """Return the sessions' names; see `Store.names`."""
        return list(self._sessions)

    def details(self, name: str) -> dict[str, Any]:
        """Return the details of a session; see `BaseStore.details`."""
        with self._lock:
            return deepcopy(self._details.get(name, {}))

    def keep_details(self, name: str, changes: Mapping[str, Any]) -> None:
        """Change details of a session; see `BaseStore.keep_details`."""
        with self._lock:
            if name not in self._sessions:
                raise StoreError(f"the session {name!r} was not begun")
            self._details[name] = merge_details(self._details.get(name, {}), changes)

    def events_since(self, name: str, seq: int) -> list[Record]:
        """Return the records after a number; see `BaseStore.events_since`."""
        with self._lock:
            return deepcopy(self._sessions[name][1][seq:]) if name in self._sessions else []
