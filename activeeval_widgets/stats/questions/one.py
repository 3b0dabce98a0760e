"""The questions about one model, and about labels without a model."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Composition
from activeeval_widgets.stats.questions.sample import Sample
from activeeval_widgets.stats.questions.target import Target


class One(Target):
    """The value G of one model."""

    about = "one model"
    signs = (1.0,)

    @property
    def positions(self) -> tuple[tuple[int, ...], ...]:
        """The single model's position."""
        return ((0,),)

    @cached_property
    def range(self) -> tuple[float, float]:
        """The smallest and largest possible value."""
        return self.measure.range_for(self.models[0])

    @property
    def base(self) -> Target:
        """The target of exact intervals: the measure's base, if it has one."""
        base = self.measure.base
        return self if base is None else type(self)(base, self.models)

    @property
    def has_equation(self) -> bool:
        """Whether the value solves an estimating equation, as for a risk or a ratio."""
        return self.measure.is_risk or self.measure.is_ratio

    @property
    def composition(self) -> Composition | None:
        """The parts of which it is a function; see `Measure.composition`."""
        return self.measure.composition(self.models[0])

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the value, given E[z] of shape (…, n_statistics)."""
        return self.measure.g(mean)

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z], both of shape (…, n_statistics)."""
        return self.measure.gradient(mean)

    def split(self, mean: FloatArray) -> Sequence[FloatArray]:
        """Return the model's part of (…, n_statistics), which is all of it."""
        return [mean]

    def influence_without_variances(self) -> FloatArray:
        """Return a constant: for one model, all instances are equally informative."""
        return np.ones(self.models[0].n_instances)

    def loss(self, z: FloatArray) -> FloatArray:
        """Return the loss, given statistics z of a risk."""
        return z[..., 0]

    def constant_interval(self, sample: Sample, value: float, level: float) -> tuple[float, float]:
        """Return an interval for the case that no draw deviates from `value`."""
        return self.measure.constant_interval(self.models[0], sample.q, sample.z, value, level)


class LabelsAlone(One):
    """The value G of the labels, without a model."""

    about = "no model"
    has_model = False
