"""Which of several models may still be the best, as far as draws should care: whom to compare next."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.make import question_of, target_of

_ERRORS = 3.0
"""A model that is so many standard errors worse than the leader is not compared any more."""

_FEWEST = 10
"""With fewer labels all pairs count."""

Pairs = tuple[tuple[int, int], ...]


def undecided_pairs(
    measure: Measure,
    models: Sequence[Predictions],
    draws: IntArray,
    q_draws: FloatArray,
    y_true: Any,
    *,
    own: Sequence[Predictions] | None = None,
) -> Pairs:
    """The pairs of models that labels should tell apart: the leader so far and each that may be as good.

    A guide for draws alone. It goes by plainly weighted labels, which are right however wrong the models
    are, and by normal standard errors, so it may err; no interval or verdict rests on it.

    Parameters
    ----------
    measure : Measure
        What models are compared by.
    models : sequence of two or more Predictions
        The models.
    draws : ndarray of shape (n_draws,)
        The labeled instances (or rows), in draw order, without replacement.
    q_draws : ndarray of shape (n_draws,)
        The probability of each draw, given those before it.
    y_true : array-like of shape (n_draws,)
        Their labels.
    own : sequence of Predictions, optional
        What the models predict for the labeled instances themselves, where `draws` are rows.

    References
    ----------
    T, eq. 5.16 mixes what is optimal for all pairs; that the leader's alone count is as in Russo, *Simple
    Bayesian algorithms for best-arm identification*, 2020.
    """
    everything = question_of(measure, models).pairs
    n = draws.size
    if n < _FEWEST:
        return everything
    weights = 1 / q_draws + np.arange(n)[::-1]
    weights = weights / weights.sum()
    rows = draws if own is None else np.arange(n)
    values, influences = [], []
    for model in models if own is None else own:
        target = target_of(measure, [model])
        z = target.statistics(model.check_labels(y_true, n, f"{n} draws"), rows)
        mean = weights @ z
        values.append(float(target.g(mean)))
        influences.append((z - mean) @ target.gradient(mean))
    told = np.array(values)
    if not np.isfinite(told).all():
        return everything
    leader = int(np.argmax(told if measure.greater_is_better else -told))
    apart = np.array(influences) - influences[leader]
    errors = np.sqrt((apart**2) @ weights**2)
    behind = np.abs(told - told[leader])
    others = [j for j in np.argsort(behind, kind="stable").tolist() if j != leader]
    close = [j for j in others if behind[j] <= _ERRORS * errors[j]]
    return tuple((leader, j) for j in close or others[:1])
