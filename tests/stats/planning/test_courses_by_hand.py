"""What plans are made of, held against slow or hand-computed counterparts."""

from itertools import pairwise
from math import exp, hypot, inf, log, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    LabelShare,
    MatthewsCorrelation,
    Plan,
    Planner,
    RootMeanSquaredError,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    asymptotic_variance,
    uniform_q,
)
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.anytime.asymptotic import standard_errors
from activeeval_widgets.stats.anytime.bets import HORIZONS, LARGEST_STAKE, SHARES, best_mixture
from activeeval_widgets.stats.anytime.deadlines import ADAPTIVE_ALLOCATION
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.planning._courses import BettingCourse, Course
from activeeval_widgets.stats.planning._expected_course import (
    ExpectedCourse,
    Possible,
    _Atoms,
    _first_below,
    _Stage,
    _Tests,
)
from activeeval_widgets.stats.planning._expected_draws import _trust
from activeeval_widgets.stats.planning._forecasts import _Expected, _powers
from activeeval_widgets.stats.planning._labels_of_draws import LabelsOfDraws
from activeeval_widgets.stats.planning._plug_in import plug_in_sample
from activeeval_widgets.stats.planning.planner import _from_now
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.questions.make import target_of

COIN = ClassPredictions(np.full((2000, 2), 0.5))
Q = uniform_q(2000)


def course_of_bets():
    course = BettingCourse(EstimatingEquation(target_of(ErrorRate(), [COIN]), Q, None), 0.95)
    # Of a coin, expectations are no help: both streams are the loss itself.
    rows = np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
    return course, rows


@pytest.mark.parametrize(("share", "distance"), [(0.5, 0.05), (0.5, -0.05), (0.1, 0.08), (0.1, -0.06)])
def test_bets_win_when_the_mean_growth_of_all_players_reaches_the_goal(share, distance):
    """0.85 of the time at which Σ share/2 · exp(t E log(1 + λ Z)) is 20, with λ as `Bets` has it."""
    course, rows = course_of_bets()
    candidate = share + distance
    z, chances = np.array([1 - candidate, -candidate]), np.array([share, 1 - share])
    side = -np.sign(distance)
    most = LARGEST_STAKE / -min(side * z)
    stakes = [side * min(sqrt(2 * log(2 / 0.05) / (h * (chances @ z**2))), most) for h in HORIZONS]
    rates = [chances @ np.log1p(stake * z) for stake in stakes]

    def excess(t):
        return sum(part / 2 * exp(rate * t) for part, rate in zip(SHARES, rates, strict=True)) - 20

    expected = 0.85 * brentq(excess, 0, 2e4)
    assert course.draws_to(rows, chances, share, distance) == pytest.approx(expected, rel=1e-3)


class Roots(Course):
    """Ends come nearer with 1/sqrt(n), the lower one `slow` times as far away as the upper one."""

    def __init__(self, middle, slow=1.0):
        self.range, self._middle, self._slow = (0.0, 1.0), middle, slow

    def rows(self, z, draws, weights):
        raise NotImplementedError

    def deviations(self, rows, share, center):
        raise NotImplementedError

    def center(self, rows, share):
        return self._middle

    def draws_to(self, rows, share, center, distance):
        return ((self._slow if distance < 0 else 1.0) / distance) ** 2


@pytest.mark.parametrize(
    ("middle", "slow", "half_width", "expected"),
    [
        (0.5, 1.0, 0.1, 100.0),
        (0.5, 3.0, 0.1, (3 / 0.15) ** 2),  # the ends get three quarters and one quarter of the width
        (0.05, 1.0, 0.1, (1 / 0.15) ** 2),  # the lower end is never farther away than 0.05
        (0.95, 1.0, 0.1, (1 / 0.15) ** 2),
        (0.5, 1.0, 0.5, 0.0),
        (0.5, 1.0, 0.3, (1 / 0.3) ** 2),
        (np.nan, 1.0, 0.1, inf),
    ],
)
def test_both_ends_share_the_width(middle, slow, half_width, expected):
    assert Roots(middle, slow).draws_for(None, None, half_width) == pytest.approx(expected, rel=1e-9)


