"""Bounds that replace the variance while too few labels deviate from the expected ones to estimate it."""

from collections.abc import Callable, Iterator
from functools import cached_property
from math import ceil, inf, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive._alike_instances import AlikeInstances, alike_in
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.form_of_q import Favored
from activeeval_widgets.stats.anytime.estimating_equation import has_equation
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.questions.target import Target

FEW = 10
"""From this number of deviating labels on, the observed variance is used. With five, the error rate of an
over-confident model was inside 90 and 88 % of intervals at 30 and 40 draws; with ten, inside 95 % at both
(120 sessions)."""

_ROUNDING = 1e-9


class Drawn(NamedTuple):
    """Draws without replacement so far, which of them have a label, and the labels with their statistics."""

    draws: IntArray
    q_draws: FloatArray
    least_q: FloatArray
    """The smallest probability of any remaining instance at each draw."""
    labeled: BoolArray
    labels: Any
    z: FloatArray
    own: Target | None = None
    """The predictions of the drawn instances themselves, if their rows stand for several instances."""

    def first(self, n_draws: int) -> "Drawn":
        """Return only the first draws."""
        n_labels = int(self.labeled[:n_draws].sum())
        return Drawn(
            self.draws[:n_draws],
            self.q_draws[:n_draws],
            self.least_q[:n_draws],
            self.labeled[:n_draws],
            self.labels[:n_labels],
            self.z[:n_labels],
            self.own,
        )


def promised_least_q(
    measure: Measure,
    q_draws: FloatArray,
    labeled: BoolArray,
    n_instances: int,
    rule: DrawRule = DRAW_RULE,
    start: float = 0.0,
    favored: Favored | None = None,
    n_models: int = 1,
) -> FloatArray:
    """Return a lower bound of probabilities, for uniform draws or by `adaptive_q` at equal costs."""
    left = n_instances - np.arange(labeled.size)
    n_before: IntArray = np.cumsum(labeled) - labeled
    n_known = np.asarray(n_before + start, dtype=np.float64)
    shares = rule.share(measure, n_known, n_models)
    of_third = rule.favored_share(measure, n_known)
    if favored is not None and favored.is_apart:
        shares = np.minimum(shares, of_third)
    elif favored is not None:
        shares = (1 - of_third) * shares + of_third * favored.sizes.min()
    is_uniform = np.abs(q_draws * left - 1) < _ROUNDING
    # A block is drawn from an older q, so the share is of what was left then: at most the whole pool.
    least: FloatArray = np.where(is_uniform, 1 / left, np.minimum(shares / n_instances, q_draws))
    return least


