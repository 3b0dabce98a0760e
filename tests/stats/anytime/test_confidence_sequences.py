"""Confidence sequences: martingales by enumeration, widths on real data, bad input."""

import itertools

import numpy as np
import pytest

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    Accuracy,
    BalancedAccuracy,
    ClassPredictions,
    CohenKappa,
    ConfidenceSequence,
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
    confidence_sequence,
    disagreement_q,
    draw,
    estimate,
    estimate_trajectory,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.anytime.bets import Bets, candidate_grid
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.questions.make import target_of

RNG = np.random.default_rng(4)
PROBA = np.array([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
MODEL = ClassPredictions(PROBA)
OTHER = ClassPredictions([[0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])
OVERCONFIDENT = ClassPredictions([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
VALUES = ValuePredictions([1.0, 2.0, 4.0], variance=[0.5, 0.1, 2.0])
UNSURE_VALUES = ValuePredictions([1.5, 2.5, 2.0])
PROBAS = [{item: [0.2, 0.5, 0.3] for item in "abc"}] * 3
RANKINGS = [
    RankingPredictions(lists, PROBAS, grades=[0, 1, 2]) for lists in (["ab", "c", "cab"], ["ba", "cb", "a"])
]
Q = np.array([0.5, 0.2, 0.3])
GRADES = [{"a": 2, "b": 0, "c": 1}, {"a": 0, "b": 1, "c": 2}, {"a": 1, "b": 1, "c": 0}]

PLAIN = [cls.examples()[0] for cls in all_measures("class") if cls.needs_model and cls is not CostMatrix]
RISKS = [*(measure for measure in PLAIN if measure.is_risk), CostMatrix([[0, 1], [5, -1]])]
RATIOS = [*(measure for measure in PLAIN if measure.is_ratio), FMeasure(2.0)]
CASES = [(measure, MODEL, np.array([0, 0, 1]), None) for measure in RISKS + RATIOS]
CASES += [(measure, [MODEL, OTHER], np.array([1, 0, 1]), None) for measure in RISKS]
CASES += [
    (ErrorRate(), OVERCONFIDENT, np.array([1, 1, 0]), None),
    (Recall(), OVERCONFIDENT, np.array([1, 1, 0]), None),
    (SquaredError(), VALUES, np.array([1.0, 5.0, 3.5]), (0.0, 6.0)),
    (AbsoluteError(), VALUES, np.array([1.0, 5.0, 3.5]), (0.0, 6.0)),
    (SquaredError(), UNSURE_VALUES, np.array([1.0, 5.0, 3.5]), (0.0, 6.0)),
    (SquaredError(), [VALUES, UNSURE_VALUES], np.array([1.0, 5.0, 3.5]), (0.0, 6.0)),
    (AbsoluteError(), [VALUES, UNSURE_VALUES], np.array([1.0, 5.0, 3.5]), (0.0, 6.0)),
    (DCG(), RANKINGS[0], GRADES, None),
    (ERR(), RANKINGS[1], GRADES, None),
    (DCG(), RANKINGS, GRADES, None),
    (ERR(cutoff=2), RANKINGS, GRADES, None),
]


def models_of(predictions):
    return predictions if isinstance(predictions, list) else [predictions]


def true_value(measure, predictions, y_true):
    values = [pool_value(measure, model, y_true) for model in models_of(predictions)]
    return values[0] if len(values) == 1 else values[0] - values[1]


def equation_of(measure, predictions, q=Q, y_range=None):
    return EstimatingEquation(target_of(measure, models_of(predictions)), q, y_range)


def bets_at(equation, value, level=0.9, n_points=2):
    """The bets at one candidate, in a block of which it is the first point."""
    points = np.array([value + 0.001 * np.arange(n_points)])
    lower, upper = equation.bounds(points[0])
    return Bets(points, lower.min(axis=1, keepdims=True), upper.max(axis=1, keepdims=True),
                equation.promised, level)  # fmt: skip


@pytest.mark.parametrize(("measure", "predictions", "y_true", "y_range"), CASES, ids=repr)
def test_the_capital_is_a_martingale_at_the_truth(measure, predictions, y_true, y_range):
    """Over all samples of three draws the mean capital at the true value is 1, and none is negative."""
    equation = equation_of(measure, predictions, y_range=y_range)
    z = equation._target.statistics(y_true, np.arange(3))
    terms = equation.terms(z, np.arange(3))
    truth = true_value(measure, predictions, y_true)
    mean = 0.0
    for draws in itertools.product(range(3), repeat=3):
        bets = bets_at(equation, truth)
        for i in draws:
            bets.update(terms[i])
        capital = bets.at_points()[0, 0]
        assert capital >= 0
        mean += Q[list(draws)].prod() * capital
    assert mean == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("measure", "predictions", "y_true", "y_range"), CASES, ids=repr)
def test_bounds_hold_for_every_label(measure, predictions, y_true, y_range):
    """Whatever the label, Z lies between the bounds, between knots as well."""
    equation = equation_of(measure, predictions, y_range=y_range)
    candidates = np.linspace(*equation.range, 301)
    lower, upper = equation.bounds(candidates)
    first = models_of(predictions)[0]
    for _ in range(40):
        if isinstance(first, ClassPredictions):
            labels = RNG.integers(2, size=3)
        elif isinstance(first, ValuePredictions):
            labels = RNG.uniform(*y_range, 3)
        else:
            labels = [{item: int(RNG.integers(3)) for item in "abc"} for _ in range(3)]
        terms = equation.terms(equation._target.statistics(labels, np.arange(3)), np.arange(3))
        value = true_value(measure, predictions, labels)
        if np.isfinite(value):
            assert equation.range[0] - 1e-9 <= value <= equation.range[1] + 1e-9
        for row in terms:
            for stream in range(2):
                z = row[stream] - candidates * row[2 + stream]
                assert (z >= lower[stream] - 1e-9 * np.abs(lower[stream])).all()
                assert (z <= upper[stream] + 1e-9 * np.abs(upper[stream])).all()


@pytest.mark.parametrize(("measure", "predictions", "y_true", "y_range"), CASES, ids=repr)
def test_a_sequence_narrows_around_the_truth(measure, predictions, y_true, y_range):
    """Begins with the whole range, never widens, is never a point; label by label it is the same."""
    rng = np.random.default_rng(8)
    draws = draw(Q, 60, rng)
    labels = [y_true[i] for i in draws]
    sequence = ConfidenceSequence(measure, predictions, Q, y_range=y_range, confidence_level=0.999)
    whole = sequence.low, sequence.high
    low, high = confidence_sequence(
        measure, predictions, Q, draws, labels, y_range=y_range, confidence_level=0.999
    )
    assert low.shape == high.shape == (60,)
    assert whole[0] <= low[0]
    assert high[0] <= whole[1]
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert (low < high).all()
    truth = true_value(measure, predictions, y_true)
    assert low[-1] <= truth <= high[-1]
    assert high[-1] - low[-1] < whole[1] - whole[0]
    assert not sequence.is_asymptotic
    one_by_one = [sequence.update(int(i), y) for i, y in zip(draws, labels, strict=True)]
    np.testing.assert_array_equal(np.array(one_by_one), np.column_stack([low, high]))
    assert (sequence.n_draws, sequence.low, sequence.high) == (60, low[-1], high[-1])
    # After an undo: the same labels again give the same interval.
    again = sequence.restart().extend(draws[:59], labels[:59])
    assert (again[0][-1], again[1][-1]) == (low[58], high[58])
    assert sequence.n_draws == 59


def test_between_candidates_the_capital_is_nowhere_below_what_cells_say():
    equation = equation_of(Recall(), MODEL)
    y_true = np.array([1, 0, 1])
    terms = equation.terms(equation._target.statistics(y_true, np.arange(3)), np.arange(3))
    points = np.linspace(0.3, 0.4, 6)
    fine = np.linspace(0.3, 0.4, 501)
    lower, upper = (b.reshape(2, -1) for b in equation.bounds(points))
    bounds = lower.min(axis=1, keepdims=True), upper.max(axis=1, keepdims=True)
    # The same center, so the same stakes.
    coarse = Bets(points[np.newaxis], *bounds, equation.promised, 0.95)
    dense = Bets(fine[np.newaxis], *bounds, equation.promised, 0.95)
    for i in draw(Q, 80, np.random.default_rng(3)):
        coarse.update(terms[i])
        dense.update(terms[i])
        cells = coarse.in_cells()[0]
        inside = dense.at_points()[0]
        for cell in range(5):
            assert inside[100 * cell : 100 * cell + 101].min() >= cells[cell] * (1 - 1e-9)


def test_the_grid_is_as_fine_as_said():
    for center in (-1.0, 0.0, 0.1, 0.5, 1.0, 2.0):
        grid = candidate_grid(0.0, 1.0, center, 2048)
        assert grid.size == 2049
        assert grid[0] == 0
        assert grid[-1] == 1
        steps = np.diff(grid)
        assert (steps > 0).all()
        at = min(max(center, 0), 1)
        distance = np.maximum(np.abs(grid[:-1] - at), np.abs(grid[1:] - at))
        assert (steps <= 0.005 * (distance + 0.02)).all()


def test_estimate_gives_the_last_interval():
    draws, y_true = [0, 1, 2, 1, 0], [0, 1, 1, 1, 0]
    low, high = confidence_sequence(Recall(), MODEL, Q, draws, y_true)
    result = estimate(Recall(), MODEL, Q, draws, y_true, interval="confidence_sequence")
    assert (result.low, result.high) == (low[-1], high[-1])
    assert result.interval == "confidence_sequence"
    assert not result.is_asymptotic
    assert result.value == estimate(Recall(), MODEL, Q, draws, y_true).value
    results = estimate_trajectory(
        Recall(), MODEL, Q, draws, y_true, at=[0, 2, 5], interval="confidence_sequence"
    )
    assert [(r.low, r.high) for r in results] == [(0, 1), (low[1], high[1]), (low[4], high[4])]


@pytest.mark.parametrize("measure", [MatthewsCorrelation(), CohenKappa(), BalancedAccuracy(), MacroF()])
@pytest.mark.parametrize("two", [False, True])
def test_smooth_measures_have_an_asymptotic_sequence(measure, two):
    rng = np.random.default_rng(1)
    proba = rng.beta(0.8, 0.8, 300)
    model = ClassPredictions(np.column_stack([1 - proba, proba]))
    second = ClassPredictions(np.column_stack([1 - proba, proba])[rng.permutation(300)])
    y_true = (rng.random(300) < proba).astype(int)
    predictions = [model, second] if two else model
    q = uniform_q(300)
    draws = draw(q, 250, rng)
    sequence = ConfidenceSequence(measure, predictions, q)
    assert sequence.is_asymptotic
    whole = sequence.low, sequence.high
    low, high = sequence.extend(draws, y_true[draws])
    np.testing.assert_array_equal(np.column_stack([low, high])[:99], np.tile(whole, (99, 1)))
    assert low[-1] <= true_value(measure, predictions, y_true) <= high[-1]
    # Waudby-Smith et al. 2021, eq. 10, from the estimate and its standard error.
    alpha, n = 0.05, 250
    rho2 = (-2 * np.log(alpha) + np.log(-2 * np.log(alpha) + 1)) / 100
    wald = estimate(measure, predictions, q, draws, y_true[draws])
    half = wald.standard_error * np.sqrt(
        2 * (n * rho2 + 1) / (n * rho2) * np.log(np.sqrt(n * rho2 + 1) / alpha)
    )
    assert high[-1] == pytest.approx(min(wald.value + half, whole[1]), rel=1e-9)
    assert low[-1] == pytest.approx(max(wald.value - half, whole[0]), rel=1e-9)
    result = estimate(measure, predictions, q, draws, y_true[draws], interval="confidence_sequence")
    assert result.is_asymptotic
    assert (result.low, result.high) == (low[-1], high[-1])


def test_values_without_a_range_are_asymptotic_and_never_a_point():
    draws = np.arange(3).repeat(20)
    sequence = ConfidenceSequence(SquaredError(), VALUES, Q)
    assert sequence.is_asymptotic
    assert (sequence.low, sequence.high) == (0, np.inf)
    # No draw deviates: nothing can be told.
    low, high = sequence.extend(draws, VALUES.mean[draws])
    assert (low == 0).all()
    assert (high == np.inf).all()


def test_where_models_agree_need_not_be_drawn():
    a = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]])
    b = ClassPredictions([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.3, 0.7]])
    y_true = np.array([0, 1, 0, 0])
    q = disagreement_q(a, b)
    draws = draw(q, 300, np.random.default_rng(5))
    low, high = confidence_sequence(ErrorRate(), [a, b], q, draws, y_true[draws])
    assert low[-1] <= -0.5 <= high[-1]
    assert high[-1] < -0.4