def test_stages_of_a_large_pool_are_the_growth_of_the_bets():
    """Where hardly anything is used up: as many draws as with replacement."""
    large = ClassPredictions(np.full((4, 2), 0.5)).with_counts(np.full(4, 10**7))
    course = ExpectedCourse(target_of(ErrorRate(), [large]), mixture([large]), 0.95, None)
    bets, rows = course_of_bets()
    shares = np.array([course.center, 1 - course.center])
    for distance in (0.1, -0.1, 0.03, -0.03):
        assert course.draws_to(distance) == pytest.approx(
            bets.draws_to(rows, shares, course.center, distance), rel=0.05
        )
    assert course.draws_to(0.0) == inf


def test_bets_that_begin_with_a_constant_stake():
    """Of 1,000 instances 600 count 1: bets on uniform draws against 0.4 and 0.8."""
    counts = np.array([600.0, 400.0])
    ones, parts = np.ones(2), np.array([[1.0, 1.0], [0.0, 1.0]])
    possible = np.array([[[num, den]] * 2 for num, den in ((0, 0), (1, 1), (0, 1))], dtype=float)
    expected = np.full((2, 2), [0.3, 1.0])
    atoms = _Atoms(counts, ones, ones, ones, ones, ones, parts, expected, possible)
    tests = _Tests.of(atoms, 0.6, np.array([0.2]), ADAPTIVE_ALLOCATION)
    stage = _Stage(0.0, 10.0, 0 * counts, counts, ones / 1000, 1000 * ones, 1 / 1000)
    early = tests.after(stage, log(20)).growth
    for at, (candidate, side) in enumerate([(0.4, 1), (0.8, -1)]):
        gains = [side * (label - candidate) for label in (1, 0)]
        for stake, growth in zip((0.3, 0.75), early[-2:, at], strict=True):
            mean = sum(
                n / 1000 * log(1 + stake * gain / -min(gains)) for n, gain in zip(counts, gains, strict=True)
            )
            assert growth == pytest.approx(10 * mean, rel=1e-12)
    # On each side, half of the wealth: 0.1 and 0.05 of it are theirs.
    won = tests._replace(growth=np.array([[log(3)] * 2] * 5 + [[log(5)] * 2, [log(7)] * 2]))
    wealth = (0.85 * 3 + 0.1 * 5 + 0.05 * 7) / 2
    np.testing.assert_allclose(won.capital(0 * counts, counts), log(wealth))


@pytest.mark.parametrize("n_before", [0, 40])
def test_bets_of_a_stage(n_before):
    """Against 0.4 and 0.8, where 600 of 1,000 instances count 1 and 15 are drawn, with a control variate."""
    seen, left, ones = np.array([5.0, 10.0]), np.array([595.0, 390.0]), np.ones(2)
    labels, expected, q, weight = np.array([1.0, 0.0]), np.array([0.7, 0.1]), 1 / 985, 1 / 1000
    parts, expectations = (np.column_stack([each, ones]) for each in (labels, expected))
    possible = np.array([[[num, den]] * 2 for num, den in ((0, 0), (1, 1), (0, 1))], dtype=float)
    atoms = _Atoms(seen + left, ones, ones, ones, ones, ones, parts, expectations, possible)
    known = 50 * np.array([0.3, 0.1, 0.2])
    tests = _Tests.of(atoms, 0.6, np.array([0.2]), ADAPTIVE_ALLOCATION)
    if n_before:
        tests = tests._replace(squares=np.tile(known, (2, 1)).T)
    found = tests.after(_Stage(n_before, 10.0, seen, left, q * ones, ones / q, weight), log(20))
    for at, (candidate, side) in enumerate([(0.4, 1), (0.8, -1)]):
        a, e = (side * (each - candidate) for each in (labels, expected))
        drawn, chances = seen @ a, left * q
        total = drawn + left @ e
        plain, adjusted = weight * (drawn + a / q), weight * (total + (a - e) / q)
        squares = np.array([chances @ each for each in (plain**2, plain * adjusted, adjusted**2)])
        # At first as if the labels were the model's, so that only the stream with expectations counts.
        strength, spread = (2 / 3, 1 / 6) if n_before else (1.0, squares[2])
        z = (1 - strength) * plain + strength * adjusted
        losses = -weight * (drawn + min(a) / q), -weight * (total + (min(a) - max(e)) / q)
        most = LARGEST_STAKE / ((1 - strength) * losses[0] + strength * losses[1])
        stakes = [min(sqrt(2 * log(2 * 20) / (h * spread)), most) for h in HORIZONS]
        growth = [10 * chances @ np.log1p(stake * z) for stake in stakes]
        # Those that begin with a constant stake, on the plain stream, later stake what is best for 80 draws.
        constant = [10 * chances @ np.log1p(stake / losses[0] * plain) for stake in (0.3, 0.75)]
        growth += [growth[1]] * 2 if n_before else constant
        assert found.growth[:, at] == pytest.approx(growth, rel=1e-12)
        assert n_before or stakes[0] == most > stakes[-1]
        before = known if n_before else 10 * squares[[0, 2, 2]]
        assert found.squares[:, at] == pytest.approx(before + 10 * squares, rel=1e-12)


