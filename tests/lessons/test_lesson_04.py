"""Costs: the square root, and what it saves."""

import numpy as np
import pytest

from activeeval_widgets import demos
from activeeval_widgets.stats import (
    asymptotic_variance,
    cost_q,
    expected_draws,
    optimal_q,
    pool_value,
    uniform_q,
)

from ..notebook_runner import Ran


def test_four_times_the_cost_is_drawn_half_as_often(lesson: Ran) -> None:
    assert lesson.value("float(at)") == pytest.approx(1 / 3, abs=0.005)
    # (Σ p √λ)² / Σ p λ of the uniform draws' budget
    grid, variance = lesson.value("grid"), lesson.value("variance")
    assert variance.min() / np.interp(0.5, grid, variance) == pytest.approx(1.5**2 / 2.5, rel=1e-4)


@pytest.mark.parametrize(("named", "costs"), [("for_reading", "reading"), ("for_price", "price")])
def test_budgets_are_those_of_the_formula(lesson: Ran, named: str, costs: str) -> None:
    demo = demos.text()
    model, measure = demo.pool.predictions, demo.measure
    values = lesson.value(costs)
    qs = {
        "uniform": uniform_q(len(values)),
        "costs alone": cost_q(values),
        "what labels tell alone": optimal_q(measure, model),
        "both": optimal_q(measure, model, costs=values),
    }
    # What an estimate's variance is for a budget of 1: σ² / n*.
    variance = {
        name: asymptotic_variance(measure, model, q) / expected_draws(q, values, 1) for name, q in qs.items()
    }
    found = lesson.value(named)
    assert found == pytest.approx({name: each / variance["uniform"] for name, each in variance.items()})
    assert found["both"] == min(found.values())


def test_reading_time_saves_little_and_a_specialist_much(lesson: Ran) -> None:
    reading, price = lesson.value("for_reading"), lesson.value("for_price")
    assert 0.95 < reading["costs alone"] < 1
    assert price["costs alone"] < 0.8
    assert price["both"] < 0.65


def test_errors_fall_as_promised(lesson: Ran) -> None:
    names, errors = lesson.value("(list(methods), table['rmse'].tolist())")
    promised = lesson.value("for_price")
    ratio = [error / errors[0] for error in errors]
    assert ratio == pytest.approx([np.sqrt(promised[name]) for name in names], rel=0.12)


def test_the_rest_is_another_question(lesson: Ran) -> None:
    demo = demos.text()
    truth = pool_value(demo.measure, demo.pool.predictions, demo.y_true)
    assert lesson.value("float(truth)") == pytest.approx(truth)
    assert abs(lesson.value("float(of_rest)") - truth) > 0.01


def test_a_session_spends_its_budget(lesson: Ran) -> None:
    spent, n_labels = lesson.value("(float(spent), estimate.n_labels)")
    assert 300 <= spent < 310
    uniform = 300 / lesson.value("float(price.mean())")
    assert n_labels > 1.4 * uniform
