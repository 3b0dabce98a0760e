"""Measures of many classes against tables of all pairs of classes, and the memory that they take."""

import tracemalloc

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    Recall,
    Specificity,
    adaptive_q,
    confidence_sequence,
    draw,
    draw_without_replacement,
    estimate,
    estimate_adaptive,
    estimate_confusion,
    importance_weights,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.measures.confusion import _spreads
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.measures.generalized_risks import denominator_spread
from activeeval_widgets.stats.questions.make import target_of


def agreement(f, y, k):
    return [float(f == y), *(float(f == c) for c in range(k)), *(float(y == c) for c in range(k))]


def ratios(eta):
    def z(f, y, k):
        denominators = [eta * (f == c) + (1 - eta) * (y == c) for c in range(k)]
        return [float(f == y == c) for c in range(k)] + denominators

    return z


DENSE = {
    "matthews": (MatthewsCorrelation(), agreement),
    "kappa": (CohenKappa(), agreement),
    "balanced accuracy": (BalancedAccuracy(), ratios(0.0)),
    "macro-F1": (MacroF(), ratios(0.5)),
    "macro-F2": (MacroF(beta=2.0), ratios(0.2)),
    "error rate": (ErrorRate(), lambda f, y, k: [float(f != y)]),
    "recall": (Recall(positive=1), lambda f, y, k: [float(f == y == 1), float(y == 1)]),
    "specificity": (
        Specificity(positive=1),
        lambda f, y, k: [float(f != 1 and y != 1), float(y != 1)],
    ),
}


def make_pool(k, n_instances, seed=0):
    rng = np.random.default_rng(seed)
    model = ClassPredictions(
        rng.dirichlet(np.full(k, 0.5), n_instances), y_pred=rng.integers(k, size=n_instances)
    )
    return model, rng


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("name", DENSE)
def test_all_follows_from_the_table_of_all_pairs_of_classes(name, k):
    measure, of_pair = DENSE[name]
    model, rng = make_pool(k, 40)
    table = np.array([[of_pair(f, y, k) for y in range(k)] for f in range(k)])
    d = table.shape[2]
    labels = rng.integers(k, size=60)
    draws = rng.integers(40, size=60)
    np.testing.assert_array_equal(
        measure.statistics(model, labels, draws), table[model.pred_codes[draws], labels]
    )
    # E[z | x] of every instance: Σ p(y | x) z(f, y).
    expected = np.einsum("iy,iyd->id", model.y_proba, table[model.pred_codes])
    belief = model.belief([])
    np.testing.assert_allclose(measure.introspective_mean(model, belief), expected.mean(axis=0), atol=1e-14)
    found = measure.expectation(model, belief)
    np.testing.assert_allclose(found.dense(), expected, atol=1e-14)
    np.testing.assert_allclose(found[np.array([7, 3])], expected[[7, 3]], atol=1e-14)
    np.testing.assert_allclose(found.row(5), expected[5], atol=1e-14)
    np.testing.assert_allclose(found.mean, expected.mean(axis=0), atol=1e-14)
    for chosen in (rng.random(40) < 0.2, rng.random(40) < 0.8, np.zeros(40, bool), np.ones(40, bool)):
        np.testing.assert_allclose(found.total(chosen), expected[chosen].sum(axis=0), atol=1e-12)
    # The moments of any direction.
    direction = rng.normal(size=d)
    scores = table[model.pred_codes] @ direction - 0.3
    moments = measure.moments([Term(model, direction)], belief, 0.3)
    np.testing.assert_allclose(moments.first, (model.y_proba * scores).sum(axis=1), atol=1e-13)
    np.testing.assert_allclose(moments.second, (model.y_proba * scores**2).sum(axis=1), atol=1e-13)


@pytest.mark.parametrize("eta", [0.0, 0.2, 0.5])
def test_the_spread_of_every_class_is_that_of_its_table(eta):
    measure = BalancedAccuracy() if eta == 0 else MacroF(beta=np.sqrt(1 / eta - 1))
    for seed in range(8):
        model, rng = make_pool(4, 12, seed)
        q = rng.dirichlet(np.ones(12))
        q[rng.random(12) < 0.3] = 0
        q /= q.sum()
        table = measure._table(model)
        expected = [denominator_spread(table[:, :, 4 + c], model, q) for c in range(4)]
        np.testing.assert_allclose(_spreads(model, q, eta), expected, rtol=1e-12)


