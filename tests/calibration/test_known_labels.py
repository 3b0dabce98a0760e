"""Sessions that begin with labels that there are already: how often the truth is left out."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate, pool_value

M, N_SESSIONS, LEVEL = 150, 40, 0.8


def misses(*, drawn, only_right=False, n_known=40, n_asked=8):
    """How many sessions leave the truth out at the end of their labels; the model is overconfident.

    With `drawn` None, each instance is in the sample by a probability of its own, less if the model is sure.
    """
    missed = 0
    for seed in range(N_SESSIONS):
        rng = np.random.default_rng([8, seed])
        p = rng.beta(0.7, 0.7, M)
        true = (rng.random(M) < p).astype(int)
        predicted = p**3 / (p**3 + (1 - p) ** 3)
        model = ClassPredictions(np.column_stack([1 - predicted, predicted]))
        of = np.flatnonzero((p > 0.5) == true) if only_right else np.arange(M)
        labels = {str(index): int(true[index]) for index in rng.choice(of, n_known, replace=False)}
        chances = drawn
        if drawn is None:
            chances = np.where(np.abs(predicted - 0.5) < 0.3, 0.6, 0.15)
            labels = {str(index): int(true[index]) for index in np.flatnonzero(rng.random(M) < chances)}
        pool = Pool(range(M), predictions=model, kind="custom", labels=labels, drawn=chances)
        session = Session(pool, ErrorRate(), seed=seed, confidence_level=LEVEL)
        for _ in range(n_asked):
            session.label(int(true[session.next().index]))
        found = session.estimate()
        missed += not found.low <= pool_value(ErrorRate(), model, true) <= found.high
    return missed


MOST = int(binom.ppf(1 - 1e-6, N_SESSIONS, 1 - LEVEL))


def test_a_uniform_sample_keeps_the_guarantee():
    assert misses(drawn="uniformly") <= MOST


def test_a_sample_with_known_probabilities_keeps_the_guarantee():
    assert misses(drawn=None) <= MOST


@pytest.mark.parametrize("drawn", ["uniformly", "unknown"])
def test_a_chosen_sample_spoils_it_only_where_it_is_called_uniform(drawn):
    """Labels of right predictions alone: called uniform, they leave the truth out; else they can't."""
    missed = misses(drawn=drawn, only_right=True)
    assert (missed > MOST) == (drawn == "uniformly")
