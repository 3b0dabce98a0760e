"""`check`: a yes, no or not yet, from a store that stays as it is; what its page in the docs shows is run."""

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from click.testing import CliRunner, Result

from activeeval_widgets import Pool, Session
from activeeval_widgets.app import cli, options
from activeeval_widgets.app.stored_sessions import checking
from activeeval_widgets.formats import write_session
from activeeval_widgets.session import open_store
from activeeval_widgets.session.stores import last_seen
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    MatthewsCorrelation,
    SquaredError,
    ValuePredictions,
)

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "check-in-ci.md").read_text()
N = 60
Y_TRUE = np.arange(N) % 3 == 0
"""What is spam."""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["check", *map(str, arguments)], terminal_width=200)


def model(name: str, n_wrong: int, classes: tuple[str, str] = ("ham", "spam")) -> ClassPredictions:
    p = np.where(Y_TRUE ^ (np.arange(N) < n_wrong), 0.8, 0.2)
    return ClassPredictions(np.column_stack([1 - p, p]), classes, name=name)


GOOD, BAD = model("good", 3), model("bad", 25)


def keep(
    folder: Path,
    name: str,
    predictions: Any,
    n: int,
    *,
    words: str = "text",
    measure: Any = "error-rate",
    after: Session | None = None,
) -> Session:
    """Label instances, and import the session into the store of a folder, as on another computer."""
    pool = Pool([f"{words} {i}" for i in range(N)], predictions=predictions)
    session = Session(pool, measure, name=name, after=after)
    for _ in range(n):
        asked = session.next()
        assert asked is not None
        classes = session.models[0].label_values
        session.label(asked.index if classes is None else classes[int(Y_TRUE[asked.index])].item())
    file = folder / f"{len(list(folder.glob('*.json')))}.json"
    write_session(session, file)
    arguments = ["sessions", "import", str(file), "--store", str(folder / "s.sqlite")]
    done = CliRunner().invoke(cli.main, arguments)
    assert done.exit_code == 0, done.output
    return session


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store of many sessions."""
    folder = tmp_path_factory.mktemp("check")
    keep(folder, "good", GOOD, 50)
    keep(folder, "bad", BAD, 50)
    keep(folder, "begun", GOOD, 0)
    keep(folder, "few", GOOD, 8)
    keep(folder, "my model's <b>", GOOD, 40, measure="accuracy")
    keep(folder, "two", [GOOD, BAD], 20)
    keep(folder, "three", [GOOD, BAD, model("third", 9)], 20)
    keep(folder, "mcc", GOOD, 30, measure=MatthewsCorrelation())
    keep(folder, "values", ValuePredictions(np.arange(N), np.ones(N)), 5, measure=SquaredError())
    keep(folder, "elsewhere", BAD, 50, words="other")
    may = keep(folder, "may", GOOD, 50, words="May")
    june = keep(folder, "june", GOOD, 30, words="June", after=may)
    keep(folder, "july", BAD, 50, words="July", after=june)
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder, in which commands run, with no store in the user's data folder."""
    monkeypatch.setattr(options, "data_folder", lambda: tmp_path / "data")
    monkeypatch.setattr(last_seen, "data_folder", lambda: tmp_path / "data")
    shutil.copytree(kept, tmp_path / "ci")
    monkeypatch.chdir(tmp_path / "ci")
    return tmp_path / "ci"


STORE = ("--store", "s.sqlite")


