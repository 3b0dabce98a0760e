"""The order of questions: new draws and deferred ones, and the person each is leased to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from math import ceil, inf
from statistics import median
from typing import Any, NamedTuple

from activeeval_widgets.session import clock
from activeeval_widgets.session.draws.opinions import Opinions
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.people import LEASE_SECONDS, Assignment
from activeeval_widgets.session.log.state import DeferredDraw, State

DEFER_GAP = 10
"""A deferred instance is asked again after this many other answers, or sooner if nothing else is left."""

_HELD_SECONDS = 20.0
"""The seconds of work that are leased to a person at once, …"""

_MIN_HELD, _USUALLY_HELD, _MAX_HELD = 2, 4, 24
"""… within these numbers of draws; the second one while the person's speed is unknown."""


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
        The probability with which the instance was drawn.

    See Also
    --------
    Session.next, Session.upcoming : Return these.

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


class ToLease(NamedTuple):
    """The draws to lease to a person: those whose label they give, and those for opinions."""

    labels: list[Draw]
    opinions: list[Draw]


class Scheduler:
    """Decides what is asked, given draws and answers; with `who`, only what is leased to that person."""

    def __init__(
        self,
        draws: Draws,
        state: State,
        budget: int | None,
        opinions: Opinions | None = None,
        lease_seconds: float = LEASE_SECONDS,
        known_labels: Mapping[int, Any] | None = None,
    ) -> None:
        self._draws, self._state, self.budget = draws, state, budget
        self.opinions = Opinions() if opinions is None else opinions
        self.lease_seconds = lease_seconds
        self.who: str | None = None
        self._judged = {} if known_labels is None else known_labels
        # The position from which new instances are searched: all before were asked.
        self._start = 0
        # The position from which draws that need another rater are searched.
        self._first_open = 0

    def upcoming(self, n: int) -> list[Draw]:
        """Return at most `n` next questions if each gets a label; labels asked again take turns."""
        new, again = self._new(n), self.again()
        if not again:
            return new
        since = self._state.guidelines
        assert since is not None  # noqa: S101 - something is asked again
        # Only the rater's own answers count here: nothing else changes what is on screen.
        place = self._state.people.n_answers.get(self.who, 0) + since.n_given(self.who)
        merged: list[Draw] = []
        for at in range(place, place + n):
            is_again = again and (at % 2 == 1 or not new)
            if not is_again and not new:
                break
            merged.append((again if is_again else new).pop(0))
        return merged

    def again(self) -> list[Draw]:
        """Return the draws whose labels are asked again."""
        since = self._state.guidelines
        due = [] if since is None else since.due(self.who)
        answers = [self._state.answers[index] for index in due]
        return [Draw(each.draw, each.instance, each.q) for each in answers]

    def is_again(self, instance: int) -> bool:
        """Return whether the present rater is asked for the label of an instance again."""
        return self._state.is_due_again(instance, self.who)

    def find_beside_again(self, number: int) -> Draw | None:
        """Return a draw whose label is asked again, or the next new one, by its number."""
        again = self.again()
        beside = [*again, *self.upcoming(2)] if again else []
        return next((each for each in beside if each.number == number), None)

    def _new(self, n: int) -> list[Draw]:
        """Return at most `n` next questions that are not asked again."""
        now = clock.now().timestamp()
        if self.who is not None:
            return self._merged(n, iter(self._leased_draws()), inf, now)
        found = self._merged(n, self._new_draws(now), self._labels_left(now), now)
        n_more = max(0, int(min(n, self._labels_left(None))) - len(found))
        return [*found, *islice(self._shared_draws(is_first=not found), n_more)]

    def free(self, n: int) -> list[Draw]:
        """Return at most `n` next draws that are not answered, deferred, leased or exported."""
        return list(islice(self._new_draws(clock.now().timestamp()), n))

    def due(self, n: int) -> list[Draw]:
        """Return at most `n` next draws for the present rater: those leased to them, then free ones."""
        own = (Draw(each.draw, each.instance, each.q) for each in self._leases() if not each.sheet)
        return list(islice(chain(own, self._new_draws(clock.now().timestamp())), n))

    @property
    def n_open(self) -> float:
        """The number of labels that the budget allows beyond deferred draws and those of other people."""
        n_own = sum(not each.sheet for each in self._leases())
        return self._labels_left(clock.now().timestamp()) - len(self._state.deferred) + n_own

    def to_lease(self) -> ToLease:
        """Return the draws to lease to the present rater now; none while they have enough."""
        now = clock.now().timestamp()
        found = ToLease([], [])
        n_held, n_wanted = sum(not each.sheet for each in self._leases()), self._n_wanted()
        if self.who is None or n_held > n_wanted // 2:
            return found
        n_free = n_wanted - n_held
        if self.opinions.are_asked:
            found.opinions.extend(islice(self._opinions_wanted(now), n_free))
        begun = self._begun(now)
        labels_left = self._labels_left(now) - len(self._state.deferred) - len(begun)
        for draw in chain(self._left_behind(now), self._new_draws(now)):
            if len(found.labels) + len(found.opinions) >= n_free:
                break
            # Draws before an answered one are always asked: the estimate waits for them.
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
        """Return the next draw without an answer, and its label if that is known before the session."""
        for draw in self._draws.distinct_from(self._start):
            index = draw.instance
            is_open = not self._state.status[index] and index not in self._state.deferred
            if is_open and index not in self._state.assignments:
                label = self._known_labels.get(index)
                return None if label is None else (draw, label)
        return None

    @property
    def _known_labels(self) -> Mapping[int, Any]:
        """The labels by index that are not asked for: of rankings judged before, or carried over."""
        return self._state.carried or self._judged

    def to_count(self) -> Draw | None:
        """Return a draw whose label's rater is away, so that the present rater's opinion counts; or None."""
        now = clock.now().timestamp()
        for instance, given in self._state.people.opinions.items():
            opinion = given.get(self.who)
            if opinion is None or self.who is None or instance in self._state.answers:
                continue
            put_aside = self._state.deferred.get(instance)
            is_free = (
                self._is_free(instance, now) if put_aside is None else self._is_left_behind(put_aside, now)
            )
            if is_free and not self._others_to_ask(instance, now):
                return Draw(opinion.draw, instance, opinion.q)
        return None

    def rewind(self, draw: int, instance: int) -> None:
        """Search again from a draw whose answer was undone."""
        position = self._draws.n_distinct_before(draw)
        self._first_open = min(self._first_open, position)
        if instance not in self._state.deferred:
            self._start = min(self._start, position)

    # -- the order of questions

    def _merged(self, n: int, fresh: Iterator[Draw], labels_left: float, now: float) -> list[Draw]:
        """Merge new draws and deferred ones, up to `n`."""
        state = self._state
        is_spent = self.budget is not None and self._n_given() >= self.budget
        put_aside = [] if is_spent else list(self._waiting(now))
        waiting, n_waiting = iter(put_aside), len(put_aside)
        n_answers, n_own = len(state.answers), state.people.n_answers.get(self.who, 0)
        # The earliest deferral is due first: if it is not due, none is.
        first = next(waiting, None)
        merged: list[Draw] = []
        while labels_left > 0 and len(merged) < n:
            is_due = False
            if first is not None:
                # Count one's own answers since an own deferral, all answers since somebody else's.
                is_own = first[1].who == self.who
                n_since = n_own - first[1].n_own if is_own else n_answers - first[1].n_answers
                is_due = n_since >= DEFER_GAP or (n_since > 0 and labels_left <= n_waiting)
            asked = None if is_due else next(fresh, None)
            if asked is None:
                if first is None:
                    break
                index, found = first
                asked = Draw(found.draw, index, found.q)
                first = next(waiting, None)
                n_waiting -= 1
            merged.append(asked)
            n_answers += 1
            n_own += 1
            labels_left -= 1
        return merged

    def _waiting(self, now: float) -> Iterator[tuple[int, DeferredDraw]]:
        """Yield the present rater's deferred draws; without a rater, also those of absent people."""
        for index, put_aside in self._state.deferred.items():
            is_own = put_aside.who == self.who or (self.who is None and self._is_left_behind(put_aside, now))
            assignment = self._state.assignments.get(index)
            # What somebody else took over meanwhile is theirs.
            if is_own and (assignment is None or assignment.to == self.who or self._is_free(index, now)):
                yield index, put_aside

    def _is_left_behind(self, put_aside: DeferredDraw, now: float) -> bool:
        """Return whether somebody else deferred a draw and is away."""
        is_here = self._state.people.is_here(put_aside.who, now, self.lease_seconds)
        return put_aside.who != self.who and not is_here

    def _left_behind(self, now: float) -> Iterator[Draw]:
        """Yield free draws that absent people deferred."""
        for index, put_aside in self._state.deferred.items():
            if self._is_left_behind(put_aside, now) and self._is_free(index, now):
                yield Draw(put_aside.draw, index, put_aside.q)

    def _new_draws(self, now: float) -> Iterator[Draw]:
        """Yield new draws that are not answered, deferred, leased or exported."""
        position = self._start
        is_first = True
        assignments, known = self._state.assignments, self._known_labels
        for asked in self._draws.distinct_from(position):
            if not self._state.status[asked.instance] and asked.instance not in self._state.deferred:
                if is_first:
                    self._start, is_first = position, False
                is_free = asked.instance not in assignments or self._is_free(asked.instance, now)
                if is_free and asked.instance not in known:
                    yield asked
            position += 1
        if is_first:
            self._start = position

    def _leased_draws(self) -> list[Draw]:
        """Return the draws leased to the present rater, in the order of questions."""
        return [Draw(each.draw, each.instance, each.q) for each in self._leases()]

    def _leases(self) -> list[Assignment]:
        return [] if self.who is None else self._state.leased_to(self.who)

    def _shared_draws(self, *, is_first: bool) -> Iterator[Draw]:
        """Yield what is asked if nothing else is left: draws on sheets, and exported ones of a whole pool."""
        is_drawn = self._draws.is_replaced or self._draws.distinct(self._draws.n_drawable - 1) is not None
        for each in self._state.assignments.values():
            if each.seconds is None and (is_drawn or (is_first and each.sheet)):
                yield Draw(each.draw, each.instance, each.q)

    # -- the people

    def _is_free(self, instance: int, now: float) -> bool:
        """Return whether the label of an instance is not leased."""
        assignment = self._state.assignments.get(instance)
        if assignment is None:
            return True
        return assignment.to != self.who and self._state.people.is_away(assignment, now)

    def _labels_left(self, now: float | None) -> float:
        """Return the rest of the budget; if a time is given, without the draws leased at that time."""
        if self.budget is None:
            return inf
        left = self.budget - self._n_given()
        people = self._state.people
        return (
            left
            if now is None
            else left - sum(not people.is_away(h, now) for h in people.assignments.values())
        )

    def _n_given(self) -> int:
        """Return the number of labels given in the session."""
        return len(self._state.labels) - self._state.n_known_before

    def _n_wanted(self) -> int:
        """Return how many draws the present rater should hold, given their speed."""
        pace = self._state.people.pace.get(self.who)
        if not pace:
            return _USUALLY_HELD
        return min(max(_MIN_HELD, ceil(_HELD_SECONDS / max(median(pace), 0.1))), _MAX_HELD)

    def _is_label(self, draw: Draw, now: float) -> bool:
        """Return whether the present rater gives the label of a free draw rather than an opinion."""
        n_asked = self.opinions.n_asked(draw.number)
        if n_asked == 1:
            return True
        n_before = len(self._asked_about(draw.instance, now) - {self.who})
        is_before = n_before < self.opinions.whose(draw.number, n_asked)
        return not (is_before and self._others_to_ask(draw.instance, now))

    def _asked_about(self, instance: int, now: float) -> set[str | None]:
        """Return the people who have answered about an instance or are asked about it."""
        people = self._state.people
        found: set[str | None] = set(people.opinions.get(instance, ()))
        found.update(
            who for who, due in people.opinions_due.get(instance, {}).items() if not people.is_away(due, now)
        )
        assignment, answer = self._state.assignments.get(instance), self._state.answers.get(instance)
        if answer is not None:
            found.add(answer.who)
        elif assignment is not None and not people.is_away(assignment, now):
            found.add(assignment.to)
        elif instance in self._state.deferred:
            found.add(self._state.deferred[instance].who)
        return found

    def _others_to_ask(self, instance: int, now: float) -> bool:
        """Return whether somebody else is present who was not asked about an instance."""
        people = self._state.people
        known = self._asked_about(instance, now) | {self.who, None}
        return any(
            who not in known and people.is_here(who, now, self.lease_seconds) for who in people.last_seen
        )

    def _begun(self, now: float) -> set[int]:
        """Return instances with an opinion asked for whose label is not leased yet."""
        state = self._state
        asked = state.people.opinions.keys() | state.people.opinions_due.keys()
        return {
            index
            for index in asked
            if index not in state.answers and index not in state.deferred and self._is_free(index, now)
        }

    def _opinions_wanted(self, now: float) -> Iterator[Draw]:
        """Yield draws labeled by others on which the present rater should give an opinion."""
        state = self._state
        position = self._first_open
        is_first = True
        for draw in self._draws.distinct_from(position):
            index = draw.instance
            has_label = index in state.answers or index in state.deferred or not self._is_free(index, now)
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
