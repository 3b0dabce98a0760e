"""Many models: the winner's luck by simulation, intervals by the package, verdicts by the truth."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import ErrorRate, estimate, pool_value, uniform_q


@pytest.fixture(scope="module")
def demo():
    return DEMOS["leaderboard"]()


def test_the_winner_is_as_lucky_as_in_a_simulation(lesson):
    counts = np.random.default_rng(5).binomial(100, lesson.value("rate"), (40_000, 10)).min(axis=1) / 100
    spread = counts.std() / np.sqrt(len(counts))
    assert lesson.value("shown[100][9]") == pytest.approx(counts.mean(), abs=4 * spread)
    assert lesson.value("shown[100][0]") == pytest.approx(lesson.value("rate"))
    assert f"{counts.mean():.0%}"[:2] == f"{lesson.value('shown[100][9]'):.0%}"[:2]


def test_intervals_at_once(lesson, demo):
    held = lesson.value("held")
    assert 0.95**5 < held["each at 95%"] < 0.9
    assert held["each at 99%"] == pytest.approx(0.95, abs=0.01)
    drawn = lesson.value("drawn[0]")
    for k, model in enumerate(demo.pool.models):
        found = estimate(ErrorRate(), model, uniform_q(len(demo.y_true)), drawn, demo.y_true[drawn])
        assert lesson.value(f"seen[{k}, 0]") == pytest.approx(found.value)
        assert lesson.value(f"deviation[{k}, 0]") == pytest.approx(found.standard_error, rel=0.02)


def test_the_board_is_right(lesson, demo):
    truth = {model.name: pool_value(ErrorRate(), model, demo.y_true) for model in demo.pool.models}
    board = lesson.value("board")
    for placed in board.models:
        assert placed.estimate.low <= truth[placed.name] <= placed.estimate.high
        assert all(truth[better] < truth[placed.name] for better in placed.beaten_by)
    assert lesson.value("len(out)") >= 1
    low, high = (lesson.value(f"[each.estimate.{end} for each in board.models]") for end in ("low", "high"))
    assert max(low) < min(high), "the lesson says that all overlap"


def test_draws_go_where_models_differ(lesson, demo):
    answers = np.array([model.y_pred for model in demo.pool.models])
    differs = (answers != answers[0]).any(axis=0)
    asked = lesson.value("asked")
    assert len(asked) == 100
    assert differs[asked].sum() > binom.ppf(0.999, 100, differs.mean())


def test_sessions_know_the_best_sooner(lesson, demo):
    found, medians = lesson.value("found"), lesson.value("medians")
    assert medians["active"] < 0.75 * medians["uniform"]
    n_sessions = found["n_sessions"]
    assert all(len(found[kind]) == n_sessions for kind in ("active", "uniform"))
    assert lesson.value("n_wrong") <= binom.ppf(0.999, 2 * n_sessions, 0.05)
    truth = min(pool_value(ErrorRate(), model, demo.y_true) for model in demo.pool.models)
    missed = sum(not low <= truth <= high for run in found["active"] for _, low, high in [run["best"]])
    assert missed <= binom.ppf(0.999, n_sessions, 0.05)
