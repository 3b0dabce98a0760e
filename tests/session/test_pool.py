import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.session import Conversation, Pool, Ranking, Result, Session, Text, Turn
from activeeval_widgets.session.pool.fingerprints import fingerprint, fingerprint_ids
from activeeval_widgets.session.pool.kinds import fingerprint_instances
from activeeval_widgets.stats import (
    DCG,
    ClassPredictions,
    ErrorRate,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)

from .conftest import exactly

TWO = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
IMAGE = np.arange(20, dtype=np.uint8).reshape(4, 5)
RANKINGS = [
    Ranking("jaguar", (Result("d1", title="Jaguar"), Result("d2", text="A car"), Result("d3"))),
    Ranking("python", (Result("d4", image=b"png"), Result("d1", link="https://example.org"))),
]


def ranker(first: list[str], second: list[str]) -> RankingPredictions:
    proba = {f"d{i}": [0.5, 0.5] for i in range(1, 6)}
    return RankingPredictions([first, second], [proba, proba], grades=[0, 1])


def test_what_was_given_may_be_changed_afterwards() -> None:
    """A session goes by the numbers that it was begun with."""
    proba, costs, drawn, q = np.full((20, 2), 0.5), np.ones(20), np.full(20, 0.2), np.full(20, 1 / 20)
    pool = Pool(["x"] * 20, predictions=proba, costs=costs, labels={"0": 0, "3": 1}, drawn=drawn)
    session = Session(Pool(["x"] * 20, predictions=proba), ErrorRate(), q=q)
    for array in (proba, costs, drawn, q):
        array[0] = 0.9
    assert pool.models[0].y_proba[0].tolist() == [0.5, 0.5]
    assert pool.costs.tolist() == [1] * 20
    assert pool.known.probabilities.tolist() == [0.2] * 20
    assert session.q.tolist() == [1 / 20] * 20
    with pytest.raises(ValueError, match="read-only"):
        session.q[0] = 0.9


# -- kinds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instances", "kind"),
    [
        (np.zeros((2, 4, 5)), "image"),
        (np.zeros((2, 4, 5, 3)), "image"),
        ([IMAGE, IMAGE[:3]], "image"),
        ([IMAGE, np.zeros((4, 5, 4))], "image"),
        ([IMAGE, b"bytes that are no image"], "image"),
        ([IMAGE.tolist(), IMAGE.tolist()], "image"),
        ([b"", b"not an image"], "image"),
        ([Path("no/such/file.png"), Path("no/such/folder")], "image"),
        ([Path("a.png"), IMAGE], "image"),
        (pd.Series([Path("a.png"), Path("b.png")], index=[7, 9]), "image"),
        (["a", "b"], "text"),
        (["", "x" * 10_000_000], "text"),
        (("a", "b"), "text"),
        (np.array(["a", "bb"]), "text"),
        (np.array(["a", "bb"], dtype=object), "text"),
        (pd.Series(["a", "b"], index=[7, 9]), "text"),
        ([Text("a"), "b"], "text"),
        (iter(["a", "b"]), "text"),
        (pd.DataFrame({"a": [1, 2]}), "record"),
        ([{"a": 1}, {"b": 2}], "record"),
        ([("a", "b"), ("c", "")], "pair"),
        (RANKINGS, "ranking"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_kind_is_guessed(instances: Any, kind: str) -> None:
    pool = Pool(instances, predictions=TWO)
    assert (pool.kind, pool.n_instances, pool.models, pool.predictions) == (kind, 2, (TWO,), TWO)
    Session(pool, ErrorRate(), protocol="papers").exclude(reason="broken")


def test_instances_are_kept_in_one_form() -> None:
    assert Pool(pd.Series(["a", "b"], index=[7, 9]), predictions=TWO).instances == ["a", "b"]
    assert Pool([["a", "b"], ("c", "d")], predictions=TWO, kind="pair").instances == [("a", "b"), ("c", "d")]
    files = Pool(["x/a.png", Path("b.png")], predictions=TWO, kind="image").instances
    assert files == [Path("x/a.png"), Path("b.png")]
    records = Pool([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], predictions=TWO).instances
    pd.testing.assert_frame_equal(records, pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}))
    assert Pool([IMAGE, IMAGE], predictions=TWO).instances.shape == (2, 4, 5)
    frame = pd.DataFrame({"a": [1, 2]}, index=["x", "y"])
    assert Pool(frame, predictions=TWO).instances is frame


