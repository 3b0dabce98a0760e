"""A measure may be given by its name, wherever a session takes one."""

import re
from typing import Any

import pytest
from sklearn.metrics import f1_score

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LabelShare,
    MacroF,
    PredictedClasses,
    RankingPredictions,
    Recall,
    SquaredError,
    ValuePredictions,
)

PROBA = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]]
SPAM = ClassPredictions(PROBA, classes=["ham", "spam"])
TEXTS = ["a", "b", "c", "d"]


def labeled(models: Any = SPAM, measure: Any = "f1", **options: Any) -> Session:
    session = Session(Pool(TEXTS, predictions=models, groups=list("xxyy")), measure, **options)
    for label in ("spam", "ham", "spam"):
        session.label(label)
    return session


@pytest.mark.parametrize(
    ("measure", "positive", "expected"),
    [
        ("f1", "spam", FMeasure(positive="spam")),
        ("F2", "ham", FMeasure(2, positive="ham")),
        ("error-rate", None, ErrorRate()),
        ("f1_macro", None, MacroF()),
        (Recall(positive="spam"), None, Recall(positive="spam")),
    ],
)
def test_a_session_takes_a_name(measure: Any, positive: Any, expected: Any) -> None:
    session = Session(Pool(TEXTS, predictions=SPAM), measure, positive=positive)
    assert repr(session.measure) == repr(expected)
    given = Session(Pool(TEXTS, predictions=SPAM), expected)
    assert session.storage.identity == given.storage.identity


def test_the_class_of_interest_of_0_and_1() -> None:
    model = ClassPredictions(PROBA)
    assert Session(Pool(TEXTS, predictions=model), "recall").measure.positive == 1
    with pytest.raises(
        ValueError, match=r"are: 0, 1\. ClassPredictions\(y_proba, classes=model\.classes_\) gives"
    ):
        Session(Pool(TEXTS, predictions=model), "recall", positive="spam")


@pytest.mark.parametrize(
    ("measure", "positive", "error", "message"),
    [
        ("f1", None, ValueError, "measure 'f1' counts one class: give positive, 'ham' or 'spam'"),
        (
            "f1",
            "spma",
            ValueError,
            "positive is 'spma', and there is no such class. Did you mean 'spam'?",
        ),
        (
            "acuracy",
            None,
            ValueError,
            "there is no measure 'acuracy'. Did you mean",
        ),
        ("accuracy", "spam", ValueError, "measure 'accuracy' has no option 'positive': leave it out"),
        ("rmse", None, ValueError, "measure 'rmse' does not fit these predictions. Those that do: accuracy"),
        ("rmse", None, ValueError, "The predictions are texts ('ham'): convert them to numbers if they mean"),
        (
            ErrorRate(),
            "spam",
            ValueError,
            "positive is 'spam', but the measure is given as ErrorRate()",
        ),
        (f1_score, None, TypeError, "Did you mean 'f1'?"),
        (FMeasure, None, TypeError, "Did you mean FMeasure(…)?"),
        ("pass-rate", None, ValueError, "make their predictions by side_by_side()"),
    ],
)
def test_what_is_no_measure_is_reported(measure: Any, positive: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Session(Pool(TEXTS, predictions=SPAM), measure, positive=positive)


def test_a_measure_of_numbers_tells_how_predicted_numbers_are_given() -> None:
    for measure, error in (("mean-squared-error", ValueError), (SquaredError(), TypeError)):
        with pytest.raises(error, match=r"pass ValuePredictions\(y_pred\)"):
            Session(Pool(["a", "b", "c"], predictions=[3, 1, 2]), measure)


def test_names_go_by_the_predictions() -> None:
    ranked = RankingPredictions([["d1", "d2"]], [{"d1": [0.2, 0.8], "d2": [0.6, 0.4]}], [0, 1])
    for predictions, measure, expected in [
        (ValuePredictions([1.0]), "neg_mean_squared_error", "SquaredError()"),
        (ranked, "ndcg@10", "NDCG(cutoff=10)"),
        (ranked, "ap", "MeanAveragePrecision(cutoff=None, relevant_from=1)"),
    ]:
        instances: Any = [["d1", "d2"]] if predictions is ranked else ["a"]
        kind = "custom" if predictions is ranked else None
        session = Session(Pool(instances, predictions=predictions, kind=kind), measure)
        assert repr(session.measure) == expected


def test_labels_alone() -> None:
    session = Session(Pool(TEXTS), "label-share", positive="pass")
    assert repr(session.measure) == repr(LabelShare("pass"))
    with pytest.raises(ValueError, match="counts one class: give positive, the label that counts"):
        Session(Pool(TEXTS), "label-share")
    with pytest.raises(ValueError, match="'f1' needs a model's predictions, and there are none"):
        Session(Pool(TEXTS), "f1")


def test_every_method_takes_a_name() -> None:
    session = labeled(positive="spam")
    of = Recall(positive="ham")
    for method in ("estimate", "provisional", "known_value", "intervals", "excluded_counted"):
        by_name = getattr(session.findings, method)("recall", positive="ham")
        assert by_name == getattr(session.findings, method)(of), method
    assert session.trajectory([1, 2], "recall", positive="ham", interval="wald") == session.trajectory(
        [1, 2], of, interval="wald"
    )
    assert session.watched("recall", positive="ham") is session.watched(of)
    assert session.by_group("recall", positive="ham").equals(session.by_group(of))
    # The class of interest stays the session's.
    assert session.estimate("recall") == session.estimate(Recall(positive="spam"))
    assert session.estimate("accuracy").value == pytest.approx(1 - session.estimate(ErrorRate()).value)
    with pytest.raises(ValueError, match="positive is 'ham', which needs a measure given by name"):
        session.estimate(positive="ham")


def test_methods_of_several_models_take_a_name() -> None:
    models = {"A": SPAM, "B": ClassPredictions([row[::-1] for row in PROBA], classes=["ham", "spam"])}
    session, of = labeled(models, positive="spam"), Recall(positive="ham")
    verdict = session.verdict(measure="recall", positive="ham")
    assert (repr(verdict.measure), str(verdict)) == (repr(of), str(session.verdict(measure=of)))
    assert session.leaderboard("recall", positive="ham").to_frame().equals(session.leaderboard(of).to_frame())
    assert session.pair_estimate("A", "B", "recall", positive="ham") == session.pair_estimate("A", "B", of)
    assert session.pairs("recall", positive="ham").equals(session.pairs(of))


def test_a_judge_takes_a_name() -> None:
    verdicts = PredictedClasses(["pass", "pass", "fail", "pass"])
    session = Session(Pool(TEXTS, predictions=verdicts), "error-rate")
    session.label("pass")
    assert session.judge("label-share", positive="fail").measure.name == LabelShare("fail").name
