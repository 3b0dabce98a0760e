"""Measures that count an instance's place in the pool, where a part of it can't be labeled."""

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    ROCAUC,
    AveragePrecision,
    ClassPredictions,
    estimate,
    estimate_adaptive,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures.average_precision import _weights
from activeeval_widgets.stats.questions.make import target_of

MEASURES = [ROCAUC(), AveragePrecision()]


def pool_of(size, seed, digits=9):
    """A model with scores of some digits, labels, and what can be labeled: less of it at the top."""
    rng = np.random.default_rng(seed)
    scores = rng.random(size).round(digits)
    y_true = (rng.random(size) < scores**2).astype(int)
    kept = (scores < 0.6) | (rng.random(size) < 0.4)
    return ClassPredictions(np.column_stack([1 - scores, scores])), y_true, kept


def teeth(size):
    """In each sixteenth of the scores what can't be labeled is at the bottom, and positives at the top."""
    per = size // 16
    within = np.arange(size) % per
    scores = (np.arange(size) + 0.5) / size
    model = ClassPredictions(np.column_stack([1 - scores, scores]))
    return model, (within >= 0.75 * per).astype(int), within >= 0.5 * per


def exact(measure, model, y_true, kept):
    return pool_value(measure, model.of_instances(np.flatnonzero(kept)), y_true[kept])


POOLS = [pool_of(200, seed, digits) for seed in range(3) for digits in (9, 2, 1)] + [teeth(320)]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_the_value_is_no_farther_off_than_is_reported(measure):
    """With all labels that there can be: what is left is how exclusions are spread within parts."""
    for model, y_true, kept in POOLS:
        target = target_of(measure, [model])
        where = np.flatnonzero(kept)
        mean = target.statistics(y_true[where], where).mean(axis=0)
        result = target.unevenness(mean, kept.mean())
        off = abs(float(target.g(mean)) - exact(measure, model, y_true, kept))
        assert off <= result + 1e-12
        assert result < 0.25
        everything = np.arange(kept.size)
        mean = target.statistics(y_true, everything).mean(axis=0)
        assert target.unevenness(mean, 1.0) == pytest.approx(0, abs=0.02)
    model, y_true, kept = teeth(320)
    target = target_of(measure, [model])
    mean = target.statistics(y_true[kept], np.flatnonzero(kept)).mean(axis=0)
    # There it is far off, and it is known.
    if measure == MEASURES[0]:
        assert float(target.g(mean)) - exact(measure, model, y_true, kept) > 0.01
        # π = ½ of the positives, half of each of 16 intervals excluded.
        assert target.unevenness(mean, 0.5) == pytest.approx(0.5 / 16 / 0.5)
        assert target_of(measure, [model, model]).unevenness(np.tile(mean, 2), 0.5) == pytest.approx(2 / 16)


@pytest.mark.parametrize("kept_share", [0.25, 0.5, 0.75])
def test_average_precision_may_be_off_in_the_middle_of_a_part(kept_share):
    """Of each part the top can be labeled, with positives at its lower end: neither end of it is off."""
    size = 3000
    scores = 1 - (np.arange(size) + 0.5) / size
    model = ClassPredictions(np.column_stack([1 - scores, scores]))
    part = _weights(scores, 48)[0]
    kept, y_true = np.ones(size, dtype=bool), np.zeros(size, dtype=int)
    for number in range(16, 48):
        where = np.flatnonzero(part == number)
        n_kept = max(1, round(kept_share * where.size))
        kept[where[n_kept:]] = False
        y_true[where[n_kept - max(1, n_kept // 3) : n_kept]] = 1
    target = target_of(AveragePrecision(), [model])
    mean = target.statistics(y_true[kept], np.flatnonzero(kept)).mean(axis=0)
    off = abs(float(target.g(mean)) - exact(AveragePrecision(), model, y_true, kept))
    assert 0.009 < off <= target.unevenness(mean, kept.mean()) < 2.5 * off


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_intervals_are_wider_by_it(measure):
    model, y_true, kept = pool_of(200, 1, 2)
    truth = exact(measure, model, y_true, kept)
    rng = np.random.default_rng(0)
    draws = rng.permutation(200)
    labels = [int(y_true[i]) if kept[i] else None for i in draws]
    q_draws = 1 / (200 - np.arange(200))
    found = estimate_adaptive(measure, model, draws[:199], q_draws[:199], labels[:199])
    assert found.high - found.low > 4 * found.standard_error + 0.01
    assert found.low <= truth <= found.high
    many = rng.integers(200, size=20_000)
    again = [int(y_true[i]) if kept[i] else None for i in many]
    with_replacement = estimate(measure, model, uniform_q(200), many, again)
    assert with_replacement.high - with_replacement.low > 4 * with_replacement.standard_error + 0.01
    for each in (found, with_replacement):
        if each.has_approximate:
            assert each.approximate_low < truth < each.approximate_high
            assert each.approximate_high - each.approximate_low > each.high - each.low
    whole = estimate_adaptive(measure, model, draws, q_draws, labels)
    assert whole.low == whole.high == whole.value == truth == whole.approximate_low


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("excludes", [True, False])
def test_what_is_known_in_the_end_is_exact(measure, protocol, excludes):
    """Equal scores, more of them than fit into a part, and what can't be labeled is at the top."""
    model, y_true, kept = pool_of(60, 3, 1)
    kept |= not excludes
    session = Session(Pool(["x"] * 60, predictions=model), measure, protocol=protocol)
    while (asked := session.next()) is not None:
        session.label(int(y_true[asked.index])) if kept[asked.index] else session.exclude()
    truth = exact(measure, model, y_true, kept)
    found = session.estimate()
    assert session.known_value() == truth
    assert (found.value, found.low, found.high) == (truth, truth, truth)
    approximate = session.estimate(interval="approximate")
    assert (approximate.low, approximate.high) == (truth, truth)
