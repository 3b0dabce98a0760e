"""Opinions of several raters: disagreements, ratings, and which label counts."""

from copy import deepcopy
from threading import RLock
from typing import Any, NamedTuple

from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import Adjudicated, Changed, GaveOpinion, HandedOut, Labeled
from activeeval_widgets.session.recorder import Recorder
from activeeval_widgets.stats._typing import IntArray
from activeeval_widgets.stats._validation import check_count


class Disagreement(NamedTuple):
    """An instance that people labeled differently.

    Attributes
    ----------
    instance : int
        Its index in the pool.
    instance_id : str
        Its id.
    label : object
        The label that counts, as it is stored; None if the instance is excluded.
    answers : dict of (str or None) to object
        The answer of each person; None if they said that it can't be labeled. The label's rater comes first.
    adjudicated_by : str or None
        Who decided which label counts; None if unknown.
    is_adjudicated : bool
        Whether somebody decided.

    See Also
    --------
    Opinions.disagreements : Returns these.
    Opinions.adjudicate : Decides which label counts.

    Examples
    --------
    >>> Disagreement(3, "d3", "ham", {"Ada": "ham", "Bob": "spam"}, None, False).answers["Bob"]
    'spam'
    """

    instance: int
    instance_id: str
    label: Any
    answers: dict[str | None, Any]
    adjudicated_by: str | None
    is_adjudicated: bool


class Ratings(NamedTuple):
    """The label of each rater for each draw, for `stats.krippendorff_alpha` and others.

    Attributes
    ----------
    draws : ndarray of shape (n_draws,), int
        Indices into the pool, in draw order.
    q_draws : ndarray of shape (n_draws,)
        The probability of each draw.
    raters : tuple of (str or None)
        The raters.
    values : list of list
        By draw and rater, the label as it is stored; None if there is none. Adjudicated labels are left out.

    See Also
    --------
    Opinions.ratings : Returns them.

    Examples
    --------
    >>> Ratings(np.array([4]), np.array([0.5]), ("Ada", "Bob"), [[0, 1]]).values
    [[0, 1]]
    """

    draws: IntArray
    q_draws: Any
    raters: tuple[str | None, ...]
    values: list[list[Any]]


