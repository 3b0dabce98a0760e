"""Draws where two models can differ: elsewhere their difference is 0, whatever the label is."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    DCG,
    Accuracy,
    AdaptiveConfidenceSequence,
    BrierScore,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    FMeasure,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw_without_replacement,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE
from activeeval_widgets.stats.adaptive.estimator import check_drawn
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.drawing.optimal import influence
from activeeval_widgets.stats.questions.make import target_of

FIRST = ClassPredictions([[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8], [0.4, 0.6]])
SECOND = ClassPredictions([[0.8, 0.2], [0.3, 0.7], [0.9, 0.1], [0.6, 0.4], [0.7, 0.3]])
DIFFER = np.array([False, True, False, True, True])
TWO = [FIRST, SECOND]
ALIKE = DRAW_RULE.alike_share
EVERYWHERE = replace(DRAW_RULE, alike_share=None)
"""Draws for two models that are made as those for one."""


def pair(rng, m=200, n_differing=60, odds=0.5):
    """Two models that differ in a part; the labels, with the odds of the first being right there."""
    p = rng.uniform(0.55, 0.95, m)
    first, second = np.column_stack([p, 1 - p]), np.column_stack([p, 1 - p])
    where = rng.choice(m, n_differing, replace=False)
    second[where] = second[where][:, ::-1]
    labels = (rng.random(m) < 0.2).astype(int)
    labels[where] = rng.random(n_differing) >= odds
    return [ClassPredictions(first), ClassPredictions(second)], labels, np.sort(where)


# -- where they can differ


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (ErrorRate(), DIFFER),
        (Accuracy(), DIFFER),
        (CostMatrix([[0, 1], [5, 0]]), DIFFER),
        (BrierScore(), np.ones(5, dtype=bool)),
        # What both take for positive and is not makes both denominators larger, by different shares.
        (FMeasure(), np.ones(5, dtype=bool)),
    ],
    ids=repr,
)
def test_each_measure_knows_where_a_label_can_tell(measure, expected):
    assert measure.can_differ(FIRST, SECOND).tolist() == expected.tolist()


def test_equal_values_and_equal_lists_can_not_differ():
    one, other = ValuePredictions([1.0, 2.0, 3.0], [1, 1, 1]), ValuePredictions([1.0, 2.5, 3.0], [2, 1, 1])
    assert SquaredError().can_differ(one, other).tolist() == [False, True, False]
    known = [{"a": [0.5, 0.5], "b": [0.2, 0.8], "c": [0.9, 0.1]}] * 2
    ranked = RankingPredictions([["a", "b", "c"], ["a", "b", "c"]], known, [0, 1])
    again = RankingPredictions([["a", "b", "c"], ["a", "c", "b"]], known, [0, 1])
    assert DCG().can_differ(ranked, again).tolist() == [False, True]
    assert DCG(cutoff=1).can_differ(ranked, again).tolist() == [False, False]


# -- draws


def test_where_nothing_is_known_there_is_no_part_to_draw_from():
    first = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    second = ClassPredictions([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]])
    assert target_of(ErrorRate(), [first, second]).differs_at().tolist() == [False, True, False]
    for measure, models in ((ErrorRate(), [first, first]), (FMeasure(), [first, second])):
        assert target_of(measure, models).differs_at() is None


def test_nearly_all_draws_are_made_there_from_the_first_on():
    q = adaptive_q(ErrorRate(), TWO)
    # One of two classes is wrong wherever they differ, so nearly all there is equally informative.
    assert q[DIFFER].sum() == pytest.approx(1 - ALIKE + 3 * ALIKE / 5)
    assert q[DIFFER] == pytest.approx((1 - ALIKE) / 3 + ALIKE / 5, rel=1e-3)
    assert q[~DIFFER] == pytest.approx(ALIKE / 5)
    later = adaptive_q(ErrorRate(), TWO, [1], [0])
    assert later[~DIFFER] == pytest.approx(ALIKE / 4)
    assert later[1] == 0
    assert later.sum() == pytest.approx(1)
    # With a single instance left there, all but the tenth is its own.
    assert adaptive_q(ErrorRate(), TWO, [1, 3], [0, 0])[4] == pytest.approx(1 - ALIKE + ALIKE / 3)
    # Where nothing is left that can tell them apart, all else is drawn evenly.
    assert adaptive_q(ErrorRate(), TWO, [1, 3, 4], [0, 0, 1]) == pytest.approx(np.where(DIFFER, 0, 0.5))
    assert adaptive_q(ErrorRate(), [FIRST, FIRST]) == pytest.approx(0.2)


@pytest.mark.parametrize(("options", "share"), [({"rule": EVERYWHERE}, 0.5), ({"defensive": 0.4}, 0.4)])
def test_by_a_rule_without_such_a_share_and_by_a_given_one_draws_are_made_everywhere(options, share):
    target = target_of(ErrorRate(), TWO)
    belief = recalibrate(ErrorRate(), TWO, np.zeros(0, dtype=int), [])
    informed = influence(target, belief, "self_normalized")
    expected = (1 - share) * informed / informed.sum() + share / 5
    assert adaptive_q(ErrorRate(), TWO, **options) == pytest.approx(expected)


def test_the_unit_of_a_loss_does_not_matter():
    costs = np.array([[0, 1], [7, 0]])
    found = adaptive_q(CostMatrix(costs), TWO)
    assert np.ptp(found[DIFFER]) > 0.02
    for unit in (1e-6, 1e6):
        assert adaptive_q(CostMatrix(unit * costs), TWO) == pytest.approx(found, rel=1e-9)


def test_where_the_models_are_certain_draws_are_even_where_they_differ():
    certain = [{"a": [0, 1], "b": [1, 0]}] * 3
    first = RankingPredictions([["a", "b"], ["b", "a"], ["a", "b"]], certain, [0, 1])
    second = RankingPredictions([["b", "a"], ["b", "a"], ["b", "a"]], certain, [0, 1])
    expected = np.array([1, 0, 1]) * (1 - ALIKE) / 2 + ALIKE / 3
    assert adaptive_q(DCG(), [first, second]) == pytest.approx(expected)


def test_of_more_models_draws_are_made_everywhere():
    """They tell of each model by itself, too."""
    third = ClassPredictions([[0.1, 0.9], *SECOND.y_proba[1:]])
    for drawn, labels, pairs in (([], [], None), ([1, 4], [0, 1], None), ([1, 4], [0, 1], [(1, 2)])):
        one, other = (
            adaptive_q(ErrorRate(), [*TWO, third], drawn, labels, pairs=pairs, rule=rule)
            for rule in (EVERYWHERE, DRAW_RULE)
        )
        assert np.array_equal(one, other)


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), BrierScore()], ids=repr)
def test_draws_for_one_model_know_nothing_of_it(measure):
    rng = np.random.default_rng(0)
    model = ClassPredictions(rng.dirichlet([1, 1], 80))
    draws, labels = rng.permutation(80)[:30], rng.integers(0, 2, 30)
    for n in (0, 1, 30):
        one, other = (
            adaptive_q(measure, model, draws[:n], labels[:n], rule=rule) for rule in (EVERYWHERE, DRAW_RULE)
        )
        assert np.array_equal(one, other)


def test_where_models_can_differ_everywhere_draws_are_as_for_one():
    draws, labels = [3, 1], [0, 1]
    for measure in (FMeasure(), BrierScore()):
        one, other = (adaptive_q(measure, TWO, draws, labels, rule=rule) for rule in (EVERYWHERE, DRAW_RULE))
        assert one == pytest.approx(other, rel=1e-12)


def test_no_probability_is_below_what_is_promised():
    """Without `least_q` an estimate's interval rests on it."""
    rng = np.random.default_rng(3)
    models, labels, _ = pair(rng)
    draws, probabilities, least = [], [], []
    while len(draws) < 96:
        q = adaptive_q(ErrorRate(), models, draws, labels[draws])
        new, of_new = draw_without_replacement(q, 12, rng)
        for draw, probability in zip(new.tolist(), of_new, strict=True):
            least.append(q[q > 0].min() / q.sum())
            q[draw] = 0
            draws.append(draw)
            probabilities.append(probability)
    target = target_of(ErrorRate(), models)
    promised = check_drawn(target, draws, probabilities, labels[draws], rule=DRAW_RULE).least_q
    assert (promised <= np.array(least) + 1e-12).all()
    of_one = check_drawn(target, draws, probabilities, labels[draws], rule=EVERYWHERE).least_q
    assert not (of_one <= np.array(least) + 1e-12).all()


