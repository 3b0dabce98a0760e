"""The start page without a browser: what its messages do."""

import shlex
import tomllib
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.app.pages.evaluation import begin
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.session import SQLiteStore
from activeeval_widgets.stats import ClassPredictions, ErrorRate, SquaredError, ValuePredictions
from activeeval_widgets.stats.measures.measure_names import measure_named, named_measures
from activeeval_widgets.widgets.messages import START_FROM_PAGE
from activeeval_widgets.widgets.start import plans, uploads
from activeeval_widgets.widgets.start.plans import SECONDS
from activeeval_widgets.widgets.start.questions import questions

from .conftest import CHOSEN, Start, predictions_csv

HOSTILE = '<img src=x onerror="alert(1)">\u202egpj.exe {{7*7}} =cmd|calc'


def test_every_message_is_handled(start: Start) -> None:
    assert start.page._handlers.keys() == START_FROM_PAGE.keys()


def test_a_file_becomes_a_session(start: Start, folder: Path) -> None:
    files = start.ask("folder")["files"]
    assert [file["path"] for file in files] == ["tickets.csv"]
    new = start.ask("choose", path="tickets.csv")["new"]
    assert new["about"] == "tickets.csv · 400 rows"
    assert [(c["name"], c["role"], c["text"]) for c in new["columns"]] == [
        ("id", "id", "id"),
        ("text", "text", "text"),
        ("p_bug", "proba", "probability: bug"),
        ("p_billing", "proba", "probability: billing"),
        ("p_howto", "proba", "probability: howto"),
        ("lang", "", "not used"),
    ]
    assert new["columns"][1]["cells"][0] == "Ticket number 0, which is long enough"
    assert new["problems"] == []
    assert new["cannot_start"] == ""
    assert new["classes"] == ["bug", "billing", "howto"]
    plans = start.ask("plans", measure="error-rate", positive=None, sheets=False)["plans"]
    assert plans["steps"][plans["first"]]["half_width"] == 0.05
    n_labels = [step["n_labels"] for step in plans["steps"]]
    assert n_labels == sorted(n_labels, reverse=True)
    assert len(set(n_labels)) > 3
    # With sheets, more labels, and fewer of them one by one.
    on_sheets = start.ask("plans", measure="error-rate", positive=None, sheets=True)["plans"]
    step = on_sheets["steps"][on_sheets["first"]]
    assert step["half_width"] == 0.05
    assert step["n_labels"] > plans["steps"][plans["first"]]["n_labels"]
    assert "sheets" in step["headline"]
    assert on_sheets["seconds"] < plans["seconds"] == SECONDS["text"]
    assert "sheets" not in plans["steps"][plans["first"]]["headline"]
    assert start.begin(guidelines="# How\n\nLook *closely*.") == {"open_session": "october"}
    kept = tomllib.loads((folder / "evaluation.toml").read_text())
    assert kept["file"] == "tickets.csv"
    assert kept["goal"] == {"half_width": 0.05}
    assert (folder / kept["guidelines"]).read_text() == "# How\n\nLook *closely*.\n"
    assert start.store.details("october")["source"]["settings"]["file"] == str(folder / "tickets.csv")
    # The file that was written, the details and the command all say the same.
    again = EvaluationSettings.read(folder / "evaluation.toml")
    assert again == EvaluationSettings.from_dict(start.store.details("october")["source"]["settings"])
    assert start.open_session("october").budget == 40


