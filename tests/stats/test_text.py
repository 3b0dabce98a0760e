"""Numbers in words. The page writes the same cases in the same way: `frontend/tests/numbers.test.ts`."""

import json
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.stats.text import counted, number, percent, pvalue_text

CASES = json.loads((Path(__file__).parents[2] / "frontend/tests/fixtures/numbers.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES["numbers"], ids=lambda case: case["text"])
def test_a_number(case: dict[str, Any]) -> None:
    written = number(case["value"], case["decimals"], sign=case["sign"], trims=case["trims"])
    assert written == case["text"]


@pytest.mark.parametrize("case", CASES["shares"], ids=lambda case: case["text"])
def test_a_share(case: dict[str, Any]) -> None:
    assert percent(case["value"], case["decimals"]) == case["text"]


@pytest.mark.parametrize("case", CASES["counts"], ids=lambda case: case["text"])
def test_a_count(case: dict[str, Any]) -> None:
    assert counted(case["value"], "labels") == case["text"]


@pytest.mark.parametrize(
    ("pvalue", "text"),
    [(0.0, "below 0.001"), (0.00099, "below 0.001"), (0.001, "0.001"), (0.0014, "0.001"), (0.9996, "1")],
)
def test_a_pvalue(pvalue: float, text: str) -> None:
    assert pvalue_text(pvalue) == text
