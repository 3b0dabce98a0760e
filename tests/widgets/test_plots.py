"""What the plots are told to draw: every number of theirs is Python's."""

import json
from collections.abc import Callable
from math import ceil, floor
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Goal, Pool, Session
from activeeval_widgets.session.findings.plot_axes import (
    MAX_MARKS,
    MAX_POINTS,
    MIN_MULTIPLE,
    multiple_text,
    multiple_tick,
    multiples_range,
    multiples_ticks,
    nice_range,
    round_ticks,
    step_up,
    thin,
)
from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MeanValue,
    Precision,
    PredictedClasses,
    RootMeanSquaredError,
    SquaredError,
    ValuePredictions,
    draw,
    estimate_trajectory,
    optimal_q,
    uniform_q,
)
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.widgets.evaluation.distribution_plot import DistributionPlot
from activeeval_widgets.widgets.evaluation.estimate import EstimatePanel
from activeeval_widgets.widgets.evaluation.estimate_plot import EstimatePlot
from activeeval_widgets.widgets.evaluation.histogram import PoolHistogram, TimesHistogram
from activeeval_widgets.widgets.evaluation.marks import Mark, marks, times_uniform
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis, pool_axis
from activeeval_widgets.widgets.evaluation.snapshot import Snapshots
from activeeval_widgets.widgets.wording.measures import format_round, sides_text

from ..labeling import give_labels

MakeSession = Callable[..., Session]
N_DRAWS = [0, 1, 2, 5, 24, 25, 26, 199, 200, 201, 5000]
NBSP = "\N{NO-BREAK SPACE}"


def confidence_axis(confidence: Any) -> PoolAxis:
    return PoolAxis(np.clip(np.asarray(confidence), 0, 1), "model's confidence", True, 0.0, 1.0)


def band_of(trajectory: Any) -> FloatArray:
    """The estimates' own intervals."""
    return np.array([[point.low for point in trajectory], [point.high for point in trajectory]])


def marks_at(numbers: Any, indices: Any = None, times: Any = None, *, is_wrong: bool = True) -> list[Mark]:
    numbers = [int(number) for number in numbers]
    indices = numbers if indices is None else [int(index) for index in indices]
    times = [1.0] * len(numbers) if times is None else [float(value) for value in times]
    return [
        Mark(number, index, value, is_wrong, f"instance {index}")
        for number, index, value in zip(numbers, indices, times, strict=True)
    ]


def of_kind(content: dict[str, Any], part: str, kind: str) -> dict[str, Any]:
    [found] = [one for one in content[part] if one["kind"] == kind]
    return found


def wrong_at(content: dict[str, Any]) -> list[float]:
    """Where the model was wrong, by what is told; drawn as crosses, or as a rug that has a bar near each."""
    result: list[float] = content["stops"][1]["x"]
    bars = [each for each in content["bands"] if each["kind"] == "rug"]
    if not bars:
        crosses = of_kind(content, "points", "wrong")
        assert crosses["shape"] == "foot"
        assert crosses["x"] == result
    else:
        [rug] = bars
        middles = np.reshape(rug["x"], (-1, 4)).mean(axis=1)
        reach = (content["x"]["high"] - content["x"]["low"]) / 200
        assert np.abs(np.subtract.outer(result, middles)).min(axis=1).max() <= reach
        assert np.abs(np.subtract.outer(middles, result)).min(axis=1).max() <= 1e-9
    return result


def check_content(content: dict[str, Any]) -> None:
    """All of it is JSON without NaN, inside the axes, thin, and each stop has a text."""
    json.dumps(content, allow_nan=False)
    low, high = content["y"]["low"], content["y"]["high"]
    for points in content["points"]:
        assert len(points["x"]) == len(points["y"]) <= MAX_MARKS
        assert all(low - 1e-9 <= y <= high * (1 + 1e-9) for y in points["y"])
    for part in (*content["bands"], *content["curves"]):
        # A bar of a rug has four corners.
        assert len(part["x"]) <= (4 * MAX_MARKS if part["kind"] == "rug" else MAX_POINTS)
    for stop in content["stops"]:
        assert len(stop["x"]) == len(stop["y"]) == len(stop["text"]) <= MAX_MARKS
        assert len(stop.get("index", stop["x"])) == len(stop["x"])
    for axis in (content["x"], content["y"]):
        assert 2 <= len(axis["ticks"]) <= 7
        assert all(axis["low"] - 1e-9 <= tick <= axis["high"] + 1e-9 for tick, _ in axis["ticks"])


