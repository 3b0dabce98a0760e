"""Every sample of a small pool enumerated: values, errors and the estimator's law by plain arithmetic."""

import itertools
from math import isnan, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    Accuracy,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    Precision,
    RankingPredictions,
    Recall,
    Specificity,
    SquaredError,
    ValuePredictions,
    absolute_difference_q,
    disagreement_q,
    estimate,
    pool_value,
    uniform_q,
)

PROBA = np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.55, 0.45]])
OTHER = np.array([[0.2, 0.8], [0.7, 0.3], [0.1, 0.9], [0.9, 0.1]])
Y_TRUE = np.array([0, 1, 0, 1])
Q = np.array([0.4, 0.3, 0.1, 0.2])
F, F2 = PROBA.argmax(axis=1), OTHER.argmax(axis=1)
MODEL, SECOND = ClassPredictions(PROBA), ClassPredictions(OTHER)


def f_measure(eta, f=F):
    """w and ℓ of T, 3.26: w = ηf + (1 − η)y, ℓ = [f = y]."""
    return eta * f + (1 - eta) * Y_TRUE, (f == Y_TRUE).astype(float)


RISKS = {
    "error rate": (ErrorRate(), (F != Y_TRUE).astype(float)),
    "accuracy": (Accuracy(), (F == Y_TRUE).astype(float)),
    "costs": (CostMatrix([[0, 3], [1, -1]]), np.array([[0, 3], [1, -1]], float)[F, Y_TRUE]),
    "log loss": (LogLoss(), -np.log(PROBA[np.arange(4), Y_TRUE])),
    "Brier": (BrierScore(), ((PROBA - np.eye(2)[Y_TRUE]) ** 2).sum(axis=1)),
}
RATIOS = {
    "F1": (FMeasure(), *f_measure(0.5)),
    "F2": (FMeasure(beta=2), *f_measure(0.2)),
    "precision": (Precision(), *f_measure(1.0)),
    "recall": (Recall(), *f_measure(0.0)),
    "specificity": (Specificity(), 1.0 - Y_TRUE, (F == Y_TRUE).astype(float)),
}
GENERALIZED = {name: (measure, np.ones(4), loss) for name, (measure, loss) in RISKS.items()} | RATIOS


@pytest.mark.parametrize("n_draws", [2, 3])
@pytest.mark.parametrize("name", GENERALIZED)
def test_every_sample_has_the_papers_value_and_error(name, n_draws):
    """T, 3.31 and Lemma 3.4: Σ v w ℓ / Σ v w and n (Σ v w)^-2 Σ v² w² (ℓ − Ĝ)²; the law over all samples."""
    measure, w, loss = GENERALIZED[name]
    v = 1 / (4 * Q)
    defined = mean = expected_mean = square = expected_square = 0.0
    for draws in itertools.product(range(4), repeat=n_draws):
        index = np.array(draws)
        probability = Q[index].prod()
        result = estimate(measure, MODEL, Q, index, Y_TRUE[index])
        total = (v * w)[index].sum()
        if total == 0:
            assert isnan(result.value)
            assert not result.is_defined
            assert (result.low, result.high) == measure.value_range
            continue
        value = (v * w * loss)[index].sum() / total
        variance = n_draws * ((v * w * (loss - value))[index] ** 2).sum() / total**2
        assert result.value == pytest.approx(value, abs=1e-13)
        if variance > 1e-20:
            assert result.standard_error == pytest.approx(sqrt(variance / n_draws), rel=1e-10)
        else:
            assert isnan(result.standard_error)
        assert result.low <= result.value + 1e-15
        assert result.high >= result.value - 1e-15
        assert result.high - result.low > 1e-3
        defined += probability
        mean += probability * result.value
        square += probability * result.value**2
        expected_mean += probability * value
        expected_square += probability * value**2
    assert mean == pytest.approx(expected_mean, abs=1e-13)
    assert square - mean**2 == pytest.approx(expected_square - expected_mean**2, abs=1e-13)
    assert 0 < defined <= 1 + 1e-12


@pytest.mark.parametrize("name", GENERALIZED)
def test_the_estimate_of_the_whole_pool_drawn_once_is_the_pool_value(name):
    measure, w, loss = GENERALIZED[name]
    truth = (w * loss).sum() / w.sum()
    assert pool_value(measure, MODEL, Y_TRUE) == pytest.approx(truth, abs=1e-14)
    result = estimate(measure, MODEL, uniform_q(4), np.arange(4), Y_TRUE)
    assert result.value == pytest.approx(truth, abs=1e-14)


