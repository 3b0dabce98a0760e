"""The pieces that intervals are made of, each held against its formula."""

from copy import copy
from fractions import Fraction
from math import exp, inf, log, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    RootMeanSquaredError,
    SquaredError,
    UnpredictedValues,
    ValuePredictions,
)
from activeeval_widgets.stats.anytime import estimating_equation
from activeeval_widgets.stats.anytime.assumed_range import Assumption, reason_assumed
from activeeval_widgets.stats.anytime.asymptotic import (
    RHO2,
    AsymptoticSequence,
    boundary,
    evalue_of,
    is_variance,
    standard_errors,
)
from activeeval_widgets.stats.anytime.band import (
    N_CELLS,
    AssumedBand,
    Band,
    CandidateCells,
    RisingBand,
    Wealth,
)
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.deadlines import ADAPTIVE_ALLOCATION, deadlines_of
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation, widen
from activeeval_widgets.stats.anytime.growing_rows import GrowingRows
from activeeval_widgets.stats.anytime.limit_conditions import (
    UNMET,
    WITH_REPLACEMENT,
    FarthestInstance,
    LimitConditions,
    n_carrying,
    reason_unmet,
    reason_withheld,
)
from activeeval_widgets.stats.anytime.parts import Parts
from activeeval_widgets.stats.intervals import constant_ratio_interval
from activeeval_widgets.stats.measures.base import BandPart, Composition
from activeeval_widgets.stats.measures.labels import MeanValue
from activeeval_widgets.stats.questions.make import target_of

MODEL = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
VALUES = ValuePredictions([1.0, 2.0, 4.0], variance=[0.5, 0.1, 2.0])


class CapitalOf:
    """Bets whose capital is what a test says."""

    def __init__(self, points, capital):
        self.points, self.capital = points, capital

    def update(self, terms):
        del terms

    def in_cells(self):
        return self.capital

    def by_side(self):
        return np.stack([self.capital, 2 * self.capital])

    def keep(self, blocks):
        self.points, self.capital = self.points[blocks], self.capital[blocks]

    def copy(self):
        return CapitalOf(self.points, self.capital.copy())


class Cells(CandidateCells):
    def __init__(self, n_blocks, grid=None):
        grid = np.arange(n_blocks * N_CELLS + 1.0) if grid is None else grid
        self._set_grid(grid, 0.95, with_zero=grid[0] < 0)
        self.restart()
        self._bets = CapitalOf(self._points(np.arange(n_blocks)), np.ones((n_blocks, N_CELLS)))

    def exclude(self, *cells, capital=20.0000001):
        self._bets.capital.flat[[each - N_CELLS * self._first_block for each in cells]] = capital
        self._bet(np.zeros(4))
        return self._low, self._high


def test_terms_that_are_0_but_for_rounding_change_no_wealth():
    """Where Z can hardly be negative, constant stakes would else make wealth of rounding errors."""
    lower, upper = np.full((2, 1), -1e-12), np.ones((2, 1))
    timed = deadlines_of(allocation=ADAPTIVE_ALLOCATION)
    bets = Bets(np.array([[0.0, 0.0]]), lower, upper, None, 0.95, deadlines=timed)
    bets.update(np.array([1e-13, 1e-13, 0.0, 0.0]))
    assert bets.at_points() == pytest.approx(1.0, abs=1e-6)


def test_wealth_has_a_cap_so_that_no_stake_is_computed_from_infinity():
    timed = deadlines_of(allocation=ADAPTIVE_ALLOCATION)
    bets = Bets(np.zeros((1, 2)), -np.ones((2, 1)), np.ones((2, 1)), None, 0.95, deadlines=timed)
    bets._capital[:] = 1e200
    for _ in range(2):
        bets.update(np.array([0.9, 0.9, 0.0, 0.0]))
    assert bets._capital.max() == 1e200
    assert 0 < bets._capital.min() < 1e200


