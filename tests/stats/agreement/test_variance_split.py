"""The variance of an estimate in two parts, and how many opinions are best."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import beta, norm, t

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Recall,
    SquaredError,
    ValuePredictions,
    VarianceSplit,
    draw,
    draw_without_replacement,
    optimal_opinions,
    variance_split,
)


def some_split(share=0.4, low=None, high=None):
    low, high = share if low is None else low, share if high is None else high
    return VarianceSplit(share, 0.0, low, high, 1 - share, share, n_double=80, n_draws=80)


def rated(rng, m=3000, mistakes=0.1):
    """A model, which errs in a tenth, and how often somebody who is asked contradicts the truth."""
    truth = (rng.random(m) < 0.4).astype(int)
    difficulty = 0.5 * rng.beta(0.5, 0.5 * (0.5 / mistakes - 1), size=m)
    sure = np.where(rng.random(m) < 0.1, 1 - truth, truth) * 0.8 + 0.1
    return ClassPredictions(np.stack([1 - sure, sure], axis=1)), truth, difficulty


def test_one_way_analysis_of_variance():
    rng = np.random.default_rng(0)
    model = ValuePredictions(np.zeros(60), np.ones(60))
    y = rng.normal(size=(60, 1)) + rng.normal(size=(60, 3))
    found = variance_split(SquaredError(), model, np.arange(60), y)
    losses = y**2
    within = losses.var(axis=1, ddof=1).mean()
    total = np.square(losses - losses.mean()).mean()
    assert found.value == pytest.approx(within / total, rel=1e-12)
    assert found.raters + found.instances == pytest.approx(
        (losses.mean(axis=1).var() + within * 2 / 3) / 60, rel=1e-12
    )
    # The error of the share: how far each draw is from it, seen without its own part in the whole.
    parts, squares = losses.var(axis=1, ddof=1), np.square(losses - losses.mean()).mean(axis=1)
    leverage = squares / squares.sum()
    far = (parts - found.value * squares) / squares.sum() / (1 - leverage)
    assert found.standard_error == pytest.approx(np.sqrt(far @ far), rel=1e-12)
    # Of an estimate that the model's predictions have made better, the raters' part stays what it is.
    error = 0.95 * np.sqrt(found.raters + found.instances)
    better = variance_split(SquaredError(), model, np.arange(60), y, standard_error=error)
    assert better.raters == pytest.approx(found.raters, rel=1e-12)
    assert better.raters + better.instances == pytest.approx(error**2, rel=1e-12)


@cache
def sessions(is_replaced):
    """A model, and of each session draws, the labels of two people, weights, and the design."""
    rng = np.random.default_rng(1)
    model, truth, difficulty = rated(rng, m=1000)
    m, n, k = truth.size, 150, 2
    q = 0.3 + difficulty / difficulty.mean()
    q /= q.sum()
    found = []
    for _session in range(300):
        if is_replaced:
            draws = draw(q, n, rng)
            weights = 1 / (m * q[draws])
            design = {"weights": weights}
        else:
            draws, q_draws = draw_without_replacement(q, n, rng)
            left = m - np.arange(n)
            term = 1 / (left * (left - 1))
            weights = term / q_draws + term[::-1].cumsum()[::-1] - term
            design = {"q_draws": q_draws}
        labels = truth[:, None] ^ (rng.random((m, k)) < difficulty[:, None])
        found.append((draws, labels[draws], weights, design))
    return model, found


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), Recall()], ids=lambda measure: measure.name)
@pytest.mark.parametrize("is_replaced", [True, False])
def test_the_parts_are_those_of_repeated_sessions(measure, is_replaced):
    model, each_session = sessions(is_replaced)
    positive = model.y_pred == 1

    def value(draws, labels, weights):
        """The measure by plain weighting, for labels of shape (n_draws, n_opinions)."""
        hit = ((positive[draws][:, None] & (labels == 1)).mean(axis=1) * weights).sum()
        wrong = ((positive[draws][:, None] != (labels == 1)).mean(axis=1) * weights).sum()
        missed = ((~positive[draws][:, None] & (labels == 1)).mean(axis=1) * weights).sum()
        if measure.name == "error rate":
            return wrong / weights.sum()
        return hit / (hit + missed) if "recall" in measure.name else hit / (hit + wrong / 2)

    one, both, splits = [], [], []
    for draws, labels, weights, design in each_session:
        one.append(value(draws, labels[:, :1], weights))
        both.append(value(draws, labels, weights))
        splits.append(variance_split(measure, model, draws, labels, **design))
    total, with_both = np.var(one), np.var(both)
    parts = np.mean([(each.instances, each.raters) for each in splits], axis=0)
    # One opinion a draw leaves B + W, two B + W/2.
    assert parts.sum() == pytest.approx(total, rel=0.25)
    assert parts[0] + parts[1] / 2 == pytest.approx(with_both, rel=0.25)
    # Of one opinion and two, only the raters' part differs.
    by_raters = 2 * np.var(np.subtract(one, both))
    assert parts[1] == pytest.approx(by_raters, rel=0.25)
    assert np.mean([each.value for each in splits]) == pytest.approx(by_raters / total, rel=0.25)


def test_the_interval_of_the_share_holds():
    rng = np.random.default_rng(2)
    model, truth, difficulty = rated(rng, mistakes=0.15)
    wrong = np.where(model.y_pred != truth, 1 - difficulty, difficulty)
    share = (wrong * (1 - wrong)).mean() / (wrong.mean() * (1 - wrong.mean()))
    inside, errors, values = [], [], []
    for _session in range(200):
        draws = draw(np.full(3000, 1 / 3000), 120, rng)
        labels = (truth[draws][:, None] ^ (rng.random((120, 2)) < difficulty[draws][:, None])).astype(object)
        labels[rng.random(120) < 0.5, 1] = None
        found = variance_split(ErrorRate(), model, draws, labels)
        inside.append(found.low <= share <= found.high)
        values.append(found.value)
        errors.append(found.standard_error)
    assert np.mean(inside) > 0.91
    assert abs(np.mean(values) - share) < 0.05
    assert 0.8 < np.mean(errors) / np.std(values) < 1.4


@pytest.mark.parametrize("n_differing", [4, 30])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_is_that_of_a_share_and_that_of_the_error(level, n_differing):
    model = ClassPredictions([[0.9, 0.1]] * 100)
    labels = np.array([[0, 0]] * 60 + [[1, 1]] * (40 - n_differing) + [[0, 1]] * n_differing)
    found = variance_split(ErrorRate(), model, range(100), labels, confidence_level=level)
    tail, share, error = (1 - level) / 2, found.value, found.standard_error
    size = share * (1 - share) / error**2
    size = min(size, 100) if n_differing < 10 else size
    size *= (norm.ppf(tail) / t.ppf(tail, 99)) ** 2
    low = beta.ppf(tail, share * size, size - share * size + 1)
    high = beta.ppf(1 - tail, share * size + 1, size - share * size)
    half = -t.ppf(tail, n_differing - 1) * error
    assert found.low == pytest.approx(max(0, min(low, share - half)), rel=1e-9)
    assert found.high == pytest.approx(min(1, max(high, share + half)), rel=1e-9)


def test_an_instance_that_is_drawn_again_keeps_its_opinions():
    rng = np.random.default_rng(3)
    model, truth, difficulty = rated(rng, m=200, mistakes=0.03)
    labels = truth[:, None] ^ (rng.random((200, 2)) < difficulty[:, None])
    once = variance_split(ErrorRate(), model, np.arange(200), labels)
    again = np.concatenate([np.arange(200), np.arange(200)])
    twice = variance_split(ErrorRate(), model, again, labels[again])
    # Its raters' part does not fall by drawing it again.
    assert twice.value == pytest.approx(2 * once.value, rel=1e-9)


def test_a_difference_of_two_models_has_a_split_too():
    rng = np.random.default_rng(4)
    model, truth, difficulty = rated(rng, m=300)
    other = ClassPredictions(rng.dirichlet([1, 1], size=300))
    labels = truth[:, None] ^ (rng.random((300, 2)) < difficulty[:, None])
    found = variance_split(ErrorRate(), [model, other], np.arange(300), labels)
    psi = (model.y_pred[:, None] != labels).astype(float) - (other.y_pred[:, None] != labels)
    share = psi.var(axis=1, ddof=1).mean() / np.square(psi - psi.mean()).mean()
    assert found.value == pytest.approx(share, rel=1e-12)


def test_draws_without_an_opinion_count_for_nothing():
    rng = np.random.default_rng(5)
    model, truth, difficulty = rated(rng, m=120)
    labels = (truth[:, None] ^ (rng.random((120, 2)) < difficulty[:, None])).astype(object)
    weights = rng.gamma(3, size=120)
    without = variance_split(ErrorRate(), model, range(100), labels[:100], weights=weights[:100])
    labels[100:] = None
    labels[110:] = np.nan
    found = variance_split(ErrorRate(), model, range(120), labels, weights=weights)
    assert found.n_draws == without.n_draws == 100
    for name in ("value", "standard_error", "low", "high", "instances", "raters"):
        assert getattr(found, name) == pytest.approx(getattr(without, name), rel=1e-12)


MODEL = ClassPredictions([[0.9, 0.1]] * 50)
UNKNOWN = {
    "nothing": ([[None, None]] * 50, "0 draws have two opinions, 40 are needed"),
    "39 double": ([[0, 1]] * 39 + [[0, None]] * 11, "39 draws have two opinions, 40 are needed"),
    "all agree": ([[0, 0]] * 25 + [[1, 1]] * 25, "no two opinions differ in what counts for the measure"),
    "not defined": ([[0, 0]] * 50, "the measure is not defined yet"),
}


@pytest.mark.parametrize(("ratings", "reason"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_not_known_yet(ratings, reason):
    measure = Recall() if "not defined" in reason else ErrorRate()
    found = variance_split(measure, MODEL, range(50), ratings)
    assert found.withheld
    assert found.reason == reason
    assert not found.is_defined
    assert (found.low, found.high) == (0, 1)
    plan = optimal_opinions(found, cost_of_instance=3)
    assert plan.withheld
    assert plan.reason == reason
    assert plan.n_opinions is None
    assert not plan.is_defined
    assert (plan.low, plan.high) == (1, 100)
    assert optimal_opinions(found, cost_of_instance=3, n_raters=4).high == 4
    # Where an instance costs nothing by itself, the answer needs no data.
    assert optimal_opinions(found).n_opinions == 1


def test_with_forty_double_labels_something_is_stated():
    ratings = [[0, 1], *[[0, 0]] * 20, *[[1, 1]] * 19, *[[0, None]] * 10]
    found = variance_split(ErrorRate(), MODEL, range(50), ratings, confidence_level=0.9)
    assert (found.withheld, found.confidence_level) == (False, 0.9)
    assert found.low < found.value
    # The opinions of one draw differ: one degree of freedom.
    assert found.high == pytest.approx(found.value + t.ppf(0.95, 1) * found.standard_error)


@pytest.mark.parametrize("costs", [0.2, 1, 1.95, 2.05, 4, 5.95, 6.05, 9, 30])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.8, 0.95])
def test_the_best_number_of_opinions(costs, share):
    plan = optimal_opinions(some_split(share), cost_of_instance=2 * costs, cost_of_opinion=2)
    left = {k: (1 - share + share / k) * (costs + k) for k in range(1, 99)}
    assert left[plan.n_opinions] == pytest.approx(min(left.values()), rel=1e-12)
    assert plan.value == pytest.approx(np.sqrt(costs * share / (1 - share)))
    assert abs(plan.n_opinions - max(plan.value, 1)) < 1
    assert plan.standard_error_ratio == pytest.approx(np.sqrt(left[plan.n_opinions] / left[1]))
    assert plan.standard_error_ratio <= 1
    assert plan.low == plan.high == plan.n_opinions


def test_without_a_cost_of_its_own_a_further_instance_is_always_better():
    for share in (0.01, 0.5, 1.0):
        plan = optimal_opinions(some_split(share))
        assert (plan.n_opinions, plan.standard_error_ratio) == (1, 1)
        assert (plan.value, plan.low, plan.high, plan.n_double) == (0, 1, 1, 80)


def test_no_more_opinions_than_people():
    assert optimal_opinions(some_split(0.9), cost_of_instance=30).n_opinions == 16
    assert optimal_opinions(some_split(0.9), cost_of_instance=30, n_raters=3).n_opinions == 3
    assert optimal_opinions(some_split(1.0), cost_of_instance=30).n_opinions == 100


def test_an_answer_that_may_cost_much_is_withheld():
    sure = optimal_opinions(some_split(0.5, 0.45, 0.55), cost_of_instance=4)
    assert (sure.n_opinions, sure.low, sure.high, sure.withheld) == (2, 2, 2, False)
    wide = optimal_opinions(some_split(0.5, 0.0, 0.97), cost_of_instance=4)
    assert wide.withheld
    assert wide.n_opinions is None
    assert (wide.low, wide.high) == (1, 11)
    assert wide.reason == "the best number may be 1 or 11: it takes more draws with two opinions"


BAD = {
    "cost": (lambda: optimal_opinions(some_split(), cost_of_instance=-1), ValueError, "cost_of_instance"),
    "free": (lambda: optimal_opinions(some_split(), cost_of_opinion=0), ValueError, "cost_of_opinion"),
    "nobody": (
        lambda: optimal_opinions(some_split(), cost_of_instance=1, n_raters=0),
        ValueError,
        "n_raters",
    ),
    "rows": (
        lambda: variance_split(ErrorRate(), MODEL, [0, 1], [[0, 0]]),
        ValueError,
        "ratings has 1 rows, expected one for each of 2 draws",
    ),
    "ragged": (
        lambda: variance_split(ErrorRate(), MODEL, [0, 1], [[0, 0], [0]]),
        ValueError,
        "rows of equal length",
    ),
    "no class": (lambda: variance_split(ErrorRate(), MODEL, [0], [[0, 7]]), ValueError, "7"),
    "outside": (lambda: variance_split(ErrorRate(), MODEL, [50], [[0, 0]]), ValueError, r"draws\[0\] is 50"),
    "no error": (
        lambda: variance_split(ErrorRate(), MODEL, range(50), [[0, 1]] * 50, standard_error=0),
        ValueError,
        "standard_error",
    ),
    "level": (
        lambda: variance_split(ErrorRate(), MODEL, [0], [[0, 0]], confidence_level=2),
        ValueError,
        "confidence_level",
    ),
}


@pytest.mark.parametrize(("call", "error", "message"), BAD.values(), ids=BAD)
def test_bad_arguments_have_one_clear_error(call, error, message):
    with pytest.raises(error, match=message):
        call()