@pytest.mark.parametrize(
    "measure", [BalancedAccuracy(), MacroF(), MatthewsCorrelation(), CohenKappa()], ids=repr
)
def test_delta_method_errors_equal_the_jackknife_in_the_limit(measure):
    """The infinitesimal jackknife, by numbers: the derivative of the estimate in each draw's weight."""
    rng = np.random.default_rng(0)
    proba = rng.dirichlet([1, 1, 1], 60)
    model = ClassPredictions(proba)
    q = rng.dirichlet(np.full(60, 5.0))
    draws = rng.choice(60, 80, p=q)
    labels = rng.integers(3, size=60)[draws]
    result = estimate(measure, model, q, draws, labels)
    v = 1 / (60 * q[draws])
    codes = model.pred_codes[draws]

    def value(weights):
        matrix = np.zeros((3, 3))
        np.add.at(matrix, (codes, labels), weights)
        return float(measure.g(np.tensordot(matrix / matrix.sum(), measure._table(model), axes=2)))

    step = 1e-6
    influence = []
    for i in range(80):
        up, down = v.copy(), v.copy()
        up[i] *= 1 + step
        down[i] *= 1 - step
        influence.append((value(up) - value(down)) / (2 * step))
    assert result.value == pytest.approx(value(v), abs=1e-13)
    assert result.standard_error == pytest.approx(np.linalg.norm(influence), rel=1e-6)


@pytest.mark.parametrize("n_draws", [2, 3])
@pytest.mark.parametrize("name", ["error rate", "log loss", "F1", "precision", "recall"])
def test_every_sample_of_two_models(name, n_draws):
    """Δ̂ and the Wald test (T, 3.24) over all samples, from each model's Σ v w ℓ and Σ v w."""
    measure = GENERALIZED[name][0]
    if name == "error rate":
        parts = [(np.ones(4), (f != Y_TRUE) * 1.0) for f in (F, F2)]
    elif name == "log loss":
        parts = [(np.ones(4), -np.log(p[np.arange(4), Y_TRUE])) for p in (PROBA, OTHER)]
    else:
        eta = {"F1": 0.5, "precision": 1.0, "recall": 0.0}[name]
        parts = [f_measure(eta, f) for f in (F, F2)]
    v = 1 / (4 * Q)
    some = 0
    for draws in itertools.product(range(4), repeat=n_draws):
        index = np.array(draws)
        result = estimate(measure, [MODEL, SECOND], Q, index, Y_TRUE[index])
        totals = [(v * w)[index].sum() for w, _ in parts]
        if min(totals) == 0:
            assert not result.is_defined
            assert isnan(result.pvalue)
            continue
        values = [(v * w * loss)[index].sum() / total for (w, loss), total in zip(parts, totals, strict=True)]
        influence = sum(
            sign * (v * w * (loss - value))[index] / total
            for sign, (w, loss), value, total in zip((1, -1), parts, values, totals, strict=True)
        )
        assert result.value == pytest.approx(values[0] - values[1], abs=1e-13)
        error = np.linalg.norm(influence)
        if error > 1e-10:
            assert result.standard_error == pytest.approx(error, rel=1e-9)
            assert result.statistic == pytest.approx(abs(result.value) / error, rel=1e-9)
            assert result.pvalue == pytest.approx(2 * norm.sf(abs(result.value) / error), rel=1e-8)
            some += 1
        else:
            assert isnan(result.standard_error)
            assert result.high > result.low
            assert 0 < result.pvalue <= 1
    assert some > 1


def test_disagreement_is_scaled_to_the_whole_pool():
    """Drawn on {f₁ ≠ f₂} alone, the difference is that of the whole pool: the mean over all samples."""
    q = disagreement_q(MODEL, SECOND)
    truth = pool_value(ErrorRate(), MODEL, Y_TRUE) - pool_value(ErrorRate(), SECOND, Y_TRUE)
    mean = 0.0
    for draws in itertools.product(np.flatnonzero(q), repeat=2):
        index = np.array(draws)
        result = estimate(ErrorRate(), [MODEL, SECOND], q, index, Y_TRUE[index])
        share = np.mean(q > 0)
        assert abs(result.value) <= share
        assert -share <= result.low <= result.value <= result.high <= share
        mean += q[index].prod() * result.value
    assert np.mean(q > 0) == 0.5
    assert mean == pytest.approx(truth, abs=1e-14)


def test_values_and_rankings_over_every_sample():
    values = [ValuePredictions([1.0, 2.0, 4.0]), ValuePredictions([1.5, 2.0, 2.0])]
    y = np.array([1.0, 3.0, 3.5])
    rankings = [
        RankingPredictions(r, [{item: [0.5, 0.5] for item in "abc"}] * 3, grades=[0, 1])
        for r in (["ab", "c", "cab"], ["ba", "cb", "a"])
    ]
    grades = [{"a": 1, "b": 0, "c": 1}, {"b": 1, "c": 0, "a": 0}, {"a": 1, "b": 1, "c": 0}]
    cases = [
        (SquaredError(), values, y, [(m.mean - y) ** 2 for m in values]),
        (AbsoluteError(), values, y, [np.abs(m.mean - y) for m in values]),
        (
            DCG(),
            rankings,
            grades,
            [
                [
                    sum(grades[k][i] / np.log2(2 + at) for at, i in enumerate(r))
                    for k, r in enumerate(m.rankings)
                ]
                for m in rankings
            ],
        ),
        (ERR(), rankings, grades, None),
    ]
    q = np.array([0.5, 0.2, 0.3])
    for measure, models, labels, losses in cases:
        if losses is None:
            losses = [measure.statistics(m, labels, np.arange(3))[:, 0] for m in models]
        for draws in itertools.product(range(3), repeat=2):
            index = np.array(draws)
            v = 1 / (3 * q[index])
            given = [labels[i] for i in draws]
            single = estimate(measure, models[0], q, index, given)
            first = np.asarray(losses[0])[index]
            assert single.value == pytest.approx((v * first).sum() / v.sum(), abs=1e-13)
            both = estimate(measure, models, q, index, given)
            delta = first - np.asarray(losses[1])[index]
            assert both.value == pytest.approx((v * delta).sum() / v.sum(), abs=1e-13)


