"""The number by which the plots lay out the pool."""

from dataclasses import dataclass
from math import floor

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.reading.models import subject_of
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.predictions.base import Certainty
from activeeval_widgets.widgets.evaluation.plot_axes import number_text
from activeeval_widgets.widgets.wording.models import model_names, tells_of_instances


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
            return f"{100 * value:.0f}%"
        return number_text(max(abs(self.low), abs(self.high)))(float(f"{value:.3g}"))


def pool_axis(session: Session) -> PoolAxis:
    """What q mostly depends on: the model's confidence or uncertainty, or what it expects of a list.

    The place in the pool where there is no model, and where the page may not say what models expect.
    """
    model = session.rows.models[0]
    if not tells_of_instances(session):
        n_instances = model.n_instances
        return PoolAxis(np.arange(1.0, n_instances + 1.0), "place in the pool", False, 0.0, n_instances + 1.0)
    whose = f"{model.role}'s" if len(session.models) == 1 else f"{model_names(session)[0]}'s"
    certainty = model.certainty
    if certainty is None:
        values = session.measure.moments([Term(model, np.ones(1))], model.belief([]), 0.0).first
        certainty = Certainty(values, f"expected {session.measure.name}", is_share=False)
    label = f"{whose} {certainty.label}"
    if certainty.is_share and not model.assists:
        label = f"votes for what {subject_of(session.models)} says"
    values = certainty.values
    low, high = float(values.min()), float(values.max())
    if certainty.is_share:
        return PoolAxis(values, label, True, min(floor(10 * low + 1e-9) / 10, 0.9), 1.0)
    room = 0.05 * (high - low) or 0.5
    return PoolAxis(values, label, False, low - room, high + room)
