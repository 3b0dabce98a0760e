"""The confusion matrix of the whole pool, estimated from weighted labels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_draws, check_float_array
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.text import counted, percent


@dataclass(frozen=True)
class ConfusionEstimate:
    """Estimated shares of the pool by predicted and true class.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The classes, in the order of rows and columns.
    shares : ndarray of shape (n_classes, n_classes)
        Element (i, j): the share of instances with prediction i and label j. They sum to
        1; NaN without labels.
    standard_errors : ndarray of shape (n_classes, n_classes)
        Their standard errors; 0 where no label tells anything else.
    n_seen : ndarray of shape (n_classes, n_classes), int
        How many different labeled instances there are of each.

    See Also
    --------
    estimate_confusion, estimate_adaptive_confusion : give it.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, estimate_confusion
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> found = estimate_confusion(model, [0, 1, 2], [1, 1, 1], [0, 0, 1])
    >>> found.n_seen.tolist()
    [[1, 0], [1, 1]]
    """

    classes: AnyArray
    shares: FloatArray
    standard_errors: FloatArray
    n_seen: IntArray

    def __repr__(self) -> str:
        n = int(self.n_seen.sum())
        labels = counted(n, "labels")
        right = float(self.shares.trace())
        said = "" if right != right else f", {percent(right, 0)} of instances on the diagonal"
        return f"<Confusion matrix of {len(self.classes)} classes after {labels}{said}>"


def estimate_confusion(
    predictions: ClassPredictions, draws: ArrayLike, weights: ArrayLike, y_true: ArrayLike
) -> ConfusionEstimate:
    """Estimate the confusion matrix from labeled draws.

    Each cell is the self-normalized estimate Σ v 1[cell] / Σ v of a share.

    Parameters
    ----------
    predictions : ClassPredictions
        The model.
    draws : array-like of shape (n_draws,)
        Indices into the pool, with repeats.
    weights : array-like of shape (n_draws,)
        The weight v of each draw, all positive: `importance_weights`.
    y_true : array-like of shape (n_draws,)
        Their labels.

    Returns
    -------
    ConfusionEstimate

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or a label is not one of the classes.

    See Also
    --------
    estimate_adaptive_confusion : from draws without replacement.

    References
    ----------
    T, eq. 3.11 and 3.14, with the zero-one loss of a cell.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> estimate_confusion(predictions, [0, 1, 2, 1], [1, 1, 1, 1], [0, 0, 1, 0]).shares.tolist()
    [[0.25, 0.0], [0.5, 0.25]]
    """
    drawn = check_draws(draws, np.ones(predictions.n_instances))
    checked = check_float_array("weights", weights, ndim=1, shape="(n_draws,)")
    if checked.size != drawn.size or not (checked > 0).all():
        raise ValueError(
            f"weights must be positive, one for each of {drawn.size} draws, got {weights!r:.200}"
        )
    labels = predictions.encode(predictions.check_labels(y_true, drawn.size, f"{drawn.size} draws"))
    k = predictions.classes.size
    cells = predictions.pred_codes[drawn] * k + labels
    if not drawn.size:
        empty: FloatArray = np.full((k, k), np.nan)
        return ConfusionEstimate(predictions.classes, empty, empty, np.zeros((k, k), dtype=np.intp))
    v = checked / checked.sum()
    shares: FloatArray = np.bincount(cells, weights=v, minlength=k * k).astype(np.float64)
    # Σ v² (1[cell] − share)², by what is inside the cell and what is not.
    inside = np.bincount(cells, weights=v**2, minlength=k * k)
    squares = inside * (1 - shares) ** 2 + ((v**2).sum() - inside) * shares**2
    seen = np.unique(np.stack([drawn, cells]), axis=1)[1]
    errors: FloatArray = np.sqrt(np.maximum(squares, 0)).reshape(k, k)
    return ConfusionEstimate(
        predictions.classes,
        shares.reshape(k, k),
        errors,
        np.bincount(seen, minlength=k * k).reshape(k, k),
    )
