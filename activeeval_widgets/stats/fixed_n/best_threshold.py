"""The threshold at which an F-measure is best, among several."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.results import Estimate


@dataclass(frozen=True)
class BestThreshold:
    """F-measures at several thresholds, with intervals that all hold at once, and the best of them.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Ascending: the class of interest is predicted where its probability is at least that.
    values, low, high : ndarray of shape (n_thresholds,)
        The F-measure at each, as estimated, and its interval; all hold together with probability
        `confidence_level`.
    threshold : float
        The one with the greatest estimate; NaN while none is defined.
    value : float
        That estimate: as the greatest of several it is biased upward.
    best_low, best_high : float
        The interval of the best F-measure that any of the thresholds has.
    confidence_level : float
        1 − α.
    interval : str
        The kind of the intervals: "confidence_sequence" may be watched.

    See Also
    --------
    estimate_adaptive_threshold : Gives one; in a session, `best_threshold()`.
    FMeasure : At the threshold that classes were predicted by.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, estimate_adaptive_threshold
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> found = estimate_adaptive_threshold(model, [1, 0, 2], [1 / 3, 1 / 2, 1], [0, 0, 1])
    >>> found.threshold, found.value
    (0.8, 1.0)
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
        """The thresholds that can be the best one, ascending: with `confidence_level`, it is among them."""
        return self.thresholds[self.high >= self.best_low]


def best_of(
    thresholds: FloatArray,
    estimates: Sequence[Estimate],
    confidence_level: float,
    ends: FloatArray | None = None,
) -> BestThreshold:
    """The best of estimates at thresholds, all at the level 1 − α/number of these.

    `ends`: those of the intervals that may be watched, (n_thresholds, 2), in the place of the estimates' own.

    Where every interval holds, the greatest F-measure is at least the greatest lower end, and at most the
    greatest upper one.
    """
    values, low, high = np.array([(each.value, each.low, each.high) for each in estimates]).T
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
        confidence_level=confidence_level,
        interval=estimates[0].interval if ends is None else "confidence_sequence",
    )
