"""The checks that every store has to pass."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import partial
from typing import Any
from uuid import uuid4

from activeeval_widgets.session.errors import SessionConflictError, SessionMismatchError, StoreError
from activeeval_widgets.session.stores.protocol import REQUIRED, Record, Store, store_member
from activeeval_widgets.stats._validation import expect

_IDENTITY = {"pool": "abc", "seed": "0"}

_VALUES = ("Ω 😀 \u202e", None, [1, True, 0.1 + 0.2], "'; DROP TABLE events; --\0", 10**30, {"a": ""})


def check_store(opened: Callable[[], Store]) -> None:
    """Check a store for what sessions rely on.

    Parameters
    ----------
    opened : callable
        Opens the store: the same one at each call, if its logs outlast an object of its class. It may
        contain sessions. The sessions of the checks get names of their own, and stay.

    Raises
    ------
    AssertionError
        If a check fails; the message says what is expected.

    See Also
    --------
    BaseStore : A base class that checks the numbers of records.
    check_kind : Check a kind of instances.

    Examples
    --------
    >>> check_store(MemoryStore)
    """
    store = opened()
    for method in REQUIRED:
        expect(callable(getattr(store, method, None)), f"{method} must be a method")
    again = opened if store_member(store, "is_lasting") else lambda: store
    for check in (
        _keeps_what_it_was_given,
        _keeps_sessions_apart,
        _refuses,
        _gives_a_number_once,
        _keeps_details,
    ):
        check(store, again)


def _record(seq: int, value: Any = 0) -> Record:
    return {"kind": "label", "seq": seq, "value": value}


def _begun(store: Store, n_records: int = 0, name: str | None = None) -> str:
    name = name or f"check {uuid4().hex}"
    store.begin(name, _IDENTITY)
    for seq in range(1, n_records + 1):
        _append(store, name, _record(seq))
    return name


def _append(store: Store, name: str, record: Record) -> None:
    """Add a record with the next number."""
    try:
        store.append(name, deepcopy(record))
    except StoreError as error:
        seq = record["seq"]
        raise AssertionError(
            f"append must keep the record {record!r} as it is given: {seq} is the next number. "
            f"It refused with: {error}"
        ) from error


def _keeps_what_it_was_given(store: Store, again: Callable[[], Store]) -> None:
    name = f"check {uuid4().hex}"
    expect(store.identity(name) is None, "identity must be None for a session that was not begun")
    expect(store.begin(name, _IDENTITY) == [], "begin must return [] for a new session")
    expect(store.identity(name) == _IDENTITY, "identity must be what the session was begun with")
    records = [_record(seq, value) for seq, value in enumerate(_VALUES, start=1)]
    for record in records:
        _append(store, name, record)
    for which, one in (("the store", store), ("the store that is opened again", again())):
        found = one.begin(name, _IDENTITY)
        expect(found == records, f"{which} must return all records as they were given, got {found!r}")
        found[0]["value"] = "changed"
        expect(one.begin(name, _IDENTITY) == records, "what begin returns must be a copy")
        for seq in range(len(records) + 2):
            since = store_member(one, "events_since")(name, seq)
            expect(since == records[seq:], f"events_since must return the records after {seq}, got {since!r}")
    expect(store_member(store, "problem") is None, "problem must be None while records can be stored")


def _keeps_sessions_apart(store: Store, again: Callable[[], Store]) -> None:
    stem = uuid4().hex
    # Not in alphabetical order.
    names = [_begun(store, name=f"check {stem} {letter}") for letter in "bca"]
    for value, name in enumerate(names):
        _append(store, name, _record(1, value))
    store.begin(names[0], _IDENTITY)
    found = [name for name in again().names() if name in names]
    expect(found == names, "names must list the sessions in the order in which they were begun, once each")
    values = [store.begin(name, _IDENTITY)[0]["value"] for name in names]
    expect(values == [0, 1, 2], f"records of one session must not show in another, got {values!r}")


def _refuses(store: Store, _again: Callable[[], Store]) -> None:
    name = _begun(store, 1)
    for other in ({**_IDENTITY, "pool": "abd"}, {**_IDENTITY, "costs": "x"}):
        _expect_error(
            partial(store.begin, name, other),
            SessionMismatchError,
            f"begin must refuse {other} for a session that was begun with {_IDENTITY}",
        )
    unknown = f"check {uuid4().hex}"
    _expect_error(
        partial(store.append, unknown, _record(1)),
        StoreError,
        "append must refuse a session that was not begun",
    )
    expect(store.identity(unknown) is None, "append must not begin a session")


def _gives_a_number_once(store: Store, again: Callable[[], Store]) -> None:
    name, other = _begun(store, 1), again()
    _append(store, name, _record(2, "first"))
    for which, one, seq in (("this", store, 2), ("another", other, 2), ("another", other, 4)):
        _expect_error(
            partial(one.append, name, _record(seq, "second")),
            SessionConflictError if seq == 2 else StoreError,
            f"after 2 records, append must refuse number {seq} by {which} opening",
        )
    expected = [_record(1), _record(2, "first")]
    expect(store.begin(name, _IDENTITY) == expected, "a record that was refused must not be kept")

    def attempt(value: int) -> bool:
        try:
            (store, other)[value % 2].append(name, _record(3, value))
        except SessionConflictError:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        n_stored = sum(threads.map(attempt, range(8)))
    expect(n_stored == 1, f"of 8 records with one number from several threads 1 must be kept, got {n_stored}")
    expect(len(store.begin(name, _IDENTITY)) == 3, "of several records with one number 1 must be kept")


def _keeps_details(store: Store, again: Callable[[], Store]) -> None:
    name = _begun(store, 1)
    keep, details = store_member(store, "keep_details"), store_member(store, "details")
    keep(name, {"title": "Ω", "budget": 5})
    kept = details(name)
    if not kept:  # the store keeps no details
        return
    keep(name, {"budget": None})
    for found in (
        details(name),
        store_member(again(), "details")(name),
        store_member(store, "all_details")()[name],
    ):
        expect(found == {"title": "Ω"}, f"details must be {{'title': 'Ω'}}, got {found!r}")
    expect(len(store.begin(name, _IDENTITY)) == 1, "details must be no part of the log")


def _expect_error(act: Callable[[], Any], error: type[StoreError], what: str) -> None:
    try:
        act()
    except error:
        return
    except StoreError as other:
        raise AssertionError(
            f"{what} with a {error.__name__}, got {type(other).__name__}: {other}"
        ) from other
    raise AssertionError(f"{what} with a {error.__name__}")
