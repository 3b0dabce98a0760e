"""The commands that hand sessions on: list, show, export, import, report, verify."""

import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from activeeval_widgets import Pool, Session
from activeeval_widgets.app import cli, options
from activeeval_widgets.app.pages import evaluation, python_file
from activeeval_widgets.formats import Columns, read_session_file, verify, write_session
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.label_tables import labels_frame, write_parquet
from activeeval_widgets.session import open_store
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.session.report.summary import session_summary
from activeeval_widgets.stats import ClassPredictions, FMeasure, MacroF, Measure, Risk

from ..labeling import give_labels

Maker = Callable[..., Session]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, list(map(str, arguments)), terminal_width=200)


@pytest.fixture
def store(make_session: Maker, tmp_path: Path) -> Path:
    """Return a store with the imported session "Ada"."""
    session = make_session("texts", name="Ada", budget=30)
    write_session(session, tmp_path / "ada.json", with_contents=True)
    path = tmp_path / "labels.sqlite"
    result = run("sessions", "import", tmp_path / "ada.json", "--store", path)
    assert result.exit_code == 0, result.output
    assert "Imported: session 'Ada', 24 labels." in result.output
    return path


def test_list_and_show(store: Path) -> None:
    lines = run("sessions", "list", "--store", store).output.splitlines()
    assert lines[0].split() == ["NAME", "LABELS", "ESTIMATE", "LAST", "USED", "TITLE"]
    assert lines[1].startswith("Ada   24 of 30")
    shown = run("sessions", "show", "Ada", "--store", store)
    assert shown.exit_code == 0
    for text in ("40 texts", "24 of 30; 1 excluded", "protocol adaptive, seed 5", "F1 of spam"):
        assert text in shown.output


def test_the_list_computes_what_no_page_has_kept(store: Path) -> None:
    opened = open_store(store)
    opened.keep_details("Ada", {"summary": {"n_labels": 3, "value_text": "old"}})
    line = run("sessions", "list", "--store", store).output.splitlines()[1]
    assert "old" not in line
    assert re.search(r"24 of 30  [0-9.]+ \(95%: [0-9.]+ to [0-9.]+\)", line), line
    assert opened.details("Ada")["summary"]["n_labels"] == 24
    # Where the pool is gone, the rest is told all the same.
    (store.parent / "ada.json").unlink()
    opened.keep_details("Ada", {"summary": None})
    line = run("sessions", "list", "--store", store).output.splitlines()[1]
    assert line.startswith("Ada   24 of 30  –  ")
    result = {"n_labels": 3, "value_text": "0.50", "change": "lower than in May"}
    opened.keep_details("Ada", {"summary": result})
    line = run("sessions", "list", "--store", store).output.splitlines()[1]
    assert line.startswith("Ada   24 of 30  0.50 after 3; lower than in May  ")


@pytest.mark.parametrize(
    ("measure", "title"),
    [
        (FMeasure(positive="spam"), "F1 of spam"),
        (Risk.from_loss(lambda p, y: p != y, name="own"), "own"),
    ],
)
def test_the_list_names_the_measure_of_a_session_without_an_estimate(
    tmp_path: Path, measure: Measure, title: str
) -> None:
    path = tmp_path / "labels.sqlite"
    model = ClassPredictions([[0.9, 0.1], [0.2, 0.8]], classes=["ham", "spam"])
    Session(Pool(["a", "b"], predictions=model), measure, store=path)
    line = run("sessions", "list", "--store", path).output.splitlines()[1]
    assert re.search(rf"default +0 .*  {re.escape(title)}", line), line


@pytest.fixture
def begun_in_python(make_session: Maker, tmp_path: Path) -> Path:
    """Return a store with three sessions of one question and one of another, whose pools no file holds."""
    path = tmp_path / "python.sqlite"
    for name, n in (("Ada", 5), ("<b>Bob</b>", 12), ("Cy", 24)):
        make_session("texts", name=name, budget=30, store=path, n_labels=n).estimate()
    make_session("records", name="other", store=path).estimate()
    return path


