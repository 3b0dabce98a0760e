"""Wald intervals of heavy-tailed errors say when they are not to be relied on: exact binomial bounds."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    ClippedSquaredError,
    Estimate,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.limit_conditions import NO_LARGER, UNRELIABLE

SIZE, N_SESSIONS, AT = 1500, 100, (50, 100, 200, 300)
Errors = Callable[[np.random.Generator, FloatArray], FloatArray]

HEAVY: dict[str, Errors] = {
    "Pareto": lambda rng, _: rng.pareto(2.2, SIZE) * rng.choice([-1, 1], SIZE),
    "lognormal, as variances say": lambda rng, v: np.sqrt(v) * rng.lognormal(0, 1.2, SIZE),
    "t, contrary to the variances": lambda rng, v: rng.standard_t(2.3, SIZE) / v**0.25,
    "large errors where the model is sure": lambda rng, v: (
        np.sqrt(v) * rng.normal(size=SIZE) + 8 * (rng.random(SIZE) < 0.02) * (v < 1)
    ),
}


def sessions(errors: Errors) -> tuple[float, list[list[Estimate]]]:
    """Return the true value, and the estimates at the numbers of labels `AT` of each session."""
    rng = np.random.default_rng(41)
    mean, variance = 3 * rng.normal(size=SIZE), rng.lognormal(0, 1, SIZE)
    measure, model = SquaredError(), ValuePredictions(mean, variance)
    y_true = mean + errors(rng, variance)
    found = []
    for session in range(N_SESSIONS):
        rng = np.random.default_rng([42, session])
        draws, q_draws = np.empty(0, dtype=np.intp), np.empty(0)
        while len(draws) < AT[-1]:
            q = adaptive_q(measure, model, draws, y_true[draws])
            more, of_more = draw_without_replacement(
                q, min(max(16, len(draws) // 4), AT[-1] - len(draws)), rng
            )
            draws, q_draws = np.concatenate([draws, more]), np.concatenate([q_draws, of_more])
        found.append(estimate_adaptive(measure, model, draws, q_draws, y_true[draws], at=AT))
    return pool_value(measure, model, y_true), found


@pytest.mark.parametrize("name", HEAVY)
def test_wrong_intervals_are_called_unreliable(name: str) -> None:
    truth, found = sessions(HEAVY[name])
    wrong = np.array([[not each.low <= truth <= each.high for each in row] for row in found])
    called = np.array([[each.reason == UNRELIABLE for each in row] for row in found])
    assert all(each.reason in (UNRELIABLE, NO_LARGER) for row in found for each in row)
    # More happen once in ten thousand test runs, if the share is 6 %.
    assert (wrong & ~called).sum(axis=0).max() <= binom.ppf(1 - 1e-4, N_SESSIONS, 0.06)
    # Without saying so, they would be wrong too often.
    assert wrong.sum(axis=0).max() > binom.ppf(1 - 1e-4, N_SESSIONS, 0.06)


def test_normal_errors_are_not_called_unreliable() -> None:
    truth, found = sessions(lambda rng, _: rng.normal(size=SIZE))
    last = [row[-1] for row in found]
    wrong = sum(not each.low <= truth <= each.high for each in last)
    assert wrong <= binom.ppf(1 - 1e-4, N_SESSIONS, 0.06)
    assert sum(each.reason == NO_LARGER for each in last) >= binom.ppf(1e-4, N_SESSIONS, 0.75)
    assert all(row[0].reason == UNRELIABLE for row in found)


def test_it_is_in_the_report() -> None:
    rng = np.random.default_rng(1)
    model = ValuePredictions(rng.normal(size=60), np.ones(60))
    pool = Pool([{"x": i} for i in range(60)], predictions=model)
    for measure, expected in ((SquaredError(), UNRELIABLE), (ClippedSquaredError(2.0), None)):
        session = Session(pool, measure, y_range=(-9, 9))
        for _ in range(20):
            session.label(0.5)
        assert session.estimate(interval="wald").reason == expected
        assert (UNRELIABLE in session.report("markdown")) == bool(expected)
        for _ in range(40):
            session.label(0.5)
        assert session.estimate(interval="wald").reason is None
        assert UNRELIABLE not in session.report("markdown")
