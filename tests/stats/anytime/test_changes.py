"""How much a value has risen: bounds from the wealth of bets in evaluations that follow one another."""

from functools import cache
from itertools import product
from math import inf, log

import numpy as np
import pytest
from scipy.optimize import brentq

from activeeval_widgets.stats.anytime import changes
from activeeval_widgets.stats.anytime.band import OneSided
from activeeval_widgets.stats.anytime.changes import (
    LADDER,
    Rise,
    SideEvidence,
    product_needed,
    rise_since,
    share_of,
)

EDGES = np.linspace(0, 1, 201)


def bets(n_ones, n, stakes=(0.3, 0.6, 0.9)):
    """Return the wealth of bets on n draws: for each stake, a product over the draws."""

    def won(g):
        side = [(1 + s * (1 - g)) ** n_ones * (1 - s * g) ** (n - n_ones) for s in stakes]
        other = [(1 - s + s * g) ** n_ones * (1 + s * g) ** (n - n_ones) for s in stakes]
        return np.mean(side, axis=0), np.mean(other, axis=0)

    ends = np.array(won(EDGES))
    greater, less = np.maximum(np.minimum(ends[:, :-1], ends[:, 1:]), 1)
    return OneSided(EDGES, greater, less)


def best_of(outcomes):
    """Return the largest wealth over the beginnings of some outcomes."""
    found = [bets(sum(outcomes[:n]), n) for n in range(len(outcomes) + 1)]
    sides = (np.max([getattr(each, side) for each in found], axis=0) for side in ("greater", "less"))
    return SideEvidence.of(OneSided(EDGES, *sides))


def known(value):
    return SideEvidence.of(OneSided(np.array([value, value]), np.zeros(1), np.zeros(1)))


def flat(wealth):
    """Return the same evidence against every value from 0 to 1."""
    return SideEvidence.of(OneSided(np.array([0.0, 1.0]), np.array([wealth]), np.array([wealth])))


def test_the_ladder_begins_above_1_and_ascends():
    assert 1 < LADDER[0] < 1.5
    assert (np.diff(LADDER[:-1]) > 0).all()
    assert LADDER[-1] == inf
    assert LADDER[-2] == 2**20
    assert (LADDER[1:-1] / LADDER[:-2]).max() <= 2


def test_evidence_is_kept_to_the_next_rung_below():
    found = bets(7, 20)
    kept = SideEvidence.of(found)
    for g in np.linspace(0.001, 0.999, 334):
        at = np.searchsorted(EDGES, g, side="right") - 1
        for own, least in (
            (sum(reach > g for reach in kept.greater), found.greater[: at + 1].min()),
            (sum(reach < g for reach in kept.less), found.less[at:].min()),
        ):
            assert own == np.searchsorted(LADDER, least, side="right")
    assert kept.flipped.flipped == kept
    assert kept.flipped.greater == [-each for each in kept.less]


def test_evidence_counts_only_where_all_values_beyond_have_as_much_against_them():
    edges = np.arange(4.0)
    kept = SideEvidence.of(OneSided(edges, np.array([8.0, 2.0, 4.0]), np.array([4.0, 2.0, 8.0])))
    assert [wealth_of(kept, g, 1) for g in (0.5, 1.5, 2.5)] == [8, 2, 2]
    assert [wealth_of(kept, g, -1) for g in (0.5, 1.5, 2.5)] == [2, 2, 8]


def wealth_of(kept, g, side):
    n = sum(reach > g for reach in kept.greater) if side > 0 else sum(reach < g for reach in kept.less)
    return LADDER[n - 1] if n else 1.0


def least_product(before, last, m):
    """Return the least product over all earlier values, on a fine grid."""
    knots = np.unique(np.concatenate([EDGES, EDGES - m]))
    return min(
        wealth_of(before, g, -1) * wealth_of(last, g + m, 1) for g in [-2, *(knots[:-1] + knots[1:]) / 2, 2]
    )


def needed(alpha):
    """Solve (1 + log x)/x = alpha."""
    return brentq(lambda x: (1 + log(x)) / x - alpha, 1, 1e9)


@pytest.mark.parametrize("since", [0, 1, 2])
def test_the_bounds_are_where_the_product_suffices(since):
    series = [SideEvidence.of(bets(n, of)) for n, of in ((2, 20), (4, 20), (3, 24), (15, 20))]
    alpha = 0.4
    found, before, last = rise_since(series, since, alpha), series[since], series[-1]
    n = len(series) - 1 - since
    own = alpha / ((since + 1) * (since + 2)) / (n * (n + 1)) / 2
    assert (
        least_product(before, last, found.low - 0.002)
        >= needed(own)
        > least_product(before, last, found.low + 0.002)
    )
    before, last, low = before.flipped, last.flipped, -found.high
    products = []
    for m in (low - 0.002, low + 0.002):
        knots = np.unique(np.concatenate([-EDGES, -EDGES - m]))
        middle = [-2, *(knots[:-1] + knots[1:]) / 2, 2]
        products.append(min(wealth_of(before, g, -1) * wealth_of(last, g + m, 1) for g in middle))
    assert products[0] >= needed(own) > products[1]
    assert found.low <= found.high


