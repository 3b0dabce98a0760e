"""The draws of a session: what they came from, which have labels, which count, and how they are weighted."""

from collections.abc import Sequence
from threading import RLock
from typing import Any

import numpy as np

from activeeval_widgets.session.draws.labeled import Answered, LabeledDraws
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.draws.rows import DrawnRows
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.state import LABELED, UNANSWERED, State
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule


@one_thread_at_a_time
class SessionDraws:
    """The draws of a session and their labels: `session.draws`. Nothing here changes the session.

    Attributes
    ----------
    source : Draws
        What draws, by one protocol or the other.
    answers : LabeledDraws
        The draws with their labels, as the statistics take them.
    lock : threading.RLock
        The session's.

    See Also
    --------
    SessionLog : The labels by instance, and everything else that happened.

    Examples
    --------
    >>> event = session.label(1)
    >>> draws, y_true = session.draws.labeled()
    >>> draws.tolist() == [event.instance], y_true.tolist(), session.draws.q.size
    (True, [1], 3)
    """

    def __init__(self, source: Draws, state: State, labels: Labels, lock: RLock) -> None:
        self.source = source
        self.answers = LabeledDraws(source.first, state, labels)
        self.lock = lock
        self._state = state

    @property
    def n_labeled(self) -> int:
        """Draws up to the last answered one whose instance has a label, repeats included."""
        return self.answers.n_labeled()

    @property
    def protocol(self) -> str:
        """How instances are drawn: "adaptive" or "papers"."""
        return self.source.protocol

    @property
    def defensive(self) -> float | None:
        """The share of uniform draws; None where it follows the number of labels, or q was given."""
        return self.source.defensive

    @property
    def goes_by_difference(self) -> bool:
        """Whether a fixed q knows nothing but where predictions differ: models have no probabilities."""
        return self.source.goes_by_difference

    @property
    def rule_of_q(self) -> DrawRule:
        """The constants that draws to come are forecast by, where q adapts."""
        return self.source.rule_of_q

    @property
    def is_replaced(self) -> bool:
        """Whether an instance that was drawn can be drawn again: by the papers' protocol."""
        return self.source.is_replaced

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); of adaptive draws, what the latest came from."""
        return self.source.q

    def q_at(self, draw: int) -> FloatArray:
        """The distribution that a draw came from, shape (n_instances,).

        Adaptive draws: 0 on what was drawn before its block.

        Parameters
        ----------
        draw : int
            The number of a draw that was made, from 1.

        Returns
        -------
        ndarray of shape (n_instances,)
            Sums to 1.

        See Also
        --------
        q : Of the latest draws.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> float(session.draws.q_at(1)[labeled.instance]) == labeled.q
        True
        """
        return self.source.q_at(draw)

    @property
    def rows(self) -> DrawnRows:
        """What draws are made of: each instance, or rows that instances of a large pool share."""
        return self.source.rows

    def row_q_at(self, draw: int) -> FloatArray:
        """The probability that one instance of each of the `rows` had at a draw, (n_rows,); see `q_at`."""
        return self.source.row_q_at(draw)

    def n_left(self, draw: int) -> int:
        """How many instances could be drawn when the draw of a number, from 1, was made."""
        return self.source.n_left(draw)

    def expected_q(self) -> FloatArray:
        """What later draws come from on the whole, (n_instances,), as far as it is known beforehand."""
        return self.source.expected_q()

    def rows_of(self, instances: Sequence[int] | IntArray) -> tuple[list[Predictions], IntArray]:
        """What is predicted in the rows that draws are made of, and the row of each of some instances."""
        return self.source.rows_of(instances)

    def labeled(self) -> tuple[IntArray, Any]:
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
        watched : Those before the first draw without an answer.
        weights, q_draws : A number for each of them.

        Examples
        --------
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> draws, y_true = session.draws.labeled()
        >>> sorted(draws.tolist()), y_true.tolist()
        ([0, 1, 2], [0, 0, 0])
        """
        return self.answers.labeled()

    def so_far(self) -> IntArray:
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
        >>> labeled = session.label(1)
        >>> session.draws.so_far().tolist() == [labeled.instance]
        True
        """
        return self.answers.so_far().copy()

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
        >>> labeled = session.label(1)
        >>> numbers, q = session.draws.drawn()
        >>> numbers.tolist(), q.tolist() == [labeled.q]
        ([1], True)
        """
        draws = self.answers.so_far()
        answered = self._state.status[draws] != UNANSWERED
        instances = draws[answered]
        return np.flatnonzero(answered) + 1, self.source.probabilities(instances.tolist())

    def not_counted_yet(self) -> IntArray:
        """The instances whose labels do not count yet: somebody still has an earlier draw."""
        draws = self.answers.all_so_far()[self.answers.so_far().size :]
        _, firsts = np.unique(draws, return_index=True)
        waiting: IntArray = draws[np.sort(firsts)]
        known = np.isin(waiting, self.answers.so_far(), invert=True)
        found: IntArray = waiting[known & (self._state.status[waiting] == LABELED)]
        return found

    def watched(self) -> Answered:
        """The draws before the first one that has no answer yet: what an interval that may be watched takes.

        Returns
        -------
        Answered
            Draws, labels (None for excluded instances), and which of the draws are of excluded instances.
            Draws after the last answered one are not among them, even where they only repeat.

        See Also
        --------
        labeled : All draws that have labels, those after an unanswered one, too.
        so_far : All draws up to the last answered one.

        Examples
        --------
        >>> events = session.label(1), session.defer(), session.label(0)
        >>> session.draws.watched().y_true.tolist(), session.draws.labeled()[1].tolist()
        ([1], [1, 0])
        """
        return self.answers.in_order()

    def n_unchanged(self, revision: int) -> int:
        """Up to how many labeled draws estimates are as they were at a revision; -1: at none."""
        return self.answers.n_unchanged(revision)

    def q_draws(self) -> FloatArray:
        """The probability with which each labeled draw gave its instance, shape (n_draws,).

        See Also
        --------
        drawn : The same for all draws that have an answer.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> session.draws.q_draws().tolist() == [labeled.q]
        True
        """
        return self.source.probabilities(self.answers.labeled()[0].tolist())

    def weights(self) -> FloatArray:
        """The weight of each labeled draw in a share of the pool that is estimated by plain weighting.

        Returns
        -------
        ndarray of shape (n_draws,)
            With replacement p/q; without it, those of the average of (Σ_drawn z + z_t / q_t) / m.

        See Also
        --------
        labeled : The draws.

        Examples
        --------
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> round(float(session.draws.weights().sum()), 3) > 0
        True
        """
        return self.source.weights(self.answers.labeled()[0].tolist())

    def n_of_other_version(self) -> int:
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
        >>> labeled = session.label(1)
        >>> session.draws.n_of_other_version()
        0
        """
        return self.source.n_differing_before(int(self.answers.so_far().size))
