"""The control variate by enumeration, what it saves by closed forms, and the trial by its own bets."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    asymptotic_variance,
    draw,
    estimate,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.predictions.trial_bets import tilted_bets


@pytest.fixture(scope="module")
def digits():
    return DEMOS["digits"]()


def test_no_model_makes_it_biased(lesson):
    q, y = lesson.value("q"), np.array([0, 0, 1, 0])
    claims, averages, spreads = (lesson.value(name) for name in ("claims", "averages", "spreads"))
    assert set(claims) == {"honest", "shrugs", "perverse"}
    for name, claimed in claims.items():
        assert averages[name] == pytest.approx(y.mean(), abs=1e-12)
        off = (y - claimed) / (4 * q)
        of_one = q @ off**2 - (q @ off) ** 2
        assert spreads[name] == pytest.approx(np.sqrt(of_one / 2), rel=1e-9)
    assert spreads["honest"] < spreads["shrugs"] < spreads["perverse"]
    assert f"{spreads['perverse'] / spreads['honest']:.1f} times as widely" in lesson.text


def test_what_it_saves(lesson, digits):
    model, y = digits.pool.models[0], digits.y_true
    needed = list(lesson.value("needed").values())
    labels = ClassPredictions(np.eye(10)[y], classes=model.classes)
    truth = pool_value(ErrorRate(), model, y)
    papers = optimal_q(ErrorRate(), model, defensive=0.1)
    # Without the control variate: the papers' formula, with the labels in the place of what is believed.
    by_formula = asymptotic_variance(ErrorRate(), model, papers, belief=labels)
    assert needed[0] == pytest.approx(100)
    assert needed[2] == pytest.approx(100 * by_formula / (truth * (1 - truth)), rel=1e-9)
    # With it: the standard error that the package reports for very many draws.
    for q, found in ((uniform_q(len(y)), needed[1]), (papers, needed[3])):
        draws = draw(q, 40_000, np.random.default_rng(1))
        error = estimate(ErrorRate(), model, q, draws, y[draws], estimator="difference").standard_error
        assert found == pytest.approx(100 * error**2 * len(draws) / (truth * (1 - truth)), rel=0.05)
    assert needed[3] < min(needed[1:3]) < 100


def test_labels_correct_what_is_expected(lesson):
    off = [
        abs(lesson.value(f"{name}.mean()") - lesson.value("truth"))
        for name in ("claimed", "corrected[20]", "corrected[200]")
    ]
    assert off[2] < off[1] < off[0]


def test_the_trial_is_made_of_such_bets(lesson):
    claimed, wrong, draws = (lesson.value(name) for name in ("claimed", "wrong", "draws"))
    # Odds four times as high are one of the package's alternatives: temperature 1, odds 4.
    [by_package] = [
        column
        for column in np.array([tilted_bets(claimed[i], wrong[i])[0] for i in draws]).T
        if np.allclose(np.exp(np.cumsum(column)), lesson.value("capital(4, claimed)"))
    ]
    assert by_package.size == 200
    evalues, caught = lesson.value("evalues"), lesson.value("caught")
    assert evalues[caught - 1] >= 25 > evalues[: caught - 1].max()
    assert lesson.value("session.findings.trials()[0].verdict()") == "over_confident"
    assert f"After **{caught} labels**" in lesson.text


def test_other_lies(lesson):
    verdicts = lesson.value("{power: each.verdict() for power, each in trials.items()}")
    assert verdicts[0.5] == "under_confident"
    assert verdicts[8] == verdicts[4] == "over_confident"
    result = lesson.value("{power: each.n_expected for power, each in trials.items()}")
    assert result[0.5] > result[1] > result[2] > result[4] > result[8]


def test_the_innocent_are_safe(lesson):
    verdicts = lesson.value("verdicts")
    assert lesson.value("accused") == sum(verdict is not None for verdict in verdicts)
    assert lesson.value("accused") <= binom.ppf(0.999, len(verdicts), 0.05)
