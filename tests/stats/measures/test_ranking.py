"""DCG and ERR: fixed lists by hand and by ir-measures, q* by the enumeration of joint label vectors."""

import itertools
import shutil
from math import log2

import numpy as np
import pytest

from activeeval_widgets.stats import DCG, ERR, RankingPredictions, optimal_q, pool_value, recipe_q

GRADES = [0.0, 1.0, 2.5]


def dcg(grades, cutoff=None):
    return sum((2**y - 1) / log2(i + 2) for i, y in enumerate(grades[:cutoff]))


def err(grades, cutoff=None, max_grade=2.5):
    total, going_on = 0.0, 1.0
    for i, y in enumerate(grades[:cutoff]):
        kappa = (2**y - 1) / 2**max_grade
        total += going_on * kappa / (i + 1)
        going_on *= 1 - kappa
    return total


MEASURES = {
    "DCG": (DCG(), dcg),
    "DCG@2": (DCG(cutoff=2), lambda grades: dcg(grades, 2)),
    "ERR": (ERR(), err),
    "ERR@2": (ERR(cutoff=2), lambda grades: err(grades, 2)),
    "ERR, y_max 4": (ERR(max_grade=4), lambda grades: err(grades, max_grade=4)),
}


def random_rankers(rng, n_models, *, shared_belief):
    """Rankings of up to 4 of at most 5 items, partly the same, of unequal length; some grades certain."""
    n_queries = 4
    rankings, probas = [[] for _ in range(n_models)], [[] for _ in range(n_models)]
    for query in range(n_queries):
        items = [f"d{query}{k}" for k in range(5)]
        common = {}
        for item in items:
            common[item] = np.eye(3)[rng.integers(3)] if rng.random() < 0.2 else rng.dirichlet([1, 1, 1])
        for k in range(n_models):
            ranking = list(rng.permutation(items))[: rng.integers(0 if query == 3 else 1, 5)]
            rankings[k].append(ranking)
            own = common if shared_belief else {item: rng.dirichlet([1, 1, 1]) for item in items}
            # A ranker may know more items than it ranks, or only those.
            known = items if query % 2 else ranking
            probas[k].append({item: own[item] for item in known})
    return rankings, probas


def outcomes_of(rankings, probas, value):
    """All joint label vectors of the union of the ranked items, with the models' values."""
    outcomes = []
    for query in range(len(rankings[0])):
        items = sorted({item for ranks in rankings for item in ranks[query]})
        belief = [
            np.mean([proba[query][item] for proba in probas if item in proba[query]], axis=0)
            for item in items
        ]
        labels = []
        for codes in itertools.product(range(3), repeat=len(items)):
            probability = np.prod([belief[k][c] for k, c in enumerate(codes)])
            grade = {item: GRADES[c] for item, c in zip(items, codes, strict=True)}
            labels.append(
                (probability, [[value([grade[item] for item in ranks[query]])] for ranks in rankings])
            )
        outcomes.append(labels)
    return outcomes


@pytest.mark.parametrize("with_costs", [False, True])
@pytest.mark.parametrize("n_models", [1, 2, 3])
@pytest.mark.parametrize("name", MEASURES)
def test_q_equals_the_enumeration_of_joint_labels(name, n_models, with_costs, brute_force_q):
    measure, value = MEASURES[name]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rankings, probas = random_rankers(rng, n_models, shared_belief=seed % 2 == 0)
        costs = rng.uniform(1, 20, 4) if with_costs else None
        expected = brute_force_q(outcomes_of(rankings, probas, value), lambda mean: mean[0], costs)
        models = [RankingPredictions(r, p, GRADES) for r, p in zip(rankings, probas, strict=True)]
        found = optimal_q(measure, models[0] if n_models == 1 else models, costs=costs)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", ["DCG", "ERR"])
