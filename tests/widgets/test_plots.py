import warnings
from collections.abc import Callable
from typing import Any

import bqplot
import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    draw,
    estimate_trajectory,
    optimal_q,
    uniform_q,
)
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.widgets._plot import MAX_POINTS, make_axis, nice_range, step_up, thin
from activeeval_widgets.widgets.distribution_plot import DistributionPlot
from activeeval_widgets.widgets.estimate_plot import EstimatePlot
from activeeval_widgets.widgets.opinions import PoolAxis

N_DRAWS = [0, 1, 2, 5, 24, 25, 26, 199, 200, 201, 5000]


def confidence_axis(confidence: Any) -> PoolAxis:
    return PoolAxis(np.clip(np.asarray(confidence), 0, 1), "model's confidence", ".0%", 0.0, 1.0)


def band_of(trajectory: Any) -> FloatArray:
    """The estimates' own intervals."""
    return np.array([[point.low for point in trajectory], [point.high for point in trajectory]])


@pytest.mark.parametrize(("is_vertical", "side"), [(False, "bottom"), (True, "left")])
def test_no_option_of_an_axis_is_unknown_to_bqplot(is_vertical: bool, side: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axis = make_axis(bqplot.LinearScale(), "label", is_vertical=is_vertical)
    assert (axis.side, axis.num_ticks, axis.grid_lines) == (side, 6, "none")


def test_no_option_of_a_mark_is_unknown_to_bqplot() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", r"Passing unrecognized arguments to super\(Axis\)")
        EstimatePlot(ErrorRate())
        DistributionPlot(confidence_axis(np.array([0.5, 0.9])), uniform_q(2))


def test_what_is_drawn_lets_the_pool_shine_through() -> None:
    pool, _, drawn, _ = DistributionPlot(confidence_axis([0.5, 0.9]), uniform_q(2)).figure.marks
    assert list(pool.opacities) == [0.55]
    assert list(drawn.opacities) == [0.8]


def check_figure(figure: bqplot.Figure) -> None:
    """No mark has too many points, or one that is no number."""
    for mark in figure.marks:
        x, y = np.asarray(mark.x), np.asarray(mark.y)
        assert x.size <= MAX_POINTS
        # bqplot takes the two ends of one interval for a row.
        assert y.shape[-1] == x.size or (x.size, y.shape) == (1, (2,))
        assert np.isfinite(x).all()
        assert np.isfinite(y).all()


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
        ((0, 0), (0, 1), (0, 1e-9)),
        ((-np.inf, np.inf), (-np.inf, np.inf), (-1, 1)),
    ],
)
def test_axes_hold_what_is_shown(shown: Any, possible: Any, ends: Any) -> None:
    assert nice_range(shown, possible) == pytest.approx(ends)


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
    differs = predictions.pred_codes[draws] != y_true
    plot = EstimatePlot(ErrorRate())
    plot.update(trajectory, band_of(trajectory), differs)
    check_figure(plot.figure)
    assert plot._line.x.tolist() == at[1:].tolist()
    assert plot._line.y.tolist() == [point.value for point in trajectory[1:]]
    assert plot._band.x.tolist() == at.tolist()
    assert plot._band.y.reshape(2, -1).tolist() == [
        [point.low for point in trajectory],
        [point.high for point in trajectory],
    ]
    check_marks(plot, differs)
    check_axes(plot, n_draws, band_of(trajectory))


def check_marks(plot: EstimatePlot, differs: AnyArray) -> None:
    """The latest labels are marked, each by whether the model was wrong, inside the axes."""
    agreeing, differing = plot._agreeing.x.tolist(), plot._differing.x.tolist()
    first = max(0, len(differs) - MAX_POINTS)
    assert sorted(agreeing + differing) == list(range(first + 1, len(differs) + 1))
    assert [bool(differs[int(number) - 1]) for number in differing] == [True] * len(differing)
    assert not any(differs[int(number) - 1] for number in agreeing)
    assert all(plot._y.min < y < plot._y.max for mark in (plot._agreeing, plot._differing) for y in mark.y)


