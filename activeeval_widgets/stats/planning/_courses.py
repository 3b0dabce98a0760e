"""The expected number of draws until an interval is narrow, if later draws resemble a weighted sample."""

from abc import ABC, abstractmethod
from math import inf, isfinite, log, nan, sqrt

import numpy as np
from scipy.special import ndtri

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.anytime.asymptotic import standard_errors
from activeeval_widgets.stats.anytime.bets import HORIZONS, LARGEST_STAKE, SHARES, candidate_grid
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.questions.target import Target

_KNOTS = 65
"""Number of candidates at which the bounds of bets are computed; they are interpolated in between."""

FIRST_TIME = 0.85
"""Median time to reach the goal, as a share of the time that mean growth alone would take. It is below 1
because wealth fluctuates, needs to reach the goal only once, and is partly staked for a deadline."""

MAX_DRAWS = 1e9
"""Upper limit on draws; a course that needs more is treated as never getting there."""


class Course(ABC):
    """How an interval narrows with the number of draws.

    Draws are given as `rows`, each with its share in the believed distribution of later draws.
    """

    range: tuple[float, float]

    @abstractmethod
    def rows(self, z: FloatArray, draws: IntArray, weights: FloatArray) -> FloatArray:
        """Return the terms of draws with statistics z and weights p/q, of shape (n_draws, n_columns)."""

    @abstractmethod
    def center(self, rows: FloatArray, share: FloatArray) -> float:
        """Return the value around which the interval will lie."""

    @abstractmethod
    def draws_to(self, rows: FloatArray, share: FloatArray, center: float, distance: float) -> float:
        """Return the draws until the end on the side of `distance`'s sign is within that distance."""

    @abstractmethod
    def deviations(self, rows: FloatArray, share: FloatArray, center: float) -> FloatArray:
        """Return each draw's deviation from the center; its variance sets the interval's width."""

    def draws_for(self, rows: FloatArray, share: FloatArray, half_width: float) -> float:
        """Return the draws until half the interval's width is `half_width`; infinite if it never is."""
        center = self.center(rows, share)
        if not isfinite(center):
            return inf
        low, high = max(center - self.range[0], 0.0), max(self.range[1] - center, 0.0)
        if low + high <= 2 * half_width:
            return 0.0
        below = above = half_width
        for _ in range(2):
            # An end never leaves the range, so the other end may be farther away.
            below, above = min(below, low), min(above, high)
            below, above = min(2 * half_width - above, low), min(2 * half_width - below, high)
            first = self.draws_to(rows, share, center, -below) if below < low else 0.0
            second = self.draws_to(rows, share, center, above) if above < high else 0.0
            if not (isfinite(first) and isfinite(second)):
                return inf
            if first == 0 or second == 0:
                break
            # Distances shrink as 1/√n: find those that both ends reach at the same time.
            ratio = (below * sqrt(first)) / (above * sqrt(second))
            below = 2 * half_width * ratio / (1 + ratio)
            above = 2 * half_width - below
        return max(first, second)


class BettingCourse(Course):
    """The course of an exact confidence sequence: how fast bets against a candidate gain wealth."""

    def __init__(self, equation: EstimatingEquation, level: float) -> None:
        self._equation = equation
        self.range = equation.range
        self._level = level
        spread = self.range[1] - self.range[0]
        self._knots = candidate_grid(*equation.widest_range, equation.center, _KNOTS - 1, spread)
        self._bounds = equation.bounds(self._knots)

    def rows(self, z: FloatArray, draws: IntArray, weights: FloatArray) -> FloatArray:
        """a₀, a₁, b₀, b₁; see `EstimatingEquation.terms`."""
        return self._equation.terms(z, draws, weights=weights)

    def center(self, rows: FloatArray, share: FloatArray) -> float:
        """Return the candidate against which bets gain nothing."""
        a0, a1, b0, b1 = (share @ rows).tolist()
        if not b1 > 0:
            return nan
        strength = self._strength(rows, share, a1 / b1)
        den = b0 + strength * (b1 - b0)
        return (a0 + strength * (a1 - a0)) / den if den > 0 else nan

    def _strength(self, rows: FloatArray, share: FloatArray, value: float) -> float:
        """Return κ, defined as in `Bets`."""
        z = rows[:, :2] - value * rows[:, 2:]
        if self._equation.promised is None:
            return 0.0
        plain, adjusted = z.T
        difference = share @ (plain - adjusted) ** 2
        if not difference > 0:
            return 0.0
        return float(np.clip(share @ (plain * (plain - adjusted)) / difference, 0.0, 1.0))

    def deviations(self, rows: FloatArray, share: FloatArray, center: float) -> FloatArray:
        """Return Z at the center with the control variate's strength, in the measure's unit."""
        strength = self._strength(rows, share, center)
        mix = np.array([1 - strength, strength])
        return np.asarray((rows[:, :2] - center * rows[:, 2:]) @ mix / (share @ rows[:, 2:] @ mix))

    def draws_to(self, rows: FloatArray, share: FloatArray, center: float, distance: float) -> float:
        """Return the draws until the running maximum of the wealth against center + distance reaches 1/α."""
        strength = self._strength(rows, share, center)
        mix = np.array([1 - strength, strength])
        z = (rows[:, :2] - (center + distance) * rows[:, 2:]) @ mix
        lower, upper = (
            mix @ [np.interp(center + distance, self._knots, row) for row in bound] for bound in self._bounds
        )
        variance = float(share @ z**2)
        goal = 2 * log(2 / (1 - self._level))
        worst = upper if distance > 0 else -lower
        stakes = np.minimum(
            np.sqrt(goal / (HORIZONS * max(variance, 1e-300))), LARGEST_STAKE / max(worst, 1e-300)
        )
        stakes = -np.sign(distance) * stakes[:, np.newaxis]
        # No stake can lose more than this on one draw, except where bounds are interpolated.
        rates = np.log1p(np.maximum(stakes * z, -LARGEST_STAKE)) @ share
        return FIRST_TIME * _time_to(rates, np.log(SHARES / 2), -log(1 - self._level))


