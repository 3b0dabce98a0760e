"""Instances that can't be labeled: the measure on what can be, by enumeration and by simulation."""

import itertools
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    Accuracy,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    ConfidenceSequence,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MatthewsCorrelation,
    Precision,
    PredictedClasses,
    Recall,
    SequentialTest,
    Specificity,
    SquaredError,
    ValuePredictions,
    compare_all,
    confidence_sequence,
    draw,
    estimate,
    estimate_trajectory,
    optimal_q,
    sequential_selection,
    sequential_test,
    uniform_q,
)
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.questions.make import target_of

MODEL = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
OTHER = ClassPredictions([[0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])
VALUES = ValuePredictions([1.0, 2.0, 4.0], variance=[0.5, 0.1, 2.0])
UNSURE_VALUES = ValuePredictions([1.5, 2.5, 2.0])
Q = np.array([0.5, 0.2, 0.3])
PATTERNS = [np.array(kept) for kept in itertools.product([True, False], repeat=3) if any(kept)]

CASES = [
    *((measure, [MODEL], None) for measure in (ErrorRate(), Accuracy(), LogLoss(), FMeasure(), Recall())),
    *((measure, [MODEL], None) for measure in (Precision(), Specificity(), CostMatrix([[0, 1], [5, -1]]))),
    (ErrorRate(), [MODEL, OTHER], None),
    (LogLoss(), [MODEL, OTHER], None),
    (SquaredError(), [VALUES], (0.0, 6.0)),
    (SquaredError(), [UNSURE_VALUES], (0.0, 6.0)),
    (SquaredError(), [VALUES, UNSURE_VALUES], (0.0, 6.0)),
]


def labelings(models):
    if isinstance(models[0], ClassPredictions):
        return [np.array(y) for y in itertools.product([0, 1], repeat=3)]
    return [np.array(y) for y in itertools.product([0.0, 2.5, 6.0], repeat=3)]


def value_on(measure, models, y_true, kept):
    """The measure on the instances that can be labeled, by the definition."""
    target = target_of(measure, models)
    z = target.statistics(y_true, np.arange(len(y_true)))
    return float(target.g(z[kept].mean(axis=0)))


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "models", "y_range"), CASES, ids=repr)
def test_a_martingale_for_all_draws_labels_and_exclusions(measure, models, y_range):
    """At the measure on what can be labeled the mean capital of two draws is 1, and none is negative."""
    equation = EstimatingEquation(target_of(measure, models), Q, y_range)
    for y_true in labelings(models):
        z = equation._target.statistics(y_true, np.arange(3))
        for kept in PATTERNS:
            truth = value_on(measure, models, y_true, kept)
            if np.isnan(truth):
                continue
            assert equation.widest_range[0] - 1e-9 <= truth <= equation.widest_range[1] + 1e-9
            terms = equation.terms(np.where(kept[:, np.newaxis], z, 0), np.arange(3), kept)
            # Z itself: mean 0 under q, both streams.
            np.testing.assert_allclose(
                Q @ (terms[:, :2] - truth * terms[:, 2:]), 0, atol=1e-9 * (1 + np.abs(terms).max())
            )
            lower, upper = equation.bounds(np.array([truth, truth + 1e-6]))
            bounds = lower.min(axis=1, keepdims=True), upper.max(axis=1, keepdims=True)
            mean, nothing = 0.0, Bets(np.array([[truth, truth + 1e-6]]), *bounds, equation.promised, 0.9)
            for i, j in itertools.product(range(3), repeat=2):
                if j == 0:
                    first = nothing.copy()
                    first.update(terms[i])
                second = first.copy()
                second.update(terms[j])
                capital = second.at_points()[0, 0]
                assert capital >= 0
                mean += Q[i] * Q[j] * capital
            assert mean == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(("measure", "models", "y_range"), CASES, ids=repr)
def test_bounds_hold_for_what_cannot_be_labeled(measure, models, y_range):
    equation = EstimatingEquation(target_of(measure, models), Q, y_range)
    candidates = np.linspace(*equation.widest_range, 201)
    lower, upper = equation.bounds(candidates)
    for y_true in labelings(models):
        z = equation._target.statistics(y_true, np.arange(3))
        for kept in PATTERNS:
            for row in equation.terms(z, np.arange(3), kept):
                for stream in range(2):
                    terms = row[stream] - candidates * row[2 + stream]
                    assert (terms >= lower[stream] - 1e-9 * np.abs(lower[stream])).all()
                    assert (terms <= upper[stream] + 1e-9 * np.abs(upper[stream])).all()