@pytest.mark.parametrize("variance", [None, 1.0])
@pytest.mark.parametrize("measure", [SquaredError(), RootMeanSquaredError(), MeanValue()], ids=repr)
def test_what_is_reported_of_values_without_a_range_is_json(measure: Any, variance: float | None) -> None:
    """Wald's interval is endless while no label deviates from the others: it is cut off as bands are."""
    mean = np.linspace(-1, 1, 40)
    predictions = ValuePredictions(mean, None if variance is None else np.full(40, variance))
    session = Session(Pool([f"text {i}" for i in range(40)], predictions=predictions), measure)
    panels, was_endless = Panels(session), False
    for n_labels in (0, 1, 2, 12):
        while session.n_labels < n_labels:
            session.label(1 + mean[session.next().index])
        json.dumps(panels.content(), allow_nan=False)
        result = panels.redraw(shows_wald=True, shown=panels.names)
        json.dumps(result, allow_nan=False)
        check_content(result["plots"]["trajectory"])
        was_endless |= bool(n_labels) and not np.isfinite(session.estimate(interval="wald").high)
    assert was_endless


# -- helpers of the plots ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [*N_DRAWS, 399, 10**6])
def test_thin(n: int) -> None:
    found = thin(n).tolist()
    assert found == sorted(set(found))
    assert len(found) <= MAX_POINTS
    assert len(found) == (n + 1 if 0 < n < MAX_POINTS - 1 else len(found) if n else 0)
    if n:
        assert (found[0], found[-1]) == (0, n)
        assert max(np.diff(found)) <= max(1, 2 * n / (MAX_POINTS - 2))
        assert set(thin(n + 1).tolist()) <= {*found, n + 1}


def test_step_up() -> None:
    assert [step_up(value, [1, 5, 10]) for value in (0, 1, 1.1, 10, 11)] == [1, 1, 5, 10, 10]


@pytest.mark.parametrize(
    ("shown", "possible", "ends"),
    [
        ((0, 1), (0, 1), (0, 1)),
        ((0.01, 0.08), (0, 1), (0, 0.1)),
        ((0.1, 0.48), (0, 1), (0, 0.75)),
        ((0.93, 0.99), (0, 1), (0.925, 1)),
        ((-0.01, 0.02), (-1, 1), (-0.03, 0.03)),
        ((0.4, 2.2), (0, np.inf), (0, 3)),
        ((0.4, np.inf), (0, np.inf), (0, 1)),
        ((3.2, 3.2), (0, np.inf), (0, 5)),
        ((0, 0), (0, 1), (0, 1e-3)),
        ((-np.inf, np.inf), (-np.inf, np.inf), (-1, 1)),
        ((np.inf, -np.inf), (-np.inf, 1), (0, 1)),
    ],
)
def test_axes_hold_what_is_shown(shown: Any, possible: Any, ends: Any) -> None:
    assert nice_range(shown, possible) == pytest.approx(ends)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (0.094, 1.704, [0.5, 1, 1.5]), (-3, 9, [-2, 0, 2, 4, 6, 8])],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    np.testing.assert_allclose(round_ticks(low, high), ticks, atol=1e-12)


@pytest.mark.parametrize(
    ("least", "greatest", "ends", "ticks"),
    [
        (1, 1, (0.5, 2), ["½×", "1×", "2×"]),
        (0.3, 1.9, (0.25, 4), ["¼×", "½×", "1×", "2×", "4×"]),
        (0.3, 50, (0.25, 64), ["¼×", "1×", "4×", "16×", "64×"]),
        (0.1, 900, (0.0625, 1024), ["1/10×", "1×", "10×", "100×", "1,000×"]),
        (0.0, 2.0, (MIN_MULTIPLE, 4), ["1/64×", "1/16×", "¼×", "1×", "4×"]),
        (0.02, 1e5, (MIN_MULTIPLE, 2.0**17), ["1×", "100×", "10,000×"]),
    ],
)
def test_multiples_have_an_axis_of_their_own(
    least: float, greatest: float, ends: tuple[float, float], ticks: list[str]
) -> None:
    assert multiples_range(least, greatest) == pytest.approx(ends)
    assert [multiple_tick(tick) for tick in multiples_ticks(*ends)] == ticks


def test_multiples_in_words() -> None:
    assert [multiple_text(value) for value in (0.034, 0.5, 1, 1.94, 49.7, 1234.5)] == [
        "0.034×", "0.5×", "1.0×", "1.9×", "49.7×", "1,234×",
    ]  # fmt: skip


# -- the estimate -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn() -> tuple[ClassPredictions, FloatArray, IntArray, IntArray]:
    rng = np.random.default_rng(0)
    predictions = ClassPredictions(rng.dirichlet(np.ones(3), size=400))
    q = optimal_q(ErrorRate(), predictions, defensive=0.1)
    y_true = rng.integers(0, 3, size=400)
    draws = draw(q, 5000, rng)
    return predictions, q, draws, y_true[draws]


