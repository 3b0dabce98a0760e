"""The difference estimator: unbiased over every sample and labeling, consistent where the model is wrong."""

import itertools
from math import isnan

import numpy as np
import pytest

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    CalibrationError,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    FMeasure,
    MacroF,
    MatthewsCorrelation,
    Precision,
    RankingPredictions,
    Recall,
    SquaredError,
    ValuePredictions,
    asymptotic_variance,
    draw,
    estimate,
    estimate_trajectory,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures.registry import all_measures

Q = np.array([0.5, 0.2, 0.3])
PROBA = np.array([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
MODEL = ClassPredictions(PROBA)
OTHER = ClassPredictions([[0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])
SURE = ClassPredictions([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
LABELINGS = [np.array(y) for y in itertools.product((0, 1), repeat=3)]
SAMPLES = [np.array(draws) for draws in itertools.product(range(3), repeat=2)]
PLAIN = [cls.examples()[0] for cls in all_measures("class") if cls.needs_model and cls is not CostMatrix]
CLASS_RISKS = [*(measure for measure in PLAIN if measure.is_risk), CostMatrix([[0, 1], [5, -1]])]
SMOOTH = [measure for measure in PLAIN if not measure.is_risk]


def truth_of(measure, models, y_true):
    values = [pool_value(measure, model, y_true) for model in models]
    return values[0] if len(values) == 1 else values[0] - values[1]


@pytest.mark.parametrize("measure", CLASS_RISKS, ids=repr)
@pytest.mark.parametrize("models", [[MODEL], [SURE], [MODEL, OTHER]], ids=["one", "sure", "two"])
def test_unbiased_over_every_sample_and_labeling(measure, models):
    """All 9 samples of two draws for all 8 labelings: the mean is the truth, the variance as by hand."""
    mixed = np.mean([model.y_proba for model in models], axis=0)
    predictions = models if len(models) == 2 else models[0]
    for y_true in LABELINGS:
        truth = truth_of(measure, models, y_true)
        loss = np.zeros(3)
        expected = np.zeros(3)
        for sign, model in zip((1, -1), models, strict=False):
            loss += sign * measure.statistics(model, y_true, np.arange(3))[:, 0]
            for c in range(2):
                column = measure.statistics(model, np.full(3, c), np.arange(3))[:, 0]
                expected += sign * mixed[:, c] * column
        single = expected.mean() + (loss - expected) / (3 * Q)
        mean = variance = error = 0.0
        for draws in SAMPLES:
            result = estimate(measure, predictions, Q, draws, y_true[draws], estimator="difference")
            assert result.value == pytest.approx(single[draws].mean(), abs=1e-12)
            chance = Q[draws].prod()
            mean += chance * result.value
            variance += chance * (result.value - truth) ** 2
            spread = np.var(single[draws], ddof=1) / 2
            if not isnan(result.standard_error):
                assert result.standard_error**2 == pytest.approx(spread, rel=1e-9, abs=1e-14)
            error += chance * spread
        assert mean == pytest.approx(truth, abs=1e-12)
        assert variance == pytest.approx(Q @ (single - truth) ** 2 / 2, abs=1e-12)
        # The squared standard error, where it is given, is the unbiased estimate of that variance.
        assert error == pytest.approx(variance, abs=1e-12)


@pytest.mark.parametrize("measure", SMOOTH, ids=repr)
@pytest.mark.parametrize("models", [[MODEL], [MODEL, OTHER]], ids=["one", "two"])
def test_ratios_and_smooth_measures_by_the_estimated_means(measure, models):
    """Ĝ = g(Ê z), its error by numerical derivatives of g."""
    predictions = models if len(models) == 2 else models[0]
    mixed = np.mean([model.y_proba for model in models], axis=0)
    rng = np.random.default_rng(2)
    draws = draw(Q, 40, rng)
    y_true = rng.integers(2, size=40)
    v = 1 / (3 * Q[draws])
    rows = []
    for model in models:
        expected = sum(
            mixed[:, [c]] * measure.statistics(model, np.full(3, c), np.arange(3)) for c in range(2)
        )
        z = measure.statistics(model, y_true, draws)
        rows.append(expected.mean(axis=0) + v[:, np.newaxis] * (z - expected[draws]))
    rows = np.stack(rows)

    def g(means):
        values = [measure.g(mean) for mean in means]
        return values[0] if len(values) == 1 else values[0] - values[1]

    means = rows.mean(axis=1)
    result = estimate(measure, predictions, Q, draws, y_true, estimator="difference")
    assert result.value == pytest.approx(g(means), rel=1e-12)
    # Leaving draws' shares out a little, one by one: the influence of each, without the package's gradient.
    step = 1e-6
    influence = [(g(means + step * (rows[:, i] - means)) - g(means)) / step for i in range(40)]
    error = np.std(influence, ddof=1) / np.sqrt(40)
    if error < 1e-9:  # two models that are best at thresholds where they predict the same
        assert not result.standard_error > 1e-9
    else:
        assert result.standard_error == pytest.approx(error, rel=1e-4)
    assert result.estimator == "difference"


def test_values_and_rankings():
    values = [ValuePredictions([1.0, 2.0, 4.0], variance=[0.5, 0.1, 2.0]),
              ValuePredictions([1.5, 2.5, 2.0], variance=[1.0, 0.3, 0.2])]  # fmt: skip
    rankings = [
        RankingPredictions(r, [{item: [0.5, 0.3, 0.2] for item in "abc"}] * 3, grades=[0, 1, 2])
        for r in (["ab", "c", "cab"], ["ba", "cb", "a"])
    ]
    grades = [{"a": 2, "b": 0, "c": 1}, {"b": 1, "c": 0, "a": 0}, {"a": 1, "b": 2, "c": 0}]
    cases = [
        (SquaredError(), values, [1.0, 5.0, 3.5]),
        (AbsoluteError(), values, [1.0, 5.0, 3.5]),
        (DCG(), rankings, grades),
        (ERR(), rankings, grades),
    ]
    for measure, models, y_true in cases:
        for chosen in (models[0], models):
            one = [chosen] if chosen is models[0] else models
            truth = truth_of(measure, one, y_true)
            mean = sum(
                Q[draws].prod()
                * estimate(
                    measure, chosen, Q, draws, [y_true[i] for i in draws], estimator="difference"
                ).value
                for draws in SAMPLES
            )
            assert mean == pytest.approx(truth, abs=1e-11)


@pytest.mark.parametrize("measure", [*CLASS_RISKS, *SMOOTH], ids=repr)
def test_consistent_where_the_probabilities_are_wrong(measure):
    """Every instance of the pool drawn in proportion to q: the truth itself, whatever the model says."""
    rng = np.random.default_rng(3)
    proba = rng.dirichlet([1, 1, 1] if not isinstance(measure, CostMatrix) else [1, 1], 40)
    y_true = rng.integers(proba.shape[1], size=40)
    counts = rng.integers(1, 5, size=40)
    model = ClassPredictions(proba**3 / (proba**3).sum(axis=1, keepdims=True))
    draws = np.repeat(np.arange(40), counts)
    result = estimate(measure, model, counts / counts.sum(), draws, y_true[draws], estimator="difference")
    assert result.value == pytest.approx(pool_value(measure, model, y_true), abs=1e-10)


def test_a_perfect_model_needs_no_labels_but_is_not_believed_at_once():
    """A model that is sure and right: the estimate is exact from the start, the interval is not a point."""
    for measure in [ErrorRate(), Recall(), Precision(), MacroF(), MatthewsCorrelation()]:
        draws = np.array([0, 1, 2, 1])
        y_true = np.array([0, 1, 1])[draws]
        for interval in ("wald", "t", "confidence_sequence"):
            result = estimate(measure, SURE, Q, draws, y_true, estimator="difference", interval=interval)
            perfect = 0 if isinstance(measure, ErrorRate) else 1
            assert result.value == pytest.approx(perfect)
            assert result.high - result.low > 0.1
            assert result.low <= perfect <= result.high


@pytest.mark.parametrize("interval", ["wald", "t"])
@pytest.mark.parametrize("measure", [ErrorRate(), Recall(), FMeasure()], ids=repr)
def test_no_interval_is_a_point_or_leaves_the_range(measure, interval):
    """Over all labelings and samples, one draw included."""
    for y_true in LABELINGS:
        for draws in [*SAMPLES, *np.arange(3).reshape(3, 1)]:
            result = estimate(
                measure, MODEL, Q, draws, y_true[draws], estimator="difference", interval=interval
            )
            assert 0 <= result.low < result.high <= 1


def test_unbiased_for_values_below_the_range():
    """No error where errors were expected: an unbiased estimate of a small rate is below 0 at times."""
    result = estimate(ErrorRate(), MODEL, Q, [1, 1, 1], [1, 1, 1], estimator="difference")
    assert result.value < 0
    assert result.low == 0
    assert result.high > 0.2


def test_no_draws_and_trajectories():
    empty = estimate(ErrorRate(), MODEL, Q, [], [], estimator="difference")
    assert not empty.is_defined
    assert (empty.low, empty.high) == (0, 1)
    draws, y_true = np.array([0, 1, 2, 2]), np.array([1, 1, 0, 0])
    many = estimate_trajectory(ErrorRate(), MODEL, Q, draws, y_true, at=[2, 4], estimator="difference")
    for n, result in zip((2, 4), many, strict=True):
        alone = estimate(ErrorRate(), MODEL, Q, draws[:n], y_true[:n], estimator="difference")
        assert (result.value, result.low, result.high) == (alone.value, alone.low, alone.high)


def test_better_than_self_normalized_where_the_model_is_calibrated():
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 0.5, 1000)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    y_true = (rng.random(1000) < p).astype(int)
    truth = pool_value(ErrorRate(), model, y_true)
    errors = {}
    for estimator in ("self_normalized", "difference"):
        q = optimal_q(ErrorRate(), model, estimator=estimator, defensive=0.1)
        draws = draw(q, 400 * 100, np.random.default_rng(6)).reshape(400, 100)
        values = [
            estimate(ErrorRate(), model, q, each, y_true[each], estimator=estimator).value for each in draws
        ]
        errors[estimator] = np.sqrt(np.mean((np.array(values) - truth) ** 2))
    assert errors["difference"] < 0.92 * errors["self_normalized"]


# A model expects of itself that it is calibrated, where the gradient of that error is not defined.
WITH_GRADIENT = [measure for measure in SMOOTH if not isinstance(measure, CalibrationError)]


@pytest.mark.parametrize("measure", [*CLASS_RISKS, *WITH_GRADIENT], ids=repr)
@pytest.mark.parametrize("models", [[MODEL], [MODEL, OTHER]], ids=["one", "two"])
def test_the_best_q_for_the_difference_estimator(measure, models):
    """q* ∝ sqrt(E[(ψ − E[ψ | x])² | x]), the expectations by loops over labels."""
    predictions = models if len(models) == 2 else models[0]
    mixed = np.mean([model.y_proba for model in models], axis=0)
    psi = np.zeros((3, 2))
    for sign, model in zip((1, -1), models, strict=False):
        z = np.stack([measure.statistics(model, np.full(3, c), np.arange(3)) for c in range(2)], axis=1)
        mean = np.einsum("ic,icd->d", mixed, z) / 3
        psi += sign * (z - mean) @ measure.gradient(mean)
    deviation = np.sqrt((mixed * (psi - (mixed * psi).sum(axis=1, keepdims=True)) ** 2).sum(axis=1))
    q = optimal_q(measure, predictions, estimator="difference")
    if deviation.max() > 1e-12:
        np.testing.assert_allclose(q, deviation / deviation.sum(), atol=1e-7)
    variance = asymptotic_variance(measure, predictions, Q, estimator="difference")
    assert variance == pytest.approx((deviation**2 / Q).sum() / 9, rel=1e-9, abs=1e-12)
    best = asymptotic_variance(measure, predictions, 0.999 * q + 0.001 / 3, estimator="difference")
    assert best <= variance * 1.01 + 1e-12


def test_where_the_model_is_sure_a_defensive_share_is_needed():
    q = optimal_q(ErrorRate(), ClassPredictions([[1, 0], [0.5, 0.5]]), estimator="difference")
    np.testing.assert_allclose(q, [0, 1])
    q = optimal_q(ErrorRate(), ClassPredictions([[1, 0], [0.5, 0.5]]), estimator="difference", defensive=0.2)
    np.testing.assert_allclose(q, [0.1, 0.9])


BAD = {
    "unknown estimator": (
        lambda: optimal_q(ErrorRate(), MODEL, estimator="diff"),
        "estimator must be one of 'difference', 'self_normalized', got 'diff'",
    ),
    "unknown estimator of a variance": (
        lambda: asymptotic_variance(ErrorRate(), MODEL, Q, estimator="diff"),
        "estimator must be one of",
    ),
    "interval of a share": (
        lambda: estimate(
            ErrorRate(), MODEL, uniform_q(3), [0], [1], estimator="difference", interval="wilson"
        ),
        "interval 'wilson' is for unweighted draws .* the difference estimator is not a share",
    ),
    "values without variances": (
        lambda: estimate(
            SquaredError(), ValuePredictions([1.0, 2.0]), uniform_q(2), [0], [1.0], estimator="difference"
        ),
        "estimator 'difference' needs the distribution of labels",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_has_one_clear_error(case):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()
