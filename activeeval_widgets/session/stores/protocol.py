"""The interface of stores."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from inspect import getattr_static
from pathlib import Path
from typing import Any, Protocol

from activeeval_widgets.session.errors import SessionMismatchError, StoreError
from activeeval_widgets.session.stores.sequence_numbers import check_numbers

Record = dict[str, Any]


REQUIRED = ("begin", "append", "identity", "names")
"""The methods that every store needs."""


class Store(Protocol):
    """A store for the logs of sessions, to which records are only ever added.

    Any object with these four methods is a store. `BaseStore` defines optional attributes and methods.

    See Also
    --------
    BaseStore : Optional attributes and methods, with defaults.
    MemoryStore, SQLiteStore : Built-in stores.
    register_store : Register a scheme for a kind of store.

    Examples
    --------
    A store that keeps each log in a list, with the necessary checks:

    >>> class ListStore:
    ...     def __init__(self):
    ...         self.logs, self.about = {}, {}
    ...     def begin(self, name, identity):
    ...         if self.about.setdefault(name, dict(identity)) != identity:
    ...             raise SessionMismatchError(f"{name!r} was begun with {self.about[name]}")
    ...         return list(self.logs.setdefault(name, []))
    ...     def append(self, name, record):
    ...         if record["seq"] != len(self.logs[name]) + 1:
    ...             raise SessionConflictError(f"{name!r} was continued elsewhere")
    ...         self.logs[name].append(record)
    ...     def identity(self, name):
    ...         return self.about.get(name)
    ...     def names(self):
    ...         return list(self.about)
    >>> store = ListStore()
    >>> labeled = Session(pool, ErrorRate(), store=store).label(1)
    >>> Session(pool, ErrorRate(), store=store).n_labels
    1
    """

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Begin or resume a session.

        Parameters
        ----------
        name : str
            The session's name.
        identity : mapping of str to str
            The fingerprints and settings of the session, by name.

        Returns
        -------
        list of dict
            The session's log so far.

        Raises
        ------
        SessionMismatchError
            If the session was begun with another identity.
        """

    def append(self, name: str, record: Record) -> None:
        """Add a record, numbered by its "seq", to a session's log. It is stored when this returns.

        Raises
        ------
        SessionConflictError
            If the log already has a record with this number.
        """

    def identity(self, name: str) -> dict[str, str] | None:
        """Return the identity of a session; None if there is no session of that name."""

    def names(self) -> list[str]:
        """Return the sessions' names in the order of their beginning."""


class BaseStore:
    """Optional attributes and methods of stores, with defaults. Stores need not subclass this class.

    Attributes
    ----------
    path : Path or None
        The file of the logs, if there is one: a session can then be saved beside it.
    place : str or None
        The place of the logs in words, such as "in labels.sqlite".
    is_lasting : bool
        Whether the logs outlast the process.
    checks_numbers : bool
        Whether `append` itself rejects a used number atomically. For other classes, numbers are checked
        before and after each record is written, which reads some of the log.

    See Also
    --------
    Store : The required methods.
    check_store : Check a store.

    Examples
    --------
    >>> BaseStore().problem is None, BaseStore().notices
    (True, ())
    """

    path: Path | None = None
    place: str | None = None
    is_lasting: bool = True
    checks_numbers: bool = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not vars(cls).get("checks_numbers", False):
            check_numbers(cls)

    @property
    def problem(self) -> str | None:
        """Why nothing can be saved now, as far as known without trying; None if it can."""
        return None

    @property
    def older(self) -> str | None:
        """A notice if the logs contain less than when they were last used, as far as known; else None."""
        return None

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices about how the logs are kept, and whether events may be missing."""
        return ()

    def details(self, name: str) -> dict[str, Any]:  # noqa: ARG002
        """Return the details of a session, such as its title, which are stored beside its log.

        Parameters
        ----------
        name : str
            The session's name.

        Returns
        -------
        dict of str to JSON values
            Empty if there is no such session, or the store keeps no details.
        """
        return {}

    def all_details(self) -> dict[str, dict[str, Any]]:
        """Return the details of all sessions by name, in the order of `names`."""
        return {name: store_member(self, "details")(name) for name in self.names()}  # type: ignore[attr-defined]

    def keep_details(self, name: str, changes: Mapping[str, Any]) -> None:
        """Change details of a session, which no number depends on.

        Parameters
        ----------
        name : str
            The session's name.
        changes : mapping of str to JSON values
            The new values by name; None removes a detail.

        Raises
        ------
        StoreError
            If the session was not begun, or details can't be stored now.
        """

    def begin_with(self, name: str, identity: Mapping[str, str], records: Sequence[Record]) -> None:
        """Begin a session with an existing log.

        Parameters
        ----------
        name : str
            The session's name.
        identity : mapping of str to str
            The identity of the session, see `Store.begin`.
        records : sequence of dict
            The log.

        Raises
        ------
        StoreError
            If there is a session of that name, or it can't be stored now.
        """
        if self.identity(name) is not None:  # type: ignore[attr-defined]
            raise StoreError(f"there is a session {name!r} already")
        self.begin(name, identity)  # type: ignore[attr-defined]
        for record in records:
            self.append(name, record)  # type: ignore[attr-defined]

    def events_since(self, name: str, seq: int) -> list[Record]:
        """Return only the records of a session after a number.

        Parameters
        ----------
        name : str
            The session's name.
        seq : int
            The number of the last known record; 0 for none.

        Returns
        -------
        list of dict
            Empty if there are no new records, or no such session.
        """
        about = self.identity(name)  # type: ignore[attr-defined]
        return [] if about is None else list(self.begin(name, about)[seq:])  # type: ignore[attr-defined]


def store_member(store: "Store | BaseStore", name: str) -> Any:
    """Return an optional attribute or method of a store, or the default of `BaseStore`."""
    missing = object()
    found = getattr(store, name, missing)
    if found is not missing:
        return found
    default = getattr_static(BaseStore, name)
    return default.__get__(store) if hasattr(default, "__get__") else default


def keeps_details(store: "Store | BaseStore") -> bool:
    """Return whether a store keeps details of its sessions."""
    return getattr(type(store), "details", BaseStore.details) is not BaseStore.details


def merge_details(known: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge details with changes, dropping those that are None; refuse values that are not JSON."""
    merged = {**known, **changes}
    return {key: check_detail(key, value) for key, value in merged.items() if value is not None}


