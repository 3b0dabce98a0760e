"""A reliability curve from labeled draws without replacement."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._validation import check_fraction, split_excluded
from activeeval_widgets.stats.adaptive.estimator import estimate_adaptive
from activeeval_widgets.stats.fixed_n.calibration_curve import CalibrationCurve, curve_of
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.measures.calibration import accuracies, check_bins
from activeeval_widgets.stats.predictions.classes import ClassPredictions


def estimate_adaptive_calibration(
    predictions: ClassPredictions,
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    n_bins: int = 10,
    positive: Any = None,
    least_q: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> CalibrationCurve:
    """Estimate how often a model is right for each bin of its confidence, and its calibration error.

    Parameters
    ----------
    predictions : ClassPredictions
        The model, with probabilities.
    draws : array-like of shape (n_draws,)
        Different indices into the pool, in the order in which they were drawn.
    q_draws : array-like of shape (n_draws,)
        The probability of each draw, given those before it.
    y_true : array-like of shape (n_draws,)
        Their labels; None for a draw that can't be labeled. The curve is then of the instances that can.
    n_bins : int
        How many bins of equal width there are from 0 to 1; those without an instance are left out.
    positive : class label, optional
        A class of interest: the curve is then of its probability. Unless given, it is of the predicted
        class's.
    least_q : array-like of shape (n_draws,), optional
        As for `estimate_adaptive`.
    confidence_level : float
        With it all intervals hold together (Bonferroni): each one is Wald's, for one number of draws fixed
        beforehand.

    Returns
    -------
    CalibrationCurve

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or the predictions have no probabilities.

    See Also
    --------
    CalibrationError : the calibration error as a measure, with q and an interval that may be watched.
    estimate_adaptive : how each bin is estimated.

    References
    ----------
    DeGroot & Fienberg, *The comparison and evaluation of forecasters*, 1983; Guo et al., *On calibration of
    modern neural networks*, ICML 2017.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
    >>> model = ClassPredictions([[0.9, 0.1], [0.35, 0.65], [0.15, 0.85], [0.3, 0.7]])
    >>> q_draws = [1 / 4, 1 / 3, 1 / 2, 1]
    >>> found = estimate_adaptive_calibration(model, [1, 0, 2, 3], q_draws, [0, 0, 1, 1], n_bins=4)
    >>> round(found.error, 4), found.n_instances
    (0.15, array([2, 2]))
    """
    if not isinstance(predictions, ClassPredictions):
        raise TypeError(f"predictions must be ClassPredictions, got {predictions!r:.200}")
    level = check_fraction("confidence_level", confidence_level, closed=False)
    n_bins = check_bins(n_bins)
    measures = accuracies(predictions, n_bins, positive)
    each = at_once(level, len(measures))
    estimates = [
        estimate_adaptive(
            measure, predictions, draws, q_draws, y_true, least_q=least_q, confidence_level=each
        )
        for measure in measures
    ]
    drawn = np.asarray(draws, dtype=np.intp)
    _, labeled = split_excluded(y_true, drawn.size)
    return curve_of(
        predictions,
        estimates,
        drawn if labeled is None else drawn[labeled],
        drawn[:0] if labeled is None else drawn[~labeled],
        n_bins=n_bins,
        positive=positive,
        confidence_level=level,
    )
