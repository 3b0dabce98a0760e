"""Bets that are to be won in time: martingales by enumeration, the power of the best test, bad input."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    adaptive_q,
    draw,
    draw_without_replacement,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.deadlines import (
    ADAPTIVE_ALLOCATION,
    EARLY_DEADLINES,
    FIRST_DEADLINES,
    PAPERS_ALLOCATION,
    Deadlines,
    chances,
    deadline_stakes,
    deadlines_of,
    next_goal,
)

LEVEL = 0.95


def test_whose_deadline_is_when():
    usual, declared, nobody = deadlines_of(), deadlines_of((200,)), deadlines_of(())
    assert usual.firsts.tolist() == list(FIRST_DEADLINES)
    assert usual.shares.sum() == pytest.approx(0.63)
    assert declared.shares.sum() == pytest.approx(0.63)
    assert declared.firsts.tolist() == [200, *FIRST_DEADLINES]
    assert declared.shares[0] == pytest.approx(0.4)
    assert nobody.firsts.size == nobody.shares.size == 0
    early = deadlines_of((200, 300), ADAPTIVE_ALLOCATION)
    assert early.firsts.tolist() == [200, 300, *EARLY_DEADLINES, 100, 100]
    assert early.shares[0] == early.shares[1] == 0.225
    # At a deadline there are none left; then it is twice as far.
    left = [int(usual.after(n)[1]) - n for n in (0, 49, 50, 99, 100, 199, 200)]
    assert left == [50, 1, 50, 1, 100, 1, 200]
    assert (deadlines_of((1,)).after(10**6) > 10**6).all()


@pytest.mark.parametrize(
    "allocation",
    [PAPERS_ALLOCATION, ADAPTIVE_ALLOCATION],
    ids=["papers", "adaptive"],
)
@pytest.mark.parametrize("n_declared", [None, *range(11)])
def test_all_players_begin_with_a_capital_of_one(allocation, n_declared):
    """In exact arithmetic of the constants: so the interval is ever wrong with a probability of α at most."""
    declared = None if n_declared is None else tuple(range(1, n_declared + 1))
    players = deadlines_of(declared, allocation)
    given = allocation.beside if n_declared else allocation.usual if n_declared is None else ()
    exact = sum(Fraction(str(share)) for share in given) + (
        Fraction(str(allocation.declared)) if n_declared else 0
    )
    if given:
        exact += sum(Fraction(str(share)) for share in allocation.early)
    assert len(given) in (0, len(allocation.firsts))
    assert len(allocation.early) == len(allocation.early_stakes) == len(allocation.early_firsts)
    assert 0 <= exact < 1
    assert players.shares.sum() == pytest.approx(float(exact))
    assert (players.shares > 0).all()
    for sides in ((1.0,), (1.0, -1.0)):
        bets = Bets(np.zeros((1, 2)), -np.ones((2, 1)), np.ones((2, 1)), None, LEVEL, sides, players)
        assert bets.at_points() == pytest.approx(1.0)
        assert (bets._share > 0).all()
    # However long it goes on, everybody has a deadline ahead.
    assert all(
        (players.after(n) > n).all() for n in [*range(200), *(10**k - d for k in range(3, 8) for d in (0, 1))]
    )


def unsure_model(n_instances=1000):
    """Ten classes; about one prediction in eleven is wrong."""
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(n_instances, 10)) + 4.5 * np.eye(10)[rng.integers(0, 10, n_instances)]
    proba = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    y_true = (proba.cumsum(axis=1) < rng.random((n_instances, 1))).sum(axis=1)
    return ClassPredictions(proba), y_true


def test_the_interval_says_something_after_ten_labels():
    """Ten of ten predictions are wrong; then widths of sessions in blocks, with answers as they are."""
    model, y_true = unsure_model()
    q = adaptive_q(ErrorRate(), model, [], [])
    sequences = [AdaptiveConfidenceSequence(ErrorRate(), model, deadlines=each) for each in (None, (200,))]
    wrong = (model.pred_codes + 1) % 10
    for sequence in sequences:
        for i in draw_without_replacement(q, 10, np.random.default_rng(0))[0]:
            low, high = sequence.update(int(i), q, int(wrong[i]))
        assert low > 0.42
        assert high == 1
    widths = np.zeros((2, 30))
    n_sessions = 6
    for seed in range(n_sessions):
        rng = np.random.default_rng(seed)
        draws, _ = draw_without_replacement(q, 16, rng)
        later = adaptive_q(ErrorRate(), model, draws, y_true[draws])
        draws = np.append(draws, draw_without_replacement(later, 14, rng)[0])
        for width, sequence in zip(widths, sequences, strict=True):
            low, high = sequence.restart().extend(draws, [q] * 16 + [later] * 14, y_true[draws])
            width += (high - low) / n_sessions
    assert (widths[:, [9, 14, 19, 29]] < [0.67, 0.53, 0.47, 0.39]).all()


def test_the_stake_is_the_derivative_of_the_chance():
    """d log Φ((s − c)/√V)/ds, which is what a share of the capital staked on s earns."""
    variance, at = np.array([[4.0]]), np.linspace(-3, 3, 13)[np.newaxis]
    step = 1e-5
    expected = (np.log(ndtr((at + step) / 2)) - np.log(ndtr((at - step) / 2))) / (2 * step)
    np.testing.assert_allclose(deadline_stakes(ndtr(at / 1), variance)[0], expected_of(at)[0], rtol=1e-6)
    np.testing.assert_allclose(deadline_stakes(ndtr(at / 2), variance), expected, rtol=1e-6)
    assert deadline_stakes(np.array([[1.0, 1.5]]), variance).tolist() == [[0, 0]]
    assert np.isfinite(deadline_stakes(np.array([[0.0]]), variance)).all()


def expected_of(at):
    """The same at √V = 2 for s in units of 2."""
    return np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi) / ndtr(at) / 2


def test_the_goal_is_the_next_power_once_it_is_reached():
    goals = next_goal(np.array([0.0, 1.0, 21.9, 22.1, 439.0, 441.0]), 20.0)
    np.testing.assert_allclose(goals, [22, 22, 22, 440, 440, 8800])
    assert chances(np.array([2.0]), np.array([4.0]), np.array([0.5]), np.array([22.0])) == 2 / 36


@pytest.mark.parametrize("drift", [0.0, 0.1, 0.15, 0.2])
def test_a_player_wins_in_time_as_often_as_the_best_test(drift):
    """Coins that come ±1 with a mean; 200 of them, one candidate, one side, one player with all capital."""
    n_sessions, n_draws = 4000, 200
    rng = np.random.default_rng(6)
    alone = Deadlines(np.array([float(n_draws)]), np.array([1.0]))
    ones = np.ones((1, n_sessions))
    bets = Bets(np.zeros((n_sessions, 1)), -np.tile(ones, (2, 1)), np.tile(ones, (2, 1)), (1.0, 1.0), LEVEL,
                sides=(1.0,), deadlines=alone)  # fmt: skip
    nothing = np.zeros(n_sessions)
    won = np.zeros(n_sessions, dtype=bool)
    for _ in range(n_draws):
        coin = np.where(rng.random(n_sessions) < (1 + drift) / 2, 1.0, -1.0)
        bets.update(np.array([coin, coin, nothing, nothing]))
        won |= bets.at_points()[:, 0] >= 1 / (1 - LEVEL)
    best = ndtr(ndtri(1 - LEVEL) + drift * np.sqrt(n_draws / (1 - drift**2)))
    assert won.mean() <= best + 3 * np.sqrt(best / n_sessions)
    assert won.mean() >= best - 0.045


def predictions_and_labels():
    proba = np.array([[0.95, 0.05], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]])
    sure = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    for model in (proba, sure):
        for labels in list(itertools.product((0, 1, None), repeat=4))[::5]:
            yield ClassPredictions(model), labels


@pytest.mark.parametrize(("defensive", "early_draws"), [(0.4, 40), (None, 40), (0.4, 1)])
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()], ids=repr)
def test_adaptive_capital_is_a_martingale_at_whatever_is_true(measure, defensive, early_draws):
    """After each past, for labelings of a pool of 4 in which some instances can not be labeled.

    The deadlines are 2 and 3, so they come, pass, and come again; q is made of the labels before. Early bets
    end after the first draw, or after none of these.
    """
    n_checked = 0
    rule = replace(DRAW_RULE, allocation=ADAPTIVE_ALLOCATION._replace(early_draws=early_draws))
    for model, labels in predictions_and_labels():
        can = [i for i, y in enumerate(labels) if y is not None]
        if not can:
            continue
        part = ClassPredictions(model.y_proba[can])
        truth = pool_value(measure, part, np.array([labels[i] for i in can]))
        if not np.isfinite(truth):
            continue
        sequence = AdaptiveConfidenceSequence(
            measure, model, confidence_level=0.9, deadlines=(2, 3), rule=rule
        )
        sequence._band.watch(truth + 1e-7 * np.arange(17))
        for past in ([], [1], [0, 2]):
            q = adaptive_q(measure, model, past, [labels[i] for i in past], defensive=defensive)
            sequence.restart()
            uniform = uniform_q(4)
            for i in past:
                sequence.update(i, uniform, labels[i])
            before = 1.0 if not past else sequence._band._bets.at_points()[0, 0]
            after = 0.0
            for i in set(range(4)) - set(past):
                more = sequence.copy()
                more.update(i, q, labels[i])
                capital = more._band._bets.at_points()[0, 0]
                assert capital >= 0
                after += q[i] * capital
            # The truth is the first of the candidates.
            assert after == pytest.approx(before, rel=1e-9)
            n_checked += 1
    assert n_checked > 50


def test_a_declared_deadline_is_where_the_interval_is_narrowest():
    """In relation to that of other deadlines; and with the usual ones it is narrower than without."""
    rng = np.random.default_rng(2)
    p = rng.beta(1, 4, 1000)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    y_true = (rng.random(1000) < p).astype(int)
    q = uniform_q(1000)
    widths = {declared: np.zeros(400) for declared in (None, (), (100,), (300,))}
    for _ in range(5):
        draws = draw(q, 400, rng)
        for declared, width in widths.items():
            low, high = ConfidenceSequence(ErrorRate(), model, q, deadlines=declared).extend(
                draws, y_true[draws]
            )
            width += high - low
    assert widths[(100,)][99] < min(widths[None][99], widths[(300,)][99], widths[()][99])
    assert widths[(300,)][299] < min(widths[None][299], widths[(100,)][299], widths[()][299])
    at = np.array([50, 100, 200, 400]) - 1
    assert (widths[None][at] < 1.005 * widths[()][at]).all()
    assert widths[None][at].sum() < 0.97 * widths[()][at].sum()


@pytest.mark.parametrize(
    ("deadlines", "error", "message"),
    [
        ((0,), ValueError, "deadlines holds 0, expected numbers of draws, at least 1"),
        ((-5,), ValueError, "deadlines"),
        ((20.5,), TypeError, "deadlines"),
        (("soon",), TypeError, "deadlines"),
    ],
)
def test_bad_deadlines_are_refused(deadlines, error, message):
    model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
    with pytest.raises(error, match=message):
        AdaptiveConfidenceSequence(ErrorRate(), model, deadlines=deadlines)
    with pytest.raises(error, match=message):
        ConfidenceSequence(ErrorRate(), model, uniform_q(2), deadlines=deadlines)
