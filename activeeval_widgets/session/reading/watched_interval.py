"""The interval that may be watched, kept up with a session's log."""

from dataclasses import replace
from math import nan
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.intervals import DrawnInterval
from activeeval_widgets.session.draws.labeled import Answered
from activeeval_widgets.session.reading.incremental import InStep
from activeeval_widgets.stats import Estimate, Measure, Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray


class Watched(Protocol):
    """What such an interval needs to know of a session."""

    measure: Measure
    models: tuple[Predictions, ...]

    @property
    def revision(self) -> int:
        """Grows whenever an answer changes."""

    def prefix(self) -> Answered:
        """The draws before the first that has no answer."""

    def begin_interval(self, confidence_level: float, measure: Measure | None = None) -> DrawnInterval:
        """The interval before the first draw."""

    def known_value(self, measure: Measure | None = None) -> float | None:
        """The value, where all that can be drawn has an answer."""

    def estimate(self, measure: Measure | None = None, *, confidence_level: float) -> Estimate:
        """The estimate, with this interval."""


class WatchedInterval:
    """A session's interval that holds at every number of draws at once, so that it may be watched.

    It counts draws in the order in which they were made, so it waits for an instance that was put aside,
    and goes on once that has its answer. Once all that can be drawn has an answer the value is known, and
    the interval is a point.

    Parameters
    ----------
    session : Session
        What is watched.
    measure : Measure, optional
        What the interval is for; the session's own measure unless given.
    confidence_level : float
        With this probability the truth is never outside.

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

    See Also
    --------
    Session.watched : The same one for everybody who asks, so that labels are fed once.
    """

    def __init__(
        self, session: Watched, measure: Measure | None = None, *, confidence_level: float = 0.95
    ) -> None:
        self._session = session
        self._measure = session.measure if measure is None else measure
        self.confidence_level = confidence_level
        begun = session.begin_interval(confidence_level, self._measure)
        self._sequence: InStep[DrawnInterval] = InStep(lambda: begun, every=begun.n_between)
        self._n_labeled: IntArray = np.zeros(1, dtype=np.intp)
        self._told: FloatArray = np.empty((1, 3))
        self._revision = -1
        self.whole = (begun.low, begun.high)
        self._start = (begun.low, begun.high, begun.pvalue)
        self.update()

    def update(self) -> None:
        """Take in what has happened in the session since the last time."""
        if self._revision == self._session.revision:
            return
        sample = self._session.prefix()
        labeled = zip(sample.draws.tolist(), sample.y_true, sample.is_excluded.tolist(), strict=True)
        now = self._sequence.feed([(draw, None if is_excluded else y) for draw, y, is_excluded in labeled])
        self.n_draws, self.is_asymptotic = now.n_draws, now.is_asymptotic
        self.withheld, self.reason = now.withheld, now.reason
        self._n_labeled = np.concatenate([[0], np.cumsum(~sample.is_excluded)])
        self._told = np.array([self._start, *self._sequence.results])
        known = self._session.known_value(self._measure)
        if known is not None:
            self.is_asymptotic = self.withheld = False
            self.reason = None
            self._told[-1] = known, known, pvalue_of_known(known, len(self._session.models))
        self.low, self.high, self.pvalue = self._told[-1].tolist()
        self._revision = self._session.revision

    def at(self, n_draws: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The interval after each of some numbers of labeled draws: the last one where it waits.

        Parameters
        ----------
        n_draws : array-like of shape (n,), int

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
        told = self._told[self._positions(np.array([each.n_draws for each in estimates], dtype=np.intp))]
        was_asymptotic = self._sequence.begun.is_asymptotic
        n_all = int(self._n_labeled[-1])
        return [
            replace(
                each,
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
            for each, (low, high, pvalue) in zip(estimates, told, strict=True)
        ]


def pvalue_of_known(value: float, n_models: int) -> float:
    """The p-value of "no difference" where the difference is known; NaN for one model."""
    if n_models == 1:
        return nan
    return 1.0 if value == 0 else 0.0
