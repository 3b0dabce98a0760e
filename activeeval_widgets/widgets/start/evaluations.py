"""The evaluations in a store, as listed on the start page."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from activeeval_widgets.demos.catalog import DEMOS
from activeeval_widgets.session import Store
from activeeval_widgets.session.stores.last_seen import n_labels_of
from activeeval_widgets.session.stores.protocol import keeps_details, store_member


def demo_of(store: Store, name: str, source: Mapping[str, Any]) -> str | None:
    """Return the demo of a session: by its source or, if that was never stored, by its name."""
    if source:
        return source.get("demo")
    demo = demo_named(name)
    # A demo's session has its source from the beginning: another one is somebody's own.
    is_own = demo is not None and keeps_details(store) and name in store.names()
    return None if is_own else demo


def demo_named(name: str) -> str | None:
    """Return the demo that a session is named after, such as "digits" or "digits-2"."""
    stem, _, number = name.partition("-")
    return stem if stem in DEMOS and (not number or number.isdecimal()) else None


def store_of(stores: Sequence[Store], name: str) -> Store:
    """Return the first of several stores that has a session, or the first store if none has it."""
    return next((store for store in stores if name in store.names()), stores[0])


def hidden_names(stores: Sequence[Store]) -> list[str]:
    """Return the names that occur in several stores; an address refers to the first of these."""
    names = [name for store in stores for name in store.names()]
    return sorted({name for name in names if names.count(name) > 1})


def evaluation_list(stores: Sequence[Store], *, shows_archived: bool = False) -> dict[str, Any]:
    """Return the evaluations in several stores, the most recently used first.

    The list is read from the sessions' details only. If these are missing or older than the log, the labels
    in the log are counted.
    """
    known: dict[str, tuple[Store, dict[str, Any]]] = {}
    for store in stores:
        for name, details in reversed(store_member(store, "all_details")().items()):
            known.setdefault(name, (store, details))
    n_archived = sum(details.get("is_archived") is True for _, details in known.values())
    rows = [
        _row(store, name, details)
        for name, (store, details) in known.items()
        if shows_archived or details.get("is_archived") is not True
    ]
    rows.sort(
        key=lambda row: row["last_used"], reverse=True
    )  # the sort is stable, so that otherwise the latest started come first
    return {"rows": rows, "n_archived": n_archived}


def _row(store: Store, name: str, details: Mapping[str, Any]) -> dict[str, Any]:
    summary = details.get("summary") or {}
    budget = details.get("budget")
    return {
        "session": name,
        "title": str(details.get("title") or name),
        "question": str(details.get("measure") or "").partition(" · ")[0],
        "n_labels": _n_labels(store, name, summary),
        "budget": None if budget is None else int(budget),
        "value": str(summary.get("value_text") or ""),
        "interval": "; ".join(str(summary[key]) for key in ("interval_text", "change") if summary.get(key)),
        "last_used": str(details.get("last_used") or ""),
        "who": ", ".join(map(str, details.get("who") or ())),
        "is_done": summary.get("is_done") is True,
        "is_archived": details.get("is_archived") is True,
        "missing": missing(store, name, details.get("source") or {}),
    }


def _n_labels(store: Store, name: str, summary: Mapping[str, Any]) -> int:
    n_labels, n_events = summary.get("n_labels"), summary.get("n_events")
    events_since = store_member(store, "events_since")
    if n_labels is None or (n_events is not None and events_since(name, n_events)):
        return n_labels_of(events_since(name, 0))
    return int(n_labels)


def missing(store: Store, name: str, source: Mapping[str, Any]) -> str:
    """Return why an evaluation can't be opened from the start page; "" if it can."""
    if demo_of(store, name, source):
        return ""
    if not source:
        return "begun in Python: open it there"
    path = source.get("export") or source.get("python") or (source.get("settings") or {}).get("file")
    if path is None:
        return "its file is not known"
    return "" if Path(path).exists() else f"{Path(path).name} is no longer in {Path(path).parent}"
