"""Plans against what sessions really took, closed forms, decisions, bad input."""

import itertools

import numpy as np
import pytest
from scipy.special import ndtri

from activeeval_widgets.stats import (
    ERR,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    LabelShare,
    MatthewsCorrelation,
    Plan,
    Planner,
    RankingPredictions,
    Recall,
    RootMeanSquaredError,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    asymptotic_variance,
    decide,
    draw,
    draw_without_replacement,
    estimate,
    labels_needed,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.planning._courses import _time_to
from activeeval_widgets.stats.planning._expected_course import ExpectedCourse
from activeeval_widgets.stats.planning._plug_in import plug_in_sample
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.questions.make import target_of


def two_columns(p):
    return np.column_stack([1 - p, p])


@pytest.fixture(scope="module")
def pool():
    rng = np.random.default_rng(31)
    p = rng.beta(0.4, 0.8, 2000)
    return ClassPredictions(two_columns(p)), (rng.random(2000) < p).astype(int)


@pytest.mark.parametrize("estimator", ["self_normalized", "difference"])
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), MatthewsCorrelation()], ids=repr)
def test_before_the_first_label_wald_is_the_closed_form(pool, measure, estimator):
    """n = (z σ_q / w)², σ_q² as the model promises; the plug-in sample stands for it within a few percent."""
    model, _ = pool
    q = optimal_q(measure, model, defensive=0.1)
    variance = asymptotic_variance(measure, model, q, estimator=estimator)
    expected = variance * (ndtri(0.975) / 0.02) ** 2
    plan = labels_needed(measure, model, q, half_width=0.02, interval="wald", estimator=estimator)
    assert plan.n_draws == pytest.approx(expected, rel=0.15)


def test_expected_labels_of_draws_with_replacement(pool):
    """Distinct instances: Σ 1 − (1 − q)^n, less those that have labels; by simulation."""
    model, y_true = pool
    q = optimal_q(ErrorRate(), model, defensive=0.1)
    planner = Planner(ErrorRate(), model, q, interval="wald")
    rng = np.random.default_rng(32)
    before = draw(q, 150, rng)
    plan = planner.plan(0.02, draws=before, y_true=y_true[before])
    known = set(before.tolist())
    new = [
        len(set(draw(q, int(plan.n_draws), rng).tolist()) - known)
        for _ in range(40)
    ]  # fmt: skip
    assert plan.n_labels == pytest.approx(np.mean(new), rel=0.02)
    assert plan.n_labels < plan.n_draws


def test_without_replacement_the_pool_is_used_up(pool):
    model, _ = pool
    options = {"half_width": 0.02, "interval": "wald", "estimator": "difference"}
    n = labels_needed(ErrorRate(), model, uniform_q(2000), **options).n_draws
    without = labels_needed(ErrorRate(), model, uniform_q(2000), replacement=False, **options)
    assert without.n_labels == pytest.approx(n / (1 + n / 2000), abs=2)


def test_draws_that_adapt_bring_their_own_probabilities(pool):
    model, y_true = pool
    q = optimal_q(ErrorRate(), model, defensive=0.1)
    rng = np.random.default_rng(40)
    draws = draw(q, 100, rng)
    planner = Planner(ErrorRate(), model, q)
    labels = y_true[draws]
    assert planner.plan(0.05, draws=draws, y_true=labels, q_draws=q[draws]) == planner.plan(
        0.05, draws=draws, y_true=labels
    )
    # Uniform without replacement: each is as good as one of 1/m.
    draws = rng.permutation(2000)[:100]
    labels = y_true[draws]
    uniform = Planner(ErrorRate(), model, uniform_q(2000), replacement=False, interval="wald")
    own = uniform.plan(0.02, draws=draws, y_true=labels, q_draws=1 / (2000 - np.arange(100)))
    assert own.n_labels == pytest.approx(uniform.plan(0.02, draws=draws, y_true=labels).n_labels, abs=1)
    n = labels_needed(ErrorRate(), model, uniform_q(2000), half_width=0.02, interval="wald").n_draws
    assert 0.6 * n / (1 + n / 2000) < own.n_labels + 100 < 1.6 * n / (1 + n / 2000)
    for wrong in ([0.1], np.zeros(100), np.full(100, 1.5)):
        with pytest.raises(ValueError, match="q_draws must hold a probability for each of 100 draws"):
            uniform.plan(0.02, draws=draws, y_true=labels, q_draws=wrong)


