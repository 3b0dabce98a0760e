"""Several labels for an instance: one random answer is unbiased for the mean over raters.

A session has one label for an instance. If whose it is was left to chance, before anyone answered, then all
that holds for one labeler holds for the pool as it was labeled, and this differs from the mean over raters by
chance alone. What breaks is tested as well: the first who answers, a majority, disagreements left out.
"""

import itertools
from functools import cache

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    adaptive_q,
    draw,
    draw_without_replacement,
    estimate,
    estimate_adaptive,
    importance_weights,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.agreement.draw_designs import WithoutReplacement

MODEL = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]])
BY_RATER = np.array([[0, 0, 1], [1, 0, 1], [0, 0, 0], [1, 1, 0]])
"""What each of three people says of four instances."""

MEAN = float(np.mean([pool_value(ErrorRate(), MODEL, labels) for labels in BY_RATER.T]))


def assignments():
    """All ways in which one of three people is chosen for each instance: the labels then."""
    for chosen in itertools.product(range(3), repeat=4):
        yield BY_RATER[np.arange(4), list(chosen)]


def test_with_replacement_one_random_answer_is_unbiased_for_the_mean_over_raters():
    q = np.array([0.1, 0.2, 0.3, 0.4])
    plain = weighted = total = 0.0
    for labels in assignments():
        for draws in itertools.product(range(4), repeat=2):
            drawn = np.array(draws)
            found = estimate(ErrorRate(), MODEL, uniform_q(4), drawn, labels[drawn])
            plain += found.value / 3**4 / 4**2
            losses = MODEL.y_pred[drawn] != labels[drawn]
            chance = q[drawn].prod() / 3**4
            weighted += chance * (importance_weights(q, drawn) * losses).mean()
            total += chance
    assert total == pytest.approx(1)
    assert plain == pytest.approx(MEAN, rel=1e-12)
    assert weighted == pytest.approx(MEAN, rel=1e-12)


@cache
def q_after(drawn, labels):
    return adaptive_q(ErrorRate(), MODEL, list(drawn), list(labels), defensive=0.3)


@pytest.mark.parametrize("n_draws", [1, 2, 4])
def test_without_replacement_it_is_too_though_later_draws_follow_earlier_answers(n_draws):
    mean = 0.0
    for labels in assignments():
        for drawn in itertools.permutations(range(4), n_draws):
            given, chance, q_draws = list(drawn), 1 / 3**4, []
            for t, instance in enumerate(given):
                q_draws.append(q_after(drawn[:t], tuple(labels[given[:t]].tolist()))[instance])
                chance *= q_draws[-1]
            losses = MODEL.y_pred[given] != labels[given]
            mean += chance * (WithoutReplacement(np.array(q_draws), 4).coefficients @ losses)
    assert mean == pytest.approx(MEAN, rel=1e-12)


# -- the interval, in a pool where people differ on what is difficult


def labeled_pool(rng, m, mistakes=0.12):
    """A model's predictions, and what each of three people says of each instance; and the mean over them."""
    truth = rng.integers(2, size=m)
    difficulty = 0.5 * rng.beta(0.5, 0.5 * (0.5 / mistakes - 1), size=m)
    by_rater = truth[:, None] ^ (rng.random((m, 3)) < difficulty[:, None])
    sure = np.where(rng.random(m) < difficulty, 1 - truth, truth) * 0.7 + 0.15
    model = ClassPredictions(np.stack([1 - sure, sure], axis=1))
    return model, by_rater, float((model.y_pred[:, None] != by_rater).mean())


def one_random(rng, by_rater):
    return by_rater[np.arange(len(by_rater)), rng.integers(3, size=len(by_rater))]


def test_the_interval_holds_for_the_mean_over_raters():
    rng = np.random.default_rng(0)
    model, by_rater, mean = labeled_pool(rng, 600)
    wald = watched = 0
    for _session in range(150):
        labels = one_random(rng, by_rater)
        draws, q_draws = draw_without_replacement(uniform_q(600), 80, rng)
        found = estimate_adaptive(ErrorRate(), model, draws, q_draws, labels[draws])
        wald += found.low <= mean <= found.high
        once = draw(uniform_q(600), 80, rng)
        fixed = estimate(ErrorRate(), model, uniform_q(600), once, labels[once])
        watched += fixed.low <= mean <= fixed.high
    assert min(wald, watched) >= 134  # of 150: 0.05 in the lower tail of 0.95 leaves 138, of 0.93 134


