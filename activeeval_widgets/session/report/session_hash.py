"""One hash for all that a session is: predictions, ids, costs, settings, and every event in its order.

A report names it, and the exported session has it again: the two are then of the same session, at the same
event. It is the last hash of a chain that begins with what the session was begun with; see
`docs/how-to/sessions.md`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from activeeval_widgets.session.findings.evaluation import Evaluation
from activeeval_widgets.session.log.events import to_record
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats._typing import AnyArray

_CHUNK = 10_000

_digests: WeakKeyDictionary[Pool, dict[str, str]] = WeakKeyDictionary()
"""Digests of pools, which do not change: a large one takes seconds."""


def session_hash(session: Evaluation) -> str:
    """The hash of a session as it is now: SHA-256, in hexadecimal."""
    hashes = event_hashes(beginning_hash(parts_of(session)), map(to_record, session.log))
    return hashes[-1]


def parts_of(session: Evaluation) -> dict[str, Any]:
    """What a session was begun with, for its hash: settings, and digests of what is large."""
    return {"settings": settings_of(session), **pool_digests(session.pool, session.measure.positive)}


def settings_of(session: Evaluation) -> dict[str, Any]:
    """What determines a session besides its pool and its log, as JSON values.

    A q that was given is in it as a digest.
    """
    is_q_given = session.draws.is_replaced and session.draws.defensive is None
    declared = session.deadlines
    return {
        "measure": repr(session.measure),
        "seed": session.seed,
        "protocol": session.draws.protocol,
        "defensive": session.draws.defensive,
        "y_range": None if session.y_range is None else list(session.y_range),
        "q": digest_of_arrays([session.q]) if is_q_given else None,
        # An evaluation alone has one label an instance; only a session asks several people.
        "n_raters": getattr(session, "n_raters", 1),
        "second_opinions": float(getattr(session, "second_opinions", 0.0)),
        "deadlines": None if declared is None else list(declared),
        "for_groups": bool(getattr(session, "for_groups", False)),
    }


def pool_digests(pool: Pool, positive: Any = None) -> dict[str, str]:
    """Digests of a pool's predictions, ids, costs and graded items; of its contents, its own."""
    if pool not in _digests:
        _digests[pool] = {
            "contents": pool.fingerprints["instances"],
            "predictions": (
                pool.fingerprints["predictions"]
                if pool.is_elsewhere
                else "+".join(
                    digest_of_arrays(model.arrays, _names(model.ranked_items)) for model in pool.models
                )
            ),
            "ids": pool.fingerprints["ids"] if pool.is_elsewhere else digest_of_strings(pool.ids),
            "costs": (
                pool.fingerprints["costs"]
                if pool.is_elsewhere
                else "equal"
                if pool.costs is None
                else digest_of_arrays([pool.costs])
            ),
            "items": "none" if pool.models[0].label_kind != "grades" else _digest_of_items(pool),
        }
    return _digests[pool] | ({"rows": _digest_of_rows(pool, positive)} if pool.is_elsewhere else {})


def _digest_of_rows(pool: Pool, positive: Any) -> str:
    rows = pool.shared_rows(positive)
    costs = [] if rows.costs is None else [rows.costs]
    return digest_of_arrays(
        [rows.counts.astype(np.int64), *costs, *(each for model in rows.models for each in model.arrays)]
    )


def beginning_hash(parts: Mapping[str, Any]) -> str:
    """The hash before the first event."""
    return sha256(canonical(parts)).hexdigest()


def event_hashes(begun: str, records: Iterable[Mapping[str, Any]]) -> list[str]:
    """The hash at the beginning, and after each event."""
    hashes = [begun]
    for record in records:
        hashes.append(next_hash(hashes[-1], record))
    return hashes


def next_hash(before: str, record: Mapping[str, Any]) -> str:
    """The hash after an event, given that before it. What is not known of the event (None) is left out."""
    known = {name: value for name, value in record.items() if value is not None}
    return sha256(before.encode() + canonical(known)).hexdigest()


def canonical(value: Any) -> bytes:
    """A JSON value in the one form that is hashed: names sorted, no blanks, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def digest_of_arrays(arrays: Iterable[AnyArray], names: Iterable[Any] = ()) -> str:
    """A digest of arrays' types, shapes and contents, and of what else is said of them."""
    digest = sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data if array.size else b"")
    for each in names:
        digest.update(canonical(each))
    return digest.hexdigest()


def digest_of_strings(strings: Sequence[str]) -> str:
    """A digest of strings in their order."""
    digest = sha256()
    for start in range(0, len(strings), _CHUNK):
        digest.update(canonical(list(strings[start : start + _CHUNK])))
    return digest.hexdigest()


def _names(ranked: Iterable[tuple[Iterable[Any], Iterable[Any]]] | None) -> Iterable[Any]:
    for items, known in ranked or ():
        yield [[str(item) for item in items], [str(item) for item in known]]


def _digest_of_items(pool: Pool) -> str:
    return digest_of_arrays((), ([str(item) for item in pool.items(i)] for i in range(pool.n_instances)))
