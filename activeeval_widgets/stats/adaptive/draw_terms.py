"""Terms of an average over the pool, one for each draw without replacement.

Y_t = (Σ_drawn z + Σ_left E[z | x] + (z_t − E[z_t | x]) / q_t(x_t)) / m, with sums over what was drawn before
t and what was left then. Given the past, its mean over q_t is the pool's mean of z, for any q_t that is
positive on what is left, if E[z | x] depends on the past only: as in `AdaptiveConfidenceSequence`.
`estimate_adaptive` computes it from all labels so far, which lowers the variance and adds a bias that
vanishes with more labels.
"""

from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import goes_by_second_moment
from activeeval_widgets.stats.adaptive.recalibration import corrected_mean, recalibrate
from activeeval_widgets.stats.drawing.optimal import influences
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.predictions.base import left_of, left_sum
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.target import Target


class ControlVariate(NamedTuple):
    """Expectations for the pool, from the labels so far."""

    expected: Expectation
    """E[z | x], and a column of ones: the expectation of "can be labeled"."""
    spread: FloatArray
    """The standard deviation of the influence, in the measure's unit, positive."""
    belief: Belief
    informed: FloatArray | None = None
    """The informative part of `adaptive_q`, not normalized; if requested."""


def control_variate(
    target: Target,
    draws: IntArray,
    y_true: Any,
    seen: FloatArray | None = None,
    *,
    with_informed: bool = False,
) -> ControlVariate:
    """Return expectations from labels of distinct instances and their statistics z; a pure function."""
    belief = recalibrate(target.measure, target.models, draws, y_true)
    expected = target.expectation(belief)
    assert expected is not None  # noqa: S101 - `recalibrate` gives variances to values
    roots, spread = influences(target, belief)
    informed = None
    if with_informed:
        informed = roots if goes_by_second_moment(target.measure, belief) else spread
    if not np.isfinite(spread).all() or not spread.max() > 0:
        spread = np.ones(len(spread))
    spread = np.maximum(spread, 1e-3 * spread.max())
    if not belief.follows_labels:
        seen = target.statistics(y_true, draws) if seen is None else seen
        model = target.models[0]
        dense = expected.dense()
        corrected = corrected_mean(dense, spread, draws, seen, model.average, by_factor=belief.follows_spread)
        expected = Expectation.of(corrected, model.counts)
    return ControlVariate(expected.with_ones(), spread, belief, informed)


def with_indicator(z: FloatArray, labeled: BoolArray) -> FloatArray:
    """Return statistics of all draws with the indicator "has a label"; 0 for excluded draws."""
    rows = np.zeros((labeled.size, z.shape[1] + 1))
    rows[labeled, :-1] = z
    rows[labeled, -1] = 1
    return rows


class Terms(NamedTuple):
    """Averages over the pool, with z where it is known and E[z | x] elsewhere."""

    corrected: FloatArray
    """Y_t of every draw."""
    assisted: FloatArray
    """The average after the last draw, without a correction by any draw's difference."""


def terms_of(expected: Expectation, draws: IntArray, q_draws: FloatArray, rows: FloatArray) -> Terms:
    """Return Y_t of every draw, and the average that they correct."""
    known, of_draws, left = rows.cumsum(axis=0) - rows, expected[draws], left_over(expected, draws)
    corrected = known + left + (rows - of_draws) / q_draws[:, np.newaxis]
    assisted = rows.sum(axis=0) + left[-1] - of_draws[-1]
    return Terms(corrected / expected.size, assisted / expected.size)


def left_over(
    values: FloatArray | Expectation, draws: IntArray, counts: IntArray | None = None
) -> FloatArray:
    """Return for each draw the sum of `values` over what was left before it; (n_draws, …).

    Summed from the last draw backward, so that small remainders are not rounding errors.
    """
    if isinstance(values, Expectation):
        remaining = values.total(left_of(draws, len(values), values.counts))
    else:
        left = left_of(draws, len(values), counts)
        if left.dtype == bool:
            # As numbers, because boolean indexing makes a copy first.
            remaining = np.einsum("i,i...->...", left.astype(np.float64), values)
        else:
            remaining = left_sum(values, left)
    backward = values[draws][::-1].cumsum(axis=0)[::-1]
    total: FloatArray = backward + remaining
    return total
