"""Small synthetic pools: instances, predictions, and the label of each instance."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets import Pool
from activeeval_widgets.session import Ranking, Result
from activeeval_widgets.stats import (
    ClassPredictions,
    PredictedClasses,
    RankingPredictions,
    ScoredClasses,
    ValuePredictions,
    rubric_predictions,
    side_by_side,
)

GRADES = [0, 1, 2]
_FOLDERS: list[TemporaryDirectory[str]] = []


@dataclass(frozen=True)
class Task:
    """A pool, the label of each instance, and other options of its sessions."""

    pool: Pool
    label: Callable[[int], Any]
    options: dict[str, Any] = field(default_factory=dict)


def _texts(m: int) -> list[str]:
    return [f"text {i}" for i in range(m)]


def _rows(weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return weights / weights.sum(axis=1, keepdims=True)


def classes(m: int = 240, n_classes: int = 2, n_models: int = 1, seed: int = 0, **options: Any) -> Task:
    """Probabilities of models that observe the same odds with more and more noise; labels follow the odds."""
    rng = np.random.default_rng(seed)
    # Square roots and quotients are the same on every processor; exponentials differ in the last bits.
    odds = rng.random((m, n_classes)) ** 4 + 1e-3
    y = (rng.random((m, 1)) > _rows(odds).cumsum(axis=1)[:, :-1]).sum(axis=1)
    names = ["no", "yes"] if n_classes == 2 else [f"class {c}" for c in range(n_classes)]
    models = [
        ClassPredictions(_rows(odds * (0.2 + at * rng.random(odds.shape))), names, name=f"model {at}")
        for at in range(1, n_models + 1)
    ]
    given = options.pop("pool", {})
    pool = Pool(_texts(m), predictions=models if n_models > 1 else models[0], **given)
    return Task(pool, lambda i: names[y[i]], options)


def predicted(m: int = 240, n_models: int = 2, seed: int = 3) -> Task:
    """Predicted classes without probabilities."""
    rng = np.random.default_rng(seed)
    y = rng.random(m) < 0.4
    guesses = [np.where(rng.random(m) < 0.1 + 0.05 * at, ~y, y) for at in range(n_models)]
    models = [PredictedClasses(np.where(guess, "yes", "no"), classes=["no", "yes"]) for guess in guesses]
    pool = Pool(_texts(m), predictions=models if n_models > 1 else models[0])
    return Task(pool, lambda i: "yes" if y[i] else "no")


def scored(m: int = 240, seed: int = 5) -> Task:
    """Scores of a classifier that are not probabilities."""
    rng = np.random.default_rng(seed)
    scores = rng.random(m) * 8 - 5
    y = rng.random(m) * 8 - 5 < scores
    pool = Pool(_texts(m), predictions=ScoredClasses(scores, classes=["no", "yes"]))
    return Task(pool, lambda i: "yes" if y[i] else "no")


def values(m: int = 240, n_models: int = 1, *, has_variance: bool = True, seed: int = 7) -> Task:
    """Numbers between 0 and 10, predicted with an error."""
    rng = np.random.default_rng(seed)
    y = np.round(10 * rng.random(m), 2)
    models = []
    for at in range(n_models):
        spread = 0.2 + (1 + at) * rng.random(m)
        mean = np.clip(y + spread * (rng.random(m) - 0.5) * 3, 0, 10)
        models.append(ValuePredictions(mean, spread**2 if has_variance else None, name=f"model {at}"))
    pool = Pool([{"size": float(each)} for each in y], predictions=models if n_models > 1 else models[0])
    return Task(pool, lambda i: float(y[i]), {"y_range": (0.0, 10.0)})


def rankings(m: int = 90, n_models: int = 1, seed: int = 11) -> Task:
    """Make lists of four of six items each, whose grades are 0, 1 or 2."""
    rng = np.random.default_rng(seed)
    lists: list[list[list[str]]] = [[] for _ in range(n_models)]
    known, truth = [], []
    for query in range(m):
        items = [f"{query}-{i}" for i in range(6)]
        known.append(dict(zip(items, _rows(rng.random((6, 3)) ** 3 + 0.01), strict=True)))
        truth.append({item: float((rng.random() > p.cumsum()[:-1]).sum()) for item, p in known[-1].items()})
        for each in lists:
            each.append([items[i] for i in rng.permutation(6)[:4]])
    models = [
        RankingPredictions(each, known, GRADES, name=f"ranker {at}") for at, each in enumerate(lists, 1)
    ]
    shown = [
        Ranking(f"query {q}", [Result(i) for i in dict.fromkeys(item for each in lists for item in each[q])])
        for q in range(m)
    ]
    return Task(Pool(shown, predictions=models if n_models > 1 else models[0]), lambda i: truth[i])


def rubric(m: int = 90, seed: int = 13) -> Task:
    """Answers that are graded by three criteria, with the votes of two judges."""
    rng = np.random.default_rng(seed)
    criteria = ["correct", "complete", "polite"]
    grades = (rng.random((m, 3)) < [0.8, 0.6, 0.9]).astype(float)
    votes = {
        name: np.where(rng.random((m, 2)) < 0.15, 1 - grades[:, [at]], grades[:, [at]])
        for at, name in enumerate(criteria)
    }
    predictions = rubric_predictions(criteria, [0, 1], votes=votes)
    shown = [Ranking(f"answer {i}", [Result(name) for name in criteria]) for i in range(m)]
    return Task(Pool(shown, predictions=predictions), lambda i: dict(zip(criteria, grades[i], strict=True)))


def pairs(m: int = 120, seed: int = 17) -> Task:
    """Two systems' answers side by side, with the votes of two judges."""
    rng = np.random.default_rng(seed)
    verdicts = np.array(["A", "B", "both", "neither"])
    truth = verdicts[rng.integers(0, 4, m)]
    votes = np.where(rng.random((m, 2)) < 0.3, verdicts[rng.integers(0, 4, (m, 2))], truth[:, np.newaxis])
    return Task(Pool(_texts(m), predictions=side_by_side(["new", "old"], votes)), lambda i: str(truth[i]))


def without_model(m: int = 200, labels: tuple[Any, ...] = ("ham", "spam"), **options: Any) -> Task:
    """Instances without predictions."""
    return Task(Pool(_texts(m)), lambda i: labels[(7 * i * i + i) % 11 % len(labels)], options)


def streamed(m: int = 3_000, n_models: int = 1, seed: int = 19) -> Task:
    """Open a data set that stays on disk: its instances share rows, and are read when they are drawn."""
    from activeeval_widgets.formats.streams import streamed_pool as reader

    rng = np.random.default_rng(seed)
    p = rng.random(m).astype(np.float32) ** 2
    y = rng.random(m) < p
    other = np.clip(p + np.float32(0.2) * (rng.random(m).astype(np.float32) - np.float32(0.5)), 0, 1)
    columns = {"a_no": 1 - p, "a_yes": p, "b_no": 1 - other, "b_yes": other}
    folder = TemporaryDirectory(prefix="goldens-")
    _FOLDERS.append(folder)
    path = Path(folder.name) / "pool.parquet"
    pd.DataFrame({"text": _texts(m), **columns}).to_parquet(path, row_group_size=700)
    largest, reader.LARGEST_COPIED = reader.LARGEST_COPIED, 0
    try:
        pool = (
            Pool.read(path, text="text", compare=["a_", "b_"])
            if n_models > 1
            else Pool.read(path, text="text", proba=["a_no", "a_yes"])
        )
    finally:
        reader.LARGEST_COPIED = largest
    return Task(pool, lambda i: "yes" if y[i] else "no")
