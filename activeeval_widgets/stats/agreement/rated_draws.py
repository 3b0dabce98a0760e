"""Weighted draws with opinions; the result for observed and expected disagreement."""

from collections.abc import Sequence
from functools import cached_property
from math import nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats._validation import check_fraction, check_indices, check_order
from activeeval_widgets.stats.agreement.distances import Distance, within_rows
from activeeval_widgets.stats.agreement.draw_designs import make_design
from activeeval_widgets.stats.agreement.interval import Disagreement, interval_of
from activeeval_widgets.stats.agreement.ratings import MISSING, check_ratings
from activeeval_widgets.stats.agreement.result import Agreement

_ONE = "only one instance has two opinions"


class Observed(NamedTuple):
    """Disagreement within instances."""

    value: float
    """The mean over the pool; NaN if no instance has two opinions."""
    slopes: FloatArray
    """The mean's derivatives by the draws' coefficients."""
    n_disagreeing: int
    """The number of draws whose opinions differ."""


class RatedDraws:
    """Draws with two or more opinions. Parameters are those of `percent_agreement`.

    `codes`, (n_used, n_raters), are positions in `classes`, −1 for no opinion; `packed` has each row's
    opinions first. `counts` are the numbers of opinions, and `coefficients` those of the draws.
    """

    def __init__(
        self,
        ratings: ArrayLike,
        *,
        weights: ArrayLike | None,
        q_draws: ArrayLike | None,
        n_instances: int | None,
        draws: ArrayLike | None,
        classes: Sequence[Any] | None,
        confidence_level: float,
        is_ordered: bool = False,
    ) -> None:
        self.level = check_fraction("confidence_level", confidence_level, closed=False)
        self._ratings = check_ratings(ratings, classes, is_ordered=is_ordered)
        for name, value in {"weights": weights, "q_draws": q_draws, "draws": draws}.items():
            check_order(name, value, "ratings", ratings)
        self._design = make_design(len(self._ratings.codes), weights, q_draws, n_instances)
        used = self._is_used = self._ratings.is_double
        self.n_double = _n_different(used, draws)
        self.classes = self._ratings.classes
        self.codes = self._ratings.codes[used]
        self.packed, self.counts = self._ratings.packed()[used], self._ratings.counts[used]
        self.coefficients: FloatArray = self._design.coefficients[used]

    @property
    def n_raters(self) -> int:
        """The number of columns."""
        return int(self._ratings.codes.shape[1])

    def totals(self, values: FloatArray) -> FloatArray:
        """Sum a value of the rows over the opinions of each class, (n_classes,)."""
        totals = np.zeros(len(self.classes))
        for column in self.packed.T:
            there = column != MISSING
            totals += np.bincount(column[there], weights=values[there], minlength=totals.size)
        return totals

    def row_sums(self, values: FloatArray) -> FloatArray:
        """Sum a value of the classes over the opinions of each row, (n_used,)."""
        return np.asarray(np.append(values, 0.0)[self.packed].sum(axis=1))

    def observed(self, distance: Distance, per_row: FloatArray | None = None) -> Observed:
        """Return the mean distance of two opinions of an instance, instances weighted by `per_row`."""
        apart = within_rows(distance, self.packed, self.counts)
        each = np.ones(apart.size) if per_row is None else per_row
        total = float(self.coefficients @ each)
        if not apart.size:
            return Observed(nan, apart, 0)
        value = float((self.coefficients * each) @ apart) / total
        return Observed(value, each * (apart - value) / total, int(np.count_nonzero(apart)))

    @cached_property
    def _n_other(self) -> float:
        """The effective number of draws with an opinion other than the most common one."""
        common = int(self.totals(self.coefficients).argmax())
        other = self.coefficients[((self.packed != common) & (self.packed != MISSING)).any(axis=1)]
        return float(other.sum() ** 2 / (other @ other)) if other.size else 0.0

    def beyond_chance(
        self,
        found: Observed,
        expected: float,
        slopes: FloatArray | float,
        *,
        name: str,
        distance: str,
        largest: float,
        least: float = -1.0,
    ) -> Agreement:
        """Return the result for 1 − observed / expected disagreement; `slopes` are those of `expected`."""
        if not found.value >= 0 or not expected > 0:
            return self._undefined(name, distance, least)
        ratio = found.value / expected
        of_ratio = (found.slopes - ratio * slopes) / expected
        value, used = max(1 - ratio, least), self.coefficients
        has_opinion = self._ratings.counts > 0
        if self._design.is_whole and (self._is_used == has_opinion).all():
            return self._agreement(name, distance, value, 0.0, (value, value), None)
        if used.size < 2:
            return self._agreement(name, distance, value, nan, (least, 1.0), _ONE)
        derivatives = np.zeros(self._is_used.size)
        shares = used / used.sum()
        # As in a jackknife, the effect of a draw is measured without its own part in the mean.
        derivatives[self._is_used] = of_ratio / (1 - shares)
        variance = self._design.variance(derivatives, has_opinion, self._is_used)
        low, high = interval_of(
            Disagreement(
                observed=found.value / largest,
                expected=expected / largest,
                variance=variance,
                size=1 / float(shares @ shares),
                n_used=used.size,
                n_disagreeing=found.n_disagreeing,
                n_other=None if least == 0 else self._n_other,
            ),
            self.level,
        )
        low, high = max(low, least), min(high, 1.0)
        reason = None
        if low <= least and high >= 1:
            reason = "too few instances have two opinions, or too few opinions differ"
        error = sqrt(variance) if found.value > 0 else nan
        return self._agreement(name, distance, value, error, (low, high), reason)

    def _undefined(self, name: str, distance: str, least: float) -> Agreement:
        reasons = {0: "no instance has two opinions yet", 1: _ONE}
        reason = reasons.get(self.n_double, "all opinions are the same so far, as they would be by chance")
        return self._agreement(name, distance, nan, nan, (least, 1.0), reason)

    def _agreement(
        self,
        name: str,
        distance: str,
        value: float,
        error: float,
        ends: tuple[float, float],
        reason: str | None,
    ) -> Agreement:
        return Agreement(
            coefficient=name,
            value=value,
            standard_error=error,
            low=ends[0],
            high=ends[1],
            n_double=self.n_double,
            n_draws=int((self._ratings.counts > 0).sum()),
            n_raters=int((self._ratings.codes != MISSING).any(axis=0).sum()),
            confidence_level=self.level,
            distance=distance,
            withheld=reason is not None,
            reason=reason,
        )


def _n_different(is_used: BoolArray, draws: ArrayLike | None) -> int:
    if draws is None:
        return int(is_used.sum())
    drawn = check_indices("draws", draws, np.iinfo(np.intp).max)
    if drawn.size != is_used.size:
        raise ValueError(
            f"draws has {drawn.size} entries, expected one for each of {is_used.size} rows of ratings"
        )
    return int(np.unique(drawn[is_used]).size)
