"""How much a value has risen: bounds from the wealth of bets in evaluations that follow one another."""

from functools import cache
from itertools import product
from math import inf

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats.anytime import changes
from activeeval_widgets.stats.anytime.band import OneSided
from activeeval_widgets.stats.anytime.changes import LADDER, Rise, SideEvidence, rise_since, share_of

EDGES = np.linspace(0, 1, 201)


def bets(n_ones, n, stakes=(0.3, 0.6, 0.9)):
    """Return the wealth of bets on n draws: for each stake, a product over the draws."""

    def won(g):
        side = [(1 + s * (1 - g)) ** n_ones * (1 - s * g) ** (n - n_ones) for s in stakes]
        other = [(1 - s + s * g) ** n_ones * (1 + s * g) ** (n - n_ones) for s in stakes]
        return np.mean(side, axis=0), np.mean(other, axis=0)

    ends = np.array(won(EDGES))
    greater, less = np.minimum(ends[:, :-1], ends[:, 1:])
    return OneSided(EDGES, greater, less)


def known(value):
    return SideEvidence.of(OneSided(np.array([value, value]), np.zeros(1), np.zeros(1)))


def flat(wealth):
    """Return the same evidence against every value from 0 to 1."""
    return SideEvidence.of(OneSided(np.array([0.0, 1.0]), np.array([wealth]), np.array([wealth])))


def test_the_ladder_has_1_and_ascends():
    assert 1.0 in LADDER
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


def wealth_of(kept, g, side):
    n = sum(reach > g for reach in kept.greater) if side > 0 else sum(reach < g for reach in kept.less)
    return LADDER[n - 1] if n else 0.0


def total(series, m, *, weights, rest):
    """Return the least product over all earlier values."""
    before, *later = series
    products = []
    knots = np.unique(np.concatenate([EDGES, EDGES - m]))
    for g in [-2, *(knots[:-1] + knots[1:]) / 2, 2]:
        won = 0.1 + 0.9 * wealth_of(before, g, -1)
        bet = [0.5 + 0.5 * wealth_of(each, g + m, 1) for each in later]
        mixed = [weight * np.prod(bet[start:]) for start, weight in enumerate(weights)]
        products.append(won * (rest + sum(mixed)))
    return min(products)


@pytest.mark.parametrize("counts", [(2, 12), (2, 9, 10)])
def test_the_bounds_are_where_the_product_suffices(counts):
    series = [SideEvidence.of(bets(n, 20)) for n in counts]
    n, alpha = len(counts) - 1, 0.4
    found = rise_since(series, 0, alpha)
    weights = [1 / (k * (k + 1)) for k in range(1, n + 1)]
    for bound, which, share in (
        (found.ever, {"weights": weights, "rest": 1 / (n + 1)}, 0.7 / 2),
        (found.low if n > 1 else inf, {"weights": [1.0], "rest": 0.0}, 0.1 / 2 * share_of(n)),
    ):
        if bound == inf:
            continue
        own = series if len(which["weights"]) == n else [series[0], series[-1]]
        assert total(own, bound - 0.002, **which) >= 1 / (alpha * share) > total(own, bound + 0.002, **which)
    flipped = [series[0].flipped, series[-1].flipped]
    opposite = changes._least_rise(*flipped[:1], flipped[1:], [1.0], 0.0, 0.2 / 2 * alpha * share_of(n))
    assert found.high == -opposite
    assert found.low <= found.high


def test_without_evidence_nothing_is_lost_or_won():
    """The bets divide a wealth of 1, however many values follow."""
    for n in (1, 2, 5):
        later, weights = [flat(1.0)] * n, [share_of(k) for k in range(1, n + 1)]
        for which in ((later, weights, 1 / (n + 1)), (later[-1:], [1.0], 0.0)):
            assert changes._least_rise(flat(1.0), *which, 0.999) < -0.99
            assert changes._least_rise(flat(1.0), *which, 1.0001) == 0.0
    assert sum(map(share_of, range(1, 4000))) == pytest.approx(1, abs=3e-4)
    assert changes._EVER + changes._LOW + changes._HIGH <= 1


def test_known_values_differ_by_what_they_differ():
    series = [known(0.3), known(0.25), known(0.4)]
    assert rise_since(series, 0, 0.05) == pytest.approx(Rise(0.1, 0.1, 0.1))
    assert rise_since(series, 1, 0.05) == pytest.approx(Rise(0.15, 0.15, 0.15))
    assert rise_since(series[:2], 0, 0.05) == pytest.approx(Rise(-0.05, -0.05, -0.05))


def test_evidence_adds_up_and_ends_with_the_rise():
    low, high = SideEvidence.of(bets(10, 100)), SideEvidence.of(bets(30, 100))
    rises = [rise_since([low, *[high] * n], 0, 0.05).ever for n in range(1, 6)]
    assert rises[0] < rises[1] < rises[3]
    assert rises[3] > 0 > rises[0]
    repaired = rise_since([low, *[high] * 4, SideEvidence.of(bets(20, 400))], 0, 0.05)
    assert repaired.ever < rises[3]
    gone = rise_since([known(0.1), *[high] * 4, known(0.1)], 0, 0.05)
    assert gone.ever == -inf
    assert (gone.low, gone.high) == pytest.approx((0, 0))


@pytest.mark.parametrize("truths", [(0.5, 0.5, 0.5), (0.2, 0.6, 0.2)])
def test_no_bound_is_wrong_too_often_over_all_outcomes(truths):
    """Any bound, since any earlier value and at any week, with each week's draws as few as looks best."""
    n, alpha = 4, 0.5
    kept = {(ones, of): SideEvidence.of(bets(ones, of)) for of in (3, n) for ones in range(of + 1)}
    found_since = cache(lambda since, *outcome: rise_since([kept[each] for each in outcome], since, alpha))
    missed = 0.0
    # The first week ends after 3 draws without a one in them, otherwise after all.
    first = [(ones, 3, binom.pmf(ones, 3, truths[0])) for ones in (0,)]
    for ones in range(n + 1):
        begun = [binom.pmf(k, 3, truths[0]) * binom.pmf(ones - k, n - 3, truths[0]) for k in range(1, 4)]
        first.append((ones, n, sum(begun)))
    assert sum(each for *_, each in first) == pytest.approx(1)
    others = [[(ones, n, binom.pmf(ones, n, truth)) for ones in range(n + 1)] for truth in truths[1:]]
    for outcome in product(first, *others):
        counts = [each[:2] for each in outcome]
        is_wrong = False
        for week in (1, 2):
            for since in range(week):
                found = found_since(since, *counts[: week + 1])
                rise = truths[week] - truths[since]
                ever = max(truths[since + 1 : week + 1]) - truths[since]
                is_wrong |= not (found.ever <= ever and found.low <= rise <= found.high)
        missed += is_wrong * np.prod([each for *_, each in outcome])
    assert missed <= alpha
