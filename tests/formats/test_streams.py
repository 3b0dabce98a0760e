"""Data sets that are not read into memory: the same draws and estimates as if they were."""

import json
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import (
    FileProblemsError,
    examine,
    read_session_file,
    verify,
    write_session,
)
from activeeval_widgets.formats.streams import streamed_pool
from activeeval_widgets.session import MemoryStore, SessionMismatchError, SQLiteStore
from activeeval_widgets.session.pool.fetched_predictions import PoolChangedError
from activeeval_widgets.session.report.session_hash import session_hash
from activeeval_widgets.stats import ROCAUC, AbsoluteError, ErrorRate, FMeasure, LogLoss, SquaredError

M = 3_000
LABELS = ("no", "yes")


def _table(m: int = M, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    p = rng.beta(0.3, 0.7, m).astype(np.float32)
    other = np.clip(p + 0.1 * rng.normal(size=m), 0, 1).astype(np.float32)
    return pd.DataFrame(
        {
            "text": [f"text {i}" for i in range(m)],
            "p_no": 1 - p,
            "p_yes": p,
            "b_no": 1 - other,
            "b_yes": other,
            "mean": 10 * p,
            "variance": 0.1 + p,
        }
    )


CLASSES = {"text": "text", "proba": ["p_no", "p_yes"]}
VALUES = {"text": "text", "mean": "mean", "variance": "variance"}


def _pools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **columns: Any) -> tuple[Pool, Pool]:
    """The same rows in memory and streamed; both so large that rows are shared."""
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 10)
    path = tmp_path / "pool.parquet"
    _table().to_parquet(path, row_group_size=700)
    in_memory = Pool.read(path, **columns)
    monkeypatch.setattr(streamed_pool, "LARGEST_COPIED", 0)
    return in_memory, Pool.read(path, **columns)


def _run(session: Session, labels: Any, n: int = 40) -> Session:
    for at in range(n):
        asked = session.next()
        if at % 9 == 5:
            session.exclude()
        else:
            session.label(labels[asked.index])
    return session


def _labels() -> list[str]:
    rng = np.random.default_rng(1)
    return [LABELS[int(is_yes)] for is_yes in rng.random(M) < _table()["p_yes"]]


def _assert_same(one: Session, other: Session) -> None:
    assert one.estimate() == other.estimate()
    assert one.estimate(interval="wald") == other.estimate(interval="wald")
    assert [e.q for e in one.upcoming(9)] == [e.q for e in other.upcoming(9)]
    assert one.draws.so_far().tolist() == other.draws.so_far().tolist()


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(positive="yes"), LogLoss()], ids=repr)
def test_draws_and_estimates_are_those_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measure: Any
) -> None:
    in_memory, elsewhere = _pools(tmp_path, monkeypatch, **CLASSES)
    assert (in_memory.is_streamed, elsewhere.is_streamed) == (False, True)
    sessions = [_run(Session(pool, measure), _labels()) for pool in (in_memory, elsewhere)]
    _assert_same(*sessions)
    tables = [session.labels_table().drop(columns="time") for session in sessions]
    assert tables[0].equals(tables[1])
    one, other = (session.report().split("## ")[1] for session in sessions)
    assert one == other
    assert [trial.n_observed for trial in sessions[0].findings.trials()] == [
        trial.n_observed for trial in sessions[1].findings.trials()
    ]


@pytest.mark.parametrize("measure", [SquaredError(), AbsoluteError()], ids=repr)
def test_values_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measure: Any) -> None:
    pools = _pools(tmp_path, monkeypatch, **VALUES)
    y = np.random.default_rng(3).normal(10 * _table()["p_yes"], 1).tolist()
    _assert_same(*[_run(Session(pool, measure, y_range=(-9.0, 19.0)), y) for pool in pools])


def test_two_models_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pools = _pools(tmp_path, monkeypatch, text="text", compare=["p_", "b_"])
    assert len(pools[1].models) == 2
    _assert_same(*[_run(Session(pool, ErrorRate()), _labels()) for pool in pools])