@pytest.mark.parametrize("n_draws", N_DRAWS)
def test_estimate_plot(drawn: Any, n_draws: int) -> None:
    predictions, q, draws, y_true = drawn
    draws, y_true = draws[:n_draws], y_true[:n_draws]
    at = thin(n_draws)
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, y_true, at=at)
    wrong = np.flatnonzero(predictions.pred_codes[draws] != y_true)[-MAX_MARKS:] + 1
    band = band_of(trajectory)
    content = EstimatePlot(Quantity(ErrorRate())).content(trajectory, band, marks_at(wrong))
    check_content(content)
    curve = of_kind(content, "curves", "estimate")
    assert curve["x"] == at[1:].tolist()
    assert curve["y"] == [point.value for point in trajectory[1:]]
    dots = [(each["x"], each["y"]) for each in content["points"] if each["kind"] == "estimate"]
    assert dots == ([(curve["x"], curve["y"])] if n_draws == 1 else [])
    if n_draws:
        shown = of_kind(content, "bands", "band")
        assert shown["x"] == at.tolist()
        assert [shown["low"], shown["high"]] == band.tolist()
    else:
        assert content["bands"] == []
    assert wrong_at(content) == wrong.tolist()
    x, y = content["x"], content["y"]
    assert x["low"] == 0
    assert n_draws <= x["high"] <= max(25, 2 * n_draws)
    assert 0 <= y["low"] < y["high"] <= 1
    assert all(y["low"] <= end <= y["high"] for half in band for end in half[2 * half.size // 3 :])


def test_values_of_the_estimate_plot_are_reported(drawn: Any) -> None:
    predictions, q, draws, y_true = drawn
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, y_true, at=[0, 1, 60])
    plot = EstimatePlot(Quantity(ErrorRate()), unit="draw")
    content = plot.content(trajectory, band_of(trajectory), marks_at([7], [123]))
    estimates, wrong = content["stops"]
    last = trajectory[-1]
    assert (estimates["by"], wrong["by"], wrong["index"]) == ("x", "point", [123])
    assert estimates["text"][0].startswith("1 draw: ")
    assert estimates["text"][1] == (
        f"60 draws: {last.value:.0%}, between {floor(100 * last.low)}% and {ceil(100 * last.high)}%"
    )
    assert wrong["text"] == ["Draw 7. instance 123"]
    assert content["x"]["title"] == "draws"


@pytest.mark.parametrize("wrong", [0.0, 1.0])
def test_estimate_plot_of_a_constant(wrong: float) -> None:
    predictions = ClassPredictions(np.tile([0.9, 0.1], (50, 1)))
    draws = np.arange(50)
    labels = np.full(50, int(wrong))
    trajectory = estimate_trajectory(ErrorRate(), predictions, uniform_q(50), draws, labels, at=thin(50))
    content = EstimatePlot(Quantity(ErrorRate())).content(trajectory, band_of(trajectory), [])
    check_content(content)
    assert set(of_kind(content, "curves", "estimate")["y"]) == {wrong}


def test_a_range_without_an_end_is_cut_off_outside() -> None:
    plot = EstimatePlot(Quantity(SquaredError()))
    empty = plot.content([], np.empty((2, 0)), [])
    check_content(empty)
    assert (empty["y"]["low"], empty["y"]["high"]) == (0, 1)


def test_estimates_are_seen_where_the_band_has_no_end() -> None:
    rng = np.random.default_rng(0)
    predictions = ValuePredictions(rng.normal(0, 9, 200))
    draws = np.arange(60)
    trajectory = estimate_trajectory(
        SquaredError(), predictions, uniform_q(200), draws, np.zeros(60), at=[0, 20, 40, 60]
    )
    band = np.array([[0.0] * 4, [np.inf] * 4])
    content = EstimatePlot(Quantity(SquaredError())).content(trajectory, band, [], is_asymptotic=True)
    check_content(content)
    values = of_kind(content, "curves", "estimate")["y"]
    assert min(values) > 20
    assert content["y"]["low"] <= min(values[1:]) < max(values[1:]) <= content["y"]["high"] < 10 * max(values)
    assert content["bands"] == []
    assert content["legend"] == [["estimate", "estimate"]]


def test_the_legend_names_what_is_drawn(drawn: Any) -> None:
    predictions, q, draws, y_true = drawn
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, y_true, at=[0, 30, 60])
    band = band_of(trajectory)
    plot = EstimatePlot(Quantity(ErrorRate()))
    plain = plot.content(trajectory, band, [])
    assert plain["legend"] == [["estimate", "estimate"], ["band", "interval"]]
    alone = plot.content(trajectory, band, [], approximate=band, is_asymptotic=True)
    assert alone["legend"] == [["estimate", "estimate"], ["approximate", "approximate interval"]]
    assert [one["kind"] for one in alone["bands"]] == ["approximate"]
    within = np.array([[np.nan, 0.2, 0.3], [np.nan, 0.4, 0.35]])
    every = plot.content(trajectory, band, marks_at([3]), approximate=within, shows_wald=True, threshold=0.1)
    assert every["legend"] == [
        ["estimate", "estimate"],
        ["band", "interval"],
        ["approximate", "approximate interval"],
        ["wald", "Wald, for a fixed number of labels"],
        ["wrong", "model wrong"],
        ["goal", "goal: 10%"],
    ]
    drawn_kinds = {one["kind"] for part in ("bands", "curves", "lines", "points") for one in every[part]}
    assert drawn_kinds == {kind for kind, _ in every["legend"]}
    assert of_kind(every, "lines", "goal")["y"] == 0.1
    lower, upper = [curve["y"] for curve in every["curves"] if curve["kind"] == "wald"]
    assert (lower, upper) == ([trajectory[i].low for i in (1, 2)], [trajectory[i].high for i in (1, 2)])


