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


class Holding(NamedTuple):
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
    put_off : int
        The number of the event by which the person deferred this opinion; 0 if none.
    sheet : int
        The number of the event that put the draw on a sheet; 0 if none.
    """

    draw: int
    instance: int
    q: float
    to: str | None
    seconds: float | None
    put_off: int = 0
    sheet: int = 0


class People:
    """The people of a log. The time to apply an event does not grow with the log.

    Attributes
    ----------
    handed_out : dict of int to Holding
        By instance, the leased or exported draws whose label is pending.
    opinions_due : dict of int to dict of str to Holding
        By instance and person, the opinions that are pending.
    opinions : dict of int to dict of (str or None) to GaveOpinion
        By instance and person, the opinions that were not undone.
    opinion_events : list of GaveOpinion
        The opinions that were not undone, oldest first.
    first : dict of str to int
        By person, the instance that stays at the head of their leases: it may be on their screen.
    held : dict of int to set of (str or None)
        By instance, everybody it was ever leased to.
    own : dict of (str or None) to list of int
        By person, the numbers of the events that they can undo, oldest first.
    n_answers : dict of (str or None) to int
        By person, the number of labels and exclusions that were not undone.
    last_seen : dict of (str or None) to str
        By person, the time of the last event.
    pace : dict of (str or None) to deque of float
        By person, the seconds of the latest answers.
    """

    def __init__(self) -> None:
        self.handed_out: dict[int, Holding] = {}
        self.opinions_due: dict[int, dict[str, Holding]] = {}
        self.opinions: dict[int, dict[str | None, GaveOpinion]] = {}
        self.opinion_events: list[GaveOpinion] = []
        self.first: dict[str, int] = {}
        self.held: dict[int, set[str | None]] = {}
        self.own: dict[str | None, list[int]] = {}
        self.n_answers: dict[str | None, int] = {}
        self.last_seen: dict[str | None, str] = {}
        self.pace: dict[str | None, deque[float]] = {}

    @property
    def n_asked(self) -> int:
        """An upper bound of the number of instances with a pending label or an opinion."""
        return len(self.handed_out) + len(self.opinions_due.keys() | self.opinions.keys())

    def see(self, event: AnyEvent) -> None:
        """Record the time and speed of an event's person."""
        if event.who == BEFORE:
            return
        self.last_seen[event.who] = event.time
        seconds = getattr(event, "seconds", None)
        if isinstance(seconds, float | int):
            self.pace.setdefault(event.who, deque(maxlen=_PACE_OF)).append(seconds)

    def hand_out(self, event: HandedOut) -> None:
        """Apply a lease or an export."""
        until = None if event.until is None else seconds_of(event.until) - seconds_of(event.time)
        for draw, instance, q in zip(event.draws, event.instances, event.q, strict=True):
            holding = Holding(draw, instance, q, event.to, until, sheet=event.seq if event.sheet else 0)
            self.held.setdefault(instance, set()).add(event.to)
            if event.is_opinion and event.to is not None:
                self.opinions_due.setdefault(instance, {})[event.to] = holding
            else:
                self.handed_out[instance] = holding

    def leased_to(self, who: str) -> list[Holding]:
        """Return a person's leases by draw, `first` before, deferred opinions and sheets after the others."""
        held = [each for each in self.handed_out.values() if each.to == who]
        held += [due[who] for due in self.opinions_due.values() if who in due]
        first = self.first.get(who)
        return sorted(
            held, key=lambda each: (each.sheet > 0, each.instance != first, each.put_off, each.draw)
        )

    def act(self, event: Action | GaveOpinion) -> None:
        """Add an event that its person can undo."""
        self.own.setdefault(event.who, []).append(event.seq)

    def give(self, event: GaveOpinion) -> None:
        """Apply an opinion."""
        self.act(event)
        self.settle(event.instance, event.who)
        self.opinions.setdefault(event.instance, {})[event.who] = event
        self.opinion_events.append(event)

    def put_off(self, instance: int, who: str, seq: int) -> None:
        """Move a deferred opinion behind the person's other draws."""
        due = self.opinions_due[instance]
        due[who] = due[who]._replace(put_off=seq)
        if self.first.get(who) == instance:
            del self.first[who]

    def is_opinion_due(self, instance: int, who: str | None) -> bool:
        """Return whether a person owes an opinion on an instance."""
        return who in self.opinions_due.get(instance, ())

    def has_opinion(self, instance: int, who: str | None) -> bool:
        """Return whether a person has given an opinion on an instance."""
        return who in self.opinions.get(instance, ())

    def settle(self, instance: int, who: str | None) -> None:
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
            holding = Holding(event.draw, index, event.q, who, LEASE_SECONDS)
            self.opinions_due.setdefault(index, {})[who] = holding
            self.first[who] = index

    def is_away(self, holding: Holding, now: float) -> bool:
        """Return whether a lease has run out."""
        if holding.seconds is None:
            return False
        return now > seconds_of(self.last_seen.get(holding.to, "")) + holding.seconds

    def is_here(self, who: str | None, now: float, within: float) -> bool:
        """Return whether a person's last event is at most `within` seconds old."""
        return who in self.last_seen and now <= seconds_of(self.last_seen[who]) + within


def seconds_of(time: str) -> float:
    """Convert an ISO 8601 time to seconds since 1970; return 0 if it can't be parsed."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (TypeError, ValueError):
        return 0.0
