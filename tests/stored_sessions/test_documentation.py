"""What docs/how-to/sessions.md shows is run; what it says is there, is."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from activeeval_widgets import Session
from activeeval_widgets.app import cli
from activeeval_widgets.formats import read_session_file, write_session
from activeeval_widgets.formats.label_tables import labels_frame
from activeeval_widgets.formats.session_file.writing import document_of

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "sessions.md").read_text()
Maker = Callable[..., Session]


def test_every_command_is_run(make_session: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_session(make_session("texts", name="tickets", n_labels=9), "begun.json", with_contents=True)
    runner = CliRunner()
    runner.invoke(cli.main, ["sessions", "import", "begun.json", "--store", "evaluations.sqlite"])
    for week in (1, 2, 3):
        make_session("texts", name=f"week-{week}", seed=week, store="evaluations.sqlite").estimate()
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
        for line in block.splitlines()
        if line
    ]
    assert len(lines) > 10
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == "activeeval-widgets"
        if arguments[:2] == ["sessions", "answer"]:
            table = pd.read_csv("tasks.csv", dtype=str)
            table["label"] = "ham"
            table.to_csv("tasks.csv", index=False)
        result = runner.invoke(cli.main, arguments)
        assert result.exit_code == 0, (line, result.output)
        if "--output" in arguments:
            assert Path(arguments[arguments.index("--output") + 1]).stat().st_size > 0
    assert "20 labels taken in" in result.output
    commands = {" ".join(shlex.split(line)[1:3]) for line in lines if "sessions" in line}
    known = cli.main.commands["sessions"].commands
    assert commands == {f"sessions {name}" for name in known}


def test_the_python_lines_run(make_session: Maker) -> None:
    [block] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    session = make_session("texts", n_labels=4)
    found = {"session": session, "label_of": lambda _: "ham"}
    exec(block, found)
    assert found["told"].n_new == 20


def rows_of(heading: str) -> set[str]:
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    first_cells = re.findall(r"^\| (.*?) \|", part, re.MULTILINE)
    return {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_schema_names_all_that_is_in_a_file(make_session: Maker, tmp_path: Path) -> None:
    document = document_of(make_session("texts"))
    assert rows_of("The JSON file") == set(document)
    page = PAGE.split("## The JSON file\n")[1]
    for part in ("settings", "pool", "digests", "summary"):
        assert all(f"`{name}`" in page for name in document[part]), part
    assert all(f"`{name}`" in page for name in document["labels"][0])
    for task in ("texts", "records", "rankings"):
        for model in document_of(make_session(task))["predictions"]:
            assert all(f"`{name}`" in page for name in model if name not in ("kind", "name"))
    assert read_session_file(write_session(make_session(), tmp_path / "a.json")).document["version"] == 1


def test_the_table_of_columns_is_that_of_the_export(make_session: Maker) -> None:
    table = labels_frame(make_session("texts"), with_contents=True)
    listed = rows_of("Export") - {"standard_deviation"}
    assert listed == set(table.columns)