def test_a_folder_is_one_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = _pools(tmp_path, monkeypatch, **CLASSES)
    folder = tmp_path / "parts"
    (folder / "year=2").mkdir(parents=True)
    table = _table()
    table[:1000].to_parquet(folder / "a.parquet")
    table[1000:1001].to_parquet(folder / "b.parquet")
    table[1001:].to_parquet(folder / "year=2" / "c.parquet")
    pool = Pool.read(folder, **CLASSES)
    assert (pool.is_streamed, pool.n_instances, pool.instances[1000]) == (True, M, "text 1000")
    _assert_same(*[_run(Session(each, ErrorRate()), _labels(), 20) for each in (whole, pool)])
    found = examine(folder)
    assert (found.n_rows, found.classes, found.problems) == (M, LABELS, ())
    parquet.write_table(pa.table({"other": [1]}), folder / "d.parquet")
    with pytest.raises(FileProblemsError, match=r"it has 'other', which a\.parquet has not"):
        Pool.read(folder)


def test_only_what_is_asked_for_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, pool = _pools(tmp_path, monkeypatch, **CLASSES)
    [model] = pool.models
    expected = _table()[["p_no", "p_yes"]].to_numpy(np.float64)
    assert np.array_equal(model.y_proba[[7, 2999, 7]], expected[[7, 2999, 7]])
    assert model.y_proba[1500, 1] == expected[1500, 1]
    assert model.describe(-1 + M).in_short.startswith(LABELS[int(expected[-1].argmax())])
    with pytest.raises(IndexError, match="outside the 3000"):
        model.y_proba[M]
    with pytest.raises(MemoryError, match="for all 3,000 instances are not in memory"):
        np.asarray(model.y_proba)
    with pytest.raises(ValueError, match="needs the predictions for all 3,000 instances in memory"):
        Session(pool, ROCAUC(positive="yes"))
    with pytest.raises(ValueError, match="protocol is 'papers', which needs"):
        Session(pool, ErrorRate(), protocol="papers")
    with pytest.raises(ValueError, match="needs the predictions for all 3,000"):
        Session(pool, ErrorRate()).estimate(ROCAUC(positive="yes"))
    with pytest.raises(ValueError, match="the contents of a data set that is not in memory can't be written"):
        write_session(Session(pool, ErrorRate()), tmp_path / "session.json", with_contents=True)


def test_what_is_wrong_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, pool = _pools(tmp_path, monkeypatch, **CLASSES)
    session = Session(pool, ErrorRate())
    table = _table()
    table.loc[2_500, "p_yes"] = 0.7
    path = tmp_path / "wrong.parquet"
    table.to_parquet(path, row_group_size=1000)
    wrong = Pool.read(path, **CLASSES)
    with pytest.raises(FileProblemsError, match="row 2,501"):
        Session(wrong, ErrorRate())
    table.to_parquet(tmp_path / "pool.parquet")
    os.utime(tmp_path / "pool.parquet", (0, 0))
    with pytest.raises(FileProblemsError, match="was changed since it was opened"):
        pool.instances[session.next().index]
    with pytest.raises(FileProblemsError, match="can't be told from the first rows"):
        Pool.read(path, text="text", predicted="text", ignore=["p_no", "p_yes", "b_no", "b_yes", "mean"])
    sure = table[["text"]].assign(
        prediction=np.where(table["p_yes"] > 0.5, "yes", "no"), score=table[["p_no", "p_yes"]].max(axis=1)
    )
    sure.to_parquet(path, row_group_size=1000)
    with pytest.raises(FileProblemsError, match="of the predicted classes need all rows in memory"):
        Pool.read(path, text="text", predicted="prediction", score="score")


