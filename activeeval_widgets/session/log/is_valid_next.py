"""Checks that a stored event can follow the log before it: the content of a store is not trusted."""

from collections.abc import Sequence
from math import inf, isclose
from typing import Any, Protocol

from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import (
    SHEETS,
    AnyEvent,
    AskedAgain,
    BudgetLifted,
    CarriedOver,
    Changed,
    Deferred,
    Drawn,
    Flagged,
    GaveOpinion,
    GuidelinesSet,
    HandedOut,
    Labeled,
    MarginSet,
    Noted,
    Undone,
    VotesChanged,
)
from activeeval_widgets.session.log.people import seconds_of
from activeeval_widgets.session.log.state import EarlierInterval, State
from activeeval_widgets.session.pool.label_kinds import Labels

_AT_ONCE = 64
"""The maximum distance between the next label and the next opinion in the sequence of leased draws."""


class KnownVotes(Protocol):
    """What was predicted at each draw."""

    @property
    def can_replace(self) -> bool:
        """Whether the next change in the log is one that was foreseen."""


class KnownDraws(Protocol):
    """The known draws, against which a log is checked."""

    @property
    def votes(self) -> KnownVotes:
        """What was predicted at each draw."""

    def find(self, number: int, n_distinct: int, /) -> Draw | None:
        """Return the draw of a number if it is one of the first `n_distinct` that give a new instance."""

    def can_add(self, first: Any, instances: Any, q: Any, least: Any, sheet_cost: Any = None, /) -> bool:
        """Return whether a stored block can follow the draws so far."""


def is_valid_next(
    event: AnyEvent, *, state: State, draws: KnownDraws, ids: Sequence[str], labels: Labels
) -> bool:
    """Return whether an event is possible after the earlier events, for this pool, q and seed."""
    if event.seq != len(state.log) + 1:
        return False
    if isinstance(event, Drawn):
        return draws.can_add(event.first, event.instances, event.q, event.least, event.sheet_cost)
    if isinstance(event, CarriedOver):
        return _can_be_carried_over(event, state, len(ids), labels)
    if isinstance(event, VotesChanged):
        numbers = event.stream, event.seed
        is_sound = isinstance(event.session, str) and all(type(n) is int and n >= 0 for n in numbers)
        return is_sound and draws.votes.can_replace
    if isinstance(event, Undone):
        action = state.undoable_action(event.who)
        is_own = action is not None and action.seq == event.undone_seq
        return is_own and action is not None and state.overruled(action) is None
    if isinstance(event, BudgetLifted):
        return type(event.budget) is int and event.budget >= 1
    if isinstance(event, MarginSet):
        return event.margin is None or is_margin(event.margin)
    if isinstance(event, GuidelinesSet):
        return _can_be_guidelines(event, state)
    if isinstance(event, HandedOut):
        return _can_be_handed_out(event, state, draws)
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
            if isinstance(event, AskedAgain) and not state.is_due_again(index, event.who):
                return False
            return isinstance(answer, Labeled) and answer.seq == seq and labels.is_stored(value, index)
    # Only deferred or leased draws are asked about, or the first that give a new instance. What is held was
    # checked when it was handed out, and answers before it may have been undone since.
    held = state.assignments.get(index) or state.deferred.get(index)
    n_asked = _n_asked(state) + (_AT_ONCE if index in state.people.assignees else 1)
    is_held = held is not None and event.draw == held.draw and is_same_q(event.q, held.q)
    if not is_held and not _is_draw(event.draw, index, event.q, draws, n_asked):
        return False
    if isinstance(event, GaveOpinion):
        is_first = event.who not in state.people.opinions.get(index, {})
        return is_first and (event.value is None or labels.is_stored(event.value, index))
    if index in state.answers:
        is_due = state.people.is_opinion_due(index, event.who) or state.is_due_again(index, event.who)
        return isinstance(event, Deferred) and is_due
    if isinstance(event, Deferred):
        return event.on_sheet is None or labels.is_stored(event.on_sheet, index)
    if not isinstance(event, Labeled):
        return index not in state.carried
    carried = None if event.from_session is None else (event.value, event.from_session, event.rater)
    return labels.is_stored(event.value, index) and carried == state.carried.get(index)


def is_margin(value: Any) -> bool:
    """Return whether a value is a valid margin: a positive finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < inf


def _n_asked(state: State) -> int:
    """Return an upper bound of the number of instances that were asked about."""
    return len(state.answers) + len(state.deferred) + state.people.n_asked


def _is_draw(number: Any, instance: int, q: Any, draws: KnownDraws, n_asked: int) -> bool:
    """Return whether a draw is one of the first that give a new instance."""
    found = draws.find(number, n_asked) if type(number) is int else None
    return found is not None and found.instance == instance and is_same_q(q, found.q)


def _can_be_carried_over(event: CarriedOver, state: State, n_instances: int, labels: Labels) -> bool:
    lists = event.instances, event.values, event.sessions, event.raters
    if state.log or not all(isinstance(each, list) for each in lists) or len(set(map(len, lists))) != 1:
        return False
    return (
        all(isinstance(each, str) for each in (event.session, *event.sessions))
        and all(isinstance(each, str | None) for each in event.raters)
        and all(type(index) is int and 0 <= index < n_instances for index in event.instances)
        and len(set(event.instances)) == len(event.instances)
        and all(map(labels.is_stored, event.values, event.instances))
        and type(event.n_before) is int
        and type(event.stream) is int
        and event.stream >= 0
        and isinstance(event.course, list)
        and 0 < event.n_before >= len(event.course)
        and all(map(_is_interval, event.course))
    )


def _can_be_guidelines(event: GuidelinesSet, state: State) -> bool:
    if not isinstance(event.text, str) or not isinstance(event.instances, list):
        return False
    if not all(type(index) is int for index in event.instances):
        return False
    earlier = {} if state.guidelines is None else state.raters()
    return len(set(event.instances)) == len(event.instances) and earlier.keys() >= {*event.instances}


def _is_interval(fields: Any) -> bool:
    if not isinstance(fields, list) or len(fields) != len(EarlierInterval._fields):
        return False
    found = EarlierInterval(*fields)
    numbers = [each for each in (found.low, found.value, found.high) if each is not None]
    return (
        isinstance(found.session, str)
        and all(isinstance(each, int | float) and not isinstance(each, bool) for each in numbers)
        and None not in (found.low, found.high)
        and found.low <= found.high
        and type(found.n_labels) is int
        and found.n_labels >= 0
    )


def _can_be_handed_out(event: HandedOut, state: State, draws: KnownDraws) -> bool:
    lists = event.draws, event.instances, event.q
    if not all(isinstance(each, list) for each in lists) or not 0 < len(event.draws) == len(event.q):
        return False
    if len(event.instances) != len(event.draws) or len(set(event.draws)) != len(event.draws):
        return False
    if event.sheet not in (None, *SHEETS):
        return False
    if not isinstance(event.to, str | None) or (event.until is not None and not seconds_of(event.until)):
        return False
    n_asked = _n_asked(state) + len(event.draws) + _AT_ONCE
    return all(
        _is_draw(number, instance, q, draws, n_asked) and (event.is_opinion or instance not in state.answers)
        for number, instance, q in zip(*lists, strict=True)
    )


def is_same_q(stored: Any, computed: float) -> bool:
    """Return whether a stored probability equals the computed one up to rounding."""
    return isinstance(stored, float | int) and isclose(stored, computed, rel_tol=1e-9)