@one_thread_at_a_time
class Opinions:
    """Labels of several people for the same instances, and which one counts: `session.opinions`.

    Attributes
    ----------
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    People : The people themselves.

    Examples
    --------
    >>> event = session.label(1)
    >>> session.opinions.about(event.instance), session.opinions.all()
    ({None: 1}, [])
    """

    def __init__(self, recorder: Recorder, draws: SessionDraws, lock: RLock) -> None:
        self.lock = lock
        self._recorder, self._answered = recorder, draws.answers
        self._scheduler, self._state, self._draws = recorder.scheduler, recorder.state, recorder.draws
        self._pool, self._labels = recorder.pool, recorder.labels

    def about(self, instance: int) -> dict[str | None, Any]:
        """Return the answer of each person to an instance, the label's rater first, then in order of time.

        Parameters
        ----------
        instance : int
            The instance's index in the pool.

        Returns
        -------
        dict of (str or None) to object
            By person, the label as it is stored; None if they said that it can't be labeled. Adjudicated
            labels are left out.

        See Also
        --------
        disagreements : Instances that people labeled differently.

        Examples
        --------
        >>> store, pool = MemoryStore(), Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=w, n_raters=2) for w in ("Ada", "Bob"))
        >>> first, second = ada.label(1), bob.label(0)
        >>> bob.opinions.about(first.instance)
        {'Ada': 1, 'Bob': 0}
        """
        return self._answers_about(check_count("instance", instance), self._own_changes())

    def all(self) -> list[GaveOpinion]:
        """Return the opinions that were not withdrawn, oldest first.

        Returns
        -------
        list of GaveOpinion
            Its `who` is the person.

        See Also
        --------
        disagreements : Opinions that differ.

        Examples
        --------
        >>> session.opinions.all()
        []
        """
        return list(self._state.people.opinion_events)

    def due(self) -> set[int]:
        """Return the instances for which the present rater owes an opinion.

        Returns
        -------
        set of int
            Indices into the pool. Don't show this rater the others' answers for these.

        See Also
        --------
        all : The opinions that were given.

        Examples
        --------
        >>> session.opinions.due()
        set()
        """
        due = self._state.people.opinions_due
        return {
            index
            for index, by in due.items()
            if self._scheduler.who is not None and self._scheduler.who in by
        }

    def disagreements(self) -> list[Disagreement]:
        """Return the instances that people labeled differently, those not adjudicated first.

        Instances for which the present rater owes an opinion are left out, so as not to influence them.

        Returns
        -------
        list of Disagreement
            In the order of the first opinions.

        See Also
        --------
        adjudicate : Decide which label counts.

        Examples
        --------
        >>> store, pool = MemoryStore(), Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=w, n_raters=2) for w in ("Ada", "Bob"))
        >>> first, second = ada.label(1), bob.label(0)
        >>> [found] = bob.opinions.disagreements()
        >>> found.answers, found.is_adjudicated
        ({'Ada': 1, 'Bob': 0}, False)
        """
        people, changes = self._state.people, self._own_changes()
        decided = {
            action.instance: action for action in self._state.actions if isinstance(action, Adjudicated)
        }
        found = []
        for index in people.opinions:
            if index not in self._state.answers or people.is_opinion_due(index, self._scheduler.who):
                continue
            answers = self._answers_about(index, changes)
            if all(value == next(iter(answers.values())) for value in answers.values()):
                continue
            last = decided.get(index)
            by = None if last is None else last.who
            label = deepcopy(self._state.labels.get(index))
            found.append(
                Disagreement(
                    index, self._pool.ids[index], label, answers, by, is_adjudicated=last is not None
                )
            )
        return sorted(found, key=lambda each: each.is_adjudicated)

    def adjudicate(self, instance: int, value: Any) -> Adjudicated:
        """Decide which label counts where opinions differ.

        Parameters
        ----------
        instance : int
            The instance's index in the pool.
        value : scalar or mapping
            A label, as for `Session.label`.

        Returns
        -------
        Adjudicated
            The stored event; its `who` is the person who decided.

        Raises
        ------
        ValueError, TypeError
            If the instance has no label, `value` is not a label, or the present rater owes an opinion on
            the instance.
        StoreError
            If the event could not be stored. The session is unchanged.

        See Also
        --------
        disagreements : The instances to decide about.
        Session.undo : Withdraw the decision.

        Examples
        --------
        >>> store, pool = MemoryStore(), Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=w, n_raters=2) for w in ("Ada", "Bob"))
        >>> first, second = ada.label(1), bob.label(0)
        >>> event = bob.opinions.adjudicate(first.instance, 0)
        >>> bob.log.label_of(first.instance), event.who, bob.opinions.disagreements()[0].is_adjudicated
        (0, 'Bob', True)
        """
        where = self._recorder.where(instance)
        index = where["instance"]
        self._recorder.label_event(where)
        if self._state.people.is_opinion_due(index, self._scheduler.who):
            raise ValueError(
                f"instance {index} waits for an opinion of {self._scheduler.who!r}: give that first"
            )
        known = self._state.labels[index]
        checked = self._labels.check(value, index)

        return self._recorder.record(lambda: self._recorder.changed(Adjudicated, where, known, checked))

    def ratings(self) -> Ratings:
        """Return the label of each rater who was asked, for each draw in draw order.

        Ratings end before the first draw with a missing answer: slow answers tend to be about difficult
        instances, so that leaving them out would bias agreement. For the same reason, an answer that arrived
        after its lease, when it was no longer asked for, is left out.

        Returns
        -------
        Ratings
            Empty if nobody has labeled.

        See Also
        --------
        disagreements : Instances with different labels.

        Examples
        --------
        >>> store, pool = MemoryStore(), Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=w, n_raters=2) for w in ("Ada", "Bob"))
        >>> first, second = ada.label(1), bob.label(0)
        >>> bob.opinions.ratings().raters, bob.opinions.ratings().values
        (('Ada', 'Bob'), [[1, 0]])
        """
        draws, changes = self._answered.in_order().draws, self._own_changes()
        asked: dict[int, dict[str | None, None]] = {}
        for event in self._state.log:
            if isinstance(event, HandedOut) and event.is_opinion:
                for index in event.instances:
                    asked.setdefault(index, {})[event.to] = None
        answers_of: dict[int, dict[str | None, Any]] = {}
        for index in draws.tolist():
            if index in answers_of:
                continue
            answer, answers = self._state.answers[index], self._answers_about(index, changes)
            whose = [
                answer.who,
                *(who for who in asked.get(index, ()) if who in answers and who != answer.who),
            ]
            n_asked = self._scheduler.opinions.n_asked(answer.draw)
            if len(whose) < n_asked:
                break
            answers_of[index] = {who: answers[who] for who in whose[:n_asked]}
        is_missing = [index not in answers_of for index in draws.tolist()]
        draws = draws[: is_missing.index(True)] if any(is_missing) else draws
        present = {who for answers in answers_of.values() for who in answers}
        raters = tuple(who for who in self._state.people.last_seen if who in present)
        values = [[answers_of[index].get(who) for who in raters] for index in draws.tolist()]
        return Ratings(draws, self._draws.probabilities(draws.tolist()), raters, values)

    def _own_changes(self) -> dict[int, Any]:
        """Return by instance the last change that the label's own rater made."""
        answers = self._state.answers
        return {
            action.instance: action.value
            for action in self._state.actions
            if isinstance(action, Changed)
            and not isinstance(action, Adjudicated)
            and action.who == answers[action.instance].who
        }

    def _answers_about(self, index: int, changes: dict[int, Any]) -> dict[str | None, Any]:
        found: dict[str | None, Any] = {}
        answer = self._state.answers.get(index)
        if answer is not None:
            value = answer.value if isinstance(answer, Labeled) else None
            found[answer.who] = changes.get(index, value)
        for who, opinion in self._state.people.opinions.get(index, {}).items():
            found.setdefault(who, opinion.value)
        return found
