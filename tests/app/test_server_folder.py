"""Folders of servers that were killed are removed at the next start."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from activeeval_widgets.app.server_folder import PREFIX, remove_left_folders, server_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")

HOLD = """
import sys
from activeeval_widgets.app.server_folder import server_folder
with server_folder() as folder:
    (folder / "kernel.json").write_text("{}")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def server(temporary: Path) -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_server_left_is_removed_and_nothing_else(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "server.lock").touch()
    (temporary / f"{PREFIX}link").symlink_to(elsewhere)
    (temporary / f"{PREFIX}of-something-else").mkdir()
    killed, left = server(temporary)
    running, used = server(temporary)
    killed.kill()
    killed.communicate()
    assert (left / "kernel.json").exists()
    with server_folder() as own:
        assert not left.exists()
        assert (used / "kernel.json").exists()
        remove_left_folders()
        assert own.exists()
    assert not own.exists()
    assert (elsewhere / "server.lock").exists()
    assert (temporary / f"{PREFIX}of-something-else").exists()
    running.communicate("")
    assert running.returncode == 0
    assert not used.exists()
