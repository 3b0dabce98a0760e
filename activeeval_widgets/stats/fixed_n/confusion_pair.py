"""The confusion matrices of two models from the same weighted labels, and their difference."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.stats.fixed_n.confusion_matrix import ConfusionEstimate, estimate_confusion
from activeeval_widgets.stats.predictions.classes import ClassPredictions


@dataclass(frozen=True)
class ConfusionPair:
    """Two models' confusion matrices of the same pool, from the same labels.

    Attributes
    ----------
    first, second : ConfusionEstimate
        Each one's matrix.
    errors_of_difference : ndarray of shape (n_classes, n_classes)
        The standard error of each cell's difference. Labels of instances for which both models predict the
        same add nothing to it, so it is not what the two matrices' own errors add up to.

    See Also
    --------
    ConfusionEstimate : one of the matrices.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> session.confusions().differences.round(3).tolist()
    [[0.0, 0.667], [0.0, -0.667]]
    """

    first: ConfusionEstimate
    second: ConfusionEstimate
    errors_of_difference: FloatArray

    def __repr__(self) -> str:
        return f"<Two confusion matrices: {self.first}, {self.second}>"

    @property
    def classes(self) -> AnyArray:
        """The classes, in the order of rows and columns."""
        return self.first.classes

    @property
    def differences(self) -> FloatArray:
        """Each cell's share of the pool, first minus second."""
        return self.first.shares - self.second.shares


def estimate_confusions(
    first: ClassPredictions,
    second: ClassPredictions,
    draws: ArrayLike,
    weights: ArrayLike,
    y_true: ArrayLike,
) -> ConfusionPair:
    """Estimate two models' confusion matrices from the same labeled draws with replacement.

    Parameters are those of `estimate_confusion`, for two models.
    """
    one, two = (estimate_confusion(model, draws, weights, y_true) for model in (first, second))
    drawn, v = np.asarray(draws, dtype=np.intp), np.asarray(weights, dtype=np.float64)
    k = first.n_classes
    errors: FloatArray = np.full((k, k), np.nan)
    if not drawn.size:
        return ConfusionPair(one, two, errors)
    v = v / v.sum()
    labels = first.encode(y_true)
    difference = one.shares - two.shares
    for cell in range(k * k):
        row, column = divmod(cell, k)
        # +1 where the first model alone has the draw in this cell, −1 where the second has.
        moved = (first.pred_codes[drawn] == row).astype(np.float64) - (second.pred_codes[drawn] == row)
        moved *= labels == column
        errors[row, column] = np.sqrt((v**2) @ (moved - difference[row, column]) ** 2)
    return ConfusionPair(one, two, errors)
