"""The plots as bqplot figures: on the page, and anywhere in a notebook."""

import asyncio
import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import bqplot
import numpy as np
import pytest
from ipywidgets import widget_serialization

from activeeval_widgets import LabelingApp, Pool, Session, plots
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.plot_kinds import PLOT_KINDS
from activeeval_widgets.widgets.figures.drawn_plot import DrawnPlot, javascript
from activeeval_widgets.widgets.figures.plot_figure import BareFigure, PlotFigure
from activeeval_widgets.widgets.figures.plots import FIGURES, Plots
from activeeval_widgets.widgets.figures.styles import style_of

from ..labeling import give_labels

MakeSession = Callable[..., Session]
OpenPage = Callable[..., Any]

_ALL = ["models", "each", "differing", "groups", "judge", "calibration"]


def label(session: Session, n_labels: int) -> None:
    for i in range(n_labels):
        assert session.next() is not None
        session.label(i % 2)


def contents_of(session: Session) -> dict[str, Any]:
    """All plots that a page of the session shows, by name."""
    result = Panels(session).redraw(shows_wald=True, shown=_ALL)
    parts = {**result["plots"], **result.get("panels", {})}
    found = {name: part.get("plot") or part for name, part in parts.items() if part}
    return {name: part for name, part in found.items() if "bands" in part}


def demo_session(name: str) -> Session:
    demo = DEMOS[name]()
    session = Session(demo.pool, demo.measure, y_range=demo.y_range)
    give_labels(session, demo.y_true, 12)
    return session


def marks_of(plot: DrawnPlot, kind: type) -> list[Any]:
    return [mark for mark in plot.marks if isinstance(mark, kind)]


def through(mark: Any) -> list[tuple[list[float], list[float]]]:
    """The curves of a mark, without what pads the shorter ones."""
    rows = zip(np.atleast_2d(mark.x).tolist(), np.atleast_2d(mark.y).tolist(), strict=True)
    return [(x, y) for x, y in rows if x]


# -- what is drawn ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["digits", "text", "regression", "compare", "leaderboard", "judge", "ranking"]
)
def test_figures_of_all_demos_show_what_panels_say(name: str) -> None:
    for content in contents_of(demo_session(name)).values():
        plot = DrawnPlot(content)
        axes = dict(zip("xy", plot.axes, strict=True))
        for axis, result in ((axes[each], content[each]) for each in "xy"):
            assert (axis.scale.min, axis.scale.max) == (result["low"], result["high"])
            assert isinstance(axis.scale, bqplot.LogScale) == result.get("is_log", False)
            assert axis.tick_values.tolist() == [value for value, _ in result["ticks"]]
            texts = [axis.tick_labels[javascript(value)] for value in axis.tick_values.tolist()]
            assert texts == [text for _, text in result["ticks"]]
        drawn = [curve for mark in marks_of(plot, bqplot.Lines) for curve in through(mark)]
        for curve in content["curves"]:
            n = len(curve["x"])
            assert n == 0 or any((x[:n], y[:n]) == (curve["x"], curve["y"]) for x, y in drawn)
        for band in content["bands"]:
            outline = band["x"] + band["x"][::-1], band["high"] + band["low"][::-1]
            n = len(outline[0])
            assert any((x[:n], y[:n]) == outline for x, y in drawn)
        dots = [(mark.x.tolist(), mark.y.tolist()) for mark in marks_of(plot, bqplot.Scatter)]
        for points in content["points"]:
            assert not points["x"] or (points["x"], points["y"]) in dots
        kinds = {part["kind"] for each in ("bands", "curves", "lines", "points") for part in content[each]}
        assert kinds <= PLOT_KINDS.keys()


