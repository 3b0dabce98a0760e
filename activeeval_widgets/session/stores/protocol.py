"""What any store does."""

from collections.abc import Mapping
from typing import Any, Protocol

from activeeval_widgets.session.errors import SessionConflictError, SessionMismatchError

Record = dict[str, Any]


class Store(Protocol):
    """A place for the logs of sessions. Records are only ever added."""

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
