"""Measures of the labels themselves, with a model and without: closed forms, all orders of a tiny pool."""

import itertools

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LabelShare,
    MeanValue,
    SquaredError,
    UnpredictedClasses,
    UnpredictedValues,
    ValuePredictions,
    WinRate,
    adaptive_q,
    compare_all,
    estimate_adaptive,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.measures.measure_names import measure_named
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr
from activeeval_widgets.stats.predictions.from_dict import predictions_from_dict


def test_the_best_q_of_a_share_is_that_of_its_indicator():
    p = np.array([0.9, 0.5, 0.2, 0.05])
    model = ClassPredictions(np.column_stack([1 - p, p]), classes=["ham", "spam"])
    share = p.mean()
    second = np.sqrt(p * (1 - share) ** 2 + (1 - p) * share**2)
    np.testing.assert_allclose(optimal_q(LabelShare("spam"), model), second / second.sum(), rtol=1e-12)
    deviation = np.sqrt(p * (1 - p))
    found = optimal_q(LabelShare("spam"), model, estimator="difference")
    np.testing.assert_allclose(found, deviation / deviation.sum(), rtol=1e-12)
    # Of the other class it is the same: their shares sum to 1.
    np.testing.assert_allclose(optimal_q(LabelShare("ham"), model), second / second.sum(), rtol=1e-12)


def test_a_tie_counts_half():
    proba = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    model = ClassPredictions(proba, classes=["A", "tie", "B"])
    found = WinRate().moments([Term(model, np.ones(1))], model.belief([]), 0.1)
    np.testing.assert_allclose(found.first, proba @ [0.9, 0.4, -0.1])
    np.testing.assert_allclose(found.second, proba @ [0.81, 0.16, 0.01])
    assert pool_value(WinRate("B", tie="A"), model, ["B", "A"]) == 0.75
    two = UnpredictedClasses(["A", "B"], 4)  # no ties
    assert pool_value(WinRate(), two, ["A", "A", "B", "A"]) == 0.75


def test_the_mean_of_numbers_has_gaussian_moments():
    model = ValuePredictions([1.0, -2.0], [0.25, 4.0])
    found = MeanValue().moments([Term(model, np.array([3.0]))], model.belief([]), 0.5)
    np.testing.assert_allclose(found.first, [2.5, -6.5])
    np.testing.assert_allclose(found.second, [2.5**2 + 9 * 0.25, 6.5**2 + 9 * 4.0])
    assert pool_value(MeanValue(), model, [4.0, 1.0]) == 2.5


@pytest.mark.parametrize(
    ("positive", "tie", "classes"),
    [
        ("A", "tie", ["A", "tie", "B", "bad"]),
        ("x", "tie", ["A", "tie", "B"]),
        ("A", "even", ["A", "tie", "B"]),
        ("A", "tie", ["A", "tie"]),
    ],
)
def test_other_labels_than_win_loss_and_tie_are_refused(positive, tie, classes):
    with pytest.raises(ValueError, match=r"WinRate\(positive=…, tie=…\)"):
        pool_value(WinRate(positive, tie), UnpredictedClasses(classes, 1), ["A"])
    with pytest.raises(ValueError, match="expected two labels"):
        WinRate("A", tie="A")


def test_numpy_labels_are_plain_labels():
    pool = UnpredictedClasses(np.array([0, 1]), 3)
    assert repr(LabelShare(np.int64(1))) == "LabelShare(1)"
    assert pool_value(LabelShare(np.int64(1)), pool, np.array([1, 0, 1])) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match=r"positive is 2, expected one of the classes \[0, 1\]"):
        optimal_q(LabelShare(2), pool)


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(positive="a"), SquaredError()])
def test_what_is_of_a_model_is_refused_without_one(measure):
    kind = measure.predictions_kind
    pool = UnpredictedValues(2) if kind == "value" else UnpredictedClasses(["a", "b"], 2)
    for call in (
        lambda: optimal_q(measure, pool),
        lambda: pool_value(measure, pool, [0.0, 1.0] if kind == "value" else ["a", "b"]),
        lambda: AdaptiveConfidenceSequence(measure, pool),
        lambda: measure.unpredicted(3),
    ):
        with pytest.raises(TypeError, match="is of a model, but there are no predictions: give"):
            call()


def test_two_models_are_no_comparison_of_labels():
    models = [ClassPredictions([[0.9, 0.1], [0.2, 0.8]])] * 2
    for call in (
        lambda: optimal_q(LabelShare(1), models),
        lambda: AdaptiveConfidenceSequence(LabelShare(1), models),
        lambda: compare_all(LabelShare(1), models, uniform_q(2), [0, 1], [0, 1]),
    ):
        with pytest.raises(TypeError, match="there is nothing to compare"):
            call()


def test_without_a_model_draws_are_uniform_and_the_estimate_is_what_was_seen():
    rng = np.random.default_rng(0)
    labels = rng.choice(["a", "b", "c"], 50, p=[0.6, 0.3, 0.1])
    pool = UnpredictedClasses(["a", "b", "c"], 50)
    draws = rng.permutation(50)[:20]
    q = adaptive_q(LabelShare("b"), pool, draws, labels[draws])
    left = np.setdiff1d(np.arange(50), draws)
    np.testing.assert_allclose(q[left], 1 / 30, rtol=1e-12)
    result = estimate_adaptive(LabelShare("b"), pool, draws, 1 / (50 - np.arange(20)), labels[draws])
    assert result.value == pytest.approx(np.mean(labels[draws] == "b"), abs=5e-4)
    n, p = 20, result.value
    classical = np.sqrt(p * (1 - p) / n * (1 - n / 50))
    assert result.standard_error == pytest.approx(classical, rel=0.06)


