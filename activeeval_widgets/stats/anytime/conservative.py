"""Conservative statistics for instances without a label: each takes its worst, or its best, label."""

from collections.abc import Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.stats.anytime.estimating_equation import has_equation
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.target import Target

FILLED = ("least", "greatest")
"""Every instance without a label gets the label that makes the measure least, or greatest."""


def check_filled(target: Target, y_range: tuple[float, float] | None, filled: str) -> float:
    """Return the side of the resulting bets: 1 for a lower end, −1 for an upper end.

    Whoever excludes instances, and for whatever reason, an excluded instance never counts more (or never
    less) than its label would have. A bet on that side only is therefore a supermartingale.
    """
    check_option("filled", filled, FILLED)
    if not has_equation(target, y_range):
        raise ValueError(f"filled is {filled!r}, but the {target.measure.name} has no exact equation")
    side = 1.0 if filled == "least" else -1.0
    base = target.base
    if not base.measure.is_risk:
        first, _ = base.measure.alike(base.models[0], np.arange(base.models[0].n_instances))
        _least_rows(base.with_models(base.parts_of(first)), y_range, side)
    return side


def filled_row(
    target: Target,
    draw: int,
    own: Sequence[Predictions] | None,
    y_range: tuple[float, float] | None,
    side: float,
) -> FloatArray:
    """Return one instance's statistics that make a measure least (1) or greatest (−1); (n_statistics,)."""
    one = target.with_models(target.parts_of(np.array([draw])) if own is None else own)
    if target.measure.is_risk:
        least, greatest = one.loss_bounds(y_range)
        row = np.zeros(len(target.signs))
        row[0] = (least if side > 0 else greatest)[0]
        return row
    return np.asarray(_least_rows(one, y_range, side)[0])


def _least_rows(target: Target, y_range: tuple[float, float] | None, side: float) -> FloatArray:
    """Return each instance's statistics that make a ratio least (1) or greatest (−1), whatever its value."""
    outcomes = np.stack([*target.outcomes(y_range)])
    num, den = np.moveaxis(np.stack([target.parts(each) for each in outcomes]), -1, 0)
    ends = [side * (num - end * den) for end in target.range]
    is_least = np.logical_and.reduce([each <= each.min(axis=0) + 1e-12 for each in ends])
    if not is_least.any(axis=0).all():
        raise ValueError(f"which label makes the {target.measure.name} least depends on its value")
    rows: FloatArray = outcomes[is_least.argmax(axis=0), np.arange(is_least.shape[1])]
    return rows
