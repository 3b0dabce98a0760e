"""Betting against candidate values: the wealth processes under confidence sequences and sequential tests.

For a candidate G, each labeled draw gives a number Z(G) = a − G b with known bounds, which has mean 0 if G is
the truth. Staking the share λ of the wealth on each makes the wealth Π (1 + λ Z). At the true G this is a
nonnegative martingale, for every rule that chooses λ from the past, and it ever reaches 1/α with probability
at most α (Ville). A candidate is excluded once the wealth against it reaches 1/α.
"""

from copy import copy
from typing import Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.deadlines import (
    Deadlines,
    chances,
    deadline_stakes,
    deadlines_of,
    next_goal,
)

HORIZONS = np.array([20.0, 80.0, 300.0, 1000.0, 5000.0])
"""The horizons of the components without a deadline: each stakes what is best if betting ends after that many
draws."""

SHARES = np.array([0.18, 0.27, 0.27, 0.18, 0.1])
"""The initial division of their wealth."""

PRIOR_DRAWS = 10.0
"""The number of draws that the variance promised by the model counts for."""

_BOUND_SHARE = 0.01
"""The smallest prior variance, as a share of the largest that the bounds allow; it keeps the prior
positive."""

LARGEST_STAKE = 0.95
"""The largest stake, as a share of the stake that can lose all the wealth on one draw."""

_LEAST_WORST = 1e-3
"""Constant stakes are for losses of at least this share of the largest possible |Z|."""

_FIRST = np.array([0, 0, 1, 0, 0, 1, 2, 2, 3, 2, 2, 3])
_SECOND = np.array([0, 1, 1, 2, 3, 3, 0, 1, 1, 2, 3, 3])
"""The products of terms to sum: of a with a, a with b, b with a and b with b, for streams 00, 01, 11 each."""

_CAP = 1e200
"""The wealth is capped here, far above any 1/α; a cap can only widen intervals."""


