"""A session as a JSON file: all of it comes back, and goes on with the same draws."""

import json
from collections.abc import Callable
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import SessionMismatchError, SQLiteStore
from activeeval_widgets.session.log.events import to_record
from activeeval_widgets.session.report.session_hash import session_hash
from activeeval_widgets.stats import ClassPredictions, ErrorRate, RankingPredictions, uniform_q

from ..labeling import give_labels

Maker = Callable[..., Session]

TASKS = ("texts", "marked_texts", "pairs", "records", "rankings", "images")


def same(ours: Session, theirs: Session) -> None:
    assert list(map(to_record, ours.log)) == list(map(to_record, theirs.log))
    assert repr(ours.estimate()) == repr(theirs.estimate())
    assert ours.upcoming(8) == theirs.upcoming(8)
    assert ours.draws.weights().tolist() == theirs.draws.weights().tolist()


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("with_contents", [False, True])
def test_all_comes_back(
    make_session: Maker, tmp_path: Path, task: str, protocol: str, with_contents: bool
) -> None:
    session = make_session(task, protocol=protocol, budget=39, name="Ada's")
    path = write_session(session, tmp_path / "session.json", with_contents=with_contents)
    file = read_session_file(path)
    result = verify(file)
    assert result.findings == ()
    assert result.sha256 == file.sha256 == session_hash(session.findings)
    opened = file.open()
    same(session, opened)
    assert (opened.name, opened.budget, opened.pool.noun) == ("Ada's", 39, session.pool.noun)
    assert opened.pool.kind == (session.pool.kind if with_contents else "absent")
    for ours, theirs in zip(session.models, opened.models, strict=True):
        assert ours.name == theirs.name
        for a, b in zip(ours.arrays, theirs.arrays, strict=True):
            assert (a.dtype, a.tolist()) == (b.dtype, b.tolist())
    # It goes on: a label there and here leads to the same draws.
    for each in (session, opened):
        for _ in range(3):
            shown = each.next()
            assert shown is not None
            given = each.log.label_of(each.draws.labeled()[0][0])
            each.label(given if task != "rankings" else dict.fromkeys(each.pool.items(shown.index), 1))
    assert session.upcoming(9) == opened.upcoming(9)
    # What was opened is written again as it was, wherever its contents are.
    again = write_session(opened, tmp_path / "again.json")
    assert verify(again).follows
    assert session_hash(opened.findings) == read_session_file(again).sha256
    if with_contents:
        fingerprints = [pool.fingerprints for pool in (session.pool, opened.pool)]
        assert fingerprints[0] == fingerprints[1]


def session_of(column: Any, name: Any = "cell") -> Session:
    """Return a session on two records with one label."""
    frame = pd.DataFrame({"text": ["a", "b"]}).assign(cell=column)
    frame.columns = pd.Index(["text", name], dtype=object, tupleize_cols=False)
    session = Session(Pool(frame, predictions=[[0.9, 0.1], [0.4, 0.6]]), ErrorRate())
    session.label(1)
    return session


