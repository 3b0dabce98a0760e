"""Approximate intervals: by hand, withheld where they would not hold, and what they take for granted."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import genpareto

from activeeval_widgets.stats import (
    ROCAUC,
    AbsoluteError,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    MacroF,
    MatthewsCorrelation,
    MeanValue,
    SequentialTest,
    SquaredError,
    UnpredictedValues,
    ValuePredictions,
    draw,
    estimate,
    estimate_adaptive,
    pool_value,
    sequential_test,
    uniform_q,
)
from activeeval_widgets.stats.adaptive._limit_of_draws import LimitOfDraws
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.estimator import check_drawn
from activeeval_widgets.stats.adaptive.weighting import weigh
from activeeval_widgets.stats.anytime.approximate_interval import (
    approximate_interval,
    half_width,
    limit_pvalue,
    skew_of,
)
from activeeval_widgets.stats.anytime.assumed_range import Assumption, assumed_range
from activeeval_widgets.stats.anytime.growing_rows import GrowingRows
from activeeval_widgets.stats.anytime.limit_conditions import (
    ADAPTIVE,
    WITH_REPLACEMENT,
    WITHOUT_END,
    FarthestInstance,
    n_carrying,
    reason_unmet,
    reason_withheld,
)
from activeeval_widgets.stats.anytime.tail_shape import _fit, tail_shape
from activeeval_widgets.stats.questions.make import target_of

RHO2 = (-2 * log(0.05) + log(1 - 2 * log(0.05))) / 100


def two_columns(p):
    return np.column_stack([1 - p, p])


def test_draws_that_carry_the_variance():
    assert n_carrying(np.array([2.0, -2.0, 2.0, 2.0])) == pytest.approx(4)
    assert n_carrying(np.array([0.0, 5.0, 0.0])) == pytest.approx(1)
    assert n_carrying(np.array([1.0, 2.0])) == pytest.approx(25 / 17)


def test_rows_are_shared_until_copies_part():
    rows = GrowingRows()
    for i in range(100):
        rows.append(np.array([i, 1.0]))
    other = rows.copy()
    rows.append(np.array([-1.0, 0.0]))
    other.append(np.array([-2.0, 0.0]))
    other.append(np.array([-3.0, 0.0]))
    assert (len(rows), len(other)) == (101, 102)
    np.testing.assert_array_equal(rows.rows[:, 0], [*range(100), -1])
    np.testing.assert_array_equal(other.rows[:, 0], [*range(100), -2, -3])
    assert rows.squares == pytest.approx((rows.rows**2).sum())


@pytest.fixture(scope="module")
def fifths():
    """400 instances of two classes, 150 draws, a few of which can't be labeled."""
    rng = np.random.default_rng(0)
    p = rng.beta(0.8, 0.8, 400)
    model = ClassPredictions(two_columns(p))
    y_true = (rng.random(400) < p).astype(int)
    q = rng.dirichlet(np.full(400, 20.0))
    order = rng.permutation(400)[:150]
    labels = [None if y_true[i] == 1 and rng.random() < 0.2 else int(y_true[i]) for i in order]
    left = 1 - np.concatenate([[0], q[order].cumsum()[:-1]])
    return model, q, order, labels, q[order] / left


