"""How many uniform draws would have told as much: held against what uniform draws do tell."""

from math import isnan, sqrt

import numpy as np
import pytest

from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    SquaredError,
    ValuePredictions,
    draw,
    estimate,
    importance_weights,
    optimal_q,
    pool_value,
    uniform_draws_needed,
    uniform_q,
)


def classifier(rng, size=3000):
    p = rng.beta(0.4, 0.6, size)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    return model, (rng.random(size) < p).astype(int)


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()])
def test_it_is_what_uniform_draws_need(measure):
    """The root mean square error of so many uniform draws without replacement is the standard error told."""
    rng = np.random.default_rng(3)
    model, y_true = classifier(rng)
    q = optimal_q(measure, model, defensive=0.1)
    result, errors = [], []
    for _ in range(40):
        draws = draw(q, 300, rng)
        found = estimate(measure, model, q, draws, y_true[draws])
        result.append(
            uniform_draws_needed(
                measure, model, draws, importance_weights(q, draws), y_true[draws], found.standard_error
            )
        )
        errors.append(found.standard_error)
    n = round(np.median(result))
    truth = pool_value(measure, model, y_true)
    uniform = uniform_q(model.n_instances)
    deviations = []
    for _ in range(400):
        draws = rng.permutation(model.n_instances)[:n]
        deviations.append(estimate(measure, model, uniform, draws, y_true[draws]).value - truth)
    # The root mean square of 400 normal numbers is within 12 % (99.9 %); what was told varies, too.
    assert np.sqrt(np.mean(np.square(deviations))) == pytest.approx(np.median(errors), rel=0.15)


@pytest.mark.parametrize("measure", [Accuracy(), ErrorRate(), FMeasure()])
def test_draws_that_show_no_variance_say_nothing(measure):
    """A mean of ones is 1 but for rounding: no labels by uniform draws would not have done."""
    rng = np.random.default_rng(0)
    model, _ = classifier(rng, 500)
    for n in (40, 100, 300):
        weights, draws = rng.uniform(0.5, 2, n), rng.permutation(500)[:n]
        assert isnan(uniform_draws_needed(measure, model, draws, weights, model.y_pred[draws], 0.01))


def test_a_small_variance_is_not_taken_for_rounding():
    model = ValuePredictions(np.zeros(50), np.ones(50))
    y_true = 100 + 1e-6 * np.arange(10)
    n = uniform_draws_needed(SquaredError(), model, range(10), np.ones(10), y_true, 1e-3)
    assert 0 < n < 50


def test_a_standard_error_of_nothing_takes_the_whole_pool():
    model = ClassPredictions(np.tile([0.9, 0.1], (50, 1)))
    n = uniform_draws_needed(ErrorRate(), model, range(10), np.ones(10), [1, 0] * 5, 1e-9)
    assert n == pytest.approx(50)


def test_weights_count():
    """An error of weight 3 among three others of weight 1 is an error rate of one half."""
    model = ClassPredictions(np.tile([0.9, 0.1], (10_000, 1)))
    n = uniform_draws_needed(ErrorRate(), model, range(4), [3, 1, 1, 1], [1, 0, 0, 0], sqrt(1 / 3) / 10)
    assert n == pytest.approx(100, rel=0.01)


@pytest.mark.parametrize(
    ("labels", "error"), [([0], 0.1), ([0, 0, 0], 0.1), ([0, 1, 0], float("nan")), ([0, 1, 0], 0.0)]
)
def test_where_it_can_not_be_told(labels, error):
    model = ClassPredictions(np.tile([0.9, 0.1], (10, 1)))
    n = len(labels)
    assert isnan(uniform_draws_needed(ErrorRate(), model, range(n), np.ones(n), labels, error))
