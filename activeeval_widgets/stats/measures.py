"""What is estimated: each measure is a function g of the mean of a small vector of statistics z(x, y).

A measure provides the statistics of labeled draws, g and its gradient, and the conditional moments of any
combination of its statistics under a predictive distribution. The instrumental distributions, the
estimators and their standard errors follow from these alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions import Predictions

_CHUNK_CELLS = 1 << 18
"""Rows are worked on in chunks of about this many cells, so that temporaries stay in the cache."""


class Term(NamedTuple):
    """One model's share in a combination of statistics: the scalar aᵀ z(x, y) for a direction a."""

    predictions: Predictions
    direction: FloatArray


class Moments(NamedTuple):
    """E[s | x] and E[s² | x] of a scalar s(x, y), each of shape (n_instances,)."""

    first: FloatArray
    second: FloatArray


class Measure(ABC):
    """A measure G = g(E[z]) of a model's performance.

    Attributes
    ----------
    name : str
        What the measure is called on screen.
    value_range : tuple of float
        The least and the greatest value that the measure can have.
    """

    name: str
    value_range: tuple[float, float]

    @abstractmethod
    def statistics(self, predictions: Predictions, y_true: ArrayLike, draws: IntArray) -> FloatArray:
        """z(x, y) of labeled draws.

        Parameters
        ----------
        predictions : Predictions
            The model.
        y_true : array-like of shape (n_draws,)
            The labels of the draws.
        draws : ndarray of shape (n_draws,)
            Indices into the pool.

        Returns
        -------
        ndarray of shape (n_draws, n_statistics)
        """

    @abstractmethod
    def g(self, mean: FloatArray) -> float:
        """The measure, given E[z] of shape (n_statistics,)."""

    @abstractmethod
    def gradient(self, mean: FloatArray) -> FloatArray:
        """The gradient ∇g at E[z], shape (n_statistics,)."""

    @abstractmethod
    def introspective_mean(self, predictions: Predictions, belief: Predictions) -> FloatArray:
        """The pool's average of E[z | x], labels distributed as `belief` says; shape (n_statistics,)."""

    @abstractmethod
    def moments(self, terms: Sequence[Term], belief: Predictions, offset: float) -> Moments:
        """Conditional moments of s(x, y) = Σ aᵀ z(x, y) − offset, summed over `terms`, one per instance.

        Second moments are sums of squares: they are never negative, however small.
        """

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _ClassMeasure(Measure):
    """A measure of classes, whose statistics depend on the predicted and the true class alone."""

    @abstractmethod
    def _table(self, n_classes: int) -> FloatArray:
        """z for each (predicted, true) class, shape (n_classes, n_classes, n_statistics)."""

    def statistics(self, predictions: Predictions, y_true: ArrayLike, draws: IntArray) -> FloatArray:
        codes = predictions.encode(y_true)
        return self._table(predictions.n_classes)[predictions.pred_codes[draws], codes]

    def introspective_mean(self, predictions: Predictions, belief: Predictions) -> FloatArray:
        table = self._table(predictions.n_classes)
        n_classes = predictions.n_classes
        # The joint distribution of (predicted, true) class holds all that the pool says about a table.
        joint = np.stack(
            [
                np.bincount(predictions.pred_codes, weights=column, minlength=n_classes)
                for column in belief.y_proba.T
            ],
            axis=1,
        )
        mean: FloatArray = np.tensordot(joint, table, axes=2) / predictions.n_instances
        return mean

    def moments(self, terms: Sequence[Term], belief: Predictions, offset: float) -> Moments:
        n_instances, n_classes = belief.y_proba.shape
        table = self._table(n_classes)
        scores = [(term.predictions.pred_codes, table @ term.direction) for term in terms]
        first = np.empty(n_instances)
        second = np.empty(n_instances)
        for rows in _chunks(n_instances, n_classes):
            score = sum((by_class[codes[rows]] for codes, by_class in scores), start=np.float64(-offset))
            weighted = belief.y_proba[rows] * score
            first[rows] = weighted.sum(axis=1)
            second[rows] = np.einsum("ij,ij->i", weighted, score)
        return Moments(first, second)


class _Risk(Measure):
    """A measure with one statistic, the loss: its value is the mean loss."""

    def g(self, mean: FloatArray) -> float:
        return float(mean[0])

    def gradient(self, mean: FloatArray) -> FloatArray:
        return np.ones_like(mean)


class ErrorRate(_Risk, _ClassMeasure):
    """The share of instances that the model gets wrong: the risk under zero-one loss.

    References
    ----------
    T, eq. 4.14, for the instrumental distribution that follows.
    """

    name = "error rate"
    value_range = (0.0, 1.0)

    def _table(self, n_classes: int) -> FloatArray:
        return (1.0 - np.eye(n_classes))[:, :, np.newaxis]


class Accuracy(_Risk, _ClassMeasure):
    """The share of instances that the model gets right: one minus the error rate."""

    name = "accuracy"
    value_range = (0.0, 1.0)

    def _table(self, n_classes: int) -> FloatArray:
        return np.eye(n_classes)[:, :, np.newaxis]


def pool_value(measure: Measure, predictions: Predictions, y_true: ArrayLike) -> float:
    """The measure on a fully labeled pool: the ground truth that estimates are held against.

    Parameters
    ----------
    measure : Measure
        What to compute.
    predictions : Predictions
        The model.
    y_true : array-like of shape (n_instances,)
        The label of every instance.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the number of labels is not the number of instances, or a label is not one of the classes.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
    >>> pool_value(ErrorRate(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), [0, 0])
    0.5
    """
    labels = np.asarray(y_true)
    if labels.shape != (predictions.n_instances,):
        raise ValueError(
            f"y_true must hold one label for each of {predictions.n_instances} instances, "
            f"got shape {labels.shape}"
        )
    z = measure.statistics(predictions, labels, np.arange(predictions.n_instances))
    return measure.g(z.mean(axis=0))


def _chunks(n_rows: int, n_columns: int) -> Iterator[slice]:
    step = max(1, _CHUNK_CELLS // n_columns)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))