def test_equal_values_need_not_be_drawn():
    a, b = ValuePredictions([1.0, 2.0, 3.0]), ValuePredictions([1.0, 4.0, 2.0])
    q = absolute_difference_q(a, b)
    y = np.array([7.0, 2.5, 3.0])
    truth = pool_value(SquaredError(), a, y) - pool_value(SquaredError(), b, y)
    result = estimate(SquaredError(), [a, b], q, [1, 2, 1], y[[1, 2, 1]])
    v = 1 / (3 * q[[1, 2, 1]])
    delta = ((a.mean - y) ** 2 - (b.mean - y) ** 2)[[1, 2, 1]]
    assert result.value == pytest.approx(2 / 3 * (v * delta).sum() / v.sum())
    # Each of both, in proportion to q: 2 to 1, exactly the expectation, gives the truth.
    assert result.value == pytest.approx(truth, abs=1e-13)


@pytest.mark.parametrize(
    "measure",
    [
        FMeasure(),
        Precision(),
        Recall(),
        Specificity(),
        BalancedAccuracy(),
        MacroF(),
        MatthewsCorrelation(),
        CohenKappa(),
    ],
    ids=repr,
)
@pytest.mark.parametrize("models", [1, 2])
def test_a_perfect_sample_never_gives_a_point(measure, models):
    """Trap 8 for every measure: no errors seen, and still something is left open."""
    model = ClassPredictions(np.tile([[0.9, 0.1], [0.2, 0.8]], (10, 1)))
    labels = model.y_pred
    result = estimate(
        measure, [model, model][:models] if models == 2 else model, uniform_q(20), range(20), labels
    )
    assert result.value == (1 if models == 1 else 0)
    assert result.low < result.value - 0.01
    assert result.low <= result.value <= result.high


@pytest.mark.parametrize("measure", [Recall(), Precision()])
def test_constant_ratios_give_clopper_pearson_when_unweighted(measure):
    model = ClassPredictions(np.tile([[0.9, 0.1], [0.2, 0.8]], (10, 1)))
    result = estimate(measure, model, uniform_q(20), range(20), model.y_pred)
    assert (result.low, result.high) == pytest.approx((0.025 ** (1 / 10), 1), abs=1e-12)


def test_constant_ratio_intervals_exclude_the_truth_no_more_often_than_promised():
    """Exact: all labelings of three instances, and all numbers of positives among n weighted draws."""
    level, n = 0.8, 5
    q = np.array([0.5, 0.3, 0.2])
    predictions = ClassPredictions([[0.1, 0.9]] * 3)
    for y in itertools.product((0, 1), repeat=3):
        truth = np.mean(y)
        missed = 0.0
        for draws in itertools.product(range(3), repeat=n):
            index = np.array(draws)
            labels = np.array(y)[index]
            if labels.min() == labels.max():
                result = estimate(Precision(), predictions, q, index, labels, confidence_level=level)
                missed += q[index].prod() * (not result.low - 1e-12 <= truth <= result.high + 1e-12)
        assert missed <= (1 - level) / 2 + 1e-12


def test_the_bound_of_a_constant_ratio_allows_for_the_weights():
    """The rare half of the pool is wrong, and not drawn in 20 draws with probability 0.12."""
    q = np.array([0.9, 0.1])
    predictions = ClassPredictions([[0.1, 0.9]] * 2)
    result = estimate(Precision(), predictions, q, [0] * 20, [1] * 20, confidence_level=0.9)
    deviating = 1 - 0.05 ** (1 / 20)
    share = 9 * deviating / (9 * deviating + 1 - deviating)
    assert (result.low, result.high) == pytest.approx((1 - share, 1), abs=1e-12)
    assert result.low < 0.5


def test_rounding_takes_no_estimate_out_of_the_range():
    rng = np.random.default_rng(3)
    model = ClassPredictions(rng.dirichlet([1, 1, 1], 6))
    q = rng.dirichlet(np.ones(6))
    draws = rng.choice(6, 8, p=q)
    assert estimate(MatthewsCorrelation(), model, q, draws, model.y_pred[draws]).value <= 1
