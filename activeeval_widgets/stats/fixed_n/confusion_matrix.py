"""The confusion matrices of the whole pool, for one model or two, estimated from weighted labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_indices, check_weights
from activeeval_widgets.stats.predictions.base import Predictions
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
        Element (i, j): the share of instances with prediction i and label j. They sum to 1; NaN without
        labels.
    standard_errors : ndarray of shape (n_classes, n_classes)
        Their standard errors; 0 where no label shows otherwise.
    n_seen : ndarray of shape (n_classes, n_classes), int
        Number of distinct labeled instances in each cell.

    See Also
    --------
    estimate_confusion, estimate_adaptive_confusion : Compute it.

    Examples
    --------
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
        right = float(np.clip(self.shares.trace(), 0, 1))  # estimates of single cells can be below 0
        summary = "" if right != right else f", {percent(right, 0)} of instances on the diagonal"
        return f"<Confusion matrix of {len(self.classes)} classes after {labels}{summary}>"

    def without_errors(self) -> "ConfusionEstimate":
        """Return the same with standard errors of 0, as with all labels known."""
        return replace(self, standard_errors=0 * self.standard_errors)


@dataclass(frozen=True)
class ConfusionPair:
    """Two models' confusion matrices of the same pool, from the same labels.

    Attributes
    ----------
    first, second : ConfusionEstimate
        Each model's matrix.
    errors_of_difference : ndarray of shape (n_classes, n_classes)
        The standard error of each cell's difference. Labels of instances for which both models predict the
        same contribute nothing, so it does not follow from the two matrices' own errors.

    See Also
    --------
    estimate_confusion, estimate_adaptive_confusion : Compute it for two models.

    Examples
    --------
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

    def without_errors(self) -> "ConfusionPair":
        """Return the same with standard errors of 0, as with all labels known."""
        zero = 0 * self.errors_of_difference
        return ConfusionPair(self.first.without_errors(), self.second.without_errors(), zero)


def matrices_of(
    matrices: Sequence[ConfusionEstimate], errors: FloatArray
) -> ConfusionEstimate | ConfusionPair:
    """Return the matrix of one model; or those of two, with the standard errors of their difference."""
    return matrices[0] if len(matrices) == 1 else ConfusionPair(matrices[0], matrices[1], errors)


def as_class_models(predictions: Predictions | Sequence[Predictions]) -> list[ClassPredictions]:
    """Return one or two models that predict classes."""
    models = [predictions] if isinstance(predictions, Predictions) else list(predictions)
    found = [model for model in models if isinstance(model, ClassPredictions)]
    if found != models or len(found) not in (1, 2):
        raise TypeError(f"predictions must be ClassPredictions, or two of them, got {predictions!r:.200}")
    return found


@overload
def estimate_confusion(
    predictions: ClassPredictions, draws: ArrayLike, weights: ArrayLike, y_true: ArrayLike
) -> ConfusionEstimate: ...


@overload
def estimate_confusion(
    predictions: Sequence[ClassPredictions], draws: ArrayLike, weights: ArrayLike, y_true: ArrayLike
) -> ConfusionEstimate | ConfusionPair: ...


def estimate_confusion(
    predictions: ClassPredictions | Sequence[ClassPredictions],
    draws: ArrayLike,
    weights: ArrayLike,
    y_true: ArrayLike,
) -> ConfusionEstimate | ConfusionPair:
    """Estimate the confusion matrix from labeled draws.

    Each cell is the self-normalized estimate Σ v 1[cell] / Σ v of a share.

    Parameters
    ----------
    predictions : ClassPredictions or list of two ClassPredictions
        The model; or two, for both matrices and the errors of their difference.
    draws : array-like of shape (n_draws,)
        Indices into the pool, with repeats.
    weights : array-like of shape (n_draws,)
        The weight v of each draw, all positive: `importance_weights`.
    y_true : array-like of shape (n_draws,)
        Their labels.

    Returns
    -------
    ConfusionEstimate, or ConfusionPair

    Raises
    ------
    ValueError, TypeError
        If arguments don't match, or a label is not one of the classes.

    See Also
    --------
    estimate_adaptive_confusion : from draws without replacement.

    References
    ----------
    T, eq. 3.11 and 3.14, with the zero-one loss of a cell.

    Examples
    --------
    >>> estimate_confusion(model, [0, 1, 2, 1], [1, 1, 1, 1], [0, 0, 1, 0]).shares.tolist()
    [[0.25, 0.0], [0.5, 0.25]]
    """
    models = as_class_models(predictions)
    first = models[0]
    drawn = check_indices("draws", draws, first.n_instances)
    checked = check_weights(weights, drawn.size)
    labels = first.encode(first.check_labels(y_true, drawn.size, f"{drawn.size} draws"))
    k = first.n_classes
    if not drawn.size:
        empty: FloatArray = np.full((k, k), np.nan)
        nothing = ConfusionEstimate(first.classes, empty, empty, np.zeros((k, k), dtype=np.intp))
        return matrices_of([nothing for _ in models], empty)
    v = checked / checked.sum()
    cells = [model.pred_codes[drawn] * k + labels for model in models]
    shares = [np.bincount(own, weights=v, minlength=k * k).astype(np.float64) for own in cells]
    matrices = [
        ConfusionEstimate(
            first.classes,
            share.reshape(k, k),
            _errors(v, k, share, own),
            np.bincount(np.unique(np.stack([drawn, own]), axis=1)[1], minlength=k * k).reshape(k, k),
        )
        for share, own in zip(shares, cells, strict=True)
    ]
    apart = cells[0] != cells[-1]
    moved = [own[apart] for own in cells]
    errors = _errors(v, k, shares[0] - shares[-1], moved[0], moved[-1], v[apart])
    return matrices_of(matrices, errors)


def _errors(
    v: FloatArray,
    k: int,
    mean: FloatArray,
    plus: IntArray,
    minus: IntArray | None = None,
    v_moved: FloatArray | None = None,
) -> FloatArray:
    """Return the root of Σ v² (z − mean)², where z is 1 in the cells `plus`, −1 in `minus`, else 0."""
    inside = np.bincount(plus, weights=(v if v_moved is None else v_moved) ** 2, minlength=k * k)
    squares = inside * (1 - mean) ** 2
    if minus is not None and v_moved is not None:
        less = np.bincount(minus, weights=v_moved**2, minlength=k * k)
        squares += less * (1 + mean) ** 2
        inside = inside + less
    squares = squares + ((v**2).sum() - inside) * mean**2
    errors: FloatArray = np.sqrt(np.maximum(squares, 0)).reshape(k, k)
    return errors
