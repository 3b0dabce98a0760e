"""What docs/reference/files.md shows is so: files are read, commands run, and every message is there."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from activeeval_widgets.app.cli import main
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.formats import examine

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "files.md").read_text()
BLOCKS = re.findall(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, _, text in BLOCKS if kind == "sh" for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind, name, text in BLOCKS:
        if kind in ("csv", "json"):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    for name in ("a.png", "more/b.png"):
        path = tmp_path / "photos" / name
        path.parent.mkdir(exist_ok=True)
        Image.new("L", (4, 4)).save(path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_finds_nothing_wrong(
    folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In this process, which has imported all that a new one would take a second for.
    monkeypatch.setattr("activeeval_widgets.app.commands.serve.check_file_apart", check_file)
    name, *arguments = shlex.split(command)
    assert name == "activeeval-widgets"
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert not list(folder.glob("*.sqlite"))


def test_every_example_is_served() -> None:
    named = {name.partition("/")[0] for kind, name, _ in BLOCKS if kind in ("csv", "json")}
    assert named == {shlex.split(command)[2].partition("/")[0] for command in COMMANDS}


def test_the_python_code_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "".join(text for kind, _, text in BLOCKS if kind == "python")
    exec(compile(code, "files.md", "exec"), {})
    shown = re.search(r"print\(problem\)  # (.*)", code)
    assert capsys.readouterr().out.splitlines() == [shown[1], "Did you mean 'text'?"]


def messages() -> Iterator[str]:
    """The longest constant part of every message that can be reported of a file."""
    folder = ROOT / "activeeval_widgets" / "formats"
    for module in (*folder.glob("*.py"), *folder.glob("opening/*.py")):
        for node in ast.walk(ast.parse(module.read_text())):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called not in ("report", "Problem", "problem_error", "_refused"):
                continue
            message = node.args[0] if called == "report" else node.args[1]
            parts = [part.value for part in ast.walk(message) if isinstance(part, ast.Constant)]
            texts = [part.strip(" ,(){}:'") for part in parts if isinstance(part, str)]
            if texts:
                yield max(texts, key=len)


def test_the_table_has_every_message(catalog: Any) -> None:
    assert "```{problems}\n```" in PAGE
    found = set(messages())
    assert len(found) > 40
    words = re.sub(r"\s+", " ", " ".join(each.template for each in catalog.problems()).replace("…", ""))
    assert not {text for text in found if re.sub(r"\s+", " ", text).replace("…", "") not in words}


BAD = {
    "empty.csv": "",
    "no_rows.csv": "text,p_a,p_b\n",
    "sums.csv": "text,p_a,p_b\nx,0.9,0.9\ny,0.5,0.5\n",
    "twice.csv": "text,text,p_a,p_b\nx,y,0.9,0.1\n",
    "short.csv": "text,p_a,p_b\nx,0.9\ny,0.5,0.5\n",
    "open.csv": 'text,p_a,p_b\n"x,0.9,0.1\ny,0.5,0.5\n',
    "bad.jsonl": '{"text": "x", "p_a": 0.5, "p_b": 0.5}\nnothing\n',
    "missing.csv": "text,p_a,p_b\nx,,0.1\ny,0.5,0.5\n",
    "nothing.csv": "text\nx\ny\n",
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_reported_of_a_file_is_in_the_table(name: str, tmp_path: Path, catalog: Any) -> None:
    (tmp_path / name).write_text(BAD[name])
    problems = examine(tmp_path / name).problems
    assert problems
    for problem in problems:
        matching = [
            each
            for each in catalog.problems()
            if re.fullmatch(".*".join(map(re.escape, each.template.split("…"))), problem.message, re.DOTALL)
        ]
        assert matching, problem
