"""Agreement from draws of both protocols: all sequences of tiny pools, many of larger ones."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    clopper_pearson_interval,
    cohen_kappa,
    draw,
    draw_without_replacement,
    krippendorff_alpha,
    percent_agreement,
)
from activeeval_widgets.stats.agreement.draw_designs import WithoutReplacement, WithReplacement

M = 5
VALUES = np.array([1.0, 0.0, 0.0, 3.0, -1.0])
Q = np.array([0.1, 0.3, 0.25, 0.2, 0.15])


def q_after(drawn):
    """A distribution that follows from what was seen before."""
    q = Q * (1 + np.arange(M) * VALUES[list(drawn)].sum() ** 2)
    q[list(drawn)] = 0
    return q / q.sum()


def sequences(n):
    """All sequences of n draws without replacement: indices, the probability of each draw, of them all."""
    for drawn in itertools.permutations(range(M), n):
        q_draws = [q_after(drawn[:t])[drawn[t]] for t in range(n)]
        yield list(drawn), np.array(q_draws), np.prod(q_draws)


def of_all(n):
    return np.ones(n, dtype=bool)


@pytest.mark.parametrize("n", range(1, M + 1))
def test_draws_without_replacement_give_the_pools_mean_on_average(n):
    mean = total = 0.0
    for drawn, q_draws, chance in sequences(n):
        coefficients = WithoutReplacement(q_draws, M).coefficients
        mean += chance * (coefficients @ VALUES[drawn])
        total += chance * coefficients.sum()
        if n == M:
            assert coefficients == pytest.approx(1 / M)
    assert mean == pytest.approx(VALUES.mean(), rel=1e-12)
    assert total == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("n", range(1, M + 1))
def test_the_variance_without_replacement_is_right_on_average(n):
    psi = VALUES - VALUES.mean()
    variance = estimated = 0.0
    for drawn, q_draws, chance in sequences(n):
        design = WithoutReplacement(q_draws, M)
        variance += chance * (design.coefficients @ psi[drawn]) ** 2
        estimated += chance * design.variance(psi[drawn], of_all(n), of_all(n))
    assert estimated == pytest.approx(variance, rel=1e-12, abs=1e-15)
    assert (variance == pytest.approx(0, abs=1e-15)) == (n == M)


@pytest.mark.parametrize("n_used", [1, 2, 3, 4])
def test_second_opinions_on_a_random_share_keep_the_mean_and_add_to_the_variance(n_used):
    psi, n = VALUES - VALUES.mean(), M
    for drawn, q_draws, _chance in list(sequences(n))[::17]:
        design = WithoutReplacement(q_draws, M)
        subsets = [np.isin(np.arange(n), each) for each in itertools.combinations(range(n), n_used)]
        rows = [np.where(is_used, psi[drawn], 0) * n / n_used for is_used in subsets]
        assert np.mean([design.coefficients @ z for z in rows]) == pytest.approx(0, abs=1e-12)
        variance = np.mean([(design.coefficients @ z) ** 2 for z in rows])
        # All is drawn: what is left to chance is which were rated twice, a sample without replacement.
        assert variance == pytest.approx((1 - n_used / n) * psi.var(ddof=1) / n_used)
        found = [design.variance(z, of_all(n), used) for z, used in zip(rows, subsets, strict=True)]
        assert 0.79 * variance < np.mean(found) < 2 * variance


def test_draws_with_replacement():
    design = WithReplacement(1 / (M * Q))
    psi = VALUES - VALUES.mean()
    assert design.coefficients * Q == pytest.approx(1 / M)
    once = sum(q * design.coefficients[i] * psi[i] for i, q in enumerate(Q))
    assert once == pytest.approx(0, abs=1e-12)
    expected = sum(q * (design.coefficients[i] * psi[i]) ** 2 for i, q in enumerate(Q))
    found = sum(
        q * WithReplacement(design.coefficients[[i]]).variance(psi[[i]], of_all(1), of_all(1))
        for i, q in enumerate(Q)
    )
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("coefficient", [percent_agreement, cohen_kappa, krippendorff_alpha])
def test_with_all_of_the_pool_rated_twice_nothing_is_left_to_chance(coefficient):
    rng = np.random.default_rng(0)
    ratings = rng.integers(3, size=(30, 2)).astype(float)
    draws, q_draws = draw_without_replacement(rng.dirichlet(np.ones(30)), 30, rng)
    found = coefficient(ratings[draws], q_draws=q_draws, n_instances=30)
    assert found.value == pytest.approx(coefficient(ratings).value, rel=1e-9)
    assert (found.standard_error, found.low, found.high) == (0, found.value, found.value)
    # Not so while some of it has one opinion, or one instance is left.
    ratings[7, 1] = np.nan
    part = coefficient(ratings[draws], q_draws=q_draws, n_instances=30)
    assert part.low < part.value < part.high
    assert coefficient(ratings[draws][:-1], q_draws=q_draws[:-1], n_instances=30).standard_error > 0
    # What can't be rated by anybody does not count.
    ratings[7] = np.nan
    rest = coefficient(ratings[draws], q_draws=q_draws, n_instances=30)
    assert rest.standard_error == 0
    assert rest.value == pytest.approx(coefficient(ratings).value, rel=1e-9)


def test_uniform_draws_without_replacement_count_the_same():
    ratings = np.random.default_rng(1).integers(2, size=(12, 2))
    q_draws = 1 / (100 - np.arange(12))
    found = percent_agreement(ratings, q_draws=q_draws, n_instances=100)
    assert found.value == pytest.approx(percent_agreement(ratings).value, rel=1e-12)


def test_an_unweighted_interval_holds_the_exact_binomial_one():
    for n_agreed in range(31):
        ratings = [[0, 0]] * n_agreed + [[0, 1]] * (30 - n_agreed)
        found = percent_agreement(ratings)
        low, high = clopper_pearson_interval(n_agreed, 30, 0.95)
        assert found.low <= low + 1e-12
        assert found.high >= high - 1e-12
        assert found.high - found.low < high - low + 0.04


def test_the_unweighted_interval_holds_at_every_share():
    intervals = [percent_agreement([[0, 0]] * x + [[0, 1]] * (20 - x)) for x in range(21)]
    for share in np.linspace(0.01, 0.99, 99):
        inside = [each.low <= share <= each.high for each in intervals]
        assert binom.pmf(np.arange(21), 20, share) @ inside >= 0.95


def rated_pool(rng, m=2000, prevalence=0.2, mistakes=0.08):
    """Two people's labels, who are wrong more often about what is difficult; and how difficult each is."""
    truth = rng.random(m) < prevalence
    difficulty = 0.5 * rng.beta(0.5, 0.5 * (0.5 / mistakes - 1), size=m)
    ratings = np.stack([truth ^ (rng.random(m) < difficulty) for _ in range(2)], axis=1).astype(float)
    return ratings, 0.2 + difficulty / difficulty.mean()


