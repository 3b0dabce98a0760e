"""Pools without a model: the possible labels, and the number of instances."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.predictions.base import PredictionDescription, Predictions
from activeeval_widgets.stats.predictions.beliefs import ClassBelief, GaussianMixture
from activeeval_widgets.stats.predictions.class_labels import as_labels
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.from_dict import array_from_dict, array_to_dict
from activeeval_widgets.stats.predictions.values import ValuePredictions

_PRIOR = 0.01
"""The number of labels of each class that the uniform prior counts for: no class is impossible, and the
effect on shares is too small to see."""


class _NoModel(Predictions):
    """The common part of both kinds: nothing is predicted."""

    is_model: ClassVar[bool] = False
    guides_draws: ClassVar[bool] = False

    @property
    def promises(self) -> bool:
        """False, since there are no predictions."""
        return False

    def trial_bets(self) -> NoReturn:
        """Raise an error, since there is nothing to bet against."""
        raise ValueError("there is no model that could be tested")

    @property
    def certainty(self) -> Any:
        """None, since nothing distinguishes instances."""

    def is_wrong(self, instances: IntArray, y_true: Any) -> Any:
        """Return None, since there are no predictions."""

    def describe(self, instance: int) -> PredictionDescription:  # noqa: ARG002
        """Return empty texts."""
        return PredictionDescription("", "", "", {})


class UnpredictedClasses(_NoModel, ClassPredictions):
    """A pool without a model whose labels are classes, for measures of the labels themselves.

    Nothing distinguishes instances. Draws are uniform, and the expected distribution of an unlabeled instance
    is each class's share among the labels so far.

    Parameters
    ----------
    classes : array-like of shape (n_classes,)
        All possible labels, at least two.
    n_instances : int
        The number of instances in the pool, m.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two classes, or they are not distinct, or can't be labels.

    See Also
    --------
    UnpredictedValues : For labels that are numbers.
    LabelShare, WinRate : Measures for such a pool.

    Examples
    --------
    >>> pool = UnpredictedClasses(["spam", "ham"], 3)
    >>> pool.is_model, pool.classes.tolist()
    (False, ['spam', 'ham'])
    """

    written_as: ClassVar[str | None] = "unpredicted_class"

    def __init__(self, classes: ArrayLike, n_instances: int) -> None:
        count = check_count("n_instances", n_instances, minimum=1)
        n_classes = len(as_labels(classes, "classes"))
        if n_classes < 2:
            raise ValueError(f"classes must be at least two, got {classes!r}: name all possible labels")
        super().__init__(np.full((1, n_classes), 1 / n_classes), classes)
        # Views of one row take no memory.
        self.y_proba: FloatArray = np.broadcast_to(self.y_proba, (count, n_classes))
        self.pred_codes: IntArray = np.broadcast_to(self.pred_codes, (count,))

    def corrected(
        self,
        others: Sequence[Self],  # noqa: ARG002
        draws: IntArray,
        y_true: Any,
        *,
        positive: Any = None,  # noqa: ARG002
        with_labels: bool = False,
    ) -> ClassBelief:
        """Return each class's share among the labels, for every instance."""
        codes = self.encode(y_true)
        counts = np.bincount(codes, minlength=self.n_classes) + _PRIOR
        y_proba = np.broadcast_to(counts / counts.sum(), self.y_proba.shape)
        if with_labels and self.counts is None:
            y_proba = y_proba.copy()
            y_proba[draws] = np.eye(self.n_classes)[codes]
        return ClassBelief(self.classes, y_proba)

    def rules(self, others: Sequence[Self], positive: Any = None) -> list[Callable[[IntArray], AnyArray]]:  # noqa: ARG002
        """Return a rule for each class, which is the same for all instances."""

        def always(label: Any) -> Callable[[IntArray], AnyArray]:
            return lambda where: np.full(where.size, label)

        return [always(label) for label in self.classes]

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """Classes, and the number of instances."""
        return self.classes, np.array([self.n_instances])

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        return type(self)(self.classes, len(instances))

    def to_dict(self) -> dict[str, Any]:
        """Return classes with their type, and the number of instances; see the base."""
        return {
            "kind": self.written_as,
            "classes": array_to_dict(self.classes),
            "n_instances": self.n_instances,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return what `to_dict` wrote."""
        return cls(array_from_dict(record["classes"]), record["n_instances"])


class UnpredictedValues(_NoModel, ValuePredictions):
    """A pool without a model whose labels are numbers, for the mean of the labels themselves.

    Draws are uniform, and the expected value of an unlabeled instance is the mean of the labels so far.

    Parameters
    ----------
    n_instances : int
        The number of instances in the pool, m.

    Raises
    ------
    ValueError, TypeError
        If the number is not a positive integer.

    See Also
    --------
    UnpredictedClasses : For labels that are classes.
    MeanValue : A measure for such a pool.

    Examples
    --------
    >>> UnpredictedValues(3)
    <UnpredictedValues: 3 instances>
    """

    written_as: ClassVar[str | None] = "unpredicted_value"

    def __init__(self, n_instances: int) -> None:
        super().__init__(np.zeros(check_count("n_instances", n_instances, minimum=1)))

    def corrected(
        self,
        others: Sequence[Self],  # noqa: ARG002
        draws: IntArray,
        y_true: Any,
        *,
        positive: Any = None,  # noqa: ARG002
        with_labels: bool = False,
    ) -> GaussianMixture:
        """Return the labels' mean and variance, for every instance; 0 and 1 before the first label."""
        labels = np.asarray(y_true, dtype=np.float64)
        mean, variance = (float(labels.mean()), float(labels.var())) if labels.size else (0.0, 1.0)
        means = np.full((1, self.n_instances), mean)
        variances = np.full((1, self.n_instances), variance if variance > 0 else 1.0)
        if with_labels and self.counts is None:
            means[:, draws] = labels
            variances[:, draws] = 0
        return GaussianMixture(means, variances)

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """The number of instances."""
        return (np.array([self.n_instances]),)

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        return type(self)(len(instances))

    def to_dict(self) -> dict[str, Any]:
        """Return the number of instances; see the base."""
        return {"kind": self.written_as, "n_instances": self.n_instances}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return what `to_dict` wrote."""
        return cls(record["n_instances"])
