"""Intervals against textbook values, and coverage by exact enumeration."""

import itertools

import numpy as np
import pytest
from scipy.stats import beta, binom, norm

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    estimate,
    wald_interval,
)
from activeeval_widgets.stats.intervals import constant_loss_interval


def clopper_pearson(successes: int, n: int, level: float) -> tuple[float, float]:
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else beta.ppf(tail, successes, n - successes + 1)
    high = 1.0 if successes == n else beta.ppf(1 - tail, successes + 1, n - successes)
    return float(low), float(high)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_wald_interval(level):
    z = norm.ppf(1 - (1 - level) / 2)
    assert wald_interval(0.3, 0.02, level) == pytest.approx((0.3 - z * 0.02, 0.3 + z * 0.02), rel=1e-13)


@pytest.mark.parametrize("n", [1, 2, 10, 500])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_constant_unweighted_zero_one_loss_gives_clopper_pearson(n, level):
    for value, successes in ((0.0, 0), (1.0, n)):
        found = constant_loss_interval(value, n, 1.0, level, (0.0, 1.0))
        assert found == pytest.approx(clopper_pearson(successes, n, level), abs=1e-12)


@pytest.mark.parametrize("q", [(1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.8, 0.15, 0.05)])
@pytest.mark.parametrize("n", [1, 2, 4, 8, 30])
def test_all_draws_alike_exclude_the_truth_no_more_often_than_promised(q, n):
    """Exact: the chance that all losses are equal and the truth is outside, for every labeling."""
    level = 0.9
    max_weight = 1 / (3 * min(q))
    for wrong in itertools.product((0, 1), repeat=3):
        truth = np.mean(wrong)
        p_wrong = float(np.dot(q, wrong))
        missed = 0.0
        for value, probability in ((0.0, (1 - p_wrong) ** n), (1.0, p_wrong**n)):
            low, high = constant_loss_interval(value, n, max_weight, level, (0.0, 1.0))
            if not low <= truth <= high:
                missed += probability
        assert missed <= (1 - level) / 2 + 1e-12


def test_constant_loss_in_a_wide_range_moves_each_bound_by_its_own_distance():
    share = 1 - 0.025 ** (1 / 20)
    low, high = constant_loss_interval(2.0, 20, 1.0, 0.95, (0.0, 10.0))
    assert (low, high) == pytest.approx((2 - share * 2, 2 + share * 8), rel=1e-12)


@pytest.mark.parametrize("truth", [0.02, 0.1, 0.3, 0.5])
def test_coverage_by_exact_enumeration_of_the_number_of_errors(truth):
    """Unweighted, n = 200: the textbook interval's coverage, its shortfall for rare errors included.

    (Brown, Cai & DasGupta 2001, fig. 3: 0.91 at 0.02, as the Wald interval is known to do.)
    """
    n, level = 200, 0.95
    predictions = ClassPredictions([[0.9, 0.1]])
    covered = textbook = 0.0
    for errors in range(n + 1):
        result = estimate(ErrorRate(), predictions, [1.0], [0] * n, [1] * errors + [0] * (n - errors))
        probability = binom.pmf(errors, n, truth)
        covered += probability * (result.low <= truth <= result.high)
        if 0 < errors < n:
            half_width = norm.ppf(0.975) * np.sqrt(errors * (n - errors) / n**3)
            low, high = errors / n - half_width, errors / n + half_width
        else:
            low, high = clopper_pearson(errors, n, level)
        textbook += probability * (low <= truth <= high)
    assert covered == pytest.approx(textbook, abs=1e-12)
    assert covered > 0.9
