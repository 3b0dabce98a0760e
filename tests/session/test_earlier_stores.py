"""A file written by an earlier version opens, and its sessions go on with the draws they would have had.

`python tests/session/test_earlier_stores.py NAME` writes such a file, with what that version finds in it. It
was run once for each, with the version that the files are named for.
"""

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Ranking, Result, Session, SQLiteStore
from activeeval_widgets.stats import (
    DCG,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Measure,
    PredictedClasses,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)

HERE = Path(__file__).parent
VERSIONS = (
    *("sessions_of_0.1", "sessions_of_schema_2", "sessions_of_rule_2", "sessions_of_rule_3"),
    "sessions_of_rule_4",
)
M = 70
N_BEFORE, N_AFTER = 26, 30


@dataclass(frozen=True)
class Case:
    """A pool, and how its session was begun."""

    pool: Pool
    measure: Measure
    options: dict[str, Any]


def number(i: int, j: int = 0) -> float:
    """Something between 0 and 1 that every version of NumPy agrees about."""
    return ((i * 7919 + j * 104729 + 31) % 997) / 997


def proba(j: int, n_classes: int = 3) -> Any:
    scores = np.array([[0.05 + number(i, j + 7 * k) for k in range(n_classes)] for i in range(M)])
    return scores / scores.sum(axis=1, keepdims=True)


def case(name: str) -> Case:
    texts = [f"text {i}" for i in range(M)]
    classes = ["cat", "dog", "eel"]
    if name == "adaptive, classes":
        costs = [1 + i % 4 for i in range(M)]
        predictions: Any = ClassPredictions(proba(1), classes)
        return Case(Pool(texts, predictions=predictions, costs=costs), ErrorRate(), {"seed": 3})
    if name == "adaptive, F":
        return Case(
            Pool(texts, predictions=ClassPredictions(proba(2), classes)), FMeasure(positive="dog"), {}
        )
    if name == "adaptive, values":
        mean = [10 * number(i) for i in range(M)]
        model = ValuePredictions(mean, [0.5 + number(i, 1) for i in range(M)], name="regression")
        records = [{"row": i, "size": number(i, 2)} for i in range(M)]
        return Case(Pool(records, predictions=model), SquaredError(), {"y_range": (0, 10), "seed": 5})
    if name == "adaptive, rankings":
        items = [[f"{i}-{k}" for k in range(4)] for i in range(M)]
        known = [
            dict(zip(row, proba(3)[[i, i - 1, i - 2, i - 3]], strict=True)) for i, row in enumerate(items)
        ]
        ranked = [[row[(k + i) % 4] for k in range(3)] for i, row in enumerate(items)]
        shown = [Ranking(f"query {i}", tuple(map(Result, row))) for i, row in enumerate(items)]
        return Case(Pool(shown, predictions=RankingPredictions(ranked, known, grades=[0, 1, 2])), DCG(), {})
    two = [ClassPredictions(proba(j), classes, name=f"model {j}") for j in (4, 5)]
    if name == "adaptive, two models":
        return Case(Pool(texts, predictions=two), ErrorRate(), {"seed": 8, "budget": 20})
    if name == "papers, F":
        costs = [1 + i % 3 for i in range(M)]
        pool = Pool(texts, predictions=two[0], ids=[f"id {i}" for i in range(M)], costs=costs)
        return Case(pool, FMeasure(positive="dog"), {"protocol": "papers", "seed": 2})
    if name == "adaptive, three models":
        three = [*two, ClassPredictions(proba(6), classes, name="model 6")]
        return Case(Pool(texts, predictions=three), ErrorRate(), {"seed": 4})
    if name in ("adaptive, predicted classes", "adaptive, two times predicted classes"):
        decided = [PredictedClasses(np.array(classes)[proba(j).argmax(1)], classes) for j in (7, 8)]
        predictions = decided[0] if name == "adaptive, predicted classes" else decided
        return Case(Pool(texts, predictions=predictions), ErrorRate(), {"seed": 6})
    assert name == "papers, two models"
    return Case(Pool(texts, predictions=two), ErrorRate(), {"protocol": "papers"})


CASES = (
    *("adaptive, classes", "adaptive, F", "adaptive, values", "adaptive, rankings"),
    *("adaptive, two models", "papers, F", "papers, two models"),
)
SINCE_RULE_3 = (*CASES, "adaptive, three models")
NAMES = {
    **dict.fromkeys(VERSIONS, CASES),
    "sessions_of_rule_3": SINCE_RULE_3,
    # For one model with probabilities, its draws and estimates are those of the third.
    "sessions_of_rule_4": (
        *("adaptive, classes", "adaptive, two models"),
        *("adaptive, predicted classes", "adaptive, two times predicted classes"),
    ),
}


