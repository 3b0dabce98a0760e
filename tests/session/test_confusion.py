"""The session's confusion matrix: its measure is the session's estimate, whatever was done."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    BalancedAccuracy,
    ClassPredictions,
    ConfusionEstimate,
    ErrorRate,
    Precision,
    PredictedClasses,
    Recall,
)

from ..labeling import give_labels

M = 60
VALUES: dict[str, tuple[Any, Callable[[Any], float]]] = {
    "error rate": (ErrorRate(), lambda s: 1 - np.trace(s)),
    "recall": (Recall(), lambda s: s[1, 1] / s[:, 1].sum()),
    "precision": (Precision(), lambda s: s[1, 1] / s[1].sum()),
    "balanced accuracy": (BalancedAccuracy(), lambda s: float(np.mean(np.diag(s) / s.sum(axis=0)))),
}


def begin(measure: Any, protocol: str, seed: int = 0) -> tuple[Session, np.ndarray]:
    rng = np.random.default_rng(seed)
    p = rng.beta(0.6, 0.6, M)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    y_true = (rng.random(M) < 0.6 * p + 0.2).astype(int)
    return Session(
        Pool([f"text {i}" for i in range(M)], predictions=model), measure, protocol=protocol, seed=seed
    ), y_true


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("name", VALUES)
def test_the_panel_does_not_contradict_the_estimate(name: str, protocol: str) -> None:
    """Exclusions, deferrals and undone labels included, to the end of the pool."""
    measure, implied = VALUES[name]
    session, y_true = begin(measure, protocol)
    rng = np.random.default_rng(1)
    while (present := session.next()) is not None and len(session.log) < 4000:
        chance = rng.random()
        if chance < 0.1:
            session.exclude()
        elif chance < 0.2 and session.log.n_deferred < 5:
            session.defer()
        elif chance < 0.25:
            session.undo()
        else:
            session.label(int(y_true[present.index]))
        if session.n_labels not in (1, 2, 7, 23, 40) and session.next() is not None:
            continue
        value, found = session.estimate().value, session.confusion()
        if value == value:
            assert implied(found.shares) == pytest.approx(value, abs=1e-9)
    assert session.known_value() == pytest.approx(implied(session.confusion().shares), abs=1e-12)
    labeled = [i for i in range(M) if session.log.label_of(i) is not None]
    assert session.log.n_excluded > 0
    counts = confusion_matrix(y_true[labeled], session.models[0].y_pred[labeled]).T
    found: ConfusionEstimate = session.confusion()
    np.testing.assert_array_equal(found.n_seen, counts)
    np.testing.assert_allclose(found.shares, counts / len(labeled), atol=1e-12)
    assert not found.standard_errors.any()


def test_two_models_have_no_one_matrix() -> None:
    model = ClassPredictions([[0.9, 0.1], [0.2, 0.8]])
    session = Session(Pool(["a", "b"], predictions=[model, model]), ErrorRate())
    with pytest.raises(TypeError, match="a confusion matrix is for one model's ClassPredictions"):
        session.confusion()


def test_there_is_no_matrix_of_a_pool_part_of_which_is_never_drawn() -> None:
    """Normalized over what is drawn, every cell and every difference would be too large."""
    first = np.arange(M) % 2
    second = np.where(np.arange(M) < 20, 1 - first, first)
    models = [PredictedClasses(each.tolist(), classes=[0, 1]) for each in (first, second)]
    pool = Pool(["x"] * M, predictions=models)
    for protocol in ("adaptive", "papers"):
        session = Session(pool, ErrorRate(), protocol=protocol)
        give_labels(session, first, 15)
        if protocol == "adaptive":
            assert session.confusions().first.shares.sum() == pytest.approx(1)
            continue
        with pytest.raises(ValueError, match="q is 0 on 40 of 60 instances: they are never drawn"):
            session.confusions()
    model = ClassPredictions([[0.8, 0.2], [0.3, 0.7]] * (M // 2))
    session = Session(Pool(["x"] * M, predictions=model), Precision(), protocol="papers", defensive=0.0)
    session.label(1)
    with pytest.raises(ValueError, match="q is 0 on 30 of 60 instances"):
        session.confusion()