def _time_to(rates: FloatArray, logarithms: FloatArray, goal: float) -> float:
    """Return the t at which Σ exp(logarithms + rates t), convex and below exp(goal) at 0, reaches it."""
    winning = rates > 0
    if not winning.any():
        return inf
    # A single term cannot reach the goal before the sum does.
    t = float(((goal - logarithms[winning]) / rates[winning]).min())
    for _ in range(50):
        exponents = logarithms + rates * t
        greatest = float(exponents.max())
        parts = np.exp(exponents - greatest)
        excess = greatest + log(float(parts.sum())) - goal
        step = excess * float(parts.sum()) / float(parts @ rates)
        t -= step
        if step < 1e-6 * t:
            break
    return t if t < MAX_DRAWS else inf


class RisingCourse(Course):
    """The course of an interval whose ends are those of the measure's `base`, mapped one by one."""

    def __init__(self, measure: Measure, base: Course) -> None:
        self._measure, self._base = measure, base
        self.range = measure.from_base(base.range[0]), measure.from_base(base.range[1])

    def rows(self, z: FloatArray, draws: IntArray, weights: FloatArray) -> FloatArray:
        """Return the base's rows."""
        return self._base.rows(z, draws, weights)

    def center(self, rows: FloatArray, share: FloatArray) -> float:
        """Return the measure's value at the base's center."""
        return self._measure.from_base(self._base.center(rows, share))

    def deviations(self, rows: FloatArray, share: FloatArray, center: float) -> FloatArray:
        """Return the base's deviations times the slope."""
        inner = self._measure.to_base(center)
        slope = self._measure.gradient(np.array([inner]))[0]
        return np.asarray(slope * self._base.deviations(rows, share, inner))

    def draws_to(self, rows: FloatArray, share: FloatArray, center: float, distance: float) -> float:
        """Return the draws until the base's end gets there."""
        inner = self._measure.to_base(center)
        return self._base.draws_to(rows, share, inner, self._measure.to_base(center + distance) - inner)


class ErrorCourse(Course):
    """The course of an interval that is a multiple of the standard error: Wald, or an asymptotic sequence."""

    def __init__(self, target: Target, level: float, interval: str, difference: bool) -> None:
        self._target, self._level = target, level
        self._is_wald = interval == "wald"
        expected = target.expectation() if difference else None
        self._expected = expected
        self._mean = None if expected is None else expected.mean
        self.range = target.range

    def rows(self, z: FloatArray, draws: IntArray, weights: FloatArray) -> FloatArray:
        """Return v and v z; for the difference estimator 1 and v (z − E[z | x]) + mean E[z | x]."""
        if self._expected is None or self._mean is None:
            return weights[:, np.newaxis] * np.column_stack([np.ones(len(z)), z])
        shifted = weights[:, np.newaxis] * (z - self._expected[draws]) + self._mean
        return np.column_stack([np.ones(len(z)), shifted])

    def center(self, rows: FloatArray, share: FloatArray) -> float:
        """Return the estimate."""
        mean = share @ rows
        with np.errstate(invalid="ignore"):
            return float(self._target.g(mean[1:] / mean[0]))

    def deviations(self, rows: FloatArray, share: FloatArray, center: float) -> FloatArray:
        """Return the influences."""
        del center
        mean = share @ rows
        point = mean[1:] / mean[0]
        gradient = self._target.gradient(point)
        return np.asarray((rows[:, 1:] @ gradient - rows[:, 0] * (point @ gradient)) / mean[0])

    def draws_to(self, rows: FloatArray, share: FloatArray, center: float, distance: float) -> float:
        """Return the draws until the multiple of the standard error equals the distance."""
        influence = self.deviations(rows, share, center)
        errors = abs(distance) / sqrt(max(float(share @ influence**2), 1e-300))
        if self._is_wald:
            return float((ndtri((1 + self._level) / 2) / errors) ** 2)
        low, high = 1.0, MAX_DRAWS
        if standard_errors(high, self._level) / sqrt(high) > errors:
            return inf
        while high > 1.001 * low:
            middle = sqrt(low * high)
            if standard_errors(middle, self._level) / sqrt(middle) > errors:
                low = middle
            else:
                high = middle
        return high