def check_axes(plot: EstimatePlot, n_draws: int, band: FloatArray) -> None:
    assert plot._x.min == 0
    assert n_draws <= plot._x.max <= max(25, 2 * n_draws)
    assert 0 <= plot._y.min < plot._y.max <= 1
    assert all(plot._y.min <= end <= plot._y.max for half in band for end in half[half.size // 2 :])


@pytest.mark.parametrize("wrong", [0.0, 1.0])
def test_estimate_plot_of_a_constant(wrong: float) -> None:
    predictions = ClassPredictions(np.tile([0.9, 0.1], (50, 1)))
    draws = np.arange(50)
    labels = np.full(50, int(wrong))
    plot = EstimatePlot(ErrorRate())
    trajectory = estimate_trajectory(ErrorRate(), predictions, uniform_q(50), draws, labels, at=thin(50))
    plot.update(trajectory, band_of(trajectory), predictions.pred_codes[draws] != labels)
    check_figure(plot.figure)
    check_axes(plot, 50, band_of(trajectory))
    assert set(plot._line.y) == {wrong}


def test_estimate_plot_goes_back_after_undo(drawn: Any) -> None:
    predictions, q, draws, y_true = drawn
    plot, fresh = EstimatePlot(ErrorRate()), EstimatePlot(ErrorRate())
    for shown, counts in ((plot, (60, 3, 0)), (fresh, (0,))):
        for n in counts:
            trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws[:n], y_true[:n], at=thin(n))
            shown.update(trajectory, band_of(trajectory), predictions.pred_codes[draws[:n]] != y_true[:n])
    for one, other in zip(plot.figure.marks, fresh.figure.marks, strict=True):
        assert (one.x.tolist(), np.asarray(one.y).size) == ([], np.asarray(other.y).size) == ([], 0)
    assert (plot._x.max, plot._y.max) == (fresh._x.max, fresh._y.max) == (25, 1)


@pytest.mark.parametrize("n_labels", [0, 1, 5, 40])
def test_the_app_plots_the_sessions_trajectory(
    make_session: Callable[..., Session], open_page: Callable[..., Any], n_labels: int
) -> None:
    page = open_page(make_session())
    session = page.app.session
    for i in range(n_labels):
        page.label(i % 3)
    page.ask("plots")
    points = session.trajectory(at=thin(session.n_draws))
    line = page.app._side._trajectory._line
    assert line.x.tolist() == [point.n_draws for point in points[1:]]
    assert line.y.tolist() == [point.value for point in points[1:]]
    draws, y_true = session.labeled_draws()
    check_marks(page.app._side._trajectory, session.pool.predictions.y_pred[draws] != y_true)
    distribution = page.app._side._distribution
    assert distribution._drawn.x.tolist() == session.pool.predictions.confidence[draws].tolist()
    [present] = session.upcoming(1)
    assert distribution._present.x.tolist() == [session.pool.predictions.confidence[present.index]]
    assert distribution._present.y.tolist() == [present.q * session.pool.n_instances]


# -- the distribution -------------------------------------------------------------------------------------


def pool_points(plot: DistributionPlot) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Where the pool's cells are, and how many instances each has."""
    mark = plot.figure.marks[0]
    return mark.x, mark.y, mark.size**2


@pytest.mark.parametrize("n_instances", [1, 2, 30, 10**5])
@pytest.mark.parametrize("n_draws", [0, 1, 5, 199, 201, 5000])
def test_distribution_plot(n_instances: int, n_draws: int) -> None:
    rng = np.random.default_rng(n_instances)
    predictions = ClassPredictions(rng.dirichlet(np.ones(3), size=n_instances))
    q = optimal_q(ErrorRate(), predictions, defensive=0.1)
    plot = DistributionPlot(confidence_axis(predictions.confidence), q)
    draws = draw(q, n_draws, rng)
    plot.update(q, n_instances, (draws, (n_instances * q)[draws]), (0, n_instances * q[0]))
    check_figure(plot.figure)
    assert plot._drawn.x.tolist() == predictions.confidence[draws[-MAX_POINTS:]].tolist()
    assert plot._drawn.y.tolist() == (n_instances * q)[draws[-MAX_POINTS:]].tolist()
    assert plot._present.y.tolist() == [n_instances * q[0]]
    top = plot.figure.marks[0].scales["y"].max
    assert (n_instances * q).max() <= top
    plot.update(q, n_instances, (draws, (n_instances * q)[draws]), None)
    assert plot._present.x.size == 0


def test_what_was_drawn_without_replacement_leaves_the_pool() -> None:
    plot = DistributionPlot(confidence_axis(np.linspace(0.5, 1, 100)), uniform_q(100))
    assert pool_points(plot)[2].sum() == pytest.approx(100)
    q = np.where(np.arange(100) < 40, 0, 3 * (np.arange(100) % 2) + 1.0)
    q /= q.sum()
    plot.update(q, 60, (np.arange(40), np.ones(40)), (50, 7.0))
    _, y, count = pool_points(plot)
    assert count.sum() == pytest.approx(60)
    assert (count @ y) / 60 == pytest.approx(1)
    assert plot._y.max >= 7
    check_figure(plot.figure)
    shown = plot._pool.x
    plot.update(q, 60, (np.arange(41), np.ones(41)), None)
    assert plot._pool.x is shown
    assert plot._y.max >= 7


def test_small_pools_are_shown_whole() -> None:
    predictions = ClassPredictions(np.random.default_rng(0).dirichlet(np.ones(4), size=150))
    q = optimal_q(ErrorRate(), predictions)
    x, y, count = pool_points(DistributionPlot(confidence_axis(predictions.confidence), q))
    assert count.sum() == pytest.approx(150)
    assert (count @ x) / 150 == pytest.approx(predictions.confidence.mean())
    assert (count @ y) / 150 == pytest.approx(1)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 1.0, 1.0 + 5e-6])
