"""Where it fails: simulated sessions within binomial bounds, the rest against closed forms."""

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    asymptotic_variance,
    optimal_q,
    pool_value,
    uniform_q,
)


@pytest.fixture(scope="module")
def digits():
    return DEMOS["digits"]()


def test_gain_turns_to_loss_and_adaptive_draws_do_not(lesson):
    alone, mixed, adaptive = (list(lesson.value(name)) for name in ("alone", "mixed", "adaptive"))
    honest = int(np.argmin(abs(lesson.value("powers") - 1)))
    assert alone[honest] < 80
    assert alone[-1] > 150
    assert mixed[-1] < alone[-1]
    # Means of squares of 100 sessions: their standard error is about a seventh.
    assert max(adaptive) < 100 * (1 + 2 / 7)
    assert adaptive[-1] < alone[-1] / 1.3
    assert f"**{alone[-1]:.0f} labels**" in lesson.text


def test_the_premium_of_uniform_draws_is_the_papers_formula(lesson, digits):
    model, y = digits.pool.models[0], digits.y_true
    labels = ClassPredictions(np.eye(10)[y], classes=model.classes)
    by_uniform = asymptotic_variance(ErrorRate(), model, uniform_q(len(y)), belief=labels)
    for power, found in lesson.value("premium").items():
        proba = np.asarray(model.y_proba) ** power
        sure = ClassPredictions(proba / proba.sum(axis=1, keepdims=True), classes=model.classes)
        for share, needed in zip(lesson.value("shares"), found, strict=True):
            q = optimal_q(ErrorRate(), sure, defensive=share)
            expected = asymptotic_variance(ErrorRate(), sure, q, belief=labels) / by_uniform
            assert needed == pytest.approx(100 * expected, rel=1e-9)


def test_the_cluster_is_the_simulated_one(lesson, digits):
    assert lesson.value("truth") == pytest.approx(lesson.value("found['truth']"), abs=1e-8)
    before = pool_value(FMeasure(positive=7), digits.pool.models[0], digits.y_true)
    assert lesson.value("before") == pytest.approx(before)


def test_only_the_guaranteed_interval_holds_where_draws_avoid_errors(lesson):
    found, cluster = lesson.value("found"), lesson.value("cluster")
    assert found["optimal"]["wald_holds"] < 0.7
    n = found["n_guaranteed"]
    for method in lesson.value("methods"):
        assert round(found[method]["guaranteed_holds"] * n) >= binom.ppf(0.001, n, 0.95)
    # How often q* misses all of the cluster: it is drawn with replacement, a little more often than labeled.
    missed = (1 - lesson.value("q")[cluster].sum()) ** found["n_labels"]
    near = abs(np.array(found["optimal"]["values"]) - lesson.value("before")) < 0.04
    sessions = found["n_sessions"]
    assert near.sum() >= binom.ppf(0.0005, sessions, missed / 2)
    assert near.sum() <= binom.ppf(0.9995, sessions, missed)


def test_what_can_hide_is_what_labels_can_miss(lesson):
    n_sure, enough = lesson.value("n_sure"), lesson.value("enough")
    # Without replacement, exactly; the formula of the lesson is a little more careful.
    assert hypergeom.pmf(0, n_sure, 40, enough) <= 0.05
    assert hypergeom.pmf(0, n_sure, 40, enough - 5) > 0.04
    assert f"**{enough} labels**" in lesson.text


def test_slips_are_counted_as_errors(lesson, digits):
    reported, given = lesson.value("reported"), lesson.value("given")
    assert reported.low == reported.high == reported.value
    assert reported.value == pytest.approx(np.mean(digits.pool.models[0].y_pred != given))
    n = len(given)
    foreseen = lesson.value("foreseen")
    assert binom.ppf(0.0005, n, foreseen) <= round(reported.value * n) <= binom.ppf(0.9995, n, foreseen)
    assert reported.low > lesson.value("rate") + 0.02


def test_weights_alone_fail_as_q_gets_sharper(lesson):
    truth = lesson.value("wrong.mean()")
    found = {power: lesson.value(f"weighted({power}, 0)") for power in (0, 0.5, 3)}
    plain, size, greatest = found[0]
    assert (size, greatest) == (pytest.approx(100), pytest.approx(1))
    assert np.array_equal(plain["Horvitz–Thompson"], plain["self-normalized"])
    exact = np.sqrt(truth * (1 - truth) / 100)
    off = {p: np.sqrt(np.mean((each["self-normalized"] - truth) ** 2)) for p, (each, *_) in found.items()}
    assert off[0] == pytest.approx(exact, rel=0.1)
    assert off[0.5] < off[0] < off[3]
    by_weights, _, greatest = found[3][0]["Horvitz–Thompson"], *found[3][1:]
    assert by_weights.max() > 1 > found[3][0]["self-normalized"].max()
    assert np.median(by_weights) < truth < np.mean(found[3][0]["self-normalized"]) / 2
    # A share of uniform draws bounds each weight by its inverse.
    assert 9.9 < lesson.value("weighted(3, 0.1)[2]") <= 10 < greatest


def test_figures_follow_power_and_share(lesson):
    changed = lesson.changed_by("doubt_power.value, uniform_share.value = 2, 0.2")
    assert len(changed) == 4
    assert sum("Greatest weight: <strong>5</strong>" in each for each in changed) == 1
