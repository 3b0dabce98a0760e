"""The capital of all players, candidate by candidate, against a second computation with loops."""

from math import exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.special import ndtri

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    Precision,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.stats.adaptive._bands import BettingBand
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.adaptive.draw_terms import control_variate
from activeeval_widgets.stats.questions.make import target_of

M = 14
RNG = np.random.default_rng(8)
SURE = RNG.uniform(0.5, 0.95, M)
MODEL = ClassPredictions(np.column_stack([SURE, 1 - SURE]))
FIRST_Q, SECOND_Q = RNG.dirichlet(np.full(M, 4.0), 2)
ORDER = [3, 9, 0, 12, 5, 7, 1, 10, 2, 4, 13, 6, 8, 11]
LABELS = [0, 1, None, 0, 1, 0, 0, None, 0, 0, 1, 0, 0, 0]
GRID = np.linspace(0, 1, 8 * 16 + 1)
HORIZONS = {20: 0.18, 80: 0.27, 300: 0.27, 1000: 0.18, 5000: 0.1}


EARLY = {0.3: 0.1, 0.75: 0.05}


def players_of(declared):
    """(kind, first deadline or horizon or share of the largest stake, side, share)."""
    timed = {5: 0.06, 10: 0.07, 20: 0.08, 50: 0.09, 100: 0.12, 200: 0.13, 400: 0.1, 800: 0.05, 1600: 0.04}
    if declared:
        timed = {
            5: 0.03,
            10: 0.03,
            20: 0.03,
            50: 0.04,
            100: 0.05,
            200: 0.05,
            400: 0.03,
            800: 0.02,
            1600: 0.01,
        }
        timed[declared] = 0.45
    untimed = {n: 0.11 * w for n, w in HORIZONS.items()}
    kinds = {"horizon": untimed, "deadline": timed, "early": EARLY}
    return [
        (kind, number, side, share / 2)
        for kind, shares in kinds.items()
        for number, share in shares.items()
        for side in (1, -1)
    ]


def stake(player, own, others, spread, n_draws, goal, level):
    """What one player stakes where his capital is `own` and that of all others `others`, end by end."""
    kind, number, _, share = player
    if kind == "horizon":
        return sqrt(2 * log(2 / (1 - level)) / (number * spread))
    deadline = number
    while deadline <= n_draws:
        deadline *= 2
    found = []
    for mine, rest in zip(own, others, strict=True):
        found.append(mine / max((goal - rest) / share, 1e-9))
    u = min(found)
    if u >= 1:
        return 0.0
    return exp(-(ndtri(u) ** 2) / 2) / sqrt(2 * pi) / (u * sqrt((deadline - n_draws) * spread))


