"""The panel of several models, and what else the page says of them."""

from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.findings.standings import SHOWN, models_content
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.widgets.evaluation.panels import Panels

from ..labeling import give_labels

N = 60


def begun(n_models: int, n_labels: int, measure: Any = None) -> Session:
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, N)
    models = {}
    for name, error in zip("ABC"[:n_models], (0.05, 0.3, 0.6), strict=False):
        right = np.where(rng.random(N) < error, 1 - y_true, y_true)
        models[name] = np.where(right[:, None] == [0, 1], 0.9, 0.1)
    pool = Pool([f"t{i}" for i in range(N)], predictions=models if n_models > 1 else models["A"])
    session = Session(pool, measure or ErrorRate(), seed=1)
    label(session, n_labels)
    return session


def label(session: Session, n: int) -> None:
    y_true = np.random.default_rng(0).integers(0, 2, N)
    give_labels(session, y_true, n)


def test_a_row_for_each_model_on_one_scale() -> None:
    session = begun(3, 40)
    board = session.leaderboard()
    content = SHOWN.content(session.findings, {})
    assert content.pop("pair")["chosen"] is None
    assert content == models_content(board, session.measure)
    assert [row["name"] for row in content["rows"]] == [each.name for each in board.models]
    low, high = content["scale"]["low"], content["scale"]["high"]
    assert content["scale"]["ends"] == [f"{100 * end:.0f}%" for end in (low, high)]
    assert all(
        low <= value <= high and text == f"{100 * value:.0f}%" for value, text in content["scale"]["ticks"]
    )
    for row, each in zip(content["rows"], board.models, strict=True):
        found = each.estimate
        assert row["value"] == Numbers.of(Quantity(session.measure), found).value(found.value)
        better = f"; {' and '.join(each.beaten_by)} {'is' if len(each.beaten_by) == 1 else 'are'} better"
        assert row["interval"] == Numbers.of(Quantity(session.measure), found).interval(
            found.low, found.high
        ) + (better if each.beaten_by else "")
        assert [row[name] for name in ("low", "at", "high")] == [found.low, found.value, found.high]
        assert row["is_out"] == (not each.may_be_best)
    assert content["whole"] == content["rows"][0]["at"]
    assert content["summary"].endswith(board.pairwise_note)
    assert content["columns"] == ["Model", "Standing", "Error rate"]


def test_standings() -> None:
    content = models_content(begun(3, N).leaderboard(), ErrorRate())
    assert [row["note"] for row in content["rows"]] == ["best", "out", "out"]
    assert {row["note"] for row in models_content(begun(3, 3).leaderboard(), ErrorRate())["rows"]} == {
        "may be best"
    }
    first = models_content(begun(3, 0).leaderboard(), ErrorRate())
    assert [(row["name"], row["note"], row["value"], row["has_interval"]) for row in first["rows"]] == [
        (name, "", "–", False) for name in "ABC"
    ]
    assert (first["summary"], first["whole"], first["scale"]["ends"]) == ("", None, ["", ""])


def test_one_model_and_two_have_no_such_panel() -> None:
    assert ["models" in Panels(begun(n_models, 5)).names for n_models in (1, 2, 3)] == [False, False, True]


def test_the_page_shows_the_best_so_far() -> None:
    session = begun(3, 8)
    result = Panels(session).redraw(shown=["models"])
    panels = Panels(session).content()
    leader = session.leaderboard().leader
    assert leader.name in panels["estimate"]["title"]
    assert panels["estimate"]["value"] == leader.estimate.value
    assert result["panels"]["models"]["rows"][0]["name"] == leader.name
    assert ["wrong", "models differ"] in result["plots"]["trajectory"]["legend"]
    assert not any(kind == "goal" for kind, _ in result["plots"]["trajectory"]["legend"])
    assert " of 3 may be. " in result["goal"]["lines"][0]


def test_the_goal_is_reached_once_one_is_left() -> None:
    session = begun(3, N)
    panels = Panels(session)
    result = panels.redraw(shown=panels.names)
    assert result["goal"]["lines"] == []
    assert result["goal"]["advice"] == "A is the best. Nothing is left to label."
    assert panels.content()["estimate"]["title"] == "Error rate: A, the best"
    assert result["plots"]["trajectory"]["legend"][0][1] == "A, the best"


