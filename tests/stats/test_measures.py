"""Measures on a fully labeled pool against scikit-learn."""

import numpy as np
import pytest

from activeeval_widgets.stats import Accuracy, ClassPredictions, ErrorRate, pool_value

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