def capitals(declared, level):
    """The shares of all players, and what has become of 1 of each at each point of the grid, draw by draw."""
    players = players_of(declared)
    shares = np.array([player[3] for player in players])
    capital = np.ones((len(players), 8, 17))
    sums = np.zeros((4, 4))
    known, labeled, labels = np.zeros(2), [], []
    left, bounded, renewed, last_q, first = list(range(M)), [], 0, None, None
    for n, (draw, label) in enumerate(zip(ORDER, LABELS, strict=True)):
        q = FIRST_Q if n < 5 else SECOND_Q
        if q is not last_q or n >= max(2, 2 * renewed):
            trust = (2 + len(labeled)) / (15 + len(labeled))
            control = control_variate(target_of(ErrorRate(), [MODEL]), np.array(labeled, dtype=int), labels)
            e, s = control.expected.dense()[:, 0], control.spread
            # Bounds are of what was left then: of no less than now.
            last_q, renewed, bounded = q, n, left.copy()
        mass = sum(q[j] for j in left)
        p = {i: q[i] / mass for i in bounded}
        variance = (sum(s[i] ** 2 / p[i] for i in left) - sum(s[i] ** 2 for i in left)) / M**2
        first = first or variance
        weight = trust * first / max(variance, first / 1e6)
        if n == 0:
            start = np.mean(1 - SURE)
            rest = [e[i] - start for i in left]
            extra = sum(c**2 / p[i] for c, i in zip(rest, left, strict=True)) - sum(rest) ** 2
            promised = [variance + extra / M**2, variance]
        outcome = np.array([0.0, 0.0]) if label is None else np.array([float(label != 0), 1.0])
        plain = (known + outcome / p[draw]) / M
        still = np.array([sum(e[i] for i in left), len(left)])
        adjusted = (known + still + (outcome - [e[draw], 1]) / p[draw]) / M
        terms = weight * np.array([plain[0], adjusted[0], plain[1], adjusted[1]])
        for block in range(8):
            points = GRID[16 * block : 16 * block + 17]
            z = [
                [
                    weight * (base[0] - g * base[1] + (a - c * e[i] - g * (b - c)) / p[i]) / M
                    for g in (points[0], points[-1])
                    for i in bounded
                    for a, b in ((0, 0), (0, 1), (1, 1))
                ]
                for c, base in ((0, known), (1, known + still))
            ]
            least, most = [min(each) for each in z], [max(each) for each in z]
            plain_least, plain_most = least[0], most[0]
            g = points.mean()
            d = np.array([[1, 0, -g, 0], [0, 1, 0, -g]])
            seen = d @ sums @ d.T
            second = max(promised[1], -least[1] * most[1] * 0.01)
            s00 = seen[0, 0] + 10 * max(promised[0], second)
            s01, s11 = seen[0, 1] + 10 * second, seen[1, 1] + 10 * second
            kappa = min(max((s00 - s01) / (s00 - 2 * s01 + s11), 0), 1)
            mix = np.array([1 - kappa, kappa])
            spread = mix @ [[s00, s01], [s01, s11]] @ mix / (n + 10)
            least, most = float(mix @ least), float(mix @ most)
            ends = capital[:, block, [0, -1]]
            whole = shares @ ends
            goal = 1.1 / (1 - level)
            while whole.min() >= goal:
                goal /= 1 - level
            gains = (mix @ terms[:2]) - points * (mix @ terms[2:])
            plain_gains = terms[0] - points * terms[2]
            factors = []
            for player, mine in zip(players, ends, strict=True):
                kind, number, side, share = player
                if kind == "early":
                    # Without the model, of what can be lost at once a constant share.
                    worst = max(
                        -plain_least if side > 0 else plain_most, 1e-3 * max(-plain_least, plain_most)
                    )
                    factors.append(1 + side * number / worst * plain_gains)
                    continue
                # Where nothing can be lost, no stake is too large.
                limit = 0.95 / max(-least if side > 0 else most, 1e-9 * max(-least, most))
                wanted = stake(player, mine, whole - share * mine, spread, n, goal, level)
                factors.append(1 + side * min(wanted, limit) * gains)
            # Of the last one nothing is left to chance.
            if n < M - 1:
                capital[:, block] *= np.array(factors)
        sums = sums + np.outer(terms, terms)
        known = known + outcome
        left.remove(draw)
        if label is not None:
            labeled.append(draw)
            labels.append(label)
        yield shares, capital


@pytest.mark.parametrize(("declared", "level"), [(None, 0.9), (6, 0.6)])
def test_the_whole_capital_is_that_of_the_players(declared, level):
    deadlines = None if declared is None else (declared,)
    sequence = AdaptiveConfidenceSequence(ErrorRate(), MODEL, confidence_level=level, deadlines=deadlines)
    band = sequence._band
    band.watch(GRID)
    kept, known, left = np.ones(128, dtype=bool), np.zeros(2), M
    for n, expected in enumerate(capitals(declared, level)):
        low, high = sequence.update(ORDER[n], FIRST_Q if n < 5 else SECOND_Q, LABELS[n])
        found = band._bets.at_points()
        blocks = slice(band._first_block, band._first_block + len(found))
        whole = np.einsum("k,kij->ij", *expected)
        np.testing.assert_allclose(found, whole[blocks], rtol=1e-9)
        # In each cell no player has less than at the worse of its ends.
        worse = np.minimum(expected[1][..., :-1], expected[1][..., 1:])
        kept &= np.einsum("k,kij->ij", expected[0], worse).ravel() < 1 / (1 - level)
        cells = np.flatnonzero(kept)
        left -= 1
        if LABELS[n] is not None:
            known += [LABELS[n], 1]
        low_end, high_end = known[0] / (known[1] + left), (known[0] + left) / (known[1] + left)
        assert low == pytest.approx(max(GRID[cells[0]], low_end), abs=1e-11)
        assert high == pytest.approx(min(GRID[cells[-1] + 1], high_end), abs=1e-11)
    assert not kept.all() or level == 0.9


