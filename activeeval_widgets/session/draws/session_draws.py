"""The draws of a session: distributions, labels, and weights."""

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
    """The draws of a session and their labels, read-only: `session.draws`.

    Attributes
    ----------
    source : Draws
        The draws under the session's protocol.
    answers : LabeledDraws
        The draws with their labels, in the form that `stats` accepts.
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    SessionLog : The labels by instance, and all other events.

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
        """The number of draws, repeats included, up to the last answered one whose instance has a label."""
        return self.answers.n_labeled()

    @property
    def protocol(self) -> str:
        """The protocol: "adaptive" or "papers"."""
        return self.source.protocol

    @property
    def defensive(self) -> float | None:
        """The share of uniform draws; None if it depends on the number of labels, or q was given."""
        return self.source.defensive

    @property
    def is_by_disagreement(self) -> bool:
        """Whether a fixed q depends only on where predictions differ, as models have no probabilities."""
        return self.source.is_by_disagreement

    @property
    def rule_of_q(self) -> DrawRule:
        """The rule by which later adaptive draws are forecast."""
        return self.source.rule_of_q

    @property
    def is_replaced(self) -> bool:
        """Whether an instance can be drawn again, as under the papers' protocol."""
        return self.source.is_replaced

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); for adaptive draws, that of the latest block."""
        return self.source.q

    def q_at(self, draw: int) -> FloatArray:
        """Return the distribution of a draw.

        For adaptive draws it is 0 for instances drawn before the block.

        Parameters
        ----------
        draw : int
            The number of an existing draw, from 1.

        Returns
        -------
        ndarray of shape (n_instances,)
            Sums to 1.

        See Also
        --------
        q : The distribution of the latest draws.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> float(session.draws.q_at(1)[labeled.instance]) == labeled.q
        True
        """
        return self.source.q_at(draw)

    @property
    def rows(self) -> DrawnRows:
        """The rows that are drawn: single instances, or rows that instances of a large pool share."""
        return self.source.rows

    def row_q_at(self, draw: int) -> FloatArray:
        """Return `q_at` by row, (n_rows,): the probability of one remaining instance of the row."""
        return self.source.row_q_at(draw)

    def n_left(self, draw: int) -> int:
        """Return how many instances could be drawn at a draw."""
        return self.source.n_left(draw)

    def expected_q(self) -> FloatArray:
        """Return a forecast of the average distribution of later draws, (n_instances,)."""
        return self.source.expected_q()

    def rows_of(self, instances: Sequence[int] | IntArray) -> tuple[list[Predictions], IntArray]:
        """Return the predictions for rows, and the instances' rows."""
        return self.source.rows_of(instances)

    def labeled(self) -> tuple[IntArray, Any]:
        """Return the labeled draws that count, in draw order, with repeats.

        If several people label, draws count up to the first one that is leased and not answered.

        Returns
        -------
        draws : ndarray of shape (n_draws,)
            Indices into the pool.
        y_true : ndarray of shape (n_draws,), or for rankings a list of mappings from item to grade
            Their labels.

        See Also
        --------
        watched : The draws before the first one without an answer.
        weights, q_draws : Weights and probabilities of these draws.

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
        """Return all draws up to the last answered one, in draw order, with repeats.

        Returns
        -------
        ndarray of shape (n,), int
            Indices into the pool, including deferred and excluded instances.

        See Also
        --------
        drawn : The answered draws with their probabilities.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> session.draws.so_far().tolist() == [labeled.instance]
        True
        """
        return self.answers.so_far().copy()

    def drawn(self) -> tuple[IntArray, FloatArray]:
        """Return the numbers and probabilities of the answered draws.

        Returns
        -------
        numbers : ndarray of shape (n_draws,), int
            From 1, ascending, without deferred draws.
        q : ndarray of shape (n_draws,)
            The probability of each draw, given those before it.

        See Also
        --------
        q_draws : The probability of each labeled draw.
        q_at : The whole distribution of a draw.

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
        """Return the instances whose labels don't count yet because an earlier draw is pending."""
        so_far = self.answers.so_far()
        draws = self.answers.all_so_far()[so_far.size :]
        _, firsts = np.unique(draws, return_index=True)
        waiting: IntArray = draws[np.sort(firsts)]
        known = np.isin(waiting, so_far, invert=True)
        found: IntArray = waiting[known & (self._state.status[waiting] == LABELED)]
        return found

    def watched(self) -> Answered:
        """Return the draws before the first one without an answer, as the confidence sequence uses them.

        Returns
        -------
        Answered
            Draws, labels (None for excluded instances), and which instances are excluded. Draws after the
            last answered one are left out, even if they are repeats.

        See Also
        --------
        labeled : The labeled draws, including those after an unanswered one.
        so_far : All draws up to the last answered one.

        Examples
        --------
        >>> events = session.label(1), session.defer(), session.label(0)
        >>> session.draws.watched().y_true.tolist(), session.draws.labeled()[1].tolist()
        ([1], [1, 0])
        """
        return self.answers.in_order()

    def n_unchanged(self, revision: int) -> int:
        """Return up to how many labeled draws estimates are unchanged since a revision; -1 for none."""
        return self.answers.n_unchanged(revision)

    def q_draws(self) -> FloatArray:
        """Return the probability of each labeled draw, shape (n_draws,).

        See Also
        --------
        drawn : The probabilities of all answered draws.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> session.draws.q_draws().tolist() == [labeled.q]
        True
        """
        return self.source.probabilities(self.answers.labeled()[0].tolist())

    def weights(self) -> FloatArray:
        """Return the weight of each labeled draw in inverse-probability-weighted shares of the pool.

        Returns
        -------
        ndarray of shape (n_draws,)
            p/q with replacement; without it, the weights in the average of (Σ_drawn z + z_t / q_t) / m.

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
        """Return how many stored probabilities differ from those that this version recomputes from the log.

        They were made by a version with another rule, or the log was damaged. Estimate and interval use the
        stored probabilities. For instances that were not drawn only a lower bound is known, so the interval
        is wider.

        Returns
        -------
        int
            0 unless another version made draws of this session or the log was damaged.

        See Also
        --------
        q_draws : The stored probabilities.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> session.draws.n_of_other_version()
        0
        """
        return self.source.n_mismatched_before(int(self.answers.so_far().size))
