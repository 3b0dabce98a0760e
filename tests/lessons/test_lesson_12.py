"""Lesson 12: your own model and data, as a reader would run it."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.session import SessionMismatchError
from activeeval_widgets.stats import ClassPredictions, ErrorRate, pool_value


def test_the_ten_lines_are_ten(lesson):
    [cell] = [cell for cell in lesson.notebook.cells if cell.id == "ten"]
    assert len([line for line in cell.source.splitlines() if line.strip()]) <= 11
    assert cell.source.endswith("\napp")


def test_the_estimate_is_of_that_model(lesson):
    images, y = load_digits(return_X_y=True)
    model = LogisticRegression(C=0.1, max_iter=1000).fit(images[:200], y[:200])
    predictions = ClassPredictions(model.predict_proba(images[200:]), classes=model.classes_)
    truth = pool_value(ErrorRate(), predictions, y[200:])
    assert truth == np.mean(model.predict(images[200:]) != y[200:])
    assert lesson.value("truth") == pytest.approx(truth)
    estimate = lesson.value("estimate")
    assert estimate.low <= truth <= estimate.high
    assert estimate.n_labels == 40
    assert f"between {estimate.low:.1%} and {estimate.high:.1%}" in lesson.text


def test_it_goes_on_in_its_file(lesson):
    assert "the new app has 40 labels" in " ".join(lesson.text.split())
    lesson.run("import pandas, pathlib")
    assert lesson.value("pathlib.Path('digits.sqlite').is_file()")
    given = lesson.value("pandas.read_csv('labels.csv')['label'].tolist()")
    assert given == lesson.value("session.labels_table()['label'].tolist()")
    assert len(given) == 40


def test_the_command_line_reads_the_table(lesson):
    text = lesson.text
    assert "tumors.csv: 369 records" in text
    assert "what is shown: mean radius, mean texture, mean perimeter, mean area\n" in text
    assert "No problems." in text
    assert "positive is 'malign', and there is no such class. Did you mean 'malignant'? There are: " in text


def test_mistakes_are_reported(lesson):
    for message in (
        "expected a probability >= 0",
        "features has 1597 rows, expected one for each of 1596 instances",
        "If these are decision scores: ",
        "positive is 'seven', expected one of the classes [0, 1, 2",
        "label is '7', expected one of the classes [0, 1, 2",
        "there is no measure 'eror-rate'. Did you mean 'error-rate'?",
        "evaluate() got an unexpected keyword 'budjet': did you mean 'budget'?",
    ):
        assert message in lesson.text, message
    assert "| nothing |" not in lesson.text
    assert "started with different settings: predictions (" in lesson.value("str(message)")
    assert lesson.value("type(message).__name__") == SessionMismatchError.__name__
    # What was refused has left the session as it was.
    assert lesson.value("session.n_labels") == 40
