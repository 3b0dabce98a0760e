"""Measures of classifiers that are the mean of a loss or gain."""

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_cost_matrix
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.measures.tables import TableMeasure
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class ErrorRate(Risk, TableMeasure):
    """The share of instances that the model gets wrong: the risk under zero-one loss.

    See Also
    --------
    Accuracy : One minus it.
    CostMatrix : Errors of different costs.

    References
    ----------
    T, eq. 4.14, for the instrumental distribution that follows.

    Examples
    --------
    >>> pool_value(ErrorRate(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), [0, 0])
    0.5
    """

    summary = "How often the model is wrong."
    name = "error rate"
    sentence = "The model is wrong on {value} of the {instances}."
    value_range = (0.0, 1.0)
    is_share = True
    is_binary = True

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:  # noqa: ARG002
        return np.asarray(predicted != true, dtype=np.float64)[:, np.newaxis]


class Accuracy(Risk, TableMeasure):
    """The share of instances that the model gets right: one minus the error rate.

    See Also
    --------
    ErrorRate : One minus it.
    BalancedAccuracy : All classes have equal weight.

    References
    ----------
    T, eq. 4.14: its instrumental distribution is the error rate's.

    Examples
    --------
    >>> pool_value(Accuracy(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), [0, 0])
    0.5
    """

    summary = "How often the model is right."
    name = "accuracy"
    sentence = "The model is right on {value} of the {instances}."
    value_range = (0.0, 1.0)
    greater_is_better = True
    is_share = True
    is_binary = True

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:  # noqa: ARG002
        return np.asarray(predicted == true, dtype=np.float64)[:, np.newaxis]


class CostMatrix(Risk, TableMeasure):
    """The mean cost of the model's decisions.

    Parameters
    ----------
    costs : array-like of shape (n_classes, n_classes)
        costs[i][j] is the cost of predicting class i when class j is true, in any unit; negative for a gain.
        Rows and columns are in the order of the predictions' `classes`.

    Raises
    ------
    ValueError, TypeError
        If the costs are not a square matrix of finite numbers; on use, if the number of classes is
        different.

    See Also
    --------
    ErrorRate : Every error costs 1.

    References
    ----------
    T, eq. 4.6 with any loss.

    Examples
    --------
    >>> missed_spam = CostMatrix([[0, 1], [10, 0]])
    >>> pool_value(missed_spam, ClassPredictions([[0.9, 0.1], [0.2, 0.8]]), [1, 0])
    5.5
    """

    summary = "What the model's mistakes cost on average, where some are worse than others."
    name = "mean cost"
    sentence = "What the model gets wrong costs {value} on average, over all {instances}."
    example_options = ({"costs": [[0.0, 1.0, 2.5], [4.0, -0.5, 1.0], [0.3, 2.0, 0.0]]},)

    def __init__(self, costs: ArrayLike) -> None:
        self.costs: FloatArray = check_cost_matrix(costs)
        self.value_range = (float(self.costs.min()), float(self.costs.max()))
        self.is_binary = bool(np.isin(self.costs, (0, 1)).all())

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        if len(self.costs) != model.n_classes:
            raise ValueError(
                f"costs has shape {self.costs.shape}, but the predictions have {model.n_classes} classes"
            )
        return self.costs[predicted, true][:, np.newaxis]

    def __repr__(self) -> str:
        return f"CostMatrix({self.costs.tolist()})"
