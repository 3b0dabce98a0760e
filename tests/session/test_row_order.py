"""What is put together with a pool by position must have its rows in one order."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets import Pool, Session, evaluate
from activeeval_widgets.stats import ClassPredictions, PredictedClasses, ValuePredictions
from activeeval_widgets.widgets import Race

N = 6
INDEX = [f"row {number}" for number in range(N)]
TEXTS = pd.Series([f"text {number}" for number in range(N)], index=INDEX)
PROBA = pd.DataFrame(
    {"x": np.linspace(0.1, 0.9, N), "y": 1 - np.linspace(0.1, 0.9, N)}, index=pd.Index(INDEX)
)
LABELS = pd.Series(["x", "y"] * (N // 2), index=INDEX)
NUMBERS = pd.Series(np.arange(1.0, N + 1), index=INDEX)

ALONE = list(TEXTS)
WAYS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "predictions": (PROBA, lambda given: Pool(TEXTS, predictions=ClassPredictions(given))),
    "predicted labels": (LABELS, lambda given: Pool(TEXTS, predictions=PredictedClasses(given))),
    "values": (NUMBERS, lambda given: Pool(TEXTS, predictions=ValuePredictions(given))),
    "one of two": (
        PROBA,
        lambda given: Pool(TEXTS, predictions=[ClassPredictions(PROBA), ClassPredictions(given)]),
    ),
    "evaluate": (PROBA, lambda given: evaluate(TEXTS, ClassPredictions(given), "accuracy")),
    "two tables": (PROBA, lambda given: Pool(ALONE, predictions={"old": PROBA, "new": given})),
    "two columns": (LABELS, lambda given: Pool(ALONE, predictions={"old": LABELS, "new": given})),
    "groups": (LABELS, lambda given: Pool(ALONE, predictions=PROBA, groups=given)),
    "groups and costs": (
        LABELS,
        lambda given: Pool(ALONE, predictions=PROBA.to_numpy(), costs=NUMBERS, groups=given),
    ),
    "ids": (NUMBERS, lambda given: Pool(ALONE, predictions=PROBA, ids=given)),
    "q": (
        NUMBERS / NUMBERS.sum(),
        lambda given: Session(Pool(TEXTS, predictions=PROBA), "accuracy", q=given),
    ),
    "labels of a race": (
        LABELS,
        lambda given: Race.of_pool(Pool(TEXTS, predictions=PROBA), "accuracy", given),
    ),
    "labels and predictions": (LABELS, lambda given: Race(ALONE, PROBA, "accuracy", given)),
    "labels and ids": (
        LABELS,
        lambda given: Race.of_pool(
            Pool(ALONE, predictions=ClassPredictions(PROBA.to_numpy(), ["x", "y"]), ids=INDEX),
            "accuracy",
            given,
        ),
    ),
}


@pytest.mark.parametrize("case", WAYS)
def test_rows_in_another_order_are_refused(case: str) -> None:
    value, use = WAYS[case]
    use(value)
    use(value[::-1].reset_index(drop=True))
    with pytest.raises(ValueError, match=r" in another order: it begins with 'row \d', they with 'row "):
        use(value[::-1])


def test_the_error_names_the_model_and_a_remedy() -> None:
    models = {"old": PROBA, "new": PROBA[::-1]}
    with pytest.raises(ValueError, match=r"^predictions of 'new' has the rows of instances in .* Give both "):
        Pool(TEXTS, predictions=models)
    with pytest.raises(ValueError, match=r"^predictions of 'new' has the rows of predictions of 'old' in "):
        Pool(ALONE, predictions=models)
    with pytest.raises(ValueError, match=r"\.loc\[instances\.index\], or predictions\.to_numpy\(\) if it "):
        Pool(TEXTS, predictions=PROBA[::-1])


def test_a_race_does_not_bind_the_pool_to_the_index_of_its_labels() -> None:
    pool = Pool(ALONE, predictions=ClassPredictions(PROBA.to_numpy(), ["x", "y"]))
    for labels in (LABELS, LABELS[::-1]):
        assert Race.of_pool(pool, "accuracy", labels).truth == pytest.approx(
            np.mean(np.array(["y"] * 3 + ["x"] * 3) == labels.to_numpy())
        )


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_tables_without_an_index_are_taken_by_position(library: str) -> None:
    other = pytest.importorskip(library)
    shuffled = TEXTS.reset_index(drop=True).sample(frac=1, random_state=1)
    make = {"polars": lambda: other.from_pandas(PROBA), "pyarrow": lambda: other.table(PROBA.to_dict("list"))}
    pool = Pool(shuffled, predictions=make[library](), groups=LABELS.loc[INDEX].to_numpy())
    assert pool.models[0].y_proba[:, 0] == pytest.approx(PROBA["x"].to_numpy())  # type: ignore[attr-defined]
