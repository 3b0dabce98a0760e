"""Which models may still be the best, so that draws compare these only."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.make import question_of, target_of

_ERRORS = 3.0
"""A model that is this many standard errors worse than the leader is no longer compared."""

_FEWEST = 10
"""With fewer labels all pairs are compared."""

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
    """Return the pairs of models that labels should compare: the leader and each that may be as good.

    Only for choosing draws. It uses weighted labels without the models' probabilities, which is valid however
    wrong these are, and normal standard errors, so that it may err; no interval or verdict depends on it. T,
    eq. 5.16 mixes what is optimal for all pairs; using only the leader's pairs is as in Russo, *Simple
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
    shown = np.array(values)
    if not np.isfinite(shown).all():
        return everything
    leader = int(np.argmax(shown if measure.greater_is_better else -shown))
    apart = np.array(influences) - influences[leader]
    errors = np.sqrt((apart**2) @ weights**2)
    behind = np.abs(shown - shown[leader])
    others = [j for j in np.argsort(behind, kind="stable").tolist() if j != leader]
    close = [j for j in others if behind[j] <= _ERRORS * errors[j]]
    return tuple((leader, j) for j in close or others[:1])