class Bets:
    """The wealth of a mixture of betting strategies, at candidates arranged in blocks.

    Each draw has two streams: Z₀ is plain, Z₁ has the model's expectation as a control variate. The
    components of the mixture bet on (1 − κ) Z₀ + κ Z₁, where κ minimizes the past variance; the early ones
    bet on Z₀ at first (`Deadlines`). Stakes and κ are the same within a block, so that each component's
    wealth is a product of positive functions linear in G and therefore quasi-concave: between two candidates
    it is at least the smaller of their wealths.

    `points` are ascending in each block; `lower` and `upper`, (2, n_blocks), bound Z₀ and Z₁ over the pool
    for all of a block's candidates. `promised` are the variances of both that the model expects; None without
    a control variate. The side 1.0 bets on values above the candidate, −1.0 on values below it; with both,
    each has half of the wealth.

    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024, sections 4
    and 5, with hedging; weighted as in Waudby-Smith et al., *Anytime-valid off-policy inference*, 2022. For
    deadlines see `deadline_stakes`.
    """

    def __init__(
        self,
        points: FloatArray,
        lower: FloatArray,
        upper: FloatArray,
        promised: tuple[float, float] | None,
        confidence_level: float,
        sides: tuple[float, ...] = (1.0, -1.0),
        deadlines: Deadlines | None = None,
    ) -> None:
        self._set_points(points)
        self._center(points.mean(axis=1))
        self._promised = promised
        self.set_bounds(lower, upper)
        # A two-sided bet needs 2/α on one of its sides.
        self._goal = 2 * np.log(len(sides) / (1 - confidence_level))
        self._level = confidence_level
        self._deadlines = deadlines_of(()) if deadlines is None else deadlines
        self._next_deadlines = self._deadlines.after(0)
        n_timed, n_sides = self._deadlines.firsts.size, len(sides)
        self._n_sides = n_sides
        # First the components without a deadline, side by side; then those with one.
        self._timed = HORIZONS.size * n_sides
        sizes = np.repeat([HORIZONS.size, n_timed], n_sides)
        self._sides = np.array(sides)[:, np.newaxis]
        self._side_of = np.repeat(np.tile(np.arange(n_sides), 2), sizes)
        self._side = self._sides[self._side_of]
        untimed = SHARES * (1 - self._deadlines.shares.sum())
        self._share = np.concatenate([np.tile(each, n_sides) for each in (untimed, self._deadlines.shares)])
        self._share /= n_sides
        early = self._deadlines.early_stakes
        last = np.arange(n_timed - early.size, n_timed) + n_timed * np.arange(n_sides)[:, np.newaxis]
        self._early = self._timed + last.ravel()
        self._early_stakes = np.tile(early, n_sides)[:, np.newaxis] * self._side[self._early]
        # By point first: blocks are contiguous, as there are more of them than points in each.
        self._capital = np.ones((points.shape[1], self._share.size, len(points)))
        self._sums: FloatArray = np.zeros((len(_FIRST), 1))
        self._n_draws = 0

    def copy(self) -> Self:
        """Return a copy with the same wealth that can be continued independently."""
        made = copy(self)
        made._capital = self._capital.copy()
        return made

    def set_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        """Set the bounds of the next Z₀ and Z₁, (2, n_blocks), if they change from draw to draw."""
        self._lower, self._upper = lower, upper
        possible = -lower * upper * _BOUND_SHARE
        first, second = (possible[0], possible[0]) if self._promised is None else self._promised
        second = np.maximum(second, possible[1])
        # Under the promise, Z₀ − Z₁ is a function of x only and uncorrelated with Z₁.
        self._prior = PRIOR_DRAWS * np.array([np.maximum(first, second), second, second])

    def keep(self, blocks: slice) -> None:
        """Keep only these blocks."""
        self._set_points(self.points[blocks])
        self._center(self._centers[blocks])
        self.set_bounds(self._lower[:, blocks], self._upper[:, blocks])
        self._capital = np.ascontiguousarray(self._capital[..., blocks])

    def _set_points(self, points: FloatArray) -> None:
        self.points, self._columns = points, np.ascontiguousarray(points.T)

    def _center(self, centers: FloatArray) -> None:
        self._centers, self._squared_centers = centers, centers**2

    def update(self, terms: FloatArray) -> None:
        """Bet on one draw, given by a₀, a₁, b₀, b₁ with Z_k(G) = a_k − G b_k.

        With a column for each block, (4, n_blocks), every block is an evaluation of its own; simulations run
        many at once in this way.
        """
        terms = terms.reshape(4, -1)
        strength, stake = self._stakes()
        a = terms[0] + strength * (terms[1] - terms[0])
        b = terms[2] + strength * (terms[3] - terms[2])
        z = a - self._columns * b
        factors = stake * z[:, np.newaxis]
        if self._n_draws < self._deadlines.early_draws:
            plain = terms[0] - self._columns * terms[2]
            factors[:, self._early] = self._plain_stakes() * plain[:, np.newaxis]
        factors += 1
        self._capital *= factors
        # A rounding error below 0 becomes 0.
        np.clip(self._capital, 0.0, _CAP, out=self._capital)
        self._sums = self._sums + terms[_FIRST] * terms[_SECOND]
        self._n_draws += 1

    def _stakes(self) -> tuple[FloatArray, FloatArray]:
        """Return κ, (n_blocks,), and λ, (n_components, n_blocks), from the past only."""
        sums = self._sums
        spreads = sums[:3] - self._centers * (sums[3:6] + sums[6:9]) + self._squared_centers * sums[9:]
        s00, s01, s11 = spreads + self._prior
        strength, variance = np.zeros_like(s00), s00
        if self._promised is not None:
            strength, variance = best_mixture(s00, s01, s11)
        rest, variance = 1 - strength, variance / (self._n_draws + PRIOR_DRAWS)
        least = rest * self._lower[0] + strength * self._lower[1]
        greatest = rest * self._upper[0] + strength * self._upper[1]
        worst, magnitude = self._largest_losses(least, greatest)
        spread = np.maximum(variance, 1e-18 * magnitude**2)
        wanted = [np.sqrt(self._goal / (HORIZONS[:, np.newaxis] * spread))] * self._n_sides
        if self._deadlines.firsts.size:
            wanted.append(self._timed_stakes(spread))
        limit = (LARGEST_STAKE / worst)[self._side_of]
        return strength, self._side * np.minimum(np.concatenate(wanted), limit)

    def _largest_losses(self, least: FloatArray, greatest: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the most that each side can lose per stake, (n_sides, n_blocks), and the size of Z."""
        magnitude = np.maximum(-least, greatest)
        magnitude = np.where(magnitude > 0, magnitude, 1.0)
        # If Z can't be negative, no stake is too large, but the stake must be finite.
        worst = np.where(self._sides > 0, -least, greatest)
        return np.maximum(worst, 1e-9 * magnitude), magnitude

    def _plain_stakes(self) -> FloatArray:
        """Return the constant stakes on Z₀, (n_sides * n_early, n_blocks)."""
        worst, magnitude = self._largest_losses(self._lower[0], self._upper[0])
        # No larger, so that terms that are 0 but for rounding change no wealth.
        worst = np.maximum(worst, _LEAST_WORST * magnitude)
        stakes: FloatArray = self._early_stakes / worst[self._side_of[self._early]]
        return stakes

    def _timed_stakes(self, spread: FloatArray) -> FloatArray:
        """Return the stakes of the components with deadlines, (n_timed, n_blocks)."""
        # Use the end of the block with the smaller chance, since the whole block is to be excluded.
        ends = self._capital[:: max(len(self._capital) - 1, 1)]
        share = self._share[self._timed :, np.newaxis]
        own = ends[:, self._timed :]
        whole = self._mixed(ends)
        goal = next_goal(np.minimum(whole[0], whole[-1]), 1 / (1 - self._level))
        chance = chances(own, whole[:, np.newaxis] - share * own, share, goal)
        if self._n_draws >= self._next_deadlines.min():
            self._next_deadlines = self._deadlines.after(self._n_draws)
        variance = (self._next_deadlines - self._n_draws)[:, np.newaxis] * spread
        return deadline_stakes(np.minimum(chance[0], chance[-1]), variance, self._n_sides)

    def at_points(self) -> FloatArray:
        """Return the total wealth at each candidate, (n_blocks, n_points), from an initial 1."""
        return self._mixed(self._capital).T

    def in_cells(self) -> FloatArray:
        """Return a lower bound of the wealth between neighboring candidates, (n_blocks, n_points − 1)."""
        return self._mixed(np.minimum(self._capital[:-1], self._capital[1:])).T

    def _mixed(self, capital: FloatArray) -> FloatArray:
        """Return the total of the components' wealth, (n_points, n_blocks)."""
        return np.asarray(np.einsum("k,pkb->pb", self._share, capital))


def best_mixture(s00: FloatArray, s01: FloatArray, s11: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the κ that minimizes the second moment of (1 − κ) Z₀ + κ Z₁, and that moment."""
    curvature = s00 - 2 * s01 + s11
    strength: FloatArray = np.zeros_like(s00)
    np.divide(s00 - s01, curvature, out=strength, where=curvature > 0)
    np.clip(strength, 0.0, 1.0, out=strength)
    rest = 1 - strength
    return strength, rest**2 * s00 + 2 * rest * strength * s01 + strength**2 * s11


def candidate_grid(
    least: float, greatest: float, center: float, n_cells: int, spread: float | None = None
) -> FloatArray:
    """Return candidates from `least` to `greatest`, four or more times denser at `center` than on average."""
    center = min(max(center, least), greatest)
    scale = (greatest - least if spread is None else spread) / 50
    ends = np.arcsinh((np.array([least, greatest]) - center) / scale)
    grid: FloatArray = center + scale * np.sinh(np.linspace(ends[0], ends[1], n_cells + 1))
    grid[0], grid[-1] = least, greatest
    return grid
