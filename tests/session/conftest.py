import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from activeeval_widgets.session import MemoryStore, Pool, Ranking, Result, SQLiteStore, Store, open_store
from activeeval_widgets.stats import (
    DCG,
    ClassPredictions,
    ErrorRate,
    Measure,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)

from ..extending_page import Section


def exactly(message: str) -> str:
    """Return the pattern of a whole message."""
    return f"^{re.escape(message)}$"


@pytest.fixture(scope="session")
def make_pool() -> Callable[..., Pool]:
    """Return a maker of small pools: random images, random probabilities."""

    def make(n_instances: int = 12, n_classes: int = 3, *, seed: int = 0, **options: Any) -> Pool:
        rng = np.random.default_rng(seed)
        images = rng.random((n_instances, 4, 4))
        y_proba = rng.dirichlet(np.ones(n_classes), size=n_instances)
        classes = options.pop("classes", None)
        return Pool(images, predictions=ClassPredictions(y_proba, classes), **options)

    return make


@dataclass(frozen=True)
class Task:
    """A pool with a measure that suits it, and labels to give by number."""

    pool: Pool
    measure: Measure
    label: Callable[[int, int], Any]


def make_ranker(n_instances: int, rng: np.random.Generator) -> RankingPredictions:
    """Rank 0 to 3 of the items 0 to 4; the items differ from query to query."""
    rankings, probas = [], []
    for query in range(n_instances):
        items = [f"{query}-{i}" for i in range(5)]
        rankings.append([items[i] for i in rng.permutation(5)[: rng.integers(1, 4)]])
        probas.append({item: rng.dirichlet(np.ones(3)) for item in items})
    return RankingPredictions(rankings, probas, grades=[0, 1, 2])


@pytest.fixture(scope="session")
def make_task() -> Callable[..., Task]:
    """Return a maker of tasks: of texts with classes, records with numbers, or rankings with grades."""

    def make(kind: str, n_instances: int = 12, n_models: int = 1, *, seed: int = 0) -> Task:
        rng = np.random.default_rng(seed)
        numbers = range(n_instances)
        if kind == "class":
            models: list[Any] = [
                ClassPredictions(rng.dirichlet(np.ones(3), size=n_instances)) for _ in range(n_models)
            ]
            instances: Any = [f"text {i}" for i in numbers]
            task = ErrorRate(), lambda _, number: number % 3
        elif kind == "number":
            models = [
                ValuePredictions(rng.normal(size=n_instances), rng.uniform(0.1, 1, n_instances))
                for _ in range(n_models)
            ]
            instances = [{"row": i, "name": f"record {i}"} for i in numbers]
            task = SquaredError(), lambda _, number: number / 7 - 1
        else:
            models = [make_ranker(n_instances, rng) for _ in range(n_models)]
            lists = [dict.fromkeys(item for m in models for item in m.rankings[i]) for i in numbers]
            instances = [Ranking(f"query {i}", tuple(map(Result, items))) for i, items in enumerate(lists)]

            def grade(index: int, number: int) -> dict[str, Any]:
                grades = [0, 1, 2, None]
                # The first is always judged: a list of which nothing is judged is not a label.
                return {item: grades[(number + i) % (4 if i else 3)] for i, item in enumerate(lists[index])}

            task = DCG(), grade
        pool = Pool(instances, predictions=models if n_models > 1 else models[0])
        return Task(pool, *task)

    return make


class Shelf:
    """A place for logs that can be opened again, as a program that starts again does."""

    def __init__(self, make: Callable[[], Store]) -> None:
        self._make = make
        self._opened: list[Any] = []

    def open(self) -> Store:
        self._opened.append(self._make())
        return self._opened[-1]

    def close(self) -> None:
        while self._opened:
            getattr(self._opened.pop(), "close", lambda: None)()


@pytest.fixture(params=["memory", "sqlite"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    memory = MemoryStore()
    path = tmp_path / "sessions.sqlite"
    opened = Shelf(lambda: memory if request.param == "memory" else SQLiteStore(path))
    yield opened
    opened.close()


@pytest.fixture
def memory_shelf() -> Shelf:
    memory = MemoryStore()
    return Shelf(lambda: memory)


@pytest.fixture
def sqlite_shelf(tmp_path: Path) -> Iterator[Shelf]:
    opened = Shelf(lambda: SQLiteStore(tmp_path / "sessions.sqlite"))
    yield opened
    opened.close()


@pytest.fixture
def outside_shelf(tmp_path: Path) -> Iterator[Shelf]:
    """A store that is not of the package: the one on the page about extending it."""
    kind = Section("A store").run()["JSONLinesStore"]
    opened = Shelf(lambda: kind(tmp_path / "sessions.jsonl"))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Any]:
    """A server of PostgreSQL, one for all tests."""
    with import_module("postgresql_server").Server(settings=("fsync=off",)) as server:
        yield server


@pytest.fixture
def postgresql_address(postgresql_server: Any) -> str:
    """The address of tables that are not there yet."""
    return f"{postgresql_server.address}&schema={uuid4().hex[:10]}"


@pytest.fixture
def postgresql_shelf(postgresql_address: str) -> Iterator[Shelf]:
    opened = Shelf(lambda: open_store(postgresql_address))
    yield opened
    opened.close()


class ListStore:
    """Gives the records it was made with, checks nothing, and can be told to fail."""

    def __init__(self, records: list[dict[str, Any]] | None = None) -> None:
        self.records = list(records or [])
        self.error: Exception | None = None

    def begin(self, name: str, identity: Any) -> list[dict[str, Any]]:
        return [dict(record) for record in self.records]

    def append(self, name: str, record: dict[str, Any]) -> None:
        if self.error is not None:
            raise self.error
        self.records.append(dict(record))

    def identity(self, name: str) -> dict[str, str] | None:
        return None

    def names(self) -> list[str]:
        return ["default"]


@pytest.fixture(scope="session")
def make_list_store() -> Callable[..., ListStore]:
    return ListStore
