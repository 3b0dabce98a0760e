"""What q prefers: each step of the derivation, by enumeration and closed forms."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from activeeval_widgets import demos
from activeeval_widgets.stats import ErrorRate, asymptotic_variance, optimal_q, uniform_q

from ..notebook_runner import Ran


def test_weights_make_the_mean_exact(lesson: Ran) -> None:
    loss = [0, 0, 1, 0]
    q = [Fraction(1, 10), Fraction(1, 5), Fraction(1, 2), Fraction(1, 5)]
    v = [Fraction(1, 4) / each for each in q]
    for n, (plain, weighted, self_normalized) in lesson.value("averages").items():
        if n > 4:
            continue
        expected = [Fraction(0)] * 3
        for drawn in product(range(4), repeat=n):
            probability = Fraction(1)
            for x in drawn:
                probability *= q[x]
            vl = sum(v[x] * loss[x] for x in drawn)
            each = (Fraction(sum(loss[x] for x in drawn), n), vl / n, vl / sum(v[x] for x in drawn))
            expected = [a + probability * b for a, b in zip(expected, each, strict=True)]
        assert expected[1] == Fraction(1, 4)
        assert [plain, weighted, self_normalized] == pytest.approx([float(e) for e in expected], abs=1e-12)


def test_the_formula_predicts_the_simulated_variances(lesson: Ran) -> None:
    tried, found = lesson.value("tried.tolist()"), lesson.value("simulations.tolist()")
    grid, sigma2 = lesson.value("grid"), lesson.value("sigma2")
    # 2,000 estimates tell a variance to ± 3.2 % (one standard error), more where weights are great.
    assert np.interp(tried, grid, sigma2) == pytest.approx(found, rel=0.2)


def test_the_least_variance_is_that_of_q_star(lesson: Ran) -> None:
    share, wrong = np.array([0.8, 0.2]), np.array([0.02, 0.4])
    risk = share @ wrong
    s = np.sqrt(wrong * (1 - risk) ** 2 + (1 - wrong) * risk**2)
    assert lesson.value("float(best_share)") == pytest.approx((share * s)[1] / (share @ s))
    assert lesson.value("float(best)") == pytest.approx((share @ s) ** 2, rel=1e-4)
    # As often as they have errors is worse than uniform draws.
    assert lesson.value("float(by_errors)") > risk * (1 - risk)


def test_no_other_q_is_better(lesson: Ran) -> None:
    assert lesson.value("float(found.min())") > 1
    assert lesson.value("float(relative_variance(s6))") == pytest.approx(1)
    assert lesson.value("float(relative_variance(np.array([each.value for each in my_q])))") > 1


def test_q_by_hand_is_that_of_the_package(lesson: Ran) -> None:
    model = demos.digits().pool.predictions
    assert lesson.value("by_hand") == pytest.approx(optimal_q(ErrorRate(), model), rel=1e-4)


def test_the_oracle_saves_all_but_4r_1_minus_r(lesson: Ran) -> None:
    truth, needed = lesson.value("(float(truth), {name: float(n) for name, n in needed.items()})")
    uniform, by_model, oracle = needed.values()
    assert uniform == pytest.approx(100)
    assert oracle == pytest.approx(400 * truth * (1 - truth))
    assert oracle < by_model < uniform
    model = demos.digits().pool.predictions
    variances = [
        asymptotic_variance(ErrorRate(), model, q)
        for q in (optimal_q(ErrorRate(), model), uniform_q(model.n_instances))
    ]
    assert lesson.value("float(promise)") == pytest.approx(variances[0] / variances[1])
