"""Confidence sequences: intervals that are valid at every number of draws at once."""

from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_fraction, check_q
from activeeval_widgets.stats.anytime._bands import FixedBand, make_band
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


class ConfidenceSequence(Watched[FixedBand]):
    """An anytime-valid interval for a measure, updated label by label.

    With probability at least 1 − α, the true value is never outside, however long the interval is watched and
    whenever labeling stops.

    For risks with bounded losses (of one model, or the difference of two) and for one model's precision,
    recall, specificity and F, this holds exactly at every number of draws: without a normal approximation,
    and without trust in the model, whose probabilities only make the interval shorter if they are right. For
    values (regression), exactness needs `y_range`.

    All other intervals are approximate (`is_asymptotic`), and withheld where they are known to fail. Other
    measures, and two models' difference in a ratio, are valid in the limit of many draws. Values without
    `y_range` assume that labels lie in a wide range around the predictions.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        One model, or two for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution from which all draws come, independently and with replacement.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The smallest and largest possible label, for values; labels outside are refused.
    deadlines : sequence of int, optional
        Numbers of draws, chosen before the first label, at which the interval should be narrow. It is valid
        at all other numbers as well. The default is 25, 50, 100, … in doubling steps; an empty sequence gives
        the wider interval without deadlines.
    filled : {"least", "greatest"}, optional
        As for `AdaptiveConfidenceSequence`.

    Attributes
    ----------
    low, high : float
        The current interval. Before the first label, it spans all values that labels could give.
    n_draws : int
        The number of draws so far.
    pvalue : float
        For two models, the anytime-valid p-value of "no difference" that belongs to the interval. If the
        models do not differ, it ever falls to α with probability at most α, and not before the interval
        excludes 0. NaN for one model.
    is_asymptotic : bool
        Whether the interval is approximate: valid in the limit of many draws, or under an assumed range of
        labels.
    withheld : bool
        Whether an approximate interval is the whole range because a narrower one might not be valid.
    reason : str, or None
        Why it is withheld, or what it assumes, in a sentence. None for an exact interval.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or q is 0 for an instance whose label would count.

    See Also
    --------
    confidence_sequence : The intervals of given draws.
    AdaptiveConfidenceSequence : For adaptive draws without replacement.
    SequentialTest : Test one question instead of estimating.

    Notes
    -----
    Candidates lie on a grid of 2,048 cells, denser around the value that the model expects (see
    `candidate_grid`). A cell is excluded permanently once the wealth of a bet against it has reached 1/α
    everywhere in the cell. The interval is the hull of the other cells, so it is rounded outward by less than
    a cell at each end. If all cells are excluded (which has probability at most α), the last interval stays.
    An update takes the same time and memory at any number of draws.

    Draws must be fed in the order in which they were made, with repeats and without gaps, up to the first
    that has no label yet. After a label is undone or changed, call `restart` and feed all draws again.

    An excluded instance (None) must be fed too, and contributes 0. The interval is then for the measure on
    what can be labeled, and equally exact if whether an instance can be labeled depends only on the instance
    and its label. For the difference of two risks with q = 0 where models agree, it is unknown how many of
    those instances can be labeled: from the first None on, the interval is the hull of the cases of all and
    of none. Bets and candidates allow for exclusions from the first draw on, so the initial interval spans
    the values that labels could give on any part of the pool.

    The asymptotic sequence is the whole range before 100 draws, and while fewer than 25 draws carry the
    variance, (Σ ψ²)² / Σ ψ⁴ of the weighted influences, as for a rare class or a few heavy weights. It is not
    a running intersection.

    For values without `y_range`, no number of labels rules out large errors that are rare and were not drawn,
    so no interval is valid without a bound. From 100 labels on, the interval is the exact one for labels
    within `assumed_range`, a wide range derived from the predictions. It is withheld once a label lies
    outside, and while the largest error is more than ten times the median error. Where large errors are rare,
    do not rely on it, but give `y_range`.

    References
    ----------
    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024, eq. 24
    and 26. The asymptotic one: Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit
    theory and asymptotic confidence sequences*, 2021, eq. 10, with the influences as observations.

    Examples
    --------
    >>> sequence = ConfidenceSequence(ErrorRate(), model, uniform_q(3))
    >>> sequence.low, sequence.high
    (0.0, 1.0)
    >>> for _ in range(50):
    ...     low, high = sequence.update(1, 1)
    >>> low, high < 0.15
    (0.0, True)
    """

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        q: ArrayLike,
        *,
        confidence_level: float = 0.95,
        y_range: tuple[float, float] | None = None,
        deadlines: Sequence[int] | None = None,
        filled: str | None = None,
    ) -> None:
        models = as_models(predictions)
        self._target = target_of(measure, models)
        self._q = check_q(q, models[0])
        self._level = level = check_fraction("confidence_level", confidence_level, closed=False)
        self._y_range = check_y_range(y_range, models[0])
        self.is_asymptotic = not has_exact_band(self._target, self._y_range)
        self._side = None if filled is None else check_filled(self._target, self._y_range, filled)
        timed = deadlines_of(deadlines)
        self._band = make_band(self._target, self._q, level, self._y_range, timed, self._side)
        self.n_draws = 0

    def restart(self) -> Self:
        """Discard all labels but keep what is known about the pool. Returns the sequence itself."""
        self._band.restart()
        self.n_draws = 0
        return self

    def copy(self) -> Self:
        """Return a copy that can be continued independently; what is known about the pool is shared."""
        made = copy(self)
        made._band = self._band.copy()
        return made

    def update(self, draw: int, y: Any) -> tuple[float, float]:
        """Return the interval after one more labeled draw.

        Parameters
        ----------
        draw : int
            Index into the pool.
        y : label
            Its label, as for `estimate`; None if it is excluded.

        Returns
        -------
        low, high : float

        Raises
        ------
        ValueError, TypeError
            If the draw can't come from q, or the label is not one of the classes or is outside `y_range`. The
            sequence is then unchanged.
        """
        low, high = self.extend([draw], [y])
        return float(low[0]), float(high[0])

    def extend(self, draws: ArrayLike, y_true: Any) -> tuple[FloatArray, FloatArray]:
        """Return the intervals after each of several labeled draws, as by `update`.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool.
        y_true : array-like of shape (n_draws,)
            Their labels; None for an excluded instance.

        Returns
        -------
        low, high : ndarray of shape (n_draws,)
        """
        sample = self._target.sample_from(self._q, draws, y_true)
        if self._side is not None and sample.labeled is not None:
            for at in np.flatnonzero(~sample.labeled).tolist():
                draw = int(sample.draws[at])
                sample.z[at] = filled_row(self._target.base, draw, None, self._y_range, self._side)
            sample = sample._replace(labeled=None)
        check_y_in_range(y_true, self._y_range)
        bounds = np.empty((sample.draws.size, 2))
        for at, row in enumerate(self._band.rows(sample)):
            self._band.step(row, int(sample.draws[at]), y_true[at])
            bounds[at] = self._band.low, self._band.high
        self.n_draws += len(bounds)
        return bounds[:, 0], bounds[:, 1]


