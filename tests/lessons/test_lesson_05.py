"""Peeking: shares of sessions against exact ones, bets by enumeration, intervals against the package's."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.lessons.coverage import binomial_coverage
from activeeval_widgets.stats import (
    LabelShare,
    UnpredictedClasses,
    confidence_sequence,
    uniform_q,
    wald_interval,
)


def test_wald_is_caught_as_often_as_paths_say(lesson):
    truth, exact = lesson.value("truth"), lesson.value("wald")
    # The first look is at the 20th label: how often it is wrong there is known in closed form.
    assert exact[18] == 0
    assert exact[19] == pytest.approx(1 - binomial_coverage("wald", 20, [truth])[0], abs=1e-12)
    assert np.all(np.diff(exact) >= 0)
    n, n_sessions = np.arange(1, 201), 4000
    share = np.cumsum(np.random.default_rng(3).random((n_sessions, 200)) < truth, axis=1) / n
    is_out = np.abs(share - truth) > 1.96 * np.sqrt(share * (1 - share) / n)
    caught = int(is_out[:, 19:].any(axis=1).sum())
    assert binom.ppf(0.0005, n_sessions, exact[199]) <= caught <= binom.ppf(0.9995, n_sessions, exact[199])
    assert f"**{100 * exact[199]:.0f} of 100**" in lesson.text


def test_the_session_shows_the_formula(lesson):
    errors = lesson.value("errors")
    n = 50
    share = errors[:n].mean()
    ends = wald_interval(share, np.sqrt(share * (1 - share) / n), 0.95)
    at = int(np.flatnonzero(lesson.value("looks") == n)[0])
    # The package divides by n − 1, or bounds what it has not seen; the formula is the limit.
    assert (lesson.value("low")[at], lesson.value("high")[at]) == pytest.approx(ends, abs=0.01)
    assert lesson.value("is_wrong").any()


def test_bets_win_as_often_as_enumeration_says(lesson):
    stake, claim, n, goal = -0.5, 0.2, 12, 1.5
    won = 0.0
    for labels in product([0, 1], repeat=n):
        z = np.array(labels)
        if (np.cumprod(1 + stake * (z - claim)) >= goal).any():
            won += claim ** z.sum() * (1 - claim) ** (n - z.sum())
    found = lesson.value(f"chance_to_win({stake}, {claim}, {claim}, {n}, goal={goal})")
    assert found == pytest.approx(won, abs=1e-12)
    assert won <= 1 / goal
    assert max(lesson.value("true_claim")) <= 1 / 20


def test_the_interval_by_hand_holds_and_is_like_the_package_s(lesson):
    truth, low, high = lesson.value("truth"), lesson.value("made_low"), lesson.value("made_high")
    assert np.all(low <= truth)
    assert np.all(truth <= high)
    ever = lesson.value("ever")
    assert ever[:, -1].sum() <= binom.ppf(0.999, len(ever), 0.05)
    errors = lesson.value("errors").astype(int)
    own = confidence_sequence(
        LabelShare(1), UnpredictedClasses([0, 1], 10), uniform_q(10), np.zeros(len(errors), dtype=int), errors
    )
    width = own[1][-1] - own[0][-1]
    assert 0.7 < (high[-1] - low[-1]) / width < 1.3


def test_on_the_page_the_interval_holds_and_wald_s_does_not(lesson):
    watched = lesson.value("watched")
    ever_wrong, n = watched["confidence_sequence"]["ever_wrong"][-1], watched["n_sessions"]
    assert ever_wrong * n <= binom.ppf(0.999, n, 0.05)
    assert watched["wald"]["ever_wrong"][-1] > 0.1
    assert np.all(np.array(watched["confidence_sequence"]["widths"]) > watched["wald"]["widths"])
    widths, at = lesson.value("widths"), lesson.value("at")
    assert widths[100][at] < widths[None][at]


def test_who_stops_at_a_goal_is_misled_by_one_interval_and_not_by_the_other(lesson):
    counts = "[[int(stopped(*hundred(c)[k], g)[2].sum()) for k, g in kinds] for c in range(5)]"
    lesson.run("kinds = [(\"Wald's\", -1), (\"Wald's\", 0.12), ('ours', 0.12)]")
    one_look, at_goal, guaranteed = np.sum(lesson.value(counts), axis=0)
    # One look: about as promised, and a little more often; at the goal, low shares of errors stop first.
    assert binom.ppf(0.001, 500, 0.05) <= one_look <= binom.ppf(0.999, 500, 0.1)
    assert at_goal > 2 * one_look
    assert guaranteed <= binom.ppf(0.999, 500, 0.05)


def test_games_and_guesses_are_played_anew(lesson):
    changed = lesson.changed_by("my_stake.value, guess.value, people.value = 0.6, 40, 2")
    assert len(changed) == 7, "three inputs; the stake's text and games, the guess's figure, the intervals"
    assert sum("your stake 0.6." in each for each in changed) == 1
    bent = lesson.changed_by("heads.value = 80")
    assert len(bent) == 2, "the input, and the games against the coin"
    fair, bent = lesson.value("games(0.5, 0.5, 0.3)"), lesson.value("games(0.5, 0.8, 0.3)")
    assert set(np.round(fair[:, 0], 9)) == {0.85, 1.15}
    assert (bent.max(axis=1) >= 20).all()
    assert not (fair.max(axis=1) >= 20).any()