@pytest.mark.slow
@pytest.mark.parametrize("measure", [ErrorRate(), CostMatrix([[0, 1], [5, -1]]), LogLoss()], ids=repr)
@pytest.mark.parametrize("models", [[MODEL], [MODEL, OTHER]], ids=["one", "two"])
def test_the_difference_estimator_is_a_ratio_of_unbiased_means(measure, models):
    """Over all draws, the estimate times the estimated share of the pool is unbiased, for every pattern."""
    target = target_of(measure, models)
    expected = target.conditional_mean()
    for y_true in labelings(models):
        z = target.statistics(y_true, np.arange(3))
        for kept in PATTERNS:
            truth = value_on(measure, models, y_true, kept)
            mean = 0.0
            for draws in itertools.product(range(3), repeat=2):
                i = np.array(draws)
                labels = [y_true[j] if kept[j] else None for j in i]
                weights = 1 / (3 * Q[i])
                share = 1 - (weights * ~kept[i]).mean()
                result = estimate(measure, models, Q, i, labels, estimator="difference")
                whole = expected.mean(axis=0) + (
                    weights[:, np.newaxis] * (np.where(kept[i, np.newaxis], z[i], 0) - expected[i])
                ).mean(axis=0)
                value = float(target.g(whole))
                if share > 0 and kept[i].any():
                    assert result.value == pytest.approx(value / share)
                else:
                    assert np.isnan(result.value)
                mean += Q[i].prod() * (value - share * truth)
            assert mean == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("estimator", ["self_normalized", "difference"])
@pytest.mark.parametrize("measure", [ErrorRate(), Recall(), MatthewsCorrelation()], ids=repr)
@pytest.mark.parametrize("two", [False, True], ids=["one", "two"])
def test_estimates_are_for_what_can_be_labeled(estimator, measure, two):
    """Exclusions that go with errors: close to the measure on the rest, far from that on all, and covered."""
    rng = np.random.default_rng(3)
    p = rng.beta(0.8, 0.8, 1000)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    second = ClassPredictions(model.y_proba, y_pred=np.where(p > 0.7, 1, 0))
    models = [model, second] if two else [model]
    y_true = (rng.random(1000) < p).astype(int)
    kept = (rng.random(1000) > 0.15) & ((model.y_pred == y_true) | (rng.random(1000) > 0.4))
    q = optimal_q(measure, model, defensive=0.2)
    truth = value_on(measure, models, y_true, kept)
    covered = 0
    values = []
    for _ in range(100):
        draws = draw(q, 300, rng)
        labels = [y_true[i] if kept[i] else None for i in draws]
        result = estimate(measure, models, q, draws, labels, estimator=estimator)
        covered += result.low <= truth <= result.high
        values.append(result.value)
        assert result.n_draws == kept[draws].sum()
        assert result.n_labels + result.n_excluded == np.unique(draws).size
    assert covered >= binom.ppf(1e-6, 100, 0.92)
    assert abs(np.mean(values) - truth) < 0.01


def test_self_normalized_is_as_if_they_had_not_been_drawn():
    draws, labels = [0, 1, 2, 1, 0, 2], [0, 1, None, 1, 0, None]
    for measure in (ErrorRate(), FMeasure(), BalancedAccuracy()):
        with_them = estimate(measure, MODEL, Q, draws, labels)
        without = estimate(measure, MODEL, Q, [0, 1, 1, 0], [0, 1, 1, 0])
        assert with_them.n_excluded == 1
        assert (with_them.value, with_them.low, with_them.high, with_them.standard_error) == pytest.approx(
            (without.value, without.low, without.high, without.standard_error), nan_ok=True
        )
    results = estimate_trajectory(ErrorRate(), MODEL, Q, draws, labels, at=[0, 2, 3, 6])
    assert [(r.n_draws, r.n_excluded) for r in results] == [(0, 0), (2, 0), (2, 1), (4, 1)]
    binomial = estimate(ErrorRate(), MODEL, uniform_q(3), draws, labels, interval="wilson")
    assert binomial.low == estimate(ErrorRate(), MODEL, uniform_q(3), [0, 1, 1, 0], [0, 1, 1, 0],
                                    interval="wilson").low  # fmt: skip
    table = compare_all(ErrorRate(), [MODEL, OTHER], Q, draws, labels)
    assert table.n_draws == 4


