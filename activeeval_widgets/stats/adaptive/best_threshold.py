"""The threshold at which an F-measure is best, from labeled draws without replacement."""

from typing import Any

from numpy.typing import ArrayLike

from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.adaptive.estimator import estimate_adaptive
from activeeval_widgets.stats.fixed_n.best_threshold import BestThreshold, best_of
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.measures.thresholds import BestF
from activeeval_widgets.stats.predictions.classes import ClassPredictions


def estimate_adaptive_threshold(
    predictions: ClassPredictions,
    draws: ArrayLike,
    q_draws: ArrayLike,
    y_true: Any,
    *,
    beta: float = 1.0,
    positive: Any = 1,
    n_thresholds: int = 20,
    least_q: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> BestThreshold:
    """Estimate the F-measure at several thresholds of the score, and which of them is best.

    Parameters
    ----------
    predictions : ClassPredictions
        The model, with probabilities.
    draws : array-like of shape (n_draws,)
        Different indices into the pool, in the order in which they were drawn.
    q_draws : array-like of shape (n_draws,)
        The probability of each draw, given those before it.
    y_true : array-like of shape (n_draws,)
        Their labels; None for a draw that can't be labeled.
    beta : float
        Recall counts β times as much as precision.
    positive : class label
        The class of interest; its probability is the score.
    n_thresholds : int
        How many thresholds there are, at most: scores of the pool, such that the numbers of instances at or
        above them grow by a factor.
    least_q : array-like of shape (n_draws,), optional
        As for `estimate_adaptive`.
    confidence_level : float
        With it the intervals at all thresholds hold together (Bonferroni): each one is Wald's, for one number
        of draws fixed beforehand.

    Returns
    -------
    BestThreshold

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or the predictions have no probabilities.

    See Also
    --------
    BestF : the best of them as a measure; draws for it are good for those nearby.
    estimate_adaptive : how each is estimated.

    References
    ----------
    T, eq. 3.26, at each threshold.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> found = estimate_adaptive_threshold(model, [1, 0, 2], [1 / 3, 1 / 2, 1], [0, 0, 1])
    >>> found.thresholds, found.values.round(3)
    (array([0.1, 0.6, 0.8]), array([0.5  , 0.667, 1.   ]))
    """
    if not isinstance(predictions, ClassPredictions):
        raise TypeError(f"predictions must be ClassPredictions, got {predictions!r:.200}")
    level = check_fraction("confidence_level", confidence_level, closed=False)
    best = BestF(beta, positive, n_thresholds)
    measures = [measure for _, measure in best.candidates(predictions)]
    each = at_once(level, len(measures))
    estimates = [
        estimate_adaptive(
            measure, predictions, draws, q_draws, y_true, least_q=least_q, confidence_level=each
        )
        for measure in measures
    ]
    return best_of(best.thresholds(predictions), estimates, level)
