"""A sample of labeled draws from the models' plug-in distribution, used for planning."""

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.questions.target import Target

_SEED = 20260101
"""A fixed seed: the sample serves for numerical integration and is always the same."""


def plug_in_sample(
    target: Target,
    q: FloatArray,
    n_draws: int | None = None,
    y_range: tuple[float, float] | None = None,
    power: float = 1.0,
) -> tuple[FloatArray, IntArray] | None:
    """Return statistics of draws from q with labels as the models expect them (T, 4.2.2), and the draws.

    Instances are drawn systematically, in pool order; by default `Belief.n_samples`. For `power` see
    `Belief.tempered`.
    """
    belief = mixture(target.models)
    if not belief.is_known:
        return None
    if power != 1:
        belief = belief.tempered(power)
    if n_draws is None:
        n_draws = belief.n_samples
    rng = np.random.default_rng(_SEED)
    positions = (np.arange(n_draws) + rng.random()) / n_draws
    cumulative = np.cumsum(q)
    draws = np.searchsorted(cumulative, positions * cumulative[-1], side="right")
    # A rounding error must not reach an instance with q = 0 at the end of the pool.
    draws = np.minimum(draws, int(np.flatnonzero(q)[-1]))
    return target.statistics(belief.sample(draws, rng, y_range), draws), draws
