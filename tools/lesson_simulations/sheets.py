"""Sessions with sheets and without, by people who are careful on sheets or hasty: lesson 15."""

from functools import cache
from typing import Any

import numpy as np

from activeeval_widgets import Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.stats import pool_value

SEED, N_SESSIONS = 15, 60
COST = 260
"""Sessions end when so much is spent: 1 for a label by itself, 1/8 for one on a sheet."""

NOTED_EVERY = 13
"""The cost between two entries of a course, at least."""

ON_SHEET = 1 / 8
HASTE = {"careful": (0.0, 0.0), "overlooks half": (0.5, 0.0), "one slip in five": (0.0, 0.2)}
"""How often a person overlooks on a sheet that a prediction is wrong, and mistakes one that is right."""


@cache
def digits() -> Demo:
    """Return the demo, loaded once."""
    return DEMOS["digits"]()


def seen(index: int, haste: tuple[float, float], rng: np.random.Generator) -> Any:
    """Return the label that a person gives to an instance on a sheet."""
    predicted, label = digits().pool.models[0].y_pred[index], digits().y_true[index]
    overlooks, slips = haste
    errs = rng.random() < (slips if predicted == label else overlooks)
    if not errs:
        return label
    return predicted if predicted != label else (label + 1 + rng.integers(9)) % 10


def session(seed: int, way: str) -> dict[str, Any]:
    """Return a session's course, and whether its interval ever misses the truth, and in the end.

    The course has numbers of labels, by themselves and on sheets, half-widths and errors.

    A sheet is taken as soon as it is offered and no label waits for an earlier one.
    """
    rng, has_sheets = np.random.default_rng(seed), way in HASTE
    labeling = Session(digits().pool, digits().measure, seed=seed, sheets=has_sheets)
    truth = pool_value(digits().measure, digits().pool.models[0], digits().y_true)
    n_single, n_sheets, n_on_sheets, noted_at = 0, 0, 0, 0.0
    course, misses = list[list[float]](), list[bool]()
    while (spent := n_single + ON_SHEET * n_on_sheets) < COST:
        is_waiting = labeling.n_labels > labeling.n_draws
        if not is_waiting and spent >= noted_at + NOTED_EVERY:
            noted_at = spent
            now = labeling.estimate()
            half, off = (now.high - now.low) / 2, now.value - truth
            misses.append(not now.low - 1e-9 <= truth <= now.high + 1e-9)
            course.append([n_single, n_on_sheets, round(half, 4), round(off, 4)])
        sheet = None if is_waiting or not has_sheets else labeling.sheets.take()
        if sheet is None:
            asked = labeling.next()
            assert asked is not None  # noqa: S101 - there is no budget
            labeling.label(digits().y_true[asked.index])
            n_single += 1
        else:
            drawn = {each.draw: seen(each.index, HASTE[way], rng) for each in sheet.draws}
            labeling.sheets.answer(drawn)
            n_sheets, n_on_sheets = n_sheets + 1, n_on_sheets + len(drawn)
    checks = labeling.sheets.checks()
    return {
        "course": course,
        "misses": [any(misses), misses[-1]],
        "n_sheets": n_sheets,
        "checked": [checks.n_asked, checks.n_differing],
        "is_stopped": checks.is_too_hasty,
    }


def first() -> dict[str, Any]:
    """Run the first session of each way."""
    return {way: session(SEED, way) for way in ("single", *HASTE)}


def simulate() -> dict[str, Any]:
    """Return the sessions of each way; of hasty people only the ends of courses."""
    found: dict[str, Any] = {"seed": SEED, "n_sessions": N_SESSIONS, "first": first(), "haste": HASTE}
    for way in ("single", *HASTE):
        found[way] = [session(SEED + k, way) for k in range(N_SESSIONS)]
        if way not in ("single", "careful"):
            found[way] = [{**each, "course": each["course"][-1:]} for each in found[way]]
    return found
