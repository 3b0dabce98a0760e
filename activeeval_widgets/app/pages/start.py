"""The start page, and the pages of evaluations opened from it."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from activeeval_widgets.app.guests import guests_of_page
from activeeval_widgets.app.pages import Page, Query, Spec, demo, evaluation, page_of
from activeeval_widgets.session import Session, Store, open_store
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.widgets.start import StartPage
from activeeval_widgets.widgets.start.evaluations import demo_of, store_of

if TYPE_CHECKING:
    from ipywidgets import DOMWidget

DEMO_CARDS = {
    "digits": ("Digits", "error rate of a classifier"),
    "text": ("Reviews", "F₁ of a rare class"),
    "ranking": ("Two searches", "which one is better? blind"),
    "images": ("Photos", "ten classes of products"),
    "regression": ("Ratings", "squared error of numbers"),
    "compare": ("Two classifiers", "which one is better?"),
    "leaderboard": ("Five classifiers", "which one is the best?"),
    "judge": ("A judge", "is GPT-4 right?"),
}
"""The demos' cards: making a demo to ask it for its title would take seconds."""


def prepare(spec: Spec) -> None:
    """Do nothing: the slow imports come with this module."""


def build(spec: Spec, query: Query) -> "DOMWidget":
    """Make the page of the evaluation that the query names, or the start page."""
    stores = [open_store(address) for address in (spec["store"], *spec.get("other_stores", ()))]
    name = query["session"]
    if name is not None:
        page, of_session = _page(spec, stores, name)
        return page.build(of_session, query)
    folder = Path(spec["folder"])
    return StartPage(
        stores[0],
        folder,
        _opener(spec, stores),
        other_stores=stores[1:],
        demos=[{"name": name, "title": title, "text": text} for name, (title, text) in DEMO_CARDS.items()],
        upload_folder=Path(spec.get("upload_folder", folder)),
        notices=spec.get("notices", ()),
        who=query["who"],
        guests=guests_of_page(),
    )


def _page(spec: Spec, stores: Sequence[Store], name: str) -> tuple[Page, dict[str, Any]]:
    """Return the page of an evaluation, with its spec."""
    store = store_of(stores, name)
    addresses = (spec["store"], *spec.get("other_stores", ()))
    source = _source(store, name)
    if name not in store.names() and "settings" in source:  # a further session, beside the first
        store = store_of(stores, source["settings"].get("name", name))
    of_session = {"store": addresses[stores.index(store)], "start_page": True, **source}
    return page_of(of_session), of_session


def _source(store: Store, name: str) -> dict[str, Any]:
    """Return an evaluation's source, from the spec of its page."""
    source = store_member(store, "details")(name).get("source") or {}
    if not source and (first := re.fullmatch(r"(.+)-\d+", name)):  # a further session of the same evaluation
        source = store_member(store, "details")(first[1]).get("source") or {}
    of_demo = demo_of(store, name, source)
    if of_demo:
        return {"kind": "demo", "demo": of_demo}
    if "settings" in source:
        return {"kind": "evaluation", "settings": source["settings"]}
    if "export" in source:
        return {"kind": "exported", "export": source["export"]}
    if "python" in source:
        folder = source.get("folder") or str(Path(source["python"]).parent)
        return {"kind": "python", "file": source["python"], "folder": folder}
    if name in store.names():
        raise ValueError(f"The evaluation {name!r} was begun in Python: open it there.")
    raise ValueError(f"There is no evaluation {name!r}.")


def _opener(spec: Spec, stores: Sequence[Store]) -> Callable[[str], Session]:
    """Return a function that opens an evaluation for its report, as its page would."""

    def open_session(name: str) -> Session:
        store = store_of(stores, name)
        page, of_session = _page(spec, stores, name)
        if of_session["kind"] == "demo":
            return demo.begin(of_session["demo"], store, name)
        if of_session["kind"] == "evaluation":
            return evaluation.begin(evaluation.settings_of(of_session).with_(name=name), store)
        app: Any = page.build(of_session, {"session": name, "who": None})
        session: Session = app.session
        app.close()
        return session

    return open_session
