"""A page for the app or the session that a Python file or a notebook makes."""

from pathlib import Path

from activeeval_widgets.app.pages import Query, Spec
from activeeval_widgets.app.user_code import run_code
from activeeval_widgets.session import Session
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.result.session_details import keep_details


def prepare(spec: Spec) -> None:  # noqa: ARG001
    """Import what such files import; the file itself runs for each page, as it may open a store."""
    import activeeval_widgets.stats  # noqa: F401


def build(spec: Spec, query: Query) -> LabelingApp:
    """Run the file."""
    path, folder = Path(spec["file"]), Path(spec["folder"])
    made = run_code(path, folder)
    app = made if isinstance(made, LabelingApp) else LabelingApp(made, title=path.name)
    session = app.session
    if query["session"] not in (None, session.name):
        raise ValueError(
            f"{path.name} makes the session {session.name!r}, and the address names {query['session']!r}. "
            "Take ?session=… out of the address"
        )
    if query["who"] is not None:
        session.people.who = query["who"]
    app.make_standalone([session.name], start_page=spec.get("start_page", False))
    keep_details(session, {"source": {"python": str(path), "folder": str(folder)}, "title": app.title})
    return app


def session_of(path: str | Path, folder: str | Path | None = None) -> Session:
    """Return the session that a file makes."""
    made = run_code(Path(path), Path(path).parent if folder is None else Path(folder))
    return made.session if isinstance(made, LabelingApp) else made
