"""What can go on a sheet: instances that a model is sure of, which cost less if many are seen together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.predictions.base import Predictions


class SheetRule(NamedTuple):
    """Which instances may be on a sheet, and what they cost there.

    Attributes
    ----------
    sure : float
        The least probability of the predicted class. Several models have to predict the same class, each with
        this probability.
    cost : float
        The cost of a label on a sheet, as a share of that of a label by itself.
    asks : {"prediction", "positive"}
        Whether a sheet shows the predicted class of each instance, or asks for the positive ones.
    """

    sure: float = 0.9
    cost: float = 0.125
    asks: str = "prediction"

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
