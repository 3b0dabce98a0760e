"""Predictions of a classifier that gives classes without probabilities."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import index_of
from activeeval_widgets.stats.predictions.base import Certainty
from activeeval_widgets.stats.predictions.class_labels import as_labels
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.from_dict import classes_from_dict
from activeeval_widgets.stats.predictions.trial_bets import BetsOnErrors

SUPPOSED_ACCURACY = 0.75
"""The assumed probability that a predicted class is right, before labels outweigh it."""


class PredictedClasses(ClassPredictions):
    """A classifier's predicted classes, without probabilities.

    How often the classes are right is unknown. The model promises nothing, and is not tested for
    overconfidence. Adaptive draws start out uniform and learn from labels how often predicted classes are
    right. For this purpose, each predicted class is assumed to be right with probability 3/4, an assumption
    worth about a few labels. Estimates and intervals do not rely on it, and estimates are not shrunk toward
    it.

    Parameters
    ----------
    y_pred : array-like of shape (n_instances,)
        The predicted labels f(x).
    classes : array-like of shape (n_classes,), optional
        All class labels, at least two; by default those that are predicted, sorted. A class that is never
        predicted must be named here.
    name : str, optional
        The model's name on screen.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two classes, or a prediction is none of them.

    See Also
    --------
    ClassPredictions : With probabilities, which save labels.

    Examples
    --------
    >>> model = PredictedClasses(["ham", "spam", "ham"])
    >>> model.y_pred, model.promises
    (array(['ham', 'spam', 'ham'], dtype='<U4'), False)
    """

    written_as: ClassVar[str | None] = "predicted_class"
    guides_draws: ClassVar[bool] = False
    is_supposed: ClassVar[bool] = True

    def __init__(self, y_pred: ArrayLike, classes: ArrayLike | None = None, name: str | None = None) -> None:
        given = as_labels(y_pred, "y_pred")
        if given.ndim != 1 or not given.size:
            raise ValueError(f"y_pred must hold one class for each instance, got shape {given.shape}")
        known = np.unique(given) if classes is None and given.dtype.kind != "O" else classes
        n_classes = 2 if known is None else len(as_labels(known, "classes"))
        if n_classes < 2:
            raise ValueError(
                f"classes must be at least two, got {known!r}; include those that are never predicted"
            )
        supposed = np.full((n_classes, n_classes), (1 - SUPPOSED_ACCURACY) / (n_classes - 1))
        np.fill_diagonal(supposed, SUPPOSED_ACCURACY)
        super().__init__(supposed, known, name=name)
        codes = self.encode(given, name="y_pred")
        self.y_proba: FloatArray = supposed[codes]
        self.y_proba.setflags(write=False)
        codes.setflags(write=False)
        self.pred_codes, self.index = codes, index_of(y_pred)

    @property
    def promises(self) -> bool:
        """False, since there are no probabilities."""
        return False

    def trial_bets(self) -> BetsOnErrors:
        """Raise an error, since there is nothing to bet against."""
        raise ValueError("predicted classes without probabilities promise nothing that could be tested")

    @property
    def certainty(self) -> Certainty:
        """The position of the predicted class, which is all that distinguishes instances."""
        return Certainty(
            self.pred_codes.astype(np.float64),
            "predicted class",
            is_share=False,
            is_prediction=True,
            names=tuple(map(str, self.classes.tolist())),
        )

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """Classes, and positions of the predicted classes."""
        return self.classes, self.pred_codes

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        return type(self)(self.y_pred[instances], self.classes, self.name)

    def to_dict(self) -> dict[str, Any]:
        """Return classes with their type, and positions of the predicted classes; see the base."""
        written = super().to_dict()
        return {
            "kind": self.written_as,
            "name": self.name,
            "classes": written["classes"],
            "predicted": self.pred_codes.tolist(),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the predictions that `to_dict` wrote."""
        classes, y_pred = classes_from_dict(record)
        if y_pred is None:
            raise ValueError("predicted classes are missing")
        return cls(y_pred, classes, record["name"])
