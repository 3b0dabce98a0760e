"""What any store does."""

import json
from collections.abc import Mapping, Sequence
from inspect import getattr_static
from pathlib import Path
from typing import Any, Protocol

from activeeval_widgets.session.errors import SessionMismatchError, StoreError
from activeeval_widgets.session.stores.numbers import check_numbers

Record = dict[str, Any]


REQUIRED = ("begin", "append", "identity", "names")
"""What every store has to do."""


class Store(Protocol):
    """A place for the logs of sessions. Records are only ever added.

    Any object with these four methods is a store. `BaseStore` has them to be filled in, and what a store may
    tell of itself besides.

    See Also
    --------
    BaseStore : What a store may tell besides, with defaults.
    MemoryStore, SQLiteStore : The stores there are.
    register_store : To give a kind of store an address.

    Examples
    --------
    A store that keeps each log in a list, and checks what has to be checked:

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
        """Begin a session, or resume it.

        Parameters
        ----------
        name : str
            The session's name.
        identity : mapping of str to str
            What the session is about: fingerprints and settings, by what they are of.

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
        """Add a record, numbered by its "seq", to a session's log; when this returns, it is stored.

        Raises
        ------
        SessionConflictError
            If the log has a record of this number already.
        """

    def identity(self, name: str) -> dict[str, str] | None:
        """What a session was begun with; None if there is no session of that name."""

    def names(self) -> list[str]:
        """The sessions' names, in the order in which they were begun."""


class BaseStore:
    """What a store may tell of itself besides; each of it has a default, so a store need not subclass this.

    Attributes
    ----------
    path : Path or None
        The file that the logs are in, if they are in one: a session can then be saved beside it.
    place : str or None
        Where the logs are kept, as in "in labels.sqlite".
    is_lasting : bool
        Whether the logs outlast the process.
    checks_numbers : bool
        Whether `append` refuses a number that is taken itself, in one step with writing. Where a class does
        not say so, numbers are checked before and after each record is written, which reads some of the log.

    See Also
    --------
    Store : What every store has to do.
    check_store : Checks that a store does it.

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
        """Why nothing can be saved now, as far as is known without trying; None if it can."""
        return None

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to say: how the logs are kept, and whether something may be missing."""
        return ()

    def details(self, name: str) -> dict[str, Any]:  # noqa: ARG002
        """What is kept of a session beside its log: its title, say, or how it was begun.

        Parameters
        ----------
        name : str
            The session's name.

        Returns
        -------
        dict of str to JSON values
            Nothing where there is no such session, or the store keeps no details.
        """
        return {}

    def all_details(self) -> dict[str, dict[str, Any]]:
        """What is kept of each session beside its log, by the sessions' names, in the order of `names`."""
        return {name: told_by(self, "details")(name) for name in self.names()}  # type: ignore[attr-defined]

    def keep_details(self, name: str, changes: Mapping[str, Any]) -> None:
        """Change some of what is kept of a session beside its log, from which no number follows.

        Parameters
        ----------
        name : str
            The session's name.
        changes : mapping of str to JSON values
            The details that change, by their names; None removes one.

        Raises
        ------
        StoreError
            If the session was not begun, or it can't be kept now.
        """

    def begin_with(self, name: str, identity: Mapping[str, str], records: Sequence[Record]) -> None:
        """Begin a session that is not in the store yet with the log that it has already.

        Parameters
        ----------
        name : str
            The session's name.
        identity : mapping of str to str
            What the session is about, see `Store.begin`.
        records : sequence of dict
            Its log.

        Raises
        ------
        StoreError
            If there is a session of that name, or it can't be kept now.
        """
        if self.identity(name) is not None:  # type: ignore[attr-defined]
            raise StoreError(f"there is a session {name!r} already")
        self.begin(name, identity)  # type: ignore[attr-defined]
        for record in records:
            self.append(name, record)  # type: ignore[attr-defined]

    def events_since(self, name: str, seq: int) -> list[Record]:
        """The records of a session after one of them: what others have added, at the price of no more.

        Parameters
        ----------
        name : str
            The session's name.
        seq : int
            The number of the last record that is known already; 0 for none.

        Returns
        -------
        list of dict
            Nothing where there is nothing new, or no such session.
        """
        about = self.identity(name)  # type: ignore[attr-defined]
        return [] if about is None else list(self.begin(name, about)[seq:])  # type: ignore[attr-defined]


def told_by(store: "Store | BaseStore", name: str) -> Any:
    """What a store tells of itself or does besides, or the default where it does not; see `BaseStore`."""
    missing = object()
    found = getattr(store, name, missing)
    if found is not missing:
        return found
    default = getattr_static(BaseStore, name)
    return default.__get__(store) if hasattr(default, "__get__") else default


def merge_details(known: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Details with some of them changed, and without those that are None.

    Raises
    ------
    TypeError, ValueError
        If one of them is no JSON.
    """
    merged = {**known, **changes}
    return {key: check_detail(key, value) for key, value in merged.items() if value is not None}


def to_text(value: Any) -> str:
    """JSON as it is stored: readable, but for what can't be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return json.dumps(value)
    return text


def check_detail(key: str, value: Any) -> Any:
    """A detail as it would be read again.

    Raises
    ------
    TypeError, ValueError
        If it is no JSON.
    """
    if not isinstance(key, str):
        raise TypeError(f"changes must have strings as keys, got {key!r}")
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise type(error)(f"changes[{key!r}] must be a JSON value, got {value!r}: {error}") from error


_MAY_DIFFER = ("draw_rule",)
"""Draws that were made by another rule are kept, with their probabilities."""


def check_identity(name: str, begun_with: Mapping[str, str], opened_with: Mapping[str, str]) -> None:
    """Refuse to open a session with anything else than it was begun with."""
    differing = [
        f"{key} ({begun_with.get(key, 'none')} then, {opened_with.get(key, 'none')} now)"
        for key in sorted(begun_with.keys() | opened_with.keys())
        if begun_with.get(key) != opened_with.get(key) and key not in _MAY_DIFFER
    ]
    if differing:
        raise SessionMismatchError(
            f"the session {name!r} was started with different settings: {', '.join(differing)}. "
            f"{_other_order(begun_with, opened_with)}"
            "Open it with the settings it was started with, or start another session under a new name"
        )


def _other_order(begun_with: Mapping[str, str], opened_with: Mapping[str, str]) -> str:
    """Of several models' predictions, whether they are the same in another order."""
    then, now = (identity.get("predictions", "") for identity in (begun_with, opened_with))
    if then == now or sorted(then.split("+")) != sorted(now.split("+")):
        return ""
    where = now.split("+")
    order = ", ".join(str(where.index(each) + 1) for each in then.split("+"))
    return f"They are the same models in another order: it began with those that are now number {order}. "
