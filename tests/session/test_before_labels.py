"""Where a guaranteed interval would be useless, another question is suggested before the first label."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from activeeval_widgets import Pool, Session
from activeeval_widgets.app import cli
from activeeval_widgets.session.findings.heavy_tail import before_labels
from activeeval_widgets.stats import (
    DCG,
    NDCG,
    AbsoluteError,
    BrierScore,
    ClassPredictions,
    ErrorRate,
    LogLoss,
    MeanValue,
    Measure,
    Predictions,
    RankingPredictions,
    RootMeanSquaredError,
    SquaredError,
    ValuePredictions,
    WithinTolerance,
)
from activeeval_widgets.widgets.evaluation.estimate import EstimatePanel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshots
from activeeval_widgets.widgets.start.plans import plan_list

SIZE = 40
VALUES = ValuePredictions(np.arange(SIZE) / SIZE, np.full(SIZE, 0.25))
UNSURE_OF_SIZE = ValuePredictions(np.arange(SIZE) / SIZE)
NEEDS_RANGE = (
    "No interval can be guaranteed here, as nothing limits how large an error can be: give y_range, the "
    "smallest and the largest possible label, or ask how often the error is at most {0}, "
    "WithinTolerance({0})."
)


def lists(relevant: float) -> RankingPredictions:
    """Return rankings of two items; each has the grade 3 with this probability, or else 0."""
    proba = [1 - relevant, 0, 0, relevant]
    return RankingPredictions([["a", "b"]] * SIZE, [{"a": proba, "b": proba}] * SIZE, grades=[0, 1, 2, 3])


def classes(share: float) -> ClassPredictions:
    """Return predictions that give the second class this probability."""
    return ClassPredictions(np.tile([1 - share, share], (SIZE, 1)))


def session_of(measure: Measure, predictions: Predictions, **options: Any) -> Session:
    """Return a new session."""
    instances = [{"x": i} for i in range(SIZE)]
    return Session(Pool(instances, predictions=predictions, kind="custom"), measure, **options)


@pytest.mark.parametrize(
    ("measure", "predictions", "options", "expected"),
    [
        (SquaredError(), VALUES, {}, NEEDS_RANGE.format(0.5)),
        (RootMeanSquaredError(), VALUES, {}, NEEDS_RANGE.format(0.5)),
        (AbsoluteError(), UNSURE_OF_SIZE, {}, NEEDS_RANGE.format("t")),
        # The largest squares are 1.6 on average: 6 times what is expected. Of the wider range, 1,700.
        (SquaredError(), VALUES, {"y_range": (-0.5, 1.5)}, ""),
        (SquaredError(), UNSURE_OF_SIZE, {"y_range": (-40, 41)}, ""),
        (
            RootMeanSquaredError(),
            VALUES,
            {"y_range": (-40, 41)},
            "one label can count for 1,700, where 0.25 is expected: rather ask how often the error is at",
        ),
        (WithinTolerance(0.5), VALUES, {}, ""),
        (MeanValue(), VALUES, {}, ""),
        # Two items of grade 3 count for 7 (1 + 0.63).
        (DCG(), lists(0.5), {}, ""),
        (
            DCG(),
            lists(0.1),
            {},
            "The guaranteed interval will stay wide, as one label can count for 11, where 1.1 is expected: "
            "rather ask for nDCG, NDCG(), which is at most 1.",
        ),
        (DCG(1), lists(0.1), {}, "can count for 7, where 0.7 is expected: rather ask for nDCG, NDCG(1),"),
        (NDCG(), lists(0.1), {}, ""),
        (LogLoss(), classes(0.1), {}, ""),
        (LogLoss(), classes(1e-6), {}, "rather ask for the Brier score, BrierScore(), which is at most 2."),
        (BrierScore(), classes(1e-6), {}, ""),
        (ErrorRate(), classes(1e-6), {}, ""),
    ],
    ids=lambda value: repr(value) if isinstance(value, Measure) else None,
)  # fmt: skip
def test_suggestion(
    measure: Measure, predictions: Predictions, options: dict[str, Any], expected: str
) -> None:
    found = before_labels(session_of(measure, predictions, **options).findings)
    assert expected in found
    assert bool(found) == bool(expected)


def test_of_a_difference_as_well() -> None:
    other = ValuePredictions(VALUES.mean + 1, VALUES.variance, name="other")
    models = [ValuePredictions(VALUES.mean, VALUES.variance, name="one"), other]
    pool = Pool([{"x": i} for i in range(SIZE)], predictions=models, kind="custom")
    assert before_labels(Session(pool, SquaredError()).findings) == NEEDS_RANGE.format(0.5)


def test_the_page_says_it_until_the_first_label() -> None:
    session = session_of(SquaredError(), VALUES)
    result = NEEDS_RANGE.format(0.5)
    for n_labels in (0, 1):
        content = EstimatePanel().content(Snapshots(session, "Welcome.").current(), {})
        assert content["intro"] == ("" if n_labels else f"Welcome. {result}")
        assert result not in content["note"]
        session.label(1.0)


def test_plans_say_it_beside_their_margins() -> None:
    rng = np.random.default_rng(0)
    predictions = ValuePredictions(rng.normal(size=3000), np.full(3000, 0.25))
    pool = Pool([f"text {i}" for i in range(3000)], predictions=predictions)
    advice = (
        "No interval can be guaranteed here, as nothing limits how large an error can be: set y_range in "
        "evaluation.toml, the smallest and the largest possible label, or ask how often the error is at most "
        "0.5 (“How often is it near enough?”)."
    )
    for measure, result in ((SquaredError(), advice), (WithinTolerance(0.5), "")):
        found = plan_list(Session(pool, measure))
        assert found["steps"]
        assert found["note"] == result


@pytest.mark.parametrize(
    ("measure", "predictions", "asked"),
    [
        (DCG(), lists(0.1), "How good are the first results?"),
        (LogLoss(), classes(1e-6), "Are its probabilities"),
    ],
)
def test_plans_name_the_questions_of_the_page(measure: Measure, predictions: Predictions, asked: str) -> None:
    note = plan_list(session_of(measure, predictions))["note"]
    assert f" (“{asked}" in note
    assert "()" not in note


def test_commands_say_it_in_their_own_terms(tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    rows = [f"{i},{i / SIZE},0.25" for i in range(SIZE)]
    path.write_text("\n".join(["x,mean,variance", *rows]))
    arguments = ["plan", str(path), "--half-width", "0.2", "--mean", "mean", "--variance", "variance"]
    result = CliRunner().invoke(cli.main, [*arguments, "--measure", "mse"])
    assert result.exit_code == 0, result.output
    assert "give --y-range, the smallest and the largest possible label" in result.stdout
    assert "at most 0.5, --measure within-tolerance@0.5." in result.stdout
    result = CliRunner().invoke(cli.main, [*arguments, "--measure", "within-tolerance@0.5"])
    assert "--y-range" not in result.stdout