def test_the_approximate_band_is_drawn_where_it_is_known(drawn: Any) -> None:
    predictions, q, draws, y_true = drawn
    at = [0, 20, 40, 60, 80, 100]
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, y_true, at=at)
    within = np.full((2, 6), np.nan)
    within[:, [1, 2, 4, 5]] = [[0.5, 0.55, 0.6, 0.62], [0.9, 0.85, 0.8, 0.75]]
    band = np.tile([[0.0], [1.0]], 6)
    content = EstimatePlot(Quantity(ErrorRate())).content(trajectory, band, [], approximate=within)
    check_content(content)
    firm, first, second = content["bands"]
    assert (firm["kind"], first["kind"], second["kind"]) == ("band", "approximate", "approximate")
    assert (first["x"], first["low"], first["high"]) == ([20, 40], [0.5, 0.55], [0.9, 0.85])
    assert (second["x"], second["low"], second["high"]) == ([80, 100], [0.6, 0.62], [0.8, 0.75])
    texts = content["stops"][0]["text"]
    assert ", approximately" not in texts[2]
    assert texts[4].endswith(", approximately 62.0% to 75.0%")


def test_the_approximate_band_begins_where_it_stays_a_tenth_narrower(drawn: Any) -> None:
    predictions, q, draws, y_true = drawn
    at = [0, 20, 40, 60, 80, 100]
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, y_true, at=at)
    band = np.tile([[0.4], [0.8]], 6)
    within = np.array([[0.5, 0.4, 0.5, 0.41, 0.45, 0.5], [0.6, 0.7, 0.6, 0.8, 0.7, 0.6]])
    plot = EstimatePlot(Quantity(ErrorRate()))
    content = plot.content(trajectory, band, [], approximate=within)
    shown = of_kind(content, "bands", "approximate")
    assert (shown["x"], shown["low"], shown["high"]) == ([80, 100], [0.45, 0.5], [0.7, 0.6])
    texts = content["stops"][0]["text"]
    assert [", approximately" in text for text in texts] == [False, False, False, True, True]
    nowhere = plot.content(trajectory, band, [], approximate=np.tile([[0.41], [0.8]], 6))
    assert [each["kind"] for each in nowhere["bands"]] == ["band"]
    assert ["approximate", "approximate interval"] not in nowhere["legend"]


def test_many_crosses_become_a_rug(drawn: Any) -> None:
    predictions, q, draws, y_true = drawn
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, y_true, at=[0, 50, 100])
    plot = EstimatePlot(Quantity(ErrorRate()))
    few = plot.content(trajectory, band_of(trajectory), marks_at([3, 4, 30, 60, 90]))
    assert [each["kind"] for each in few["points"]] == ["wrong"]
    many = plot.content(trajectory, band_of(trajectory), marks_at(range(1, 100)))
    assert wrong_at(many) == list(range(1, 100))
    assert many["points"] == []
    assert many["legend"][-1] == ["rug", "model wrong"]
    rug = of_kind(many, "bands", "rug")
    assert max(rug["high"]) < many["y"]["low"] + (many["y"]["high"] - many["y"]["low"]) / 20