def test_the_interval_is_the_hull_of_the_cells_that_are_left():
    cells = Cells(3)
    last = 3 * N_CELLS
    assert cells.exclude(0, 1, capital=19.99) == (0, last)
    assert cells.exclude(0, 2, last - 1) == (1, last - 1)
    assert cells.exclude(0, last - 2, last - 3) == (1, last - 3)
    assert cells.exclude(0, capital=1.0) == (1, last - 3)
    assert cells.exclude(1, capital=1 / (1 - 0.95)) == (3, last - 3)
    # The whole first block, and the last one but for its first cell.
    assert cells.exclude(*range(N_CELLS), *range(last - N_CELLS + 1, last)) == (N_CELLS, 2 * N_CELLS + 1)
    assert (len(cells._bets.points), cells._first_block) == (2, 1)
    assert cells.exclude(2 * N_CELLS) == (N_CELLS, 2 * N_CELLS)
    # What was excluded stays so, also where capital is lost again; with no cell left, all stays as it was.
    assert cells.exclude(N_CELLS, N_CELLS + 1, capital=0.0) == (N_CELLS, 2 * N_CELLS)
    assert cells.exclude(*range(N_CELLS, 2 * N_CELLS)) == (N_CELLS, 2 * N_CELLS)
    assert (cells.wealth.won[N_CELLS : 2 * N_CELLS] == 1).all()
    cells.restart()
    assert (cells._low, cells._high, cells._first_block, cells.wealth.won.max()) == (0, last, 0, 1)


def test_evidence_against_0_is_the_largest_wealth_in_its_cell_also_once_that_is_excluded():
    cells = Cells(3, grid=0.1 * np.arange(3 * N_CELLS + 1) - 2.05)  # 0 is in cell 20, of the second block
    cells.exclude(20, capital=7.0)
    cells.exclude(19, 21, capital=9.0)
    assert cells.evidence == 7
    cells.exclude(20, capital=3.0)
    assert cells.evidence == 7
    cells.exclude(*range(N_CELLS))
    cells.exclude(20, capital=8.0)
    assert (cells._first_block, cells.evidence) == (1, 8)
    cells.exclude(*range(N_CELLS, 2 * N_CELLS))
    assert cells._first_block == 2
    assert cells.evidence == 20.0000001
    [of_zero] = cells._bets_on_zero.capital
    of_zero[:] = 70.0
    of_zero[4] = 55.0
    cells.exclude(40, capital=90.0)
    assert cells.evidence == 55
    other = cells.copy()
    of_zero[4] = 60.0
    other.exclude(41, capital=5.0)
    assert (other.evidence, cells.evidence) == (55, 55)
    assert (other.wealth.won[41], cells.wealth.won[41]) == (5, 1)


def test_evidence_against_0_outlives_blocks_that_are_excluded_after_its_own():
    cells = Cells(4, grid=0.1 * np.arange(4 * N_CELLS + 1) - 2.05)
    cells.exclude(*range(2 * N_CELLS))
    cells.exclude(*range(3 * N_CELLS, 4 * N_CELLS))
    assert (cells._first_block, len(cells._bets.points)) == (2, 1)
    cells._bets_on_zero.capital[:] = 30.0
    cells.exclude(2 * N_CELLS, capital=2.0)
    assert cells.evidence == 30
    cells.restart()
    assert cells.evidence == 1


@pytest.mark.parametrize("kind", [AdaptiveConfidenceSequence, ConfidenceSequence])
def test_the_pvalue_stays_above_alpha_while_the_interval_contains_0(kind):
    """Bets on 0 may succeed while values on both sides of it are still candidates."""
    models = [ClassPredictions(np.eye(2)[[0, 1, 1]]), ClassPredictions(np.eye(2)[[1, 0, 1]])]
    options = {} if kind is AdaptiveConfidenceSequence else {"q": np.full(3, 1 / 3)}
    sequence = kind(ErrorRate(), models, confidence_level=0.9, **options)
    sequence._band.evidence = 50.0
    assert sequence.low < 0 < sequence.high
    for low, high in ((sequence.low, sequence.high), (0.0, 0.5), (-0.5, 0.0)):
        sequence._band.low, sequence._band.high = low, high
        assert 0.1 < sequence.pvalue < 0.1 * (1 + 1e-6)
    for low, high in ((-1.0, -0.25), (0.25, 1.0)):
        sequence._band.low, sequence._band.high = low, high
        assert sequence.pvalue == 1 / 50
    assert np.isnan(kind(ErrorRate(), models[0], confidence_level=0.9, **options).pvalue)