# -- calibration


@pytest.mark.slow
def test_no_difference_is_found_where_there_is_none():
    """Exactly tied models, watched at each label: at most what the level allows."""
    n_wrong, n_sessions = 0, 40
    for seed in range(n_sessions):
        rng = np.random.default_rng(seed)
        models, labels, where = pair(rng)
        labels[where] = models[0].pred_codes[where] ^ rng.permutation(np.arange(where.size) % 2)
        sequence = AdaptiveConfidenceSequence(ErrorRate(), models, confidence_level=0.5)
        # Candidates around 0 alone.
        sequence._band.watch(1e-9 * np.linspace(-1, 1, 17))
        draws = []
        while len(draws) < 24:
            q = adaptive_q(ErrorRate(), models, draws, labels[draws])
            new = draw_without_replacement(q, 8, rng)[0]
            sequence.extend(new, q, labels[new])
            draws += new.tolist()
        n_wrong += sequence._band.evidence >= 2
    assert n_wrong <= binom.isf(1e-2, n_sessions, 0.5)


@pytest.mark.slow
def test_a_difference_is_found_sooner_than_by_draws_everywhere():
    needed = {}
    for rule in (EVERYWHERE, DRAW_RULE):
        needed[rule] = []
        for seed in range(12):
            rng = np.random.default_rng(seed)
            models, labels, _ = pair(rng, 600, 90, odds=0.75)
            sequence = AdaptiveConfidenceSequence(ErrorRate(), models, rule=rule)
            draws = []
            while sequence.low <= 0 <= sequence.high:
                q = adaptive_q(ErrorRate(), models, draws, labels[draws], rule=rule)
                for i in draw_without_replacement(q, 8, rng)[0].tolist():
                    sequence.update(i, q, labels[i])
                    draws.append(i)
            needed[rule].append(len(draws))
    assert np.median(needed[DRAW_RULE]) < 0.75 * np.median(needed[EVERYWHERE])


def test_bets_on_0_keep_the_bounds_of_its_block_once_that_is_excluded():
    m = 24
    sure = np.linspace(0.55, 0.95, m)
    models = [ClassPredictions(np.column_stack(each)) for each in ([1 - sure, sure], [sure, 1 - sure])]
    sequence, q = AdaptiveConfidenceSequence(ErrorRate(), models, confidence_level=0.2), np.full(m, 1 / m)
    band, streams, n_compared = sequence._band, sequence._streams, 0
    for draw in range(m - 2):
        sequence.prepare(q)
        bets = band._bets_on_zero
        rows = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
        terms = [band._parts(np.stack(streams.terms(x, row))) for x in range(draw, m) for row in rows]
        weight = streams.weight
        sequence.update(draw, q, 1)
        if bets is not None:
            ends = bets.points[0, [0, -1]]
            for stream in range(2):
                z = [weight * (each[stream][0] - g * each[stream][1]) for each in terms for g in ends]
                found = bets._lower[stream, 0], bets._upper[stream, 0]
                assert found == pytest.approx((min(z), max(z)), abs=1e-9)
            n_compared += 1
    assert n_compared > 5
