"""Python files and notebooks that are served: what is taken of them, and how their errors are told."""

import json
import sys
import types

import pytest
from click.testing import CliRunner
from IPython.core.history import HistoryManager
from IPython.core.interactiveshell import InteractiveShell

import activeeval_widgets
from activeeval_widgets import LabelingApp, Session
from activeeval_widgets.app import cli, serving, user_code
from activeeval_widgets.app.commands import serve
from activeeval_widgets.app.pages import page_of, python_file
from activeeval_widgets.app.user_code import UserCodeError, python_spec, run_code
from activeeval_widgets.session import open_store

HERE = {"session": None, "who": None}
START = """\
from pathlib import Path
from activeeval_widgets import LabelingApp, Pool, Session, evaluate, serve
from activeeval_widgets.stats import ErrorRate
texts, proba = ["a", "b", "c"], [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]
def make(name="mine"):
    return evaluate(texts, proba, ErrorRate(), store="labels.sqlite", name=name)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def python(folder, source, start=START):
    path = folder / "über app.py"
    path.write_text(start + source, encoding="utf-8")
    return path


def notebook(folder, *cells, start=START):
    path = folder / "spam.ipynb"
    code = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in (start, *cells)]
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": "# Spam"}, *code]}))
    return path


@pytest.mark.parametrize(
    "source",
    [
        "make()",
        "app = make()",
        "app: object = make()",
        "serve(make())\nraise AssertionError('it went on after serve')",
        "def main():\n    serve(make())\nif __name__ == '__main__':\n    main()",
        "make().session",
        "try:\n    serve(make())\nexcept Exception:\n    pass",
    ],
)
def test_what_is_last_is_taken(folder, source, capfd):
    made = run_code(python(folder, "print('said')\n" + source), folder)
    assert isinstance(made, LabelingApp | Session)
    assert open_store(folder / "labels.sqlite").names() == ["mine"]
    result = capfd.readouterr()
    assert (result.out, "said" in result.err) == ("", True)


def test_a_notebook_is_run_as_jupyter_runs_it(folder, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    monkeypatch.setattr(HistoryManager, "enabled", False)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # which a shell takes the place of
    path = notebook(folder, "%%time\nname = 'mine'", "app = make(name)\napp\n", "app.session.estimate()\n")
    before = set(sys.path), sys.argv
    made = run_code(path, folder)
    assert made.session.name == "mine"
    assert (set(sys.path), sys.argv) == before
    InteractiveShell.clear_instance()


def test_relative_paths_and_modules_beside_it(folder, tmp_path_factory):
    (folder / "beside.py").write_text("NAME = 'from beside'")
    path = python(folder, "import beside\nassert Path('here.txt').exists()\nmake(beside.NAME)")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "here.txt").touch()
    assert run_code(path, elsewhere).session.name == "from beside"
    assert (elsewhere / "labels.sqlite").exists()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", r"über app.py, line 7: ZeroDivisionError: division by zero"),
        ("make(\n", r"über app.py, line 7: '\(' was never closed"),
        ("texts", r"the last value of über app.py is of type list, expected an app"),
        ("", r"the last value of über app.py is no value"),
        ("import sys\nsys.exit(3)", r"über app.py ended itself"),
        ("evaluate(texts, proba, None)", r"line 7: TypeError: measure must be a Measure"),
        ("serve(texts)", r"line 7: TypeError: app must be a LabelingApp or a Session"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_a_traceback_on_the_terminal(folder, source, message, capfd):
    with pytest.raises(UserCodeError, match=message):
        run_code(python(folder, source), folder)
    errors = capfd.readouterr().err
    if "Error" in message:
        assert source in errors
    assert "user_code.py" not in errors, "our own lines are no help"
    assert not user_code._running


def test_an_error_in_a_notebook_names_its_cell(folder, capfd):
    with pytest.raises(UserCodeError, match=r"spam.ipynb, cell 2, line 2: NameError"):
        run_code(notebook(folder, "x = 1\nnonesuch + 1\n"), folder)
    assert "nonesuch + 1" in capfd.readouterr().err
    (folder / "spam.ipynb").write_text("{}")
    with pytest.raises(UserCodeError, match=r"spam.ipynb is not a notebook"):
        run_code(folder / "spam.ipynb", folder)


def test_the_page(folder):
    spec = python_spec(python(folder, "make()"))
    page = page_of(spec)
    assert page is python_file
    page.prepare(spec)
    app = page.build(json.loads(json.dumps(spec)), {**HERE, "who": "Ada"})
    config = app._page._hello({})[0]["config"]
    assert (config["is_standalone"], config["has_new_session"]) == (True, False)
    assert app.session.people.who == "Ada"
    assert open_store(folder / "labels.sqlite").details("mine")["source"] == {
        "python": spec["file"],
        "folder": spec["folder"],
    }
    assert python_file.session_of(spec["file"]).name == "mine"
    assert page.build(spec, {**HERE, "session": "mine"}).session.name == "mine"
    with pytest.raises(ValueError, match="the address names 'other'"):
        page.build(spec, {**HERE, "session": "other"})


def test_a_session_becomes_an_app(folder):
    app = python_file.build(python_spec(notebook(folder, "make().session")), HERE)
    assert app.title == "spam.ipynb"


@pytest.fixture
def served(monkeypatch):
    specs = []
    for module in (serve, serving):
        monkeypatch.setattr(module, "serve_page", lambda spec, **server: specs.append((spec, server)))
    return specs


def run(*arguments):
    return CliRunner().invoke(cli.main, ["serve", *map(str, arguments)])


def test_the_command_serves_it_without_running_it(folder, served):
    path = python(folder, "1 / 0")
    assert run(path.name, "--no-browser").exit_code == 0
    assert served[0][0] == {"kind": "python", "file": str(path), "folder": str(folder)}
    assert not (folder / "labels.sqlite").exists()


@pytest.mark.parametrize(
    ("source", "arguments", "message"),
    [
        ("make(", [], "was never closed"),
        ("1 / 0", ["--check"], "line 7: ZeroDivisionError"),
        ("make()", ["--text", "body", "--store", "x"], "--store, --text: not for a Python file"),
        ("make()", ["--hide-estimate"], "--hide-estimate: not for a Python file"),
    ],
)
def test_what_the_command_refuses(folder, served, source, arguments, message):
    result = run(python(folder, source), *arguments)
    assert result.exit_code != 0
    assert message in result.stderr
    assert served == []


def test_check_runs_it_and_says_what_it_makes(folder, served):
    result = run(python(folder, "make().session"), "--check")
    assert result.exit_code == 0
    assert "über app.py makes a page with 3 texts: error rate." in result.stdout
    assert served == []


def test_serve_in_a_script_serves_the_script(folder, served, monkeypatch, capfd):
    path = python(folder, "")
    main = types.ModuleType("__main__")
    main.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.delattr(sys, "ps1", raising=False)  # a shell of an earlier test's
    made = run_code(python(folder, "app = evaluate(texts, proba, ErrorRate())"), folder)
    assert activeeval_widgets.serve is serving.serve
    activeeval_widgets.serve(made, port=0, open_browser=False)
    ((spec, server),) = served
    assert spec == {"kind": "python", "file": str(path), "folder": str(folder)}
    assert (server["hosting"].port, server["no_browser"]) == (0, True)
    assert "only in memory" in capfd.readouterr().err
    with pytest.raises(TypeError, match="prot"):
        activeeval_widgets.serve(made, prot=0)
    with pytest.raises(TypeError, match="app must be a LabelingApp or a Session, got 3"):
        activeeval_widgets.serve(3)
    del main.__file__
    with pytest.raises(RuntimeError, match="end the cell with the app"):
        activeeval_widgets.serve(made)
