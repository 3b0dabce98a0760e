"""Lesson 10: several experts, against what `stats` says of agreement."""

import numpy as np
import pytest

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.demos.reviews import load_reviews
from activeeval_widgets.lessons import simulated
from activeeval_widgets.stats import (
    VarianceSplit,
    clopper_pearson_interval,
    fleiss_kappa,
    optimal_opinions,
    percent_agreement,
)


@pytest.fixture(scope="module")
def codes():
    """The answers of 20 people to each sentence of the pool."""
    reviews = load_reviews()
    return 1 + np.sign(reviews.opinions[reviews.pool])


def test_opinions_are_what_ratings_are_the_mean_of():
    reviews = load_reviews()
    assert reviews.opinions.shape == (len(reviews.texts), 20)
    assert reviews.opinions.mean(axis=1) == pytest.approx(reviews.ratings)


def test_draws_of_somebody_who_has_left_are_handed_on(lesson):
    assert "Ada is asked draws [1, 2, 3, 4]\nBob is asked draws [5, 6, 7, 8]" in lesson.text
    assert "Bob is asked draws [1, 2, 8] next" in lesson.text
    assert lesson.value("(provisional.n_labels, provisional.n_waiting)") == (3, 3)


def test_fast_answers_mislead_and_the_order_of_draws_does_not(lesson):
    at_40, at_160, truth = lesson.value("(by_all_that_are_in(40), by_all_that_are_in(160), true_rate)")
    assert at_40 < 0.12 < at_160 < truth == pytest.approx(0.2)
    # Where nobody is slow at what the model gets wrong, the first labels are as good as any.
    lesson.run("WRONG_IF_EASY = WRONG_IF_DIFFICULT")
    assert lesson.value("by_all_that_are_in(40)") == pytest.approx(0.8, abs=0.005)
    found = simulated("fast_and_slow")
    n = found["n_sessions"]
    for all_labels, in_order in zip(found["all_hold"], found["in_order_hold"], strict=True):
        assert clopper_pearson_interval(round(n * all_labels), n, 0.95)[1] < 0.95
        assert clopper_pearson_interval(round(n * in_order), n, 0.95)[1] > 0.95
    assert found["truth"] == pytest.approx(truth)


def test_kappa_is_that_of_the_package(lesson, codes):
    assert lesson.value("kappa") == pytest.approx(fleiss_kappa(codes).value)
    assert lesson.value("agreement") == pytest.approx(percent_agreement(codes).value)
    alpha = lesson.value("alpha")
    assert alpha.low < lesson.value("kappa") < alpha.high
    assert 0.9 < lesson.value("blind") < 1


def test_what_a_second_opinion_buys(lesson, codes):
    predicted = DEMOS["text"]().pool.predictions.y_proba.argmax(axis=1)
    is_wrong = codes != predicted[:, np.newaxis]
    within = is_wrong.var(axis=1, ddof=1).mean()
    between = is_wrong.mean(axis=1).var() - within / 20
    assert lesson.value("(within, between)") == pytest.approx((within, between))
    # Which of two random people is asked first makes no difference: pairs of columns are all alike.
    both = [~(is_wrong[:, i] | is_wrong[:, j]) for i in range(20) for j in range(i)]
    same = [codes[:, i] == codes[:, j] for i in range(20) for j in range(i)]
    assert lesson.value("where_they_agree") == pytest.approx(1 - np.mean(both) / np.mean(same))
    assert lesson.value("where_they_agree") < is_wrong.mean() == pytest.approx(lesson.value("errors.mean()"))
    share = within / (within + between)
    split = VarianceSplit(share, 0, share, share, between, within, n_double=80, n_draws=80)
    for cost in (0, 4, 20, 60):
        best = optimal_opinions(split, cost_of_instance=cost).n_opinions
        errors = lesson.value(f"standard_error(opinions, cost_of_instance={cost})")
        assert 1 + errors.argmin() == best
    assert lesson.value("split.low") < share < lesson.value("split.high")


def test_somebody_decides(lesson):
    assert "decided: positive -> neutral, by Ada" in lesson.text
