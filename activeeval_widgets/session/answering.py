"""Asking for the next instance, and answering it."""

from itertools import islice
from threading import RLock
from typing import Any

from activeeval_widgets.session import clock
from activeeval_widgets.session.arguments import check_budget, check_seconds, check_text
from activeeval_widgets.session.draws.asking import DrawnInstance
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import Deferred, Excluded, GaveOpinion, Labeled
from activeeval_widgets.session.people import People
from activeeval_widgets.session.recording import Recorder
from activeeval_widgets.stats._validation import check_count


@one_thread_at_a_time
class Answers:
    """Asking for the next instance, and answering it: `session.answers`.

    Whatever is done is checked first, then stored, then it counts: what raises an error has changed nothing.

    Attributes
    ----------
    lock : threading.RLock
        The session's.

    See Also
    --------
    Revisions : What can be done with answers that were given.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate(), budget=2)
    >>> while not session.answers.is_done:
    ...     event = session.answers.label(0)
    >>> session.n_labels
    2
    """

    def __init__(self, recorder: Recorder, people: People, lock: RLock) -> None:
        self.lock = lock
        self._recorder, self._people = recorder, people
        self._asking, self._state = recorder.asking, recorder.state
        self._pool, self._labels = recorder.pool, recorder.labels

    @property
    def budget(self) -> int | None:
        """The number of labels to ask for; None: until the whole pool is labeled.

        It can be set at any time, for as long as the session is open. `Revisions.lift_budget` is remembered.
        """
        return self._asking.budget

    @budget.setter
    def budget(self, value: int | None) -> None:
        self._asking.budget = check_budget(value)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to ask: the budget or the pool is spent, or others have the rest."""
        return not self.upcoming(1) and (self._asking.who is None or not any(self._asking.to_hand_out()))

    def next(self) -> DrawnInstance | None:
        """The instance to be asked about: the same until it is answered; None when the session is done.

        Where somebody is named (`who`), it is handed to him, so that nobody else is asked about it.

        See Also
        --------
        upcoming : Those after it, too.
        label, defer, exclude : The answers it can get.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> asked = session.next()
        >>> asked.draw, session.pool.instances[asked.index] in ["a", "b", "c"]
        (1, True)
        """
        present = next(iter(self.upcoming(1)), None)
        if present is None and self._asking.who is not None:
            self._people.reserve()
            present = next(iter(self.upcoming(1)), None)
        return present

    def upcoming(self, n: int) -> list[DrawnInstance]:
        """The next `n` instances to be asked about, if each gets a label; fewer at the end.

        Where somebody is named, those that were handed to him; see `People.reserve`.

        Parameters
        ----------
        n : int
            How many.

        Raises
        ------
        ValueError, TypeError
            If `n` is no count.

        See Also
        --------
        next : The first of them.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> sorted(asked.instance_id for asked in session.upcoming(5))
        ['0', '1', '2']
        """
        asked = islice(self._asking.upcoming(), check_count("n", n))
        return [DrawnInstance(draw, index, self._pool.ids[index], q) for draw, index, q in asked]

    def label(
        self,
        value: Any,
        *,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Labeled | GaveOpinion:
        """Give the present instance its label.

        Parameters
        ----------
        value : scalar or mapping
            One of the predictions' classes; or a number; or for rankings the grade of each item of the
            instance's list, None where it can't be judged (see `GradeLabels`).
        draw : int, optional
            The number of the draw that the label is meant for; refused if it is not the present one, nor was
            handed out or put aside.
        seconds : float, optional
            How long the instance was on screen, idle time left out.
        first_key_seconds : float, optional
            How long until the first key was pressed.

        Returns
        -------
        Labeled or GaveOpinion
            The event, stored. An opinion where it was asked for one; or where somebody else has answered
            meanwhile, as too much time had passed: his label counts, and this one is kept beside it.

        Raises
        ------
        ValueError, TypeError
            If it is no label of the instance, the session is done, or `draw` is not the present one.
        SessionConflictError
            If the draw was answered already by the same person: in another tab, say.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        Session.change : Give an instance that has a label another one.
        Session.undo : Take the label back.
        defer, exclude : Answers without a label.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]], classes=["ham", "spam"])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> session.label("spam", seconds=1.5).value
        'spam'
        >>> session.label("eggs")
        Traceback (most recent call last):
        ValueError: label is 'eggs', expected one of the classes ['ham', 'spam']
        >>> session.n_labels
        1
        """
        asked = self._asked(draw)
        checked = self._labels.check(value, asked.instance)
        times = _times(seconds, first_key_seconds)

        def build() -> Labeled | GaveOpinion:
            about = self._about(asked, times)
            is_opinion = self._is_opinion(asked)
            if not is_opinion:
                return Labeled(value=checked, **about)
            return GaveOpinion(value=checked, is_asked=self._is_opinion_due(asked), **about)

        return self._people.record_answer(build)

    def defer(
        self,
        *,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Deferred:
        """Put the present instance aside. It is asked again later, and the estimate leaves it out until then.

        Parameters
        ----------
        draw, seconds, first_key_seconds
            As for `label`.

        Returns
        -------
        Deferred
            The event, stored.

        Raises
        ------
        ValueError, TypeError
            If the session is done, or `draw` is not the present one.
        SessionConflictError
            As for `label`.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        exclude : For an instance that can't be labeled at all.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> first = session.defer()
        >>> session.log.n_deferred, session.next().index != first.instance
        (1, True)
        """
        asked = self._asked(draw)
        times = _times(seconds, first_key_seconds)

        def build() -> Deferred:
            about = self._about(asked, times)
            if asked.instance in self._state.answers and not self._is_opinion_due(asked):
                raise self._recorder.answered_already(asked.number)
            return Deferred(**about)

        return self._people.record_answer(build)

    def exclude(
        self,
        *,
        reason: str | None = None,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Excluded | GaveOpinion:
        """Declare that the present instance can't be labeled; the measure becomes one of what can be.

        Parameters
        ----------
        reason : str, optional
            Why, in at most 10,000 characters.
        draw, seconds, first_key_seconds
            As for `label`.

        Returns
        -------
        Excluded or GaveOpinion
            The event, stored; an opinion as for `label`.

        Raises
        ------
        ValueError, TypeError
            If the reason is no text or too long, the session is done, or `draw` is not the present one.
        SessionConflictError
            As for `label`.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        defer : For an instance that is to be answered later.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", ""], predictions=model), ErrorRate())
        >>> session.exclude(reason="an empty text").reason
        'an empty text'
        >>> session.log.n_excluded, session.n_labels
        (1, 0)
        """
        if reason is not None:
            check_text("reason", reason)
        asked = self._asked(draw)
        times = _times(seconds, first_key_seconds)

        def build() -> Excluded | GaveOpinion:
            about = self._about(asked, times)
            if not self._is_opinion(asked):
                return Excluded(reason=reason, **about)
            return GaveOpinion(reason=reason, is_asked=self._is_opinion_due(asked), **about)

        return self._people.record_answer(build)

    def _asked(self, draw: int | None) -> Draw:
        """The draw that an answer is about."""
        if self._asking.who is not None:
            self._recorder.refresh()
        present = self.next()
        if present is not None and draw in (None, present.draw):
            return Draw(present.draw, present.index, present.q)
        handed_out = None if draw is None else self._people.lease_of(draw)
        if handed_out is not None:
            return handed_out
        for index, aside in self._state.waiting.items():
            if (
                aside.draw == draw and aside.who == self._asking.who
            ):  # put aside meanwhile, in another tab, say
                return Draw(aside.draw, index, aside.q)
        if draw is not None and any(getattr(done, "draw", None) == draw for done in self._state.actions):
            raise self._recorder.answered_already(draw)
        if present is None:
            raise ValueError(f"the session {self._recorder.name!r} is done: there is no instance to answer")
        raise ValueError(f"draw is {draw}, but the session asks about draw {present.draw}: answer that one")

    def _is_opinion(self, asked: Draw) -> bool:
        """Whether an answer would be an opinion, and not the label that counts."""
        people, index = self._state.people, asked.instance
        answer = self._state.answers.get(index)
        if answer is not None:
            if (
                self._asking.who is None
                or answer.who == self._asking.who
                or people.has_opinion(index, self._asking.who)
            ):
                raise self._recorder.answered_already(asked.number)
            return True
        holding = self._state.handed_out.get(index)
        if self._asking.who is None or (holding is not None and holding.to == self._asking.who):
            return False
        is_others = holding is not None and holding.to is not None
        if is_others and holding is not None and people.is_away(holding, clock.now().timestamp()):
            is_others = False
        if not is_others and not self._is_opinion_due(asked):
            return False
        if people.has_opinion(index, self._asking.who):
            raise self._recorder.answered_already(asked.number)
        return True

    def _is_opinion_due(self, asked: Draw) -> bool:
        return self._state.people.is_opinion_due(asked.instance, self._asking.who)

    def _about(self, asked: Draw, times: dict[str, float | None]) -> dict[str, Any]:
        """What an event about a draw holds."""
        return {
            "draw": asked.number,
            "instance": asked.instance,
            "instance_id": self._pool.ids[asked.instance],
            "q": asked.q,
            **times,
            **self._recorder.stamp(),
        }


def _times(seconds: float | None, first_key_seconds: float | None) -> dict[str, float | None]:
    return {
        "seconds": check_seconds("seconds", seconds),
        "first_key_seconds": check_seconds("first_key_seconds", first_key_seconds),
    }