def test_custom_instances_are_made_when_they_are_asked_for() -> None:
    class Lazy:
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> Any:
            raise AssertionError("too early")

    pool = Pool(Lazy(), predictions=TWO, kind="custom")
    assert (pool.n_instances, len(pool.fingerprints)) == (2, 4)
    session = Session(pool, ErrorRate(), protocol="papers")
    session.label(0)
    assert session.n_labels == 1


@pytest.mark.parametrize(
    ("instances", "kind", "error", "message"),
    [
        ([object, object], None, TypeError,
         f"instances[0] is {object!r}: its kind can't be guessed; pass kind, one of "
         "'conversation', 'custom', 'image', 'pair', 'ranking', 'record', 'text'"),
        ([None, None], None, TypeError,
         "instances[0] is None: its kind can't be guessed; pass kind, one of 'conversation', "
         "'custom', 'image', 'pair', 'ranking', 'record', 'text'"),
        (["a", None], None, TypeError,
         "instances[1] must be a str or a Text (empty if it is missing), got None"),
        (["a", 3.5], None, TypeError,
         "instances[1] must be a str or a Text (empty if it is missing), got 3.5"),
        ([{"a": 1}, "b"], None, TypeError, "instances[1] must be a mapping, column to value, got 'b'"),
        ([("a", "b"), ("a",)], None, TypeError,
         "instances[1] must be a pair of texts, (str, str), got ('a',)"),
        ([("a", "b"), "ab"], None, TypeError, "instances[1] must be a pair of texts, (str, str), got 'ab'"),
        ([RANKINGS[0], "b"], None, TypeError, "instances[1] must be a Ranking, got 'b'"),
        ([Path("a.png"), None], None, TypeError,
         "instances[1] must be an image: an array of shape (height, width) or (height, width, 3 or 4), "
         "bytes, or a path, got None"),
        ("ab", None, TypeError, "instances must be a sequence of instances, got 'ab'"),
        (b"ab", None, TypeError, "instances must be a sequence of instances, got b'ab'"),
        (None, None, TypeError, "instances must be a sequence of instances, got None"),
        (5, None, TypeError, "instances must be a sequence of instances, got 5"),
        (LogisticRegression(), None, TypeError,
         "instances is a model, LogisticRegression, expected what people look at, such as texts; the model "
         "comes after them"),
        (5, "custom", TypeError, "instances must be a sequence of instances, got 5"),
        ({"a": 1}, None, TypeError, "instances must be a sequence of instances, got {'a': 1}"),
        (pd.DataFrame({"a": []}), None, ValueError, None),
        ([], "text", ValueError, "instances must hold at least one instance, got []"),
        (["a"], None, ValueError, "instances holds 1 texts, but the predictions are for 2 instances"),
        ([{"a": 1}] * 3, None, ValueError,
         "instances holds 3 records, but the predictions are for 2 instances"),
        (["a", "b"], "record", TypeError, "instances[0] must be a mapping, column to value, got 'a'"),
        (np.zeros((2, 4, 5)), "ranking", TypeError, None),
    ],
)  # fmt: skip
def test_what_is_no_pool(instances: Any, kind: Any, error: type[Exception], message: str | None) -> None:
    with pytest.raises(error, match=exactly(message) if message else "instances"):
        Pool(instances, predictions=TWO, kind=kind)


# -- two models -------------------------------------------------------------------------------------------


