"""The root of the mean squared error: in the unit of the labels."""

from math import copysign, sqrt

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Measure, Moments
from activeeval_widgets.stats.measures.values import SquaredError, ValueMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.text import with_blank


class RootMeanSquaredError(ValueMeasure):
    """The root mean squared error sqrt(E (f(x) − y)²), in the unit of the labels.

    See Also
    --------
    SquaredError : Its square, whose interval gives this one's, end by end.
    AbsoluteError : Gives large errors less weight.

    Examples
    --------
    >>> pool_value(RootMeanSquaredError(), ValuePredictions([1.0, 2.0]), [1.5, 3.5])
    1.118033988749895
    """

    summary = "How far off the model typically is, in the unit of the labels: large misses count most."
    aliases = ("root-mean-squared-error", "rmse")
    name = "root mean squared error"
    sentence = "The model's {name} is {value}: that is how far off it typically is."
    is_risk = False
    base = SquaredError()

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit of the labels; see `Measure.unit`."""
        return with_blank(label_unit)

    def from_base(self, value: float) -> float:
        """Return the root, with the sign of the number; see `Measure.from_base`."""
        return copysign(sqrt(abs(value)), value)

    def to_base(self, value: float) -> float:
        """Return the square, with the sign of the number; see `Measure.to_base`."""
        return value * abs(value)

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]; negative if the estimated mean of squares is."""
        return np.asarray(np.sign(mean[..., 0]) * np.sqrt(np.abs(mean[..., 0])))

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]; 0 at 0, when no error was observed."""
        slope: FloatArray = np.zeros_like(mean)
        np.divide(0.5, np.sqrt(np.abs(mean)), out=slope, where=mean != 0)
        return slope

    def constant_interval(
        self, predictions: Predictions, q: FloatArray, z: FloatArray, value: float, confidence_level: float
    ) -> tuple[float, float]:
        """Return the whole range; see `Measure.constant_interval`."""
        return Measure.constant_interval(self, predictions, q, z, value, confidence_level)

    def _loss(self, distance: FloatArray) -> FloatArray:
        return distance**2

    def _gaussian_moments(
        self, signs: FloatArray, distances: FloatArray, variance: FloatArray, offset: float
    ) -> Moments:
        return self.base._gaussian_moments(signs, distances, variance, offset)
