"""The number by which the plots lay out the pool."""

from dataclasses import dataclass
from math import floor

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.stats import ClassPredictions, RankingPredictions, ValuePredictions
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.widgets.wording.models import model_names


@dataclass(frozen=True)
class PoolAxis:
    """A number for each instance, by which the pool is laid out.

    Attributes
    ----------
    values : ndarray of shape (n_instances,)
    label : str
        What it is.
    is_share : bool
        Whether it is written in percent.
    low, high : float
        The ends of the axis.
    """

    values: FloatArray
    label: str
    is_share: bool
    low: float
    high: float

    def text(self, value: float) -> str:
        """A number of the axis as it is written."""
        if self.is_share:
            return f"{100 * value:.0f}\N{NO-BREAK SPACE}%"
        return f"{value:.3g}".replace("-", "\N{MINUS SIGN}")


def pool_axis(session: Session) -> PoolAxis:
    """What q mostly depends on: the model's confidence or uncertainty, or what it expects of a list."""
    model = session.models[0]
    whose = "model's" if len(session.models) == 1 else f"{model_names(session)[0]}'s"
    if isinstance(model, ClassPredictions):
        confidence = np.clip(model.confidence, 0, 1)
        least = min(floor(10 * float(confidence.min()) + 1e-9) / 10, 0.9)
        return PoolAxis(confidence, f"{whose} confidence", True, least, 1.0)
    if isinstance(model, ValuePredictions):
        if model.variance is not None:
            values, label = np.sqrt(model.variance), f"{whose} standard deviation"
        else:
            values, label = model.mean, f"{whose} prediction"
    elif isinstance(model, RankingPredictions):
        term = Term(model, np.ones(1))
        values = session.measure.moments([term], model.belief([]), 0.0).first
        label = f"{whose} expected {session.measure.name}"
    else:
        raise TypeError(f"there is no axis for {model!r}")
    low, high = float(values.min()), float(values.max())
    room = 0.05 * (high - low) or 0.5
    return PoolAxis(values, label, False, low - room, high + room)
