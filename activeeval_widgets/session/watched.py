"""The interval that may be watched, kept up with a session's log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.adaptive_draws import AdaptiveInterval
from activeeval_widgets.session.in_step import InStep
from activeeval_widgets.stats import ConfidenceSequence, Estimate
from activeeval_widgets.stats._typing import FloatArray, IntArray

if TYPE_CHECKING:
    from activeeval_widgets.session.session import Session


class WatchedInterval:
    """A session's interval that holds at every number of draws at once, so that it may be watched.

    It counts draws in the order in which they were made, so it waits for an instance that was put aside,
    and goes on once that has its answer.

    Parameters
    ----------
    session : Session
        What is watched.
    confidence_level : float
        With this probability the truth is never outside.

    Attributes
    ----------
    low, high : float
        The interval as of the last `update`.
    whole : tuple of two floats
        The interval before the first label: all that labels could give.
    n_draws : int
        How many draws it has seen.
    is_asymptotic : bool
        Whether it holds in the limit of many draws only.
    """

    def __init__(self, session: Session, *, confidence_level: float = 0.95) -> None:
        self._session = session
        self.confidence_level = confidence_level
        self._sequence: InStep[ConfidenceSequence | AdaptiveInterval] = InStep(
            lambda: session.begin_interval(confidence_level),
            every=64 if session.protocol == "papers" else 16,
        )
        self._n_labeled: IntArray = np.zeros(1, dtype=np.intp)
        self._bounds: FloatArray = np.empty((1, 2))
        begun = self._sequence.begun
        self.whole = (begun.low, begun.high)
        self.update()

    def update(self) -> None:
        """Take in what has happened in the session since the last time."""
        sample = self._session.prefix()
        labeled = zip(sample.draws.tolist(), sample.y_true, sample.is_excluded.tolist(), strict=True)
        now = self._sequence.feed([(draw, None if is_excluded else y) for draw, y, is_excluded in labeled])
        self.low, self.high = now.low, now.high
        self.n_draws, self.is_asymptotic = now.n_draws, now.is_asymptotic
        self._n_labeled = np.concatenate([[0], np.cumsum(~sample.is_excluded)])
        self._bounds = np.array([self.whole, *self._sequence.results])

    def at(self, n_draws: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The interval after each of some numbers of labeled draws: the last one where it waits.

        Parameters
        ----------
        n_draws : array-like of shape (n,), int

        Returns
        -------
        low, high : ndarray of shape (n,)
        """
        # Of the draws with the same number of labels, the last: those excluded may have changed it.
        at = np.searchsorted(self._n_labeled, np.asarray(n_draws), side="right") - 1
        return self._bounds[at, 0], self._bounds[at, 1]

    def estimate(self) -> Estimate:
        """The session's estimate, with this interval."""
        return replace(
            self._session.estimate(),
            low=self.low,
            high=self.high,
            confidence_level=self.confidence_level,
            interval="confidence_sequence",
            is_asymptotic=self.is_asymptotic,
        )
