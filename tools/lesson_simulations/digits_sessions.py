"""Lesson 1: sessions on the digits with adaptive draws, and their errors after several numbers of labels."""

from typing import Any

import numpy as np

from activeeval_widgets import Session, demos
from activeeval_widgets.demos import Demo
from activeeval_widgets.stats import pool_value

SEED, N_SESSIONS = 0, 200
N_LABELS = (25, 50, 100, 150)


def first() -> list[float]:
    """Return the beginning of the first session."""
    return _estimates(demos.digits(), SEED, N_LABELS[:2])


def simulate() -> dict[str, Any]:
    """Return the root mean square error of all sessions, after each number of labels."""
    demo = demos.digits()
    found = np.array([_estimates(demo, SEED + i, N_LABELS) for i in range(N_SESSIONS)])
    errors = found - pool_value(demo.measure, demo.pool.predictions, demo.y_true)
    return {
        "seed": SEED,
        "n_sessions": N_SESSIONS,
        "n_labels": list(N_LABELS),
        "root_mean_square_error": np.sqrt((errors**2).mean(axis=0)).tolist(),
        "mean_error": errors.mean(axis=0).tolist(),
        "first": found[0, :2].tolist(),
    }


def _estimates(demo: Demo, seed: int, n_labels: tuple[int, ...]) -> list[float]:
    """Return a session's estimates after each of these numbers of true labels."""
    session = Session(demo.pool, demo.measure, budget=max(N_LABELS), seed=seed)
    found = []
    for wanted in n_labels:
        while session.n_labels < wanted and (asked := session.next()) is not None:
            session.label(demo.y_true[asked.index])
        found.append(session.estimate().value)
    return found
