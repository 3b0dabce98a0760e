"""Rubrics in a table: criteria and grades on the command line, judges' grades in columns."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets import Session
from activeeval_widgets.app.evaluation_options import given_settings
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.app.pages import evaluation
from activeeval_widgets.formats import examine
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.tasks import read_answers, write_tasks
from activeeval_widgets.stats import RubricPassRate, rubric_predictions

GIVEN = {
    "prompt": "question",
    "answer": ("answer",),
    "rubric": ("correct", "complete"),
    "classes": ("bad", "fair", "good"),
}
ROWS = [
    ("q0", "a0", "good", "2", "bad"),
    ("q1", "a1", "Fair", "1", ""),
    ("q2", "a2", "0", "good", "fair"),
]


def table(folder: Path, rows: Any = ROWS) -> Path:
    path = folder / "answers.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(
            [("question", "answer", "gpt_correct", "claude_correct", "complete_gpt"), *rows]
        )
    return path


def test_judges_grades_are_found_by_the_criteria(tmp_path: Path) -> None:
    settings = given_settings(table(tmp_path), GIVEN)
    assert EvaluationSettings.from_dict(settings.to_dict()) == settings
    pool = settings.make_pool()
    votes = {"correct": [[2, 2], [1, 1], [0, 2]], "complete": [[0], [None], [1]]}
    expected = rubric_predictions(["correct", "complete"], [0, 1, 2], votes=votes)
    np.testing.assert_allclose(pool.predictions.relevance.proba, expected.relevance.proba)
    found = check_file(settings, None)
    assert found.problems == ()
    assert "grades of judges: gpt_correct, claude_correct, complete_gpt" in found.notes
    assert any(note.startswith("measure: rubric-pass-rate") for note in found.notes)


def test_a_criterion_without_grades_of_judges_is_named(tmp_path: Path) -> None:
    settings = given_settings(table(tmp_path), {**GIVEN, "rubric": ("corect", "complete")})
    assert "grades of judges: complete_gpt (none on corect)" in check_file(settings, None).notes


def test_votes_name_some_of_the_columns(tmp_path: Path) -> None:
    pool = given_settings(table(tmp_path), {**GIVEN, "votes": ("gpt_*", "complete_gpt")}).make_pool()
    votes = {"correct": [[2], [1], [0]], "complete": [[0], [None], [1]]}
    expected = rubric_predictions(["correct", "complete"], [0, 1, 2], votes=votes)
    np.testing.assert_allclose(pool.predictions.relevance.proba, expected.relevance.proba)


def test_the_page_asks_for_all_criteria_at_once(tmp_path: Path) -> None:
    settings = given_settings(table(tmp_path), {**GIVEN, "measure": "rubric-pass-rate@2"})
    spec = {"kind": "evaluation", "settings": settings.to_dict(), "store": str(tmp_path / "s.sqlite")}
    app = evaluation.build(spec, {"session": None, "who": None})
    assert app._page.panel.config()["words"] == ["bad", "fair", "good"]
    shown = app._page.renderer.render(0).content.decode()
    for text in ("q0", "a0", "correct", "complete"):
        assert text in shown
    assert "gpt" not in shown
    session = app.session
    for _ in range(3):
        index = session.next().index
        session.label({"correct": 2 if index else 1, "complete": 2})
    assert session.estimate().value == pytest.approx(2 / 3)
    assert session.estimate(RubricPassRate(2, ["complete"])).value == pytest.approx(1)


@pytest.mark.parametrize(
    ("given", "row", "message"),
    [
        ({"classes": None}, None, "a rubric has grades, and there are no words for them. Name them with"),
        ({}, ("q3", "a3", "great", "2", ""), "'great' is not a grade: neither bad, fair, good nor 0 to 2"),
        ({}, ("q3", "a3", "3", "2", ""), "'3' is not a grade"),
        (
            {"votes": ("answer",)},
            None,
            "votes names 'answer', which neither begins nor ends with a",
        ),
    ],
)
def test_what_is_wrong_is_reported(tmp_path: Path, given: Any, row: Any, message: str) -> None:
    path = table(tmp_path, [*ROWS, *([row] if row else [])])
    problems = [str(problem) for problem in examine(path, **{**GIVEN, **given}).problems]
    assert len(problems) == 1
    assert message in problems[0]
    if row:
        assert "row 5" in problems[0]


def test_without_judges_draws_are_uniform(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("question,answer\nq0,a0\nq1,a1\n")
    settings = given_settings(path, GIVEN)
    assert "No column has grades of judges, so draws are uniform." in examine(path, **GIVEN).guessed
    np.testing.assert_allclose(settings.make_session().q, 0.5)


def test_tasks_offer_the_words_for_grades_and_take_them_back(tmp_path: Path) -> None:
    def begun() -> Session:
        return Session(given_settings(table(tmp_path), GIVEN).make_pool(), "rubric-pass-rate")

    session, path = begun(), tmp_path / "tasks.csv"
    write_tasks(session, session.offline.export(2), path, "csv", with_predictions=False)
    tasks = pd.read_csv(path, dtype=str)
    assert set(tasks["choices"]) == {"bad | fair | good"}
    tasks["label"] = ["good", " FAIR ", "1", "bad"]
    tasks.to_csv(path, index=False)
    graded = [{"correct": 2.0, "complete": 1.0}, {"correct": 1.0, "complete": 0.0}]
    assert [each.label for each in read_answers(session, path)] == graded
    session.offline.import_labels(read_answers(session, path))
    assert session.n_labels == 2


def test_words_for_grades_that_are_numbers_are_not_offered(tmp_path: Path) -> None:
    rows = [("q0", "a0", "", "", ""), ("q1", "a1", "", "", "")]
    settings = given_settings(table(tmp_path, rows), {**GIVEN, "classes": ("1", "2", "3")})
    session, path = Session(settings.make_pool(), "rubric-pass-rate"), tmp_path / "tasks.csv"
    write_tasks(session, session.offline.export(1), path, "csv", with_predictions=False)
    assert set(pd.read_csv(path, dtype=str)["choices"]) == {"0 | 1 | 2"}
