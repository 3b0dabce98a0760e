"""A hash of a whole session: predictions, ids, costs, settings, and all events in order.

Reports and exported sessions state it, so that they can be matched. It is the last hash of a chain that
begins with the session's pool and settings; see
`docs/how-to/sessions.md`.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.log.events import to_record
from activeeval_widgets.session.pool.fingerprints import fingerprint
from activeeval_widgets.session.pool.pool import Pool


def session_hash(session: Findings) -> str:
    """Return the present hash of a session: SHA-256 in hexadecimal."""
    hashes = event_hashes(beginning_hash(parts_of(session)), map(to_record, session.log))
    return hashes[-1]


def parts_of(session: Findings) -> dict[str, Any]:
    """Return the settings of a session and the digests of its pool, for its hash."""
    return {"settings": settings_of(session), **pool_digests(session.pool, session.measure.positive)}


def settings_of(session: Findings) -> dict[str, Any]:
    """Return the settings that determine a session besides pool and log; a given q is a digest."""
    is_q_given = session.draws.is_replaced and session.draws.defensive is None
    declared = session.deadlines
    return {
        "measure": repr(session.measure),
        "seed": session.seed,
        "protocol": session.draws.protocol,
        "defensive": session.draws.defensive,
        "y_range": None if session.y_range is None else list(session.y_range),
        "confidence_level": session.confidence_level,
        "q": fingerprint(session.q) if is_q_given else None,
        "n_raters": session.design.n_raters,
        "second_opinions": float(session.design.second_opinions),
        "deadlines": None if declared is None else list(declared),
        "for_groups": session.design.for_groups,
    }


def pool_digests(pool: Pool, positive: Any = None) -> dict[str, str]:
    """Return digests of a pool's content; for a streamed pool, also of its rows."""
    own = pool.fingerprints
    of_what = ("predictions", "ids", "costs", "items")
    found = {"contents": own["instances"], **{name: own.get(name, "none") for name in of_what}}
    found |= {"labels": own["labels"]} if pool.known is not None else {}
    return found | ({"rows": _digest_of_rows(pool, positive)} if pool.is_streamed else {})


def _digest_of_rows(pool: Pool, positive: Any) -> str:
    rows = pool.shared_rows(positive)
    costs = [] if rows.costs is None else [rows.costs]
    return fingerprint(
        rows.counts.astype(np.int64), *costs, *(each for model in rows.models for each in model.arrays)
    )


def beginning_hash(parts: Mapping[str, Any]) -> str:
    """Return the hash before the first event."""
    return sha256(canonical(parts)).hexdigest()


def event_hashes(begun: str, records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the hashes at the beginning and after each event."""
    hashes = [begun]
    for record in records:
        hashes.append(next_hash(hashes[-1], record))
    return hashes


def next_hash(before: str, record: Mapping[str, Any]) -> str:
    """Return the hash after an event, given the one before it; fields that are None are left out."""
    known = {name: value for name, value in record.items() if value is not None}
    return sha256(before.encode() + canonical(known)).hexdigest()


def canonical(value: Any) -> bytes:
    """Encode a JSON value canonically: sorted names, no blanks, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")
