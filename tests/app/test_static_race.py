"""The page of a race without a server: what is written, and the race that its worker runs."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from activeeval_widgets.app import cli
from activeeval_widgets.app.commands import race as race_command
from activeeval_widgets.app.pages import race as race_page
from activeeval_widgets.app.static_page import export
from activeeval_widgets.app.static_page.race_in_browser import StaticRace

BUDGET = 4
QUERY: Any = {"session": None, "who": None}


@pytest.fixture(autouse=True)
def without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what takes long, and is the same for all pages."""
    monkeypatch.setattr(export, "write_archive", lambda _: None)


def exported(folder: Path, *arguments: object) -> str:
    options = ("--export-page", folder, "--budget", BUDGET)
    result = CliRunner().invoke(cli.main, ["race", *map(str, (*arguments, *options))])
    assert result.exit_code == 0, result.output
    return result.output


class Page:
    """Asks as the page does, in the browser or on a server."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    @classmethod
    def in_browser(cls, folder: Path) -> "Page":
        page = cls()
        race = StaticRace(str(folder), lambda text, buffers: page.told.append((json.loads(text), buffers)))
        page.give = lambda message: race.receive(json.dumps(message), [])  # type: ignore[attr-defined]
        return page

    @classmethod
    def of_server(cls, spec: dict[str, Any]) -> "Page":
        page, race = cls(), race_page.build(spec, QUERY)
        race.join(lambda told, buffers: page.told.append((json.loads(json.dumps(told)), list(buffers))))
        page.give = race.receive  # type: ignore[attr-defined]
        return page

    def ask(self, kind: str, **content: Any) -> Any:
        self.give({**content, "type": kind, "client": "c", "seq": len(self.told)})  # type: ignore[attr-defined]
        told, buffers = self.told[-1]
        return {name: part for name, part in told.items() if name != "seq"}, buffers

    def steps(self) -> Any:
        """All steps of both racers."""
        known = [{"version": -1, "n": 0}] * 2
        while True:
            [told, _] = self.ask("steps", run=1, known=known)
            if all(racer["is_done"] for racer in told["racers"]):
                return [racer["steps"] for racer in told["racers"]]


def compare(here: Page, server: Page) -> None:
    """Both have the same settings, steps and instances, and take the same labels by hand."""
    for kind, content in (("hello", {}), ("instances", {"indices": [0, 3]})):
        assert here.ask(kind, **content) == server.ask(kind, **content)
    assert here.steps() == server.steps()
    by_hand = here.ask("by_hand", run=1, n=1, racers=[0])
    assert by_hand == server.ask("by_hand", run=1, n=1, racers=[0])
    assert by_hand[0]["race"]["by_hand"] == [0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["digits", "ranking", "regression", "compare"])
def test_a_race_of_a_demo_is_that_of_a_server(name: str, tmp_path: Path) -> None:
    exported(tmp_path, name)
    spec = {"demo": name, "methods": ["active", "uniform"], "budget": BUDGET, "seed": 0}
    compare(Page.in_browser(tmp_path), Page.of_server(spec))


def test_a_race_of_a_file_is_that_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"mail {i},{0.02 * (i % 40):.2f},{1 - 0.02 * (i % 40):.2f},{i % 3 % 2}" for i in range(40)]
    file = tmp_path / "Jürgens mails.csv"
    file.write_text("\n".join(["body,p_0,p_1,truth", *rows, "mail 40,0.5,0.5,"]), encoding="utf-8")
    monkeypatch.setattr(race_command, "apart", lambda function, *arguments: function(*arguments))
    specs = []
    write = export.export_race
    monkeypatch.setattr(export, "export_race", lambda spec, *rest: (specs.append(spec), write(spec, *rest)))
    options = ("--measure", "f1", "--positive", "1", "--methods", "papers,active")
    told = exported(tmp_path / "a page", file, "--label", "truth", *options, "--seed", 7)
    assert f"http.server --directory '{tmp_path}/a page'" in told
    here = Page.in_browser(tmp_path / "a page")
    config = here.ask("hello")[0]["config"]
    assert "1 of 41 rows has no label" in config["notes"][0]
    assert (config["budget"], config["is_standalone"]) == (BUDGET, True)
    assert here.told[-1][0]["race"]["methods"] == ["papers", "active"]
    here.told.clear()
    compare(here, Page.of_server(specs[0]))
    html = (tmp_path / "a page" / "index.html").read_text(encoding="utf-8")
    assert 'data-shows="race"' in html
    assert 'href="race.css"' in html
    names = {each.name for each in (tmp_path / "a page").iterdir()}
    assert {"race.css", "app.js", "static_worker.js", "page.json", "session.json"} <= names


def test_wrong_calls(tmp_path: Path) -> None:
    for arguments, expected in (
        (("race", "digits", "--pyodide", tmp_path), "add --export-page FOLDER"),
        (("race", "--export-page", tmp_path / "page", "--pyodide", tmp_path), "is no Pyodide"),
        (("export-page", "race", "--output", tmp_path / "page"), "activeeval-widgets race --export-page"),
    ):
        result = CliRunner().invoke(cli.main, list(map(str, arguments)))
        assert result.exit_code != 0
        assert expected in result.output
