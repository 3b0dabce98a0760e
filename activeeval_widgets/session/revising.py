"""What can be done besides answering: change, undo, note, flag, go on, subscribe."""

from threading import RLock
from typing import Any

from activeeval_widgets.session.answering import Answers
from activeeval_widgets.session.arguments import check_text
from activeeval_widgets.session.findings.verdict import check_margin
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import (
    Action,
    Changed,
    Flagged,
    GaveOpinion,
    MarginSet,
    Noted,
    Undone,
    WentOn,
)
from activeeval_widgets.session.people import People
from activeeval_widgets.session.recording import Recorder
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.question import Question


@one_thread_at_a_time
class Revisions:
    """What can be done with answers that were given, or with any instance: `session.revisions`.

    Attributes
    ----------
    lock : threading.RLock
        The session's.

    See Also
    --------
    Answers : What can be done with the present instance.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate())
    >>> event = session.label(1)
    >>> session.revisions.can_undo, session.undo() == event, session.revisions.can_undo
    (True, True, False)
    """

    def __init__(
        self, recorder: Recorder, people: People, answers: Answers, question: Question, lock: RLock
    ) -> None:
        self.lock = lock
        self._recorder, self._people, self._answers = recorder, people, answers
        self._question = question
        self._asking, self._state = recorder.asking, recorder.state
        self._pool, self._labels = recorder.pool, recorder.labels

    def change(self, instance: int, value: Any) -> Changed | None:
        """Give an instance that has a label another one. The label it had stays in the log.

        Parameters
        ----------
        instance : int
            The instance's index in the pool.
        value : scalar or mapping
            As for `label`.

        Returns
        -------
        Changed or None
            The event, stored; None, and nothing is stored, if that is its label already.

        Raises
        ------
        ValueError, TypeError
            If the instance has no label, or `value` is none.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        undo : Take the change back.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> labeled = session.label(0)
        >>> event = session.change(labeled.instance, 1)
        >>> session.log.label_of(labeled.instance), session.n_labels
        (1, 1)
        """
        where = self._recorder.where(instance)
        index = where["instance"]
        self._recorder.label_event(where)
        known = self._state.labels[index]
        checked = self._labels.check(value, index)
        if checked == known:
            return None

        def build() -> Changed:
            answer = self._recorder.label_event(where)
            if self._state.labels[index] != known:
                raise self._recorder.conflict(f"the label of {where['instance_id']!r} is another one now")
            return Changed(value=checked, changed_seq=answer.seq, **where, **self._recorder.stamp())

        return self._recorder.record(build)

    def note(self, text: str, instance: int | None = None) -> Noted | None:
        """Write something down about an instance, in the place of what was there.

        Parameters
        ----------
        text : str
            What, of at most 10,000 characters; "" removes the note.
        instance : int, optional
            The instance's index in the pool; the present one unless given.

        Returns
        -------
        Noted or None
            The event, stored; None, and nothing is stored, if that is its note already.

        Raises
        ------
        ValueError, TypeError
            If the text is none or too long, or there is no such instance.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        flag : Mark an instance, without a text.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> event = session.note("ask Ada about this one", instance=1)
        >>> session.log.notes
        {1: 'ask Ada about this one'}
        """
        check_text("text", text)
        where = self._where(instance)
        known = self._state.notes.get(where["instance"], "")
        if text == known:
            return None

        def build() -> Noted:
            if self._state.notes.get(where["instance"], "") != known:
                raise self._recorder.conflict(f"the note on {where['instance_id']!r} is another one now")
            return Noted(text=text, **where, **self._recorder.stamp())

        return self._recorder.record(build)

    def flag(self, instance: int | None = None, flagged: bool = True) -> Flagged | None:
        """Mark an instance, to find it again; or remove the mark.

        Parameters
        ----------
        instance : int, optional
            The instance's index in the pool; the present one unless given.
        flagged : bool
            False removes the mark.

        Returns
        -------
        Flagged or None
            The event, stored; None, and nothing is stored, if it is so already.

        Raises
        ------
        ValueError, TypeError
            If there is no such instance, or `flagged` is neither True nor False.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        note : Write something down about an instance.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> event = session.flag(1)
        >>> session.log.flags
        {1}
        """
        if not isinstance(flagged, bool):
            raise TypeError(f"flagged must be True or False, got {flagged!r}")
        where = self._where(instance)
        if flagged == (where["instance"] in self._state.flags):
            return None
        return self._recorder.record(lambda: Flagged(flagged=flagged, **where, **self._recorder.stamp()))

    def undo(self) -> Action | GaveOpinion | None:
        """Take back the last of one's own labels, deferrals, exclusions, changes or opinions that stand.

        The draw stays: its instance is asked again, now. Notes and flags stay, too.

        Returns
        -------
        Labeled, Deferred, Excluded, Changed, GaveOpinion or None
            What was taken back; None if there is nothing to take back.

        Raises
        ------
        ValueError
            If somebody else has done something with its instance since.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        change : Give an earlier label another value.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> labeled = session.label(1)
        >>> session.undo() == labeled, session.next().index == labeled.instance
        (True, True)
        """
        action = self._state.to_undo(self._asking.who)
        if action is None:
            return None

        def build() -> Undone:
            if self._state.to_undo(self._asking.who) != action:
                raise self._recorder.conflict("what was to be taken back is not the last any more")
            overruled = self._state.overruled(action)
            if overruled is not None:
                raise ValueError(
                    f"what was said of {action.instance_id!r} can't be taken back: "
                    f"{overruled.who or 'somebody else'} has changed it since"
                )
            return Undone(undone_seq=action.seq, **self._recorder.stamp())

        self._people.record_answer(build)
        return action

    @property
    def can_undo(self) -> bool:
        """Whether there is something that `undo` would take back."""
        return self.last_action is not None

    @property
    def last_action(self) -> Action | GaveOpinion | None:
        """What `undo` would take back: the last of one's own that stands; None if there is nothing."""
        return self._state.to_undo(self._asking.who)

    def lift_budget(self) -> WentOn | None:
        """Ask for more labels than the budget: for as many as there are.

        It is kept in the log: opened again with this budget or a smaller one, the session goes on, too. A
        larger budget counts again.

        Returns
        -------
        WentOn or None
            The event, stored; None, and nothing is stored, if there is no budget.

        Raises
        ------
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        Answers.budget : The number of labels to ask for.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate(), budget=1)
        >>> labeled = session.label(1)
        >>> session.is_done
        True
        >>> event = session.revisions.lift_budget()
        >>> session.is_done, session.budget
        (False, None)
        """
        if self._asking.budget is None:
            return None
        budget = self._asking.budget
        return self._recorder.record(lambda: WentOn(budget=budget, **self._recorder.stamp()))

    def declare_margin(self, margin: float | None) -> MarginSet | None:
        """Say which difference of two models is too small to matter: smaller ones end the comparison, too.

        It can be said and changed at any time, with the labels in view: the interval holds at all numbers of
        labels at once, so that no verdict by it is ever wrong but with probability 1 − its level, whatever
        the margins. It is kept in the log with the number of labels there were, and the report tells it.

        Parameters
        ----------
        margin : float or None
            In the measure's unit: 0.01 is one percentage point. None: every difference matters.

        Returns
        -------
        MarginSet or None
            The event, stored; None, and nothing is stored, if that is the margin already.

        Raises
        ------
        ValueError, TypeError
            If it is no positive finite number, or the session does not compare two models.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        Session.verdict : Which is better, or that they differ by less than the margin.
        SessionLog.margin : What counts now.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1]] * 3}
        >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
        >>> event = session.revisions.declare_margin(0.02)
        >>> session.log.margin, session.log.declared_margins[0].n_labels
        (0.02, 0)
        """
        value = check_margin(margin)
        self._question.expect(Difference, "a margin")
        if value == (self._state.margins[-1].value if self._state.margins else None):
            return None
        return self._recorder.record(lambda: MarginSet(margin=value, **self._recorder.stamp()))

    def _where(self, instance: int | None) -> dict[str, Any]:
        """What an event about an instance holds; the present one unless given."""
        if instance is not None:
            return self._recorder.where(instance)
        present = self._answers.next()
        if present is None:
            raise ValueError(f"the session {self._recorder.name!r} is done: say which instance is meant")
        return self._recorder.where(present.index)
