"""Sessions of the demo of two models: how many labels until it is clear which one is better."""

from functools import cache
from typing import Any

import numpy as np

from activeeval_widgets import Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.stats import disagreement_q, pool_value, uniform_q

SEED, N_SESSIONS, N_LABELS, AT = 0, 60, 250, 100
METHODS = ("uniform", "papers", "disagreement", "adaptive")


@cache
def compare() -> Demo:
    """Return the demo, loaded once."""
    return DEMOS["compare"]()


def options(method: str) -> dict[str, Any]:
    """Return a session's options."""
    models = compare().pool.models
    return {
        "uniform": {"q": uniform_q(compare().pool.n_instances)},
        "papers": {"protocol": "papers"},
        "disagreement": {"q": disagreement_q(*models)},
        "adaptive": {},
    }[method]


def session(method: str, seed: int) -> list[float | None]:
    """Return labels until the guaranteed interval excludes 0 (None: never), and the estimate at `AT`."""
    demo = compare()
    labeling = Session(demo.pool, demo.measure, seed=seed, **options(method))
    decided, value = None, None
    while (asked := labeling.next()) is not None and labeling.n_labels < N_LABELS:
        labeling.label(demo.y_true[asked.index])
        interval = labeling.watched()
        if decided is None and not interval.low <= 0 <= interval.high:
            decided = labeling.n_labels
        if labeling.n_labels == AT:
            value = round(labeling.estimate(interval="wald").value, 5)
        if decided is not None and value is not None:
            break
    return [decided, value]


def first() -> dict[str, Any]:
    """Run the first session of each method."""
    return {method: session(method, SEED) for method in METHODS}


def simulate() -> dict[str, Any]:
    """Run many sessions of each method."""
    demo = compare()
    one, other = (pool_value(demo.measure, model, demo.y_true) for model in demo.pool.models)
    found: dict[str, Any] = {"seed": SEED, "n_sessions": N_SESSIONS, "n_labels": N_LABELS, "at": AT}
    for method in METHODS:
        rows = [session(method, SEED + k) for k in range(N_SESSIONS)]
        values = np.array([value for _, value in rows], dtype=float)
        found[method] = {
            "decided_after": [decided for decided, _ in rows],
            "rmse": round(float(np.sqrt(np.nanmean((values - (one - other)) ** 2))), 5),
        }
    return {**found, "first": first()}