def settings():
    rng = np.random.default_rng(33)
    p = rng.beta(0.4, 0.8, 2000)
    model = ClassPredictions(two_columns(p))
    y = (rng.random(2000) < p).astype(int)
    shy = ClassPredictions(two_columns(p**0.4 / (p**0.4 + (1 - p) ** 0.4)))
    mean = rng.normal(size=2000)
    variance = rng.gamma(2, 0.3, 2000)
    labels = np.clip(rng.normal(mean, np.sqrt(variance)), -5, 5)
    values = ValuePredictions(mean, variance)
    return {
        "error rate": (ErrorRate(), model, y, optimal_q(ErrorRate(), model, defensive=0.1), None, 0.04),
        "recall": (Recall(), model, y, optimal_q(Recall(), model, defensive=0.1), None, 0.1),
        "underconfident": (ErrorRate(), shy, y, uniform_q(2000), None, 0.05),
        "squared error": (SquaredError(), values, labels, uniform_q(2000), (-5.0, 5.0), 0.25),
    }


def watched_until(sequence, draws, labels, is_over):
    """The interval after each draw, up to the first one at which it is as asked for, and a little on."""
    sequence.restart()
    low, high = np.empty((2, 0))
    for at in range(0, len(draws), 50):
        more = sequence.extend(draws[at : at + 50], labels[at : at + 50])
        low, high = np.append(low, more[0]), np.append(high, more[1])
        if is_over(low, high).any():
            break
    return low, high


@pytest.mark.slow
@pytest.mark.parametrize("name", settings())
def test_plans_hold_about_as_often_as_they_say(name):
    """Made at 0, 50 and 100 draws, held against the draw at which the watched interval was so narrow."""
    measure, model, y_true, q, y_range, wanted = settings()[name]
    rng = np.random.default_rng(34)
    planner = Planner(measure, model, q, y_range=y_range)
    sequence = ConfidenceSequence(measure, model, q, y_range=y_range)
    held = {0: [], 50: [], 100: []}
    off, first = [], planner.plan(wanted)
    for _ in range(10):
        draws = draw(q, 900, rng)
        low, high = watched_until(
            sequence, draws, y_true[draws], lambda low, high: (high - low) / 2 <= wanted
        )
        at = int(np.argmax((high - low) / 2 <= wanted)) + 1
        assert at > 100
        total = np.unique(draws[:at]).size
        for n in held:
            plan = first
            if n:
                known = {"draws": draws[:n], "y_true": y_true[draws[:n]]}
                plan = planner.plan(wanted, **known, current=(low[n - 1], high[n - 1]))
            assert 0 <= plan.low <= plan.n_labels <= plan.high
            truth = total - np.unique(draws[:n]).size
            held[n].append(plan.low <= truth <= plan.high)
            if n:
                off.append(plan.n_labels / truth)
    # Of 10 plans that hold with probability 0.8, fewer than 4 hold once in 1,000 times.
    assert min(sum(each) for each in held.values()) >= 4
    assert 0.6 < np.median(off) < 1.6


def sharpened(proba, power):
    return proba**power / (proba**power).sum(axis=1, keepdims=True)


def adaptive_session(measure, model, y_true, rng, wanted):
    """Draws, their probabilities, and the interval after each, until half of it is as narrow as wanted."""
    sequence = AdaptiveConfidenceSequence(measure, model)
    draws, probabilities, bounds = [], [], []
    while not bounds or bounds[-1][1] - bounds[-1][0] > 2 * wanted:
        q = adaptive_q(measure, model, draws, y_true[draws])
        more, of_more = draw_without_replacement(q, 10, rng)
        for each, probability in zip(more.tolist(), of_more, strict=True):
            draws.append(each)
            probabilities.append(probability)
            bounds.append(sequence.update(each, q, y_true[each]))
            if bounds[-1][1] - bounds[-1][0] <= 2 * wanted:
                break
    return np.array(draws), np.array(probabilities), bounds


