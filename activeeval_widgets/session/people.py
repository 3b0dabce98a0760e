"""The people who label in one session, and the draws leased to each."""

import logging
from collections.abc import Callable
from threading import RLock
from typing import Any, NamedTuple, TypeVar

from activeeval_widgets.session import clock
from activeeval_widgets.session.arguments import check_who
from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import AnyEvent, Excluded, GaveOpinion, HandedOut, Labeled
from activeeval_widgets.session.recorder import Recorder

_logger = logging.getLogger(__name__)

_AnyEvent = TypeVar("_AnyEvent", bound=AnyEvent)


class Person(NamedTuple):
    """Somebody who labels, and what they have done.

    Attributes
    ----------
    who : str or None
        The name; None for events without a name.
    n_labels : int
        Labels and exclusions that were not undone.
    n_opinions : int
        Opinions given besides labels.
    last_seen : str
        The time of their last event: ISO 8601, UTC.
    is_here : bool
        Whether that is at most `lease_seconds` ago.

    See Also
    --------
    People.all : Returns these.

    Examples
    --------
    >>> session = Session(pool, ErrorRate(), who="Ada")
    >>> event = session.label(1)
    >>> [(person.who, person.n_labels, person.is_here) for person in session.people.all()]
    [('Ada', 1, True)]
    """

    who: str | None
    n_labels: int
    n_opinions: int
    last_seen: str
    is_here: bool


