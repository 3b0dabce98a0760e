"""How many votes and labels are cheapest: closed forms, forecasts, and sessions."""

import re

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    LabelShare,
    Plan,
    Planner,
    Purchase,
    UnpredictedClasses,
    VotePlan,
    adaptive_q,
    asymptotic_variance,
    draw_without_replacement,
    optimal_q,
    plan_votes,
)
from activeeval_widgets.stats.planning.two_prices import _with_votes, best_share

N, WIDTH = 500, 0.1


def judged(rng, n=N, n_judges=2, accuracy=0.95, share=0.7):
    """Labels, and each judge's votes, all of them right as often."""
    y = (rng.random(n) < share).astype(int)
    is_right = rng.random((n, n_judges)) < accuracy
    return y, np.where(is_right, y[:, np.newaxis], 1 - y[:, np.newaxis])


def votes_on(votes, where):
    given = np.full(votes.shape, None, dtype=object)
    given[where] = votes[where]
    return ClassPredictions.from_votes(given, classes=[0, 1])


@pytest.fixture(scope="module")
def pilot():
    rng = np.random.default_rng(5)
    y, votes = judged(rng)
    where = rng.choice(N, 80, replace=False)
    return votes_on(votes, where), where, y[where]


def plan(pilot, **prices):
    model, where, y = pilot
    return plan_votes(LabelShare(1), model, WIDTH, draws=where, y_true=y, **prices)


def test_the_share_of_votes_is_where_both_prices_are_lowest():
    """Compared with a search, and with the prices at which it leaves 0 and reaches 1."""
    shares = np.linspace(0, 1, 100_001)
    for without, with_votes in ((400, 100), (400, 225), (90, 10)):
        first, last = without**0.5, with_votes**0.5
        for price in (0.0, 5.0, 100.0, 200.0, 300.0, 1e6):
            for of_label in (0.5, 1.0):
                costs = price * shares + of_label * (first + shares * (last - first)) ** 2
                found = best_share(without, with_votes, price, of_label)
                assert found == pytest.approx(shares[costs.argmin()], abs=2e-5)
        saved = first - last
        assert best_share(without, with_votes, 2 * saved * last * 0.999, 1.0) == 1
        assert best_share(without, with_votes, 2 * saved * last * 1.001, 1.0) < 1
        assert best_share(without, with_votes, 2 * saved * first * 0.999, 1.0) > 0
        assert best_share(without, with_votes, 2 * saved * first * 1.001, 1.0) == 0
    assert best_share(100, 100, 0.0, 1.0) == best_share(100, 120, 0.0, 1.0) == 0


def test_votes_that_are_free_are_all_bought_however_little_they_save():
    assert best_share(101.0, 100.0, 0.0, 1.0) == 1.0
    assert best_share(100.0, 100.0, 0.0, 1.0) == 0.0


def test_of_purchases_at_one_price_the_one_with_fewer_votes_is_the_cheapest():
    labels = Plan(n_labels=10.0, low=8.0, high=12.0, n_draws=10.0)
    none, some = Purchase(0, labels, price=10.0), Purchase(40, labels, price=10.0)
    assert VotePlan(none, some, some).cheapest is none


def test_an_instance_whose_vote_is_not_bought_expects_the_average(pilot):
    model, where, _ = pilot
    expected = _with_votes(model, model.y_proba, 0).y_proba
    left = np.setdiff1d(np.arange(N), where)
    assert expected[left] == pytest.approx(np.tile(model.y_proba[where].mean(axis=0), (left.size, 1)))
    assert expected[where] == pytest.approx(model.y_proba[where])