@pytest.mark.parametrize("level", [0.95, 0.8])
@pytest.mark.parametrize(
    "measure", [MatthewsCorrelation(), FMeasure(), ErrorRate()], ids=lambda measure: measure.name
)
def test_the_interval_around_an_adaptive_estimate_by_hand(fifths, measure, level):
    """Waudby-Smith et al. 2021, eq. 10; where influences pull, with the variance at the interval's end."""
    model, _, order, labels, q_draws = fifths
    target = target_of(measure, [model])
    weighed = weigh(target, check_drawn(target, order, q_draws, labels))
    size = (weighed.influences**3).sum() / (weighed.influences**2).sum()
    assert abs(size) > 1e-4
    found = estimate_adaptive(measure, model, order, q_draws, labels, confidence_level=level)
    n = sum(label is not None for label in labels)
    assert n < 150
    assert weighed.cautious >= found.standard_error**2 * (1 - 1e-12)
    z = sqrt((1 + 1 / (n * RHO2)) * log((n * RHO2 + 1) / (1 - level) ** 2))
    least, greatest = measure.value_range
    below, above = found.value - found.approximate_low, found.approximate_high - found.value
    if found.approximate_low > least:
        assert below == pytest.approx(z * sqrt(weighed.cautious + max(-size, 0) * below), abs=1e-12)
    if found.approximate_high < greatest:
        assert above == pytest.approx(z * sqrt(weighed.cautious + max(size, 0) * above), abs=1e-12)
    assert least < found.approximate_low or found.approximate_high < greatest
    assert found.has_approximate
    assert found.approximate_reason is None


@pytest.mark.parametrize("rule", [DRAW_RULE, DrawRule(least=0.2, trust=9.0, promise=50.0)])
def test_an_adaptive_sequence_without_bets_is_the_interval_around_the_estimate(fifths, rule):
    model, q, order, labels, q_draws = fifths
    sequence = AdaptiveConfidenceSequence(MatthewsCorrelation(), model, rule=rule)
    low, high = sequence.extend(order, q, labels)
    left = (
        np.array([q[np.setdiff1d(np.arange(400), order[:t])].min() for t in range(150)]) * q_draws / q[order]
    )
    at = [30, 49, 60, 100, 150]
    found = estimate_adaptive(
        MatthewsCorrelation(),
        model,
        order,
        q_draws,
        labels,
        least_q=np.minimum(left, q_draws),
        at=at,
        rule=rule,
    )
    for n, each in zip(at, found, strict=True):
        ends = (each.approximate_low, each.approximate_high) if each.has_approximate else (-1.0, 1.0)
        assert (low[n - 1], high[n - 1]) == pytest.approx(ends, abs=1e-9)
    assert not found[0].has_approximate
    assert found[-1].has_approximate
    assert sequence.is_asymptotic
    assert sequence.reason is None
    copied = sequence.copy()
    assert (copied.low, copied.high) == (low[-1], high[-1])
    assert " 50 labels" in copied.restart().reason
    assert not sequence.withheld


def test_the_p_value_of_a_difference_is_of_the_same_interval(fifths):
    model, q, order, labels, q_draws = fifths
    other = ClassPredictions(model.y_proba, y_pred=np.zeros(400, dtype=int))
    models = [model, other]
    found = estimate_adaptive(MacroF(), models, order, q_draws, labels)
    sequence = AdaptiveConfidenceSequence(MacroF(), models)
    sequence.extend(order, q, labels)
    n = found.n_labels
    assert sequence.pvalue < 0.05 < 1
    # The interval of that level just leaves out 0.
    half = sqrt((1 + 1 / (n * RHO2)) * log((n * RHO2 + 1) / sequence.pvalue**2))
    weighed = weigh(
        target_of(MacroF(), models), check_drawn(target_of(MacroF(), models), order, q_draws, labels)
    )
    size = (weighed.influences**3).sum() / (weighed.influences**2).sum()
    towards = weighed.cautious + max(-size * np.sign(found.value), 0) * abs(found.value)
    assert sqrt(towards) * half == pytest.approx(abs(found.value), rel=1e-9)


def test_a_whole_pool_is_known_without_bets(fifths):
    model, _, _, _, _ = fifths
    y_true = (np.arange(400) % 3 == 0).astype(int)
    sequence = AdaptiveConfidenceSequence(MatthewsCorrelation(), model)
    sequence.extend(np.arange(400), uniform_q(400), y_true)
    truth = pool_value(MatthewsCorrelation(), model, y_true)
    assert (sequence.low, sequence.high) == pytest.approx((truth, truth), rel=1e-9)
    left = 1 / (400 - np.arange(400.0))
    found = estimate_adaptive(MatthewsCorrelation(), model, np.arange(400), left, y_true)
    assert found.approximate_low == found.approximate_high == pytest.approx(truth)


