"""Class probabilities where only the predicted class of each instance has one."""

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray


def are_of_best(scores: FloatArray, codes: IntArray, n_classes: int) -> bool:
    """Return whether scores are the probabilities of the predicted classes, not of the second of two classes.

    The probability of the most probable class is at least 1/n_classes. Probabilities of the second class are
    below ½ where the first one is predicted, or, with another threshold, below those of the other instances.
    """
    if n_classes < 2 or not ((scores >= 0) & (scores <= 1)).all():
        return False
    if n_classes > 2:
        return True
    first, second = scores[codes == 0], scores[codes == 1]
    if not first.size or not second.size:
        return False
    is_threshold = first.max() < second.min() or second.max() < first.min()
    return bool(scores.min() >= 0.5 and not is_threshold)


def with_even_rest(scores: FloatArray, codes: IntArray, n_classes: int) -> FloatArray:
    """Return class probabilities, (n_instances, n_classes): other classes have equal shares of the rest."""
    y_proba = np.repeat((1 - scores)[:, np.newaxis] / (n_classes - 1), n_classes, axis=1)
    y_proba[np.arange(codes.size), codes] = scores
    return y_proba