def test_numbers_stand_at_axes_as_people_write_them() -> None:
    rng = np.random.default_rng(0)
    predictions = ValuePredictions(rng.normal(0, 500, 200))
    trajectory = estimate_trajectory(
        SquaredError(), predictions, uniform_q(200), np.arange(60), np.zeros(60), at=[0, 20, 40, 60]
    )
    ticks = EstimatePlot(Quantity(SquaredError())).content(
        trajectory, band_of(trajectory), [], threshold=100_000
    )["y"]["ticks"]
    assert "100k" in [text for _, text in ticks]
    assert format_round(SquaredError(), 123_456.0) == "123,456"
    assert not any("e" in text for _, text in ticks)


def test_the_goals_line_is_inside(drawn: Any) -> None:
    predictions, q, draws, y_true = drawn
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, y_true, at=[0, 2000, 5000])
    band = band_of(trajectory)
    for threshold in (0.01, 0.99):
        y = EstimatePlot(Quantity(ErrorRate())).content(trajectory, band, [], threshold=threshold)["y"]
        assert y["low"] <= threshold <= y["high"]


@pytest.mark.parametrize(
    ("measure", "above"), [(ErrorRate(), "new"), (Accuracy(), "old"), (FMeasure(), "old")], ids=repr
)
def test_a_difference_has_a_zero_line_and_says_which_side_is_whose(measure: Any, above: str) -> None:
    rng = np.random.default_rng(0)
    y_true = rng.integers(2, size=300)
    models = [ClassPredictions(rng.dirichlet(np.ones(2), size=300)) for _ in range(2)]
    draws = rng.integers(300, size=200)
    trajectory = estimate_trajectory(measure, models, uniform_q(300), draws, y_true[draws], at=[0, 50, 200])
    plot = EstimatePlot(Differences(measure, ("old", "new")))
    content = plot.content(trajectory, band_of(trajectory), marks_at([5]), threshold=0.0)
    check_content(content)
    assert content["lines"] == [{"kind": "zero", "y": 0.0}]
    assert content["y"]["low"] == -content["y"]["high"]
    ticks = dict(content["y"]["ticks"])
    assert ticks[0.0] == "0"
    signs = {text[0] for value, text in ticks.items() if value}
    assert signs == {"+", "\N{MINUS SIGN}"}
    below = "old" if above == "new" else "new"
    assert content["sides"] == [f"↑ {above} better", f"↓ {below} better"]
    is_rate = not isinstance(measure, FMeasure)
    assert content["legend"][0][1] == ("difference (points)" if is_rate else "difference")
    assert content["legend"][-1] == ["wrong", "only one model right"]
    assert not any("%" in text for text in ticks.values())


def test_long_names_of_models_are_abbreviated_beside_the_zero_line() -> None:
    names = ("a" * 24, "mistral-7b-instruct-v0.3-finetuned-tickets-epoch3")
    above, below = sides_text(Differences(ErrorRate(), names))
    assert above == "↑ mistral-7b…ickets-epoch3 better"
    assert below == f"↓ {names[0]} better"


def test_a_difference_of_rates_is_in_percentage_points() -> None:
    assert Numbers(Differences(ErrorRate())).value(-0.038) == f"\N{MINUS SIGN}3.8{NBSP}points"
    assert Numbers(Differences(Accuracy())).value(0.01) == f"+1.0{NBSP}points"
    assert Numbers(Differences(FMeasure())).value(0.0123) == "+0.012"


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
@pytest.mark.parametrize("n_labels", [0, 1, 5, 40])
def test_the_app_plots_the_sessions_trajectory(
    make_session: MakeSession, open_page: Callable[..., Any], n_labels: int, protocol: str
) -> None:
    page = open_page(make_session(protocol=protocol))
    session = page.app.session
    for i in range(n_labels):
        page.label(i % 3)
    reply = page.ask("plots")["plots"]
    trajectory, distribution = reply["trajectory"], reply["distribution"]
    check_content(trajectory)
    check_content(distribution)
    points = session.trajectory(at=thin(session.n_draws))
    assert of_kind(trajectory, "curves", "estimate")["y"] == [point.value for point in points[1:]]
    draws, y_true = session.draws.labeled()
    is_wrong = session.pool.predictions.y_pred[draws] != y_true
    assert wrong_at(trajectory) == (np.flatnonzero(is_wrong) + 1).tolist()
    assert trajectory["stops"][1]["index"] == draws[is_wrong].tolist()
    labeled = distribution["stops"][1]
    assert sorted(labeled["index"]) == sorted(draws.tolist())
    assert labeled["x"] == sorted(labeled["x"])
    [present] = session.upcoming(1)
    shown = of_kind(distribution, "points", "present")
    assert (shown["x"], shown["label"]) == ([session.pool.predictions.confidence[present.index]], "this one")
    n_left = session.pool.n_instances - (present.draw - 1 if protocol == "adaptive" else 0)
    times = present.q * n_left
    often = f"{multiple_text(times)} as often" if abs(times - 1) > 0.05 else "as often"
    assert distribution["note"].startswith(f"Asked {often} as at random: ")