@pytest.mark.parametrize(
    ("measure", "positive", "labels"),
    [("label-share", "spam", ["spam", "not spam"]), ("mean-value", None, None), ("win-rate", None, None)],
)
def test_a_file_without_predictions_is_of_the_labels(
    start: Start, folder: Path, measure: str, positive: str | None, labels: list[str] | None
) -> None:
    rows = "".join(f"Message {i} which is long enough to be shown,web\n" for i in range(50))
    (folder / "mails.csv").write_text("text,source\n" + rows)
    start.ask("folder")
    new = start.ask("choose", path="mails.csv")["new"]
    assert new["about"] == "mails.csv · 50 rows · no model: no column holds predictions"
    assert (new["problems"], new["cannot_start"], new["classes"]) == ([], "", [])
    choices = {m["name"]: m["needs_class"] for question in new["questions"] for m in question["measures"]}
    assert choices == {"label-share": True, "mean-value": False, "win-rate": False}
    assert "note" in start.ask("plans", measure=measure, positive=positive, sheets=False)["plans"]
    begun = start.begin(measure=measure, positive=positive, title="Mails", half_width=None)
    session = start.open_session(begun["open_session"])
    assert not session.models[0].is_model
    assert labels is None or session.labels.classes.tolist() == labels
    # A column that is said to hold predictions is held to it.
    start.ask("choose", path="mails.csv")
    assert start.ask("roles", roles={"text": "text", "source": "score"})["new"]["problems"]


def test_nothing_is_written_over(start: Start, folder: Path) -> None:
    (folder / "evaluation.toml").write_text("mine")
    (folder / "guidelines.md").write_text("mine")
    start.ask("choose", path="tickets.csv")
    assert "evaluation-2.toml" in start.ask("choose", path="tickets.csv")["new"]["settings_file"]
    start.begin(guidelines="Theirs")
    assert (folder / "evaluation.toml").read_text() == "mine"
    assert (folder / "guidelines.md").read_text() == "mine"
    assert EvaluationSettings.read(folder / "evaluation-2.toml").guidelines == folder / "guidelines-2.md"


def test_the_command_has_the_guidelines_that_were_typed(start: Start, folder: Path) -> None:
    start.ask("choose", path="tickets.csv")
    for typed, file in (("Look.", "guidelines.md"), ("Look.", "guidelines.md"), ("Ask.", "guidelines-2.md")):
        command = start.ask("command", **{**CHOSEN, "guidelines": typed})["command"]
        assert shlex.split(command)[-2:] == ["--guidelines", str(folder / file)]
        assert (folder / file).read_text() == f"{typed}\n"
    assert "--guidelines" not in start.ask("command", **CHOSEN)["command"]
    start.begin(guidelines="Ask.")
    assert EvaluationSettings.read(folder / "evaluation.toml").guidelines == folder / "guidelines-2.md"
    assert len(list(folder.glob("guidelines*"))) == 2


def test_each_session_has_a_name_of_its_own(start: Start) -> None:
    start.ask("choose", path="tickets.csv")
    names = [
        start.begin(title=title)["open_session"]
        for title in ("October", "October", "digits", "日本 / ?x=1&y")
    ]
    assert names[:2] == ["october", "october-2"]
    assert names[2] != "digits"  # a demo's
    assert len(set(names)) == 4
    assert not any(mark in name for name in names for mark in " /?&=")


def test_the_list_is_read_from_details_alone(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    start.ask("choose", path="tickets.csv")
    name = start.begin()["open_session"]
    start.store.keep_details(
        name,
        {
            "summary": {
                "n_labels": 12,
                "value_text": "7.2%",
                "interval_text": "4 to 11%",
                "change": "higher than in May",
                "is_done": False,
            },
            "who": ["Ada", "Bob"],
            "last_used": "2026-01-02T03:04:05+00:00",
        },
    )
    monkeypatch.setattr(SQLiteStore, "begin", None)
    monkeypatch.setattr(SQLiteStore, "events_since", None)
    [row] = start.ask("evaluations", shows_archived=False)["evaluations"]["rows"]
    assert row == {
        "session": "october",
        "title": "October",
        "question": "error rate",
        "n_labels": 12,
        "budget": 40,
        "value": "7.2%",
        "interval": "4 to 11%; higher than in May",
        "last_used": "2026-01-02T03:04:05+00:00",
        "who": "Ada, Bob",
        "is_done": False,
        "is_archived": False,
        "missing": "",
        "n_guest_links": 0,
    }


def test_a_session_without_details_shows_its_labels(start: Start) -> None:
    pool = Pool(["a", "b", "c"], predictions=ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]]))
    session = Session(pool, ErrorRate(), store=start.store, name="bare")
    session.label(1)
    session.label(0)
    session.undo()
    session.label(1)
    [row] = start.ask("evaluations", shows_archived=False)["evaluations"]["rows"]
    assert (row["title"], row["n_labels"], row["question"]) == ("bare", 2, "")
    assert "Python" in row["missing"]