def confidence_sequence(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    q: ArrayLike,
    draws: ArrayLike,
    y_true: Any,
    *,
    confidence_level: float = 0.95,
    y_range: tuple[float, float] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Compute anytime-valid intervals after each draw.

    `ConfidenceSequence` gives the same intervals label by label, takes deadlines, and explains which
    intervals are exact and which are asymptotic.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        One model, or two for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution from which all draws come.
    draws : array-like of shape (n_draws,)
        Indices into the pool, in draw order, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order; None for an excluded instance.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The smallest and largest possible label, for values (regression).

    Returns
    -------
    low, high : ndarray of shape (n_draws,)
        The interval after each draw. It never becomes a point, and never widens, unless it is asymptotic or
        an exclusion reduces the part of the pool that is never drawn.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, a label is outside `y_range`, or q is 0 for an instance whose label
        would count.

    See Also
    --------
    ConfidenceSequence : The same, label by label.
    estimate : Intervals for one fixed number of draws.

    Examples
    --------
    >>> low, high = confidence_sequence(ErrorRate(), model, uniform_q(3), [0, 1] * 20, [0, 1] * 20)
    >>> bool(low[-1] == 0), bool(high[-1] < 0.2)
    (True, True)
    """
    sequence = ConfidenceSequence(measure, predictions, q, confidence_level=confidence_level, y_range=y_range)
    return sequence.extend(draws, y_true)
