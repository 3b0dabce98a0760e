"""A read-only store, to open a session from its log without storing anything."""

from collections.abc import Mapping
from typing import Any, Self

from activeeval_widgets.session import Store
from activeeval_widgets.session.stores import Record
from activeeval_widgets.session.stores.protocol import BaseStore, check_identity, store_member


class ReadOnlyLog(BaseStore):
    """A read-only log that drops the events that a session adds."""

    checks_numbers = True  # nothing is written

    def __init__(
        self, identity: Mapping[str, str], records: list[Record], details: Mapping[str, Any] | None = None
    ) -> None:
        self._identity, self._records, self._details = dict(identity), list(records), dict(details or {})

    @classmethod
    def of(cls, store: Store, name: str) -> Self:
        """Return the log of a session in a store."""
        about = store.identity(name) or {}
        return cls(about, store.begin(name, about), store_member(store, "details")(name))

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Return the log, if its identity is the given one."""
        check_identity(name, self._identity, identity)
        return list(self._records)

    def append(self, name: str, record: Record) -> None:
        """Drop a record."""
        del name, record

    def identity(self, name: str) -> dict[str, str] | None:
        """Return the identity that the session began with."""
        del name
        return dict(self._identity)

    def names(self) -> list[str]:
        """Return no names: a session may have any."""
        return []

    def details(self, name: str) -> dict[str, Any]:
        """Return the session's details."""
        del name
        return dict(self._details)