def test_ids_costs_and_groups_are_those_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 10)
    rng = np.random.default_rng(7)
    table = _table().assign(
        doc=[f"d{i}" for i in rng.permutation(M)],
        price=rng.choice([1.0, 2.5, 40.0], M),
        lang=pd.Categorical(rng.choice(["en", "de", "fr", ""], M)),
    )
    columns = {**CLASSES, "id": "doc", "cost": "price", "group": "lang"}
    table.to_parquet(tmp_path / "whole.parquet", row_group_size=700)
    _folder_of(table, tmp_path / "parts")
    pools = [Pool.read(tmp_path / name, **columns) for name in ("whole.parquet", "parts")]
    assert [pool.is_streamed for pool in pools] == [False, True]
    sessions = [_run(Session(pool, ErrorRate()), _labels(), 30) for pool in pools]
    _assert_same(*sessions)
    drawn = sessions[1].draws.so_far()
    assert pools[1].costs[drawn].tolist() == table["price"].to_numpy()[drawn].tolist()
    assert sessions[0].by_group().equals(sessions[1].by_group())
    tables = [session.labels_table().drop(columns="time") for session in sessions]
    assert tables[0].equals(tables[1])
    assert set(tables[1]["instance_id"]) <= set(table["doc"])
    assert set(tables[1]["group"]) <= {"en", "de", "fr", "(none)"}
    again = Session(Pool.read(tmp_path / "parts", **columns), ErrorRate(), store=(store := MemoryStore()))
    with pytest.raises(ValueError, match="for_groups needs the predictions for all instances in memory"):
        Session(pools[1], ErrorRate(), for_groups=True)
    tasks = again.offline.export(3)
    taken = again.offline.import_labels({tasks[0].instance_id: "no", tasks[2].instance_id: "yes"})
    assert (taken.n_new, taken.still_out) == (2, (tasks[1].instance_id,))
    with pytest.raises(ValueError, match="'d' is not among the draws"):
        again.offline.import_labels({"d": "no"})
    for change in ({"doc": [f"e{i}" for i in range(M)]}, {"price": 2.0}):
        _folder_of(table.assign(**change), tmp_path / "changed")
        with pytest.raises(SessionMismatchError):
            Session(Pool.read(tmp_path / "changed", **columns), ErrorRate(), store=store)


def _folder_of(table: pd.DataFrame, folder: Path) -> None:
    """The table in three files that differ in the order and the types of their columns."""
    folder.mkdir(exist_ok=True)
    table[:1000].to_parquet(folder / "a.parquet")
    table[1000:1700][list(table.columns)[::-1]].to_parquet(folder / "b.parquet", row_group_size=99)
    table[:0].to_parquet(folder / "c.parquet")
    table[1700:].astype({"p_yes": np.float64, "text": "category"}).to_parquet(folder / "d.parquet")


def test_folders_name_groups(tmp_path: Path) -> None:
    table = _table(600).assign(lang=np.repeat(["de", "en", "a b"], 200), year="2024")
    parquet.write_to_dataset(pa.Table.from_pandas(table), tmp_path / "hive", partition_cols=["year", "lang"])
    (tmp_path / "hive" / "_SUCCESS").touch()
    pool = Pool.read(tmp_path / "hive", **CLASSES, group="lang")
    assert sorted(set(pool.groups)) == ["a b", "de", "en"]
    assert pool.groups[0] == "a b"
    assert Session(pool, ErrorRate()).next() is not None


