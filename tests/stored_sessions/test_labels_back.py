"""Labels that were exported, taken in by another session of the same pool: they are the same."""

import json
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from activeeval_widgets import Pool, Session
from activeeval_widgets.app import cli
from activeeval_widgets.app.pages.evaluation import begin
from activeeval_widgets.app.stored_sessions.export import write_export
from activeeval_widgets.app.stored_sessions.output_check import check_output
from activeeval_widgets.formats.evaluation_logs.inspect_logs import read_inspect_archive
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.tasks import FORMATS, read_answers
from activeeval_widgets.session import open_store
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets.result.session_details import keep_details

LOGS = Path(__file__).parents[1] / "formats" / "logs"
KINDS = ("csv", "parquet", "jsonl", "label-studio", "prodigy", "inspect")
ENDINGS = {"label-studio": "json", "prodigy": "jsonl", "inspect": "py"}


def labeled(session: Session, labels: dict[str, Any]) -> Session:
    while (drawn := session.next()) is not None:
        if drawn.instance_id in labels:
            session.label(labels[drawn.instance_id])
            session.note(f"note on {drawn.instance_id}", drawn.index)
        else:
            session.exclude()
    return session


def again(session: Session) -> Session:
    """Another session of the same pool, with all of its draws handed out."""
    other = Session(session.pool, session.measure, seed=7)
    other.offline.export(session.pool.n_instances)
    return other


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_number", [False, True])
def test_what_is_exported_comes_back(
    make_session: Callable[..., Session], tmp_path: Path, kind: str, is_number: bool
) -> None:
    session = make_session("records" if is_number else "texts", n_labels=14)
    path = tmp_path / f"labels.{ENDINGS.get(kind, kind)}"
    write_export(session, path, kind, "labels", with_contents=False)
    other = again(session)
    result = other.offline.import_labels(read_answers(other, path))
    assert result.n_new == session.n_labels == 13
    there = [session.log.label_of(i) for i in range(session.pool.n_instances)]
    assert [other.log.label_of(i) for i in range(session.pool.n_instances)] == there


def test_inspect_has_scored_with_the_labels(tmp_path: Path) -> None:
    """`logs/scored.eval` is what Inspect 0.3.285 made of `inspect.eval` with the scorer that is made here."""
    pool = Pool.read(LOGS / "inspect.eval", score="judge")
    given = {"q0": "correct", "q1": "incorrect", "q3": "correct"}
    session = labeled(Session(pool, ErrorRate(), seed=3), given)
    path = tmp_path / "people.py"
    write_export(session, path, "inspect", "labels", with_contents=False)
    scored = LOGS / "scored.eval"
    table = read_inspect_archive(scored)
    assert list(table.log.scorers) == ["includes", "judge", "helpfulness", "people"]
    for file in (path, scored):
        other = again(session)
        other.offline.import_labels(read_answers(other, file))
        assert {
            pool.ids[i]: other.log.label_of(i) for i in range(4) if other.log.label_of(i) is not None
        } == given


def test_the_scorer_gives_each_sample_its_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with a stand-in for Inspect's names: which sample gets what."""
    pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, ids=['s"1', "s2, epoch 2", "s3'''\"\"\"{x}\\"])
    session = labeled(Session(pool, ErrorRate()), {'s"1': 0, "s2, epoch 2": 1, "s3'''\"\"\"{x}\\": 1})
    path = tmp_path / "labels.py"
    write_export(session, path, "inspect", "labels", with_contents=False)
    scorers = types.ModuleType("inspect_ai.scorer")
    names: dict[str, Any] = dict.fromkeys(("Metric", "Scorer", "Target"), object)
    names |= {"metric": lambda f: f, "Score": dict, "scorer": lambda metrics: lambda f: f}
    scorers.__dict__.update(names)
    solver = types.ModuleType("inspect_ai.solver")
    solver.__dict__["TaskState"] = object
    package = {
        "inspect_ai": types.ModuleType("inspect_ai"),
        "inspect_ai.scorer": scorers,
        "inspect_ai.solver": solver,
    }
    for name, module in package.items():
        monkeypatch.setitem(__import__("sys").modules, name, module)
    made: dict[str, Any] = {}
    exec(compile(path.read_text(), "labels.py", "exec"), made)

    def scored(sample: Any, epoch: int) -> Any:
        run = made["people"]()(types.SimpleNamespace(sample_id=sample, epoch=epoch), None)
        with pytest.raises(StopIteration) as stopped:
            run.send(None)
        return stopped.value.value

    assert scored('s"1', 1) == {"value": "0", "explanation": 'note on s"1'}
    assert scored("s2", 2)["value"] == "1"
    assert scored("s3'''\"\"\"{x}\\", 1)["value"] == "1"
    assert scored("s2", 1) is None
    found = session.estimate()
    assert made["estimate"]()([]) == pytest.approx(
        {"value": found.value, "low": found.low, "high": found.high}
    )


