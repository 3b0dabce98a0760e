"""The state that a session's log leads to: answers, deferred instances, notes and flags."""

import sys
from bisect import bisect_left, insort
from typing import Any, Final, NamedTuple

import numpy as np

from activeeval_widgets.session.log.events import (
    Action,
    Answer,
    AnyEvent,
    AskedAgain,
    BudgetLifted,
    CarriedOver,
    Changed,
    Deferred,
    Drawn,
    Excluded,
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
from activeeval_widgets.session.log.people import BEFORE, LEASE_SECONDS, Assignment, People

UNANSWERED, LABELED, EXCLUDED = range(3)

NO_DRAW: Final = sys.maxsize
"""Stands for the first draw that a revision affects if it affects none."""


class DeferredDraw(NamedTuple):
    """A deferred draw, with the numbers of all answers and of the person's own answers at that time."""

    draw: int
    q: float
    n_answers: int
    seq: int
    who: str | None = None
    n_own: int = 0
    is_marked: bool = False


class DeclaredMargin(NamedTuple):
    """A declared margin: the difference of two models that is too small to matter.

    Attributes
    ----------
    value : float or None
        In the measure's unit; None if every difference matters.
    n_labels : int
        The number of labels at that time.
    time : str
        ISO 8601, UTC.
    who : str or None
        Who declared it.

    See Also
    --------
    Revisions.declare_margin : Declares a margin.

    Examples
    --------
    >>> DeclaredMargin(0.01, 40, "2026-01-01T00:00:00+00:00").n_labels
    40
    """

    value: float | None
    n_labels: int
    time: str
    who: str | None = None


class CarriedLabel(NamedTuple):
    """A label of an earlier session: its value, the session in which it was given, and by whom."""

    value: Any
    session: str
    rater: str | None


class EarlierInterval(NamedTuple):
    """An earlier session: its name, estimate (None if undefined), interval and number of labels."""

    session: str
    value: float | None
    low: float
    high: float
    n_labels: int


class WentOn(NamedTuple):
    """An earlier session whose draws a session goes on with: its name, and its labels at that time."""

    session: str
    n_labels: int


class SinceGuidelines:
    """The labels from before the present guidelines, and those of them that are asked again."""

    def __init__(self, event: GuidelinesSet, earlier: dict[int, str | None]) -> None:
        self.text = event.text
        self.earlier = earlier  # the rater of each label, by instance
        self.again: dict[int, bool | None] = dict.fromkeys(event.instances)
        self.deferred_at: dict[int, int] = {}  # the number of the event that put one off

    def is_due(self, instance: int, who: str | None) -> bool:
        """Return whether a label is to be asked again; where raters have names, of its own rater."""
        is_open = self.again.get(instance, True) is None
        return is_open and (who is None or self.earlier[instance] == who)

    def due(self, who: str | None) -> list[int]:
        """Return the labels to ask a rater again, those put off last."""
        found = [instance for instance in self.again if self.is_due(instance, who)]
        return sorted(found, key=lambda instance: self.deferred_at.get(instance, 0))

    def n_given(self, who: str | None) -> int:
        """Return how many labels a rater was asked again and has given."""
        return sum(
            is_other is not None and who in (None, self.earlier[instance])
            for instance, is_other in self.again.items()
        )

    def forget(self, instance: int) -> None:
        """Leave out a label that was undone."""
        self.earlier.pop(instance, None)
        self.again.pop(instance, None)


class Revision(NamedTuple):
    """The change of answers from a draw on, by an action or its undoing."""

    draw: int
    instance: int
    is_exclusion: bool


class State:
    """The state of a session. The time to apply an event does not grow with the log."""

    def __init__(self, n_instances: int) -> None:
        self.log: list[AnyEvent] = []
        self.actions: list[Action] = []  # that were not undone
        self.answers: dict[int, Answer] = {}  # labels and exclusions, by instance
        self.labels: dict[int, Any] = {}  # by instance, changes included
        self.deferred: dict[int, DeferredDraw] = {}  # by instance, in the order of their deferrals
        self.status = np.zeros(n_instances, dtype=np.int8)  # `UNANSWERED`, `LABELED` or `EXCLUDED`
        self.notes: dict[int, str] = {}
        self.flags: set[int] = set()
        self.revisions: list[Revision] = []  # caches of what follows from answers hold until the next
        self.margins: list[DeclaredMargin] = []  # the last one counts
        self.after: str | None = None  # the session whose labels were carried over
        self.carried: dict[int, CarriedLabel] = {}
        self.n_before = self.stream = 0  # sessions before; what differs in the seeds of two that follow one
        self.went_on: list[WentOn] = []  # sessions whose draws go on, as only votes have changed
        self.course: list[EarlierInterval] = []  # the earlier sessions of the course
        self.guidelines: SinceGuidelines | None = None
        self.last_draw = 0  # with an answer of a person
        self.people = People()
        self.assignments = self.people.assignments
        # For each action, what it replaced: a label, or a deferral and a lease.
        self._replaced: list[Any] = []
        self._seconds: tuple[list[float], list[float]] = [], []  # sorted; one by one, and on sheets

    @property
    def n_revisions(self) -> int:
        """The number of revisions."""
        return len(self.revisions)

    @property
    def n_known_before(self) -> int:
        """The number of labels that were known before the session."""
        return self.people.n_answers.get(BEFORE, 0)

    def undoable_action(self, who: str | None) -> Action | GaveOpinion | None:
        """Return the event that a person would undo next; None if there is none."""
        own = self.people.undoable.get(who)
        if not own:
            return None
        position = self._position(own[-1])
        if position is not None:
            return self.actions[position]
        return next(event for event in reversed(self.people.opinion_events) if event.seq == own[-1])

    def overruled(self, action: Action | GaveOpinion) -> Action | None:
        """Return the later action on the same instance that prevents an undo; None if there is none."""
        position = self._position(action.seq)
        if position is None:
            return None
        later = self.actions[position + 1 :]
        return next((each for each in later if each.instance == action.instance), None)

    def _position(self, seq: int) -> int | None:
        """Return the position of an action among those that were not undone."""
        if self.actions and self.actions[-1].seq == seq:
            return len(self.actions) - 1
        position = bisect_left(self.actions, seq, key=lambda action: action.seq)
        is_there = position < len(self.actions) and self.actions[position].seq == seq
        return position if is_there else None

    def first_changed(self, since: int) -> int:
        """Return the number of the first draw with a changed answer since a revision; `NO_DRAW` if none."""
        return min((revision.draw for revision in self.revisions[since:]), default=NO_DRAW)

    def generator(self, *seed: int) -> np.random.Generator:
        """Return the generator of draws for a seed; earlier and sibling sessions have others."""
        # If they drew alike, found errors that were repaired would be all that is seen again.
        own = [self.n_before, self.stream] if self.after is not None else []
        return np.random.Generator(np.random.PCG64([*seed, *own]))

    def apply(self, event: AnyEvent) -> None:
        """Apply an event, which has to be possible after the earlier ones."""
        self.log.append(event)
        self.people.record_presence(event)
        match event:
            case Noted(instance=instance, text=text):
                self.notes.pop(instance, None)
                if text:
                    self.notes[instance] = text
            case Flagged(instance=instance, flagged=flagged):
                (self.flags.add if flagged else self.flags.discard)(instance)
            case Drawn() | BudgetLifted():
                pass
            case CarriedOver():
                labels = map(CarriedLabel, event.values, event.sessions, event.raters)
                self.after, self.n_before, self.stream = event.session, event.n_before, event.stream
                self.carried = dict(zip(event.instances, labels, strict=True))
                self.course = [EarlierInterval(*each) for each in event.course]
            case VotesChanged():
                self.after, self.stream = event.session, event.stream
                self.went_on.append(WentOn(event.session, len(self.labels)))
            case GuidelinesSet():
                # The first ones are taken to be those of the labels before.
                earlier = {} if self.guidelines is None else self.raters()
                self.guidelines = SinceGuidelines(event, earlier)
            case MarginSet(margin=margin, time=time, who=who):
                self.margins.append(DeclaredMargin(margin, len(self.labels), time, who))
            case HandedOut():
                self._keep_first(event.to)
                self.people.apply_handout(event)
            case GaveOpinion():
                self.people.add_opinion(event)
            case Undone(who=who):
                self._take_back(who)
            case Deferred(instance=instance, who=str(who), seq=seq) if self._is_opinion(instance, who):
                self.people.deferred_at(instance, who, seq)
            case Deferred(instance=instance, seq=seq) if instance in self.answers and self.guidelines:
                self.guidelines.deferred_at[instance] = seq
            case _:
                self.revisions.append(self._revision(event))
                self._act(event)

    def raters(self) -> dict[int, str | None]:
        """Return the rater of each label that was given in the session."""
        given = self.answers.items()
        return {index: each.who for index, each in given if isinstance(each, Labeled) and each.who != BEFORE}

    def is_due_again(self, instance: int, who: str | None) -> bool:
        """Return whether a rater is asked for a label again, as the guidelines have changed."""
        return self.guidelines is not None and self.guidelines.is_due(instance, who)

    def leased_to(self, who: str) -> list[Assignment]:
        """Return the draws leased to a person that they did not defer, in the order of questions."""
        deferred = {index for index, put_aside in self.deferred.items() if put_aside.who == who}
        found: dict[int, Assignment] = {}
        for each in self.people.leased_to(who):
            if each.instance not in deferred:
                found.setdefault(each.instance, each)
        return list(found.values())

    def sheet_of(self, action: Action | GaveOpinion | None) -> int:
        """Return the number of the sheet on which an action answered a draw; 0 if on none."""
        position = None if action is None or isinstance(action, Changed) else self._position(action.seq)
        if position is None:
            return 0
        return _sheet_in(self._replaced[position])

    def label_seconds(self) -> tuple[list[float], list[float]]:
        """Return the measured seconds of labels, sorted: of those one by one, and of those on sheets."""
        return self._seconds

    def _keep_first(self, who: str | None) -> None:
        """Keep what a person may be looking at ahead of further leases."""
        if who is not None and (ahead := self.leased_to(who)):
            self.people.first[who] = ahead[0].instance

    def _is_opinion(self, instance: int, who: str) -> bool:
        """Return whether a person owes an opinion on an instance rather than its label."""
        assignment = self.assignments.get(instance)
        is_label = assignment is not None and assignment.to == who
        return not is_label and self.people.is_opinion_due(instance, who)

    def _revision(self, action: Action) -> Revision:
        """Return the change of answers by an action or its undoing."""
        match action:
            case Deferred():
                return Revision(NO_DRAW, action.instance, is_exclusion=False)
            case Changed():
                return Revision(self.answers[action.instance].draw, action.instance, is_exclusion=False)
        return Revision(action.draw, action.instance, isinstance(action, Excluded))

    def _act(self, action: Action) -> None:
        index = action.instance
        self.actions.append(action)
        self.people.act(action)
        if isinstance(action, Changed):
            self._replaced.append(self.labels[index])
            if isinstance(action, AskedAgain) and self.guidelines is not None:
                self.guidelines.again[index] = self.labels[index] != action.value
            self.labels[index] = action.value
            return
        assignment = self.assignments.pop(index, None)
        self._replaced.append((self.deferred.pop(index, None), assignment))
        if isinstance(action, Deferred):
            n_own = self.people.n_answers.get(action.who, 0)
            is_marked = assignment is not None and assignment.sheet > 0 and action.on_sheet is None
            self.deferred[index] = DeferredDraw(
                action.draw, action.q, len(self.answers), action.seq, action.who, n_own, is_marked
            )
            return
        self.answers[index] = action
        self.people.answered(action.who, 1)
        self.people.remove_pending(index, action.who)
        self.last_draw = max(self.last_draw, action.draw)
        self.status[index] = EXCLUDED
        if isinstance(action, Labeled):
            self.labels[index] = action.value
            self.status[index] = LABELED
            if action.seconds is not None:
                insort(self._seconds[_sheet_in(self._replaced[-1]) > 0], action.seconds)

    def _take_back(self, who: str | None) -> None:
        """Undo somebody's last action. The order of the dictionaries is part of the state."""
        action = self.undoable_action(who)
        assert action is not None  # noqa: S101 - the event was checked
        self.people.undoable[who].pop()
        if isinstance(action, GaveOpinion):
            self.people.take_back(action)
            return
        self.revisions.append(self._revision(action))
        position = self._position(action.seq)
        assert position is not None  # noqa: S101 - it was not undone
        del self.actions[position]
        replaced = self._replaced.pop(position)
        index = action.instance
        if isinstance(action, Changed):
            self.labels[index] = replaced
            if isinstance(action, AskedAgain) and self.guidelines and index in self.guidelines.again:
                self.guidelines.again[index] = None
            return
        if who is not None:
            self.people.first[who] = index
        put_aside, assignment = replaced
        if isinstance(action, Labeled) and action.seconds is not None:
            known = self._seconds[_sheet_in(replaced) > 0]
            del known[bisect_left(known, action.seconds)]
        if isinstance(action, Deferred):
            del self.deferred[index]
        else:
            del self.answers[index]
            self.people.answered(action.who, -1)
            self.labels.pop(index, None)
            self.status[index] = UNANSWERED
            if self.guidelines is not None:
                self.guidelines.forget(index)
            if action.draw == self.last_draw:
                self.last_draw = max((answer.draw for answer in self.answers.values()), default=0)
        if put_aside is not None:
            self.deferred[index] = put_aside
            self.deferred = dict(sorted(self.deferred.items(), key=lambda each: each[1].seq))
        elif assignment is not None and (
            who is None or assignment.to == who or (assignment.to is None and assignment.sheet > 0)
        ):
            self.assignments[index] = assignment
        elif who is not None:  # lease it again to the same person
            self.assignments[index] = Assignment(action.draw, index, action.q, who, LEASE_SECONDS)


def _sheet_in(replaced: tuple[Any, Any]) -> int:
    """Return the number of the sheet in what an answer replaced; 0 if on none."""
    _, assignment = replaced
    return 0 if assignment is None else int(assignment.sheet)
