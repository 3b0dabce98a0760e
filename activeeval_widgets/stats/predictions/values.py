"""A regression model's predictions: values with variances."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    MAX_SIZE,
    check_float_array,
    check_order,
    check_size,
    index_of,
)
from activeeval_widgets.stats.predictions._value_grid import ValueGrid
from activeeval_widgets.stats.predictions._variance_correction import corrected_variances
from activeeval_widgets.stats.predictions.base import (
    Certainty,
    PredictionDescription,
    Predictions,
    read_only,
    with_other_rows,
)
from activeeval_widgets.stats.predictions.beliefs import GaussianMixture
from activeeval_widgets.stats.predictions.trial_bets import BetsOnResiduals
from activeeval_widgets.stats.text import number, significant

_NEGLIGIBLE_VARIANCE = 1e-100
"""Variances below this one are 0 but for rounding."""

_MIN_VARIANCE = 1e-6
"""Variances below this share of the largest one are raised to it, so that none is 0."""

_DEVIATIONS = 20.0
"""Labels are assumed to lie within this many predicted standard deviations of the predictions' range …"""

_SPREADS = 3.0
"""… or, for models without variances, within this multiple of the width of the predictions' range."""


class ValuePredictions(Predictions):
    """A regression model's predictions for every instance of the pool.

    Parameters
    ----------
    mean : array-like of shape (n_instances,)
        f(x), in the labels' unit: the mean of the Gaussian predictive distribution.
    variance : array-like of shape (n_instances,), optional
        The predictive variance τ²(x), nonnegative, including the noise of labels. Unknown unless given.
    name : str, optional
        The model's name on screen.

    Raises
    ------
    ValueError, TypeError
        If an entry is not finite, a mean is larger than 1e30, a variance is negative or larger than 1e60, or
        the lengths differ.

    See Also
    --------
    ClassPredictions, RankingPredictions : The other kinds of predictions.

    References
    ----------
    T, Cor. 4.3 and eq. 4.23.

    Examples
    --------
    >>> ValuePredictions([1.0, 2.5], variance=[0.1, 0.4])
    <ValuePredictions: 2 instances, with variances>
    """

    kind: ClassVar[str] = "value"
    label_kind: ClassVar[str] = "number"
    takes_range: ClassVar[bool] = True
    _extent: tuple[float, float] | None = None
    """The smallest and largest value of all instances, if rows stand for several."""

    def __init__(self, mean: ArrayLike, variance: ArrayLike | None = None, name: str | None = None) -> None:
        self.mean: FloatArray = read_only(check_float_array("mean", mean, ndim=1, shape="(n_instances,)"))
        if self.mean.size == 0:
            raise ValueError("mean must have at least one entry, got an empty array")
        check_size("mean", self.mean)
        self.variance: FloatArray | None = None
        if variance is not None:
            check_order("variance", variance, "mean", mean)
            self.variance = read_only(check_float_array("variance", variance, ndim=1, shape="(n_instances,)"))
            if self.variance.size != self.mean.size:
                raise ValueError(
                    f"variance has {self.variance.size} entries, "
                    f"expected one for each of {self.mean.size} means"
                )
            if self.variance.min() < 0:
                where = int(np.argmax(self.variance < 0))
                raise ValueError(f"variance[{where}] is {self.variance[where]}, expected a variance >= 0")
            check_size("variance", self.variance, MAX_SIZE**2)
        self.name, self.index = name, index_of(mean, variance)

    @property
    def n_instances(self) -> int:
        """The number of instances in the pool, m."""
        return int(self.mean.size)

    def mismatch(self, other: Self) -> tuple[str, str] | None:  # noqa: ARG002
        """Return None: values for the same pool can always be compared."""
        return None

    def belief(self, others: Sequence[Self]) -> GaussianMixture:
        """Return the equal mixture of the models' Gaussians, without variances if any model has none."""
        variances = _variances([self, *others])
        return GaussianMixture(
            means=np.stack([model.mean for model in (self, *others)]),
            variances=None if variances is None else np.stack(variances),
        )

    def corrected(
        self,
        others: Sequence[Self],
        draws: IntArray,
        y_true: Any,
        *,
        positive: Any = None,  # noqa: ARG002
        with_labels: bool = False,
    ) -> GaussianMixture:
        """Return the belief with variances corrected by squared deviations; see `corrected_variances`.

        Variances that are unknown, or all 0 but for rounding, become a constant: the labels' mean squared
        deviation.
        """
        labels = np.asarray(y_true, dtype=np.float64)
        belief = self.belief(others)
        means, promised = belief.means.copy(), belief.variances
        squares = (labels - means[:, draws]) ** 2
        if promised is None or (largest := float(promised.max())) < _NEGLIGIBLE_VARIANCE:
            # Before the first label the scale is unknown; q and shares of the variance do not depend on it.
            constant = float(squares.mean()) if draws.size else 0.0
            variances = np.full(means.shape, constant if constant > 0 else 1.0)
        else:
            promised = np.maximum(promised, _MIN_VARIANCE * largest)
            typical = float(np.exp(self.average(np.log(promised).mean(axis=0))))
            variances = corrected_variances(promised, squares, draws, typical)
        if with_labels and self.counts is None:
            means[:, draws] = labels
            variances[:, draws] = 0
        return GaussianMixture(means, variances)

    def extreme_labels(
        self, y_range: tuple[float, float] | None, others: Sequence[Self] = ()
    ) -> Iterator[FloatArray]:
        """Yield the smallest and the largest label, and each model's prediction.

        |f − y| and (f − y)² are smallest at f; differences of two models are monotone in y.
        """
        if y_range is None:
            raise ValueError("values have no extreme labels without y_range, the range of possible labels")
        for end in y_range:
            yield np.full(self.n_instances, end)
        for model in (self, *others):
            yield np.clip(model.mean, *y_range)

    def counting_labels(self, instances: IntArray) -> Iterator[FloatArray]:
        """Yield a label that differs from the prediction."""
        yield self.mean[instances] + 1

    def assumed_range(self, others: Sequence[Self]) -> tuple[float, float] | None:
        """Return a range that extends beyond the smallest and largest prediction.

        It extends by the width between them or by 20 predicted standard deviations (root mean square),
        whichever is more; by three times the width if a model has no variances. None if all predictions are
        equal and have no variances.
        """
        models = [self, *others]
        extents = [model._extent or (float(model.mean.min()), float(model.mean.max())) for model in models]
        least, greatest = min(extents)[0], max(end for _, end in extents)
        variances = _variances(models)
        if variances is None:
            reach = _SPREADS * (greatest - least)
        else:
            means = [float(model.average(own)) for model, own in zip(models, variances, strict=True)]
            reach = max(greatest - least, _DEVIATIONS * sqrt(max(means)))
        return (least - reach, greatest + reach) if reach > 0 else None

    def distance(self, instance: int, y: Any) -> float:
        """|y − f(x)|; see `Predictions.distance`."""
        return abs(float(y) - float(self.mean[instance]))

    def farthest_label(self, y_range: tuple[float, float]) -> float:
        """See `Predictions.farthest_label`."""
        return float(max(self.mean.max() - y_range[0], y_range[1] - self.mean.min()))

    def trial_bets(self) -> BetsOnResiduals:
        """Return bets on squared residuals; see `Predictions.trial_bets`."""
        return BetsOnResiduals(self.mean, self.variance)

    def check_labels(self, y_true: Any, n_labels: int, expected: str) -> FloatArray:
        """Validate labels and return finite numbers of shape (n_labels,)."""
        labels = self._label_array(y_true, n_labels, expected)
        checked = check_float_array("y_true", labels, ndim=1, shape="(n,)")
        # Labels are assumed to lie in a range that is wider than the predictions'.
        check_size("y_true", checked, 100 * MAX_SIZE)
        return checked

    @property
    def label_values(self) -> None:
        """None, since a label may be any number."""

    @property
    def promises(self) -> bool:
        """Whether variances are known."""
        return self.variance is not None

    @property
    def certainty(self) -> Certainty:
        """The standard deviations, or the values themselves if there are none."""
        if self.variance is None:
            return Certainty(self.mean, "prediction", is_share=False, is_prediction=True)
        return Certainty(np.sqrt(self.variance), "standard deviation", is_share=False)

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """Values, and variances if they are known."""
        return (self.mean,) if self.variance is None else (self.mean, self.variance)

    def differs(self, other: Self) -> BoolArray:
        """Return where another model predicts another number; see `Predictions.differs`."""
        found: BoolArray = self.mean != other.mean
        return found

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        variance = None if self.variance is None else self.variance[instances]
        return type(self)(self.mean[instances], variance, self.name)

    shares_rows: ClassVar[bool] = True
    needs_sample: ClassVar[bool] = True

    def part(self, rows: slice | IntArray) -> Self:
        """See the base."""
        made = with_other_rows(self)
        made.mean = self.mean[rows]
        made.variance = None if self.variance is None else self.variance[rows]
        return made

    def elsewhere(self, array: Callable[[str, tuple[int, ...], Any], Any]) -> Self:
        """See the base."""
        made = with_other_rows(self)
        made.mean = array("mean", (), np.float64)
        made.variance = None if self.variance is None else array("variance", (), np.float64)
        return made

    def grid(self, others: Sequence[Self]) -> ValueGrid:
        """Return quantiles of the sample; see the base."""
        return ValueGrid.of([self, *others])

    def as_of_rows(self, own: Self, rows: IntArray, labels: Any) -> FloatArray:
        """See the base."""
        moved: FloatArray = np.asarray(labels, dtype=np.float64) - own.mean + self.mean[rows]
        return moved

    def to_dict(self) -> dict[str, Any]:
        """Return means, and variances if they are known; see the base."""
        variance = None if self.variance is None else self.variance.tolist()
        return {"kind": self.kind, "name": self.name, "mean": self.mean.tolist(), "variance": variance}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the predictions that `to_dict` wrote."""
        return cls(record["mean"], record["variance"], record["name"])

    def describe(self, instance: int) -> PredictionDescription:
        """Return the value, and its standard deviation if it is known; see the base."""
        value = self.mean[instance]
        text, in_short, record = number(value, 2), significant(value, 3), {"prediction": float(value)}
        if self.variance is not None:
            deviation = float(np.sqrt(self.variance[instance]))
            in_short += f" ± {significant(deviation, 2)}"
            record["standard_deviation"] = deviation
        return PredictionDescription(text, in_short, f"says {in_short}", record)

    def _repr_details(self) -> str:
        return "" if self.variance is None else ", with variances"


def _variances(models: Sequence[ValuePredictions]) -> list[FloatArray] | None:
    """Return the variances of all models; None if any model has none."""
    found = [model.variance for model in models if model.variance is not None]
    return found if len(found) == len(models) else None
