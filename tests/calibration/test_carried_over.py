"""Pairs of sessions: the errors that the first one found are repaired, and its labels carried over."""

import numpy as np
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import ErrorRate, pool_value

M, N_PAIRS, LEVEL = 40, 80, 0.8


def a_pool(rows, message, **options):
    return Pool(
        [f"text {row}" for row in rows], predictions=np.column_stack([1 - message, message])[rows], **options
    )


def label_some(session, n, y):
    for _ in range(n):
        session.label(int(y[int(session.pool.excerpt(session.next().index).split()[1])]))
    return session


def test_the_guarantee_holds_where_found_errors_were_repaired():
    missed = n_free = 0
    for seed in range(N_PAIRS):
        rng = np.random.default_rng([28, seed])
        p = rng.beta(0.5, 0.5, 2 * M)
        y = (rng.random(2 * M) < p).astype(int)
        result = p**3 / (p**3 + (1 - p) ** 3)
        first = label_some(Session(a_pool(np.arange(M), result), ErrorRate(), seed=seed), 10, y)
        known = [*first.log.state.labels]
        repaired = result.copy()
        repaired[known] = np.where((result[known] > 0.5) == y[known], result[known], 1 - result[known])
        rows = rng.permutation(
            np.r_[known, rng.choice(np.setdiff1d(np.arange(2 * M), known), M - 10, replace=False)]
        )
        pool = a_pool(rows, repaired)
        second = Session(pool, ErrorRate(), seed=seed, after=first, confidence_level=LEVEL)
        found = label_some(second, 8, y).estimate()
        n_free += second.log.n_known_before
        missed += not found.low <= pool_value(ErrorRate(), pool.models[0], y[rows]) <= found.high
    assert missed <= binom.ppf(1 - 1e-6, N_PAIRS, 1 - LEVEL)
    assert n_free > 5 * N_PAIRS
