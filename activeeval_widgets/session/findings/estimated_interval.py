"""The asymptotic confidence sequence, for measures without a guaranteed one."""

from dataclasses import replace
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.findings.watched_interval import WatchedInterval, pvalue_of_known
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.approximate_interval import half_widths, limit_pvalue
from activeeval_widgets.stats.anytime.asymptotic import RHO2
from activeeval_widgets.stats.anytime.band import Wealth
from activeeval_widgets.stats.anytime.evidence import evidence_of_intervals
from activeeval_widgets.stats.quantities import Quantity


class EstimatedInterval(WatchedInterval):
    """A session's asymptotic `WatchedInterval`, computed from estimates; see `Estimate.approximate_low`."""

    def _apply_events(self, until: int | None = None) -> None:
        session = self._session
        if until is not None:
            # `at` computes intervals for other numbers of labels.
            self.low, self.high = self.whole
            self._is_behind = True
            return
        self._is_behind = False
        [now] = self.replace_intervals([session._estimate_now(self.measure, self.confidence_level)])
        self.n_draws = int(session.draws.watched().draws.size)
        self.low, self.high, self.pvalue = now.low, now.high, now.pvalue
        self.is_asymptotic, self.withheld, self.reason = now.is_asymptotic, now.withheld, now.reason
        self.part_ends = np.empty((0, 2))

    @property
    def follows_estimate(self) -> bool:
        """True, as the interval is computed from the estimate."""
        return True

    def wealth(self) -> Wealth:
        """Return the asymptotic evidence against each value: 1/α for the α whose interval excludes it."""
        whole, level = self.whole, self.confidence_level
        with self._session.lock:
            [now] = self.replace_intervals([self._session._estimate_now(self.measure, level)])
        if now.withheld:
            return Wealth(np.array(whole), np.ones(1))
        scaled, more = max(now.n_draws, 1) * RHO2, unevenness_of(now)

        def interval(enough: float) -> tuple[float, float]:
            if enough == 1 / (1 - level) or now.low == now.high:
                return now.low, now.high
            below, above = half_widths(now.approximate_error, now.approximate_skew, scaled, 1 - 1 / enough)
            return max(now.value - below - more, whole[0]), min(now.value + above + more, whole[1])

        return evidence_of_intervals(interval, level, whole)

    def at(self, n_draws: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the interval after some numbers of labeled draws; see `WatchedInterval.at`."""
        found = self.replace_intervals(self._session._limits(n_draws, self.measure, self.confidence_level))
        return np.array([each.low for each in found]), np.array([each.high for each in found])

    def replace_intervals(self, estimates: list[Estimate]) -> list[Estimate]:
        """Replace the intervals of estimates by this one."""
        quantity = self._session.question.quantity
        return [
            replace(around(each, self.whole, quantity), interval="confidence_sequence") for each in estimates
        ]


def unevenness_of(estimate: Estimate) -> float:
    """Return the margin that an approximate interval adds on each side; see `Measure.unevenness`."""
    low, high = estimate.approximate_low, estimate.approximate_high
    if low == high:
        return 0.0
    scaled = max(estimate.n_draws, 1) * RHO2
    below, above = half_widths(
        estimate.approximate_error, estimate.approximate_skew, scaled, estimate.confidence_level
    )
    # One side may be cut off at the end of the range.
    return max(estimate.value - low - below, high - estimate.value - above, 0.0)


def with_both(watched: WatchedInterval, found: list[Estimate]) -> list[Estimate]:
    """Replace the intervals of estimates by the watched one, with the approximate one within it."""
    return [_within(each) for each in watched.replace_intervals(found)]


def _within(estimate: Estimate) -> Estimate:
    if estimate.is_asymptotic:
        # An asymptotic interval, or one with an assumed range, is itself the approximate one.
        low, high = (nan, nan) if estimate.withheld else (estimate.low, estimate.high)
        reason = (estimate.reason or estimate.approximate_reason) if estimate.withheld else None
        return replace(estimate, approximate_low=low, approximate_high=high, approximate_reason=reason)
    if not estimate.has_approximate:
        return estimate
    low = max(estimate.low, estimate.approximate_low)
    high = min(estimate.high, estimate.approximate_high)
    if low > high:
        return replace(estimate, approximate_low=nan, approximate_high=nan, approximate_reason=_ELSEWHERE)
    return replace(estimate, approximate_low=low, approximate_high=high)


def outside_sentence(estimate: Estimate) -> str:
    """Return a sentence if an estimate is outside of its interval, else an empty string."""
    if not estimate.is_defined or estimate.low <= estimate.value <= estimate.high:
        return ""
    return "The estimate is outside the interval: earlier labels pointed elsewhere."


def approximate_within(estimate: Estimate) -> tuple[float, float] | None:
    """Return an estimate's approximate interval if it is narrower than the guaranteed one, else None."""
    low, high = estimate.approximate_low, estimate.approximate_high
    is_narrower = estimate.is_asymptotic or high - low < estimate.high - estimate.low
    return (low, high) if is_narrower and estimate.has_approximate else None


_ELSEWHERE = "No approximate interval: the labels so far disagree with the guaranteed one."


def around(estimate: Estimate, whole: tuple[float, float], quantity: Quantity) -> Estimate:
    """Replace the interval of an estimate by the asymptotic one."""
    is_exact = estimate.standard_error == 0 and estimate.approximate_low == estimate.approximate_high
    low, high = whole
    if estimate.has_approximate:
        low, high = estimate.approximate_low, estimate.approximate_high
    pvalue = nan
    if quantity.null_value is not None:
        pvalue = 1.0
        if is_exact:
            pvalue = pvalue_of_known(estimate.value, quantity)
        elif estimate.has_approximate:
            pvalue = limit_pvalue(
                estimate.value,
                estimate.approximate_error,
                estimate.n_draws,
                estimate.approximate_skew,
                unevenness_of(estimate),
            )
    return replace(
        estimate,
        low=low,
        high=high,
        interval="approximate",
        statistic=nan,
        pvalue=pvalue,
        is_asymptotic=not is_exact,
        withheld=not estimate.has_approximate,
        reason=estimate.approximate_reason,
    )
