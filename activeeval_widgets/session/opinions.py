"""Where people differ: which instances, what each said, and which label counts."""

from copy import deepcopy
from threading import RLock
from typing import Any, NamedTuple

from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import Adjudicated, Changed, GaveOpinion, HandedOut, Labeled
from activeeval_widgets.session.recording import Recorder
from activeeval_widgets.stats._typing import IntArray
from activeeval_widgets.stats._validation import check_count


class Disagreement(NamedTuple):
    """An instance of which people said different things.

    Attributes
    ----------
    instance : int
        Its index in the pool.
    instance_id : str
        Its id.
    label : object
        The label that counts, as it is stored; None where the instance is excluded.
    answers : dict of (str or None) to object
        By person, what each said; None: that it can't be labeled. Whoever gave the label first.
    adjudicated_by : str or None
        Who decided which label counts.
    is_adjudicated : bool
        Whether somebody did.

    See Also
    --------
    Opinions.disagreements : Gives these.
    Opinions.adjudicate : Decides.

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
    """What each person who was asked said of each draw, for `stats.krippendorff_alpha` and others.

    Attributes
    ----------
    draws : ndarray of shape (n_draws,), int
        Indices into the pool, in draw order.
    q_draws : ndarray of shape (n_draws,)
        The probability of each draw.
    raters : tuple of (str or None)
        The people.
    values : list of list
        By draw and person, the label as it is stored; None where there is none. No adjudicated labels.

    See Also
    --------
    Opinions.ratings : Gives them.

    Examples
    --------
    >>> import numpy as np
    >>> Ratings(np.array([4]), np.array([0.5]), ("Ada", "Bob"), [[0, 1]]).values
    [[0, 1]]
    """

    draws: IntArray
    q_draws: Any
    raters: tuple[str | None, ...]
    values: list[list[Any]]


@one_thread_at_a_time
class Opinions:
    """What several people say of the same instances, and which label counts: `session.opinions`.

    Attributes
    ----------
    lock : threading.RLock
        The session's.

    See Also
    --------
    People : Who they are.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate())
    >>> event = session.label(1)
    >>> session.opinions.about(event.instance), session.opinions.given()
    ({None: 1}, [])
    """

    def __init__(self, recorder: Recorder, draws: SessionDraws, lock: RLock) -> None:
        self.lock = lock
        self._recorder, self._answered = recorder, draws.answers
        self._asking, self._state, self._draws = recorder.asking, recorder.state, recorder.draws
        self._pool, self._labels = recorder.pool, recorder.labels

    def about(self, instance: int) -> dict[str | None, Any]:
        """What each person said of an instance, in the order in which they did; the label's first.

        Parameters
        ----------
        instance : int
            The instance's index in the pool.

        Returns
        -------
        dict of (str or None) to object
            By person, the label as it is stored; None: that it can't be labeled. What was adjudicated is not
            among it.

        See Also
        --------
        disagreements : Instances of which people said different things.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
        >>> store, pool = MemoryStore(), Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=w, n_raters=2) for w in ("Ada", "Bob"))
        >>> first, second = ada.label(1), bob.label(0)
        >>> bob.opinions.about(first.instance)
        {'Ada': 1, 'Bob': 0}
        """
        return self._answers_about(check_count("instance", instance), self._own_changes())

    def given(self) -> list[GaveOpinion]:
        """The opinions that stand, oldest first.

        Returns
        -------
        list of GaveOpinion
            Each says whose it is.

        See Also
        --------
        disagreements : Where they differ from the label, or each other.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> Session(Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), ErrorRate()).opinions.given()
        []
        """
        return list(self._state.people.opinion_events)

    def due(self) -> set[int]:
        """The instances of which the person who labels here is asked an opinion.

        Returns
        -------
        set of int
            Indices into the pool. What others said of them, he should not be shown.

        See Also
        --------
        opinions : Those that were given.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> Session(Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), ErrorRate()).opinions.due()
        set()
        """
        due = self._state.people.opinions_due
        return {index for index, by in due.items() if self._asking.who is not None and self._asking.who in by}

    def disagreements(self) -> list[Disagreement]:
        """The instances of which people said different things, those that are not adjudicated first.

        What waits for the opinion of the person who labels here is left out: he is not to be swayed.

        Returns
        -------
        list of Disagreement
            In the order in which opinions came.

        See Also
        --------
        adjudicate : Decides which label counts.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
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
            if index not in self._state.answers or people.is_opinion_due(index, self._asking.who):
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
        """Decide which label counts where opinions differ: the one it has, or another.

        Parameters
        ----------
        instance : int
            The instance's index in the pool.
        value : scalar or mapping
            As for `label`.

        Returns
        -------
        Adjudicated
            The event, stored; it says who decided.

        Raises
        ------
        ValueError, TypeError
            If the instance has no label, or `value` is none; if an opinion on it is still waited for from the
            person who labels here.
        StoreError
            If it could not be stored. The session is then as it was.

        See Also
        --------
        disagreements : What there is to decide.
        Session.undo : Take it back.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
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
        if self._state.people.is_opinion_due(index, self._asking.who):
            raise ValueError(
                f"instance {index} waits for an opinion of {self._asking.who!r}: give that first"
            )
        known = self._state.labels[index]
        checked = self._labels.check(value, index)

        def build() -> Adjudicated:
            answer = self._recorder.label_event(where)
            if self._state.labels[index] != known:
                raise self._recorder.conflict(f"the label of {where['instance_id']!r} is another one now")
            return Adjudicated(value=checked, changed_seq=answer.seq, **where, **self._recorder.stamp())

        return self._recorder.record(build)

    def ratings(self) -> Ratings:
        """What each person who was asked said of each draw, in draw order.

        They end before the first draw of which an answer is still missing: who is slow is slow at what is
        difficult, so that opinions are random ones only as long as none is left out. For the same reason an
        answer that nobody had asked for any more, late after its lease, is not among them.

        Returns
        -------
        Ratings
            Empty where nobody has labeled.

        See Also
        --------
        disagreements : Where they differ.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
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
        said: dict[int, dict[str | None, Any]] = {}
        for index in draws.tolist():
            if index in said:
                continue
            answer, answers = self._state.answers[index], self._answers_about(index, changes)
            whose = [
                answer.who,
                *(who for who in asked.get(index, ()) if who in answers and who != answer.who),
            ]
            n_asked = self._asking.opinions.n_asked(answer.draw)
            if len(whose) < n_asked:
                break
            said[index] = {who: answers[who] for who in whose[:n_asked]}
        is_missing = [index not in said for index in draws.tolist()]
        draws = draws[: is_missing.index(True)] if any(is_missing) else draws
        present = {who for answers in said.values() for who in answers}
        raters = tuple(who for who in self._state.people.last_seen if who in present)
        values = [[said[index].get(who) for who in raters] for index in draws.tolist()]
        return Ratings(draws, self._draws.probabilities(draws.tolist()), raters, values)

    def _own_changes(self) -> dict[int, Any]:
        """By instance, what whoever gave its label has made of it since."""
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
