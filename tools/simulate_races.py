"""Run the demos' races with 200 seeds: activeeval_widgets/widgets/race/data/*.json.

python tools/simulate_races.py [DEMO...]

All demos take about ten minutes on a quiet machine. `tests/widgets/test_race.py` repeats one race.
"""

import json
import sys
import time
from typing import Any

from activeeval_widgets.app.commands.race import DEMOS
from activeeval_widgets.app.pages.race import race_of
from activeeval_widgets.widgets.race.contest import METHODS, Contest
from activeeval_widgets.widgets.race.many_races import DATA, ManyRaces


def first_race(contest: Contest, method: str) -> list[list[float]]:
    """Return the rows of the race with seed 0."""
    rows: list[list[float]] = []
    for _ in ManyRaces(contest).race(method, 0, rows):
        pass
    return rows


def contest_of(demo: str) -> Contest:
    """Return the race that `activeeval-widgets race DEMO` shows."""
    race = race_of({"demo": demo, "methods": ["active", "uniform"], "budget": None, "seed": 0})
    race.close()
    return race._page.contest


def simulate(demo: str) -> dict[str, Any]:
    """Return the content of a demo's file."""
    contest = contest_of(demo)
    many = ManyRaces(contest)
    while many.n_done(list(METHODS)) < many.n_races:
        many.advance(list(METHODS))
    return {
        "script": f"tools/simulate_races.py {demo}",
        "at": many.at,
        "first": {method: first_race(contest, method) for method in METHODS},
        "methods": {method: many.summary(method, many.n_races) for method in METHODS},
    }


def rounded(tree: Any) -> Any:
    """Round all numbers of a tree to six significant digits; what is not finite becomes null."""
    if isinstance(tree, dict):
        return {key: rounded(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [rounded(value) for value in tree]
    if isinstance(tree, float):
        return float(f"{tree:.6g}") if abs(tree) < float("inf") else None
    return tree


def main(demos: list[str]) -> None:
    """Write the files of the demos that are named, or of all."""
    DATA.mkdir(exist_ok=True)
    for demo in demos or DEMOS:
        if demo not in DEMOS:
            sys.exit(f"There is no demo {demo!r}. There are: {', '.join(DEMOS)}.")
        began = time.monotonic()
        path = DATA / f"{demo}.json"
        path.write_text(json.dumps(rounded(simulate(demo))) + "\n", encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, {time.monotonic() - began:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
