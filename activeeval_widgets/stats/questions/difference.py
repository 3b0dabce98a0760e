"""The difference of two models in a measure."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.intervals import constant_loss_interval
from activeeval_widgets.stats.measures.base import BandPart, max_weight
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.questions.question import Comparison
from activeeval_widgets.stats.questions.sample import ROUNDING, Sample
from activeeval_widgets.stats.questions.target import Target


class Difference(Target, Comparison):
    """G₁ − G₂ of two models: their statistics stand side by side."""

    about = "two models"
    pairs = ((0, 1),)
    best = "better"
    draws_apart = True
    zero_asks = "verdict"
    signs = (1.0, -1.0)

    @property
    def quantity(self) -> Quantity:
        """How the answer is called and written."""
        return Differences(self.measure, self.names)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest possible value."""
        (low, high), (other_low, other_high) = map(self.measure.range_for, self.models)
        return low - other_high, high - other_low

    @property
    def base(self) -> Target:
        """What an exact interval is made for: the difference itself."""
        return self

    @property
    def has_equation(self) -> bool:
        """Whether the value solves an estimating equation: of a risk."""
        return self.measure.is_risk

    @property
    def skips_agreement(self) -> bool:
        """Whether instances where the models agree need not be drawn: their losses cancel out."""
        return self.measure.is_risk

    @property
    def band_parts(self) -> tuple[BandPart, ...]:
        """What it is a function of; see `Measure.difference_parts`."""
        first, second = self.models
        return self.measure.difference_parts(first, second)

    def from_band_parts(self, lows: FloatArray, highs: FloatArray) -> tuple[float, float]:
        """Its interval if each of `band_parts` is between its ends."""
        return self.measure.from_difference_parts(lows, highs)

    def can_differ(self) -> BoolArray:
        """Where a label can tell the two apart; see `Measure.can_differ`."""
        first, second = self.models
        return self.measure.can_differ(first, second)

    def check_labels(self, labels: Any) -> None:
        """Refuse labels that only one of the models can be measured by."""
        self.models[0].check_common_labels(labels)

    def g(self, mean: FloatArray) -> FloatArray:
        """The value, given E[z] of shape (…, n_statistics)."""
        first, second = map(self.measure.g, self.split(mean))
        # Of two that are as good as each other none is better by a rounding error.
        is_same = np.abs(first - second) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
        return np.where(is_same, 0.0, first - second)

    def gradient(self, mean: FloatArray) -> FloatArray:
        """∇g at E[z], both of shape (…, n_statistics)."""
        first, second = self.split(mean)
        return np.concatenate([self.measure.gradient(first), -self.measure.gradient(second)], axis=-1)

    def split(self, mean: FloatArray) -> Sequence[FloatArray]:
        """Each model's part of (…, n_statistics)."""
        return np.split(mean, 2, axis=-1)

    def influence_without_variances(self) -> FloatArray:
        """What tells at a constant variance that goes to infinity: where predictions are far apart."""
        return np.abs(mixture(self.models).contrast())

    def loss(self, z: FloatArray) -> FloatArray:
        """The difference of the losses, given statistics z of a risk."""
        return z[..., 0] - z[..., 1]

    def row_of_loss(self, loss: float) -> FloatArray:
        """Statistics of a risk with this difference of losses."""
        return np.array([loss, 0.0])

    def value_on(self, instances: IntArray, labels: Any) -> float:
        """The value of what has labels, by `Measure.of_pool`."""
        first, second = (self.measure.of_pool(part, labels) for part in self.parts_of(instances))
        return first - second

    def rest_share(self, q: FloatArray) -> float:
        """The share of the pool that is never drawn, and is part of what the measure is a mean of.

        The difference of two risks is 0 where the models agree, so those need not be drawn (T, 5: active_≠).

        Raises
        ------
        ValueError
            If models that are compared by a risk differ where q is 0.
        """
        never = q == 0
        if not (self.skips_agreement and never.any()):
            return 0.0
        unseen = never & ~self.measure.same_statistics(*self.models)
        if unseen.any():
            where = int(np.argmax(unseen))
            raise ValueError(f"q[{where}] is 0, but the models differ there: it would never be drawn")
        return float(np.mean(never))

    def constant_interval(self, sample: Sample, value: float, level: float) -> tuple[float, float]:
        """An interval for where no draw deviates from `value`."""
        if self.measure.is_risk:
            return constant_loss_interval(value, len(sample.z), max_weight(sample.q), level, self.range)
        return self.range

    def pvalue(self, value: float) -> float:
        """The p-value of "no difference"."""
        return value