def test_what_is_no_scorer_is_refused(make_session: Callable[..., Session], tmp_path: Path) -> None:
    session = make_session("texts")
    path = tmp_path / "x.py"
    path.write_text("raise SystemExit  # is not run")
    with pytest.raises(ValueError, match=r"x.py is not a scorer that sessions export wrote"):
        read_answers(session, path)
    with pytest.raises(
        ValueError, match=r"inspect.eval has no scores of 'people' \(its scorers: includes, judge"
    ):
        read_answers(session, LOGS / "inspect.eval")
    (tmp_path / "x.jsonl").write_text('{"id": "a", "label": "ham"}\n{"id": "b"}')
    with pytest.raises(ValueError, match=r"x.jsonl, row 2 has no 'label'"):
        read_answers(session, tmp_path / "x.jsonl")
    (tmp_path / "x.jsonl").write_text('{"id": "a", "label": "ham", "label": "spam"}')
    with pytest.raises(ValueError, match=r"x.jsonl, line 1 is not JSON: the name 'label' occurs twice"):
        read_answers(session, tmp_path / "x.jsonl")
    for name in ("inspect", "table"):
        with pytest.raises(ValueError, match="can't be handed out"):
            FORMATS[name].write(session, [], with_predictions=False)


# -- nothing is overwritten that somebody may need


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, list(map(str, arguments)), terminal_width=200)


@pytest.fixture
def mails(tmp_path: Path) -> tuple[Path, tuple[object, ...]]:
    """A file whose session is in a store, and the option that names the store."""
    path = tmp_path / "mails.csv"
    rows = [f"m{i},text {i},{i / 20},{1 - i / 20}" for i in range(20)]
    path.write_text("\n".join(["id,text,p_ham,p_spam", *rows]))
    settings = EvaluationSettings(path)
    source = {"kind": "evaluation", "settings": settings.to_dict()}
    keep_details(begin(settings, open_store(tmp_path / "s.sqlite")), {"source": source})
    return path, ("--store", tmp_path / "s.sqlite")


@pytest.mark.parametrize("command", [("export",), ("draw", "--n", "3", "--force")])
def test_the_files_of_a_session_are_not_written_to(
    mails: Any, tmp_path: Path, command: tuple[str, ...]
) -> None:
    path, store = mails
    before = path.read_bytes()
    name, *rest = command
    result = run("sessions", name, "mails", *rest, "-o", path, *store)
    assert result.exit_code == 1
    assert f"{path} can't be written: the session is made of it. Name another file" in result.output
    assert path.read_bytes() == before
    result = run("sessions", name, "mails", *rest, "-o", tmp_path / "s.sqlite", "--format", "csv", *store)
    assert "the sessions are kept in it" in result.output


def test_tasks_that_were_filled_in_are_not_overwritten(mails: Any, tmp_path: Path) -> None:
    _, store = mails
    tasks = tmp_path / "tasks.csv"
    draw = ("sessions", "draw", "mails", "--n", 3, "-o", tasks, *store)
    assert run(*draw).exit_code == 0
    assert run(*draw).exit_code == 0  # as it was written
    sheet = pd.read_csv(tasks, dtype=str)
    sheet["label"] = "ham"
    sheet.to_csv(tasks, index=False)
    result = run(*draw)
    assert result.exit_code == 1
    assert "somebody may have filled it in. Name another file, or overwrite it with --force" in result.output
    assert pd.read_csv(tasks)["label"].tolist() == ["ham"] * 3
    (tmp_path / "notes.json").write_text(json.dumps([1]))
    assert run(*draw[:5], "-o", tmp_path / "notes.json", *store).exit_code == 1
    assert run(*draw, "--force").exit_code == 0
    assert pd.read_csv(tasks)["label"].isna().all()


def test_the_python_file_of_a_session_is_not_written_to(
    tmp_path: Path, make_session: Callable[..., Session]
) -> None:
    path, other = tmp_path / "mine.py", tmp_path / "labels.py"
    for file in (path, other):
        file.write_text("session = …")
    store = open_store(tmp_path / "s.sqlite")
    keep_details(
        make_session("texts", store=store, name="mine"), {"source": {"kind": "python", "file": str(path)}}
    )
    with pytest.raises(ValueError, match="the session is made of it"):
        check_output(path, store, "mine", None)
    with pytest.raises(ValueError, match="the session is made of it"):
        check_output(other, store, "mine", str(other))
    check_output(other, store, "mine", None)
