"""Run the unit tests and the browser tests side by side: `run_tests.py -- BROWSER_TESTS... -- UNIT_TESTS...`.

Both are pytest's arguments. Browser tests wait for half of their time; unit tests, which are to be nice to
them, have the processors then. What the browser tests say is shown as it comes, and then what the unit tests
have said.
"""

import os
import subprocess
import sys
import tempfile

NICE = 5


def say(text: str) -> None:
    """Write a line at once, before what others write."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def begin(arguments: list[str], output: int | None = None, nice: int = 0) -> "subprocess.Popen[bytes]":
    """Begin to run tests."""
    command = [sys.executable, "-m", "pytest", *arguments]
    say(" ".join(command))
    if nice and hasattr(os, "nice"):
        command = ["nice", "-n", str(nice), *command]
    return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)  # noqa: S603 - our own


def main() -> int:
    """Run them, and return 1 unless all have passed."""
    split = sys.argv.index("--", 2)
    with tempfile.TemporaryFile() as said:
        unit = begin(sys.argv[split + 1 :], said.fileno(), NICE)
        try:
            failed = begin(sys.argv[2:split]).wait()
            say("(The unit tests go on.)" if unit.poll() is None else "(The unit tests have ended.)")
            failed |= unit.wait()
        finally:
            if unit.poll() is None:
                unit.terminate()
                unit.wait()
        said.seek(0)
        sys.stdout.buffer.write(said.read())
        sys.stdout.flush()
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
