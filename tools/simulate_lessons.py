"""Simulates what takes too long for a lesson: activeeval_widgets/lessons/data/*.json.

    python tools/simulate_lessons.py [NAME...]

Each module of `tools/lesson_simulations` is one simulation: `simulate()` returns the file's content, a dict
for JSON with at least "seed", "n_sessions" and "first"; `first()` computes "first" again, a part that takes
some seconds at most, such as one session. `tests/lessons/test_simulations.py` compares.
"""

import json
import sys
import time
from importlib import import_module
from pathlib import Path

from activeeval_widgets import __version__
from activeeval_widgets.lessons.simulated import FOLDER

sys.path.insert(0, str(Path(__file__).parent))
SIMULATIONS = sorted(
    path.stem
    for path in (Path(__file__).parent / "lesson_simulations").glob("*.py")
    if path.stem != "__init__"
)


def main(names: list[str]) -> None:
    """Write the files of the simulations that are named, or of all."""
    for name in names or SIMULATIONS:
        if name not in SIMULATIONS:
            sys.exit(f"There is no simulation {name!r}. There are: {', '.join(SIMULATIONS)}.")
        began = time.monotonic()
        found = import_module(f"lesson_simulations.{name}").simulate()
        missing = {"seed", "n_sessions", "first"} - found.keys()
        if missing:
            sys.exit(f"{name} says nothing of {', '.join(sorted(missing))}.")
        made_by = {"script": f"tools/simulate_lessons.py {name}", "version": __version__}
        path = FOLDER / f"{name}.json"
        path.write_text(json.dumps({**made_by, **found}) + "\n", encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, {time.monotonic() - began:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