def to_text(value: Any) -> str:
    """Encode JSON for storage, with escapes only if it can't be encoded as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(value)
    return text


def check_detail(key: str, value: Any) -> Any:
    """Return a detail as it would be read again; refuse a value that is not JSON."""
    if not isinstance(key, str):
        raise TypeError(f"changes must have strings as keys, got {key!r}")
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise type(error)(f"changes[{key!r}] must be a JSON value, got {value!r}: {error}") from error


def read_details(rows: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Decode details, ignoring damaged ones, which no number depends on."""
    kept = {}
    for key, text in rows:
        with suppress(ValueError):
            kept[key] = json.loads(text)
    return kept


def read_identity(text: str | None) -> dict[str, str] | None:
    """Decode the identity of a session; {} if it is damaged, as `begin` reports."""
    try:
        return None if text is None else dict(json.loads(text))
    except ValueError:
        return {}


_MAY_DIFFER = ("draw_rule",)
"""Draws by another rule keep their stored probabilities."""

_FOLLOWS = {"seed": "predictions"}
"""What may follow from another setting, and says nothing more if that differs."""

_FINGERPRINT = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{56}\b")


def check_identity(name: str, begun_with: Mapping[str, str], opened_with: Mapping[str, str]) -> None:
    """Reject an identity that differs from that of the stored session."""
    keys = {
        key
        for key in begun_with.keys() | opened_with.keys()
        if begun_with.get(key) != opened_with.get(key) and key not in _MAY_DIFFER
    }
    differing = [
        f"{key} ({_shown(begun_with, key)} then, {_shown(opened_with, key)} now)"
        for key in sorted(keys)
        if _FOLLOWS.get(key) not in keys
    ]
    if differing:
        raise SessionMismatchError(
            f"the session {name!r} was started with different settings: {', '.join(differing)}. "
            f"{_other_order(begun_with, opened_with)}"
            "Open it with the settings it was started with, or pass another name to start a new one"
        )


def _shown(identity: Mapping[str, str], key: str) -> str:
    """Return a setting, with fingerprints by their first digits."""
    return _FINGERPRINT.sub(r"\1…", identity.get(key, "none"))


def _other_order(begun_with: Mapping[str, str], opened_with: Mapping[str, str]) -> str:
    """Return a sentence if the models are the same in another order, else ""."""
    then, now = (identity.get("predictions", "") for identity in (begun_with, opened_with))
    if then == now or sorted(then.split("+")) != sorted(now.split("+")):
        return ""
    where = now.split("+")
    order = ", ".join(str(where.index(each) + 1) for each in then.split("+"))
    return f"They are the same models in another order: it began with those that are now number {order}. "
