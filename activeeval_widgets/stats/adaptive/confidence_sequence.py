"""Confidence sequences for draws without replacement from adaptive distributions."""

from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_float_array, check_fraction, check_not_negative
from activeeval_widgets.stats.adaptive._bands import AdaptiveBand
from activeeval_widgets.stats.adaptive._make_band import make_band
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.revised import revised
from activeeval_widgets.stats.anytime.band import Watched
from activeeval_widgets.stats.anytime.conservative import check_filled, filled_row
from activeeval_widgets.stats.anytime.deadlines import deadlines_of
from activeeval_widgets.stats.anytime.estimating_equation import (
    check_y_in_range,
    check_y_range,
    has_exact_band,
)
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import target_of


class AdaptiveConfidenceSequence(Watched[AdaptiveBand]):
    """A confidence sequence for draws without replacement from adaptive q.

    With probability 1 − α it contains the pool's value at every number of draws, so one may look at any time
    and stop whenever one likes; q may be any function of the labels so far. Exact for every number of draws
    for risks with bounded losses (one model's or the difference of two) and for one model's precision,
    recall, specificity and F; values need `y_range` for that. Otherwise it is approximate (`is_asymptotic`):
    it holds in the limit of many draws, or for values in an assumed range, and is withheld where it is known
    not to hold, as in `ConfidenceSequence`.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The smallest and the largest possible label, for values; labels outside raise an error.
    deadlines : sequence of int, optional
        Numbers of draws, set before the first label, at which the interval is to be narrow. It is as valid
        at all others. Unless given, 5, 10, 20, 50, 100, … and so on; (): the wider interval of sessions that
        were started before there were deadlines.
    rule : DrawRule
        Constants of the draws and of the expectations.
    filled : {"least", "greatest"}, optional
        How to count an instance without a label: as the label that makes the measure least, or greatest,
        instead of leaving it out. Then `low`, or `high`, is a one-sided bound of the whole pool's value,
        whatever the reasons for missing labels. For measures with an exact equation.

    Attributes
    ----------
    low, high : float
        The interval now. Before the first label it covers all values on any part of the pool, because it is
        unknown which instances can be labeled; with the whole pool labeled, it is a point.
    n_draws : int
        Number of draws so far.
    pvalue : float
        For two models: the p-value of "no difference" that belongs to the interval, and is as valid at every
        number of draws. If the models don't differ, the probability that it ever falls to α is at most α. It
        does so only when the interval excludes 0. NaN for one model.
    is_asymptotic : bool
        Whether it is approximate: it holds in the limit of many draws, or assumes a range of labels.
    withheld : bool
        Whether an approximate interval is the whole range because a narrower one would not hold.
    reason : str, or None
        A sentence on why it is withheld, or what it assumes. None for an exact interval.

    Raises
    ------
    ValueError, TypeError
        If arguments don't match.

    See Also
    --------
    ConfidenceSequence : for draws from one q, with replacement.
    estimate_adaptive : the estimate, with an interval for one number of draws.
    adaptive_q : the distribution to draw from.

    Notes
    -----
    Bets on Y_t(G) (`adaptive_terms`) with expectations from the earlier labels, on a grid of candidates as
    in `ConfidenceSequence`; each bet is scaled by the inverse of its term's expected variance.
    In addition the interval stays within the values that the remaining labels could still give.

    Pass draws in the order in which they were made, without gaps, up to the first one that is not answered
    yet. An excluded instance has the label None: it counts in no sum, and the interval is for the measure on
    the instances that can be labeled, whichever these are.

    An update takes about a millisecond, and O(n_instances · n_classes) once for each new q: some
    milliseconds for 10⁴ instances, about a second for 10⁶ of ten classes.

    Examples
    --------
    >>> sequence = AdaptiveConfidenceSequence(ErrorRate(), model)
    >>> q = uniform_q(3)
    >>> for draw, label in [(1, 0), (2, 1), (0, 0)]:
    ...     low, high = sequence.update(draw, q, label)
    >>> round(low, 3), round(high, 3)
    (0.333, 0.333)
    """

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        *,
        confidence_level: float = 0.95,
        y_range: tuple[float, float] | None = None,
        deadlines: Sequence[int] | None = None,
        rule: DrawRule = DRAW_RULE,
        filled: str | None = None,
    ) -> None:
        models = as_models(predictions)
        self._target = self._first_target = target_of(measure, models)
        self._level = level = check_fraction("confidence_level", confidence_level, closed=False)
        self._y_range = check_y_range(y_range, models[0])
        if self._target.null_value is not None:
            rule = rule.for_differences()
        timed = deadlines_of(deadlines, rule.allocation)
        self._streams = Streams(self._target.base, rule, doubts=timed.firsts.size > 0)
        self._q: FloatArray | None = None
        self._is_fresh = False
        self.is_asymptotic = not has_exact_band(self._target, self._y_range)
        self._side = None if filled is None else check_filled(self._target, self._y_range, filled)
        self._band = make_band(self._target, self._y_range, level, timed, rule, self._side)

    @property
    def n_draws(self) -> int:
        """Number of draws so far."""
        return self._streams.n_draws

    def restart(self) -> Self:
        """Discard all labels, but keep what was computed for the pool. Returns the sequence itself."""
        self._target = self._first_target
        self._streams.revise(self._target.base)
        self._streams.restart()
        self._band.restart()
        self._is_fresh = False
        return self

    def copy(self) -> Self:
        """Return a copy of the present state."""
        made = copy(self)
        made._streams = self._streams.copy()
        made._band = self._band.copy()
        return made

    def revise(self, predictions: Predictions) -> None:
        """Use other predictions of the same pool from the next draw on.

        They only guide expectations: a measure of the labels themselves has the same value whatever is
        predicted. They may depend on all draws and labels so far, as q may.

        Parameters
        ----------
        predictions : ClassPredictions
            With the same classes.

        Raises
        ------
        ValueError
            If the value depends on predictions, or the classes are others.

        See Also
        --------
        update : Adds the next draw.

        Examples
        --------
        >>> votes = [["pass"], [None], [None]]
        >>> few = ClassPredictions.from_votes(votes, classes=["fail", "pass"])
        >>> sequence, q = AdaptiveConfidenceSequence(LabelShare("pass"), few), uniform_q(3)
        >>> interval = sequence.update(1, q, "pass")
        >>> votes[2] = ["fail"]
        >>> sequence.revise(ClassPredictions.from_votes(votes))
        >>> low, high = sequence.update(2, q, "fail")
        >>> round(low, 3), round(high, 3)
        (0.333, 0.667)
        """
        if predictions is not self._target.models[0]:
            self._target = revised(self._target, predictions)
            self._streams.revise(self._target.base)

    def prepare(self, q: ArrayLike, *, probability: float | None = None) -> None:
        """Prepare for the next draw, so that `update` takes less time; no interval changes.

        Most of the work for a new q depends on earlier labels only, so that it can be done in advance.

        Parameters
        ----------
        q, probability
            As for `update`.

        See Also
        --------
        update : Adds the draw.

        Examples
        --------
        >>> sequence, q = AdaptiveConfidenceSequence(ErrorRate(), model), uniform_q(3)
        >>> sequence.prepare(q)
        >>> sequence.update(1, q, 0) == AdaptiveConfidenceSequence(ErrorRate(), model).update(1, q, 0)
        True
        """
        if self._streams.prepare(self._checked(q), probability):
            self._is_fresh = not self._band.make_ready(self._streams)

    def update(
        self,
        draw: int,
        q: ArrayLike,
        y: Any,
        *,
        probability: float | None = None,
        own: Predictions | Sequence[Predictions] | None = None,
    ) -> tuple[float, float]:
        """Return the interval after one more draw.

        Parameters
        ----------
        draw : int
            Index into the pool; not one that was drawn before.
        q : array-like of shape (n_instances,)
            The instrumental distribution of the draw, or of the block of draws that it belongs to: the draw
            is from its remaining part, normalized. Passing the same array again saves computation.
        y : label, or None
            Its label, as in `estimate`; None if the instance is excluded.
        probability : float, optional
            The draw's own probability, given those before it, if q is not known exactly: q is then only a
            lower bound of the distribution of this block's draws, as of the first of them, and need not sum
            to 1. The interval is still exact, but wider.
        own : Predictions or list of two Predictions, optional
            If rows of the predictions stand for several instances (`Predictions.counts`), so that `draw` is
            a row and q the probability of each of its instances: the predictions of the drawn instance
            itself, one row.

        Returns
        -------
        low, high : float

        Raises
        ------
        ValueError, TypeError
            If the draw can't be from the remaining part of q, q is 0 on a remaining instance, or the label
            does not match; the sequence is then unchanged.
        """
        distribution = self._checked(q)
        where = int(draw)
        if where != draw or not 0 <= where < distribution.size:
            raise ValueError(f"draw is {draw!r}, expected an index from 0 to {distribution.size - 1}")
        if not self._streams.in_row[where] > 0:
            raise ValueError(f"draw is {where}, which was drawn before: draws are without replacement")
        itself = None if own is None else as_models(own)
        row = self._row(where, y, itself)
        if distribution is not self._q:
            # What is left of the same q has become less since.
            unseen = self._streams.rest & (distribution <= 0)
            if unseen.any():
                raise ValueError(
                    f"q[{int(np.argmax(unseen))}] is 0, but it was not drawn yet: it would never be drawn"
                )
        if probability is not None and not 0 < probability <= 1:
            raise ValueError(f"probability is {probability!r}, expected one above 0, at most 1")
        self._q = distribution
        self._streams.own = itself
        fresh = self._streams.prepare(distribution, probability) or self._is_fresh
        self._is_fresh = False
        self._band.step(self._streams, where, row, y, fresh=fresh)
        return self.low, self.high

    def extend(
        self, draws: ArrayLike, q: ArrayLike | Sequence[ArrayLike], y_true: Any
    ) -> tuple[FloatArray, FloatArray]:
        """Return the intervals after each of several more draws, as `update` does.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool.
        q : array-like of shape (n_instances,), or sequence of n_draws of them
            One distribution for all draws, or one for each.
        y_true : sequence of n_draws labels
            None for an excluded instance.

        Returns
        -------
        low, high : ndarray of shape (n_draws,)
        """
        indices = np.asarray(draws)
        if len(y_true) != len(indices):
            raise ValueError(
                f"y_true must hold one label for each of {len(indices)} draws, got {len(y_true)}"
            )
        if (isinstance(q, np.ndarray) and q.ndim == 1) or not np.ndim(q[0]):  # type: ignore[index]
            each: Any = [np.asarray(q)] * len(indices)
        else:
            each = q
            if len(each) != len(indices):
                raise ValueError(
                    f"q holds {len(each)} distributions, expected one for each of {len(indices)}"
                )
        bounds = [self.update(d, one, y) for d, one, y in zip(indices, each, y_true, strict=True)]
        ends = np.array(bounds).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    def _checked(self, q: ArrayLike) -> FloatArray:
        if self._q is not None and q is self._q:
            return self._q
        distribution = check_float_array("q", q, ndim=1, shape="(n_instances,)")
        n_instances = self._target.models[0].n_instances
        if distribution.size != n_instances:
            raise ValueError(
                f"q has {distribution.size} entries, but the predictions are for {n_instances} instances"
            )
        check_not_negative(distribution)
        return distribution

    def _row(self, draw: int, y: Any, own: Sequence[Predictions] | None) -> FloatArray:
        """Return z and the indicator "has a label"; zeros for an excluded instance."""
        if y is None and self._side is not None:
            row = filled_row(self._target.base, draw, own, self._y_range, self._side)
            return np.append(row, 1.0)
        if y is None:
            known = self._target.statistics(self._target.models[0].check_labels([], 0, "0 draws"), _NONE)
            return np.zeros(known.shape[1] + 1)
        labels = self._target.models[0].check_labels([y], 1, "1 draws")
        check_y_in_range([y], self._y_range)
        if own is not None:
            target = self._target.with_models(own)
            return np.append(target.statistics(labels, np.array([0]))[0], 1.0)
        return np.append(self._target.statistics(labels, np.array([draw]))[0], 1.0)


_NONE = np.zeros(0, dtype=np.intp)
