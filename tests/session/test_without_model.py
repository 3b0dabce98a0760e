"""A session about the labels themselves: no predictions, in memory, in a store, in a file, on the page."""

import json
from pathlib import Path

import numpy as np
import pytest

from activeeval_widgets import Pool, Session, evaluate
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.formats import Columns, read_session_file, verify, write_session
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.stats import (
    ClassPredictions,
    ClippedSquaredError,
    ErrorRate,
    LabelShare,
    MeanValue,
    Planner,
    UnpredictedClasses,
    ValuePredictions,
    WinRate,
)

from ..labeling import give_labels

TEXTS = [f"text {i}" for i in range(60)]


def labeled(session: Session, n_labels: int) -> Session:
    give_labels(session, lambda i: "spam" if i % 3 == 0 else "not spam", n_labels)
    return session


def test_the_measure_says_what_labels_can_be() -> None:
    session = labeled(Session(Pool(TEXTS), LabelShare("spam"), seed=1), 30)
    assert session.labels.classes.tolist() == ["spam", "not spam"]
    seen = np.mean(session.draws.labeled()[1] == "spam")
    assert session.estimate().value == pytest.approx(seen, abs=5e-4)
    labeled(session, 30)
    assert session.estimate().value == session.estimate().low == pytest.approx(1 / 3)
    assert Session(Pool(TEXTS), WinRate()).labels.classes.tolist() == ["A", "tie", "B"]
    assert Session(Pool(TEXTS), LabelShare(1)).labels.classes.tolist() == [1, 0]
    assert Session(Pool(TEXTS), MeanValue(), y_range=(1, 5)).labels.kind == "number"
    assert Session(Pool(TEXTS, classes=[1, 2, 3]), LabelShare(2)).labels.classes.tolist() == [1, 2, 3]


def test_classes_that_somebody_named_stay(tmp_path: Path) -> None:
    """As `classes`, as what stands for predictions, and in a file."""
    classes = ["spam", "ham", "ads"]
    session = Session(Pool(TEXTS, classes=classes), LabelShare("ham"), seed=1)
    give_labels(session, lambda i: classes[i % 3], 20)
    path = write_session(session, tmp_path / "session.json")
    assert verify(path).follows
    pool = Pool(TEXTS, predictions=UnpredictedClasses(classes, len(TEXTS)))
    assert Session(pool, LabelShare("ham"), seed=1).storage.identity == session.storage.identity