def test_terms_of_later_stages_count_by_the_inverse_of_their_variance(monkeypatch):
    stages, variances, variance_of, after = [], [], ExpectedCourse._variance, _Tests.after

    def variance(self, *given):
        variances.append(variance_of(self, *given))
        return variances[-1]

    def bet(self, stage, goal):
        stages.append(stage)
        return after(self, stage, goal)

    monkeypatch.setattr(ExpectedCourse, "_variance", variance)
    monkeypatch.setattr(_Tests, "after", bet)
    model = ClassPredictions(np.column_stack([np.linspace(0.5, 0.99, 50), np.linspace(0.5, 0.01, 50)]))
    ExpectedCourse(target_of(ErrorRate(), [model]), mixture([model]), 0.95, None)
    assert variances[-1] < 0.5 * variances[0]
    assert [each.weight for each in stages] == pytest.approx(variances[0] / np.array(variances) / 50)


def test_instances_that_limit_stakes_are_seldom_drawn_or_move_a_term_far():
    p, costs = np.linspace(0.5, 0.99, 100), np.linspace(1, 9, 100)
    model = ClassPredictions(np.column_stack([p, 1 - p]))
    course = ExpectedCourse(target_of(ErrorRate(), [model]), mixture([model]), 0.95, None, costs=costs)
    informed = course._informed / course._informed.mean()
    least = np.argsort((informed + 1) / np.sqrt(costs))[:24]
    assert set(course._corners(np.ones(100))) == set(least)
    assert set(course._corners(np.where(p > 0.9, 1.0, 1e-9))) >= set(np.flatnonzero(p > 0.9))


def test_a_course_without_a_control_variate_expects_nothing():
    coin = ClassPredictions(np.full((40, 2), 0.5))
    target, belief = target_of(ErrorRate(), [coin]), mixture([coin])
    for is_control, expected in ((True, [0.5, 1.0]), (False, [0.0, 1.0])):
        course = ExpectedCourse(target, belief, 0.95, None, is_control=is_control)
        atoms = course._atoms(belief, Possible.of(target, None), None)
        assert atoms.expected == pytest.approx(np.tile(expected, (len(atoms.counts), 1)))


def test_the_course_of_a_root_ends_at_the_roots_of_the_ends():
    values = ValuePredictions(np.linspace(1, 9, 60), np.full(60, 0.5))
    squares, roots = (
        ExpectedCourse(target_of(measure, [values]), mixture([values]), 0.95, (0.0, 10.0))
        for measure in (SquaredError(), RootMeanSquaredError())
    )
    for distance, ends in ((0.5, squares._above), (-0.5, squares._below)):
        assert squares.draws_to(distance) == _first_below(squares._times, ends, 0.5)
    assert squares.draws_to(0.5) != squares.draws_to(-0.5)
    assert roots.center == sqrt(squares.center)
    assert roots._below == pytest.approx(roots.center - np.sqrt(squares.center - squares._below))
    assert roots._above == pytest.approx(np.sqrt(squares.center + squares._above) - roots.center)
    assert roots._halves == pytest.approx((roots._below + roots._above) / 2)


