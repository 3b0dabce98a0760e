"""Bets with deadlines in adaptive sessions, watched at every draw: held to an exact binomial bound.

Many sessions at once are blocks of the same bets, each at the truth. What is expected, q and the weight
of each term follow from the labels before, as in a session. Whatever rule one stops by, the truth must hardly
ever be excluded at all.
"""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.deadlines import ADAPTIVE_ALLOCATION, deadlines_of

N_SESSIONS, N_DRAWS, N_INSTANCES, DEADLINE = 400, 60, 200, 40
LEVEL = 0.9
MAX_WRONG = int(binom.ppf(1 - 1e-6, N_SESSIONS, 1 - LEVEL))
"""More happen once in a million test runs, if the level holds."""


def pools():
    """Of each pool the expected errors, the errors, and what can be labeled."""
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 2.0, N_INSTANCES)
    error = rng.random(N_INSTANCES) < p
    all_can = np.ones(N_INSTANCES, dtype=bool)
    few = np.zeros(N_INSTANCES, dtype=bool)
    few[::40] = True
    return {
        "calibrated": (p, error, all_can),
        "far too sure": (p**6, error, all_can),
        "not sure at all": (np.full(N_INSTANCES, 0.5), error, all_can),
        "misleading": (1 - p, error, all_can),
        "rare errors where it is sure": (np.where(few, 0.001, p), few, all_can),
        "errors can't be labeled": (p**6, error, ~error | (rng.random(N_INSTANCES) < 0.5)),
        "one error": (p, np.arange(N_INSTANCES) == 7, all_can),
    }


POOLS = pools()


def excluded_in(pool, off=0.0, seed=3, declared=(DEADLINE,)):
    """In how many sessions truth + off is excluded at some draw; and the capital in each at the last one."""
    result, error, can = POOLS[pool]
    rng = np.random.default_rng(seed)
    truth = float(error[can].mean()) + off
    points = np.tile([truth, truth + 1e-9], (N_SESSIONS, 1))
    first_variance = N_INSTANCES * float(
        (np.clip(result, 0.01, 0.99) * (1 - np.clip(result, 0.01, 0.99))).sum()
    )
    promised = first_variance / N_INSTANCES**2
    zeros = np.zeros((2, N_SESSIONS))
    players = deadlines_of(declared, ADAPTIVE_ALLOCATION)
    bets = Bets(points, zeros, zeros, (2 * promised, promised), LEVEL, deadlines=players)
    rest = np.ones((N_SESSIONS, N_INSTANCES), dtype=bool)
    n_seen, n_said = np.ones(N_SESSIONS), np.ones(N_SESSIONS)
    known = np.zeros((2, N_SESSIONS))
    wrong, rows = np.zeros(N_SESSIONS, dtype=bool), np.arange(N_SESSIONS)
    for n in range(N_DRAWS):
        expected = np.clip(result * (n_seen / n_said)[:, np.newaxis], 0.01, 0.99)
        spread = np.sqrt(expected * (1 - expected)) * rest
        share = max(0.2, 2 / (2 + n))
        q = (1 - share) * spread / spread.sum(axis=1, keepdims=True) + share * rest / (N_INSTANCES - n)
        drawn = (q.cumsum(axis=1) < rng.random((N_SESSIONS, 1))).sum(axis=1)
        drawn = np.where(rest[rows, np.minimum(drawn, N_INSTANCES - 1)], drawn, rest.argmax(axis=1))
        inverse = np.divide(1, q, out=np.zeros_like(q), where=rest)
        variance = (spread**2 * inverse).sum(axis=1)
        weight = (2 + n) / (15 + n) * first_variance / np.maximum(variance, 1)
        left = np.stack([(expected * rest).sum(axis=1), np.full(N_SESSIONS, N_INSTANCES - n)])
        # The bounds over all that is left, whatever its label is, or none.
        plain = known[0] - truth * known[1]
        adjusted = plain + left[0] - truth * left[1]
        least = np.stack([plain - truth * inverse.max(axis=1), adjusted - (expected * inverse).max(axis=1)])
        most = np.stack([plain + (1 - truth) * inverse.max(axis=1),
                         adjusted + ((1 - expected) * inverse * rest).max(axis=1)])  # fmt: skip
        scale = weight / N_INSTANCES
        bets.set_bounds(least * scale - 1e-9, most * scale + 1e-9)
        outcome = np.stack([error[drawn] & can[drawn], can[drawn]]).astype(float)
        taken, believed = inverse[rows, drawn], np.stack([expected[rows, drawn], np.ones(N_SESSIONS)])
        first, second = known + outcome * taken, known + left + (outcome - believed) * taken
        bets.update(scale * np.stack([first[0], second[0], first[1], second[1]]))
        wrong |= bets.in_cells()[:, 0] >= 1 / (1 - LEVEL)
        known = known + outcome
        n_seen, n_said = n_seen + outcome[0], n_said + result[drawn]
        rest[rows, drawn] = False
    return int(wrong.sum()), bets.at_points()[:, 0]


@pytest.mark.parametrize("declared", [None, (DEADLINE,)])
@pytest.mark.parametrize("pool", POOLS)
def test_the_truth_is_hardly_ever_excluded(pool, declared):
    wrong, capital = excluded_in(pool, declared=declared)
    assert wrong <= MAX_WRONG
    # The mean of a martingale stays 1, and that of what is below a bound is no larger.
    assert np.minimum(capital, 10).mean() < 1.3


def test_what_is_not_true_is_excluded():
    assert excluded_in("calibrated", 0.2)[0] > 0.9 * N_SESSIONS
    assert excluded_in("far too sure", 0.25)[0] > 0.5 * N_SESSIONS