# -- which instances are asked ----------------------------------------------------------------------------


def bars_of(content: dict[str, Any], kind: str) -> dict[float, float]:
    """The heights of a histogram's bars, by where they begin."""
    found = of_kind(content, "bands", kind)
    corners = np.reshape(found["x"], (-1, 4))
    heights = np.reshape(found["high"], (-1, 4))
    assert set(found["low"]) <= {0.0}
    assert (heights[:, [0, 3]] == 0).all()
    return dict(zip(corners[:, 0].tolist(), heights[:, 1].tolist(), strict=True))


def sampling(plot: DistributionPlot, q: Any, draws: Any = (), present: Any = None, **options: Any) -> Any:
    """The plot of draws from q without replacement, all of them right but the first."""
    numbers = np.asarray(draws, dtype=np.intp)
    times = options.pop("times", np.ones(numbers.size))
    left = options.pop("left", np.ones(len(q), dtype=bool))
    marked = [
        Mark(i + 1, int(index), float(times[i]), i == 0, f"instance {index}")
        for i, index in enumerate(numbers.tolist())
    ]
    content = plot.content(q, lambda: left, numbers, np.asarray(times), marked, present, **options)
    check_content(content)
    return content


@pytest.mark.parametrize("n_instances", [1, 2, 30, 10**5])
@pytest.mark.parametrize("n_draws", [0, 1, 5, 401])
def test_the_pool_and_the_draws_are_histograms_with_the_same_bins(n_instances: int, n_draws: int) -> None:
    rng = np.random.default_rng(n_instances)
    confidence = rng.dirichlet(np.ones(3), size=n_instances).max(axis=1)
    layout = PoolAxis(confidence, "model's confidence", True, 0.3, 1.0)
    plot = DistributionPlot(PoolHistogram(layout), ("text", "texts"))
    draws = rng.integers(n_instances, size=n_draws)
    content = sampling(plot, np.full(n_instances, 1 / n_instances), draws, (0, 2.1))
    counts, edges = np.histogram(confidence, bins=np.linspace(0.3, 1, 8))
    bars = bars_of(content, "pool-bars")
    assert list(bars.values()) == pytest.approx((counts / n_instances)[counts > 0].tolist())
    assert list(bars) == pytest.approx((edges[:-1] + 0.008)[counts > 0].tolist())
    assert (content["x"]["low"], content["x"]["high"], content["x"]["title"]) == pytest.approx(
        (0.3, 1.0, "model's confidence")
    )
    drawn, _ = np.histogram(confidence[draws], bins=edges)
    if n_draws:
        asked = bars_of(content, "drawn-bars")
        assert list(asked.values()) == pytest.approx((drawn / n_draws)[drawn > 0].tolist())
        assert list(asked) == pytest.approx((edges[:-1] + 0.052)[drawn > 0].tolist())
    assert [kind for kind, _ in content["legend"]][:2] == ["pool-bars", *["drawn-bars"] * bool(n_draws)]
    assert [row[3] for row in content["rows"]] == [f"{n:,}" for n in drawn.tolist()]
    present = of_kind(content, "points", "present")
    assert (present["x"], present["label"]) == ([confidence[0]], "this one")


def test_bins_and_draws_are_reported() -> None:
    layout = PoolAxis(np.repeat([0.55, 0.97], [20, 80]), "model's confidence", True, 0.5, 1.0)
    content = sampling(
        DistributionPlot(PoolHistogram(layout), ("text", "texts")), np.full(100, 0.01), [3, 4, 5, 90]
    )
    bins, labeled = content["stops"]
    assert bins["by"] == "x"
    assert bins["text"][1] == (
        "Model's confidence 55% to 60%: 20% of all texts, 75% of those asked (3.8× as many as at random)"
    )
    assert bins["text"][0] == "Model's confidence 50% to 55%: 0% of all texts, none asked so far"
    assert (labeled["index"], labeled["by"], labeled["is_foot"]) == ([3, 4, 5, 90], "point", True)
    assert labeled["text"][0] == "Asked as often as at random. instance 3"
    assert of_kind(content, "points", "wrong")["x"] == [0.55]
    assert content["rows"][1] == ["model's confidence 55% to 60%", "20%", "75%", "3"]


