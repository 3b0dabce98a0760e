"""A store that drops what is added: a session can be opened from its log, and nothing is stored."""

from collections.abc import Mapping
from typing import Any, Self

from activeeval_widgets.session import Store
from activeeval_widgets.session.stores import Record
from activeeval_widgets.session.stores.protocol import BaseStore, check_identity, store_member


class ReadOnlyLog(BaseStore):
    """A read-only log: events that a session adds are dropped."""

    checks_numbers = True  # nothing is written

    def __init__(
        self, identity: Mapping[str, str], records: list[Record], details: Mapping[str, Any] | None = None
    ) -> None:
        self._identity, self._records, self._details = dict(identity), list(records), dict(details or {})

    @classmethod
    def of(cls, store: Store, name: str) -> Self:
        """The log of a session in a store."""
        about = store.identity(name) or {}
        return cls(about, store.begin(name, about), store_member(store, "details")(name))

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """The log, if it was begun with this."""
        check_identity(name, self._identity, identity)
        return list(self._records)

    def append(self, name: str, record: Record) -> None:
        """Nothing is kept."""
        del name, record

    def identity(self, name: str) -> dict[str, str] | None:
        """The identity that the session was begun with."""
        del name
        return dict(self._identity)

    def names(self) -> list[str]:
        """Any."""
        return []

    def details(self, name: str) -> dict[str, Any]:
        """The session's details."""
        del name
        return dict(self._details)
