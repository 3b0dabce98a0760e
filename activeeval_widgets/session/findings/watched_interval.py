"""The interval that may be watched, kept up with a session's log."""

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
    """A session's interval that holds at every number of draws at once, so that it may be watched.

    It counts draws in the order in which they were made, so it waits for an instance that was put aside,
    and goes on once that has its answer. Once all that can be drawn has an answer the value is known, and
    the interval is a point. Which of two models is better is known once all that can tell them apart has an
    answer: the interval then ends at what is certain, see `SettledDifference`.

    Parameters
    ----------
    session : Findings
        What is watched: `session.findings`, or what `Session.of` gives.
    measure : Measure, optional
        What the interval is for; the session's own measure unless given.
    confidence_level : float
        With this probability the truth is never outside.
    begun : DrawnInterval, optional
        The interval before the first draw, where it is at hand.
    until : int, optional
        As of `update`.

    Attributes
    ----------
    low, high : float
        The interval as of the last `update`.
    pvalue : float
        For two models: the p-value of "no difference" that belongs to it, and may be watched as well. NaN for
        one model.
    whole : tuple of two floats
        The interval before the first label: all that labels could give.
    n_draws : int
        How many draws it has seen.
    is_asymptotic : bool
        Whether it is approximate; see `stats.ConfidenceSequence`.
    withheld : bool
        Whether an approximate interval is the whole range because it would not hold.
    reason : str, or None
        In a sentence, why it is withheld, or what it takes for granted.
    part_ends : ndarray of shape (n_parts, 2)
        The ends of the intervals that it is made of, which hold together: those of the best F's thresholds,
        say. Most are made of none.

    Raises
    ------
    ValueError, TypeError
        If the measure does not suit the predictions, or the level is none.

    See Also
    --------
    Session.watched : One that is shared, so that each label is fed once.

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
        confidence_level: float = 0.95,
        begun: DrawnInterval | None = None,
        until: int | None = None,
    ) -> None:
        self._session = session
        self._measure = session.measure if measure is None else measure
        self.confidence_level = confidence_level
        if begun is None:
            begun = session._begin_interval(confidence_level, self._measure)
        first = begun
        self._sequence: Rewindable[DrawnInterval] = Rewindable(lambda: first, every=begun.n_between)
        # After each draw, and before the first: the number of labels, and what was told. Both arrays are
        # longer than that: they double when they are full.
        self._n_told, self._n_true = 1, 1
        self._labels_then: IntArray = np.zeros(_FIRST_ROWS, dtype=np.intp)
        self._told_then: FloatArray = np.empty((_FIRST_ROWS, 3))
        self._revision = -1
        self._is_behind = False
        self.whole = (begun.low, begun.high)
        self._told_then[0] = begun.low, begun.high, begun.pvalue
        self.update(until)

    @property
    def follows_estimate(self) -> bool:
        """Whether it is made of the estimate, and so is never behind it."""
        return False

    def update(self, until: int | None = None) -> None:
        """Take in what has happened in the session since the last time.

        Parameters
        ----------
        until : int, optional
            Only as far as this number of labels takes; what comes later may wait.
        """
        with self._session.lock:
            goes_on = self._is_behind and (until is None or self._labels_then[self._n_told - 1] <= until)
            if goes_on or self._revision != self._session.log.revision:
                self._take_in(until)

    def prepare(self, n_drawn: int) -> None:
        """Do ahead what the next draw takes, so that it is quickly taken in; the interval does not change.

        Parameters
        ----------
        n_drawn : int
            How many draws were made.
        """
        with self._session.lock:
            now = self._sequence.now
            if now is not None and not self._is_behind and self._revision == self._session.log.revision:
                now.prepare(n_drawn)

    def _take_in(self, until: int | None = None) -> None:
        n_same, rest = self._session.draws.answers.in_order_since(
            max(self._revision, 0), self._sequence.n_fed
        )
        n_all = len(rest)
        if until is not None:
            # With those that can't be labeled behind the last label, as they count before the next one.
            n_labels = int(self._labels_then[n_same]) + np.cumsum([y is not None for _, y in rest])
            rest = rest[: int(np.count_nonzero(n_labels <= until))]
        self._is_behind = len(rest) < n_all
        now = self._sequence.feed(n_same, rest)
        self.n_draws, self.is_asymptotic = now.n_draws, now.is_asymptotic
        self.withheld, self.reason, self.part_ends = now.withheld, now.reason, now.part_ends
        self._tell(n_same, rest)
        self._settle()
        known = None if self._is_behind else self._session.known_value(self._measure)
        if known is not None:
            self.is_asymptotic = self.withheld = False
            self.reason = None
            self._told[-1] = known, known, pvalue_of_known(known, self._session.question.quantity)
            self._n_true = self._n_told - 1
        self.low, self.high, self.pvalue = self._told[-1].tolist()
        self._revision = self._session.log.revision

    def _tell(self, n_same: int, rest: Sequence[tuple[int, Any]]) -> None:
        """Take in what was told after each draw, as far as it may have changed."""
        n_told = 1 + n_same + len(rest)
        if n_told > len(self._told_then):
            more = max(n_told, 2 * len(self._told_then)) - len(self._told_then)
            self._labels_then = np.pad(self._labels_then, (0, more))
            self._told_then = np.pad(self._told_then, ((0, more), (0, 0)))
        if rest:
            has_label = np.array([y is not None for _, y in rest])
            self._labels_then[1 + n_same : n_told] = self._labels_then[n_same] + np.cumsum(has_label)
        first = max(min(1 + n_same, self._n_true), 1)
        if first < n_told:
            self._told_then[first:n_told] = self._sequence.results[first - 1 :]
        self._n_told = self._n_true = n_told

    def _settle(self) -> None:
        """Leave out what is certainly not the difference; see `SettledDifference`."""
        self._settled_from = self._n_told
        settled = None if self._is_behind else self._session._settled_difference(self._measure)
        if settled is None:
            return
        self._settled_from = settled.n_draws
        told = self._told[settled.n_draws :]
        told[:, 0], told[:, 1] = settled.narrowed(told[:, 0], told[:, 1])
        told[:, 2] = pvalue_of_known(settled.total, self._session.question.quantity)
        self.is_asymptotic = self.withheld = False
        self.reason = None

    @property
    def _n_labeled(self) -> IntArray:
        return self._labels_then[: self._n_told]

    @property
    def _told(self) -> FloatArray:
        return self._told_then[: self._n_told]

    def wealth(self) -> Wealth | None:
        """What bets against each candidate value have won, as of the last `update`.

        The interval is where that is below 1/α. None where the interval is not of bets on its values.
        """
        with self._session.lock:
            now = self._sequence.now
            found = (self._sequence.begun if now is None else now).wealth
            if found is None:
                return None
            is_certain = self._settled_from < self._n_told or self._n_true < self._n_told
            if is_certain:
                outside = (found.edges[1:] < self.low) | (found.edges[:-1] > self.high)
                return Wealth(found.edges, np.where(outside, inf, found.won))
            return found

    def at(self, n_draws: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The interval after each of some numbers of labeled draws: the last one where it waits.

        Parameters
        ----------
        n_draws : array-like of shape (n,), int
            The numbers of labeled draws.

        Returns
        -------
        low, high : ndarray of shape (n,)
        """
        told = self._told[self._positions(n_draws)]
        return told[:, 0], told[:, 1]

    def _positions(self, n_draws: ArrayLike) -> IntArray:
        # Of the draws with the same number of labels, the last: those excluded may have changed it.
        return np.searchsorted(self._n_labeled, np.asarray(n_draws), side="right") - 1

    def estimate(self) -> Estimate:
        """The session's estimate, with this interval; up to date."""
        return self._session.estimate(self._measure, confidence_level=self.confidence_level)

    def given(self, estimates: list[Estimate]) -> list[Estimate]:
        """Estimates after some numbers of labeled draws, with this interval in the place of their own."""
        positions = self._positions(np.array([each.n_draws for each in estimates], dtype=np.intp))
        told = self._told[positions]
        was_asymptotic = self._sequence.begun.is_asymptotic
        n_all = int(self._n_labeled[-1])
        return [
            replace(
                each,
                # What is certain binds the estimate as well.
                value=min(max(each.value, float(low)), float(high)) if is_settled else each.value,
                low=float(low),
                high=float(high),
                pvalue=nan if pvalue != pvalue else float(pvalue),
                statistic=nan,
                confidence_level=self.confidence_level,
                interval="confidence_sequence",
                # A point that is known is exact; what came before it was not.
                is_asymptotic=self.is_asymptotic or (was_asymptotic and each.n_draws < n_all),
                withheld=self.withheld
                if each.n_draws == n_all
                else was_asymptotic and (low, high) == self.whole,
                reason=self.reason if each.n_draws == n_all else None,
            )
            for each, (low, high, pvalue), is_settled in zip(
                estimates, told, positions >= self._settled_from, strict=True
            )
        ]


def pvalue_of_known(value: float, quantity: Quantity) -> float:
    """The p-value of "no difference" where the difference is known; NaN for one model."""
    if quantity.null_value is None:
        return nan
    return 1.0 if value == quantity.null_value else 0.0