def test_labels_that_no_summary_knows_are_counted(start: Start) -> None:
    start.ask("choose", path="tickets.csv")
    session = start.open_session(start.begin()["open_session"])
    told = {
        "n_labels": 0,
        "n_events": len(session.log),
        "value_text": "",
        "interval_text": "",
        "is_done": False,
    }
    start.store.keep_details(session.name, {"summary": told})
    session.label("bug")
    [row] = start.ask("evaluations", shows_archived=False)["evaluations"]["rows"]
    assert row["n_labels"] == 1


def test_evaluations_of_two_stores(open_start: Callable[..., Start], folder: Path) -> None:
    other = SQLiteStore(folder / "sessions.sqlite")
    elsewhere = Start(folder, other)
    for title in ("October", "November"):
        elsewhere.ask("choose", path="tickets.csv")
        elsewhere.begin(title=title)
    start = open_start(other_stores=[other])
    start.ask("choose", path="tickets.csv")
    assert start.begin(title="October")["open_session"] == "october-2"
    listed = start.ask("evaluations", shows_archived=False)["evaluations"]
    assert {row["session"] for row in listed["rows"]} == {"october", "october-2", "november"}
    listed = start.ask("archive", session="november", is_archived=True, shows_archived=True)["evaluations"]
    assert (len(listed["rows"]), listed["n_archived"]) == (3, 1)
    assert other.details("november")["is_archived"] is True
    assert start.ask("hello")["start"]["notices"] == []
    start.open_session("october-2")
    start.store.begin("november", other.identity("november") or {})
    [notice] = start.ask("hello")["start"]["notices"]
    assert "another november" in notice
    assert f"--store {folder / 'sessions.sqlite'}" in notice


def test_what_is_archived_is_hidden_and_comes_back(start: Start, folder: Path) -> None:
    start.ask("choose", path="tickets.csv")
    name = start.begin()["open_session"]
    listed = start.ask("archive", session=name, is_archived=True, shows_archived=False)["evaluations"]
    assert (listed["rows"], listed["n_archived"]) == ([], 1)
    [row] = start.ask("evaluations", shows_archived=True)["evaluations"]["rows"]
    assert row["is_archived"]
    listed = start.ask("archive", session=name, is_archived=False, shows_archived=True)["evaluations"]
    assert (len(listed["rows"]), listed["n_archived"]) == (1, 0)
    assert start.store.names() == [name]
    assert (
        "no-such" in start.ask("archive", session="no-such", is_archived=True, shows_archived=True)["error"]
    )


def test_one_whose_file_is_gone_says_so(start: Start, folder: Path) -> None:
    start.ask("choose", path="tickets.csv")
    start.begin()
    (folder / "tickets.csv").rename(folder / "elsewhere.csv")
    [row] = start.ask("evaluations", shows_archived=False)["evaluations"]["rows"]
    assert row["missing"] == f"tickets.csv is no longer in {folder}"
    assert start.ask("choose", path="tickets.csv")["error"] == f"tickets.csv is no longer in {folder}."


@pytest.mark.parametrize(
    ("which", "name"), [("html", ".html"), ("labels", ".csv"), ("markdown", ".md"), ("session", ".json")]
)
def test_files_about_an_evaluation(start: Start, which: str, name: str) -> None:
    start.ask("choose", path="tickets.csv")
    session = start.begin()["open_session"]
    opened = start.open_session(session)
    opened.label("bug")
    file = start.ask("export", session=session, which=which)["file"]
    assert name in file["name"]
    assert len(file["text"]) > 20
    assert "no evaluation" in start.ask("export", session="x", which=which)["error"]


