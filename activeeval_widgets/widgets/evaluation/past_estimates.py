"""Estimates after increasing numbers of draws, each computed once."""

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats import Estimate


class PastEstimates:
    """A session's past estimates, cached as long as their labels are valid."""

    def __init__(self, session: Findings) -> None:
        self._session = session
        self._revision = 0
        self._kept: dict[int, Estimate] = {}

    def at(self, n_draws: ArrayLike) -> list[Estimate]:
        """Return the estimates after the first n labeled draws, for each n, with Wald intervals."""
        counts = np.asarray(n_draws).tolist()
        self._forget()
        missing = [n for n in counts if n not in self._kept]
        if missing:
            found = self._session.trajectory(at=missing, interval="wald")
            self._kept.update(zip(missing, found, strict=True))
        return [self._kept[n] for n in counts]

    def has(self, n_draws: int) -> bool:
        """Return whether the estimate after this many labeled draws is cached."""
        self._forget()
        return n_draws in self._kept

    def _forget(self) -> None:
        """Drop the estimates whose labels were undone or changed."""
        revision = self._session.log.revision
        if self._revision != revision:
            n_unchanged = self._session.draws.n_unchanged(self._revision)
            self._kept = {n: estimate for n, estimate in self._kept.items() if n <= n_unchanged}
            self._revision = revision
