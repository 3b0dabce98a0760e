"""Classifiers that are compared by decision scores or classes alone: real ones of scikit-learn."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.findings.without_probabilities import guidance
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    PredictedClasses,
    ScoredClasses,
    SquaredError,
    ValuePredictions,
    absolute_difference_q,
    disagreement_q,
)
from activeeval_widgets.stats.predictions.from_dict import predictions_from_dict

from ..labeling import give_labels

RNG = np.random.default_rng(0)
X = RNG.normal(size=(240, 4))
TWO = np.where(X[:, 0] + RNG.normal(size=240) > 0, "spam", "ham")
THREE = np.array(["a", "b", "c"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]
SHOWN = [f"text {i}" for i in range(240)]
FITTED = slice(0, 120)
LOGISTIC = LogisticRegression().fit(X[FITTED], TWO[FITTED])
MACHINE = LinearSVC().fit(X[FITTED], TWO[FITTED])


def of(model: Any, y: Any = TWO) -> Any:
    models = {
        "sure": LogisticRegression().fit(X[FITTED], y[FITTED]),
        "other": model.fit(X[FITTED], y[FITTED]),
    }
    return Pool(SHOWN, predictions=models, features=X).models[1]


# -- the map


def test_scores_keep_their_order_whatever_their_unit() -> None:
    scores = RNG.normal(size=(50, 3)) * [1, 5, 0.1]
    model, again = ScoredClasses(scores), ScoredClasses(1000 * scores + 7)
    assert model.y_proba == pytest.approx(again.y_proba)
    assert np.array_equal(model.y_proba.argsort(axis=1), scores.argsort(axis=1))
    margins = np.diff(np.sort(scores, axis=1)[:, -2:])[:, 0]
    odds = np.diff(np.sort(np.log(model.y_proba), axis=1)[:, -2:])[:, 0]
    assert odds == pytest.approx(2 * margins / np.median(margins))
    # One column is that of the second of two classes; another scale of all is none.
    one = ScoredClasses([-1.0, 0.5, 2.0], classes=["ham", "spam"])
    assert one.y_pred.tolist() == ["ham", "spam", "spam"]
    assert one.y_proba == pytest.approx(ScoredClasses([[0, -1.0], [0, 0.5], [0, 2.0]]).y_proba)
    assert ScoredClasses([0.0, 0.0]).y_proba == pytest.approx(0.5)
    huge = ScoredClasses([1e-300, -1.0, 1e300]).y_proba
    assert np.isfinite(huge).all()
    assert huge.sum(axis=1) == pytest.approx(1)


def test_scores_claim_nothing() -> None:
    model = ScoredClasses(pd.DataFrame({"a": [0.3, -2], "b": [1, 5], "c": [0, 0]}), name="scored")
    assert model.classes.tolist() == ["a", "b", "c"]
    assert not model.promises
    assert model.is_supposed
    with pytest.raises(ValueError, match="promise nothing"):
        model.trial_bets()
    assert model.describe(0).in_short == "b"
    assert model.describe(1).record == {"prediction": "b"}
    again = predictions_from_dict(model.to_dict())
    assert isinstance(again, ScoredClasses)
    assert np.array_equal(again.y_proba, model.y_proba)
    some = model.of_instances(np.array([1]))
    assert isinstance(some, ScoredClasses)
    assert np.array_equal(some.y_proba, model.y_proba[1:])


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([1.0, np.nan], ValueError, r"scores\[1\] is nan, expected a finite number"),
        ([[1.0, 2.0], [np.inf, 0]], ValueError, r"scores\[1, 0\] is inf"),
        (["a", "b"], TypeError, "scores must be numbers"),
        (np.zeros((2, 2, 2)), ValueError, r"scores must have shape .*got \(2, 2, 2\)"),
        ([], ValueError, "scores must have shape"),
    ],
)
def test_bad_scores_are_reported(scores: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ScoredClasses(scores)


# -- models as they come


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize(
    "model",
    [
        LinearSVC(),
        RidgeClassifier(),
        SGDClassifier(random_state=0),
        SVC(),
        GridSearchCV(LinearSVC(), {"C": [1, 10]}, cv=2),
    ],
    ids=lambda model: type(model).__name__,
)
def test_decision_functions_guide_and_predictions_count(model: Any, y: Any) -> None:
    found = of(model, y)
    assert isinstance(found, ScoredClasses)
    assert found.name == "other"
    assert np.array_equal(found.y_pred, model.predict(X))
    scores = model.decision_function(X)
    doubt = -np.abs(scores) if scores.ndim == 1 else -np.diff(np.sort(scores, axis=1)[:, -2:])[:, 0]
    odds = np.diff(np.sort(np.log(found.y_proba), axis=1)[:, -2:])[:, 0]
    assert np.argmax(doubt) == np.argmin(odds)


def test_a_score_for_each_pair_of_classes_is_left_out() -> None:
    model = SVC(decision_function_shape="ovo")
    assert isinstance(of(model, THREE), PredictedClasses)
    assert isinstance(of(SVC(decision_function_shape="ovo"), TWO), ScoredClasses)


def test_pipelines_on_a_table_of_texts() -> None:
    texts = pd.Series([f"{'buy now' if y == 'spam' else 'see you'} {i}" for i, y in enumerate(TWO)])
    models = {
        "machine": make_pipeline(TfidfVectorizer(), LinearSVC()).fit(texts[:120], TWO[:120]),
        "logistic": make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(texts[:20], TWO[:20]),
    }
    pool = Pool(pd.DataFrame({"text": texts}), predictions=models, features=texts)
    assert [type(model) for model in pool.models] == [ScoredClasses, ClassPredictions]
    assert pool.models[0].classes.tolist() == ["ham", "spam"]


BAD = {
    "classes without names": (
        {"old": LOGISTIC.predict_proba(X), "new": MACHINE.predict(X)},
        r"predictions of 'new': y_pred\[0\] is '(sp|h)am', expected one of the classes \[0, 1\], "
        "as of 'old', whose columns have no names: name them by ClassPredictions",
    ),
    "a class that the other has not": (
        {"old": pd.DataFrame(LOGISTIC.predict_proba(X), columns=["ham", "spam"]), "new": ["x"] * 240},
        r"of 'new': y_pred\[0\] is 'x', expected one of the classes \['ham', 'spam'\], as of 'old'",
    ),
    "other classes": (
        {"old": LOGISTIC.predict_proba(X), "new": MACHINE},
        r"predictions of 'new' has the classes \['ham', 'spam'\], but predictions of 'old' has the classes",
    ),
    "not fitted": ({"old": LOGISTIC, "new": LinearSVC()}, "predictions of 'new': LinearSVC is not fitted"),
    "scores as they are": (
        {"old": LOGISTIC, "new": MACHINE.decision_function(X)},
        "predictions of 'new': .*decision scores.*ScoredClasses",
    ),
    "another length": (
        {"old": LOGISTIC, "new": LOGISTIC.predict_proba(X)[:7]},
        "predictions of 'new' is for 7 instances, but predictions of 'old' is for 240",
    ),
}


@pytest.mark.parametrize("given", BAD)
def test_what_is_wrong_is_reported_with_the_models_name(given: str) -> None:
    models, message = BAD[given]
    if given == "another length":
        models = {**models, "old": LOGISTIC.predict_proba(X)}
    asks = any(hasattr(each, "fit") for each in models.values())
    with pytest.raises(ValueError, match=message):
        Pool(SHOWN, predictions=models, **({"features": X} if asks else {}))


def test_scores_that_are_no_numbers_are_reported_with_the_models_name() -> None:
    class Broken(LinearSVC):
        def decision_function(self, features: Any) -> Any:
            return np.full(len(features), np.nan)

    with pytest.raises(ValueError, match=r"of 'other': Broken.decision_function\(features\): scores\[0\]"):
        of(Broken())


# -- sessions


def test_a_session_of_scores_goes_on_and_refuses_measures_of_probabilities(tmp_path: Any) -> None:
    pool = Pool(SHOWN, predictions={"logistic": LOGISTIC, "machine": MACHINE}, features=X)
    with pytest.raises(TypeError, match="log loss takes class probabilities"):
        Session(pool, LogLoss())
    session = Session(pool, ErrorRate(), store=tmp_path / "labels.sqlite")
    give_labels(session, TWO, 15)
    assert session.findings.trials()[1] is None
    before = session.watched()
    session.store.close()
    again = Session(pool, ErrorRate(), store=tmp_path / "labels.sqlite")
    assert (again.n_labels, again.watched().low) == (15, before.low)
    again.store.close()


def test_it_is_stated_what_draws_go_by_and_what_it_costs() -> None:
    def sentences(models: Any, measure: Any = None, **options: Any) -> list[str]:
        features = {"features": X} if any(hasattr(each, "fit") for each in models.values()) else {}
        session = Session(Pool(SHOWN, predictions=models, **features), measure or ErrorRate(), **options)
        found = guidance(session.findings)
        assert all(each in session.report() for each in found)
        return found

    cost = "It may take more labels than with probabilities; the guarantee is the same."
    hard = MACHINE.predict(X)
    assert sentences({"a": LOGISTIC, "b": LOGISTIC}) == []
    assert sentences({"logistic": LOGISTIC, "machine": MACHINE}) == [
        "Decision scores, no probabilities, of machine: draws go by them, corrected by the labels.",
        cost,
    ]
    assert sentences({"one": hard, "two": hard}) == [
        "Predicted classes alone of one and two: draws go to where the predictions differ (active≠), as the "
        "labels correct it.",
        cost,
    ]
    assert sentences({"logistic": LOGISTIC, "machine": MACHINE}, protocol="papers") == [
        "No probabilities of machine: draws are uniform where the predictions differ (active≠).",
        cost,
    ]
    assert sentences({"logistic": LOGISTIC, "machine": MACHINE}, q=np.full(240, 1 / 240)) == []
    values = {"first": ValuePredictions(X[:, 0]), "second": ValuePredictions(X[:, 1])}
    assert sentences(values, SquaredError(), protocol="papers")[0] == (
        "No variances of first and second: draws are in proportion to how far the predictions are apart "
        "(active∞)."
    )


# -- the papers' protocol


def test_the_papers_protocol_falls_back_to_where_predictions_differ() -> None:
    predicted = {"logistic": LOGISTIC.predict(X), "machine": MACHINE.predict(X)}
    for models in (predicted, {"logistic": LOGISTIC, "machine": MACHINE}):
        features = {} if models is predicted else {"features": X}
        pool = Pool(SHOWN, predictions=models, **features)
        session = Session(pool, ErrorRate(), protocol="papers")
        assert session.q == pytest.approx(disagreement_q(*predicted.values()))
        assert session.draws.defensive == 0
    # The estimate is of the whole pool: it comes near the difference there is.
    truth = np.mean(predicted["logistic"] != TWO) - np.mean(predicted["machine"] != TWO)
    give_labels(session, TWO, int(np.count_nonzero(session.q)) - 1)
    assert session.estimate().value == pytest.approx(truth, abs=0.02)
    # What each model is wrong about where both are is never drawn.
    assert "they don't show each model's own value" in session.report()
    # With costs, and where labels count elsewhere as well.
    costs = np.linspace(1, 4, 240)
    of_costs = Session(Pool(SHOWN, predictions=predicted, costs=costs), ErrorRate(), protocol="papers").q
    differ = predicted["logistic"] != predicted["machine"]
    assert of_costs == pytest.approx(differ / np.sqrt(costs) / (differ / np.sqrt(costs)).sum())
    of_f = Session(Pool(SHOWN, predictions=predicted), FMeasure(positive="spam"), protocol="papers")
    assert of_f.q == pytest.approx(0.8 * disagreement_q(*predicted.values()) + 0.2 / 240)
    third = {**predicted, "third": TWO[::-1]}
    of_three = Session(Pool(SHOWN, predictions=third), ErrorRate(), protocol="papers").q
    pairs = [("logistic", "machine"), ("logistic", "third"), ("machine", "third")]
    mean = np.mean([disagreement_q(third[one], third[other]) for one, other in pairs], axis=0)
    assert of_three == pytest.approx(0.8 * mean + 0.2 / 240)


def test_values_without_variances_are_drawn_by_their_distance() -> None:
    one, other = X[:, 0], X[:, 1]
    pool = Pool(SHOWN, predictions={"one": ValuePredictions(one), "other": ValuePredictions(other)})
    session = Session(pool, SquaredError(), protocol="papers", defensive=0.0)
    assert session.q == pytest.approx(absolute_difference_q(one, other))