def test_a_role_that_is_changed(start: Start) -> None:
    new = start.ask("choose", path="tickets.csv")["new"]
    roles = {column["name"]: column["role"] for column in new["columns"]}
    # What only one column can be, the one chosen last is; the other is not guessed again.
    new = start.ask("roles", roles={**roles, "lang": "text"})["new"]
    changed = {column["name"]: column["role"] for column in new["columns"]}
    assert (changed["lang"], changed["text"]) == ("text", "")
    new = start.ask("roles", roles={**changed, "p_howto": ""})["new"]
    assert new["cannot_start"]
    assert any(each["where"].startswith("Row 2") for each in new["problems"])
    new = start.ask("roles", roles={**changed, "p_bug": "", "p_billing": "", "p_howto": ""})["new"]
    assert new["about"].endswith("no model: no column holds predictions")
    assert new["cannot_start"] == ""
    new = start.ask("roles", roles=changed)["new"]
    assert new["cannot_start"] == ""
    start.begin()
    assert start.open_session("october").pool.instances[0] == "en"
    assert "--ignore" in start.ask("command", **_chosen())["command"]


def test_known_labels_are_asked_about(start: Start, folder: Path) -> None:
    assert start.ask("choose", path="tickets.csv")["new"]["known_labels"] is None
    lines = predictions_csv(30).splitlines()
    labels = ["label,gold", *("bug,bug" if at % 5 == 0 else "," for at in range(30))]
    rows = [f"{line},{label}" for line, label in zip(lines, labels, strict=True)]
    (folder / "labeled.csv").write_text("\n".join(rows))
    new = start.ask("choose", path="labeled.csv")["new"]
    known, roles = new["known_labels"], {each["name"]: each["role"] for each in new["columns"]}
    assert known["text"] == "“label” has labels for 6 of 30 rows. How were these rows chosen?"
    assert [each["name"] for each in known["choices"]] == ["", "sample", "labels"]
    assert {each["name"] for each in known["choices"]} <= {each["name"] for each in new["roles"]}
    for role, option, n_labels in (
        ("sample", "--labels label --drawn uniformly", 6),
        ("labels", "--labels label", 0),
        ("", "--ignore label", 0),
    ):
        new = start.ask("roles", roles={**roles, "label": role})["new"]
        assert {each["name"]: each["role"] for each in new["columns"]} == {**roles, "label": role}
        assert option in start.ask("command", **_chosen())["command"]
        assert start.open_session(start.begin()["open_session"]).n_labels == n_labels
    # A sample is by probabilities or uniform, whatever was chosen last.
    by = {**roles, "label": "labels", "gold": "drawn_by"}
    for sample, text in ((by, "By the probabilities in “gold”"), ({**by, "label": "sample"}, "Otherwise")):
        new = start.ask("roles", roles=sample)["new"]
        assert new["known_labels"]["choices"][2]["text"].startswith(text)
    assert [each["role"] for each in new["columns"]][-2:] == ["sample", ""]
    new = start.ask("roles", roles={**roles, "label": "sample", "gold": "drawn_by"})["new"]
    assert [each["role"] for each in new["columns"]][-2:] == ["labels", "drawn_by"]
    start.ask("roles", roles=roles)
    # Only one column has them: the one chosen last.
    start.ask("roles", roles={**roles, "label": "sample"})
    new = start.ask("roles", roles={**roles, "label": "sample", "gold": "labels"})["new"]
    assert [each["role"] for each in new["columns"]][-2:] == ["", "labels"]


@pytest.mark.parametrize(
    ("least", "most", "text"),
    [
        (30, 600, "30 seconds to 10 minutes"),
        (480, 3660, "8 to 61 minutes"),
        (480, 36_600, "8 minutes to 10 hours"),
        (480, inf, "8 minutes or more"),
    ],
)
def test_a_range_of_durations_names_its_unit_once(least: float, most: float, text: str) -> None:
    assert plans.durations(least, most) == text