def answer(session: Session, i: int, more: int = 0) -> Any:
    """A label for an instance; with `more`, another one."""
    kind = session.labels.kind
    if kind == "number":
        return round(10 * number(i, 3 + more), 3)
    if kind == "class":
        return session.models[0].classes[(i * 5 + i // 3 + more) % 3]
    return {item: [None, 0, 1, 2][(i + k + more) % 4] for k, item in enumerate(session.pool.items(i))}


def work(session: Session) -> None:
    """All that can happen in a session."""
    for step in range(N_BEFORE):
        asked = session.next()
        assert asked is not None
        if step % 11 == 5:
            session.defer(seconds=2.5)
        elif step % 13 == 7:
            session.exclude(reason="torn", seconds=1.25)
        else:
            session.label(answer(session, asked.index), seconds=1 + step / 8, first_key_seconds=0.5)
        if step % 8 == 6:
            session.undo()
        if step % 9 == 4:
            session.note(f"strange: {step} é", asked.index)
            session.flag(asked.index)
        if step % 10 == 8:
            index = next(iter(session.labels_table()["instance_id"].map(session.pool.ids.index)))
            session.change(index, answer(session, index, more=1))
    session.go_on()


def found(session: Session) -> dict[str, Any]:
    """What a session says."""
    told: dict[str, Any] = {
        "counts": [session.n_labels, session.n_draws, session.n_deferred, session.n_excluded],
        "draws": session.labeled_draws()[0].tolist(),
        "weights": session.weights().tolist(),
    }
    for interval in ("confidence_sequence", "wald"):
        each = session.estimate(interval=interval)
        told[interval] = [each.value, each.standard_error, each.low, each.high, each.effective_sample_size]
    return told


def go_on(session: Session) -> list[list[float]]:
    """The next draws, each with its probability."""
    drawn = []
    for _ in range(N_AFTER):
        asked = session.next()
        if asked is None:
            break
        drawn.append([asked.draw, asked.index, asked.q])
        session.label(answer(session, asked.index), seconds=3)
    return drawn


@pytest.mark.parametrize(("version", "name"), [(each, name) for each in VERSIONS for name in NAMES[each]])
def test_a_session_goes_on_with_the_draws_it_would_have_had(name: str, version: str, tmp_path: Path) -> None:
    path = shutil.copy(HERE / f"{version}.sqlite", tmp_path / "sessions.sqlite")
    expected = json.loads((HERE / f"{version}.json").read_text(encoding="utf-8"))[name]
    begun = case(name)
    store = SQLiteStore(path)
    assert store.notices == ()
    session = Session(begun.pool, begun.measure, store=store, name=name, **begun.options)
    assert store.problem is None
    assert session.identity == expected["identity"] == store.identity(name)
    assert [event.kind for event in session.log] == expected["kinds"]
    kinds = {"label", "defer", "exclude", "change", "undo", "note", "flag"}
    kinds |= {"draw"} if session.protocol == "adaptive" else set()
    assert set(expected["kinds"]) - {"go_on"} == kinds
    assert ("go_on" in expected["kinds"]) == ("budget" in begun.options)
    _same(found(session), expected["then"])
    drawn = go_on(session)
    assert [draw[:2] for draw in drawn] == [draw[:2] for draw in expected["drawn"]]
    np.testing.assert_allclose(
        [draw[2] for draw in drawn], [draw[2] for draw in expected["drawn"]], rtol=1e-9
    )
    assert len(drawn) == N_AFTER
    _same(found(session), expected["later"])
    store.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_file_holds_these_sessions_alone(version: str, tmp_path: Path) -> None:
    store = SQLiteStore(shutil.copy(HERE / f"{version}.sqlite", tmp_path / "sessions.sqlite"))
    assert tuple(store.names()) == NAMES[version]
    store.close()


def _same(now: dict[str, Any], then: dict[str, Any]) -> None:
    assert now.keys() == then.keys()
    for key, values in then.items():
        # The ends of an interval are searched for, to within 1e-6 or so.
        np.testing.assert_allclose(now[key], values, rtol=1e-6, atol=1e-9, err_msg=key)


def _write(version: str) -> None:
    path = HERE / f"{version}.sqlite"
    if path.exists():
        sys.exit(f"{path} is there already")
    store, told = SQLiteStore(path), {}
    for name in NAMES[version]:
        begun = case(name)
        work(Session(begun.pool, begun.measure, store=store, name=name, **begun.options))
    store.close()
    aside = path.with_name("aside.sqlite")
    shutil.copy(path, aside)
    store = SQLiteStore(aside)
    for name in NAMES[version]:
        begun = case(name)
        session = Session(begun.pool, begun.measure, store=store, name=name, **begun.options)
        kinds = [event.kind for event in session.log]
        then, drawn = found(session), go_on(session)
        told[name] = {
            "identity": session.identity, "kinds": kinds, "then": then, "drawn": drawn,
            "later": found(session),
        }  # fmt: skip
    store.close()
    aside.unlink()
    path.with_suffix(".json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    _write(sys.argv[1])
