"""The gallery: its closed forms against what `stats` computes in other ways."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    clopper_pearson_interval,
    optimal_q,
    wilson_interval,
)

from ..notebook_runner import Ran


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


def test_every_figure_is_there(lesson: Ran) -> None:
    pictures = [
        output["data"]["text/html"]
        for output in lesson.outputs
        if "aew-figure" in output.get("data", {}).get("text/html", "")
    ]
    assert len(pictures) == 4
    assert max(map(len, pictures)) < 4 / 3 * 200_000 + 2_000
