"""A model's own data: fitted estimators, tables of probabilities, and what is told where they do not fit."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import ClassPredictions, FMeasure, SquaredError, ValuePredictions

from ..labeling import give_labels

FRAME = pd.DataFrame(
    {
        "text": ["win a prize now", "meet me at noon", "prize money waiting", "see you at lunch"] * 5,
        "label": ["spam", "ham", "spam", "ham"] * 5,
    },
    index=range(100, 120),
)
PIPELINE = make_pipeline(CountVectorizer(), LogisticRegression()).fit(FRAME["text"], FRAME["label"])
X = np.random.default_rng(0).normal(size=(20, 3))
CLASSIFIER = LogisticRegression().fit(X, FRAME["label"])
TEXTS = FRAME["text"].tolist()


def test_a_pipeline_is_asked_about_the_texts() -> None:
    pool = Pool(FRAME["text"], predictions=PIPELINE)
    model = pool.models[0]
    assert isinstance(model, ClassPredictions)
    assert PIPELINE.classes_.dtype == object
    assert model.classes.tolist() == ["ham", "spam"]
    assert np.array_equal(model.y_proba, PIPELINE.predict_proba(TEXTS))
    assert model.name == "LogisticRegression"
    assert (pool.kind, pool.instances) == ("text", TEXTS)
    session = Session(pool, FMeasure(positive="spam"), budget=6)
    give_labels(session, FRAME["label"].iloc)
    assert session.estimate().n_labels == 6


def test_the_model_is_the_same_as_its_predictions() -> None:
    given = ClassPredictions(PIPELINE.predict_proba(TEXTS), classes=PIPELINE.classes_)
    assert Pool(TEXTS, predictions=PIPELINE).fingerprints == Pool(TEXTS, predictions=given).fingerprints


def test_the_model_decides_by_its_own_threshold() -> None:
    strict = FixedThresholdClassifier(PIPELINE, threshold=0.99, response_method="predict_proba")
    model = Pool(TEXTS, predictions=strict.fit(FRAME["text"], FRAME["label"])).models[0]
    assert isinstance(model, ClassPredictions)
    assert set(model.y_pred.tolist()) == {"ham"}
    assert set(model.classes[model.y_proba.argmax(axis=1)].tolist()) == {"ham", "spam"}


@pytest.mark.parametrize("features", [X, X.tolist(), pd.DataFrame(X)])
def test_features_are_what_the_model_is_asked_about(features: Any) -> None:
    model = GaussianNB().fit(X, FRAME["label"])
    pool = Pool(TEXTS, predictions=model, features=features)
    assert np.array_equal(pool.models[0].y_proba, model.predict_proba(X))


def test_sparse_features() -> None:
    counts = CountVectorizer().fit_transform(FRAME["text"])
    model = LogisticRegression().fit(counts, FRAME["label"])
    assert Pool(TEXTS, predictions=model, features=counts).models[0].n_instances == 20


def test_records_are_a_frame_to_the_model() -> None:
    columns = make_column_transformer((OneHotEncoder(), ["text"]))
    model = make_pipeline(columns, LogisticRegression()).fit(FRAME[["text"]], FRAME["label"])
    assert Pool(FRAME[["text"]], predictions=model).kind == "record"


def test_a_regressor_predicts_values() -> None:
    regressor = LinearRegression().fit(X, X[:, 0] * 2)
    pool = Pool(TEXTS, predictions=regressor, features=X)
    model = pool.models[0]
    assert isinstance(model, ValuePredictions)
    assert model.mean == pytest.approx(X[:, 0] * 2)
    assert model.name == "LinearRegression"
    session = Session(pool, SquaredError(), budget=3, y_range=(-10, 10))
    session.label(1.5)
    assert session.n_labels == 1


def test_predictions_in_a_column_are_one_for_each_instance() -> None:
    class OfColumns(LogisticRegression):  # as CatBoost's classifiers
        def predict(self, features: Any) -> Any:
            return super().predict(features)[:, np.newaxis]

    model = Pool(TEXTS, predictions=OfColumns().fit(X, FRAME["label"]), features=X).models[0]
    assert model.y_pred.tolist() == Pool(TEXTS, predictions=CLASSIFIER, features=X).models[0].y_pred.tolist()
    prices = X @ [1.0, 2.0, 3.0]
    column = LinearRegression().fit(X, prices[:, np.newaxis])
    column.classes_ = np.array([])  # as CatBoost's regressors
    assert column.predict(X).shape == (20, 1)
    values = Pool(TEXTS, predictions=column, features=X).models[0]
    assert isinstance(values, ValuePredictions)
    assert values.mean == pytest.approx(prices)


def test_two_models() -> None:
    other = make_pipeline(CountVectorizer(), DummyClassifier()).fit(FRAME["text"], FRAME["label"])
    pool = Pool(TEXTS, predictions=[PIPELINE, other])
    assert [model.name for model in pool.models] == ["LogisticRegression", "DummyClassifier"]
    assert [model.name for model in Pool(TEXTS, predictions=[PIPELINE, PIPELINE]).models] == [None, None]
    tables = [PIPELINE.predict_proba(TEXTS), other.predict_proba(TEXTS)]
    assert len(Pool(TEXTS, predictions=tables).models) == 2


def test_rows_in_another_order_are_refused() -> None:
    proba = pd.DataFrame(PIPELINE.predict_proba(TEXTS), columns=PIPELINE.classes_, index=FRAME.index)
    assert Pool(FRAME["text"], predictions=proba).n_instances == 20
    assert Pool(FRAME["text"], predictions=proba.reset_index(drop=True)).n_instances == 20
    message = r"in another order: it begins with 119, they with 100. Pass predictions.loc[instances.index]"
    with pytest.raises(ValueError, match=re.escape(message)):
        Pool(FRAME["text"], predictions=proba[::-1])
    column = pd.Series(range(1, 21), index=FRAME.index)
    for name in ("ids", "costs", "groups", "labels", "drawn"):
        with pytest.raises(ValueError, match=f"^{name} has the rows"):
            Pool(FRAME["text"], predictions=proba, **{name: column[::-1]})
    with pytest.raises(ValueError, match=r"^features has the rows"):
        Pool(FRAME["label"], predictions=PIPELINE, features=FRAME["text"][::-1])
    pool = Pool(FRAME["text"], predictions=proba, costs=column, ids=column, groups=column.astype(str))
    assert (pool.ids[0], pool.costs[0], pool.groups[0]) == ("1", 1.0, "1")
    # Rows that share a name have no order to compare.
    assert Pool(pd.Series(["a", "b"], index=[0, 0]), groups=pd.Series(["x", "y"])).groups == ["x", "y"]


def test_rows_in_another_order_than_ids_are_refused() -> None:
    ids, texts = [f"m{number}" for number in range(20)], list(TEXTS)
    column = pd.Series(range(1, 21), index=ids)
    proba = pd.DataFrame(PIPELINE.predict_proba(TEXTS), columns=PIPELINE.classes_, index=ids)
    for name in ("costs", "groups", "labels", "drawn"):
        message = f"^{name} has the rows of ids in another order: it begins with 'm19', they with 'm0'. Pass "
        with pytest.raises(ValueError, match=message):
            Pool(texts, predictions=proba, ids=ids, **{name: column[::-1]})
    with pytest.raises(ValueError, match=r"^predictions has .*Pass predictions.loc\[ids\], or "):
        Pool(texts, predictions=proba[::-1], ids=ids)
    # Of a table whose index counts its rows, or is another one, ids are a column.
    assert Pool(FRAME["text"], predictions=proba, ids=ids, costs=column).costs[0] == 1  # type: ignore[index]
    with pytest.raises(ValueError, match=r"^costs has the rows of ids"):
        Pool(FRAME["text"].reset_index(drop=True), predictions=proba, ids=ids, costs=column[::-1])
    # Ids are texts: 7 is "7".
    with pytest.raises(ValueError, match=r"^costs has the rows of ids"):
        Pool(texts, ids=range(101, 121), costs=pd.Series(range(1, 21), index=map(str, range(120, 100, -1))))


def test_an_index_that_is_not_of_ids_has_no_order_of_theirs() -> None:
    ids, texts = list(range(19, -1, -1)), list(TEXTS)
    by_place = pd.Series(range(1, 21))
    shuffled = by_place.sample(frac=1, random_state=1)
    pools = [
        Pool(texts, ids=ids, costs=by_place),
        Pool(texts, ids=pd.Series(ids, index=shuffled.index), costs=shuffled),
        Pool(pd.Series(texts, index=shuffled.index), ids=ids, costs=shuffled),
        Pool(texts, costs=shuffled),
    ]
    for pool, given in zip(pools, (by_place, shuffled, shuffled, shuffled), strict=True):
        assert list(pool.costs) == given.tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["instances", "ids", "groups", "labels"])
def test_sets_have_no_order(name: str) -> None:
    given: dict[str, Any] = {"instances": ["a", "b"], "predictions": [[0.9, 0.1], [0.4, 0.6]]}
    given[name] = {"a", "b"}
    with pytest.raises(TypeError, match=f"^{name} must be in order, got a set, which has none: pass a list"):
        Pool(given.pop("instances"), **given)


def test_a_model_of_texts_is_not_asked_about_columns() -> None:
    with pytest.raises(
        ValueError, match=r"returned 2 results for 20 rows, one for each column.*data\['text'\]"
    ):
        Pool(FRAME, predictions=PIPELINE)


class Unhelpful:
    """A model that can't answer, and does not say why."""

    def predict_proba(self, features: Any) -> Any:
        raise RuntimeError


