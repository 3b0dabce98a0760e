"""What a session's log says: counts, labels, estimates. Nothing here changes it."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from activeeval_widgets.session.adaptive_draws import AdaptiveDraws, AdaptiveInterval
from activeeval_widgets.session.draw_sequence import DrawSequence
from activeeval_widgets.session.events import Action, AnyEvent
from activeeval_widgets.session.history import history_table
from activeeval_widgets.session.label_kinds import Labels, labels_of
from activeeval_widgets.session.labeled import Answered, LabeledDraws
from activeeval_widgets.session.pool import Pool
from activeeval_widgets.session.state import State
from activeeval_widgets.stats import (
    ConfidenceSequence,
    Estimate,
    Measure,
    estimate_adaptive,
    estimate_trajectory,
)
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.target import check_support


class Evaluation:
    """All that follows from pool, q, draws and log.

    Parameters
    ----------
    pool : Pool
        The instances and the predictions.
    measure : Measure
        What is estimated, unless another measure is asked for.
    make_draws : callable
        Makes the draws, from the kind of labels and the answers so far.
    y_range : tuple of two floats, or None
        For labels that are numbers: the least and the greatest there can be.

    Attributes
    ----------
    labels : ClassLabels, NumberLabels or GradeLabels
        What a label is.
    models : tuple of one or two Predictions
        What is evaluated.
    """

    def __init__(
        self,
        pool: Pool,
        measure: Measure,
        make_draws: Callable[[Labels, State], DrawSequence | AdaptiveDraws],
        y_range: tuple[float, float] | None,
    ) -> None:
        self.pool = pool
        self.measure = measure
        self.models = pool.models
        self.y_range = y_range
        self.labels = labels_of(pool, y_range)
        self._state = State(pool.n_instances)
        self._draws = make_draws(self.labels, self._state)
        self._labeled = LabeledDraws(self._draws, self._state, self.labels)
        # A measure that does not suit the predictions is refused here.
        estimate_trajectory(measure, list(self.models), self.q, [], self.labels.decode([], []), at=[0])

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); of adaptive draws, what the latest came from."""
        return self._draws.q

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

    def estimate(self, measure: Measure | None = None, **options: Any) -> Estimate:
        """The estimate from all labels so far; of two models, their difference with its p-value.

        Parameters
        ----------
        measure : Measure, optional
            Another measure than the session's: one log answers for all. Draws are the best for the
            session's own.
        **options
            As for `stats.estimate`: `confidence_level`, say.

        Raises
        ------
        ValueError, TypeError
            If the measure does not suit the predictions, or needs instances that are never drawn.
        """
        return self.trajectory(measure=measure, **options)[0]

    def trajectory(
        self, at: ArrayLike | None = None, measure: Measure | None = None, **options: Any
    ) -> list[Estimate]:
        """The estimates after the first n labeled draws, for each n of `at`; after all unless given.

        Other parameters are as for `estimate`.
        """
        draws, y_true, is_excluded = self._labeled.answered()
        counts = None if at is None else _positions(at, is_excluded)
        models = list(self.models)
        if measure is None:
            measure = self.measure
        elif not isinstance(self._draws, AdaptiveDraws):
            check_support(measure, models, self.q)
        if isinstance(self._draws, AdaptiveDraws):
            return estimate_adaptive(
                measure,
                models,
                draws,
                self._draws.probabilities(draws.tolist()),
                y_true,
                excluded=is_excluded,
                at=[draws.size] if counts is None else counts,
                **options,
            )
        return estimate_trajectory(measure, models, self.q, draws, y_true, at=counts, **options)

    def q_draws(self) -> FloatArray:
        """The probability with which each labeled draw gave its instance, shape (n_draws,)."""
        draws = self._labeled.labeled()[0]
        if isinstance(self._draws, AdaptiveDraws):
            return self._draws.probabilities(draws.tolist())
        return self.q[draws]

    def weights(self) -> FloatArray:
        """The weight of each labeled draw in a share of the pool that is estimated by plain weighting.

        Returns
        -------
        ndarray of shape (n_draws,)
            With replacement p/q; without it, those of the average of (Σ_drawn z + z_t / q_t) / m.
        """
        weights = 1 / self.q_draws()
        if isinstance(self._draws, AdaptiveDraws):
            weights += np.arange(weights.size)[::-1]
        return weights / self.pool.n_instances

    def begin_interval(self, confidence_level: float) -> Any:
        """A confidence sequence for these draws, before the first: `extend(draws, y_true)` feeds it."""
        models = list(self.models)
        if isinstance(self._draws, AdaptiveDraws):
            return AdaptiveInterval(self._draws, self.measure, models, confidence_level, self.y_range)
        return ConfidenceSequence(
            self.measure, models, self.q, confidence_level=confidence_level, y_range=self.y_range
        )

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

    def prefix(self) -> Answered:
        """The draws before the first one that has no answer yet: what an interval that may be watched takes.

        Returns
        -------
        Answered
            Draws, labels (None for excluded instances), and which of the draws are of excluded instances.
            Draws after the last answered one are not among them, even where they only repeat.
        """
        return self._labeled.prefix()

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


def _positions(at: ArrayLike, is_excluded: AnyArray) -> list[int]:
    """How many answered draws go with each number of labeled draws: all that came before the next label."""
    n_labeled = np.concatenate([[0], np.cumsum(~is_excluded)])
    counts = [check_count("at", n) for n in np.asarray(at).tolist()]
    if counts and max(counts) > n_labeled[-1]:
        raise ValueError(f"at holds {max(counts)}, expected at most the {n_labeled[-1]} labeled draws")
    return [int(n) for n in np.searchsorted(n_labeled, counts, side="right") - 1]
