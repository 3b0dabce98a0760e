"""Tasks for spreadsheets, Label Studio and Prodigy, and labels back from them."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from activeeval_widgets import Pool, Session
from activeeval_widgets.app import cli
from activeeval_widgets.app.stored_sessions.tasks import export_tasks
from activeeval_widgets.formats import verify, write_session
from activeeval_widgets.formats.label_tables import labels_frame, write_csv
from activeeval_widgets.formats.tasks import annotations, read_answers, write_tasks
from activeeval_widgets.formats.tasks.answer_text import Ids, label_of
from activeeval_widgets.session import ClassLabels, GivenLabel, NumberLabels
from activeeval_widgets.stats import ClassPredictions, ErrorRate, LabelShare, WinRate
from activeeval_widgets.widgets.result.content import saved_file

Maker = Callable[..., Session]


def ids_of(given: list[GivenLabel]) -> list[str]:
    return [each.id for each in given]


# -- words


@pytest.mark.parametrize(
    ("classes", "written", "meant"),
    [
        (["ham", "spam"], "spam", "spam"),
        (["ham", "spam"], "  Spam ", "spam"),
        (["ham", "spam"], "'spam", "spam"),
        (["a", "A"], "A", "A"),
        (["a", "A"], " A ", "A"),
        (["=x", "y"], "'=x", "=x"),
        ([0, 1], "1", 1),
        ([0, 1], "1.0", 1),
        ([0, 1], "1,0", 1),
        ([0, 1], 1.0, 1),
        (["0", "1"], "1.0", "1"),
        (["0", "1"], 1, "1"),
        ([0.5, 1.5], "0,5", 0.5),
        ([False, True], "TRUE", True),
        ([False, True], "false", False),
        ([False, True], "1", True),
        ([False, True], True, True),
        (["True", "False"], "TRUE", "True"),
        (["nan", "inf"], "inf", "inf"),
    ],
)
def test_a_class_is_known_by_how_it_was_written(classes: Any, written: Any, meant: Any) -> None:
    labels = ClassLabels(classes)
    found = label_of(labels, 0, written)
    assert found == meant
    assert type(found) is type(meant)
    assert labels.check(found, 0) == meant


@pytest.mark.parametrize("written", ["eggs", "2", "hamspam", "ham,spam", "nan", "1_0", "+", "01-Feb"])
def test_what_is_no_class_stays_as_it_is_and_is_refused(written: str) -> None:
    for classes in (["ham", "spam"], [0, 1], ["01", "1", "1.0"], [False, True]):
        labels = ClassLabels(classes)
        with pytest.raises(ValueError, match="label is"):
            labels.check(label_of(labels, 0, written), 0)


@pytest.mark.parametrize(
    ("written", "meant"), [("2.5", 2.5), ("2,5", 2.5), (" -3 ", -3.0), ("1e3", 1000.0), ("'-2", -2.0), (4, 4)]
)
def test_a_number_is_known_with_a_point_or_a_comma(written: Any, meant: float) -> None:
    assert label_of(NumberLabels(), 0, written) == meant


def test_an_id_is_found_unless_it_could_be_another() -> None:
    ids = Ids(["7", "08", "x ", "=1+1", "1e3", "a", "A"])
    found = {written: ids.find(written) for written in ("7.0", 7, 7.0, "8", "x", "'=1+1", "1000", "A", " a")}
    assert found == {
        "7.0": "7", 7: "7", "8": "08", "x": "x ", "'=1+1": "=1+1", "1000": "1e3", "A": "A", " a": "a"
    }  # fmt: skip
    assert Ids(["01", "1"]).find("1.0") is None
    assert Ids(["01", "1"]).find("01") == "01"
    assert Ids(["a"]).find("b") is None


# -- spreadsheets


def filled(path: Path, labels: dict[str, Any], **more: dict[str, str]) -> pd.DataFrame:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table["label"] = [labels.get(each, "") for each in table["id"]]
    for name, values in more.items():
        table[name] = [values.get(each, "") for each in table["id"]]
    return table


@pytest.fixture
def handed_out(make_session: Maker, tmp_path: Path) -> tuple[Session, list[str], Path]:
    """Return a session with ten draws handed out, their ids, and the file."""
    session = make_session("texts", n_labels=4)
    drawn = session.offline.export(10)
    path = tmp_path / "tasks.csv"
    write_tasks(session, drawn, path, "csv")
    return session, [each.instance_id for each in drawn], path


def test_a_sheet_shows_what_is_asked_and_hides_what_the_model_says(
    handed_out: tuple[Session, list[str], Path], tmp_path: Path
) -> None:
    session, ids, path = handed_out
    table = pd.read_csv(path, dtype=str)
    assert list(table.columns) == ["id", "text", "label", "choices", "cannot_label", "note"]
    assert table["id"].tolist() == ids
    assert table["text"].tolist() == [f"text {each}" for each in ids]
    assert table["choices"].unique().tolist() == ["ham | spam"]
    assert table[["label", "cannot_label", "note"]].isna().all().all()
    write_tasks(session, session.offline.exported(), tmp_path / "with.csv", "csv", with_predictions=True)
    assert {"prediction", "confidence"} <= set(pd.read_csv(tmp_path / "with.csv").columns)


MANGLED: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "as it was": lambda table, path: table.to_csv(path, index=False),
    "with a BOM and semicolons": lambda table, path: table.to_csv(
        path, index=False, sep=";", encoding="utf-8-sig"
    ),
    "with tabs, in UTF-16": lambda table, path: table.to_csv(path, index=False, sep="\t", encoding="utf-16"),
    "in another order": lambda table, path: table[::-1].to_csv(path, index=False),
    "in western letters": lambda table, path: table.assign(note="für später").to_csv(
        path, index=False, sep=";", encoding="cp1252"
    ),
    "with Excel's first line": lambda table, path: path.write_text(
        "sep=;\n" + table.to_csv(index=False, sep=";")
    ),
    "in capitals, with blanks": lambda table, path: table.assign(
        label=table["label"].str.upper() + "  "
    ).to_csv(path, index=False),
    "with other columns": lambda table, path: table.assign(extra="x", **{"": "y"})[
        ["extra", "label", "", "id"]
    ].to_csv(path, index=False),
    "with empty rows and CRLF": lambda table, path: path.write_bytes(
        (table.to_csv(index=False) + ",,,,,\n,,,,,\n\n").replace("\n", "\r\n").encode()
    ),
    "with headings in capitals": lambda table, path: table.rename(columns=str.upper).to_csv(
        path, index=False
    ),
    "all in quotes": lambda table, path: table.to_csv(path, index=False, quoting=csv.QUOTE_ALL),
    "with numbers for ids": lambda table, path: table.assign(id=table["id"] + ".0").to_csv(path, index=False),
}


@pytest.mark.parametrize("how", MANGLED)
def test_a_sheet_comes_back_however_it_was_saved(
    handed_out: tuple[Session, list[str], Path], tmp_path: Path, how: str
) -> None:
    session, ids, path = handed_out
    labels = {each: ["ham", "spam"][i % 2] for i, each in enumerate(ids) if i != 3}
    back = tmp_path / "back.csv"
    MANGLED[how](filled(path, labels), back)
    result = session.offline.import_labels(read_answers(session, back))
    assert (result.n_new, result.n_empty, list(result.still_out)) == (9, 1, [ids[3]])
    assert {each: session.log.label_of(session.pool.ids.index(each)) for each in labels} == labels
    again = session.offline.import_labels(read_answers(session, back))
    assert (again.n_new, again.n_same) == (0, 9)


def test_what_cannot_be_labeled_and_notes_come_back(
    handed_out: tuple[Session, list[str], Path], tmp_path: Path
) -> None:
    session, ids, path = handed_out
    table = filled(
        path,
        {ids[3]: "ham"},
        cannot_label={ids[0]: "x", ids[1]: "no text in it", ids[2]: "no"},
        note={ids[3]: "'=1+1"},
        seconds={ids[3]: "4,5"},
        who={ids[3]: "Ada"},
    )
    table.to_csv(tmp_path / "back.csv", index=False)
    result = session.offline.import_labels(read_answers(session, tmp_path / "back.csv"))
    assert (result.n_new, result.n_excluded) == (1, 2)
    reasons = {
        action.instance_id: action.reason for action in session.log.actions if action.kind == "exclude"
    }
    assert reasons.items() >= {(ids[0], None), (ids[1], "no text in it")}
    last = next(action for action in session.log.actions if action.instance_id == ids[3])
    assert (last.who, last.seconds) == ("Ada", 4.5)
    assert "=1+1" in session.log.notes.values()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the column 'id' is not there; the first row has nothing"),
        (b"name,label\nx,ham\n", "the column 'id' is not there; the first row has 'name', 'label'"),
        (b"id;text\nx;ham\n", "the column 'label' is not there"),
        (b"id,label,label\n", "the column 'label' is there twice"),
        (b"PK\x03\x04abc", "is a workbook, not a CSV: save it as CSV"),
        (b'[{"id": 1}]', "has no 'instance_id'"),
        (b'{"text": "a"}\n', "line 1 has no 'instance_id'"),
        (b'{"text"\n', "line 1 is not JSON"),
        (b"[1, 2]", "not an export of Label Studio"),
        (b"[" * 100_000, "is not JSON: it is nested too deeply"),
    ],
)
def test_a_file_that_is_no_such_is_refused(
    handed_out: tuple[Session, list[str], Path], tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "back"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="(?s)" + message.replace("(", r"\(")):
        read_answers(handed_out[0], path)


def test_formulas_and_own_names_in_what_is_shown_are_inert(tmp_path: Path) -> None:
    rows = [{"label": "=cmd|' /C calc'!A0", "id": "-1+2", "text": "@x\r\n\ty"} for _ in range(3)]
    pool = Pool(rows, predictions=[[0.9, 0.1]] * 3, ids=["=1", "+x", "c"])
    session = Session(pool, ErrorRate())
    path = tmp_path / "tasks.csv"
    write_tasks(session, session.offline.export(3), path, "csv")
    cells = [cell for row in csv.reader(io.StringIO(path.read_text())) for cell in row]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r")]
    table = pd.read_csv(path, dtype=str)
    assert {"label (shown)", "id (shown)"} <= set(table.columns)
    table["label"] = "1.0"
    table.to_csv(path, index=False)
    assert session.offline.import_labels(read_answers(session, path)).n_new == 3


def test_letters_that_are_not_ascii_are_marked_for_spreadsheets(tmp_path: Path) -> None:
    for text, is_marked in (("plain", False), ("für ☃", True)):
        session = Session(Pool([text] * 2, predictions=[[0.9, 0.1]] * 2), ErrorRate())
        write_tasks(session, session.offline.export(2), tmp_path / "t.csv", "csv")
        assert (tmp_path / "t.csv").read_bytes().startswith(b"\xef\xbb\xbf") == is_marked


def test_rankings_have_a_row_for_each_item(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("rankings", n_labels=4)
    drawn = session.offline.export(4)
    path = tmp_path / "tasks.csv"
    write_tasks(session, drawn, path, "csv")
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert list(table.columns)[:3] == ["id", "query", "item"]
    assert len(table) == 12
    table["label"] = ["2", "0.0", "-", *["1"] * 3, "1", "", "0", "", "", ""]
    table.iloc[[*range(6), 9, 10, 11]].to_csv(path, index=False)
    result = session.offline.import_labels(read_answers(session, path))
    assert (result.n_new, result.n_empty) == (2, 1)
    grades = session.log.label_of(drawn[0].index)
    assert dict(zip(table["item"][:3], [2, 0, None], strict=True)) == grades
    table.iloc[6:9].to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"rows 2 to 4, id .* label has no grade for the item"):
        session.offline.import_labels(read_answers(session, path))


# -- Label Studio


def label_studio_export(
    tasks: list[dict[str, Any]], labels: dict[str, Any], kind: str
) -> list[dict[str, Any]]:
    """What Label Studio exports after these tasks were labeled: guide/task_format."""
    exported = []
    for number, task in enumerate(tasks, start=1):
        label = labels.get(task["data"]["instance_id"])
        result = [] if label is None else [
            {"id": f"r{number}", "from_name": "label", "to_name": "shown", "type": kind,
             "origin": "manual", "value": {kind: [label] if kind == "choices" else label}}
        ]  # fmt: skip
        annotation = {
            "id": 1000 + number, "completed_by": 3, "result": result, "was_cancelled": False,
            "ground_truth": False, "created_at": "2026-03-09T22:16:08.728353Z",
            "updated_at": "2026-03-09T22:16:08.728378Z", "lead_time": 4.288, "result_count": 1,
            "task": number, "parent_prediction": None, "unique_id": "u",
        }  # fmt: skip
        exported.append(
            {"id": number, "annotations": [annotation], "drafts": [], "predictions": [], "meta": {},
             "data": task["data"], "file_upload": "t.json", "inner_id": number, "total_annotations": 1,
             "cancelled_annotations": 0, "project": 1, "updated_by": 1, "comment_count": 0}
        )  # fmt: skip
    return exported


def test_label_studio_there_and_back(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", n_labels=4)
    drawn = session.offline.export(8)
    ids = [each.instance_id for each in drawn]
    written = write_tasks(session, drawn, tmp_path / "tasks.json", "label-studio")
    tasks = json.loads(written[0].read_text())
    assert [task["data"] for task in tasks] == [{"instance_id": each, "text": f"text {each}"} for each in ids]
    assert not any("predictions" in task for task in tasks)
    view = ElementTree.fromstring(written[1].read_text())
    assert view.find("Text").get("value") == "$text"
    choices = view.findall("Choices[@name='label']/Choice")
    assert [(each.get("value"), each.get("hotkey")) for each in choices] == [("ham", None), ("spam", None)]
    assert {each.get("toName") for each in view if each.get("toName")} == {view.find("Text").get("name")}
    labels = {each: ["ham", "spam"][i % 2] for i, each in enumerate(ids[:6])}
    exported = label_studio_export(tasks, labels, "choices")
    exported[6]["annotations"][0]["was_cancelled"] = True
    exported[7]["annotations"][0]["result"] = [
        {"from_name": "cannot_label", "to_name": "shown", "type": "choices",
         "value": {"choices": ["can't be labeled"]}},
        {"from_name": "note", "to_name": "shown", "type": "textarea", "value": {"text": ["empty?"]}},
    ]  # fmt: skip
    path = tmp_path / "export.json"
    path.write_text(json.dumps(exported))
    outcome = session.offline.import_labels(read_answers(session, path))
    assert (outcome.n_new, outcome.n_excluded, outcome.n_empty) == (6, 1, 1)
    first = next(action for action in session.log.actions if action.instance_id == ids[0])
    assert (first.value, first.seconds, first.who) == ("ham", 4.288, "Label Studio user 3")
    assert "empty?" in session.log.notes.values()
    # Two people who differ about one task are told.
    exported[6]["annotations"] = [dict(exported[i]["annotations"][0]) for i in (0, 1)]
    path.write_text(json.dumps(exported))
    with pytest.raises(ValueError, match=r"task 7, id .* has two answers, 'ham' and 'spam'"):
        session.offline.import_labels(read_answers(session, path))


def test_a_digit_is_its_own_key_in_label_studio(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("images", n_labels=4)
    _, setup = write_tasks(session, session.offline.export(1), tmp_path / "tasks.json", "label-studio")
    choices = ElementTree.fromstring(setup.read_text()).findall("Choices[@name='label']/Choice")
    assert [(each.get("value"), each.get("hotkey")) for each in choices] == [(k, k) for k in "123"]


def test_label_studio_shows_columns_by_their_own_names(tmp_path: Path) -> None:
    table = pd.DataFrame({"age": [30, 40], "job title": ["nurse", "cook"], "instance_id": [7, 8]})
    session = Session(Pool(table, predictions=[[0.9, 0.1], [0.2, 0.8]]), ErrorRate())
    tasks, setup = write_tasks(session, session.offline.export(1), tmp_path / "tasks.json", "label-studio")
    view = ElementTree.fromstring(setup.read_text())
    shown = [
        (head.get("value"), text.get("value")) for head, text in zip(view[::2], view[1::2], strict=False)
    ]
    assert shown[:3] == [("age", "$age"), ("job title", "$column_2"), ("instance_id", "$column_3")]
    assert json.loads(tasks.read_text())[0]["data"].keys() == {"instance_id", "age", "column_2", "column_3"}


def test_a_prediction_that_label_studio_filled_in_is_no_label_of_what_is_excluded(
    make_session: Maker, tmp_path: Path
) -> None:
    session = make_session("texts", n_labels=4)
    drawn = session.offline.export(2)
    path = tmp_path / "tasks.json"
    tasks = json.loads(
        write_tasks(session, drawn, path, "label-studio", with_predictions=True)[0].read_text()
    )
    exported = label_studio_export(tasks, {each.instance_id: "spam" for each in drawn}, "choices")
    for task, origin in zip(exported, ("prediction", "manual"), strict=True):
        [result] = task["annotations"][0]["result"]
        result["origin"] = origin
        excluded = {"from_name": "cannot_label", "to_name": "shown", "type": "choices", "origin": "manual",
                    "value": {"choices": ["can't be labeled"]}}  # fmt: skip
        task["annotations"][0]["result"].append(excluded)
    path.write_text(json.dumps(exported))
    with pytest.raises(ValueError, match=r"task 2, id .* is excluded, too: clear one of them"):
        session.offline.import_labels(read_answers(session, path))
    path.write_text(json.dumps(exported[:1]))
    outcome = session.offline.import_labels(read_answers(session, path))
    assert (outcome.n_new, outcome.n_excluded) == (0, 1)


def test_label_studio_min(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", n_labels=4)
    ids = [each.instance_id for each in session.offline.export(4)]
    rows = [
        {"text": "t", "instance_id": each, "id": number, "annotator": 1, "annotation_id": number,
         "created_at": "2026-03-09T22:16:08Z", "updated_at": "2026-03-09T22:16:08Z", "lead_time": 2.5}
        for number, each in enumerate(ids)
    ]  # fmt: skip
    rows[0]["label"] = "spam"
    rows[1]["label"] = {"choices": ["ham"]}
    rows[2]["cannot_label"] = "can't be labeled"
    path = tmp_path / "min.json"
    path.write_text(json.dumps(rows))
    result = session.offline.import_labels(read_answers(session, path))
    assert (result.n_new, result.n_excluded, result.n_empty) == (2, 1, 1)
    rows[3]["label"] = {"choices": ["ham", "spam"]}
    path.write_text(json.dumps(rows))
    with pytest.raises(ValueError, match=r"task 4, id .* label is 'ham, spam', expected one of the classes"):
        session.offline.import_labels(read_answers(session, path))


def test_numbers_in_label_studio_and_prodigy(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("records", n_labels=4)
    drawn = session.offline.export(4)
    ids = [each.instance_id for each in drawn]
    tasks, setup = write_tasks(session, drawn, tmp_path / "tasks.json", "label-studio")
    assert {"row", "share", "name", "old"} < set(json.loads(tasks.read_text())[0]["data"])
    number = ElementTree.fromstring(setup.read_text()).find("Number")
    assert (number.get("min"), number.get("max")) == ("-5", "10")
    exported = label_studio_export(json.loads(tasks.read_text())[:2], dict.fromkeys(ids, 2.5), "number")
    (tmp_path / "export.json").write_text(json.dumps(exported))
    assert session.offline.import_labels(read_answers(session, tmp_path / "export.json")).n_new == 2
    (tmp_path / "min.json").write_text(json.dumps([{"instance_id": ids[2], "label": [{"number": -1.5}]}]))
    assert [each.label for each in read_answers(session, tmp_path / "min.json")] == [-1.5]
    [lines] = write_tasks(session, drawn[2:], tmp_path / "tasks.jsonl", "prodigy")
    given = [json.loads(line) for line in lines.read_text().splitlines()]
    assert given[0]["field_id"] == "label"
    text = "".join(json.dumps({**each, "label": "3,5", "answer": "accept"}) + "\n" for each in given)
    lines.write_text(text)
    assert session.offline.import_labels(read_answers(session, lines)).n_new == 2
    assert session.log.label_of(drawn[2].index) == 3.5


# -- Prodigy


def test_prodigy_there_and_back(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", n_labels=4)
    drawn = session.offline.export(9)
    [path] = write_tasks(session, drawn, tmp_path / "tasks.jsonl", "prodigy")
    tasks = [json.loads(line) for line in path.read_text().splitlines()]
    assert tasks[0]["text"] == f"text {drawn[0].instance_id}"
    assert tasks[0]["options"] == [{"id": "ham", "text": "ham"}, {"id": "spam", "text": "spam"}]
    assert "accept" not in tasks[0]
    for task in tasks:  # as `prodigy db-out` adds
        task |= {
            **{"_input_hash": 1, "_task_hash": 2, "_view_id": "choice", "_timestamp": 1772000000},
            **{"config": {"choice_style": "single"}, "_annotator_id": "ada", "_session_id": "news-ada"},
        }
    for task in tasks[:5]:
        task |= {"accept": ["spam"], "answer": "accept"}
    tasks[5] |= {"accept": [], "answer": "ignore"}
    tasks[6] |= {"accept": [], "answer": "reject"}
    # The "classification" interface: yes or no to one class.
    tasks[7] = {**{k: v for k, v in tasks[7].items() if k != "options"}, "label": "SPAM", "answer": "reject"}
    tasks[8] = {**{k: v for k, v in tasks[8].items() if k != "options"}, "label": "SPAM", "answer": "accept"}
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
    result = session.offline.import_labels(read_answers(session, path))
    assert (result.n_new, result.n_excluded, result.n_empty) == (7, 1, 1)
    assert session.log.label_of(drawn[7].index) == "ham"
    assert session.log.label_of(drawn[8].index) == "spam"
    assert {action.who for action in session.log.actions[-7:]} == {"ada"}
    for accept, message in (([], "0 choices"), (["ham", "spam"], "2 choices")):
        path.write_text(json.dumps({**tasks[5], "accept": accept, "answer": "accept"}))
        with pytest.raises(ValueError, match=f"line 1, id .* label is \"?'?{message}"):
            session.offline.import_labels(read_answers(session, path))


@pytest.mark.parametrize("kind", ["label-studio", "prodigy"])
@pytest.mark.parametrize("task", ["texts", "marked_texts", "pairs", "records", "images"])
def test_labels_go_out_and_come_back_the_same(
    make_session: Maker, tmp_path: Path, kind: str, task: str
) -> None:
    session = make_session(task, protocol="papers")
    path = tmp_path / "out"
    path.write_text(annotations(session, kind, with_predictions=True))
    result = session.offline.import_labels(read_answers(session, path))
    assert (result.n_new, result.n_same) == (0, session.n_labels + session.log.n_excluded)
    if kind == "label-studio":
        notes = {each.id: each.note for each in read_answers(session, path) if each.note}
        assert notes == {session.pool.ids[index]: note for index, note in session.log.notes.items()} != {}
    tasks = session.offline.export(3)
    write_tasks(session, tasks, path, kind, with_predictions=True)
    assert read_answers(session, path, kind)[0].label is None
    if task == "images":
        assert "data:image/png;base64," in path.read_text()


def test_each_of_three_models_has_its_own_predictions(tmp_path: Path) -> None:
    models = {name: [outcome] * 2 for name, outcome in (("A", "no"), ("B", "yes"), ("C", "no"))}
    session = Session(Pool(["x", "y"], predictions=models), ErrorRate())
    write_tasks(
        session, session.offline.export(1), tmp_path / "t.json", "label-studio", with_predictions=True
    )
    [task] = json.loads((tmp_path / "t.json").read_text())
    outcome = {each["model_version"]: each["result"][0]["value"]["choices"] for each in task["predictions"]}
    assert outcome == {"A": ["no"], "B": ["yes"], "C": ["no"]}


@pytest.mark.parametrize("kind", ["label-studio", "prodigy"])
def test_without_a_model_there_are_no_predictions(tmp_path: Path, kind: str) -> None:
    session = Session(Pool(["x", "y"], predictions=None, classes=["no", "yes"]), LabelShare("yes"))
    write_tasks(session, session.offline.export(1), tmp_path / "t", kind, with_predictions=True)
    [task] = read_answers(session, tmp_path / "t", kind)
    assert task.label is None


def test_rankings_are_for_csv_alone(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("rankings", n_labels=4)
    for kind in ("label-studio", "prodigy"):
        with pytest.raises(ValueError, match="only as CSV"):
            write_tasks(session, session.offline.export(2), tmp_path / "x", kind)


# -- the commands


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, list(map(str, arguments)), terminal_width=200)


@pytest.mark.parametrize("by", ["command", "page"])
@pytest.mark.parametrize("task", ["texts", "rankings"])
def test_exported_labels_go_to_another_session(
    make_session: Maker, tmp_path: Path, task: str, by: str
) -> None:
    path = tmp_path / "labels.csv"
    given = make_session(task)
    if by == "command":
        write_csv(labels_frame(given), path)
    else:
        path.write_text(saved_file(given, "labels", {"title": None})["text"], newline="")
    taken = make_session(task, n_labels=0)
    taken.offline.export(40)
    taken.offline.import_labels(read_answers(taken, path))
    labels = given.log.state.labels
    assert {index: taken.log.state.labels[index] for index in labels} == labels


def test_grades_that_are_no_json_are_refused(make_session: Maker, tmp_path: Path) -> None:
    path, taken = tmp_path / "labels.csv", make_session("rankings", n_labels=0)
    path.write_text("id,label,draw\n0,good,1\n")
    with pytest.raises(ValueError, match="row 2: the label is 'good', expected grades as JSON"):
        read_answers(taken, path)


def test_draw_and_answer_on_the_command_line(make_session: Maker, tmp_path: Path) -> None:
    write_session(
        make_session("texts", name="my mails", n_labels=4), tmp_path / "mails.json", with_contents=True
    )
    store = ("--store", tmp_path / "s.sqlite")
    run("sessions", "import", tmp_path / "mails.json", *store)
    sheet = tmp_path / "tasks.csv"
    result = run("sessions", "draw", "my mails", "--n", 12, "-o", sheet, *store)
    assert result.exit_code == 0, result.output
    assert f"Wrote {sheet}: 12 draws. Once labeled, take them back with:\n" in result.output
    assert f"activeeval-widgets sessions answer 'my mails' {sheet} --store " in result.output
    first = sheet.read_text()
    run("sessions", "draw", "my mails", "--n", 12, "-o", sheet, *store)
    assert sheet.read_text() == first
    ids = pd.read_csv(sheet, dtype=str)["id"].tolist()
    filled(sheet, {ids[0]: "eggs", ids[1]: "ham"}).to_csv(tmp_path / "bad.csv", index=False)
    result = run("sessions", "answer", "my mails", tmp_path / "bad.csv", *store)
    assert result.exit_code == 1
    assert (
        f"row 2, id '{ids[0]}': label is 'eggs', expected one of the classes ['ham', 'spam']" in result.output
    )
    filled(sheet, dict.fromkeys(ids[2:], "ham")).to_csv(tmp_path / "back.csv", index=False)
    result = run("sessions", "answer", "my mails", tmp_path / "back.csv", "--who", "Ada", *store)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "10 labels taken in; 2 without a label; 2 still out."
    assert (
        "10 labels wait for earlier draws that are still out. With them the value is provisionally"
        in lines[2]
    )
    result = run("sessions", "answer", "my mails", tmp_path / "back.csv", *store)
    assert result.output.startswith("0 labels taken in; 10 recorded already;")
    other = tmp_path / "other.csv"
    filled(sheet, {ids[2]: "spam"}).to_csv(other, index=False)
    assert (
        "has the label 'ham' already, not 'spam'"
        in run("sessions", "answer", "my mails", other, *store).output
    )
    result = run("sessions", "answer", "my mails", other, "--on-conflict", "replace", *store)
    assert "1 changed" in result.output
    exported = tmp_path / "all.json"
    run("sessions", "export", "my mails", "-o", exported, *store)
    assert verify(exported).findings == ()
    table = tmp_path / "labels.csv"
    run("sessions", "export", "my mails", "-o", table, *store)
    labels = pd.read_csv(table)
    assert len(labels) == 14
    assert labels["weight"].isna().sum() == 10  # they wait
    assert labels["who"].dropna().unique().tolist() == ["Ada"]
    assert run("sessions", "draw", "my mails", "--n", 5, "-o", tmp_path / "t.xyz", *store).exit_code == 2
    for kind in ("label-studio", "prodigy"):
        result = run("sessions", "export", "my mails", "-o", tmp_path / "o", "--format", kind, *store)
        assert "14 labels" in result.output


def test_who_judges_elsewhere_is_not_blind_and_the_command_says_so(tmp_path: Path) -> None:
    judged = ClassPredictions([[0.6, 0.3, 0.1]] * 4, classes=["A", "B", "tie"])
    pairs = [("one answer", "another")] * 4
    result = [
        export_tasks(session, 2, tmp_path / f"{session.name}.csv", "csv", with_predictions=False)
        for session in (
            Session(Pool(pairs, predictions=judged, kind="pair"), measure, name=name)
            for name, measure in (("rate", WinRate()), ("error", ErrorRate()))
        )
    ]
    assert ["can find out whose is whose" in each for each in result] == [True, False]


def test_help_lists_every_option() -> None:
    for command in ("draw", "answer"):
        result = run("sessions", command, "--help")
        found = cli.main.commands["sessions"].commands[command]
        for parameter in found.params:
            for name in parameter.opts:
                assert not name.startswith("-") or name in result.output