def test_identical_models_differ_by_nothing_and_still_get_no_point():
    low, high = confidence_sequence(ErrorRate(), [MODEL, MODEL], Q, [0, 1, 2] * 30, [1, 0, 0] * 30)
    assert (low <= 0).all()
    assert (high >= 0).all()
    assert (low < high).all()


def test_names_and_order_of_instances_do_not_matter():
    rng = np.random.default_rng(6)
    proba = rng.dirichlet([1, 1, 1], 30)
    y_true = rng.integers(3, size=30)
    draws = draw(uniform_q(30), 50, rng)
    plain = confidence_sequence(
        Recall(positive=2), ClassPredictions(proba), uniform_q(30), draws, y_true[draws]
    )
    names = np.array(["x", "y", "z"])
    named = ClassPredictions(proba, classes=names)
    relabeled = confidence_sequence(Recall(positive="z"), named, uniform_q(30), draws, names[y_true[draws]])
    order = rng.permutation(30)
    where = np.argsort(order)
    permuted = confidence_sequence(
        Recall(positive=2), ClassPredictions(proba[order]), uniform_q(30), where[draws], y_true[draws]
    )
    np.testing.assert_allclose(relabeled, plain, rtol=0, atol=0)
    np.testing.assert_allclose(permuted, plain, rtol=0, atol=1e-9)


