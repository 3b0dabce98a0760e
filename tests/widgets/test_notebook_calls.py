"""What `evaluate` and `compare` take, and what they refuse."""

import inspect
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

from activeeval_widgets import LabelingApp, Pool, Session, compare, evaluate
from activeeval_widgets.session import SessionMismatchError
from activeeval_widgets.stats import ErrorRate, PredictedClasses, ScoredClasses, ValuePredictions
from activeeval_widgets.widgets import Race, explorers, notebook

from ..doctest_namespace import run_examples

TEXTS = [f"text {n}" for n in range(20)]
X = np.arange(40.0).reshape(20, 2) % 7
Y = np.where(X[:, 0] > 3, "spam", "ham")
PROBA = [[0.9, 0.1], [0.4, 0.6]] * 10
SESSION = Session(Pool(TEXTS, predictions=PROBA), "error-rate")


def test_the_examples_run() -> None:
    found = run_examples(notebook.__name__)
    assert (found.failed, found.attempted > 20) == (0, True)


def test_columns_that_show_the_answer_are_reported() -> None:
    """By their names, or because they agree with the predictions more often than by chance."""
    proba = pd.DataFrame(PROBA, columns=["ham", "spam"])
    classes = np.array(["ham", "spam"] * 10)
    answers = ["HAM", " Spam ", None, ""] + ["ham", "spam"] * 7 + ["spam", "ham"]
    table = pd.DataFrame({"size": range(20), "verdict": answers, "Ground truth": Y, "y": X[:, 0]})
    table["chance"] = ["ham", "ham", "spam", "spam"] * 5
    table["code"] = [0, np.nan, *[0, 1] * 9]
    table["bytes"], table["lists"] = b"\xff", [[n] for n in range(20)]
    numbers = ValuePredictions(np.arange(20.0))
    for records, predictions, measure, shown in [
        (table, proba, "error-rate", ["verdict", "Ground truth"]),
        (table, classes, "error-rate", ["verdict", "Ground truth"]),
        (table[["y", "code"]], PROBA, "error-rate", ["code"]),
        (table[["y", "size"]], numbers, "absolute-error", ["size"]),
    ]:
        with pytest.warns(UserWarning, match=re.escape(f"drop(columns={shown})")) as found:
            evaluate(records, predictions, measure)
        assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(table.drop(columns=["verdict", "Ground truth"]), proba, "error-rate")
        evaluate(table[["y", "chance", "bytes", "lists"]], numbers, "absolute-error")
        evaluate(table[["y", "verdict"]], None, "label-share", positive="spam", classes=["ham", "spam"])


@pytest.mark.parametrize("call", [evaluate, compare, Session, Pool])
def test_there_are_three_examples(call: Any) -> None:
    text = (inspect.getdoc(call) or "").split("Examples\n--------\n")[1]
    assert len(re.findall(r"(?:\A|\n\n)(?:[A-Z][^\n]*:\n\n)?>>> ", text)) >= 3


@pytest.mark.parametrize(
    ("call", "known", "wrong"),
    [
        (lambda **o: evaluate(TEXTS, PROBA, "error-rate", **o), "budget", "budjet"),
        (lambda **o: evaluate(TEXTS, PROBA, "error-rate", **o), "shows_estimate", "show_estimate"),
        (lambda **o: compare(TEXTS, {"a": PROBA, "b": PROBA}, "error-rate", **o), "store", "stroe"),
        (lambda **o: compare(TEXTS, {"a": PROBA, "b": PROBA}, "error-rate", **o), "documents", "document"),
        (lambda **o: Session(Pool(TEXTS, predictions=PROBA), "error-rate", **o), "protocol", "protocoll"),
        (lambda **o: Pool(TEXTS, **o), "predictions", "prediction"),
        (
            lambda **o: LabelingApp(SESSION, **o),
            "title",
            "titel",
        ),
    ],
)
def test_a_keyword_that_is_not_known_is_refused(call: Any, known: str, wrong: str) -> None:
    with pytest.raises(
        TypeError, match=rf"\(\) got an unexpected keyword '{wrong}': did you mean '{known}'\?$"
    ):
        call(**{wrong: None})


def test_a_keyword_that_resembles_none_is_told_all() -> None:
    with pytest.raises(
        TypeError, match=r"Session\(\) got an unexpected keyword 'x'; it takes pool, measure, "
    ):
        Session(Pool(TEXTS, predictions=PROBA), "error-rate", x=1)


def test_completion_offers_the_options_of_compare() -> None:
    offered = inspect.signature(compare).parameters
    assert set(inspect.signature(evaluate).parameters) - {"predictions"} < set(offered)
    assert offered["documents"].kind is inspect.Parameter.KEYWORD_ONLY
    assert not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in offered.values())


