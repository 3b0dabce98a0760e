"""Draws from an instrumental distribution, and their importance weights."""

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count, check_draws, check_q, check_rng


def draw(q: ArrayLike, n_draws: int, rng: np.random.Generator) -> IntArray:
    """Draw instances with replacement.

    Each draw inverts the distribution function at one uniform number from `rng`, so that drawing in pieces
    gives the same sequence as drawing at once.

    Parameters
    ----------
    q : array-like of shape (n_instances,)
        The instrumental distribution.
    n_draws : int
        The number of draws.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    ndarray of shape (n_draws,)
        Indices into the pool. An instance with q = 0 is never drawn.

    Raises
    ------
    ValueError, TypeError
        If q is not a distribution, the number of draws is negative, or `rng` is not a generator.

    See Also
    --------
    importance_weights : The weight of each draw.
    draw_without_replacement : For an adaptive q.

    References
    ----------
    T, 4.1: draws are independent, with replacement.

    Examples
    --------
    >>> draw([0.5, 0.0, 0.5], 5, np.random.default_rng(0))
    array([2, 0, 0, 0, 2])
    """
    distribution = check_q(q)
    count = check_count("n_draws", n_draws)
    uniform = check_rng(rng).random(count)
    cumulative = distribution.cumsum()
    cumulative /= cumulative[-1]
    return np.searchsorted(cumulative, uniform, side="right")


def importance_weights(q: ArrayLike, draws: ArrayLike) -> FloatArray:
    """Compute the importance weights p/q of draws, where p is uniform over the pool.

    Parameters
    ----------
    q : array-like of shape (n_instances,)
        The instrumental distribution that the draws come from.
    draws : array-like of shape (n_draws,)
        Indices into the pool.

    Returns
    -------
    ndarray of shape (n_draws,)

    Raises
    ------
    ValueError
        If a draw is outside the pool, or has q = 0.

    See Also
    --------
    draw : Make the draws.

    References
    ----------
    T, eq. 3.11.

    Examples
    --------
    >>> importance_weights([0.5, 0.25, 0.25], [0, 1]).round(3)
    array([0.667, 1.333])
    """
    distribution = check_q(q)
    weights: FloatArray = 1 / (distribution.size * distribution[check_draws(draws, distribution)])
    return weights
