"""A part of benchmarks/experts.py: several experts at one store, with programs and server interrupted."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "experts.py"


@pytest.mark.slow
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_nothing_is_lost_or_doubled(store: str, tmp_path: Path) -> None:
    table = tmp_path / "experts.md"
    # By a process of its own: it forks, and this one may have threads.
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--store", store, "--experts", "4", "--labels", "12", "--kills", "2",
         "--instances", "2000", "--pause", "0.1", "--seed", "3", "--output", str(table)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    cells = [cell.strip() for cell in table.read_text().splitlines()[-1].split("|")]
    _, kind, experts, acknowledged, stored, lost, doubled, *_, used, _ = cells
    assert (kind, experts, stored, lost, doubled) == (store, "4 x 12", "48", "0", "0"), done.stdout
    # A killed program may have stored a label that it told nobody of.
    assert 46 <= int(acknowledged) <= 48
    # Of the processor, as other tests run beside this one; by the clock it is in the benchmark's table.
    assert re.fullmatch(r"[\d.]+ ms", used)
    assert float(used.removesuffix(" ms")) < 25
