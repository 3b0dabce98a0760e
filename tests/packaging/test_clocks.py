"""No test fails because a machine is busy."""

import re
from pathlib import Path

from hypothesis import settings

TESTS = Path(__file__).parents[1]


def test_hypothesis_has_no_deadline() -> None:
    assert settings().deadline is None


def test_no_unit_test_measures_how_long_a_computation_takes() -> None:
    clocks = re.compile(r"\b(perf_counter|process_time|thread_time)\b")
    files = [
        path for path in TESTS.rglob("test_*.py") if "browser" not in path.parts and path != Path(__file__)
    ]
    assert [path.name for path in files if clocks.search(path.read_text(encoding="utf-8"))] == []