def test_lists_that_begin_alike(name, brute_force_q):
    """What two lists share at the top cancels in the difference, without cancellation of digits."""
    measure, value = MEASURES[name]
    rng = np.random.default_rng(5)
    items = ["a", "b", "c", "d", "e"]
    rankings = [[["a", "b", "c", "d", "e"]] * 3, [["a", "b", "d", "c"], items, ["e", "d", "c", "b", "a"]]]
    proba = [{item: rng.dirichlet([1, 1, 1]) for item in items} for _ in range(3)]
    expected = brute_force_q(outcomes_of(rankings, [proba, proba], value), lambda mean: mean[0])
    models = [RankingPredictions(r, proba, GRADES) for r in rankings]
    np.testing.assert_allclose(optimal_q(measure, models), expected, rtol=0, atol=1e-12)


def test_equal_rankings_differ_by_nothing():
    proba = [{"a": [0.5, 0.5], "b": [0.3, 0.7]}] * 2
    models = [RankingPredictions([["a", "b"], ["b", "a"]], proba, [0, 1]) for _ in range(2)]
    for measure in (DCG(), ERR()):
        np.testing.assert_array_equal(optimal_q(measure, models), [0.5, 0.5])


def test_fixed_lists_by_hand():
    predictions = RankingPredictions(
        [["a", "b", "c"], ["c"], []], [dict.fromkeys("abc", [0.25] * 4)] * 3, grades=[0, 1, 2, 3]
    )
    labels = [{"a": 3, "b": 0, "c": 2}, {"c": 1}, {}]
    assert pool_value(DCG(), predictions, labels) == pytest.approx((7 + 3 / 2 + 1) / 3, rel=1e-14)
    assert pool_value(DCG(cutoff=1), predictions, labels) == pytest.approx((7 + 1) / 3, rel=1e-14)
    by_hand = (7 / 8 + (1 / 8) * (3 / 8) / 3 + 1 / 8) / 3
    assert pool_value(ERR(), predictions, labels) == pytest.approx(by_hand, rel=1e-14)
    assert pool_value(ERR(cutoff=2), predictions, labels) == pytest.approx((7 / 8 + 1 / 8) / 3, rel=1e-14)
    assert pool_value(ERR(max_grade=4), predictions, labels) == pytest.approx(
        (7 / 16 + (9 / 16) * (3 / 16) / 3 + 1 / 16) / 3, rel=1e-14
    )
    in_order = [[3, 0, 2], [1], []]
    assert pool_value(ERR(), predictions, in_order) == pool_value(ERR(), predictions, labels)


@pytest.mark.parametrize("cutoff", [1, 3, 10])
def test_dcg_and_err_equal_ir_measures(cutoff):
    """gdeval, by way of ir-measures, gives five decimals, and nDCG: the ideal gain is taken out again."""
    ir_measures = pytest.importorskip("ir_measures")
    if shutil.which("perl") is None:
        pytest.skip("ir-measures runs gdeval, which needs perl")
    rng = np.random.default_rng(cutoff)
    n_queries, n_items = 6, 9
    grades = rng.integers(0, 5, (n_queries, n_items))
    rankings = [[f"d{k}" for k in rng.permutation(n_items)] for _ in range(n_queries)]
    labels = [{f"d{k}": int(grades[q, k]) for k in range(n_items)} for q in range(n_queries)]
    predictions = RankingPredictions(rankings, [np.full((n_items, 5), 0.2)] * n_queries, grades=range(5))
    qrels = {str(q): labels[q] for q in range(n_queries)}
    run = {str(q): {item: float(n_items - i) for i, item in enumerate(rankings[q])} for q in range(n_queries)}
    ndcg, expected_rank = ir_measures.nDCG(dcg="exp-log2") @ cutoff, ir_measures.ERR @ cutoff
    found = {
        (result.measure, int(result.query_id)): result.value
        for result in ir_measures.iter_calc([ndcg, expected_rank], qrels, run)
    }
    queries = np.arange(n_queries)
    gains = DCG(cutoff=cutoff).statistics(predictions, labels, queries)[:, 0]
    ideal = [dcg(sorted(grades[q], reverse=True), cutoff) for q in queries]
    np.testing.assert_allclose(gains / ideal, [found[ndcg, q] for q in queries], rtol=0, atol=6e-6)
    ranks = ERR(cutoff=cutoff).statistics(predictions, labels, queries)[:, 0]
    np.testing.assert_allclose(ranks, [found[expected_rank, q] for q in queries], rtol=0, atol=6e-6)


