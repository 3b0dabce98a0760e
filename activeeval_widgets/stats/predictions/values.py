"""What a regression model says about the pool: values with variances."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_float_array
from activeeval_widgets.stats.predictions.classes import Predictions


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

    def __init__(self, mean: ArrayLike, variance: ArrayLike | None = None, name: str | None = None) -> None:
        self.mean: FloatArray = check_float_array("mean", mean, ndim=1, shape="(n_instances,)")
        if self.mean.size == 0:
            raise ValueError("mean must have at least one entry, got an empty array")
        self.variance: FloatArray | None = None
        if variance is not None:
            self.variance = check_float_array("variance", variance, ndim=1, shape="(n_instances,)")
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

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        return f"ValuePredictions(n_instances={self.n_instances}, variance={self.variance is not None}{name})"
