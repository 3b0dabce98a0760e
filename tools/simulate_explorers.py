"""Simulates what explorers show of many sessions: activeeval_widgets/widgets/explorers/data/*.json.

python tools/simulate_explorers.py

`tests/widgets/test_explorers.py` simulates one session of each file anew.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from activeeval_widgets.stats import ConfidenceSequence, LabelShare, UnpredictedClasses, uniform_q

FOLDER = Path(__file__).parents[1] / "activeeval_widgets" / "widgets" / "explorers" / "data"

N_DRAWS = 800
RATES = (0.02, 0.1, 0.3)
DEADLINES = (None, 0, 25, 50, 100, 200, 400, 800)
"""Declared numbers of labels; None: the usual players; 0: nobody bets by a deadline."""

N_SESSIONS = 16
AT = np.unique(np.geomspace(10, N_DRAWS, 60).round().astype(int))


def widths(rate: float, deadline: int | None, session: int) -> list[float]:
    """The interval's width at the numbers of labels `AT`, in one session of uniform draws.

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
    """Mean widths with and without a declared number of labels."""
    found = []
    for rate in RATES:
        for deadline in DEADLINES:
            all_widths = [widths(rate, deadline, session) for session in range(N_SESSIONS)]
            mean = np.mean(all_widths, axis=0).round(5).tolist()
            found.append({"rate": rate, "deadline": deadline, "widths": mean, "first": all_widths[0]})
    return {"at": AT.tolist(), "n_sessions": N_SESSIONS, "means": found}


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "deadlines.json").write_text(json.dumps(deadlines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
