"""List sessions in lines of text: all of a store, or one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import Any

import click

from activeeval_widgets.app.printable import printable
from activeeval_widgets.app.stored_sessions.find_session import open_session
from activeeval_widgets.session import Session, Store, StoreError
from activeeval_widgets.session.log.people import BEFORE
from activeeval_widgets.session.report.kept_labels import kept_labels
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.session.report.session_hash import session_hash
from activeeval_widgets.session.report.summary import session_summary
from activeeval_widgets.session.stores.last_seen import n_labels_of
from activeeval_widgets.session.stores.protocol import Record, store_member
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr
from activeeval_widgets.stats.text import cut

_WIDEST = 64
_PATIENCE = 5.0
"""Missing estimates are computed for at most this many seconds; the rest is left for the next time."""
_HEAD = ("NAME", "LABELS", "ESTIMATE", "LAST USED", "TITLE")


def listed(stores: Sequence[Store], *, archived: bool) -> list[str]:
    """Return a heading and a line for each session; name the store if there are several."""
    rows = []
    end = monotonic() + _PATIENCE
    for store in stores:
        place = (printable(store_member(store, "place") or repr(store)).removeprefix("in "),)
        for name in store.names():
            details = store_member(store, "details")(name)
            if details.get("is_archived") and not archived:
                continue
            row = _row(store, name, details, may_compute=monotonic() < end)
            rows.append(row + (place if len(stores) > 1 else ()))
    return aligned([_HEAD + (("STORE",) if len(stores) > 1 else ()), *rows]) if rows else []


def _row(store: Store, name: str, details: dict[str, Any], *, may_compute: bool) -> tuple[str, ...]:
    records, n_labels, summary = read_summary(store, name, details, may_compute=may_compute)
    earlier = summary.get("n_labels")
    after = f"after {earlier:,}" if earlier is not None and earlier < n_labels else ""
    estimate = " ".join(filter(None, [estimate_text(summary), after]))
    estimate = "; ".join(filter(None, [estimate, summary.get("change")]))
    budget = details.get("budget")
    last = records[-1]["time"] if records else details.get("last_used")
    title = details.get("title") or details.get("measure") or _measure_of(store, name)
    return (
        name,
        f"{n_labels:,}" + (f" of {budget:,}" if isinstance(budget, int) else ""),
        estimate or "–",
        _time_text(last),
        title + (" (archived)" if details.get("is_archived") else ""),
    )


def _measure_of(store: Store, name: str) -> str:
    """Return the name of the measure of a session that was begun in Python and has no estimate yet."""
    text = (store.identity(name) or {}).get("measure", "")
    with suppress(ValueError):  # a measure of the user's own stays as it is written
        return measure_from_repr(text).long_name
    return text


def read_summary(
    store: Store, name: str, details: dict[str, Any], *, may_compute: bool = True
) -> tuple[list[Record], int, dict[str, Any]]:
    """Return a session's log, number of labels, and summary, if it can be computed or was computed last."""
    records = store_member(store, "events_since")(name, 0)
    n_labels = n_labels_of(records)
    summary = details.get("summary") or {}
    if may_compute and n_labels and summary.get("n_labels") != n_labels:  # of earlier labels, or none
        summary = _computed(store, name) or summary
    is_known = isinstance(summary.get("n_labels"), int) and 0 < summary["n_labels"] <= n_labels
    return records, n_labels, summary if is_known else {}


def _computed(store: Store, name: str) -> dict[str, Any] | None:
    """Compute and store a session's summary; return None if the session can't be opened."""
    # A session that can't be opened is listed, too: `sessions show` gives the reason.
    with suppress(click.ClickException, StoreError):
        session = open_session(store, name)
        summary = session_summary(session.findings, goal=session.goal, is_done=session.is_done)
        with suppress(StoreError):
            store_member(store, "keep_details")(name, {"summary": summary})
        return summary
    return None


def shown(session: Session, details: dict[str, Any]) -> list[str]:
    """Describe one session in a few lines."""
    watched = session.watched()
    result = result_of(session.findings, watched, goal=session.goal)
    who = dict.fromkeys(event.who for event in session.log if event.who not in (None, BEFORE))
    left_out = [
        f"{n:,} {what}"
        for what, n in (
            ("known before", session.log.state.n_known_before),
            ("excluded", session.log.n_excluded),
            ("put aside", session.log.n_deferred),
        )
        if n
    ]
    labels = f"{session.n_labels:,}" + (f" of {session.budget:,}" if session.budget else "")
    log, kept = session.log.events, kept_labels(session.findings)
    after = f"{session.log.state.after}: {kept}" if kept else None
    rows = [
        ("Session", session.name),
        ("Title", details.get("title")),
        ("Question", details.get("question")),
        ("Measure", session.measure.name),
        ("Pool", f"{session.pool.n_instances:,} {session.pool.noun}"),
        ("Labels", "; ".join([labels, *left_out])),
        ("After", after),
        ("Result", " ".join(filter(None, [result.answer, result.confidence]))),
        ("Draws", f"protocol {session.draws.protocol}, seed {session.seed}"),
        ("By", ", ".join(who)),
        ("Last event", _time_text(log[-1].time) if log else None),
        ("SHA-256", session_hash(session.findings)),
    ]
    return aligned([(f"{name}:", str(value)) for name, value in rows if value], widest=10_000)


def estimate_text(summary: dict[str, Any]) -> str:
    """Return the estimate in a summary with its interval, if there are any."""
    interval = summary.get("interval_text")
    return " ".join(filter(None, [summary.get("value_text"), f"({interval})" if interval else ""]))


def _time_text(time: str | None) -> str:
    if not time:
        return ""
    return f"{datetime.fromisoformat(time).astimezone():%Y-%m-%d %H:%M}"


def aligned(rows: list[tuple[str, ...]], *, widest: int = _WIDEST) -> list[str]:
    """Return rows as lines with aligned columns."""
    cells = [[cut(printable(cell), widest) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
