"""The panels that show the evaluation: words, goal, confusion matrix; and the view without them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Findings, Goal, Pool, Session
from activeeval_widgets.session.findings.calibration import has_calibration
from activeeval_widgets.session.findings.confusion_matrix import MAX_CLASSES, confusion_content, has_confusion
from activeeval_widgets.session.findings.estimated_interval import outside_sentence
from activeeval_widgets.session.findings.goal_plan import GoalProgress
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    ModelTrial,
    Plan,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.stats.text import pvalue_text
from activeeval_widgets.widgets.evaluation.default_goal import default_goal
from activeeval_widgets.widgets.evaluation.goal import goal_content
from activeeval_widgets.widgets.evaluation.panel import PANELS, Panel, register_panel
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.past_estimates import PastEstimates
from activeeval_widgets.widgets.evaluation.pool_axis import pool_axis
from activeeval_widgets.widgets.evaluation.trial_warning import VOTERS, trial_sentence
from activeeval_widgets.widgets.wording.goal_fields import read_goal
from activeeval_widgets.widgets.wording.models import is_against, prediction_text

from ..labeling import give_labels

MakeSession = Callable[..., Session]
OpenPage = Callable[..., Any]
NOTHING = GoalProgress((), None, None, None, None, 0.0, 0.0)
NBSP = "\N{NO-BREAK SPACE}"


def label(session: Session, n: int, value: Any = 0) -> None:
    give_labels(session, value, n)


# -- what is told -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_the_band_is_what_may_be_watched(make_session: MakeSession, protocol: str) -> None:
    session = make_session(300, protocol=protocol)
    panels = Panels(session)
    assert panels.content()["estimate"]["value"] is None
    low, high = 0.0, 1.0
    for n in range(1, 60):
        session.label(n % 3)
        part = panels.content()["estimate"]
        assert low - 1e-12 <= part["low"] < part["high"] <= high + 1e-12
        low, high = part["low"], part["high"]
    assert high - low < 0.9
    assert part["interval"] in part["sentence"]
    shown = panels.redraw()["plots"]["trajectory"]
    band, *approximate = shown["bands"]
    assert band["kind"] == "band"
    assert {each["kind"] for each in approximate} <= {"approximate", "rug"}
    assert (band["low"][-1], band["high"][-1]) == (low, high)
    assert (band["low"][0], band["high"][0]) == (0, 1)
    assert [curve["kind"] for curve in shown["curves"]] == ["estimate"]
    _, *ends = panels.redraw(shows_wald=True)["plots"]["trajectory"]["curves"]
    wald = session.estimate(interval="wald")
    assert tuple(curve["y"][-1] for curve in ends) == (wald.low, wald.high)


def test_page_and_report_say_that_an_estimate_is_outside_of_its_interval() -> None:
    rng = np.random.default_rng(33)
    p, y_true = rng.uniform(0.5, 0.99, 20), rng.random(20) < 0.5
    model = ClassPredictions(np.column_stack([1 - p, p]))
    pool = Pool([f"text {i}" for i in range(20)], predictions=model)
    session = Session(pool, ErrorRate(), seed=33, confidence_level=0.6)
    label(session, 15, lambda i: int(y_true[i]))
    found = session.estimate()
    assert found.value < found.low - 0.01
    part = Panels(session).content()["estimate"]
    said = outside_sentence(found)
    assert said in part["note"]
    assert said in session.report()
    assert part["sentence"].endswith("valid however often you look.")
    assert part["bar"]["value"] < part["bar"]["low"]
    assert outside_sentence(replace(found, low=found.value)) == ""


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_code_and_page_agree(protocol: str) -> None:
    rng = np.random.default_rng(0)
    models = [ClassPredictions(rng.dirichlet([1, 1], size=100), name=name) for name in ("a", "b")]
    for predictions in (models[0], models):
        session = Session(Pool(["text"] * 100, predictions=predictions), ErrorRate(), protocol=protocol)
        panels = Panels(session)
        for step in range(30):
            if step % 9 == 5:
                session.defer()
            elif step % 9 == 7:
                session.exclude()
            else:
                session.label(int(rng.integers(2)))
            shown, found = panels.content()["estimate"], session.estimate()
            assert (found.value, found.low, found.high) == (shown["value"], shown["low"], shown["high"])
            if len(session.models) == 2:
                result = f"“no difference”: {pvalue_text(found.pvalue)}, valid however often you look."
                assert result in shown["note"]


def test_an_approximate_interval_is_on_the_page_as_well() -> None:
    rng = np.random.default_rng(0)
    predictions = ClassPredictions(rng.dirichlet([1, 1], size=400))
    session = Session(Pool(["text"] * 400, predictions=predictions), MatthewsCorrelation())
    panels = Panels(session)
    ends = ("low", "high")
    n_shown = 0
    for _ in range(300):
        session.label(int(rng.integers(2)))
        if session.n_labels % 20:
            continue
        shown, found = panels.content()["estimate"], session.estimate()
        assert found.is_asymptotic
        result = [None, None] if found.withheld else [found.low, found.high]
        assert [shown[end] for end in ends] == [shown[f"approximate_{end}"] for end in ends] == result
        n_shown += not found.withheld
    assert n_shown > 5


def test_plots_have_words_and_tables(make_session: MakeSession) -> None:
    session = make_session(200)
    panels = Panels(session)
    assert (
        panels.redraw()["plots"]["trajectory"].items()
        >= {
            "summary": "No labels yet.",
            "columns": ["Draws", "Estimate", "From", "To", "Approx. from", "Approx. to"],
            "rows": [],
        }.items()
    )
    label(session, 50)
    result = panels.redraw()["plots"]
    rows = result["trajectory"]["rows"]
    assert len(rows) <= 12
    shown = panels.content()["estimate"]
    assert rows[-1][0] == str(session.n_draws)
    assert rows[-1][1] == shown["headline"]
    assert all(cell in result["trajectory"]["summary"] for cell in rows[-1][:4])
    parts = result["distribution"]["rows"]
    assert sum(int(row[3]) for row in parts) == session.n_draws
    assert sum(float(row[1].rstrip("%")) for row in parts) == pytest.approx(100, abs=3)


def test_two_models_are_compared_in_words() -> None:
    rng = np.random.default_rng(0)
    y_true = rng.integers(2, size=400)
    good = np.where(y_true[:, np.newaxis] == [0, 1], 0.9, 0.1)
    models = [ClassPredictions(proba, name=name) for proba, name in ((good, "new"), (good[:, ::-1], "old"))]
    session = Session(Pool(["a text"] * 400, predictions=models), ErrorRate(), protocol="papers")
    panels = Panels(session)
    assert panels.content()["estimate"]["note"] == ""
    session.label(int(y_true[session.next().index]))
    assert "better" not in panels.content()["estimate"]["sentence"]  # the goal's box says it
    session.goal = Goal(half_width=0.1)
    assert "Not decided yet" in panels.content()["estimate"]["sentence"]
    give_labels(session, y_true, 80)
    shown = panels.content()["estimate"]
    assert shown["title"] == "Error rate: new minus old"
    assert shown["sentence"].startswith("new is better by at least 89.5\xa0points. ")
    assert "below 0.001" in shown["note"]
    assert shown["headline"].startswith("\N{MINUS SIGN}")
    draws, labels = session.draws.labeled()
    assert is_against(session, draws, labels).all()
    assert "new says 1 (90" in prediction_text(session, int(np.flatnonzero(y_true)[0]))


def test_an_over_confident_model_is_named(make_session: MakeSession) -> None:
    proba = np.tile([0.99, 0.01], (300, 1))
    session = Session(
        Pool(["text"] * 300, predictions=ClassPredictions(proba)), ErrorRate(), protocol="papers"
    )
    panels = Panels(session)
    label(session, 19, 1)
    assert panels.content()["estimate"]["warning"] == ""
    label(session, 6, 1)
    warning = panels.content()["estimate"]["warning"]
    assert "expected less than 1 error in 25 labels and made 25." in warning
    while session.log.actions:
        session.undo()
    label(session, 40, 0)
    assert panels.content()["estimate"]["warning"] == ""


def test_with_all_labels_there_is_nothing_to_go_on_with() -> None:
    pool = Pool(["text"] * 30, predictions=ClassPredictions(np.tile([0.99, 0.01], (30, 1))))
    session = Session(pool, ErrorRate(), goal=Goal(half_width=0.4))
    label(session, 29, 1)
    panels = Panels(session)
    assert panels.content()["estimate"]["warning"].endswith("but may take more labels to narrow.")
    assert panels.one("goal")["advice"] == "±40 points reached. You can stop here or go on."
    label(session, 1, 1)
    assert panels.content()["estimate"]["warning"].endswith("in 30 labels and made 30.")
    assert panels.one("goal")["advice"] == "±40 points reached. Nothing is left to label."


def test_where_the_labels_leave_nothing_open_no_interval_has_to_narrow() -> None:
    """Two models that differ on 24 of 60 texts, where both are wrong: the others make no difference."""
    first, second = np.tile([0.98, 0.01, 0.01], (60, 1)), np.tile([0.98, 0.01, 0.01], (60, 1))
    second[:24] = [0.01, 0.98, 0.01]
    both = {"A": first, "B": second}
    session = Session(Pool(["text"] * 60, predictions=both), ErrorRate(), budget=59)
    while session.estimate().low < session.estimate().high or not session.n_labels:
        session.next()
        session.label(2)
    assert session.n_labels < 60
    assert Panels(session).content()["estimate"]["warning"] == "A and B are overconfident."


def test_overconfidence_where_a_model_is_surest_is_not_called_too_many_errors() -> None:
    """Errors among sure predictions are evidence, though there are fewer errors in all than expected."""
    p = np.array([[0.99, 0.01]] * 6 + [[0.55, 0.45]] * 30)
    trial = ModelTrial(ClassPredictions(p))
    trial.extend(np.arange(36), np.array([1] * 4 + [0] * 32))
    assert (trial.verdict(), trial.n_observed) == ("over_confident", 4.0)
    assert trial.n_expected > 13
    assert trial_sentence(trial, "Elsa") == (
        "Elsa is overconfident: where it is surest, it is wrong more often than it expected."
    )
    assert trial_sentence(trial, VOTERS) == (
        "The votes are less reliable than they seem: people contradict nearly unanimous votes more often "
        "than these imply."
    )


def test_a_verdict_that_later_labels_take_back_is_not_told() -> None:
    model = ClassPredictions(np.tile([0.9, 0.1], (600, 1)))
    trial = ModelTrial(model)
    trial.extend(np.arange(12), np.ones(12, dtype=int))
    trial.extend(np.arange(12, 30), np.zeros(18, dtype=int))
    assert trial_sentence(trial, "the model") != ""
    trial.extend(np.arange(30, 300), np.zeros(270, dtype=int))
    assert trial.pvalue < 0.01
    assert trial_sentence(trial, "the model") == ""


@pytest.mark.parametrize("variance", [None, np.linspace(0.1, 2, 30)])
def test_values(variance: Any) -> None:
    predictions = ValuePredictions(np.arange(30.0), variance, name="ridge")
    pool = Pool([{"x": i} for i in range(30)], predictions=predictions)
    session = Session(pool, SquaredError(), q=np.full(30, 1 / 30), y_range=(0, 40))
    panels = Panels(session)
    label(session, 20, 5.0)
    assert panels.content()["estimate"]["high"] < np.inf
    panels.redraw()
    axis = pool_axis(session)
    assert axis.low < axis.values.min() < axis.values.max() < axis.high
    assert "ridge says 3" in prediction_text(session, 3)
    assert is_against(session, *session.draws.labeled()).size == 0


def test_names() -> None:
    def named(*names: Any) -> Session:
        models = [ClassPredictions([[0.9, 0.1], [0.2, 0.8]], name=name) for name in names]
        return Session(
            Pool(["a", "b"], predictions=models if len(models) > 1 else models[0]),
            ErrorRate(),
            protocol="papers",
        )

    assert named(None).question.names == ("the model",)
    assert named("old", "new").question.names == ("old", "new")
    assert named("same", "same").question.names == ("model A", "model B")
    assert named(None, "new").question.names == ("model A", "model B")


# -- past estimates ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_past_estimates_are_those_of_the_session(make_session: MakeSession, protocol: str) -> None:
    session = make_session(120, protocol=protocol)
    past = PastEstimates(session.findings)
    rng = np.random.default_rng(0)
    for step in range(90):
        action = rng.random()
        if action < 0.1:
            session.undo()
        elif action < 0.15:
            session.exclude()
        elif action < 0.2:
            session.defer()
        elif action < 0.25 and session.n_labels:
            session.change(next(a.instance for a in session.log.actions if a.kind == "label"), step % 3)
        else:
            session.label(int(rng.integers(3)))
        counts = [n for n in (0, 1, 5, 20, session.n_draws) if n <= session.n_draws]
        assert past.at(counts) == session.trajectory(at=counts, interval="wald")


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_past_estimates_follow_each_change_and_each_exclusion(
    make_session: MakeSession, protocol: str
) -> None:
    session = make_session(40, protocol=protocol)
    past = PastEstimates(session.findings)

    def check() -> None:
        counts = list(range(session.n_draws + 1))
        assert past.at(counts) == session.trajectory(at=counts, interval="wald")

    label(session, 6)
    check()
    for instance in list(dict.fromkeys(session.draws.labeled()[0].tolist())):
        session.change(instance, (session.log.label_of(instance) + 1) % 3)
        check()
    session.exclude()
    check()
    session.undo()
    check()


def test_a_changed_label_is_a_new_snapshot(make_session: MakeSession) -> None:
    session = make_session(40)
    label(session, 6)
    panels = Panels(session)
    before = panels.content()
    instance = int(session.draws.labeled()[0][0])
    session.change(instance, (session.log.label_of(instance) + 1) % 3)
    after = panels.content()
    assert after["estimate"] != before["estimate"]
    assert after == Panels(session).content()


def test_past_estimates_are_computed_once(make_session: MakeSession, monkeypatch: pytest.MonkeyPatch) -> None:
    session = make_session(120)
    past = PastEstimates(session.findings)
    label(session, 30)
    past.at([0, 10, 30])
    asked: list[Any] = []
    real = session.findings.trajectory
    monkeypatch.setattr(
        session.findings, "trajectory", lambda at, **named: asked.append(at) or real(at=at, **named)
    )
    label(session, 1)
    past.at([0, 10, 30, session.n_draws])
    assert asked == [[session.n_draws]]


# -- the goal ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "whole", "half_width"),
    [
        (ErrorRate(), (0, 1), 0.05),
        (FMeasure(), (0, 1), 0.05),
        (SquaredError(), (0, 64), 3),
        (SquaredError(), (0, 0.5), 0.02),
        (SquaredError(), (0, np.inf), None),
    ],
)
def test_what_is_planned_for_unless_asked(measure: Any, whole: Any, half_width: float | None) -> None:
    assert default_goal(measure, whole).half_width == pytest.approx(half_width)


def test_the_pages_goal_is_in_percent_where_the_measure_is() -> None:
    fields = {"half_width": 2, "threshold": 5, "minutes": 3, "cost": None}
    assert read_goal(ErrorRate(), fields) == Goal(half_width=0.02, threshold=0.05, minutes=3)
    assert read_goal(ErrorRate(), {"half_width": 0.7}) == Goal(half_width=0.007)
    assert read_goal(FMeasure(), fields) == Goal(half_width=2, threshold=5, minutes=3)
    with pytest.raises(
        ValueError, match=r"The margin of error is -2: enter a number above 0, or leave the field empty\."
    ):
        read_goal(ErrorRate(), {"half_width": -2})
    with pytest.raises(TypeError, match="minutes must be a number"):
        read_goal(ErrorRate(), {"minutes": "ten"})


def test_after_the_first_label_a_wide_range_goes_with_a_number(make_session: MakeSession) -> None:
    session = make_session()
    standing = NOTHING._replace(
        to_half_width=Plan(143, 41, 407, 150), to_decision=Plan(np.inf, 9, np.inf, np.inf)
    )
    goal = Goal(half_width=0.02, threshold=0.05)
    session.next()
    session.label(session.pool.predictions.classes[0])
    of_width, of_side = goal_content(session, goal, standing)["lines"]
    assert f"About 140 more labels (likely{NBSP}41–410)" in of_width
    assert of_side.endswith("Not known yet")


def test_the_fields_of_a_goal(make_session: MakeSession) -> None:
    goal = Goal(half_width=0.02, minutes=3)
    reached = NOTHING._replace(reached=("half_width", "minutes"), minutes=3.0)
    content = goal_content(make_session(), goal, reached)
    assert [(f["name"], f["unit"], f["value"]) for f in content["fields"]] == [
        ("half_width", "points", 2.0),
        ("threshold", "%", None),
        ("minutes", "", 3),
        ("cost", "", None),
    ]


COMPARED = NOTHING._replace(to_decision=Plan(140, 90, 200, 150), seconds_per_label=3)


@pytest.mark.parametrize(
    ("measure", "decision", "better"),
    [
        (ErrorRate(), "above", "new"),
        (ErrorRate(), "below", "old"),
        (FMeasure(), "above", "old"),
        (FMeasure(), "below", "new"),
    ],
    ids=repr,
)
def test_two_models_are_to_be_decided_between(measure: Any, decision: str, better: str) -> None:
    low, high = (0.0123, 0.2) if decision == "above" else (-0.2, -0.0123)
    models = [ClassPredictions([[0.9, 0.1], [0.2, 0.8]], name=name) for name in ("old", "new")]
    session = Session(Pool(["a", "b"], predictions=models), measure, protocol="papers")
    usual = Panels(session).goal
    assert usual == Goal(threshold=0.0)
    verdict = replace(session.verdict(), better=None, is_equivalent=False)
    content = goal_content(session, usual, COMPARED._replace(verdict=verdict))
    assert " About 140 labels (likely" in content["lines"][0]
    assert content["advice"] == ""
    [line] = goal_content(session, usual, COMPARED._replace(verdict=replace(verdict, margin=0.02)))["lines"]
    shown = f"2{NBSP}points" if isinstance(measure, ErrorRate) else "0.02"
    assert f" by less than {shown}? About 140 labels" in line
    found = replace(verdict, better=better, at_least=0.0123, low=low, high=high, within=0.2)
    decided = COMPARED._replace(decision=decision, reached=("threshold",), verdict=found)
    content = goal_content(session, usual, decided)
    assert content["lines"] == []
    least = f"1.2{NBSP}points" if isinstance(measure, ErrorRate) else "0.012"
    assert content["advice"].startswith(f"{better} is better by at least {least}.")
    field = content["fields"][1]
    assert field["unit"] == ("points" if isinstance(measure, ErrorRate) else "")
    other = goal_content(session, Goal(threshold=0.05), COMPARED)["lines"][0]
    shown = f"+5{NBSP}points" if isinstance(measure, ErrorRate) else "+0.05"
    assert f" {shown}? About 140" in other


def test_the_page_sets_the_goal(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    fields = {"half_width": 40, "threshold": None, "minutes": None, "cost": None}
    reply = page.ask("goal", fields=fields)["goal"]
    assert page.app.session.goal == Goal(half_width=0.4)
    assert reply["fields"][0]["value"] == 40
    before = page.app.session.goal
    assert (
        "The margin of error is -1: enter a number above 0"
        in page.ask("goal", fields={"half_width": -1})["error"]
    )
    assert page.app.session.goal == before


def test_the_page_says_what_a_goal_would_cost(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session(n_instances=400))
    session = page.app.session
    for i in range(12):
        page.label(i % 3)
    before, usual = list(session.log), session.goal
    fields = {"half_width": 8, "threshold": None, "minutes": None, "cost": None}
    asked = page.ask("goal_preview", fields=fields)
    assert asked.keys() == {"goal_preview"}
    # It is what is said once it is set; until then nothing changes.
    assert (list(session.log), session.goal) == (before, usual)
    reply = page.ask("goal", fields=fields)["goal"]
    assert asked["goal_preview"] == {"lines": reply["lines"], "error": ""}
    for wrong in (0, -3):
        bad = {**fields, "half_width": wrong}
        preview = page.ask("goal_preview", fields=bad)["goal_preview"]
        assert preview == {"lines": [], "error": page.ask("goal", fields=bad)["error"]}
    # A goal that is reached, and none.
    reached = page.ask("goal_preview", fields={**fields, "half_width": None, "cost": 5})["goal_preview"][
        "lines"
    ]
    assert reached == ["The budget is spent. You can stop here or go on.", "12 of 5 labels"]
    none = page.ask("goal_preview", fields=dict.fromkeys(fields))["goal_preview"]["lines"]
    assert none == ["No goal."]


def test_a_goal_of_two_models_is_previewed_with_its_margin(open_page: OpenPage) -> None:
    models = [ClassPredictions([[0.9, 0.1], [0.2, 0.8]] * 20, name=name) for name in ("old", "new")]
    session = Session(Pool([*range(40)], predictions=models, kind="custom"), ErrorRate())
    session.revisions.declare_margin(0.01)
    page = open_page(session, view=lambda each: str(each))
    for margin, shown in ((3, f"by less than 3{NBSP}points?"), (None, "Which model is better?")):
        fields = {"threshold": 0.0, "margin": margin}
        [line, *_] = page.ask("goal_preview", fields=fields)["goal_preview"]["lines"]
        assert shown in line
    assert session.log.margin == 0.01


def test_going_on_after_the_budget(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session(budget=2))
    page.label(0)
    state = page.label(0)["state"]
    assert (state["is_done"], state["can_lift_budget"]) == (True, True)
    state = page.ask("go_on")["state"]
    assert (state["is_done"], state["can_lift_budget"]) == (False, False)
    assert page.label(1)["state"]["n_labels"] == 3


# -- the confusion matrix ---------------------------------------------------------------------------------


def test_the_confusion_matrix(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    assert "panels" not in page.ask("plots")
    assert page.ask("plots", shown=["confusion"])["panels"]["confusion"]["cells"] == []
    for i in range(30):
        page.label(i % 3)
    reply = page.ask("plots", shown=["confusion"])["panels"]["confusion"]
    assert reply["classes"] == ["0", "1", "2"]
    shares = np.array([[cell["share"] for cell in row] for row in reply["cells"]])
    assert shares.sum() == pytest.approx(1, abs=1e-3)
    assert reply["confusions"][0][2].startswith(f"{100 * np.max(shares - np.diag(np.diag(shares))):.1f}")
    draws, y_true = page.app.session.draws.labeled()
    y_pred = page.app.session.models[0].y_pred[draws]
    seen = {(p, t) for p, t in zip(y_pred.tolist(), y_true.tolist(), strict=True)}
    # As scikit-learn has it: a row for each true class, a column for each predicted one.
    estimated = page.app.session.confusion()
    told_of = [cell for row in reply["cells"] for cell in row]
    for cell, (t, p) in zip(told_of, np.ndindex(3, 3), strict=True):
        expected = f"True {t}, predicted {p}: " + ("" if (p, t) in seen else "not seen yet")
        assert cell["title"].startswith(expected)
        # Also cells that no label fell in count for the estimate.
        assert bool(cell["text"]) == ((p, t) in seen or estimated.shares[p, t] >= 0.0005)
        assert cell["share"] == pytest.approx(estimated.shares[p, t], abs=1e-4)
    wrong = 1 - sum(reply["cells"][c][c]["share"] for c in range(3))
    assert wrong == pytest.approx(page.app.session.estimate().value, abs=1e-3)
    assert np.abs(shares - shares.T).max() > 0.01
    most = np.unravel_index(np.argmax(shares - np.diag(np.diag(shares))), shares.shape)
    assert reply["confusions"][0][:2] == [str(i) for i in most]  # the true one first


def test_many_classes_are_listed(make_session: MakeSession) -> None:
    session = make_session(200, n_classes=MAX_CLASSES + 1)
    for i in range(60):
        session.label(i % (MAX_CLASSES + 1))
    content = confusion_content(session.confusion())
    assert (content["cells"], content["classes"]) == ([], [])
    assert len(content["confusions"]) == 6


def test_who_has_a_confusion_matrix(make_session: MakeSession) -> None:
    model = ClassPredictions([[0.9, 0.1], [0.2, 0.8]])
    assert has_confusion(make_session().findings)
    assert not has_confusion(
        Session(Pool(["a", "b"], predictions=[model, model]), ErrorRate(), protocol="papers").findings
    )


# -- the view without the estimate ------------------------------------------------------------------------


def test_who_labels_without_the_estimate_is_sent_none(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session(goal=Goal(half_width=0.1)), shows_estimate=False)
    config = page.ask("hello")["config"]
    assert (config["is_labeler_view"], config["goal"]) == (True, None)
    names = {action["name"] for action in config["actions"]}
    assert not names & {"prediction", "goal", "panels"}
    assert {"undo", "defer", "exclude", "note", "result", "help"} <= names
    assert set(config["keys"]["actions"]) == names  # what is not listed has no key
    for _ in range(5):
        state = page.label(1)["state"]
    assert "estimate" not in state
    assert set(state["progress"]) == {"text", "share"}
    present = page.app.session.next()
    for message in (
        page.ask("plots", shown=["confusion"]),
        *(page.ask("save", which=kind) for kind in ("html", "markdown", "labels", "events")),
        page.ask("prediction", draw=present.draw),
        page.ask("goal", fields={"half_width": 5}),
    ):
        assert message == {}
    [grid] = page.app.children
    assert len(grid.children) == 1


def state_of(session: Session) -> tuple[Any, ...]:
    """All that a session holds and that a view could change."""
    return (
        session.goal,
        session.budget,
        session.log.events,
        session.next(),
        session.upcoming(20),
        session.storage.identity,
    )


@pytest.mark.parametrize("shows_estimate", [True, False])
@pytest.mark.parametrize("goal", [None, Goal(half_width=0.1)])
@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_to_show_a_session_changes_nothing_in_it(
    make_session: MakeSession, open_page: OpenPage, protocol: str, goal: Goal | None, shows_estimate: bool
) -> None:
    session = make_session(protocol=protocol, goal=goal, budget=20)
    label(session, 5)
    before = state_of(session)
    page = open_page(session, shows_estimate=shows_estimate)
    for kind in ("hello", "plots", "result", "history"):
        assert "error" not in page.ask(kind, shows_results=True)
    assert state_of(session) == before


def test_a_goal_that_is_given_later_is_reported(make_session: MakeSession) -> None:
    session = make_session()
    panels = Panels(session)
    assert panels.redraw()["goal"]["fields"][0]["value"] == 5  # the usual one
    session.goal = Goal(half_width=0.02)
    assert panels.redraw()["goal"]["fields"][0]["value"] == 2
    session.goal = Goal()
    assert panels.redraw()["goal"]["lines"] == []


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_without_the_estimate_none_is_computed(
    make_session: MakeSession, open_page: OpenPage, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = make_session(protocol=protocol, budget=30)

    def refuse(*_arguments: Any, **_named: Any) -> Any:
        raise AssertionError("something that tells of the model was computed")

    computed = ("estimate", "trajectory", "watched", "trials", "confusion", "known_value", "_begin_interval")
    for name in computed:
        monkeypatch.setattr(Findings, name, refuse)
    with pytest.raises(AssertionError, match="was computed"):
        open_page(make_session(protocol=protocol))  # which shows that the trap works
    page = open_page(session, shows_estimate=False)
    reply = [page.ask("hello")]
    for step in range(12):
        draw = page.app.session.next().draw
        reply.append(
            page.ask("defer", draw=draw, seconds=1.0)
            if step % 5 == 3
            else page.ask("exclude", draw=draw, seconds=1.0)
            if step % 5 == 4
            else page.label(step % 3)
        )
    reply += [
        page.ask("undo"),
        page.ask("plots", shown=["confusion"]),
        page.ask("result", shows_results=True),
    ]
    reply += [page.ask("history", shows_prediction=True), page.ask("goal", fields={"half_width": 5})]
    reply += [page.ask("save", which="html"), page.ask("prediction", draw=page.app.session.next().draw)]
    assert not [message for message in reply if "error" in message]
    assert reply[0]["config"].pop("panels") == []
    hidden = {"estimate", "plots", "confusion", "panels", "prediction", "file", "is_wrong"}
    assert not hidden & keys_in(reply)


def keys_in(value: Any) -> set[str]:
    """The names of all that messages hold, at any depth."""
    if isinstance(value, dict):
        return {*value, *(name for each in value.values() for name in keys_in(each))}
    return {name for each in value for name in keys_in(each)} if isinstance(value, list | tuple) else set()


# -- panels are registered --------------------------------------------------------------------------------


class LatestLabels(Panel):
    """The latest labels, without those of sessions of two models."""

    name = "latest"
    title = "Latest labels"

    @classmethod
    def of(cls, session: Session) -> Any:
        return cls() if len(session.models) == 1 else None

    def content(self, snapshot: Any, options: Any) -> Any:
        return {"labels": [str(label) for label in snapshot.labeled[1][-3:]]}


@pytest.fixture
def _own_panel() -> Iterator[None]:
    register_panel(LatestLabels)
    yield
    del PANELS["latest"]


@pytest.mark.usefixtures("_own_panel")
def test_a_registered_panel_is_reported(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    for value in (0, 2, 1, 1):
        page.label(value)
    assert page.ask("plots")["panels"] == {"latest": {"labels": ["2", "1", "1"]}}
    model = ClassPredictions([[0.9, 0.1], [0.2, 0.8]])
    two = open_page(Session(Pool(["a", "b"], predictions=[model, model]), ErrorRate()))
    assert "panels" not in two.ask("plots")


@pytest.mark.usefixtures("_own_panel")
def test_an_optional_panel_is_updated_while_it_is_shown(
    make_session: MakeSession, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LatestLabels, "is_optional", True)
    page = open_page(make_session())
    page.label(2)
    assert "panels" not in page.ask("plots", shown=[])
    assert page.ask("plots", shown=["latest"])["panels"] == {"latest": {"labels": ["2"]}}


def test_every_panel_gets_its_content_from_one_snapshot(make_session: MakeSession) -> None:
    session = make_session(150)
    label(session, 20)
    panels = Panels(session)
    snapshot = panels.snapshot()
    assert snapshot is panels.snapshot()
    assert snapshot.estimate is panels.snapshot().estimate
    label(session, 1)
    assert panels.snapshot() is not snapshot
    for name, kind in PANELS.items():
        panel = kind.of(session) if isinstance(session.question, kind.asked) else None
        if panel is None:  # there are no groups, and one model
            assert name not in panels.names
            continue
        assert panel.content(panels.snapshot(), {}) == panels.one(name)


def test_a_panel_that_is_none_is_refused() -> None:
    class Nameless(Panel):
        title = "No name"
        content = None

    class Again(LatestLabels):
        name = "estimate"

    class Spaced(LatestLabels):
        name = "latest labels"

    class Path(LatestLabels):
        name = "path"
        front_end = "latest.js"

    with pytest.raises(ValueError, match=r"name of Spaced must consist of a-z, .* got 'latest labels'"):
        register_panel(Spaced)
    with pytest.raises(ValueError, match="front_end must be an ES module with a default export, or a Path"):
        register_panel(Path)
    with pytest.raises(TypeError, match="panel must be a subclass of Panel, got 'estimate'"):
        register_panel("estimate")
    with pytest.raises(ValueError, match="name of Nameless must be a nonblank string, got None"):
        register_panel(Nameless)
    with pytest.raises(ValueError, match="name of Again is 'estimate', which is the name of EstimatePanel"):
        register_panel(Again)
    assert not {"latest", "latest labels", "path"} & PANELS.keys()


# -- the reliability curve --------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_the_reliability_curve(make_session: MakeSession, open_page: OpenPage, protocol: str) -> None:
    page = open_page(make_session(protocol=protocol))
    assert "calibration" not in page.ask("plots").get("panels", {})
    content = page.ask("plots", shown=["calibration"])["panels"]["calibration"]
    assert content["note"] == "No labels yet."
    assert content["curves"][-1] == {"kind": "estimate", "x": [], "y": []}
    for i in range(30):
        page.label(i % 3)
    content = page.ask("plots", shown=["calibration"])["panels"]["calibration"]
    found = page.app.session.calibration(interval="wald")
    seen = found.n_labels > 0
    assert content["points"][0]["y"] == found.accuracy[seen].tolist()
    bars = [curve["y"] for curve in content["curves"] if curve["kind"] == "bar"]
    assert bars == np.stack([found.low, found.high], axis=1)[seen].tolist()
    assert len(content["rows"]) == seen.size
    assert content["note"].startswith("Calibration error about ")
    assert content["stops"][0]["text"][0].startswith(f"{100 * found.confidence[seen][0]:.1f}")


def test_who_has_a_reliability_curve(make_session: MakeSession) -> None:
    assert has_calibration(make_session().findings)
    model = ClassPredictions([[0.9, 0.1], [0.2, 0.8]])
    assert not has_calibration(
        Session(Pool(["a", "b"], predictions=[model, model]), ErrorRate(), protocol="papers").findings
    )


def test_the_page_sets_the_margin_which_the_session_keeps(open_page: OpenPage) -> None:
    models = [ClassPredictions([[0.9, 0.1], [0.2, 0.8]], name=name) for name in ("old", "new")]
    session = Session(Pool(["a", "b"], predictions=models), ErrorRate())
    page = open_page(session)
    [field] = [each for each in goal_content(session, Goal(), NOTHING)["fields"] if each["name"] == "margin"]
    assert (field["unit"], field["value"]) == ("points", None)
    reply = page.ask("goal", fields={"threshold": 0.0, "margin": 2.3})["goal"]["fields"]
    assert session.log.margin == 0.023
    assert (
        "The smallest difference that matters is -1: enter"
        in page.ask("goal", fields={"threshold": 5, "margin": -1})["error"]
    )
    assert session.goal == Goal(threshold=0.0)
    assert [each["value"] for each in reply if each["name"] == "margin"] == [2.3]
    page.ask("goal", fields={"threshold": 0.0})  # what the browser remembers says nothing of it
    assert session.log.margin == 0.023
    page.ask("goal", fields={"threshold": 0.0, "margin": None})
    assert [each.value for each in session.log.declared_margins] == [0.023, None]