def test_labels_of_all_rows_can_only_guide_the_draws(start: Start, folder: Path) -> None:
    head, *lines = predictions_csv(30).splitlines()
    (folder / "full.csv").write_text("\n".join([f"{head},label", *(f"{line},bug" for line in lines)]))
    new = start.ask("choose", path="full.csv")["new"]
    known, roles = new["known_labels"], {each["name"]: each["role"] for each in new["columns"]}
    assert known["text"].startswith("“label” has a label for each row.")
    assert [each["name"] for each in known["choices"]] == ["", "labels"]
    start.ask("roles", roles={**roles, "label": "labels"})
    session = start.open_session(start.begin()["open_session"])
    assert session.n_labels == 0
    assert len(session.upcoming(3)) == 3


def _chosen() -> dict[str, Any]:
    from .conftest import CHOSEN

    return dict(CHOSEN)


def test_problems_are_told_by_row(start: Start, folder: Path) -> None:
    (folder / "broken.csv").write_text(predictions_csv(broken=True))
    new = start.ask("choose", path="broken.csv")["new"]
    assert new["cannot_start"]
    assert new["n_problems"] == 1
    [problem] = new["problems"]
    assert problem["where"].startswith("Row 8")
    assert "sum to 0.5" in problem["text"]
    assert problem["remedy"]


def test_a_dropped_file_is_kept(start: Start, folder: Path) -> None:
    content = predictions_csv(30).encode()
    assert start.upload("new.csv", content)["new"]["about"] == "new.csv · 30 rows"
    assert (folder / "new.csv").read_bytes() == content
    # The same again is the same file; another of the same name is another.
    assert start.upload("new.csv", content, upload="v")["new"]["about"] == "new.csv · 30 rows"
    assert start.upload("tickets.csv", content)["new"]["about"] == "tickets-2.csv · 30 rows"
    assert (folder / "tickets.csv").read_text() == predictions_csv()
    assert sorted(path.name for path in folder.glob("*.csv")) == ["new.csv", "tickets-2.csv", "tickets.csv"]
    assert [path.name for path in folder.iterdir() if path.name.startswith((".", "tmp"))] == []


def test_parts_that_come_twice_or_get_lost(start: Start, folder: Path) -> None:
    content = predictions_csv(30).encode()
    part = {"upload": "a", "name": "x.csv", "size": len(content)}
    for offset in (0, 0, 1000, 0, 1000):
        answer = start.ask("upload", **part, offset=offset, buffer=content[offset : offset + 1000])
    assert answer == {"received": {"upload": "a", "n_bytes": 2000}}
    lost = start.ask("upload", **{**part, "upload": "b"}, offset=1000, buffer=content[1000:2000])
    assert "did not arrive whole" in lost["error"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(3000), "photo.png: "),
        ("empty.png", b"", "empty.png is empty"),
        ("tickets.csv", bytes(3000), "tickets.csv: "),  # there is another one of this name
        ("bytes.csv", bytes(range(256)) * 20, "bytes.csv"),
        ("fake.parquet", b"PAR1 not really" * 100, "fake.parquet"),
        ("q.run", b"q1 Q0 d1 1 9.5 a\n", "q.run is a TREC run, and this page reads tables only."),
        ("my runs.txt", b"q1 Q0 d1 1 9.5 a\n", "command line: activeeval-widgets serve 'my runs.txt', with"),
    ],
)
def test_what_is_no_table_gets_one_sentence_and_is_not_kept(
    start: Start, folder: Path, name: str, content: bytes, said: str
) -> None:
    before = sorted(folder.iterdir())
    answer = start.upload(name, content)
    assert answer.keys() == {"error"}
    assert said in answer["error"]
    assert "\n" not in answer["error"]
    assert "Internal" not in answer["error"]
    assert sorted(folder.iterdir()) == before