class Ends(Band):
    """An interval with given ends; restarted, it is from 0 to 9."""

    wealth = Wealth(np.array([0.0, 4.0, 9.0]), np.array([3.0, 2.0]))

    def restart(self):
        self.low, self.high, self.evidence, self.withheld, self.reason = 0.0, 9.0, 1.0, False, None

    def narrow(self):
        self.low, self.high, self.evidence, self.withheld, self.reason = 1.0, 4.0, 7.0, True, "why"

    def copy(self):
        return copy(self)


def test_bets_on_an_assumed_range_are_withheld_until_labels_support_it():
    assumption, inner = Assumption([VALUES]), Ends()
    band = AssumedBand(target_of(SquaredError(), [VALUES]), assumption, inner)
    assert (inner.low, inner.high) == (0, 9)
    inner.narrow()
    for _ in range(WITH_REPLACEMENT.n_labels):
        band._show()
        assert (band.low, band.high, band.evidence, band.withheld) == (0, inf, 1, True)
        assert band.wealth.won.tolist() == [1]
        assumption.add(0, 2.0)
    band._show()
    assert (band.low, band.high, band.evidence, band.withheld) == (1, 4, 7, False)
    assert band.reason == reason_assumed(assumption.bounds)
    assert band.wealth is inner.wealth
    other = band.copy()
    other._band.restart()
    other._assumption.add(0, 1e9)
    band._show()
    other._show()
    assert (other.withheld, band.withheld, band.low) == (True, False, 1)
    band.restart()
    assert "before" in band.reason
    assert (band.low, inner.low) == (0, 0)


def test_parts_share_alpha_and_their_evidence_counts_by_it():
    """A sum of two parts, with evidence of 8 against all but the middle of each: 8 · ¾ = 6, 8 · ¼ = 2."""
    of_parts = [BandPart(ErrorRate(), [MODEL], share) for share in (0.75, 0.25)]
    composition = Composition(tuple(of_parts), lambda lows, highs: (lows.sum(), highs.sum()))
    levels = []

    def band(_, level):
        levels.append(level)
        made = Ends()
        made.wealth = Wealth(np.array([0.0, 2.0, 5.0, 9.0]), np.array([8.0, 1.0, 8.0]))
        return made

    parts = Parts()
    parts._compose(SimpleNamespace(range=(0.0, 18.0)), composition, 0.9, band)
    assert levels == pytest.approx([1 - 0.1 * 0.75, 1 - 0.1 * 0.25])
    assert (parts.low, parts.high) == (0, 18)
    edges, won = parts.wealth
    for value, evidence in ((3.9, 2), (10.1, 2), (1.9, 6), (14.1, 6)):
        # On a scale with 20 steps to a factor of ten.
        assert evidence / 10**0.05 < won[np.searchsorted(edges, value) - 1] <= evidence
    assert set(won[np.searchsorted(edges, [4.1, 9.9]) - 1]) == {1}


def test_an_interval_of_a_root_ends_at_the_roots():
    inner = Ends()
    inner.narrow()
    band = RisingBand(RootMeanSquaredError(), inner)
    assert (band.low, band.high, band.evidence, band.withheld, band.reason) == (1, 2, 1, True, "why")
    assert band.wealth.edges.tolist() == [0, 2, 3]
    assert band.wealth.won is inner.wealth.won
    other = band.copy()
    other.restart()
    assert (other.low, other.high, other.withheld) == (0, 3, False)
    assert (inner.low, band.low) == (1, 1)