def test_pools_of_one_confidence_are_shown(confidence: float) -> None:
    # Rows may sum to 1 within 1e-5, so that a confidence may be above 1 by as much.
    predictions = ClassPredictions(np.tile([confidence, max(0.0, 1 - confidence)], (40, 1)))
    plot = DistributionPlot(confidence_axis(predictions.confidence), uniform_q(40))
    plot.update(uniform_q(40), 40, (np.array([0, 1, 1]), np.ones(3)), (2, 1.0))
    check_figure(plot.figure)
    assert pool_points(plot)[2].sum() == pytest.approx(40)
    assert plot.figure.marks[0].scales["size"].max > 0


def test_a_q_with_zeros_and_one_that_towers() -> None:
    q = np.zeros(1000)
    q[3] = 0.999
    q[4:14] = 0.0001
    plot = DistributionPlot(confidence_axis(np.linspace(0.5, 1, 1000)), q)
    plot.update(q, 1000, (np.array([3, 3, 4]), 1000 * q[[3, 3, 4]]), (5, 0.1))
    check_figure(plot.figure)
    ticks = plot.figure.axes[1].tick_values
    assert 2 <= len(ticks) <= 7
    assert max(ticks) < plot.figure.marks[0].scales["y"].max


@pytest.mark.parametrize("top", [1.0, 1.1, 2.9, 3.1, 6.5, 47.0, 1e5])
def test_ticks_are_few_and_round(top: float) -> None:
    q = np.array([top, *[(2000 - top) / 1999] * 1999]) / 2000 if top < 2000 else np.eye(1, 10**5)[0]
    ticks = DistributionPlot(confidence_axis(np.full(q.size, 0.5)), q).figure.axes[1].tick_values
    assert 2 <= len(ticks) <= 7
    assert ticks[0] == 0
    steps = np.diff(ticks)
    assert np.allclose(steps, steps[0])


def test_an_app_about_a_big_pool(open_page: Callable[..., Any]) -> None:
    rng = np.random.default_rng(0)
    y_proba = rng.dirichlet(np.ones(2), size=10**5)
    pool = Pool(np.zeros((10**5, 1, 1), dtype=np.uint8), predictions=ClassPredictions(y_proba))
    page = open_page(Session(pool, ErrorRate(), protocol="papers"))
    page.label(0)
    page.ask("plots")
    check_figure(page.app._side._trajectory.figure)
    check_figure(page.app._side._distribution.figure)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (0.094, 1.704, [0.5, 1, 1.5]), (-3, 9, [-2, 0, 2, 4, 6, 8])],
)
def test_the_pool_is_laid_out_on_round_numbers(low: float, high: float, ticks: list[float]) -> None:
    values = np.linspace(low, high, 5)
    plot = DistributionPlot(PoolAxis(values, "number", "~g", low, high), np.full(5, 0.2))
    np.testing.assert_allclose(plot.figure.axes[0].tick_values, ticks, atol=1e-12)
