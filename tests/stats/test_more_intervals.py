"""Student's t, Wilson and Clopper–Pearson."""

import numpy as np
import pytest
from scipy.stats import binomtest, t

from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    FMeasure,
    SquaredError,
    ValuePredictions,
    clopper_pearson_interval,
    estimate,
    t_interval,
    uniform_q,
    wilson_interval,
)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 30), (30, 30), (3, 30), (499, 1000)])
def test_binomial_intervals_equal_scipys(successes, n, level):
    test = binomtest(successes, n)
    for found, method in ((wilson_interval, "wilson"), (clopper_pearson_interval, "exact")):
        expected = test.proportion_ci(level, method=method)
        assert found(successes, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("n", [2, 5, 100])
def test_t_interval(n):
    half_width = t.ppf(0.975, n - 1) * 0.1
    assert t_interval(0.5, 0.1, n, 0.95) == pytest.approx((0.5 - half_width, 0.5 + half_width), rel=1e-12)


def test_estimate_takes_each_of_them():
    predictions = ClassPredictions([[0.9, 0.1]] * 40)
    labels = np.array([1] * 6 + [0] * 34)
    results = {
        interval: estimate(ErrorRate(), predictions, uniform_q(40), range(40), labels, interval=interval)
        for interval in ("wald", "t", "wilson", "clopper_pearson")
    }
    wilson, exact = results["wilson"], results["clopper_pearson"]
    assert (wilson.low, wilson.high) == pytest.approx(wilson_interval(6, 40, 0.95), abs=1e-14)
    assert (exact.low, exact.high) == pytest.approx(clopper_pearson_interval(6, 40, 0.95), abs=1e-14)
    wald, student = results["wald"], results["t"]
    assert student.low < wald.low < wald.value < wald.high < student.high
    assert student.high - student.value == pytest.approx(t.ppf(0.975, 39) * wald.standard_error, rel=1e-12)
    accuracy = estimate(Accuracy(), predictions, uniform_q(40), range(40), labels, interval="clopper_pearson")
    assert (accuracy.low, accuracy.high) == pytest.approx((1 - exact.high, 1 - exact.low), abs=1e-13)


def test_binary_costs_count_as_binary():
    predictions = ClassPredictions([[0.9, 0.1]] * 4)
    costs = CostMatrix([[0, 1], [0, 0]])
    result = estimate(costs, predictions, uniform_q(4), range(4), [0, 0, 1, 0], interval="wilson")
    assert (result.low, result.high) == pytest.approx(wilson_interval(1, 4, 0.95), abs=1e-14)


@pytest.mark.parametrize("interval", ["wilson", "clopper_pearson"])
def test_binomial_intervals_refuse_other_samples_with_a_reason(interval):
    model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
    refused = [
        (ErrorRate(), model, [0.6, 0.4], "weighted: q is not uniform"),
        (ErrorRate(), [model, model], [0.5, 0.5], "the difference of two models"),
        (FMeasure(), model, [0.5, 0.5], "F1 is not the mean of outcomes that are 0 or 1"),
        (CostMatrix([[0, 2], [1, 0]]), model, [0.5, 0.5], "mean cost is not the mean of outcomes"),
        (SquaredError(), ValuePredictions([0.0, 1.0]), [0.5, 0.5], "mean squared error is not the mean"),
    ]
    for measure, predictions, q, reason in refused:
        with pytest.raises(ValueError, match=f"interval '{interval}' is for unweighted.*{reason}"):
            estimate(measure, predictions, q, [0, 1], [0, 1], interval=interval)