@pytest.mark.parametrize("level", [0.9, 0.02])
def test_the_pvalue_is_the_greatest_capital_against_no_difference(level):
    """Also once the cell that 0 is in was excluded, and bets on its neighbors have ended."""
    other = ClassPredictions(MODEL.y_proba[:, ::-1])
    sequence = AdaptiveConfidenceSequence(ErrorRate(), [MODEL, other], confidence_level=level)
    watched = AdaptiveConfidenceSequence(ErrorRate(), [MODEL, other], confidence_level=level)
    grid = sequence._band._grid
    block, cell = divmod(int(np.flatnonzero((grid[:-1] < 0) & (grid[1:] >= 0))[0]), 16)
    # The same bets, of which none ever ends.
    watched._band._bet = lambda terms: watched._band._bets.update(terms)
    greatest = 1.0
    for n, (draw, label) in enumerate(zip(ORDER[:7], LABELS, strict=False)):
        q = FIRST_Q if n < 5 else SECOND_Q
        sequence.update(draw, q, label)
        watched.update(draw, q, label)
        greatest = max(greatest, float(watched._band._bets.in_cells()[block, cell]))
        assert sequence.pvalue == pytest.approx(1 / greatest, rel=1e-9)
    assert greatest > 1
    assert (greatest >= 1 / (1 - level)) == (sequence.low > 0 or sequence.high < 0) == (level < 0.5)


UNSURE = ValuePredictions(np.linspace(0.1, 1.9, M), variance=np.full(M, 25.0))
FAR_OFF = ValuePredictions(np.linspace(5.0, 9.0, M), variance=np.full(M, 0.01))
"""Labels are from 0 to 2: the one expects squared errors above 25, and none is above 4; the other 0.01, and
none is below 9."""


@pytest.mark.parametrize(
    ("measure", "model", "labels", "y_range"),
    [
        (ErrorRate(), MODEL, (0, 1), None),
        (CostMatrix([[-2, -1], [-3, -1]]), MODEL, (0, 1), None),
        (Precision(), MODEL, (0, 1), None),
        (SquaredError(), UNSURE, (0.0, 2.0, *np.linspace(0.1, 1.9, M)), (0.0, 2.0)),
        (SquaredError(), FAR_OFF, (0.0, 2.0), (0.0, 2.0)),
    ],
    ids=["error rate", "costs", "precision", "expects too much", "expects too little"],
)
def test_bounds_of_terms_hold_for_any_probabilities_that_are_no_less_than_known(
    measure, model, labels, y_range
):
    """By enumeration of instances, labels and what else the draw's own probability can be."""
    target, least = target_of(measure, [model]), FIRST_Q * 0.5
    streams, band = Streams(target), BettingBand(target, y_range, 0.95)
    streams.prepare(least, 0.2)
    band.make_ready(streams)
    expected = target.parts(streams.expected[:, :-1], streams.expected[:, -1])
    each = [target.parts(target.statistics([y] * M, np.arange(M)), np.ones(M)) for y in labels]
    each.append(np.zeros((M, 2)))  # can't be labeled
    for (lower, upper), shift in zip(band._bounds, (0.0, expected), strict=True):
        for at, g in enumerate(band._knots):
            over_q = [((z - shift) @ [1, -g]) / least for z in each]
            # With a larger probability it is nearer to 0.
            assert lower[at] == pytest.approx(min(0.0, np.min(over_q)), abs=1e-7, rel=1e-10)
            assert upper[at] == pytest.approx(max(0.0, np.max(over_q)), abs=1e-7, rel=1e-10)
