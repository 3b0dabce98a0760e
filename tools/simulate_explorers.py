"""Simulates the sessions that explorers show: activeeval_widgets/widgets/explorers/data/*.json.

python tools/simulate_explorers.py [deadlines] [lies] [adaptive]

`tests/widgets/test_explorers.py` repeats one session of each file.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from promised_savings import error_profile, sharpened

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    LabelShare,
    UnpredictedClasses,
    adaptive_q,
    draw,
    draw_without_replacement,
    estimate_adaptive,
    importance_weights,
    optimal_q,
    uniform_q,
)

FOLDER = Path(__file__).parents[1] / "activeeval_widgets" / "widgets" / "explorers" / "data"

N_DRAWS = 800
RATES = (0.02, 0.1, 0.3)
DEADLINES = (None, 0, 25, 50, 100, 200, 400, 800)
"""Declared numbers of labels; None: the usual deadlines; 0: no deadlines."""

N_SESSIONS = 16
AT = np.unique(np.geomspace(10, N_DRAWS, 60).round().astype(int))


def widths(rate: float, deadline: int | None, session: int) -> list[float]:
    """Return the interval's width at the numbers of labels `AT`, in one session of uniform draws.

    Sessions with the same number have the same labels, whatever is declared.
    """
    declared = None if deadline is None else (deadline,) if deadline else ()
    labels = (np.random.default_rng([session, round(1000 * rate)]).random(N_DRAWS) < rate).astype(int)
    sequence = ConfidenceSequence(
        LabelShare(1), UnpredictedClasses([0, 1], 10), uniform_q(10), deadlines=declared
    )
    low, high = sequence.extend(np.zeros(N_DRAWS, dtype=int), labels)
    return (high - low)[AT - 1].round(5).tolist()


def deadlines() -> dict[str, Any]:
    """Return mean widths with and without a declared number of labels."""
    found = []
    for rate in RATES:
        for deadline in DEADLINES:
            all_widths = [widths(rate, deadline, session) for session in range(N_SESSIONS)]
            mean = np.mean(all_widths, axis=0).round(5).tolist()
            found.append({"rate": rate, "deadline": deadline, "widths": mean, "first": all_widths[0]})
    return {"at": AT.tolist(), "n_sessions": N_SESSIONS, "means": found}


# -- a spoiled model: what a session of some labels is off by ---------------------------------------------

N_LABELS, N_INSTANCES = 200, 2000
POWERS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
CLUSTERS = (0.0, 0.05)
N_ADAPTIVE, N_PAPERS = 100, 1000


def spoiled(power: float, cluster: float) -> tuple[np.ndarray, ClassPredictions]:
    """Return a pool's probabilities of an error, and the model's claims; as in the explorer."""
    n_sure = round(cluster * N_INSTANCES)
    profile = error_profile(0.2, 3.0, N_INSTANCES - n_sure) / 2
    errors = np.append(profile, np.full(n_sure, 0.5))
    claims = np.append(sharpened(profile, power), np.full(n_sure, 0.01))
    predicted = np.zeros(N_INSTANCES, dtype=int)
    return errors, ClassPredictions(np.column_stack([1 - claims, claims]), y_pred=predicted)


class Session(NamedTuple):
    """A session of adaptive draws."""

    labels: np.ndarray
    draws: np.ndarray
    probabilities: np.ndarray
    qs: list[np.ndarray]


def adaptive_session(model: ClassPredictions, errors: np.ndarray, n_labels: int, seed: list[int]) -> Session:
    """Return random labels of a pool, and adaptive draws of it; in blocks, as a session draws."""
    rng = np.random.default_rng(seed)
    y_true = (rng.random(errors.size) < errors).astype(int)
    draws, probabilities, qs = np.empty(0, dtype=np.intp), np.empty(0), []
    while draws.size < n_labels:
        size = min(max(8, draws.size // 8) if draws.size else 16, n_labels - draws.size)
        q = adaptive_q(ErrorRate(), model, draws, y_true[draws])
        more, of_more = draw_without_replacement(q, size, rng)
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, of_more])
        qs += [q] * size
    return Session(y_true, draws, probabilities, qs)


def adaptive_error(power: float, cluster: float, session: int) -> float:
    """Return the estimate of adaptive draws minus the pool's error rate."""
    errors, model = spoiled(power, cluster)
    seed = [session, round(100 * power), round(100 * cluster)]
    y_true, draws, probabilities, _ = adaptive_session(model, errors, N_LABELS, seed)
    (found,) = estimate_adaptive(ErrorRate(), model, draws, probabilities, y_true[draws], at=(N_LABELS,))
    return float(found.value - y_true.mean())


def papers_errors(power: float, cluster: float) -> np.ndarray:
    """Return the same for the papers' q*, for many sessions."""
    errors, model = spoiled(power, cluster)
    q, rng = optimal_q(ErrorRate(), model), np.random.default_rng(1)
    found = []
    for _ in range(N_PAPERS):
        y_true = rng.random(N_INSTANCES) < errors
        draws = draw(q, N_LABELS, rng)
        weights = importance_weights(q, draws)
        found.append(weights @ y_true[draws] / weights.sum() - y_true.mean())
    return np.array(found)