def test_without_a_model_the_mean_of_numbers_is_that_of_the_labels():
    rng = np.random.default_rng(1)
    labels = 100 + 20 * rng.normal(size=60)
    pool, draws = UnpredictedValues(60), rng.permutation(60)[:25]
    result = estimate_adaptive(MeanValue(), pool, draws, 1 / (60 - np.arange(25)), labels[draws])
    assert result.value == pytest.approx(labels[draws].mean(), abs=0.02)
    classical = labels[draws].std(ddof=1) / 5 * np.sqrt(1 - 25 / 60)
    assert result.standard_error == pytest.approx(classical, rel=0.06)


def test_a_model_narrows_the_interval_of_a_share():
    rng = np.random.default_rng(2)
    p = rng.beta(0.3, 0.6, 400)
    labels = (rng.random(400) < p).astype(int)
    model, none = ClassPredictions(np.column_stack([1 - p, p])), UnpredictedClasses([0, 1], 400)
    errors = {}
    for name, predictions in (("model", model), ("none", none)):
        draws, q_draws = [], []
        for _ in range(80):
            q = adaptive_q(LabelShare(1), predictions, draws, labels[draws])
            draws.append(int(rng.choice(400, p=q)))
            q_draws.append(q[draws[-1]])
        errors[name] = estimate_adaptive(
            LabelShare(1), predictions, draws, q_draws, labels[draws]
        ).standard_error
    assert errors["model"] < 0.8 * errors["none"]


def test_what_ties_count_can_be_said_and_is_reported() -> None:
    classes = ["A", "tie", "both bad", "B"]
    labels = UnpredictedClasses(classes, 4)
    for measure, value, result in (
        (WinRate(), 0.5, "tie and both bad count half"),
        (WinRate(tie=["tie", "both bad"]), 0.5, "tie and both bad count half"),
        (WinRate(tie={"tie": 0.5, "both bad": 0}), 0.375, "ties count half, both bad counts 0"),
        (WinRate(tie={"tie": 1, "both bad": 0.25}), 0.5625, "tie counts 1, both bad counts 0.25"),
    ):
        assert pool_value(measure, labels, classes) == value
        assert measure.bound_to([labels]).sentence.endswith(f"{result}.")
        assert repr(measure_from_repr(repr(measure))) == repr(measure)
    alone = UnpredictedClasses(["A", "tie", "B"], 3)
    assert WinRate().bound_to([alone]).sentence.endswith("; ties count half.")
    assert repr(WinRate().bound_to([alone])) == "WinRate(positive='A', tie='tie')"
    named = measure_named('win-rate@{"tie": 0.5, "both bad": 0}')
    assert repr(named) == "WinRate(positive='A', tie={'tie': 0.5, 'both bad': 0.0})"
    assert WinRate(tie=("tie", "both bad")).unpredicted(2).label_values.tolist() == classes
    with pytest.raises(ValueError, match=r"tie\['tie'\] is 2.0, expected a number from 0 to 1"):
        WinRate(tie={"tie": 2})
    with pytest.raises(ValueError, match="the classes are"):
        pool_value(WinRate(tie={"tie": 0.5}), labels, classes)


@pytest.mark.parametrize("measure", [LabelShare(1), WinRate(1, tie=2)], ids=repr)
def test_the_watched_interval_is_wrong_as_seldom_as_it_says_by_all_orders(measure):
    """The exact chance that it is ever wrong, for each composition of a small pool."""
    is_share = isinstance(measure, LabelShare)
    m, level, classes = (6, 0.4, [0, 1]) if is_share else (4, 0.4, [0, 1, 2])
    pool, q = UnpredictedClasses(classes, m), uniform_q(m)
    sequence = AdaptiveConfidenceSequence(measure, pool, confidence_level=level)
    chances = []
    for labels in itertools.combinations_with_replacement(classes, m):
        truth = pool_value(measure, pool, list(labels))
        orders = set(itertools.permutations(labels))  # all equally likely
        wrong = 0
        for order in orders:
            sequence.restart()
            ends = [sequence.update(t, q, y) for t, y in enumerate(order)]
            wrong += any(not low - 1e-12 <= truth <= high + 1e-12 for low, high in ends)
            assert ends[-1] == pytest.approx((truth, truth), abs=1e-12)
        chances.append(wrong / len(orders))
    assert max(chances) <= 1 - level
    assert max(chances) > 0 or not is_share  # or the level would not matter


@pytest.mark.parametrize("pool", [UnpredictedClasses(["a", "b"], 3), UnpredictedValues(3)], ids=repr)
def test_no_model_is_written_and_read(pool):
    again = predictions_from_dict(pool.to_dict())
    assert type(again) is type(pool)
    assert [a.tolist() for a in again.arrays] == [a.tolist() for a in pool.arrays]
    assert pool.of_instances(np.array([2, 0])).n_instances == 2
    assert (
        pool.describe(0).in_short,
        pool.describe(0).predicate,
        pool.describe(0).text,
        pool.describe(0).record,
    ) == (
        "",
        "",
        "",
        {},
    )
    assert (pool.promises, pool.guides_draws, pool.is_model) == (False, False, False)
    with pytest.raises(ValueError, match="there is no model"):
        pool.trial_bets()
    with pytest.raises(ValueError, match="n_instances"):
        type(pool)(*([["a", "b"]] if isinstance(pool, UnpredictedClasses) else []), 0)