def test_the_interval_around_a_weighted_estimate_is_that_of_the_sequence():
    rng = np.random.default_rng(5)
    p = rng.beta(0.8, 0.8, 400)
    model, y_true = ClassPredictions(two_columns(p)), (rng.random(400) < p).astype(int)
    q = rng.dirichlet(np.full(400, 20.0))
    draws = draw(q, 150, rng)
    sequence = ConfidenceSequence(MatthewsCorrelation(), model, q)
    sequence.extend(draws, y_true[draws])
    found = estimate(MatthewsCorrelation(), model, q, draws, y_true[draws])
    assert (found.approximate_low, found.approximate_high) == pytest.approx(
        (sequence.low, sequence.high), abs=1e-12
    )
    assert found.approximate_reason is sequence.reason is None
    assert not estimate(MatthewsCorrelation(), model, q, draws[:99], y_true[draws[:99]]).has_approximate


@pytest.mark.parametrize("is_adaptive", [False, True])
def test_it_is_withheld_while_few_draws_carry_the_variance(is_adaptive):
    """A rare class: 1,000 instances, 30 positives, found by the model or not."""
    rng = np.random.default_rng(1)
    y_true = (np.arange(1000) < 30).astype(int)
    predicted = np.where(y_true == 1, rng.random(1000) < 0.5, rng.random(1000) < 0.01).astype(int)
    model = ClassPredictions(np.where(two_columns(predicted) == 1, 0.97, 0.03))
    q = uniform_q(1000)
    order = rng.permutation(1000)[:200]
    measure = MatthewsCorrelation()
    if is_adaptive:
        sequence = AdaptiveConfidenceSequence(measure, model)
        low, high = sequence.extend(order, q, y_true[order])
    else:
        sequence = ConfidenceSequence(measure, model, q)
        assert sequence.withheld
        assert " 100 labels" in sequence.reason
        low, high = sequence.extend(order, y_true[order])
    assert sequence.is_asymptotic
    assert sequence.withheld
    assert (sequence.low, sequence.high) == (-1, 1)
    assert (low == -1).all()
    assert (high == 1).all()
    assert "most of the estimate's uncertainty comes from about" in sequence.reason
    needed = 5 if is_adaptive else 25
    assert sequence.reason.endswith(f" takes {needed}.")
    if not is_adaptive:
        result = estimate(measure, model, q, order, y_true[order], interval="confidence_sequence")
        assert (result.withheld, result.reason) == (True, sequence.reason)
        assert np.isnan(result.pvalue)
        # The test that belongs to it says nothing either.
        assert sequential_test(measure, model, q, order, y_true[order], value=-0.9).pvalue[-1] == 1
        assert not estimate(measure, model, q, order, y_true[order]).withheld


