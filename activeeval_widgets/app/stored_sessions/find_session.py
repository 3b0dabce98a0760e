"""Find a session in a store, and its pool."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from activeeval_widgets.app.options import default_store, default_stores, prepared_address
from activeeval_widgets.app.printable import printable, printable_lines
from activeeval_widgets.app.user_code import SUFFIXES, UserCodeError
from activeeval_widgets.formats import read_session_file
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.session_file.read_only_log import ReadOnlyLog
from activeeval_widgets.formats.session_file.reopened import open_as_begun
from activeeval_widgets.session import (
    Pool,
    Session,
    SessionMismatchError,
    Store,
    StoreError,
    open_store,
)
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.session.stores.registry import store_to_read
from activeeval_widgets.stats.text import listed
from activeeval_widgets.widgets.start.evaluations import demo_of

if TYPE_CHECKING:
    from activeeval_widgets.demos import Demo

Source = Mapping[str, Any]

FROM_HELP = (
    "give it with --from: the file of predictions, evaluation.toml, the exported JSON, or a Python file"
)
BEGIN_HELP = (
    "A session begins when its page is opened for the first time: run `activeeval-widgets open` or "
    "`activeeval-widgets serve FILE --name NAME` and open the link"
)
_OF_THE_POOL = ("instances", "ids", "predictions", "costs")


def open_existing(address: str | None, name: str | None = None, *, reads_only: bool = False) -> Store:
    """Open the store of an address or, without one, the default store that has a session."""
    found = all_opened(address, reads_only=reads_only)
    if name is None:
        return found[0]
    check_there(found, name)
    return next(store for store in found if name in store.names())


def all_opened(address: str | None, *, reads_only: bool = False) -> list[Store]:
    """Open an address's store, or the default stores that exist; if only read, no page is disturbed."""
    if address is not None:
        path = Path(address).expanduser()
        places = [] if ":" not in address and not path.exists() else [address]
    else:
        path = default_store()
        places = [str(each) for each in default_stores()]
    if not places:
        raise click.ClickException(
            f"There is no store {printable(path)}: no session was kept there yet. {BEGIN_HELP}; or name "
            "another store with --store."
        )
    return [open_or_create(each, reads_only=reads_only) for each in places]


def open_or_create(address: str | None, *, reads_only: bool = False) -> Store:
    """Open the store of an address, or the default one; make it if missing, unless it is only read."""
    try:
        if reads_only:
            store = store_to_read(str(address))
        else:
            store = open_store(prepared_address(default_store() if address is None else address))
    except (StoreError, ValueError) as error:
        raise click.ClickException(f"{printable(error)}") from error
    for notice in store_member(store, "notices"):
        if not reads_only or notice != store_member(store, "older"):
            click.echo(f"Note: {printable(notice)}", err=True)
    return store


def open_to_read(address: str | None, name: str, source: str | None = None) -> Session:
    """Open a session from a store that is only read; refuse one that may be incomplete."""
    store = open_existing(address, name, reads_only=True)
    session = open_session(store, name, source)
    problem = store_member(store, "problem") or store_member(store, "older")
    if problem:
        raise click.ClickException(printable(problem))
    return session


def check_there(stores: Sequence[Store], name: str) -> None:
    """Refuse a name that no store has; suggest the closest names."""
    names = [each for store in stores for each in store.names()]
    if name in names:
        return
    folded = {each.casefold(): each for each in names}
    close = [folded[each] for each in get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)]
    where = " or ".join(printable(store_member(store, "place") or repr(store)) for store in stores)
    if close:
        hint = f"Did you mean {' or '.join(repr(printable(each)) for each in close)}?"
    elif names:
        hint = f"There: {listed([repr(printable(each)) for each in names], 8)}."
    else:
        hint = f"It holds no session yet. {BEGIN_HELP}."
    raise click.ClickException(f"There is no session {printable(name)!r} {where}. {hint}")


