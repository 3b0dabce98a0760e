"""What an instance without a label counts if it is taken for the worst, or the best, that it can be."""

from collections.abc import Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.stats.anytime.estimating_equation import has_equation
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.target import Target

FILLED = ("least", "greatest")
"""That each instance without a label counts what makes the measure least, or greatest."""


def check_filled(target: Target, y_range: tuple[float, float] | None, filled: str) -> float:
    """The side on which bets are then placed: 1 for a low end, −1 for a high end.

    Whoever decides what can't be labeled, and by whatever came before: what is counted is never more, or
    never less, than what the label would have counted. So a bet on that side alone is a supermartingale.
    """
    check_option("filled", filled, FILLED)
    if not has_equation(target, y_range):
        raise ValueError(f"filled is {filled!r}, but the {target.measure.name} has no exact equation")
    return 1.0 if filled == "least" else -1.0


def filled_row(
    target: Target,
    draw: int,
    own: Sequence[Predictions] | None,
    y_range: tuple[float, float] | None,
    side: float,
) -> FloatArray:
    """The statistics that make a measure least (1) or greatest (−1), of one instance; (n_statistics,)."""
    one = target.with_models(target.parts_of(np.array([draw])) if own is None else own)
    if target.measure.is_risk:
        least, greatest = one.loss_bounds(y_range)
        end = float((least if side > 0 else greatest)[0])
        return target.row_of_loss(end)
    outcomes = np.stack([outcome[0] for outcome in one.outcomes(y_range)])
    num, den = one.parts(outcomes).T
    ends = [side * (num - end * den) for end in target.range]
    is_least = np.logical_and.reduce([each <= each.min() + 1e-12 for each in ends])
    if not is_least.any():
        raise ValueError(f"which label makes the {target.measure.name} least depends on its value")
    row: FloatArray = outcomes[int(np.argmax(is_least))]
    return row
