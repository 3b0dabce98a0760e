"""Import an exported session into a store."""

from __future__ import annotations

from pathlib import Path

import click

from activeeval_widgets.app.stored_sessions.find_session import open_or_create, open_session
from activeeval_widgets.formats import read_session_file, verify
from activeeval_widgets.session import SessionMismatchError, Store
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.result.session_details import keep_details

_MAX_SHOWN = 5


def import_session(path: Path, address: str | None, name: str | None) -> str:
    """Import a session, and return a sentence about it."""
    file = read_session_file(path)
    found = verify(file)
    if not found.follows:
        more = len(found.findings) - _MAX_SHOWN
        lines = [f"- {finding}" for finding in found.findings[:_MAX_SHOWN]]
        raise ValueError(
            "\n".join(
                [
                    f"{path.name} does not follow from its log, so nothing was imported:",
                    *lines,
                    *([f"- and {more:,} more"] if more > 0 else []),
                ]
            )
        )
    store = open_or_create(address)
    called = name or file.name
    n_before = _n_events(store, called)
    has_pool = n_before is not None and _reads_its_pool(store, called)
    try:
        session = file.open(store, name=called)
    except SessionMismatchError as error:
        raise ValueError(
            f"The store holds another session {called!r} already. Import this one under another name: --name"
        ) from error
    about = {name: file.document.get(name) for name in ("title", "question")}
    keep_details(session, None if has_pool else {"source": {"export": str(path.absolute())}, **about})
    what = "Imported" if n_before != len(session.log.events) else "Already in the store"
    labels = counted(session.n_labels, "labels")
    if has_pool:
        return f"{what}: session {called!r}, {labels}. Its pool is read from where it was, not from {path}."
    if file.document["pool"].get("streamed") is not None:
        rest = "It holds what was drawn: to go on, serve the data set, or name it with --from."
        return f"{what}: session {called!r}, {labels}. Keep {path}. {rest}"
    return f"{what}: session {called!r}, {labels}. Keep {path}: its pool is read from there."


def _n_events(store: Store, name: str) -> int | None:
    """Return how many events of a session a store holds; None if it does not have it."""
    about = store.identity(name)
    return None if about is None else len(store.begin(name, about))


def _reads_its_pool(store: Store, name: str) -> bool:
    """Return whether a stored session's pool is still where it was begun; an export may lack contents."""
    source = store_member(store, "details")(name).get("source")
    if source is None or "export" in source:
        return False
    try:
        open_session(store, name)
    except click.ClickException:
        return False
    return True