class FewDeviations:
    """Bounds that need no variance: exact for risks with bounded losses and for one model's ratios.

    A label deviates if its statistics differ from those of a rule: the labels that the model predicts, or
    one value for all. While n draws have not drawn any deviating instance, there are at most d of them
    (probability 1 − α/2), where Π (1 − d min q_t) = α/2 with the minimum over what was left at each draw.
    The bounds are the smallest and the largest value that d more deviations can give. For uniform draws and
    the error rate that is the hypergeometric bound, Clopper & Pearson's for a large pool.

    Once some have deviated, the variance is taken at the candidate, as in Wilson's interval: the deviations
    between estimate and candidate, which were not observed, are as large as possible and have the mean
    weight of the observed ones.

    For other measures, nothing is known before the first deviation: the bounds are the measure's range.

    References
    ----------
    Clopper & Pearson, *The use of confidence or fiducial limits*, 1934; Wilson, *Probable inference*, 1927.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._n_instances, self._size = target.models[0].n_instances, target.size
        self._is_risk, self._has_equation = target.measure.is_risk, has_equation(target, None)
        self._kept: dict[int | None, _Possible] = {}
        self._all_outcomes: FloatArray | None = None

    def bounds(
        self, drawn: Drawn, value: float, variance: float, share: float, level: float
    ) -> tuple[float, float] | None:
        """Return an interval that the reported one must contain; None once labels are informative enough."""
        weights = 1 / (self._size * drawn.q_draws)
        if not self._has_equation:
            is_constant = bool(self._target.weighted(drawn.z, weights[drawn.labeled]).is_constant)
            return self._target.range if is_constant else None
        found, parts = drawn.draws[drawn.labeled], self._target.parts(drawn.z)
        number, own, deviates = min(self._rules(drawn, found, parts), key=lambda each: int(each[2].sum()))
        n_deviating = int(deviates.sum())
        if n_deviating >= FEW:
            return None
        alike, outcomes, expected = self._possible(number)
        left = self._target.left(drawn.draws) if alike is None else alike.left(drawn.draws)
        if expected is None:
            expected = np.tile(own[0], (left.size, 1))
        rest = left > 0
        in_row = left[rest]
        n_left = int(in_row.sum())
        expected, outcomes = expected[rest], outcomes[:, rest]
        known = parts.sum(axis=0) + left_sum(expected, in_row)
        if n_deviating == 0:
            unseen = most_unseen(drawn.least_q, (1 - level) / 2, n_left)
            count = min(ceil(unseen / min(share, 1.0) - _ROUNDING), n_left)
            return self._extremes(known, expected, outcomes, in_row, count)
        if not known[1] > 0:
            return self._target.range
        z2 = float(ndtri(1 - (1 - level) / 2)) ** 2
        weight = float(weights[drawn.labeled][deviates].mean()) / drawn.draws.size
        by_rule = expected[:, 0] - value * expected[:, 1]
        ends = []
        possible = self._extremes(known, expected, outcomes, in_row, n_left)
        for sign, end in zip((-1.0, 1.0), possible, strict=True):
            gains = sign * (outcomes[..., 0] - value * outcomes[..., 1] - by_rule)
            farthest = max(float(gains.max(initial=0.0)), 0.0) * self._size / float(known[1])
            twice = z2 * farthest * weight
            half = (twice + sqrt(twice**2 + 4 * z2 * variance)) / 2
            ends.append(value + sign * min(half, max(sign * (end - value), 0.0)))
        return ends[0], ends[1]

    def _rules(
        self, drawn: Drawn, found: IntArray, parts: FloatArray
    ) -> Iterator[tuple[int | None, FloatArray, BoolArray]]:
        """Yield each rule's number (None: one loss for all), what it expects, and where labels deviate."""
        rules: list[tuple[int | None, FloatArray]] = [
            (number, self._of_drawn(labels, drawn, found)) for number, labels in enumerate(self._label_rules)
        ]
        if self._is_risk:
            values, counts = np.unique(parts[:, 0], return_counts=True)
            rules.append((None, np.tile([values[np.argmax(counts)], 1.0], (found.size, 1))))
        scale = _ROUNDING * float(np.abs(parts).max(initial=1.0))
        for number, expected in rules:
            yield number, expected, np.abs(parts - expected).max(axis=1) > scale

    def _of_drawn(self, labels: Callable[[IntArray], Any], drawn: Drawn, found: IntArray) -> FloatArray:
        """Return (num, den) of the labeled draws by a rule, with their own predictions."""
        if drawn.own is None:
            return self._parts_by(labels, found)
        return self._target.parts(drawn.own.statistics(labels(found), np.flatnonzero(drawn.labeled)))

    def _possible(self, number: int | None) -> "_Possible":
        """Return what labels of all instances can give, and give by the rule; computed once."""
        if number not in self._kept:
            outcomes = self._outcomes
            expected = None
            if number is not None:
                expected = self._parts_by(self._label_rules[number], np.arange(self._n_instances))
            columns = [*outcomes[0].T, *outcomes[1].T, *([] if expected is None else expected.T)]
            alike = alike_in(columns, self._target.models[0].counts)
            if alike is None:
                self._all_outcomes = outcomes  # the same for all rules
            else:
                outcomes = outcomes[:, alike.first]
                expected = None if expected is None else expected[alike.first]
            self._kept[number] = _Possible(alike, outcomes, expected)
        return self._kept[number]

    def _parts_by(self, labels: Callable[[IntArray], Any], where: IntArray) -> FloatArray:
        return self._target.parts(self._target.statistics(labels(where), where))

    @cached_property
    def _label_rules(self) -> list[Callable[[IntArray], Any]]:
        first, *others = self._target.models
        return first.rules(others, self._target.measure.positive)

    @property
    def _outcomes(self) -> FloatArray:
        """(num, den) of possible labels, including each instance's extremes; (2, n_instances, 2)."""
        if self._all_outcomes is not None:
            return self._all_outcomes
        if self._is_risk:
            ends = self._target.loss_bounds(None)
            return np.stack([np.stack([num, np.ones(num.size)], axis=1) for num in ends])
        return np.stack([*self._target.outcomes(None)])

    def _extremes(
        self, known: FloatArray, expected: FloatArray, outcomes: FloatArray, in_row: AnyArray, count: int
    ) -> tuple[float, float]:
        """Return the least and greatest num/den when `count` remaining labels deviate from the expected.

        By Dinkelbach's iteration: for a candidate ratio, those deviate that change num − G den the most.
        """
        if not known[1] > 0:
            return self._target.range
        ends = []
        for sign, limit in zip((-1.0, 1.0), self._target.range, strict=True):
            value = float(known[0] / known[1])
            for _ in range(100):
                scores = sign * (outcomes[..., 0] - value * outcomes[..., 1])
                best = scores.argmax(axis=0)
                gains = scores.max(axis=0) - sign * (expected[:, 0] - value * expected[:, 1])
                chosen = np.argsort(-gains, kind="stable")
                if in_row.dtype == bool:
                    chosen = chosen[:count]
                    chosen = chosen[gains[chosen] > 0]
                    num, den = known + (outcomes[best[chosen], chosen] - expected[chosen]).sum(axis=0)
                else:
                    # Of each row as many as are left, until `count` are chosen.
                    until = np.minimum(in_row[chosen].cumsum(), count)
                    n_chosen = np.diff(until, prepend=0.0) * (gains[chosen] > 0)
                    num, den = known + n_chosen @ (outcomes[best[chosen], chosen] - expected[chosen])
                if not den > 0:
                    value = limit
                    break
                found = float(num / den)
                if sign * (found - value) <= 1e-15:
                    break
                value = found
            ends.append(value)
        return ends[0], ends[1]


class _Possible(NamedTuple):
    """The (num, den) that labels can give."""

    alike: AlikeInstances | None
    """The groups of instances that the arrays are for; None if they are for all instances."""
    outcomes: FloatArray
    """(num, den) at each one's extremes, (2, n, 2)."""
    expected: FloatArray | None
    """(num, den) by the rule, (n, 2); None if that is one value for all."""


def most_unseen(least_q: FloatArray, tail: float, most: int) -> int:
    """Return the largest d ≤ most with Π (1 − d q_t) ≥ tail: so small a set may well not have been drawn."""

    def log_chance(d: int) -> float:
        met = d * least_q
        return -inf if met.max(initial=0.0) >= 1 else float(np.log1p(-met).sum())

    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if log_chance(middle) >= log(tail):
            low = middle
        else:
            high = middle - 1
    return low
