"""Sampling designs, as a mean over the pool needs them: with or without replacement."""

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats._validation import check_count, check_weights
from activeeval_widgets.stats.adaptive.estimator import check_q_draws


class DrawDesign(Protocol):
    """Draws, each with its coefficient in a mean over the pool."""

    coefficients: FloatArray
    """A share of the pool is Σ coefficient · indicator / Σ coefficient; means are formed likewise."""
    is_whole: bool
    """Whether the whole pool was drawn, so that the variance is 0."""

    def variance(self, derivatives: FloatArray, has_opinion: BoolArray, is_used: BoolArray) -> float:
        """Return the variance of a statistic with these derivatives by the coefficients, to first order.

        Of the draws that could have been used (`has_opinion`), some were chosen at random (`is_used`).
        """


class WithReplacement:
    """Independent draws from one q, with the weights p/q."""

    is_whole = False

    def __init__(self, weights: FloatArray) -> None:
        self.coefficients = weights

    def variance(self, derivatives: FloatArray, has_opinion: BoolArray, is_used: BoolArray) -> float:  # noqa: ARG002
        """Return Σ (weight · derivative)²; see `DrawDesign`."""
        return float(np.square(self.coefficients * derivatives).sum())


class WithoutReplacement:
    """Draws one after another from what is left, with probabilities that may depend on earlier draws.

    Given the past, Y_t = (Σ_drawn z + z_t / q_t) / m has the pool's mean of z as its expectation. The Y_t are
    averaged with weights ∝ 1/((m − t + 1)(m − t)), which gives uniform draws equal weights (LURE), and the
    whole pool's mean once everything is drawn.

    Farquhar, Gal & Rainforth, *On statistical bias in active learning*, ICLR 2021; Kossen et al., *Active
    testing*, ICML 2021.
    """

    def __init__(self, q_draws: FloatArray, n_instances: int) -> None:
        n_draws = q_draws.size
        self._q_draws, self._n_instances = q_draws, n_instances
        self.is_whole = n_draws == n_instances
        left = n_instances - np.arange(n_draws)
        if self.is_whole:
            weights = np.zeros(n_draws)
            weights[-1:] = 1
        else:
            weights = 1 / (left * (left - 1.0))
            weights /= weights.sum()
        self._weights = weights
        later = weights[::-1].cumsum()[::-1] - weights
        self.coefficients: FloatArray = (weights / q_draws + later) / n_instances

    def variance(self, derivatives: FloatArray, has_opinion: BoolArray, is_used: BoolArray) -> float:
        """Return the variance from the draws and from the choice of the used ones; see `DrawDesign`."""
        share = is_used.sum() / has_opinion.sum()
        before = derivatives.cumsum() - derivatives
        own = derivatives / self._q_draws
        # The expected square over the draw; whether a draw is used counts once here and again in `used`.
        squares = before**2 + 2 * before * own + share * own**2
        drawn = float(self._weights**2 @ squares) / self._n_instances**2
        used = (1 - share) * float(np.square(self.coefficients * derivatives).sum())
        return max(drawn, 0.0) + float(used)


def make_design(
    n_draws: int, weights: ArrayLike | None, q_draws: ArrayLike | None, n_instances: int | None
) -> DrawDesign:
    """Return the design that the arguments describe, unweighted draws if there are none."""
    if q_draws is None:
        if n_instances is not None:
            raise TypeError("n_instances goes with q_draws, the probabilities of draws without replacement")
        return WithReplacement(np.ones(n_draws) if weights is None else check_weights(weights, n_draws))
    if weights is not None:
        raise TypeError("give weights (draws with replacement) or q_draws (without), not both")
    if n_instances is None:
        raise TypeError("q_draws needs n_instances, the size of the pool")
    pool = check_count("n_instances", n_instances, minimum=1)
    if n_draws > pool:
        raise ValueError(f"ratings has {n_draws} draws, but without replacement there are at most {pool}")
    return WithoutReplacement(check_q_draws(q_draws, n_draws), pool)
