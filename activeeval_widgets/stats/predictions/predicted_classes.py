"""What a classifier says about the pool where it says nothing but a class."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions.base import Certainty
from activeeval_widgets.stats.predictions.class_labels import as_labels
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.trial_bets import BetsOnErrors

SUPPOSED_ACCURACY = 0.75
"""What is supposed of each predicted class before the first label; labels soon count for more."""


class PredictedClasses(ClassPredictions):
    """A classifier's predicted classes, without probabilities.

    How often the classes are right is not known: nothing is claimed, so nothing is put on trial. Adaptive
    draws begin uniform, and learn from the labels how often predicted classes are right. For that, a
    predicted class is supposed to be right three times of four, which counts for about as much as a few
    labels. Estimates and intervals do not rest on it, and estimates are not shrunk towards it.

    Parameters
    ----------
    y_pred : array-like of shape (n_instances,)
        The predicted labels f(x).
    classes : array-like of shape (n_classes,), optional
        All class labels, at least two; those that are predicted, in order, unless given. A class that is
        never predicted has to be named here.
    name : str, optional
        What to call the model on screen.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two classes, or a prediction is none of them.

    See Also
    --------
    ClassPredictions : with probabilities, which save labels.

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
        given = as_labels(y_pred)
        if given.ndim != 1 or not given.size:
            raise ValueError(f"y_pred must hold one class for each instance, got shape {given.shape}")
        known = np.unique(given) if classes is None and given.dtype.kind != "O" else classes
        n_classes = 2 if known is None else len(as_labels(known))
        if n_classes < 2:
            raise ValueError(
                f"classes must be at least two, got {known!r}; name those that are never predicted, too"
            )
        supposed = np.full((n_classes, n_classes), (1 - SUPPOSED_ACCURACY) / (n_classes - 1))
        np.fill_diagonal(supposed, SUPPOSED_ACCURACY)
        super().__init__(supposed, known, name=name)
        codes = self.encode(given, name="y_pred")
        self.y_proba: FloatArray = supposed[codes]
        self.y_proba.setflags(write=False)
        codes.setflags(write=False)
        self.pred_codes = codes

    @property
    def promises(self) -> bool:
        """False: it does not say how sure it is."""
        return False

    def trial_bets(self) -> BetsOnErrors:
        """Refused: there is nothing to bet against."""
        raise ValueError("predicted classes without probabilities promise nothing that could be put on trial")

    @property
    def certainty(self) -> Certainty:
        """The predicted class, as its position: there is nothing else that tells instances apart."""
        return Certainty(
            self.pred_codes.astype(np.float64),
            "predicted class",
            is_share=False,
            is_prediction=True,
            names=tuple(map(str, self.classes.tolist())),
        )

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """Classes, and positions of the predicted ones."""
        return self.classes, self.pred_codes

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        return type(self)(self.y_pred[instances], self.classes, self.name)

    def to_dict(self) -> dict[str, Any]:
        """Classes with their type, and positions of the predicted ones; see the base."""
        written = super().to_dict()
        return {
            "kind": self.written_as,
            "name": self.name,
            "classes": written["classes"],
            "predicted": self.pred_codes.tolist(),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """The predictions that `to_dict` wrote."""
        classes, y_pred = cls._classes_from(record)
        if y_pred is None:
            raise ValueError("predicted classes are missing")
        return cls(y_pred, classes, record["name"])
