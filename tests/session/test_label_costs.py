"""Costs by results to judge or words to read, and the draws that follow from them."""

from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Ranking, Result, Session
from activeeval_widgets.stats import DCG, ErrorRate, RankingPredictions, optimal_q

LISTS = ([["a", "b", "c"], ["d", "e"], ["f"]], [["c", "a", "x"], ["e", "d"], ["y"]])
TEXTS = {"a": "one two", "b": "three", "x": "", "y": "four five six"}
JUDGED: dict[str, dict[str, float | None]] = {"q0": {"a": 1.0, "x": None}, "q1": {"d": 0.0, "e": 1.0}}


def make(costs: Any, judged: Any = None) -> Pool:
    rng = np.random.default_rng(2)
    items = [sorted({*one, *two}) for one, two in zip(*LISTS, strict=True)]
    proba = [{item: rng.dirichlet(np.ones(2)) for item in each} for each in items]
    shown = [
        Ranking(f"query {q}", [Result(item, "Title", TEXTS.get(item)) for item in each])
        for q, each in enumerate(items)
    ]
    models = [RankingPredictions(each, proba, [0, 1]) for each in LISTS]
    return Pool(shown, predictions=models, ids=["q0", "q1", "q2"], costs=costs, judged=judged)


def cost(pool: Pool) -> list[float]:
    return pool.costs.tolist()


def test_results_that_have_no_grade_yet_down_to_the_cutoff() -> None:
    assert cost(make("results")) == [4, 2, 2]
    # What could not be judged is not asked again; all judged costs 1.
    assert cost(make("results", JUDGED)) == [2, 1, 2]
    session = Session(make("results", JUDGED), DCG(1))
    assert cost(session.pool) == [1, 1, 2]
    assert [len(items) for items in session.labels.items] == [1, 0, 2]
    assert cost(Session(make("results"), DCG(2)).pool) == [3, 2, 2]


def test_words_to_read() -> None:
    assert cost(make("length")) == [3 + 2 + 1 + 1, 2, 1 + 4]
    assert cost(make("length", JUDGED)) == [2 + 1, 1, 5]
    texts = Pool(["so good", "", "a b c"], predictions=[[0.5, 0.5]] * 3, costs="length")
    assert cost(texts) == [2, 1, 3]


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_draws_are_those_of_the_same_costs_given(protocol: str) -> None:
    by_name, given = (
        Session(make(costs), DCG(), protocol=protocol, seed=4) for costs in ("results", [4.0, 2.0, 2.0])
    )
    assert by_name.storage.identity == given.storage.identity
    for session in (by_name, given):
        session.next()
    assert by_name.q.tolist() == given.q.tolist()
    assert by_name.draws.so_far().tolist() == given.draws.so_far().tolist()


def test_q_falls_with_the_root_of_the_cost() -> None:
    """T, eq. 4.25; the q without costs is held against sums over all grades elsewhere."""
    models = list(make("results").models)
    plain = optimal_q(DCG(), models)
    expected = plain / np.sqrt([4, 2, 2])
    session = Session(make("results"), DCG(), protocol="papers", defensive=0.0)
    np.testing.assert_allclose(session.q, expected / expected.sum(), rtol=1e-12)


def test_what_has_no_such_costs() -> None:
    with pytest.raises(ValueError, match="costs is 'price', expected a cost for each instance, or"):
        make("price")
    with pytest.raises(ValueError, match="costs by 'results' are for rankings"):
        Pool(["a", "b"], predictions=[[0.5, 0.5]] * 2, costs="results")
    assert Session(Pool(["a b", "c"], predictions=[[0.5, 0.5]] * 2, costs="length"), ErrorRate()).next()
