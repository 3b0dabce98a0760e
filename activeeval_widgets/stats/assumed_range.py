"""How large labels that are values may be taken to be where nobody has said: what predictions let assume."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray
from activeeval_widgets.stats.predictions import Predictions, ValuePredictions

_DEVIATIONS = 20.0
"""Labels may be so many predicted standard deviations beyond the predictions …"""

_SPREADS = 3.0
"""… or, where models give no variances, so many times the distance of the least from the greatest one."""


def assumed_range(models: Sequence[Predictions]) -> tuple[float, float] | None:
    """The least and the greatest label that predictions let assume; None where they tell nothing.

    From the least prediction to the greatest and beyond, by their distance or 20 predicted standard
    deviations (root mean square), whichever is more; by three times their distance if a model has no
    variances. It is a guess: rare labels outside of it, of which none was seen, are not ruled out by
    anything.

    Parameters
    ----------
    models : sequence of Predictions
        One model or more, of one pool.

    Returns
    -------
    least, greatest : float
        Or None: for other predictions than values, and where all are the same and have no variances.
    """
    values = [model for model in models if isinstance(model, ValuePredictions)]
    if len(values) != len(models):
        return None
    least = min(float(model.mean.min()) for model in values)
    greatest = max(float(model.mean.max()) for model in values)
    variances = [float(model.variance.mean()) for model in values if model.variance is not None]
    if len(variances) == len(values):
        reach = max(greatest - least, _DEVIATIONS * sqrt(max(variances)))
    else:
        reach = _SPREADS * (greatest - least)
    if not reach > 0:
        return None
    return least - reach, greatest + reach


def outside(y_true: Any, bounds: tuple[float, float] | None, n_draws: int) -> BoolArray:
    """Which labels lie outside of bounds, (n_draws,); one that is None does not."""
    if bounds is None:
        return np.zeros(n_draws, dtype=bool)
    labels = np.asarray(y_true, dtype=np.float64)
    found: BoolArray = (labels < bounds[0]) | (labels > bounds[1])
    return found


def reason_assumed(bounds: tuple[float, float]) -> str:
    """What an interval rests on that takes the range for granted."""
    return (
        f"Approximate: it takes for granted that no label lies outside {bounds[0]:.4g} to {bounds[1]:.4g}, "
        "which the predictions suggest. If larger errors can happen, even rarely, do not rely on it. "
        "Give y_range, the least and the greatest possible label, for an interval that holds."
    )


def reason_withheld(bounds: tuple[float, float] | None, is_refuted: bool, least_draws: int) -> str:
    """Why there is no interval."""
    remedy = "Give y_range, the least and the greatest possible label, for an interval."
    if bounds is None:
        return f"No interval: nothing limits how large an error can be. {remedy}"
    if is_refuted:
        return (
            f"No interval: a label lay outside {bounds[0]:.4g} to {bounds[1]:.4g}, which the predictions "
            f"suggest, so nothing limits how large an error can be. {remedy}"
        )
    return f"No interval before {least_draws} labels, as there is no y_range. {remedy}"
