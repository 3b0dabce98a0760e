"""Asking for the next instance, and answering it."""

from itertools import islice
from typing import Any

from activeeval_widgets.session.arguments import check_budget, check_seconds, check_text
from activeeval_widgets.session.draws.asking import Asking, DrawnInstance
from activeeval_widgets.session.log.events import (
    Deferred,
    Excluded,
    Labeled,
)
from activeeval_widgets.session.reading.evaluation import Evaluation
from activeeval_widgets.session.recording import Recorder
from activeeval_widgets.stats._validation import check_count


class Answering(Evaluation):
    """A session's evaluation, and what can be done with the present instance.

    Whatever is done is checked first, then stored, then it counts: what raises an error has changed nothing.
    """

    _asking: Asking
    _recorder: Recorder

    @property
    def budget(self) -> int | None:
        """The number of labels to ask for; None: until the whole pool is labeled.

        It can be set at any time, for as long as the session is open. `go_on` is remembered.
        """
        return self._asking.budget

    @budget.setter
    def budget(self, value: int | None) -> None:
        self._asking.budget = check_budget(value)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to ask: the budget is spent, or the pool is."""
        return self.next() is None

    def next(self) -> DrawnInstance | None:
        """The instance to be asked about: the same until it is answered; None when the session is done.

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
        return next(iter(self.upcoming(1)), None)

    def upcoming(self, n: int) -> list[DrawnInstance]:
        """The next `n` instances to be asked about, if each gets a label; fewer at the end.

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
        return [DrawnInstance(draw, index, self.pool.ids[index], q) for draw, index, q in asked]

    def label(
        self,
        value: Any,
        *,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Labeled:
        """Give the present instance its label.

        Parameters
        ----------
        value : scalar or mapping
            One of the predictions' classes; or a number; or for rankings the grade of each item of the
            instance's list, None where it can't be judged (see `GradeLabels`).
        draw : int, optional
            The number of the draw that the label is meant for; refused if it is not the present one.
        seconds : float, optional
            How long the instance was on screen, idle time left out.
        first_key_seconds : float, optional
            How long until the first key was pressed.

        Returns
        -------
        Labeled
            The event, stored.

        Raises
        ------
        ValueError, TypeError
            If it is no label of the instance, the session is done, or `draw` is not the present one.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        change : Give an instance that has a label another one.
        undo : Take the label back.
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
        present = self._present(draw, seconds, first_key_seconds)
        return self._recorder.record(Labeled(value=self.labels.check(value, present["instance"]), **present))

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
        >>> session.n_deferred, session.next().index != first.instance
        (1, True)
        """
        return self._recorder.record(Deferred(**self._present(draw, seconds, first_key_seconds)))

    def exclude(
        self,
        *,
        reason: str | None = None,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Excluded:
        """Declare that the present instance can't be labeled; the measure becomes one of what can be.

        Parameters
        ----------
        reason : str, optional
            Why, in at most 10,000 characters.
        draw, seconds, first_key_seconds
            As for `label`.

        Returns
        -------
        Excluded
            The event, stored.

        Raises
        ------
        ValueError, TypeError
            If the reason is no text or too long, the session is done, or `draw` is not the present one.
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
        >>> session.n_excluded, session.n_labels
        (1, 0)
        """
        if reason is not None:
            check_text("reason", reason)
        return self._recorder.record(
            Excluded(reason=reason, **self._present(draw, seconds, first_key_seconds))
        )

    def _present(
        self, draw: int | None, seconds: float | None, first_key_seconds: float | None
    ) -> dict[str, Any]:
        """What an event about the present instance holds."""
        present = self.next()
        if present is None:
            raise ValueError(f"the session {self.name!r} is done: there is no instance to answer")
        if draw is not None and draw != present.draw:
            raise ValueError(f"draw is {draw}, but the session asks about draw {present.draw}")
        return {
            "draw": present.draw,
            "instance": present.index,
            "instance_id": present.instance_id,
            "q": present.q,
            "seconds": check_seconds("seconds", seconds),
            "first_key_seconds": check_seconds("first_key_seconds", first_key_seconds),
            **self._recorder.stamp(),
        }