def test_the_interval_that_may_be_watched_holds_at_every_number_of_labels():
    rng = np.random.default_rng(1)
    model, by_rater, mean = labeled_pool(rng, 400)
    missed = 0
    for _session in range(30):
        labels, q = one_random(rng, by_rater), uniform_q(400)
        sequence = AdaptiveConfidenceSequence(ErrorRate(), model)
        draws, _ = draw_without_replacement(q, 60, rng)
        is_inside = True
        for instance in draws:
            low, high = sequence.update(int(instance), q, int(labels[instance]))
            is_inside &= low <= mean <= high
        missed += not is_inside
    assert missed <= 3


def test_it_is_about_the_pool_as_labeled_once_most_of_that_is_labeled():
    """The limit: with all of the pool labeled the interval is a point, and others' answers would move it."""
    rng = np.random.default_rng(2)
    model, by_rater, mean = labeled_pool(rng, 200)
    values, errors = [], []
    for _session in range(100):
        labels = one_random(rng, by_rater)
        draws, q_draws = draw_without_replacement(uniform_q(200), 200, rng)
        found = estimate_adaptive(ErrorRate(), model, draws, q_draws, labels[draws])
        assert found.low == found.high == pytest.approx(pool_value(ErrorRate(), model, labels))
        values.append(found.value)
        errors.append(found.value - mean)
    losses = (model.y_pred[:, None] != by_rater).astype(float)
    # It is off by as much as the raters' part says, and right on average.
    by_chance = np.sqrt(losses.var(axis=1).mean() / 200)
    assert np.std(errors) == pytest.approx(by_chance, rel=0.2)
    assert abs(np.mean(errors)) < 3 * by_chance / 10


# -- what breaks


def first_who_answers(rng, by_rater, truth):
    """Whoever is right is faster."""
    seconds = rng.exponential(size=by_rater.shape) * np.where(by_rater == truth[:, None], 1, 4)
    return by_rater[np.arange(len(by_rater)), seconds.argmin(axis=1)], None


def majority(rng, by_rater, truth):
    """Each has answered half of them so far; a tie is left out."""
    answered = rng.random(by_rater.shape) < 0.5
    votes = (answered * (2 * by_rater - 1)).sum(axis=1)
    return (votes > 0).astype(int), votes != 0


def agreed_only(rng, by_rater, truth):
    """Two are asked, and where they differ the instance is left out."""
    two = by_rater[:, rng.permutation(3)[:2]]
    return two[:, 0], two[:, 0] == two[:, 1]


@pytest.mark.parametrize("rule", [first_who_answers, majority, agreed_only], ids=lambda rule: rule.__name__)
def test_what_breaks(rule):
    rng = np.random.default_rng(3)
    m, n = 4000, 800
    truth = rng.integers(2, size=m)
    difficulty = 0.5 * rng.beta(0.5, 0.5 * (0.5 / 0.12 - 1), size=m)
    by_rater = truth[:, None] ^ (rng.random((m, 3)) < difficulty[:, None])
    model = ClassPredictions(np.eye(2)[np.where(rng.random(m) < difficulty, 1 - truth, truth)])
    mean = float((model.y_pred[:, None] != by_rater).mean())
    inside = {"one random rater": 0, rule.__name__: 0}
    for _session in range(100):
        drawn = draw(uniform_q(m), n, rng)
        for name in inside:
            if name == "one random rater":
                labels, kept = one_random(rng, by_rater), None
            else:
                labels, kept = rule(rng, by_rater, truth)
            draws = drawn if kept is None else drawn[kept[drawn]]
            found = estimate(ErrorRate(), model, uniform_q(m), draws, labels[draws])
            inside[name] += found.low <= mean <= found.high
    assert inside["one random rater"] >= 88
    assert inside[rule.__name__] < 50
