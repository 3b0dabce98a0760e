"""The first draws of a session that begins with a random sample of labels."""

from collections.abc import Sequence

import numpy as np

from activeeval_widgets.session.draws.protocol import Block
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive.draw_terms import left_over
from activeeval_widgets.stats.drawing.inclusion import order_of_arrival, rates_of_inclusion


def q_of_sample(pool: Pool, n_rows: int) -> FloatArray:
    """Return the distribution that the sample is drawn from without replacement, (n_rows,)."""
    probabilities = _probabilities(pool)
    if probabilities is None:
        return np.full(n_rows, 1 / pool.n_instances)
    rates = rates_of_inclusion(probabilities)
    rates /= rates.sum()
    return rates


def block_of_sample(pool: Pool, sample: Sequence[int], q: FloatArray, rng: np.random.Generator) -> Block:
    """Return the sample in random order, in which it is a sequence of draws without replacement from q."""
    probabilities = _probabilities(pool)
    if probabilities is None:
        left = pool.n_instances - np.arange(len(sample))
        return Block(1, rng.permutation(sample).tolist(), (1 / left).tolist(), 1 / int(left[0]))
    draws = order_of_arrival(np.array(sample, dtype=np.intp), probabilities, rng)
    own = np.minimum(q[draws] / left_over(q, draws), 1.0)
    return Block(1, draws.tolist(), own.tolist(), float(q.min()))


def _probabilities(pool: Pool) -> FloatArray | None:
    return None if pool.known is None else pool.known.probabilities
