"""The value of a measure on a fully labeled pool."""

from typing import Any

from activeeval_widgets.stats._validation import check_order
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions


def pool_value(measure: Measure, predictions: Predictions, y_true: Any) -> float:
    """Return the measure on a fully labeled pool: the true value to compare estimates with.

    Parameters
    ----------
    measure : Measure
        The measure to compute.
    predictions : Predictions
        The model.
    y_true : array-like of shape (n_instances,)
        The label of every instance; for rankings, a mapping from item to grade for each query.

    Returns
    -------
    float
        NaN if the measure is undefined on this pool (the recall of a class that never occurs).

    Raises
    ------
    ValueError
        If the number of labels is not the number of instances, or a label is not one of the classes.

    See Also
    --------
    estimate : From a few labels.

    Examples
    --------
    >>> pool_value(ErrorRate(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), [0, 0])
    0.5
    """
    n_instances = predictions.n_instances
    check_order("y_true", y_true, "predictions", predictions)
    labels = predictions.check_labels(y_true, n_instances, f"{n_instances} instances")
    return measure.of_pool(predictions, labels)
