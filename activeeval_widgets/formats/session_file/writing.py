"""Write a session to a JSON file."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from activeeval_widgets._version import __version__
from activeeval_widgets.formats.json_text import to_text
from activeeval_widgets.formats.session_file.summary import labels_of_session, summary_of
from activeeval_widgets.session import Session
from activeeval_widgets.session.log.events import Drawn, to_record
from activeeval_widgets.session.pool.drawn_rows import rows_to_dict
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.session.pool.known_labels import KnownLabels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.report.session_hash import (
    beginning_hash,
    event_hashes,
    parts_of,
    settings_of,
)
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.predictions.from_dict import plain_item

FORMAT = "activeeval-widgets session"
VERSION = 1
"""The version of the schema in `docs/how-to/sessions.md`."""


def write_session(session: Session, path: str | Path, *, with_contents: bool = False) -> Path:
    """Write a whole session to a JSON file, from which every number can be recomputed.

    It holds predictions, ids, costs, settings and the log, each event with a hash over all before it, and the
    estimate, the interval and the weights that follow. Contents are left out unless asked for. For a streamed
    pool it holds the rows that instances share, and the predictions for drawn instances.

    Parameters
    ----------
    session : Session
        The session.
    path : str or path-like
        The file; an existing one is replaced at once when the new one is complete.
    with_contents : bool
        Whether the texts, records or images are written, too.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    TypeError
        If ids of items are neither strings nor numbers, or contents can't be written.
    OSError
        If the file can't be written.

    See Also
    --------
    read_session_file : Reads it, and opens the session again.
    verify : Recomputes every number in it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.formats import read_session_file, write_session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), ErrorRate())
    >>> labeled = session.label(1)
    >>> with TemporaryDirectory() as folder:
    ...     path = write_session(session, f"{folder}/session.json")
    ...     read_session_file(path).open().n_labels
    1
    """
    target = Path(path)
    text = to_text(document_of(session, with_contents=with_contents))
    # An existing file stays until the new one is complete.
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return target


def document_of(session: Session, *, with_contents: bool = False) -> dict[str, Any]:
    """Return the file's contents; see `write_session`."""
    if session.pool.is_streamed and with_contents:
        raise ValueError(
            "the contents of a data set that is not in memory can't be written to one file: leave "
            "with_contents (--with-contents) out, and keep the data set"
        )
    with session.lock:
        summary = summary_of(session.findings)
        drawn = drawn_instances(session) if session.pool.is_streamed else None
        records = [to_record(event) for event in session.log]
        parts = parts_of(session.findings)
        hashes = event_hashes(beginning_hash(parts), records)
        settings = settings_of(session.findings)
        details = store_member(session.store, "details")(session.name)
        return {
            "format": FORMAT,
            "version": VERSION,
            "made_by": f"activeeval-widgets {__version__}",
            "name": session.name,
            "title": details.get("title"),
            "question": details.get("question"),
            "sha256": hashes[-1],
            "summary": summary,
            "identity": session.storage.identity,
            "settings": {
                **settings,
                "q": None if settings["q"] is None else session.q.tolist(),
                "budget": session.budget,
            },
            "digests": {name: part for name, part in parts.items() if name != "settings"},
            "begun": hashes[0],
            "log": [{**record, "hash": after} for record, after in zip(records, hashes[1:], strict=True)],
            "labels": labels_of_session(session.findings),
            "pool": (
                _pool(session.pool, with_contents=with_contents)
                if drawn is None
                else _streamed(session.pool, session.measure, drawn)
            ),
            "predictions": [
                (model if drawn is None else model.part(np.array(drawn, dtype=np.intp))).to_dict()
                for model in session.pool.models
            ],
        }


def drawn_instances(session: Session) -> list[int]:
    """Return all drawn instances, shown or not, in draw order."""
    return [index for event in session.log if isinstance(event, Drawn) for index in event.instances]


def _pool(pool: Pool, *, with_contents: bool) -> dict[str, Any]:
    kind, noun = KINDS[pool.kind].called(pool.instances)
    return {
        "n_instances": pool.n_instances,
        "kind": kind,
        "noun": noun,
        "ids": list(pool.ids),
        "costs": None if pool.costs is None else pool.costs.tolist(),
        "groups": None if pool.groups is None else list(pool.groups),
        "items": pool_items(pool),
        **({} if pool.known is None else {"known": _known(pool.known)}),
        "contents": KINDS[pool.kind].to_json(pool.instances) if with_contents else None,
    }


def _known(known: KnownLabels) -> dict[str, Any]:
    """Return the labels that existed before the session, by index, and how they were drawn."""
    drawn = known.drawn if known.probabilities is None else known.probabilities.tolist()
    return {"drawn": drawn, "instances": [*known.values], "labels": [*known.values.values()]}


def _streamed(pool: Pool, measure: Measure, drawn: list[int]) -> dict[str, Any]:
    """Return the rows that a streamed pool's instances share, and the drawn instances."""
    kind, noun = KINDS[pool.kind].called(pool.instances)
    pool.fetch(drawn)
    return {
        "n_instances": pool.n_instances,
        "kind": kind,
        "noun": noun,
        "ids": [pool.ids[index] for index in drawn],
        "costs": None if pool.costs is None else pool.costs[drawn].tolist(),
        "groups": None,
        "items": None,
        "contents": None,
        "streamed": rows_to_dict(pool.shared_rows(measure.positive), drawn),
    }


def pool_items(pool: Pool) -> list[list[Any]] | None:
    """Return the items to grade of each instance; None if instances are labeled as a whole."""
    if pool.models[0].label_kind != "grades":
        return None
    return [[plain_item(item) for item in pool.items(i)] for i in range(pool.n_instances)]
