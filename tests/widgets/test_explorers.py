"""Explorers: their pages ask for nothing, and what their script is held against is what Python computes."""

import itertools
import json
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from activeeval_widgets import explorers
from activeeval_widgets.lessons.coverage import binomial_coverage
from activeeval_widgets.lessons.preferences import (
    difference_preference,
    error_preference,
    f_preference,
    squared_difference_preference,
    squared_error_preference,
)
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MacroF,
    SquaredError,
    ValuePredictions,
    asymptotic_variance,
    clopper_pearson_interval,
    optimal_q,
    uniform_q,
    wilson_interval,
)
from activeeval_widgets.stats.anytime.asymptotic import standard_errors

from .conftest import numbers

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
try:
    from promised_savings import (
        draw_variances,
        draws_for_half_width,
        error_profile,
        recalibrated,
        sharpened,
    )
finally:
    sys.path.remove(str(ROOT / "tools"))

P = np.random.default_rng(1).beta(0.6, 0.9, 60)
MODEL = ClassPredictions(np.column_stack([1 - P, P]))


def test_the_script_is_held_against_what_python_computes():
    tool = runpy.run_path(str(ROOT / "tools" / "write_explorer_fixtures.py"))
    written = json.loads(tool["PATH"].read_text())
    assert numbers(written) == pytest.approx(numbers(tool["fixtures"]()), rel=1e-12, abs=1e-12)


def test_a_simulated_session_is_simulated_anew():
    tool = runpy.run_path(str(ROOT / "tools" / "simulate_explorers.py"))
    data = explorers.WatchingAnInterval.data()
    assert data["at"] == tool["AT"].tolist()
    (row,) = (row for row in data["means"] if (row["rate"], row["deadline"]) == (0.1, 50))
    assert row["first"] == pytest.approx(tool["widths"](0.1, 50, 0), abs=1e-5)
    # What was declared makes it narrow there: by more than a tenth, against no bets by deadlines at all.
    (without,) = (row for row in data["means"] if (row["rate"], row["deadline"]) == (0.1, 0))
    at = data["at"].index(min(data["at"], key=lambda n: abs(n - 50)))
    assert row["widths"][at] < 0.95 * without["widths"][at]


@pytest.mark.slow
def test_a_watched_session_of_adaptive_draws_is_simulated_anew():
    tool = runpy.run_path(str(ROOT / "tools" / "simulate_explorers.py"))
    data = explorers.WatchingAnInterval.data()["adaptive"]
    assert data["looks"] == tool["LOOKS"].tolist()
    sure = next(run for run in data["runs"] if run["power"] == 4.0)
    anew = tool["watched_session"](4.0, 0)
    assert numbers(sure["sessions"][0]) == pytest.approx(numbers(anew), abs=1e-5)


def test_the_long_run_is_what_the_benchmark_found():
    tool = runpy.run_path(str(ROOT / "tools" / "simulate_explorers.py"))
    result = explorers.WatchingAnInterval.data()["adaptive"]["benchmarked"]
    assert result == tool["benchmarked"]()
    assert len(result["one_q"]) == 9
    assert len(result["adaptive"]) == 8
    assert all(0.2 < row["wald"] < 0.7 and row["watched"] <= 0.05 for row in result["one_q"])


def test_a_session_with_a_spoiled_model_is_simulated_anew():
    tool = runpy.run_path(str(ROOT / "tools" / "simulate_explorers.py"))
    data = explorers.WhenTheModelLies.data()
    rows = {(row["cluster"], row["power"]): row for row in data["rows"]}
    row = rows[0.05, 8.0]
    assert row["first"] == pytest.approx(tool["adaptive_error"](8.0, 0.05, 0), rel=1e-6)
    # The papers' q* of a model that is far too sure costs labels; draws that learn save some, even so.
    assert row["optimal"] > 120
    assert rows[0.0, 8.0]["adaptive"] < 90
    assert all(row["adaptive"] < row["optimal"] for (_, power), row in rows.items() if power >= 0.5)


