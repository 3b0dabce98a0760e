import importlib.util
import os
import re
import runpy
import signal
import socket
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from activeeval_widgets import _version
from activeeval_widgets.app import cli, options, pages
from activeeval_widgets.app.commands import demo
from activeeval_widgets.app.given_once import Command
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.lessons.catalog import NOTEBOOKS

from .conftest import wait_until


def run(*arguments):
    return CliRunner().invoke(cli.main, arguments)


def test_help_lists_every_command():
    shown = CliRunner().invoke(cli.main, ["--help"], terminal_width=120).output
    for name, command in cli.main.commands.items():
        assert name in shown
        assert command.help
        assert command.get_short_help_str(100) in shown


@pytest.mark.parametrize("option", ["--port", "--no-browser", "--store"])
def test_demo_help_lists_every_option(option):
    result = run("demo", "--help")
    assert result.exit_code == 0
    assert option in result.output
    assert {
        name for parameter in demo.command.params for name in parameter.opts if name.startswith("--")
    } == {
        "--port",
        "--no-browser",
        "--store",
        "--sheets",
        *(
            "--host",
            "--base-url",
            "--token",
            "--allowed-host",
            "--trust-header",
            "--trusted-proxy",
            "--max-pages",
            "--guest",
        ),
    }


def test_python_runs_the_package(monkeypatch, capsys):
    """Where a script's folder is not on the PATH, `python -m activeeval_widgets` is the command."""
    monkeypatch.setattr(sys, "argv", ["activeeval-widgets", "--version"])
    monkeypatch.delitem(sys.modules, "activeeval_widgets.__main__", raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("activeeval_widgets", run_name="__main__")
    assert not ended.value.code
    assert _version.__version__ in capsys.readouterr().out


def test_version():
    result = run("--version")
    assert result.exit_code == 0
    assert _version.__version__ in result.output


def test_unknown_demo_is_refused():
    result = run("demo", "nonesuch")
    assert result.exit_code == 2
    assert "digits" in result.output


def test_demos_are_those_there_are():
    assert list(demo.DEMOS) == list(DEMOS)


@pytest.mark.parametrize("name", [name for name in DEMOS if name not in demo.WITH_SHEETS])
def test_a_demo_without_sheets_says_so(name):
    result = run("demo", name, "--sheets")
    assert result.exit_code == 2
    assert f"The demo '{name}' has no sheets: leave --sheets out, or use digits." in result.output


def test_demo_help_lists_every_demo():
    lines = run("demo", "--help").output.splitlines()
    for name in DEMOS:
        assert any(re.match(rf"  {name} +\w", line) for line in lines), name


def test_lessons_are_copied_once(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)  # the lessons' extra is not needed
    folder = tmp_path / "mine"
    result = run("lessons", "--copy", str(folder))
    assert (result.exit_code, result.output) == (0, f"{len(NOTEBOOKS)} notebooks are in {folder}.\n")
    for lesson in NOTEBOOKS:
        assert (folder / lesson.path.name).read_bytes() == lesson.path.read_bytes()
    result = run("lessons", "--copy", str(folder))
    assert result.exit_code == 1
    assert f"{folder} already has 01_guess_then_label.ipynb: name another folder" in result.output


def test_lessons_without_their_extra_are_one_message(monkeypatch):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name: None if name in ("sklearn", "matplotlib") else find_spec(name),
    )
    result = run("lessons", "--no-browser")
    assert result.exit_code == 1
    assert result.output == (
        "Error: The lessons need matplotlib and scikit-learn, which aren't installed. "
        "Install them with: pip install 'activeeval-widgets[lessons]'\n"
    )


@pytest.mark.parametrize("port", ["-1", "65536", "many"])
def test_port_that_is_none_is_refused(port):
    result = run("demo", "--no-browser", "--port", port)
    assert result.exit_code == 2
    assert "--port" in result.output


def test_busy_port_is_one_clear_error(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("demo", "--no-browser", "--port", str(port), "--store", str(tmp_path / "s.sqlite"))
    assert result.exit_code == 2
    assert f"Port {port} cannot be used" in result.output
    assert "Traceback" not in result.output


def test_store_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    result = run("demo", "--no-browser", "--store", str(tmp_path / "file" / "s.sqlite"))
    assert result.exit_code == 2
    assert "cannot be made" in result.output


@pytest.mark.parametrize("address", ["nonesuch://x", "sqlite:labels"])
def test_store_address_that_is_none_is_one_message(address):
    result = run("demo", "text", "--no-browser", "--store", address)
    assert result.exit_code == 2
    assert "--store" in result.output
    assert address in result.output


def test_default_store_is_in_the_users_data_folder_or_the_folders_own(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(options, "data_folder", lambda: Path("/data/activeeval-widgets"))
    assert options.default_store() == Path("/data/activeeval-widgets/sessions.sqlite")
    (tmp_path / "evaluations.sqlite").touch()
    assert options.default_store() == tmp_path / "evaluations.sqlite"
    assert options.default_store(tmp_path / "other") == Path("/data/activeeval-widgets/sessions.sqlite")


def test_importing_the_command_line_does_nothing():
    assert isinstance(cli.main, click.Group)
    assert pages.PAGE_VARIABLE not in os.environ


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.parametrize(("number", "port"), [(signal.SIGINT, 0), (signal.SIGTERM, free_port)])
def test_address_is_printed_a_given_port_taken_and_a_signal_ends_everything(start, number, port):
    asked = port() if callable(port) else port
    served = start("--port", str(asked))
    assert served.port == asked or not asked
    assert re.fullmatch(
        rf"Serving http://127\.0\.0\.1:{served.port}/\?token=[-\w]{{32}}  \(Ctrl-C stops it\)\n", served.line
    )
    status, page = served.fetch("favicon.svg")
    assert status == 200
    assert page.startswith("<svg")
    assert served.fetch()[0] == 200
    kernels = served.kernels()
    assert kernels
    assert served.stop(number) == 0
    for pid in kernels:
        wait_until(lambda pid=pid: not Path(f"/proc/{pid}").exists())
    assert served.process.stdout.read() == ""
    assert served.errors.read_text() == ""


def test_an_option_with_one_value_is_not_given_twice():
    for arguments in (
        ("serve", "mails.csv", "--measure", "accuracy", "--measure", "error-rate"),
        ("check", "mails", "--at-least", "0.8", "--at-least", "0.9"),
        ("sessions", "show", "mails", "--store", "a.sqlite", "--store", "b.sqlite"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert f"Error: {arguments[-2]} is given twice: give it once.\n" in result.output


def test_every_command_takes_an_option_once():
    def commands(group):
        for command in group.commands.values():
            yield from commands(command) if isinstance(command, click.Group) else [command]

    assert {type(command) for command in commands(cli.main)} == {Command}
