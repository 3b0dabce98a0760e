"""Several people at one session: what others did, and who is asked about which draw."""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from activeeval_widgets.session import clock
from activeeval_widgets.session.arguments import check_who
from activeeval_widgets.session.draws.asking import Asking
from activeeval_widgets.session.errors import SessionConflictError, StoreError
from activeeval_widgets.session.findings.judge import Judged
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import AnyEvent, Excluded, GaveOpinion, HandedOut, Labeled
from activeeval_widgets.session.recording import Recorder

_logger = logging.getLogger(__name__)

_AnyEvent = TypeVar("_AnyEvent", bound=AnyEvent)


class Person(NamedTuple):
    """Somebody who labels, and what he has done.

    Attributes
    ----------
    who : str or None
        The name; None: whoever is not named.
    n_labels : int
        Labels and exclusions that stand.
    n_opinions : int
        Opinions besides labels.
    last_seen : str
        The time of the last event: ISO 8601, UTC.
    is_here : bool
        Whether that is not longer ago than draws are kept for somebody.

    See Also
    --------
    Session.people : Gives these.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> pool = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
    >>> session = Session(pool, ErrorRate(), who="Ada")
    >>> event = session.label(1)
    >>> [(person.who, person.n_labels, person.is_here) for person in session.people()]
    [('Ada', 1, True)]
    """

    who: str | None
    n_labels: int
    n_opinions: int
    last_seen: str
    is_here: bool


