"""Changes to earlier answers: change, undo, note, flag, lift the budget, declare a margin."""

from threading import RLock
from typing import Any

from activeeval_widgets.session.answering import Answers
from activeeval_widgets.session.arguments import check_text
from activeeval_widgets.session.findings.guidelines import labels_to_ask_again
from activeeval_widgets.session.findings.verdict import check_margin
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import (
    Action,
    BudgetLifted,
    Changed,
    Flagged,
    GaveOpinion,
    GuidelinesSet,
    MarginSet,
    Noted,
    Undone,
)
from activeeval_widgets.session.people import People
from activeeval_widgets.session.recorder import Recorder
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.question import Question


@one_thread_at_a_time
class Revisions:
    """Changes to earlier answers, notes and flags: `session.revisions`.

    Attributes
    ----------
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    Answers : Answer the present instance.

    Examples
    --------
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
        self._scheduler, self._state = recorder.scheduler, recorder.state
        self._pool, self._labels = recorder.pool, recorder.labels

    def change(self, instance: int, value: Any) -> Changed | None:
        """Replace the label of an instance. The earlier label stays in the log.

        Parameters
        ----------
        instance : int
            The instance's index in the pool.
        value : scalar or mapping
            A label, as for `Session.label`.

        Returns
        -------
        Changed or None
            The stored event; None, without an event, if the instance has this label already.

        Raises
        ------
        ValueError, TypeError
            If the instance has no label, or `value` is not a label.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        undo : Withdraw the change.

        Examples
        --------
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

        return self._recorder.record(lambda: self._recorder.changed(Changed, where, known, checked))

    def note(self, text: str, instance: int | None = None) -> Noted | None:
        """Attach a note to an instance, replacing an earlier one.

        Parameters
        ----------
        text : str
            At most 10,000 characters; "" removes the note.
        instance : int, optional
            The instance's index in the pool; the present one by default.

        Returns
        -------
        Noted or None
            The stored event; None, without an event, if the instance has this note already.

        Raises
        ------
        ValueError, TypeError
            If the text is not a string or is too long, or there is no such instance.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        flag : Mark an instance without a text.

        Examples
        --------
        >>> event = session.note("ask Ada about this one", instance=1)
        >>> session.log.notes
        {1: 'ask Ada about this one'}
        """
        check_text("text", text)
        where = self._instance_fields(instance)
        known = self._state.notes.get(where["instance"], "")
        if text == known:
            return None

        def build() -> Noted:
            if self._state.notes.get(where["instance"], "") != known:
                raise self._recorder.conflict(f"the note on {where['instance_id']!r} has changed")
            return Noted(text=text, **where, **self._recorder.stamp())

        return self._recorder.record(build)

    def flag(self, instance: int | None = None, flagged: bool = True) -> Flagged | None:
        """Flag an instance, to find it again, or remove the flag.

        Parameters
        ----------
        instance : int, optional
            The instance's index in the pool; the present one by default.
        flagged : bool
            If False, remove the flag.

        Returns
        -------
        Flagged or None
            The stored event; None, without an event, if nothing changes.

        Raises
        ------
        ValueError, TypeError
            If there is no such instance, or `flagged` is neither True nor False.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        note : Attach a note to an instance.

        Examples
        --------
        >>> event = session.flag(1)
        >>> session.log.flags
        {1}
        """
        if not isinstance(flagged, bool):
            raise TypeError(f"flagged must be True or False, got {flagged!r}")
        where = self._instance_fields(instance)
        if flagged == (where["instance"] in self._state.flags):
            return None
        return self._recorder.record(lambda: Flagged(flagged=flagged, **where, **self._recorder.stamp()))

    def undo(self) -> Action | GaveOpinion | None:
        """Undo the present rater's last label, deferral, exclusion, change or opinion.

        The draw stays: its instance is asked again at once. Notes and flags stay, too.

        Returns
        -------
        Labeled, Deferred, Excluded, Changed, GaveOpinion or None
            The event that was undone; None if there is nothing to undo.

        Raises
        ------
        ValueError
            If somebody else has changed the instance's label since.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        change : Replace an earlier label.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> session.undo() == labeled, session.next().index == labeled.instance
        (True, True)
        """
        action = self._state.undoable_action(self._scheduler.who)
        if action is None:
            return None

        def build() -> Undone:
            if self._state.undoable_action(self._scheduler.who) != action:
                raise self._recorder.conflict("the event to undo is no longer the last one")
            overruled = self._state.overruled(action)
            if overruled is not None:
                raise ValueError(
                    f"the answer for {action.instance_id!r} can't be undone: "
                    f"{overruled.who or 'somebody else'} has changed it since"
                )
            return Undone(undone_seq=action.seq, **self._recorder.stamp())

        self._people.record_answer(build)
        return action

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self.last_action is not None

    @property
    def last_action(self) -> Action | GaveOpinion | None:
        """The event that `undo` would undo; None if there is none."""
        return self._state.undoable_action(self._scheduler.who)

    def lift_budget(self) -> BudgetLifted | None:
        """Remove the budget, so that labels are asked for until the pool is exhausted.

        This is stored: if the session is opened again with this budget or a smaller one, it continues without
        a budget. A larger budget applies again.

        Returns
        -------
        BudgetLifted or None
            The stored event; None, without an event, if there is no budget.

        Raises
        ------
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        Answers.budget : The number of labels to ask for.

        Examples
        --------
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate(), budget=1)
        >>> labeled = session.label(1)
        >>> session.is_done
        True
        >>> event = session.revisions.lift_budget()
        >>> session.is_done, session.budget
        (False, None)
        """
        if self._scheduler.budget is None:
            return None
        budget = self._scheduler.budget
        return self._recorder.record(lambda: BudgetLifted(budget=budget, **self._recorder.stamp()))

    def declare_margin(self, margin: float | None) -> MarginSet | None:
        """Declare which difference of two models is too small to matter. A smaller one ends the comparison.

        The margin can be declared and changed at any time, even after looking at the labels: the confidence
        sequence holds at all numbers of labels at once, so that with probability at least the confidence
        level no verdict is ever wrong, whatever the margins. The log stores the margin with the number of
        labels at that time, and the report states it.

        Parameters
        ----------
        margin : float or None
            In the measure's unit: 0.01 is one percentage point. If None, every difference matters.

        Returns
        -------
        MarginSet or None
            The stored event; None, without an event, if this is the margin already.

        Raises
        ------
        ValueError, TypeError
            If the margin is not a positive finite number, or the session does not compare two models.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        Session.verdict : Which model is better, or whether they differ by less than the margin.
        SessionLog.margin : The present margin.

        Examples
        --------
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

    def declare_guidelines(self, text: str) -> GuidelinesSet | None:
        """Declare the guidelines by which labels are given from now on.

        If others were declared before, a fifth of the labels, but 10 to 40, are asked again among the next
        instances, without showing the earlier label: see `Findings.guidelines`. Pages declare theirs.

        Parameters
        ----------
        text : str
            The guidelines. Another layout of the same words changes nothing.

        Returns
        -------
        GuidelinesSet or None
            The stored event; None, without an event, if these are the guidelines already.

        Raises
        ------
        ValueError, TypeError
            If the text is not a string, or blank.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        Findings.guidelines : How many labels would be others.

        Examples
        --------
        >>> session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1]] * 2), ErrorRate())
        >>> session.revisions.declare_guidelines("Irony is negative.").instances
        []
        >>> event = session.label(1)
        >>> session.revisions.declare_guidelines("Irony is positive.").instances == [event.instance]
        True
        """
        words, present = _words(text), self._state.guidelines

        def build() -> GuidelinesSet:
            seed = self._scheduler.opinions.seed
            chosen = [] if present is None else labels_to_ask_again(self._state, seed)
            return GuidelinesSet(text=text, instances=chosen, **self._recorder.stamp())

        is_same = present is not None and _words(present.text) == words
        return None if is_same else self._recorder.record(build)

    def _instance_fields(self, instance: int | None) -> dict[str, Any]:
        """Return the fields of an event about an instance; the present one by default."""
        if instance is not None:
            return self._recorder.where(instance)
        present = self._answers.next()
        if present is None:
            raise ValueError(f"the session {self._recorder.name!r} is done: pass the index of an instance")
        return self._recorder.where(present.index)


def _words(text: str) -> list[str]:
    """Return the words of guidelines, which must not be blank."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, got {text!r:.80}")
    if not text.strip():
        raise ValueError(f"text must not be blank, got {text!r:.80}")
    return text.split()
