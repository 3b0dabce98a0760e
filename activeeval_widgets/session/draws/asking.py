"""In which order instances are asked about: new draws, and those put aside in between; and who is asked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from math import ceil, inf
from statistics import median
from typing import Any, NamedTuple

from activeeval_widgets.session import clock
from activeeval_widgets.session.draws.opinions import Opinions
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.people import LEASE_SECONDS, Holding
from activeeval_widgets.session.log.state import PutAside, State

DEFER_GAP = 10
"""An instance put aside is asked again after this many other answers, or sooner if nothing else is left."""

_HELD_SECONDS = 20.0
"""So many seconds' worth of instances are handed to somebody who labels with others, …"""

_LEAST_HELD, _USUALLY_HELD, _MOST_HELD = 2, 4, 24
"""… within these numbers; the second before it is known how fast he is."""


@dataclass(frozen=True)
class DrawnInstance:
    """An instance that the session asks about.

    Attributes
    ----------
    draw : int
        The number of the draw, from 1.
    index : int
        The instance's index in the pool.
    instance_id : str
        Its id.
    q : float
        The probability with which this draw gave this instance.

    See Also
    --------
    Session.next, Session.upcoming : Give these.

    Examples
    --------
    >>> asked = session.next()
    >>> asked.instance_id == session.pool.ids[asked.index]
    True
    """

    draw: int
    index: int
    instance_id: str
    q: float


class ToHandOut(NamedTuple):
    """What somebody is to be handed next: draws whose label he gives, and others."""

    labels: list[Draw]
    opinions: list[Draw]


