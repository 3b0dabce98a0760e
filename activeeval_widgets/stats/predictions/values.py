"""What a regression model says about the pool: values with variances."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.stats._validation import check_float_array
from activeeval_widgets.stats.predictions.base import Certainty, Predictions, read_only


@dataclass(frozen=True)
class GaussianMixture:
    """The equal mixture of Gaussians that a label of each instance is believed to come from.

    Attributes
    ----------
    means : ndarray of shape (n_components, n_instances)
    variances : ndarray of shape (n_components, n_instances), or None
        None: not known.
    """

    means: FloatArray
    variances: FloatArray | None


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
