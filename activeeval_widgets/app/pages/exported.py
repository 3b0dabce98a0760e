"""A page for an imported session, whose pool is in the exported JSON file."""

from functools import lru_cache

from activeeval_widgets.app.pages import Query, Spec
from activeeval_widgets.formats import SessionFile, read_session_file
from activeeval_widgets.formats.session_file.reopened import open_as_begun
from activeeval_widgets.session import open_store
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.result.session_details import keep_details


@lru_cache(maxsize=2)
def _read(path: str) -> SessionFile:
    return read_session_file(path)


def prepare(spec: Spec) -> None:
    """Read the file."""
    _ = _read(spec["export"]).pool


def build(spec: Spec, query: Query) -> LabelingApp:
    """Continue the file's session in the spec's store."""
    file, store = _read(spec["export"]), open_store(spec["store"])
    name = query["session"] or file.name
    details = store_member(store, "details")(name)
    if name in store.names():
        settings = {key: file.document["settings"][key] for key in ("budget", "defensive")}
        session = open_as_begun(store, name, file.pool, q=file.q, who=query["who"], **settings)
    else:
        session = file.open(store, name=name)
        session.people.who = query["who"]
    title = details.get("title") or f"{session.measure.name}: {session.name}"
    app = LabelingApp(
        session,
        title=title,
        question=details.get("question"),
        start_page=spec.get("start_page", False),
    )
    keep_details(session, {"source": {"export": spec["export"]}, "title": title})
    return app