def test_evaluate_takes_predicted_labels() -> None:
    session = evaluate(TEXTS, list(Y), "f1", positive="spam").session
    assert isinstance(session.models[0], PredictedClasses)
    assert session.models[0].classes.tolist() == ["ham", "spam"]
    assert session.label("ham").value == "ham"
    numbers = evaluate(TEXTS, (Y == "spam").astype(int), "recall").session
    assert numbers.measure.positive == 1


def test_a_class_that_is_never_predicted() -> None:
    session = evaluate(TEXTS, list(Y), "error-rate", classes=["ham", "spam", "scam"]).session
    assert session.label("scam").value == "scam"
    predicted = {"a": list(Y), "b": ["ham"] * 20}
    assert compare(TEXTS, predicted, "error-rate", classes=["scam", "ham", "spam"]).session.label("scam")
    with pytest.raises(
        ValueError, match="classes are for a pool without predictions, or with predicted labels"
    ):
        evaluate(TEXTS, PROBA, "error-rate", classes=["ham", "spam"])
    with pytest.raises(ValueError, match="classes must be at least two"):
        evaluate(TEXTS, ["ham"] * 20, "error-rate")


def test_evaluate_takes_a_model_with_a_decision_function() -> None:
    model = LinearSVC().fit(X, Y)
    session = evaluate(TEXTS, model, "error-rate", features=X).session
    assert isinstance(session.models[0], ScoredClasses)
    assert session.models[0].name == "LinearSVC"
    assert session.models[0].y_pred.tolist() == model.predict(X).tolist()
    # As in a comparison.
    both = compare(TEXTS, {"a": model, "b": LogisticRegression().fit(X, Y)}, "error-rate", features=X).session
    assert np.array_equal(both.models[0].y_proba, session.models[0].y_proba)


def test_evaluate_takes_a_model_that_only_predicts() -> None:
    digits = X[:, 0].astype(int)
    model = SVC(decision_function_shape="ovo").fit(X, digits)
    assert isinstance(evaluate(TEXTS, model, "error-rate", features=X).session.models[0], PredictedClasses)
    pair = evaluate(TEXTS, [model, LinearSVC().fit(X, digits)], "error-rate", features=X).session
    assert [each.name for each in pair.models] == ["SVC", "LinearSVC"]


def test_races_and_explorers_take_a_name() -> None:
    race = Race(TEXTS, PROBA, "recall", [0, 1] * 10, positive=1, budget=5)
    assert repr(race._page.contest.measure) == "Recall(positive=1)"
    assert Race.of_pool(Pool(TEXTS, predictions=PROBA), "f1", [0, 1] * 10, budget=5).truth == 1
    assert explorers.YourPool(PROBA, "f1", positive=1).title == "Your pool"
    with pytest.raises(ValueError, match="Did you mean 'recall'"):
        explorers.YourPool(PROBA, "recal")


def test_draws_follow_the_name_and_the_predictions() -> None:
    """Else a model would be evaluated where an earlier session found its errors, which were repaired."""
    proba = np.random.default_rng(0).dirichlet([1, 1], 200)
    repaired = np.where(np.arange(200)[:, np.newaxis] % 50 == 0, proba[:, ::-1], proba)

    def drawn(proba: Any, **options: Any) -> list[int]:
        session = evaluate(["text"] * 200, proba, ErrorRate(), **options).session
        return [asked.index for asked in session.upcoming(8)]

    assert drawn(proba) == drawn(proba)
    assert len({tuple(drawn(proba)), tuple(drawn(repaired)), tuple(drawn(proba, name="second"))}) == 3
    assert drawn(proba, seed=7) == drawn(proba, seed=7, name="second") != drawn(proba)


def test_a_stored_session_with_other_predictions_is_refused_for_these_alone(tmp_path: Path) -> None:
    proba = np.random.default_rng(0).dirichlet([1, 1], 20)
    stored = {"store": tmp_path / "labels.sqlite"}
    evaluate(["text"] * 20, proba, ErrorRate(), **stored).session.label(1)
    assert evaluate(["text"] * 20, proba, ErrorRate(), **stored).session.n_labels == 1
    with pytest.raises(SessionMismatchError, match=r"settings: predictions \(\w+… then, \w+… now\)\. Open"):
        evaluate(["text"] * 20, proba[:, ::-1], ErrorRate(), **stored)
    with pytest.raises(SessionMismatchError, match=r"settings: seed \(\d+ then, 3 now\)\. Open"):
        evaluate(["text"] * 20, proba, ErrorRate(), seed=3, **stored)
