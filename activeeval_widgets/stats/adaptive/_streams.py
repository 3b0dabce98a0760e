"""Terms of draws without replacement, one by one, and their bounds, for adaptive bets."""

from collections.abc import Sequence
from copy import copy
from math import inf
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.draw_terms import control_variate
from activeeval_widgets.stats.anytime.estimating_equation import widen
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.predictions.base import Predictions, left_sum
from activeeval_widgets.stats.questions.target import Target

_MIN_LEFT = 0.01
"""q is normalized again when less of it is left, to avoid rounding errors."""

_FIRST_REFRESH, _LATER_REFRESH = 2, 10
"""The number of draws after which expectations are first updated: few, as the first labels matter most."""

_GREATEST_WEIGHT = 1e6
"""Upper limit on a term's weight relative to the first, however small its expected variance."""


class Streams:
    """The terms Y_t of successive draws, with expectations from the labels before each.

    Expectations are updated whenever q changes and whenever the number of draws has doubled. `known` is the
    sum of z and of the indicator "has a label" over the draws, `left` the sum of their expectations over the
    remaining instances (`in_row`: how many of each row), and `own` the predictions of the next draw's own
    instance, where its row stands for several. If `is_bound`, q is only a lower bound.
    """

    def __init__(self, target: Target, rule: DrawRule = DRAW_RULE, *, doubts: bool = True) -> None:
        self._target, self._rule, self._doubts = target, rule, doubts
        self._n_instances = target.size
        self.restart()

    def restart(self) -> None:
        """Discard all draws."""
        self.in_row = self._target.left(np.zeros(0, dtype=np.intp))
        self.n_draws = 0
        self._labeled: list[int] = []
        self._labels: list[Any] = []
        self._seen: list[FloatArray] = []
        self._given: FloatArray | None = None
        self._probability: float | None = None
        self.is_bound = False
        self.own: Sequence[Predictions] | None = None
        self._refreshed_at = 0
        self._first_variance = 0.0
        self._control: Expectation | None = None
        self._square: FloatArray | None = None
        self._q: FloatArray | None = None
        self._n_known = 0  # number of labels behind the expectations
        self._since: list[int] = []  # draws since they were computed

    def revise(self, target: Target) -> None:
        """Take the expectations of later draws from a target with other predictions."""
        self._target, self._given = target, None

    def follow(self, other: "Streams") -> bool:
        """Prepare for the draw that the other streams are prepared for; whether expectations are new."""
        assert other._given is not None  # noqa: S101 - they are ready
        return self.prepare(other._given, other._probability)

    def copy(self) -> Self:
        """Return a copy; the expectations, by far the largest part, are computed again when needed."""
        made = copy(self)
        made._control = made._square = made._q = None
        made._since = self._since.copy()
        made.in_row = self.in_row.copy()
        made._labeled, made._labels = self._labeled.copy(), self._labels.copy()
        made._seen = self._seen.copy()
        return made

    @property
    def rest(self) -> BoolArray:
        """Whether something is left of each row, (n_instances,)."""
        rest: BoolArray = self.in_row > 0
        return rest

    def prepare(self, q: FloatArray, probability: float | None = None) -> bool:
        """Prepare for a draw from the remaining part of q; return whether expectations are new.

        If the draw's own `probability` is given, q is only a lower bound of its distribution.
        """
        is_bound = probability is not None
        same = self._given is not None and (q is self._given or np.array_equal(q, self._given))
        same = same and is_bound == self.is_bound
        doubled = self.n_draws >= max(
            _FIRST_REFRESH if self._doubts else _LATER_REFRESH, 2 * self._refreshed_at
        )
        stale = not same or doubled or (not is_bound and self.mass < _MIN_LEFT)
        self.is_bound, self._probability = is_bound, probability
        if stale:
            self._refresh(q, is_same=same)
        elif self._control is None:
            self._revive()
        return stale

    def _refresh(self, q: FloatArray, *, is_same: bool) -> None:
        labeled = np.array(self._labeled, dtype=np.intp)
        doubt, trust = self._rule.early_doubt
        self._trust = (doubt + labeled.size) / (trust + labeled.size) if self._doubts else 1.0
        self._given, self._refreshed_at = q, self.n_draws
        self._n_known, self._since = labeled.size, []
        self._update_control(self.in_row)
        if not self.is_bound or not is_same:
            self.mass = 1.0
        if self.n_draws == 0:
            self.known = np.zeros(self._expected.n_statistics)
        self.left = self._expected.total(self.in_row)
        square, is_left = self._squares, self.rest
        per_draw = np.divide(square, self.q, out=np.zeros_like(square), where=is_left)
        self._square_left = float(left_sum(square, self.in_row))
        self._per_draw_left = float(left_sum(per_draw, self.in_row))
        if not self._first_variance:
            self._first_variance = max(self.variance, 1e-300)

    def _update_control(self, in_row: AnyArray) -> None:
        """Compute expectations from the labels known when q was new, with `in_row` left."""
        n = self._n_known
        labeled = np.array(self._labeled[:n], dtype=np.intp)
        found = control_variate(self._target, labeled, self._labels[:n], np.array(self._seen[:n]))
        # The belief is as large as all predictions, and no longer needed.
        self._control = found.expected
        self._square = found.spread**2
        assert self._given is not None  # noqa: S101 - the caller knows q
        rest = np.where(in_row > 0, self._given, 0.0)
        self._q = rest if self.is_bound else rest / left_sum(rest, in_row)

    def _revive(self) -> None:
        """Compute again what a copy leaves out."""
        in_row = self.in_row.copy()
        for row in self._since:
            in_row[row] += 1
        self._update_control(in_row)

    @property
    def _expected(self) -> Expectation:
        assert self._control is not None  # noqa: S101 - `prepare` makes it
        return self._control

    @property
    def _squares(self) -> FloatArray:
        assert self._square is not None  # noqa: S101 - `prepare` makes them
        return self._square

    @property
    def q(self) -> FloatArray:
        """The distribution of the next draws, 0 on what was drawn when it was set; (n_instances,)."""
        assert self._q is not None  # noqa: S101 - `prepare` makes it
        return self._q

    @property
    def labeled(self) -> tuple[IntArray, Any]:
        """The labeled draws and their labels."""
        model = self._target.models[0]
        labels = model.check_labels(self._labels, len(self._labels), f"{len(self._labels)} labeled draws")
        return np.array(self._labeled, dtype=np.intp), labels

    @property
    def variance(self) -> float:
        """The expected variance of the next term."""
        return (self.mass * self._per_draw_left - self._square_left) / self._n_instances**2

    @property
    def expected(self) -> FloatArray:
        """E[z | x] and a column of ones, (n_instances, n_statistics + 1)."""
        return self._expected.dense()

    @property
    def weight(self) -> float:
        """The first term's expected variance over the next one's, shrunk while expectations are doubtful."""
        least = self._first_variance / _GREATEST_WEIGHT
        return self._trust * self._first_variance / max(self.variance, least)

    def probability(self, draw: int) -> float:
        """Return the probability that the next draw is this instance."""
        return float(self.q[draw]) / self.mass if self._probability is None else self._probability

    @property
    def least(self) -> float:
        """The smallest probability of any remaining instance."""
        return float(self.q[self.rest].min()) / self.mass

    def terms(self, draw: int, row: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return Y_t without and with the expectation as a control variate; (n_statistics + 1,) each."""
        weight = self.mass / self.q[draw] if self._probability is None else 1 / self._probability
        plain = (self.known + weight * row) / self._n_instances
        adjusted = (self.known + self.left + weight * (row - self._expected.row(draw))) / self._n_instances
        return plain, adjusted

    def add(self, draw: int, row: FloatArray, label: Any) -> None:
        """Remove a draw from the remaining instances; `label` is None for an excluded one."""
        self.in_row[draw] -= 1
        self.n_draws += 1
        self.known = self.known + row
        self.left = self.left - self._expected.row(draw)
        self._since.append(draw)
        if self._probability is None:
            self.mass -= float(self.q[draw])
        else:
            self.mass = max(self.mass * (1 - self._probability), 1e-300)
        square = float(self._squares[draw])
        self._square_left -= square
        self._per_draw_left -= square / float(self.q[draw])
        if label is not None:
            self._labeled.append(draw)
            if self.own is not None:
                [label] = self._target.models[0].as_of_rows(self.own[0], np.array([draw]), [label])
            self._labels.append(label)
            self._seen.append(row[:-1])


def bounds_over_pool(
    q: FloatArray, rest: Any, shift: FloatArray, outcomes: list[FloatArray], knots: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the least and greatest (num − G den − shift)/q over the rest and all outcomes, for each G."""
    where = np.flatnonzero(rest)
    one, gone = where[:1], np.flatnonzero(~rest)
    inverse = 1 / np.where(rest, q, 1.0)
    inverse[gone] = inverse[one]
    lower, upper = np.full(knots.size, np.inf), np.full(knots.size, -np.inf)
    base_num, base_den = shift.T
    for outcome in outcomes:
        num, den = outcome.T
        a, b = num - base_num, den - base_den
        a *= inverse
        b *= inverse
        # Drawn instances repeat one that is left, which changes no extreme and saves copying.
        a[gone], b[gone] = a[one], b[one]
        # Where a is 0, as where two models agree, only the extremes of b matter.
        is_zero = a == 0
        if 10 * np.count_nonzero(is_zero) > a.size:
            of_zero = b[is_zero]
            a = np.concatenate([a[~is_zero], np.zeros(2)])
            b = np.concatenate([b[~is_zero], [of_zero.min(), of_zero.max()]])
        widen(lower, upper, a, b, knots)
    return lower, upper


def extreme_outcomes(outcomes: FloatArray) -> FloatArray | None:
    """Return the outcomes of the least and the greatest ratio; None if labels change denominators."""
    nums, dens = outcomes[..., 0], outcomes[..., 1]
    # As for a risk: no label changes a denominator.
    if not (dens == dens[:, :1]).all():
        return None
    groups = np.arange(len(outcomes))
    return np.stack([outcomes[groups, nums.argmin(axis=1)], outcomes[groups, nums.argmax(axis=1)]])


def possible_ratios(
    known: FloatArray, counts: IntArray, outcomes: FloatArray, extremes: FloatArray | None = None
) -> tuple[float, float]:
    """Return the least and greatest ratio that the remaining labels can give; infinite if none is defined.

    `known` is (num, den) of the labeled draws, `counts` the number of remaining instances of each group, and
    `outcomes` the possible (num, den) of one of them; `extremes`, of `extreme_outcomes`, are for speed.
    Dinkelbach, *On nonlinear fractional programming*, 1967.
    """
    ends = []
    if extremes is not None:
        for sign, outcome in zip((-1.0, 1.0), extremes, strict=True):
            num, den = known + counts @ outcome
            ends.append(float(num / den) if den > 0 else sign * inf)
        return ends[0], ends[1]
    nums, dens, groups = outcomes[..., 0], outcomes[..., 1], np.arange(len(outcomes))
    for sign in (-1.0, 1.0):
        value = -sign * 1e300
        for _ in range(100):
            gain = sign * (nums - value * dens)
            num, den = known + counts @ outcomes[groups, gain.argmax(axis=1)]
            if not den > 0:
                break
            found = float(num / den)
            if sign * (found - value) <= 1e-15:
                break
            value = found
        # If no ratio can be defined, any value is possible.
        ends.append(value if abs(value) < 1e300 else sign * inf)
    return ends[0], ends[1]
