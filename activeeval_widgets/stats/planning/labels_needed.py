"""The number of further labels that an interval width requires."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.planning.plan import Plan
from activeeval_widgets.stats.planning.planner import Planner
from activeeval_widgets.stats.predictions.base import Predictions


def labels_needed(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    q: ArrayLike,
    *,
    half_width: float,
    draws: ArrayLike = (),
    y_true: Any = (),
    q_draws: ArrayLike | None = None,
    current: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
    interval: str = "confidence_sequence",
    estimator: str = "self_normalized",
    replacement: bool = True,
    y_range: tuple[float, float] | None = None,
) -> Plan:
    """Forecast how many more labels an interval of half-width `half_width` requires.

    The forecast starts from the model's probabilities and relies on the labels as they come in. To ask
    repeatedly for one pool, use `Planner`, which gives the same answer faster.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of two Predictions
        One model, or two for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution.
    half_width : float
        The target half-width, in the measure's unit.
    draws : array-like of shape (n_draws,)
        Indices of the draws so far, with repeats.
    y_true : array-like of shape (n_draws,)
        Their labels, in draw order; None for an excluded instance.
    q_draws : array-like of shape (n_draws,), optional
        The probability of each draw given the earlier ones; by default from q.
    current : tuple of two floats, optional
        The current interval, whose width corrects the forecast.
    confidence_level, interval, estimator, replacement, y_range
        As for `Planner`.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other.

    See Also
    --------
    Planner : The same, faster for repeated questions about one pool.
    uniform_draws_needed : The uniform draws that the same precision would have taken.

    Examples
    --------
    >>> p = np.linspace(0.05, 0.95, 2000)
    >>> predictions = ClassPredictions(np.column_stack([1 - p, p]))
    >>> plan = labels_needed(ErrorRate(), predictions, uniform_q(2000), half_width=0.05, interval="wald")
    >>> 250 < plan.n_draws < 320, plan.n_labels < plan.n_draws
    (True, True)
    """
    planner = Planner(
        measure,
        predictions,
        q,
        confidence_level=confidence_level,
        interval=interval,
        estimator=estimator,
        replacement=replacement,
        y_range=y_range,
    )
    return planner.plan(half_width, draws=draws, y_true=y_true, q_draws=q_draws, current=current)
