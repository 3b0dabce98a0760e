"""Samples with known inclusion probabilities, as draws without replacement from one distribution.

Each instance got into the sample independently, with probability π: as if it had arrived after an exponential
time with the rate λ = −log(1 − π), and all that arrived until time 1 were taken. Whatever came before, and
whenever, the next one to arrive is x with probability λ(x)/Σ λ over those that are still to come. So in order
of arrival the sample is a sequence of draws without replacement from q ∝ λ, and where it ends does not depend
on what would have come next. Given that x is in the sample, its time is exponential and at most 1, so that it
can be drawn afterward.
"""

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray

MAX_INCLUSION = 0.99
"""Instances that were certain to be taken have no finite rate: one in a hundred is left out at random."""


def rates_of_inclusion(probabilities: FloatArray) -> FloatArray:
    """Return λ of each instance, (n_instances,), for inclusion probabilities above 0."""
    rates: FloatArray = -np.log1p(-np.minimum(probabilities, MAX_INCLUSION))
    return rates


def order_of_arrival(sample: IntArray, probabilities: FloatArray, rng: np.random.Generator) -> IntArray:
    """Return the sample in random order of arrival, by two uniform numbers for each; see the module.

    Some may be left out, so that their inclusion probability is `MAX_INCLUSION`.
    """
    given = probabilities[sample]
    kept = rng.random(sample.size) * given < MAX_INCLUSION
    if not kept.any():  # one in a hundred samples of a single instance that was certain
        kept[:] = True
    times = -np.log1p(-rng.random(sample.size) * np.minimum(given, MAX_INCLUSION))
    times /= rates_of_inclusion(given)
    order = np.argsort(times, kind="stable")
    found: IntArray = sample[order][kept[order]]
    return found