@pytest.mark.parametrize("estimator", ["self_normalized", "difference"])
@pytest.mark.parametrize("interval", ["wald", "t", "confidence_sequence"])
def test_nothing_that_can_be_labeled_says_nothing(estimator, interval):
    result = estimate(ErrorRate(), MODEL, Q, [0, 2], [None, None], estimator=estimator, interval=interval)
    assert (result.n_draws, result.n_labels, result.n_excluded) == (0, 0, 2)
    assert (result.low, result.high) == (0, 1)
    if estimator == "self_normalized":
        assert not result.is_defined


AGREEING = [
    ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3], [0.9, 0.1]]),
    ClassPredictions([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.3, 0.7], [0.9, 0.1]]),
]
Q_DIFFERING = np.array([0, 0.3, 0, 0.7, 0])
"""They differ on two of five instances alone, and nothing else is drawn."""


def of_agreeing():
    """All labels, all that can be labeled of what is drawn, and how much of the rest can be."""
    for y_true in itertools.product([0, 1], repeat=5):
        for drawn in itertools.product([True, False], repeat=2):
            if any(drawn):
                for n_rest in range(4):
                    kept = np.array([n_rest > 0, drawn[0], n_rest > 1, drawn[1], n_rest > 2])
                    yield np.array(y_true), kept, n_rest


@pytest.mark.parametrize("measure", [ErrorRate(), CostMatrix([[0, 1], [5, -1]])], ids=repr)
def test_equations_of_both_ends_hold_where_models_agree_and_nothing_is_drawn(measure):
    """Z has mean 0 at the difference if all, or none, of the rest can be labeled; else bets can't win."""
    target = target_of(measure, AGREEING)
    drawn = np.array([1, 3])
    for y_true, kept, n_rest in of_agreeing():
        truth = value_on(measure, AGREEING, y_true, kept)
        z = np.where(kept[:, np.newaxis], target.statistics(y_true, np.arange(5)), 0)[drawn]
        for rest_counts in (True, False):
            equation = EstimatingEquation(target, Q_DIFFERING, None, rest_counts=rest_counts)
            terms = equation.terms(z, drawn, kept[drawn])
            mean = Q_DIFFERING[drawn] @ (terms[:, :2] - truth * terms[:, 2:])
            if n_rest == 3 * rest_counts:
                np.testing.assert_allclose(mean, 0, atol=1e-12)
                assert equation.widest_range[0] - 1e-9 <= truth <= equation.widest_range[1] + 1e-9
            assert ((mean if rest_counts else -mean) * truth <= 1e-12).all()
            lower, upper = equation.bounds(np.array([truth, truth + 1e-6]))
            z_at = terms[:, :2] - truth * terms[:, 2:]
            assert (z_at >= lower[:, 0] - 1e-9).all()
            assert (z_at <= upper[:, 0] + 1e-9).all()


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("share", [-0.5, 0.0, 0.5])
def test_a_test_holds_however_much_can_be_labeled_where_models_agree(alternative, share):
    """Over all pairs of draws the mean e-value is at most 1 where what is to be shown is not so."""

    @cache  # of the labels it takes those that are drawn
    def mean_evalue(value, *labels):
        test = SequentialTest(ErrorRate(), AGREEING, Q_DIFFERING, value=value, alternative=alternative)
        mean = 0.0
        for drawn in itertools.product([0, 1], repeat=2):
            draws = [(1, 3)[i] for i in drawn]
            test.restart().extend(draws, [labels[i] for i in drawn])
            mean += Q_DIFFERING[draws].prod() * test.evalue
        return mean

    for y_true, kept, _ in of_agreeing():
        truth = value_on(ErrorRate(), AGREEING, y_true, kept)
        value = truth + share * abs(truth)
        if (truth > value) if alternative == "greater" else (truth < value):
            continue
        assert mean_evalue(value, *(int(y_true[i]) if kept[i] else None for i in (1, 3))) <= 1 + 1e-9