def test_the_course_of_a_standard_error():
    """Of a measure without bets, by uniform draws from a large pool: the boundary times sqrt(V/n)."""
    proba = np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]])
    model = ClassPredictions(proba)
    large = model.with_counts(np.full(3, 10**7))
    measure = MatthewsCorrelation()
    course = ExpectedCourse(target_of(measure, [large]), mixture([large]), 0.95, None, uniform_q(3))
    variance = asymptotic_variance(measure, model, uniform_q(3), estimator="difference")
    for n in course._times[[8, 12, 20]]:
        half = standard_errors(n, 0.95) * sqrt(variance / n)
        assert course.draws_for(half) == pytest.approx(n, rel=1e-3)


def test_draws_of_a_stage():
    """By q without any uniform share if it is given, at the middle of the stage."""
    model = ClassPredictions(np.full((4, 2), 0.5)).with_counts(np.full(4, 100))
    q = np.array([0.7, 0.1, 0.1, 0.1])
    course = ExpectedCourse(target_of(ErrorRate(), [model]), mixture([model]), 0.95, None, q)
    left, counts = np.ones(4), np.full(4, 100.0)
    drawn = course._drawn(2, left, counts, course._informed, course._favored, course._scale)
    assert drawn[0] / drawn[1] == pytest.approx(7)
    assert counts @ -np.expm1(-drawn) == pytest.approx(course._times[3] - course._times[2], rel=1e-3)
    middle, of_middle = course._mean_q(left, drawn, counts)
    np.testing.assert_allclose(middle, np.exp(-drawn / 2))
    np.testing.assert_allclose(of_middle, drawn / (counts * middle @ drawn))
    # A uniform draw of four, and that of the only one that is left, which varies no more.
    variances = np.full(4, 2.0)
    assert course._variance(np.ones(4), np.full(4, 0.25), variances) == (4 * 8 - 8) / 400**2
    assert course._variance(np.eye(4)[0], np.eye(4)[0], variances) == pytest.approx(0, abs=1e-100)


def test_votes_guide_the_first_draws_of_a_course_as_they_guide_later_ones():
    votes = ClassPredictions.from_votes([["a", "a"], ["a", "b"], ["b", "b"], [None, "a"]])
    belief = recalibrate(LabelShare("a"), [votes], [], [], with_labels=True)
    course, ones = ExpectedCourse(target_of(LabelShare("a"), [votes]), belief, 0.95, None), np.ones(4)
    drawn = course._drawn(0, ones, ones, course._informed, course._favored, course._scale)
    assert drawn / drawn.sum() == pytest.approx(adaptive_q(LabelShare("a"), votes), rel=1e-9)


def test_labels_outweigh_a_model_that_they_contradict():
    """It counts as 40 draws, or as two; labels without replacement as n/(1 − n/m)."""
    draws, labels = np.arange(100), np.arange(100) % 2
    for error, trust in ((0.5, 1.0), (0.01, 0.05)):
        model = ClassPredictions(np.tile([1 - error, error], (2000, 1)), y_pred=np.zeros(2000, dtype=int))
        for replacement, worth in ((True, 100), (False, 100 / 0.95)):
            planner = Planner(ErrorRate(), model, Q, interval="wald", replacement=replacement)
            seen = planner._forecast(draws, labels, None)
            weight = 40 * trust
            center = (weight * error + worth * 0.5) / (weight + worth)
            assert seen.worth == pytest.approx(worth)
            assert seen.center == pytest.approx(center, abs=0.02)
            assert seen.error == pytest.approx(sqrt(center * (1 - center) / (worth + 40)), rel=0.02)
            unknown = worth / (worth + 40) / (0.75**-2 + worth)
            assert seen.deviation(50) == pytest.approx(sqrt(unknown + 1 / 50 + 0.33**2), rel=0.01)


