"""Numbers in words. The page writes the same cases in the same way: `frontend/tests/numbers.test.ts`."""

import json
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.stats.text import counted, number, percent

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
