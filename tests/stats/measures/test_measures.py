"""Measures on a fully labeled pool against scikit-learn."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AbsoluteError,
    Accuracy,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    Precision,
    Recall,
    Specificity,
    SquaredError,
    ValuePredictions,
    pool_value,
)

metrics = pytest.importorskip("sklearn.metrics")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("classes", [None, ["c", "a", "b"]])
def test_pool_value_equals_scikit_learn(seed, classes):
    rng = np.random.default_rng(seed)
    predictions = ClassPredictions(rng.dirichlet([1, 1, 1], 60), classes=classes)
    y_true = rng.choice(predictions.classes, 60)
    accuracy = metrics.accuracy_score(y_true, predictions.y_pred)
    assert pool_value(Accuracy(), predictions, y_true) == pytest.approx(accuracy, abs=1e-14)
    assert pool_value(ErrorRate(), predictions, y_true) == pytest.approx(1 - accuracy, abs=1e-14)


def test_names_and_ranges():
    assert (ErrorRate().name, ErrorRate().value_range) == ("error rate", (0.0, 1.0))
    assert (Accuracy().name, Accuracy().value_range) == ("accuracy", (0.0, 1.0))
    assert repr(ErrorRate()) == "ErrorRate()"


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_every_measure_of_classes_equals_scikit_learn(seed, n_classes):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(n_classes), 80)
    proba[:4] = np.eye(n_classes)[rng.integers(n_classes, size=4)]
    names = np.array([f"class {c}" for c in range(n_classes)])
    model = ClassPredictions(proba, classes=names)
    y_true = names[(np.arange(80) + rng.integers(n_classes, size=80) * (rng.random(80) < 0.7)) % n_classes]
    y_pred = model.y_pred
    positive = "class 1"
    one = {"labels": [positive], "average": "macro"}
    costs = rng.normal(size=(n_classes, n_classes))
    confusion = metrics.confusion_matrix(y_true, y_pred, labels=names)
    one_hot = y_true[:, np.newaxis] == names
    expected = {
        LogLoss(): metrics.log_loss(y_true, proba, labels=names),
        BrierScore(): np.mean(((proba - one_hot) ** 2).sum(axis=1)),
        FMeasure(positive=positive): metrics.f1_score(y_true, y_pred, **one),
        FMeasure(beta=0.5, positive=positive): metrics.fbeta_score(y_true, y_pred, beta=0.5, **one),
        FMeasure(beta=3, positive=positive): metrics.fbeta_score(y_true, y_pred, beta=3, **one),
        Precision(positive): metrics.precision_score(y_true, y_pred, **one),
        Recall(positive): metrics.recall_score(y_true, y_pred, **one),
        Specificity(positive): metrics.recall_score(y_true != positive, y_pred != positive),
        BalancedAccuracy(): metrics.balanced_accuracy_score(y_true, y_pred),
        MacroF(): metrics.f1_score(y_true, y_pred, average="macro"),
        MacroF(beta=2): metrics.fbeta_score(y_true, y_pred, beta=2, average="macro"),
        MatthewsCorrelation(): metrics.matthews_corrcoef(y_true, y_pred),
        CohenKappa(): metrics.cohen_kappa_score(y_true, y_pred),
        CostMatrix(costs): (costs * confusion.T).sum() / 80,
    }
    for measure, value in expected.items():
        assert pool_value(measure, model, y_true) == pytest.approx(value, abs=1e-12), measure


def test_measures_of_values_equal_scikit_learn():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.normal(size=(2, 50))
    model = ValuePredictions(y_pred)
    assert pool_value(SquaredError(), model, y_true) == pytest.approx(
        metrics.mean_squared_error(y_true, y_pred)
    )
    assert pool_value(AbsoluteError(), model, y_true) == pytest.approx(
        metrics.mean_absolute_error(y_true, y_pred)
    )


@pytest.mark.parametrize(
    ("measure", "y_true"),
    [
        (Recall(), [0, 0]),
        (Specificity(), [1, 1]),
        (BalancedAccuracy(), [0, 0]),
        (MatthewsCorrelation(), [0, 0]),
        (CohenKappa(), [0, 0]),
    ],
    ids=repr,
)
def test_what_is_not_defined_is_nan_without_a_warning(measure, y_true):
    model = ClassPredictions([[0.9, 0.1], [0.8, 0.2]])
    assert np.isnan(pool_value(measure, model, y_true))


def test_every_measure_says_what_it_is():
    expected = {
        CostMatrix([[0, 1], [2, -1]]): ("mean cost", (-1, 2), "CostMatrix([[0.0, 1.0], [2.0, -1.0]])", False),
        LogLoss(): ("log loss", (0, pytest.approx(36.0437, abs=1e-4)), "LogLoss()", False),
        BrierScore(): ("Brier score", (0, 2), "BrierScore()", False),
        FMeasure(): ("F1", (0, 1), "FMeasure.from_eta(0.5, positive=1)", True),
        FMeasure(beta=0.5): ("F0.5", (0, 1), "FMeasure.from_eta(0.8, positive=1)", True),
        Precision(positive="a"): ("precision of a", (0, 1), "Precision(positive='a')", True),
        Recall(): ("recall", (0, 1), "Recall(positive=1)", True),
        Specificity(positive=3): ("specificity of class 3", (0, 1), "Specificity(positive=3)", True),
        MacroF(beta=2): ("macro-F2", (0, 1), "MacroF(beta=2.0)", True),
        MatthewsCorrelation(): ("Matthews correlation", (-1, 1), "MatthewsCorrelation()", True),
        AbsoluteError(): ("mean absolute error", (0, np.inf), "AbsoluteError()", False),
    }
    for measure, (name, value_range, shown, greater_is_better) in expected.items():
        assert (measure.name, measure.value_range) == (name, value_range)
        assert repr(measure) == shown
        assert measure.greater_is_better is greater_is_better
