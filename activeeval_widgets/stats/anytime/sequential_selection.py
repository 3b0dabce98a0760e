"""Anytime-valid evidence for which of several models is the best, for scripts.

A session's leaderboard compares intervals of paired differences instead: `session/findings/leaderboard.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.anytime.sequential_tests import sequential_test
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import comparison_of


@dataclass(frozen=True)
class SequentialSelection:
    """The evidence for each of several models that it is the best.

    Attributes
    ----------
    evalue : ndarray of shape (n_models, n_draws)
        The e-value of "this model is not better than all others" after each draw: the smallest of its
        e-values against each other model.
    pvalue : ndarray of shape (n_models, n_draws)
        The number of models over the largest e-value so far, at most 1. With probability at most α, it ever
        falls to α for any model that is not the best.

    See Also
    --------
    sequential_selection : Compute it.
    compare_all : Compare for one fixed number of draws.

    Examples
    --------
    >>> found = SequentialSelection(np.array([[1.5, 60.0], [0.5, 0.1]]), np.array([[1.0, 0.03], [1.0, 1.0]]))
    >>> found.best()
    0
    """

    evalue: FloatArray
    pvalue: FloatArray

    def __repr__(self) -> str:
        n_models, n_draws = self.pvalue.shape
        best = self.best()
        known = "which model is best is not known yet" if best is None else f"model {best} is best (95%)"
        return f"<Selection among {n_models} models after {n_draws:,} draws: {known}>"

    def best(self, confidence_level: float = 0.95) -> int | None:
        """Return the model that is known to be the best after all draws, or None if none is yet."""
        level = check_fraction("confidence_level", confidence_level, closed=False)
        if not self.pvalue.shape[1]:
            return None
        found = np.flatnonzero(self.pvalue[:, -1] <= 1 - level)
        return int(found[np.argmin(self.pvalue[found, -1])]) if found.size else None


def sequential_selection(
    measure: Measure,
    predictions: Sequence[Predictions],
    q: ArrayLike,
    draws: ArrayLike,
    y_true: Any,
    *,
    y_range: tuple[float, float] | None = None,
) -> SequentialSelection:
    """Find the best of several models, with anytime-valid p-values adjusted for all models.

    Parameters
    ----------
    measure : Measure
        The measure that compares the models.
    predictions : sequence of two or more Predictions
        The models.
    q : array-like of shape (n_instances,)
        The instrumental distribution from which all draws come.
    draws : array-like of shape (n_draws,)
        Indices into the pool, in draw order, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order.
    y_range : tuple of two floats, optional
        The smallest and largest possible label, for values.

    Returns
    -------
    SequentialSelection

    Raises
    ------
    ValueError, TypeError
        As for `SequentialTest`; also if there is only one model.

    See Also
    --------
    SequentialTest : Compare two models.
    compare_all : Compare for one fixed number of draws.

    Notes
    -----
    If a model is not better than all others, one of its e-values belongs to a true null hypothesis, so that
    the smallest is an e-value, too. The union bound is over the models, not over their pairs.

    Examples
    --------
    >>> models = [ClassPredictions([[p, 1 - p]] * 30) for p in (0.9, 0.8, 0.3)]
    >>> sequential_selection(ErrorRate(), models, uniform_q(30), range(30), [0] * 30).best()
    >>> alone = [models[0], models[2]]
    >>> sequential_selection(ErrorRate(), alone, uniform_q(30), range(30), [0] * 30).best()
    0
    """
    models = as_models(predictions)
    n_models = len(comparison_of(measure, models, "a choice of the best").models)
    least = []
    for position, first in enumerate(models):
        pairs = [
            sequential_test(measure, [first, other], q, draws, y_true, y_range=y_range).evalue
            for other in models[:position] + models[position + 1 :]
        ]
        least.append(np.min(pairs, axis=0))
    evalue = np.array(least)
    greatest = np.maximum.accumulate(evalue, axis=1)
    return SequentialSelection(evalue, n_models / np.maximum(greatest, n_models))