@pytest.mark.parametrize(
    ("times", "confidence", "message"),
    [
        (2.04, 0.62, "Asked 2.0× as often as at random: the model is 62% sure."),
        (0.25, 0.99, "Asked 0.25× as often as at random: the model is 99% sure."),
        (1.03, 0.8, "Asked as often as at random: the model is 80% sure."),
    ],
)
def test_one_sentence_says_how_often_this_one_is_asked_and_why(
    times: float, confidence: float, message: str
) -> None:
    plot = DistributionPlot(PoolHistogram(confidence_axis([confidence, 0.5])))
    assert sampling(plot, np.full(2, 0.5), [], (0, times))["note"] == message


def test_what_is_no_confidence_is_reported_by_its_name() -> None:
    layout = PoolAxis(np.array([1.15, 0.2]), "model's standard deviation", False, 0.0, 2.0)
    note = sampling(DistributionPlot(PoolHistogram(layout)), np.full(2, 0.5), [], (0, 1.5))["note"]
    assert " 1.5× " in note
    assert " 1.15)" in note


def test_parts_that_are_drawn_differently_are_named() -> None:
    rng = np.random.default_rng(0)
    p = np.where(np.arange(300) < 30, 0.9, 0.02) + 0.01 * rng.random(300)
    model = ClassPredictions(np.column_stack([1 - p, p]), ["ham", "spam"])
    session = Session(Pool([f"t{i}" for i in range(300)], predictions=model), FMeasure(positive="spam"))
    give_labels(session, lambda i: "spam" if i < 25 else "ham", 20)
    content = Panels(session).redraw()["plots"]["distribution"]
    n_spam = int(np.count_nonzero(session.draws.labeled()[0] < 30))
    assert n_spam > 2
    assert f"Predicted spam: 10% of all texts and {n_spam / 20:.0%} of those asked." in content["note"]
    assert content["rows"][-2] == ["predicted spam", "10%", f"{n_spam / 20:.0%}", str(n_spam)]
    assert content["rows"][-1][0] == "predicted otherwise"
    assert "Predicted otherwise: 90% of all texts" in content["summary"]


def test_what_the_model_predicts_is_not_told_before_the_label() -> None:
    values = Session(
        Pool([{"x": i} for i in range(30)], predictions=ValuePredictions(np.arange(30.0))), SquaredError()
    )
    classes = Session(Pool(["a"] * 4, predictions=PredictedClasses(["x", "y", "x", "x"])), ErrorRate())
    for session, title in ((values, "model's prediction"), (classes, "predicted class")):
        content = Panels(session).redraw()["plots"]["distribution"]
        assert content["x"]["title"] == title
        assert content["points"] == []
        assert content["note"] == "Asked as often as at random."
        assert [stop["name"] for stop in content["stops"]] == [title.capitalize(), "Labeled"]
    assert [text for _, text in content["x"]["ticks"]] == ["x", "y"]
    assert list(bars_of(content, "pool-bars").values()) == [0.75, 0.25]


def test_without_a_model_the_pool_is_laid_out_by_how_often_it_is_drawn() -> None:
    plot = DistributionPlot(TimesHistogram())
    q = np.repeat([4.0, 1.0], 50) / 250
    content = sampling(plot, q, [1, 60], (2, 1.6), times=[1.6, 0.4])
    assert content["x"]["is_log"]
    assert list(bars_of(content, "pool-bars").values()) == [0.5, 0.5]
    assert " 1.6× " in content["note"]
    # The axis does not shrink.
    towering = sampling(plot, q, [1], times=[30.0])["x"]
    assert sampling(plot, q)["x"]["high"] == towering["high"] == pytest.approx(64 * 2**0.5)


def test_draws_are_shown_by_what_was_left_when_they_were_made(make_session: MakeSession) -> None:
    session = make_session(80, protocol="adaptive")
    first = session.next()
    session.defer()
    session.exclude()
    for i in range(12):
        session.label(i % 3)
    draws, y_true = session.draws.labeled()
    labeled = {event.instance: event for event in session.log.actions if event.kind == "label"}
    expected = [labeled[i].q * (80 - (labeled[i].draw - 1)) for i in draws.tolist()]
    assert times_uniform(session, draws) == pytest.approx(expected)
    found = marks(session, draws, y_true)
    assert [mark.times for mark in found] == pytest.approx(expected)
    assert first is not None


