import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.session import Pool, Session, SessionMismatchError
from activeeval_widgets.stats import Accuracy, ClassPredictions, ErrorRate, Measure, uniform_q

PREDICTIONS = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
IMAGES = np.zeros((3, 4, 5))
EXPECTED = "images as an array of shape (n_instances, height, width) or (n_instances, height, width, 3 or 4)"
ONE_IMAGE = "an image: an array of shape (height, width) or (height, width, 3 or 4), bytes, or a path"


def exactly(message: str) -> str:
    return f"^{re.escape(message)}$"


def with_value(value: float) -> Any:
    images = IMAGES.copy()
    images[1, 2, 3] = value
    return images


# -- pools ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instances", "message"),
    [
        ([], "instances must hold at least one instance, got []"),
        (np.zeros((0, 8, 8)),
         "instances must hold at least one image, got an empty array of shape (0, 8, 8)"),
        (np.zeros((3, 0, 8)),
         "instances must hold at least one image, got an empty array of shape (3, 0, 8)"),
        (np.zeros((2, 8, 8)), "instances holds 2 images, but the predictions are for 3 instances"),
        (np.zeros((4, 8, 8)), "instances holds 4 images, but the predictions are for 3 instances"),
        (np.zeros(3), f"instances must be {EXPECTED}, got shape (3,)"),
        (np.zeros((3, 64)), f"instances must be {EXPECTED}, got shape (3, 64). If each row holds features, "
         "give pd.DataFrame(X, columns=names)"),
        (np.zeros((3, 8, 8, 2)), f"instances must be {EXPECTED}, got shape (3, 8, 8, 2)"),
        (np.zeros((3, 8, 8, 5)), f"instances must be {EXPECTED}, got shape (3, 8, 8, 5)"),
        (np.zeros((3, 1, 8, 8, 3)), f"instances must be {EXPECTED}, got shape (3, 1, 8, 8, 3)"),
        (np.array(5), "instances must hold at least one instance, got an array of shape ()"),
        ([np.zeros((4, 4)), np.zeros((4, 5)), np.zeros(4)],
         f"instances[2] must be {ONE_IMAGE}, got an array of shape (4,)"),
        ([np.zeros((4, 4)), np.zeros((4, 0)), np.zeros((4, 4))],
         f"instances[1] must be {ONE_IMAGE}, got an array of shape (4, 0)"),
        ([np.zeros((4, 4)), np.zeros((4, 5, 2)), np.zeros((4, 4))],
         f"instances[1] must be {ONE_IMAGE}, got an array of shape (4, 5, 2)"),
        ([np.zeros((4, 4)), np.full((4, 5), np.nan), np.zeros((4, 4))],
         "instances[1] holds a value that is not a finite number"),
        (with_value(np.nan), "instances[1] holds a value that is not a finite number"),
        (with_value(np.inf), "instances[1] holds a value that is not a finite number"),
        (with_value(-np.inf), "instances[1] holds a value that is not a finite number"),
    ],
)  # fmt: skip
def test_images_of_a_wrong_shape_or_value(instances: Any, message: str) -> None:
    with pytest.raises(ValueError, match=exactly(message)):
        Pool(instances, predictions=PREDICTIONS)


@pytest.mark.parametrize(
    ("instances", "dtype"),
    [
        (IMAGES.astype(complex), "complex128"),
        (IMAGES.astype("datetime64[s]"), "datetime64[s]"),
    ],
)
def test_images_that_are_no_numbers(instances: Any, dtype: str) -> None:
    with pytest.raises(
        TypeError, match=exactly(f"instances must be {EXPECTED} of numbers, got dtype {dtype}")
    ):
        Pool(instances, predictions=PREDICTIONS)


MODELS = (
    "ClassPredictions, ValuePredictions or RankingPredictions, class probabilities or a fitted model, "
    "or a list of several of one type; or None without a model"
)