@pytest.mark.slow
@pytest.mark.parametrize("power", [1.0, 4.0, 0.4], ids=["calibrated", "over-confident", "under-confident"])
@pytest.mark.parametrize(("measure", "wanted"), [(ErrorRate(), 0.07), (FMeasure(), 0.15)], ids=repr)
def test_plans_of_draws_that_adapt_hold_for_models_that_are_right_and_wrong(pool, measure, wanted, power):
    """Whatever the model believes of itself; and after a block of labels the plan is near what it takes."""
    right, y_true = pool
    model = ClassPredictions(sharpened(right.y_proba, power), y_pred=right.y_pred)
    rng = np.random.default_rng(41)
    planner = Planner(measure, model)
    held = {0: [], 10: [], 40: []}
    off, first = [], planner.plan(wanted)
    for _ in range(6):
        draws, probabilities, bounds = adaptive_session(measure, model, y_true, rng, wanted)
        for n, kept in held.items():
            known = {"draws": draws[:n], "y_true": y_true[draws[:n]], "q_draws": probabilities[:n]}
            plan = planner.plan(wanted, **known, current=bounds[n - 1]) if n else first
            kept.append(plan.low <= len(draws) - n <= plan.high)
            if n == 40:
                off.append(plan.n_labels / (len(draws) - n))
    # Of 6 plans that hold with probability 0.8, fewer than 3 hold in 2 % of such tests.
    assert min(sum(each) for each in held.values()) >= 3
    assert 0.5 < np.median(off) < 2


def test_a_course_without_replacement_is_the_growth_of_the_bets(pool):
    """As with replacement, but for what the pool being used up gains, where expectations are no help."""
    model = ClassPredictions(np.full((2000, 2), 0.5))
    target = target_of(ErrorRate(), [model])
    course = ExpectedCourse(target, mixture([model]), 0.95, None, uniform_q(2000))
    assert course.center == pytest.approx(0.5, abs=0.05)
    # Of draws without replacement it takes fewer than of those with it, by about 1 + n/m.
    with_replacement = Planner(ErrorRate(), model, uniform_q(2000)).plan(0.05).n_draws
    without = course.draws_for(0.05)
    assert without * (1 + without / 2000) == pytest.approx(with_replacement, rel=0.2)
    assert course.draws_for(0.6) == 0
    assert course.draws_for(1e-5) == np.inf


def test_a_course_uses_up_what_is_most_informative():
    """A tenth of the pool is in doubt: draws that adapt take it first."""
    p = np.where(np.arange(1000) < 100, 0.5, 0.001)
    model = ClassPredictions(two_columns(p))
    target = target_of(ErrorRate(), [model])
    adapts = ExpectedCourse(target, mixture([model]), 0.95, None)
    uniform = ExpectedCourse(target, mixture([model]), 0.95, None, uniform_q(1000))
    assert adapts.draws_for(0.03) < 0.8 * uniform.draws_for(0.03)
    left, counts = np.ones(1000), np.ones(1000)
    drawn = uniform._drawn(3, left, counts, uniform._informed, uniform._favored, uniform._scale)
    n_draws = uniform._times[4] - uniform._times[3]
    assert (-np.expm1(-drawn)).sum() == pytest.approx(n_draws, rel=1e-3)


def test_without_a_model_it_is_the_plan_of_uniform_draws_whose_labels_alone_count(pool):
    """Equal to the plan for a model that tells instances apart by nothing, whatever the model tells."""
    p = np.random.default_rng(1).beta(0.5, 1, 2000)
    model, result = (
        ClassPredictions(two_columns(p)),
        ClassPredictions(np.tile([1 - p.mean(), p.mean()], (2000, 1))),
    )
    measure = LabelShare(1)
    alone = Planner(measure, model, without_model=True).plan(0.06)
    same = Planner(measure, result, uniform_q(2000), replacement=False).plan(0.06)
    assert alone.n_labels == pytest.approx(same.n_labels, rel=0.05)
    assert Planner(measure, model).plan(0.06).n_labels < 0.8 * alone.n_labels
    # Where there is nothing to choose and nothing to expect, the model is no help.
    assert Planner(measure, result).plan(0.06).n_labels == pytest.approx(alone.n_labels, rel=0.1)
    with pytest.raises(ValueError, match="leave out q"):
        Planner(measure, model, uniform_q(2000), without_model=True)


