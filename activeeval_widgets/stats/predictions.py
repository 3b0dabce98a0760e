"""What a model says about the pool: here, class probabilities."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_classes, check_y_proba


class ClassPredictions:
    """A classifier's predictions for every instance of the pool.

    Parameters
    ----------
    y_proba : array-like of shape (n_instances, n_classes)
        p(y | x; model). Each row sums to 1 within 1e-5.
    classes : array-like of shape (n_classes,), optional
        The class labels, one per column: numbers or strings. 0, 1, … unless given.
    y_pred : array-like of shape (n_instances,), optional
        The predicted labels f(x), where they are not the most probable class (a threshold other than ½, say).
    name : str, optional
        What to call the model on screen.

    Attributes
    ----------
    pred_codes : ndarray of shape (n_instances,)
        f(x) as positions in `classes`.

    Raises
    ------
    ValueError, TypeError
        If a row is no distribution, or an argument does not fit the others.

    Examples
    --------
    >>> ClassPredictions([[0.9, 0.1], [0.4, 0.6]], classes=["ham", "spam"]).y_pred
    array(['ham', 'spam'], dtype='<U4')
    """

    def __init__(
        self,
        y_proba: ArrayLike,
        classes: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        self.y_proba: FloatArray = check_y_proba(y_proba)
        self.classes: AnyArray = check_classes(classes, self.y_proba.shape[1])
        self.name = name
        self._order: IntArray = np.argsort(self.classes, kind="stable")
        if y_pred is None:
            self.pred_codes: IntArray = self.y_proba.argmax(axis=1)
        else:
            codes = self.encode(y_pred, name="y_pred")
            if codes.shape != (self.n_instances,):
                raise ValueError(
                    f"y_pred must have one entry per row of y_proba ({self.n_instances}), got {codes.size}"
                )
            self.pred_codes = codes

    @property
    def n_instances(self) -> int:
        """The number of instances of the pool, m."""
        return int(self.y_proba.shape[0])

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.y_proba.shape[1])

    @property
    def y_pred(self) -> AnyArray:
        """The predicted labels, shape (n_instances,)."""
        predicted: AnyArray = self.classes[self.pred_codes]
        return predicted

    @property
    def confidence(self) -> FloatArray:
        """p(f(x) | x; model), shape (n_instances,)."""
        column: IntArray = self.pred_codes[:, np.newaxis]
        return np.take_along_axis(self.y_proba, column, axis=1)[:, 0]

    def encode(self, labels: ArrayLike, *, name: str = "y_true") -> IntArray:
        """Labels as positions in `classes`.

        Parameters
        ----------
        labels : array-like of shape (n,)
            Class labels.
        name : str
            The argument's name, for the error message.

        Returns
        -------
        ndarray of shape (n,), dtype intp

        Raises
        ------
        ValueError
            If a label is not one of `classes`; the message names the first such label.
        """
        given = np.asarray(labels)
        if given.ndim != 1:
            raise ValueError(f"{name} must have shape (n,), got an array of shape {given.shape}")
        if given.size == 0:
            return np.empty(0, dtype=np.intp)
        comparable = given.dtype.kind in "biufU" and (given.dtype.kind == "U") == (
            self.classes.dtype.kind == "U"
        )
        expected = f"expected one of the classes {self._listed()}"
        if not comparable:
            raise ValueError(f"{name}[0] is {given.tolist()[0]!r}, {expected}")
        sorted_classes = self.classes[self._order]
        position = np.minimum(np.searchsorted(sorted_classes, given), self.n_classes - 1)
        unknown = sorted_classes[position] != given
        if unknown.any():
            where = int(np.argmax(unknown))
            raise ValueError(f"{name}[{where}] is {given[where].item()!r}, {expected}")
        codes: IntArray = self._order[position]
        return codes

    def _listed(self) -> str:
        shown = [repr(label) for label in self.classes[:20].tolist()]
        return "[" + ", ".join(shown) + (", …]" if self.n_classes > 20 else "]")

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        return f"ClassPredictions(n_instances={self.n_instances}, n_classes={self.n_classes}{name})"


Predictions: TypeAlias = ClassPredictions
"""Any kind of predictions."""


def as_models(predictions: Predictions | Sequence[Predictions]) -> list[Predictions]:
    """One model or several, as a list of models that speak of the same pool and the same labels."""
    models = [predictions] if isinstance(predictions, ClassPredictions) else list(predictions)
    if not models:
        raise ValueError("predictions must hold at least one model, got an empty list")
    for position, model in enumerate(models):
        if not isinstance(model, ClassPredictions):
            raise TypeError(f"predictions must be ClassPredictions or a list of them, got {model!r}")
        if model.n_instances != models[0].n_instances:
            raise ValueError(
                f"predictions[{position}] is for {model.n_instances} instances, "
                f"but predictions[0] is for {models[0].n_instances}"
            )
        if not np.array_equal(model.classes, models[0].classes):
            raise ValueError(
                f"predictions[{position}] has the classes {model._listed()}, "
                f"but predictions[0] has {models[0]._listed()}"
            )
    return models


def mixture(models: Sequence[Predictions]) -> Predictions:
    """The equal mixture of the models' predictive distributions (T, eq. 5.11)."""
    if len(models) == 1:
        return models[0]
    total = models[0].y_proba.copy()
    for model in models[1:]:
        total += model.y_proba
    total /= len(models)
    return ClassPredictions(total, classes=models[0].classes)
