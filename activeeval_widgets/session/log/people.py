"""The people of a log: their leases, their opinions, and when each was last seen."""

from collections import deque
from datetime import datetime
from typing import NamedTuple

from activeeval_widgets.session.log.events import Action, AnyEvent, GaveOpinion, HandedOut

BEFORE = "judged before"
"""The `who` of labels that were known before the session. No rater has this name."""

LEASE_SECONDS = 300.0
"""The default duration of a lease after the rater's last event."""


_PACE_OF = 8
"""The number of latest answers from which a rater's speed is estimated."""


class Assignment(NamedTuple):
    """A draw that was leased or exported.

    Attributes
    ----------
    draw : int
        The number of the draw.
    instance : int
        The index of its instance.
    q : float
        The probability of the draw.
    to : str or None
        The person it is leased to; None if it is exported.
    seconds : float or None
        How long the lease lasts after the person's last event; None: until it is answered.
    deferred_at : int
        The number of the event by which the person deferred this opinion; 0 if none.
    sheet : int
        The number of the event that put the draw on a sheet; 0 if none.
    """

    draw: int
    instance: int
    q: float
    to: str | None
    seconds: float | None
    deferred_at: int = 0
    sheet: int = 0


class People:
    """The people of a log. The time to apply an event does not grow with the log.

    Attributes
    ----------
    assignments : dict of int to Assignment
        By instance, the leased or exported draws whose label is pending.
    opinions_due : dict of int to dict of str to Assignment
        By instance and person, the opinions that are pending.
    opinions : dict of int to dict of (str or None) to GaveOpinion
        By instance and person, the opinions that were not undone.
    opinion_events : list of GaveOpinion
        The opinions that were not undone, oldest first.
    first : dict of str to int
        By person, the instance that stays at the head of their leases: it may be on their screen.
    assignees : dict of int to set of (str or None)
        By instance, everybody it was ever leased to.
    undoable : dict of (str or None) to list of int
        By person, the numbers of the events that they can undo, oldest first.
    n_answers : dict of (str or None) to int
        By person, the number of labels and exclusions that were not undone.
    last_seen : dict of (str or None) to str
        By person, the time of the last event.
    pace : dict of (str or None) to deque of float
        By person, the seconds of the latest answers.
    """

    def __init__(self) -> None:
        self.assignments: dict[int, Assignment] = {}
        self.opinions_due: dict[int, dict[str, Assignment]] = {}
        self.opinions: dict[int, dict[str | None, GaveOpinion]] = {}
        self.opinion_events: list[GaveOpinion] = []
        self.first: dict[str, int] = {}
        self.assignees: dict[int, set[str | None]] = {}
        self.undoable: dict[str | None, list[int]] = {}
        self.n_answers: dict[str | None, int] = {}
        self.last_seen: dict[str | None, str] = {}
        self.pace: dict[str | None, deque[float]] = {}

    @property
    def n_asked(self) -> int:
        """An upper bound of the number of instances with a pending label or an opinion."""
        return len(self.assignments) + len(self.opinions_due.keys() | self.opinions.keys())

    def record_presence(self, event: AnyEvent) -> None:
        """Record the time and speed of an event's person."""
        if event.who == BEFORE:
            return
        self.last_seen[event.who] = event.time
        seconds = getattr(event, "seconds", None)
        if isinstance(seconds, float | int):
            self.pace.setdefault(event.who, deque(maxlen=_PACE_OF)).append(seconds)

    def apply_handout(self, event: HandedOut) -> None:
        """Apply a lease or an export."""
        until = None if event.until is None else seconds_of(event.until) - seconds_of(event.time)
        for draw, instance, q in zip(event.draws, event.instances, event.q, strict=True):
            assignment = Assignment(draw, instance, q, event.to, until, sheet=event.seq if event.sheet else 0)
            self.assignees.setdefault(instance, set()).add(event.to)
            if event.is_opinion and event.to is not None:
                self.opinions_due.setdefault(instance, {})[event.to] = assignment
            else:
                self.assignments[instance] = assignment

    def leased_to(self, who: str) -> list[Assignment]:
        """Return a person's leases by draw, `first` before, deferred opinions and sheets after the others."""
        assignees = [each for each in self.assignments.values() if each.to == who]
        assignees += [due[who] for due in self.opinions_due.values() if who in due]
        first = self.first.get(who)
        return sorted(
            assignees, key=lambda each: (each.sheet > 0, each.instance != first, each.deferred_at, each.draw)
        )

    def act(self, event: Action | GaveOpinion) -> None:
        """Add an event that its person can undo."""
        self.undoable.setdefault(event.who, []).append(event.seq)

    def add_opinion(self, event: GaveOpinion) -> None:
        """Apply an opinion."""
        self.act(event)
        self.remove_pending(event.instance, event.who)
        self.opinions.setdefault(event.instance, {})[event.who] = event
        self.opinion_events.append(event)

    def deferred_at(self, instance: int, who: str, seq: int) -> None:
        """Move a deferred opinion behind the person's other draws."""
        due = self.opinions_due[instance]
        due[who] = due[who]._replace(deferred_at=seq)
        if self.first.get(who) == instance:
            del self.first[who]

    def is_opinion_due(self, instance: int, who: str | None) -> bool:
        """Return whether a person owes an opinion on an instance."""
        return who in self.opinions_due.get(instance, ())

    def has_opinion(self, instance: int, who: str | None) -> bool:
        """Return whether a person has given an opinion on an instance."""
        return who in self.opinions.get(instance, ())

    def remove_pending(self, instance: int, who: str | None) -> None:
        """Remove a pending opinion, as its person has answered."""
        due = self.opinions_due.get(instance, {})
        if who is not None:
            due.pop(who, None)
        if not due:
            self.opinions_due.pop(instance, None)

    def answered(self, who: str | None, change: int) -> None:
        """Change a person's number of answers."""
        self.n_answers[who] = self.n_answers.get(who, 0) + change

    def take_back(self, event: GaveOpinion) -> None:
        """Undo an opinion, so that it is asked for again."""
        index, who = event.instance, event.who
        self.opinion_events.remove(event)
        del self.opinions[index][who]
        if not self.opinions[index]:
            del self.opinions[index]
        if who is not None:
            assignment = Assignment(event.draw, index, event.q, who, LEASE_SECONDS)
            self.opinions_due.setdefault(index, {})[who] = assignment
            self.first[who] = index

    def is_away(self, assignment: Assignment, now: float) -> bool:
        """Return whether a lease has run out."""
        if assignment.seconds is None:
            return False
        return now > seconds_of(self.last_seen.get(assignment.to, "")) + assignment.seconds

    def is_here(self, who: str | None, now: float, within: float) -> bool:
        """Return whether a person's last event is at most `within` seconds old."""
        return who in self.last_seen and now <= seconds_of(self.last_seen[who]) + within


def seconds_of(time: str) -> float:
    """Convert an ISO 8601 time to seconds since 1970; return 0 if it can't be parsed."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (TypeError, ValueError):
        return 0.0