def test_where_models_agree_and_nothing_is_drawn():
    """From where all of what is never drawn can be labeled to where none of it can."""
    draws = np.array([1, 3] * 150)
    q = np.array([0, 0.5, 0, 0.5, 0])
    labels = [1 if i == 1 else None for i in draws]
    for estimator in ("self_normalized", "difference"):
        found = estimate(ErrorRate(), AGREEING, q, draws, labels, estimator=estimator)
        assert found.value == pytest.approx(-1 / 4)
        assert found.low <= -1
        assert -1 / 4 <= found.high < 0
    low, high = confidence_sequence(ErrorRate(), AGREEING, q, draws, labels)
    assert low[-1] == pytest.approx(-1)
    assert -1 / 4 <= high[-1] < -0.15
    band = ConfidenceSequence(ErrorRate(), AGREEING, q)._band
    assert (1 - band._all._level) + (1 - band._none._level) == pytest.approx(0.05)
    # Where nothing was excluded, all counts.
    low, high = confidence_sequence(ErrorRate(), AGREEING, q, draws, [1] * 300)
    assert low[-1] <= 0 <= high[-1]
    assert high[-1] - low[-1] < 0.2
    assert estimate(ErrorRate(), AGREEING, q, draws, [1, 0] * 150).value == pytest.approx(-2 / 5)


def test_the_range_is_that_of_any_part_of_the_pool():
    """Models that differ on a tenth of the pool: within ±0.1, unless the rest can't be labeled."""
    rng = np.random.default_rng(4)
    pred = np.zeros(200, dtype=int)
    pred[:20] = 1
    proba = np.tile([0.5, 0.5], (200, 1))
    models = [ClassPredictions(proba, y_pred=pred), ClassPredictions(proba, y_pred=np.zeros(200, dtype=int))]
    q = uniform_q(200)
    sequence = ConfidenceSequence(ErrorRate(), models, q)
    assert (sequence.low, sequence.high) == (-1, 1)
    # Only instances where both agree can't be labeled: then all of Δ is in what is left.
    draws = draw(q, 400, rng)
    kept = np.arange(200) < 30
    labels = [0 if kept[i] else None for i in draws]
    low, high = sequence.extend(draws, labels)
    assert (low <= 2 / 3).all()
    assert (high >= 2 / 3).all()
    assert low[-1] > 0.1
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert (sequence.restart().low, sequence.high) == (-1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("measure", [BrierScore(), LogLoss()], ids=repr)
def test_what_can_be_labeled_may_be_easier_than_the_pool(measure):
    """Losses of the hard tenth, which is excluded, can't be as small as those of the rest: held all along."""
    p = np.where(np.arange(400) < 40, 0.5, 0.99)
    model = ClassPredictions(np.column_stack([p, 1 - p]))
    y_true = (np.random.default_rng(1).random(400) > p).astype(int)
    truth = value_on(measure, [model], y_true, p > 0.5)
    q = uniform_q(400)
    outside = 0
    for seed in range(60):
        draws = draw(q, 40, np.random.default_rng(seed))
        labels = [y_true[i] if p[i] > 0.5 else None for i in draws]
        low, high = confidence_sequence(measure, model, q, draws, labels)
        outside += bool(((low > truth) | (high < truth)).any())
    assert outside <= binom.ppf(1 - 1e-6, 60, 0.05)


def simulate(rng):
    p = rng.beta(0.8, 0.8, 800)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    y_true = (rng.random(800) < p).astype(int)
    # 10 %, most of them among the errors.
    wrong = model.y_pred != y_true
    kept = rng.random(800) > np.where(wrong, 0.25, 0.05)
    return model, y_true, kept


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), LogLoss()], ids=repr)
def test_watched_with_a_tenth_excluded_it_is_right(measure):
    """500 sessions of 300 draws; the truth is that of what can be labeled."""
    rng = np.random.default_rng(11)
    model, y_true, kept = simulate(rng)
    truth = value_on(measure, [model], y_true, kept)
    q = optimal_q(measure, model, defensive=0.1)
    target = target_of(measure, [model])
    equation = EstimatingEquation(target, q, None)
    n_sessions = 500
    points = np.array([truth - 1e-4, truth + 1e-4])
    lower, upper = equation.bounds(points)
    bets = Bets(
        np.tile(points, (n_sessions, 1)),
        np.repeat(lower.min(axis=1, keepdims=True), n_sessions, axis=1),
        np.repeat(upper.max(axis=1, keepdims=True), n_sessions, axis=1),
        equation.promised,
        0.95,
    )
    z = target.statistics(y_true, np.arange(800)) * kept[:, np.newaxis]
    terms = equation.terms(z, np.arange(800), kept)
    draws = draw(q, n_sessions * 300, rng).reshape(300, n_sessions)
    wrong = np.zeros(n_sessions, dtype=bool)
    for now in draws:
        bets.update(terms[now].T)
        wrong |= bets.in_cells()[:, 0] >= 20
    assert wrong.sum() <= binom.ppf(1 - 1e-6, n_sessions, 0.05)
    labels = [y if k else None for y, k in zip(y_true, kept, strict=True)]
    low, high = confidence_sequence(measure, model, q, draws[:, 0], [labels[i] for i in draws[:, 0]])
    assert low[-1] <= truth <= high[-1]
    assert high[-1] - low[-1] < (2 if measure.name == "log loss" else 0.5)


