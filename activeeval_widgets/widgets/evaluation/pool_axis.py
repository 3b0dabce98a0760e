"""The number by which plots arrange the pool."""

from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.models import is_scorer
from activeeval_widgets.session.findings.plot_axes import number_text, round_step, round_ticks
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.predictions.base import Certainty
from activeeval_widgets.stats.text import percent
from activeeval_widgets.widgets.wording.models import allows_predictions

_MAX_BINS = 12

_MAX_NAMES = 20
"""The largest number of predicted classes that are arranged by name."""


@dataclass(frozen=True)
class PoolAxis:
    """A number for each instance, by which the pool is arranged.

    Attributes
    ----------
    values : ndarray of shape (n_instances,)
    label : str
        The meaning of the number.
    is_share : bool
        Whether it is shown in percent.
    low, high : float
        The ends of the axis.
    names : tuple of str
        For values that are positions from 0, the name of each.
    is_prediction : bool
        Whether it is the model's prediction, which the page shows only on request.
    """

    values: FloatArray
    label: str
    is_share: bool
    low: float
    high: float
    names: tuple[str, ...] = ()
    is_prediction: bool = False

    def text(self, value: float) -> str:
        """Return a number on the axis as text."""
        if self.names:
            return self.names[min(max(round(value), 0), len(self.names) - 1)]
        if self.is_share:
            return percent(value, 0)
        return number_text(max(abs(self.low), abs(self.high)))(float(f"{value:.3g}"))

    def ticks(self) -> list[float]:
        """Return the positions of tick labels."""
        if self.names:
            return [float(i) for i in range(len(self.names))]
        return [float(tick) for tick in round_ticks(self.low, self.high)]

    def edges(self) -> FloatArray:
        """Return the ends of at most about a dozen bins, at round numbers, over the range of the values."""
        if self.names:
            between: FloatArray = np.arange(len(self.names) + 1, dtype=np.float64) - 0.5
            return between
        step = round_step(self.high - self.low, _MAX_BINS)
        first, last = floor(self.low / step + 1e-9), ceil(self.high / step - 1e-9)
        found: FloatArray = np.arange(first, last + 1, dtype=np.float64) * step
        return found

    def range_text(self, low: float, high: float) -> str:
        """Return a bin in words."""
        if self.names:
            return self.text((low + high) / 2)
        return f"{self.text(low)} to {self.text(high)}"


def pool_axis(session: Session) -> PoolAxis | None:
    """Return the main determinant of q: confidence, uncertainty, or the expected value of a list.

    None if there is no model, or if the page may not show what models expect.
    """
    model = session.draws.rows.models[0]
    if not allows_predictions(session):
        return None
    whose = f"{session.question.names[0] if session.question.pairs else model.role}'s"
    certainty = model.certainty
    if certainty is None:
        values = session.measure.moments([Term(model, np.ones(1))], model.belief([]), 0.0).first
        certainty = Certainty(values, f"expected {session.measure.name}", is_share=False)
    if certainty.names:
        if len(certainty.names) > _MAX_NAMES:
            return None
        high = len(certainty.names) - 0.5
        label = "verdict" if is_scorer(session.models) else "predicted class"
        return PoolAxis(certainty.values, label, False, -0.5, high, certainty.names, is_prediction=True)
    label = f"{whose} {certainty.label}"
    if certainty.is_share and not model.assists:
        label = f"share of votes that agree with {model.name or 'the majority'}"
    values = certainty.values
    low, high = float(values.min()), float(values.max())
    if certainty.is_share:
        return PoolAxis(values, label, True, min(floor(10 * low + 1e-9) / 10, 0.9), 1.0)
    room = 0.05 * (high - low) or 0.5
    return PoolAxis(values, label, False, low - room, high + room, is_prediction=certainty.is_prediction)
