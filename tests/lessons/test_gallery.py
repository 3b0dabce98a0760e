"""The gallery: closed forms against `stats`, simulations against what is known exactly."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.lessons import simulated
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    clopper_pearson_interval,
    optimal_q,
    wilson_interval,
)

from ..notebook_runner import Ran

DRAWS = (25, 50, 100, 200, 400, 800)


@pytest.fixture(scope="module")
def errors() -> dict:
    return {each["name"]: each for each in simulated("gallery_errors")["settings"]}


@pytest.fixture(scope="module")
def f_measures() -> dict:
    return {each["name"]: each for each in simulated("gallery_f_measures")["settings"]}


# -- closed forms -----------------------------------------------------------------------------------------


def test_the_map_of_error_rates_is_the_q_of_a_pool(lesson: Ran) -> None:
    sure, risks, rows = (lesson.value(name) for name in ("sure", "risks", "by_risk"))
    # Of a pool in which the model expects 20 % errors.
    confidence = np.array([0.55, 0.65, 0.8, 0.9, 0.9, 1.0])
    q = optimal_q(ErrorRate(), ClassPredictions(np.column_stack([confidence, 1 - confidence])))
    row = rows[np.argmin(np.abs(risks - (1 - confidence).mean()))]
    shown = np.interp(confidence, sure, row)
    assert shown / shown.sum() == pytest.approx(q, abs=1e-4)


def test_the_map_of_f_is_the_q_of_a_pool(lesson: Ran) -> None:
    values, positive = lesson.value("values"), lesson.value("positive")
    row_of = "f_preference(positive, values[k], 0.5, positive >= 0.5)"
    p = positive[[3, 40, 80, 120, 170, 196]]
    model = ClassPredictions(np.column_stack([1 - p, p]))
    # What the model expects of its own F₁.
    expected = 2 * p[p >= 0.5].sum() / ((p >= 0.5).sum() + p.sum())
    k = int(np.argmin(np.abs(values - expected)))
    q = optimal_q(FMeasure(), model)
    shown = np.array(lesson.value(row_of.replace("k]", f"{k}]")))[[3, 40, 80, 120, 170, 196]]
    assert shown / shown.sum() == pytest.approx(q, abs=5e-3)


def test_two_models_are_told_apart_where_they_disagree(lesson: Ran) -> None:
    first = np.array([[0.8, 0.2], [0.3, 0.7], [0.4, 0.6], [0.9, 0.1]])
    second = np.array([[0.6, 0.4], [0.7, 0.3], [0.2, 0.8], [0.7, 0.3]])
    q = optimal_q(ErrorRate(), [ClassPredictions(first), ClassPredictions(second)])
    p, one, other = ((first + second) / 2)[:, 1], first.argmax(axis=1), second.argmax(axis=1)
    # The mixture's expectation of the difference, and the notebook's own function.
    wrong = [np.where(answer == 1, 1 - p, p) for answer in (one, other)]
    difference = float((wrong[0] - wrong[1]).mean())
    shown = lesson.value(
        f"difference_preference({p.tolist()}, {difference}, {(one == 1).tolist()}, {(other == 1).tolist()})"
    )
    assert shown / shown.sum() == pytest.approx(q, rel=1e-9)
    assert f"**{lesson.value('disagree_to_agree(0.02)'):.0f} times**" in lesson.text


def test_intervals_hold_as_often_as_a_sum_over_counts_says(lesson: Ran) -> None:
    held, rates, draws = (lesson.value(name) for name in ("held", "rates", "draws"))
    intervals = {"wilson": wilson_interval, "clopper_pearson": clopper_pearson_interval}
    for name, interval in intervals.items():
        for row, column in ((0, 20), (9, 40), (19, 199)):
            n, rate = int(draws[row]), rates[column]
            ends = [interval(k, n, 0.95) for k in range(n + 1)]
            chance = sum(binom.pmf(k, n, rate) for k, (low, high) in enumerate(ends) if low <= rate <= high)
            assert held[name][row, column] == pytest.approx(chance, abs=1e-9)
    assert held["clopper_pearson"].min() >= 0.95
    assert held["wald"][9][rates <= 0.05].max() < 0.95


# -- simulations ------------------------------------------------------------------------------------------


def test_uniform_errors_are_those_of_a_binomial_count(errors: dict) -> None:
    for pool in errors.values():
        if "likelihood" not in pool:
            continue
        rate, found = pool["truth"][0], pool["methods"]["uniform"]
        counts = [np.arange(n + 1) for n in DRAWS]
        exact = [binom.pmf(k, n, rate) @ np.abs(k / n - rate) for k, n in zip(counts, DRAWS, strict=True)]
        off = np.subtract(found["error"], exact) / found["standard_error"]
        assert np.abs(off).max() < 4.5, pool["name"]


@pytest.mark.parametrize(("name", "demo"), [("demo, digits", "digits"), ("demo, photos", "images")])
def test_the_papers_q_errs_as_its_variance_says(errors: dict, name: str, demo: str) -> None:
    opened = DEMOS[demo]()
    model = opened.pool.predictions
    q = optimal_q(opened.measure, model)
    wrong = model.y_pred != opened.y_true
    weights = 1 / (len(q) * q)
    variance = float((q * (weights * (wrong - wrong.mean())) ** 2).sum())
    found = errors[name]["methods"]["papers"]
    assert found["error"][-1] == pytest.approx(np.sqrt(2 / np.pi * variance / 800), rel=0.08)


def test_adaptive_draws_need_fewest_labels(lesson: Ran) -> None:
    needed = lesson.value(
        "[[needed(pool, m) for m in ('uniform', 'papers', 'adaptive')] for pool in [*classifiers, *topics]]"
    )
    uniform, papers, adaptive = np.array(needed).T
    assert (adaptive < uniform).all()
    assert np.exp(np.log(adaptive / papers).mean()) < 0.9


def test_what_is_said_to_be_saved(lesson: Ran, f_measures: dict) -> None:
    for name in ("recall", "F0.5", "precision"):
        pool = f_measures[f"spam, {name}, no shift"]
        own, uniform = (np.log(pool["methods"][m]["n_labels"]) for m in ("papers", "uniform"))
        goal = pool["methods"]["uniform"]["error"][-1]
        error = np.array(pool["methods"]["papers"]["error"])
        at = int(np.argmax(error <= goal))
        slope = np.log(error[at] / error[at - 1]) / (own[at] - own[at - 1])
        labels = np.exp(own[at - 1] + np.log(goal / error[at - 1]) / slope)
        assert f"{labels:.0f}" in lesson.text
        assert labels < np.exp(uniform[-1]) / 3


def test_every_figure_says_what_it_shows_and_from_how_many(lesson: Ran) -> None:
    pictures = [
        output["data"]["text/html"]
        for output in lesson.outputs
        if "aew-figure" in output.get("data", {}).get("text/html", "")
    ]
    assert len(pictures) == 9
    assert max(map(len, pictures)) < 4 / 3 * 210_000 + 2_000
    for name in ("gallery_errors", "gallery_f_measures"):
        assert f"simulate_lessons.py {name}" in lesson.text
        assert str(simulated(name)["n_sessions"]) in lesson.text
