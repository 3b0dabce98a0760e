"""Checks of sequence numbers for stores that don't check them, so that no number is used twice."""

import json
from collections.abc import Callable, Mapping
from functools import wraps
from threading import RLock
from typing import Any

from activeeval_widgets.session.errors import SessionConflictError, StoreError

Record = dict[str, Any]

_LOCK = RLock()
"""Serializes threads that append records."""


def check_numbers(cls: type) -> None:
    """Wrap a store class's methods with checks of numbers; the second writer of one gets an error."""
    for name, checked in (("append", _appending), ("begin", _beginning), ("events_since", _following)):
        if name in vars(cls):
            setattr(cls, name, checked(vars(cls)[name]))


def conflict(name: str) -> SessionConflictError:
    """Return the error for a record whose number is used."""
    return SessionConflictError(
        f"the session {name!r} was continued elsewhere (in another tab or program); "
        "open it again to go on here"
    )


def _appending(append: Callable[[Any, str, Record], None]) -> Callable[[Any, str, Record], None]:
    @wraps(append)
    def checked(self: Any, name: str, record: Record) -> None:
        seq = record["seq"]
        with _LOCK:
            if self.identity(name) is None:
                raise StoreError(f"the session {name!r} was not begun")
            found = self.events_since(name, max(seq - 2, 0))
            if [each["seq"] for each in found] != list(range(max(seq - 1, 1), seq)):
                raise conflict(name)
            append(self, name, record)
            if _text(self.events_since(name, seq - 1)[:1]) != _text([record]):
                raise conflict(name)

    return checked


def _beginning(
    begin: Callable[[Any, str, Mapping[str, str]], list[Record]],
) -> Callable[[Any, str, Mapping[str, str]], list[Record]]:
    @wraps(begin)
    def checked(self: Any, name: str, identity: Mapping[str, str]) -> list[Record]:
        return _without_refused(begin(self, name, identity), 0)

    return checked


def _following(
    events_since: Callable[[Any, str, int], list[Record]],
) -> Callable[[Any, str, int], list[Record]]:
    @wraps(events_since)
    def checked(self: Any, name: str, seq: int) -> list[Record]:
        return _without_refused(events_since(self, name, seq), seq)

    return checked


def _text(records: list[Record]) -> str:
    return json.dumps(records, sort_keys=True, default=repr)


def _without_refused(records: list[Record], seq: int) -> list[Record]:
    """Drop records with a used number, whose writers got an error."""
    kept: list[Record] = []
    for record in records:
        if type(record.get("seq")) is not int:
            raise StoreError(
                f"a record of the log has the number {record.get('seq')!r}, expected an integer: the log was "
                "changed by another program"
            )
        if record["seq"] > seq + len(kept):
            kept.append(record)
    return kept
