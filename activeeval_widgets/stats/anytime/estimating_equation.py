"""The estimating equation E[v (num − G den)] = 0 that a risk or ratio solves exactly, and its bounds."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_float_array, check_size
from activeeval_widgets.stats.measures.base import Composition, Term
from activeeval_widgets.stats.measures.tables import loss_terms
from activeeval_widgets.stats.predictions.base import Predictions, mixture
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.stats.questions.target import Target

_KNOTS = 65
"""The number of candidates at which bounds are computed; in between they are interpolated conservatively."""


_AT_ONCE = 15000
"""How many numbers are computed at once: fewer steps for small pools, without exceeding the cache."""

_ROUNDING = 1e-12
"""Bounds are widened by this share of the terms, so that no bet is placed on a rounding error."""


def widen(lower: FloatArray, upper: FloatArray, a: FloatArray, b: FloatArray, knots: FloatArray) -> None:
    """Widen bounds at each G of `knots`, in place, to hold for a − G b of all instances."""
    if not b.any():
        # Constant in G, as for a risk's known part without a label.
        np.minimum(lower, a.min() - _ROUNDING * np.abs(a).max(), out=lower)
        np.maximum(upper, a.max() + _ROUNDING * np.abs(a).max(), out=upper)
        return
    slack = _ROUNDING * (np.abs(a).max() + np.abs(knots) * np.abs(b).max())
    n_at_once = max(_AT_ONCE // a.size, 1)
    for start in range(0, knots.size, n_at_once):
        some = slice(start, start + n_at_once)
        values = a - knots[some, np.newaxis] * b
        np.minimum(lower[some], values.min(axis=1) - slack[some], out=lower[some])
        np.maximum(upper[some], values.max(axis=1) + slack[some], out=upper[some])


def check_y_range(value: Any, model: Predictions | None = None) -> tuple[float, float] | None:
    """Validate the smallest and largest possible label, or None."""
    if value is None:
        return None
    if model is not None and not model.takes_range:
        raise ValueError(f"y_range is for labels that are values, not for {model!r}")
    bounds = check_float_array("y_range", value, ndim=1, shape="(2,)")
    if bounds.shape != (2,) or not bounds[0] < bounds[1]:
        raise ValueError(f"y_range must be (smallest, largest) with smallest < largest, got {value!r}")
    check_size("y_range", bounds)
    return float(bounds[0]), float(bounds[1])


def check_y_in_range(y_true: Any, y_range: tuple[float, float] | None) -> None:
    """Refuse labels outside `y_range`; None is accepted."""
    if y_range is None:
        return
    labels = np.asarray(y_true, dtype=np.float64)
    outside = (labels < y_range[0]) | (labels > y_range[1])
    if outside.any():
        where = int(np.argmax(outside))
        raise ValueError(
            f"y_true[{where}] is {labels[where]}, expected a label within y_range {y_range}: "
            "an interval from labels outside it would promise what it can't hold"
        )


def has_equation(target: Target, y_range: tuple[float, float] | None) -> bool:
    """Return whether the target (or its `base`) has an exact estimating equation with known bounds."""
    measure = target.base.measure
    if measure.needs_range and y_range is None:
        return False
    return target.base.has_equation


def exact_composition(target: Target, y_range: tuple[float, float] | None) -> Composition | None:
    """Return the target's composition, if all of its parts have an equation."""
    found = target.composition
    parts = [] if found is None else [target_of(part.measure, part.models) for part in found.parts]
    return found if all(has_equation(part, y_range) for part in parts) else None


def has_exact_band(target: Target, y_range: tuple[float, float] | None) -> bool:
    """Return whether an exact interval exists, by an equation or by those of all parts."""
    return has_equation(target, y_range) or exact_composition(target, y_range) is not None


