"""The interval of a share from uniform draws without replacement, where all instances are alike."""

from collections.abc import Callable
from copy import copy
from math import inf, lgamma, log
from typing import Any, Self

import numpy as np
from scipy.special import betaln, gammaln

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive._bands import AdaptiveBand, BettingBand
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.anytime.band import Wealth
from activeeval_widgets.stats.questions.target import Target

_PRIOR = 0.5
"""Jeffreys' prior: of Beta(½, ½), ¼ and 1 it was the narrowest for shares of 2 to 10 percent, and 5 percent
wider than Beta(1, 1) for one half."""

_HALVINGS = 60

_N_CELLS = 2048
"""Number of cells of the grid of shares for which `wealth` is given."""

_LARGEST_EXPONENT = 700.0
_EQUAL = 1e-9


class ShareBand(AdaptiveBand):
    """A share in a finite pool, by the likelihood of the draws against a mixture of all shares.

    K of N instances that can be labeled count. The chance of s ones and f zeros in this order is
    L(K, N) = K⋯(K − s + 1) (N − K)⋯(N − K − f + 1) / N⋯(N − s − f + 1), and
    B(½ + s, ½ + f) / B(½, ½) / L(K, N) is a martingale at the true K and N: the probability that it ever
    reaches 1/α is at most α. N is unknown, but it is at most the number of instances not excluded. Far from
    the share seen, L grows with N at the same share, so that this greatest N covers any smaller one.

    If the first draw is not uniform, the interval is a `BettingBand` instead; if later draws are not, they
    only narrow what is still possible.

    References
    ----------
    Waudby-Smith & Ramdas, *Confidence sequences for sampling without replacement*, NeurIPS 2020 (the
    prior-posterior ratio); Robbins, *Statistical methods related to the law of the iterated logarithm*, 1970.
    """

    def __init__(self, target: Target, level: float) -> None:
        self._target, self._level = target, level
        self.restart()

    def restart(self) -> None:
        """Discard all labels."""
        self.low, self.high = 0.0, 1.0
        self._low, self._high = 0.0, 1.0
        self._n_ones = self._n_zeros = 0
        self._is_uniform = True
        self._steps: list[tuple[int, int, int]] = []
        self._possible: tuple[float, float] | None = None
        self._betting: BettingBand | None = None

    def copy(self) -> Self:
        """Return a copy of the band's present state."""
        made = copy(self)
        made._betting = None if self._betting is None else self._betting.copy()
        made._steps = self._steps.copy()
        return made

    @property
    def wealth(self) -> Wealth:
        """The mixture's wealth against each share, at its greatest so far."""
        if self._betting is not None:
            return self._betting.wealth
        is_known = self.low == self.high
        own_ends = [] if is_known else [self.low, self.high]
        edges = np.unique(np.append(np.linspace(0.0, 1.0, _N_CELLS + 1), own_ends))
        most = np.zeros(edges.size)
        for n_ones, n_zeros, n_instances in self._steps:
            most = np.maximum(most, log_evidence(n_ones, n_zeros, n_instances, edges))
        # Against all shares of a cell: least at one of the cell's ends, or at the share that was seen.
        won = np.exp(np.minimum(np.minimum(most[:-1], most[1:]), _LARGEST_EXPONENT))
        enough, is_inside = 1 / (1 - self._level), (edges[1:] > self.low) & (edges[:-1] < self.high)
        if is_known:
            is_inside = (edges[1:] >= self.low) & (edges[:-1] <= self.high)
        won = np.where(is_inside, np.minimum(won, np.nextafter(enough, 0)), np.maximum(won, enough))
        if self._possible is not None:
            least, greatest = self._possible
            won = np.where(~is_inside & ((edges[1:] <= least) | (edges[:-1] >= greatest)), inf, won)
        return Wealth(edges, np.maximum(won, 1.0))

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Add one more draw."""
        if fresh and self._is_uniform:
            self._is_uniform = _is_uniform(streams)
            if not self._is_uniform and streams.n_draws == 0:
                self._betting = BettingBand(self._target, None, self._level)
        if self._betting is not None:
            self._betting.step(streams, draw, row, y, fresh=fresh)
            self.low, self.high = self._betting.low, self._betting.high
            return
        streams.add(draw, row, y)
        if y is not None:
            self._n_ones += int(row[0])
            self._n_zeros += int(1 - row[0])
        self._show(self._target.size - streams.n_draws)

    def _show(self, n_left: int) -> None:
        """Set the ends to the shares that are still possible and not excluded."""
        n_seen = self._n_ones + self._n_zeros
        if n_seen == 0:
            return
        most = n_seen + n_left
        least_share, greatest_share = self._n_ones / most, (self._n_ones + n_left) / most
        self._possible = least_share, greatest_share
        if self._is_uniform and n_left:
            self._steps.append((self._n_ones, self._n_zeros, most))
            low, high = share_ends(self._n_ones, self._n_zeros, most, 1 - self._level)
            self._low, self._high = max(self._low, low), min(self._high, high)
        self.low, self.high = max(self._low, least_share), min(self._high, greatest_share)
        if self.low > self.high or not n_left:
            # The true value was excluded, which has probability α: keep what is possible.
            self.low = min(max(self._low, least_share), greatest_share)
            self.high = max(min(self._high, greatest_share), least_share)


def share_ends(n_ones: int, n_zeros: int, n_instances: int, alpha: float) -> tuple[float, float]:
    """Return the shares K/N at which the mixture is 1/α times as likely as the draws, for any real K."""
    s, f, n = n_ones, n_zeros, n_instances
    mixture = float(betaln(_PRIOR + s, _PRIOR + f) - betaln(_PRIOR, _PRIOR))
    threshold = log(alpha) + mixture + lgamma(n + 1) - lgamma(n - s - f + 1)

    def is_likely(k: float) -> bool:
        ones = lgamma(k + 1) - lgamma(k - s + 1)
        return ones + lgamma(n - k + 1) - lgamma(n - k - f + 1) > threshold

    # The likelihood is concave in K, and greatest near the share seen, which is therefore inside.
    seen = min(max(n * s / (s + f), float(s)), float(n - f))
    return _end(is_likely, seen, float(s)) / n, _end(is_likely, seen, float(n - f)) / n


def log_evidence(n_ones: int, n_zeros: int, n_instances: int, shares: FloatArray) -> FloatArray:
    """Return the logarithm of the mixture's likelihood over that of each share; infinite if impossible."""
    s, f, n = n_ones, n_zeros, n_instances
    k = shares * n
    is_possible = (k >= s) & (n - k >= f)
    inside = np.where(is_possible, k, s)
    mixture = betaln(_PRIOR + s, _PRIOR + f) - betaln(_PRIOR, _PRIOR)
    ones = gammaln(inside + 1) - gammaln(inside - s + 1)
    likelihood = ones + gammaln(n - inside + 1) - gammaln(n - inside - f + 1)
    likelihood -= gammaln(n + 1) - gammaln(n - s - f + 1)
    return np.asarray(np.where(is_possible, mixture - likelihood, inf))


def _end(is_likely: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return where `is_likely` ends between two points, rounded outward."""
    if is_likely(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if is_likely(middle):
            inside = middle
        else:
            outside = middle
    return outside


def _is_uniform(streams: Streams) -> bool:
    """Return whether the next draw is equally likely to be any of the remaining instances."""
    q = streams.q[streams.rest > 0]
    return not streams.is_bound and float(q.max() - q.min()) <= _EQUAL * float(q.max())
