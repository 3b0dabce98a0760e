"""Writes what the explorers' script has to compute as Python does: frontend/tests/fixtures/explorers.json.

python tools/write_explorer_fixtures.py

The unit tests of the front end hold the script against this file, and `tests/widgets/test_explorers.py` holds
the file against Python.
"""

import json
from pathlib import Path
from typing import Any

from activeeval_widgets.stats.drawing.preferences import (
    difference_preference,
    error_preference,
    f_preference,
)

PATH = Path(__file__).parents[1] / "frontend" / "tests" / "fixtures" / "explorers.json"

_SHARES = [0.0, 0.03, 0.3, 0.5, 0.77, 1.0]


def preferences() -> dict[str, Any]:
    """What is expected of a label, by the papers' closed forms."""
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
    }


def fixtures() -> dict[str, Any]:
    """All of them, by the script's modules."""
    return {"preferences": preferences()}


def main() -> None:
    """Write the file."""
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(json.dumps(fixtures(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
