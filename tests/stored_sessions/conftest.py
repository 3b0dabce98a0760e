from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import Ranking, Result, Text
from activeeval_widgets.stats import (
    DCG,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)


def class_model(rng: np.random.Generator, n: int, classes: Any, **options: Any) -> ClassPredictions:
    return ClassPredictions(rng.dirichlet(np.ones(len(classes)), size=n), classes, **options)


def make_ranker(rng: np.random.Generator, n: int) -> RankingPredictions:
    rankings = [[f"{query}-{i}" for i in rng.permutation(3)] for query in range(n)]
    return RankingPredictions(
        rankings, [{item: rng.dirichlet(np.ones(3)) for item in each} for each in rankings], grades=[0, 1, 2]
    )


def texts(rng: np.random.Generator, n: int) -> tuple[Pool, Any, Any]:
    model = class_model(rng, n, ["ham", "spam"], name="the filter")
    pool = Pool([f"text {i}" for i in range(n)], predictions=model, costs=rng.uniform(1, 3, n))
    return pool, FMeasure(positive="spam"), lambda _, i: ["ham", "spam"][i % 2]


def marked_texts(rng: np.random.Generator, n: int) -> tuple[Pool, Any, Any]:
    model = class_model(rng, n, [False, True], y_pred=rng.random(n) < 0.5)
    instances = [Text(f"text {i} =1+1", spans=[(0, 4)], title="ü☃") for i in range(n)]
    return Pool(instances, predictions=model), ErrorRate(), lambda _, i: i % 3 == 0


def pairs(rng: np.random.Generator, n: int) -> tuple[Pool, Any, Any]:
    models = [class_model(rng, n, ["1", "2"]), class_model(rng, n, ["1", "2"])]
    return (
        Pool([(f"a{i}", f"b{i}") for i in range(n)], predictions=models),
        ErrorRate(),
        lambda _, i: "12"[i % 2],
    )


def records(rng: np.random.Generator, n: int) -> tuple[Pool, Any, Any]:
    model = ValuePredictions(rng.normal(size=n), rng.uniform(0.1, 1, n))
    rows = [
        {
            **{"row": i, "share": i / 7, "name": f"record {i}", "old": i % 2 == 0},
            "when": pd.Timestamp("2026-01-01T00:00:00.125") + pd.Timedelta(hours=i) if i else pd.NaT,
        }
        for i in range(n)
    ]
    return Pool(rows, predictions=model), SquaredError(), lambda _, i: i / 7 - 1


def rankings(rng: np.random.Generator, n: int) -> tuple[Pool, Any, Any]:
    model = make_ranker(rng, n)
    instances = [
        Ranking(f"query {i}", tuple(Result(item, title="t", image=b"png") for item in sorted(items)))
        for i, items in enumerate(model.rankings)
    ]
    return (
        Pool(instances, predictions=model),
        DCG(cutoff=3),
        lambda index, i: {item: [0, 1, 2, None][(i + j) % 3] for j, item in enumerate(model.rankings[index])},
    )


def images(rng: np.random.Generator, n: int) -> tuple[Pool, Any, Any]:
    model = class_model(rng, n, [1, 2, 3])
    return (
        Pool(rng.random((n, 3, 3)), predictions=model, ids=[f"#{i}" for i in range(n)]),
        ErrorRate(),
        lambda _, i: 1 + i % 3,
    )


TASKS = {each.__name__: each for each in (texts, marked_texts, pairs, records, rankings, images)}


@pytest.fixture(scope="session")
def make_session() -> Callable[..., Session]:
    """Return a maker of sessions with labels, an exclusion, a change, a note and an instance put aside."""

    def make(
        task: str = "texts", n: int = 40, n_labels: int = 25, *, seed: int = 5, **options: Any
    ) -> Session:
        pool, measure, label = TASKS[task](np.random.default_rng(3), n)
        if task == "records":
            options["y_range"] = (-5, 10)
        session = Session(pool, measure, seed=seed, **options)
        for i in range(n_labels):
            shown = session.next()
            session.label(label(shown.index, i), seconds=0.1 * i)
            if i == 3:
                session.exclude(reason="broken")
            if i == 5:
                session.defer()
        if n_labels > 8:
            session.undo()
            given = [event for event in session.log if event.kind == "label"][1]
            session.change(given.instance, label(given.instance, 2))
            session.note("=1+1", given.instance)
            session.flag(given.instance)
        return session

    return make