@pytest.mark.parametrize("predictions", [[PREDICTIONS, 5], "ab", {1, 2}])
def test_predictions_of_a_wrong_type(predictions: Any) -> None:
    with pytest.raises(TypeError, match=exactly(f"predictions must be {MODELS}, got {predictions!r}")):
        Pool(IMAGES, predictions=predictions)


def test_a_method_in_place_of_predictions() -> None:
    model = LogisticRegression()
    with pytest.raises(
        TypeError, match=exactly(f"predictions must be {MODELS}, got {model.predict!r}: give what it returns")
    ):
        Pool(IMAGES, predictions=model.predict)


@pytest.mark.parametrize("matrix", [csr_matrix, csr_array])
def test_a_sparse_matrix_in_place_of_texts(matrix: Callable[..., Any]) -> None:
    message = (
        "instances is a sparse matrix, expected what people look at, such as the texts it was made of; "
        "give the matrix as features"
    )
    with pytest.raises(TypeError, match=exactly(message)):
        Pool(matrix(np.eye(3)), predictions=PREDICTIONS)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_the_first_text_is_missing(missing: Any) -> None:
    message = f"instances[0] must be a str or a Text (empty if it is missing), got {missing!r}"
    with pytest.raises(TypeError, match=exactly(message)):
        Pool(pd.Series([missing, "a", "b"], dtype=object), predictions=PREDICTIONS)


@pytest.mark.parametrize("n_models", [0, 1])
def test_predictions_of_a_wrong_number_of_models(n_models: int) -> None:
    with pytest.raises(ValueError, match=exactly(f"predictions must be {MODELS}, got a list of {n_models}")):
        Pool(IMAGES, predictions=[PREDICTIONS] * n_models)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["a", "b"], "ids has 2 entries, expected one for each of 3 instances"),
        ([], "ids has 0 entries, expected one for each of 3 instances"),
        (["a", "b", "a"], "ids must be distinct, but 'a' occurs twice"),
        ([1, 2, "1"], "ids must be distinct, but '1' occurs twice"),
    ],
)
def test_ids(ids: Any, message: str) -> None:
    with pytest.raises(ValueError, match=exactly(message)):
        Pool(IMAGES, predictions=PREDICTIONS, ids=ids)