def test_error_rate_and_accuracy_mirror_each_other():
    rng = np.random.default_rng(9)
    draws = draw(Q, 40, rng)
    y_true = rng.integers(2, size=3)[draws]
    error = confidence_sequence(ErrorRate(), MODEL, Q, draws, y_true)
    accuracy = confidence_sequence(Accuracy(), MODEL, Q, draws, y_true)
    np.testing.assert_allclose(accuracy, (1 - error[1], 1 - error[0]), atol=1e-9)


def test_a_higher_level_is_never_narrower():
    rng = np.random.default_rng(10)
    draws = draw(Q, 60, rng)
    y_true = np.array([0, 0, 1])[draws]
    narrow, wide = (
        confidence_sequence(ErrorRate(), MODEL, Q, draws, y_true, confidence_level=level)
        for level in (0.8, 0.99)
    )
    assert (wide[1] - wide[0] >= narrow[1] - narrow[0]).all()


@pytest.mark.slow
@pytest.mark.parametrize("design", ["passive", "active"])
def test_widths_on_digits(digits, design):
    """Against the Wald interval at the same n: well within what is asked for (2.2, 1.7, 1.6)."""
    model, y_true = digits
    q = uniform_q(1697) if design == "passive" else optimal_q(ErrorRate(), model)
    sequence = ConfidenceSequence(ErrorRate(), model, q)
    rng = np.random.default_rng(11)
    widths, wald = np.zeros(3), np.zeros(3)
    for _ in range(4):
        draws = draw(q, 800, rng)
        low, high = sequence.restart().extend(draws, y_true[draws])
        widths += (high - low)[[99, 399, 799]]
        results = estimate_trajectory(ErrorRate(), model, q, draws, y_true[draws], at=[100, 400, 800])
        wald += [result.high - result.low for result in results]
    assert (widths / wald < [1.6, 1.4, 1.4]).all()


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), MatthewsCorrelation()], ids=repr)
def test_a_copy_goes_on_by_itself(measure):
    rng = np.random.default_rng(0)
    model = ClassPredictions(rng.dirichlet([1, 1], size=200))
    q = optimal_q(measure, model, defensive=0.1)
    draws = draw(q, 300, rng)
    y_true = rng.integers(2, size=300)
    whole = ConfidenceSequence(measure, model, q)
    low, high = whole.extend(draws, y_true)
    begun = ConfidenceSequence(measure, model, q)
    begun.extend(draws[:150], y_true[:150])
    kept = begun.copy()
    begun.extend(draws[150:], 1 - y_true[150:])
    assert (kept.n_draws, kept.low, kept.high) == (150, low[149], high[149])
    again = kept.copy().extend(draws[150:], y_true[150:])
    np.testing.assert_array_equal(again, [low[150:], high[150:]])
    assert (kept.n_draws, kept.low, kept.high) == (150, low[149], high[149])
    assert not np.array_equal([begun.low, begun.high], [low[-1], high[-1]])