def test_rows_with_counts_stand_for_as_many_instances():
    """It takes more labels than there are rows."""
    p = np.linspace(0.05, 0.95, 40)
    grouped = ClassPredictions(two_columns(p)).with_counts(np.full(40, 50))
    plain = ClassPredictions(two_columns(np.repeat(p, 50)))
    planned = Planner(ErrorRate(), grouped).plan(0.05).n_labels
    assert 100 < planned == pytest.approx(Planner(ErrorRate(), plain).plan(0.05).n_labels, rel=0.1)


def test_a_root_is_planned_for_by_its_square():
    """RMSE ± w: where the square's interval has ends whose roots are 2w apart."""
    rng = np.random.default_rng(42)
    values = ValuePredictions(rng.normal(size=800), np.full(800, 1.0))
    courses = [
        ExpectedCourse(target_of(measure, [values]), mixture([values]), 0.95, (-4.0, 4.0))
        for measure in (RootMeanSquaredError(), SquaredError())
    ]
    root, square = courses
    assert root.center == pytest.approx(square.center**0.5)
    assert root.draws_to(0.3) == pytest.approx(
        square.draws_to((root.center + 0.3) ** 2 - square.center), rel=0.1
    )


def test_the_less_is_known_of_the_model_the_wider_the_range(pool):
    model, y_true = pool
    planner = Planner(ErrorRate(), model)
    rng = np.random.default_rng(43)
    ranges = []
    for n in (0, 20, 200):
        draws = rng.permutation(2000)[:n]
        plan = planner.plan(0.03, draws=draws, y_true=y_true[draws])
        ranges.append((plan.high + n) / (plan.low + n))
        assert plan.low <= plan.n_labels <= plan.high
    assert ranges[0] > ranges[1] > ranges[2]
    assert planner.plan(0.05).is_vague
    assert not Plan(100, 60, 240, 100).is_vague
    assert Plan(100, 60, 241, 100).is_vague
    assert not Plan(5, 1, 20, 5).is_vague
    assert Plan(np.nan, 0, np.inf, np.nan).is_vague


def test_draws_in_all_are_those_of_the_likely_way(pool):
    model, _ = pool
    for q in (None, uniform_q(2000)):
        planner = Planner(ErrorRate(), model, q, replacement=False)
        [in_all] = planner.draws_in_all([0.05])
        assert planner.plan(0.05).n_draws == np.ceil(in_all)


def test_other_labels_or_probabilities_of_the_same_draws_have_another_plan(pool):
    """What a planner keeps of the draws that it was asked about last is of those."""
    model, _ = pool
    kept, draws, plans = Planner(ErrorRate(), model), np.arange(3), []
    for labels, q in (([0, 1, 0], 1e-3), ([0, 1, 1], 1e-3), ([0, 1, 1], [1e-3, 2e-3, 1e-3])):
        given = {"draws": draws, "y_true": labels, "q_draws": np.broadcast_to(q, 3)}
        plans.append([each.plan_decision(0.3, **given) for each in (kept, Planner(ErrorRate(), model))])
        assert plans[-1][0] == plans[-1][1]
    assert len({own for own, _ in plans}) == 3


@pytest.mark.parametrize("options", [{"q": uniform_q(2000)}, {"without_model": True}], ids=str)
def test_costs_are_for_draws_that_adapt(pool, options):
    with pytest.raises(ValueError, match=r"^costs are for draws that adapt: leave out costs, or q and"):
        Planner(ErrorRate(), pool[0], costs=np.ones(2000), **options)