@pytest.mark.parametrize(
    ("center", "variance", "trust"),
    [
        (0.0, 1.0, 1.0),
        (0.4, 1.0, 1.0),  # 10 · 0.4² = 1.6: as far as two standard normal squares are on average
        (0.6, 1.0, exp(1 - 3.6 / 2)),
        (-0.6, 1.0, exp(1 - 3.6 / 2)),
        (0.0, 3.0, exp(1 - 10 * log(2) ** 2 / 2)),  # the promised variance counts for 10 draws
        (1.0, 1.0, 0.05),
    ],
)
def test_trust_in_a_model_by_value_and_variance_of_ten_draws(center, variance, trust):
    course = SimpleNamespace(
        center=lambda rows, share: share @ rows, deviations=lambda rows, share, center: rows - center
    )
    expected, rows = np.array([-1.0, 1.0]), center + sqrt(variance) * np.tile([-1.0, 1.0], 5)
    assert _trust(course, expected, rows) == pytest.approx(trust, rel=1e-12)


def test_a_course_is_interpolated_on_the_scale_of_logarithms():
    times = np.array([0.0, 10.0, 30.0])
    assert _first_below(times, np.array([1.0, 0.4, 0.1]), 0.2) == pytest.approx(20)
    assert _first_below(times, np.array([1.0, 0.4, 0.1]), 0.4) == pytest.approx(10)
    assert _first_below(times, np.array([0.0, -1.0, -3.0]), -2.0) == pytest.approx(20)
    assert _first_below(times, np.array([1.0, 0.4, 0.1]), 1.0) == 0
    assert _first_below(times, np.array([1.0, 0.4, 0.1]), 0.05) == inf


def test_the_best_mixture_of_two_streams():
    rng = np.random.default_rng(1)
    plain = rng.normal(size=500)
    adjusted = 0.7 * plain + rng.normal(0, 0.5, 500)
    squares = np.array([[plain @ plain], [plain @ adjusted], [adjusted @ adjusted]]) / 500
    strength, variance = best_mixture(*squares)
    grid = np.linspace(0, 1, 1001)
    means = [np.mean(((1 - k) * plain + k * adjusted) ** 2) for k in grid]
    assert strength[0] == pytest.approx(grid[np.argmin(means)], abs=1e-3)
    assert variance[0] == pytest.approx(min(means), rel=1e-4)


def test_the_draws_so_far_set_the_pace():
    """Half as wide as in the beginning after 25 draws, where 50 were planned: it goes faster."""
    pace = (25 / 50) ** (0.6 * 0.5 * 25 / 65)
    assert _from_now(100.0, (50.0, 0.5), 25.0) == pytest.approx(25 + pace * (100 - 50))
    # Of a lead, only a share may count; of what is behind, all does.
    assert _from_now(100.0, (50.0, 0.5), 25.0, 0.2) == pytest.approx(25 + pace * (100 - 30))
    pace = (25 / 10) ** (0.6 * 0.5 * 25 / 65)
    assert _from_now(100.0, (10.0, 0.5), 25.0, 0.2) == pytest.approx(25 + pace * (100 - 10))
    assert _from_now(100.0, None, 25.0) == 100
    assert _from_now(10.0, None, 25.0) == 25
    assert _from_now(inf, (50.0, 0.5), 25.0) == inf


def test_labels_that_are_still_to_come():
    even = uniform_q(100)
    drawn = np.arange(10)
    # 40 draws more meet 1 − 0.99^40 of the 90 that have no label.
    assert LabelsOfDraws(even, replacement=True).of(55, 15, drawn) == pytest.approx(90 * (1 - 0.99**40))
    assert LabelsOfDraws(even, replacement=True).of(15, 15, drawn) == 0
    # Without replacement 25 draws with it are worth 20.
    assert LabelsOfDraws(even, replacement=False).of(25, 10, drawn) == pytest.approx(10)
    for replacement in (True, False):
        assert LabelsOfDraws(even, replacement=replacement).of(1e9, 15, drawn) == inf


def test_how_much_surer_or_less_sure_models_may_have_to_be():
    assert _powers(0) == pytest.approx([exp(1.2816 * 1.1), 1, exp(-1.2816 * 1.1)])
    assert _powers(18) == pytest.approx([exp(1.2816 * 0.55), 1, exp(-1.2816 * 0.55)])
    # Odds of a surer model are the model's to a power above 1.
    model = ClassPredictions(np.column_stack([np.full(4000, 0.8), np.full(4000, 0.2)]))
    z, _ = plug_in_sample(target_of(ErrorRate(), [model]), uniform_q(4000), 4000, power=2.0)
    assert z.mean() == pytest.approx(1 / 17, abs=0.015)


