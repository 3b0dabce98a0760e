"""A tenth of the faults of benchmarks/faults.py: nothing that was acknowledged is lost without a word."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "faults.py"


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_without_a_word(tmp_path: Path) -> None:
    # By a process of its own: it forks, and this one may have threads.
    table = tmp_path / "faults.md"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--each", "4", "--seed", "1000", "--output", str(table)],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split("|")[1:-1] for line in table.read_text().splitlines()[2:] if line.startswith("|")]
    assert len(rows) >= 15
    assert sum(int(row[1]) for row in rows) >= 100
    assert all(int(row[5]) == 0 for row in rows)
    # These can't be without anybody being told.
    by_name = {row[0].strip(): [int(cell) for cell in row[1:]] for row in rows}
    for name in (
        "the file is deleted while it is in use",
        "the -wal file is deleted while it is in use",
        "kill -9, then the -wal file is deleted",
        "one bit of a stored value is flipped",
        "events are deleted from the file, by another program",
        "the disk is full: no file grows beyond a limit",
    ):
        n, kept, *_ = by_name[name]
        assert (n, kept) == (4, 0), name
