"""Some of the faults of benchmarks/faults.py: nothing that was acknowledged is lost without a word."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "faults.py"


def inject(table: Path, *options: str) -> dict[str, list[int]]:
    """How faults of each kind ended: how many there were, and the outcomes in the order of the table."""
    # By a process of its own: it forks, and this one may have threads.
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--seed", "1000", "--output", str(table), *options],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in table.read_text().splitlines() if line.startswith("|")]
    rows = [line.split("|")[1:-1] for line in lines[2:]]
    assert all(int(row[5]) == 0 for row in rows)
    return {row[0].strip(): [int(cell) for cell in row[1:]] for row in rows}


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_without_a_word(tmp_path: Path) -> None:
    by_name = inject(tmp_path / "faults.md", "--each", "1")
    assert len(by_name) >= 31
    # These can't be without anybody being told.
    for name in (
        "the file is deleted while it is in use",
        "the file is replaced by an older copy while nobody uses it",
        "the file is cut to no bytes while nobody uses it",
        "the -wal file is deleted while it is in use",
        "kill -9, then the -wal file is deleted",
        "one bit of a stored value is flipped",
        "events are deleted from the file, by another program",
        "the disk is full: no file grows beyond a limit",
    ):
        n, kept, *_ = by_name[name]
        assert (n, kept) == (1, 0), name


@pytest.mark.slow
def test_nothing_acknowledged_by_a_database_is_lost_without_a_word(tmp_path: Path) -> None:
    by_name = inject(tmp_path / "faults.md", "--each", "1", "--store", "postgresql")
    assert len(by_name) >= 25
    for name in (
        "the tables are dropped while they are in use",
        "the session is deleted while it is in use",
        "an older backup is brought back while the session goes on",
        "a stored value is changed, by another program",
        "one bit of a stored value is flipped in the server's files",
    ):
        n, kept, *_ = by_name[name]
        assert (n, kept) == (1, 0), name
    for name in (
        "the connection breaks when the server has committed and nobody was told, several times",
        "the connection breaks, and the server commits some time later",
        "the server is restarted under way: the writer waits and goes on",
        "kill -9 of the server's processes under way: the writer waits and goes on",
    ):
        n, kept, *_ = by_name[name]
        assert (n, kept) == (1, 1), name