def test_what_the_interval_around_draws_is_made_of():
    """Cautious errors, whatever the estimate's own is, with conditions (`docs/explanations/intervals.md`)."""
    assert [(100, 25, 0.7), (50, 5, np.inf), (100, 10, 0.7)] == [WITH_REPLACEMENT, ADAPTIVE, WITHOUT_END]
    rng = np.random.default_rng(8)
    p = rng.uniform(0.1, 0.9, 120)
    target = target_of(ErrorRate(), [ClassPredictions(np.column_stack([1 - p, p]))])
    y, draws = (rng.random(120) < p).astype(int), np.arange(60)
    given = check_drawn(target, draws, 1 / (120 - draws), y[:60])
    limit = LimitOfDraws(target, None, 0.95)
    found = weigh(target, given)._replace(
        cautious=0.03**2, standard_error=0.01, influences=np.resize([0.01, -0.01], 60)
    )
    around = limit.around(found, 60, is_known=True)
    z = sqrt((1 + 1 / (60 * RHO2)) * log((60 * RHO2 + 1) / 0.05**2))
    assert (around.high - around.low) / 2 == pytest.approx(0.03 * z)
    # Influences of one sign and size make it wider on their side.
    for sign in (1, -1):
        one_sided = np.append(np.zeros(40), np.full(20, sign * 0.01))
        skewed = limit.around(found._replace(influences=one_sided), 60, is_known=True)
        sides = (found.value - skewed.low, skewed.high - found.value)[::sign]
        assert sides == pytest.approx((0.03 * z, half_width(0.03, 0.01, 60 * RHO2, 0.95)))
    assert limit.needed == ADAPTIVE
    auc = target_of(ROCAUC(), [ClassPredictions(np.column_stack([1 - p, p]))])
    assert LimitOfDraws(auc, None, 0.95).needed == (50, 10, np.inf)
    values = target_of(SquaredError(), [ValuePredictions(p, p)])
    assert LimitOfDraws(values, (0.0, 1.0), 0.95).needed == WITHOUT_END


@pytest.mark.parametrize("n_met", [5, 10, 40, 1000])
def test_it_is_wider_where_rare_events_may_not_have_been_met(n_met):
    """It ends at so many events that those met are z standard deviations of a Poisson's below them."""
    size, n = 0.01, 5000
    influences = np.append(np.full(n_met, -size), np.zeros(n - n_met))
    assert skew_of(influences) == pytest.approx(-size)
    assert skew_of(-influences) == pytest.approx(size)
    error, z = size * sqrt(n_met), sqrt((1 + 1 / (n * RHO2)) * log((n * RHO2 + 1) / 0.05**2))
    options = {"level": 0.95, "possible": (-99.0, 99.0), "needed": ADAPTIVE, "skew": skew_of(influences)}
    found = approximate_interval(0.5, error, influences, n, **options)
    n_possible = n_met + (0.5 - found.low) / size
    assert (n_possible - n_met) / sqrt(n_possible) == pytest.approx(z)
    assert found.high - 0.5 == pytest.approx(z * error)
    assert half_width(0.0, size, n * RHO2, 0.95) == 0


@pytest.mark.parametrize("skew", [-0.02, 0.0, 0.02])
@pytest.mark.parametrize("value", [-0.15, 0.15])
def test_its_p_value_is_the_level_at_which_it_leaves_out_zero(value, skew):
    influences = 0.002 * np.resize([1.0, -1.0], 100)
    options = {"possible": (-1.0, 1.0), "needed": ADAPTIVE, "skew": skew, "unevenness": 0.01}
    found = approximate_interval(value, 0.03, influences, 100, level=0.95, **options)
    pvalue = limit_pvalue(value, 0.03, 100, skew, 0.01)
    assert pvalue == pytest.approx(1 / found.evidence)
    assert 1e-4 < pvalue < 0.5
    at = approximate_interval(value, 0.03, influences, 100, level=1 - pvalue, **options)
    assert min(abs(at.low), abs(at.high)) == pytest.approx(0, abs=1e-12)


def test_what_it_takes():
    even = np.resize([1.0, -1.0], 100)
    assert reason_withheld(even[:99], 99, WITH_REPLACEMENT).startswith("No interval before 100")
    assert reason_withheld(even, 100, WITH_REPLACEMENT) is None
    assert "don't show how far off" in reason_withheld(None, 100, WITH_REPLACEMENT)
    assert "don't show how far off" in reason_withheld(0 * even, 100, WITH_REPLACEMENT)
    assert reason_withheld(even[:50], 50, ADAPTIVE) is None
    assert reason_withheld(even[:49], 49, ADAPTIVE).startswith("No interval before 50")
    few = np.append(0.01 * even, [1.0, 1.0])
    assert "comes from about 2 of 102 labels" in reason_withheld(few, 102, ADAPTIVE)
    assert reason_withheld(np.append(few, [1.0] * 3), 105, ADAPTIVE) is None
    # Many carry the variance, but the largest are far from the others.
    heavy = 1 / np.linspace(0.01, 1, 400) ** 2
    easy = WITH_REPLACEMENT._replace(n_carrying=1)
    assert tail_shape(heavy) > 0.7
    assert "differ too much" in reason_withheld(heavy, 400, easy)
    assert reason_withheld(heavy, 400, easy._replace(heaviest_tail=np.inf)) is None


