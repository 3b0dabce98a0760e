"""Errors of values that count up to a limit: shares within a tolerance, clipped squares."""

from collections.abc import Iterator, Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_positive
from activeeval_widgets.stats.measures._gaussian_pieces import moments_of_pieces
from activeeval_widgets.stats.measures.base import Moments
from activeeval_widgets.stats.measures.values import ValueMeasure, squared_unit
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.values import ValuePredictions


class WithinTolerance(ValueMeasure):
    """The share of instances whose value is predicted to within a tolerance: |f(x) − y| ≤ tolerance.

    Parameters
    ----------
    tolerance : float
        The largest acceptable error, in the unit of the labels.

    Raises
    ------
    ValueError, TypeError
        If the tolerance is not a positive number.

    See Also
    --------
    ClippedSquaredError : How far off the model is, up to a limit.
    SquaredError, AbsoluteError : Without a limit, which takes more labels if huge errors may occur.

    Notes
    -----
    An error counts 0 or 1, however large it is: intervals are exact, and need no `y_range`.

    Examples
    --------
    >>> pool_value(WithinTolerance(0.5), ValuePredictions([1.0, 2.0]), [1.5, 4.0])
    0.5
    """

    summary = "How often the model is off by no more than a tolerance, however far it is off elsewhere."
    value_range = (0.0, 1.0)
    greater_is_better = True
    is_share = True
    is_binary = True
    needs_range = False
    example_options = ({"tolerance": 0.7},)

    def __init__(self, tolerance: float) -> None:
        self.tolerance = check_positive("tolerance", tolerance)
        within = f"within ±{self.tolerance:.10g}"
        self.name = f"share {within}"
        self.sentence = f"The model is {within} on {{value}} of the {{instances}}."

    def _loss(self, distance: FloatArray) -> FloatArray:
        return (np.abs(distance) <= self.tolerance).astype(np.float64)

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Yield the extremes, which exist without a range as well; see `Measure.outcomes`."""
        means = [self._expect(ValuePredictions, model).mean for model in models]
        if len(means) == 2:
            # Wherever two predictions differ, a label may be near only one of them.
            differ = (means[0] != means[1]).astype(np.float64)
            yield np.zeros((differ.size, 2))
            yield np.stack([differ, np.zeros_like(differ)], axis=1)
            yield np.stack([np.zeros_like(differ), differ], axis=1)
            return
        [mean] = means
        if y_range is None:
            yield np.zeros((mean.size, 1))
            yield np.ones((mean.size, 1))
            return
        ends = [self._loss(mean - end) for end in (*y_range, np.clip(mean, *y_range))]
        yield np.minimum(ends[0], ends[1])[:, np.newaxis]
        yield ends[2][:, np.newaxis]

    def _gaussian_moments(
        self, signs: FloatArray, distances: FloatArray, variance: FloatArray, offset: float
    ) -> Moments:
        outside = (0.0, 0.0, 0.0)
        # An error equal to the tolerance is acceptable, also for labels that are certain.
        breaks = (-self.tolerance, float(np.nextafter(self.tolerance, np.inf)))
        return moments_of_pieces(
            signs, distances, variance, offset, breaks=breaks, pieces=(outside, (1.0, 0.0, 0.0), outside)
        )

    def __repr__(self) -> str:
        return f"WithinTolerance({self.tolerance!r})"


class ClippedSquaredError(ValueMeasure):
    """The mean of squared errors that are limited to clip²: min((f(x) − y)², clip²).

    Parameters
    ----------
    clip : float
        The largest error that counts in full, in the unit of the labels.

    Raises
    ------
    ValueError, TypeError
        If `clip` is not a positive number.

    See Also
    --------
    SquaredError : Not clipped.
    WithinTolerance : The share of errors up to a size.

    Notes
    -----
    A few huge errors do not dominate it: intervals are exact, and need no `y_range`. It is at most the mean
    squared error. If no error is larger than r, it is lower by at most (r² − clip²) times the share of errors
    above `clip`, which is 1 − `WithinTolerance(clip)`.

    Examples
    --------
    >>> pool_value(ClippedSquaredError(1.0), ValuePredictions([1.0, 2.0]), [1.5, 4.0])
    0.625
    """

    summary = (
        "The mean squared error if errors beyond a bound count as the bound: huge misses do not dominate."
    )
    sentence = "The model's {name} is {value}: up to that bound it is typically off by {root}."
    needs_range = False
    clip: float
    example_options = ({"clip": 0.8},)

    def __init__(self, clip: float) -> None:
        self.clip = check_positive("clip", clip)
        self.name = f"mean squared error, clipped at {self.clip:.10g}"
        self.value_range = (0.0, self.clip**2)

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit of the labels, squared; see `Measure.unit`."""
        return squared_unit(label_unit)

    def _loss(self, distance: FloatArray) -> FloatArray:
        return np.minimum(distance**2, self.clip**2)

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Yield the extremes, which exist without a range as well; see `Measure.outcomes`."""
        means = [self._expect(ValuePredictions, model).mean for model in models]
        # A difference has its extremes where one of the losses bends: at a prediction, or at the clip.
        labels = [mean + shift for mean in means for shift in (0.0, -self.clip, self.clip)]
        if y_range is None:
            yield np.full((means[0].size, len(means)), self.clip**2)
        else:
            ends = [np.full(means[0].size, end) for end in y_range]
            labels = [np.clip(label, *y_range) for label in labels] + ends
        for label in labels:
            yield np.stack([self._loss(mean - label) for mean in means], axis=1)

    def _gaussian_moments(
        self, signs: FloatArray, distances: FloatArray, variance: FloatArray, offset: float
    ) -> Moments:
        beyond = (self.clip**2, 0.0, 0.0)
        pieces = (beyond, (0.0, 0.0, 1.0), beyond)
        breaks = (-self.clip, self.clip)
        return moments_of_pieces(signs, distances, variance, offset, breaks=breaks, pieces=pieces)

    def __repr__(self) -> str:
        return f"ClippedSquaredError({self.clip!r})"
