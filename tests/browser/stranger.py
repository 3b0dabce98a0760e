"""A stranger's machine, which has Python and nothing else of ours, and what he does first on a page."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
APP = "[data-aew=app]"
READY = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"


@dataclass
class Machine:
    """A stranger's machine: an environment, a home, and another environment's kernel in the way."""

    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        ours = ("PYTHON", "VIRTUAL_ENV", "JUPYTER", "IPYTHON", "VOILA", "MAKE", "MFLAGS", "PYTEST", "COV")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return {
            **inherited,
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "XDG_DATA_HOME": str(self.folder / "data"),
            "JUPYTER_DATA_DIR": str(self.folder / "jupyter"),
            "JUPYTER_CONFIG_DIR": str(self.folder / "config"),
            "IPYTHONDIR": str(self.folder / "ipython"),
            "BROWSER": "true",  # a program that opens no window
            # What is imported is compiled then; the rest would take half of the time. ("1" means: compile.)
            "PIP_NO_COMPILE": "0",
        }

    @property
    def bin(self) -> Path:
        return self.folder / "venv" / "bin"

    def make_environment(self) -> None:
        """An environment that has pip: by uv, as what follows."""
        if not self._can_by_uv("venv", "--quiet", "--seed", self.bin.parent):
            self.run(sys.executable, "-m", "venv", "--clear", self.bin.parent)

    def install(self, *what: str | Path) -> None:
        """By uv, in a thirtieth of the time; by pip where uv can't (it does not read pip's configuration)."""
        install = ("pip", "install", "--quiet")
        if not self._can_by_uv(*install, "--python", self.bin / "python", *what):
            self.run(self.bin / "python", "-m", *install, *what)
        self._take_bytecode()

    def _can_by_uv(self, *command: str | Path) -> bool:
        by_uv = [sys.executable, "-m", "uv", *command]
        return subprocess.run(by_uv, env=self.variables, capture_output=True, check=False).returncode == 0

    def _take_bytecode(self) -> None:
        """Copy the bytecode of the files that both environments have, which then need not be compiled."""
        ours = Path(sysconfig.get_path("purelib"))
        its = Path(sysconfig.get_path("purelib", vars={"base": str(self.bin.parent)}))
        ending = f".{sys.implementation.cache_tag}.pyc"
        for compiled in ours.rglob(f"*{ending}"):
            name = f"{compiled.name.removesuffix(ending)}.py"
            source, target = (
                folder / compiled.parent.parent.relative_to(ours) / name for folder in (ours, its)
            )
            copy = target.parent / "__pycache__" / compiled.name
            if target.exists() and source.exists() and not copy.exists():
                a, b = source.stat(), target.stat()
                if (int(a.st_mtime), a.st_size) == (int(b.st_mtime), b.st_size):
                    copy.parent.mkdir(exist_ok=True)
                    shutil.copyfile(compiled, copy)

    def run(self, *command: str | Path, cwd: Path | None = None) -> str:
        done = subprocess.run(
            list(map(str, command)),
            cwd=cwd or self.folder,
            env=self.variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    @contextlib.contextmanager
    def serving(self, *command: str | Path, cwd: Path | None = None, url: str = "") -> Iterator[str]:
        """Run a server until the end of the block; its address is `url`, or what it prints."""
        log = self.folder / f"{Path(command[0]).name}.log"
        with log.open("w") as written:
            process = subprocess.Popen(
                list(map(str, command)),
                cwd=cwd or self.folder,
                env=self.variables,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            end = time.monotonic() + 600
            while True:
                text = log.read_text()
                found = re.search(r"^Serving (http://127\.0\.0\.1:\d+/\?token=\S+)", text, flags=re.MULTILINE)
                if found or (url and _answers(url)):
                    break
                assert process.poll() is None, text
                assert time.monotonic() < end, text
                time.sleep(0.1)
            yield found[1] if found else url
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _answers(url: str) -> bool:
    port = int(url.split(":")[2].split("/")[0])
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def label_three(page: Page, url: str) -> None:
    """Label three instances by keyboard; loaded again, the page still has them."""
    page.goto(url)
    app = page.locator(APP)
    page.wait_for_selector(READY)
    app.focus()
    for n in range(3):
        keys = page.get_attribute(f"[data-aew=label] >> nth={n % 2}", "aria-keyshortcuts")
        page.keyboard.press(keys.split()[0])
        expect(app).to_have_attribute("data-n-labels", str(n + 1))
        expect(app).to_have_attribute("data-state", "ready")
    expect(page.locator("[data-aew=estimate]")).not_to_have_attribute("data-value", "")
    page.reload()
    page.wait_for_selector(READY)
    expect(app).to_have_attribute("data-n-labels", "3")


def n_labels(store: Path, session: str = "%") -> int:
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT record FROM events WHERE session LIKE ?", [session]).fetchall()
    return sum(json.loads(record)["kind"] == "label" for (record,) in rows)
