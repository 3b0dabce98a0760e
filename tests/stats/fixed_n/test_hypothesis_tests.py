"""Power, labels needed, and the comparison of several models, by hand."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import foldnorm, norm, studentized_range

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    compare_all,
    draws_for_power,
    estimate,
    uniform_q,
    wald_power,
)
from activeeval_widgets.stats.fixed_n.hypothesis_tests import _holm


@pytest.mark.parametrize("difference", [-0.1, 0.0, 0.02, 0.3])
@pytest.mark.parametrize("n_draws", [1, 50, 2000])
def test_power_is_that_of_the_folded_normal(difference, n_draws):
    """T, 5.3–5.4: 1 − F(z), F of |N(√n Δ/σ, 1)|."""
    shift = sqrt(n_draws) * abs(difference) / 0.4
    expected = foldnorm.sf(norm.ppf(0.975), shift)
    assert wald_power(difference, 0.4, n_draws) == pytest.approx(expected, rel=1e-9)


def test_power_of_no_difference_is_the_level():
    assert wald_power(0, 1, 77, confidence_level=0.9) == pytest.approx(0.1, rel=1e-12)


@pytest.mark.parametrize("difference", [0.01, -0.05, 0.5, 20.0])
@pytest.mark.parametrize("power", [0.04, 0.5, 0.8, 0.999])
def test_draws_for_power_is_the_least_number(difference, power):
    n_draws = draws_for_power(difference, 0.6, power=power)
    assert wald_power(difference, 0.6, n_draws) >= power
    assert n_draws == 1 or wald_power(difference, 0.6, n_draws - 1) < power


@pytest.fixture
def three_models():
    rng = np.random.default_rng(0)
    models = [ClassPredictions(rng.dirichlet([1, 1], 50)) for _ in range(3)]
    q = rng.dirichlet(np.full(50, 5.0))
    draws = rng.choice(50, 120, p=q)
    return models, q, draws, rng.integers(2, size=50)[draws]


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()])
def test_bonferroni_and_holm_adjust_the_pairs_own_pvalues(measure, three_models):
    models, *sample = three_models
    pairs = [(0, 1), (0, 2), (1, 2)]
    alone = [estimate(measure, [models[a], models[b]], *sample) for a, b in pairs]
    bonferroni = compare_all(measure, models, *sample, correction="bonferroni")
    holm = compare_all(measure, models, *sample, correction="holm")
    order = sorted(range(3), key=lambda k: alone[k].pvalue)
    stepped, greatest = {}, 0.0
    for rank, k in enumerate(order):
        greatest = max(greatest, min(1.0, (3 - rank) * alone[k].pvalue))
        stepped[pairs[k]] = greatest
    for pair, result in zip(pairs, alone, strict=True):
        row = bonferroni[pair]
        assert (row.first, row.second) == pair
        assert row.value == pytest.approx(result.value, abs=1e-13)
        assert row.standard_error == pytest.approx(result.standard_error, rel=1e-12)
        assert row.statistic == pytest.approx(result.statistic, rel=1e-12)
        assert row.pvalue == pytest.approx(min(1, 3 * result.pvalue), rel=1e-12)
        assert holm[pair].pvalue == pytest.approx(stepped[pair], rel=1e-12)
    values = [estimate(measure, model, *sample).value for model in models]
    assert bonferroni.values == pytest.approx(values, abs=1e-13)
    assert len(bonferroni) == 3
    assert [(row.first, row.second) for row in bonferroni] == pairs
    assert bonferroni.pvalue == min(row.pvalue for row in bonferroni)


def test_tukey_by_hand(three_models):
    """Trap 4: √n |Δ̂| / (S_k/√2), S_k² the mean of the pairs' variances, (n − 1) k degrees of freedom."""
    models, *sample = three_models
    pairs = [(0, 1), (0, 2), (1, 2)]
    alone = [estimate(ErrorRate(), [models[a], models[b]], *sample) for a, b in pairs]
    n = len(sample[1])
    deviation = sqrt(np.mean([n * result.standard_error**2 for result in alone]))
    table = compare_all(ErrorRate(), models, *sample, correction="tukey")
    assert table.correction == "tukey"
    for pair, result in zip(pairs, alone, strict=True):
        statistic = sqrt(n) * abs(result.value) / (deviation / sqrt(2))
        assert table[pair].statistic == pytest.approx(statistic, rel=1e-10)
        assert table[pair].pvalue == pytest.approx(studentized_range.sf(statistic, 3, (n - 1) * 3), rel=1e-8)


def test_models_that_never_differ_are_not_told_apart():
    model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
    for correction in ("tukey", "bonferroni", "holm"):
        table = compare_all(
            ErrorRate(), [model] * 3, uniform_q(2), [0, 1, 0], [0, 0, 1], correction=correction
        )
        assert [row.pvalue for row in table] == [1.0, 1.0, 1.0]
        assert [row.value for row in table] == [0.0, 0.0, 0.0]


def test_a_difference_in_every_draw_is_significant_only_after_enough_draws():
    """S = 0 would make T infinite and the p-value 0 after one draw."""
    right, wrong = ClassPredictions([[0.9, 0.1]] * 9), ClassPredictions([[0.1, 0.9]] * 9)
    pvalues = [
        estimate(ErrorRate(), [wrong, right], uniform_q(9), [0] * n, [0] * n).pvalue for n in (1, 5, 6, 40)
    ]
    # 2 (1/2)^n: the sign test, for a risk difference from −1 to 1.
    assert pvalues == pytest.approx([1.0, 2 / 2**5, 2 / 2**6, 2 / 2**40], rel=1e-12)


def test_holms_pvalues_never_fall_below_those_of_a_smaller_one():
    np.testing.assert_allclose(_holm(np.array([0.021, 0.01, 0.02])), [0.04, 0.03, 0.04], rtol=1e-14)
