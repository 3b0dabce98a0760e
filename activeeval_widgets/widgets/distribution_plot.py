"""The instrumental distribution: which instances are drawn more often, and which were drawn."""

import bqplot
import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.widgets._plot import (
    BLUE,
    GRAY,
    MAX_POINTS,
    ORANGE,
    make_axis,
    make_figure,
    set_points,
)
from activeeval_widgets.widgets.opinions import PoolAxis

_GRID = (40, 25)
"""Cells across and up, into which the pool is binned."""


class DistributionPlot:
    """The pool by some number and by how often instances are drawn, drawn ones and the present one marked.

    How often is told in multiples of uniform draws from what can still be drawn.

    Parameters
    ----------
    axis : PoolAxis
        By what the pool is laid out: the model's confidence, say.
    q : ndarray of shape (n_instances,)
        The instrumental distribution.
    """

    def __init__(self, axis: PoolAxis, q: FloatArray) -> None:
        self._values = axis.values
        self._ends = (axis.low, axis.high)
        x = bqplot.LinearScale(min=axis.low, max=axis.high, allow_padding=False)
        self._y = bqplot.LinearScale(min=0, max=1, allow_padding=False)
        self._size = bqplot.LinearScale(min=0, max=1)
        scales = {"x": x, "y": self._y}
        self._pool = bqplot.Scatter(
            x=[], y=[], size=[], colors=[GRAY], opacities=[0.55], default_size=150, stroke_width=0,
            scales={**scales, "size": self._size},
        )  # fmt: skip
        uniform = bqplot.Lines(
            x=list(self._ends), y=[1, 1], scales=scales, colors=[GRAY], stroke_width=1, line_style="dashed"
        )
        self._drawn = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[BLUE], default_size=22, opacities=[0.8]
        )
        self._present = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[ORANGE], marker="diamond", default_size=130
        )
        self._y_axis = make_axis(self._y, "times uniform", is_vertical=True, tick_format=".1f")
        self.figure = make_figure(
            [self._pool, uniform, self._drawn, self._present],
            [
                make_axis(
                    x, axis.label, tick_format=axis.tick_format, tick_values=_round_ticks(axis.low, axis.high)
                ),
                self._y_axis,
            ],
        )
        self._q: FloatArray | None = None
        self._show_pool(q, q.size, 1.0)

    def update(
        self,
        q: FloatArray,
        n_left: int,
        drawn: tuple[IntArray, FloatArray],
        present: tuple[int, float] | None,
    ) -> None:
        """Show what is drawn now.

        Parameters
        ----------
        q : ndarray of shape (n_instances,)
            The instrumental distribution now.
        n_left : int
            How many instances can still be drawn; all of them with replacement. Others are not shown.
        drawn : tuple of two ndarrays of shape (n_draws,)
            Indices of the instances drawn so far, and how many times as often as by uniform draws each was
            to be drawn. The latest are shown where there are many.
        present : tuple of int and float, or None
            The same of the one on screen.
        """
        instances, relative = (part[-MAX_POINTS:] for part in drawn)
        here = [] if present is None else [present]
        greatest = max([*relative.tolist(), *(times for _, times in here)], default=1.0)
        self._show_pool(q, n_left, greatest)
        set_points(self._drawn, self._values[instances], relative)
        at = np.array([index for index, _ in here], dtype=np.intp)
        set_points(self._present, self._values[at], np.array([times for _, times in here]))

    def _show_pool(self, q: FloatArray, n_left: int, greatest: float) -> None:
        """Bin what can be drawn, if it is not what is shown already; fit the axis, which never shrinks."""
        if q is not self._q:
            self._q = q
            left = np.arange(q.size) if n_left == q.size else np.flatnonzero(q)
            relative = q[left] * n_left
            greatest = max(greatest, float(relative.max(initial=1.0)))
            x, y, count = _binned(self._values[left], relative, self._ends)
            with self._pool.hold_sync():
                self._pool.x, self._pool.y, self._pool.size = x, y, np.sqrt(count)
            self._size.max = float(np.sqrt(count.max(initial=1.0)))
        if 1.05 * greatest > self._y.max:
            self._y.max = 1.1 * greatest
            self._y_axis.tick_values = _ticks(self._y.max)


def _ticks(top: float) -> FloatArray:
    """Round numbers from 0 to `top`, about five, 1 (uniform) among them where there is room."""
    step = next(step for step in (0.5, 1, 2, 5, *(10.0**i for i in range(1, 20))) if top / step <= 6)
    return np.arange(0, top, step)


def _round_ticks(low: float, high: float) -> FloatArray:
    """Round numbers between the two, about five."""
    unit = 10.0 ** np.floor(np.log10((high - low) / 5))
    step = next(factor * unit for factor in (1, 2, 5, 10) if (high - low) / (factor * unit) <= 6)
    # The sum makes 0 of -0.
    ticks: FloatArray = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step + 0.0
    return ticks


def _binned(
    x: FloatArray, y: FloatArray, x_range: tuple[float, float]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The means and numbers of the points in each cell of a grid that holds any, fullest cells first."""
    y_range = (0.0, float(y.max(initial=1.0)))
    edges = [np.linspace(*x_range, _GRID[0] + 1), np.linspace(*y_range, _GRID[1] + 1)]
    count, sum_x, sum_y = (
        np.histogram2d(x, y, bins=edges, weights=weights)[0].ravel() for weights in (None, x, y)
    )
    fullest = np.argsort(-count, kind="stable")[:MAX_POINTS]
    cells = fullest[count[fullest] > 0]
    return sum_x[cells] / count[cells], sum_y[cells] / count[cells], count[cells]