@pytest.mark.parametrize(
    ("costs", "error", "message"),
    [
        ([1, 2], ValueError, "costs has 2 entries, expected one for each of 3 instances"),
        ([1, 0, 2], ValueError, "costs[1] is 0.0, expected a cost > 0"),
        ([1, 2, -3], ValueError, "costs[2] is -3.0, expected a cost > 0"),
        ([1, np.nan, 2], ValueError, "costs[1] is nan, expected a finite number"),
        ([1, np.inf, 2], ValueError, "costs[1] is inf, expected a finite number"),
        (5, ValueError, "costs must have shape (n_instances,), got an array of shape ()"),
        ([[1, 2, 3]], ValueError, "costs must have shape (n_instances,), got an array of shape (1, 3)"),
    ],
)
def test_costs(costs: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        Pool(IMAGES, predictions=PREDICTIONS, costs=costs)


def test_costs_that_are_no_numbers() -> None:
    with pytest.raises(TypeError, match=r"^costs must be an array of numbers of shape \(n_instances,\): "):
        Pool(IMAGES, predictions=PREDICTIONS, costs=["cheap", "dear", "dear"])


@pytest.mark.parametrize("kind", ["img", "", "Image", 3])
def test_kind(kind: Any) -> None:
    kinds = "'conversation', 'custom', 'image', 'pair', 'ranking', 'record', 'text'"
    with pytest.raises(ValueError, match=exactly(f"kind must be one of {kinds}, got {kind!r}")):
        Pool(IMAGES, predictions=PREDICTIONS, kind=kind)


def test_a_good_pool() -> None:
    pool = Pool(IMAGES, predictions=PREDICTIONS, ids=[7, "b", 2.5], costs=[1, 2, 3], kind="image")
    assert (pool.n_instances, pool.kind, pool.ids) == (3, "image", ["7", "b", "2.5"])
    assert pool.costs.tolist() == [1, 2, 3]
    assert repr(pool) == "<Pool of 3 images, predicted by 1 model>"
    assert Pool(IMAGES, predictions=PREDICTIONS).ids == ["0", "1", "2"]


# -- sessions ---------------------------------------------------------------------------------------------


def begin(**options: Any) -> Session:
    pool = options.pop("pool", Pool(IMAGES, predictions=PREDICTIONS))
    return Session(pool, options.pop("measure", ErrorRate()), **{"protocol": "papers", **options})


@pytest.mark.parametrize("pool", [None, IMAGES, Pool])
def test_pool_of_a_wrong_type(pool: Any) -> None:
    with pytest.raises(TypeError, match=exactly(f"pool must be a Pool, got {pool!r}")):
        begin(pool=pool)


@pytest.mark.parametrize(
    ("measure", "hint"), [(None, ""), (3, ""), (ErrorRate, ". Did you mean ErrorRate(…)?")]
)
def test_measure_of_a_wrong_type(measure: Any, hint: str) -> None:
    expected = "measure must be a Measure, such as ErrorRate(), or its name, such as 'error-rate', got "
    with pytest.raises(TypeError, match=exactly(f"{expected}{measure!r}{hint}")):
        begin(measure=measure)


@pytest.mark.parametrize("budget", [0, -1])
def test_budget_too_small(budget: int) -> None:
    with pytest.raises(ValueError, match=exactly(f"budget must be an integer >= 1, got {budget}")):
        begin(budget=budget)


@pytest.mark.parametrize("budget", [True, False, 10.0, "10", [10], np.nan])
def test_budget_of_a_wrong_type(budget: Any) -> None:
    with pytest.raises(TypeError, match=exactly(f"budget must be an integer >= 1, got {budget!r}")):
        begin(budget=budget)


def test_seed_too_small() -> None:
    with pytest.raises(ValueError, match=exactly("seed must be an integer >= 0, got -1")):
        begin(seed=-1)


@pytest.mark.parametrize("seed", [None, True, 1.0, "1"])
def test_seed_of_a_wrong_type(seed: Any) -> None:
    with pytest.raises(TypeError, match=exactly(f"seed must be an integer >= 0, got {seed!r}")):
        begin(seed=seed)


@pytest.mark.parametrize("defensive", [-0.1, 1.1, float("nan"), float("inf")])
def test_defensive_out_of_range(defensive: float) -> None:
    with pytest.raises(
        ValueError, match=exactly(f"defensive must be a number from 0 to 1, got {defensive!r}")
    ):
        begin(defensive=defensive)


@pytest.mark.parametrize("defensive", [True, "0.1"])
def test_defensive_of_a_wrong_type(defensive: Any) -> None:
    with pytest.raises(
        TypeError, match=exactly(f"defensive must be a number from 0 to 1, got {defensive!r}")
    ):
        begin(defensive=defensive)


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ([0.5, 0.5], "q has 2 entries, but the predictions are for 3 instances"),
        ([], "q must have at least one entry, got an empty array"),
        ([0.5, 0.6, -0.1], "q[2] is -0.1, expected a probability >= 0"),
        ([0.5, 0.5, 0.5], "q sums to 1.5, expected 1 within 1e-05"),
        ([0.5, np.nan, 0.5], "q[1] is nan, expected a finite number"),
        ([[0.5, 0.25, 0.25]], "q must have shape (n_instances,), got an array of shape (1, 3)"),
    ],
)
def test_q(q: Any, message: str) -> None:
    with pytest.raises(ValueError, match=exactly(message)):
        begin(q=q)


@pytest.mark.parametrize("name", ["", "  ", "\n", None, 5])
def test_name(name: Any) -> None:
    with pytest.raises(ValueError, match=exactly(f"name must be a string that is not blank, got {name!r}")):
        begin(name=name)


@pytest.mark.parametrize("protocol", ["paper", "", 1, "Papers"])
def test_protocol(protocol: Any) -> None:
    with pytest.raises(
        ValueError, match=exactly(f"protocol must be one of 'adaptive', 'papers', got {protocol!r}")
    ):
        begin(protocol=protocol)


