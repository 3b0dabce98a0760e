"""Run the unit tests and the browser tests in parallel: `run_tests.py -- BROWSER_TESTS... -- UNIT_TESTS...`.

Both are pytest's arguments. Browser tests wait for half of their time, in which unit tests, at a lower
priority, use the processors. The output of the browser tests is shown as it comes, then that of the unit
tests. The failures of both are repeated at the end, where a reader of a long log looks first.
"""

import os
import subprocess
import sys
import tempfile

NICE = 5


def say(text: str) -> None:
    """Write a line at once, before the output of other processes."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def begin(arguments: list[str], output: int, nice: int = 0) -> "subprocess.Popen[bytes]":
    """Start running tests."""
    command = [sys.executable, "-m", "pytest", *arguments]
    say(" ".join(command))
    if nice and hasattr(os, "nice"):
        command = ["nice", "-n", str(nice), *command]
    return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)  # noqa: S603 - our own


def show(line: bytes) -> list[str]:
    """Write a line of pytest's output, and return it if it names a failure."""
    sys.stdout.buffer.write(line)
    sys.stdout.flush()
    return [line.decode(errors="replace").rstrip()] if line.startswith((b"FAILED ", b"ERROR ")) else []


def main() -> int:
    """Run them, and return 1 unless all have passed."""
    split = sys.argv.index("--", 2)
    failures: list[str] = []
    with tempfile.TemporaryFile() as output:
        unit = begin(sys.argv[split + 1 :], output.fileno(), NICE)
        try:
            browser = begin(sys.argv[2:split], subprocess.PIPE)
            assert browser.stdout is not None  # noqa: S101 - it was requested
            for line in browser.stdout:
                failures += show(line)
            failed = browser.wait()
            say("(The unit tests go on.)" if unit.poll() is None else "(The unit tests have ended.)")
            failed |= unit.wait()
        finally:
            if unit.poll() is None:
                unit.terminate()
                unit.wait()
        output.seek(0)
        for line in output:
            failures += show(line)
    if failures:
        say("\n".join(["", "Failures of both:", *failures]))
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
