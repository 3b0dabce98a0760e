"""Eight people who take longer for difficult instances: how often intervals hold after some labels.

Lesson 10. `benchmarks/fast_and_slow.py` finds the same in sessions with leases and a clock.
"""

from typing import Any

import numpy as np

from activeeval_widgets.stats import (
    ConfidenceSequence,
    LabelShare,
    UnpredictedClasses,
    uniform_q,
    wald_interval,
)

SEED = 10
N_SESSIONS = 1000
N_PEOPLE = 8
N_LABELS = (20, 40, 80, 160)
DIFFICULT, WRONG_IF_DIFFICULT, WRONG_IF_EASY = 0.2, 0.8, 0.05
SECONDS_IF_DIFFICULT, SECONDS_IF_EASY = 120, 2
TRUTH = DIFFICULT * WRONG_IF_DIFFICULT + (1 - DIFFICULT) * WRONG_IF_EASY


def answered_at(seconds: np.ndarray) -> np.ndarray:
    """Return when each draw is answered, if whoever is free first takes it."""
    free_at = np.zeros(N_PEOPLE)
    times = np.empty(len(seconds))
    for draw, takes in enumerate(seconds):
        person = free_at.argmin()
        times[draw] = free_at[person] = free_at[person] + takes
    return times


def session(number: int) -> dict[str, list[float]]:
    """Return, by number of labels, whether the two intervals hold and how many draws the second uses."""
    rng = np.random.default_rng([SEED, number])
    size = N_LABELS[-1] + N_PEOPLE
    is_difficult = rng.random(size) < DIFFICULT
    is_wrong = rng.random(size) < np.where(is_difficult, WRONG_IF_DIFFICULT, WRONG_IF_EASY)
    times = answered_at(rng.exponential(np.where(is_difficult, SECONDS_IF_DIFFICULT, SECONDS_IF_EASY)))
    # An infinite pool: whichever instance is drawn, its label is an error or not.
    watched = ConfidenceSequence(LabelShare(1), UnpredictedClasses([0, 1], 10), uniform_q(10))
    low, high = watched.extend(np.zeros(size, dtype=int), is_wrong.astype(int))
    found: dict[str, list[float]] = {"all_hold": [], "in_order_hold": [], "in_order_used": []}
    for n_labels in N_LABELS:
        is_in = times <= np.sort(times)[n_labels - 1]
        value = is_wrong[is_in].mean()
        usual = wald_interval(value, max(np.sqrt(value * (1 - value) / n_labels), 1e-9), 0.95)
        used = int(np.argmin(is_in))
        found["all_hold"].append(float(usual[0] <= TRUTH <= usual[1]))
        found["in_order_hold"].append(float(not used or low[used - 1] <= TRUTH <= high[used - 1]))
        found["in_order_used"].append(float(used))
    return found


def first() -> Any:
    """Run the first ten sessions."""
    return [session(number) for number in range(10)]


def simulate() -> dict[str, Any]:
    """Return the share of sessions in which each interval holds."""
    sessions = [session(number) for number in range(N_SESSIONS)]
    means = {
        name: np.mean([each[name] for each in sessions], axis=0).round(4).tolist() for name in sessions[0]
    }
    return {
        "seed": SEED,
        "n_sessions": N_SESSIONS,
        "first": first(),
        "n_labels": list(N_LABELS),
        "truth": TRUTH,
        **means,
    }