class Sharing(Judged):
    """A session's evaluation, and what it takes for several people to label at once.

    Where somebody is named, draws are handed to him for some time, so that each is answered once. This is in
    the log, as all that happens is: so it holds in every store, and after a restart.
    """

    _asking: Asking
    _recorder: Recorder

    @property
    def who(self) -> str | None:
        """Who labels here, as every event from now on says; None: nobody is named. Can be set."""
        return self._asking.who

    @who.setter
    def who(self, value: str | None) -> None:
        self._asking.who = check_who(value)

    @property
    def n_raters(self) -> int:
        """How many people are asked about each draw."""
        return self._asking.opinions.n_raters

    @property
    def second_opinions(self) -> float:
        """The share of the draws, chosen at random by the seed, about which one more is asked."""
        return self._asking.opinions.share

    @property
    def lease_seconds(self) -> float:
        """How long draws stay with somebody of whom nothing is heard."""
        return self._asking.lease_seconds

    @property
    def n_with_others(self) -> int:
        """How many draws others have that are not answered yet."""
        people, now = self.log.state.people, clock.now().timestamp()
        return sum(
            each.to != self.who and not people.is_away(each, now) for each in people.handed_out.values()
        )

    def refresh(self) -> int:
        """Take in what others have stored in this session: in other tabs, or at other machines.

        Whatever is done here takes it in, too, where it matters.

        Returns
        -------
        int
            How many events there were.

        Raises
        ------
        StoreError
            If the store can't be read.

        See Also
        --------
        subscribe : Have a function called with each of them.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
        >>> pool, store = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), MemoryStore()
        >>> here, there = (Session(pool, ErrorRate(), store=store) for _ in range(2))
        >>> event = there.label(1)
        >>> here.n_labels, here.refresh(), here.n_labels
        (0, 1, 1)
        """
        return self._recorder.refresh()

    def reserve(self) -> int:
        """Have the next draws handed to the person who labels here, where he has few left.

        `next` and each answer see to it; a page that is opened does.

        Returns
        -------
        int
            How many were handed to him; 0 where nobody is named.

        Raises
        ------
        StoreError
            If that could not be stored.

        See Also
        --------
        upcoming : What was handed to him.
        lease_seconds : For how long.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
        >>> store, pool = MemoryStore(), Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99)
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
        >>> ada.reserve(), bob.reserve()
        (4, 4)
        >>> {each.draw for each in ada.upcoming(9)} & {each.draw for each in bob.upcoming(9)}
        set()
        """
        if self.who is None:
            return 0
        self.refresh()
        self._count_opinions()
        n_handed_out = 0
        for is_opinion in (True, False):
            if self._to_hand_out(is_opinion):
                try:
                    event = self._recorder.record(lambda is_opinion=is_opinion: self._handing_out(is_opinion))  # type: ignore[misc]
                except _NothingLeftError:
                    continue
                n_handed_out += len(event.draws)
        return n_handed_out

    def is_asked(self, draw: int) -> bool:
        """Whether a draw was handed to the person who labels here, and he has not answered it.

        Also where it was handed on since, as much time had passed.

        Parameters
        ----------
        draw : int
            Its number.

        Returns
        -------
        bool
            False where nobody is named.

        See Also
        --------
        upcoming : What he is asked about.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> session = Session(Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99), ErrorRate(), who="Ada")
        >>> asked = session.next()
        >>> session.is_asked(asked.draw), session.label(1).draw, session.is_asked(asked.draw)
        (True, 1, False)
        """
        found = None if self.who is None else self._handed_out(draw)
        if found is None:
            return False
        index, state = found.instance, self.log.state
        if state.people.has_opinion(index, self.who):
            return False
        if index in state.answers and state.answers[index].who == self.who:
            return False
        return index not in state.waiting or state.waiting[index].who != self.who

    def people(self) -> list[Person]:
        """Those who have labeled, or begun to, in the order in which they came.

        Returns
        -------
        list of Person
            With what each has done.

        See Also
        --------
        who : Who labels here.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> session = Session(Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99), ErrorRate(), who="Ada")
        >>> event = session.label(1)
        >>> session.who = "Bob"
        >>> event = session.label(1)
        >>> [person.who for person in session.people()]
        ['Ada', 'Bob']
        """
        people, now = self.log.state.people, clock.now().timestamp()
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
            if who is not None or people.own.get(None)
        ]

    # -- what an answer is

    def _answer(self, build: Callable[[], _AnyEvent]) -> _AnyEvent:
        """Record an answer, and see to it that there is something to be asked next."""
        event = self._recorder.record(build)
        try:
            self.reserve()
        except StoreError:  # the answer is stored: what comes next is handed out with the next one
            _logger.exception("the next draws of the session %r could not be handed out", self.name)
        return event

    def _handed_out(self, number: int) -> Draw | None:
        """The draw of a number, if it was handed to the person who labels here, or to whoever answers it."""
        people = self.log.state.people
        for holding in people.handed_out.values():
            if holding.draw == number and (holding.to in (None, self.who) or self.who is None):
                return Draw(holding.draw, holding.instance, holding.q)
        position = self.draws.source.n_distinct_before(number) if number >= 1 else 0
        found = self.draws.source.distinct(position) if number >= 1 else None
        if found is None or found.number != number or self.who is None:
            return None
        return found if self.who in people.held.get(found.instance, ()) else None

    def _is_opinion(self, asked: Draw) -> bool:
        """Whether an answer would be an opinion, and not the label that counts."""
        people, index = self.log.state.people, asked.instance
        answer = self.log.state.answers.get(index)
        if answer is not None:
            if self.who is None or answer.who == self.who or people.has_opinion(index, self.who):
                raise self._answered_already(asked.number)
            return True
        holding = self.log.state.handed_out.get(index)
        if self.who is None or (holding is not None and holding.to == self.who):
            return False
        is_others = holding is not None and holding.to is not None
        if is_others and holding is not None and people.is_away(holding, clock.now().timestamp()):
            is_others = False
        if not is_others and not self._is_opinion_due(asked):
            return False
        if people.has_opinion(index, self.who):
            raise self._answered_already(asked.number)
        return True

    def _is_opinion_due(self, asked: Draw) -> bool:
        return self.log.state.people.is_opinion_due(asked.instance, self.who)

    def _answered_already(self, draw: int) -> SessionConflictError:
        return SessionConflictError(
            f"the session {self.name!r} was continued elsewhere (in another tab or program): draw {draw} is "
            "answered there, and that answer stays"
        )

    # -- what is handed out

    def _to_hand_out(self, is_opinion: bool) -> list[Draw]:
        found = self._asking.to_hand_out()
        return found.opinions if is_opinion else found.labels

    def _handing_out(self, is_opinion: bool) -> HandedOut:
        draws = self._to_hand_out(is_opinion)
        if not draws:
            raise _NothingLeftError
        stamp: dict[str, Any] = self._recorder.stamp()
        return HandedOut(
            draws=[draw.number for draw in draws],
            instances=[draw.instance for draw in draws],
            q=[draw.q for draw in draws],
            to=self.who,
            until=clock.as_text(clock.now(), later=self.lease_seconds),
            is_opinion=is_opinion,
            **stamp,
        )

    def _count_opinions(self) -> None:
        """Let opinions count as labels where those who were to give them are gone."""
        while (draw := self._asking.to_count()) is not None:
            try:
                self._recorder.record(lambda draw=draw: self._counting(draw))  # type: ignore[misc]
            except _NothingLeftError:
                return

    def _counting(self, draw: Draw) -> Labeled | Excluded:
        given: GaveOpinion | None = self.log.state.people.opinions.get(draw.instance, {}).get(self.who)
        if given is None or draw.instance in self.log.state.answers:
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
    """Others have done meanwhile what was to be done."""