def test_values_without_a_range_are_planned_for_in_the_range_that_is_assumed():
    """A narrower interval takes no fewer labels, and uniform draws take what a session of them does."""
    rng = np.random.default_rng(44)
    values = ValuePredictions(rng.normal(size=3000), rng.gamma(2, 0.3, 3000))
    y_true = rng.normal(values.mean, np.sqrt(values.variance))
    widths = [20.0, 10.0, 5.0, 3.0, 2.0]
    for planner in (
        Planner(SquaredError(), values),
        Planner(SquaredError(), values, uniform_q(3000), replacement=False),
    ):
        plans = [planner.plan(width).n_labels for width in widths]
        assert plans == sorted(plans)
    draws = rng.permutation(3000)[:150]
    low, high = AdaptiveConfidenceSequence(SquaredError(), values).extend(
        draws, uniform_q(3000), y_true[draws]
    )
    plan = planner.plan((high[-1] - low[-1]) / 2)
    assert plan.low <= 150 <= plan.high


def test_no_label_is_needed_where_the_interval_is_narrow(pool):
    model, y_true = pool
    q = uniform_q(2000)
    planner = Planner(ErrorRate(), model, q)
    assert planner.plan(0.05, current=(0.2, 0.29)).n_labels == 0
    assert planner.plan(0.05, current=(0.2, 0.31)).n_labels >= 1
    # As wide as the range is enough.
    assert planner.plan(0.6).n_labels == 0
    # Nearly there, whatever was planned: at least one.
    draws = draw(q, 1500, np.random.default_rng(35))
    plan = planner.plan(0.05, draws=draws, y_true=y_true[draws], current=(0.2, 0.301))
    assert plan.n_labels >= plan.low >= 1


def test_unreachable_within_the_pool(pool):
    model, _ = pool
    for interval in ("wald", "confidence_sequence"):
        plan = labels_needed(ErrorRate(), model, uniform_q(2000), half_width=1e-4, interval=interval)
        assert plan.n_labels == plan.high == np.inf


def test_nothing_is_known_before_labels_of_values_without_variances():
    rng = np.random.default_rng(36)
    values = ValuePredictions(rng.normal(size=500))
    y_true = values.mean + rng.normal(size=500)
    q = uniform_q(500)
    planner = Planner(SquaredError(), values, q, interval="wald")
    plan = planner.plan(0.3)
    assert np.isnan(plan.n_labels)
    assert (plan.low, plan.high) == (0, np.inf)
    draws = draw(q, 60, rng)
    plan = planner.plan(0.3, draws=draws, y_true=y_true[draws])
    error = estimate(SquaredError(), values, q, draws, y_true[draws]).standard_error
    assert plan.n_draws == pytest.approx(60 * (ndtri(0.975) * error / 0.3) ** 2 - 60, abs=2)
    # A constant label says that nothing varies.
    assert planner.plan(0.3, draws=[3] * 10, y_true=[1.0] * 10).n_labels == 0


def test_rankings_two_models_and_asymptotic_sequences_have_plans(pool):
    model, _ = pool
    second = ClassPredictions(model.y_proba, y_pred=(model.y_proba[:, 1] > 0.6).astype(int))
    q = optimal_q(ErrorRate(), [model, second], defensive=0.1)
    assert 0 < labels_needed(ErrorRate(), [model, second], q, half_width=0.01).n_labels < 2000
    assert labels_needed(FMeasure(), [model, second], q, half_width=0.02).n_draws >= 100
    rng = np.random.default_rng(37)
    relevance = rng.dirichlet([1, 1], (300, 5))
    rankings = RankingPredictions([range(5)] * 300, relevance, grades=[0, 1])
    plan = labels_needed(ERR(), rankings, uniform_q(300), half_width=0.1)
    assert 0 < plan.n_labels < 300
    draws = [0, 1, 2]
    labels = [dict.fromkeys(range(5), 1), None, {i: i % 2 for i in range(5)}]
    assert np.isfinite(
        labels_needed(ERR(), rankings, uniform_q(300), half_width=0.1, draws=draws, y_true=labels).n_labels
    )


