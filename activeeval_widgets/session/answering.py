"""Asks for the next instance and records its answer."""

from threading import RLock
from typing import Any

from activeeval_widgets.session import clock
from activeeval_widgets.session.arguments import check_budget, check_seconds, check_text
from activeeval_widgets.session.draws.scheduler import DrawnInstance
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import (
    AskedAgain,
    Deferred,
    Excluded,
    GaveOpinion,
    Labeled,
)
from activeeval_widgets.session.people import People
from activeeval_widgets.session.recorder import Recorder
from activeeval_widgets.stats._validation import check_count

_NOT_EXCLUDED = "has a label, and is asked again because the guidelines have changed: label it, or defer it"


@one_thread_at_a_time
class Answers:
    """The next instance and its answer: `session.answers`.

    Every call checks its arguments, then stores the event, and only then applies it: a call that raises an
    error has changed nothing.

    Attributes
    ----------
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    Revisions : Changes to earlier answers.

    Examples
    --------
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate(), budget=2)
    >>> while not session.answers.is_done:
    ...     event = session.answers.label(0)
    >>> session.n_labels
    2
    """

    def __init__(self, recorder: Recorder, people: People, lock: RLock) -> None:
        self.lock = lock
        self._recorder, self._people = recorder, people
        self._scheduler, self._state = recorder.scheduler, recorder.state
        self._pool, self._labels = recorder.pool, recorder.labels

    @property
    def budget(self) -> int | None:
        """The number of labels to ask for; None asks until the whole pool is labeled.

        It can be set at any time and is not stored. `Revisions.lift_budget` is stored.
        """
        return self._scheduler.budget

    @budget.setter
    def budget(self, value: int | None) -> None:
        self._scheduler.budget = check_budget(value)

    @property
    def is_done(self) -> bool:
        """Whether no question is left: the budget or the pool is used up, or other people hold the rest."""
        scheduler = self._scheduler
        return not scheduler.upcoming(1) and (scheduler.who is None or not any(scheduler.to_lease()))

    def next(self) -> DrawnInstance | None:
        """Return the instance to ask about: the same one until it is answered, None when the session is done.

        If `who` is set, the draw is leased to that person, so that nobody else is asked about it.

        See Also
        --------
        upcoming : The next few instances.
        label, defer, exclude : The possible answers.

        Examples
        --------
        >>> asked = session.next()
        >>> asked.draw, session.pool.instances[asked.index] in ["a", "b", "c"]
        (1, True)
        """
        present = self._present()
        return None if present is None else self._with_ids([present])[0]

    def upcoming(self, n: int) -> list[DrawnInstance]:
        """Return the next `n` instances to ask about, assuming that each gets a label; fewer at the end.

        If `who` is set, these are the draws leased to that person; see `People.reserve`.

        Parameters
        ----------
        n : int
            The number of instances.

        Raises
        ------
        ValueError, TypeError
            If `n` is not a nonnegative integer.

        See Also
        --------
        next : The first of these instances.

        Examples
        --------
        >>> sorted(asked.instance_id for asked in session.upcoming(5))
        ['0', '1', '2']
        """
        return self._with_ids(self._scheduler.upcoming(check_count("n", n)))

    def label(
        self,
        value: Any,
        *,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Labeled | GaveOpinion | AskedAgain:
        """Label the present instance.

        Parameters
        ----------
        value : scalar or mapping
            One of the classes of the predictions, a number, or for rankings a grade for each item of the
            list, None where the item can't be judged (see `GradeLabels`).
        draw : int, optional
            The number of the draw that the label belongs to. It has to be the present draw, or one that was
            leased to this person or deferred.
        seconds : float, optional
            How long the instance was on screen, without idle time.
        first_key_seconds : float, optional
            How long it took until the first key was pressed.

        Returns
        -------
        Labeled, GaveOpinion or AskedAgain
            The stored event. It is `AskedAgain` if the instance has a label from before the present
            guidelines, which this one replaces. It is an opinion if an opinion was asked for, or if the lease
            ran out and somebody else has answered meanwhile: then their label counts, and this one is kept
            beside it.

        Raises
        ------
        ValueError, TypeError
            If `value` is not a label of the instance, the session is done, or `draw` can't be answered.
        SessionConflictError
            If the same person has answered the draw already, for example in another tab.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        Session.change : Replace a label.
        Session.undo : Withdraw the last label.
        defer, exclude : Answers without a label.

        Examples
        --------
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

        def build() -> Labeled | GaveOpinion | AskedAgain:
            if self._scheduler.is_again(asked.instance):
                return _asked_again(self._recorder, asked.instance, checked, times["seconds"])
            about = self._draw_fields(asked, times)
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
        on_sheet: Any = None,
    ) -> Deferred:
        """Defer the present instance: it is asked again later, and the estimate ignores it until then.

        Parameters
        ----------
        draw, seconds, first_key_seconds
            See `label`.
        on_sheet : scalar, optional
            The label that it got on a sheet, if it is asked again by itself to compare (see `Sheets`).

        Returns
        -------
        Deferred
            The stored event.

        Raises
        ------
        ValueError, TypeError
            If the session is done, or `draw` can't be answered.
        SessionConflictError
            See `label`.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        exclude : Declare that an instance can't be labeled.

        Examples
        --------
        >>> first = session.defer()
        >>> session.log.n_deferred, session.next().index != first.instance
        (1, True)
        """
        asked = self._asked(draw)
        times = _times(seconds, first_key_seconds)
        checked = None if on_sheet is None else self._labels.check(on_sheet, asked.instance)

        def build() -> Deferred:
            about = self._draw_fields(asked, times)
            is_due = self._is_opinion_due(asked) or self._scheduler.is_again(asked.instance)
            if asked.instance in self._state.answers and not is_due:
                raise self._recorder.answered_already(asked.number)
            return Deferred(on_sheet=checked, **about)

        return self._people.record_answer(build)

    def exclude(
        self,
        *,
        reason: str | None = None,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Excluded | GaveOpinion:
        """Exclude the present instance because it can't be labeled. The estimand then leaves it out.

        Parameters
        ----------
        reason : str, optional
            The reason, at most 10,000 characters.
        draw, seconds, first_key_seconds
            See `label`.

        Returns
        -------
        Excluded or GaveOpinion
            The stored event; an opinion in the cases named at `label`.

        Raises
        ------
        ValueError, TypeError
            If the reason is not a string or is too long, the session is done, or `draw` can't be answered.
        SessionConflictError
            See `label`.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        defer : Answer an instance later.

        Examples
        --------
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
        if self._scheduler.is_again(asked.instance):
            raise ValueError(f"instance {asked.instance} {_NOT_EXCLUDED}")
        times = _times(seconds, first_key_seconds)

        def build() -> Excluded | GaveOpinion:
            about = self._draw_fields(asked, times)
            if not self._is_opinion(asked):
                return Excluded(reason=reason, **about)
            return GaveOpinion(reason=reason, is_asked=self._is_opinion_due(asked), **about)

        return self._people.record_answer(build)

    def _present(self) -> Draw | None:
        """Return the draw to ask about; if there is none, lease the next ones first."""
        present = next(iter(self._scheduler.upcoming(1)), None)
        if present is None and self._scheduler.who is not None:
            self._people.reserve()
            present = next(iter(self._scheduler.upcoming(1)), None)
        return present

    def _with_ids(self, draws: list[Draw]) -> list[DrawnInstance]:
        return [DrawnInstance(number, index, self._pool.ids[index], q) for number, index, q in draws]

    def _asked(self, draw: int | None) -> Draw:
        """Return the draw that an answer belongs to."""
        if self._scheduler.who is not None:
            self._recorder.refresh()
        present = self._present()
        if present is not None and draw in (None, present.number):
            return present
        lease = None if draw is None else self._people.lease_of(draw)
        if lease is not None:
            return lease
        if draw is not None and (again := self._scheduler.find_beside_again(draw)) is not None:
            return again
        for index, aside in self._state.deferred.items():
            if (
                aside.draw == draw and aside.who == self._scheduler.who
            ):  # deferred meanwhile, for example in another tab
                return Draw(aside.draw, index, aside.q)
        if draw is not None and any(getattr(done, "draw", None) == draw for done in self._state.actions):
            raise self._recorder.answered_already(draw)
        if present is None:
            raise ValueError(f"the session {self._recorder.name!r} is done: there is no instance to answer")
        raise ValueError(f"draw is {draw}, but the session asks about draw {present.number}: answer that one")

    def _is_opinion(self, asked: Draw) -> bool:
        """Return whether an answer would be an opinion rather than the label that counts."""
        people, index = self._state.people, asked.instance
        answer = self._state.answers.get(index)
        if answer is not None:
            if (
                self._scheduler.who is None
                or answer.who == self._scheduler.who
                or people.has_opinion(index, self._scheduler.who)
            ):
                raise self._recorder.answered_already(asked.number)
            return True
        assignment = self._state.assignments.get(index)
        if self._scheduler.who is None or (assignment is not None and assignment.to == self._scheduler.who):
            return False
        is_others = assignment is not None and assignment.to is not None
        if is_others and assignment is not None and people.is_away(assignment, clock.now().timestamp()):
            is_others = False
        if not is_others and not self._is_opinion_due(asked):
            return False
        if people.has_opinion(index, self._scheduler.who):
            raise self._recorder.answered_already(asked.number)
        return True

    def _is_opinion_due(self, asked: Draw) -> bool:
        return self._state.people.is_opinion_due(asked.instance, self._scheduler.who)

    def _draw_fields(self, asked: Draw, times: dict[str, float | None]) -> dict[str, Any]:
        """Return the fields of an event about a draw."""
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


def _asked_again(recorder: Recorder, instance: int, value: Any, seconds: float | None) -> AskedAgain:
    """Return the event of a label that was asked for again."""
    where = recorder.where(instance)
    changed_seq, stamp = recorder.label_event(where).seq, recorder.stamp()
    return AskedAgain(value=value, changed_seq=changed_seq, seconds=seconds, **where, **stamp)
