"""What a regression model says about the pool: values with variances."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_float_array
from activeeval_widgets.stats.predictions.base import Certainty, Predictions, read_only
from activeeval_widgets.stats.predictions.beliefs import GaussianMixture
from activeeval_widgets.stats.predictions.trial_bets import BetsOnResiduals

_PRIOR_LABELS = 10.0
"""For how many labels the variances that a regression model promises count."""

_LEAST_VARIANCE = 1e-6
"""Variances below this share of the largest one count as that: none of 0 is believed."""

_DEVIATIONS = 20.0
"""Labels may be this many predicted standard deviations beyond the predictions …"""

_SPREADS = 3.0
"""… or, where models give no variances, this many times the distance from the smallest to the largest one."""


class ValuePredictions(Predictions):
    """A regression model's predictions for every instance of the pool.

    Parameters
    ----------
    mean : array-like of shape (n_instances,)
        f(x), in the unit of the labels; the mean of the Gaussian predictive distribution.
    variance : array-like of shape (n_instances,), optional
        Its variance τ²(x), not negative, noise of the labels included. Not known unless given.
    name : str, optional
        What to call the model on screen.

    Raises
    ------
    ValueError, TypeError
        If an entry is not finite, a variance is negative, or their numbers differ.

    See Also
    --------
    ClassPredictions, RankingPredictions : the other kinds.

    References
    ----------
    T, Cor. 4.3 and eq. 4.23.

    Examples
    --------
    >>> ValuePredictions([1.0, 2.5], variance=[0.1, 0.4])
    ValuePredictions(n_instances=2, variance=True)
    """

    kind: ClassVar[str] = "value"
    label_kind: ClassVar[str] = "number"
    takes_range: ClassVar[bool] = True

    def __init__(self, mean: ArrayLike, variance: ArrayLike | None = None, name: str | None = None) -> None:
        self.mean: FloatArray = read_only(check_float_array("mean", mean, ndim=1, shape="(n_instances,)"))
        if self.mean.size == 0:
            raise ValueError("mean must have at least one entry, got an empty array")
        self.variance: FloatArray | None = None
        if variance is not None:
            self.variance = read_only(check_float_array("variance", variance, ndim=1, shape="(n_instances,)"))
            if self.variance.size != self.mean.size:
                raise ValueError(
                    f"variance has {self.variance.size} entries, "
                    f"expected one for each of {self.mean.size} means"
                )
            if self.variance.min() < 0:
                where = int(np.argmax(self.variance < 0))
                raise ValueError(f"variance[{where}] is {self.variance[where]}, expected a variance >= 0")
        self.name = name

    @property
    def n_instances(self) -> int:
        """The number of instances of the pool, m."""
        return int(self.mean.size)

    def mismatch(self, other: Self) -> tuple[str, str] | None:  # noqa: ARG002
        """Nothing: values of the same pool can be compared."""
        return None

    def belief(self, others: Sequence[Self]) -> GaussianMixture:
        """The equal mixture of the models' Gaussians; without variances if one model has none."""
        models = [self, *others]
        variances = [model.variance for model in models if model.variance is not None]
        return GaussianMixture(
            means=np.stack([model.mean for model in models]),
            variances=np.stack(variances) if len(variances) == len(models) else None,
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
        """The variances times the mean squared standardized deviation of the labels, shrunk towards 1.

        Variances that are not known, or all 0, become one constant: the labels' mean squared deviation.
        """
        labels = np.asarray(y_true, dtype=np.float64)
        belief = self.belief(others)
        means, promised = belief.means.copy(), belief.variances
        squares = (labels - means[:, draws]) ** 2
        least = 0.0 if promised is None else _LEAST_VARIANCE * float(promised.max())
        if promised is None or least == 0:
            # Before the first label the scale is unknown; q and shares of the variance don't depend on it.
            constant = float(squares.mean()) if draws.size else 0.0
            variances = np.full(means.shape, constant if constant > 0 else 1.0)
        else:
            promised = np.maximum(promised, least)
            deviations = (squares / promised[:, draws]).mean(axis=0)
            scale = (_PRIOR_LABELS + float(deviations.sum())) / (_PRIOR_LABELS + draws.size)
            variances = scale * promised
        if with_labels and self.counts is None:
            means[:, draws] = labels
            variances[:, draws] = 0
        return GaussianMixture(means, variances)

    def extreme_labels(
        self, y_range: tuple[float, float] | None, others: Sequence[Self] = ()
    ) -> Iterator[FloatArray]:
        """The smallest and the largest label, and what is predicted.

        |f − y| and (f − y)² are smallest at f; their differences are monotone in y.
        """
        if y_range is None:
            raise ValueError("values have no extreme labels unless y_range says what labels there can be")
        for end in y_range:
            yield np.full(self.n_instances, end)
        for model in (self, *others):
            yield np.clip(model.mean, *y_range)

    def counting_labels(self, instances: IntArray) -> Iterator[FloatArray]:
        """A label that is not what is predicted."""
        yield self.mean[instances] + 1

    def assumed_range(self, others: Sequence[Self]) -> tuple[float, float] | None:
        """A range from the smallest prediction to the largest, and beyond both.

        By their distance or 20 predicted standard deviations (root mean square), whichever is more; by three
        times their distance if a model has no variances. None where all are the same without variances.
        """
        models = [self, *others]
        least = min(float(model.mean.min()) for model in models)
        greatest = max(float(model.mean.max()) for model in models)
        variances = [float(model.variance.mean()) for model in models if model.variance is not None]
        if len(variances) == len(models):
            reach = max(greatest - least, _DEVIATIONS * sqrt(max(variances)))
        else:
            reach = _SPREADS * (greatest - least)
        return (least - reach, greatest + reach) if reach > 0 else None

    def distance(self, instance: int, y: Any) -> float:
        """|y − f(x)|; see `Predictions.distance`."""
        return abs(float(y) - float(self.mean[instance]))

    def trial_bets(self) -> BetsOnResiduals:
        """Bets on squared residuals; see `Predictions.trial_bets`."""
        return BetsOnResiduals(self)

    def check_labels(self, y_true: Any, n_labels: int, expected: str) -> FloatArray:
        """Labels as finite numbers of shape (n_labels,)."""
        labels = self._label_array(y_true, n_labels, expected)
        return check_float_array("y_true", labels, ndim=1, shape="(n,)")

    @property
    def label_values(self) -> None:
        """None: a label may be any number."""

    @property
    def promises(self) -> bool:
        """Whether variances are known."""
        return self.variance is not None

    @property
    def certainty(self) -> Certainty:
        """The standard deviations; the values themselves, if these are not known."""
        if self.variance is None:
            return Certainty(self.mean, "prediction", is_share=False)
        return Certainty(np.sqrt(self.variance), "standard deviation", is_share=False)

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """Values, and variances if they are known."""
        return (self.mean,) if self.variance is None else (self.mean, self.variance)

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        variance = None if self.variance is None else self.variance[instances]
        return type(self)(self.mean[instances], variance, self.name)

    def to_dict(self) -> dict[str, Any]:
        """Means, and variances where they are known; see the base."""
        variance = None if self.variance is None else self.variance.tolist()
        return {"kind": self.kind, "name": self.name, "mean": self.mean.tolist(), "variance": variance}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """The predictions that `to_dict` wrote."""
        return cls(record["mean"], record["variance"], record["name"])

    def predicts(self, instance: int) -> str:
        """The value and its standard deviation."""
        spread = "" if self.variance is None else f" ± {np.sqrt(self.variance[instance]):.2g}"
        return f"{self.mean[instance]:.3g}{spread}"

    def prediction_text(self, instance: int) -> str:
        """The value."""
        return f"{self.mean[instance]:.2f}".replace("-", "\N{MINUS SIGN}")

    def prediction_record(self, instance: int) -> dict[str, Any]:
        """The value, and its standard deviation if that is known."""
        said = {"prediction": float(self.mean[instance])}
        if self.variance is not None:
            said["standard_deviation"] = float(np.sqrt(self.variance[instance]))
        return said

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        return f"ValuePredictions(n_instances={self.n_instances}, variance={self.variance is not None}{name})"