@pytest.mark.parametrize("shape", [-0.3, 0.0, 0.4, 0.8])
def test_the_shape_of_a_tail(shape):
    sizes = genpareto.rvs(shape, size=20_000, random_state=np.random.default_rng(6))
    assert _fit(np.sort(sizes)) == pytest.approx(shape, abs=0.04)
    # A tail of 424 sizes, and ten more of shape 1/2.
    assert tail_shape(sizes) == pytest.approx((424 * shape + 5) / 434, abs=0.15)
    assert tail_shape(1e-3 * sizes) == pytest.approx(tail_shape(sizes), abs=1e-9)


def test_rounding_makes_no_tail():
    """Sizes of few values, as influences of classes have them, whatever the last bits of each."""
    rng = np.random.default_rng(4)
    sizes = np.repeat([0.25, 0.5], [330, 70])
    rounded = sizes * (1 + 4e-16 * rng.integers(-2, 3, 400))
    assert tail_shape(rounded) == pytest.approx(tail_shape(sizes), abs=1e-12)


def test_tails_that_say_nothing():
    assert tail_shape(np.ones(24)) == np.inf
    assert tail_shape(np.ones(25)) == pytest.approx(0.5)
    assert tail_shape(np.linspace(0, 1, 100)) < 0
    # Sizes beyond the threshold that are all alike, as shares have them.
    assert _fit(np.full(100, 0.3)) == pytest.approx(_fit(0.3 + 1e-9 * np.arange(100)), abs=1e-3)
    # A fifth of them, from the largest of the others on, and ten more of shape 1/2.
    excess = np.cumsum(np.arange(1.0, 21.0))
    sizes = np.concatenate([np.full(80, 3.0), 3.0 + excess])
    assert tail_shape(sizes) == pytest.approx((20 * _fit(excess) + 5) / 30, abs=1e-12)


def test_it_never_leaves_the_range():
    influences = 0.002 * np.resize([1.0, -1.0], 100)
    options = {"level": 0.95, "possible": (0.0, 1.0), "needed": ADAPTIVE}
    assert approximate_interval(0.01, 0.02, influences, 100, **options).low == 0
    assert approximate_interval(0.99, 0.02, influences, 100, **options).high == 1


def test_what_was_not_met_must_not_matter():
    assert reason_unmet(1.0, 100, 0.03) is None
    assert "not drawn so far could make all the difference" in reason_unmet(1.0, 100, 0.0299)
    assert reason_unmet(0.0, 100, 0.0) is None
    assert "nothing limits how large an error can be" in reason_unmet(np.inf, 100, 0.1)


def test_how_far_one_instance_can_be():
    values = ValuePredictions([0.0, 1.0, 3.0])
    squared = target_of(SquaredError(), [values])
    assert FarthestInstance(squared, None).deviation(np.ones(1), 1.0) == np.inf
    # Labels from −1 to 4: the farthest is 4 off the first, and 4 off the last.
    assert FarthestInstance(squared, (-1.0, 4.0)).deviation(np.ones(1), 1.0) == 15
    # Nobody says what labels can be: four times as far as the farthest of those that were met.
    unknown = FarthestInstance(target_of(MeanValue(), [UnpredictedValues(3)]), None)
    assert unknown.deviation(np.ones(1), 1.0, np.array([0.1, -0.5])) == 4 * 2 * 0.5
    assert unknown.deviation(np.ones(1), 1.0) == np.inf
    classes = ClassPredictions([[0.9, 0.1], [0.2, 0.8]])
    assert FarthestInstance(target_of(ErrorRate(), [classes]), None).deviation(np.ones(1), 0.2) == 0.8
    assert FarthestInstance(target_of(FMeasure(), [classes]), None).deviation(np.ones(2), 0.2) == 0