def test_an_error_has_the_name_of_the_upload_and_what_is_in_it(start: Start, folder: Path) -> None:
    (folder / "evaluation.toml").touch()
    answer = start.upload("evaluation.toml", b'"evaluation-2.toml" = 1')  # so it would be called here
    assert answer["error"].startswith("evaluation.toml: there is no setting 'evaluation-2.toml'.")
    assert not (folder / "evaluation-2.toml").exists()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../outside.csv", "outside.csv"),
        ("/etc/passwd.csv", "passwd.csv"),
        ("..\\up.csv", "up.csv"),
        (".hidden.csv", "hidden.csv"),
        ("a\x00b\n.csv", "ab.csv"),
        (f"{HOSTILE}.csv", "img src=x onerror=alert(1)gpj.exe {{7.7}} =cmdcalc.csv"),
        ("x" * 500 + ".csv", "x" * 120 + ".csv"),
        ("CON.csv", "_CON.csv"),
    ],
)
def test_hostile_names_stay_in_the_folder(start: Start, folder: Path, name: str, kept: str) -> None:
    before = {path.name for path in folder.iterdir()}
    assert "new" in start.upload(name, predictions_csv(30).encode())
    [new] = {path.name for path in folder.iterdir()} - before
    assert len(new.encode()) < 200
    if "{{" not in kept:
        assert new == kept
    assert not any(mark in new for mark in '<>:"/\\|?*\u202e')


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("numpy.py", "numpy.py.txt"),
        ("jupyter_server_config.py", "jupyter_server_config.py.txt"),
        ("jupyter_server_config.json", "jupyter_server_config.jsonl"),
        ("Makefile", "Makefile.txt"),
        ("d.xlsx", "d.xlsx"),
        ("evaluations.sqlite-journal", "evaluations.sqlite-journal.txt"),
        ("~", "~.txt"),
        ("A.CSV.GZ", "A.CSV.GZ"),
        ("x." + "y" * 30 + ".csv", "x." + "y" * 20 + ".txt"),
    ],
)
def test_an_upload_has_no_name_that_another_program_looks_for(
    start: Start, folder: Path, name: str, kept: str
) -> None:
    before = {path.name for path in folder.iterdir()}
    assert "new" in start.upload(name, predictions_csv(30).encode())
    assert {path.name for path in folder.iterdir()} - before == {kept}


def test_only_what_is_offered_can_be_chosen(start: Start, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "x.csv").write_text(predictions_csv(30))
    for path in ("../x.csv", "sub/x.csv", "/etc/passwd", "..", "", "nothing.csv"):
        assert "no longer in" in start.ask("choose", path=path)["error"]


def test_files_that_the_page_does_not_offer_are_not_shown(start: Start, folder: Path) -> None:
    """What a shell, a browser or this package keeps in the folder may hold secrets, and look like a table."""
    (folder / "kept.csv").symlink_to(folder / "tickets.csv")
    for name in (".history", ".tickets.csv", "tickets.bak", "id_rsa", "labels.sqlite-wal", ".settings.toml"):
        is_settings = name.endswith(".toml")
        (folder / name).write_text('file = "tickets.csv"' if is_settings else predictions_csv(30))
        assert name not in [file["path"] for file in start.ask("folder")["files"]]
        assert start.ask("choose", path=name)["error"] == f"{name} is no longer in {folder}."
    assert "new" in start.ask("choose", path="kept.csv")


def test_too_large_a_file_is_named(start: Start, folder: Path) -> None:
    answer = start.ask("upload", upload="a", name="x.csv", size=uploads.LARGEST + 1, offset=0, buffer=b"x")
    assert f"Put it into {folder}" in answer["error"]