def test_uniform_grades_do_not_degenerate_to_uniform_sampling():
    """active_uniD: the structure of the lists alone tells where labels tell most."""
    rng = np.random.default_rng(0)
    rankings, probas = random_rankers(rng, 2, shared_belief=True)
    models = [RankingPredictions(r, p, GRADES) for r, p in zip(rankings, probas, strict=True)]
    q = recipe_q("active_uniD", ERR(), models)
    uniform = [
        RankingPredictions(r, [dict.fromkeys(p, [1 / 3] * 3) for p in proba], GRADES)
        for r, proba in zip(rankings, probas, strict=True)
    ]
    np.testing.assert_allclose(q, optimal_q(ERR(), uniform), rtol=1e-12)
    assert q.max() > 1.2 * q.min()


@pytest.mark.parametrize("measure", [DCG(), ERR()])
@pytest.mark.parametrize("certain", [False, True])
def test_lists_of_a_thousand_items(measure, certain):
    """Products over a thousand items underflow; nothing is divided by them (trap 3)."""
    rng = np.random.default_rng(1)
    length, n_queries = 1000, 3
    proba = rng.dirichlet([1, 1, 1, 1], length)
    if certain:
        proba = np.eye(4)[rng.integers(4, size=length)]
    known = {k: proba[k] for k in range(length)}
    rankings = [[list(rng.permutation(length)) for _ in range(n_queries)] for _ in range(2)]
    rankings[1][0] = [*rankings[0][0][:900], *rankings[0][0][:899:-1]]
    models = [RankingPredictions(r, [known] * n_queries, grades=[0, 1, 2, 40]) for r in rankings]
    for given in (models, models[0]):
        q = optimal_q(measure, given)
        assert np.isfinite(q).all()
        assert (q >= 0).all()
        assert q.sum() == pytest.approx(1)


def test_err_of_two_long_lists_equals_simulation():
    """The variance of a difference for 60 items, half of them shared: 50,000 label vectors."""
    rng = np.random.default_rng(2)
    rankings = [list(rng.permutation(60)[:45]) for _ in range(2)]
    known = {k: rng.dirichlet([6, 1, 1]) for k in range(60)}
    other = {k: rng.dirichlet([1, 3, 1]) for k in range(60)}
    models = [RankingPredictions([ranking, ranking[::-1]], [known, other], GRADES) for ranking in rankings]
    q = optimal_q(ERR(), models)
    kappa = (2 ** np.array(GRADES) - 1) / 2**2.5
    delta = np.empty((2, 50_000))
    for query, proba in enumerate((known, other)):
        table = np.array([proba[k] for k in range(60)]).cumsum(axis=1)
        codes = (rng.random((50_000, 60, 1)) > table[np.newaxis, :, :2]).sum(axis=2)
        stop = kappa[codes]
        values = []
        for ranking in rankings:
            ordered = stop[:, ranking if query == 0 else ranking[::-1]]
            going_on = np.cumprod(1 - ordered, axis=1)
            going_on = np.hstack([np.ones((50_000, 1)), going_on[:, :-1]])
            values.append((going_on * ordered / np.arange(1, 46)).sum(axis=1))
        delta[query] = values[0] - values[1]
    scale = np.sqrt(((delta - delta.mean()) ** 2).mean(axis=1))
    np.testing.assert_allclose(q, scale / scale.sum(), rtol=0.02)
