"""A page for a file of predictions: its pool, its store, and the session to show."""

import json
import shlex
from functools import lru_cache
from typing import Any

from activeeval_widgets.app.pages import Query, Spec
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.session_file.read_only_log import ReadOnlyLog
from activeeval_widgets.formats.session_file.reading import read_session_file
from activeeval_widgets.formats.session_file.reopened import open_as_begun
from activeeval_widgets.formats.session_names import next_name, session_number
from activeeval_widgets.session import Pool, Session, SessionMismatchError, Store, open_store
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats import RankingPredictions
from activeeval_widgets.widgets import LabelingApp, RubricView
from activeeval_widgets.widgets.instances.registered_views import VIEWS
from activeeval_widgets.widgets.result.session_details import keep_details

_EXPORT = (
    "Name a file instead, which `activeeval-widgets sessions export NAME --with-contents --output FILE.json` "
    "writes"
)
_OF_THE_FILE = {"instances", "ids", "predictions", "costs"}


def settings_of(spec: Spec) -> EvaluationSettings:
    """Return the settings in a spec."""
    return EvaluationSettings.from_dict(spec["settings"])


@lru_cache(maxsize=2)
def _read(settings: str) -> Pool:
    return EvaluationSettings.from_dict(json.loads(settings)).make_pool()


def load(settings: EvaluationSettings) -> Pool:
    """Read a file into a pool; equal settings share it."""
    of_the_file = EvaluationSettings(settings.file, settings.columns, within=settings.within)
    return _read(json.dumps(of_the_file.to_dict()))


def prepare(spec: Spec) -> None:
    """Read the file."""
    load(settings_of(spec))


def build(spec: Spec, query: Query) -> LabelingApp:
    """Begin or resume a session of the file: the one that the query names, else the settings' own."""
    settings = settings_of(spec)
    base = settings.session_name
    if query["session"] is not None:
        settings = settings.with_(name=query["session"])
    store = open_store(spec["store"])
    session = begin(settings, store, query["who"])
    own = [name for name in store.names() if session_number(name, base)]
    name = session.name
    guidelines = settings.read_guidelines()
    title = settings.title or session.pool.heading or settings.file.name
    app = LabelingApp(
        session,
        title=title,
        question=settings.question,
        guidelines=guidelines,
        sessions=own if name in own else [*own, name],
        new_session=next_name([*own, name], base),
        start_page=spec.get("start_page", False),
        shows_estimate=not settings.hide_estimate or session.people.who in {settings.owner} - {None},
        asks_name=settings.ask_name,
        **_rubric(settings, session.pool),
    )
    source = {"settings": settings.to_dict()}
    keep_details(session, {"source": source, "title": title, "question": settings.question})
    return app


def _rubric(settings: EvaluationSettings, pool: Pool) -> dict[str, Any]:
    """Return the view and the grades in words for a rubric; empty without one."""
    if settings.columns.rubric is None:
        return {}
    [model] = pool.models
    assert isinstance(model, RankingPredictions)  # noqa: S101 - a rubric makes these
    # For epochs, the criteria come from the log.
    criteria = tuple(map(str, model.rankings[0]))
    view = VIEWS[pool.instances.kind].view
    assert view is not None  # noqa: S101 - all instances of tables have a view
    return {"view": RubricView(criteria, view(pool)), "grade_words": list(model.grade_words)}


def begin(
    settings: EvaluationSettings, store: Store, who: str | None = None, *, pool: Pool | None = None
) -> Session:
    """Begin or continue the settings' session; read the file unless its pool is given."""
    pool = load(settings) if pool is None else pool
    is_new = store.identity(settings.session_name) is None
    after = earlier_session(settings, store) if is_new and settings.after is not None else None
    try:
        session = settings.make_session(store, who, pool=pool, after=after)
    except SessionMismatchError as error:
        mismatch = _mismatch(settings, pool, store)
        if mismatch is None:
            raise
        raise SessionMismatchError(mismatch) from error
    if settings.after is not None and session.log.state.after is None:
        other = shlex.quote(next_name(store.names(), settings.session_name))
        raise SessionMismatchError(
            f"The session {settings.session_name!r} was begun without --after: leave it out, or begin "
            f"another one: --name {other}"
        )
    return session


def earlier_session(settings: EvaluationSettings, store: Store) -> Session:
    """Return the session that the settings' session follows, from the store or a file."""
    name = str(settings.after)
    if name.endswith(".json") and settings.within is None:
        try:
            return read_session_file(settings.file.parent / name).open()
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise ValueError(f"after: {name} can't be read: {why}. Check its name and folder") from error
    source = store_member(store, "details")(name).get("source") or {}
    try:
        if "settings" in source:
            pool = EvaluationSettings.from_dict(source["settings"]).make_pool()
            return open_as_begun(ReadOnlyLog.of(store, name), name, pool)
    except (SessionMismatchError, ValueError, OSError) as error:
        raise ValueError(
            f"after: the file of {name!r} has changed or is gone: {str(error).rstrip('.')}. Put it back"
        ) from error
    if name in store.names():
        raise ValueError(f"after: the session {name!r} was not begun with a file. {_EXPORT}")
    others = f"but {', '.join(map(repr, store.names()))}" if store.names() else "nor any other"
    raise ValueError(
        f"after: there is no session {name!r} here, {others}. Name the store that has it with --store"
    )


def _mismatch(settings: EvaluationSettings, pool: Pool, store: Store) -> str | None:
    """Describe how a session of the same name differs, with a remedy; None if unknown."""
    name = settings.session_name
    then, now = store.identity(name) or {}, settings.make_session(pool=pool).storage.identity
    differ = {key for key in {*then, *now} if then.get(key) != now.get(key)}
    other_name = f"--name {shlex.quote(next_name(store.names(), name))}"
    if differ & _OF_THE_FILE:
        known = file_of(store, name)
        if known is not None and known != str(settings.file):
            what = f"was begun with another file, {known}"
        else:
            what = f"was begun before {settings.file.name} changed (or its columns are read in another way)"
        return (
            f"The session {name!r} {what}. Its labels are kept. "
            f"For this file begin another session: {other_name}"
        )
    for key, option in (
        ("measure", "--measure"),
        ("y_range", "--y-range"),
        ("protocol", "--protocol"),
        ("seed", "--seed"),
        ("opinions", "--n-raters and --second-opinions"),
        ("groups", "--for-groups"),
        ("confidence_level", "--confidence"),
    ):
        if key in differ:
            what = f"{key.replace('_', ' ')} ({then.get(key)}, and now {now.get(key)})"
            return (
                f"The session {name!r} was begun with another {what}. Go on with it by the {option} it was "
                f"begun with, or begin another session: {other_name}"
            )
    return None


def file_of(store: Store, name: str) -> str | None:
    """Return the file of a session in a store; None if unknown."""
    source: dict[str, Any] = store_member(store, "details")(name).get("source") or {}
    file: str | None = (source.get("settings") or {}).get("file")
    return file
