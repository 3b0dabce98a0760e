"""Draws for rankers against the sums over all grades: T, eq. 6.10 (one ranker) and 6.11 (two), with costs."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.stats import DCG, ERR, Measure, RankingPredictions, optimal_q

GRADES = (0, 1, 2)
LISTS = (
    ([["a", "b", "c"], ["d", "e"], ["f", "g", "h"]]),
    ([["c", "a", "x"], ["d", "e"], ["h", "f", "y"]]),
)
COSTS = [4.0, 2.0, 1.0]


def rankers(*, is_shared: bool) -> list[RankingPredictions]:
    rng = np.random.default_rng(5)
    items = [sorted({*one, *two}) for one, two in zip(*LISTS, strict=True)]
    proba = [{item: rng.dirichlet(np.ones(3)) for item in each} for each in items]
    other = proba if is_shared else [{item: rng.dirichlet(np.ones(3)) for item in each} for each in items]
    return [
        RankingPredictions(lists, each, GRADES) for lists, each in zip(LISTS, (proba, other), strict=True)
    ]


def dcg(grades: list[int]) -> float:
    return sum((2**y - 1) / np.log2(i + 2) for i, y in enumerate(grades[:2]))


def err(grades: list[int]) -> float:
    value, goes_on = 0.0, 1.0
    for i, y in enumerate(grades, start=1):
        value += goes_on * (2**y - 1) / 4 / i
        goes_on *= 1 - (2**y - 1) / 4
    return value


def proba_of(model: RankingPredictions, index: int, item: str) -> Any:
    return model.relevance.proba[model.relevance.rows[index][item]]


def moments(models: list[RankingPredictions], index: int, gain: object, shift: float) -> tuple[float, float]:
    """E[ℓ | x] and E[(ℓ − shift)² | x] over all grades of all items; ℓ is the difference where there are two.

    Items' grades are independent given the query (T, eq. 6.3); each one's chances are the equal mixture of
    what the models say of it (T, eq. 5.11).
    """
    items = sorted({item for model in models for item in model.items(index)})
    mean = square = total = 0.0
    for grades in product(range(3), repeat=len(items)):
        grade_of = dict(zip(items, grades, strict=True))
        chance = np.prod(
            [np.mean([proba_of(model, index, item)[y] for model in models]) for item, y in grade_of.items()]
        )
        values = [gain([grade_of[item] for item in model.items(index)]) for model in models]
        loss = values[0] - sum(values[1:])
        mean, square, total = mean + chance * loss, square + chance * (loss - shift) ** 2, total + chance
    assert total == pytest.approx(1)
    return mean, square


@pytest.mark.parametrize(("measure", "gain"), [(DCG(cutoff=2), dcg), (ERR(), err)], ids=["DCG", "ERR"])
@pytest.mark.parametrize("costs", [None, COSTS], ids=["equal", "costs"])
@pytest.mark.parametrize("n_rankers", [1, 2])
@pytest.mark.parametrize("is_shared", [True, False], ids=["one relevance", "two"])
def test_q_is_that_of_the_sums_over_all_grades(
    measure: Measure, gain: object, costs: list[float] | None, n_rankers: int, is_shared: bool
) -> None:
    models = rankers(is_shared=is_shared)[:n_rankers]
    expected = np.mean([moments(models, index, gain, 0.0)[0] for index in range(3)])
    second = np.array([moments(models, index, gain, expected)[1] for index in range(3)])
    q = np.sqrt(second / (1 if costs is None else np.array(costs)))
    found = optimal_q(measure, models if n_rankers == 2 else models[0], costs=costs)
    np.testing.assert_allclose(found, q / q.sum(), rtol=1e-9)
    if n_rankers == 2:
        # The same list twice: only the mean difference is left.
        assert second[1] == pytest.approx(expected**2)
