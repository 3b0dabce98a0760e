"""What all kinds of predictions promise to who uses them without knowing which they are."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Ranking, Result
from activeeval_widgets.stats import (
    ClassPredictions,
    PredictedClasses,
    Predictions,
    RankingPredictions,
    ValuePredictions,
)

_DASH = "\N{MINUS SIGN}"
_SPACE = "\N{NO-BREAK SPACE}"


def _given() -> dict[str, tuple[Callable[..., Predictions], dict[str, Any]]]:
    return {
        "class": (
            ClassPredictions,
            {
                "y_proba": np.array([[0.9, 0.1], [0.2, 0.8]]),
                "classes": np.array(["ham", "spam"]),
                "y_pred": np.array(["ham", "ham"]),
            },
        ),
        "value": (ValuePredictions, {"mean": np.array([1.234, -2.0]), "variance": np.array([0.25, 1.0])}),
        "ranking": (
            RankingPredictions,
            {
                "rankings": [np.array([7, 8]), np.array([9])],
                "relevance_proba": [np.array([[0.5, 0.5], [0.9, 0.1]]), np.array([[0.2, 0.8]])],
                "grades": np.array([0.0, 1.0]),
            },
        ),
    }


KINDS = sorted(_given())
_IN_ORDER = ["class", "value", "ranking"]


def _arrays(given: dict[str, Any]) -> list[np.ndarray]:
    return [a for value in given.values() for a in (value if isinstance(value, list) else [value])]


def _told(model: Predictions) -> Any:
    """Everything that can be read of a model."""
    certainty = model.certainty
    return [
        [array.tolist() for array in model.arrays],
        [(model.describe(i).in_short, model.describe(i).predicate, model.describe(i).text) for i in range(2)],
        [repr(model.describe(i).record) for i in range(2)],
        None if certainty is None else certainty.values.tolist(),
        None if model.ranked_items is None else [*model.ranked_items],
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_editing_what_was_given_changes_nothing(kind):
    make, given = _given()[kind]
    model = make(**given)
    instances = [Ranking("a", (Result(7), Result(8))), Ranking("b", (Result(9),))]
    pool = Pool(instances if kind == "ranking" else ["a", "b"], predictions=model)
    result, fingerprint = _told(model), pool.fingerprints["predictions"]
    for array in _arrays(given):
        array[...] = array[::-1].copy() if len(array) > 1 else array[..., ::-1].copy()
    assert _told(model) == result
    fresh = Pool(pool.instances, predictions=model)
    assert fresh.fingerprints["predictions"] == fingerprint
    # What was given did change: the same call makes another model now.
    assert _told(make(**given)) != result


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_model_holds_cannot_be_written_to(kind):
    make, given = _given()[kind]
    model = make(**given)
    for array in model.arrays:
        before = array.copy()
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[-1]
        np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_says_what_kind_it_is(kind):
    make, given = _given()[kind]
    model = make(**given)
    assert model.kind == kind
    assert model.label_kind == {"class": "class", "value": "number", "ranking": "grades"}[kind]
    expected = {"class": ["ham", "spam"], "value": None, "ranking": [0.0, 1.0]}[kind]
    values = model.label_values
    assert (None if values is None else values.tolist()) == expected
    assert model.promises


def test_a_prediction_in_words():
    classes, values, ranking = (make(**given) for make, given in map(_given().get, _IN_ORDER))
    assert classes.describe(1).predicate == "says ham (20%)"
    assert (classes.describe(0).in_short, classes.describe(0).text) == ("ham (90%)", "ham")
    assert classes.describe(0).record == {"prediction": "ham", "confidence": 0.9}
    assert values.describe(0).predicate == "says 1.23 ± 0.5"
    assert (values.describe(1).in_short, values.describe(1).text) == (f"{_DASH}2 ± 1", f"{_DASH}2.00")
    assert values.describe(0).record == {"prediction": 1.234, "standard_deviation": 0.5}
    assert ranking.describe(0).predicate == "expects grades 0.5, 0.1 from the top"
    assert (ranking.describe(0).in_short, ranking.describe(0).text) == ("", "")
    assert ranking.describe(0).record == {"prediction": {"7": 0.5, "8": 0.1}}
    assert ranking.items(0) == (7, 8)
    for model in (classes, values):
        with pytest.raises(TypeError, match="only RankingPredictions have items, not "):
            model.items(0)


def test_values_without_variances_promise_nothing():
    model = ValuePredictions([1.0, 2.0])
    assert not model.promises
    assert model.certainty.label == "prediction"
    assert model.certainty.values.tolist() == [1.0, 2.0]
    assert model.describe(0).in_short == "1"
    assert model.describe(0).record == {"prediction": 1.0}


def test_right_and_wrong_is_shown_of_classes_alone():
    for kind in KINDS:
        make, given = _given()[kind]
        wrong = make(**given).is_wrong(np.array([1, 0, 1]), ["ham", "spam", "spam"])
        assert (None if wrong is None else wrong.tolist()) == (
            [False, True, True] if kind == "class" else None
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_models", [1, 2])
@pytest.mark.parametrize("is_corrected", [False, True])
def test_a_belief_is_frozen_and_sampled_labels_are_labels(kind, n_models, is_corrected):
    make, given = _given()[kind]
    first, *others = [make(**given) for _ in range(n_models)]
    labels = {"class": ["spam"], "value": [1.0], "ranking": [{7: 1.0, 8: 0.0}]}[kind]
    belief = first.corrected(others, np.array([0]), labels) if is_corrected else first.belief(others)
    assert belief.is_known
    belief.check_known()
    fields = [field.name for field in dataclasses.fields(belief)]
    for name in fields:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(belief, name, None)
    arrays = [a for name in fields if isinstance(a := getattr(belief, name), np.ndarray)]
    assert arrays
    assert not any(array.flags.writeable for array in arrays)
    draws = np.array([0, 1, 1, 0])
    sampled = belief.sample(draws, np.random.default_rng(0))
    assert len(first.check_labels(sampled, 4, "4 draws")) == 4
    bets = first.trial_bets()
    for instance, y in zip(draws.tolist(), bets.prepared(sampled), strict=True):
        assert bets.place(instance, y) is not None


def test_samples_are_as_the_belief_says():
    rng = np.random.default_rng(3)
    draws = np.zeros(20_000, dtype=int)
    classes, values, ranking = (make(**given) for make, given in map(_given().get, _IN_ORDER))
    sampled = classes.belief([]).sample(draws, rng)
    assert (sampled == "spam").mean() == pytest.approx(0.1, abs=0.01)
    sampled = values.belief([ValuePredictions([3.234, 0.0], [0.25, 1.0])]).sample(draws, rng)
    assert sampled.mean() == pytest.approx(2.234, abs=0.05)
    assert sampled.var() == pytest.approx(1 + 0.25, abs=0.05)
    assert values.belief([]).sample(draws, rng, y_range=(1.0, 1.5)).max() == 1.5
    sampled = ranking.belief([]).sample(draws, rng)
    assert np.mean([label[8] for label in sampled]) == pytest.approx(0.1, abs=0.01)
    assert np.mean([label[7] for label in sampled]) == pytest.approx(0.5, abs=0.02)


def test_without_variances_no_distribution_is_made_up():
    model = ValuePredictions([1.0, 5.0])
    belief = model.belief([ValuePredictions([3.0, 4.0], [1.0, 1.0])])
    assert not belief.is_known
    assert belief.contrast().tolist() == [-2.0, 1.0]
    assert model.belief([]).contrast().tolist() == [1.0, 5.0]
    for ask in (belief.check_known, lambda: belief.sample(np.array([0]), np.random.default_rng(0))):
        with pytest.raises(ValueError, match="the predictions have no variances"):
            ask()
    with pytest.raises(ValueError, match="promise nothing that could be tested"):
        model.trial_bets()
    with pytest.raises(ValueError, match="no extreme labels without y_range"):
        next(iter(model.extreme_labels(None)))


def test_what_only_values_have():
    for kind in KINDS:
        make, given = _given()[kind]
        model = make(**given)
        if kind == "value":
            assert model.distance(0, -1) == pytest.approx(2.234)
            assert model.assumed_range([]) == pytest.approx((-2 - 20 * 0.625**0.5, 1.234 + 20 * 0.625**0.5))
            continue
        assert not model.takes_range
        assert model.assumed_range([]) is None
        with pytest.raises(TypeError, match="have no distance from the prediction"):
            model.distance(0, 1)
        with pytest.raises(TypeError, match="always has a distribution"):
            model.belief([]).contrast()


def test_rules_are_what_is_predicted_or_its_opposite():
    classes = ClassPredictions([[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]], ["a", "b", "c"])
    other = ClassPredictions([[0.8, 0.2, 0.0], [0.1, 0.0, 0.9], [0.1, 0.1, 0.8]], ["a", "b", "c"])
    everything = np.arange(3)
    assert [rule(everything).tolist() for rule in classes.rules([])] == [["a", "b", "c"]]
    # Where the two differ: the more probable one of their mean.
    assert [rule(everything).tolist() for rule in classes.rules([other])] == [["a", "c", "c"]]
    found = [rule(everything).tolist() for rule in classes.rules([], "b")]
    assert found == [["a", "b", "c"], ["b", "b", "b"], ["a", "a", "c"], ["b", "a", "b"]]
    assert classes.rules([], "a")[2](np.array([0])).tolist() == ["b"]
    for kind in ("value", "ranking"):
        make, given = _given()[kind]
        assert make(**given).rules([]) == []


@pytest.mark.parametrize(
    "model",
    [
        ClassPredictions([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], ["ham", "spam"], ["ham", "ham", "spam"], "m"),
        PredictedClasses(["ham", "spam", "ham"], name="m"),
        ValuePredictions([1.0, 2.0, 3.0], [0.1, 0.2, 0.3], "m"),
        ValuePredictions([1.0, 2.0, 3.0]),
    ],
)
def test_some_instances_are_a_pool_of_their_own(model):
    some = model.of_instances(np.array([2, 0]))
    assert type(some) is type(model)
    assert (some.n_instances, some.name) == (2, model.name)
    assert [some.describe(0), some.describe(1)] == [model.describe(2), model.describe(0)]
