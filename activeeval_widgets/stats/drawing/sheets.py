"""What can go on a sheet: instances that a model is sure of, which cost less if many are seen together."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.predictions.base import Predictions


class SheetRule(NamedTuple):
    """Which instances may be on a sheet, and what they cost there."""

    sure: float = 0.9
    """The least probability of the predicted class, which has to be the same for all of several models."""
    cost: float = 0.125
    """The cost of a label on a sheet, as a share of that of a label by itself, until `cost_by` knows it."""
    cost_range: tuple[float, float] = (1 / 8, 1 / 2)
    """The least and the greatest cost that seconds can give. Lower ones do not pay: with 1/16 for the cost,
    the interval of a rare class's F was 11 % wider than with 1/8, at labels that cost 1/24."""
    cost_after: tuple[int, int] = (10, 40)
    """The numbers of labels by themselves and on sheets whose seconds have to be known."""
    asks: str = "prediction"
    """Whether a sheet shows the predicted classes ("prediction") or asks for the positive ones
    ("positive")."""

    def cost_by(self, by_itself: Sequence[float], on_sheets: Sequence[float]) -> float | None:
        """Return the cost by the seconds of labels so far: the ratio of the medians, to three digits.

        None if they are too few. Seconds are a person's: with the same seed and labels, other seconds give
        another q, and so other draws. The session's log has the seconds and the cost of each block, so a
        replay gives the same draws.
        """
        least_by_itself, least_on_sheets = self.cost_after
        if len(by_itself) < least_by_itself or len(on_sheets) < least_on_sheets:
            return None
        low, high = self.cost_range
        usual = median(by_itself)
        found = median(on_sheets) / usual if usual > 0 else high
        return min(max(float(f"{found:.3g}"), low), high)

    def are_sure(self, models: Sequence[Predictions]) -> BoolArray:
        """Return where all models are sure of the same class, (n_instances,)."""
        first, *others = models
        found = np.ones(first.n_instances, dtype=bool)
        for model in models:
            certainty = model.certainty if model.kind == "class" and model.promises else None
            found &= False if certainty is None else certainty.values >= self.sure
        for other in others:
            found &= ~first.differs(other)
        return found

    def costs(self, models: Sequence[Predictions], costs: FloatArray | None) -> FloatArray:
        """Return the costs of labels, (n_instances,), lower where all models are sure."""
        usual = np.ones(models[0].n_instances) if costs is None else costs
        return np.where(self.are_sure(models), self.cost * usual, usual)
