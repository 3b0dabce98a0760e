"""How many more labels it takes, asked once."""

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
    """How many more labels until half the width of the interval is `half_width`.

    Before the first label by what the model expects, then more and more by the labels. `Planner` gives the
    same, faster where it is asked often.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution.
    half_width : float
        What is wanted, in the measure's unit.
    draws : array-like of shape (n_draws,)
        The draws so far: indices into the pool, with repeats.
    y_true : array-like of shape (n_draws,)
        Their labels, in draw order; None for one that can't be labeled.
    q_draws : array-like of shape (n_draws,), optional
        The probability of each draw, given those before it; by q unless given.
    current : tuple of two floats, optional
        The interval now: what is known of its width then corrects the plan.
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
    Planner : the same, faster where it is asked often.
    uniform_draws_needed : what the same precision would take without a choice of instances.

    Examples
    --------
    >>> import numpy as np
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
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