def test_the_root_of_a_standard_errors_labels_is_linear_in_the_share(pilot):
    """The number of labels is in proportion to the variance of one draw from the best q."""
    model, _, _ = pilot
    n_silent = int(np.count_nonzero(~model.voted))
    roots = []
    for n_votes in (0, n_silent // 3, 2 * n_silent // 3, n_silent):
        with_votes = _with_votes(model, model.y_proba, n_votes)
        measure = LabelShare(1)
        q = optimal_q(measure, with_votes, estimator="difference")
        roots.append(asymptotic_variance(measure, with_votes, q, estimator="difference") ** 0.5)
    assert np.allclose(np.diff(roots), np.diff(roots).mean(), rtol=0.03)
    assert roots[-1] < roots[0]


def test_free_votes_are_all_bought_and_dear_ones_not_at_all(pilot):
    n_silent = int(np.count_nonzero(~pilot[0].voted))
    free = plan(pilot, price_of_vote=0, price_of_label=1)
    assert free.cheapest.n_votes == free.between.n_votes == free.all.n_votes == n_silent
    assert free.cheapest.price == free.all.labels.n_labels < free.none.labels.n_labels
    # A vote that costs as much as a label can save no more than it.
    dear = plan(pilot, price_of_vote=1, price_of_label=1)
    assert (dear.cheapest.n_votes, dear.between.n_votes, dear.none.n_votes) == (0, 0, 0)
    assert dear.all.price == n_silent + dear.all.labels.n_labels
    assert dear.cheapest.price == dear.none.labels.n_labels
    only_ratio = plan(pilot, price_of_vote=7, price_of_label=7)
    assert only_ratio.all.price == 7 * dear.all.price


def test_with_half_or_twice_the_votes_the_price_is_no_lower(pilot):
    """By forecasts of the guaranteed interval; they are whole labels, and not exact."""
    model, _, y = pilot
    ends = plan(pilot, price_of_vote=0, price_of_label=1)
    first, last = ends.none.labels.n_labels**0.5, ends.all.labels.n_labels**0.5
    n_silent = ends.all.n_votes
    best = n_silent // 2 + 0.7
    price = 2 * (first - last) * (first - best / n_silent * (first - last)) / n_silent
    found = plan(pilot, price_of_vote=price, price_of_label=1)
    assert found.between.n_votes == n_silent // 2 + 1
    for part in (0.5, 2):
        n_votes = int(part * found.between.n_votes)
        other = Planner(LabelShare(1), _with_votes(model, _corrected(pilot), n_votes), n_calibrated=y.size)
        cost = price * n_votes + other.plan(WIDTH).n_labels
        assert cost >= found.between.price - 2
    assert found.cheapest.price == min(found.none.price, found.between.price, found.all.price)


def test_labels_of_draws_that_go_on_count_and_what_is_drawn_needs_no_vote(pilot):
    model, _, _ = pilot
    rng = np.random.default_rng(3)
    y, _ = judged(rng)
    prices = {"price_of_vote": 0.01, "price_of_label": 1}
    draws, q = draw_without_replacement(adaptive_q(LabelShare(1), model), 60, rng)
    so_far = {"draws": draws, "y_true": y[draws], **prices}
    first, later = (
        plan_votes(LabelShare(1), model, WIDTH, **so_far, **more)
        for more in ({}, {"q_draws": q, "current": (0.55, 0.8)})
    )
    silent = np.flatnonzero(~model.voted)
    assert (first.all.n_votes, later.all.n_votes) == (silent.size, np.setdiff1d(silent, draws).size)
    assert later.none.labels.n_labels < first.none.labels.n_labels - 30
    bought = _with_votes(model, model.y_proba, later.all.n_votes, draws)
    own, of_all = (
        Planner(LabelShare(1), each).plan(WIDTH, draws=draws, y_true=y[draws], q_draws=q, current=(0.55, 0.8))
        for each in (_with_votes(model, model.y_proba, 0), bought)
    )
    assert (later.none.labels, later.all.labels) == (own, of_all)
    assert later.none.price == own.n_labels
    assert bought.assists == model.assists is False
    known = np.intersect1d(silent, draws)
    average = np.tile(model.y_proba[model.voted].mean(axis=0), (known.size, 1))
    assert bought.y_proba[known] == pytest.approx(average)


def _corrected(pilot):
    model, where, y = pilot
    return model.corrected([], where, y, positive=1).y_proba


def test_labels_tell_how_good_votes_are(pilot):
    model, _, _ = pilot
    with_labels = plan(pilot, price_of_vote=0, price_of_label=1)
    without = plan_votes(LabelShare(1), model, WIDTH, price_of_vote=0, price_of_label=1)
    saved = [each.none.labels.n_labels - each.all.labels.n_labels for each in (with_labels, without)]
    assert saved[0] > saved[1] > 0
    ranges = [each.none.labels.high / each.none.labels.low for each in (with_labels, without)]
    assert ranges[0] < ranges[1]


@pytest.mark.slow
def test_sessions_take_the_labels_that_are_planned(pilot):
    """Four of five lie in the plan's range, whatever part has votes; the more votes, the fewer labels."""
    n_sessions, n_inside, n_silent = 4, 0, int(np.count_nonzero(~pilot[0].voted))
    means = []
    for share in (0.0, 0.5, 1.0):
        n_votes = int(share * n_silent)
        model = _with_votes(pilot[0], _corrected(pilot), n_votes)
        planned = Planner(LabelShare(1), model, n_calibrated=80).plan(WIDTH)
        taken = []
        for seed in range(n_sessions):
            rng = np.random.default_rng([9, seed])
            y, votes = judged(rng)
            taken.append(_labels_to_width(votes_on(votes, rng.permutation(N)[: 80 + n_votes]), y, rng))
        n_inside += sum(planned.low <= n <= planned.high for n in taken)
        means.append(np.mean(taken))
    assert n_inside >= binom.ppf(1e-4, 3 * n_sessions, 0.8)
    assert means[0] > means[1] > means[2]


def _labels_to_width(model, y, rng):
    """Return the labels until the guaranteed interval is narrow enough."""
    sequence = AdaptiveConfidenceSequence(LabelShare(1), model)
    drawn = []
    while sequence.high - sequence.low > 2 * WIDTH:
        q = adaptive_q(LabelShare(1), model, drawn, y[drawn])
        for index in draw_without_replacement(q, 12, rng)[0].tolist():
            sequence.update(index, q, int(y[index]))
            drawn.append(index)
    return len(drawn)


def test_a_pool_that_is_too_small_has_no_price():
    votes = [["a"], ["b"], *[[None]] * 8]
    model = ClassPredictions.from_votes(votes)
    found = plan_votes(LabelShare("a"), model, 0.01, price_of_vote=0, price_of_label=1)
    assert found.cheapest.price == float("inf")


def test_a_width_that_takes_all_votes():
    """Without votes the pool is too small: as if all of it were labeled, where shares are compared."""
    votes = [["a"] * 5] * 3 + [["b"] * 5] + [[None] * 5] * 4
    model = ClassPredictions.from_votes(votes)
    found = plan_votes(LabelShare("a"), model, 0.044, price_of_vote=2, price_of_label=1)
    assert found.none.price == found.between.price == float("inf")
    assert found.cheapest is found.all
    assert found.all.price == 4 * 2 + 8


def test_an_instance_without_votes_is_expected_to_be_as_the_others():
    model = ClassPredictions.from_votes([["a", "a"], ["b", None], [None, None]])
    shares = model.y_proba
    assert np.allclose(shares[2], (shares[0] + shares[1]) / 2)
    assert model.voted.tolist() == [True, True, False]
    assert model.part(np.array([2])).voted.tolist() == [False]


WRONG = [
    ({"price_of_vote": -1}, "price_of_vote must be at least 0, got -1"),
    ({"price_of_label": 0}, "price_of_label must be"),
    ({"half_width": 0}, "half_width must be"),
    ({"measure": ErrorRate()}, "measure is 'error rate', which evaluates a verdict for each instance"),
    ({"votes": [["a"], ["b"]]}, "each of the 2 instances has a vote already, so there is none to buy"),
    ({"model": UnpredictedClasses(["a", "b"], 3)}, "make them with ClassPredictions.from_votes (--votes)"),
    ({"draws": [0]}, "y_true"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=range(len(WRONG)))
def test_errors_name_argument_value_and_remedy(arguments, message):
    given = {"price_of_vote": 1, "price_of_label": 1, "half_width": 0.1, **arguments}
    model = given.pop("model", None)
    votes = given.pop("votes", [["a"], ["b"], [None]])
    measure = given.pop("measure", LabelShare("a"))
    half_width = given.pop("half_width")
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        plan_votes(measure, model or ClassPredictions.from_votes(votes), half_width, **given)