@pytest.mark.parametrize("is_adaptive", [False, True])
def test_losses_without_an_end_need_a_range_in_which_none_makes_all_the_difference(values, is_adaptive):
    model, y_true = values
    order = np.random.default_rng(3).permutation(300)[:200]

    def run(y_range, labels=y_true):
        if is_adaptive:
            left = 1 / (300 - np.arange(200.0))
            return estimate_adaptive(SquaredError(), model, order, left, labels[order], y_range=y_range)
        return estimate(SquaredError(), model, uniform_q(300), order, labels[order], y_range=y_range)

    assert "nothing limits" in run(None).approximate_reason
    assert not run(None).has_approximate
    # Where nothing can be far off, what was not met can't be either.
    y_true = model.mean + 0.5 * np.resize([1.0, -1.0, 0.8, -1.2, 0.5], 300)
    ends = float(model.mean.min()), float(model.mean.max())
    wide = run((ends[0] - 50, ends[1] + 50), y_true)
    assert "not drawn so far could make all the difference" in wide.approximate_reason
    assert not wide.has_approximate
    model = ValuePredictions(np.zeros(300), variance=np.full(300, 0.25))
    found = run((-0.7, 0.7), 0.5 * np.resize([1.0, -1.0, 0.8, -1.2, 0.5], 300))
    assert found.approximate_reason is None
    assert found.has_approximate


def test_the_range_that_predictions_suggest():
    plain = ValuePredictions([1.0, 3.0])
    assert assumed_range([plain]) == (-5, 9)
    assert assumed_range([ValuePredictions([1.0, 3.0], variance=[0.5, 1.5])]) == (-19, 23)
    assert assumed_range([ValuePredictions([0.0, 100.0], variance=[0.5, 1.5])]) == (-100, 200)
    assert assumed_range([plain, ValuePredictions([0.0, 2.0], variance=[1.0, 1.0])]) == (-9, 12)
    assert assumed_range([ValuePredictions([2.0, 2.0])]) is None
    assert assumed_range([ClassPredictions([[0.5, 0.5]])]) is None


def test_an_assumption_is_held_against_labels():
    def result(labels):
        assumption = Assumption([ValuePredictions(np.zeros(200), variance=np.ones(200))])
        for draw_, y in enumerate(labels):
            assumption.add(draw_, y)
        return assumption.is_refuted, assumption.reason_withheld

    usual = [1.0, -1.0, 2.0] * 40
    assert result(usual) == (False, None)
    assert result([*usual, None, 20.0, -20.0])[0] is False
    assert result([*usual, 20.1])[0]
    assert result([*usual, -20.1])[0]
    # The median of the errors is 1: ten times as much is a heavy tail, until the others catch up.
    assert result([*usual, -10.0]) == (False, None)
    assert "more than 10 times the median one" in result([*usual, -10.1])[1]
    assert result([*usual, 10.1, *[2.0] * 60]) == (False, None)
    assert "before 100 labels" in result(usual[:99])[1]
    assert result(usual[:100])[1] is None


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(2)
    mean = rng.normal(size=300)
    return ValuePredictions(mean, variance=np.full(300, 0.25)), mean + 0.5 * rng.normal(size=300)


