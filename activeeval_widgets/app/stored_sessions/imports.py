"""Import an exported session into a store."""

from __future__ import annotations

from pathlib import Path

from activeeval_widgets.app.stored_sessions.find_session import open_or_create
from activeeval_widgets.formats import read_session_file, verify
from activeeval_widgets.session import SessionMismatchError
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
    was_there = called in store.names()
    try:
        session = file.open(store, name=called)
    except SessionMismatchError as error:
        raise ValueError(
            f"The store holds another session {called!r} already. Import this one under another name: --name"
        ) from error
    about = {name: file.document.get(name) for name in ("title", "question")}
    keep_details(session, {"source": {"export": str(path.absolute())}, **about})
    n = session.n_labels
    what = "Already in the store" if was_there else "Imported"
    labels = counted(n, "labels")
    if file.document["pool"].get("streamed") is not None:
        rest = "It holds what was drawn: to go on, serve the data set, or name it with --from."
        return f"{what}: session {called!r}, {labels}. Keep {path}. {rest}"
    return f"{what}: session {called!r}, {labels}. Keep {path}: its pool is read from there."
