"""Writes Python's results that the explorers' script must match: frontend/tests/fixtures/explorers.json.

python tools/write_explorer_fixtures.py

The front end's unit tests compare the script with this file, and `tests/widgets/test_explorers.py` compares
the file with Python.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from promised_savings import (
    chance_to_rank,
    draw_variances,
    draws_for_half_width,
    error_profile,
    recalibrated,
    sharpened,
)

from activeeval_widgets.lessons.coverage import binomial_coverage
from activeeval_widgets.lessons.preferences import (
    difference_preference,
    error_preference,
    f_preference,
    squared_difference_preference,
    squared_error_preference,
)
from activeeval_widgets.stats import (
    BrierScore,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    LabelShare,
    LogLoss,
    Measure,
    Precision,
    Predictions,
    SquaredError,
    UnpredictedClasses,
    ValuePredictions,
    asymptotic_variance,
    optimal_q,
    uniform_q,
)
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.deadlines import deadlines_of
from activeeval_widgets.stats.predictions.trial_bets import tilted_bets
from activeeval_widgets.widgets.explorers.your_pool import pool_data

PATH = Path(__file__).parents[1] / "frontend" / "tests" / "fixtures" / "explorers.json"

_SHARES = [0.0, 0.03, 0.3, 0.5, 0.77, 1.0]


def preferences() -> dict[str, Any]:
    """Return the preferences of the papers' closed forms."""
    sides = [(True, False), (False, True), (True, True)]
    return {
        "p": _SHARES,
        "error": [[r, error_preference(_SHARES, r).tolist()] for r in (0.0, 0.08, 0.5, 0.9)],
        "f": [
            [f, eta, is_positive, f_preference(_SHARES, f, eta, is_positive).tolist()]
            for f in (0.2, 0.85)
            for eta in (0.0, 0.35, 1.0)
            for is_positive in (False, True)
        ],
        "difference": [
            [d, *side, difference_preference(_SHARES, d, *side).tolist()]
            for d in (-0.4, 0.0, 0.13)
            for side in sides
        ],
        "squared": [
            [r, b, squared_error_preference(np.square(_SHARES), r, b).tolist()]
            for r in (0.0, 0.3, 1.0)
            for b in (0.0, 0.4)
        ],
        "squared_difference": [
            [s, squared_difference_preference(_SHARES, s**2, s**2).tolist()] for s in (0.0, 0.5, 2.0)
        ],
    }


def watched() -> list[dict[str, Any]]:
    """Return confidence sequences for labels that are 0 or 1, and the wealth against the true value."""
    found = []
    declared: tuple[tuple[int, ...] | None, ...] = (None, (), (50,))
    for seed, (truth, deadlines) in enumerate(zip((0.1, 0.5, 0.02), declared, strict=True)):
        labels = (np.random.default_rng(seed).random(150) < truth).astype(int)
        sequence = ConfidenceSequence(
            LabelShare(1), UnpredictedClasses([0, 1], 10), uniform_q(10), deadlines=deadlines
        )
        low, high = sequence.extend(np.zeros(labels.size, dtype=int), labels)
        ends = np.array([[-truth], [-truth]]), np.array([[1 - truth], [1 - truth]])
        bets = Bets(np.array([[truth]]), *ends, (0.25, 0.25), 0.95, deadlines=deadlines_of(deadlines))
        capital = []
        for label in labels:
            bets.update(np.array([label, label, 1.0, 1.0]))
            capital.append(float(bets.at_points()[0, 0]))
        at = [0, 1, 9, 24, 49, 50, 99, 149]
        found.append(
            {
                "truth": truth,
                "deadlines": deadlines,
                "labels": labels.tolist(),
                "at": at,
                "low": low[at].tolist(),
                "high": high[at].tolist(),
                "capital": np.array(capital)[at].tolist(),
            }
        )
    return found


def coverage() -> dict[str, Any]:
    """Return how often intervals for one number of labels hold."""
    rates = [0.003, 0.02, 0.11, 0.37, 0.5]
    kinds = ("wald", "wilson", "clopper_pearson")
    return {
        "rates": rates,
        "coverages": [
            [kind, n, binomial_coverage(kind, n, rates).tolist()] for kind in kinds for n in (7, 150)
        ],
    }


def savings() -> dict[str, Any]:
    """Return the labels saved, the cost of a miscalibrated model, and the bets that test it."""
    cases = []
    for rate, spread, power, cluster in ((0.1, 2.0, 1.0, 0.0), (0.02, 3.0, 6.0, 0.05), (0.4, 0.5, 0.3, 0.1)):
        profile = error_profile(rate, spread)
        errors = np.append(profile, 0.5)
        claims = np.append(sharpened(profile, power), 0.01)
        shares = np.append(np.full(profile.size, (1 - cluster) / profile.size), cluster)
        variances = draw_variances(errors, claims, shares)
        cases.append(
            {
                "rate": rate,
                "spread": spread,
                "power": power,
                "cluster": cluster,
                "variances": variances,
                "rank": chance_to_rank(profile),
                "recalibrated": recalibrated(errors, claims, shares)[::40].tolist(),
                "draws": [
                    [half_width, interval, draws_for_half_width(variances["optimal"], half_width, interval)]
                    for half_width in (0.01, 0.1)
                    for interval in ("wald", "watched")
                ],
            }
        )
    bets = [[p, y, *(side.tolist() for side in tilted_bets(p, y))] for p in (1e-5, 0.03, 0.6) for y in (0, 1)]
    return {"cases": cases, "bets": bets}


def pools() -> list[dict[str, Any]]:
    """Return q of a pool, and the number of draws for the precision of 100 uniform ones."""
    rng = np.random.default_rng(7)
    sure = np.append(rng.beta(2, 1, (57, 1)), [[0.0], [1.0], [0.5]], axis=0)
    classes = ClassPredictions(np.hstack([sure, 1 - sure]))
    values = ValuePredictions(rng.normal(size=40), rng.gamma(2, 1, 40))
    costs = rng.uniform(1, 9, 60)
    given: list[tuple[Measure, Predictions, Any, float]] = [
        (ErrorRate(), classes, None, 0.0),
        (ErrorRate(), classes, costs, 0.1),
        (BrierScore(), classes, costs, 0.0),
        (LogLoss(), classes, None, 0.2),
        (FMeasure.from_eta(0.3), classes, costs, 0.0),
        (Precision(), classes, None, 0.0),
        (SquaredError(), values, None, 0.05),
    ]
    found = []
    for measure, model, cost, defensive in given:
        q = optimal_q(measure, model, costs=cost, defensive=defensive)
        uniform = asymptotic_variance(measure, model, uniform_q(q.size))
        found.append(
            {
                "data": pool_data(measure, model, cost),
                "defensive": defensive,
                "multiples": (q * q.size).tolist(),
                "hundred": 100 * asymptotic_variance(measure, model, q) / uniform,
            }
        )
    return found


def fixtures() -> dict[str, Any]:
    """Return all fixtures, by the script's modules."""
    return {
        "preferences": preferences(),
        "watched": watched(),
        "coverage": coverage(),
        "savings": savings(),
        "pools": pools(),
    }


def main() -> None:
    """Write the file."""
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(json.dumps(fixtures(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
