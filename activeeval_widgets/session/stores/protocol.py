"""What any store does."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from activeeval_widgets.session.errors import SessionConflictError, SessionMismatchError

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

    >>> from activeeval_widgets.session import SessionConflictError, SessionMismatchError
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
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> pool = Pool(["a", "b"], predictions=ClassPredictions([[0.9, 0.1], [0.4, 0.6]]))
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

    See Also
    --------
    Store : What every store has to do.

    Examples
    --------
    >>> BaseStore().problem is None, BaseStore().notices
    (True, ())
    """

    path: Path | None = None
    place: str | None = None
    is_lasting: bool = True

    @property
    def problem(self) -> str | None:
        """Why nothing can be saved now, as far as is known without trying; None if it can."""
        return None

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to say: how the logs are kept, and whether something may be missing."""
        return ()


def told_by(store: Store, name: str) -> Any:
    """What a store tells of itself, or the default where it does not; see `BaseStore`."""
    return getattr(store, name, getattr(BaseStore(), name))


_LATER_KEYS = ("draw_rule", "y_range")
"""What sessions of older versions were begun without: it is adopted when they are opened."""

_MAY_DIFFER = ("draw_rule",)
"""Draws that were made by another rule are kept, with their probabilities."""


def check_identity(
    name: str, begun_with: Mapping[str, str], opened_with: Mapping[str, str]
) -> dict[str, str] | None:
    """Refuse to open a session with anything else than it was begun with.

    Returns
    -------
    dict of str to str, or None
        What it was begun with, and what older versions did not record; None where there is nothing new.
    """
    adopted = {key: opened_with[key] for key in _LATER_KEYS if key in opened_with and key not in begun_with}
    known = {**begun_with, **adopted}
    differing = [
        f"{key} ({begun_with.get(key, 'none')} then, {opened_with.get(key, 'none')} now)"
        for key in sorted(known.keys() | opened_with.keys())
        if known.get(key) != opened_with.get(key) and key not in _MAY_DIFFER
    ]
    if differing:
        raise SessionMismatchError(
            f"the session {name!r} was started with different settings: {', '.join(differing)}. "
            "Open it with the settings it was started with, or start another session under a new name"
        )
    return known if adopted else None


def conflict(name: str) -> SessionConflictError:
    """The error of a record whose number is taken."""
    return SessionConflictError(
        f"the session {name!r} was continued elsewhere (in another tab or program); "
        "open it again to go on here"
    )