@one_thread_at_a_time
class People:
    """The people who label in a session, and the draws leased to each: `session.people`.

    If `who` is set, draws are leased to that person, so that each draw is answered once. Leases are events
    in the log: they hold in every store and after a restart.

    Attributes
    ----------
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    Opinions : Labels of several people for the same instances.

    Examples
    --------
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate(), who="Ada")
    >>> event = session.label(1)
    >>> [(each.who, each.n_labels) for each in session.people.all()]
    [('Ada', 1)]
    """

    def __init__(self, recorder: Recorder, lock: RLock) -> None:
        self.lock = lock
        self._recorder = recorder
        self._scheduler, self._state, self._draws = recorder.scheduler, recorder.state, recorder.draws

    @property
    def who(self) -> str | None:
        """The name of the present rater, stored with each further event, or None. It can be set."""
        return self._scheduler.who

    @who.setter
    def who(self, value: str | None) -> None:
        self._scheduler.who = check_who(value)

    @property
    def n_raters(self) -> int:
        """The number of people who are asked about each draw."""
        return self._scheduler.opinions.n_raters

    @property
    def second_opinions(self) -> float:
        """The share of draws, chosen at random by the seed, about which one more person is asked."""
        return self._scheduler.opinions.share

    @property
    def lease_seconds(self) -> float:
        """How long a lease lasts after the rater's last event."""
        return self._scheduler.lease_seconds

    @property
    def n_with_others(self) -> int:
        """The number of unanswered draws leased to other people."""
        people, now = self._state.people, clock.now().timestamp()
        return sum(
            each.to != self.who and not people.is_away(each, now) for each in people.assignments.values()
        )

    def reserve(self) -> int:
        """Lease the next draws to the present rater if few of theirs are left.

        `next` and each answer call it, as does a page when it is opened.

        Returns
        -------
        int
            The number of draws leased; 0 if `who` is not set.

        Raises
        ------
        StoreError
            If the event could not be stored.

        See Also
        --------
        Session.upcoming : The draws leased to the present rater.
        lease_seconds : The duration of a lease.

        Examples
        --------
        >>> store, pool = MemoryStore(), Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99)
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
        >>> ada.people.reserve(), bob.people.reserve()
        (4, 4)
        >>> {each.draw for each in ada.upcoming(9)} & {each.draw for each in bob.upcoming(9)}
        set()
        """
        if self.who is None:
            return 0
        self._recorder.refresh()
        self._count_opinions()
        n_handed_out = 0
        for is_opinion in (True, False):
            if self._to_hand_out(is_opinion):
                try:
                    event = self._recorder.record(lambda is_opinion=is_opinion: self._lease_event(is_opinion))  # type: ignore[misc]
                except _NothingLeftError:
                    continue
                n_handed_out += len(event.draws)
        return n_handed_out

    def is_asked(self, draw: int) -> bool:
        """Return whether a draw was leased to the present rater and they have not answered it.

        This also holds if the lease has run out and the draw was leased to somebody else.

        Parameters
        ----------
        draw : int
            The number of the draw.

        Returns
        -------
        bool
            False if `who` is not set.

        See Also
        --------
        Session.upcoming : The draws to ask about.

        Examples
        --------
        >>> session = Session(Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99), ErrorRate(), who="Ada")
        >>> asked = session.next()
        >>> session.people.is_asked(asked.draw), session.label(1).draw, session.people.is_asked(asked.draw)
        (True, 1, False)
        """
        found = None if self.who is None else self.lease_of(draw)
        if found is None:
            return False
        index, state = found.instance, self._state
        if state.people.has_opinion(index, self.who):
            return False
        if index in state.answers and state.answers[index].who == self.who:
            return False
        return index not in state.deferred or state.deferred[index].who != self.who

    def all(self) -> list[Person]:
        """Return the people who have labeled or got a lease, in the order of their first events.

        Returns
        -------
        list of Person
            Each with their counts.

        See Also
        --------
        who : The present rater.

        Examples
        --------
        >>> session = Session(Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99), ErrorRate(), who="Ada")
        >>> event = session.label(1)
        >>> session.people.who = "Bob"
        >>> event = session.label(1)
        >>> [person.who for person in session.people.all()]
        ['Ada', 'Bob']
        """
        people, now = self._state.people, clock.now().timestamp()
        given: dict[str | None, int] = {}
        for event in people.opinion_events:
            given[event.who] = given.get(event.who, 0) + 1
        return [
            Person(
                who,
                people.n_answers.get(who, 0),
                given.get(who, 0),
                last_seen,
                people.is_here(who, now, self.lease_seconds),
            )
            for who, last_seen in people.last_seen.items()
            if who is not None or people.undoable.get(None)
        ]

    def record_answer(self, build: Callable[[], _AnyEvent]) -> _AnyEvent:
        """Record an answer, and lease the next draws if necessary."""
        event = self._recorder.record(build)
        try:
            self.reserve()
        except StoreError:  # the answer is stored; the next answer leases again
            _logger.exception("the next draws of the session %r could not be leased", self._recorder.name)
        return event

    def lease_of(self, number: int) -> Draw | None:
        """Return the draw of a number if it was leased to the present rater or exported, else None."""
        people = self._state.people
        for assignment in people.assignments.values():
            if assignment.draw == number and (assignment.to in (None, self.who) or self.who is None):
                return Draw(assignment.draw, assignment.instance, assignment.q)
        position = self._draws.n_distinct_before(number) if number >= 1 else 0
        found = self._draws.distinct(position) if number >= 1 else None
        if found is None or found.number != number or self.who is None:
            return None
        return found if self.who in people.assignees.get(found.instance, ()) else None

    def _to_hand_out(self, is_opinion: bool) -> list[Draw]:
        found = self._scheduler.to_lease()
        return found.opinions if is_opinion else found.labels

    def _lease_event(self, is_opinion: bool) -> HandedOut:
        draws = self._to_hand_out(is_opinion)
        if not draws:
            raise _NothingLeftError
        lease = self.lease_seconds
        return self._recorder.handed_out(draws, lease=lease, to=self.who, is_opinion=is_opinion)

    def _count_opinions(self) -> None:
        """Turn opinions into labels where the rater who should give the label is gone."""
        while (draw := self._scheduler.to_count()) is not None:
            try:
                self._recorder.record(lambda draw=draw: self._promotion_event(draw))  # type: ignore[misc]
            except _NothingLeftError:
                return

    def _promotion_event(self, draw: Draw) -> Labeled | Excluded:
        given: GaveOpinion | None = self._state.people.opinions.get(draw.instance, {}).get(self.who)
        if given is None or draw.instance in self._state.answers:
            raise _NothingLeftError
        about: dict[str, Any] = {
            "draw": draw.number,
            "instance": draw.instance,
            "instance_id": given.instance_id,
            "q": draw.q,
            **self._recorder.stamp(),
        }
        if given.value is None:
            return Excluded(reason=given.reason, **about)
        return Labeled(value=given.value, **about)


class _NothingLeftError(Exception):
    """Others have taken the remaining draws meanwhile."""