@pytest.mark.parametrize("measure", [ErrorRate(), LogLoss(), BrierScore()], ids=repr)
def test_the_range_of_a_loss_is_over_all_labels(measure):
    models = [make_pool(5, 30, seed)[0] for seed in (1, 2)]
    everything = np.arange(30)
    for some in (models[:1], models):
        target = target_of(measure, some)
        z = np.array([target.statistics(np.full(30, label), everything) for label in range(5)])
        num = z[:, :, 0] if len(some) == 1 else z[:, :, 0] - z[:, :, 1]
        least, greatest = measure.loss_bounds(some, None)
        np.testing.assert_allclose(least, num.min(axis=0), atol=1e-14)
        np.testing.assert_allclose(greatest, num.max(axis=0), atol=1e-14)
        low, high = EstimatingEquation(target, uniform_q(30), None).range
        assert low == pytest.approx(num.min(axis=0).mean(), abs=1e-10)
        assert high == pytest.approx(num.max(axis=0).mean(), abs=1e-10)


def test_of_many_labels_a_ratio_looks_at_those_that_differ():
    model, _ = make_pool(6, 30)
    assert Recall(positive=3).distinct_labels(model).tolist() == [0, 3]
    equation = EstimatingEquation(target_of(Recall(positive=3), [model]), uniform_q(30), None)
    assert len(list(equation.extremes())) == 2


def test_rows_of_a_corrected_belief_are_those_of_the_whole():
    models = [make_pool(4, 50, seed)[0] for seed in (3, 4)]
    for some in (models[:1], models):
        belief = recalibrate(Recall(positive=2), some, np.array([1, 5, 9, 20]), np.array([0, 2, 2, 1]))
        chosen = np.array([49, 0, 7])
        np.testing.assert_allclose(belief.proba_of(chosen), belief.y_proba[chosen], rtol=1e-13)
        np.testing.assert_allclose(belief.y_proba.sum(axis=1), 1, rtol=1e-12)


def test_statistics_side_by_side_and_beside_ones():
    values = np.arange(12.0).reshape(6, 2)
    both = Expectation.beside([Expectation.of(values), Expectation.of(values[:, :1])]).with_ones()
    dense = np.column_stack([values, values[:, :1], np.ones(6)])
    np.testing.assert_array_equal(both.dense(), dense)
    assert (len(both), both.n_statistics) == (6, 4)
    np.testing.assert_array_equal(both.total(np.arange(6) < 5), dense[:5].sum(axis=0))


@pytest.mark.slow
@pytest.mark.parametrize(
    "measure",
    [MatthewsCorrelation(), CohenKappa(), MacroF(), BalancedAccuracy(), ErrorRate(), LogLoss(), BrierScore()],
    ids=repr,
)
def test_no_table_of_all_triples_is_ever_made(measure):
    """300 classes: a table of statistics of all pairs takes 430 MB, E[z | x] of 2,000 instances 10 MB."""
    k, n_instances = 300, 2000
    rng = np.random.default_rng(0)
    proba = rng.random((n_instances, k)) ** 8
    proba[np.arange(n_instances), rng.integers(k, size=n_instances)] += 3
    model = ClassPredictions(proba / proba.sum(axis=1, keepdims=True))
    y_true = np.where(rng.random(n_instances) < 0.7, model.pred_codes, rng.integers(k, size=n_instances))
    tracemalloc.start()
    q = optimal_q(measure, model, defensive=0.1)
    draws = draw(q, 60, rng)
    for estimator in ("self_normalized", "difference"):
        result = estimate(measure, model, q, draws, y_true[draws], estimator=estimator)
        assert result.low <= result.high
    confidence_sequence(measure, model, q, draws, y_true[draws])
    estimate_confusion(model, draws, importance_weights(q, draws), y_true[draws])
    pool_value(measure, model, y_true)
    first = adaptive_q(measure, model)
    some, probabilities = draw_without_replacement(first, 40, rng)
    adaptive_q(measure, model, some, y_true[some])
    estimate_adaptive(measure, model, some, probabilities, y_true[some])
    AdaptiveConfidenceSequence(measure, model).extend(some, first, y_true[some])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # y_proba itself takes 5 MB.
    assert peak < 60e6