@pytest.mark.parametrize(
    ("arguments", "status", "answer"),
    [
        (["good", "--at-most", "0.3"], 0, "Yes: the error rate is at most 30%."),
        (["good", "--at-most", "30%"], 0, "Yes: the error rate is at most 30%."),
        (["good", "--at-most", "30 %"], 0, "Yes: the error rate is at most 30%."),
        (["good", "--at-most", "0,3"], 0, "Yes: the error rate is at most 30%."),
        (["good", "--at-most", "1%"], 1, "No: the error rate is above 1%."),
        (["good", "--at-most", "0.05"], 3, "Not yet: it is not known whether the error rate is at most 5%."),
        (["good", "--measure", "accuracy", "--at-least", "70%"], 0, "Yes: the accuracy is at least 70%."),
        (["good", "--measure", "f1", "--positive", "spam", "--at-least", "50%"], 0, "Yes: the F1 of spam"),
        (["my model's <b>", "--at-least", "0.7"], 0, "Yes: the accuracy is at least 70%."),
        (["my model's <b>", "--at-least", "0.999"], 1, "No: the accuracy is below 99.9%."),
        (["begun", "--at-most", "0.9"], 3, "Not yet: it is not known whether the error rate is at most 90%."),
        (["mcc", "--at-least", "0.1"], 3, "Not yet: it is not known whether the Matthews correlation is at "),
        (["two", "--better-than", "bad"], 0, "Yes: good is better than bad in error rate."),
        (["two", "--better-than", "good"], 1, "No: bad is not better than good in error rate."),
        (["two", "--better-than", "bad", "--margin", "1%"], 0, "Yes: good is better than bad by at least "),
        (["two", "--better-than", "bad", "--margin", "0,99"], 1, "No: good is not better than bad by 99 p"),
        (["good", "--better-than", "bad"], 0, "Yes: good is better than bad in error rate."),
        (["bad", "--better-than", "good", "--measure", "accuracy"], 1, "No: bad is not better than good in "),
        (["june", "--since", "may", "--margin", "40%"], 0, "Yes: the error rate is at most 40 points h"),
        (["june", "--since", "may", "--margin", "5%"], 3, "Not yet: it is not known whether the error ra"),
        (["july", "--since", "may"], 1, "No: the error rate is higher than in may."),
        (["july", "--since", "june", "--margin", "0,05"], 1, "No: the error rate is more than 5 point"),
    ],
)  # fmt: skip
def test_the_status_is_the_answer(folder: Path, arguments: list[str], status: int, answer: str) -> None:
    result = run(*arguments, *STORE)
    assert (result.exit_code, result.stderr) == (status, "")
    assert result.stdout.replace("\N{NO-BREAK SPACE}", " ").startswith(answer)
    text = json.loads(run(*arguments, *STORE, "--json").stdout)
    assert (text["exit_status"], text["answer"]) == (status, answer.split(":")[0].lower())
    assert (text["more_labels"] is None) == (status != 3 or arguments[0] in ("begun", "mcc"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good"], "Ask one thing: --at-least X, --at-most X, --better-than OLD or --since OLD."),
        (["good", "--at-most", "0.1", "--at-least", "0.9"], "Ask one thing"),
        (["good", "--at-most", "0.1", "--margin", "1%"], "--margin goes with --better-than or --since."),
        (["good", "--at-most", "0.1", "--positive", "spam"], "--positive goes with --measure."),
        (["good", "--at-least", "0.1", "--measure", "f1"], "add --positive, ham or spam"),
        (["0.json", "--at-most", "0.1"], "bring it into a store: sessions import 0.json --store"),
        (
            ["good", "--at-least", "0.9"],
            "The smaller the error rate the better: ask --at-most, or add --measure accuracy.",
        ),
        (
            ["my model's <b>", "--at-most", "0.9"],
            "The greater the accuracy the better: ask --at-least, or add --measure error-rate.",
        ),
        (["good", "--at-most", "ten"], "'ten' is not a number: write it as 0.9 or 90%."),
        (["good", "--at-most", ""], "'' is not a number"),
        (["good", "--at-most", "nan"], "'nan' is not a number"),
        (["good", "--at-most", "1,234"], "'1,234' is not a number"),
        (["good", "--at-most", "1.234"], "the bound is 123.4%, but the error rate goes from 0% to 100%"),
        (["good", "--at-most", "10"], "the bound is 1,000%, but the error rate goes from 0% to 100%"),
        (["good", "--at-most", "100%"], "the bound is 100%, but the error rate goes from 0% to 100%"),
        (["values", "--at-most", "5%"], "'5%' is a percentage, and the mean squared error is none"),
        (["two", "--better-than", "bad", "--margin", "-1%"], "margin is -0.01, expected a positive finite"),
        (["two", "--better-than", "bad", "--margin", "5"], "margin is 500 points, which no two models"),
        (["two", "--better-than", "other"], "there is no model 'other'; there are 'good' and 'bad'"),
        (["two", "--at-most", "0.5"], "compares good, bad: ask --better-than one of them"),
        (["three", "--at-most", "0.5"], "compares good, bad, third: begin a session of one or two of them"),
        (["three", "--better-than", "bad"], "predictions hold 3 models: begin a session of two of them"),
        (["good", "--better-than", "good"], "--better-than 'good' is the session itself: name another one"),
        (["good", "--better-than", "bda"], "There is no session 'bda' in s.sqlite. Did you mean 'bad'?"),
        (["good", "--better-than", "two"], "a comparison of 'two' with another session is about one model"),
        (["good", "--better-than", "mcc"], "name one measure for both"),
        (["good", "--better-than", "elsewhere"], "are about different instances, so their values"),
        (["good", "--at-most", "0.1", "--confidence", "0.3"], "expected more than 50% and less than 100%"),
        (["good", "--at-most", "0.1", "--measure", "nonesuch"], "there is no measure 'nonesuch'"),
        (["good", "--at-most", "0.1", "--measure", "dcg"], "does not fit these predictions"),
        (["good", "--at-most", "0.1", "--from", "gone.csv"], "--from names"),
        (["june", "--since", "july"], "'june' does not follow 'july': it follows may"),
        (["may", "--since", "june"], "'may' does not follow 'june': it was begun after no other session"),
        (["two", "--since", "good"], "a course is about one model, got good, bad"),
        (["june", "--since", "may", "--measure", "f1"], "were begun with: leave out --measure"),
        (["june", "--since", "may", "--confidence", "0.9"], "begun with: leave out --confidence"),
        (["june", "--since", "may", "--margin", "-1%"], "margin is -0.01, expected a positive finite"),
        (["goood", "--at-most", "0.1"], "There is no session 'goood' in s.sqlite. Did you mean 'good'?"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_one_line_and_status_2(
    folder: Path, arguments: list[str], message: str
) -> None:
    result = run(*arguments, *STORE, "--junit", "report.xml", "--summary", "summary.md")
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert line.startswith("Error: ")
    assert message in line
    [case] = ElementTree.parse("report.xml").getroot().iter("testcase")
    assert [each.tag for each in case] == ["error"]
    assert "Not checked: " in Path("summary.md").read_text()


def test_a_crash_is_no_no(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(checking, "suitable_measure", fail)
    result = run("good", "--at-most", "0.3", *STORE)
    assert result.exit_code == 2
    assert result.stderr.startswith("Traceback")
    assert result.stderr.endswith("Error: ZeroDivisionError: a fault\n")


def test_the_answer_stands_where_nobody_reads_it(folder: Path) -> None:
    python = f"{shlex.quote(sys.executable)} -m activeeval_widgets.app.cli"
    line = f"{python} check good --at-most 30% --store s.sqlite | true; exit ${{PIPESTATUS[0]}}"
    assert subprocess.run(["bash", "-c", line], capture_output=True, check=False).returncode == 0


def test_reports_for_ci(folder: Path) -> None:
    kinds = {"0.3": "system-out", "0.05": "skipped", "1%": "failure"}
    for bound, kind in kinds.items():
        result = run("good", "--at-most", bound, *STORE, "--junit", "report.xml", "--summary", "summary.md")
        suite = ElementTree.parse("report.xml").getroot()[0]
        [case] = suite
        assert [each.tag for each in case] == [kind]
        assert case[0].text == result.stdout.strip()
        counts = [int(suite.get(each, "")) for each in ("tests", "failures", "skipped", "errors")]
        assert counts == [1, kind == "failure", kind == "skipped", 0]
    assert Path("summary.md").read_text().count("### good") == 3
    run("my model's <b>", "--at-least", "0.7", *STORE, "--junit", "report.xml", "--summary", "summary.md")
    assert r"### my model's \<b\>" in Path("summary.md").read_text()
    assert "my model's <b>: the" in ElementTree.parse("report.xml").getroot()[0][0].get("name", "")
    for option in ("--junit", "--summary"):
        result = run("good", "--at-most", "0.3", *STORE, option, "no/folder/x")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Error: no/folder/x can't be written: No such file or directory.\n"


def test_what_is_left_out_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pool = Pool([f"text {i}" for i in range(N)], predictions=GOOD)
    session = Session(pool, ErrorRate(), name="some")
    session.exclude()
    session.label("ham")
    session.defer()
    session.label("ham")
    write_session(session, "some.json")
    CliRunner().invoke(cli.main, ["sessions", "import", "some.json", *STORE])
    result = run("some", "--at-most", "0.3", *STORE)
    assert result.exit_code == 3
    assert "1 excluded: the result covers only what can be labeled." in result.stdout
    assert "1 put aside: the interval waits." in result.stdout


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def test_a_store_that_a_page_has_open_is_read_and_left_alone(folder: Path) -> None:
    page = Session(
        Pool([f"text {i}" for i in range(N)], predictions=GOOD), "error-rate", name="page", store="p.sqlite"
    )
    for _ in range(12):
        page.label(("ham", "spam")[int(Y_TRUE[page.next().index])])
    before = state(folder)
    assert any(name.endswith("-wal") for name in before)
    with closing(sqlite3.connect("p.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # a page that is just writing
        other.execute("UPDATE sessions SET n_events = n_events")
        before = state(folder)
        command = [sys.executable, "-m", "activeeval_widgets.app.cli", "check", "page", "--at-most", "0.9"]
        write_session(page, "page.json")
        found = subprocess.run(
            [*command, "--store", "p.sqlite", "--from", "page.json", "--json"],
            capture_output=True,
            text=True,
            check=False,
        )
        other.execute("ROLLBACK")
    assert json.loads(found.stdout)["n_labels"] == 12, found.stderr
    after = state(folder)
    del after["page.json"]
    assert after == before
    page.store.close()


def test_nothing_is_written_where_nothing_can_be(folder: Path) -> None:
    before = state(folder)
    assert run("good", "--at-most", "0.3", *STORE).exit_code == 0
    assert state(folder) == before
    assert run("good", "--at-most", "0.3", "--store", "sqlite:///none.sqlite").exit_code == 2
    assert run("good", "--at-most", "0.3", "--store", "none/none.sqlite").exit_code == 2
    assert run("good", "--at-most", "0.3").exit_code == 2
    assert run("good", "--at-most", "0.3", "--store", "nonesuch://x").exit_code == 2
    assert state(folder) == before
    assert not (folder.parent / "data").exists()


def test_damage_and_older_copies_are_reported(folder: Path) -> None:
    shutil.copy("s.sqlite", "changed.sqlite")
    with closing(sqlite3.connect("changed.sqlite")) as connection, connection:
        connection.execute(
            "UPDATE events SET record = replace(record, 'ham', 'spam') WHERE session = 'good' AND seq = 9"
        )
    shutil.copy("s.sqlite", "shorter.sqlite")
    with closing(sqlite3.connect("shorter.sqlite")) as connection, connection:
        connection.execute("DELETE FROM events WHERE session = 'good' AND seq > 40")
    Path("cut.sqlite").write_bytes(Path("s.sqlite").read_bytes()[:-5000])
    Path("text.sqlite").write_text("name,label\n")
    Path("empty.sqlite").touch()
    for name, message in {
        "changed": "is damaged: event 9 of the session 'good' is not as it was written, or missing",
        "shorter": "is damaged: event 41 of the session 'good' is not as it was written, or missing",
        "cut": "is cut short",
        "text": "is not an SQLite file",
        "empty": "can't be used",
    }.items():
        result = run("good", "--at-most", "0.3", "--store", f"{name}.sqlite")
        assert (result.exit_code, result.stdout) == (2, ""), name
        [line] = result.stderr.splitlines()
        assert message in line


def test_an_older_copy_and_one_without_its_log_are_reported(folder: Path) -> None:
    run("few", "--at-most", "0.9", *STORE)
    shutil.copy("s.sqlite", "older")
    pool = Pool([f"text {i}" for i in range(N)], predictions=GOOD)
    page = Session(pool, "error-rate", name="few", store="s.sqlite")
    page.label("ham")
    shutil.copy("s.sqlite", "torn.sqlite")
    page.store.close()
    shutil.copy("older", "s.sqlite")
    for path, message in {"s": "it is an older copy", "torn": "the last answers may be missing"}.items():
        for name in ("few", "good"):
            result = run(name, "--at-most", "0.9", "--store", f"{path}.sqlite")
            assert (result.exit_code, result.stdout) == (2, "")
            [line] = result.stderr.splitlines()
            assert message in line


def test_a_pool_on_another_computer_is_named_with_from(folder: Path) -> None:
    moved = folder.parent / "moved"
    moved.mkdir()
    (folder / "s.sqlite").rename(moved / "s.sqlite")
    store = moved / "s.sqlite"
    opened = open_store(store)
    source = opened.details("good")["source"]["export"]
    for name in ("good", "bad"):
        away = {"source": {"export": f"/nowhere/{name}.json"}}
        opened.keep_details(name, away)
    opened.close()
    result = run("good", "--at-most", "0.3", "--store", store)
    assert result.exit_code == 2
    assert (
        "was read from /nowhere/good.json, which is gone. If it was moved, give it with --from"
        in result.stderr
    )
    assert run("good", "--at-most", "0.3", "--store", store, "--from", source).exit_code == 0
    both = ("good", "--better-than", "bad", "--store", store, "--from", source)
    assert "was read from /nowhere/bad.json" in run(*both).stderr
    assert run(*both, "--from", folder / "1.json").exit_code == 0
    other = run("good", "--at-most", "0.3", "--store", store, "--from", folder / "1.json")
    assert other.exit_code == 2
    assert "was begun with other predictions" in other.stderr


def test_the_workflow_on_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [text] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    [job] = yaml.safe_load(text)["jobs"].values()
    install, *lines = [step["run"] for step in job["steps"] if "run" in step]
    assert install == "pip install ./activeeval_widgets-*.whl"
    monkeypatch.chdir(tmp_path)
    keep(tmp_path, "tickets", model("good", 1), N, measure="accuracy")
    (tmp_path / "0.json").rename("tickets.json")
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "step summary.md"),
    }
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    done = [
        subprocess.run([*bash, line], env=env, capture_output=True, text=True, check=False) for line in lines
    ]
    assert [each.returncode for each in done] == [0, 0], [each.stderr for each in done]
    assert done[-1].stdout.startswith("Yes: the accuracy is at least 90%.")
    assert "**Yes: the accuracy is at least 90%.**" in Path("step summary.md").read_text()
    assert ElementTree.parse("check.xml").getroot().find(".//system-out") is not None


def test_the_other_commands_on_the_page_run(folder: Path) -> None:
    for name, n_wrong in (("tickets", 3), ("last-week", 25)):
        keep(folder, name, model(name, n_wrong, ("other", "bug")), 8, measure="accuracy")
    keep(folder, "two-models", [GOOD, model("old", 25)], 4)
    lines = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    lines = [line for line in lines if line]
    assert len(lines) == 8
    for line in lines:
        program, command, *arguments = shlex.split(line)
        assert program == "activeeval-widgets"
        result = CliRunner().invoke(cli.main, [command, *arguments, *STORE])
        assert result.exit_code == (3 if command == "check" else 0), (line, result.output)
