"""What other libraries hand over is taken as it is."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from PIL import Image

from activeeval_widgets import Pool, evaluate
from activeeval_widgets.stats import ClassPredictions

TEXTS = ["Hello Ada", "Win a prize now"]
PROBA = {"ham": [0.9, 0.2], "spam": [0.1, 0.8]}
FRAMES = [pl.DataFrame, pa.table, pd.DataFrame]


class Stream:
    """A table that has nothing but an Arrow stream."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


class DataSet:
    """The part of a data set of Hugging Face that is used: columns by name, images decoded."""

    def __init__(self, columns: dict[str, list[object]]) -> None:
        self._columns = columns
        self.column_names = list(columns)
        self.features = dict.fromkeys(columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __getitem__(self, name: str) -> list[object]:
        return self._columns[name]


@pytest.mark.parametrize("frame", [*FRAMES, lambda columns: Stream(pa.table(columns))])
def test_tables_of_probabilities_name_the_classes(frame) -> None:
    pool = Pool(TEXTS, predictions=frame(PROBA))
    assert pool.models[0].classes.tolist() == ["ham", "spam"]
    assert pool.models[0].y_proba.tolist() == [[0.9, 0.1], [0.2, 0.8]]
    assert pool.fingerprints == Pool(TEXTS, predictions=pd.DataFrame(PROBA)).fingerprints
    both = Pool(TEXTS, predictions={"old": frame(PROBA), "new": frame(PROBA)})
    assert [model.classes.tolist() for model in both.models] == [["ham", "spam"]] * 2


@pytest.mark.parametrize("frame", [*FRAMES, lambda columns: Stream(pa.table(columns)), DataSet])
def test_tables_of_instances_are_records(frame) -> None:
    columns = {"text": TEXTS, "length": [9, 15]}
    pool = Pool(frame(columns), predictions=PROBA_ROWS)
    assert pool.kind == "record"
    assert pool.instances.to_dict("list") == columns


PROBA_ROWS = [[0.9, 0.1], [0.2, 0.8]]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(TEXTS),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS]),
        pl.DataFrame({"text": TEXTS}),
        pa.table({"text": TEXTS}),
        DataSet({"text": TEXTS}),
    ],
)
def test_columns_of_texts(column) -> None:
    pool = Pool(column, predictions=PROBA_ROWS)
    assert (pool.kind, list(pool.instances)) == ("text", TEXTS)


def test_predicted_labels_in_columns() -> None:
    for column in (pl.Series(["ham", "spam"]), pa.array(["ham", "spam"])):
        assert Pool(TEXTS, predictions=column).models[0].y_pred.tolist() == ["ham", "spam"]


@pytest.mark.parametrize(
    ("mode", "shape"),
    [("L", ()), ("1", ()), ("RGB", (3,)), ("P", (3,)), ("CMYK", (3,)), ("RGBA", (4,)), ("LA", (4,))],
)
def test_images_of_pil(mode: str, shape: tuple[int, ...]) -> None:
    images = [Image.new(mode, (5, 4)), Image.new(mode, (5, 4))]
    pool = Pool(images, predictions=PROBA_ROWS)
    assert (pool.kind, pool.instances.shape) == ("image", (2, 4, 5, *shape))
    app = evaluate(DataSet({"image": images}), PROBA_ROWS, "error-rate")
    assert app.session.pool.kind == "image"
    assert app.session.pool.fingerprints == pool.fingerprints


def test_images_of_pil_of_different_sizes() -> None:
    pool = Pool([Image.new("RGB", (5, 4)), Image.new("L", (3, 3))], predictions=PROBA_ROWS)
    assert [each.shape for each in pool.instances] == [(4, 5, 3), (3, 3)]


def test_answers_of_a_pipeline() -> None:
    answers = [
        [{"label": "spam", "score": 0.6}, {"label": "ham", "score": 0.4}],
        [{"label": "ham", "score": 0.7}, {"label": "spam", "score": 0.3}],
    ]
    model = Pool(TEXTS, predictions=answers).models[0]
    assert model.classes.tolist() == ["ham", "spam"]
    assert model.y_proba.tolist() == [[0.4, 0.6], [0.7, 0.3]]
    assert len(Pool(TEXTS, predictions={"a": answers, "b": answers}).models) == 2
    best = Pool(TEXTS, predictions=[each[0] for each in answers]).models[0]
    assert (best.classes.tolist(), best.y_pred.tolist()) == (["ham", "spam"], ["spam", "ham"])
    assert best.y_proba.tolist() == pytest.approx(np.array([[0.4, 0.6], [0.7, 0.3]]))
    with pytest.raises(ValueError, match=r"only the label 'ham': .* pipeline\(texts, top_k=None\)"):
        Pool(TEXTS, predictions=[{"label": "ham", "score": 0.7}] * 2)
    with pytest.raises(ValueError, match=r"a label and a score for each instance"):
        Pool(TEXTS, predictions=[answers[0][0], "ham"])
    with pytest.raises(ValueError, match=r"predictions\[1\] has scores of \['ham'\], those before of"):
        Pool(TEXTS, predictions=[answers[0], answers[1][:1]])


def test_logits() -> None:
    logits = np.log([[0.9, 0.1], [0.2, 0.8]]) + 3
    model = ClassPredictions.from_logits(logits, classes=["ham", "spam"], name="network")
    assert model.y_proba == pytest.approx(np.array(PROBA_ROWS))
    assert (model.name, model.classes.tolist()) == ("network", ["ham", "spam"])
    one = ClassPredictions.from_logits(logits[:, 1] - logits[:, 0])
    assert one.y_proba == pytest.approx(np.array(PROBA_ROWS))
    assert ClassPredictions.from_logits([[1000.0, -1000.0]]).y_proba.tolist() == [[1, 0]]
    for wrong, message in (
        ([[np.nan, 1]], "finite"),
        ([[[1.0]]], "must have shape"),
        ([["a", "b"]], "numbers"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            ClassPredictions.from_logits(wrong)