def test_two_models() -> None:
    other = ClassPredictions([[0.2, 0.8], [0.5, 0.5]])
    pool = Pool(["a", "b"], predictions=[TWO, other])
    assert pool.predictions == pool.models == (TWO, other)
    reverse = Pool(["a", "b"], predictions=(other, TWO))
    assert reverse.fingerprints["predictions"] != pool.fingerprints["predictions"]
    one = Pool(["a", "b"], predictions=TWO)
    assert pool.fingerprints["predictions"].startswith(one.fingerprints["predictions"])


@pytest.mark.parametrize(
    ("models", "error", "message"),
    [
        ([TWO, ValuePredictions([1, 2])], TypeError,
         "predictions[1] is ValuePredictions, but predictions[0] is ClassPredictions"),
        ([TWO, ClassPredictions([[0.5, 0.5]])], ValueError,
         "predictions[1] is for 1 instances, but predictions[0] is for 2"),
        ([TWO, ClassPredictions(TWO.y_proba, ["a", "b"])], ValueError,
         "predictions[1] has the classes ['a', 'b'], but predictions[0] has the classes [0, 1]: give all "
         "models the same, in the same order"),
        ([ValuePredictions([1, 2]), ValuePredictions([1, 2, 3])], ValueError,
         "predictions[1] is for 3 instances, but predictions[0] is for 2"),
    ],
)  # fmt: skip
def test_two_models_that_can_not_be_compared(models: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        Pool(["a", "b"], predictions=models)


# -- rankings ---------------------------------------------------------------------------------------------


def test_items_are_what_the_ranking_shows() -> None:
    pool = Pool(RANKINGS, predictions=ranker(["d3", "d1"], ["d1"]))
    assert [pool.items(0), pool.items(1)] == [("d1", "d2", "d3"), ("d4", "d1")]


def test_items_of_custom_instances_are_what_the_models_rank() -> None:
    models = [ranker(["d3", "d1"], ["d1"]), ranker(["d2", "d3"], ["d5"])]
    pool = Pool(["own", "own"], predictions=models, kind="custom")
    assert [pool.items(0), pool.items(1)] == [("d3", "d1", "d2"), ("d1", "d5")]
    session = Session(pool, DCG(), protocol="papers")
    session.label(dict.fromkeys(pool.items(session.next().index), 1))
    with pytest.raises(TypeError, match=r"^only RankingPredictions have items, not ClassPredictions"):
        Pool(["a", "b"], predictions=TWO).items(0)


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (ranker(["d1", "d5"], ["d4"]),
         "instances[0] has no Result for 'd5', which the predictions rank"),
        (ranker(["d1"], ["d2", "d1", "d5"]),
         "instances[1] has no Result for 'd2', 'd5', which the predictions rank"),
        ([ranker(["d1"], ["d4"]), ranker(["d1"], ["d3", "d1"])],
         "instances[1] has no Result for 'd3', which predictions[1] ranks"),
        ([ranker(["d1"], ["d2"]), ranker(["d1"], ["d3"])],
         "instances[1] has no Result for 'd2', which predictions[0] ranks"),
    ],
)  # fmt: skip
def test_what_is_ranked_has_to_be_shown(models: Any, message: str) -> None:
    with pytest.raises(ValueError, match=exactly(message)):
        Pool(RANKINGS, predictions=models)


@pytest.mark.parametrize("instances", [["a", "b"], [("a", "b"), ("c", "d")], np.zeros((2, 3, 3))])
def test_rankings_can_not_be_graded_without_their_items(instances: Any) -> None:
    with pytest.raises(TypeError, match="but RankingPredictions need Rankings, whose items can be graded"):
        Pool(instances, predictions=ranker(["d1"], ["d1"]))


# -- fingerprints -----------------------------------------------------------------------------------------

