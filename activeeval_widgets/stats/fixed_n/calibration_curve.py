"""A reliability curve: how often a model is right in several bins of its confidence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.measures.calibration import (
    CalibrationError,
    accuracies,
    check_bins,
    confidences_of,
)
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.results import Estimate
from activeeval_widgets.stats.text import counted


@dataclass(frozen=True)
class CalibrationCurve:
    """How often a model is right in each bin of its confidence, with intervals that all hold at once.

    Attributes
    ----------
    edges : ndarray of shape (n_bins, 2)
        The ends of each bin of confidence; empty bins are left out.
    confidence : ndarray of shape (n_bins,)
        The mean confidence in each bin of the instances not excluded; NaN if there are none.
    n_instances : ndarray of int of shape (n_bins,)
        Number of the pool's instances in each bin that were not excluded.
    n_labels : ndarray of int of shape (n_bins,)
        Number of labeled instances in each bin.
    accuracy : ndarray of shape (n_bins,)
        How often the class that the confidence is for is the label; estimated.
    standard_error : ndarray of shape (n_bins,)
        Its standard error; NaN where it is unknown.
    low, high : ndarray of shape (n_bins,)
        Intervals of all bins, which hold together with probability `confidence_level`.
    error : float
        The estimated calibration error Σ share · |confidence − accuracy|: biased upward.
    error_corrected : float
        The same minus its expected bias, by the standard errors where these are known; at least 0.
    error_low, error_high : float
        The calibration errors that the intervals leave possible. Once an instance was excluded, and until
        all others have a label, the bins' shares and confidences are unknown, so that the range is wide.
    confidence_level : float
        1 − α.
    interval : str
        The kind of the intervals: "confidence_sequence" is valid at every number of draws.

    See Also
    --------
    calibration_curve : Computes one; in a session, `calibration()`.
    CalibrationError : Only the measure.

    Examples
    --------
    >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
    >>> session.calibration(n_bins=4).confidence
    array([0.6 , 0.85])
    """

    edges: FloatArray
    confidence: FloatArray
    n_instances: IntArray
    n_labels: IntArray
    accuracy: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    error: float
    error_corrected: float
    error_low: float
    error_high: float
    confidence_level: float
    interval: str

    def __repr__(self) -> str:
        bins = counted(len(self.edges), "bins")
        labels = counted(int(self.n_labels.sum()), "labels")
        error = f"{self.error:.2f} ({self.error_low:.2f}–{self.error_high:.2f})"
        return f"<Calibration error: {error} in {bins} of confidence, after {labels}>"


def calibration_curve(
    predictions: ClassPredictions,
    estimate: Callable[..., Estimate],
    labeled: ArrayLike,
    excluded: ArrayLike = (),
    *,
    n_bins: int = 10,
    positive: Any = None,
    confidence_level: float = 0.95,
) -> CalibrationCurve:
    """Estimate how often a model is right in each bin of its confidence, and its calibration error.

    Parameters
    ----------
    predictions : ClassPredictions
        The model, with probabilities.
    estimate : callable
        ``estimate(measure, confidence_level=level)`` is the estimate of one measure from the labeled draws,
        with or without replacement: `estimate` or `estimate_adaptive` with their other arguments.
    labeled, excluded : array-like of int
        The labeled draws, and the excluded ones. The curve is for the instances that can be labeled.
    n_bins : int
        Number of bins of equal width from 0 to 1; empty ones are left out.
    positive : class label, optional
        A class of interest: the curve is then for its probability. Unless given, it is for the predicted
        class's.
    confidence_level : float
        The level at which all intervals hold together (Bonferroni).

    Returns
    -------
    CalibrationCurve

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described, or the predictions have no probabilities.

    See Also
    --------
    CalibrationError : The calibration error as a measure, with q and a confidence sequence.

    References
    ----------
    DeGroot & Fienberg, *The comparison and evaluation of forecasters*, 1983; Guo et al., *On calibration of
    modern neural networks*, ICML 2017.

    Examples
    --------
    >>> from functools import partial
    >>> model = ClassPredictions([[0.9, 0.1], [0.35, 0.65], [0.15, 0.85], [0.3, 0.7]])
    >>> drawn = {"draws": [1, 0, 2, 3], "q_draws": [1 / 4, 1 / 3, 1 / 2, 1], "y_true": [0, 0, 1, 1]}
    >>> estimate = partial(estimate_adaptive, predictions=model, **drawn)
    >>> found = calibration_curve(model, estimate, [1, 0, 2, 3], n_bins=4)
    >>> found.confidence.round(3), found.accuracy, round(found.error, 4)
    (array([0.675, 0.875]), array([0.5, 1. ]), 0.15)
    """
    if not isinstance(predictions, ClassPredictions):
        raise TypeError(f"predictions must be ClassPredictions, got {predictions!r:.200}")
    level = check_fraction("confidence_level", confidence_level, closed=False)
    measures = accuracies(predictions, check_bins(n_bins), positive)
    each = at_once(level, len(measures))
    return curve_of(
        predictions,
        [estimate(measure, confidence_level=each) for measure in measures],
        np.asarray(labeled, dtype=np.intp),
        np.asarray(excluded, dtype=np.intp),
        n_bins=n_bins,
        positive=positive,
        confidence_level=level,
    )


def curve_of(
    model: ClassPredictions,
    estimates: Sequence[Estimate],
    labeled: IntArray,
    excluded: IntArray,
    *,
    n_bins: int,
    positive: Any,
    confidence_level: float,
) -> CalibrationCurve:
    """Return the curve from estimates of each bin that is not empty, all at the level 1 − α/their number."""
    confidences = confidences_of(CalibrationError(n_bins), model, n_bins, positive)
    if model.counts is None:
        labeled, excluded = np.unique(labeled), np.unique(excluded)
    bins = np.unique(confidences.bin)
    weights = np.ones(model.n_instances) if model.counts is None else model.counts.astype(np.float64)
    weights -= np.bincount(excluded, minlength=model.n_instances)
    sizes = np.bincount(confidences.bin, weights, n_bins)[bins]
    counts = sizes > 0
    confidence = np.bincount(confidences.bin, weights * confidences.confidence, n_bins)[bins]
    confidence = np.divide(confidence, sizes, out=np.full(bins.size, np.nan), where=counts)
    columns = [(each.value, each.standard_error, each.low, each.high) for each in estimates]
    accuracy, error, low, high = np.array(columns).reshape(-1, 4).T
    share = sizes[counts] / max(sizes.sum(), 1.0)
    gap = np.abs(confidence - accuracy)[counts]
    least = most = confidence
    is_known = not excluded.size or labeled.size + excluded.size == model.size
    if not is_known:
        # The mean over what can be labeled may be any instance's.
        inside = weights > 0
        least, most = np.full(n_bins, np.inf), np.full(n_bins, -np.inf)
        np.minimum.at(least, confidences.bin[inside], confidences.confidence[inside])
        np.maximum.at(most, confidences.bin[inside], confidences.confidence[inside])
        least, most = least[bins], most[bins]
    nearest = np.maximum(np.maximum(low - most, least - high), 0.0)[counts]
    farthest = np.maximum(most - low, high - least)[counts]
    if not counts.any():
        value, corrected, ends = nan, nan, (0.0, 1.0)
    else:
        value = float(share @ gap)
        corrected = max(float(share @ (gap - _bias(gap, error[counts]))), 0.0)
        ends = (share @ nearest, share @ farthest) if is_known else (nearest.min(), farthest.max())
    return CalibrationCurve(
        edges=np.stack([bins, bins + 1], axis=1) / n_bins,
        confidence=confidence,
        n_instances=sizes.astype(np.intp),
        n_labels=np.bincount(confidences.bin[labeled], minlength=n_bins)[bins],
        accuracy=accuracy,
        standard_error=error,
        low=low,
        high=high,
        error=value,
        error_corrected=corrected,
        error_low=float(ends[0]),
        error_high=float(ends[1]),
        confidence_level=confidence_level,
        interval=estimates[0].interval,
    )


def _bias(gap: FloatArray, error: FloatArray) -> FloatArray:
    """Return how much |N(gap, error²)| exceeds the gap on average; 0 where the error is unknown."""
    known = error > 0
    scaled = np.divide(gap, error, out=np.zeros_like(gap), where=known)
    density = np.sqrt(2 / np.pi) * np.exp(-(scaled**2) / 2)
    bias = np.where(known, error, 0.0) * (density - 2 * scaled * ndtr(-scaled))
    return np.asarray(np.where(known, bias, 0.0))