def test_coverage_is_that_of_an_enumeration():
    for name, interval in (("wilson", wilson_interval), ("clopper_pearson", clopper_pearson_interval)):
        held = 0.0
        for labels in itertools.product((0, 1), repeat=6):
            low, high = interval(sum(labels), 6, 0.9)
            held += (low <= 0.23 <= high) * 0.23 ** sum(labels) * 0.77 ** (6 - sum(labels))
        assert binomial_coverage(name, 6, [0.23], confidence_level=0.9)[0] == pytest.approx(held, rel=1e-12)
    with pytest.raises(ValueError, match="interval must be one of"):
        binomial_coverage("student", 6, [0.23])
    with pytest.raises(ValueError, match="rates must be from 0 to 1"):
        binomial_coverage("wald", 6, [1.23])


def proportional(q, preference):
    np.testing.assert_allclose(q, preference / preference.sum(), rtol=1e-12)


def test_closed_forms_are_the_optimal_q_of_a_pool():
    confidence = np.maximum(P, 1 - P)
    proportional(optimal_q(ErrorRate(), MODEL), error_preference(confidence, float((1 - confidence).mean())))
    for eta in (0.0, 0.3, 1.0):
        predicted = P > 0.5
        hits = (P * predicted).sum()
        f = hits / (eta * predicted.sum() + (1 - eta) * P.sum())
        proportional(optimal_q(FMeasure.from_eta(eta), MODEL), f_preference(P, float(f), eta, predicted))
    other = ClassPredictions(np.column_stack([1 - P**2, P**2]))
    first, second, p = P > 0.5, P**2 > 0.5, (P + P**2) / 2
    wrong = [np.where(result, 1 - p, p).mean() for result in (first, second)]
    by = difference_preference(p, float(wrong[0] - wrong[1]), first, second)
    proportional(optimal_q(ErrorRate(), [MODEL, other]), by)


def test_closed_forms_of_squared_errors_are_the_optimal_q_of_a_pool():
    rng = np.random.default_rng(3)
    means, others, variances = rng.normal(size=50), rng.normal(size=50), rng.gamma(2, 1, 50)
    f, mse = ValuePredictions(means, variances), SquaredError()
    proportional(optimal_q(mse, f), squared_error_preference(variances, variances.mean()))
    belief, bias = ValuePredictions(others, variances), means - others
    expected = squared_error_preference(variances, (variances + bias**2).mean(), bias)
    proportional(optimal_q(mse, f, belief=belief), expected)
    second = ValuePredictions(others, 2 * variances)
    proportional(optimal_q(mse, [f, second]), squared_difference_preference(bias, variances, 2 * variances))
    with pytest.raises(ValueError, match=r"variance holds -1\.0, expected nonnegative numbers"):
        squared_error_preference([1, -1], 0.5)


def test_savings_are_the_asymptotic_variances_of_a_pool():
    errors, n = error_profile(0.15, 1.5, 40), 40
    claims, shares = sharpened(errors, 3.0), np.full(n, 1 / n)

    def says(wrong):
        return ClassPredictions(np.column_stack([1 - wrong, wrong]), y_pred=np.zeros(n, dtype=int))

    found = draw_variances(errors, claims, shares)
    for name, q in {
        "uniform": uniform_q(n),
        "optimal": optimal_q(ErrorRate(), says(claims)),
        "defensive": optimal_q(ErrorRate(), says(claims), defensive=0.1),
    }.items():
        variance = asymptotic_variance(ErrorRate(), says(claims), q, belief=says(errors))
        assert found[name] == pytest.approx(variance, rel=1e-9), name
    # With the control variate: the law of v (ℓ − e) + mean e, enumerated.
    q = optimal_q(ErrorRate(), says(claims), defensive=0.1)
    weights = 1 / (n * q)
    values = np.concatenate([weights * (1 - claims), weights * (0 - claims)]) + claims.mean()
    chances = np.concatenate([q * errors, q * (1 - errors)])
    assert chances @ values == pytest.approx(errors.mean())
    assert found["control"] == pytest.approx(chances @ values**2 - errors.mean() ** 2, rel=1e-9)
    np.testing.assert_allclose(recalibrated(errors, claims, shares), errors, rtol=1e-6)