def test_what_is_wrong_with_columns_beside_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamed_pool, "LARGEST_COPIED", 0)
    path = tmp_path / "one.parquet"
    table = _table(1_500).assign(doc=[f"d{i}" for i in range(1_500)], price=1.0)
    for change, columns, message in (
        ({"doc": ["twice" if i in (3, 1_200) else f"d{i}" for i in range(1_500)]}, {"id": "doc"},
         "row 1,201, column 'doc': the id 'twice' is in row 4 already"),
        ({"doc": [None if i == 1_300 else f"d{i}" for i in range(1_500)]}, {"id": "doc"},
         "row 1,301, column 'doc': the id is missing"),
        ({"price": [0.0 if i == 1_400 else 1.0 for i in range(1_500)]}, {"cost": "price"},
         "row 1,401, column 'price': the cost 0 is not above 0"),
        ({}, {"group": "doc"}, "it holds 1,500 different values, which are hardly groups"),
        ({"p_no": 0.5, "p_yes": [None if i == 1_300 else 0.5 for i in range(1_500)]}, {},
         "row 1,301, column 'p_yes'"),
    ):  # fmt: skip
        table.assign(**change).to_parquet(path, row_group_size=500)
        with pytest.raises(FileProblemsError, match=message):
            Session(Pool.read(path, **CLASSES, **columns), ErrorRate())
    table[:0].to_parquet(path)
    _folder = tmp_path / "none"
    _folder.mkdir()
    for name in "ab":
        table[:0].to_parquet(_folder / f"{name}.parquet")
    with pytest.raises(FileProblemsError, match="none: it holds no rows"):
        Pool.read(_folder)
    table.astype({"p_yes": str}).to_parquet(_folder / "b.parquet")
    with pytest.raises(FileProblemsError, match=r"it holds texts here, and numbers in a\.parquet"):
        Pool.read(_folder)
    ranked = pa.table({"query": ["a", "b"], "items": ['["x"]', '["y"]']})
    for name in "ab":
        parquet.write_table(ranked, _folder / f"{name}.parquet")
    with pytest.raises(FileProblemsError, match="rankings are not streamed"):
        Pool.read(_folder, query="query", items="items")
    for address in ("s3://bucket/reviews", Path("s3://bucket/reviews")):
        with pytest.raises(
            ValueError, match="s3://bucket/reviews is an address, and only files on this mach"
        ):
            Pool.read(address)


