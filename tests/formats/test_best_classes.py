"""A column of predicted classes with the probability of each: what many tools write."""

import numpy as np
import pytest

from activeeval_widgets import Pool
from activeeval_widgets.formats import examine
from activeeval_widgets.stats import PredictedClasses

from .conftest import Write

TWO = ["pos,0.9", "neg,0.6", "pos,0.55", "neg,0.8"]
THREE = ["bug,0.4", "howto,0.7", "billing,1", "bug,0.5"]


def table(rows: list[str], names: str) -> str:
    return "\n".join([f"text,{names}", *(f"text {i},{row}" for i, row in enumerate(rows)), ""])


@pytest.mark.parametrize(
    "names",
    [
        "label,score",
        "prediction,score",
        "y_pred,proba",
        "Prediction,Confidence",
        "label,confidence",
        "pred_label,conf",
    ],
)
def test_scores_of_the_predicted_class(write: Write, names: str) -> None:
    path = write(table(TWO, names))
    found = examine(path)
    predicted, score = names.split(",")
    assert f"probabilities of the predicted classes: {score}" in found.guessed
    assert f"{score!r} is the probability of the class in {predicted!r}." in found.guessed
    model = Pool.read(path).predictions
    assert (model.classes.tolist(), model.y_pred.tolist()) == (["neg", "pos"], ["pos", "neg", "pos", "neg"])
    np.testing.assert_allclose(model.y_proba[:, 1], [0.9, 0.4, 0.55, 0.2])


def test_other_classes_share_the_rest(write: Write) -> None:
    path = write(table(THREE, "label,score"))
    assert any(note.endswith("; the other classes share the rest evenly.") for note in examine(path).guessed)
    model = Pool.read(path).predictions
    assert model.classes.tolist() == ["billing", "bug", "howto"]
    np.testing.assert_allclose(
        model.y_proba, [[0.3, 0.4, 0.3], [0.15, 0.15, 0.7], [1, 0, 0], [0.25, 0.5, 0.25]]
    )


@pytest.mark.parametrize(
    ("rows", "positive"),
    [
        # below one half where the first class is predicted
        (["pos,0.9", "neg,0.4", "pos,0.6", "neg,0.1"], [0.9, 0.4, 0.6, 0.1]),
        # by a threshold of 0.7
        (["pos,0.9", "neg,0.6", "pos,0.8", "neg,0.55"], [0.9, 0.6, 0.8, 0.55]),
        # only one class is predicted of the two
        (["pos,0.9", "pos,0.6", "pos,0.8", "pos,0.55"], [0.9, 0.6, 0.8, 0.55]),
    ],
)
def test_scores_of_the_positive_class(write: Write, rows: list[str], positive: list[float]) -> None:
    path = write(table(rows, "prediction,score"))
    options = {"classes": "neg,pos"} if all(row.startswith("pos") for row in rows) else {}
    assert "probability of the positive class: score" in examine(path, **options).guessed
    np.testing.assert_allclose(Pool.read(path, **options).predictions.y_proba[:, 1], positive)


def test_a_label_is_not_a_prediction_where_scores_contradict(write: Write) -> None:
    found = examine(write(table(["pos,0.9", "neg,0.8", "neg,0.2", "pos,0.3"], "label,score")))
    assert (found.columns.score, found.columns.predicted) == ("score", None)


def test_columns_as_in_a_script_with_scikit_learn(write: Write) -> None:
    rows = ["1,0,0.7,0.3", "0,1,0.2,0.8", "1,1,0.4,0.6", "0,1,0.45,0.55"]
    found = examine(write(table(rows, "y_true,y_pred,proba_0,proba_1")))
    assert found.columns.proba == ("proba_0", "proba_1")
    assert found.columns.predicted == "y_pred"
    assert not found.problems


def test_topics_are_no_classes_beside_probabilities(write: Write) -> None:
    rows = ["0.2,0.3,0.5,0.7,0.3", "0.1,0.8,0.1,0.2,0.8", "0.3,0.3,0.4,0.4,0.6"]
    found = examine(write(table(rows, "topic_a,topic_b,topic_c,p_ham,p_spam")))
    assert found.columns.proba == ("p_ham", "p_spam")


def test_names_that_end_with_what_was_predicted(write: Write) -> None:
    numbers = examine(write(table(["210000.5", "99000", "134000.25"], "price_pred")))
    assert numbers.columns.mean == "price_pred"
    model = Pool.read(write(table(["dog", "cat", "dog"], "animal_prediction"))).predictions
    assert isinstance(model, PredictedClasses)
