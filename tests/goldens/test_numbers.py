"""Sessions of many kinds give the numbers in `numbers.json`: to 1e-9, as last bits differ between processors.

After a change that is meant to change numbers, `python tests/goldens/test_numbers.py` writes them anew.
`tools/goldens.py` compares two checkouts to the bit, and names the first label where they differ.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

TOOLS = str(Path(__file__).parents[2] / "tools")
sys.path.insert(0, TOOLS)
try:
    from golden_parts.cases import CASES, Case
    from golden_parts.sessions import NUMBERS, answered
finally:
    sys.path.remove(TOOLS)

KEPT = Path(__file__).with_name("numbers.json")
pytestmark = pytest.mark.slow


def found(case: Case) -> list[Any]:
    """After the last answer: counts, digests of draws and probabilities, estimate and both intervals."""
    *_, session = answered(case)
    estimate = session.estimate()
    draws = session.draws.so_far()
    numbers = [
        float(np.square(session.q).sum()),
        float(np.log(session.draws.drawn()[1]).sum()),
        *(getattr(estimate, name) for name in NUMBERS),
    ]
    return [
        estimate.n_draws,
        estimate.n_labels,
        int(draws @ (1 + np.arange(draws.size) % 11)),
        *(float(f"{each:.12g}") if np.isfinite(each) else str(each) for each in numbers),
    ]


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_written_down(name: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))[name]
    for made, expected in zip(found(CASES[name]), kept, strict=True):
        if isinstance(expected, float):
            assert made == pytest.approx(expected, rel=1e-9, abs=1e-9)
        else:
            assert made == expected


def test_every_case_is_written_down_and_says_something() -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert kept.keys() == CASES.keys()
    assert KEPT.stat().st_size < 16_000
    assert len({json.dumps(each) for each in kept.values()}) == len(kept) >= 30


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(found(case))}" for name, case in CASES.items()]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
