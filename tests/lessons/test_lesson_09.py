"""Lesson 9: rankings and the dynamic program, against enumerations and `stats`."""

from itertools import product

import numpy as np
import pytest

from activeeval_widgets.demos import one_ranker
from activeeval_widgets.stats import DCG, ERR, RankingPredictions, optimal_q, pool_value, uniform_q

GRADES = np.array([0, 1, 2, 3])


@pytest.fixture(scope="module")
def search():
    """The demo's 72 queries: the predictions, and the true ERR of each."""
    demo = one_ranker()
    model = demo.pool.predictions
    values = ERR().statistics(model, demo.y_true, np.arange(model.n_instances))[:, 0]
    return model, values


def moments(proba):
    """Mean and variance of ERR by enumeration of what `stats` says each list is worth."""
    vectors = np.array(list(product(GRADES, repeat=len(proba))))
    items = list(range(len(proba)))
    model = RankingPredictions([items] * len(vectors), [proba] * len(vectors), grades=GRADES)
    values = ERR().statistics(model, vectors.tolist(), np.arange(len(vectors)))[:, 0]
    chance = np.prod([proba[i, vectors[:, i]] for i in items], axis=0)
    return chance @ values, chance @ values**2 - (chance @ values) ** 2


def test_the_recursion_is_the_enumeration(lesson):
    short = lesson.value("short")
    assert len(short) == 3
    assert lesson.value("found") == pytest.approx(moments(short), abs=1e-12)
    assert lesson.value("enumerated") == pytest.approx(lesson.value("found"), abs=1e-12)
    example = lesson.value("proba[example]")
    assert lesson.value("by_recursion(proba[example])") == pytest.approx(moments(example), abs=1e-12)
    # Of the long list the package can't divide either; one that repeats hardly differs from a shorter one.
    assert lesson.value("comes_so_far") == 0
    assert lesson.value("(mean, variance)") == pytest.approx(
        lesson.value("by_recursion(long_list[:200])"), rel=0.01
    )


def test_the_measures_are_those_of_the_package(lesson, search):
    _, values = search
    assert lesson.value("true_values") == pytest.approx(values, abs=1e-12)
    one_hit, four_late = lesson.value("(one_hit, four_late)")
    for grades in (one_hit, four_late):
        model = RankingPredictions([range(5)], [np.full((5, 4), 0.25)], grades=GRADES)
        assert lesson.value(f"(dcg({grades}), err({grades}))") == pytest.approx(
            (pool_value(DCG(), model, [grades]), pool_value(ERR(), model, [grades]))
        )
    assert lesson.value("dcg(one_hit) < dcg(four_late) and err(one_hit) > err(four_late)")


def test_one_search_gains_little_and_a_comparison_much(lesson, search):
    model, values = search
    q = lesson.value("q")
    assert q == pytest.approx(optimal_q(ERR(), model), abs=1e-6)  # what is stored is rounded

    def saved(values, q):
        squares = (values - values.mean()) ** 2
        return 1 - (uniform_q(72) / q / 72) @ squares / squares.mean()

    assert lesson.value("saved") == pytest.approx(saved(values, q))
    assert 0 < lesson.value("saved") < 0.05 < lesson.value("at_best")
    differences, q_two = lesson.value("differences"), lesson.value("q_two")
    assert saved(differences, q_two) == pytest.approx(lesson.value("labels_saved(differences, q_two)"))
    assert saved(differences, q_two) > 0.5
    assert lesson.value("abs(by_hand - q_two).max()") < 1e-12
    assert (differences[~lesson.value("changed")] == 0).all()
    assert "It saves 63%" in lesson.text