PREDICTIONS = ClassPredictions([[0.5, 0.5]] * 3)
DIFFERENT: dict[str, list[Any]] = {
    "text": [
        ["a", "b", "c"], ["a", "b", "d"], ["ab", "", "c"], ["a", "bc", ""], ["a", "b", "\ud800"],
        ["a", "b", "é"], [Text("a"), "b", "c"], [Text("a", title="t"), "b", "c"],
        [Text("a", spans=((0, 1),)), "b", "c"], [Text("a", monospace=True), "b", "c"],
        [Text("a", direction="rtl"), "b", "c"],
    ],
    "image": [
        [b"a", b"b", b"c"], [b"ab", b"", b"c"], [Path("a"), Path("b"), Path("c")],
        [Path("x/a"), Path("b"), Path("c")], [Path("a"), Path("b"), b"c"], [IMAGE, IMAGE, b""],
        [IMAGE, IMAGE, IMAGE[:2]], [IMAGE, IMAGE, IMAGE[:2] + 1], [IMAGE, IMAGE, IMAGE[:, :2]],
        [IMAGE, IMAGE, IMAGE[:2].astype(float)], np.zeros((3, 4, 5)),
    ],
    "conversation": [
        [Conversation([Turn("user", "a")])] * 3, [Conversation([Turn("system", "a")])] * 3,
        [Conversation([Turn("user", Text("a", markdown=True))])] * 3,
        [Conversation([Turn("user", "a")], [Turn("user", "a")])] * 3,
        [Conversation([Turn("user", "a", calls=[("f", "")])])] * 3,
        [Conversation([Turn("user", "a")], reference="a")] * 3,
        [Conversation([Turn("user", "a"), Turn("user", "")])] * 3,
        [Conversation([Turn("user", "a", name="b")])] * 3,
        [Conversation([Turn("user", "a", notes=("b",))])] * 3,
    ],
    "pair": [[("a", "b")] * 3, [("ab", "")] * 3, [("b", "a")] * 3],
    "ranking": [
        [Ranking("q", ())] * 3, [Ranking("r", ())] * 3,
        *([Ranking("q", (result,))] * 3 for result in (
            Result("a"), Result("b"), Result("a", title="t"), Result("a", text="t"),
            Result("a", link="t"), Result("a", image=b"t"), Result("a", image=Path("t")),
            Result("a", image=IMAGE), Result("a", image=IMAGE + 1),
        )),
        [Ranking("q", (Result("a"), Result("b")))] * 3, [Ranking("q", (Result("b"), Result("a")))] * 3,
    ],
    "record": [
        pd.DataFrame(columns) for columns in (
            {"a": [1, 2, 3]}, {"b": [1, 2, 3]}, {"a": [1, 2, 4]}, {"a": [1.0, 2, 3]},
            {"a": ["1", "2", "3"]}, {"a": ["1", "2", None]}, {"a": ["12", "", "3"]},
            {"a": [1, 2, 3], "b": [1, 2, 3]}, {"b": [1, 2, 3], "a": [1, 2, 3]},
            {"a": [True, False, True]}, {"a": pd.to_datetime(["2026-01-01"] * 3)},
            {"a": pd.to_datetime(["2026-01-01"] * 3, utc=True)},
            {"a": pd.Series([1, None, 3], dtype="Int64")}, {"a": pd.Categorical(["x", "y", "x"])},
            {"a": [[1, 2], [3], []]}, {"a": [[1, 23], [], []]}, {"a": [{"k": 1}, {"k": 2}, {}]},
            {"a": [np.zeros(2), np.zeros(2), np.zeros(3)]}, {"a": [{1, 2}, {3}, set()]},
            {"a": [1, "1", None]}, {"a": [1, True, None]},
        )
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", DIFFERENT)
def test_pools_that_differ_have_other_fingerprints(kind: str) -> None:
    pools = [Pool(instances, predictions=PREDICTIONS) for instances in DIFFERENT[kind]]
    assert {pool.kind for pool in pools} == {kind}
    digests = [pool.fingerprints["instances"] for pool in pools]
    assert len(set(digests)) == len(digests)
    again = [fingerprint_instances(kind, pool.instances) for pool in pools]
    assert again == digests


def test_equal_pools_have_equal_fingerprints() -> None:
    def digest(instances: Any, **options: Any) -> str:
        return Pool(instances, predictions=PREDICTIONS, **options).fingerprints["instances"]

    assert digest(["a", "b", "c"]) == digest(np.array(["a", "b", "c"])) == digest(pd.Series(["a", "b", "c"]))
    assert digest([{"a": 1}] * 3) == digest(pd.DataFrame({"a": [1, 1, 1]}, index=["x", "y", "z"]))
    assert digest([IMAGE] * 3) == digest(np.stack([IMAGE] * 3))
    assert digest([IMAGE, IMAGE.T.copy().T, b""]) == digest([IMAGE, IMAGE, b""])
    words = [["1", missing, "3"] for missing in (None, np.nan, pd.NA, pd.NaT)]
    tables = [pd.DataFrame({"a": pd.Series(column, dtype=object)}) for column in words]
    assert len({digest(table) for table in [*tables, tables[0].convert_dtypes()]}) == 1
    assert digest(["a/b"] * 3, kind="image") == digest([Path("a/b")] * 3)


def test_a_file_counts_by_its_path_on_every_platform() -> None:
    here = fingerprint_instances("image", [PurePosixPath("a/b.png")] * 2)
    assert here == fingerprint_instances("image", [PureWindowsPath("a\\b.png")] * 2)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT, np.float64("nan")])
