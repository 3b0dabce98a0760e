"""Comparisons of models that do not all say how sure they are."""

from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    LogLoss,
    PredictedClasses,
    ScoredClasses,
)

SIZE = 120
Y_TRUE = np.random.default_rng(3).integers(2, size=SIZE)


class Scorer:
    """A fitted classifier that has decision scores, and no probabilities."""

    classes_ = np.array([0, 1])
    _estimator_type = "classifier"

    def __init__(self, error: float, seed: int) -> None:
        self._is_wrong = np.random.default_rng(seed).random(SIZE) < error

    def fit(self, features: Any, y: Any) -> "Scorer":
        raise AssertionError("it is fitted")

    def decision_function(self, features: Any) -> np.ndarray:
        return np.where(self.predict(features) == 1, 1.5, -0.5)

    def predict(self, features: Any) -> np.ndarray:
        rows = np.asarray(features)[:, 0].astype(int)
        return np.where(self._is_wrong[rows], 1 - Y_TRUE[rows], Y_TRUE[rows])


ROWS = np.arange(SIZE)[:, np.newaxis]
SURE = np.where(Scorer(0.05, 1).predict(ROWS)[:, np.newaxis] == [0, 1], 0.85, 0.15)


def session_of(models: Any, measure: Any = None, **options: Any) -> Session:
    pool = Pool([str(i) for i in range(SIZE)], predictions=models, **options)
    return Session(pool, measure or ErrorRate())


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kind", ["classes", "estimator"])
@pytest.mark.parametrize("measure", [ErrorRate(), CohenKappa()], ids=repr)
def test_probabilities_are_compared_with_predicted_classes(kind: str, measure: Any, turned: bool) -> None:
    hard = Scorer(0.4, 2)
    models = {"sure": SURE, "hard": hard if kind == "estimator" else hard.predict(ROWS)}
    if turned:
        models = dict(reversed(models.items()))
    session = session_of(models, measure, **({"features": ROWS} if kind == "estimator" else {}))
    found = {model.name: type(model) for model in session.models}
    assert found == {
        "sure": ClassPredictions,
        "hard": PredictedClasses if kind == "classes" else ScoredClasses,
    }
    drawn = []
    while session.next() is not None and session.n_labels < 60:
        asked = session.next()
        drawn.append(asked.index)
        session.label(int(Y_TRUE[asked.index]))
    verdict = session.verdict()
    # The approximate interval of kappa is withheld while few labels carry it.
    assert verdict.better == "sure" or (isinstance(measure, CohenKappa) and verdict.is_uninformative)
    # Draws go to where the predictions differ (the papers' active with a cross of = and /).
    differ = hard.predict(ROWS) != (SURE[:, 1] > 0.5)
    assert differ[drawn].mean() > 1.2 * differ.mean()
    # Predicted classes promise nothing: nothing of theirs is put on trial.
    trials = dict(zip((model.name for model in session.models), session.findings.trials(), strict=True))
    assert trials["hard"] is None
    assert trials["sure"] is not None


def test_two_classifiers_without_probabilities() -> None:
    session = session_of({"a": Scorer(0.1, 1), "b": Scorer(0.4, 2)}, features=ROWS)
    assert [type(model) for model in session.models] == [ScoredClasses] * 2
    with pytest.raises(TypeError, match="takes class probabilities"):
        session_of({"a": SURE, "b": Scorer(0.4, 2)}, LogLoss(), features=ROWS)


def test_classes_are_those_of_the_model_that_says_more() -> None:
    three = ClassPredictions(np.full((4, 3), 1 / 3), classes=["a", "b", "c"])
    pool = Pool(["w", "x", "y", "z"], predictions={"one": three, "two": ["a", "a", "b", "a"]})
    assert pool.models[1].classes.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="expected one of the classes"):
        Pool(["w", "x", "y", "z"], predictions={"one": three, "two": ["a", "a", "b", "d"]})


def test_a_log_of_both_is_taken_up_again(tmp_path: Any) -> None:
    models = {"sure": SURE, "hard": Scorer(0.4, 2).predict(ROWS)}
    pool = Pool([str(i) for i in range(SIZE)], predictions=models)
    session = Session(pool, ErrorRate(), store=tmp_path / "labels.sqlite")
    session.label(int(Y_TRUE[session.next().index]))
    session.store.close()
    again = Session(pool, ErrorRate(), store=tmp_path / "labels.sqlite")
    assert again.n_labels == 1
    again.store.close()