@pytest.mark.parametrize(
    "column",
    [
        [date(2020, 1, 2), None],
        [time(1, 2, 3), time(4, 5)],
        [Decimal("1.10"), None],
        [pd.Timestamp("2020-01-01 00:00:00.000000001", tz="Europe/Berlin"), pd.NaT],
        pd.Series(pd.to_timedelta(["1 min", None])),
        pd.Series(pd.period_range("2020-01", periods=2, freq="M")),
        pd.Series(pd.Categorical(pd.to_datetime(["2020-01-01", "2020-01-02"]))),
        pd.Series([1.5, 2.5], dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
        [[1, ["a"]], {"a": [1, None]}],
        [np.inf, -np.inf],
        pd.array([1, None], dtype="Int64"),
    ],
    ids=lambda column: str(column[0])[:20],
)
def test_cells_of_records_come_back(tmp_path: Path, column: Any) -> None:
    session = session_of(column)
    file = read_session_file(write_session(session, tmp_path / "a.json", with_contents=True))
    assert verify(file).findings == ()
    assert [file.pool.excerpt(i) for i in (0, 1)] == [session.pool.excerpt(i) for i in (0, 1)]
    assert file.open().estimate() == session.estimate()


def test_columns_of_two_levels_come_back(tmp_path: Path) -> None:
    session = session_of([1, 2], ("a", "x"))
    file = read_session_file(write_session(session, tmp_path / "a.json", with_contents=True))
    assert list(file.pool.instances.columns) == ["text", ("a", "x")]
    assert verify(file).findings == ()


@pytest.mark.parametrize(
    ("column", "name", "shown"),
    [
        (pd.interval_range(0, 2, periods=2), "bin", "column 'bin' of the records, such as Interval(0, 1"),
        ([b"x", b"y"], "bytes", "column 'bytes' of the records, such as b'x', can't be written"),
        ([None, np.zeros(2)], "v", "column 'v' of the records, such as array([0., 0.]), can't be"),
        ([1, 2], date(2020, 1, 1), "column datetime.date(2020, 1, 1) of the records, such as 1, can't"),
    ],
)
def test_a_column_that_can_not_come_back_is_refused_before_writing(
    tmp_path: Path, column: Any, name: Any, shown: str
) -> None:
    with pytest.raises(TypeError) as error:
        write_session(session_of(column, name), tmp_path / "a.json", with_contents=True)
    assert str(error.value).startswith(shown)
    assert str(error.value).endswith("or leave with_contents (--with-contents) out")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("q", ["uniform", "given"])
def test_a_q_that_was_given_comes_back(make_session: Maker, tmp_path: Path, q: str) -> None:
    given = uniform_q(40) if q == "uniform" else np.random.default_rng(0).dirichlet(np.ones(40))
    session = make_session(q=given)
    file = read_session_file(write_session(session, tmp_path / "session.json"))
    assert verify(file).findings == ()
    same(session, file.open())
    assert file.open().q.tolist() == given.tolist()
    assert file.open().draws.defensive is None


def test_contents_are_written_only_where_they_are_asked_for(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts")
    assert "text 7" not in write_session(session, tmp_path / "a.json").read_text()
    assert "text 7" in write_session(session, tmp_path / "b.json", with_contents=True).read_text()
    # They are no part of the hash.
    hashes = {read_session_file(tmp_path / name).sha256 for name in ("a.json", "b.json")}
    assert len(hashes) == 1


def test_the_pool_with_its_contents_can_be_given(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts")
    file = read_session_file(write_session(session, tmp_path / "session.json"))
    opened = file.open(pool=session.pool)
    same(session, opened)
    assert opened.pool.instances == session.pool.instances


def test_it_goes_on_in_the_store_it_was_opened_into(make_session: Maker, tmp_path: Path) -> None:
    session = make_session("texts", name="Ada")
    file = read_session_file(write_session(session, tmp_path / "session.json"))
    opened = file.open(tmp_path / "labels.sqlite")
    opened.label("ham")
    n = len(opened.log)
    opened.store.close()
    # Opened into the same store again, it is as it was left there.
    again = file.open(tmp_path / "labels.sqlite")
    assert (len(again.log), again.n_labels) == (n, session.n_labels + 1)
    assert SQLiteStore(tmp_path / "labels.sqlite").names() == ["Ada"]
    other = make_session("texts", name="Ada", n_labels=7, seed=6)
    other_file = read_session_file(write_session(other, tmp_path / "other.json"))
    with pytest.raises(SessionMismatchError, match="Ada"):
        other_file.open(tmp_path / "labels.sqlite")
    assert other_file.open(tmp_path / "labels.sqlite", name="Bob").n_labels == 7
    again.store.close()


def test_a_report_names_the_hash_of_the_file(make_session: Maker, tmp_path: Path) -> None:
    session = make_session()
    content = verify(write_session(session, tmp_path / "session.json"))
    for kind in ("html", "markdown"):
        assert content.sha256 in session.report(format=kind)
    # A later file still knows the hash of an earlier report.
    earlier = content.sha256
    shown = session.next()
    assert shown is not None
    session.label("ham")
    later = verify(write_session(session, tmp_path / "session.json"))
    assert later.sha256 != earlier
    assert earlier in later.hashes


def test_the_hash_does_not_depend_on_where_it_is_computed(make_session: Maker) -> None:
    # Of labels that came over the wire as they come from a page, and of a budget that was set.
    first, second = make_session(budget=30), make_session(budget=35)
    second_times = [event.time for event in second.log]
    assert len(second_times) == len(first.log)
    assert session_hash(first.findings) != ""
    assert len(session_hash(first.findings)) == 64


def test_numbers_and_strings_stay_apart(tmp_path: Path) -> None:
    proba = np.full((4, 2), 0.5)
    for classes in ([1, 2], ["1", "2"], [1.0, 2.0], [False, True], np.array([1, 2], dtype=np.uint8)):
        session = Session(Pool(list("abcd"), predictions=ClassPredictions(proba, classes)), ErrorRate())
        label = session.models[0].classes[1]
        session.label(label)
        path = write_session(session, tmp_path / "session.json")
        opened = read_session_file(path).open()
        assert opened.models[0].classes.dtype == session.models[0].classes.dtype
        [given] = [event for event in opened.log if event.kind == "label"]
        assert type(given.value) is type(label.item())
        assert verify(path).follows


def test_every_float_comes_back_bit_for_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y_proba = rng.dirichlet(np.full(4, 0.05), size=200)  # many of them are tiny
    session = Session(Pool(range(200), predictions=y_proba, kind="custom"), ErrorRate())
    model = read_session_file(write_session(session, tmp_path / "session.json")).pool.models[0]
    assert isinstance(model, ClassPredictions)
    assert model.y_proba.tobytes() == session.models[0].arrays[0].tobytes()


def test_a_hundred_thousand_instances_are_no_trouble(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    pool = Pool(range(100_000), predictions=rng.dirichlet([1, 1], size=100_000), kind="custom")
    session = Session(pool, ErrorRate(), protocol="papers")
    give_labels(session, 1, 20)
    path = write_session(session, tmp_path / "session.json")
    assert path.stat().st_size < 8e6
    assert verify(path).follows


def test_what_cannot_be_written_is_reported_and_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text("before")
    ranker = RankingPredictions([[("a", 1)]], [{("a", 1): [0.5, 0.5]}], grades=[0, 1])
    from activeeval_widgets.stats import DCG

    session = Session(Pool([0], predictions=ranker, kind="custom"), DCG())
    with pytest.raises(TypeError, match="an item's id is"):
        write_session(session, path)
    custom = Session(Pool([0, 1], predictions=[[0.5, 0.5]] * 2, kind="custom"), ErrorRate())
    with pytest.raises(TypeError, match="'custom' can't be written"):
        write_session(custom, path, with_contents=True)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def damage(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("format"), "it is not a session: 'format' is missing"),
        (lambda d: d.update(version=2), "'version' is 2, expected at most 1: update"),
        (lambda d: d.update(version=True), "'version' is True"),
        (lambda d: d.pop("log"), "'log' is missing, expected a list"),
        (lambda d: d.update(settings=[]), r"'settings' is \[\], expected an object"),
        (lambda d: d["settings"].pop("seed"), "'settings' has no 'seed'"),
        (lambda d: d["settings"].pop("deadlines"), "'settings' has no 'deadlines'"),
        (lambda d: d["log"].insert(0, 3), r"log\[0\] is 3, expected an object"),
        (lambda d: d.update(predictions=[]), "'predictions' holds no model"),
        (lambda d: d["settings"].update(measure="__import__('os').system('x')"), "none of this package's"),
        (lambda d: d["settings"].update(measure="ErrorRate"), "it is not a call"),
        (lambda d: d["predictions"][0].update(kind="x"), "of the kind 'x', expected one of"),
        (lambda d: d["predictions"][0].pop("y_proba"), "the predictions have no 'y_proba'"),
        (lambda d: d["predictions"][0]["y_proba"].pop(), "40 .*39|39 .*40"),
        (lambda d: d["pool"].update(ids=[0] * 40), "'ids' must be texts"),
        (lambda d: d["predictions"][0]["classes"].update(dtype="O"), "expected booleans, numbers or strings"),
    ],
)
def test_what_is_no_session_is_refused_with_its_place(
    make_session: Maker, tmp_path: Path, change: Callable[[dict[str, Any]], Any], message: str
) -> None:
    path = write_session(make_session(), tmp_path / "session.json")
    damage(path, change)
    with pytest.raises(ValueError, match=message) as error:
        verify(path)
    assert str(error.value).startswith(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "Expecting value"),
        (b"\xff\xfe\x00", "it is not UTF-8 text"),
        (b'{"format": NaN}', "NaN is not a number in JSON"),
        (b'{"a": 1, "a": 2}', "the name 'a' occurs twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b"id,label\n1,spam\n", "Expecting value|Extra data"),
    ],
)
def test_what_is_no_json_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_session_file(path)
