"""Whatever a pool, a label or a note holds: in every export it is text, and it comes back as it was."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from click.testing import CliRunner

from activeeval_widgets import Pool, Session
from activeeval_widgets.app import cli
from activeeval_widgets.app.stored_sessions.export import write_export
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.formats.tasks import FORMATS, read_answers, write_tasks
from activeeval_widgets.stats import ClassPredictions, ErrorRate

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }} ${7*7} <% x %>",
    '=HYPERLINK("http://example.org")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\u202egnp.exe",
    "nul\x00 bell\x07 \x1b[2J",
    "half \ud800",
    "'; DROP TABLE sessions; --",
    "line\r\nbreak\tand, comma; \"quote\"",
    "../../etc/passwd",
    "x" * 1_000_000,
]  # fmt: skip


@pytest.fixture
def hostile(tmp_path: Path) -> Session:
    classes = ["=1+1", "<b>b</b>", "c\x01d", "@c"]
    model = ClassPredictions([[0.4, 0.3, 0.2, 0.1]] * len(HOSTILE), classes, name="<i>model</i>")
    ids = [f"{i} {text[:20]}" for i, text in enumerate(HOSTILE)]
    session = Session(Pool(HOSTILE, predictions=model, ids=ids), ErrorRate(), name="<b>s</b>\x1b[2J")
    for i in range(6):
        session.label(classes[i % 4])
        session.note(HOSTILE[i], session.log[-1].instance if session.log[-1].kind == "label" else i)
    session.exclude(reason=HOSTILE[0])
    return session


def test_the_whole_session_comes_back(hostile: Session, tmp_path: Path) -> None:
    path = write_session(hostile, tmp_path / "s.json", with_contents=True)
    assert verify(path).findings == ()
    opened = read_session_file(path).open()
    assert opened.pool.instances == HOSTILE
    assert opened.log.notes == hostile.log.notes
    assert opened.upcoming(3) == hostile.upcoming(3)


ONE_WAY = ("inspect", "table")
"""Formats that labels are exported and taken in by, and draws are not handed out in."""


@pytest.mark.parametrize("kind", sorted(set(FORMATS) - set(ONE_WAY)))
def test_tasks_come_back_from_every_format(hostile: Session, tmp_path: Path, kind: str) -> None:
    drawn = hostile.offline.export(6)
    written = write_tasks(hostile, drawn, tmp_path / "tasks", kind, with_predictions=True)
    text = written[0].read_text(encoding="utf-8-sig")
    if kind == "csv":
        cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
        assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n")]
        table = pd.DataFrame(list(csv.reader(io.StringIO(text, newline=""))))
        table.iloc[1:, table.iloc[0].tolist().index("label")] = "'=1+1"
        table.to_csv(written[0], index=False, header=False)
    elif kind == "label-studio":
        ElementTree.fromstring(written[1].read_text())
        tasks = json.loads(text)
        for task in tasks:
            task["annotations"] = [{"result": [{"from_name": "label", "value": {"choices": ["=1+1"]}}]}]
        written[0].write_text(json.dumps(tasks))
    else:
        tasks = [json.loads(line) for line in text.split("\n") if line]
        lines = [json.dumps({**task, "accept": ["=1+1"], "answer": "accept"}) for task in tasks]
        written[0].write_text("\n".join(lines))
    assert hostile.offline.import_labels(read_answers(hostile, written[0], kind)).n_new == len(drawn)


@pytest.mark.parametrize("kind", ONE_WAY)
def test_other_formats_say_that_they_hand_nothing_out(hostile: Session, tmp_path: Path, kind: str) -> None:
    with pytest.raises(ValueError, match="draws can't be handed out"):
        write_tasks(hostile, hostile.offline.export(6), tmp_path / "tasks", kind)
    assert not (tmp_path / "tasks").exists()


@pytest.mark.parametrize("ending", ["py", "jsonl"])
def test_labels_and_notes_come_back(hostile: Session, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"labels.{ending}"
    write_export(hostile, path, "inspect" if ending == "py" else ending, "labels", with_contents=False)
    other = Session(hostile.pool, hostile.measure, seed=7)
    other.offline.export(hostile.pool.n_instances)
    assert other.offline.import_labels(read_answers(other, path)).n_new == hostile.n_labels == 6
    instances = range(hostile.pool.n_instances)
    assert [other.log.label_of(i) for i in instances] == [hostile.log.label_of(i) for i in instances]
    labeled = [i for i in instances if hostile.log.label_of(i) is not None]
    there = {i: hostile.log.notes[i] for i in labeled if i in hostile.log.notes}
    assert len(there) >= 3
    assert {i: other.log.notes.get(i) for i in there} == there


def test_parquet_has_no_half_characters_and_a_changed_id_is_refused(hostile: Session, tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    write_export(hostile, path, "parquet", "labels", with_contents=False)
    ids = pd.read_parquet(path)["id"].tolist()
    assert [each for each in ids if each not in hostile.offline.index_by_id()] == ["8 half ?"]
    other = Session(hostile.pool, hostile.measure, seed=7)
    other.offline.export(hostile.pool.n_instances)
    with pytest.raises(
        ValueError, match=r"no label was imported: row \d+, id '8 half \?' is not in the pool"
    ):
        other.offline.import_labels(read_answers(other, path))
    assert other.n_labels == 0


def test_every_command_takes_it_for_text(hostile: Session, tmp_path: Path) -> None:
    write_session(hostile, tmp_path / "s.json", with_contents=True)
    store = ("--store", str(tmp_path / "s.sqlite"))
    runner = CliRunner()
    assert runner.invoke(cli.main, ["sessions", "import", str(tmp_path / "s.json"), *store]).exit_code == 0
    outputs = [runner.invoke(cli.main, ["sessions", "list", *store])]
    outputs.append(runner.invoke(cli.main, ["sessions", "show", hostile.name, *store]))
    for name in ("l.csv", "l.parquet", "l.jsonl", "s2.json", "r.html", "r.md"):
        command = "report" if name.startswith("r.") else "export"
        more = ["--with-contents"] if command == "export" else []
        line = ["sessions", command, hostile.name, "-o", str(tmp_path / name), *more, *store]
        outputs.append(runner.invoke(cli.main, line))
    outputs.append(runner.invoke(cli.main, ["verify", str(tmp_path / "s2.json")]))
    for result in outputs:
        assert result.exit_code == 0, (result.output, outputs.index(result))
        assert "\x1b" not in result.output
        assert "\x07" not in result.output
    page = (tmp_path / "r.html").read_text()
    assert "<script" not in page
    assert "<b>s</b>" not in page
    cells = csv.reader(io.StringIO((tmp_path / "l.csv").read_text(), newline=""))
    assert not [cell for row in cells for cell in row if cell[:1] in tuple("=+-@\t\r\n")]
    assert pd.read_parquet(tmp_path / "l.parquet")["label"].tolist()[0] in hostile.models[0].label_values
    assert len((tmp_path / "l.jsonl").read_text().split("\n")) == 7
