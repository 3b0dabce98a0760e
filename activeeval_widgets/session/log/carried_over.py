"""Labels that are carried over from an earlier session about the same question."""

from typing import Any, Protocol

from activeeval_widgets.session.log.events import Changed, Labeled
from activeeval_widgets.session.log.session_log import SessionLog
from activeeval_widgets.session.log.state import CarriedLabel
from activeeval_widgets.session.pool.content import labels_by_content
from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool


class EarlierSession(Protocol):
    """What labels are carried over from: a `Session`."""

    name: str
    seed: int
    pool: Pool
    log: SessionLog
    draws: Any
    findings: Any
    storage: Any


def carried_over(after: EarlierSession, own_name: str, pool: Pool, labels: Labels) -> dict[str, Any]:
    """Return an event's fields about an earlier session's last labels; grades are given as `judged`."""
    if pool.is_streamed or pool.known is not None:
        why = "labels are given, too" if pool.known is not None else "these instances are streamed"
        raise ValueError(f"after can't be used where {why}: leave one of them out")
    name, given = after.name, dict(after.log.state.carried)
    for action in after.log.actions:
        # What was carried over to there is in it already.
        if isinstance(action, Changed) or (isinstance(action, Labeled) and action.from_session is None):
            given[action.instance] = CarriedLabel(action.value, name, action.who)
    found = {} if labels.kind == "grades" else labels_by_content(after.pool, given, pool)
    for index, label in found.items():
        try:
            labels.check(label.value, index)
        except (ValueError, TypeError) as error:
            raise type(error)(f"after {name!r}, id {pool.ids[index]!r}: {error}") from error
    return {
        "session": name,
        "instances": [*found],
        "values": [label.value for label in found.values()],
        "sessions": [label.session for label in found.values()],
        "raters": [label.rater for label in found.values()],
        "n_before": after.log.state.n_before + 1,
        "stream": stream_of(own_name, pool),
    }


def stream_of(own_name: str, pool: Pool) -> int:
    """Return the part of the seed by which two sessions after the same one differ."""
    return int(digest_of_parts("stream", [as_json(own_name, pool.fingerprints)])[:8], 16)