class Asking:
    """What is asked, given the draws and what was answered.

    Where somebody is named he is asked about what was handed to him, so that each draw is answered once.

    Attributes
    ----------
    who : str or None
        Who is asked; can be set.
    """

    def __init__(
        self,
        draws: Draws,
        state: State,
        budget: int | None,
        opinions: Opinions | None = None,
        lease_seconds: float = LEASE_SECONDS,
        known_label: Callable[[int], Any] = lambda _: None,
    ) -> None:
        self._draws, self._state, self.budget = draws, state, budget
        self.opinions = Opinions() if opinions is None else opinions
        self.lease_seconds = lease_seconds
        self.who: str | None = None
        self._known_label = known_label
        # Where the search for a new instance begins: all before were asked.
        self._start = 0
        # And for a draw about which somebody else is to be asked.
        self._first_open = 0

    def upcoming(self) -> Iterator[Draw]:
        """What would be asked from now on, if everything asked got a label."""
        now = clock.now().timestamp()
        if self.who is not None:
            yield from self._in_turn(self._own(), inf, now)
            return
        n_asked = 0
        for asked in self._in_turn(self._fresh(now), self._labels_left(now), now):
            yield asked
            n_asked += 1
        if self._draws.is_replaced or self._draws.distinct(self._draws.n_drawable - 1) is not None:
            for each in self._brought_by_anyone():
                if n_asked >= self._labels_left(None):
                    return
                yield each
                n_asked += 1

    def free(self, n: int) -> list[Draw]:
        """The next draws, at most `n`, that were neither answered nor put aside, and that nobody has."""
        return list(islice(self._fresh(clock.now().timestamp()), n))

    def to_hand_out(self) -> ToHandOut:
        """What the person who is asked should be handed now; nothing while there is enough."""
        now = clock.now().timestamp()
        found = ToHandOut([], [])
        n_held, n_wanted = sum(1 for _ in self._own()), self._n_wanted()
        if self.who is None or n_held > n_wanted // 2:
            return found
        n_free = n_wanted - n_held
        if self.opinions.are_asked:
            found.opinions.extend(islice(self._opinions_wanted(now), n_free))
        begun = self._begun(now)
        labels_left = self._labels_left(now) - len(self._state.waiting) - len(begun)
        for draw in chain(self._left_behind(now), self._fresh(now)):
            if len(found.labels) + len(found.opinions) >= n_free:
                break
            # Draws before an answered one are always asked about: the estimate waits for them.
            is_begun = draw.instance in begun
            if labels_left <= 0 and not is_begun and draw.number > self._state.last_draw:
                if not begun:
                    break
                continue
            begun.discard(draw.instance)
            is_label = self._is_label(draw, now)
            if self._state.people.has_opinion(draw.instance, self.who):
                continue
            if not is_label and self._state.people.is_opinion_due(draw.instance, self.who):
                continue
            (found.labels if is_label else found.opinions).append(draw)
            labels_left -= not is_begun
        return found

    def known_next(self) -> tuple[Draw, Any] | None:
        """The next draw without an answer, with its label, if that was known before the session."""
        position = self._start
        while (draw := self._draws.distinct(position)) is not None:
            index = draw.instance
            is_open = not self._state.status[index] and index not in self._state.waiting
            if is_open and index not in self._state.handed_out:
                label = self._known_label(index)
                return None if label is None else (draw, label)
            position += 1
        return None

    def to_count(self) -> Draw | None:
        """A draw whose label is to be the opinion that the person who is asked has given.

        Whoever was to give its label is away, and there is nobody else to be asked.
        """
        now = clock.now().timestamp()
        for instance, given in self._state.people.opinions.items():
            opinion = given.get(self.who)
            if opinion is None or self.who is None or instance in self._state.answers:
                continue
            put_aside = self._state.waiting.get(instance)
            is_free = (
                self._is_free(instance, now) if put_aside is None else self._is_left_behind(put_aside, now)
            )
            if is_free and not self._others_to_ask(instance, now):
                return Draw(opinion.draw, instance, opinion.q)
        return None

    def rewind(self, draw: int, instance: int) -> None:
        """Take in that the answer to a draw was taken back: its instance may be a new one again."""
        position = self._draws.n_distinct_before(draw)
        self._first_open = min(self._first_open, position)
        if instance not in self._state.waiting:
            self._start = min(self._start, position)

    # -- in which order

    def _in_turn(self, fresh: Iterator[Draw], labels_left: float, now: float) -> Iterator[Draw]:
        """New ones, and those put aside in between."""
        state = self._state
        is_spent = self.budget is not None and self._n_given() >= self.budget
        put_aside = [] if is_spent else list(self._waiting(now))
        waiting, n_waiting = iter(put_aside), len(put_aside)
        n_answers, n_own = len(state.answers), state.people.n_answers.get(self.who, 0)
        # The first that was put aside is the first to be due: if it is not, none is.
        first = next(waiting, None)
        while labels_left > 0:
            is_due = False
            if first is not None:
                # One's own answers are counted, others' where it was not oneself who put it aside.
                is_own = first[1].who == self.who
                n_since = n_own - first[1].n_own if is_own else n_answers - first[1].n_answers
                is_due = n_since >= DEFER_GAP or (n_since > 0 and labels_left <= n_waiting)
            asked = None if is_due else next(fresh, None)
            if asked is None:
                if first is None:
                    return
                index, found = first
                asked = Draw(found.draw, index, found.q)
                first = next(waiting, None)
                n_waiting -= 1
            yield asked
            n_answers += 1
            n_own += 1
            labels_left -= 1

    def _waiting(self, now: float) -> Iterator[tuple[int, PutAside]]:
        """What was put aside by the person who is asked; if nobody is named, by those who are away, too."""
        for index, put_aside in self._state.waiting.items():
            if put_aside.who == self.who or (self.who is None and self._is_left_behind(put_aside, now)):
                yield index, put_aside

    def _is_left_behind(self, put_aside: PutAside, now: float) -> bool:
        """Whether it was somebody else who put an instance aside, and he is away."""
        is_here = self._state.people.is_here(put_aside.who, now, self.lease_seconds)
        return put_aside.who != self.who and not is_here

    def _left_behind(self, now: float) -> Iterator[Draw]:
        """What somebody put aside who is away, and that nobody has."""
        for index, put_aside in self._state.waiting.items():
            if self._is_left_behind(put_aside, now) and self._is_free(index, now):
                yield Draw(put_aside.draw, index, put_aside.q)

    def _fresh(self, now: float) -> Iterator[Draw]:
        """Draws of instances that were neither answered nor put aside, and that nobody has, each once."""
        position = self._start
        is_first = True
        handed_out = self._state.handed_out
        while (asked := self._draws.distinct(position)) is not None:
            if not self._state.status[asked.instance] and asked.instance not in self._state.waiting:
                if is_first:
                    self._start, is_first = position, False
                is_free = asked.instance not in handed_out or self._is_free(asked.instance, now)
                if is_free and self._known_label(asked.instance) is None:
                    yield asked
            position += 1
        if is_first:
            self._start = position

    def _own(self) -> Iterator[Draw]:
        """What was handed to the person who is asked, in that order; opinions that were put off last.

        What comes later is never asked about before what he may be looking at.
        """
        people = self._state.people
        held: list[Holding] = [each for each in people.handed_out.values() if each.to == self.who]
        held += [due[self.who] for due in people.opinions_due.values() if self.who in due]
        held.sort(key=lambda each: (each.is_put_off, each.turn))
        seen = {index for index, put_aside in self._state.waiting.items() if put_aside.who == self.who}
        for each in held:
            if each.instance not in seen:
                seen.add(each.instance)
                yield Draw(each.draw, each.instance, each.q)

    def _brought_by_anyone(self) -> Iterator[Draw]:
        """What was handed out for good: asked about where nothing else is left."""
        for each in self._state.handed_out.values():
            if each.seconds is None:
                yield Draw(each.draw, each.instance, each.q)

    # -- who

    def _is_free(self, instance: int, now: float) -> bool:
        """Whether the label of an instance is to be given by nobody."""
        holding = self._state.handed_out.get(instance)
        if holding is None:
            return True
        return holding.to != self.who and self._state.people.is_away(holding, now)

    def _labels_left(self, now: float | None) -> float:
        """How many labels the budget allows; by a time, less those that somebody is to give."""
        if self.budget is None:
            return inf
        left = self.budget - self._n_given()
        people = self._state.people
        return (
            left
            if now is None
            else left - sum(not people.is_away(h, now) for h in people.handed_out.values())
        )

    def _n_given(self) -> int:
        """How many labels somebody was asked for."""
        return len(self._state.labels) - self._state.n_known_before

    def _n_wanted(self) -> int:
        """How many instances the person who is asked should have, by how fast he is."""
        pace = self._state.people.pace.get(self.who)
        if not pace:
            return _USUALLY_HELD
        return min(max(_LEAST_HELD, ceil(_HELD_SECONDS / max(median(pace), 0.1))), _MOST_HELD)

    def _is_label(self, draw: Draw, now: float) -> bool:
        """Whether who is asked gives the label of a draw that nobody is to label, or an opinion."""
        n_asked = self.opinions.n_asked(draw.number)
        if n_asked == 1:
            return True
        n_before = len(self._asked_about(draw.instance, now) - {self.who})
        is_before = n_before < self.opinions.whose(draw.number, n_asked)
        return not (is_before and self._others_to_ask(draw.instance, now))

    def _asked_about(self, instance: int, now: float) -> set[str | None]:
        """Who has answered about an instance, or is to."""
        people = self._state.people
        found: set[str | None] = set(people.opinions.get(instance, ()))
        found.update(
            who for who, due in people.opinions_due.get(instance, {}).items() if not people.is_away(due, now)
        )
        holding, answer = self._state.handed_out.get(instance), self._state.answers.get(instance)
        if answer is not None:
            found.add(answer.who)
        elif holding is not None and not people.is_away(holding, now):
            found.add(holding.to)
        elif instance in self._state.waiting:
            found.add(self._state.waiting[instance].who)
        return found

    def _others_to_ask(self, instance: int, now: float) -> bool:
        """Whether there is somebody else, not asked about an instance yet."""
        people = self._state.people
        known = self._asked_about(instance, now) | {self.who, None}
        return any(
            who not in known and people.is_here(who, now, self.lease_seconds) for who in people.last_seen
        )

    def _begun(self, now: float) -> set[int]:
        """Instances about which an opinion was asked, and whose label is still to be handed out."""
        state = self._state
        asked = state.people.opinions.keys() | state.people.opinions_due.keys()
        return {
            index
            for index in asked
            if index not in state.answers and index not in state.waiting and self._is_free(index, now)
        }

    def _opinions_wanted(self, now: float) -> Iterator[Draw]:
        """Draws whose label is another's, about which the person who is asked is to be asked, too."""
        state = self._state
        position = self._first_open
        is_first = True
        while (draw := self._draws.distinct(position)) is not None:
            index = draw.instance
            has_label = index in state.answers or index in state.waiting or not self._is_free(index, now)
            if (
                not has_label
                and index not in state.people.opinions
                and index not in state.people.opinions_due
            ):
                break
            asked = self._asked_about(index, now)
            if len(asked) < self.opinions.n_asked(draw.number):
                if is_first:
                    self._first_open, is_first = position, False
                if has_label and self.who not in asked:
                    yield draw
            position += 1
        if is_first:
            self._first_open = position