@pytest.mark.parametrize("at_once", [1, 15000])
@pytest.mark.parametrize("is_flat", [False, True])
def test_bounds_are_beyond_all_terms_and_hardly_more(monkeypatch, at_once, is_flat):
    monkeypatch.setattr(estimating_equation, "_AT_ONCE", at_once)
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50)) * 1e3
    b = np.zeros(50) if is_flat else b
    knots = np.array([-3.0, 0.0, 0.7])
    lower, upper = np.full(3, np.inf), np.full(3, -np.inf)
    widen(lower, upper, a, b, knots)
    for g, low, high in zip(knots.tolist(), lower.tolist(), upper.tolist(), strict=True):
        exact = [Fraction(x) - Fraction(g) * Fraction(y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        size = float(np.abs(a).max() + abs(g) * np.abs(b).max())
        for end, beyond in ((low, min(exact) - Fraction(low)), (high, Fraction(high) - max(exact))):
            assert 0.5e-12 * size < beyond < 2e-12 * size, end


def test_variances_that_the_model_promises():
    """Of v (ℓ − G): E[v² E (ℓ − G)²] without, and E[v² Var ℓ] with, what is expected taken off."""
    q = np.array([0.5, 0.2, 0.3])
    chance = 1 - MODEL.y_proba.max(axis=1)
    center = chance.mean()
    plain, adjusted = EstimatingEquation(target_of(ErrorRate(), [MODEL]), q, None).promised
    weights = 1 / (3 * q)
    second = chance * (1 - center) ** 2 + (1 - chance) * center**2
    assert plain == pytest.approx((weights * second).mean(), rel=1e-12)
    assert adjusted == pytest.approx((weights * chance * (1 - chance)).mean(), rel=1e-12)
    # F₁ with G = E num / E den: num = f y, den = (f + y)/2.
    p, f = MODEL.y_proba[:, 1], MODEL.y_pred
    center = (f * p).mean() / ((f + p) / 2).mean()
    of_labels = [f * y - center * (f + y) / 2 for y in (0, 1)]
    first, second = ((1 - p) * of_labels[0] ** k + p * of_labels[1] ** k for k in (1, 2))
    plain, adjusted = EstimatingEquation(target_of(FMeasure(), [MODEL]), q, None).promised
    assert plain == pytest.approx((weights * second).mean(), rel=1e-12)
    assert adjusted == pytest.approx((weights * (second - first**2)).mean(), rel=1e-12)


def test_a_ratio_that_no_draw_deviates_from():
    """u = 1 − (α/2)^(1/n) of the draws may deviate, and s = u r / (u r + 1 − u) of the denominator."""
    u = 1 - 0.025 ** (1 / 10)
    s = u * 3 / (u * 3 + 1 - u)
    assert constant_ratio_interval(0.25, 10, 3.0, 0.95) == pytest.approx((0.25 * (1 - s), 0.25 + s * 0.75))
    assert constant_ratio_interval(0.25, 0, 3.0, 0.95) == (0.0, 1.0)


def test_how_far_one_instance_can_be_on_either_side():
    target = target_of(ErrorRate(), [MODEL])
    farthest = FarthestInstance(target, None)
    assert farthest.deviation(np.array([1.0]), 0.2) == pytest.approx(0.8)
    assert farthest.deviation(np.array([1.0]), 0.7) == pytest.approx(0.7)
    assert farthest.deviation(None, 0.2) == 0
    squares = FarthestInstance(target_of(SquaredError(), [VALUES]), (0.0, 5.0))
    assert squares.deviation(np.array([1.0]), 2.0) == pytest.approx(14.0)  # (4 − 0)² − 2
    assert squares.deviation(np.array([1.0]), 9.0) == pytest.approx(9.0)
    assert FarthestInstance(target_of(SquaredError(), [VALUES]), None).deviation(np.array([1.0]), 2.0) == inf
    unmet = FarthestInstance(target_of(MeanValue(), [UnpredictedValues(3)]), None)
    assert unmet.deviation(None, 0.0, np.array([0.25, -0.5])) == 4 * 2 * 0.5
    assert unmet.deviation(None, 0.0) == inf


def test_what_was_not_met_must_not_move_the_estimate_by_more_than_half():
    assert reason_unmet(1.0, 30, 0.1) is None
    assert "large errors not drawn so far" in str(reason_unmet(1.0 + 1e-9, 30, UNMET / 30))
    assert "nothing limits" in str(reason_unmet(inf, 30, 1e9))


def test_what_it_takes_for_a_limit_to_be_relied_on():
    needed = LimitConditions(4, 2.0, inf)
    assert n_carrying(np.array([3.0, -4.0])) == pytest.approx(25**2 / (81 + 256))
    assert "before 4 labels" in str(reason_withheld(np.ones(3), 3, needed))
    assert reason_withheld(np.array([1.0, -1.0, 1.0, -1.0]), 4, needed) is None
    assert reason_withheld(np.array([1.0, 1.0, 0.0, 0.0]), 4, needed) is None
    assert "about 1 of 4" in str(reason_withheld(np.array([1.0, 0.1, 0.0, 0.0]), 4, needed))
    for nothing in (None, np.zeros(4)):
        assert "don't show how far off" in str(reason_withheld(nothing, 4, needed))
    # Errors on one side alone are as heavy as those on the other.
    tail = 1 / np.arange(1, 201) ** 1.5
    for side in (1, -1):
        heavy = reason_withheld(side * tail, 200, LimitConditions(100, 1.0, 0.7))
        assert "differ too much" in str(heavy)


def test_the_boundary_and_its_inverse():
    """sqrt((1 + 1/s) log((s + 1)/α²)), and the α at which a deviation is just on it."""
    assert boundary(2.0, 0.9) == pytest.approx(sqrt(1.5 * log(3 / 0.01)))
    for scaled in (0.3, 2.0, 50.0):
        assert evalue_of(scaled, boundary(scaled, 0.95)) == pytest.approx(20)
    assert standard_errors(99, 0.95) == inf
    assert standard_errors(100, 0.95) == pytest.approx(boundary(100 * RHO2, 0.95))
    at_tightest = boundary(100 * RHO2, 0.95) / sqrt(100)
    for other in (50, 200):  # ρ makes it tightest at 100 draws, among all ρ
        assert at_tightest <= boundary(100 * other / 100 * RHO2, 0.95) / sqrt(100)
    assert evalue_of(1.0, 60.0, most=10.0) == pytest.approx(exp(10) / sqrt(2))
    assert evalue_of(1.0, 100.0) == inf


@pytest.mark.parametrize("is_rare", [True, False])
def test_the_sequence_by_its_formula(is_rare):
    """The estimate ± sqrt(Σ ψ²) times the boundary, cut at the ends of the range, and its e-values."""
    rng = np.random.default_rng(1)
    q = np.array([0.4, 0.3, 0.3])
    draws = rng.choice(3, 130, p=q)
    losses = (rng.random(130) < np.array([0.2, 0.25, 0.3])[draws]) == is_rare
    sequence = AsymptoticSequence(target_of(ErrorRate(), [MODEL]), q)
    for row in sequence.rows(losses[:, np.newaxis].astype(float), draws):
        sequence.update(row)
    assert sequence.reason is None
    weights = 1 / (3 * q[draws])
    value = (weights * losses).sum() / weights.sum()
    error = sqrt(((weights * (losses - value)) ** 2).sum()) / weights.sum()
    half = error * boundary(130 * RHO2, 0.8)
    assert sequence.interval(0.8) == pytest.approx((value - half, value + half), rel=1e-9)
    assert sequence.interval(1 - 1e-15)[0 if is_rare else 1] == (0 if is_rare else 1)
    for side in (1, -1):
        assert sequence.evidence(value - side * half, side) == pytest.approx(5)
        assert sequence.evidence(value + side * half, side) == 0
    before = sequence.interval(0.8)
    sequence.update(np.zeros(2))  # what can't be labeled
    assert sequence.interval(0.8) == before


@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_a_variance_is_distinguished_from_what_cancellation_leaves(shift):
    rows, combined = GrowingRows(), np.array([-shift, 1.0])
    for x in (0.0, 1.0, 2.0):
        rows.append(np.array([1.0, shift + x]))
    influences = rows.rows @ combined
    assert is_variance(float(influences @ influences), rows, combined)
    assert not is_variance(1e-26 * float(rows.squares * (combined @ combined)), rows, combined)
    assert not is_variance(0.0, rows, combined)