def test_what_adaptive_draws_forecast():
    ways = [SimpleNamespace(center=center) for center in (0.1, 0.2, 0.5)]
    seen = _Expected(ways, 30, 100, None)
    assert (seen.center, seen.error) == (0.2, pytest.approx(0.4 / (2 * 1.2816)))
    assert [seen.labels(n) for n in (20, 75, 100)] == [0, 45, inf]
    assert seen.deviation(12) == pytest.approx(sqrt(0.25**2 * (1 + 30 / 12) + 0.45**2 / 6 + 4 / 16))
    assert _Expected(ways, 30, 100, (0.3, 0.01)).center == 0.3


def test_at_the_ends_of_what_is_wanted():
    assert Planner(ErrorRate(), COIN, Q).plan(0.25, current=(0.25, 0.75)) == Plan(0, 0, 0, 0)
    assert Plan(5, 1, 22, 5).is_vague
    assert not Plan(5, 1, 21, 5).is_vague


def forecast(worth=25.0, error=0.05):
    """Ends c/sqrt(n) from 0.3, c = 1, 2 or 3."""
    ways = [
        SimpleNamespace(
            whole=0.5, draws_for=lambda half, c=c: (c / half) ** 2, draws_to=lambda d, c=c: (c / d) ** 2
        )
        for c in (1, 2, 3)
    ]
    return SimpleNamespace(
        ways=ways,
        worth=worth,
        center=0.3,
        error=error,
        deviation=lambda n: 0.0,
        labels=lambda n: n - worth,
        share_on_sheets=lambda n: 0.4,
    )


def test_plans_of_a_forecast(monkeypatch):
    planner = Planner(ErrorRate(), COIN, Q)
    monkeypatch.setattr(planner, "_forecast", lambda *given: forecast())
    assert planner.plan(0.2) == Plan(75, 1, 200, 75, 30)
    # Nearly there, whatever the forecast says: one at least; and the pace is what was seen.
    assert planner.plan(0.7, current=(0.0, 1.41)) == Plan(1, 1, 1, 1, 0.4)
    pace = (25 / 100) ** (0.6 * 0.6 * 25 / 65)
    reached = 25 + 25 / 65 * 75
    assert planner.plan(0.1, current=(0.1, 0.5)).n_labels == np.ceil(pace * (400 - reached))
    # A deviation of its own on either side, which is independent of the way.
    wide = forecast()
    wide.deviation = lambda n: 0.5
    monkeypatch.setattr(planner, "_forecast", lambda *given: wide)
    assert planner.plan(0.1).high == np.ceil(375 * exp(hypot(log(875 / 375), 0.5 * 1.2816)))
    assert planner.plan(0.1).low == np.ceil(375 * exp(-hypot(log(375 / 75), 0.5 * 1.2816)))


def test_plans_of_a_decision(monkeypatch):
    planner = Planner(ErrorRate(), COIN, Q)
    monkeypatch.setattr(planner, "_forecast", lambda *given: forecast())
    moved = ndtri(10.5 / 11) * 0.05
    for threshold in (0.5, 0.1):
        found = planner.plan_decision(threshold)
        assert (found.n_labels, found.low, found.n_draws) == (75, 1, 75)
        assert found.high == np.ceil((3 / (0.2 - moved)) ** 2 - 25)
        assert planner.plan_decision(threshold, current=(0.2, 0.4)).n_labels == 0
        assert planner.plan_decision(threshold, current=(0.0, 0.6)).n_labels > 0
    # The closer it is, the longer it takes; on which side the truth is does not matter.
    plans = [planner.plan_decision(0.3 + distance) for distance in (0.2, 0.1, 0.04, 0.01)]
    assert all(one.n_labels < other.n_labels < inf for one, other in pairwise(plans))
    # Nobody knows before there are labels.
    monkeypatch.setattr(planner, "_forecast", lambda *given: forecast(worth=0.0))
    assert np.isnan(planner.plan_decision(0.5).n_labels)
