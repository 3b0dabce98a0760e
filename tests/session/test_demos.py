"""What holds for every demo, and that their kept predictions are those of models that never saw the pool."""

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from activeeval_widgets.demos import DEMOS, Demo, one_ranker
from activeeval_widgets.demos.demo import DATA
from activeeval_widgets.demos.review_models import halves
from activeeval_widgets.demos.review_search import load_queries
from activeeval_widgets.demos.reviews import TRAINED_ON, load_reviews
from activeeval_widgets.session import Session
from activeeval_widgets.stats import (
    NDCG,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
    estimate,
    pool_value,
)


@pytest.fixture(scope="module")
def demos() -> dict[str, Demo]:
    return {name: make() for name, make in DEMOS.items()}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script that makes the kept predictions."""
    path = Path(__file__).parents[2] / "tools" / "make_demo_predictions.py"
    spec = importlib.util.spec_from_file_location("make_demo_predictions", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def session_of(demo: Demo, **options: object) -> Session:
    return Session(demo.pool, demo.measure, y_range=demo.y_range, **options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "labels", "measure"),
    [
        ("digits", "image", "class", ErrorRate()),
        ("text", "text", "class", FMeasure(positive="negative")),
        ("ranking", "ranking", "grades", NDCG(cutoff=5)),
        ("images", "image", "class", ErrorRate()),
        ("regression", "record", "number", SquaredError()),
        ("compare", "image", "class", ErrorRate()),
        ("leaderboard", "text", "class", ErrorRate()),
        ("judge", "record", "class", ErrorRate()),
    ],
)
def test_kind_and_measure(demos: dict[str, Demo], name: str, kind: str, labels: str, measure: object) -> None:
    demo = demos[name]
    assert demo.pool.kind == kind
    assert session_of(demo).labels.kind == labels
    assert repr(demo.measure) == repr(measure)
    assert len(demo.pool.models) == {"compare": 2, "ranking": 2, "leaderboard": 5}.get(name, 1)


@pytest.mark.parametrize("name", DEMOS)
def test_the_true_labels_fit_and_give_the_true_value(demos: dict[str, Demo], name: str) -> None:
    demo = demos[name]
    assert len(demo.y_true) == demo.pool.n_instances
    session = session_of(demo)
    while session.n_labels < 30:
        asked = session.next()
        session.label(demo.y_true[asked.index])
    # All instances once, drawn uniformly: the estimate is the value.
    m = demo.pool.n_instances
    predictions = demo.pool.predictions
    models = list(predictions) if isinstance(predictions, tuple) else predictions
    each = [pool_value(demo.measure, model, demo.y_true) for model in demo.pool.models]
    if len(each) > 2:  # the best so far is told of
        [models] = session.findings.leader().models
        each = [pool_value(demo.measure, models, demo.y_true)]
    value = estimate(demo.measure, models, np.full(m, 1 / m), np.arange(m), list(demo.y_true)).value
    assert value == pytest.approx(each[0] - each[1] if len(each) == 2 else each[0])
    assert abs(session.estimate().value - value) < 5 * session.estimate().standard_error + 0.05


@pytest.mark.parametrize("name", DEMOS)
def test_texts(demos: dict[str, Demo], name: str) -> None:
    demo = demos[name]
    assert demo.title
    assert "?" in demo.question
    assert "**The data.**" in demo.guidelines
    assert 0 < demo.budget <= demo.pool.n_instances
    assert all(model.name for model in demo.pool.models)
    assert (demo.y_range is None) == (demo.unit is None) == (name != "regression")


@pytest.mark.slow
def test_the_same_demos_in_another_process(demos: dict[str, Demo]) -> None:
    """On two threads, with another hash seed, and without scikit-learn."""
    code = (
        "import json, sys; sys.modules['sklearn'] = None;"
        "from activeeval_widgets.session import Session;"
        "from activeeval_widgets.demos import DEMOS;"
        "demos = {name: make() for name, make in DEMOS.items()};"
        "print(json.dumps({name: Session(demo.pool, demo.measure, y_range=demo.y_range).storage.identity"
        " for name, demo in demos.items()}))"
    )
    two_threads = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "PYTHONHASHSEED": "7"}
    out = subprocess.run(
        [sys.executable, "-c", code], env=two_threads, capture_output=True, text=True, check=True
    )
    assert json.loads(out.stdout) == {name: session_of(demo).storage.identity for name, demo in demos.items()}


def test_no_instance_was_learned_from(demos: dict[str, Demo]) -> None:
    reviews = load_reviews()
    learned = {text for text, known in zip(reviews.texts, reviews.is_training, strict=True) if known}
    assert len(learned) > 1500
    shown = [instance.text for instance in demos["text"].pool.instances]
    assert learned.isdisjoint(shown)
    assert not any(instance.title == TRAINED_ON for instance in demos["text"].pool.instances)
    assert demos["regression"].pool.instances["Sentence"].tolist() == shown
    assert f"{len(shown):,} sentences" in demos["text"].guidelines
    parts = halves(reviews)
    board = demos["leaderboard"]
    labeled = [instance.text for instance in board.pool.instances]
    assert labeled == [reviews.texts[i] for i in parts.pool]
    assert learned.isdisjoint(labeled)
    assert {reviews.texts[i] for i in parts.learned}.isdisjoint(labeled)
    assert f"{len(parts.learned):,} sentences more" in board.guidelines


def test_how_good_the_models_are(demos: dict[str, Demo]) -> None:
    """Good enough to be of use, bad enough to be worth labeling."""

    def value(name: str) -> float:
        demo = demos[name]
        return pool_value(demo.measure, demo.pool.models[0], demo.y_true)

    assert 0.45 < value("text") < 0.75
    assert 0.1 < value("images") < 0.3
    assert 0.1 < value("judge") < 0.25
    assert value("regression") < 0.75 * np.var(demos["regression"].y_true)
    assert 0.8 < value("ranking") < 0.9
    new, old = demos["ranking"].pool.models
    assert 0.35 < pool_value(demos["ranking"].measure, old, demos["ranking"].y_true) < 0.5
    one = one_ranker()
    assert one.pool.models[0].rankings == new.rankings
    assert 0.6 < pool_value(one.measure, one.pool.models[0], one.y_true) < 0.8
    first, second = demos["compare"].pool.models
    assert pool_value(ErrorRate(), second, demos["compare"].y_true) - value("compare") > 0.03
    assert np.array_equal(first.y_proba, demos["digits"].pool.predictions.y_proba)
    board = demos["leaderboard"]
    rates = sorted((pool_value(board.measure, each, board.y_true), each.name) for each in board.pool.models)
    assert rates[0][1] == "same products"
    assert 0.25 < rates[0][0] < rates[1][0] - 0.07
    assert rates[-1][0] < 0.5


@pytest.mark.parametrize("name", ["text", "images"])
def test_class_probabilities_are_reasonably_calibrated(demos: dict[str, Demo], name: str) -> None:
    predictions = demos[name].pool.predictions
    assert isinstance(predictions, ClassPredictions)
    is_right = predictions.pred_codes == predictions.encode(demos[name].y_true)
    fifths = np.array_split(np.argsort(predictions.confidence), 5)
    gaps = [predictions.confidence[fifth].mean() - is_right[fifth].mean() for fifth in fifths]
    assert max(map(abs, gaps)) < 0.15
    assert abs(np.mean(gaps)) < 0.05


def test_variances_say_where_the_ratings_are_missed(demos: dict[str, Demo]) -> None:
    predictions = demos["regression"].pool.predictions
    assert isinstance(predictions, ValuePredictions)
    assert predictions.variance is not None
    missed = (predictions.mean - demos["regression"].y_true) ** 2
    fifths = np.array_split(np.argsort(predictions.variance), 5)
    assert missed[fifths[0]].mean() < 0.6 * missed[fifths[-1]].mean()


def test_rankings_are_of_the_querys_own_product_and_beat_chance(demos: dict[str, Demo]) -> None:
    demo = demos["ranking"]
    queries, reviews = load_queries(), load_reviews()
    product_of = dict(zip(reviews.ids, reviews.products, strict=True))
    for query, instance in zip(queries, demo.pool.instances, strict=True):
        assert instance.query == query.text
        assert {product_of[item] for item in instance.items} == {query.product}
        assert set(instance.items) <= set(query.candidates)
    rng = np.random.default_rng(0)
    shuffled = RankingPredictions(
        [list(rng.permutation(query.candidates)) for query in queries],
        [np.full((len(query.candidates), 4), 0.25) for query in queries],
        grades=[0, 1, 2, 3],
    )
    grades = [dict(zip(query.candidates, query.grades, strict=True)) for query in queries]
    chance = pool_value(demo.measure, shuffled, grades)
    new, old = (pool_value(demo.measure, model, grades) for model in demo.pool.models)
    assert new > old + 0.25 > chance + 0.3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["digits", "text", "regression", "images", "leaderboard"])
def test_the_kept_predictions_are_the_models(script: ModuleType, name: str) -> None:
    made = script.PREDICTIONS[name]()
    with np.load(str(DATA / f"predictions/{name}.npz")) as kept:
        assert sorted(kept) == sorted(made)
        for key, array in made.items():
            # Another release of scikit-learn may stop its solver elsewhere.
            assert np.allclose(kept[key], array, atol=0.01), key


@pytest.mark.slow
def test_no_product_is_searched_by_what_was_learned_from_it(script: ModuleType) -> None:
    """The kept predictions are those of a model that was told nonsense of the product."""
    reviews, queries = load_reviews(), load_queries()
    product = queries[0].product
    of_product = [number for number, query in enumerate(queries) if query.product == product]
    for number in of_product:
        queries[number] = replace(queries[number], grades=[3 - grade for grade in queries[number].grades])
    reviews.ratings[[name == product for name in reviews.products]] *= -1
    predict = script.grade_model(reviews, queries, product)
    with np.load(str(DATA / "predictions/ranking.npz")) as kept:
        for number in of_product:
            shown, proba = script.best(predict(queries[number]))
            assert np.array_equal(kept["shown"][number], shown)
            assert np.allclose(kept["proba"][number], proba, atol=0.01)
            query = queries[number]
            texts = [reviews.texts[reviews.ids.index(item)] for item in query.candidates]
            by_words = script.best_by_words(query, texts)
            assert np.array_equal(kept["by_words"][number], by_words)
            assert np.allclose(kept["by_words_proba"][number], predict(query)[by_words], atol=0.01)


def test_licenses_are_beside_the_data() -> None:
    table = (DATA / "README.md").read_text()
    for folder, license_file, name in (
        ("reviews", "LICENSE.txt", "MIT License"),
        ("photos", "COPYRIGHT.txt", "MIT License"),
        ("digits", "LICENSE.txt", "CC BY 4.0"),
    ):
        assert name in (DATA / folder / license_file).read_text()
        assert f"`{folder}/{license_file}`" in table
