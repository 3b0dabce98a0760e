"""Sessions of the digits demo, looked at after every label: when each interval missed the true value."""

from typing import Any

import numpy as np

from activeeval_widgets import Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import pool_value

SEED, N_SESSIONS, N_LABELS = 0, 200, 200
LOOKS = range(20, N_LABELS + 1)
AT = [50, 100, 200]


def session(seed: int) -> dict[str, Any]:
    """Return the first look that misses the true value (None: never), and widths at the numbers `AT`."""
    demo = DEMOS["digits"]()
    truth = pool_value(demo.measure, demo.pool.predictions, demo.y_true)
    labeling = Session(demo.pool, demo.measure, budget=N_LABELS, seed=seed)
    while (asked := labeling.next()) is not None:
        labeling.label(demo.y_true[asked.index])
    found: dict[str, Any] = {}
    for name in ("wald", "confidence_sequence"):
        seen = labeling.trajectory(at=LOOKS, interval=name)
        missed = [n for n, each in zip(LOOKS, seen, strict=True) if not each.low <= truth <= each.high]
        widths = [round(seen[n - LOOKS.start].high - seen[n - LOOKS.start].low, 5) for n in AT]
        found[name] = {"missed_first": missed[0] if missed else None, "missed_at": missed, "widths": widths}
    return found


def first() -> dict[str, Any]:
    """Run the first session."""
    return session(SEED)


def simulate() -> dict[str, Any]:
    """Return the share of sessions that ever missed the true value up to each look, and mean widths."""
    sessions = [session(SEED + k) for k in range(N_SESSIONS)]
    found: dict[str, Any] = {"seed": SEED, "n_sessions": N_SESSIONS, "looks": list(LOOKS), "at": AT}
    for name in ("wald", "confidence_sequence"):
        rows = [each[name] for each in sessions]
        firsts = np.array(
            [N_LABELS + 1 if row["missed_first"] is None else row["missed_first"] for row in rows]
        )
        found[name] = {
            "ever_wrong": [round(float((firsts <= n).mean()), 5) for n in LOOKS],
            "wrong_at_last": round(float(np.mean([N_LABELS in row["missed_at"] for row in rows])), 5),
            "widths": np.mean([row["widths"] for row in rows], axis=0).round(5).tolist(),
        }
    return {**found, "first": sessions[0]}