@pytest.mark.parametrize(
    ("pool", "measure", "error", "message"),
    [
        ({}, ErrorRate(), TypeError, "there are no predictions: give the model's as predictions"),
        ({"classes": ["a", "b"]}, ErrorRate(), TypeError, "there are no predictions"),
        (
            {"classes": ["a", "b"]},
            LabelShare("c"),
            ValueError,
            r"positive is 'c', expected one of the classes \['a'",
        ),
        ({}, LabelShare(7), ValueError, r"classes=\[7, …\]"),
        ({}, WinRate("x"), ValueError, r"classes=\['x', 'tie', …\]"),
    ],
)
def test_what_does_not_fit_is_refused(
    pool: dict, measure: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Session(Pool(TEXTS, **pool), measure)


def test_classes_and_features_are_refused_where_they_mean_nothing() -> None:
    with pytest.raises(ValueError, match="leave them out, these"):
        Pool(TEXTS[:2], predictions=[[0.1, 0.9]] * 2, classes=["a", "b"])
    with pytest.raises(ValueError, match="leave them out"):
        Pool(TEXTS[:2], features=[[1], [2]])
    with pytest.raises(ValueError, match="classes must be at least two"):
        Pool(TEXTS[:2], classes=["a"])


def test_it_is_resumed_written_and_verified(tmp_path) -> None:
    store = tmp_path / "labels.sqlite"
    first = labeled(Session(Pool(TEXTS), LabelShare("spam"), store=store), 20)
    again = Session(Pool(TEXTS), LabelShare("spam"), store=store)
    assert again.estimate() == first.estimate()
    path = write_session(first, tmp_path / "session.json")
    assert json.loads(path.read_text())["predictions"][0]["kind"] == "unpredicted_class"
    assert read_session_file(path).open().next() == first.next()
    assert verify(path).follows


def test_the_mean_of_numbers_has_an_approximate_interval_and_says_what_guarantees_one() -> None:
    values = np.random.default_rng(0).normal(50, 10, 400)
    sessions = [Session(Pool([f"t{i}" for i in range(400)]), MeanValue())]
    sessions.append(Session(Pool([f"t{i}" for i in range(400)]), MeanValue(), y_range=(0, 100)))
    for session in sessions:
        give_labels(session, values, 150)
    open_ended, ranged = (session.estimate() for session in sessions)
    assert open_ended.is_asymptotic
    assert open_ended.has_approximate
    assert open_ended.low < values.mean() < open_ended.high
    assert not ranged.is_asymptotic
    result = result_of(sessions[0].findings, sessions[0].watched()).caveats
    assert any("Say what the smallest and the largest label can be (y_range" in each for each in result)
    assert not any(
        "y_range" in each for each in result_of(sessions[1].findings, sessions[1].watched()).caveats
    )


def test_what_a_clip_leaves_out_is_reported_in_numbers() -> None:
    model = ValuePredictions(np.zeros(40), np.ones(40))
    labels = np.r_[np.full(30, 0.5), np.full(10, 3.0)]
    for y_range, result in ((None, "nothing limits"), ((-4, 4), "that adds at most 3.75.")):
        session = Session(Pool(TEXTS[:40], predictions=model), ClippedSquaredError(1), y_range=y_range)
        give_labels(session, labels)
        text = " ".join(result_of(session.findings, session.watched()).caveats)
        assert "Errors beyond 1 count as 1, so the mean squared error itself is this or more" in text
        assert "25.0\N{NO-BREAK SPACE}% of the errors are beyond it, at most 25.0" in text
        assert result in text


def test_the_report_says_that_there_is_no_model() -> None:
    text = labeled(Session(Pool(TEXTS), LabelShare("spam")), 50).report()
    assert "the model" not in text.lower().replace("there is no model", "")
    session = labeled(Session(Pool(TEXTS), LabelShare("spam"), protocol="papers"), 5)
    assert "with replacement" in session.report("html")


def test_the_page_has_nothing_of_a_model() -> None:
    app = evaluate(TEXTS, None, LabelShare("spam"))
    labeled(app.session, 12)
    view = app._page.view
    assert "prediction" not in [action.name for action in view.actions()]
    assert "confusion" not in [panel["name"] for panel in view.config()["panels"]]
    part = json.dumps([view.content(), view._panels.redraw(shown=view._panels.names)])
    assert "model" not in part


@pytest.mark.parametrize(
    ("columns", "measure", "positive", "labels"),
    [
        ({}, "label-share", "spam", ["spam", "not spam"]),
        ({"classes": "spam,ham"}, "label-share", "Spam", ["spam", "ham"]),
        ({}, "win-rate", None, ["A", "tie", "B"]),
        ({"classes": "x,y"}, "win-rate", "y", ["x", "y"]),
    ],
)
def test_a_file_without_predictions_is_served(tmp_path, columns, measure, positive, labels) -> None:
    file = tmp_path / "texts.csv"
    file.write_text("text,source\n" + "".join(f"{text} is long,web\n" for text in TEXTS))
    columns = Columns(text="text", group="source", **columns)
    settings = EvaluationSettings(file, columns, measure=measure, positive=positive)
    found = check_file(settings)
    assert not found.problems
    assert any("There are no predictions" in note for note in found.notes)
    session = settings.make_session()
    assert session.labels.classes.tolist() == labels
    assert session.pool.groups[0] == "web"


@pytest.mark.parametrize(
    ("measure", "positive", "message"),
    [
        (None, None, "no column holds predictions"),
        ("error-rate", None, "--measure label-share, win-rate or mean-value"),
        ("label-share", None, "add --positive"),
        ("label-share", "x", "there is no such class. There are: spam, ham"),
    ],
)
def test_a_file_without_predictions_names_what_helps(tmp_path, measure, positive, message) -> None:
    file = tmp_path / "texts.csv"
    file.write_text("text\n" + "".join(f"{text} is long\n" for text in TEXTS))
    columns = Columns(text="text", classes=["spam", "ham"])
    found = check_file(EvaluationSettings(file, columns, measure=measure, positive=positive))
    assert message in " ".join(found.problems)


def test_a_plan_without_a_model_is_what_sessions_without_one_take():
    rng = np.random.default_rng(1)
    p = rng.beta(0.5, 1, 2000)
    y = np.where(rng.random(2000) < p, "t", "f")
    model = ClassPredictions(np.column_stack([1 - p, p]), classes=["f", "t"])
    plan = Planner(LabelShare("t"), model, without_model=True).plan(0.08)
    pool, took = Pool([str(i) for i in range(2000)], classes=["f", "t"]), []
    for seed in range(4):
        session = Session(pool, LabelShare("t"), seed=seed)
        interval = session.estimate()
        while not interval.high - interval.low <= 0.16:
            give_labels(session, y, 10)
            interval = session.estimate()
        took.append(session.n_labels)
    assert 0.75 < plan.n_labels / np.mean(took) < 1.33
    assert plan.low < min(took) < max(took) < plan.high