def open_session(store: Store, name: str, source: str | None = None, *, writes: bool = False) -> Session:
    """Open a session of a store, with its pool."""
    check_there([store], name)
    details = store_member(store, "details")(name)
    where = _source_of_path(source) if source is not None else details.get("source")
    if where is None and (demo := demo_of(store, name, {})):
        where = {"demo": demo}
    if where is None:
        raise click.ClickException(
            f"The session {printable(name)!r} was begun in a notebook, so it is not known where its pool "
            f"is. If its file is there, {FROM_HELP}."
        )
    used = store if writes else ReadOnlyLog.of(store, name)
    try:
        return _opener(where)(used, name, where, details)
    except SessionMismatchError as error:
        raise click.ClickException(_changed(name, where, error)) from error
    except FileNotFoundError as error:
        raise click.ClickException(
            f"The pool of the session {printable(name)!r} was read from {printable(error.filename)}, which "
            f"is gone. If it was moved, {FROM_HELP}."
        ) from error
    except (ValueError, TypeError, OSError, UserCodeError) as error:
        raise click.ClickException(printable_lines(error)) from error


def _opener(source: Source) -> Callable[[Store, str, Source, Source], Session]:
    return next(open_it for kind, open_it in _SOURCES.items() if kind in source)


def _source_of_path(source: str) -> Source:
    """Return the source that `--from` names, by its suffix."""
    path = Path(source).expanduser().absolute()
    if not path.exists():
        raise click.ClickException(f"--from names {printable(path)}, which is not there.")
    if path.suffix.lower() in SUFFIXES:
        return {"python": str(path)}
    if path.suffix.lower() == ".json":
        with suppress(ValueError, OSError):
            read_session_file(path)
            return {"export": str(path)}
    try:
        return {"settings": EvaluationSettings.of(path).to_dict()}
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(f"{printable(error)}") from error


def pool_named(source: str) -> Pool:
    """Return the pool of a file of predictions, a folder of them, or an evaluation.toml."""
    given = _source_of_path(source)
    if "settings" not in given:
        raise click.ClickException(
            f"--from names {printable(source)}, expected a file of predictions, a folder of them, or an "
            "evaluation.toml."
        )
    return EvaluationSettings.from_dict(given["settings"]).make_pool()


def _of_export(store: Store, name: str, source: Source, details: Source) -> Session:
    file = read_session_file(source["export"])
    settings = {key: file.document["settings"][key] for key in ("budget", "defensive")}
    return _begun(store, name, file.pool, details, q=file.q, **settings)


def _of_settings(store: Store, name: str, source: Source, details: Source) -> Session:
    settings = EvaluationSettings.from_dict(source["settings"])
    if not settings.file.exists():
        raise FileNotFoundError(2, "gone", str(settings.file))
    options = {"budget": settings.budget, "goal": settings.goal}
    return _begun(store, name, settings.make_pool(), details, **options)


def _of_demo(store: Store, name: str, source: Source, details: Source) -> Session:
    from activeeval_widgets.app.pages.demo import load

    demo: Demo = load(source["demo"])
    return _begun(store, name, demo.pool, details, budget=demo.budget, goal=demo.goal)


def _of_python(store: Store, name: str, source: Source, details: Source) -> Session:
    from activeeval_widgets.app.pages.python_file import session_of

    begun = session_of(source["python"], source.get("folder"))
    q = begun.q if begun.draws.is_replaced and begun.draws.defensive is None else None
    return _begun(store, name, begun.pool, details, measure=begun.measure, q=q, budget=begun.budget)


_SOURCES: dict[str, Callable[[Store, str, Source, Source], Session]] = {
    "settings": _of_settings,
    "demo": _of_demo,
    "export": _of_export,
    "python": _of_python,
}
"""The functions that open a session, by the kind of its source."""


def _begun(store: Store, name: str, pool: Pool, details: Source, **options: Any) -> Session:
    if details.get("budget") is not None:
        options["budget"] = details["budget"]
    return open_as_begun(store, name, pool, **options)


def _changed(name: str, source: Source, error: SessionMismatchError) -> str:
    text = str(error)
    differing = [each for each in _OF_THE_POOL if re.search(rf"\b{each} \(", text)]
    file = source.get("export") or source.get("settings", {}).get("file") or source.get("python")
    where = printable(file or f"the demo {source['demo']!r}")
    if not differing:
        return f"{text}."
    return (
        f"The session {printable(name)!r} was begun with other {' and '.join(differing)} than {where} holds "
        "now: the file has changed, it is another file, or other columns are named. Put it back as it was, "
        "or name the right one (or the evaluation.toml that names its columns) with --from. Labels and log "
        "are as they were."
    )
