"""The command `open`: what it serves, from where, and where things are kept."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from activeeval_widgets.app import options
from activeeval_widgets.app.cli import main
from activeeval_widgets.app.commands import open as open_command
from activeeval_widgets.session import SQLiteStore

Run = Callable[..., tuple[Result, dict[str, Any]]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the command line in a folder, and tell what it would serve."""
    served: dict[str, Any] = {}
    monkeypatch.setattr(open_command, "serve_page", lambda spec, **server: served.update(spec, server=server))
    monkeypatch.setattr(options, "data_folder", lambda: tmp_path / "data")
    monkeypatch.setattr(open_command, "data_folder", lambda: tmp_path / "data")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    def run_it(*arguments: str) -> tuple[Result, dict[str, Any]]:
        served.clear()
        return CliRunner().invoke(main, [*arguments]), dict(served)

    return run_it


@pytest.mark.parametrize("arguments", [(), ("open",), ("--no-browser",), ("--port", "0", "--no-browser")])
def test_without_a_command_it_is_the_start_page(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    result, spec = run(*arguments)
    assert result.exit_code == 0, result.output
    assert (spec["kind"], spec["folder"]) == ("start", str(tmp_path / "here"))
    # No file is made in a folder that was not named.
    assert spec["store"] == str(tmp_path / "data" / "sessions.sqlite")
    assert spec["upload_folder"] == str(tmp_path / "here")
    assert spec["server"]["no_browser"] is ("--no-browser" in arguments)


def test_a_named_folder_has_a_store_of_its_own(run: Run, tmp_path: Path) -> None:
    users = tmp_path / "data" / "sessions.sqlite"
    users.parent.mkdir()
    SQLiteStore(users).close()
    _, spec = run("open", ".")
    own = tmp_path / "here" / "evaluations.sqlite"
    assert (spec["store"], spec["other_stores"]) == (str(own), [str(users)])
    SQLiteStore(own).close()
    # Once it is there, it is used without being named.
    _, spec = run()
    assert (spec["store"], spec["other_stores"]) == (str(own), [str(users)])
    _, spec = run("open", ".", "--store", str(users))
    assert (spec["store"], spec["other_stores"]) == (str(users), [])


def test_a_folder_that_can_not_be_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    can = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **more: mode != os.W_OK and can(path, mode, **more))
    _, spec = run("open", ".")
    assert spec["store"] == str(tmp_path / "data" / "sessions.sqlite")
    assert spec["upload_folder"] == str(tmp_path / "data" / "files")
    [notice] = spec["notices"]
    assert notice.startswith(f"{tmp_path / 'here'} can't be written to: ")


def test_what_is_no_folder_or_no_command_is_refused(run: Run, tmp_path: Path) -> None:
    for arguments, outcome in (
        (("open", "nowhere"), "nowhere"),
        (("nonsense",), "No such command"),
        (("--x",), "--x"),
    ):
        result, spec = run(*arguments)
        assert result.exit_code == 2
        assert outcome in result.output
        assert spec == {}
    assert run("--help")[0].output.startswith("Usage")
    assert "activeeval-widgets" in run("--version")[0].output
