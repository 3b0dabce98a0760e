from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import MemoryStore, Pool, SQLiteStore, Store
from activeeval_widgets.stats import ClassPredictions


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


class Shelf:
    """A place for logs that can be opened again, as a program that starts again does."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._memory = MemoryStore()
        self._opened: list[SQLiteStore] = []

    def open(self) -> Store:
        if self.path is None:
            return self._memory
        self._opened.append(SQLiteStore(self.path))
        return self._opened[-1]

    def close(self) -> None:
        while self._opened:
            self._opened.pop().close()


@pytest.fixture(params=["memory", "sqlite"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    opened = Shelf(None if request.param == "memory" else tmp_path / "sessions.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def sqlite_shelf(tmp_path: Path) -> Iterator[Shelf]:
    opened = Shelf(tmp_path / "sessions.sqlite")
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

    def names(self) -> list[str]:
        return ["default"]


@pytest.fixture(scope="session")
def make_list_store() -> Callable[..., ListStore]:
    return ListStore
