"""Sequential tests: e-values by enumeration, power, type I error while watched, bad input."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    Precision,
    Recall,
    SequentialTest,
    SquaredError,
    ValuePredictions,
    draw,
    optimal_q,
    pool_value,
    sequential_selection,
    sequential_test,
    uniform_q,
)
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.questions.make import target_of

Q = np.array([0.5, 0.2, 0.3])
MODEL = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
OTHER = ClassPredictions([[0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])
VALUES = ValuePredictions([1.0, 2.0, 4.0], variance=[0.5, 0.1, 2.0])
LABELINGS = [np.array(y) for y in itertools.product((0, 1), repeat=3)]


def columns(p):
    return np.column_stack([1 - p, p])


@pytest.mark.slow
@pytest.mark.parametrize("measure", [ErrorRate(), Accuracy(), Recall(), Precision(), FMeasure()], ids=repr)
@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_the_mean_evalue_is_at_most_1_under_every_null(measure, alternative):
    """All labelings, all samples of two draws, several values: at most 1, and 1 on the boundary."""
    for y_true in LABELINGS:
        truth = pool_value(measure, MODEL, y_true)
        if np.isnan(truth):
            continue
        for value in (truth, truth - 0.1, truth + 0.1):
            mean = 0.0
            for draws in itertools.product(range(3), repeat=2):
                index = np.array(draws)
                evalue, _ = sequential_test(
                    measure, MODEL, Q, index, y_true[index], value=value, alternative=alternative
                )
                assert (evalue >= 0).all()
                mean += Q[index].prod() * evalue[-1]
            if value == truth:
                assert mean == pytest.approx(1, abs=1e-12)
            elif (truth < value) == (alternative == "less"):
                assert mean > 1
            else:
                assert mean <= 1 + 1e-12


def test_two_models_by_enumeration():
    for y_true in LABELINGS:
        gap = pool_value(ErrorRate(), MODEL, y_true) - pool_value(ErrorRate(), OTHER, y_true)
        mean = 0.0
        for draws in itertools.product(range(3), repeat=2):
            index = np.array(draws)
            mean += Q[index].prod() * sequential_test(
                ErrorRate(), [MODEL, OTHER], Q, index, y_true[index]
            ).evalue[-1]  # fmt: skip
        # The first is better where its error rate is the smaller one.
        assert mean == pytest.approx(1, abs=1e-12) if gap == 0 else (mean > 1) == (gap < 0)


def test_label_by_label_is_the_same():
    draws = draw(Q, 40, np.random.default_rng(2))
    y_true = np.array([0, 1, 1])[draws]
    for predictions in (MODEL, [MODEL, OTHER]):
        for measure in (ErrorRate(), MatthewsCorrelation()):
            test = SequentialTest(measure, predictions, Q, value=0.2)
            assert (test.evalue, test.pvalue, test.n_draws) == (1, 1, 0)
            assert test.is_asymptotic == isinstance(measure, MatthewsCorrelation)
            one_by_one = np.array([test.update(int(i), y) for i, y in zip(draws, y_true, strict=True)])
            at_once = sequential_test(measure, predictions, Q, draws, y_true, value=0.2)
            np.testing.assert_array_equal(one_by_one, np.column_stack(at_once))
            assert (np.diff(at_once.pvalue) <= 0).all()
            again = test.restart().extend(draws[:30], y_true[:30])
            np.testing.assert_array_equal(again.evalue, at_once.evalue[:30])


@pytest.mark.parametrize(
    ("measure", "alternative", "same"),
    [
        (ErrorRate(), "better", "less"),
        (ErrorRate(), "worse", "greater"),
        (Recall(), "better", "greater"),
        (MatthewsCorrelation(), "worse", "less"),
    ],
    ids=repr,
)
def test_what_is_better_depends_on_the_measure(measure, alternative, same):
    draws = draw(Q, 60, np.random.default_rng(2))
    y_true = np.array([0, 0, 1])[draws]
    a, b = (
        sequential_test(measure, MODEL, Q, draws, y_true, value=0.3, alternative=each)
        for each in (alternative, same)
    )
    np.testing.assert_array_equal(a.evalue, b.evalue)


@pytest.fixture(scope="module")
def pool():
    rng = np.random.default_rng(3)
    p = rng.beta(0.6, 0.6, 1000)
    y_true = (rng.random(1000) < p).astype(int)
    worse = np.clip(p + rng.normal(0, 0.3, 1000), 0, 1)
    worst = np.clip(p + rng.normal(0, 0.6, 1000), 0, 1)
    return [ClassPredictions(columns(each)) for each in (worse, p, worst)], y_true


@pytest.mark.slow
def test_it_finds_what_is_there(pool):
    models, y_true = pool
    best = models[1]
    truth = pool_value(ErrorRate(), best, y_true)
    q = optimal_q(ErrorRate(), best)
    draws = draw(q, 800, np.random.default_rng(4))
    below = sequential_test(ErrorRate(), best, q, draws, y_true[draws], value=truth + 0.1)
    assert below.pvalue[-1] < 1e-4
    above = sequential_test(
        ErrorRate(), best, q, draws, y_true[draws], value=truth + 0.1, alternative="greater"
    )
    assert above.pvalue[-1] == 1
    for measure in (ErrorRate(), FMeasure()):
        q = optimal_q(measure, models, defensive=0.1)
        draws = draw(q, 800, np.random.default_rng(4))
        chosen = sequential_selection(measure, models, q, draws, y_true[draws])
        assert chosen.evalue.shape == chosen.pvalue.shape == (3, 800)
        assert chosen.best() == 1
        assert (chosen.pvalue[[0, 2], -1] == 1).all()
        early = sequential_selection(measure, models, q, draws[:3], y_true[draws[:3]])
        assert early.best() is None
    assert sequential_selection(ErrorRate(), models, q, [], []).best() is None


def test_equal_models_are_never_told_apart(pool):
    models, y_true = pool
    draws = draw(uniform_q(1000), 200, np.random.default_rng(4))
    chosen = sequential_selection(ErrorRate(), [models[0]] * 2, uniform_q(1000), draws, y_true[draws])
    assert (chosen.evalue <= 1.001).all()
    assert chosen.best() is None


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_type_one_error_while_watched(pool, alternative):
    """2,000 sessions, tested after each of 300 draws, the null hypothesis true but only just."""
    models, y_true = pool
    target = target_of(ErrorRate(), models[:2])
    q = optimal_q(ErrorRate(), models[:2], defensive=0.1)
    gap = pool_value(ErrorRate(), models[0], y_true) - pool_value(ErrorRate(), models[1], y_true)
    equation = EstimatingEquation(target, q, None)
    lower, upper = equation.bounds(np.array([gap]))
    bets = Bets(
        np.full((2000, 1), gap),
        np.repeat(lower, 2000, axis=1),
        np.repeat(upper, 2000, axis=1),
        equation.promised,
        0.95,
        (1.0 if alternative == "greater" else -1.0,),
    )
    everything = equation.terms(target.statistics(y_true, np.arange(1000)), np.arange(1000))
    draws = draw(q, 2000 * 300, np.random.default_rng(5)).reshape(2000, 300)
    rejected = np.zeros(2000, dtype=bool)
    for n in range(300):
        bets.update(everything[draws[:, n]].T)
        rejected |= bets.at_points()[:, 0] >= 20
    assert rejected.sum() <= binom.ppf(1 - 1e-6, 2000, 0.05)
    # The same as one session's test.
    single = sequential_test(
        ErrorRate(), models[:2], q, draws[7], y_true[draws[7]], value=gap, alternative=alternative
    )
    assert single.evalue[-1] == pytest.approx(bets.at_points()[7, 0], rel=1e-9)


def test_the_asymptotic_evalue_is_the_dual_of_the_sequence(pool):
    """Its p-value falls to α exactly when the asymptotic sequence's end passes the value."""
    from activeeval_widgets.stats import confidence_sequence

    models, y_true = pool
    draws = draw(uniform_q(1000), 300, np.random.default_rng(6))
    low, _ = confidence_sequence(
        MatthewsCorrelation(), models[1], uniform_q(1000), draws, y_true[draws], confidence_level=0.9
    )
    evidence = sequential_test(
        MatthewsCorrelation(), models[1], uniform_q(1000), draws, y_true[draws], value=float(low[-1])
    )
    assert evidence.evalue[-1] == pytest.approx(10, rel=1e-6)


