"""Pages without a server: what is written, and the session that their worker runs."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from activeeval_widgets.app.cli import main
from activeeval_widgets.app.static_page.content import options_from_dict, options_to_dict
from activeeval_widgets.app.static_page.in_browser import StaticPage
from activeeval_widgets.app.static_page.package_files import write_archive
from activeeval_widgets.formats import read_session_file, verify
from activeeval_widgets.session import DamagedStoreError, Goal
from activeeval_widgets.widgets import AnswersView, RubricView
from activeeval_widgets.widgets.session_page import PageOptions

ROWS = 60
NEW = '{"identity": null, "rows": []}'


def export(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["export-page", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported page of a small file."""
    at = tmp_path_factory.mktemp("static")
    rows = [f"text {i} <b>,{0.05 + 0.9 * (i % 7) / 7}" for i in range(ROWS)]
    (at / "mails.csv").write_text("\n".join(["text,spam", *rows]) + "\n", encoding="utf-8")
    (at / "how.md").write_text("Read **all** of it.", encoding="utf-8")
    found = export(
        *(at / "mails.csv", "--output", at / "page", "--text", "text", "--score", "spam"),
        *("--measure", "f1", "--classes", "ham,spam", "--positive", "spam", "--seed", 5, "--confidence", 0.9),
        *("--goal", "0.1", "--guidelines", at / "how.md", "--title", "Mails & <more>", "--sheets"),
    )
    assert found.exit_code == 0, found.output
    return at / "page"


class Browser:
    """What the worker does: it keeps the events, and then passes on what the page is told."""

    def __init__(self, folder: Path, name: str = "mails") -> None:
        self.name, self.identity, self.rows = name, None, list[dict[str, Any]]()
        self.told: list[dict[str, Any]] = []
        self.page = StaticPage(
            str(folder),
            lambda text, _: self.told.append(json.loads(text)),
            lambda row: self.rows.append(json.loads(row)),
        )
        self.open()

    def open(self, kept: dict[str, Any] | None = None) -> None:
        self.page.open(self.name, json.dumps(kept or {"identity": None, "rows": []}), "[]")

    def ask(self, **content: Any) -> dict[str, Any]:
        self.seq = getattr(self, "seq", 0) + 1
        self.page.receive(json.dumps({**content, "client": "c", "seq": self.seq}), [])
        return next(each for each in reversed(self.told) if each.get("seq") == self.seq)

    def label(self, n: int) -> dict[str, Any]:
        state = self.ask(type="hello")["state"]
        for position in range(n):
            drawn = state["queue"][0]
            reply = self.ask(
                type="answers",
                answers=[
                    {"type": "label", "draw": drawn["draw"], "value": int(position % 3 == 0), "seconds": 1.0}
                ],
                ahead=48,
            )
            assert "error" not in reply
            state = reply["state"]
        return state

    @property
    def kept(self) -> dict[str, Any]:
        return {"identity": json.loads(self.page.identity())["identity"], "rows": self.rows}


def test_what_is_written(folder: Path, tmp_path: Path) -> None:
    html = (folder / "index.html").read_text(encoding="utf-8")
    assert "<title>Mails &amp; &lt;more&gt;</title>" in html
    assert 'data-pyodide="pyodide/"' in html
    assert "$" not in html.partition("<style>")[0]
    about = json.loads((folder / "page.json").read_text(encoding="utf-8"))
    assert about["goal"]["half_width"] == 0.1
    assert about["sheets"] is True
    assert about["options"]["guidelines"] == "Read **all** of it."
    file = read_session_file(folder / "session.json")
    assert (file.options["seed"], file.options["confidence_level"]) == (5, 0.9)
    size = sum(each.stat().st_size for each in folder.iterdir())
    assert size < 3_000_000
    again = tmp_path / "again.zip"
    write_archive(again)
    assert again.read_bytes() == (folder / "package.zip").read_bytes()
    names = ZipFile(again).namelist()
    assert {"activeeval_widgets/app/static_page/in_browser.py", "markdown_it/__init__.py"} <= set(names)
    assert not [name for name in names if "app/server" in name or name.startswith("activeeval_widgets/demos")]


def test_labels_survive_and_are_those_of_a_server(folder: Path, tmp_path: Path) -> None:
    browser = Browser(folder)
    state = browser.label(20)
    assert state["n_labels"] == 20
    again = Browser(folder)
    again.open(browser.kept)
    assert again.ask(type="hello")["state"]["estimate"] == state["estimate"]
    path = tmp_path / "mails.json"
    path.write_text(browser.page.export(), encoding="utf-8")
    assert verify(path).follows
    # The same labels, given on a server.
    server = read_session_file(folder / "session.json").open()
    for position in range(20):
        drawn = server.next()
        assert drawn is not None
        server.label(("ham", "spam")[position % 3 == 0], draw=drawn.draw)
    here = read_session_file(path).open()
    assert here.log.actions[-1].instance == server.log.actions[-1].instance
    assert (here.estimate().low, here.estimate().high) == (server.estimate().low, server.estimate().high)


def test_a_new_session_draws_anew_unless_a_seed_was_given(folder: Path) -> None:
    given, other = Browser(folder), Browser(folder, "mails-2")
    assert json.loads(other.page.identity())["identity"]["seed"] == "5"
    assert given.ask(type="new_session")["open_session"] == "mails-2"


