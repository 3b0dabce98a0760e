"""The wealth of bets on one side, which goes on beyond the interval."""

from itertools import permutations, product

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    MatthewsCorrelation,
)

P = np.array([0.9, 0.7, 0.6, 0.8])
MODEL = ClassPredictions(np.column_stack([1 - P, P]))
Y = [1, 0, 1, 0]
Q = np.array([0.1, 0.4, 0.3, 0.2])


def wealth_at(sequence, value):
    """Return the wealth of both sides in the cell of a value."""
    found = sequence.one_sided
    at = np.searchsorted(found.edges, value, side="right") - 1
    return np.array([found.greater[at], found.less[at]])


def orders():
    """Return all orders of draws, with probabilities, and a sequence for each kind of draws."""
    without = AdaptiveConfidenceSequence(ErrorRate(), MODEL)
    for order in permutations(range(4)):
        left = 1 - np.cumsum([0, *Q[[*order]]])[:-1]
        yield without, order[:3], float(np.prod(Q[[*order]] / left))
    fixed = ConfidenceSequence(ErrorRate(), MODEL, Q)
    for order in product(range(4), repeat=3):
        yield fixed, order, float(np.prod(Q[[*order]]))


def test_the_largest_wealth_at_the_truth_is_x_with_probability_1_in_x():
    found = {}
    for sequence, order, probability in orders():
        sequence.restart()
        sequence.keep_evidence()
        for draw in order:
            feed(sequence, draw)
        found.setdefault(type(sequence), []).append((probability, *wealth_at(sequence, 0.5)))
    for each in found.values():
        chances, *sides = np.transpose(each)
        assert chances.sum() == pytest.approx(1)
        for won in sides:
            assert won.min() == 1
            assert won.max() > 1.1
            for x in np.unique(won):
                assert chances @ (won >= x) <= 1 / x + 1e-12


def feed(sequence, draw):
    if isinstance(sequence, ConfidenceSequence):
        sequence.update(draw, Y[draw])
    else:
        sequence.update(draw, Q, Y[draw])


def test_the_interval_stays_the_same_and_bets_go_on():
    rng = np.random.default_rng(2)
    p = rng.uniform(0.5, 1, 120)
    y = (rng.random(120) < p).astype(int)
    plain, kept = (
        AdaptiveConfidenceSequence(ErrorRate(), ClassPredictions(np.column_stack([1 - p, p]))) for _ in "ab"
    )
    assert kept.one_sided is None
    kept.keep_evidence()
    assert (wealth_at(kept, 0.3) == 1).all()
    q = np.full(120, 1 / 120)
    for draw in range(60):
        assert kept.update(draw, q, y[draw]) == plain.update(draw, q, y[draw])
    assert plain.one_sided is None
    assert (kept.wealth.won >= plain.wealth.won).all()
    # Far from the interval, the side that is right has won more than it takes to exclude a value.
    greater, less = wealth_at(kept, kept.high + 0.25)
    assert less > 1000
    assert greater == 1
    then, before = kept.copy(), kept.one_sided
    for draw in range(60, 70):
        kept.update(draw, q, y[draw])
    for side, now, old in zip(before[1:], kept.one_sided[1:], then.one_sided[1:], strict=True):
        assert (now >= side).all()
        assert (now > side).any()
        assert (old == side).all()
    composed = AdaptiveConfidenceSequence(MatthewsCorrelation(), MODEL)
    composed.keep_evidence()
    assert composed.one_sided is None
