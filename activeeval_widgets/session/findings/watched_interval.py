"""The confidence sequence of a session, updated with its log."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.findings.incremental import Rewindable
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.anytime.band import Wealth
from activeeval_widgets.stats.quantities import Quantity

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


_FIRST_ROWS = 64


class WatchedInterval:
    """A session's confidence sequence: it holds at all numbers of draws simultaneously, so it may be watched.

    It uses draws in draw order, so it waits for deferred instances. Once all instances that can be drawn have
    an answer, the value is known, and the interval is a point. Once all instances on which two models can
    differ have an answer, it is known which is better, and the interval has exact ends; see
    `SettledDifference`.

    Parameters
    ----------
    session : Findings
        The findings to follow: `session.findings`, or the result of `Session.of`.
    measure : Measure, optional
        The measure; by default the session's own.
    confidence_level : float, optional
        The probability that the interval always contains the true value; by default the session's level.
    begun : DrawnInterval, optional
        The interval before the first draw, if it exists already.
    until : int, optional
        See `update`.

    Attributes
    ----------
    measure : Measure
        The measure.
    low, high : float
        The interval at the last `update`.
    pvalue : float
        For two models, the anytime-valid p-value of "no difference". NaN for one model.
    whole : tuple of two floats
        The interval before the first label: all possible values.
    n_draws : int
        The number of draws so far.
    is_asymptotic : bool
        Whether the interval is approximate; see `stats.ConfidenceSequence`.
    withheld : bool
        Whether an approximate interval is the whole range because it would not be valid.
    reason : str, or None
        A sentence why the interval is withheld, or what it assumes.
    part_ends : ndarray of shape (n_parts, 2)
        The ends of the simultaneous intervals that it consists of, such as those for the thresholds of the
        best F-measure. Empty for most measures.

    Raises
    ------
    ValueError, TypeError
        If the measure does not suit the predictions, or the level is invalid.

    See Also
    --------
    Session.watched : Returns a shared one, which is updated once for each label.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> watched = WatchedInterval(session.findings)
    >>> watched.whole, round(watched.low, 3), round(watched.high, 3)
    ((0.0, 1.0), 0.667, 0.667)
    >>> low, high = watched.at([0, 3])
    >>> high.round(3).tolist()
    [1.0, 0.667]
    """

    def __init__(
        self,
        session: "Findings",
        measure: Measure | None = None,
        *,
        confidence_level: float | None = None,
        begun: DrawnInterval | None = None,
        until: int | None = None,
    ) -> None:
        self._session = session
        self.measure = session.measure if measure is None else measure
        self.confidence_level = session._level(confidence_level)
        if begun is None:
            begun = session._begin_interval(self.confidence_level, self.measure)
        first = begun
        self._sequence: Rewindable[DrawnInterval] = Rewindable(lambda: first, every=begun.n_between)
        # The number of labels and the results, before the first draw and after each. Both arrays are
        # over-allocated, and double when they are full.
        self._n_results, self._n_valid = 1, 1
        self._n_labels_buffer: IntArray = np.zeros(_FIRST_ROWS, dtype=np.intp)
        self._results_buffer: FloatArray = np.empty((_FIRST_ROWS, 3))
        self._revision = -1
        self._is_behind = False
        self.whole = (float(begun.sequence.low), float(begun.sequence.high))
        self._results_buffer[0] = *self.whole, begun.sequence.pvalue
        self.update(until)

    @property
    def follows_estimate(self) -> bool:
        """Whether the interval is computed from the estimate, and so is never behind it."""
        return False

    def update(self, until: int | None = None) -> None:
        """Apply the events of the session since the last update.

        Parameters
        ----------
        until : int, optional
            The number of labels up to which the interval has to be up to date.
        """
        with self._session.lock:
            revision = self._session.log.revision
            goes_on = self._is_behind and (
                until is None or self._n_labels_buffer[self._n_results - 1] <= until
            )
            if goes_on or self._revision != revision:
                self._apply_events(until)
                self._revision = revision

    def prepare(self, n_drawn: int) -> None:
        """Precompute the update for the next draw without changing the interval.

        Parameters
        ----------
        n_drawn : int
            The number of draws made.
        """
        with self._session.lock:
            now = self._sequence.now
            if now is not None and not self._is_behind and self._revision == self._session.log.revision:
                now.prepare(n_drawn)

    def _apply_events(self, until: int | None = None) -> None:
        n_same, rest = self._session.draws.answers.in_order_since(
            max(self._revision, 0), self._sequence.n_fed
        )
        n_all = len(rest)
        if until is not None:
            # Including exclusions after the last label, as they count before the next one.
            n_labels = int(self._n_labels_buffer[n_same]) + np.cumsum([y is not None for _, y in rest])
            rest = rest[: int(np.count_nonzero(n_labels <= until))]
        self._is_behind = len(rest) < n_all
        now = self._sequence.update_to(n_same, rest).sequence
        self.n_draws, self.is_asymptotic = now.n_draws, now.is_asymptotic
        self.withheld, self.reason, self.part_ends = now.withheld, now.reason, now.part_ends
        self._store_results(n_same, rest)
        self._settle()
        known = None if self._is_behind else self._session.known_value(self.measure)
        if known is not None:
            self.is_asymptotic = self.withheld = False
            self.reason = None
            self._results[-1] = known, known, pvalue_of_known(known, self._session.question.quantity)
            self._n_valid = self._n_results - 1
        self.low, self.high, self.pvalue = self._results[-1].tolist()

    def _store_results(self, n_same: int, rest: Sequence[tuple[int, Any]]) -> None:
        """Store the results after each draw that may have changed."""
        n_results = 1 + n_same + len(rest)
        if n_results > len(self._results_buffer):
            more = max(n_results, 2 * len(self._results_buffer)) - len(self._results_buffer)
            self._n_labels_buffer = np.pad(self._n_labels_buffer, (0, more))
            self._results_buffer = np.pad(self._results_buffer, ((0, more), (0, 0)))
        if rest:
            has_label = np.array([y is not None for _, y in rest])
            self._n_labels_buffer[1 + n_same : n_results] = self._n_labels_buffer[n_same] + np.cumsum(
                has_label
            )
        first = max(min(1 + n_same, self._n_valid), 1)
        if first < n_results:
            self._results_buffer[first:n_results] = self._sequence.results[first - 1 :]
        self._n_results = self._n_valid = n_results

    def _settle(self) -> None:
        """Intersect with exact bounds of the difference; see `SettledDifference`."""
        self._settled_from = self._n_results
        settled = None if self._is_behind else self._session._settled_difference(self.measure)
        if settled is None:
            return
        self._settled_from = settled.n_draws
        results = self._results[settled.n_draws :]
        results[:, 0], results[:, 1] = settled.narrowed(results[:, 0], results[:, 1])
        results[:, 2] = pvalue_of_known(settled.total, self._session.question.quantity)
        self.is_asymptotic = self.withheld = False
        self.reason = None

    @property
    def _n_labeled(self) -> IntArray:
        return self._n_labels_buffer[: self._n_results]

    @property
    def _results(self) -> FloatArray:
        return self._results_buffer[: self._n_results]

    def wealth(self) -> Wealth | None:
        """Return the wealth against each candidate value at the last `update`.

        The interval is where wealth is below 1/α. None if the interval is not based on wealth.
        """
        with self._session.lock:
            now = self._sequence.now
            found: Wealth | None = (self._sequence.begun if now is None else now).sequence.wealth
            if found is None:
                return None
            is_certain = self._settled_from < self._n_results or self._n_valid < self._n_results
            if is_certain:
                outside = (found.edges[1:] < self.low) | (found.edges[:-1] > self.high)
                return Wealth(found.edges, np.where(outside, inf, found.won))
            return found

    def at(self, n_draws: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the interval after some numbers of labeled draws; while it waits, the last one.

        Parameters
        ----------
        n_draws : array-like of shape (n,), int
            The numbers of labeled draws.

        Returns
        -------
        low, high : ndarray of shape (n,)
        """
        results = self._results[self._positions(n_draws)]
        return results[:, 0], results[:, 1]

    def _positions(self, n_draws: ArrayLike) -> IntArray:
        # The last of the draws with the same number of labels: exclusions may have changed the interval.
        return np.searchsorted(self._n_labeled, np.asarray(n_draws), side="right") - 1

    def estimate(self) -> Estimate:
        """Return the session's up-to-date estimate with this interval."""
        return self._session.estimate(self.measure, confidence_level=self.confidence_level)

    def replace_intervals(self, estimates: list[Estimate]) -> list[Estimate]:
        """Replace the intervals of estimates by this one."""
        positions = self._positions(np.array([each.n_draws for each in estimates], dtype=np.intp))
        results = self._results[positions]
        was_asymptotic = self._sequence.begun.sequence.is_asymptotic
        n_all = int(self._n_labeled[-1])
        return [
            replace(
                _within(each, float(low), float(high)) if is_settled or low == high else each,
                low=float(low),
                high=float(high),
                pvalue=nan if pvalue != pvalue else float(pvalue),
                statistic=nan,
                confidence_level=self.confidence_level,
                interval="confidence_sequence",
                # A known value is exact; earlier intervals were not.
                is_asymptotic=self.is_asymptotic or (was_asymptotic and each.n_draws < n_all),
                withheld=self.withheld
                if each.n_draws == n_all
                else was_asymptotic and (low, high) == self.whole,
                reason=self.reason if each.n_draws == n_all else None,
            )
            for each, (low, high, pvalue), is_settled in zip(
                estimates, results, positions >= self._settled_from, strict=True
            )
        ]


def _within(estimate: Estimate, low: float, high: float) -> Estimate:
    """Move an estimate into exact bounds, which hold for it, too."""
    if not estimate.is_defined:
        return estimate
    error = 0.0 if low == high else estimate.standard_error
    return replace(estimate, value=min(max(estimate.value, low), high), standard_error=error)


def pvalue_of_known(value: float, quantity: Quantity) -> float:
    """Return the p-value of "no difference" for a known difference; NaN for one model."""
    if quantity.null_value is None:
        return nan
    return 1.0 if value == quantity.null_value else 0.0