@pytest.mark.parametrize(
    ("model", "options", "error", "message"),
    [
        (LogisticRegression, {}, TypeError, "the class LogisticRegression, expected a fitted"),
        (
            make_pipeline(CountVectorizer(), LogisticRegression()),
            {},
            ValueError,
            "LogisticRegression is not fitted: call its fit(X_train, y_train) first",
        ),
        (CountVectorizer().fit(TEXTS), {}, TypeError, "CountVectorizer is neither a classifier nor"),
        (CLASSIFIER, {}, ValueError, "other input than what is shown, pass that as features=X"),
        (CLASSIFIER, {"features": X[:, :2]}, ValueError, "features must be what it was fitted on, one row"),
        (CLASSIFIER, {"features": X[:3]}, ValueError, "features has 3 rows, expected one for each of 20"),
        (CLASSIFIER, {"features": 3}, TypeError, "features must have one row for each instance, got 3"),
        (CLASSIFIER.predict_proba(X), {"features": X}, ValueError, "leave features out"),
        (Unhelpful(), {}, ValueError, "Unhelpful.predict_proba(instances) failed: RuntimeError. If it needs"),
        (
            MultiOutputClassifier(GaussianNB()).fit(X, np.column_stack([X[:, 0] > 0, X[:, 1] > 0])),
            {"features": X},
            ValueError,
            "MultiOutputClassifier predicts 2 labels for each instance; evaluate one at a time",
        ),
    ],
)  # fmt: skip
def test_a_model_that_cannot_answer(model: Any, options: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Pool(TEXTS, predictions=model, **options)


def test_the_remedies_work() -> None:
    model = make_pipeline(CountVectorizer(), LinearSVC())
    calibrated = CalibratedClassifierCV(model, cv=3).fit(TEXTS, FRAME["label"])
    pool = Pool(TEXTS, predictions=calibrated)
    assert pool.models[0].name == "CalibratedClassifierCV"
    p = CLASSIFIER.predict_proba(X)[:, 1]
    assert Pool(TEXTS, predictions=np.column_stack([1 - p, p])).models[0].n_instances == 20


def test_a_frames_columns_name_the_classes() -> None:
    frame = pd.DataFrame(PIPELINE.predict_proba(TEXTS), columns=PIPELINE.classes_, index=FRAME.index)
    for predictions in (frame, ClassPredictions(frame)):
        model = Pool(TEXTS, predictions=predictions).models[0]
        assert isinstance(model, ClassPredictions)
        assert model.classes.tolist() == ["ham", "spam"]
        assert np.array_equal(model.y_proba, frame.to_numpy())
    assert ClassPredictions(frame, classes=["a", "b"]).classes.tolist() == ["a", "b"]
    assert ClassPredictions(pd.DataFrame(frame.to_numpy())).classes.tolist() == [0, 1]
    with pytest.raises(ValueError, match="classes must name one class per column"):
        ClassPredictions(frame.set_axis(pd.MultiIndex.from_tuples([("p", "a"), ("p", "b")]), axis=1))


def test_rounded_rows_are_normalized_and_it_is_stated() -> None:
    rounded = np.array([[0.33, 0.33, 0.33], [0.2, 0.3, 0.5]])
    with pytest.warns(
        UserWarning, match=r"rows sum to 1 only within 0.01 \(rounded\?\), and were normalized"
    ) as result:
        given = ClassPredictions(rounded)
    assert result[0].filename == __file__
    assert given.y_proba.sum(axis=1) == pytest.approx(1, abs=1e-15)
    assert given.y_proba[0] == pytest.approx(1 / 3)
    assert np.array_equal(ClassPredictions(rounded, normalize=True).y_proba, given.y_proba)


def test_any_rows_are_normalized_if_that_is_meant() -> None:
    given = ClassPredictions([[3, 1], [0, 7]], normalize=True)
    assert given.y_proba.tolist() == [[0.75, 0.25], [0, 1]]


@pytest.mark.parametrize(
    ("y_proba", "options", "message"),
    [
        ([[0.5, 0.5], [0.4, 0.5]], {}, r"y_proba\[1\] sums to 0.9, .*0.01 if rounded\). normalize=True"),
        ([[0.5, 0.5], [0, 0]], {"normalize": True}, r"y_proba\[1\] is 0 for every class"),
        ([[2.3, -1.3], [0, 1]], {}, r"y_proba\[0, 1\] is -1.3, .*decision scores: .*CalibratedClassifierCV"),
        ([[1, -1]], {"normalize": True}, r"y_proba\[0, 1\] is -1.0, expected a probability >= 0"),
        ([[0.5, np.nan]], {}, r"y_proba\[0, 1\] is nan, expected a finite number"),
        (["spam", "ham"], {}, r"one value for each instance \(y_proba\[0\] is 'spam'\).*predict_proba"),
        (pd.Series(["spam", "ham"]), {}, r"one value for each instance \(y_proba\[0\] is 'spam'\)"),
        ([1, 0, 1], {}, r"one value for each instance \(y_proba\[0\] is 1\).*predicted labels"),
        ([1.7, -0.2], {}, r"one value for each instance .*decision scores.*CalibratedClassifierCV"),
        ([0.25, 0.75], {}, r"shape \(n_instances, n_classes\).*both: np.column_stack\(\[1 - p, p\]\)"),
        ([[0.25], [0.75]], {}, r"at least two columns .*np.column_stack\(\[1 - p, p\]\)"),
    ],
)  # fmt: skip
def test_what_no_probabilities_are(y_proba: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ClassPredictions(y_proba, **options)
    if not options and np.asarray(y_proba).dtype.kind == "f":  # else they are labels
        with pytest.raises(ValueError, match="predictions, taken as class probabilities: y_proba"):
            Pool(["a", "b", "c"][: len(y_proba)], predictions=y_proba)


def test_a_list_of_numpys_booleans_has_labels() -> None:
    pool = Pool(["a", "b", "c"], predictions=list(np.array([True, False, True])))
    assert pool.models[0].y_pred.tolist() == [True, False, True]


@pytest.mark.parametrize(
    "lists",
    [
        [["spam", "ham", "ham"], ["spam", "spam", "ham"]],  # of two models
        ([[0.5, 0.5]] * 3, ["ham", "spam"]),
        [["d1", "d2"], ["d2"], ["d3", "d1"]],
    ],
)
def test_lists_of_lists_are_refused_with_what_they_may_be(lists: Any) -> None:
    message = r"class probabilities: .*\. If .*'old': ….* ClassPredictions\(y_proba, .* RankingPredictions$"
    with pytest.raises(TypeError, match=message):
        Pool(["a", "b", "c"], predictions=lists)


def test_a_wrong_number_of_rows() -> None:
    with pytest.raises(ValueError, match="holds 20 texts, but the predictions are for 19 instances"):
        Pool(TEXTS, predictions=PIPELINE.predict_proba(TEXTS)[1:])


def test_a_missing_text_is_reported_with_what_to_do() -> None:
    texts = FRAME["text"].copy()
    texts.iloc[3] = None
    with pytest.raises(TypeError, match=r"instances\[3\] must be a str or a Text \(empty if it is missing\)"):
        Pool(texts, predictions=CLASSIFIER, features=X)


# -- paths of images -------------------------------------------------------------------------------------


def photos(folder: Path) -> list[str]:
    from PIL import Image

    paths = [str(folder / name) for name in ("a.png", "b.JPG", "c.webp")]
    for path in paths:
        Image.new("RGB", (4, 4)).save(path)
    return paths


def test_paths_of_images_are_shown_as_images(tmp_path: Path) -> None:
    paths = photos(tmp_path)
    for given in (paths, pd.Series(paths, index=[5, 6, 7]), np.array(paths)):
        pool = Pool(given, predictions=[[0.5, 0.5]] * 3)
        assert pool.kind == "image"
        assert pool.instances == [Path(path) for path in paths]
    assert Pool([*paths, str(tmp_path / "gone.png")], predictions=[[0.5, 0.5]] * 4).kind == "image"
    assert Pool(paths, predictions=[[0.5, 0.5]] * 3, kind="text").kind == "text"


def test_paths_relative_to_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photos(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert Pool(["a.png", "b.JPG"], predictions=[[0.5, 0.5]] * 2).kind == "image"


def test_names_of_files_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=rf"no file a.png in {tmp_path}.*kind=\"text\"") as result:
        Pool(["a.png", "b.jpg"], predictions=[[0.5, 0.5]] * 2)
    assert 'kind="image"' in str(result.value)


def test_a_sentence_that_names_a_file_is_a_text(tmp_path: Path) -> None:
    texts = ["I have lost a.png", "See b.jpg", "Nothing here"]
    assert Pool(texts, predictions=[[0.5, 0.5]] * 3).kind == "text"