@pytest.mark.parametrize("alpha", [0.9, 0.05, 1e-7])
def test_the_product_of_two_largest_wealths_needs_more_than_one(alpha):
    assert product_needed(alpha) == pytest.approx(needed(alpha))
    # If each is more than y with probability 1/y, the product is more than x with probability (1 + log x)/x.
    x, y = product_needed(alpha), np.geomspace(1, product_needed(alpha), 100_001)
    chance = ((1 / y[:-1] - 1 / y[1:]) * y[1:] / x).sum() + 1 / x
    assert chance == pytest.approx(alpha, rel=1e-3)


def test_without_evidence_all_is_possible():
    assert rise_since([flat(1.0)] * 2, 0, 0.05) == Rise(-1.0, 1.0)
    own = 0.05 / 2 / 2 / 2
    most = LADDER[np.searchsorted(LADDER, needed(own))]
    for before, last in ((1.0, most), (most, 1.0)):
        assert rise_since([flat(before), flat(last)], 0, 0.05) == Rise(0.0, 0.0)
        assert rise_since([flat(before), flat(last)], 0, 0.02) == Rise(-1.0, 1.0)
    # With as much against every value of both, the bounds contradict each other: what is certain is kept.
    assert changes._least_rise(flat(most), flat(most), own) == 1.0
    assert rise_since([flat(most)] * 2, 0, 0.05) == Rise(-1.0, 1.0)
    assert sum(map(share_of, range(1, 4000))) == pytest.approx(1, abs=3e-4)


def test_known_values_differ_by_what_they_differ():
    series = [known(0.3), known(0.25), known(0.4)]
    assert rise_since(series, 0, 0.05) == pytest.approx(Rise(0.1, 0.1))
    assert rise_since(series, 1, 0.05) == pytest.approx(Rise(0.15, 0.15))
    assert rise_since(series[:2], 0, 0.05) == pytest.approx(Rise(-0.05, -0.05))


def chances_of(outcomes, truth):
    return np.array([np.prod([truth if y else 1 - truth for y in each]) for each in outcomes])


@pytest.mark.parametrize("truth", [0.2, 0.5, 0.7])
def test_the_product_is_as_rare_as_claimed_whatever_is_undone(truth):
    """Over all outcomes of two evaluations, both at their best moment, at every value of the null."""
    outcomes = [*product((0, 1), repeat=7)]
    chances = chances_of(outcomes, truth)
    kept = [best_of(each) for each in outcomes]
    for earlier, later in (
        (truth, truth),
        (truth - 0.1, truth),
        (truth, truth + 0.1),
        (truth - 0.1, truth + 0.1),
    ):
        less = np.array([wealth_of(each, earlier, -1) for each in kept])
        greater = np.array([wealth_of(each, later, 1) for each in kept])
        for won in (less, greater):
            for x in np.unique(won):
                assert chances @ (won >= x) <= 1 / x + 1e-12
        made, both = np.outer(less, greater), np.outer(chances, chances)
        for x in np.unique(made):
            assert both[made >= x].sum() <= (1 + log(x)) / x + 1e-12


def test_wealth_chosen_in_hindsight_is_no_e_value():
    """Its largest value so far is 2 on average: a bet that doubles or is lost, in 2 draws."""
    outcomes = [*product((0, 1), repeat=5)]
    won = np.array([max(bets(sum(each[:n]), n, (0.9,)).greater[100] for n in range(6)) for each in outcomes])
    assert chances_of(outcomes, 0.5) @ won > 1.5


@pytest.mark.parametrize("truths", [(0.5, 0.5, 0.5), (0.2, 0.6, 0.2)])
def test_no_bound_is_wrong_too_often_over_all_outcomes(truths):
    """Any bound, since any earlier value and at any week."""
    alpha, outcomes = 0.9, [*product((0, 1), repeat=3)]
    weeks = [chances_of(outcomes, truth) for truth in truths]
    evidence = [best_of(each) for each in outcomes]
    alike = {}
    for position, each in enumerate(evidence):
        alike.setdefault((*each.greater, *each.less), []).append(position)
    groups = [(evidence[own[0]], own) for own in alike.values()]
    found_since = cache(lambda since, *at: rise_since([groups[each][0] for each in at], since, alpha))
    missed = 0.0
    for at in product(range(len(groups)), repeat=3):
        is_wrong = any(
            not found.low <= truths[week] - truths[since] <= found.high
            for week in (1, 2)
            for since in range(week)
            for found in [found_since(since, *at[: week + 1])]
        )
        missed += is_wrong * np.prod(
            [week[groups[each][1]].sum() for week, each in zip(weeks, at, strict=True)]
        )
    assert missed <= alpha