def test_a_margin_is_of_the_exported_session_alone(tmp_path: Path) -> None:
    rows = [f"text {i},{i % 2},{i % 3 % 2}" for i in range(30)]
    (tmp_path / "two.csv").write_text("\n".join(["text,old,new", *rows]) + "\n", encoding="utf-8")
    options = ("--text", "text", "--compare", "old,new", "--measure", "error-rate", "--margin", "0.02")
    found = export(tmp_path / "two.csv", *options, "--output", tmp_path / "page")
    assert found.exit_code == 0, found.output
    browser = Browser(tmp_path / "page", "two")
    assert browser.ask(type="hello")["config"]["has_new_session"] is False
    assert browser.page._opened.session.log.margin == 0.02


def test_damaged_events_are_reported(folder: Path) -> None:
    browser = Browser(folder)
    browser.label(3)
    kept = browser.kept
    kept["rows"][2]["text"] = kept["rows"][2]["text"].replace("label", "babel")
    with pytest.raises(DamagedStoreError, match="event 3 is not as it was written"):
        Browser(folder).open(kept)


def test_events_of_another_tab_and_a_full_storage(folder: Path) -> None:
    one = Browser(folder)
    two = Browser(folder)
    two.open(one.kept)
    one.label(2)
    two.page.take(json.dumps(one.rows))
    assert two.told[-1]["state"]["n_labels"] == 2
    two.page.set_problem("full")
    assert two.told[-1]["state"]["store"]["problem"] == "full"
    assert two.rows[len(one.rows) :] == []
    two.page.open("mails", NEW, "[]", None, "Nothing is kept.")
    assert two.told[-1]["state"]["store"]["notices"] == ["Nothing is kept."]


def test_files_are_opened_as_this_session_or_another(folder: Path) -> None:
    one, two = Browser(folder), Browser(folder)
    one.label(3)
    text = one.page.export()
    found = json.loads(two.page.import_(text, '["mails"]'))
    assert found["name"] == "mails"
    two.open(found)
    assert two.ask(type="hello")["state"]["n_labels"] == 3
    other = Browser(folder)
    other.label(1)
    other.ask(type="answers", answers=[{"type": "undo"}], ahead=48)
    assert json.loads(other.page.import_(text, '["mails", "mails-2"]'))["name"] == "mails-3"
    with pytest.raises(ValueError, match="comes from another page"):
        two.page.import_(text.replace('"measure": "FMeasure', '"measure": "FMeasur'), "[]")
    with pytest.raises(ValueError, match="does not follow from its log"):
        two.page.import_(text.replace('"seconds":1.0', '"seconds":2.0', 1), "[]")


def test_views_are_written_and_read(folder: Path) -> None:
    pool = read_session_file(folder / "session.json").pool
    for view in (AnswersView("prompt", ["A", "B"]), RubricView({"true": "Is it?"}), None):
        options = PageOptions(title="T", unit=("point", "points"), view=view)
        content = json.loads(json.dumps(options_to_dict(options)))
        read = options_from_dict(content, pool)
        assert options_to_dict(read) == options_to_dict(options)
        assert (read.unit, read.title) == (("point", "points"), "T")
    with pytest.raises(ValueError, match="a function of Python"):
        options_to_dict(PageOptions(view=str))


def test_wrong_calls(tmp_path: Path) -> None:
    for arguments, expected in (
        (("digits", "--seed", "1"), "--seed: not for a demo"),
        (("nowhere.csv",), "nowhere.csv"),
        (("digits", "--pyodide", tmp_path), "is no Pyodide: it has no pyodide-lock.json"),
    ):
        found = export(*arguments, "--output", tmp_path / "out")
        assert found.exit_code != 0
        assert expected in found.output


def test_pyodide_is_copied_or_loaded_from_an_address(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "pyodide"
    source.mkdir()
    needs = dict.fromkeys(("numpy", "pandas", "pillow", "openblas", "sympy"), ()) | {"scipy": ("openblas",)}
    packages = {name: {"file_name": f"{name}.whl", "depends": others} for name, others in needs.items()}
    (source / "pyodide-lock.json").write_text(
        json.dumps({"info": {"version": "0.27.7"}, "packages": packages})
    )
    core = ("pyodide.mjs", "pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
    for name in (*core, *(f"{package}.whl" for package in packages)):
        (source / name).write_text(name)
    data = folder.parent / "mails.csv"
    found = export(data, "--score", "spam", "--output", tmp_path / "a", "--pyodide", source)
    assert found.exit_code == 0, found.output
    copied = {each.name for each in (tmp_path / "a" / "pyodide").iterdir()}
    assert copied == {each.name for each in source.iterdir()} - {"sympy.whl"}
    (source / "openblas.whl").unlink()
    found = export(data, "--score", "spam", "--output", tmp_path / "b", "--pyodide", source)
    assert "has no openblas.whl. Take the full distribution" in found.output
    found = export(
        data, "--score", "spam", "--output", tmp_path / "c", "--pyodide", "https://cdn.example/v0.27.7"
    )
    html = (tmp_path / "c" / "index.html").read_text(encoding="utf-8")
    assert 'data-pyodide="https://cdn.example/v0.27.7/"' in html
    assert "default-src 'self' https://cdn.example;" in html


def test_goals_are_written_whole() -> None:
    from activeeval_widgets.app.static_page.content import goal_from_dict, goal_to_dict

    goal = Goal(half_width=0.05, minutes=30)
    assert goal_from_dict(goal_to_dict(type("S", (), {"goal": goal})())) == goal  # type: ignore[arg-type]