def test_an_empty_sample_has_no_intervals():
    low, high = confidence_sequence(ErrorRate(), MODEL, Q, [], [])
    assert low.shape == high.shape == (0,)


BAD = {
    "label outside the range": (
        lambda: confidence_sequence(SquaredError(), VALUES, Q, [0, 1], [1.0, 7.0], y_range=(0, 6)),
        r"y_true\[1\] is 7.0, expected a label within y_range \(0.0, 6.0\)",
    ),
    "label outside the range, live": (
        lambda: ConfidenceSequence(SquaredError(), VALUES, Q, y_range=(0, 6)).update(0, -1.0),
        r"y_true\[0\] is -1.0, expected a label within y_range",
    ),
    "range reversed": (
        lambda: ConfidenceSequence(SquaredError(), VALUES, Q, y_range=(6, 0)),
        r"y_range must be \(smallest, largest\) with smallest < largest, got \(6, 0\)",
    ),
    "range of a point": (
        lambda: ConfidenceSequence(SquaredError(), VALUES, Q, y_range=(6, 6)),
        r"with smallest < largest, got \(6, 6\)",
    ),
    "range of one": (
        lambda: ConfidenceSequence(SquaredError(), VALUES, Q, y_range=(6,)),
        r"y_range must be \(smallest, largest\)",
    ),
    "range infinite": (
        lambda: ConfidenceSequence(SquaredError(), VALUES, Q, y_range=(0, np.inf)),
        r"y_range\[1\] is inf, expected a finite number",
    ),
    "range for classes": (
        lambda: ConfidenceSequence(ErrorRate(), MODEL, Q, y_range=(0, 1)),
        "y_range is for labels that are values",
    ),
    "q = 0, error rate": (
        lambda: ConfidenceSequence(ErrorRate(), MODEL, [0.5, 0.5, 0]),
        r"q\[2\] is 0, but a label there would count for the error rate",
    ),
    "q = 0, recall": (
        lambda: ConfidenceSequence(Recall(), MODEL, [0, 0.5, 0.5]),
        r"q\[0\] is 0, but a label there would count for the recall",
    ),
    "q = 0, two models": (
        lambda: ConfidenceSequence(ErrorRate(), [MODEL, OTHER], [0, 0.5, 0.5]),
        r"q\[0\] is 0, but the models differ there",
    ),
    "level": (
        lambda: ConfidenceSequence(ErrorRate(), MODEL, Q, confidence_level=1.0),
        "confidence_level must be a number strictly between 0 and 1, got 1.0",
    ),
    "unknown label": (
        lambda: ConfidenceSequence(ErrorRate(), MODEL, Q).update(0, 7),
        r"y_true\[0\] is 7, expected one of the classes \[0, 1\]",
    ),
    "draw outside": (
        lambda: ConfidenceSequence(ErrorRate(), MODEL, Q).update(3, 1),
        r"draws\[0\] is 3, expected an index from 0 to 2",
    ),
    "q of another pool": (
        lambda: ConfidenceSequence(ErrorRate(), MODEL, [0.5, 0.5]),
        "q has 2 entries, but the predictions are for 3 instances",
    ),
    "three models": (
        lambda: ConfidenceSequence(ErrorRate(), [MODEL, OTHER, MODEL], Q),
        "about one model or two, and predictions hold 3 models",
    ),
    "another number of labels": (
        lambda: confidence_sequence(ErrorRate(), MODEL, Q, [0, 1], [0]),
        "one label for each of 2 draws",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_has_one_clear_error(case):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()


def test_a_refused_label_leaves_the_sequence_as_it_was():
    sequence = ConfidenceSequence(SquaredError(), VALUES, Q, y_range=(0, 6))
    sequence.update(1, 2.0)
    before = sequence.low, sequence.high, sequence.n_draws
    with pytest.raises(ValueError, match="y_range"):
        sequence.update(1, 60.0)
    assert (sequence.low, sequence.high, sequence.n_draws) == before


def test_precision_needs_no_predicted_negatives():
    q = np.array([0.0, 0.5, 0.5])
    low, high = confidence_sequence(Precision(), MODEL, q, [1, 2] * 60, [1, 0] * 60)
    assert low[-1] < 0.5 < high[-1]
    assert high[-1] - low[-1] < 0.5
