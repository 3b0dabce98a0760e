"""Watched at every draw: how often a confidence sequence is ever wrong, held to an exact binomial bound.

Many sessions at once are blocks of the same bets: each holds the candidates around the truth.
"""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    Recall,
    SquaredError,
    ValuePredictions,
    draw,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.betting import Bets
from activeeval_widgets.stats.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.target import Target

N_SESSIONS = 2000
N_DRAWS = 300
LEVEL = 0.95
MOST_WRONG = int(binom.ppf(1 - 1e-6, N_SESSIONS, 1 - LEVEL))
"""More happen once in a million test runs, if the level holds."""


def two_columns(p):
    return np.column_stack([1 - p, p])


def make_settings():
    rng = np.random.default_rng(77)
    p = rng.beta(0.8, 0.8, 1000)
    y = (rng.random(1000) < p).astype(int)
    model = ClassPredictions(two_columns(p))
    sharp = ClassPredictions(two_columns(p**4 / (p**4 + (1 - p) ** 4)))
    rare = rng.beta(0.15, 3.0, 1000)
    positives = (rng.random(1000) < rare).astype(int)
    rare_model = ClassPredictions(two_columns(rare), y_pred=(rare > 0.25).astype(int))
    second = ClassPredictions(two_columns(np.clip(p + rng.normal(0, 0.15, 1000), 0, 1)))
    mean = rng.normal(size=1000)
    values = ValuePredictions(mean, variance=np.full(1000, 0.3))
    labels = np.clip(mean + rng.normal(0, 0.5, 1000), -4, 4)
    return {
        "error rate, passive": (ErrorRate(), [model], y, uniform_q(1000), None),
        "error rate, q*": (ErrorRate(), [model], y, optimal_q(ErrorRate(), model), None),
        "over-confident": (ErrorRate(), [sharp], y, optimal_q(ErrorRate(), sharp, defensive=0.1), None),
        "recall, rare": (Recall(), [rare_model], positives, optimal_q(Recall(), rare_model), None),
        "two models": (
            ErrorRate(),
            [model, second],
            y,
            optimal_q(ErrorRate(), [model, second], defensive=0.1),
            None,
        ),
        "values": (
            SquaredError(),
            [values],
            labels,
            optimal_q(SquaredError(), values, defensive=0.1),
            (-4.0, 4.0),
        ),
    }


SETTINGS = make_settings()


@pytest.mark.parametrize("name", SETTINGS)
def test_the_truth_is_never_outside_as_often_as_promised(name):
    measure, models, y_true, q, y_range = SETTINGS[name]
    target = Target(measure, models)
    equation = EstimatingEquation(target, q, y_range)
    values = [pool_value(measure, model, y_true) for model in models]
    truth = values[0] if len(values) == 1 else values[0] - values[1]
    sequence = ConfidenceSequence(measure, models, q, confidence_level=LEVEL, y_range=y_range)
    grid = sequence._band._grid
    block = 16 * (int(np.searchsorted(grid, truth)) // 16)
    points = grid[block : block + 17]
    cell = int(np.searchsorted(points, truth)) - 1
    lower, upper = equation.bounds(points)
    bets = Bets(
        np.tile(points, (N_SESSIONS, 1)),
        np.repeat(lower.min(axis=1, keepdims=True), N_SESSIONS, axis=1),
        np.repeat(upper.max(axis=1, keepdims=True), N_SESSIONS, axis=1),
        equation.promised,
        LEVEL,
    )
    everything = equation.terms(target.statistics(y_true, np.arange(1000)), np.arange(1000))
    draws = draw(q, N_SESSIONS * N_DRAWS, np.random.default_rng(13)).reshape(N_SESSIONS, N_DRAWS)
    wrong = np.zeros(N_SESSIONS, dtype=bool)
    for n in range(N_DRAWS):
        bets.update(everything[draws[:, n]].T)
        wrong |= bets.in_cells()[:, cell] >= 1 / (1 - LEVEL)
    assert wrong.sum() <= MOST_WRONG
    # Some whole intervals too: those of sessions in which the truth stays are never wrong.
    kept = np.flatnonzero(~wrong)[:4]
    for session in kept:
        low, high = sequence.restart().extend(draws[session], y_true[draws[session]])
        assert (low <= truth).all()
        assert (truth <= high).all()