class EstimatingEquation:
    """Z(G) = v (num − G den − c(G)) + mean c(G), which has mean 0 exactly at the true G.

    There are two streams: c = 0, and c(G)(x) = E[num − G den | x] under the model. Both are linear in G. An
    excluded instance has num = den = 0, which makes G the measure on what can be labeled; the bounds allow
    for exclusions everywhere.

    For the difference of two risks, whose losses are equal where q is 0, `rest_counts` says whether all
    instances that are never drawn can be labeled, or none: draws do not reveal it, and a larger labelable
    part means a smaller difference.

    `range` is what labels can give on this pool if all instances can be labeled, `widest_range` if any may be
    excluded: it extends as far as a single instance can reach. `center` is the value that the model expects,
    or the smallest one, and `promised` are the streams' variances that it expects; None if it gives no
    distribution.
    """

    def __init__(
        self,
        target: Target,
        q: FloatArray,
        y_range: tuple[float, float] | None,
        *,
        rest_counts: bool = True,
    ) -> None:
        self._target, self._q, self._y_range = target, q, y_range
        self._is_risk = target.measure.is_risk
        drawn = q > 0
        # Instances that are never drawn have num = 0, and den = 1 if they can be labeled.
        share = float(drawn.mean())
        self._rest = 1 - share if self._is_risk and rest_counts else 0.0
        self._size = share + self._rest if self._is_risk else 1.0
        self._weights = np.divide(1 / q.size, q, out=np.zeros(q.size), where=drawn)
        self._check_zeros(drawn)
        self.range = self._possible_range()
        self.widest_range = self._widest_range(drawn)
        self._expected = self._expectation()
        average = target.models[0].average
        self._mean = np.zeros(2) if self._expected is None else average(self._expected)
        self.center, self.promised = self._promise()

    def terms(
        self,
        z: FloatArray,
        draws: IntArray,
        labeled: BoolArray | None = None,
        weights: FloatArray | None = None,
    ) -> FloatArray:
        """Return a₀, a₁, b₀, b₁ of draws, with Z_k(G) = a_k − G b_k; (n_draws, 4)."""
        parts = self._target.parts(z)
        if labeled is not None:
            parts = parts * labeled[:, np.newaxis]
        return self._terms(parts, draws, self._weights[draws] if weights is None else weights)

    def _terms(self, parts: FloatArray, draws: Any, weights: FloatArray) -> FloatArray:
        weights = weights[:, np.newaxis]
        rest = np.array([0.0, self._rest])
        plain = weights * parts + rest
        if self._expected is None:
            return np.repeat(plain, 2, axis=1)
        adjusted = weights * (parts - self._expected[draws]) + self._mean + rest
        return np.stack([plain, adjusted], axis=2).reshape(len(parts), 4)

    def bounds(self, candidates: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and largest Z₀ and Z₁ over the pool and all labels, at ascending candidates.

        As functions of G, the smallest is concave and the largest convex, so that chords between knots are
        conservative.
        """
        knots = candidates
        if candidates.size > _KNOTS:
            knots = candidates[np.linspace(0, candidates.size - 1, _KNOTS).round().astype(int)]
        lower = np.full((2, knots.size), np.inf)
        upper = np.full((2, knots.size), -np.inf)
        drawn = np.flatnonzero(self._q > 0)
        for parts in self.extremes():
            terms = np.ascontiguousarray(self._terms(parts[drawn], drawn, self._weights[drawn]).T)
            for stream in range(2):
                widen(lower[stream], upper[stream], terms[stream], terms[2 + stream], knots)
        return (
            np.stack([np.interp(candidates, knots, row) for row in lower]),
            np.stack([np.interp(candidates, knots, row) for row in upper]),
        )

    def extremes(self) -> Iterator[FloatArray]:
        """Yield (num, den) of the whole pool for labels that give each instance's smallest and largest Z."""
        if not self._is_risk:
            yield from map(self._target.parts, self._target.outcomes(self._y_range))
            return
        for num in (self._least, self._greatest):
            yield np.stack([num, np.ones(num.size)], axis=1)
        # Exclusions. In a ratio they lie between the extremes, since 0 ≤ num ≤ den.
        yield np.zeros((self._q.size, 2))

    def _check_zeros(self, drawn: BoolArray) -> None:
        if drawn.all():
            return
        if self._target.skips_agreement:
            self._target.rest_share(self._q)
            return
        for z in self._target.outcomes(self._y_range):
            counts = ~drawn & (z != 0).any(axis=1)
            if counts.any():
                where = int(np.argmax(counts))
                raise ValueError(
                    f"q[{where}] is 0, but a label there would count for the {self._target.measure.name}: "
                    "it would never be drawn"
                )

    def _possible_range(self) -> tuple[float, float]:
        least, greatest = self._target.range
        if not self._is_risk:
            return least, greatest
        average = self._target.models[0].average
        self._least, self._greatest = self._target.loss_bounds(self._y_range)
        low, high = (float(average(ends)) / self._size for ends in (self._least, self._greatest))
        # The mean's rounding error must not cut off part of the range.
        low, high = low - 1e-12 * abs(low), high + 1e-12 * abs(high)
        if high - low <= 1e-9 * max(abs(low), abs(high)):
            # Two models that cannot differ: use the measure's own range, or a margin around the known value.
            return (least, greatest) if np.isfinite([least, greatest]).all() else (low - 1e-6, high + 1e-6)
        return max(least, low), min(greatest, high)

    def _widest_range(self, drawn: BoolArray) -> tuple[float, float]:
        low, high = self.range
        if not self._is_risk:
            return low, high
        least, greatest = self._target.range
        share = float(drawn.mean()) / self._size
        return (
            min(low, max(least, share * float(self._least[drawn].min()))),
            max(high, min(greatest, share * float(self._greatest[drawn].max()))),
        )

    def _expectation(self) -> FloatArray | None:
        """Return E[num | x] and E[den | x], (n_instances, 2); None if the model gives no distribution."""
        expected = self._target.conditional_mean()
        if expected is None:
            return None
        parts = self._target.parts(expected)
        if self._is_risk:
            never = self._q == 0
            parts[never] = 0
        return parts

    def _promise(self) -> tuple[float, tuple[float, float] | None]:
        if self._expected is None:
            return self.range[0], None
        num, den = self._mean
        if not den > 0:
            return self.range[0], None
        center = float(num / (den + self._rest))
        measure, models = self._target.measure, self._target.models
        if self._is_risk:
            terms, offset = loss_terms(models), center
        else:
            terms, offset = [Term(models[0], np.array([1.0, -center]))], 0.0
        first, second = measure.moments(terms, mixture(models), offset)
        average = models[0].average
        plain = float(average(self._weights * second)) - (center * self._rest) ** 2
        adjusted = float(average(self._weights * np.maximum(second - first**2, 0)))
        return center, (plain, adjusted)
