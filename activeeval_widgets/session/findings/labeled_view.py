"""What a session's log says of its draws: which have labels, which count, and how they are weighted."""

from typing import Any

import numpy as np

from activeeval_widgets.session.draws.labeled import Answered
from activeeval_widgets.session.findings.draws_view import DrawsView
from activeeval_widgets.session.log.state import LABELED, UNANSWERED
from activeeval_widgets.stats._typing import FloatArray, IntArray


class LabeledView(DrawsView):
    """The same, and what follows from draws and their labels alone. Nothing here changes them."""

    def labeled_draws(self) -> tuple[IntArray, Any]:
        """The draws that have labels and count, in draw order, with repeats.

        Where several people label, draws count up to the first that somebody has and has not answered.

        Returns
        -------
        draws : ndarray of shape (n_draws,)
            Indices into the pool.
        y_true : ndarray of shape (n_draws,), or for rankings a list of mappings from item to grade
            Their labels.

        See Also
        --------
        watched_draws : Those before the first draw without an answer.
        weights, q_draws : A number for each of them.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> draws, y_true = session.labeled_draws()
        >>> sorted(draws.tolist()), y_true.tolist()
        ([0, 1, 2], [0, 0, 0])
        """
        return self._labeled.labeled()

    def draws_so_far(self) -> IntArray:
        """All draws up to the last answered one, as indices into the pool, in draw order, with repeats.

        Returns
        -------
        ndarray of shape (n,), int
            Those put aside or excluded are among them.

        See Also
        --------
        drawn : Those that have an answer, with their probabilities.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> labeled = session.label(1)
        >>> session.draws_so_far().tolist() == [labeled.instance]
        True
        """
        return self._labeled.so_far().copy()

    def drawn(self) -> tuple[IntArray, FloatArray]:
        """The numbers of the draws whose instances have an answer, and the probability of each draw.

        Returns
        -------
        numbers : ndarray of shape (n_draws,), int
            From 1, ascending. Draws that were put aside are not among them.
        q : ndarray of shape (n_draws,)
            The probability with which the draw gave its instance, given those before.

        See Also
        --------
        q_draws : The probability of each labeled draw.
        q_at : The whole distribution that a draw came from.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> labeled = session.label(1)
        >>> numbers, q = session.drawn()
        >>> numbers.tolist(), q.tolist() == [labeled.q]
        ([1], True)
        """
        draws = self._labeled.so_far()
        answered = self._state.status[draws] != UNANSWERED
        instances = draws[answered]
        return np.flatnonzero(answered) + 1, self._draws.probabilities(instances.tolist())

    def not_counted_yet(self) -> IntArray:
        """The instances whose labels wait: somebody still has an earlier draw.

        Returns
        -------
        ndarray of shape (n,), int
            Indices into the pool, in draw order. Estimate and interval take draws up to the first that
            somebody has and has not answered, so that fast answers don't weigh more.

        See Also
        --------
        provisional : The value with them.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
        >>> store, pool = MemoryStore(), Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99)
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
        >>> asked = ada.next()
        >>> labeled = bob.label(1)
        >>> bob.not_counted_yet().tolist() == [labeled.instance]
        True
        """
        draws = self._labeled.all_so_far()[self._labeled.so_far().size :]
        _, firsts = np.unique(draws, return_index=True)
        waiting: IntArray = draws[np.sort(firsts)]
        known = np.isin(waiting, self._labeled.so_far(), invert=True)
        found: IntArray = waiting[known & (self._state.status[waiting] == LABELED)]
        return found

    def watched_draws(self) -> Answered:
        """The draws before the first one that has no answer yet: what an interval that may be watched takes.

        Returns
        -------
        Answered
            Draws, labels (None for excluded instances), and which of the draws are of excluded instances.
            Draws after the last answered one are not among them, even where they only repeat.

        See Also
        --------
        labeled_draws : All draws that have labels, those after an unanswered one, too.
        draws_so_far : All draws up to the last answered one.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> events = session.label(1), session.defer(), session.label(0)
        >>> session.watched_draws().y_true.tolist(), session.labeled_draws()[1].tolist()
        ([1], [1, 0])
        """
        return self._labeled.in_order()

    def _in_order_since(self, revision: int, n_known: int) -> tuple[int, list[tuple[int, Any]]]:
        """The same, for a caller that follows it draw by draw: what has changed since a revision."""
        return self._labeled.in_order_since(revision, n_known)

    def n_unchanged(self, revision: int) -> int:
        """Up to how many labeled draws, from the first, estimates are as they were at a revision.

        Parameters
        ----------
        revision : int
            The `revision` then.

        Returns
        -------
        int
            `trajectory(at=range(n + 1))` gives for this n what it gave then, as far as there were that many
            draws; -1 if not even the estimate before the first label is as it was.

        See Also
        --------
        revision : To be remembered until it is asked again.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> events = session.label(1), session.label(0)
        >>> then = session.revision
        >>> event = session.change(events[1].instance, 1)
        >>> session.n_unchanged(then)
        1
        """
        return self._labeled.n_unchanged(revision)

    def q_draws(self) -> FloatArray:
        """The probability with which each labeled draw gave its instance, shape (n_draws,).

        See Also
        --------
        drawn : The same for all draws that have an answer.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> labeled = session.label(1)
        >>> session.q_draws().tolist() == [labeled.q]
        True
        """
        return self._draws.probabilities(self._labeled.labeled()[0].tolist())

    def weights(self) -> FloatArray:
        """The weight of each labeled draw in a share of the pool that is estimated by plain weighting.

        Returns
        -------
        ndarray of shape (n_draws,)
            With replacement p/q; without it, those of the average of (Σ_drawn z + z_t / q_t) / m.

        See Also
        --------
        labeled_draws : The draws.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> round(float(session.weights().sum()), 3) > 0
        True
        """
        return self._draws.weights(self._labeled.labeled()[0].tolist())

    def n_differing(self) -> int:
        """Draws so far that are stored with another probability than this version computes from the log.

        They were made by a version with another rule, or the log was damaged. Estimate and interval go by
        what is stored: of the instances that were not drawn no more is known than that none was left out, so
        the interval is wider.

        Returns
        -------
        int
            0 unless another version made draws of this session.

        See Also
        --------
        q_draws : The stored probabilities.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> labeled = session.label(1)
        >>> session.n_differing()
        0
        """
        return self._draws.n_differing_before(int(self._labeled.so_far().size))
