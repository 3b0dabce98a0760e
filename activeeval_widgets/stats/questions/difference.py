"""The difference of two models in a measure."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.intervals import constant_loss_interval
from activeeval_widgets.stats.measures.base import Composition, max_weight
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.questions.question import Comparison
from activeeval_widgets.stats.questions.sample import ROUNDING, Sample
from activeeval_widgets.stats.questions.target import Target


class Difference(Target, Comparison):
    """The difference G₁ − G₂ of two models, whose statistics are concatenated."""

    about = "two models"
    pairs = ((0, 1),)
    best = "better"
    draws_apart = True
    zero_asks = "verdict"
    signs = (1.0, -1.0)

    @cached_property
    def quantity(self) -> Quantity:
        """The name and format of the answer."""
        return Differences(self.measure, self.names)

    @cached_property
    def range(self) -> tuple[float, float]:
        """The smallest and largest possible value."""
        (low, high), (other_low, other_high) = map(self.measure.range_for, self.models)
        return low - other_high, high - other_low

    @property
    def base(self) -> Target:
        """The target of exact intervals: the difference itself."""
        return self

    @property
    def has_equation(self) -> bool:
        """Whether the value solves an estimating equation, as for a risk."""
        return self.measure.is_risk

    @property
    def skips_agreement(self) -> bool:
        """Whether instances where the models agree need not be drawn: their losses cancel out."""
        return self.measure.is_risk

    @property
    def composition(self) -> Composition | None:
        """The parts of which it is a function; see `Measure.difference_composition`."""
        first, second = self.models
        return self.measure.difference_composition(first, second)

    def can_differ(self) -> BoolArray:
        """Return where a label can distinguish the models; see `Measure.can_differ`."""
        first, second = self.models
        return self.measure.can_differ(first, second)

    def check_labels(self, labels: Any) -> None:
        """Refuse labels that do not suit both models."""
        self.models[0].check_common_labels(labels)

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the value, given E[z] of shape (…, n_statistics)."""
        first, second = map(self.measure.g, self.split(mean))
        # A rounding error must not make one of two equally good models better.
        is_same = np.abs(first - second) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
        return np.where(is_same, 0.0, first - second)

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z], both of shape (…, n_statistics)."""
        first, second = self.split(mean)
        return np.concatenate([self.measure.gradient(first), -self.measure.gradient(second)], axis=-1)

    def split(self, mean: FloatArray) -> Sequence[FloatArray]:
        """Return each model's part of (…, n_statistics)."""
        return np.split(mean, 2, axis=-1)

    def influence_without_variances(self) -> FloatArray:
        """Return the influence in the limit of a large constant variance: the distance of the predictions."""
        return np.abs(mixture(self.models).contrast())

    def loss(self, z: FloatArray) -> FloatArray:
        """Return the difference of the losses, given statistics z of a risk."""
        return z[..., 0] - z[..., 1]

    def rest_share(self, q: FloatArray) -> float:
        """Return the share of the pool that is never drawn but is part of the measure's mean.

        The difference of two risks is 0 where the models agree, so those instances need not be drawn (T, 5:
        active_≠); others must be.
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
        """Return an interval for the case that no draw deviates from `value`."""
        if self.measure.is_risk:
            return constant_loss_interval(value, len(sample.z), max_weight(sample.q), level, self.range)
        return self.range