@pytest.mark.parametrize("is_replaced", [True, False])
@pytest.mark.parametrize(("coefficient", "share"), [(percent_agreement, 1.0), (cohen_kappa, 0.4)])
def test_intervals_hold_and_errors_are_right(coefficient, share, is_replaced):
    rng = np.random.default_rng(2)
    ratings, preference = rated_pool(rng)
    m, n, q = len(ratings), 250, preference / preference.sum()
    truth, found = coefficient(ratings).value, []
    for _i in range(200):
        if is_replaced:
            draws = draw(q, n, rng)
            design = {"weights": 1 / (m * q[draws]), "draws": draws}
        else:
            draws, q_draws = draw_without_replacement(q, n, rng)
            design = {"q_draws": q_draws, "n_instances": m}
        given = ratings[draws]
        given[rng.random(n) >= share, rng.integers(2)] = np.nan
        found.append(coefficient(given, **design))
    values = np.array([each.value for each in found])
    errors = np.array([each.standard_error for each in found])
    inside = np.mean([each.low <= truth <= each.high for each in found])
    assert inside >= 0.91  # three standard errors below 0.95, and a half
    assert np.mean([each.high - each.low for each in found]) < 7 * values.std()
    assert abs(values.mean() - truth) < 4 * values.std() / 200**0.5 + 0.02
    assert 0.85 < np.sqrt(np.mean(errors**2)) / values.std() < 1.25