def test_what_is_never_drawn_is_reported() -> None:
    rng = np.random.default_rng(0)
    predictions = ClassPredictions(rng.dirichlet(np.ones(2), size=100))
    q = optimal_q(Precision(), predictions)
    left = np.ones(100, dtype=bool)
    left[np.argmin(q)] = False
    n_never = int((q == 0).sum()) - 1
    assert n_never > 0
    plot = DistributionPlot(PoolHistogram(confidence_axis(predictions.confidence)))
    text = f"{n_never} more are never drawn: their labels don't count."
    assert sampling(plot, q, left=left)["note"] == text
    assert sampling(plot, uniform_q(100))["note"] == ""


@pytest.mark.parametrize("confidence", [0.5, 0.9, 1.0, 1.0 + 5e-6])
def test_pools_of_one_confidence_are_shown(confidence: float) -> None:
    # Rows may sum to 1 within 1e-5, so that a confidence may be above 1 by as much.
    predictions = ClassPredictions(np.tile([confidence, max(0.0, 1 - confidence)], (40, 1)))
    session = Session(Pool(["a"] * 40, predictions=predictions), ErrorRate(), protocol="papers")
    layout = pool_axis(session)
    assert 0 <= layout.low <= min(confidence, 0.9) < layout.high == 1
    content = sampling(DistributionPlot(PoolHistogram(layout)), uniform_q(40), [0, 1], (2, 1.0))
    assert list(bars_of(content, "pool-bars").values()) == [1.0]
    assert content["y"]["high"] > 1


def test_the_pool_is_binned_once() -> None:
    layout = confidence_axis(np.linspace(0, 1, 1000))
    plot = DistributionPlot(PoolHistogram(layout))
    before = sampling(plot, uniform_q(1000))["bands"]
    layout.values[:] = 0.5
    assert sampling(plot, uniform_q(1000))["bands"] == before


def test_an_app_about_a_big_pool(open_page: Callable[..., Any]) -> None:
    rng = np.random.default_rng(0)
    y_proba = rng.dirichlet(np.ones(2), size=10**5)
    pool = Pool(np.zeros((10**5, 1, 1), dtype=np.uint8), predictions=ClassPredictions(y_proba))
    page = open_page(Session(pool, ErrorRate(), protocol="papers"))
    page.label(0)
    reply = page.ask("plots")["plots"]
    for content in reply.values():
        check_content(content)
    assert len(json.dumps(reply)) < 150_000


def test_many_labels_are_thinned(make_session: MakeSession) -> None:
    session = make_session(2000, protocol="papers")
    for i in range(MAX_MARKS + 150):
        session.label(i % 3)
    draws, y_true = session.draws.labeled()
    found = marks(session, draws, y_true)
    numbers = [mark.number for mark in found]
    assert numbers == sorted(numbers)
    assert numbers[-MAX_MARKS:] == list(range(draws.size - MAX_MARKS + 1, draws.size + 1))
    wrong = [mark for mark in found if mark.is_wrong]
    assert len(wrong) >= MAX_MARKS
    for content in Panels(session).redraw()["plots"].values():
        check_content(content)


def test_marks_tell_the_label_and_what_the_model_said(make_session: MakeSession) -> None:
    session = make_session(classes=["cat", "dog", "cow"])
    drawn = session.next()
    assert drawn is not None
    session.label("dog")
    draws, y_true = session.draws.labeled()
    [mark] = [*marks(session, draws, y_true, str.upper)][:1]
    result = session.pool.predictions.y_pred[drawn.index]
    assert mark.text.startswith(f"{drawn.instance_id}, labeled DOG. The model says {result} (")
    assert mark.is_wrong == (result != "dog")


def test_the_goals_threshold_reaches_the_plot(make_session: MakeSession) -> None:
    panels = Panels(make_session(goal=Goal(threshold=0.25)))
    assert panels.redraw()["plots"]["trajectory"]["lines"] == [{"kind": "goal", "y": 0.25}]


def test_axes_have_a_least_span() -> None:
    for possible in ((0.0, 1.0), (-1.0, 1.0), (0.0, np.inf)):
        low, high = nice_range((0.0, 0.0), possible)
        texts = [format_round(ErrorRate(), tick) for tick in round_ticks(low, high)]
        assert len(texts) >= 3
        assert len(set(texts)) == len(texts)


def test_the_estimate_shows_certain_values() -> None:
    model = ClassPredictions([[0.9, 0.1], [0.8, 0.2], [0.6, 0.4]], classes=["ham", "spam"])
    session = Session(Pool(["a", "b", "c"], predictions=model), FMeasure(positive="spam"))
    result = "The model never predicts spam, so its F1 of spam is 0."
    for part in ("intro", "note"):  # before the first label, and after it
        content = EstimatePanel().content(Snapshots(session, "Welcome.").current(), {})
        assert result in content[part]
        assert content["intro" if part == "note" else "note"] == ""
        session.label("ham")
