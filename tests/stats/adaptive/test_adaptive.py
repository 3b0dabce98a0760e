"""Adaptive draws: exact means by enumeration of all paths, the whole pool, draws, and bad input."""

import itertools
from functools import partial

import numpy as np
import pytest

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    AdaptiveConfidenceSequence,
    BalancedAccuracy,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    FMeasure,
    MacroF,
    MatthewsCorrelation,
    Precision,
    PredictedClasses,
    RankingPredictions,
    Recall,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats.adaptive._streams import Streams, possible_ratios
from activeeval_widgets.stats.adaptive.draw_terms import control_variate, terms_of, with_indicator
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.questions.make import target_of

PROBA = np.array([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
MODEL = ClassPredictions(PROBA)
OTHER = ClassPredictions([[0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])
SURE = ClassPredictions([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
PREDICTED = PredictedClasses([0, 1, 1])
VALUES = ValuePredictions([1.0, 2.0, 4.0], variance=[0.5, 0.1, 2.0])
PLAIN_VALUES = ValuePredictions([1.5, 2.5, 2.0])
RANKINGS = [
    RankingPredictions(lists, [{item: [0.2, 0.5, 0.3] for item in "abc"}] * 3, grades=[0, 1, 2])
    for lists in (["ab", "c", "cab"], ["ba", "cb", "a"])
]
GRADES = [{"a": 2, "b": 0, "c": 1}, {"a": 0, "b": 1, "c": 2}, {"a": 1, "b": 1, "c": 0}]
CLASS_LABELS = [np.array(labels) for labels in itertools.product((0, 1), repeat=3)]
VALUE_LABELS = [np.array([1.0, 5.0, 3.5]), np.array([0.0, 2.0, 4.0])]

PLAIN = [cls.examples()[0] for cls in all_measures("class") if cls.needs_model and cls is not CostMatrix]
RISKS = [*(measure for measure in PLAIN if measure.is_risk), CostMatrix([[0, 1], [5, -1]])]
RATIOS = [*(measure for measure in PLAIN if measure.is_ratio), FMeasure(2.0)]
OTHERS = [measure for measure in PLAIN if not (measure.is_risk or measure.is_ratio)]
CASES = [(measure, MODEL, CLASS_LABELS, None) for measure in RISKS + RATIOS]
CASES += [(measure, [MODEL, OTHER], CLASS_LABELS, None) for measure in RISKS]
CASES += [
    (ErrorRate(), SURE, CLASS_LABELS, None),
    (Recall(), SURE, CLASS_LABELS, None),
    (SquaredError(), VALUES, VALUE_LABELS, (0.0, 6.0)),
    (AbsoluteError(), PLAIN_VALUES, VALUE_LABELS, (0.0, 6.0)),
    (SquaredError(), [VALUES, PLAIN_VALUES], VALUE_LABELS, (0.0, 6.0)),
    (ErrorRate(), PREDICTED, CLASS_LABELS, None),
    (FMeasure(), PREDICTED, CLASS_LABELS, None),
    (ErrorRate(), [PREDICTED, PredictedClasses([0, 0, 1])], CLASS_LABELS, None),
    (DCG(), RANKINGS[0], [GRADES], None),
    (ERR(), RANKINGS, [GRADES], None),
]
MACRO = [
    (measure, models, CLASS_LABELS, None)
    for measure in (BalancedAccuracy(), MacroF())
    for models in (MODEL, [MODEL, OTHER], PREDICTED)
] + [(measure, [MODEL, OTHER], CLASS_LABELS, None) for measure in (FMeasure(), Precision())]
"""Without bets; a share of their draws is by predicted classes, as for ratios."""
DEFENSIVE = (0.3, None)
"""A share of uniform draws that is given, or the rule's."""


def models_of(predictions):
    return predictions if isinstance(predictions, list) else [predictions]


def some(labels, draws):
    return [labels[i] for i in draws]


def true_value(measure, predictions, labels):
    values = [pool_value(measure, model, labels) for model in models_of(predictions)]
    return values[0] if len(values) == 1 else values[0] - values[1]


def kept(known, function, labels, drawn):
    """What follows from labeled draws; it is the same wherever these are labeled alike."""
    key = function, tuple((i, repr(labels[i])) for i in drawn)
    if key not in known:
        known[key] = function(np.array(drawn, dtype=int), some(labels, drawn))
    return known[key]


def paths(q_after, labels, known):
    """All paths of two adaptive draws: (draws, their probabilities, the two distributions)."""
    first = kept(known, q_after, labels, [])
    for i in range(3):
        second = kept(known, q_after, labels, [i])
        for j in range(3):
            if j != i:
                yield [i, j], np.array([first[i], second[j]]), (first, second)


@pytest.mark.parametrize("defensive", DEFENSIVE)
@pytest.mark.parametrize(("measure", "predictions", "all_labels", "y_range"), CASES + MACRO, ids=repr)
def test_terms_have_the_pool_as_their_conditional_mean(measure, predictions, all_labels, y_range, defensive):
    target, known = target_of(measure, models_of(predictions)), {}
    q_after = partial(adaptive_q, measure, predictions, defensive=defensive)
    control = partial(control_variate, target)
    for labels in all_labels:
        z = target.statistics(labels, np.arange(3))
        expected_by_first = {i: kept(known, control, labels, [i]).expected for i in range(3)}
        before = kept(known, control, labels, []).expected
        mean_first = np.zeros(z.shape[1] + 1)
        mean_second = {i: np.zeros(z.shape[1] + 1) for i in range(3)}
        for draws, q_draws, (first, second) in paths(q_after, labels, known):
            rows = with_indicator(z[draws], np.ones(2, dtype=bool))
            mean_first += (
                first[draws[0]]
                * second[draws[1]]
                * terms_of(before, np.array(draws), q_draws, rows).corrected[0]
            )
            term = terms_of(expected_by_first[draws[0]], np.array(draws), q_draws, rows).corrected[1]
            mean_second[draws[0]] += second[draws[1]] * term
        truth = np.append(z.mean(axis=0), 1.0)
        scale = max(1.0, np.abs(z).max())
        assert np.abs(mean_first - truth).max() < 1e-12 * scale
        for mean in mean_second.values():
            assert np.abs(mean - truth).max() < 1e-12 * scale


@pytest.mark.parametrize("defensive", DEFENSIVE)
@pytest.mark.parametrize(("measure", "predictions", "all_labels", "y_range"), CASES, ids=repr)
def test_the_capital_of_bets_is_a_martingale_at_the_truth(
    measure, predictions, all_labels, y_range, defensive
):
    """Over all paths of two draws the mean capital at the true value is 1, and none is negative."""
    q_after, known = partial(adaptive_q, measure, predictions, defensive=defensive), {}
    for labels in all_labels[::3]:
        truth = true_value(measure, predictions, labels)
        if np.isnan(truth):
            continue
        sequence = AdaptiveConfidenceSequence(measure, predictions, confidence_level=0.9, y_range=y_range)
        sequence._band.watch(truth + 0.001 * np.arange(17))
        mean = 0.0
        for draws, q_draws, distributions in paths(q_after, labels, known):
            sequence.restart()
            for draw, q in zip(draws, distributions, strict=True):
                sequence.update(draw, q, labels[draw])
            capital = sequence._band._bets.at_points()
            assert capital.min() >= 0
            mean += q_draws.prod() * capital[0, 0]
        assert mean == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("measure", RISKS, ids=repr)
def test_the_whole_pool_gives_the_exact_value(measure):
    rng = np.random.default_rng(2)
    proba = rng.dirichlet(np.ones(2), 40)
    model, labels = ClassPredictions(proba), rng.integers(2, size=40)
    q = adaptive_q(measure, model)
    draws, q_draws = draw_without_replacement(q, 40, rng)
    result = estimate_adaptive(measure, model, draws, q_draws, labels[draws])
    assert result.value == pytest.approx(pool_value(measure, model, labels), abs=1e-12)
    assert (result.standard_error, result.low, result.high) == (0.0, result.value, result.value)
    sequence = AdaptiveConfidenceSequence(measure, model)
    sequence.extend(draws, q, labels[draws])
    assert (sequence.low, sequence.high) == pytest.approx((result.value, result.value), abs=1e-12)


def test_draws_without_replacement_take_what_is_left():
    q = np.array([0.5, 0.0, 0.3, 0.2])
    counts = np.zeros((4, 4))
    for seed in range(4000):
        draws, probabilities = draw_without_replacement(q, 3, np.random.default_rng(seed))
        assert sorted(draws) == [0, 2, 3]
        left = q.copy()
        for draw, probability in zip(draws, probabilities, strict=True):
            assert probability == pytest.approx(left[draw] / left.sum())
            left[draw] = 0
        counts[draws[0], draws[1]] += 1 / 4000
    expected = np.array([[q[i] * q[j] / (1 - q[i]) if i != j else 0 for j in range(4)] for i in range(4)])
    assert np.abs(counts - expected).max() < 0.03
    again = draw_without_replacement(q, 3, np.random.default_rng(5))
    for one, other in zip(again, draw_without_replacement(q, 3, np.random.default_rng(5)), strict=True):
        assert one.tobytes() == other.tobytes()


class Uniforms(np.random.Generator):
    """A generator of given numbers."""

    def __init__(self, *numbers):
        super().__init__(np.random.PCG64(0))
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def test_each_draw_is_where_its_number_is_in_what_is_left():
    q = np.array([0.25, 0.0, 0.5, 0.25])
    for numbers, expected in [
        ((0.0, 0.0, 0.0), [0, 2, 3]),
        # A number on a border belongs to the instance above it.
        ((0.25, 0.5, 0.0), [2, 3, 0]),
        ((0.74, 0.49, 0.99), [2, 0, 3]),
        ((0.75, 0.34, 0.99), [3, 2, 0]),
        ((0.99, 0.32, 0.5), [3, 0, 2]),
        # A product may be rounded up to the sum of what is left.
        ((1.0, 1.0, 1.0), [3, 2, 0]),
    ]:
        draws, probabilities = draw_without_replacement(q, 3, Uniforms(*numbers))
        assert draws.tolist() == expected
        left = 1 - np.cumsum([0, *q[expected[:-1]]])
        assert probabilities.tolist() == (q[expected] / left).tolist()
    assert draw_without_replacement(q, 0, Uniforms())[0].size == 0
    with pytest.raises(ValueError, match="n_draws is 4, but only 3 instances have q > 0"):
        draw_without_replacement(q, 4, Uniforms())


def test_streams_are_the_terms_of_the_estimator():
    """What comes one by one is what comes at once, given the same expectations."""
    target = target_of(FMeasure(), [MODEL])
    labels = np.array([0, 1, 1])
    streams, draws = Streams(target), [2, 0, 1]
    q = np.full(3, 1 / 3)
    rows = with_indicator(target.statistics(labels[draws], np.array(draws)), np.ones(3, dtype=bool))
    before = control_variate(target, np.zeros(0, dtype=int), []).expected
    at_once = terms_of(before, np.array(draws), np.array([1 / 3, 1 / 2, 1]), rows).corrected
    for draw, row, term in zip(draws, rows, at_once, strict=True):
        streams.prepare(q)
        assert streams.terms(draw, row)[1] == pytest.approx(term, abs=1e-14)
        streams.add(draw, row, labels[draw])


def test_possible_risks_may_be_negative():
    outcomes = np.array([[[-1.0, 1.0], [-0.5, 1.0]]])
    assert possible_ratios(np.array([-3.0, 3.0]), np.array([1]), outcomes) == pytest.approx((-1, -0.875))


def test_a_measure_that_is_never_defined_keeps_its_range():
    model = ClassPredictions([[0.9, 0.1]] * 3)
    sequence = AdaptiveConfidenceSequence(Precision(), model)
    for draw in range(3):
        assert sequence.update(draw, np.full(3, 1 / 3), 1) == (0.0, 1.0)
    assert np.isnan(estimate_adaptive(Precision(), model, [0, 1], [1 / 3, 1 / 2], [1, 0]).value)


def test_possible_ratios_are_those_of_all_labels():
    rng = np.random.default_rng(0)
    outcomes = np.array([[[0, 0.5], [1, 1]], [[0, 0], [0, 0.5]]])
    for _ in range(30):
        known, counts = np.array([rng.integers(3), 3.0]), rng.integers(0, 4, 2)
        found = []
        for tp in range(counts[0] + 1):
            for fn in range(counts[1] + 1):
                num = known[0] + tp
                found.append(num / (known[1] + tp + 0.5 * (counts[0] - tp) + 0.5 * fn))
        assert possible_ratios(known, counts, outcomes) == pytest.approx((min(found), max(found)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0], [0.5, 0.5], [0, 0]), "draws holds 0 more than once"),
        (([0, 3], [0.5, 0.5], [0, 0]), r"draws\[1\] is 3, expected an index from 0 to 2"),
        (([0, 1], [0.5], [0, 0]), "q_draws has 1 entries, expected one for each of 2 draws"),
        (([0, 1], [0.5, 0.0], [0, 0]), r"q_draws\[1\] is 0.0, expected a probability above 0"),
        (([0, 1], [0.5, 0.5], [0]), "y_true must hold one label for each of 2 draws, got 1"),
        (([0, 1], [0.5, 0.5], [0, 7]), r"y_true\[1\] is 7, expected one of the classes"),
    ],
)
def test_bad_draws_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        estimate_adaptive(ErrorRate(), MODEL, *arguments)


def test_a_sequence_refuses_what_can_not_be_and_stays_as_it_was():
    sequence = AdaptiveConfidenceSequence(ErrorRate(), MODEL)
    sequence.update(0, np.full(3, 1 / 3), 0)
    state = sequence.low, sequence.high, sequence.n_draws
    for draw, q, label, message in [
        (0, np.full(3, 1 / 3), 0, "draw is 0, which was drawn before"),
        (5, np.full(3, 1 / 3), 0, "draw is 5, expected an index from 0 to 2"),
        (1, np.array([0.0, 1.0, 0.0]), 0, r"q\[2\] is 0, but it was not drawn yet"),
        (1, np.full(3, 1 / 3), 9, "expected one of the classes"),
        (1, np.full(2, 1 / 2), 0, "q has 2 entries"),
    ]:
        with pytest.raises(ValueError, match=message):
            sequence.update(draw, q, label)
        assert (sequence.low, sequence.high, sequence.n_draws) == state


EVERY = [
    *[(measure, MODEL, CLASS_LABELS[3], None) for measure in RISKS + RATIOS + OTHERS],
    (MatthewsCorrelation(), [MODEL, OTHER], CLASS_LABELS[3], None),
    *CASES[12:],
]


@pytest.mark.parametrize(("measure", "predictions", "all_labels", "y_range"), EVERY, ids=repr)
def test_an_excluded_instance_leaves_the_measure_of_the_others(measure, predictions, all_labels, y_range):
    labels = all_labels[0] if isinstance(all_labels, list) else all_labels
    sequence = AdaptiveConfidenceSequence(measure, predictions, y_range=y_range)
    draws, q_draws, given = [2, 0, 1], [1 / 3, 1 / 2, 1], [labels[2], None, labels[1]]
    for draw, label in zip(draws, given, strict=True):
        low, high = sequence.update(draw, np.full(3, 1 / 3), label)
    result = estimate_adaptive(measure, predictions, draws, q_draws, given)
    target = target_of(measure, models_of(predictions))
    with np.errstate(invalid="ignore"):
        truth = float(target.g(target.statistics(some(labels, [2, 1]), np.array([2, 1])).mean(axis=0)))
    assert result.value == pytest.approx(truth, nan_ok=True)
    assert (result.n_draws, result.n_labels) == (2, 2)
    if not np.isnan(truth):
        assert low == pytest.approx(truth, abs=1e-9)
        assert high == pytest.approx(truth, abs=1e-9)
    nothing = estimate_adaptive(measure, predictions, [], [], [])
    assert np.isnan(nothing.value)
    none_labeled = estimate_adaptive(measure, predictions, [0], [0.2], [None])
    assert none_labeled.n_labels == 0
    several = estimate_adaptive(measure, predictions, draws, q_draws, given, at=[0, 1, 3])
    assert several[2] == result or np.isnan(truth)


@pytest.mark.parametrize("measure", [ErrorRate(), MatthewsCorrelation()], ids=repr)
def test_a_copy_goes_on_by_itself_and_a_restart_forgets(measure):
    rng = np.random.default_rng(3)
    model, labels = ClassPredictions(rng.dirichlet(np.ones(2), 150)), rng.integers(2, size=150)
    q = np.full(150, 1 / 150)
    sequence = AdaptiveConfidenceSequence(measure, model)
    first = sequence.extend(np.arange(110), q, labels[:110])
    copied = sequence.copy()
    after = sequence.extend(np.arange(110, 130), q, labels[110:130])
    assert (copied.n_draws, copied.low, copied.high) == (110, first[0][-1], first[1][-1])
    assert np.array_equal(copied.extend(np.arange(110, 130), q, labels[110:130]), after)
    assert np.array_equal(sequence.restart().extend(np.arange(110), q, labels[:110]), first)
    assert first[1][-1] - first[0][-1] < 2
