"""F of a rare class: the ratio, its q, and what is never drawn."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Precision,
    Recall,
    optimal_q,
    pool_value,
)

from ..notebook_runner import Ran


def pool(lesson: Ran) -> tuple[ClassPredictions, np.ndarray]:
    c = lesson.value("c")
    return ClassPredictions(np.column_stack([1 - c, c]), classes=["other", "8"]), lesson.value("y_true")


def test_f_is_that_of_the_pool(lesson: Ran) -> None:
    model, y_true = pool(lesson)
    assert lesson.value("float(F)") == pytest.approx(pool_value(FMeasure(positive="8"), model, y_true))
    result = {"Precision": Precision(positive="8"), "Recall": Recall(positive="8")}
    for name, measure in result.items():
        [line] = [line for line in lesson.text.splitlines() if line.startswith(f"- **{name}**")]
        assert f"{pool_value(measure, model, y_true):.1%}" in line


def test_uniform_labels_hardly_see_the_class(lesson: Ran) -> None:
    tp, fp, fn, m = lesson.value("(int(tp), int(fp), int(fn), m)")
    found = lesson.value("found")
    # F is 0, or 0/0, where no true positive was drawn.
    chance = (1 - tp / m) ** 100
    assert np.mean(found == 0) == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / 2000))
    assert 100 * (tp + fp + fn) / m < 5


def test_q_has_the_two_branches(lesson: Ran) -> None:
    model, _ = pool(lesson)
    assert lesson.value("by_hand") == pytest.approx(optimal_q(FMeasure(positive="8"), model), rel=1e-9)
    assert lesson.value("int((qs['precision'] == 0).sum())") == lesson.value("int((~says_8).sum())")
    assert lesson.value("int((qs['recall'] == 0).sum())") == 0


def test_labels_drawn_for_f_are_worth_several(lesson: Ran) -> None:
    model, y_true = pool(lesson)
    measure = FMeasure(positive="8")
    z = measure.statistics(model, y_true, np.arange(y_true.size))
    psi2 = (z[:, 0] - pool_value(measure, model, y_true) * z[:, 1]) ** 2
    variances = [np.sum(psi2 / q) for q in (optimal_q(ErrorRate(), model), optimal_q(measure, model))]
    uniform = np.sum(psi2) * y_true.size
    assert lesson.value("float(factor)") == pytest.approx(uniform / variances[1])
    assert uniform > variances[0] > variances[1]
    errors = lesson.value("{name: table_of_f.of(name)['rmse'].tolist() for name in methods}")
    uniform_errors, _, f_errors = errors.values()
    assert np.all(np.array(f_errors) < 0.6 * np.array(uniform_errors))


def test_errors_that_a_model_denies_are_never_drawn(lesson: Ran) -> None:
    tp, fp = lesson.value("(int(tp), int(fp))")
    q = lesson.value("optimal_q(measures['F₁'], too_sure)")
    missed = lesson.value("is_8 & ~says_8")
    assert np.all(q[missed] == 0)
    rows = {row["share"]: row for row in lesson.value("insured")}
    assert rows[0]["mean"] == pytest.approx(tp / (tp + fp / 2), abs=0.005)
    assert rows[0]["coverage"] < 0.1
    truth = lesson.value("float(F)")
    for share in (0.1, 0.3):
        assert abs(rows[share]["mean"] - truth) < 0.02
        assert 0 < rows[share]["price"] <= share / (1 - share)
    assert rows[0.3]["coverage"] > rows[0.1]["coverage"] > 0.5


def test_a_session_meets_many_of_the_class(lesson: Ran) -> None:
    truth, met, by_chance = lesson.value("(float(F), int(found_8), int(chance_8))")
    assert met > 4 * 250 * 40 / lesson.value("m") > by_chance
    ends = "(estimate.low, estimate.value, estimate.high)"
    low, value, high = lesson.value(ends)
    assert low < value < high
    assert low < truth < high
    uniform_low, _, uniform_high = lesson.value(ends.replace("estimate", "by_chance"))
    assert high - low < 0.5 * (uniform_high - uniform_low)
