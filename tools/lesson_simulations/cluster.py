"""Sessions on digits where the model takes some sevens for ones with near certainty: the sevens' F."""

from functools import cache
from typing import Any

import numpy as np

from activeeval_widgets import Pool, Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.stats import ClassPredictions, FMeasure, pool_value, uniform_q

SEED, N_SESSIONS, N_GUARANTEED, N_LABELS = 0, 80, 20, 100
POSITIVE, TAKEN_FOR, SIZE = 7, 1, 40
METHODS: dict[str, dict[str, Any]] = {
    "uniform": {},
    "optimal": {"protocol": "papers", "defensive": 0.0},
    "defensive": {"protocol": "papers", "defensive": 0.1},
    "adaptive": {},
}
"""Uniform draws, the papers' q*, the same with a tenth of uniform draws, and a session's default."""


@cache
def digits() -> Demo:
    """Return the demo, loaded once."""
    return DEMOS["digits"]()


@cache
def spoiled() -> Pool:
    """Return the demo's pool; the model takes sevens that look alike for ones."""
    model, y_true = digits().pool.models[0], digits().y_true
    images = np.asarray(digits().pool.instances, dtype=float).reshape(len(y_true), -1)
    known = np.flatnonzero((y_true == POSITIVE) & (model.y_pred == POSITIVE))
    apart = ((images[known][:, np.newaxis] - images[known]) ** 2).sum(axis=-1)
    cluster = known[np.argsort(apart[apart.sum(axis=1).argmin()], kind="stable")[:SIZE]]
    proba = np.asarray(model.y_proba).copy()
    proba[cluster] = 0.0005
    proba[cluster, TAKEN_FOR] = 1 - 0.0005 * (proba.shape[1] - 1)
    return Pool(digits().pool.instances, predictions=ClassPredictions(proba, classes=model.classes))


def session(method: str, seed: int) -> Session:
    """Run a session by a method with the true labels."""
    options = {"q": uniform_q(spoiled().n_instances)} if method == "uniform" else METHODS[method]
    labeling = Session(spoiled(), FMeasure(positive=POSITIVE), budget=N_LABELS, seed=seed, **options)
    while (asked := labeling.next()) is not None:
        labeling.label(digits().y_true[asked.index])
    return labeling


def ends(labeling: Session, interval: str) -> list[float]:
    """Return the value and its interval."""
    found = labeling.estimate(interval=interval)
    return [round(each, 5) for each in (found.value, found.low, found.high)]


def first() -> dict[str, list[float]]:
    """Run the first session by each method."""
    return {method: ends(session(method, SEED), "wald") for method in METHODS}


def simulate() -> dict[str, Any]:
    """Return values and how often intervals held; the guaranteed one, which is slow, in fewer sessions."""
    truth = pool_value(FMeasure(positive=POSITIVE), spoiled().models[0], digits().y_true)
    found: dict[str, Any] = {"seed": SEED, "n_sessions": N_SESSIONS, "n_guaranteed": N_GUARANTEED}
    found |= {"n_labels": N_LABELS, "truth": round(truth, 8)}
    for method in METHODS:
        sessions = [session(method, SEED + k) for k in range(N_SESSIONS)]
        value, low, high = np.array([ends(each, "wald") for each in sessions]).T
        surely = np.array([ends(each, "confidence_sequence") for each in sessions[:N_GUARANTEED]])
        verdicts = [each.findings.trials()[0].verdict() for each in sessions]
        shares = {
            "wald_holds": np.mean((low <= truth) & (truth <= high)),
            "guaranteed_holds": np.mean((surely[:, 1] <= truth) & (truth <= surely[:, 2])),
            "width": np.mean(surely[:, 2] - surely[:, 1]),
            "rmse": np.sqrt(np.mean((value - truth) ** 2)),
            "found_out": np.mean([verdict == "over_confident" for verdict in verdicts]),
        }
        found[method] = {name: round(float(share), 5) for name, share in shares.items()}
        found[method]["values"] = [round(float(each), 4) for each in value]
    return {**found, "first": first()}
