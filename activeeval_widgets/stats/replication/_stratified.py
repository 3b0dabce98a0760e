"""A baseline: stratified sampling with an allocation that follows the labels (Bennett & Carvalho 2010)."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray

N_STRATA = 10
"""The number of strata of equal size, formed by the loss that the model expects (a classifier's
confidence)."""


class StratifiedRun(NamedTuple):
    """Many stratified evaluations at once: the draws, and estimates after given numbers of draws."""

    draws: IntArray
    """(n_replications, n_draws)"""
    values: FloatArray
    """(n_counts, n_replications)"""
    errors: FloatArray
    """Standard errors, (n_counts, n_replications)"""


def stratified_run(
    losses: FloatArray,
    score: FloatArray,
    prior_variance: float,
    counts: IntArray,
    n_replications: int,
    rng: np.random.Generator,
) -> StratifiedRun:
    """Draw from strata by score, always from the one whose next draw reduces the variance most.

    The estimate is Σ W_h mean_h; a draw in stratum h reduces its variance by W_h² s_h² / (n_h (n_h + 1)). The
    variances s_h² are estimated from the labels so far, with two pseudo-draws of the prior variance each.
    Bennett & Carvalho, *Online stratified sampling: evaluating classifiers at web-scale*, CIKM 2010.
    """
    n_instances = losses.size
    n_strata = min(N_STRATA, n_instances)
    members = np.argsort(score, kind="stable")
    starts = np.arange(n_strata) * n_instances // n_strata
    sizes = np.diff(np.append(starts, n_instances))
    share = sizes / n_instances
    n_draws = int(counts[-1])
    draws = np.empty((n_replications, n_draws), dtype=np.intp)
    drawn = np.zeros((n_replications, n_strata))
    total = np.zeros_like(drawn)
    square = np.zeros_like(drawn)
    values = np.empty((len(counts), n_replications))
    errors = np.empty_like(values)
    rows = np.arange(n_replications)
    wanted = {int(count): position for position, count in enumerate(counts)}

    def variances() -> FloatArray:
        spread = np.maximum(square - total**2 / np.maximum(drawn, 1), 0)
        return np.asarray((spread + 2 * prior_variance) / (drawn + 2))

    for step in range(n_draws):
        if step < n_strata:
            chosen = np.full(n_replications, step)
        else:
            gain = share**2 * variances() / (drawn * (drawn + 1))
            # Break ties at random, so that the first stratum is not preferred.
            chosen = np.argmax(gain * (1 + 1e-9 * rng.random(gain.shape)), axis=1)
        within = (rng.random(n_replications) * sizes[chosen]).astype(np.intp)
        instance = members[starts[chosen] + within]
        draws[:, step] = instance
        loss = losses[instance]
        drawn[rows, chosen] += 1
        total[rows, chosen] += loss
        square[rows, chosen] += loss**2
        if step + 1 in wanted:
            at = wanted[step + 1]
            seen = drawn > 0
            weight = np.where(seen, share, 0.0)
            weight /= weight.sum(axis=1, keepdims=True)
            count = np.maximum(drawn, 1)
            values[at] = (weight * total / count).sum(axis=1)
            errors[at] = np.sqrt((weight**2 * variances() / count).sum(axis=1))
    return StratifiedRun(draws, values, errors)
