"""Approximate intervals: by hand, withheld where they would not hold, and what they take for granted."""

from math import log, sqrt

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AbsoluteError,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    MatthewsCorrelation,
    SequentialTest,
    SquaredError,
    ValuePredictions,
    draw,
    estimate,
    pool_value,
    sequential_test,
    uniform_q,
)
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.anytime.assumed_range import Assumption, assumed_range
from activeeval_widgets.stats.anytime.asymptotic import n_carrying, reason_too_few
from activeeval_widgets.stats.anytime.growing_rows import GrowingRows

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


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_adaptive_band_by_hand(monkeypatch, level):
    """Waudby-Smith et al. 2021, eq. 10, with weighted terms; the share that can be labeled is estimated."""
    rng = np.random.default_rng(0)
    p = rng.beta(0.8, 0.8, 400)
    model = ClassPredictions(two_columns(p))
    y_true = (rng.random(400) < p).astype(int)
    q = rng.dirichlet(np.full(400, 20.0))
    seen = []
    plain = Streams.terms

    def recorded(self, draw, row):
        terms = plain(self, draw, row)
        seen.append((self.weight, terms[1]))
        return terms

    monkeypatch.setattr(Streams, "terms", recorded)
    sequence = AdaptiveConfidenceSequence(MatthewsCorrelation(), model, confidence_level=level)
    order = rng.permutation(400)[:150]
    # A third can't be labeled: mostly of one class, so that share and measure go together.
    labels = [None if y_true[i] == 1 and rng.random() < 0.6 else y_true[i] for i in order]
    low, high = sequence.extend(order, q, labels)
    assert (low[:99] == -1).all()
    assert (high[:99] == 1).all()
    assert (high[99:] - low[99:] < 2).all()
    weights = np.array([weight for weight, _ in seen])
    terms = np.array([term for _, term in seen])
    mean = weights @ terms / weights.sum()

    def g(total):
        c, p0, p1, t0, t1 = total[:5] / total[5]
        return (c - p0 * t0 - p1 * t1) / sqrt((1 - p0**2 - p1**2) * (1 - t0**2 - t1**2))

    steps = 1e-6 * np.eye(6)
    gradient = np.array([(g(mean + step) - g(mean - step)) / 2e-6 for step in steps])
    influence = weights * ((terms - mean) @ gradient)
    error = sqrt((influence**2).sum()) / weights.sum()
    n = weights.sum() ** 2 / (weights**2).sum()
    half = error * sqrt((1 + 1 / (n * RHO2)) * log((n * RHO2 + 1) / (1 - level) ** 2))
    assert low[-1] == pytest.approx(max(g(mean) - half, -1), abs=1e-6)
    assert high[-1] == pytest.approx(min(g(mean) + half, 1), abs=1e-6)


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
        assert sequence.reason == "No interval before 100 labels: it holds for many labels only."
        low, high = sequence.extend(order, y_true[order])
    assert sequence.is_asymptotic
    assert sequence.withheld
    assert (sequence.low, sequence.high) == (-1, 1)
    assert (low == -1).all()
    assert (high == 1).all()
    assert "most of the estimate's uncertainty comes from about" in sequence.reason
    assert sequence.reason.endswith("of 200 labels (a rare class, or heavy weights), and it takes 25.")
    if not is_adaptive:
        result = estimate(measure, model, q, order, y_true[order], interval="confidence_sequence")
        assert (result.withheld, result.reason) == (True, sequence.reason)
        assert np.isnan(result.pvalue)
        # The test that belongs to it says nothing either.
        assert sequential_test(measure, model, q, order, y_true[order], value=-0.9).pvalue[-1] == 1
        assert not estimate(measure, model, q, order, y_true[order]).withheld


def test_the_two_bounds_that_are_checked_by_simulation():
    assert reason_too_few(99, 50.0).startswith("No interval before 100")
    assert "don't show how far off" in reason_too_few(100, None)


def test_the_range_that_predictions_suggest():
    plain = ValuePredictions([1.0, 3.0])
    assert assumed_range([plain]) == (-5, 9)
    assert assumed_range([ValuePredictions([1.0, 3.0], variance=[0.5, 1.5])]) == (-19, 23)
    assert assumed_range([ValuePredictions([0.0, 100.0], variance=[0.5, 1.5])]) == (-100, 200)
    assert assumed_range([plain, ValuePredictions([0.0, 2.0], variance=[1.0, 1.0])]) == (-9, 12)
    assert assumed_range([ValuePredictions([2.0, 2.0])]) is None
    assert assumed_range([ClassPredictions([[0.5, 0.5]])]) is None


def test_an_assumption_is_held_against_labels():
    def told(labels):
        assumption = Assumption([ValuePredictions(np.zeros(200), variance=np.ones(200))])
        for draw_, y in enumerate(labels):
            assumption.add(draw_, y)
        return assumption.is_refuted, assumption.reason_withheld

    usual = [1.0, -1.0, 2.0] * 40
    assert told(usual) == (False, None)
    assert told([*usual, None, 20.0, -20.0])[0] is False
    assert told([*usual, 20.1])[0]
    assert told([*usual, -20.1])[0]
    # The median of the errors is 1: ten times as much is a heavy tail, until the others catch up.
    assert told([*usual, -10.0]) == (False, None)
    assert "more than 10 times the median one" in told([*usual, -10.1])[1]
    assert told([*usual, 10.1, *[2.0] * 60]) == (False, None)
    assert "before 100 labels" in told(usual[:99])[1]
    assert told(usual[:100])[1] is None


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
    assert f"no label lies outside {bounds[0]:.4g} to {bounds[1]:.4g}" in sequence.reason
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