@pytest.mark.parametrize("measure", [SquaredError(), AbsoluteError()], ids=repr)
@pytest.mark.parametrize("is_adaptive", [False, True])
def test_values_without_a_range_are_bet_on_within_what_predictions_suggest(values, measure, is_adaptive):
    model, y_true = values
    bounds = assumed_range([model])
    q = uniform_q(300)
    order = np.random.default_rng(3).permutation(300)[:130]

    def run(y_range, labels):
        if is_adaptive:
            sequence = AdaptiveConfidenceSequence(measure, model, y_range=y_range)
            return sequence, *sequence.extend(order, q, labels)
        sequence = ConfidenceSequence(measure, model, q, y_range=y_range)
        return sequence, *sequence.extend(order, labels)

    labels = y_true[order]
    sequence, low, high = run(None, labels)
    exact, exact_low, exact_high = run(bounds, labels)
    assert (sequence.is_asymptotic, exact.is_asymptotic) == (True, False)
    assert (low[:99] == 0).all()
    assert (high[:99] == np.inf).all()
    np.testing.assert_array_equal(low[99:], exact_low[99:])
    np.testing.assert_array_equal(high[99:], exact_high[99:])
    assert not sequence.withheld
    shown = f"{bounds[0]:.4g} to {bounds[1]:.4g}".replace("-", "\N{MINUS SIGN}")
    assert f"no label lies outside {shown}" in sequence.reason
    assert "Give y_range" in sequence.reason
    assert (exact.withheld, exact.reason) == (False, None)
    # One label outside, and nothing is said any more.
    labels = labels.copy()
    labels[110] = bounds[1] + 1
    sequence, low, high = run(None, labels)
    assert np.isfinite(high[99:110]).all()
    assert (low[110:] == 0).all()
    assert (high[110:] == np.inf).all()
    assert sequence.withheld
    assert "a label was outside" in sequence.reason
    copied = sequence.copy()
    assert (copied.withheld, copied.high) == (True, np.inf)
    assert "before 100 labels" in sequence.restart().reason


def test_predictions_that_are_all_the_same_suggest_nothing():
    model = ValuePredictions(np.full(50, 2.0))
    for sequence in (ConfidenceSequence(SquaredError(), model, uniform_q(50)),):
        low, high = sequence.extend(np.arange(150) % 50, np.full(150, 2.5))
        assert (low == 0).all()
        assert (high == np.inf).all()
        assert "nothing limits how large an error can be" in sequence.reason
    test = SequentialTest(SquaredError(), model, uniform_q(50), value=1.0)
    assert test.extend(np.arange(150) % 50, np.full(150, 2.5)).pvalue[-1] == 1


def test_a_whole_pool_of_values_is_known_whatever_was_assumed(values):
    model, y_true = values
    for labels in (y_true, np.where(np.arange(300) == 40, 1000.0, y_true)):
        sequence = AdaptiveConfidenceSequence(SquaredError(), model)
        sequence.extend(np.arange(300), uniform_q(300), labels)
        truth = pool_value(SquaredError(), model, labels)
        assert (sequence.low, sequence.high) == pytest.approx((truth, truth), rel=1e-9)
        assert (sequence.withheld, sequence.reason) == (False, None)


def test_a_test_of_values_takes_the_same_range_for_granted(values):
    model, y_true = values
    q = uniform_q(300)
    draws = draw(q, 160, np.random.default_rng(4))
    free = sequential_test(SquaredError(), model, q, draws, y_true[draws], value=60.0)
    bounded = sequential_test(
        SquaredError(), model, q, draws, y_true[draws], value=60.0, y_range=assumed_range([model])
    )
    assert (free.evalue[:99] == 1).all()
    np.testing.assert_array_equal(free.evalue[99:], bounded.evalue[99:])
    assert free.pvalue[-1] < 0.05
    labels = y_true[draws]
    labels[120] = 500.0
    broken = sequential_test(SquaredError(), model, q, draws, labels, value=60.0)
    assert (broken.evalue[120:] == 1).all()
    assert (broken.pvalue[120:] == 1).all()
    assert broken.pvalue[119] < 1
