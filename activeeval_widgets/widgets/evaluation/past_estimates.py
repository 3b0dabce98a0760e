"""Estimates after growing numbers of draws, each computed once."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session import Session
from activeeval_widgets.stats import Estimate


class PastEstimates:
    """A session's past estimates, kept as long as the labels that they come from stand.

    Parameters
    ----------
    session : Session
        Whose estimates.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._sample: list[tuple[int, Any]] = []
        self._n_excluded = 0
        self._kept: dict[int, Estimate] = {}

    def at(self, n_draws: ArrayLike) -> list[Estimate]:
        """The estimates after the first n labeled draws, for each n, with Wald's interval."""
        counts = np.asarray(n_draws).tolist()
        self._forget()
        missing = [n for n in counts if n not in self._kept]
        if missing:
            found = self._session.trajectory(at=missing, interval="wald")
            self._kept.update(zip(missing, found, strict=True))
        return [self._kept[n] for n in counts]

    def _forget(self) -> None:
        """Drop the estimates from labels that were taken back or changed since."""
        session = self._session
        draws, y_true = session.labeled_draws()
        sample = list(zip(draws.tolist(), y_true, strict=True))
        # An instance that was put aside joins the draws in its own place; an excluded one leaves them.
        pairs = enumerate(zip(self._sample, sample, strict=False))
        same = next((i for i, (old, new) in pairs if old != new), min(len(sample), len(self._sample)))
        if session.n_excluded != self._n_excluded:
            same = 0
        self._kept = {n: estimate for n, estimate in self._kept.items() if n <= same}
        self._sample, self._n_excluded = sample, session.n_excluded