def test_a_session_begun_in_python_is_no_demo_by_its_name(make_session: Maker, tmp_path: Path) -> None:
    path = tmp_path / "python.sqlite"
    make_session("texts", name="text", store=path)
    shown = run("sessions", "draw", "text", "--n", "1", "--output", tmp_path / "t.csv", "--store", path)
    assert "The session 'text' was begun in a notebook, so it is not known where its pool is" in shown.output


def test_sessions_begun_in_python_are_listed_with_their_estimates(begun_in_python: Path) -> None:
    lines = run("sessions", "list", "--store", begun_in_python).output.splitlines()[1:]
    assert len(lines) == 4
    assert all(re.search(r"  [0-9.]+ \(95%: [0-9.]+ to [0-9.]+\)", line) for line in lines[2:]), lines
    result = open_store(begun_in_python).details("Cy")["summary"]
    assert f"{result['value_text']} (95%: {result['interval_text'].removeprefix('95%: ')})" in lines[2]


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (FMeasure(positive="spam"), {("There are too few", ""), ("95% interval: ", "95%: ")}),
        (MacroF(), {("It is too early", ""), ("Approximate 95% interval: ", "approximately 95%: ")}),
    ],
)
def test_lists_say_of_the_interval_what_the_result_says(measure: Measure, said: set[tuple[str, str]]) -> None:
    p = np.linspace(0.05, 0.95, 60)
    model = ClassPredictions(np.column_stack([p, 1 - p]), classes=["ham", "spam"])
    session = Session(Pool([f"text {i}" for i in range(60)], predictions=model), measure, seed=1)
    said, found = said | {("All 60 texts have labels", "exact")}, set()
    while (asked := session.next()) is not None:
        session.label("spam" if asked.index % 5 < 2 else "ham")
        told = result_of(session.findings, session.watched(), goal=session.goal).confidence
        text = session_summary(session.findings, goal=session.goal, is_done=False)["interval_text"]
        ends = [each for each in said if told.startswith(each[0]) and bool(each[1]) == bool(text)]
        assert len(ends) == 1, (told, text)
        assert text.startswith(ends[0][1])
        found |= set(ends)
    assert found == said


def test_many_sessions_of_one_question_are_compared(begun_in_python: Path, tmp_path: Path) -> None:
    mixed = run("sessions", "compare", "--store", begun_in_python)
    assert mixed.exit_code == 2
    assert "ask different questions" in mixed.output
    assert "): Ada, <b>Bob</b>, Cy; " in mixed.output
    names = ("Cy", "<b>Bob</b>", "Ada")
    result_ = run("sessions", "compare", *names, "--store", begun_in_python).output.splitlines()
    assert result_[0] == "F1 of spam: 3 sessions on 1 pool"
    rows = result_[3:6]
    assert [row.split()[:2] for row in rows] == [["Cy", "23"], ["<b>Bob</b>", "11"], ["Ada", "5"]]
    bars = [row[row.index("│") + 1 : row.rindex("│")] for row in rows]
    assert {len(bar) for bar in bars} == {40}
    values = [open_store(begun_in_python).details(name)["summary"]["value"] for name in names]
    assert [bar.index("●") for bar in bars] == [round(39 * value) for value in values]
    widths = [bar.count("─") for bar in bars]
    assert widths == sorted(widths), "more labels, narrower"

    for suffix in ("svg", "html", "md"):
        written = tmp_path / f"forest.{suffix}"
        run("sessions", "compare", *names, "-o", written, "--store", begun_in_python)
        text = written.read_text()
        assert "<b>" not in text
        assert "Bob" in text
        if suffix == "md":
            assert [line[:1] for line in text.splitlines() if line] == ["#", "3", "#", "-", "-", "-"]
        else:
            assert text.count("<circle") == 3
            assert "></p>" not in text
            assert ElementTree.fromstring(text[text.index("<svg") : text.index("</svg>") + 6]).tag
    for wrong in (("Ada",), ("Ada", "Dan"), ("Ada", "Cy", "-o", "x.pdf")):
        assert run("sessions", "compare", *wrong, "--store", begun_in_python).exit_code != 0


