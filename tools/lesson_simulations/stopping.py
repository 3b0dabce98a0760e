"""Sessions that stop at their goal, by the confidence sequence and by Wald's interval: lesson 11."""

from functools import cache
from typing import Any

import numpy as np

from activeeval_widgets import Session
from activeeval_widgets.demos import Demo, digits
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.stats import ErrorRate, Planner, pool_value

SEED = 11
N_SESSIONS = 40
HALF_WIDTH = 0.05
MOST = 240
"""Number of labels."""
PLANNED_AT = (25, 50, 100)
N_DECLARING = 8
DECLARED = (None, 60, 120, 240)
"""Budgets that were declared before the first label."""
AT = list(range(20, MOST + 1, 5))
"""Numbers of labels at which intervals are computed."""


@cache
def demo() -> Demo:
    """Return the digits, with a logistic regression."""
    return digits()


@cache
def labeled(number: int, budget: int | None) -> Session:
    """Return a session with `MOST` labels, whatever was declared."""
    pool, store, seed = demo().pool, MemoryStore(), 1000 * SEED + number
    for most in (budget, MOST):
        session = Session(pool, ErrorRate(), seed=seed, budget=most, store=store)
        while session.n_labels < MOST and (asked := session.next()) is not None:
            session.label(demo().y_true[asked.index])
    return session


def stopped(number: int) -> dict[str, Any]:
    """Return when a session reaches its goal, whether the interval holds then, and earlier plans."""
    session, predictions = labeled(number, None), demo().pool.predictions
    truth = pool_value(ErrorRate(), predictions, demo().y_true)
    by_wald = session.trajectory(at=AT, interval="wald")
    ends = {
        "watched": session.watched().at(AT),
        "wald": (np.array([each.low for each in by_wald]), np.array([each.high for each in by_wald])),
    }
    found: dict[str, Any] = {}
    for name, (lows, highs) in ends.items():
        is_narrow = (highs - lows) / 2 <= HALF_WIDTH
        where = int(np.argmax(is_narrow))
        found[f"{name}_labels"] = AT[where] if is_narrow.any() else None
        found[f"{name}_holds"] = bool(lows[where] <= truth <= highs[where])
        found[f"{name}_ever_wrong"] = bool(((truth < lows) | (truth > highs)).any())
    draws, y_true = session.draws.labeled()
    planner = Planner(ErrorRate(), predictions)
    found["planned"] = []
    for n in PLANNED_AT:
        known = {"draws": draws[:n], "y_true": y_true[:n], "q_draws": session.draws.q_draws()[:n]}
        current = tuple(float(end[AT.index(n)]) for end in ends["watched"])
        plan = planner.plan(HALF_WIDTH, **known, current=current)
        found["planned"].append([plan.low, plan.n_labels, plan.high])
    return found


@cache
def half_widths(number: int, budget: int | None) -> list[float]:
    """Return half the interval's width at the numbers of labels `AT`."""
    low, high = labeled(number, budget).watched().at(AT)
    return ((high - low) / 2).round(5).tolist()


def first() -> Any:
    """Run the first session that stops, and the first one with a declared budget."""
    return {"stopped": stopped(0), "half_widths": half_widths(0, DECLARED[1])}


def simulate() -> dict[str, Any]:
    """Run all sessions."""
    return {
        "seed": SEED,
        "n_sessions": N_SESSIONS,
        "n_declaring": N_DECLARING,
        "first": first(),
        "half_width": HALF_WIDTH,
        "sessions": [stopped(number) for number in range(N_SESSIONS)],
        "planned_at": list(PLANNED_AT),
        "at": AT,
        "declared": [
            {
                "labels": budget,
                "half_widths": np.mean([half_widths(k, budget) for k in range(N_DECLARING)], axis=0)
                .round(5)
                .tolist(),
            }
            for budget in DECLARED
        ],
    }