def test_a_missing_id_is_refused_with_its_row(missing: Any) -> None:
    for given in (["a", missing], (each for each in ("a", missing)), pd.Series(["a", missing], dtype=object)):
        with pytest.raises(ValueError, match=r"^ids\[1\] is .*(None|nan|NA|NaT).*, expected an id"):
            Pool(["so good", "so bad"], predictions=TWO, ids=given)  # type: ignore[arg-type]


def test_custom_instances_count_by_their_ids_alone() -> None:
    one, other = ([object(), object()] for _ in range(2))
    pools = [Pool(each, predictions=TWO, kind="custom", ids=["a", "b"]) for each in (one, other)]
    assert pools[0].fingerprints == pools[1].fingerprints
    renamed = Pool(one, predictions=TWO, kind="custom", ids=["a", "c"])
    assert renamed.fingerprints != pools[0].fingerprints


def test_objects_in_a_table_count_by_their_words_or_type_never_by_their_address() -> None:
    class Plain:
        pass

    class Worded:
        def __init__(self, word: str) -> None:
            self.word = word

        def __str__(self) -> str:
            return self.word

    def digest(*cells: Any) -> str:
        return fingerprint_instances("record", pd.DataFrame({"a": list(cells)}))

    assert digest(Plain(), Plain()) == digest(Plain(), Plain())
    assert digest(Worded("x")) == digest(Worded("x")) != digest(Worded("y"))


@pytest.mark.parametrize(
    "ids", [["a"], ["a", "bbb", ""], ["é", "日本語"], [str(i) for i in range(25_000)], [""], ["x\0"]]
)
def test_ids_have_the_fingerprint_of_their_array(ids: list[str]) -> None:
    assert fingerprint_ids(ids) == fingerprint(np.asarray(ids))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ValuePredictions([1, 2]), ValuePredictions([1, 3])),
        (ValuePredictions([1, 2]), ValuePredictions([1, 2], [1, 1])),
        (ValuePredictions([1, 2], [1, 1]), ValuePredictions([1, 2], [1, 2])),
        (ranker(["d1", "d2"], ["d1"]), ranker(["d2", "d1"], ["d1"])),
        (ranker(["d1", "d2"], ["d1"]), ranker(["d1"], ["d1"])),
        (RankingPredictions([["a"], ["b"]], [[[0.5, 0.5]], [[0.5, 0.5]]], [0, 1]),
         RankingPredictions([["a"], ["b"]], [[[0.4, 0.6]], [[0.5, 0.5]]], [0, 1])),
        (RankingPredictions([["a"], ["b"]], [[[0.5, 0.5]], [[0.5, 0.5]]], [0, 1]),
         RankingPredictions([["a"], ["b"]], [[[0.5, 0.5]], [[0.5, 0.5]]], [0, 2])),
        (RankingPredictions([["a"], ["b"]], [[[0.5, 0.5]], [[0.5, 0.5]]], [0, 1]),
         RankingPredictions([["a"], ["c"]], [[[0.5, 0.5]], [[0.5, 0.5]]], [0, 1])),
    ],
)  # fmt: skip
def test_models_that_differ_have_other_fingerprints(one: Any, other: Any) -> None:
    digests = {
        Pool(["a", "b"], predictions=model, kind="custom").fingerprints["predictions"]
        for model in (one, other)
    }
    assert len(digests) == 2


