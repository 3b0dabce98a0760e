"""Two models: draws needed by the papers' formula, p-values by the package, looks by an exact recursion."""

from math import sqrt

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    asymptotic_variance,
    disagreement_q,
    draw,
    draws_for_power,
    estimate,
    uniform_q,
)


@pytest.fixture(scope="module")
def compare():
    return DEMOS["compare"]()


def test_draws_needed(lesson, compare):
    models, y = list(compare.pool.models), compare.y_true
    labels = ClassPredictions(np.eye(10)[y], classes=models[0].classes)
    delta, needed, choices = (lesson.value(name) for name in ("delta", "needed", "choices"))
    for name, q in choices.items():
        if (q > 0).all():
            # As the papers have it, but for the mean, which the labels tell.
            expected = lesson.value("z") - delta
            variance = np.mean(expected**2 / (len(y) * q))
        else:
            draws = draw(q, 40_000, np.random.default_rng(1))
            variance = estimate(ErrorRate(), models, q, draws, y[draws]).standard_error ** 2 * 40_000
        assert needed[name] == pytest.approx(draws_for_power(delta, sqrt(variance)), rel=0.03, abs=1)
    by_formula = asymptotic_variance(ErrorRate(), models, uniform_q(len(y)), belief=labels)
    assert needed["uniform draws"] == draws_for_power(delta, sqrt(by_formula)) == lesson.value("paired")
    assert needed["where they disagree"] < min(value for name, value in needed.items() if "where" not in name)
    assert lesson.value("separate") > 2 * lesson.value("paired")


def test_sessions_decide_soonest_where_models_disagree(lesson):
    found = lesson.value("found")
    medians = {
        kind: np.median([n or np.inf for n in found[kind]["decided_after"]]) for kind in lesson.value("kinds")
    }
    soonest = medians["disagreement"], medians["adaptive"]
    assert max(soonest) < medians["papers"] < medians["uniform"]
    assert medians == lesson.value("medians")


def test_the_p_value_is_the_package_s(lesson):
    drawn = lesson.value("drawn[:3, :60]")
    for session, z in enumerate(drawn.astype(int)):
        # A pool in which each draw is an instance of its own, on which the models disagree.
        first = ClassPredictions(np.eye(3)[np.where(z == 0, 1, np.where(z == 1, 1, 0))])
        second = ClassPredictions(np.eye(3)[np.where(z == 0, 2, np.where(z == 1, 0, 1))])
        y = np.zeros(60, dtype=int)
        q = disagreement_q(first, second)
        found = estimate(ErrorRate(), [first, second], q, np.arange(60), y)
        assert found.value == pytest.approx(z.mean())
        assert lesson.value(f"pvalue[{session}, 59]") == pytest.approx(found.pvalue, rel=0.05)


def test_looks_find_what_is_not_there(lesson):
    null_z = lesson.value("null_z")
    assert null_z.sum() == 0
    exact = ever_small(float(np.mean(null_z == 1)), float(np.mean(null_z == 0)), 150, first_look=20)
    n = len(lesson.value("pvalue"))
    found, by_bets = (round(lesson.value(f"{name}[-1]") * n) for name in ("ever_small", "ever_won"))
    assert binom.ppf(0.0005, n, exact) <= found <= binom.ppf(0.9995, n, exact)
    assert by_bets <= binom.ppf(0.999, n, 0.05)
    assert exact > 0.25


def ever_small(one_sided, neither, n_labels, first_look):
    """The probability that Wald's p-value is ever below 0.05: by all sums and numbers of draws that tell."""
    size = n_labels + 2
    total, n_told = np.meshgrid(np.arange(-size, size + 1), np.arange(size), indexing="ij")
    chance = ((total == 0) & (n_told == 0)).astype(float)
    caught = 0.0
    for n in range(1, n_labels + 1):
        result = np.roll(chance, 1, axis=1)
        chance = neither * chance + one_sided * (np.roll(result, 1, axis=0) + np.roll(result, -1, axis=0))
        mean = total / n
        variance = n_told / n - mean**2
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2 * ndtr(-np.abs(mean) * np.sqrt(n / variance))
        is_small = (variance > 0) & (p < 0.05) & (n >= first_look) | (variance <= 0) & (mean != 0) & (
            n >= first_look
        )
        caught += chance[is_small].sum()
        chance[is_small] = 0
    return caught
