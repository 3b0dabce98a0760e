"""A session that goes on with the draws of an earlier one, as only votes have changed."""

from collections.abc import Iterable, Mapping
from typing import Any

from activeeval_widgets.session.log.carried_over import EarlierSession, stream_of
from activeeval_widgets.session.log.events import AnyEvent, VotesChanged
from activeeval_widgets.session.pool.earlier_votes import as_record
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions

_DERIVED = ("bets", "draw_rule", "q")
"""Entries of an identity that depend on others."""


def can_go_on(after: EarlierSession | None, pool: Pool, measure: str) -> bool:
    """Return whether draws count for a new session: on the same instances, its measure is of the labels."""
    if after is not None and not hasattr(after, "log"):
        raise TypeError(f"after must be a Session, got {after!r:.80}")
    if after is None or repr(after.findings.measure) != measure:
        return False
    if after.findings.measure.needs_model:
        return False
    [old], [new] = after.pool.models, pool.models
    if not type(old) is type(new) is ClassPredictions:
        return False
    begun, now = after.storage.identity, pool.fingerprints
    if any(begun.get(name) != now[name] for name in now if name != "predictions"):
        return False
    is_alike = (old.assists, old.mismatch(new)) == (new.assists, None)
    return is_alike and not after.draws.source.is_replaced and not after.draws.source.is_grouped


def settings_of_earlier(after: Any, pool: Pool, measure: str) -> dict[str, str]:
    """Return the settings of the earlier session that a new one goes on with; empty if it does not."""
    return dict(after.storage.identity) if after is not None and can_go_on(after, pool, measure) else {}


def check_same(begun: Mapping[str, str], now: Mapping[str, str], after: str) -> None:
    """Reject settings that differ from those of the session that a new one goes on with."""
    differing = {name for name in now.keys() | begun.keys() if begun.get(name) != now.get(name)}
    # What follows from other settings comes last.
    for name in sorted(differing - {"predictions", "seed"}, key=lambda name: (name in _DERIVED, name)):
        raise ValueError(
            f"{name} is {now.get(name)!r}, and it was {begun.get(name)!r} in the session {after!r}, whose "
            "labels go on, as only votes have changed: leave it as it was, or begin without after"
        )


def continued(after: EarlierSession, own_name: str, pool: Pool, stamp: Mapping[str, Any]) -> list[AnyEvent]:
    """Return the events of an earlier session, and one that says that its votes have changed."""
    [model] = after.pool.models
    assert isinstance(model, ClassPredictions)  # noqa: S101 - `can_go_on` has looked
    events: list[AnyEvent] = list(after.log)
    about = {**stamp, "seq": len(events) + 1, "session": after.name, "stream": stream_of(own_name, pool)}
    return [*events, VotesChanged(before=as_record(model), seed=after.seed, **about)]


def earlier_votes(records: Iterable[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
    """Return what was predicted, and the seed of draws, before each change of votes in stored events."""
    found = [each for each in records if each.get("kind") == VotesChanged.kind]
    return [(each.get("before"), each.get("seed")) for each in found]
