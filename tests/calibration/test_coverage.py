"""Coverage over thousands of seeded replications, held to an exact binomial bound."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    draw,
    estimate,
    optimal_q,
    pool_value,
    uniform_q,
)

N_REPLICATIONS = 2000


def least_covered(level: float, n_replications: int = N_REPLICATIONS) -> int:
    """How many intervals cover at least, but once in a million test runs, if the level holds."""
    return int(binom.ppf(1e-6, n_replications, level))


@pytest.fixture(scope="module")
def pool():
    """A calibrated classifier on 2,000 instances: labels follow its probabilities."""
    rng = np.random.default_rng(2024)
    proba = rng.beta(0.8, 0.8, 2000)
    predictions = ClassPredictions(np.column_stack([1 - proba, proba]))
    return predictions, (rng.random(2000) < proba).astype(int)


@pytest.mark.parametrize("design", ["passive", "active"])
def test_wald_covers_where_it_should(pool, design):
    """300 draws and an error rate near 0.25: the normal approximation is at ease (94 % allows for it)."""
    predictions, y_true = pool
    q = uniform_q(2000) if design == "passive" else optimal_q(ErrorRate(), predictions)
    truth = pool_value(ErrorRate(), predictions, y_true)
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(N_REPLICATIONS):
        draws = draw(q, 300, rng)
        result = estimate(ErrorRate(), predictions, q, draws, y_true[draws])
        covered += result.low <= truth <= result.high
    assert covered >= least_covered(0.94)
    # And not by being wide: a 95 % interval that always covers is no 95 % interval.
    assert covered <= binom.ppf(1 - 1e-6, N_REPLICATIONS, 0.96)
