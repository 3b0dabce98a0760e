"""Predictions from a classifier's decision scores, which are not probabilities."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_order, index_of, refuse_masked, to_floats
from activeeval_widgets.stats.predictions._probabilities import column_names
from activeeval_widgets.stats.predictions.base import Certainty
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.from_dict import classes_from_dict
from activeeval_widgets.stats.predictions.trial_bets import BetsOnErrors

STEEPNESS = 2.0
"""The log-odds of the predicted class against the runner-up, for an instance with the median margin."""


class ScoredClasses(ClassPredictions):
    """A classifier's decision scores: distances from its boundary, as given by support vector machines.

    Scores show which instances are more doubtful than others, but not how doubtful they are. They are mapped
    to probabilities by one fixed function to guide draws, and labels correct these probabilities like any
    model's (`recalibrate`). The model promises nothing and is not tested for overconfidence, estimates are
    not shrunk toward its probabilities, and measures of probabilities refuse it. Estimates and intervals do
    not rely on it.

    Parameters
    ----------
    scores : array-like or DataFrame of shape (n_instances,) or (n_instances, n_classes)
        A larger score makes a class more likely. A single column is for the second of two classes, which is
        predicted where the score is above 0. scikit-learn's `decision_function` (one-vs-rest) has this form.
    classes : array-like of shape (n_classes,), optional
        The class labels, one per column, as for `ClassPredictions`.
    y_pred : array-like of shape (n_instances,), optional
        The predicted labels, if they are not those with the largest score.
    name : str, optional
        The model's name on screen.

    Raises
    ------
    ValueError, TypeError
        If a score is not finite, or an argument does not fit the others.

    See Also
    --------
    ClassPredictions : Class probabilities.
    PredictedClasses : Classes without scores.

    Notes
    -----
    p(y | x) ∝ exp(2 s_y(x)/s), where s is the median over the pool of the distance between the largest score
    and the next one, so that the scores' unit does not matter. This is Platt's sigmoid, which he fits to
    labels; so does a session, by a power and a factor for each class.

    References
    ----------
    Platt, *Probabilistic outputs for support vector machines*, 1999.

    Examples
    --------
    >>> model = ScoredClasses([-3.0, 1.0, 0.1], classes=["ham", "spam"])
    >>> model.y_pred, model.promises
    (array(['ham', 'spam', 'spam'], dtype='<U4'), False)
    >>> model.confidence.round(2)
    array([1.  , 0.88, 0.55])
    """

    written_as: ClassVar[str | None] = "scored_class"
    is_supposed: ClassVar[bool] = True

    def __init__(
        self,
        scores: ArrayLike,
        classes: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        if classes is None:
            classes = column_names(scores)
        check_order("y_pred", y_pred, "scores", scores)
        super().__init__(_as_probabilities(check_scores(scores)), classes, y_pred, name)
        self.index = index_of(scores, y_pred)

    @property
    def promises(self) -> bool:
        """False, since scores are not probabilities."""
        return False

    def trial_bets(self) -> BetsOnErrors:
        """Raise an error, since there is nothing to bet against."""
        raise ValueError("decision scores promise nothing that could be tested")

    @property
    def certainty(self) -> Certainty:
        """The derived probability of the predicted class."""
        return Certainty(np.clip(self.confidence, 0, 1), "confidence, from scores", is_share=True)

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        return self.part(np.asarray(instances, dtype=np.intp))

    def to_dict(self) -> dict[str, Any]:
        """Return the predictions as for `ClassPredictions`, but of another kind; see the base."""
        return {**super().to_dict(), "kind": self.written_as}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the predictions that `to_dict` wrote."""
        classes, y_pred = classes_from_dict(record)
        made = cls.__new__(cls)
        ClassPredictions.__init__(made, record["y_proba"], classes, y_pred, record["name"])
        return made


def check_scores(scores: ArrayLike) -> FloatArray:
    """Validate scores, (n_instances, n_classes); one column becomes two, the first being 0."""
    refuse_masked("scores", scores)
    try:
        found = to_floats(scores)
    except (TypeError, ValueError) as error:
        raise TypeError(f"scores must be numbers: {error}") from None
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim not in (1, 2) or not found.size:
        raise ValueError(
            f"scores must have shape (n_instances,) or (n_instances, n_classes), got {found.shape}"
        )
    finite = np.isfinite(found)
    if not finite.all():
        at = tuple(int(each[0]) for each in np.nonzero(~finite))
        where = ", ".join(map(str, at))
        raise ValueError(f"scores[{where}] is {found[at]}, expected a finite number")
    return found if found.ndim == 2 else np.column_stack([np.zeros(found.size), found])


def _as_probabilities(scores: FloatArray) -> FloatArray:
    highest = np.sort(scores, axis=1)[:, -2:]
    margins = highest[:, 1] - highest[:, 0]
    apart = margins[margins > 0]
    scale = float(np.median(apart)) if apart.size else 1.0
    # Relative to the largest score, so that nothing overflows.
    odds = np.exp(np.maximum(STEEPNESS * (scores - highest[:, 1:]) / scale, -700.0))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
