"""Whether an event can follow a log: what a store holds is not trusted."""

from collections.abc import Sequence
from math import isclose
from typing import Any, Protocol

from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import (
    AnyEvent,
    Changed,
    Drawn,
    Flagged,
    Labeled,
    Noted,
    Undone,
    WentOn,
)
from activeeval_widgets.session.log.state import State
from activeeval_widgets.session.pool.label_kinds import Labels


class KnownDraws(Protocol):
    """What a log is held against: the draws that are known."""

    def find(self, number: int, n_distinct: int, /) -> Draw | None:
        """The draw of a number, if it is one of the first `n_distinct` that give a new instance."""

    def can_add(self, first: Any, instances: Any, q: Any, least: Any, /) -> bool:
        """Whether a stored block of draws can follow those so far."""


def can_follow(
    event: AnyEvent, *, state: State, draws: KnownDraws, ids: Sequence[str], labels: Labels
) -> bool:
    """Whether this pool, q and seed, and the events before, can have led to an event.

    Parameters
    ----------
    event : event
        The next one of a log.
    state : State
        What the events before say.
    draws : KnownDraws
        The draws that q and seed determine, or those made so far.
    ids : sequence of str
        The pool's ids.
    labels : Labels
        What a label is.
    """
    if event.seq != len(state.log) + 1:
        return False
    if isinstance(event, Drawn):
        return draws.can_add(event.first, event.instances, event.q, event.least)
    if isinstance(event, Undone):
        return bool(state.actions) and state.actions[-1].seq == event.undone_seq
    if isinstance(event, WentOn):
        return type(event.budget) is int and event.budget >= 1
    index = event.instance
    if type(index) is not int or not 0 <= index < len(ids) or ids[index] != event.instance_id:
        return False
    match event:
        case Noted(text=text):
            return isinstance(text, str)
        case Flagged(flagged=flagged):
            return isinstance(flagged, bool)
        case Changed(value=value, changed_seq=seq):
            answer = state.answers.get(index)
            return isinstance(answer, Labeled) and answer.seq == seq and _is_label(labels, value, index)
    # Asked is about what was put aside, or about the first of the draws that give something new.
    n_asked = len(state.answers) + len(state.waiting) + 1
    found = draws.find(event.draw, n_asked) if type(event.draw) is int else None
    if found is None or found.instance != index or not is_same_q(event.q, found.q):
        return False
    if index in state.answers:
        return False
    return not isinstance(event, Labeled) or _is_label(labels, event.value, index)


def is_same_q(stored: Any, computed: float) -> bool:
    """Whether a stored probability is the computed one, but for its last bits."""
    return isinstance(stored, float | int) and isclose(stored, computed, rel_tol=1e-9)


def _is_label(labels: Labels, value: Any, index: int) -> bool:
    try:
        return bool(labels.check(value, index) == value)
    except (ValueError, TypeError):
        return False
