"""The resolution at which predicted numbers distinguish instances."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions.base import read_only, with_other_rows
from activeeval_widgets.stats.predictions.buckets import Alike, bucket, edges_of, whole

_BUCKETS, _FEW_BUCKETS = 256, 16
"""The resolution at which rows distinguish instances: in what draws depend on (the variance, or the
difference of two models), and in what only corrections by labels depend on."""


class ValueGrid(NamedTuple):
    """Edges between buckets of values, variances and differences; and the largest value and variance."""

    of_mean: FloatArray
    of_variance: list[FloatArray]
    of_contrast: list[FloatArray]
    scale: float
    variance_scale: float

    @classmethod
    def of(cls, models: Sequence[Any]) -> Self:
        """Return quantiles of a sample of the models' predictions."""
        first, *others = models
        scales = [float(np.abs(model.mean).max()) for model in models]
        variances = [model.variance for model in models if model.variance is not None]
        spreads = [float(variance.max()) for variance in variances]
        n_main, n_more = (_BUCKETS, _FEW_BUCKETS) if variances else (_FEW_BUCKETS, _BUCKETS)
        if others:
            n_main, n_more = _FEW_BUCKETS, _FEW_BUCKETS
        return cls(
            of_mean=edges_of(first.mean, n_more),
            of_variance=[edges_of(variance, n_main) for variance in variances],
            of_contrast=[edges_of(first.mean - model.mean, _BUCKETS) for model in others],
            scale=max(scales) or 1.0,
            variance_scale=max(spreads, default=1.0) or 1.0,
        )

    def alike(self, models: Sequence[Any], positive: Any = None) -> list[Alike]:  # noqa: ARG002
        """Compare rough values, variances and differences of two models."""
        first, *others = models
        variances = [model.variance for model in models if model.variance is not None]
        numbers = [first.mean, *variances, *(first.mean - model.mean for model in others)]
        edges = [self.of_mean, *self.of_variance, *self.of_contrast]
        main = self.of_contrast or self.of_variance or [self.of_mean]
        return [
            Alike(bucket(values, each), each.size + 1, 16.0 if any(each is m for m in main) else 1.0)
            for values, each in zip(numbers, edges, strict=True)
        ]

    def as_whole_numbers(self, model: Any) -> IntArray:
        """Return values and variances in units of 2⁻²⁴ of the sample's largest."""
        columns = [whole(model.mean, self.scale / 2**24)]
        if model.variance is not None:
            columns.append(whole(model.variance, self.variance_scale / 2**24))
        return np.column_stack(columns)

    def from_whole_numbers(self, model: Any, means: FloatArray, ends: IntArray) -> Any:
        """See `Grid`."""
        made = with_other_rows(model)
        made.mean = read_only(means[:, 0] * (self.scale / 2**24))
        if model.variance is not None:
            made.variance = read_only(means[:, 1] * (self.variance_scale / 2**24))
        least, greatest = ends[:, 0] * (self.scale / 2**24)
        made._extent = float(least), float(greatest)
        return made