def test_a_data_set_that_has_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where all that files say of themselves is the same: sizes, and the ends of columns."""
    _, pool = _pools(tmp_path, monkeypatch, **CLASSES)
    session = _run(Session(pool, ErrorRate(), store=(store := MemoryStore())), _labels(), 5)
    path = tmp_path / "pool.parquet"
    table = _table()
    table.loc[[1500, 1501]] = table.loc[[1501, 1500]].to_numpy()
    table.astype(_table().dtypes).to_parquet(path, row_group_size=700)
    changed = Pool.read(path, **CLASSES)
    with pytest.raises(SessionMismatchError, match="predictions"):
        Session(changed, ErrorRate(), store=store)
    with pytest.raises(FileProblemsError, match="was changed since it was opened"):
        pool.instances[session.next().index]
    path.unlink()
    with pytest.raises(FileProblemsError, match="the file is gone since it was opened"):
        pool.instances[0]


@pytest.mark.parametrize(
    ("measure", "columns", "y_range"),
    [
        (FMeasure(positive="yes"), {**CLASSES, "id": "doc", "cost": "price"}, None),
        (LogLoss(), CLASSES, None),
        (SquaredError(), VALUES, (-9.0, 19.0)),
        (ErrorRate(), {"text": "text", "compare": ["p_", "b_"]}, None),
    ],
    ids=lambda each: repr(each)[:30],
)
def test_one_file_holds_a_streamed_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measure: Any, columns: Any, y_range: Any
) -> None:
    monkeypatch.setattr(streamed_pool, "LARGEST_COPIED", 0)
    table = _table().assign(doc=[f"d{i}" for i in range(M)], price=np.arange(1.0, M + 1))
    table.to_parquet(tmp_path / "pool.parquet")
    pool = Pool.read(tmp_path / "pool.parquet", **columns)
    y = 10 * table["p_yes"] if y_range else np.array(_labels())
    session = _run(Session(pool, measure, y_range=y_range, name="Ada"), y.tolist(), 30)
    session.defer()
    path = write_session(session, tmp_path / "session.json")
    assert path.stat().st_size < 2_000_000
    for found in (verify(path), verify(path, pool=Pool.read(tmp_path / "pool.parquet", **columns))):
        assert (found.findings, found.sha256) == ((), session_hash(session.findings))
    again = read_session_file(path).open(store=(store := MemoryStore()))
    assert again.estimate() == session.estimate()
    assert again.upcoming(3) == session.upcoming(3)
    # With the data set it goes on where it was; without, as far as was drawn.
    _assert_same(
        _run(Session(pool, measure, y_range=y_range, name="Ada", store=store), y, 9), _run(session, y, 9)
    )
    with pytest.raises(ValueError, match="open the session with it"):
        _run(read_session_file(path).open(), y, 60)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["pool"]["streamed"]["counts"].__setitem__(slice(2), [1, 1]), "'counts' are of"),
        (lambda d: _swap(d["pool"]["streamed"]["models"][0]["y_proba"], 0, 40), "rows: their digest"),
        (lambda d: _swap(d["pool"]["streamed"]["rows"], 0, 1), "another instance would have been drawn"),
        (lambda d: _swap(d["predictions"][0]["y_proba"], 0, 3), "summary, estimate"),
        (lambda d: d["log"][0]["q"].__setitem__(0, 0.5), "the probability of draw 1 is 0.5"),
        (lambda d: d["pool"]["streamed"]["drawn"].pop(), "shorter|longer"),
    ],
)
def test_what_does_not_follow_in_its_file_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Any, message: str
) -> None:
    _, pool = _pools(tmp_path, monkeypatch, **CLASSES)
    path = write_session(_run(Session(pool, LogLoss()), _labels(), 12), tmp_path / "session.json")
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    try:
        reported = "\n".join(map(str, verify(path).findings))
    except ValueError as error:
        reported = str(error)
    assert re.search(message, reported), reported


def _swap(values: list[Any], one: int, other: int) -> None:
    assert values[one] != values[other]
    values[one], values[other] = values[other], values[one]


def _act(sessions: list[Session], labels: list[str], rng: np.random.Generator) -> None:
    """The same in all sessions: label, exclude, put aside, change, undo; whatever a person does."""
    asked = {session.next() for session in sessions}
    [instance] = asked
    what = rng.choice(["label", "label", "label", "exclude", "defer", "change", "undo"])
    labeled = [each.instance for each in sessions[0].log.actions if each.kind == "label"]
    changed = labeled[int(rng.integers(len(labeled)))] if labeled else None
    for session in sessions:
        if what == "undo" and session.log.actions:
            session.undo()
        elif what == "change" and changed is not None and session.log.label_of(changed) is not None:
            session.change(changed, LABELS[session.log.label_of(changed) == "no"])
        elif what in ("exclude", "defer"):
            getattr(session, what)()
        else:
            session.label(labels[instance.index])


def test_whatever_is_done_is_the_same_as_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the cell is run again, and in two tabs that take turns; all of it follows from the log."""
    pools = _pools(tmp_path, monkeypatch, **CLASSES)
    store, rng = SQLiteStore(tmp_path / "s.sqlite"), np.random.default_rng(11)
    in_memory = Session(pools[0], FMeasure(positive="yes"))
    first = Session(pools[1], FMeasure(positive="yes"), store=store)
    for step in range(40):
        _act([in_memory, first], _labels(), rng)
        if step % 20 == 19:  # the cell again, with the file opened anew
            again = Pool.read(tmp_path / "pool.parquet", **CLASSES)
            assert again.is_streamed
            first = Session(again, FMeasure(positive="yes"), store=store)
        assert first.estimate() == in_memory.estimate()
    assert [each.instance for each in first.log.actions] == [each.instance for each in in_memory.log.actions]
    assert first.draws.n_of_other_version() == 0
    tabs = [first, Session(pools[1], FMeasure(positive="yes"), store=store)]
    for turn in range(12):
        tab = tabs[turn % 2]
        tab.refresh()
        tab.label(_labels()[tab.next().index])
    tabs[0].refresh()
    assert tabs[0].estimate() == tabs[1].estimate()
    drawn = [index for event in first.log if event.kind == "draw" for index in event.instances]
    assert len(set(drawn)) == len(drawn)
    assert verify(write_session(first, tmp_path / "s.json"), pool=pools[1]).findings == ()


# -- Dask


def _frame(n_partitions: int = 5) -> Any:
    return pytest.importorskip("dask.dataframe").from_pandas(_table(), npartitions=n_partitions)


