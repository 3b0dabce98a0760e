import contextlib
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

COMMAND = [sys.executable, "-m", "activeeval_widgets.app.cli", "demo", "--no-browser"]


@dataclass
class Running:
    """A demo that runs in a process of its own."""

    process: subprocess.Popen[str]
    line: str
    errors: Path

    @property
    def link(self) -> str:
        found = re.search(r"http://\S+", self.line)
        assert found, f"no address in {self.line!r}\n{self.errors.read_text()}"
        return found.group()

    @property
    def address(self) -> str:
        return self.link.split("?")[0]

    @property
    def token(self) -> str:
        return self.link.split("?token=")[1]

    def fetch(self, path: str = "", **headers: str) -> tuple[int, str]:
        """Return status and text of what is asked for with the token."""
        return fetch(self.address + path, **{"Authorization": f"Bearer {self.token}", **headers})

    @property
    def port(self) -> int:
        return urlsplit(self.link).port or 0

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)

    def kernels(self) -> list[int]:
        """The processes of its kernels, and the one that they are forked from."""
        return descendants(self.process.pid)


def descendants(pid: int) -> list[int]:
    """Return the processes that `pid` and those after it started, and that still run."""
    begun = children(pid)
    return [*begun, *(later for one in begun for later in descendants(one))]


def children(pid: int) -> list[int]:
    """Return the processes that `pid` started and that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text().rsplit(")", 1)[1].split()[:2]
            if int(parent) == pid and state != "Z":
                found.append(int(stat.parent.name))
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.05)


@contextlib.contextmanager
def starting(folder: Path) -> Iterator[Callable[..., Running]]:
    """Start demos that keep their store in a folder; any that still runs at the end is ended."""
    started: list[subprocess.Popen[str]] = []

    def start_one(*arguments: str) -> Running:
        errors = folder / f"stderr-{len(started)}"
        with errors.open("w") as log:
            process = subprocess.Popen(
                [*COMMAND, "--store", str(folder / "sessions.sqlite"), *(arguments or ("--port", "0"))],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        started.append(process)
        return Running(process, process.stdout.readline(), errors)

    yield start_one
    for process in started:
        if process.poll() is None:
            process.terminate()
            process.wait(20)
        process.stdout.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Start demos of the test's own, which it may end."""
    with starting(tmp_path) as start_one:
        yield start_one


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A demo that runs, for all tests that only ask it something."""
    folder = tmp_path_factory.mktemp("shared")
    with starting(folder) as start_one:
        yield start_one("text", "--port", "0")


def fetch(address: str, **headers: str) -> tuple[int, str]:
    """Return status and text of an address; no proxy is asked."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(address, headers=headers)
    try:
        with opener.open(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
