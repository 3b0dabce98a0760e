"""Samples with known inclusion probabilities are draws without replacement, in random order of arrival."""

from functools import cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from activeeval_widgets.stats import AdaptiveConfidenceSequence, ClassPredictions, ErrorRate
from activeeval_widgets.stats.drawing.inclusion import (
    MAX_INCLUSION,
    order_of_arrival,
    rates_of_inclusion,
)

P = np.array([0.1, 0.3, 0.6, 0.9])
RATES = rates_of_inclusion(P)


def first_of(sample, i):
    """The probability that i is the first of a sample to arrive: its times are exponential, and at most 1."""

    def density(t):
        others = [j for j in sample if j != i]
        later = np.prod([1 - (1 - np.exp(-RATES[j] * t)) / P[j] for j in others])
        return RATES[i] * np.exp(-RATES[i] * t) / P[i] * later

    return quad(density, 0, 1)[0]


def test_over_all_samples_the_first_draw_is_by_its_rate():
    """By enumeration; so the difference of its label from any expectation, over q, has the mean 0."""
    first, some = np.zeros(P.size), 0.0
    for n in range(1, P.size + 1):
        for sample in combinations(range(P.size), n):
            inside = np.isin(np.arange(P.size), sample)
            probability = np.prod(np.where(inside, P, 1 - P))
            some += probability
            for i in sample:
                first[i] += probability * first_of(sample, i)
    q = RATES / RATES.sum()
    assert np.allclose(first, q * some, rtol=1e-7)
    z, expected = np.array([1.0, 0.0, 0.0, 1.0]), np.array([0.7, 0.1, 0.4, 0.2])
    assert first / some @ ((z - expected) / q) == pytest.approx((z - expected).sum())


def test_each_draw_is_by_its_rate_among_those_that_are_left():
    rng, counts, n = np.random.default_rng(1), np.zeros((5, 4)), 12_000
    for _ in range(n):
        order = order_of_arrival(np.flatnonzero(rng.random(P.size) < P), P, rng)
        if order.size:
            counts[4, order[0]] += 1
        if order.size > 1:
            counts[order[0], order[1]] += 1
    for before, row in enumerate(counts):
        left = np.where(np.arange(P.size) == before, 0.0, RATES)
        for count, share in zip(row, left / left.sum(), strict=True):
            low, high = binom.ppf([1e-6, 1 - 1e-6], row.sum(), share)
            assert low <= count <= high


def test_what_was_certain_is_kept_nearly_always():
    certain, n = np.ones(5), 4_000
    rng = np.random.default_rng(2)
    kept = sum(order_of_arrival(np.arange(5), certain, rng).size for _ in range(n))
    low, high = binom.ppf([1e-6, 1 - 1e-6], 5 * n, MAX_INCLUSION)
    assert low <= kept <= high
    assert np.array_equal(np.sort(order_of_arrival(np.arange(5), np.full(5, 0.99), rng)), np.arange(5))
    assert order_of_arrival(np.array([2]), certain, rng).tolist() == [2]
    # Only those that were certain are left out.
    found = [set(order_of_arrival(np.arange(3), np.array([0.5, 0.5, 1]), rng).tolist()) for _ in range(999)]
    assert {frozenset(each) for each in found} == {frozenset({0, 1, 2}), frozenset({0, 1})}


def test_a_sample_of_one_certain_instance_is_never_empty():
    sample, certain = np.array([0]), np.ones(1)
    assert all(order_of_arrival(sample, certain, np.random.default_rng(i)).size == 1 for i in range(1000))


LEVEL = 0.4
CHANCES = np.repeat([0.6, 0.95], [8, 2])
KINDS = np.array([0, *[1] * 7, 2, 2])
"""Of ten instances that are predicted alike, the first one is wrong; the others are right."""


@cache
def after(kinds):
    """The interval's sequence after draws of these kinds, whichever instances of them these are."""
    if not kinds:
        model = ClassPredictions(np.tile([0.4, 0.6], (KINDS.size, 1)))
        return AdaptiveConfidenceSequence(ErrorRate(), model, confidence_level=LEVEL)
    sequence, rates = after(kinds[:-1]).copy(), rates_of_inclusion(CHANCES)
    index = np.flatnonzero(kinds[-1] == KINDS)[kinds[:-1].count(kinds[-1])]
    sequence.update(index, rates / rates.sum(), int(KINDS[index] > 0))
    return sequence


def is_missed(kinds):
    return not after(kinds).low - 1e-12 <= 1 / KINDS.size <= after(kinds).high + 1e-12


def test_the_interval_holds_over_all_orders():
    """The truth is left out at any draw with probability 1 - level at most."""
    rates = rates_of_inclusion(CHANCES)

    def missed(kinds):
        of_kind = [np.flatnonzero(kind == KINDS)[kinds.count(kind) :] for kind in range(3)]
        masses = np.array([rates[left].sum() for left in of_kind])
        found = 0.0
        for kind in np.flatnonzero(masses).tolist():
            then = (*kinds, kind)
            is_last = len(then) == KINDS.size
            share = 1.0 if is_missed(then) else 0.0 if is_last else missed(then)
            found += share * masses[kind] / masses.sum()
        return found

    assert 0 < missed(()) <= 1 - LEVEL


def test_a_thousand_samples_leave_the_truth_out_no_more_often_than_the_level_says():
    """At any draw, by an exact binomial bound."""
    rng, n_samples, n_missed = np.random.default_rng(3), 1_000, 0
    for _ in range(n_samples):
        sample = np.flatnonzero(rng.random(KINDS.size) < CHANCES)
        kinds = tuple(KINDS[order_of_arrival(sample, CHANCES, rng)].tolist())
        n_missed += any(is_missed(kinds[:n]) for n in range(1, len(kinds) + 1))
    assert 0 < n_missed <= binom.ppf(1 - 1e-6, n_samples, 1 - LEVEL)


def test_whoever_arrives_until_the_end_does_so_at_time_one():
    """The latest possible one of an instance is later than nearly the latest of any other."""
    for late, early in ((0, 1), (1, 0)):
        numbers = np.ones(2)
        numbers[early] -= 1e-9
        given = iter([np.zeros(2), numbers])
        rng = SimpleNamespace(random=lambda _, given=given: next(given))
        assert order_of_arrival(np.arange(2), np.array([0.5, 0.9]), rng).tolist() == [early, late]