def test_a_dask_frame_is_a_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_memory, _ = _pools(tmp_path, monkeypatch, **CLASSES)
    pool = Pool.read(_frame(), **CLASSES)
    assert (pool.is_streamed, pool.n_instances, pool.instances[2_999]) == (True, M, "text 2999")
    sessions = [_run(Session(each, ErrorRate()), _labels(), 20) for each in (in_memory, pool)]
    _assert_same(*sessions)
    again = Pool.read(_frame(), **CLASSES)
    assert again.fingerprints == pool.fingerprints
    changed = _frame().assign(p_no=lambda f: f.p_no * 0 + 0.5, p_yes=lambda f: f.p_yes * 0 + 0.5)
    assert Pool.read(changed, **CLASSES).fingerprints != pool.fingerprints
    with pytest.raises(TypeError, match="a path, or a Dask DataFrame"):
        Pool.read(_table(), **CLASSES)


def _other_rows(part: pd.DataFrame, times: str) -> pd.DataFrame:
    """The rows in another order each time, as a shuffle without a seed gives them."""
    seed = len(list(Path(times).iterdir()))
    Path(times, str(seed)).touch()
    return part.sample(frac=1, random_state=seed)


def _fewer_rows(part: pd.DataFrame, times: str) -> pd.DataFrame:
    n = len(list(Path(times).iterdir()))
    Path(times, str(n)).touch()
    return part[: len(part) - n]


def test_frames_that_are_not_what_they_were(tmp_path: Path) -> None:
    dask = pytest.importorskip("dask")
    frame, columns = _frame(1), {**CLASSES}
    with dask.config.set(scheduler="synchronous"):
        unknown = _frame().clear_divisions()
        assert not unknown.known_divisions
        pool = Pool.read(unknown, **columns, id="text")
        assert pool.instances[2_999] == "text 2999"
        assert (
            Session(pool, ErrorRate()).next().instance_id == pool.ids[Session(pool, ErrorRate()).next().index]
        )
        for change, message in ((_other_rows, "has other predictions now"), (_fewer_rows, "rows, and had")):
            times = tmp_path / change.__name__
            times.mkdir()
            changing = frame.map_partitions(change, str(times), meta=frame._meta)
            with pytest.raises(PoolChangedError, match=message):
                _run(Session(Pool.read(changing, **columns), ErrorRate()), _labels(), 5)
        wrong = _frame().map_partitions(_without_a_share, meta=_frame()._meta)
        with pytest.raises(FileProblemsError, match="Dask DataFrame, row 1,501, column 'p_yes'"):
            Session(Pool.read(wrong, **columns), ErrorRate())


def _without_a_share(part: pd.DataFrame) -> pd.DataFrame:
    return part.assign(p_yes=part["p_yes"].where(part["text"] != "text 1500"))


def _die_once(part: pd.DataFrame, armed: str) -> pd.DataFrame:
    """End the worker's process in the middle of a pass, the first time that the file is there."""
    if Path(armed).exists() and "text 1500" in set(part["text"]):
        Path(armed).unlink()
        os._exit(1)
    return part


def test_a_pass_goes_on_when_a_worker_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed, config = pytest.importorskip("distributed"), import_module("dask.config")
    in_memory, _ = _pools(tmp_path, monkeypatch, **CLASSES)
    armed = tmp_path / "armed"
    with (
        # The other worker goes on: on a busy machine the one that was killed may not begin anew.
        # Workers are forked from one process that has imported what all of them need.
        config.set({"distributed.worker.multiprocessing-method": "forkserver"}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        distributed.Client(cluster.scheduler_address),
    ):
        frame = _frame()
        pool = Pool.read(frame.map_partitions(_die_once, str(armed), meta=frame._meta), **CLASSES)
        armed.touch()
        session = Session(pool, ErrorRate())
        assert not armed.exists()
        _assert_same(_run(Session(in_memory, ErrorRate()), _labels(), 20), _run(session, _labels(), 20))
