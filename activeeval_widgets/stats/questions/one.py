"""The value of one model, and of labels by themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import BandPart
from activeeval_widgets.stats.questions.sample import Sample
from activeeval_widgets.stats.questions.target import Target


class One(Target):
    """G of one model."""

    about = "one model"
    signs = (1.0,)

    @property
    def positions(self) -> tuple[tuple[int, ...], ...]:
        """The only model's."""
        return ((0,),)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest possible value."""
        return self.measure.range_for(self.models[0])

    @property
    def base(self) -> Target:
        """What an exact interval is made for: the measure's base where it has one."""
        base = self.measure.base
        return self if base is None else type(self)(base, self.models)

    @property
    def has_equation(self) -> bool:
        """Whether the value solves an estimating equation: of a risk or a ratio."""
        return self.measure.is_risk or self.measure.is_ratio

    @property
    def band_parts(self) -> tuple[BandPart, ...]:
        """What it is a function of; see `Measure.band_parts`."""
        return self.measure.band_parts(self.models[0])

    def from_band_parts(self, lows: FloatArray, highs: FloatArray) -> tuple[float, float]:
        """Its interval if each of `band_parts` is between its ends."""
        return self.measure.from_band_parts(lows, highs, self.models[0])

    def g(self, mean: FloatArray) -> FloatArray:
        """The value, given E[z] of shape (…, n_statistics)."""
        return self.measure.g(mean)

    def gradient(self, mean: FloatArray) -> FloatArray:
        """∇g at E[z], both of shape (…, n_statistics)."""
        return self.measure.gradient(mean)

    def split(self, mean: FloatArray) -> Sequence[FloatArray]:
        """The model's part of (…, n_statistics): all of it."""
        return [mean]

    def influence_without_variances(self) -> FloatArray:
        """The same everywhere: of one model no instance tells more than another."""
        return np.ones(self.models[0].n_instances)

    def loss(self, z: FloatArray) -> FloatArray:
        """The loss, given statistics z of a risk."""
        return z[..., 0]

    def row_of_loss(self, loss: float) -> FloatArray:
        """Statistics of a risk with this loss."""
        return np.array([loss])

    def value_on(self, instances: IntArray, labels: Any) -> float:
        """The value of what has labels, by `Measure.of_pool`."""
        [part] = self.parts_of(instances)
        return self.measure.of_pool(part, labels)

    def constant_interval(self, sample: Sample, value: float, level: float) -> tuple[float, float]:
        """An interval for where no draw deviates from `value`."""
        return self.measure.constant_interval(self.models[0], sample.q, sample.z, value, level)


class LabelsAlone(One):
    """G of the labels, where there is no model."""

    about = "no model"
    has_model = False
