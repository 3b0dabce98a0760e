"""The threshold at which an F-measure is best, among several."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from activeeval_widgets.stats._equality import EqualByFields
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.measures.thresholds import BestF
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.results import Estimate


@dataclass(frozen=True, eq=False)
class BestThreshold(EqualByFields):
    """F-measures at several thresholds, with intervals that all hold at once, and the best of them.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Ascending: the class of interest is predicted where its probability is at least the threshold.
    values, low, high : ndarray of shape (n_thresholds,)
        The estimated F-measure at each, and its interval; all intervals hold together with probability
        `confidence_level`.
    threshold : float
        The threshold with the greatest estimate; NaN while none is defined.
    value : float
        That estimate: as the greatest of several it is biased upward.
    best_low, best_high : float
        The interval of the greatest F-measure over the thresholds.
    confidence_level : float
        1 − α.
    interval : str
        The kind of the intervals: "confidence_sequence" is valid at every number of draws.

    See Also
    --------
    best_threshold : Computes one; in a session, `best_threshold()`.
    FMeasure : At the threshold by which classes were predicted.

    Examples
    --------
    >>> session = Session(Pool(["a", "b", "c"], predictions=model), BestF())
    >>> session.best_threshold().possible
    array([0.1, 0.6, 0.8])
    """

    thresholds: FloatArray
    values: FloatArray
    low: FloatArray
    high: FloatArray
    threshold: float
    value: float
    best_low: float
    best_high: float
    confidence_level: float
    interval: str

    def __repr__(self) -> str:
        if self.threshold != self.threshold:
            return f"<Best of {len(self.thresholds)} thresholds: not known yet>"
        return (
            f"<Best of {len(self.thresholds)} thresholds: {self.threshold:.3g}, with F {self.value:.2f}. "
            f"The best F is {self.best_low:.2f}–{self.best_high:.2f}, at any of {len(self.possible)}>"
        )

    @property
    def possible(self) -> FloatArray:
        """The thresholds that may be the best, ascending: it is among them with `confidence_level`."""
        return self.thresholds[self.high >= self.best_low]


def best_threshold(
    measure: BestF,
    predictions: ClassPredictions,
    estimate: Callable[..., Estimate],
    *,
    confidence_level: float = 0.95,
    ends: FloatArray | None = None,
) -> BestThreshold:
    """Estimate the F-measure at several thresholds of the score, and which threshold is best.

    Parameters
    ----------
    measure : BestF
        The trade-off, the class of interest and the number of thresholds.
    predictions : ClassPredictions
        The model, with probabilities.
    estimate : callable
        ``estimate(measure, confidence_level=level)`` is the estimate of one measure from the labeled draws,
        with or without replacement: `estimate` or `estimate_adaptive` with their other arguments.
    confidence_level : float
        The level at which the intervals at all thresholds hold together (Bonferroni).
    ends : ndarray of shape (n_thresholds, 2), optional
        The ends of confidence sequences, instead of the estimates' own intervals.

    Returns
    -------
    BestThreshold
        If every interval holds, the best F-measure is at least the greatest lower end, and at most the
        greatest upper one.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described, or the predictions have no probabilities.

    See Also
    --------
    BestF : The best of them as a measure, for which draws are made near the best threshold.

    References
    ----------
    T, eq. 3.26, at each threshold.

    Examples
    --------
    >>> from functools import partial
    >>> drawn = {"draws": [1, 0, 2], "q_draws": [1 / 3, 1 / 2, 1], "y_true": [0, 0, 1]}
    >>> found = best_threshold(BestF(), model, partial(estimate_adaptive, predictions=model, **drawn))
    >>> found.thresholds, found.values.round(3), found.threshold
    (array([0.1, 0.6, 0.8]), array([0.5  , 0.667, 1.   ]), 0.8)
    """
    if not isinstance(measure, BestF):
        raise TypeError(f"measure must be a BestF, got {measure!r}")
    if not isinstance(predictions, ClassPredictions):
        raise TypeError(f"predictions must be ClassPredictions, got {predictions!r:.200}")
    level = check_fraction("confidence_level", confidence_level, closed=False)
    candidates = measure.candidates(predictions)
    each = at_once(level, len(candidates))
    estimates = [estimate(candidate, confidence_level=each) for _, candidate in candidates]
    thresholds = measure.thresholds(predictions)
    values, low, high = np.array([(found.value, found.low, found.high) for found in estimates]).T
    if ends is not None:
        low, high = ends.T
    best = None if np.isnan(values).all() else int(np.nanargmax(values))
    return BestThreshold(
        thresholds=thresholds,
        values=values,
        low=low,
        high=high,
        threshold=float("nan") if best is None else float(thresholds[best]),
        value=float("nan") if best is None else float(values[best]),
        best_low=float(low.max()),
        best_high=float(high.max()),
        confidence_level=level,
        interval=estimates[0].interval if ends is None else "confidence_sequence",
    )
