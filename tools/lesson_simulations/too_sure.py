"""Adaptive sessions on digits with probabilities raised to a power: errors, and verdicts."""

from functools import cache
from typing import Any

import numpy as np

from activeeval_widgets import Pool, Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.stats import ClassPredictions, pool_value

SEED, N_SESSIONS, N_LABELS = 0, 100, 100
POWERS = (0.5, 1.0, 2.0, 4.0, 8.0)


@cache
def digits() -> Demo:
    """Return the demo, loaded once."""
    return DEMOS["digits"]()


def spoiled(power: float) -> Pool:
    """Return the demo's pool, with probabilities raised to a power: above 1, over-confident."""
    model = digits().pool.models[0]
    proba = np.asarray(model.y_proba) ** power
    sure = ClassPredictions(proba / proba.sum(axis=1, keepdims=True), classes=model.classes)
    return Pool(digits().pool.instances, predictions=sure)


def session(pool: Pool, seed: int) -> list[float]:
    """Return a session's estimate, and whether the trial found that the model is over-confident."""
    labeling = Session(pool, digits().measure, budget=N_LABELS, seed=seed)
    while (asked := labeling.next()) is not None:
        labeling.label(digits().y_true[asked.index])
    [trial] = labeling.findings.trials()
    is_found_out = trial is not None and trial.verdict() == "over_confident"
    return [round(labeling.estimate(interval="wald").value, 6), float(is_found_out)]


def first() -> list[list[float]]:
    """Run the first session at each power."""
    return [session(spoiled(power), SEED) for power in POWERS]


def simulate() -> dict[str, Any]:
    """Return root mean square errors, and the shares of sessions that found the over-confidence."""
    truth = pool_value(digits().measure, digits().pool.models[0], digits().y_true)
    found: dict[str, Any] = {"seed": SEED, "n_sessions": N_SESSIONS, "n_labels": N_LABELS, "powers": POWERS}
    rows = {}
    for power in POWERS:
        pool = spoiled(power)
        rows[power] = np.array([session(pool, SEED + k) for k in range(N_SESSIONS)])
    found["rmse"] = [round(float(np.sqrt(np.mean((row[:, 0] - truth) ** 2))), 6) for row in rows.values()]
    found["found_out"] = [float(row[:, 1].mean()) for row in rows.values()]
    return {**found, "first": first()}
