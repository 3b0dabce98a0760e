"""Moments of losses that are polynomials between breaks, for labels from a Gaussian."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Moments

Polynomial = tuple[float, float, float]
"""c₀, c₁, c₂ of c₀ + c₁ u + c₂ u², where u = y − f(x)."""


def moments_of_pieces(
    signs: FloatArray,
    distances: FloatArray,
    variance: FloatArray,
    offset: float,
    *,
    breaks: Sequence[float],
    pieces: Sequence[Polynomial],
) -> Moments:
    """Return moments of s = Σ sign · loss(y − f) − offset with y ~ N(μ, σ²), in closed form.

    `distances` are f − μ, (n_terms, n_instances). The loss is a polynomial in u = y − f, another one after
    each of the ascending `breaks`.
    """
    deviation = np.sqrt(variance)
    n_terms, n_instances = distances.shape
    knots = (distances[:, np.newaxis] + np.asarray(breaks)[:, np.newaxis]).reshape(-1, n_instances)
    owner = np.repeat(np.arange(n_terms), len(breaks))
    order = np.argsort(knots, axis=0, kind="stable")
    knots, owner = np.take_along_axis(knots, order, axis=0), owner[order]
    table = np.asarray(pieces, dtype=np.float64)
    passed = np.zeros((n_terms, n_instances), dtype=np.intp)
    first, second = np.zeros((2, n_instances))
    for piece in range(len(knots) + 1):
        if piece:
            passed[owner[piece - 1], np.arange(n_instances)] += 1
        # In ε = y − μ = u + (f − μ), standardized: powers of t = ε/σ.
        c0, c1, c2 = np.moveaxis(table[passed], -1, 0)
        level = signs @ (c0 - c1 * distances + c2 * distances**2) - offset
        slope = (signs @ (c1 - 2 * c2 * distances)) * deviation
        bend = (signs @ c2) * variance
        low = _standardized(knots[piece - 1], deviation) if piece else np.full(n_instances, -np.inf)
        high = _standardized(knots[piece], deviation) if piece < len(knots) else np.full(n_instances, np.inf)
        m0, m1, m2, m3, m4 = _truncated_moments(low, high)
        first += level * m0 + slope * m1 + bend * m2
        second += level**2 * m0 + 2 * level * slope * m1 + (slope**2 + 2 * level * bend) * m2
        second += 2 * slope * bend * m3 + bend**2 * m4
    # Cancellation can leave a rounding error below 0.
    return Moments(first, np.maximum(second, 0))


def _standardized(knot: FloatArray, deviation: FloatArray) -> FloatArray:
    """Return knot/σ; ±∞ where σ = 0 (there, a knot at the label itself may count on either side)."""
    infinite = np.where(knot > 0, np.inf, -np.inf)
    with np.errstate(over="ignore"):
        return np.divide(knot, deviation, out=infinite, where=deviation > 0)


def _truncated_moments(low: FloatArray, high: FloatArray) -> tuple[FloatArray, ...]:
    """Return ∫ tⁱ φ(t) dt from `low` to `high` for i = 0, …, 4."""
    # Computed in the tail where it is small: Φ(40) − Φ(39) is 0, Φ(−39) − Φ(−40) is not.
    mass = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low))
    density_low, density_high = _density(low), _density(high)
    low, high = _finite(low), _finite(high)
    mean = density_low - density_high
    square = mass + low * density_low - high * density_high
    cube = 2 * mean + low**2 * density_low - high**2 * density_high
    fourth = 3 * square + low**3 * density_low - high**3 * density_high
    return mass, mean, square, cube, fourth


def _density(t: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-0.5 * np.minimum(np.abs(t), 50.0) ** 2) / np.sqrt(2 * np.pi))


def _finite(t: FloatArray) -> FloatArray:
    return np.clip(t, -50.0, 50.0)
