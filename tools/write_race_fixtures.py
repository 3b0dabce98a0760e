"""Writes a small race's messages, and what the page's script must compute from them: race.json.

python tools/write_race_fixtures.py

The front end's unit tests compare the script with this file, and `tests/widgets/test_race.py` compares the
file with Python.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets import Race

PATH = Path(__file__).parents[1] / "frontend" / "tests" / "fixtures" / "race.json"

N_INSTANCES, BUDGET = 60, 15


def small_race() -> Race:
    """Return a race of two methods on two classes."""
    rng = np.random.default_rng(0)
    # Rounded, so that they are the same on any machine.
    p = np.round(rng.beta(0.6, 0.6, N_INSTANCES), 3)
    y_true = (rng.random(N_INSTANCES) < p).astype(int)
    texts = [f"text {i}" for i in range(N_INSTANCES)]
    race = Race(texts, np.column_stack([1 - p, p]), ErrorRate(), y_true, budget=BUDGET, seed=2)
    race.run()
    return race


def fixtures() -> dict[str, Any]:
    """Return the messages to the page, and what follows from them."""
    race = small_race()
    message, _ = race._page._hello({})
    picks, truth = message["config"]["picks"], race.truth
    low, high, n_bins = picks["low"], picks["high"], picks["n_bins"]
    expected = []
    for n in (1, 2, 7, BUDGET):
        steps = [racer["steps"][:n] for racer in message["racers"]]
        last = [each[-1] for each in steps]
        widths = [each["guaranteed"]["high"] - each["guaranteed"]["low"] for each in last]
        shares = [
            np.histogram([step["x"] for step in each], bins=n_bins, range=(low, high))[0] / n
            for each in steps
        ]
        narrower = int(np.argmin(widths))
        of_loser = np.array(
            [
                step["guaranteed"]["high"] - step["guaranteed"]["low"]
                for step in message["racers"][1 - narrower]["steps"]
            ]
        )
        reached = np.flatnonzero(of_loser <= widths[narrower])
        expected.append(
            {
                "n": n,
                "off": [abs(each["value"] - truth) for each in last],
                "widths": widths,
                "shares": [each.tolist() for each in shares],
                "needed": int(reached[0]) + 1 if reached.size else None,
            }
        )
    return {"told": message, "expected": expected}


def main() -> None:
    """Write the file."""
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(json.dumps(fixtures(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
