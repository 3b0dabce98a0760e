"""The command `race` and its page."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from activeeval_widgets.app import cli
from activeeval_widgets.app.commands import race as race_command
from activeeval_widgets.app.pages import race as race_page

ROWS = [
    "body,p_ham,p_spam,truth",
    *(
        f"mail {i},{0.9 - 0.04 * (i % 20):.2f},{0.1 + 0.04 * (i % 20):.2f},{'spam' if i % 3 else 'ham'}"
        for i in range(40)
    ),
    "mail 40,0.5,0.5,",
]
QUERY = {"session": None, "who": None}


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    path = tmp_path / "mails.csv"
    path.write_text("\n".join(ROWS))
    return path


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """What would be served."""
    found: list[tuple[Any, Any]] = []
    monkeypatch.setattr(race_command, "serve_page", lambda spec, **options: found.append((spec, options)))
    monkeypatch.setattr(race_command, "apart", lambda function, *arguments: function(*arguments))
    return found


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli.main, ["race", *map(str, arguments)])


def test_a_labeled_file_races(mails: Path, served: list[tuple[Any, Any]]) -> None:
    options = (
        "--measure",
        "f1",
        "--positive",
        "spam",
        "--budget",
        5,
        "--methods",
        "papers,active",
        "--seed",
        7,
    )
    result = run(mails, "--label", "truth", *options, "--port", 8123, "--no-browser")
    assert result.exit_code == 0, result.output
    assert "1 of 41 rows has no label in 'truth' and is left out." in result.output
    [(spec, server)] = served
    assert (server["hosting"].port, server["no_browser"]) == (8123, True)
    race_page.prepare(spec)
    race = race_page.build(spec, QUERY)
    assert (race.methods, race.seed) == (("papers", "active"), 7)
    told = race._page._hello({})[0]["config"]
    assert (told["budget"], told["title"], told["is_standalone"]) == (5, "The race: mails.csv", True)
    assert told["measure"] == "F1 of spam"
    assert told["notes"] == ["1 of 41 rows has no label in 'truth' and is left out."]
    other = race_page.build(spec, QUERY)
    assert not any(other.estimates.values()), "another page goes on with the race of the first"


def test_a_demo_races(served: list[tuple[Any, Any]]) -> None:
    assert run("ranking", "--no-browser").exit_code == 0
    [(spec, _)] = served
    race = race_page.build(spec, QUERY)
    told = race._page._hello({})[0]["config"]
    assert (told["budget"], told["labels"]["kind"]) == (40, "grades")
    assert told["truth"] == pytest.approx(0.7015953911675348)
    assert race.methods == ("active", "uniform")


def test_without_a_name_it_is_about_a_rare_class(served: list[tuple[Any, Any]]) -> None:
    assert run("--no-browser").exit_code == 0
    [(spec, _)] = served
    told = race_page.build(spec, QUERY)._page._hello({})[0]["config"]
    assert (told["measure"], told["budget"]) == ("F1 of class 8", 100)
    assert race_page.labeled_data(spec).measure.name == "error rate", "a class is about all digits"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["ranking", "--label", "x"], "--label: not for a demo"),
        (["text", "--measure", "recall", "--text", "t"], "--text, --measure: not for a demo"),
        (["nowhere.csv", "--label", "y"], "nowhere.csv: there is no such file"),
        (["fast"], "'fast' is neither a demo (digits, text,"),
        (["leaderboard"], "images, regression, compare, judge) nor a file"),
        (["text", "--methods", "active"], "'active' has to be two of active, papers, uniform"),
        (["text", "--methods", "active,best"], "has to be two of"),
        (["text", "--budget", "0"], "--budget"),
    ],
)
def test_what_cannot_race_is_told(arguments: list[str], told: str, served: list[tuple[Any, Any]]) -> None:
    result = run(*arguments)
    assert result.exit_code != 0
    assert told in result.output
    assert not served


def test_a_file_needs_a_label_that_is_one(mails: Path, served: list[tuple[Any, Any]]) -> None:
    assert "needs --label COL" in run(mails).output
    result = run(mails, "--label", "body", "--text", "body")
    assert result.exit_code == 1
    assert "row 2, column 'body': 'mail 0' is none of the classes. There are 'ham', 'spam'" in result.output
    result = run(mails, "--label", "truth", "--measure", "dcg")
    assert "mails.csv: measure 'dcg' does not fit these predictions" in result.output
    assert not served
