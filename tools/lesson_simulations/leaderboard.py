"""Sessions of the demo of five models: labels until each is ruled out, with active and uniform draws."""

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from activeeval_widgets import Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.stats.questions.question import at_once

SEED, N_SESSIONS, N_LABELS, EVERY = 0, 24, 400, 20
METHODS: dict[str, dict[str, Any]] = {"active": {}, "uniform": {"defensive": 1.0}}
N_FIRST = 100
"""The tests repeat a session up to this number of labels."""


@cache
def five() -> Demo:
    """Return the demo, loaded once."""
    return DEMOS["leaderboard"]()


def out_after(session: Session) -> list[int | None]:
    """Return the number of labels after which each model was ruled out; None if it may be the best."""
    found: dict[int, int] = {}
    level = at_once(0.95, len(session.models) - 1)
    for pair in combinations(range(len(session.models)), 2):
        low, high = session.of(*pair).watched(confidence_level=level).at(np.arange(session.n_labels + 1))
        decided = np.flatnonzero((low > 0) | (high < 0))
        if decided.size:
            n = int(decided[0])
            worse = pair[0] if low[n] > 0 else pair[1]
            found[worse] = min(n, found.get(worse, n))
    return [found.get(position) for position in range(len(session.models))]


def run(method: str, seed: int, most: int = N_LABELS) -> dict[str, Any]:
    """Run a session until one model is left; return when others were ruled out, and the best's interval."""
    demo = five()
    session = Session(demo.pool, demo.measure, seed=seed, **METHODS[method])
    out: list[int | None] = []
    while session.n_labels < most and sum(each is None for each in out) != 1:
        session.label(demo.y_true[session.next().index])
        if session.n_labels % EVERY == 0:
            out = out_after(session)
    best = session.leaderboard().leader.estimate
    return {
        "out_after": out,
        "n_labels": session.n_labels,
        "best": [round(float(each), 5) for each in (best.value, best.low, best.high)],
    }


def first() -> dict[str, Any]:
    """Return the beginning of the first session."""
    return run("active", SEED, N_FIRST)


def simulate() -> dict[str, Any]:
    """Run many sessions of both kinds."""
    rows = {method: [run(method, SEED + k) for k in range(N_SESSIONS)] for method in METHODS}
    about = {"seed": SEED, "n_sessions": N_SESSIONS, "n_labels": N_LABELS}
    return {**about, **rows, "first": first()}
