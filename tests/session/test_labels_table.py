"""The labels as a table: one row an instance, its weights those of the estimate, nothing a formula."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.formats.label_tables import draws_frame, labels_frame
from activeeval_widgets.session import MemoryStore, Pool, Ranking, Result, Session, Text
from activeeval_widgets.session.report.spreadsheet import to_csv
from activeeval_widgets.stats import ERR, ClassPredictions, ErrorRate, RankingPredictions

MakePool = Callable[..., Pool]


def test_one_row_an_instance(make_pool: MakePool) -> None:
    session = Session(make_pool(40), ErrorRate(), seed=2)
    for i in range(12):
        session.label(i % 3, seconds=1.5)
    session.exclude(reason="smudged")
    session.defer()
    first = session.log.actions[0].instance
    session.change(first, 2)
    session.note("look", instance=first)
    session.flag(instance=first)
    table = session.labels_table()
    model = session.models[0]
    assert len(table) == session.n_labels == 12
    assert table["instance_id"].is_unique
    row = table.iloc[0]
    assert row["instance_id"] == session.pool.ids[first]
    assert (row["label"], row["note"], row["is_flagged"], row["is_changed"]) == (2, "look", True, True)
    assert row["prediction"] == model.y_pred[first]
    assert row["confidence"] == pytest.approx(model.confidence[first])
    assert row["time"] == session.log.actions[-1].time
    assert row["seconds"] == 1.5
    assert (row["draw"], row["q"]) == (1, session.log.actions[0].q)
    assert table["is_changed"].sum() == table["is_flagged"].sum() == 1


def test_weights_give_the_estimate(make_pool: MakePool) -> None:
    """By the papers' protocol, where draws repeat: the weighted share of errors is the estimate."""
    session = Session(make_pool(15), ErrorRate(), seed=2, protocol="papers")
    for i in range(12):
        session.label(i % 3)
    table = session.labels_table()
    assert table["n_draws"].sum() == session.n_draws > len(table)
    wrong = table["label"] != table["prediction"]
    found = np.average(wrong, weights=table["weight"])
    assert found == pytest.approx(session.estimate().value)


def test_history_rows_of_draws_and_report_have_the_same_weights(make_pool: MakePool) -> None:
    """Without replacement, p is uniform over the instances that are left."""
    session = Session(make_pool(40), ErrorRate(), seed=2)
    for i in range(12):
        session.label(i % 3)
    history = session.history()
    weights = history.loc[history["kind"] == "label", "weight"]
    assert weights.tolist() == pytest.approx(draws_frame(session)["weight"].tolist())
    assert f"answered: {weights.min():.3g} to {weights.max():.3g}" in session.report()


def test_a_label_that_does_not_count_yet_has_no_weight(make_pool: MakePool) -> None:
    store = MemoryStore()
    ada, bob = (Session(make_pool(40), ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
    ada.next()
    held = ada.upcoming(40)
    bob.label(1)
    assert bob.labels_table()["weight"].isna().tolist() == [True]  # until Ada has labeled hers
    for _ in held:
        ada.label(1)
    assert ada.labels_table()["weight"].notna().tolist() == [True] * (len(held) + 1)


def test_two_models_have_columns_of_their_own() -> None:
    rng = np.random.default_rng(0)
    models = [ClassPredictions(rng.dirichlet([1, 1], size=9), name=name) for name in ("old", "new")]
    session = Session(Pool(["text"] * 9, predictions=models), ErrorRate())
    session.label(1)
    columns = set(session.labels_table().columns)
    assert {"prediction: old", "confidence: old", "prediction: new", "confidence: new"} <= columns


@pytest.mark.parametrize("kind", ["class", "number", "grades"])
def test_every_kind_of_label(make_task: Any, kind: str) -> None:
    kinds = {"class": "text", "number": "record", "grades": "ranking"}
    try:
        task = make_task(kinds[kind])
    except KeyError:
        task = make_task(kind)
    session = Session(task.pool, task.measure)
    for i in range(3):
        asked = session.next()
        session.label(task.label(asked.index, i))
    table = session.labels_table()
    assert [type(label) for label in table["label"]] == [
        type(session.log.label_of(session.log.actions[0].instance))
    ] * 3
    rows = list(csv.DictReader(io.StringIO(to_csv(table))))
    assert [row["instance_id"] for row in rows] == table["instance_id"].tolist()
    assert all(row["label"] and row["prediction"] for row in rows)


def test_no_labels_no_rows(make_pool: MakePool) -> None:
    session = Session(make_pool(5), ErrorRate())
    empty = session.labels_table()
    assert empty.empty
    session.label(0)
    assert list(empty) == list(session.labels_table())


def test_an_export_without_contents_reads_no_instance(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(make_pool(5), ErrorRate())
    session.label(0)
    whole = labels_frame(session, with_contents=True)
    monkeypatch.delattr(Pool, "excerpt")
    assert labels_frame(session).equals(whole.drop(columns="content"))


def test_no_cell_is_a_formula() -> None:
    """What spreadsheets take for formulas begins with one of these."""
    bad = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
    classes = ["=HYPERLINK(1)", "fine"]
    predictions = ClassPredictions(np.full((len(bad), 2), 0.5), classes=classes, name="=evil()")
    pool = Pool(bad, predictions=predictions, ids=[f"={i}" for i in range(len(bad))])
    session = Session(pool, ErrorRate())
    while (asked := session.next()) is not None:
        session.note("=note()", instance=asked.index)
        session.label(classes[0])
    for row in csv.reader(io.StringIO(to_csv(session.labels_table()))):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")), cell
    assert "'=HYPERLINK(1)" in to_csv(session.labels_table())


def test_negative_numbers_stay_numbers() -> None:
    table = pd.DataFrame({"a": [-1.5, 2.0], "b": ["-1.5", "+3"], "=c": [{"d": -1}, None]})
    assert to_csv(table) == 'a,b,\'=c\n-1.5,-1.5,"{""d"": -1}"\n2.0,+3,\n'


def test_excerpts(tmp_path: Path) -> None:
    proba = ClassPredictions(np.full((2, 2), 0.5))
    assert Pool(["a\n b", "c " * 200], predictions=proba).excerpt(0) == "a b"
    assert len(Pool(["a", "c " * 200], predictions=proba).excerpt(1)) <= 120
    assert Pool([Text("x", title="T"), Text("y")], predictions=proba).excerpt(0) == "T: x"
    assert Pool([("one", "two")] * 2, predictions=proba).excerpt(0) == "one | two"
    assert Pool([{"x": 1, "y": "b"}] * 2, predictions=proba).excerpt(0) == "x: 1; y: b"
    record = {"x": pd.NA, "y": pd.NaT, "z": None, "list": [1]}
    assert Pool([record] * 2, predictions=proba).excerpt(0) == "x: missing; y: missing; z: missing; list: [1]"
    assert Pool(np.zeros((2, 3, 3)), predictions=proba).excerpt(0) == ""
    assert Pool([object()] * 2, predictions=proba, kind="custom").excerpt(0) == ""
    assert Pool([tmp_path / "a.png"] * 2, predictions=proba).excerpt(0) == str(tmp_path / "a.png")
    ranker = RankingPredictions([["d"]] * 2, [{"d": [0.5, 0.5]}] * 2, grades=[0, 1])
    rankings = Pool([Ranking("jaguar", (Result("d"),))] * 2, predictions=ranker)
    assert rankings.excerpt(0) == "jaguar"
    assert Session(rankings, ERR()).labels_table().empty