@pytest.mark.parametrize("measure", [ErrorRate(), MatthewsCorrelation()], ids=repr)
def test_sequential_tests_skip_nothing_and_count_nothing(measure):
    rng = np.random.default_rng(12)
    model, y_true, kept = simulate(rng)
    q = uniform_q(800)
    draws = draw(q, 300, rng)
    labels = [y_true[i] if kept[i] else None for i in draws]
    truth = value_on(measure, [model], y_true, kept)
    values = {"less": truth + 0.3, "greater": truth - 0.3}
    for alternative, value in values.items():
        evidence = sequential_test(measure, model, q, draws, labels, value=value, alternative=alternative)
        assert evidence.pvalue[-1] < 0.05
        test = SequentialTest(measure, model, q, value=value, alternative=alternative)
        for i, y in zip(draws, labels, strict=True):
            test.update(int(i), y)
        assert test.evalue == evidence.evalue[-1]
        assert test.n_draws == 300
    bad = ClassPredictions(model.y_proba[:, ::-1])
    assert sequential_selection(ErrorRate(), [bad, model], q, draws, labels).best() == 1


def test_asymptotic_sequences_are_as_if_they_had_not_been_drawn():
    rng = np.random.default_rng(13)
    model, y_true, kept = simulate(rng)
    q = optimal_q(BalancedAccuracy(), model)
    draws = draw(q, 300, rng)
    labels = [y_true[i] if kept[i] else None for i in draws]
    low, high = confidence_sequence(BalancedAccuracy(), model, q, draws, labels)
    some = draws[kept[draws]]
    expected = confidence_sequence(BalancedAccuracy(), model, q, some, y_true[some])
    assert low.size == 300
    assert (low[-1], high[-1]) == (expected[0][-1], expected[1][-1])


def test_y_range_makes_the_sequence_of_estimate_exact():
    draws, labels = [0, 1, 2, 1], [1.0, None, 3.0, 2.5]
    result = estimate(
        SquaredError(), VALUES, Q, draws, labels, interval="confidence_sequence", y_range=(0, 6)
    )
    low, high = confidence_sequence(SquaredError(), VALUES, Q, draws, labels, y_range=(0, 6))
    assert (result.low, result.high, result.is_asymptotic) == (low[-1], high[-1], False)
    with pytest.raises(ValueError, match=r"y_true\[2\] is 7.0, expected a label within y_range"):
        estimate(SquaredError(), VALUES, Q, [0, 1, 1], [1.0, None, 7.0], y_range=(0, 6))
    with pytest.raises(ValueError, match="y_range is for labels that are values"):
        estimate(ErrorRate(), MODEL, Q, [0], [1], y_range=(0, 6))
    with pytest.raises(ValueError, match="y_true must hold one label for each of 2 draws, got 3"):
        estimate(ErrorRate(), MODEL, Q, [0, 1], [1, None, 0])


def test_the_wealth_against_differences_agrees_with_the_interval_before_and_after_exclusions():
    """Where the models agree nothing is drawn: after an exclusion, none of it may be possible to label."""
    first = np.arange(40) % 2
    second = np.where(np.arange(40) < 16, 1 - first, first)
    models = [PredictedClasses(each.tolist(), classes=[0, 1]) for each in (first, second)]
    q = np.where(first != second, 1 / 16, 0.0)
    sequence = ConfidenceSequence(ErrorRate(), models, q, confidence_level=0.8)
    rng = np.random.default_rng(0)
    for number, at in enumerate(rng.choice(40, 60, p=q)):
        label = first[at] if rng.random() < 0.7 else second[at]
        sequence.update(int(at), None if number > 30 and number % 5 == 0 else int(label))
        edges, won = sequence.wealth
        left = np.flatnonzero(won < 1 / 0.2)
        assert (edges[left[0]], edges[left[-1] + 1]) == (sequence.low, sequence.high)
    assert -0.9 < sequence.low < -0.4
