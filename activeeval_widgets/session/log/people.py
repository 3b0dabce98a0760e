"""Who labels: which draws were handed to whom, further opinions, and who was seen when."""

from collections import deque
from datetime import datetime
from typing import NamedTuple

from activeeval_widgets.session.log.events import Action, AnyEvent, GaveOpinion, HandedOut

BEFORE = "judged before"
"""Who gave a label that was known before the session, as events say; nobody who labels in it."""

LEASE_SECONDS = 300.0
"""How long draws stay with somebody of whom nothing is heard, unless a session says otherwise."""


_PACE_OF = 8
"""By so many answers it is known how fast somebody is."""


class Holding(NamedTuple):
    """A draw that was handed out.

    Attributes
    ----------
    draw : int
        Its number.
    instance : int
        The index of its instance.
    q : float
        Its probability.
    to : str or None
        Who has it; None: whoever brings the answer.
    seconds : float or None
        How long he keeps it if nothing is heard of him; None: until it is answered.
    turn : int
        When it is asked about, among what its holder has: the number of the event that handed it out, or
        put it off; below 0 where an answer was taken back, which comes first.
    is_put_off : bool
        Whether he wants to give this opinion later than others.
    """

    draw: int
    instance: int
    q: float
    to: str | None
    seconds: float | None
    turn: int
    is_put_off: bool = False


class People:
    """What a log says of those who label. Every event changes it in a time that does not grow with the log.

    Attributes
    ----------
    handed_out : dict of int to Holding
        By instance, the draws that wait for the label of whoever has them.
    opinions_due : dict of int to dict of str to Holding
        By instance and person, the opinions that are waited for.
    opinions : dict of int to dict of (str or None) to GaveOpinion
        By instance and person, the opinions that stand.
    opinion_events : list of GaveOpinion
        The same, oldest first.
    held : dict of int to set of (str or None)
        By instance, whoever it was ever handed to.
    own : dict of (str or None) to list of int
        By person, the numbers of the events that stand and that he can undo, oldest first.
    n_answers : dict of (str or None) to int
        By person, labels and exclusions that stand.
    last_seen : dict of (str or None) to str
        By person, the time of the last event.
    pace : dict of (str or None) to deque of float
        By person, the seconds that the last answers took.
    """

    def __init__(self) -> None:
        self.handed_out: dict[int, Holding] = {}
        self.opinions_due: dict[int, dict[str, Holding]] = {}
        self.opinions: dict[int, dict[str | None, GaveOpinion]] = {}
        self.opinion_events: list[GaveOpinion] = []
        self.held: dict[int, set[str | None]] = {}
        self.own: dict[str | None, list[int]] = {}
        self.n_answers: dict[str | None, int] = {}
        self.last_seen: dict[str | None, str] = {}
        self.pace: dict[str | None, deque[float]] = {}

    @property
    def n_asked(self) -> int:
        """Of how many instances the label is waited for, or an opinion was asked: at the most."""
        return len(self.handed_out) + len(self.opinions_due.keys() | self.opinions.keys())

    def see(self, event: AnyEvent) -> None:
        """Take in who did something, and when."""
        if event.who == BEFORE:
            return
        self.last_seen[event.who] = event.time
        seconds = getattr(event, "seconds", None)
        if isinstance(seconds, float | int):
            self.pace.setdefault(event.who, deque(maxlen=_PACE_OF)).append(seconds)

    def hand_out(self, event: HandedOut) -> None:
        """Draws were handed out."""
        until = None if event.until is None else seconds_of(event.until) - seconds_of(event.time)
        for draw, instance, q in zip(event.draws, event.instances, event.q, strict=True):
            holding = Holding(draw, instance, q, event.to, until, event.seq)
            self.held.setdefault(instance, set()).add(event.to)
            if event.is_opinion and event.to is not None:
                self.opinions_due.setdefault(instance, {})[event.to] = holding
            else:
                self.handed_out[instance] = holding

    def act(self, event: Action | GaveOpinion) -> None:
        """Somebody did what he can undo."""
        self.own.setdefault(event.who, []).append(event.seq)

    def give(self, event: GaveOpinion) -> None:
        """Somebody gave an opinion."""
        self.act(event)
        self.settle(event.instance, event.who)
        self.opinions.setdefault(event.instance, {})[event.who] = event
        self.opinion_events.append(event)

    def put_off(self, instance: int, who: str, seq: int) -> None:
        """Somebody wants to give an opinion later."""
        due = self.opinions_due[instance]
        due[who] = due[who]._replace(turn=seq, is_put_off=True)

    def is_opinion_due(self, instance: int, who: str | None) -> bool:
        """Whether somebody's opinion is waited for."""
        return who in self.opinions_due.get(instance, ())

    def has_opinion(self, instance: int, who: str | None) -> bool:
        """Whether somebody has given an opinion."""
        return who in self.opinions.get(instance, ())

    def settle(self, instance: int, who: str | None) -> None:
        """Somebody has given his answer: his opinion is not waited for any more."""
        due = self.opinions_due.get(instance, {})
        if who is not None:
            due.pop(who, None)
        if not due:
            self.opinions_due.pop(instance, None)

    def answered(self, who: str | None, change: int) -> None:
        """There is another answer that stands, or one less."""
        self.n_answers[who] = self.n_answers.get(who, 0) + change

    def take_back(self, event: GaveOpinion, turn: int) -> None:
        """An opinion is taken back: it is asked for again."""
        index, who = event.instance, event.who
        self.opinion_events.remove(event)
        del self.opinions[index][who]
        if not self.opinions[index]:
            del self.opinions[index]
        if who is not None:
            holding = Holding(event.draw, index, event.q, who, LEASE_SECONDS, turn)
            self.opinions_due.setdefault(index, {})[who] = holding

    def is_away(self, holding: Holding, now: float) -> bool:
        """Whether somebody has kept a draw for too long without being heard of."""
        if holding.seconds is None:
            return False
        return now > seconds_of(self.last_seen.get(holding.to, "")) + holding.seconds

    def is_here(self, who: str | None, now: float, within: float) -> bool:
        """Whether somebody did something not long ago."""
        return who in self.last_seen and now <= seconds_of(self.last_seen[who]) + within


def seconds_of(time: str) -> float:
    """A time as seconds since 1970; one that can't be read is long ago."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (TypeError, ValueError):
        return 0.0