BAD = {
    "alternative": (
        lambda: SequentialTest(ErrorRate(), MODEL, Q, alternative="two-sided"),
        "alternative must be one of 'better', 'greater', 'less', 'worse', got 'two-sided'",
    ),
    "value": (
        lambda: SequentialTest(ErrorRate(), MODEL, Q, value=np.nan),
        "value.* is nan, expected a finite number",
    ),
    "y_range for classes": (
        lambda: SequentialTest(ErrorRate(), MODEL, Q, y_range=(0, 1)),
        "y_range is for labels that are values",
    ),
    "label outside": (
        lambda: SequentialTest(SquaredError(), VALUES, Q, value=1.0, y_range=(0, 6)).update(0, 9.0),
        r"y_true\[0\] is 9.0, expected a label within y_range",
    ),
    "q = 0": (
        lambda: SequentialTest(ErrorRate(), MODEL, [0.5, 0.5, 0]),
        r"q\[2\] is 0, but a label there would count",
    ),
    "one model": (
        lambda: sequential_selection(ErrorRate(), [MODEL], Q, [0], [0]),
        "the best is about two models or more, and predictions hold one model",
    ),
    "level": (
        lambda: sequential_selection(ErrorRate(), [MODEL, OTHER], Q, [0], [0]).best(2),
        "confidence_level must be a number strictly between 0 and 1, got 2",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_has_one_clear_error(case):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()


def test_the_pvalue_is_of_the_greatest_evalue_so_far():
    """Evidence that the labels take back again keeps its p-value."""
    draws = np.repeat(1, 60)
    y_true = np.repeat([1, 0], [30, 30])
    evidence = sequential_test(ErrorRate(), MODEL, Q, draws, y_true, value=0.5)
    assert evidence.evalue[-1] < 0.1 * evidence.evalue.max()
    assert evidence.evalue.max() > 10
    greatest = np.maximum(np.maximum.accumulate(evidence.evalue), 1)
    np.testing.assert_allclose(evidence.pvalue, 1 / greatest, rtol=1e-14)