def test_every_kind_has_a_color_with_a_value_outside_of_the_app() -> None:
    for kind in PLOT_KINDS:
        assert re.fullmatch(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", style_of(kind).color)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (20.0, "20"),
        (0.05, "0.05"),
        (-2.5, "-2.5"),
        (1e6, "1000000"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (2.5e-9, "2.5e-9"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_ticks_are_found_by_javascripts_name_of_their_number(value: float, text: str) -> None:
    assert javascript(value) == text


def simple(**parts: Any) -> dict[str, Any]:
    axis = {"low": 0.0, "high": 10.0, "ticks": [[0.0, "0"], [10.0, "10"]]}
    return {
        "heading": "A plot",
        "x": {**axis, "title": "labels"},
        "y": axis,
        **{each: [] for each in ("bands", "curves", "lines", "points", "sides", "legend", "stops")},
        "summary": "It says something.",
        "columns": [],
        "rows": [],
        **parts,
    }


def curve(kind: str, *y: float) -> dict[str, Any]:
    return {"kind": kind, "x": [float(i) for i in range(len(y))], "y": list(y)}


def test_marks_stay_and_their_data_change() -> None:
    plot = DrawnPlot(simple(curves=[curve("estimate", 1.0, 2.0)]))
    figure = BareFigure(plot)
    before = list(plot.marks)
    plot.show(simple(curves=[curve("estimate", 1.0, 2.0, 3.0)], lines=[{"kind": "goal", "y": 4.0}]))
    assert [mark for mark in plot.marks if mark in before] == before
    assert before[0].y.tolist() == [1.0, 2.0, 3.0]
    assert figure.marks == plot.marks
    goal = next(mark for mark in plot.marks if mark not in before)
    assert goal.y.tolist() == [4.0, 4.0]
    plot.show(simple(curves=[curve("estimate", 1.0)]))
    assert goal.y.size == 0
    assert before[0].y.tolist() == [1.0, 1.0]  # of one point, the line has no length


def test_the_same_content_sends_nothing() -> None:
    content = simple(curves=[curve("estimate", 1.0, 2.0)], points=[{**curve("drawn", 3.0), "shape": "dot"}])
    plot = DrawnPlot(content)
    figure = PlotFigure(plot)
    widgets = [figure, *figure.marks, *figure.axes, *plot.scales.values()]
    before = [len(widget.comm.sent) for widget in widgets]
    plot.show(deepcopy(content))
    assert [len(widget.comm.sent) for widget in widgets] == before


def test_texts_of_ticks_are_sent_before_their_numbers() -> None:
    # The front end writes a tick by the texts that it knows when it is given the number.
    plot = DrawnPlot(simple())
    _, axis = plot.axes
    before = len(axis.comm.sent)
    ticks = [[0.0, "0"], [0.02, "+2"], [0.04, "+4"]]
    plot.show(simple(y={"low": 0.0, "high": 0.05, "ticks": ticks}))
    sent = [data["state"] for data, _ in axis.comm.sent[before:]]
    assert [list(state) for state in sent] == [["tick_labels"], ["tick_values"]]
    # What is there until the new numbers come keeps its text.
    assert sent[0]["tick_labels"] == {"0": "0", "10": "10", "0.02": "+2", "0.04": "+4"}
    assert axis.tick_values.tolist() == [0.0, 0.02, 0.04]


def test_shorter_curves_of_a_kind_stay_at_their_last_point() -> None:
    plot = DrawnPlot(simple(curves=[curve("wald", 1.0, 2.0, 3.0), curve("wald", 5.0), curve("wald")]))
    assert plot.marks[0].y.tolist() == [[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]]


def test_points_of_one_kind_are_all_shown() -> None:
    dots = [{**curve("drawn", y), "shape": "dot"} for y in (3.0, 4.0)]
    plot = DrawnPlot(simple(points=[*dots, {**curve("drawn", 5.0), "shape": "cross"}]))
    assert [mark.y.tolist() for mark in plot.marks] == [[3.0, 4.0], [5.0]]


def test_a_leaderboard_shows_each_models_interval(open_page: OpenPage) -> None:
    rng = np.random.default_rng(2)
    models = {name: ClassPredictions(rng.dirichlet([1, 1], size=40)) for name in ("a", "b", "c")}
    session = Session(Pool([str(i) for i in range(40)], predictions=models), ErrorRate())
    label(session, 12)
    figure = plots(session).leaderboard
    rows = Panels(session).one("models")["rows"]
    bars = next(mark for mark in figure.marks if isinstance(mark, bqplot.Lines) and mark.stroke_width == 6)
    assert bars.x.tolist() == [[row["low"], row["high"]] for row in rows]
    assert bars.y.tolist() == [[3.0, 3.0], [2.0, 2.0], [1.0, 1.0]]  # the best so far is at the top
    board = session.leaderboard()
    found = [[each.estimate.low, each.estimate.high] for each in board.models]
    assert bars.x.tolist() == [pytest.approx(each) for each in found]
    ticks = figure.axes[0].tick_labels
    assert len(ticks) >= 3
    assert all(text == f"{100 * float(at):.0f}%" for at, text in ticks.items())
    assert list(figure.axes[1].tick_labels.values()) == [row["name"] for row in rows][::-1]
    dots = [mark for mark in figure.marks if isinstance(mark, bqplot.Scatter) and mark.tooltip is None]
    assert sorted(mark.x.tolist() for mark in dots) == sorted([row["at"]] for row in rows)
    assert len({mark.colors[0] for mark in dots}) == 3


def test_a_scale_becomes_logarithmic_for_all_its_marks() -> None:
    plot = DrawnPlot(simple(curves=[curve("estimate", 1.0, 2.0)]))
    content = simple(curves=[curve("estimate", 1.0, 2.0)])
    content["y"] = {"low": 1.0, "high": 100.0, "ticks": [[1.0, "1"], [100.0, "100"]], "is_log": True}
    plot.show(content)
    assert isinstance(plot.axes[1].scale, bqplot.LogScale)
    assert plot.marks[0].scales["y"] is plot.axes[1].scale


def test_layers_are_in_order_whenever_they_came() -> None:
    plot = DrawnPlot(simple(points=[{**curve("drawn", 3.0), "shape": "dot"}]))
    band = {"kind": "band", "x": [0.0, 1.0], "low": [1.0, 1.0], "high": [2.0, 2.0]}
    plot.show(simple(points=[{**curve("drawn", 3.0), "shape": "dot"}], bands=[band]))
    assert [type(mark) for mark in plot.marks] == [bqplot.Lines, bqplot.Scatter]


def test_the_vertical_axis_has_room_for_its_numbers_and_its_title() -> None:
    content = simple()
    plot = DrawnPlot(content)
    narrow = plot.margin["left"]
    content["y"] = {"low": 0.0, "high": 1e6, "ticks": [[0.0, "0"], [1e6, "1,000,000"]], "title": "price"}
    plot.show(content)
    assert plot.margin["left"] >= narrow + 5 * 6 + 12
    # Away from the axis, and within the margin.
    assert 12 <= int(plot.axes[1].label_offset.removesuffix("px")) < plot.margin["left"]


def test_a_points_label_is_where_there_is_room() -> None:
    point = {"kind": "present", "shape": "diamond", "label": "this one", "y": [5.0]}
    plot = DrawnPlot(simple(points=[{**point, "x": [9.0]}]))
    (text,) = marks_of(plot, bqplot.Label)
    assert (text.align, text.x_offset) == ("end", -10)
    plot.show(simple(points=[{**point, "x": [1.0]}]))
    assert (text.align, text.x_offset) == ("start", 10)


# -- figures alone ------------------------------------------------------------------------------------------


def test_a_figure_alone_has_title_legend_values_and_a_description(make_session: MakeSession) -> None:
    session = make_session()
    label(session, 8)
    figure = plots(session).estimate
    assert isinstance(figure, bqplot.Figure)
    assert figure.title == "Error rate after each label" or figure.title == "Error rate after each draw"
    assert not figure.display_toolbar
    texts = [text for mark in figure.marks if isinstance(mark, bqplot.Label) for text in mark.text.tolist()]
    assert {"estimate", "interval", "model wrong"} <= set(texts)
    content = Panels(session).one("trajectory")
    assert f"{content['heading']}. {content['summary']}" in texts
    result = [mark.names.tolist() for mark in figure.marks if getattr(mark, "tooltip", None) is not None]
    assert content["stops"][0]["text"] in result
    assert figure.axes[0].label == "draws"


def test_a_long_note_takes_several_lines() -> None:
    plot = DrawnPlot(simple(note="word " * 40))
    figure = PlotFigure(plot)
    lines = [
        mark.text.tolist()[0] for mark in figure.marks if isinstance(mark, bqplot.Label) and mark.text.size
    ]
    assert sum(line.count("word") for line in lines) == 40
    tall = figure.fig_margin["bottom"]
    plot.show(simple(note=""))
    assert figure.fig_margin["bottom"] < tall


def test_figures_follow_labels_by_code_and_are_the_same_objects(make_session: MakeSession) -> None:
    session = make_session()
    shown = plots(session)
    assert plots(session) is shown
    figure = shown.estimate
    assert shown.estimate is figure
    label(session, 5)
    expected = Panels(session).one("trajectory")["curves"][0]["y"]
    lines = [mark for mark in figure.marks if isinstance(mark, bqplot.Lines)]
    assert any(mark.y.tolist() == expected for mark in lines)
    shown.close()
    label(session, 1)  # nothing follows it any more
    assert shown.estimate is not figure


def test_in_a_kernel_figures_wait_until_events_rest(make_session: MakeSession, monkeypatch: Any) -> None:
    session = make_session()
    figure = plots(session).estimate
    drawn: list[int] = []
    monkeypatch.setattr(DrawnPlot, "show", lambda *_: drawn.append(session.n_labels))
    clock = iter(range(1000))
    monkeypatch.setattr("activeeval_widgets.widgets.figures.plots.monotonic", lambda: 0.001 * next(clock))
    monkeypatch.setattr(plots(session), "_drawn_at", 0.0)

    async def labels() -> None:
        label(session, 6)
        assert drawn == []
        while not drawn:
            await asyncio.sleep(0.01)

    asyncio.run(labels())
    assert drawn == [6]
    assert figure is plots(session).estimate


def test_in_a_long_cell_figures_are_drawn_now_and_then(make_session: MakeSession, monkeypatch: Any) -> None:
    session = make_session()
    assert plots(session).estimate.marks
    drawn: list[int] = []
    monkeypatch.setattr(DrawnPlot, "show", lambda *_: drawn.append(session.n_labels))
    clock = iter(range(1000))
    monkeypatch.setattr("activeeval_widgets.widgets.figures.plots.monotonic", lambda: float(next(clock)))

    async def labels() -> None:
        label(session, 3)

    monkeypatch.setattr(plots(session), "_drawn_at", -1.0)
    asyncio.run(labels())
    assert drawn == [1, 2, 3]


@pytest.mark.parametrize(
    ("models", "there", "missing"),
    [
        (1, {"estimate", "sampling", "calibration", "confusion"}, {"difference", "leaderboard", "differing"}),
        (2, {"estimate", "difference", "differing", "evidence", "leaderboard"}, {"confusion", "calibration"}),
        (3, {"estimate", "sampling", "leaderboard"}, {"difference"}),
    ],
)
def test_sessions_have_the_figures_that_say_something(
    models: int, there: set[str], missing: set[str]
) -> None:
    rng = np.random.default_rng(0)
    predictions = {str(i): ClassPredictions(rng.dirichlet([1, 1], size=40)) for i in range(models)}
    pool = Pool([str(i) for i in range(40)], predictions=predictions if models > 1 else predictions["0"])
    session = Session(pool, ErrorRate())
    label(session, 6)
    shown = plots(session)
    assert there <= set(dir(shown))
    assert not missing & set(dir(shown))
    for name in sorted(set(FIGURES) & set(dir(shown))):
        figure = getattr(shown, name)
        assert isinstance(figure, bqplot.Figure)
        assert figure.title
    label(session, 1)
    for name in missing:
        with pytest.raises(AttributeError, match=f"this session has no figure '{name}'; it has estimate"):
            getattr(shown, name)


def test_an_unknown_figure_is_refused_with_the_likely_name(make_session: MakeSession) -> None:
    with pytest.raises(AttributeError, match="no figure 'estimat': did you mean 'estimate'"):
        _ = plots(make_session()).estimat
    with pytest.raises(TypeError, match="session must be a Session, got 3"):
        plots(3)


def test_the_confusion_matrix_has_true_classes_from_the_top(make_session: MakeSession) -> None:
    session = make_session(classes=["ant", "bee", "cat"])
    for i in range(10):
        assert session.next() is not None
        session.label(["ant", "bee", "cat"][i % 3])
    figure = plots(session).confusion
    cells, numbers = figure.marks
    content = Panels(session).one("confusion")
    assert content["cells"][2][0]["text"] == numbers.text.tolist()[6]
    assert (cells.x[6], cells.y[6]) == (0, 2)
    assert figure.axes[1].scale.reverse
    assert figure.axes[1].label == "true"
    assert [figure.axes[0].tick_labels[str(i)] for i in range(3)] == ["ant", "bee", "cat"]
    assert cells.names.tolist()[6] == content["cells"][2][0]["title"]


# -- on the page --------------------------------------------------------------------------------------------


def test_a_page_that_shows_figures_gets_what_they_do_not_say(
    make_session: MakeSession, open_page: OpenPage
) -> None:
    session = make_session()
    label(session, 10)
    page = open_page(session)
    whole = page.ask("plots", shows_wald=True, shown=["calibration"])
    assert "figures" not in whole
    reply = page.ask("plots", shows_wald=True, shown=["calibration"], draws_figures=True)
    assert reply["figures"].keys() == {"trajectory", "distribution", "calibration"}
    for name, plot in {**reply["plots"], "calibration": reply["panels"]["calibration"]}.items():
        full = {**whole["plots"], **whole["panels"]}[name]
        drawn = ("bands", "curves", "lines", "points", "sides")
        assert plot.pop("margin")["left"] > 0
        assert plot == {**full, **{part: [] for part in drawn}}
        figure = widget_serialization["from_json"](reply["figures"][name], None)
        assert isinstance(figure, bqplot.Figure)
    again = page.ask("plots", shows_wald=True, shown=[], draws_figures=True)
    assert again["figures"] == reply["figures"]
    # After the line was cut, widgets may be missing on the page.
    old = [widget_serialization["from_json"](each, None) for each in again["figures"].values()]
    for closed in (False, True):  # a page shows those before until it has the new ones
        again = page.ask(
            "plots", shows_wald=True, shown=["calibration"], draws_figures=True, renews_figures=True
        )
        assert again["figures"].keys() == reply["figures"].keys()
        assert not set(again["figures"].values()) & set(reply["figures"].values())
        assert {each.comm is None for each in old} == {closed}
    reply = again
    result = page.ask("result", shows_results=True, draws_figures=True)
    assert result["figures"].keys() == {*reply["figures"], "result"}
    assert result["result"]["plot"]["curves"] == []
    assert json.dumps(reply)


def test_where_models_differ_is_a_figure_too(open_page: OpenPage) -> None:
    rng = np.random.default_rng(1)
    models = {name: ClassPredictions(rng.dirichlet([1, 1], size=40)) for name in ("old", "new")}
    session = Session(Pool([str(i) for i in range(40)], predictions=models), ErrorRate())
    label(session, 6)
    reply = open_page(session).ask("plots", shown=["differing"], draws_figures=True)
    assert reply["panels"]["differing"]["plot"]["points"] == []
    assert reply["panels"]["differing"]["sentences"]
    assert "differing" in reply["figures"]


def test_an_app_has_its_plots(make_session: MakeSession, open_page: OpenPage) -> None:
    app = LabelingApp(make_session())
    assert isinstance(app.plots, Plots)
    figure = app.plots.estimate
    page = open_page(app)
    page.label(1)
    app.plots.update()
    assert figure.marks[0].x.size > 0
    app.close()
    assert figure.comm is None


def test_an_app_that_hides_the_estimate_has_no_plots(make_session: MakeSession) -> None:
    app = LabelingApp(make_session(), shows_estimate=False)
    with pytest.raises(
        AttributeError, match=r"shows_estimate=False, so it has no plots; plots\(app\.session\)"
    ):
        _ = app.plots


def test_a_confusion_matrix_is_there_before_the_first_label_and_not_of_many_classes() -> None:
    rng = np.random.default_rng(2)
    pool = Pool([str(i) for i in range(40)], predictions=ClassPredictions(rng.dirichlet([1, 1], size=40)))
    session = Session(pool, ErrorRate())
    figure = plots(session).confusion
    assert figure.title == "Confusion matrix: no labels yet"
    assert list(figure.axes[0].tick_labels.values()) == ["0", "1"]
    label(session, 5)
    assert figure.title == "Confusion matrix (% of all instances)"
    assert float(figure.layout.width.removesuffix("px")) >= 230  # its title fits
    many = ClassPredictions(np.full((40, 40), 1 / 40))
    other = plots(Session(Pool([str(i) for i in range(40)], predictions=many), ErrorRate()))
    assert "confusion" not in dir(other)
    with pytest.raises(
        AttributeError, match=r"is drawn of 40 classes; session.confusion\(\) has the numbers"
    ):
        _ = other.confusion
