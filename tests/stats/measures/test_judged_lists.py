"""Measures of rankings against all that was judged: ir-measures, the enumeration of joint grades, bounds."""

import itertools
import shutil
from math import log2

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.stats import (
    NDCG,
    MeanAveragePrecision,
    PrecisionAt,
    RankingPredictions,
    RecallAt,
    ReciprocalRank,
    confidence_sequence,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures import _list_moments
from activeeval_widgets.stats.measures.base import Term

GRADES = [0.0, 2.0, 1.0]


def gain_of(grades, cutoff, gain):
    return sum(gain(y) / log2(i + 2) for i, y in enumerate(grades[:cutoff]))


def ndcg(listed, judged, cutoff=None, gain=float):
    best = gain_of(sorted(judged, reverse=True), cutoff, gain)
    return gain_of(listed, cutoff, gain) / best if best else 0.0


def reciprocal_rank(listed, judged, cutoff=None, least=1):
    return next((1 / i for i, y in enumerate(listed[:cutoff], 1) if y >= least), 0.0)


def precision(listed, judged, k, least=1):
    return sum(y >= least for y in listed[:k]) / k


def recall(listed, judged, k, least=1):
    relevant = sum(y >= least for y in judged)
    return sum(y >= least for y in listed[:k]) / relevant if relevant else 0.0


def average_precision(listed, judged, cutoff=None, least=1):
    relevant = sum(y >= least for y in judged)
    found = [precision(listed, judged, i, least) for i, y in enumerate(listed[:cutoff], 1) if y >= least]
    return sum(found) / relevant if relevant else 0.0


BY_HAND = {
    "nDCG": (NDCG(), ndcg),
    "nDCG@2": (NDCG(2), lambda listed, judged: ndcg(listed, judged, 2)),
    "nDCG@3, 2^y − 1": (NDCG(3, gain="exponential"), lambda a, b: ndcg(a, b, 3, lambda y: 2**y - 1)),
    "RR": (ReciprocalRank(), reciprocal_rank),
    "RR@2 from 2": (ReciprocalRank(2, relevant_from=2), lambda a, b: reciprocal_rank(a, b, 2, 2)),
    "P@3": (PrecisionAt(3), lambda listed, judged: precision(listed, judged, 3)),
    "R@2": (RecallAt(2), lambda listed, judged: recall(listed, judged, 2)),
    "R@3 from 2": (RecallAt(3, relevant_from=2), lambda a, b: recall(a, b, 3, 2)),
    "AP": (MeanAveragePrecision(), average_precision),
    "AP@3": (MeanAveragePrecision(3), lambda listed, judged: average_precision(listed, judged, 3)),
}
by_hand = pytest.mark.parametrize("name", BY_HAND)


def rankers(rng, n_models, n_items=5, n_queries=4):
    """Rankings of some of the items that are known: empty ones and partly the same; some grades certain."""
    known, rankings = [], [[] for _ in range(n_models)]
    for query in range(n_queries):
        items = [f"d{query}{k}" for k in range(n_items)]
        proba = rng.dirichlet([1, 1, 1], n_items)
        proba[rng.random(n_items) < 0.2] = np.eye(3)[rng.integers(3)]
        known.append(dict(zip(items, proba, strict=True)))
        for ranking in rankings:
            ranking.append(list(rng.permutation(items))[: rng.integers(query > 0, n_items + 1)])
    return [RankingPredictions(ranking, known, GRADES) for ranking in rankings]


@by_hand
@pytest.mark.parametrize("directions", [(1.0,), (1.0, -1.0), (0.5, 2.0)])
def test_moments_equal_the_enumeration_of_joint_grades(name, directions):
    measure, value = BY_HAND[name]
    models = rankers(np.random.default_rng(len(name)), len(directions))
    terms = [Term(model, np.array([a])) for model, a in zip(models, directions, strict=True)]
    relevance = models[0].relevance
    found = measure.moments(terms, relevance, 0.2)
    for query, known in enumerate(relevance.rows):
        first = second = 0.0
        for codes in itertools.product(range(3), repeat=len(known)):
            chance = relevance.proba[[*known.values()], codes].prod()
            grade = {item: GRADES[code] for item, code in zip(known, codes, strict=True)}
            score = -0.2 + sum(
                a * value([grade[item] for item in model.rankings[query]], list(grade.values()))
                for model, a in zip(models, directions, strict=True)
            )
            first, second = first + chance * score, second + chance * score**2
        assert found.first[query] == pytest.approx(first, abs=1e-10)
        assert found.second[query] == pytest.approx(second, abs=1e-10)


@by_hand
def test_a_sample_of_joint_grades_is_near_to_all(name, monkeypatch):
    """What stands for them where there are too many: a tenth of a standard deviation, q by some percent."""
    measure, _ = BY_HAND[name]
    models = rankers(np.random.default_rng(1), 2, n_items=6, n_queries=40)
    terms = [Term(models[0], np.ones(1)), Term(models[1], -np.ones(1))]
    exact = measure.moments(terms, models[0].relevance, 0.0)
    models[0].relevance.kept.clear()
    monkeypatch.setattr(_list_moments, "MAX_STATES", 0)
    sampled = measure.moments(terms, models[0].relevance, 0.0)
    spread = np.sqrt(exact.second - exact.first**2)
    assert (np.abs(sampled.first - exact.first) <= 0.3 * spread + 1e-12).all()
    assert np.sqrt(np.mean((sampled.first - exact.first) ** 2)) < 0.1 * np.sqrt(np.mean(spread**2)) + 1e-12
    # Efficiency of q: E[ψ²/q] over its least value, by Cauchy's inequality at least 1.
    used, best = np.sqrt(sampled.second), np.sqrt(exact.second)
    inside = best > 0
    assert (used[inside] > 0).all()
    loss = (best[inside] ** 2 / used[inside]).sum() * used.sum() / best.sum() ** 2
    assert 1 - 1e-12 <= loss < 1.02


@by_hand
def test_the_moments_of_one_list_and_of_two_agree(name):
    """A ranker's difference from itself is 0, and that from an empty list its own value."""
    measure, _ = BY_HAND[name]
    [model] = rankers(np.random.default_rng(2), 1, n_items=7)
    proba = model.relevance.proba
    known = [{item: proba[row] for item, row in rows.items()} for rows in model.relevance.rows]
    nothing = RankingPredictions([[]] * 4, known, GRADES)
    alone = measure.moments([Term(model, np.ones(1))], model.relevance, 0.0)
    beside = measure.moments([Term(model, np.ones(1)), Term(nothing, -np.ones(1))], model.relevance, 0.0)
    itself = measure.moments([Term(model, np.ones(1)), Term(model, -np.ones(1))], model.relevance, 0.0)
    np.testing.assert_allclose(alone.first, beside.first, atol=1e-12)
    np.testing.assert_allclose(alone.second, beside.second, atol=1e-9)
    np.testing.assert_allclose(itself.second, 0, atol=1e-12)


@pytest.mark.parametrize("cutoff", [1, 3, 20])
def test_fully_judged_queries_have_the_values_of_ir_measures(cutoff):
    """trec_eval's, by way of ir-measures, each query's alone; half of what is judged is not listed."""
    ir_measures = pytest.importorskip("ir_measures")
    rng = np.random.default_rng(cutoff)
    n_queries, n_items = 12, 9
    grades = rng.integers(0, 4, (n_queries, n_items)) * (rng.random((n_queries, n_items)) < 0.5)
    grades[0] = 0
    rankings = [[f"d{k}" for k in rng.permutation(n_items)][: 1 + q % n_items] for q in range(n_queries)]
    labels = [{f"d{k}": int(grades[q, k]) for k in range(n_items)} for q in range(n_queries)]
    known = [{f"d{k}": np.full(4, 0.25) for k in range(n_items)}] * n_queries
    model = RankingPredictions(rankings, known, grades=range(4))
    qrels = {str(q): labels[q] for q in range(n_queries)}
    run = {str(q): {item: float(n_items - i) for i, item in enumerate(rankings[q])} for q in range(n_queries)}
    i = ir_measures
    same = {
        i.nDCG @ cutoff: NDCG(cutoff),
        i.nDCG: NDCG(),
        i.RR @ cutoff: ReciprocalRank(cutoff),
        i.RR(rel=2): ReciprocalRank(relevant_from=2),
        i.P @ cutoff: PrecisionAt(cutoff),
        i.P(rel=2) @ cutoff: PrecisionAt(cutoff, relevant_from=2),
        i.R @ cutoff: RecallAt(cutoff),
        i.R(rel=3) @ cutoff: RecallAt(cutoff, relevant_from=3),
        i.AP: MeanAveragePrecision(),
        i.AP(rel=2) @ cutoff: MeanAveragePrecision(cutoff, relevant_from=2),
    }
    found = {(r.measure, int(r.query_id)): r.value for r in i.iter_calc(same, qrels, run)}
    for theirs, ours in same.items():
        values = ours.statistics(model, labels, np.arange(n_queries))[:, 0]
        np.testing.assert_allclose(values, [found[theirs, q] for q in range(n_queries)], rtol=0, atol=1e-12)
        assert pool_value(ours, model, labels) == pytest.approx(values.mean(), abs=1e-15)


@pytest.mark.parametrize("cutoff", [2, 20])
def test_the_other_gain_is_that_of_gdeval(cutoff):
    """To the five decimals that it prints."""
    ir_measures = pytest.importorskip("ir_measures")
    if shutil.which("perl") is None:
        pytest.skip("ir-measures runs gdeval, which needs perl")
    rng = np.random.default_rng(3)
    labels = [{f"d{k}": int(grade) for k, grade in enumerate(rng.integers(0, 5, 8))} for _ in range(5)]
    rankings = [[f"d{k}" for k in rng.permutation(8)] for _ in range(5)]
    model = RankingPredictions(rankings, [np.full((8, 5), 0.2)] * 5, grades=range(5))
    run = {str(q): {item: -float(i) for i, item in enumerate(rankings[q])} for q in range(5)}
    qrels = {str(q): label for q, label in enumerate(labels)}
    measure = ir_measures.nDCG(dcg="exp-log2") @ cutoff
    found = {int(r.query_id): r.value for r in ir_measures.iter_calc([measure], qrels, run)}
    values = NDCG(cutoff, gain="exponential").statistics(model, labels, np.arange(5))[:, 0]
    np.testing.assert_allclose(values, [found[q] for q in range(5)], rtol=0, atol=6e-6)


def test_labels_may_grade_what_is_not_listed_or_nothing_beyond_the_cutoff():
    model = RankingPredictions([["a", "b", "c"]], [{k: [0.3, 0.3, 0.4] for k in "abcd"}], GRADES)
    assert pool_value(RecallAt(1), model, [{"a": 1}]) == 1
    assert pool_value(RecallAt(1), model, [{"a": 1, "d": 2, "never heard of": 1}]) == pytest.approx(1 / 3)
    assert pool_value(RecallAt(1), model, [[1, 0, 2]]) == 0.5
    with pytest.raises(ValueError, match=r"y_true\[0\] has no grade for the item 'b'"):
        pool_value(RecallAt(2), model, [{"a": 1}])
    with pytest.raises(ValueError, match=r"y_true\[1\] has the grade 5, expected one of \[0.0, 2.0, 1.0\]"):
        RecallAt(1).statistics(model, [{"a": 1}, {"a": 1, "d": 5}], np.array([0, 0]))


def test_grades_in_a_series_are_found_by_its_index_not_by_their_place():
    model = RankingPredictions([["a", "b"]], [np.full((2, 2), 0.5)], [0, 1])
    for measure in PrecisionAt(1), NDCG():
        assert pool_value(measure, model, [pd.Series({"b": 0, "a": 1})]) == 1


def test_the_interval_is_exact_and_two_equal_lists_leave_no_doubt():
    models = rankers(np.random.default_rng(5), 2, n_queries=60)
    rng = np.random.default_rng(6)
    labels = models[0].relevance.sample(np.arange(60), rng)
    for measure, _ in BY_HAND.values():
        least, greatest = measure.loss_bounds(models, None)
        for _ in range(5):
            given = models[0].relevance.sample(np.arange(60), rng)
            z = [measure.statistics(model, given, np.arange(60))[:, 0] for model in models]
            assert (least <= z[0] - z[1]).all()
            assert (z[0] - z[1] <= greatest).all()
        same = measure.same_statistics(*models)
        assert same.any()
        assert (greatest[same] == least[same]).all()
    q = uniform_q(60)
    draws = rng.integers(60, size=80)
    low, high = confidence_sequence(NDCG(2), models[0], q, draws, [labels[i] for i in draws])
    assert (low < pool_value(NDCG(2), models[0], labels)).all()
    assert (high > pool_value(NDCG(2), models[0], labels)).all()
    assert high[-1] - low[-1] < 0.5


@pytest.mark.parametrize(
    "measure", [NDCG(5), RecallAt(5), MeanAveragePrecision(), ReciprocalRank()], ids=repr
)
@pytest.mark.parametrize("certain", [False, True])
def test_lists_of_hundreds_of_items(measure, certain):
    rng = np.random.default_rng(7)
    proba = np.eye(3)[rng.integers(3, size=300)] if certain else rng.dirichlet([5, 1, 1], 300)
    known = dict(enumerate(proba))
    models = [
        RankingPredictions([list(rng.permutation(300)) for _ in range(3)], [known] * 3, GRADES)
        for _ in range(2)
    ]
    for given in (models, models[0]):
        q = optimal_q(measure, given)
        assert np.isfinite(q).all()
        assert (q >= 0).all()
    if certain:
        moments = measure.moments([Term(models[0], np.ones(1))], models[0].relevance, 0.0)
        label = {k: GRADES[int(np.argmax(proba[k]))] for k in range(300)}
        expected = measure.statistics(models[0], [label] * 3, np.arange(3))[:, 0]
        np.testing.assert_allclose(moments.first, expected, atol=1e-9)
        np.testing.assert_allclose(moments.second, expected**2, atol=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PrecisionAt(0), "k must be .*1"),
        (lambda: RecallAt(2.5), "k must be"),
        (lambda: NDCG(0), "cutoff must be"),
        (lambda: NDCG(gain="log"), "gain must be one of 'exponential', 'linear', got 'log'"),
        (lambda: ReciprocalRank(relevant_from=0), "relevant_from must be a number > 0"),
        (lambda: MeanAveragePrecision(relevant_from="1"), "relevant_from must be a number > 0"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_a_grade_that_there_is_not_is_refused():
    [model] = rankers(np.random.default_rng(8), 1)
    with pytest.raises(ValueError, match="relevant_from is 3, but the greatest grade is 2"):
        optimal_q(PrecisionAt(2, relevant_from=3), model)
    with pytest.raises(ValueError, match="relevant_from is 3"):
        pool_value(RecallAt(2, relevant_from=3), model, [dict.fromkeys(k, 0) for k in model.relevance.rows])
