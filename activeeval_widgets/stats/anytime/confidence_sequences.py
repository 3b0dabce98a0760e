"""Intervals that may be watched: valid at every number of draws at once."""

from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_fraction, check_q
from activeeval_widgets.stats.anytime._bands import FixedBand, make_band
from activeeval_widgets.stats.anytime.band import Watched
from activeeval_widgets.stats.anytime.deadlines import deadlines_of
from activeeval_widgets.stats.anytime.estimating_equation import (
    check_y_in_range,
    check_y_range,
    has_exact_band,
)
from activeeval_widgets.stats.anytime.filled import check_filled, filled_row
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import target_of


class ConfidenceSequence(Watched[FixedBand]):
    """An interval for a measure that is updated label by label, and holds at all of them at once.

    With probability 1 − α the true value is never outside, however long one looks and whenever one stops.

    For risks with bounded losses, one model's or the difference of two, and for one model's precision,
    recall, specificity and F this holds exactly for every number of draws: no normal approximation, and no
    trust in the model, whose probabilities only make the interval shorter where they are right. Values
    (regression) need `y_range` for that. All else is approximate (`is_asymptotic`), and withheld where it is
    known not to hold: other measures and two models' difference in a ratio hold in the limit of many draws.
    Values without `y_range` take for granted that labels lie in a wide range around the predictions.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution that all draws come from, independently, with replacement.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The smallest and the largest label there can be, for values; labels outside are refused.
    deadlines : sequence of int, optional
        Numbers of draws, known before the first label, at which the interval is to be narrow. It holds at all
        others just as well. Unless given, 25, 50, 100, … and so on; (): the wider interval of
        sessions that were begun when there were no deadlines.
    filled : {"least", "greatest"}, optional
        As of `AdaptiveConfidenceSequence`.

    Attributes
    ----------
    low, high : float
        The interval now. Before the first label it is all that labels could give.
    n_draws : int
        How many draws it has seen.
    pvalue : float
        For two models: the p-value of "no difference" that belongs to the interval, and may be watched as
        well. Where the models don't differ, it ever falls to α with probability at most α. It does
        not before the interval leaves out 0. NaN for one model.
    is_asymptotic : bool
        Whether it is approximate: holds in the limit of many draws, or takes a range of labels for granted.
    withheld : bool
        Whether an approximate interval is the whole range because it would not hold.
    reason : str, or None
        In a sentence, why it is withheld, or what it takes for granted. None for what is exact.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other; if q is 0 for an instance whose label would count.

    See Also
    --------
    confidence_sequence : of draws that are all there.
    AdaptiveConfidenceSequence : for draws that adapt, without replacement.
    SequentialTest : for one question instead of an interval.

    Notes
    -----
    Candidates lie on a grid of 2,048 cells, denser around the value that the model expects (see
    `candidate_grid`). A cell is excluded for good once the capital of a bet against it has reached 1/α
    everywhere in the cell. The interval is the hull of the others, so it is rounded outward, by less than a
    cell at each end. Where all are excluded (which has probability at most α), the last interval stays. An
    update takes the same time and memory at any number of draws.

    Draws have to be fed in the order in which they were made, repeats included, without leaving any out: up
    to the first that has no label yet. After a label is taken back or changed, `restart` and feed all again.

    An instance that can't be labeled (None) has to be fed too, and counts for nothing: the interval is then
    for the measure on what can be labeled, and is as exact, if that depends on instances and their labels
    alone. Of the difference of two risks with q = 0 where models agree, nobody knows how much can be labeled
    there: from the first None on the interval reaches from where all of it can be to where none can. Bets and
    candidates allow for such instances from the first draw on: before it the interval is all that labels
    could give on any part of the pool.

    The asymptotic sequence is the whole range before 100 draws, and while fewer than 25 draws carry the
    variance, (Σ ψ²)² / Σ ψ⁴ of the weighted influences: where a class is rare, or few weights are heavy. It
    is not a running intersection.

    Values without `y_range`: no number of labels rules out that rare errors, none of which was seen, are
    large; so no interval can hold without a bound. From 100 labels on the interval is the exact one for
    labels within the range that `assumed_range` makes of the predictions, which is wide. It is withheld
    once a label lies outside, and while the largest error is more than ten times the median one. Where large
    errors are rare, do not rely on it: give `y_range`.

    References
    ----------
    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024, eq. 24
    and 26. The asymptotic one: Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit
    theory and asymptotic confidence sequences*, 2021, eq. 10, with the influences as observations.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> sequence = ConfidenceSequence(ErrorRate(), predictions, uniform_q(3))
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
        self._q = check_q(q, models[0].n_instances)
        self._level = level = check_fraction("confidence_level", confidence_level, closed=False)
        self._y_range = check_y_range(y_range, models[0])
        self.is_asymptotic = not has_exact_band(self._target, self._y_range)
        self._side = None if filled is None else check_filled(self._target, self._y_range, filled)
        players = deadlines_of(deadlines)
        self._band = make_band(self._target, self._q, level, self._y_range, players, self._side)
        self.n_draws = 0

    def restart(self) -> Self:
        """Forget all labels; what is known about the pool is kept. Returns the sequence itself."""
        self._band.restart()
        self.n_draws = 0
        return self

    def copy(self) -> Self:
        """The sequence as it is now, to go on with from here; what is known about the pool is shared."""
        made = copy(self)
        made._band = self._band.copy()
        return made

    def update(self, draw: int, y: Any) -> tuple[float, float]:
        """The interval after one more labeled draw.

        Parameters
        ----------
        draw : int
            Index into the pool.
        y : label
            Its label, as in `estimate`; None if it can't be labeled.

        Returns
        -------
        low, high : float

        Raises
        ------
        ValueError, TypeError
            If the draw can't be one from q, the label is not one of the classes or is outside `y_range`; the
            sequence is then as it was.
        """
        low, high = self.extend([draw], [y])
        return float(low[0]), float(high[0])

    def extend(self, draws: ArrayLike, y_true: Any) -> tuple[FloatArray, FloatArray]:
        """The intervals after each of several more labeled draws; the same as by `update`.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool.
        y_true : array-like of shape (n_draws,)
            Their labels; None for one that can't be labeled.

        Returns
        -------
        low, high : ndarray of shape (n_draws,)
        """
        sample = self._target.sample(self._q, draws, y_true)
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
    """Intervals after each draw that hold at all of them at once: they may be watched.

    See `ConfidenceSequence`, which gives the same label by label and takes deadlines, for what is exact and
    what is asymptotic.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution that all draws come from.
    draws : array-like of shape (n_draws,)
        Indices into the pool, in the order in which they were drawn, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order; None for one that can't be labeled.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The smallest and the largest label there can be, for values (regression).

    Returns
    -------
    low, high : ndarray of shape (n_draws,)
        The interval after each draw. It never widens, unless it is asymptotic, or what is never drawn
        counts for less after an exclusion, and is never a point.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, a label is outside `y_range`, or q is 0 for an instance whose label
        would count.

    See Also
    --------
    ConfidenceSequence : the same label by label.
    estimate : with intervals for one number of draws.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> low, high = confidence_sequence(ErrorRate(), predictions, uniform_q(3), [0, 1] * 20, [0, 1] * 20)
    >>> bool(low[-1] == 0), bool(high[-1] < 0.2)
    (True, True)
    """
    sequence = ConfidenceSequence(measure, predictions, q, confidence_level=confidence_level, y_range=y_range)
    return sequence.extend(draws, y_true)
