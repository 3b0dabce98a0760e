"""Classes of any kind on their whole way: predictions, session, page, store, and opened again."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import ClassPredictions, FMeasure

CLASSES = {
    "strings": (["ham", "spam"], ["ham", "spam"]),
    "objects": (np.array(["ham", "spam"], dtype=object), ["ham", "spam"]),
    "Index": (pd.Index(["ham", "spam"]), ["ham", "spam"]),
    "Categorical": (pd.Categorical(["ham", "spam"]), ["ham", "spam"]),
    "NumPy strings": ([np.str_("ham"), np.str_("spam")], ["ham", "spam"]),
    "bools": (np.array([False, True]), [False, True]),
    "objects, bools": (np.array([False, True], dtype=object), [False, True]),
    "ints": (np.array([0, 1]), [0, 1]),
    "objects, ints": (np.array([4, 2], dtype=object), [4, 2]),
    "NumPy ints": ([np.int64(4), np.int64(2)], [4, 2]),
    "floats": (np.array([0.0, 0.5]), [0.0, 0.5]),
}
N = 40


def session(classes: Any, positive: Any, store: Path) -> Session:
    p = np.random.default_rng(0).dirichlet([1, 1], N)
    pool = Pool([f"text {i}" for i in range(N)], predictions=ClassPredictions(p, classes=classes))
    return Session(pool, FMeasure(positive=positive), store=store)


@pytest.mark.parametrize("name", CLASSES)
def test_labels_come_back_as_they_are(name: str, tmp_path: Path, open_page: Callable[..., Any]) -> None:
    classes, plain = CLASSES[name]
    path = tmp_path / "labels.sqlite"
    # As a person may write it: the positive class taken from the classes themselves.
    began = session(classes, np.asarray(classes)[1], path)
    page = open_page(began)
    reply = page.ask("hello")["config"]["labels"]["choices"]
    assert [choice["text"] for choice in reply] == [str(label) for label in plain]
    given = []
    for n in range(8):
        if n % 3 == 0:  # by code, as whatever holds it
            given.append(plain[n % 2])
            began.label(np.asarray(classes)[n % 2])
        else:
            given.append(plain[n // 2 % 2])
            page.label(n // 2 % 2)
    assert "undone" in page.ask("undo")
    began.label(given[-1])
    page.ask("change", index=began.log.actions[0].instance, value=1)
    given[0] = plain[1]

    def check(opened: Session) -> None:
        stood = opened.history()
        stood = stood[stood["kind"].isin(["label", "change"]) & stood["stands"]]
        by_instance = dict(zip(stood["instance"], stood["value"], strict=True))
        first = [action.instance for action in opened.log.actions if action.kind == "label"]
        labels = [by_instance[instance] for instance in first]
        assert labels == given
        assert [type(label) for label in labels] == [type(label) for label in given]
        assert opened.n_labels == 8

    check(began)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        records = [json.loads(record) for (record,) in connection.execute("SELECT record FROM events")]
    values = [record["value"] for record in records if record["kind"] == "label"]
    assert {type(value) for value in values} == {type(plain[0])}
    again = session(plain, plain[1], path)  # a list of the same is the same session
    check(again)
    assert again.estimate() == began.estimate()
    expected = ClassPredictions(began.models[0].y_proba, classes=plain)
    assert again.models[0].y_pred.tolist() == expected.y_pred.tolist()
    again.label(classes[0])
    assert json.dumps(again.log.actions[-1].value) == json.dumps(plain[0])


@pytest.mark.parametrize("name", ["strings", "bools", "ints"])
@pytest.mark.parametrize("label", ["eggs", "1", None, np.nan, pd.NA, 9, ["ham"]])
def test_what_is_no_class_is_refused(name: str, label: Any, tmp_path: Path) -> None:
    classes, plain = CLASSES[name]
    asked = session(classes, plain[1], tmp_path / "labels.sqlite")
    with pytest.raises((TypeError, ValueError), match=r"^label (is|must be one class)"):
        asked.label(label)
    assert asked.n_labels == 0


def test_true_is_no_digit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"label is True, expected one of the classes \[0, 1\]"):
        session([0, 1], 1, tmp_path / "labels.sqlite").label(True)
