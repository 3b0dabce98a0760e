"""Adaptive draws in whole sessions: watched at every draw, and where the model's probabilities are wrong."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)

LEVEL, WATCHED_LEVEL = 0.9, 0.5
N_SESSIONS, N_WATCHED = 80, 40
N_DRAWS, WATCHED = 48, 24
BLOCK = 12


def make_pool(power):
    """Labels from p, and a model that says p to a power."""
    rng = np.random.default_rng(11)
    p = rng.beta(0.5, 1.5, 200)
    result = p**power / (p**power + (1 - p) ** power)
    return ClassPredictions(np.column_stack([1 - result, result])), (rng.random(200) < p).astype(int)


def session(measure, model, labels, rng):
    draws, probabilities, blocks = np.empty(0, dtype=int), np.empty(0), []
    while len(draws) < N_DRAWS:
        q = adaptive_q(measure, model, draws, labels[draws])
        more, of_more = draw_without_replacement(q, BLOCK, rng)
        draws, probabilities = np.append(draws, more), np.append(probabilities, of_more)
        blocks += [q] * BLOCK
    return draws, probabilities, blocks


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()], ids=repr)
@pytest.mark.parametrize("power", [1, 8])
def test_sessions_hold_what_is_promised(measure, power):
    """The truth is excluded at any draw no more often than 1 − level; Wald's interval holds at the last."""
    model, labels = make_pool(power)
    truth = pool_value(measure, model, labels)
    # A level at which it shows if bets begin with too much: else a third of sessions leave the truth out.
    sequence = AdaptiveConfidenceSequence(measure, model, confidence_level=WATCHED_LEVEL)
    # Candidates around the truth alone: the truth is left out when all of them are.
    sequence._band.watch(truth + 1e-9 * np.linspace(-1, 1, 17))
    rng = np.random.default_rng(5)
    missed, errors, holds = 0, [], 0
    for number in range(N_SESSIONS):
        draws, probabilities, blocks = session(measure, model, labels, rng)
        sequence.restart()
        for draw, q in zip(draws[:WATCHED], blocks, strict=False) if number < N_WATCHED else ():
            sequence.update(int(draw), q, labels[draw])
            if sequence._band._bets.in_cells().min() >= 1 / (1 - WATCHED_LEVEL):
                missed += 1
                break
        result = estimate_adaptive(
            measure, model, draws, probabilities, labels[draws], confidence_level=LEVEL
        )
        errors.append(result.value - truth)
        holds += result.low <= truth <= result.high
    assert missed <= binom.isf(1e-3, N_WATCHED, 1 - WATCHED_LEVEL)
    assert holds >= binom.ppf(1e-6, N_SESSIONS, LEVEL)
    # The bias is small against the error of one session.
    assert abs(np.mean(errors)) < (0.7 if measure.is_risk else 0.5) * np.std(errors)
    passive = np.sqrt(truth * (1 - truth) / N_DRAWS * (1 - N_DRAWS / 200))
    if measure.is_risk:
        assert np.sqrt(np.mean(np.square(errors))) < passive


def test_the_doubt_of_what_a_sure_model_hides_stays():
    """Three positives that the model rules out, among 1,472 that are seldom drawn: Wald's at 400 labels."""
    rng = np.random.default_rng(3)
    result = np.concatenate([rng.uniform(0.5, 1, 128) ** 0.3, 10 ** rng.uniform(-9, -2, 1472)])
    labels = np.zeros(1600, dtype=int)
    labels[rng.permutation(128)[:40]] = 1
    labels[128 + rng.permutation(1472)[:3]] = 1
    model, measure = ClassPredictions(np.column_stack([1 - result, result])), FMeasure()
    truth, missed, n_sessions = pool_value(measure, model, labels), 0, 40
    for seed in range(n_sessions):
        draws, probabilities = np.empty(0, dtype=int), np.empty(0)
        while len(draws) < 400:
            q = adaptive_q(measure, model, draws, labels[draws])
            block = min(max(BLOCK, len(draws) // 8), 400 - len(draws))
            more, of_more = draw_without_replacement(q, block, np.random.default_rng([seed, len(draws)]))
            draws, probabilities = np.append(draws, more), np.append(probabilities, of_more)
        found = estimate_adaptive(measure, model, draws, probabilities, labels[draws])
        missed += not found.low <= truth <= found.high
    assert missed <= binom.isf(1e-3, n_sessions, 0.05)
