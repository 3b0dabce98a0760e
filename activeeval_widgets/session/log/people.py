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
    """A draw that was leased or exported."""

    draw: int
    instance: int
    q: float
    to: str | None  # None if it is exported
    seconds: float | None  # of the lease after the person's last event; None: until it is answered
    deferred_at: int = 0  # the number of the event by which the opinion was deferred
    sheet: int = 0  # the number of the event that put it on a sheet


class People:
    """The people of a log. The time to apply an event does not grow with the log."""

    def __init__(self) -> None:
        self.assignments: dict[int, Assignment] = {}  # pending labels, by instance
        self.opinions_due: dict[int, dict[str, Assignment]] = {}  # by instance and person
        self.opinions: dict[int, dict[str | None, GaveOpinion]] = {}  # that were not undone
        self.opinion_events: list[GaveOpinion] = []
        self.first: dict[str, int] = {}  # the instance that may be on a person's screen
        self.assignees: dict[int, set[str | None]] = {}  # all it was ever leased to, by instance
        self.undoable: dict[str | None, list[int]] = {}  # numbers of events, oldest first
        self.n_answers: dict[str | None, int] = {}
        self.last_seen: dict[str | None, str] = {}
        self.pace: dict[str | None, deque[float]] = {}  # the seconds of the latest answers

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