@pytest.mark.slow
def test_decisions_and_how_far_they_are(pool):
    model, y_true = pool
    truth = pool_value(ErrorRate(), model, y_true)
    q = optimal_q(ErrorRate(), model, defensive=0.1)
    planner = Planner(ErrorRate(), model, q)
    sequence = ConfidenceSequence(ErrorRate(), model, q)
    threshold = truth + 0.08
    rng = np.random.default_rng(38)
    took, planned, held = [], [], 0
    for _ in range(10):
        draws = draw(q, 600, rng)
        _, high = watched_until(sequence, draws, y_true[draws], lambda _, high: high < threshold)
        at = int(np.argmax(high < threshold)) + 1
        took.append(np.unique(draws[:at]).size)
        plan = planner.plan_decision(threshold, draws=draws[:50], y_true=y_true[draws[:50]])
        planned.append(plan.n_labels + np.unique(draws[:50]).size)
        held += plan.low <= took[-1] - np.unique(draws[:50]).size <= plan.high
    assert 0.4 < np.median(planned) / np.median(took) < 2.5
    assert held >= 5
    assert planner.plan_decision(threshold, current=(0.1, threshold - 0.01)).n_labels == 0
    # Where the threshold is the estimate, it may take all labels that there are.
    seen = {"draws": draws[:50], "y_true": y_true[draws[:50]]}
    center = planner._forecast(seen["draws"], seen["y_true"], None).center
    undecided = planner.plan_decision(center, **seen)
    assert undecided.n_labels > 2 * np.median(took)
    assert undecided.high == np.inf
    # Before any label nobody knows how far it is.
    assert np.isnan(planner.plan_decision(threshold).n_labels)


def test_decide():
    assert [decide(*each, 0.05) for each in ((0.01, 0.04), (0.01, 0.05), (0.05, 0.1), (0.06, 0.1))] == [
        "below", None, None, "above",
    ]  # fmt: skip


def test_the_plug_in_sample_is_as_the_model_says():
    proba = np.array([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
    q = np.array([0.5, 0.0, 0.5])
    target = target_of(ErrorRate(), [ClassPredictions(proba)])
    z, draws = plug_in_sample(target, q, 4000)
    np.testing.assert_array_equal(np.bincount(draws), [2000, 0, 2000])
    np.testing.assert_allclose([z[draws == i].mean() for i in (0, 2)], [0.1, 0.25], atol=0.03)
    again, _ = plug_in_sample(target, q, 4000)
    np.testing.assert_array_equal(z, again)


def test_the_time_of_several_players():
    for rates in itertools.permutations([0.1, -0.2, 0.01]):
        t = _time_to(np.array(rates), np.log([0.2, 0.3, 0.5]), 3.0)
        total = np.sum([0.2, 0.3, 0.5] * np.exp(np.array(rates) * t))
        assert np.log(total) == pytest.approx(3, abs=1e-6)
    assert _time_to(np.array([-0.1, 0.0]), np.log([0.5, 0.5]), 3.0) == np.inf


BAD = [
    ({"half_width": 0}, "half_width must be a number > 0, got 0"),
    ({"half_width": 0.1, "interval": "t"}, "interval must be one of 'confidence_sequence', 'wald', got 't'"),
    ({"half_width": 0.1, "estimator": "best"}, "estimator must be one of"),
    ({"half_width": 0.1, "current": (0.3, 0.2)}, r"current must be an interval .* got \(0.3, 0.2\)"),
    ({"half_width": 0.1, "draws": [0, 1], "y_true": [0]}, "y_true must hold one label for each of 2 draws"),
    ({"half_width": 0.1, "y_range": (0, 1)}, "y_range is for labels that are values"),
    ({"half_width": 0.1, "confidence_level": 1.0}, "confidence_level must be"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_input_has_one_clear_error(options, message):
    model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
    with pytest.raises(ValueError, match=message):
        labels_needed(ErrorRate(), model, uniform_q(3), **options)


def test_bad_thresholds():
    planner = Planner(ErrorRate(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), uniform_q(2))
    with pytest.raises(ValueError, match=r"threshold.* is nan, expected a finite number"):
        planner.plan_decision(np.nan)
    with pytest.raises(ValueError, match="low must be at most high, got 2 and 1"):
        decide(2, 1, 0)