def test_no_store_and_no_session_are_one_message_each(store: Path, tmp_path: Path) -> None:
    result = run("sessions", "list", "--store", tmp_path / "none.sqlite")
    assert result.exit_code == 1
    assert "There is no store" in result.output
    assert not (tmp_path / "none.sqlite").exists()
    for command in ("show", "export", "report"):
        output = () if command == "show" else ("--output", tmp_path / "x.html")
        result = run("sessions", command, "ada2", *output, "--store", store)
        assert result.exit_code == 1 or command == "export"
        assert "Did you mean 'Ada'?" in result.output or command == "export"
    result = run("sessions", "show", "zebra", "--store", store)
    assert "There: 'Ada'." in result.output
    empty = tmp_path / "empty.sqlite"
    open_store(empty).close()
    assert run("sessions", "list", "--store", empty).output == "No sessions yet.\n"
    for nothing in (empty, tmp_path / "none.sqlite"):
        result = run(
            *("sessions", "draw", "Ada", "--n", 3, "--output", tmp_path / "x.csv", "--store", nothing)
        )
        assert "A session begins when its page is opened for the first time: run " in result.output


def test_without_a_store_both_the_folders_own_and_the_users_are_looked_in(
    make_session: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "data_folder", lambda: tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    assert "There is no store" in run("sessions", "list").output
    write_session(make_session("texts", name="Ada"), tmp_path / "ada.json")
    write_session(make_session("texts", name="Bob"), tmp_path / "bob.json")
    run("sessions", "import", "ada.json")
    assert (tmp_path / "data" / "sessions.sqlite").exists()
    assert "STORE" not in run("sessions", "list").output
    run("sessions", "import", "bob.json", "--store", "evaluations.sqlite")
    lines = run("sessions", "list").output.splitlines()
    assert lines[0].endswith("STORE")
    assert (lines[1].split()[0], lines[1].split()[-1]) == ("Bob", "evaluations.sqlite")
    assert (lines[2].split()[0], lines[2].split()[-1]) == ("Ada", "sessions.sqlite")
    for name in ("Ada", "Bob"):
        assert run("sessions", "show", name).exit_code == 0
    for wrong, right in (("Bbo", "Bob"), ("Adda", "Ada")):
        assert f"Did you mean {right!r}?" in run("sessions", "show", wrong).output


def test_a_name_that_a_terminal_would_obey_is_shown_as_text(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", name="a\x1b[2Jb", store=tmp_path / "s.sqlite")
    session.store.close()
    output = run("sessions", "list", "--store", tmp_path / "s.sqlite").output
    assert "\x1b" not in output
    assert "a\N{REPLACEMENT CHARACTER}[2Jb" in output


def test_tables_of_labels(store: Path, tmp_path: Path) -> None:
    session = read_session_file(tmp_path / "ada.json").open()
    frames = {}
    for ending in ("csv", "parquet", "jsonl"):
        path = tmp_path / f"labels.{ending}"
        result = run("sessions", "export", "Ada", "--output", path, "--store", store)
        assert result.output == f"Wrote {path}: 24 labels.\n"
        read = {
            "csv": pd.read_csv,
            "parquet": pd.read_parquet,
            "jsonl": lambda p: pd.read_json(p, lines=True),
        }
        frames[ending] = read[ending](path)
    for frame in frames.values():
        assert list(frame.columns) == [
            *("id", "label", "prediction", "confidence", "draw", "q", "weight", "n_draws", "who", "time"),
            *("seconds", "first_key_seconds", "is_changed", "is_flagged", "note"),
        ]
        assert frame["id"].astype(str).tolist() == [
            event.instance_id for event in sorted(session_labels(session), key=lambda event: event.draw)
        ]
        table = session.labels_table()
        assert frame["label"].tolist() == table["label"].tolist()
        assert frame["weight"].tolist() == pytest.approx(table["weight"].tolist())
        assert frame["is_changed"].sum() == 1
    assert frames["csv"]["q"].tolist() == pytest.approx(frames["parquet"]["q"].tolist())
    assert str(frames["parquet"]["time"].dtype).startswith("datetime64[ms, UTC")
    # What a person wrote is no formula in a spreadsheet, and what he wrote elsewhere.
    assert frames["csv"]["note"].dropna().tolist() == ["'=1+1"]
    assert frames["parquet"]["note"].dropna().tolist() == ["=1+1"]
    assert not (tmp_path / "labels.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def session_labels(session: Session) -> list:
    return [action for action in session.log.actions if action.kind == "label"]


KINDS = {"marked_texts": "bool", "pairs": "str", "records": "float", "rankings": "dict", "images": "int"}
"""The types of their labels."""


@pytest.mark.parametrize("task", KINDS)
def test_any_kind_of_label_is_exported(make_session: Maker, tmp_path: Path, task: str) -> None:
    session = make_session(task, protocol="papers", name="it")
    write_session(session, tmp_path / "it.json")
    run("sessions", "import", tmp_path / "it.json", "--store", tmp_path / "s.sqlite")
    for rows, ending in product(("labels", "draws", "events"), ("csv", "parquet", "jsonl")):
        path = tmp_path / f"{rows}.{ending}"
        result = run("sessions", "export", "it", "-o", path, "--rows", rows, "--store", tmp_path / "s.sqlite")
        assert result.exit_code == 0, result.output
        if ending == "jsonl":
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            if rows == "labels":
                assert [line["label"] for line in lines] == session.labels_table()["label"].tolist()
                kinds = {type(line["label"]) for line in lines}
                assert [each.__name__ for each in kinds] == [KINDS[task]]
            assert len(lines) == {"labels": 24, "events": len(session.log)}.get(rows, len(lines))
        if ending == "parquet" and rows == "labels":
            label = pd.read_parquet(path)["label"].tolist()
            assert len(label) == 24
            assert {type(each) for each in label} <= {bool, str, float, int}


def test_a_table_without_labels_has_the_types_of_one_with_labels(make_session: Maker, tmp_path: Path) -> None:
    types = []
    for n_labels in (0, 12):
        path = tmp_path / f"{n_labels}.parquet"
        write_parquet(labels_frame(make_session(n_labels=n_labels)), path)
        types.append(dict(pd.read_parquet(path, dtype_backend="pyarrow").dtypes.astype(str)))
    empty, full = types
    assert list(empty) == list(full)
    assert {name for name in full if empty[name] != full[name]} <= {"label", "prediction", "confidence"}


def test_draws_repeat_and_have_the_answer(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", protocol="papers", name="it", n=12, n_labels=10)
    write_session(session, tmp_path / "it.json")
    run("sessions", "import", tmp_path / "it.json", "--store", tmp_path / "s.sqlite")
    result = run("sessions", "export", "it", "-o", tmp_path / "d.csv", "--rows", "draws", "--store", tmp_path / "s.sqlite")  # fmt: skip  # noqa: E501
    assert result.exit_code == 0
    frame = pd.read_csv(tmp_path / "d.csv")
    assert frame["draw"].is_monotonic_increasing
    assert frame["id"].duplicated().any()
    assert set(frame["answer"]) == {"label", "excluded"}
    assert (frame["label"].isna() == (frame["answer"] == "excluded")).all()
    assert (frame["weight"] * frame["q"] * 12).tolist() == pytest.approx([1] * len(frame))


def test_the_whole_session_goes_to_another_store_and_on(store: Path, tmp_path: Path) -> None:
    exported = tmp_path / "again.json"
    result = run("sessions", "export", "Ada", "-o", exported, "--store", store)
    assert result.exit_code == 0
    outcome = verify(exported)
    assert outcome.follows
    assert outcome.sha256 in result.output
    other = tmp_path / "other.sqlite"
    assert run("sessions", "import", exported, "--store", other, "--name", "Bob").exit_code == 0
    shown = run("sessions", "show", "Bob", "--store", other)
    assert outcome.sha256 in shown.output
    ours, theirs = (read_session_file(each).open() for each in (exported, tmp_path / "ada.json"))
    assert ours.upcoming(9) == theirs.upcoming(9)


def test_an_import_leaves_the_pool_of_a_session_that_is_there(tmp_path: Path) -> None:
    table = tmp_path / "mails.csv"
    table.write_text("id,text,p_ham,p_spam\n" + "".join(f"m{n},Mail {n},0.8,0.2\n" for n in range(30)))
    settings = EvaluationSettings(table, measure="accuracy")
    store = tmp_path / "labels.sqlite"
    app = evaluation.build({"settings": settings.to_dict(), "store": store}, {"session": None, "who": "Ada"})
    session = give_labels(app.session, "ham", 4)
    exported = tmp_path / "mails.json"
    assert run("sessions", "export", "mails", "-o", exported, "--store", store).exit_code == 0
    result = run("sessions", "import", exported, "--store", store)
    assert "Already in the store: session 'mails', 4 labels. Its pool is read from where it" in result.output
    tasks = tmp_path / "tasks.csv"
    result = run("sessions", "draw", "mails", "--n", 2, "-o", tasks, "--store", store)
    assert "ids only" not in result.output
    assert pd.read_csv(tasks)["text"].str.startswith("Mail ").all()

    elsewhere = tmp_path / "other.sqlite"
    assert "Imported" in run("sessions", "import", exported, "--store", elsewhere).output
    result = run("sessions", "draw", "mails", "--n", 2, "-o", tmp_path / "ids.csv", "--store", elsewhere)
    assert "They have ids only, as the pool is read from an export without contents: --from" in result.output
    # What the store lacks is added, and the message does not say that all of it was there.
    session.refresh()
    give_labels(session, "ham", 1)
    later = tmp_path / "later.json"
    write_session(session, later)
    third = tmp_path / "third.sqlite"
    for file, words in ((exported, "Imported"), (later, "Imported"), (exported, "Already in the store")):
        assert f"{words}: session 'mails'" in run("sessions", "import", file, "--store", third).output


def test_an_export_that_would_say_nothing_is_refused(store: Path, tmp_path: Path) -> None:
    for arguments, message in (
        (("-o", tmp_path / "it.qrels"), "Only grades of rankings can be written as qrels"),
        (("-o", tmp_path / "it.json", "--rows", "draws"), "--rows draws is for a table: .csv, .jsonl or"),
    ):
        result = run("sessions", "export", "Ada", *arguments, "--store", store)
        assert result.exit_code == 1
        assert message in result.output
    assert not list(tmp_path.glob("it.*"))


def test_a_file_that_is_no_json_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("id,label\n")
    for command in (["verify"], ["sessions", "import"]):
        result = run(*command, tmp_path / "labels.csv")
        assert result.exit_code == 1
        assert "it is not JSON: Expecting value" in result.output
        assert "`activeeval-widgets sessions export NAME --output FILE.json`" in result.output


def test_another_session_of_the_name_is_not_touched(make_session: Maker, store: Path, tmp_path: Path) -> None:
    write_session(make_session("texts", name="Ada", seed=9), tmp_path / "other.json")
    result = run("sessions", "import", tmp_path / "other.json", "--store", store)
    assert result.exit_code == 1
    assert "another session 'Ada' already. Import this one under another name: --name" in result.output
    assert run("sessions", "show", "Ada", "--store", store).output.count("seed 5") == 1


def test_what_does_not_follow_is_not_imported(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "ada.json"
    path.write_text(path.read_text().replace('"value":"spam"', '"value":"ham"', 1))
    other = tmp_path / "other.sqlite"
    result = run("sessions", "import", path, "--store", other)
    assert result.exit_code == 1
    assert "ada.json does not follow from its log, so nothing was imported:\n- event" in result.output
    assert not other.exists() or open_store(other).names() == []
    # The session that was imported before reads its pool from there; its log is in the store, as it was.
    shown = run("sessions", "show", "Ada", "--store", store)
    assert shown.exit_code == 0
    assert "24 of 30" in shown.output
    path.write_text(path.read_text().replace('"ids": [\n"0"', '"ids": [\n"zero"', 1))
    shown = run("sessions", "show", "Ada", "--store", store)
    assert shown.exit_code == 1
    assert "was begun with other ids than" in shown.output
    assert "Put it back as it was, or name the right one" in shown.output
    path.unlink()
    shown = run("sessions", "show", "Ada", "--store", store)
    assert "ada.json, which is gone. If it was moved, give it with --from" in shown.output


def test_a_report_and_its_hash(store: Path, tmp_path: Path) -> None:
    for ending in ("html", "md"):
        path = tmp_path / f"report.{ending}"
        assert run("sessions", "report", "Ada", "-o", path, "--store", store).output == f"Wrote {path}.\n"
        result = run("verify", tmp_path / "ada.json", "--report", path)
        assert result.exit_code == 0
        assert f"report.{ending} is of this session, as it is in the file." in result.output
    refused = run("sessions", "report", "Ada", "-o", tmp_path / "report.pdf", "--store", store)
    assert refused.exit_code == 2
    assert "must end in .html or .md" in refused.output
    session = read_session_file(tmp_path / "ada.json").open(store)
    session.label("spam")
    session.store.close()
    later = tmp_path / "later.json"
    run("sessions", "export", "Ada", "-o", later, "--store", store)
    result = run("verify", later, "--report", tmp_path / "report.html")
    assert result.exit_code == 0
    assert "is of this session after event" in result.output
    for ending in ("html", "md"):  # of the session as it is now
        newer = tmp_path / f"newer.{ending}"
        run("sessions", "report", "Ada", "-o", newer, "--store", store)
        result = run("verify", tmp_path / "ada.json", "--report", newer)
        assert result.exit_code == 1
        assert f"newer.{ending} is of this pool and seed, but after events that the file" in result.output
        newer.write_text(re.sub(r"seed (\d+)", r"seed \g<1>1", newer.read_text()))
        assert "is not of this session" in run("verify", tmp_path / "ada.json", "--report", newer).output
    (tmp_path / "other.html").write_text("<p>nothing</p>")
    result = run("verify", later, "--report", tmp_path / "other.html")
    assert result.exit_code == 1
    assert "is not of this session" in result.output


def test_verify_shows_and_its_exit_status_is_the_answer(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "ada.json"
    result = run("verify", path)
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "Every number follows from the log."
    text = path.read_text()
    path.write_text(text.replace('"n_labels": 24', '"n_labels": 25', 1))
    result = run("verify", path)
    assert result.exit_code == 1
    assert (
        "- summary, n_labels: it is 25, but 24 follows from the log\n1 thing does not follow."
        in result.output
    )
    path.write_text("{")
    result = run("verify", path)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {path}: ")
    assert run("verify", tmp_path / "none.json").exit_code == 2


def test_a_file_that_cannot_be_written_or_is_of_no_format_is_reported(store: Path, tmp_path: Path) -> None:
    result = run("sessions", "export", "Ada", "-o", tmp_path / "none" / "l.csv", "--store", store)
    assert result.exit_code == 1
    assert "can't be written: No such file or directory." in result.output
    result = run("sessions", "export", "Ada", "-o", tmp_path / "l.xlsx", "--store", store)
    assert result.exit_code == 2
    assert "l.xlsx has an unknown ending" in result.output


def test_a_session_of_a_notebook_is_found_by_its_export(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", name="mine", store=tmp_path / "s.sqlite")
    write_session(session, tmp_path / "mine.json")
    session.label("ham")
    session.store.close()
    result = run("sessions", "show", "mine", "--store", tmp_path / "s.sqlite")
    assert result.exit_code == 1
    assert "was begun in a notebook, so it is not known" in result.output
    assert "--from" in result.output
    result = run(
        "sessions", "show", "mine", "--store", tmp_path / "s.sqlite", "--from", tmp_path / "mine.json"
    )
    assert result.exit_code == 0, result.output
    # All that the store holds, not what there was when it was exported.
    assert "25; 1 excluded" in result.output
    write_session(make_session("texts", name="mine", n=30), tmp_path / "mine.json")
    result = run(
        "sessions", "show", "mine", "--store", tmp_path / "s.sqlite", "--from", tmp_path / "mine.json"
    )
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("list", {"--archived", "--store"}),
        ("show", {"--from", "--store"}),
        ("export", {"--output", "-o", "--format", "--rows", "--with-contents", "--from", "--store"}),
        ("import", {"--name", "--store"}),
        ("report", {"--output", "-o", "--title", "--from", "--store"}),
    ],
)
def test_every_command_has_help(command: str, options: set[str]) -> None:
    result = run("sessions", command, "--help")
    assert result.exit_code == 0
    found = cli.main.commands["sessions"].commands[command]
    assert {name for parameter in found.params for name in parameter.opts if name.startswith("-")} == options
    assert all(option in result.output for option in options)


def test_a_session_of_a_file_is_opened_from_that_file_as_long_as_it_is_the_same(tmp_path: Path) -> None:
    file, store = tmp_path / "mails.csv", str(tmp_path / "s.sqlite")
    rows = [(f"m{i}", f"mail {i}", round(0.02 * i, 2)) for i in range(60)]

    def write(shift: float) -> None:
        lines = [
            f"{name},{text},{min(p + shift, 1):.2f},{1 - min(p + shift, 1):.2f}" for name, text, p in rows
        ]
        file.write_text("\n".join(["id,body,ham,spam", *lines]) + "\n")

    write(0)
    settings = EvaluationSettings(file, measure="f1", positive="spam", budget=20)
    app = evaluation.build({"settings": settings.to_dict(), "store": store}, {"session": None, "who": "Ada"})
    give_labels(app.session, "ham", 3)
    app.close()
    shown = run("sessions", "show", "mails", "--store", store)
    for text in ("mails.csv", "F1 of spam", "3 of 20", "By:          Ada"):
        assert text in shown.output
    run("sessions", "export", "mails", "-o", tmp_path / "mails.json", "--store", store)
    assert verify(tmp_path / "mails.json").follows
    write(0.1)
    shown = run("sessions", "show", "mails", "--store", store)
    assert shown.exit_code == 1
    assert f"was begun with other predictions than {file} holds now: the file has changed" in shown.output
    file.unlink()
    shown = run("sessions", "show", "mails", "--store", store)
    assert f"was read from {file}, which is gone" in shown.output
    shown = run("sessions", "show", "mails", "--store", store, "--from", tmp_path / "mails.json")
    assert shown.exit_code == 0
    assert "3 of 20" in shown.output


def test_a_session_on_a_streamed_folder_goes_on_elsewhere(tmp_path: Path) -> None:
    folder, store, export = tmp_path / "mails", str(tmp_path / "s.sqlite"), tmp_path / "mails.json"
    folder.mkdir()
    share = [round(0.01 * (i % 97), 2) for i in range(300)]
    table = pd.DataFrame(
        {"body": [f"mail {i}" for i in range(300)], "p_ham": share, "lang": ["en", "de"] * 150}
    )
    table["p_spam"] = 1 - table["p_ham"]
    for part in range(3):
        table[part::3].to_parquet(folder / f"{part}.parquet")
    columns = Columns(text="body", group="lang")
    settings = EvaluationSettings(folder, columns, measure="f1", positive="spam")
    app = evaluation.build({"settings": settings.to_dict(), "store": store}, {"session": None, "who": "Ada"})
    give_labels(app.session, "ham", 12)
    app.close()
    assert "SHA-256" in run("sessions", "export", "mails", "-o", export, "--store", store).output
    found = run("verify", export)
    assert found.exit_code == 0
    assert "The data set was not looked at" in found.output
    settings.write(tmp_path / "evaluation.toml")
    settings.write(tmp_path / "E.TOML")
    for source in ("evaluation.toml", "E.TOML", "."):  # as serve takes them
        found = run("verify", export, "--from", tmp_path / source)
        assert (found.exit_code, found.output.splitlines()[-1]) == (0, "Every number follows from the log.")
    result = run("sessions", "import", export, "--store", tmp_path / "t.sqlite")
    assert "12 labels. Keep" in result.output
    assert "It holds what was drawn: to go on, serve the data set, or name it with --from." in result.output
    there = ("--store", tmp_path / "t.sqlite")
    assert run("sessions", "report", "mails", "-o", tmp_path / "r.html", *there).exit_code == 0
    result = run("sessions", "draw", "mails", "--n", 90, "-o", tmp_path / "t.csv", *there)
    assert result.exit_code == 1
    assert "are only in the data set" in result.output
    draw = ("sessions", "draw", "mails", "--n", 90, "-o", tmp_path / "t.csv", "--force")
    for store_of in (there, ("--store", store)):
        result = run(*draw, *store_of, "--from", tmp_path / "evaluation.toml")
        assert "90 draws" in result.output, result.output
    (folder / "2.parquet").unlink()
    found = run("verify", export, "--from", tmp_path / "evaluation.toml")
    assert found.exit_code == 1
    assert "predictions: their digest is" in found.output
    shown = run("sessions", "show", "mails", "--store", store)
    assert f"predictions than {folder} holds now: the file has changed" in shown.output


def test_a_session_of_a_python_file_is_made_by_it(tmp_path: Path) -> None:
    path, store = tmp_path / "four.py", tmp_path / "s.sqlite"
    path.write_text(
        "from activeeval_widgets import Pool, Session\n"
        "from activeeval_widgets.stats import ErrorRate, uniform_q\n"
        "pool = Pool(list('abcd'), predictions=[[0.9, 0.1]] * 4)\n"
        f"Session(pool, ErrorRate(), q=uniform_q(4), store={str(store)!r}, name='four')\n"
    )
    spec = {"kind": "python", "file": str(path), "folder": str(tmp_path), "store": str(store)}
    app = python_file.build(spec, {"session": None, "who": None})
    app.session.label(1)
    app.close()
    shown = run("sessions", "show", "four", "--store", store)
    assert shown.exit_code == 0, shown.output
    assert "Labels:      1" in shown.output
    path.write_text("1 / 0\n")
    shown = run("sessions", "show", "four", "--store", store)
    assert shown.exit_code == 1
    assert "Error: " in shown.output


def test_another_confidence_level_comes_back_and_is_reported(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", name="Ada", confidence_level=0.8)
    write_session(session, tmp_path / "ada.json", with_contents=True)
    path = tmp_path / "labels.sqlite"
    assert run("sessions", "import", tmp_path / "ada.json", "--store", path).exit_code == 0
    listed = run("sessions", "list", "--store", path).output.splitlines()[1]
    assert re.search(r" \(80%: [0-9.]+ to [0-9.]+\)", listed), listed
    assert "80% interval: " in run("sessions", "show", "Ada", "--store", path).output
    assert run("sessions", "report", "Ada", "-o", tmp_path / "ada.md", "--store", path).exit_code == 0
    report = (tmp_path / "ada.md").read_text(encoding="utf-8")
    assert "80% interval, Wald" in report
    assert "95% interval" not in report
    shown = run("sessions", "export", "Ada", "--store", path, "--output", tmp_path / "again.json")
    assert shown.exit_code == 0, shown.output
    assert verify(tmp_path / "again.json").findings == ()
    assert read_session_file(tmp_path / "again.json").open().confidence_level == 0.8