def lies() -> dict[str, Any]:
    """Return mean squared errors, as numbers of labels for the precision of 100 uniform draws."""
    rows = []
    for cluster in CLUSTERS:
        for power in POWERS:
            rate = spoiled(power, cluster)[0].mean()
            uniform = rate * (1 - rate) / N_LABELS
            adaptive = [adaptive_error(power, cluster, session) for session in range(N_ADAPTIVE)]
            rows.append(
                {
                    "cluster": cluster,
                    "power": power,
                    "adaptive": round(100 * float(np.mean(np.square(adaptive)) / uniform), 1),
                    "optimal": round(100 * float(np.mean(papers_errors(power, cluster) ** 2) / uniform), 1),
                    "first": adaptive[0],
                }
            )
    return {"n_labels": N_LABELS, "n_instances": N_INSTANCES, "n_sessions": N_ADAPTIVE, "rows": rows}


# -- adaptive draws, watched ---------------------------------------------------------------------------------

N_WATCHED, FIRST_LOOK, EVERY = 400, 20, 5
WATCHED_POWERS = (1.0, 4.0)
N_WATCHED_SESSIONS = 6
LOOKS = np.arange(FIRST_LOOK, N_WATCHED + 1, EVERY)
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results" / "watched.md"


def watched_session(power: float, session: int) -> dict[str, Any]:
    """Return both intervals at each look of a session, and the first label after which each is wrong."""
    errors, model = spoiled(power, 0.0)
    y_true, draws, probabilities, qs = adaptive_session(
        model, errors, N_WATCHED, [session, round(100 * power), 7]
    )
    truth, labels = float(y_true.mean()), y_true[draws]
    low, high = AdaptiveConfidenceSequence(ErrorRate(), model).extend(draws, qs, labels)
    found = estimate_adaptive(ErrorRate(), model, draws, probabilities, labels, at=LOOKS)
    wald = np.array([[each.low, each.high] for each in found])
    # NaN: there is no interval yet, so it is not wrong.
    is_wald_wrong = (truth < wald[:, 0]) | (truth > wald[:, 1])
    is_wrong = (truth < low) | (truth > high)

    def listed(values: np.ndarray) -> list[float | None]:
        return [None if np.isnan(value) else round(float(value), 5) for value in values]

    return {
        "truth": round(truth, 5),
        "value": listed(np.array([each.value for each in found])),
        "low": listed(low[LOOKS - 1]),
        "high": listed(high[LOOKS - 1]),
        "wald_low": listed(wald[:, 0]),
        "wald_high": listed(wald[:, 1]),
        "wald_wrong": LOOKS[is_wald_wrong].tolist(),
        "watched_since": int(np.flatnonzero(is_wrong)[0]) + 1 if is_wrong.any() else None,
    }


def benchmarked() -> dict[str, Any]:
    """Return the long run from the benchmark's tables: of adaptive draws, and of draws from one q."""
    of_adaptive, _, of_one_q = RESULTS.read_text(encoding="utf-8").partition("papers' protocol")

    def rows(table: str, n_columns: int) -> list[list[str]]:
        found = ([cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines())
        return [cells for cells in found if len(cells) == n_columns and _NUMBER.match(cells[-1])]

    def numbers(cell: str) -> list[float]:
        return [float(number) for number in cell.split(" / ")]

    sessions = [int(re.findall(r"(\d+) seeded sessions", part)[0]) for part in (of_adaptive, of_one_q)]
    return {
        "n_sessions": sessions,
        "adaptive": [
            {"name": cells[0], "ratios": numbers(cells[5]), "watched": float(cells[8])}
            for cells in rows(of_adaptive, 9)
        ],
        "one_q": [
            {
                "name": cells[0],
                "wald": float(cells[2]),
                "once": numbers(cells[3]),
                "watched": float(cells[4].split()[0]),
            }
            for cells in rows(of_one_q, 8)
        ],
    }


_NUMBER = re.compile(r"\d")


def adaptive() -> dict[str, Any]:
    """Return sessions of adaptive draws, and the benchmark's results in the long run."""
    runs = [
        {
            "power": power,
            "sessions": [watched_session(power, session) for session in range(N_WATCHED_SESSIONS)],
        }
        for power in WATCHED_POWERS
    ]
    return {
        "looks": LOOKS.tolist(),
        "n_labels": N_WATCHED,
        "n_instances": N_INSTANCES,
        "runs": runs,
        "benchmarked": benchmarked(),
    }


def main() -> None:
    """Write all files, or those named."""
    FOLDER.mkdir(exist_ok=True)
    for name, simulate in {"deadlines": deadlines, "lies": lies, "adaptive": adaptive}.items():
        if name in sys.argv[1:] or not sys.argv[1:]:
            (FOLDER / f"{name}.json").write_text(json.dumps(simulate()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
