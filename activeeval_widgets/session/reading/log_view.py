"""What a session's log says before anything is estimated: draws, labels, counts, times."""

import warnings
from copy import deepcopy
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.draws.labeled import Answered, LabeledDraws
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.log.events import Action, AnyEvent, Changed, Labeled
from activeeval_widgets.session.log.state import UNANSWERED, State
from activeeval_widgets.session.log.table import history_table
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats._typing import FloatArray, IntArray

_CALLER = 3
"""Whoever calls a method of a session: between them is what lets one thread in at a time."""


class LogView:
    """What follows from draws and log alone. Nothing here changes them.

    Parameters
    ----------
    pool : Pool
        The instances and the predictions.
    labels : Labels
        What a label is.
    state : State
        What the log says.
    draws : Draws
        The draws.

    Attributes
    ----------
    pool : Pool
    labels : ClassLabels, NumberLabels or GradeLabels
        What a label is.
    models : tuple of one or two Predictions
        What is evaluated.
    lock : threading.RLock
        Held by the thread that is let in.
    """

    lock: Any

    def __init__(self, pool: Pool, labels: Labels, state: State, draws: Draws) -> None:
        self.pool = pool
        self.models = pool.models
        self.labels = labels
        self._state = state
        self._draws = draws
        self._labeled = LabeledDraws(draws.first, state, labels)

    @property
    def protocol(self) -> str:
        """How instances are drawn: "adaptive" or "papers"."""
        return self._draws.protocol

    @property
    def defensive(self) -> float | None:
        """The share of uniform draws; None where it follows the number of labels, or q was given."""
        return self._draws.defensive

    @property
    def is_replaced(self) -> bool:
        """Whether an instance that was drawn can be drawn again: by the papers' protocol."""
        return self._draws.is_replaced

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); of adaptive draws, what the latest came from."""
        return self._draws.q

    def q_at(self, draw: int) -> FloatArray:
        """The distribution that a draw came from, shape (n_instances,).

        Adaptive draws: 0 on what was drawn before its block.

        Parameters
        ----------
        draw : int
            The number of a draw that was made, from 1.
        """
        return self._draws.q_at(draw)

    def n_left(self, draw: int) -> int:
        """How many instances could be drawn when the draw of a number, from 1, was made."""
        return self._draws.n_left(draw)

    def expected_q(self) -> FloatArray:
        """What later draws come from on the whole, (n_instances,), as far as it is known beforehand."""
        return self._draws.expected_q()

    @property
    def method(self) -> tuple[str, str]:
        """How instances are drawn, and how the estimate is computed; see `Draws`."""
        return self._draws.method

    @property
    def log(self) -> tuple[AnyEvent, ...]:
        """All that happened, oldest first."""
        return tuple(self._state.log)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The labels, deferrals, exclusions and changes that stand, oldest first."""
        return tuple(self._state.actions)

    @property
    def n_labels(self) -> int:
        """Instances that have a label."""
        return len(self._state.labels)

    @property
    def n_draws(self) -> int:
        """Draws up to the last answered one whose instance has a label, repeats included."""
        return self._labeled.n_labeled()

    @property
    def n_deferred(self) -> int:
        """Instances put aside that are still to be answered."""
        return len(self._state.waiting)

    @property
    def n_excluded(self) -> int:
        """Instances that can't be labeled."""
        return len(self._state.answers) - self.n_labels

    @property
    def notes(self) -> dict[int, str]:
        """What is noted, by the instance's index."""
        return dict(self._state.notes)

    @property
    def flags(self) -> set[int]:
        """The indices of the instances that are marked."""
        return set(self._state.flags)

    def label_of(self, index: int) -> Any:
        """The label of an instance as it is stored, changes included; None if it has none."""
        return deepcopy(self._state.labels.get(index))

    def labeled_draws(self) -> tuple[IntArray, Any]:
        """The draws that have labels, in draw order, with repeats.

        Returns
        -------
        draws : ndarray of shape (n_draws,)
            Indices into the pool.
        y_true : ndarray of shape (n_draws,), or for rankings a list of mappings from item to grade
            Their labels.
        """
        return self._labeled.labeled()

    def draws_so_far(self) -> IntArray:
        """All draws up to the last answered one, as indices into the pool, in draw order, with repeats."""
        return self._labeled.so_far().copy()

    def drawn(self) -> tuple[IntArray, FloatArray]:
        """The numbers of the draws whose instances have an answer, and the probability of each draw.

        Returns
        -------
        numbers : ndarray of shape (n_draws,), int
            From 1, ascending. Draws that were put aside are not among them.
        q : ndarray of shape (n_draws,)
            The probability with which the draw gave its instance, given those before.
        """
        draws = self._labeled.so_far()
        answered = self._state.status[draws] != UNANSWERED
        instances = draws[answered]
        return np.flatnonzero(answered) + 1, self._draws.probabilities(instances.tolist())

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

    def prefix(self) -> Answered:
        """Deprecated: it is called `watched_draws` now."""
        warnings.warn("prefix() is called watched_draws() now", DeprecationWarning, stacklevel=_CALLER)
        return self._labeled.in_order()

    def _in_order_since(self, revision: int, n_known: int) -> tuple[int, list[tuple[int, Any]]]:
        """What has changed of the same since a revision, for who follows them draw by draw.

        Parameters
        ----------
        revision : int
            The `revision` then.
        n_known : int
            How many such draws there were then.

        Returns
        -------
        n_same : int
            How many of these, from the first, are as they were.
        rest : list of (int, label)
            All that follow: indices into the pool, and labels, None where excluded.
        """
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
            `trajectory(at=range(n + 1))` gives for this n what it gave then, as far as there were so many;
            -1 if not even the estimate before the first label is as it was.

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
        """The probability with which each labeled draw gave its instance, shape (n_draws,)."""
        return self._draws.probabilities(self._labeled.labeled()[0].tolist())

    def weights(self) -> FloatArray:
        """The weight of each labeled draw in a share of the pool that is estimated by plain weighting.

        Returns
        -------
        ndarray of shape (n_draws,)
            With replacement p/q; without it, those of the average of (Σ_drawn z + z_t / q_t) / m.
        """
        return self._draws.weights(self._labeled.labeled()[0].tolist())

    def n_differing(self) -> int:
        """Draws so far that are stored with another probability than this version computes from the log.

        They were made by a version with another rule. Estimate and interval go by what is stored: of the
        instances that were not drawn no more is known than that none was left out, so the interval is wider.
        """
        return self._draws.n_differing_before(int(self._labeled.so_far().size))

    @property
    def seconds_per_label(self) -> float | None:
        """The median time that a label took, idle time left out; None where none was measured."""
        seconds = [
            action.seconds
            for action in self._state.actions
            if isinstance(action, Labeled) and action.seconds is not None
        ]
        return median(seconds) if seconds else None

    @property
    def minutes(self) -> float | None:
        """The time spent on instances, idle time left out; None where it was not measured."""
        actions = [action for action in self._state.actions if not isinstance(action, Changed)]
        known = [action.seconds for action in actions if action.seconds is not None]
        return sum(known) / 60 if known else None

    @property
    def revision(self) -> int:
        """Grows whenever an answer changes: what follows from the answers is good until then."""
        return self._state.n_revisions

    def history(self) -> pd.DataFrame:
        """Everything that happened, one row an event, oldest first.

        Returns
        -------
        DataFrame
            Columns: seq, time, kind ("label", "defer", "exclude", "change", "undo", "note", "flag", "draw" or
            "go_on"), draw, instance, instance_id, q, weight (p/q), value (of a "go_on": the budget that was
            passed), seconds, first_key_seconds, reason, changed_seq (of a "change": what labeled the
            instance), undone_seq (of an "undo": the event it took back), note, flagged, and stands (whether
            the event was not taken back; of notes and flags, whether it is the instance's latest).
        """
        return history_table(self._state)
