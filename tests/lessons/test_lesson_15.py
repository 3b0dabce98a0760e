"""Contact sheets: what they cost and save, and what haste does."""

import numpy as np
import pytest

from activeeval_widgets import demos
from activeeval_widgets.lessons import simulated
from activeeval_widgets.stats import asymptotic_variance, optimal_q

from ..notebook_runner import Ran


def test_a_sheet_holds_what_the_model_is_sure_of(lesson: Ran) -> None:
    indices, sure = lesson.value("indices"), lesson.value("sure")
    assert 6 <= indices.size <= 24
    assert sure[indices].all()
    assert lesson.value("n_wrong") >= 1  # or there would be nothing to find


def test_the_square_root_is_the_best_at_any_cost(lesson: Ran) -> None:
    demo = demos.digits()
    model, measure, sure = demo.pool.predictions, demo.measure, lesson.value("sure")
    at = [cost for cost in (1 / 32, 1 / 8, 1 / 2) for _ in range(3)]
    believed = [cost * times for cost in (1 / 32, 1 / 8, 1 / 2) for times in (1 / 2, 1, 2)]
    needed = lesson.value(f"[time_needed(*each) for each in zip({at}, {believed})]")
    for less, best, more in np.reshape(needed, (3, 3)):
        assert best < min(less, more)
    # Σ p² E[ψ²]/q · Σ λ q at the optimum is (Σ p sqrt(E[ψ²] λ))², and p sqrt(E[ψ²]) is as q without costs.
    q = optimal_q(measure, model)
    expected = (q @ np.sqrt(np.where(sure, 1 / 8, 1))) ** 2
    assert lesson.value("time_needed(1 / 8, 1 / 8)") == pytest.approx(expected)
    assert lesson.value("time_needed(1, 1)") == pytest.approx(1)
    costs = np.where(sure, 1 / 8, 1)
    both = optimal_q(measure, model, costs=costs)
    variance = asymptotic_variance(measure, model, both) * (both @ costs)
    assert variance / asymptotic_variance(measure, model, q) == pytest.approx(expected)


def test_figures_follow_the_seconds(lesson: Ran) -> None:
    usual = lesson.value("at_minutes('careful', 6.0, 2.0, 6.0)")
    assert lesson.value("at_minutes('careful', 12.0, 4.0, 12.0)") == pytest.approx(usual)
    single = lesson.value("at_minutes('single', 6.0, 2.0, 6.0)")
    assert usual[0] < 0.85 * single[0]
    assert usual[1] < single[1]
    # A sheet for which somebody takes a minute does not pay.
    assert lesson.value("at_minutes('careful', 6.0, 2.0, 60.0)")[0] > single[0]
    assert len(lesson.changed_by("my_seconds_sheet.value = 12")) == 4
    assert len(lesson.changed_by("my_seconds_single.value = 3")) == 4


def test_careful_people_are_not_wrong_more_often(lesson: Ran) -> None:
    n_sessions = simulated("sheets")["n_sessions"]
    allowed = 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_sessions)
    assert lesson.value("sheet_misses") <= allowed
    assert lesson.value("single_misses") <= allowed


def test_slips_are_found_and_what_is_overlooked_is_not(lesson: Ran) -> None:
    sessions = lesson.value("{way: [each['is_stopped'] for each in sessions[way]] for way in ROWS}")
    assert np.mean(sessions["one slip in five"]) > 0.8
    assert np.mean(sessions["careful"]) == np.mean(sessions["overlooks half"]) == 0
    ends = lesson.value("ends")
    off, misses = ends["one slip in five"]
    assert off > 0.03
    assert misses > 0.5
    off, misses = ends["overlooks half"]
    assert abs(off) < 0.01
    assert misses < 0.1