def test_settings_can_be_chosen_again(start: Start, folder: Path) -> None:
    start.ask("choose", path="tickets.csv")
    start.begin(measure="f1", positive="bug", guidelines="Look.", sheets=True)
    new = start.ask("choose", path="evaluation.toml")["new"]
    assert new["given"] == {
        "measure": "f1",
        "positive": "bug",
        "half_width": 0.05,
        "budget": 40,
        "title": "October",
        "guidelines": "Look.\n",
        "sheets": True,
    }
    assert new["can_have_sheets"] is True
    (folder / "broken.toml").write_text("file = ")
    assert "broken.toml is not TOML" in start.ask("choose", path="broken.toml")["error"]


def test_a_folder_that_can_not_be_written(
    open_start: Callable[..., Start], folder: Path, tmp_path_factory: Any
) -> None:
    spare = tmp_path_factory.mktemp("data") / "files"
    start = open_start(upload_folder=spare)
    sealed = start.page._folder / "tickets.csv"
    start.ask("choose", path=sealed.name)
    new = start.page._new
    new._settings = new._settings.with_(
        file=Path("/proc/tickets.csv")
    )  # where nobody can write, not even root
    assert new._place("evaluation.toml") == spare / "evaluation.toml"
    assert start.upload("new.csv", predictions_csv(30).encode())["new"]["about"].startswith("new.csv")
    assert (spare / "new.csv").exists()


@pytest.mark.parametrize("kind", ["class", "value", "ranking"])
def test_every_measure_answers_a_question(kind: str) -> None:
    offered = [measure["name"] for each in questions(kind) for measure in each["measures"]]
    needs_number = {"ranking": {"k"}, "value": {"tolerance", "clip", "smallest"}}.get(kind, set())
    named = [each for each in named_measures(kind) if "{" not in each.name or each.option in needs_number]
    assert sorted(offered) == sorted(each.name.partition("@")[0] for each in named)
    assert all(measure["sentence"] for each in questions(kind) for measure in each["measures"])


@pytest.mark.parametrize("kind", ["value", "ranking"])
def test_a_measure_takes_the_number_that_is_asked_for(kind: str) -> None:
    choices = [measure for each in questions(kind) for measure in each["measures"] if measure["option"]]
    assert {choice["name"] for choice in choices if choice["option"]["is_needed"]} == {
        "value": {"within-tolerance", "clipped-squared-error", "mean-absolute-percentage-error"},
        "ranking": {"precision", "recall"},
    }[kind]
    for choice in choices:
        number = "0.7" if choice["name"] == "absolute-error-quantile" else "7"
        assert measure_named(f"{choice['name']}@{number}").predictions_kind == kind
        first = choice["option"]["value"]
        assert measure_named(f"{choice['name']}@{first}" if first else choice["name"])


def test_predictions_alone_have_no_questions_about_probabilities() -> None:
    assert "Are its probabilities right?" not in [
        each["text"] for each in questions("class", has_probabilities=False)
    ]


def test_a_measure_that_does_not_suit_is_told(start: Start) -> None:
    start.ask("choose", path="tickets.csv")
    assert "measure" in start.ask("plans", measure="dcg", positive=None, sheets=False)["error"]
    assert "no such class" in start.ask("plans", measure="f1", positive="x", sheets=False)["error"]
    fresh = _fresh(start).ask("plans", measure="f1", positive="x", sheets=False)
    assert "Choose the file again" in fresh["error"]


def _fresh(start: Start) -> Start:
    return Start(start.folder, start.store)


def test_a_plan_for_a_large_pool_is_that_of_a_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    p = np.random.default_rng(0).dirichlet([0.3, 0.3, 0.3], size=20_000)
    pool = Pool([f"text {i}" for i in range(len(p))], predictions=ClassPredictions(p))
    session = Session(pool, ErrorRate(), protocol="papers")
    whole = plans.plan_list(session)
    monkeypatch.setattr(plans, "_MAX_PLANNED_WITH", 5_000)
    part = plans.plan_list(session)
    assert part["n_instances"] == 20_000
    wanted = {step["half_width"]: step for step in whole["steps"]}
    assert len(part["steps"]) >= 5
    for other in part["steps"]:
        one = wanted[other["half_width"]]
        assert other["n_labels"] == pytest.approx(one["n_labels"], rel=0.1)