@pytest.mark.parametrize("store", [5, {}, object])
def test_store_of_a_wrong_type(store: Any) -> None:
    message = f"store must be a store, the path of an SQLite file, or None, got {store!r}"
    with pytest.raises(TypeError, match=exactly(message)):
        begin(store=store)


@pytest.mark.parametrize("n", [-1, -100])
def test_upcoming_too_few(n: int) -> None:
    with pytest.raises(ValueError, match=exactly(f"n must be an integer >= 0, got {n}")):
        begin().upcoming(n)


@pytest.mark.parametrize("n", [1.0, None, True])
def test_upcoming_of_a_wrong_type(n: Any) -> None:
    with pytest.raises(TypeError, match=exactly(f"n must be an integer >= 0, got {n!r}")):
        begin().upcoming(n)


# -- labels -----------------------------------------------------------------------------------------------


def refuse_label(session: Session, value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        session.label(value)
    assert session.history().empty
    assert session.store.begin(session.name, session.storage.identity) == []


@pytest.mark.parametrize("label", [2, -1, 0.5, "1", "", None, True, False, float("nan"), 10**30, b"1"])
def test_a_label_that_is_no_class(label: Any) -> None:
    message = f"label is {label!r}, expected one of the classes [0, 1]"
    refuse_label(begin(), label, ValueError, message)


@pytest.mark.parametrize("label", ["Ham", "ha", "hams", "", 0, 1, None, True])
def test_a_label_that_is_no_class_of_words(label: Any) -> None:
    predictions = ClassPredictions(PREDICTIONS.y_proba, classes=["ham", "spam"])
    message = f"label is {label!r}, expected one of the classes ['ham', 'spam']"
    refuse_label(begin(pool=Pool(IMAGES, predictions=predictions)), label, ValueError, message)


@pytest.mark.parametrize("label", [[1], [0, 1], (1,), [], np.array([1])])
def test_a_label_that_is_a_list(label: Any) -> None:
    refuse_label(begin(), label, TypeError, f"label must be one class, got {label!r}")


@pytest.mark.parametrize("label", [np.int64(1), np.array(1), np.uint8(1)])
def test_a_label_from_numpy(label: Any) -> None:
    stored = begin().label(label).value
    assert stored == 1
    assert type(stored) is int


@pytest.mark.parametrize("action", ["label", "defer", "exclude"])
def test_an_answer_to_another_draw(action: str) -> None:
    session = begin(q=uniform_q(3))
    asked = session.next()
    assert asked is not None
    arguments = (0,) if action == "label" else ()
    for draw in (asked.draw + 1, 0, -1):
        message = f"draw is {draw}, but the session asks about draw {asked.draw}: answer that one"
        with pytest.raises(ValueError, match=exactly(message)):
            getattr(session, action)(*arguments, draw=draw)
    assert session.history().empty
    getattr(session, action)(*arguments, draw=asked.draw)
    assert len(session.history()) == 1


@pytest.mark.parametrize("action", ["label", "defer", "exclude"])
def test_an_answer_to_a_session_that_is_done(action: str) -> None:
    session = begin(budget=1, name="short")
    session.label(1)
    message = "the session 'short' is done: there is no instance to answer"
    with pytest.raises(ValueError, match=exactly(message)):
        getattr(session, action)(*((0,) if action == "label" else ()))
    assert len(session.history()) == 1


@pytest.mark.parametrize("reason", [5, object(), ["blurred"]])
def test_a_reason_that_is_no_text(reason: Any, make_list_store: Callable[..., Any]) -> None:
    session = begin(store=make_list_store())
    with pytest.raises(TypeError, match="reason must be a string"):
        session.exclude(reason=reason)
    assert session.history().empty


# -- opening with something else --------------------------------------------------------------------------


def parts() -> dict[str, Any]:
    return {"images": IMAGES, "y_proba": PREDICTIONS.y_proba, "classes": None, "y_pred": None, "ids": None,
            "costs": None, "measure": ErrorRate(), "q": uniform_q(3), "seed": 0}  # fmt: skip


def open_with(store: Any, *, images: Any, y_proba: Any, classes: Any, y_pred: Any, ids: Any, costs: Any,
              measure: Measure, q: Any, seed: int) -> Session:  # fmt: skip
    predictions = ClassPredictions(y_proba, classes, y_pred)
    pool = Pool(images, predictions=predictions, ids=ids, costs=costs)
    return Session(pool, measure, store=store, q=q, seed=seed)


@pytest.mark.parametrize(
    ("differing", "change"),
    [
        ("instances", {"images": with_value(0.5)}),
        ("instances", {"images": IMAGES.reshape(3, 5, 4)}),
        ("instances", {"images": IMAGES.astype(np.float32)}),
        ("predictions", {"y_proba": [[0.9, 0.1], [0.3, 0.7], [0.2, 0.8]]}),
        ("predictions", {"classes": [1, 2]}),
        ("predictions", {"classes": ["0", "1"]}),
        ("predictions", {"y_pred": [1, 1, 1]}),
        ("ids", {"ids": ["a", "b", "c"]}),
        ("ids", {"ids": ["0", "2", "1"]}),
        ("costs", {"costs": [1, 1, 2]}),
        ("measure", {"measure": Accuracy()}),
        ("q", {"q": [0.5, 0.25, 0.25]}),
        ("seed", {"seed": 1}),
    ],
)
def test_what_differs_is_named(shelf: Any, differing: str, change: dict[str, Any]) -> None:
    begun = open_with(shelf.open(), **parts())
    begun.label(0)
    with pytest.raises(SessionMismatchError) as error:
        open_with(shelf.open(), **{**parts(), **change})
    other = open_with(None, **{**parts(), **change})
    then, now = (
        re.sub("[0-9a-f]{64}", lambda digest: f"{digest[0][:8]}…", session.storage.identity[differing])
        for session in (begun, other)
    )
    assert str(error.value) == (
        f"the session 'default' was started with different settings: {differing} ({then} then, {now} now). "
        "Open it with the settings it was started with, or pass another name to start a new one"
    )
    assert open_with(shelf.open(), **parts()).log.actions == begun.log.actions


def test_several_differences_are_all_named(shelf: Any) -> None:
    open_with(shelf.open(), **parts())
    with pytest.raises(SessionMismatchError, match=r": measure \(.*\), q \(.*\), seed \(0 then, 5 now\)\."):
        open_with(shelf.open(), **{**parts(), "measure": Accuracy(), "q": [0.5, 0.3, 0.2], "seed": 5})


def test_what_does_not_change_the_draws_may_differ(shelf: Any, make_pool: Callable[..., Pool]) -> None:
    Session(make_pool(), ErrorRate(), store=shelf.open(), budget=3, protocol="papers").label(0)
    assert Session(make_pool(), ErrorRate(), store=shelf.open(), budget=9, protocol="papers").n_labels == 1


@pytest.mark.parametrize("dtype", ["u1", "i2", ">i2", "f2", "f4", ">f8", "g", "?"])
def test_images_of_any_number_type_have_a_fingerprint(dtype: str) -> None:
    images = (np.arange(60).reshape(3, 4, 5) % 7).astype(dtype)
    assert (
        Pool(images, predictions=PREDICTIONS).fingerprints
        == Pool(images[:, ::-1][:, ::-1], predictions=PREDICTIONS).fingerprints
    )


def test_times_have_a_fingerprint() -> None:
    times = pd.to_datetime(["2015-03-01", "2016-01-01", "NaT"])
    others = times.where(times.notna(), pd.Timestamp("2020-01-01"))
    first, same, other = (
        Pool(pd.DataFrame({"time": column}), predictions=PREDICTIONS).fingerprints["instances"]
        for column in (times, times.copy(), others)
    )
    assert first == same != other
