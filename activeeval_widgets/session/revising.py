"""What can be done besides answering: change, undo, note, flag, go on, subscribe."""

from typing import Any

from activeeval_widgets.session.answering import Answering
from activeeval_widgets.session.arguments import check_text
from activeeval_widgets.session.errors import SessionConflictError
from activeeval_widgets.session.findings.verdict import check_margin
from activeeval_widgets.session.log.events import (
    Action,
    Changed,
    Excluded,
    Flagged,
    GaveOpinion,
    Labeled,
    MarginSet,
    Noted,
    Undone,
    WentOn,
)
from activeeval_widgets.session.recording import Observer
from activeeval_widgets.stats._validation import check_count


class Revising(Answering):
    """The same, and what can be done with answers that were given, or with any instance."""

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
        where = self._instance(check_count("instance", instance))
        index = where["instance"]
        self._to_change(where)
        known = self.log.state.labels[index]
        checked = self.labels.check(value, index)
        if checked == known:
            return None

        def build() -> Changed:
            answer = self._to_change(where)
            if self.log.state.labels[index] != known:
                raise self._changed_elsewhere(f"the label of {where['instance_id']!r} is another one now")
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
        where = self._instance(instance)
        known = self.log.state.notes.get(where["instance"], "")
        if text == known:
            return None

        def build() -> Noted:
            if self.log.state.notes.get(where["instance"], "") != known:
                raise self._changed_elsewhere(f"the note on {where['instance_id']!r} is another one now")
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
        where = self._instance(instance)
        if flagged == (where["instance"] in self.log.state.flags):
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
        action = self.log.state.to_undo(self.who)
        if action is None:
            return None

        def build() -> Undone:
            if self.log.state.to_undo(self.who) != action:
                raise self._changed_elsewhere("what was to be taken back is not the last any more")
            overruled = self.log.state.overruled(action)
            if overruled is not None:
                raise ValueError(
                    f"what was said of {action.instance_id!r} can't be taken back: "
                    f"{overruled.who or 'somebody else'} has changed it since"
                )
            return Undone(undone_seq=action.seq, **self._recorder.stamp())

        self._answer(build)
        return action

    @property
    def can_undo(self) -> bool:
        """Whether there is something that `undo` would take back."""
        return self.last_action is not None

    @property
    def last_action(self) -> Action | GaveOpinion | None:
        """What `undo` would take back: the last of one's own that stands; None if there is nothing."""
        return self.log.state.to_undo(self.who)

    def go_on(self) -> WentOn | None:
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
        budget : The number of labels to ask for.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate(), budget=1)
        >>> labeled = session.label(1)
        >>> session.is_done
        True
        >>> event = session.go_on()
        >>> session.is_done, session.budget
        (False, None)
        """
        if self.budget is None:
            return None
        budget = self.budget
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
        verdict : Which is better, or that they differ by less than the margin.
        SessionLog.margin : What counts now.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1]] * 3}
        >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
        >>> event = session.declare_margin(0.02)
        >>> session.log.margin, session.log.declared_margins[0].n_labels
        (0.02, 0)
        """
        value = check_margin(margin)
        if len(self.models) != 2:
            raise ValueError(f"margin is for two models that are compared, not for {len(self.models)}")
        if value == self.log.margin:
            return None
        return self._recorder.record(lambda: MarginSet(margin=value, **self._recorder.stamp()))

    def subscribe(self, observer: Observer) -> None:
        """Have `observer` called with each event from now on, once it is stored and counts.

        Parameters
        ----------
        observer : callable
            Takes an event. An error that it raises is logged, and goes no further.

        See Also
        --------
        unsubscribe : Call it no more.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> session.subscribe(lambda event: print(event.kind, event.value))
        >>> labeled = session.label(1)
        label 1
        """
        self._recorder.subscribe(observer)

    def unsubscribe(self, observer: Observer) -> None:
        """Call `observer` no more; nothing happens if it is not subscribed.

        Parameters
        ----------
        observer : callable
            What was given to `subscribe`.

        See Also
        --------
        subscribe : The other way round.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> session.subscribe(print)
        >>> session.unsubscribe(print)
        >>> event = session.label(1)
        """
        self._recorder.unsubscribe(observer)

    def _to_change(self, where: dict[str, Any]) -> Labeled:
        """The event that labeled an instance."""
        answer = self.log.state.answers.get(where["instance"])
        if isinstance(answer, Labeled):
            return answer
        state = "is excluded" if isinstance(answer, Excluded) else "has no label"
        shown = f"{where['instance']} ({where['instance_id']!r})"
        raise ValueError(f"instance {shown} {state}: only a label can be changed")

    def _changed_elsewhere(self, what: str) -> SessionConflictError:
        return SessionConflictError(
            f"the session {self.name!r} was continued elsewhere (in another tab or program): {what}"
        )

    def _instance(self, instance: int | None) -> dict[str, Any]:
        """What an event about some instance holds."""
        if instance is None:
            present = self.next()
            if present is None:
                raise ValueError(f"the session {self.name!r} is done: say which instance is meant")
            index = present.index
        else:
            index = check_count("instance", instance)
            if index >= self.pool.n_instances:
                raise ValueError(
                    f"instance is {index}, expected an index from 0 to {self.pool.n_instances - 1}"
                )
        return {"instance": index, "instance_id": self.pool.ids[index]}