def test_a_watched_interval_takes_the_draws_that_its_boundary_says():
    n = draws_for_half_width(0.09, 0.05, "watched")
    assert standard_errors(n, 0.95) * np.sqrt(0.09 / n) <= 0.05
    assert standard_errors(n - 1, 0.95) * np.sqrt(0.09 / (n - 1)) > 0.05
    with pytest.raises(ValueError, match="interval must be one of"):
        draws_for_half_width(0.09, 0.05, "t")
    with pytest.raises(ValueError, match="must have one shape"):
        draw_variances([0.1], [0.1, 0.2], [1.0])
    with pytest.raises(ValueError, match="spread must be at least 0, got -1"):
        error_profile(0.1, -1)


@pytest.mark.parametrize("kind", explorers.EXPLORERS, ids=lambda kind: kind.name)
def test_a_saved_page_asks_for_nothing_else(kind, tmp_path: Path):
    kind().save_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    asks = r"""(?<![.\w])(src|href)=|@import|url\((?!#)|\bfetch\(|^import |XMLHttp"""
    assert not re.search(asks, page, flags=re.MULTILINE)
    assert page.count("</script>") == 2
    assert kind().content["name"] in page


def test_a_fragment_ends_no_script():
    class Hostile(explorers.Explorer):
        name, title = 'x"><b>', "</script><b>"

    assert "<b>" not in Hostile(note="</script><b>").fragment()


@pytest.mark.parametrize(
    ("error", "settings", "message"),
    [
        (ValueError, {"risk": 1.5}, "risk must be from 0 to 1, got 1.5"),
        (TypeError, {"eta": "half"}, "eta must be a number from 0 to 1, got 'half'"),
        (ValueError, {"difference": -2}, "difference must be from -0.5 to 0.5, got -2"),
    ],
)
def test_settings_outside_the_sliders_are_refused(error, settings, message):
    with pytest.raises(error, match=re.escape(message)):
        explorers.WhatQPrefers(**settings)


@pytest.mark.parametrize(
    ("error", "predictions", "options", "message"),
    [
        (
            TypeError,
            MODEL,
            {"measure": MacroF()},
            "measure must be a mean of losses or gains, or an F-measure",
        ),
        (TypeError, ErrorRate(), {}, "predictions must be one model's, as Predictions or a table of"),
        (TypeError, [MODEL, MODEL], {}, "predictions must be one model's, as Predictions or a table of"),
        (ValueError, ValuePredictions(P), {}, "the predictions have no variances"),
        (TypeError, ValuePredictions(P, P), {}, "ErrorRate() takes ClassPredictions, got ValuePredictions"),
        (TypeError, ValuePredictions(P, P), {"measure": FMeasure()}, "takes ClassPredictions, got ValueP"),
        (ValueError, MODEL, {"costs": [1.0]}, "costs has 1 entries, expected one for each of 60 instances"),
        (ValueError, MODEL, {"defensive": 2}, "defensive must be from 0 to 1, got 2"),
    ],
)
def test_a_pool_that_it_cannot_show_is_refused(error, predictions, options, message):
    with pytest.raises(error, match=re.escape(message)):
        explorers.YourPool(predictions, **options)


def test_preferences_refuse_what_is_no_probability():
    with pytest.raises(ValueError, match=r"confidence holds 1\.2, expected probabilities from 0 to 1"):
        error_preference([0.5, 1.2], 0.1)
    with pytest.raises(ValueError, match="difference must be from -1 to 1, got 2"):
        difference_preference([0.5], 2, [True], [False])