def test_a_pool_too_small_for_a_margin_says_so() -> None:
    pool = Pool([f"text {i}" for i in range(4)], predictions=ClassPredictions([[0.5, 0.5]] * 4))
    found = plans.plan_list(Session(pool, ErrorRate()))
    assert found["steps"] == []
    assert "too small" in found["note"]


def test_values_with_variances_have_a_plan_without_a_range() -> None:
    rng = np.random.default_rng(0)
    predictions = ValuePredictions(rng.normal(size=3000), rng.random(3000))
    pool = Pool([f"text {i}" for i in range(3000)], predictions=predictions)
    found = plans.plan_list(Session(pool, SquaredError()))
    n_labels = [step["n_labels"] for step in found["steps"]]
    assert n_labels == sorted(n_labels, reverse=True)
    assert len(set(n_labels)) > 3
    # The mean of the variances is 0.5: a margin beyond 1 would tell nothing.
    assert 0.05 < found["steps"][found["first"]]["half_width"] < 1


def test_values_without_variances_have_no_plan_yet() -> None:
    pool = Pool([f"text {i}" for i in range(50)], predictions=ValuePredictions(np.arange(50.0)))
    found = plans.plan_list(Session(pool, SquaredError()))
    assert found["steps"] == []
    assert "first labels" in found["note"]


def label(start: Start, name: str, n: int) -> None:
    session = start.open_session(name)
    for _ in range(n):
        session.label(session.models[0].classes[session.next().index % 3])


def test_the_next_version_of_an_evaluation(start: Start, folder: Path) -> None:
    start.ask("choose", path="tickets.csv")
    start.begin(guidelines="Look closely.")
    label(start, "october", 30)
    # Most tickets are there again, beside new ones; the columns have the same names.
    again = predictions_csv().splitlines()[:301] + predictions_csv(450).splitlines()[401:]
    new = start.upload("november.csv", "\n".join(again).encode(), after="october")["new"]
    known = start.open_session("october").log.state.labels
    expected = sum(index < 300 for index in known)
    assert (
        new["about"]
        == f"november.csv · {len(again) - 1} rows · after october: {expected} labels carried over"
    )
    assert new["title"] == "November"
    assert (new["given"]["measure"], new["given"]["half_width"], new["given"]["budget"]) == (
        "error-rate",
        0.05,
        40,
    )
    assert new["given"]["guidelines"].strip() == "Look closely."
    chosen = {**CHOSEN, "title": "November"}
    assert "--after october" in start.ask("command", **chosen)["command"]
    assert start.begin(title="November") == {"open_session": "november"}
    details = start.store.details("november")
    session = begin(EvaluationSettings.from_dict(details["source"]["settings"]), start.store)
    assert session.log.state.after == "october"
    assert session.findings.course().sessions == ("october", "november")
    written = tomllib.loads((folder / "evaluation-2.toml").read_text())
    assert written["after"] == "october"
    # The settings can be chosen, too.
    new = start.ask("choose", path="evaluation-2.toml")["new"]
    assert new["about"].endswith(f"after october: {expected} labels carried over")


def test_what_can_not_be_followed_says_why(start: Start, folder: Path) -> None:
    assert (
        "there is no evaluation 'gone' here" in start.ask("choose", path="tickets.csv", after="gone")["error"]
    )
    start.ask("choose", path="tickets.csv")
    start.begin()
    label(start, "october", 20)
    assert (
        "choose the file with the new predictions"
        in start.ask("choose", path="evaluation.toml", after="october")["error"]
    )
    # Other classes: a label of the earlier one is none here.
    (folder / "other.csv").write_text(predictions_csv().replace("p_bug", "p_defect"))
    new = start.ask("choose", path="other.csv", after="october")["new"]
    assert "expected one of the classes" in new["cannot_start"]