def test_the_estimate_follows_another_leader() -> None:
    """What is kept of one model is not told of another."""
    session = begun(3, 0)
    panels, leaders = Panels(session), set()
    for number in range(24):
        # At first the models' promises count, then C is right, then A.
        wanted = session.models[2 if number < 8 else 0].y_pred
        session.label(int(wanted[session.next().index]))
        leader = session.leaderboard().leader
        leaders.add(leader.name)
        assert f": {leader.name}, the best so far" in panels.content()["estimate"]["title"]
        curve = panels.redraw()["plots"]["trajectory"]["curves"][0]
        assert curve["y"][-1] == pytest.approx(leader.estimate.value, abs=1e-4)
        assert curve["x"][-1] == number + 1
    assert len(leaders) > 1


def test_a_model_that_is_out_within_the_interval_of_another_is_explained() -> None:
    session = begun(3, 15)
    for _ in range(20, N, 5):
        label(session, 5)
        board = session.leaderboard()
        out = [each.estimate for each in board.models if not each.may_be_best]
        left = [each.estimate for each in board.models if each.may_be_best]
        overlap = any(one.low <= other.high and other.low <= one.high for one in out for other in left)
        assert ("compared in pairs" in board.pairwise_note) == overlap


def test_each_model_has_a_curve_in_its_color_and_the_best_stands_out() -> None:
    session = begun(3, 40)
    panels = Panels(session)
    result = panels.redraw(shown=["models"])
    plot, table = result["plots"]["trajectory"], result["panels"]["models"]
    board = session.leaderboard()
    curves = {curve["kind"]: curve for curve in plot["curves"]}
    assert set(curves) == {"leader", "model-1", "model-2", "model-3"}
    for each, row in zip(board.models, table["rows"], strict=True):
        kind = f"model-{each.position + 1}"
        assert row["color"] == kind
        curve = curves[kind]
        past = session.of(each.position).trajectory(at=[int(x) for x in curve["x"]])
        assert curve["y"] == [point.value for point in past]
        assert (curve["x"][-1], curve["y"][-1]) == (40, each.estimate.value)
    leader = board.leader
    assert curves["leader"]["y"][-1] == leader.estimate.value
    # Drawn last, so that it is above the others.
    assert plot["curves"][-1]["kind"] == f"model-{leader.position + 1}"
    assert plot["legend"][0] == [f"model-{leader.position + 1}", f"{leader.name}, the best"]
    others = [stop["name"] for stop in plot["stops"][2:]]
    assert others == [each.name for each in board.models[1:]]
    assert plot["stops"][2]["text"][-1].startswith(f"40 labels: {others[0]} ")
    assert not plot.get("note")
    low, high = plot["y"]["low"], plot["y"]["high"]
    assert all(low <= curve["y"][-1] <= high for curve in curves.values())


def test_before_the_first_label_there_are_no_curves() -> None:
    plot = Panels(begun(3, 0)).redraw()["plots"]["trajectory"]
    assert plot["legend"] == [["estimate", "estimate"]]
    assert all(not curve["x"] for curve in plot["curves"])


def test_no_more_than_eight_models_have_a_curve() -> None:
    rng = np.random.default_rng(0)
    models = {f"m{i}": np.tile([0.9, 0.1], (30, 1)) for i in range(10)}
    for i, proba in enumerate(models.values()):
        wrong = rng.random(30) < i / 20
        proba[wrong] = proba[wrong][:, ::-1]
    session = Session(Pool([f"t{i}" for i in range(30)], predictions=models), ErrorRate())
    give_labels(session, 0, 4)
    result = Panels(session).redraw(shown=["models"])
    plot, rows = result["plots"]["trajectory"], result["panels"]["models"]["rows"]
    assert plot["note"] == "The best 8 of 10 models so far."
    kinds = [kind for kind, _ in plot["legend"] if kind.startswith("model-")]
    assert sorted(kinds) == [f"model-{i}" for i in range(1, 9)]
    assert [row.get("color") for row in rows] == [*kinds, None, None]
