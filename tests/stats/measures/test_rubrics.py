"""Answers graded on several criteria at once: measures, judges' grades, sessions, and how they look."""

import itertools
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import (
    RubricPassRate,
    RubricScore,
    pool_value,
    rubric_predictions,
)
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.measures.measure_names import measure_named
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr
from activeeval_widgets.stats.predictions.from_dict import predictions_from_dict

from ...labeling import give_labels

CRITERIA = ["correct", "complete", "polite"]
GRADES = [0, 1, 2]
MEASURES = (
    RubricPassRate(),
    RubricPassRate(2),
    RubricPassRate(1, ["correct", "polite"]),
    RubricScore(),
    RubricScore(["polite"]),
)


def votes(size: int, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {each: rng.integers(0, 3, size=(size, 4)) for each in CRITERIA[:2]}


def by_hand(measure: Any, label: dict[str, float]) -> float:
    counted = CRITERIA if measure.criteria is None else measure.criteria
    grades = [label[each] for each in counted]
    if isinstance(measure, RubricPassRate):
        return float(all(grade >= measure.least for grade in grades))
    return float(np.mean(grades)) / 2


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_values_and_moments_are_those_of_all_grades(measure: Any) -> None:
    judged = rubric_predictions(CRITERIA, GRADES, votes=votes(4))
    labels = [dict(zip(CRITERIA, each, strict=True)) for each in itertools.product(GRADES, repeat=3)]
    every = rubric_predictions(CRITERIA, GRADES, len(labels))
    found = measure.statistics(every, labels, np.arange(len(labels)))[:, 0]
    expected = np.array([by_hand(measure, label) for label in labels])
    np.testing.assert_allclose(found, expected)
    assert pool_value(measure, every, labels) == pytest.approx(expected.mean())
    proba = judged.relevance.proba.reshape(4, 3, 3)
    shares = np.array(
        [[np.prod([p[k, label[c]] for k, c in enumerate(CRITERIA)]) for label in labels] for p in proba]
    )
    first, second = measure.moments([Term(judged, np.ones(1))], judged.belief([]), 0.25)
    np.testing.assert_allclose(first, shares @ (expected - 0.25))
    np.testing.assert_allclose(second, shares @ (expected - 0.25) ** 2)


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_a_measure_is_written_and_read(measure: Any) -> None:
    assert repr(measure_from_repr(repr(measure))) == repr(measure)


def test_measures_by_name() -> None:
    assert repr(measure_named("rubric-pass-rate@2")) == "RubricPassRate(least=2)"
    assert repr(measure_named("rubric-score")) == "RubricScore()"
    assert repr(measure_named('rubric-score@"polite"')) == "RubricScore(['polite'])"
    assert RubricPassRate(1, ["correct"]).name == "pass rate on correct"


def test_votes_are_smoothed_and_kept() -> None:
    judged = rubric_predictions(["a", "b"], [0, 1], votes={"b": [[1, None], [0, 0]]}, name="jury")
    np.testing.assert_allclose(judged.relevance.proba, [[0.5, 0.5], [1 / 3, 2 / 3], [0.5, 0.5], [0.75, 0.25]])
    again = predictions_from_dict(judged.to_dict())
    assert not judged.assists
    assert not again.assists
    assert not judged.of_instances(np.array([1])).assists


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"criteria": "abc"}, "criteria must be one or more distinct names"),
        ({"criteria": ["a", "a"]}, "criteria must be one or more distinct names"),
        ({"votes": {"c": [[1]]}}, "votes has 'c', which is none of the criteria"),
        ({"votes": {"a": [1, 0]}}, r"votes\['a'\] must have shape \(n_instances, n_judges\)"),
        ({"votes": {"a": [[1], [7]]}}, r"votes\['a'\]\[1\]\[0\] is 7, expected one of the grades"),
        ({"n_instances": None}, "n_instances must be given if there are no votes"),
        ({"n_instances": 3, "votes": {"a": [[1]]}}, "the same number of answers, got"),
    ],
)
def test_what_is_no_rubric_is_refused(given: dict[str, Any], message: str) -> None:
    options: dict[str, Any] = {"criteria": ["a", "b"], "grades": [0, 1], "n_instances": 1, **given}
    with pytest.raises(ValueError, match=message):
        rubric_predictions(**options)


def test_criteria_that_there_are_not_are_refused() -> None:
    judged = rubric_predictions(CRITERIA, GRADES, 2)
    with pytest.raises(ValueError, match="criteria names 'kind', but the criteria are"):
        pool_value(RubricPassRate(1, ["kind"]), judged, [dict.fromkeys(CRITERIA, 1)] * 2)
    with pytest.raises(ValueError, match=r"criteria must be one name or more, got \[\]"):
        RubricScore([])
    with pytest.raises(ValueError, match="relevant_from is 3"):
        pool_value(RubricPassRate(3), judged, [dict.fromkeys(CRITERIA, 1)] * 2)


def test_a_session_asks_for_all_criteria_at_once_and_answers_for_each() -> None:
    size = 60
    rng = np.random.default_rng(3)
    truth = [dict(zip(CRITERIA, map(int, rng.integers(0, 3, 3)), strict=True)) for _ in range(size)]
    result = {
        each: [[label[each], label[each], int(rng.integers(3))] for label in truth] for each in CRITERIA
    }
    judged = rubric_predictions(CRITERIA, GRADES, votes=result)
    pool = Pool([f"answer {i}" for i in range(size)], predictions=judged, kind="custom")
    session = Session(pool, RubricPassRate())
    while session.n_labels < 25:
        asked = session.next()
        session.label(truth[asked.index])
    for measure in MEASURES:
        found = session.estimate(measure)
        true = pool_value(measure, judged, truth)
        assert found.low <= true <= found.high
        assert not found.is_asymptotic
    give_labels(session, truth)
    for measure in MEASURES:
        assert session.estimate(measure).value == pytest.approx(pool_value(measure, judged, truth))
