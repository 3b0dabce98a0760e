"""The area under the ROC curve: held against counting pairs, and against its influence in closed form."""

import itertools

import numpy as np
import pytest

from activeeval_widgets.stats import (
    ROCAUC,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    PredictedClasses,
    draw,
    estimate,
    estimate_adaptive,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.questions.make import target_of

SCORES = np.array([0.1, 0.9, 0.4, 0.4, 0.7, 0.4])
"""With ties."""


def model_of(scores, **options):
    return ClassPredictions(np.column_stack([1 - np.asarray(scores), scores]), **options)


def by_pairs(scores, y, weights=None):
    """The share of pairs in order, counted one by one, ties half."""
    weights = np.ones(len(y)) if weights is None else weights
    won = total = 0.0
    for i, j in itertools.product(np.flatnonzero(y), np.flatnonzero(np.asarray(y) == 0)):
        each = weights[i] * weights[j]
        won += each * ((scores[i] > scores[j]) + (scores[i] == scores[j]) / 2)
        total += each
    return won / total if total else np.nan


def test_it_is_the_share_of_pairs_in_order_for_all_labels_of_a_small_pool():
    model = model_of(SCORES)
    for y in itertools.product([0, 1], repeat=6):
        assert pool_value(ROCAUC(), model, y) == pytest.approx(by_pairs(SCORES, y), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("decimals", [1, 2, 8])
def test_it_is_scikit_learns_on_a_large_pool(decimals):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(decimals)
    scores = rng.random(1500).round(decimals)
    y = (rng.random(1500) < scores**2).astype(int)
    found = pool_value(ROCAUC(), model_of(scores), y)
    assert found == pytest.approx(metrics.roc_auc_score(y, scores), abs=1e-12)


def test_another_class_of_interest():
    model = ClassPredictions([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.1, 0.1, 0.8]], classes=["a", "b", "c"])
    assert pool_value(ROCAUC("a"), model, ["b", "a", "c"]) == 1.0
    assert pool_value(ROCAUC(positive="c"), model, ["c", "a", "b"]) == pytest.approx(0.25)
    assert ROCAUC("a").name == "ROC AUC of a"


def test_the_influence_is_delongs():
    rng = np.random.default_rng(3)
    scores, y = rng.random(14), np.array([0, 1] * 7)
    measure, everything = ROCAUC(), np.arange(14)
    z = measure.statistics(model_of(scores), y, everything)
    found = (z - z.mean(axis=0)) @ measure.gradient(z.mean(axis=0))
    value = by_pairs(scores, y)
    below = [(scores[y == 0] < s).mean() for s in scores]
    above = [(scores[y == 1] > s).mean() for s in scores]
    expected = [
        (below[i] - value) / 0.5 if y[i] else (above[i] - value) / 0.5 for i in everything
    ]  # no ties but with itself, which is of its own class
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_by_weights_alone_it_is_the_share_of_weighted_pairs():
    q = np.array([0.1, 0.3, 0.2, 0.15, 0.15, 0.1])
    draws = draw(q, 25, np.random.default_rng(5))
    y = np.array([0, 1, 1, 0, 1, 0])
    result = estimate(ROCAUC(), model_of(SCORES), q, draws, y[draws])
    assert result.value == pytest.approx(by_pairs(SCORES[draws], y[draws], 1 / q[draws]), abs=1e-12)


def test_what_cannot_be_labeled_leaves_the_ranking():
    y = [0, 1, 0, None, 1, 0]
    result = estimate_adaptive(ROCAUC(), model_of(SCORES), range(6), [1 / (6 - n) for n in range(6)], y)
    kept = [0, 1, 2, 4, 5]
    assert result.value == pytest.approx(by_pairs(SCORES[kept], np.array([0, 1, 0, 1, 0])), abs=1e-12)


def test_the_expected_standard_error_is_that_of_many_samples():
    rng = np.random.default_rng(8)
    scores = rng.random(300)
    y = (rng.random(300) < scores).astype(int)
    model = model_of(scores)
    q = optimal_q(ROCAUC(), model, defensive=0.3)
    results = []
    for _ in range(300):
        draws = draw(q, 150, rng)
        results.append(estimate(ROCAUC(), model, q, draws, y[draws], estimator="difference"))
    values = np.array([result.value for result in results])
    error = np.mean([result.standard_error for result in results])
    assert values.mean() == pytest.approx(pool_value(ROCAUC(), model, y), abs=4 * values.std() / np.sqrt(300))
    assert error == pytest.approx(values.std(), rel=0.12)


@pytest.mark.parametrize("n_models", [1, 2])
def test_the_parts_of_the_exact_interval_determine_it(n_models):
    rng = np.random.default_rng(9)
    models = [model_of(rng.random(40)) for _ in range(n_models)]
    y = (rng.random(40) < 0.3).astype(int)
    composition = target_of(ROCAUC(), models).composition
    parts = composition.parts
    assert sum(part.share for part in parts) == 1
    values = np.array(
        [
            sum(
                sign * pool_value(part.measure, model, y)
                for sign, model in zip((1, -1), part.models, strict=False)
            )
            for part in parts
        ]
    )
    first, *others = (pool_value(ROCAUC(), model, y) for model in models)
    found = composition.interval(values, values)
    assert found == pytest.approx((first - sum(others),) * 2, abs=1e-12)
    # A box around them holds whatever its points give.
    lows, highs = values - np.array([0.2, 0.1]), values + np.array([0.1, 0.3])
    low, high = composition.interval(lows, highs)
    inside = [
        composition.interval(point, point) for point in itertools.product(*np.linspace(lows, highs, 41).T)
    ]
    assert low == pytest.approx(np.min(inside), abs=1e-9)
    assert high == pytest.approx(np.max(inside), abs=1e-9)


@pytest.mark.parametrize("shares", [(0.3, 0.8), (0.45, 0.8), (0.2, 0.55), (0.5, 0.7), (0.6, 0.7), (0.1, 0.4)])
@pytest.mark.parametrize("parts", [(0.02, 0.05), (-0.03, 0.04), (-0.05, -0.02)])
def test_a_difference_goes_as_far_as_any_share_of_positives_lets_it(shares, parts):
    """A₁ − A₂ = d/(π (1 − π)), over all d and π of the box: nearest to 0 at π = 1/2, where that is inside."""
    grid = np.union1d(np.linspace(*shares, 1001), [0.5] if shares[0] < 0.5 < shares[1] else [])
    inside = np.multiply.outer(parts, 1 / (grid * (1 - grid)))
    models = [model_of(np.linspace(0, 1, 5))] * 2
    found = ROCAUC().difference_composition(*models).interval(*np.array([parts, shares]).T)
    assert found == pytest.approx((inside.min(), inside.max()), abs=1e-12)


def test_nothing_is_known_at_first_and_everything_in_the_end():
    y = [0, 1, 0, 0, 1, 0]
    sequence = AdaptiveConfidenceSequence(ROCAUC(), model_of(SCORES))
    assert not sequence.is_asymptotic
    assert (sequence.low, sequence.high) == (0.0, 1.0)
    low, high = sequence.extend(range(6), uniform_q(6), y)
    truth = by_pairs(SCORES, y)
    assert low[-1] == high[-1] == pytest.approx(truth)
    assert ((low <= truth + 1e-12) & (truth - 1e-12 <= high)).all()
    again = sequence.restart().copy()
    again.update(0, uniform_q(6), 0)
    assert again.n_draws == 1
    assert sequence.n_draws == 0


def test_both_protocols_close_in_on_the_truth():
    rng = np.random.default_rng(11)
    scores = rng.beta(0.3, 0.3, 400)
    y = (rng.random(400) < scores).astype(int)
    model = model_of(scores)
    truth = pool_value(ROCAUC(), model, y)
    fixed = ConfidenceSequence(ROCAUC(), model, uniform_q(400))
    draws = draw(uniform_q(400), 400, rng)
    low, high = fixed.extend(draws, y[draws])
    assert low[-1] < truth < high[-1] < low[-1] + 0.2
    other = model_of(1 - scores)
    difference = ConfidenceSequence(ROCAUC(), [model, other], uniform_q(400))
    low, high = difference.extend(draws[:150], y[draws[:150]])
    assert 0 < low[-1] < 2 * truth - 1 < high[-1]
    assert difference.pvalue < 0.01


@pytest.mark.parametrize(
    ("rule", "deadlines"), [(DRAW_RULE, (9,)), (DrawRule(trust=9.0, early_doubt=(3.0, 10.0)), ())]
)
def test_its_interval_is_that_of_its_parts_by_the_same_rule(rule, deadlines):
    rng = np.random.default_rng(13)
    model, q = model_of(rng.random(40)), rng.dirichlet(np.full(40, 5.0))
    y, draws = (rng.random(40) < 0.4).astype(int), rng.permutation(40)[:30]
    ends = []
    options = {"deadlines": deadlines, "rule": rule}
    for part in ROCAUC().composition(model).parts:
        level = 1 - (1 - 0.9) * part.share
        own = AdaptiveConfidenceSequence(part.measure, model, confidence_level=level, **options)
        ends.append(own.extend(draws, q, y[draws]))
    whole = AdaptiveConfidenceSequence(ROCAUC(), model, confidence_level=0.9, **options)
    low, high = whole.extend(draws, q, y[draws])
    for n in (5, 12, 29):
        box = np.array([[part[end][n] for part in ends] for end in (0, 1)])
        expected = ROCAUC().composition(model).interval(*box)
        assert (low[n], high[n]) == expected
    assert high[-1] - low[-1] < 0.9


@pytest.mark.parametrize("is_adaptive", [False, True])
def test_its_parts_share_what_may_be_wrong(is_adaptive):
    """Three quarters of α are for the places of the positives, the rest for their share."""
    rng = np.random.default_rng(14)
    model, q = model_of(rng.random(300)), rng.dirichlet(np.full(300, 5.0))
    y = (rng.random(300) < model.y_proba[:, 1]).astype(int)
    draws = rng.permutation(300)[:80] if is_adaptive else draw(q, 80, rng)

    def ends(measure, level):
        if is_adaptive:
            made = AdaptiveConfidenceSequence(measure, model, confidence_level=level)
            return np.stack(made.extend(draws, q, y[draws]))
        return np.stack(ConfidenceSequence(measure, model, q, confidence_level=level).extend(draws, y[draws]))

    measures = [part.measure for part in ROCAUC().composition(model).parts]
    parts = [ends(measures[0], 1 - 0.2 * 0.75), ends(measures[1], 1 - 0.2 * 0.25)]
    found = ends(ROCAUC(), 0.8)
    for n in (50, 79):
        lows, highs = np.array([part[:, n] for part in parts]).T
        expected = ROCAUC().composition(model).interval(lows, highs)
        assert found[:, n] == pytest.approx(expected, abs=1e-12)


def test_predictions_without_probabilities_are_refused():
    with pytest.raises(TypeError, match="takes class probabilities, and there are only predicted classes"):
        pool_value(ROCAUC(), PredictedClasses([0, 1, 1]), [0, 1, 1])
    with pytest.raises(ValueError, match="positive is 7, expected one of the classes"):
        target_of(ROCAUC(positive=7), [model_of(SCORES)]).statistics([0], np.array([0]))


@pytest.mark.parametrize("kind", [ConfidenceSequence, AdaptiveConfidenceSequence])
def test_nothing_is_promised_once_something_is_excluded(kind):
    """Places are those in the whole pool: of the others alone the value may be quite another one."""
    rng = np.random.default_rng(12)
    n_hard = 120
    scores = np.r_[rng.uniform(0.45, 0.55, 280), rng.random(n_hard) * 0.1]
    y = np.r_[(rng.random(280) < scores[:280]).astype(int), np.zeros(n_hard, dtype=int)]
    can_be_labeled = np.arange(400) < 280
    uniform = uniform_q(400)
    draws = rng.permutation(400)
    truth = by_pairs(scores[can_be_labeled], y[can_be_labeled])
    labels = [int(y[i]) if can_be_labeled[i] else None for i in draws]
    is_adaptive = kind is AdaptiveConfidenceSequence
    sequence = kind(ROCAUC(), model_of(scores), *([] if is_adaptive else [uniform]), confidence_level=0.9)
    for i, label in zip(draws[:399].tolist(), labels, strict=False):
        sequence.update(i, uniform, label) if kind is AdaptiveConfidenceSequence else sequence.update(
            i, label
        )
        assert sequence.low <= truth <= sequence.high
    assert (sequence.low, sequence.high, sequence.withheld) == (0.0, 1.0, True)
    assert "some instances were excluded" in sequence.reason
    if is_adaptive:
        assert sequence.update(int(draws[399]), uniform, labels[399]) == pytest.approx(
            (truth, truth), abs=1e-12
        )
        assert (sequence.withheld, sequence.reason) == (False, None)
        q_draws = 1 / (400 - np.arange(400))
        found = estimate_adaptive(ROCAUC(), model_of(scores), draws, q_draws, labels)
        assert (found.value, found.low, found.high) == pytest.approx((truth,) * 3, abs=1e-12)
    again = sequence.restart()
    assert not again.withheld
    assert again.reason is None


@pytest.mark.parametrize("n_models", [1, 2])
def test_only_adaptive_draws_have_an_approximate_interval(n_models):
    """With a fixed q, rare positives with low scores have so large weights that it misses the value."""
    rng = np.random.default_rng(3)
    scores = rng.beta(2, 2, (2, 400))
    models = [model_of(each) for each in scores[:n_models]]
    y = (rng.random(400) < scores[0]).astype(int)

    by_q = draw(uniform_q(400), 200, rng)
    fixed = estimate(ROCAUC(), models, uniform_q(400), by_q, y[by_q], estimator="self_normalized")
    drawn = rng.permutation(400)[:200]
    adaptive = estimate_adaptive(ROCAUC(), models, drawn, 1 / (400 - np.arange(200)), y[drawn])
    assert not fixed.has_approximate
    assert "heavy weights" in fixed.approximate_reason
    assert adaptive.has_approximate