SCRIPT = """
import numpy as np, pandas as pd
from pathlib import Path
from activeeval_widgets import Pool, Ranking, Result, Text
from activeeval_widgets.stats import ClassPredictions, RankingPredictions, ValuePredictions
classes = ClassPredictions([[0.5, 0.5], [0.25, 0.75]], classes=["ham", "spam"])
ranker = RankingPredictions([["d1"], ["d2"]], [{"d1": [0.5, 0.5], "d2": [0.5, 0.5]}] * 2, [0, 1])
rankings = [Ranking("q", (Result("d1", title="t"), Result("d2", image=b"x")))] * 2
records = [{"a": 1, "b": {"x", "y", "z"}}, {"a": None, "b": (1, "z")}]
for instances, model in [
    (["a", "é"], classes), ([Text("a", spans=((0, 1),)), "b"], classes), (rankings, ranker),
    ([Path("x/a.png"), b"png"], classes), (records, ValuePredictions([1.0, 2.0], [0.5, 0.5])),
    ([("a", "b"), ("c", "d")], [classes, classes]), (np.arange(24, dtype="<i8").reshape(2, 3, 4), classes),
]:
    print(*Pool(instances, predictions=model, ids=["é", "long id"], costs=[1, 2]).fingerprints.values())
"""


@pytest.mark.slow
def test_fingerprints_are_the_same_in_every_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={"PYTHONHASHSEED": "12345", "PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""},
    )  # fmt: skip
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(StringIO()) as here:  # of this process, which has another seed
        exec(SCRIPT, {})
    assert run.stdout == here.getvalue()
    assert len(run.stdout.splitlines()) == 7


def test_a_changed_pool_is_not_opened_with_an_old_log(shelf: Any) -> None:
    def begin(instances: Any, model: Any = TWO) -> Session:
        return Session(Pool(instances, predictions=model), ErrorRate(), store=shelf.open(), protocol="papers")

    begin(["a", "b"]).label(0)
    assert begin(["a", "b"]).n_labels == 1
    with pytest.raises(ValueError, match=r"started with different settings: instances \("):
        begin(["a", "c"])
    with pytest.raises(ValueError, match=r"started with different settings: instances \("):
        begin([Text("a"), "b"])
    with pytest.raises(ValueError, match=r"started with different settings: predictions \(.*, q \("):
        begin(["a", "b"], [TWO, ClassPredictions([[0.2, 0.8], [0.5, 0.5]])])


@pytest.mark.parametrize(
    ("measure", "model", "message"),
    [
        (SquaredError(), TWO, "SquaredError() takes ValuePredictions, got ClassPredictions"),
        (ErrorRate(), ValuePredictions([1, 2]), None),
        (DCG(), TWO, None),
    ],
)
@pytest.mark.parametrize("q", [None, [0.5, 0.5]])
def test_a_measure_has_to_suit_the_predictions(measure: Any, model: Any, message: Any, q: Any) -> None:
    with pytest.raises(TypeError, match="takes" if message is None or q is None else exactly(message)):
        Session(Pool(["a", "b"], predictions=model), measure, q=q)
