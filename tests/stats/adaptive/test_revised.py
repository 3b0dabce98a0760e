"""Predictions that change between draws: over all orders, whatever rule says when and for what."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    LabelShare,
    MeanValue,
    ValuePredictions,
    adaptive_q,
    estimate_adaptive,
)
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.adaptive.draw_terms import control_variate, terms_of, with_indicator
from activeeval_widgets.stats.adaptive.revised import Earlier, Stage, stages_of
from activeeval_widgets.stats.questions.make import target_of

M, LEVEL = 5, 0.6
TRUE = np.array([1, 0, 1, 1, 0])
MEASURE = LabelShare(1)


def votes(known):
    """Votes on some instances; they are right on instance 0 and 4 only."""
    cast = [1, 1, 0, 0, 0]
    return ClassPredictions.from_votes([[cast[i]] if i in known else [None] for i in range(M)], [0, 1])


FIRST = votes([0, 1])


def bought(drawn):
    """What somebody buys after two draws: more if the labels were 1, beside a copy of the labels."""
    seen = [i for i in drawn if TRUE[i]]
    left = [i for i in range(M) if i not in drawn]
    copied = [[int(TRUE[i])] if i in drawn else [None] for i in range(M)]
    for i in left[: 1 + len(seen)]:
        copied[i] = [int(len(seen) > 1)]
    return ClassPredictions.from_votes(copied, [0, 1])


@cache
def law(before):
    """Predictions and q after some draws: a block of two from the first q, then q is new for each."""
    predictions = bought(before) if len(before) == 2 else FIRST if not before else law(before[:2])[0]
    return predictions, adaptive_q(MEASURE, predictions, before, TRUE[[*before]])


def laws(order):
    """Yield predictions, q and the probability of each draw of an order; votes change after the second."""
    for n, draw in enumerate(order):
        predictions, q = law(() if n < 2 else order[:n])
        rest = np.setdiff1d(np.arange(M), order[:n])
        yield predictions, q, q[draw] / q[rest].sum()


def test_the_mean_of_every_term_is_the_pools_value():
    total, means = 0.0, np.zeros((M, 2))
    for order in permutations(range(M)):
        streams, chance = Streams(target_of(MEASURE, [FIRST])), 1.0
        terms = []
        for draw, (predictions, q, probability) in zip(order, laws(order), strict=True):
            if predictions is not FIRST and len(terms) == 2:
                streams.revise(target_of(MEASURE, [predictions]))
            streams.prepare(q)
            row = np.array([TRUE[draw], 1.0])
            terms.append([each[0] for each in streams.terms(draw, row)])
            streams.add(draw, row, int(TRUE[draw]))
            chance *= probability
        total += chance
        means += chance * np.array(terms)
    assert total == pytest.approx(1, abs=1e-12)
    assert means == pytest.approx(np.full((M, 2), TRUE.mean()), abs=1e-12)


def test_the_interval_leaves_the_truth_out_as_rarely_as_it_says():
    sequence = AdaptiveConfidenceSequence(MEASURE, FIRST, confidence_level=LEVEL)
    missed = narrower = 0.0
    for order in permutations(range(M)):
        chance, is_missed, known = 1.0, False, FIRST
        sequence.restart()
        for n, (draw, (predictions, q, probability)) in enumerate(zip(order, laws(order), strict=True)):
            if n == 2:
                known = predictions
                sequence.revise(known)
            sequence.update(draw, q, int(TRUE[draw]))
            is_missed |= not sequence.low <= TRUE.mean() <= sequence.high
            chance *= probability
            narrower += chance * (sequence.high - sequence.low < 1) / M
        missed += chance * is_missed
    assert 0 <= missed <= 1 - LEVEL
    assert narrower > 0.1


def test_a_sequence_is_the_same_until_its_predictions_change_and_after_a_restart():
    q, later = np.full(M, 1 / M), votes([0, 1, 4])
    plain, changed = (AdaptiveConfidenceSequence(MEASURE, FIRST, confidence_level=LEVEL) for _ in range(2))
    assert changed.update(1, q, 0) == plain.update(1, q, 0)
    before = changed.copy()
    changed.revise(later)
    assert (changed.low, changed.high) == (plain.low, plain.high)
    for draw in (2, 0):
        assert before.update(draw, q, int(TRUE[draw])) == plain.update(draw, q, int(TRUE[draw]))
        changed.update(draw, q, int(TRUE[draw]))
    assert changed.wealth.won.tolist() != plain.wealth.won.tolist()
    changed.restart()
    for draw in (1, 2, 0):
        changed.update(draw, q, int(TRUE[draw]))
    assert changed.wealth.won.tolist() == plain.wealth.won.tolist()


def test_each_draw_is_corrected_by_the_votes_of_its_time():
    m = 30
    rng = np.random.default_rng(2)
    true = (rng.random(m) < 0.6).astype(int)
    cast = np.where(rng.random(m) < 0.8, true, 1 - true)
    some, more = (
        ClassPredictions.from_votes([[int(cast[i])] if i < n else [None] for i in range(m)], [0, 1])
        for n in (10, 25)
    )
    draws = rng.permutation(m)[:12]
    q = np.round(rng.uniform(0.02, 0.06, 12), 3)
    y = true[draws]
    found = estimate_adaptive(MEASURE, more, draws, q, y, earlier=[(5, some)])
    terms = []
    for model in (some, more):
        target = target_of(MEASURE, [model])
        control = control_variate(target, draws, y)
        rows = with_indicator(y[:, np.newaxis].astype(float), np.ones(12, dtype=bool))
        terms.append(terms_of(control.expected, draws, q, rows).corrected[:, 0])
    of_each = np.r_[terms[0][:5], terms[1][5:]]
    # A weighted mean of these terms: between the extreme ones, and theirs if all terms were the same.
    assert of_each.min() <= found.value <= of_each.max()
    plain = estimate_adaptive(MEASURE, more, draws, q, y)
    alone = estimate_adaptive(MEASURE, some, draws, q, y)
    assert len({round(each.value, 9) for each in (found, plain, alone)}) == 3
    for n, same in ((0, plain), (12, alone)):
        other = estimate_adaptive(MEASURE, more, draws, q, y, earlier=[(n, some)])
        assert (other.value, other.standard_error) == (same.value, same.standard_error)
    again = estimate_adaptive(MEASURE, more, draws, q, y, earlier=[(5, some), (5, some)])
    assert (again.value, again.low) == (found.value, found.low)


def test_only_a_measure_of_the_labels_goes_on():
    sequence = AdaptiveConfidenceSequence(ErrorRate(), FIRST)
    with pytest.raises(ValueError, match=r"measure is 'error rate', whose value depends on the predictions"):
        sequence.revise(votes([2]))
    values = [ValuePredictions([mean] * M) for mean in (1.0, 2.0)]
    with pytest.raises(ValueError, match=r"measure is 'mean label', whose value depends"):
        AdaptiveConfidenceSequence(MeanValue(), values[0], y_range=(0, 3)).revise(values[1])
    sequence = AdaptiveConfidenceSequence(MEASURE, FIRST)
    with pytest.raises(ValueError, match=r"expected those of the same classes"):
        sequence.revise(ClassPredictions.from_votes([["a"], ["b"], ["a"], ["b"], ["a"]]))
    with pytest.raises(ValueError, match=r"expected the same instances"):
        sequence.revise(ClassPredictions.from_votes([[0], [1]], [0, 1]))
    with pytest.raises(ValueError, match=r"votes for votes"):
        sequence.revise(ClassPredictions([[0.5, 0.5]] * M))


def test_before_the_first_draw_the_present_predictions_are_the_only_stage():
    present = target_of(MEASURE, [bought((0, 1))])
    assert stages_of(present, [Earlier(0, FIRST)], 0) == [Stage(present, 0, 0)]
    stages = stages_of(present, [Earlier(0, FIRST), Earlier(2, FIRST)], 3)
    assert [(each.first, each.end) for each in stages] == [(0, 2), (2, 3)]
    assert stages[-1].target is present
