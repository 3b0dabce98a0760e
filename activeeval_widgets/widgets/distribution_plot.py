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
    """The pool by some number and by m·q, drawn instances and the present one marked.

    Parameters
    ----------
    axis : PoolAxis
        By what the pool is laid out: the model's confidence, say.
    q : ndarray of shape (n_instances,)
        The instrumental distribution.
    """

    def __init__(self, axis: PoolAxis, q: FloatArray) -> None:
        self._values = axis.values
        self._relative = q * q.size
        ends = (axis.low, axis.high)
        x = bqplot.LinearScale(min=axis.low, max=axis.high, allow_padding=False)
        top = 1.1 * max(1.0, float(self._relative.max()))
        y = bqplot.LinearScale(min=0, max=top, allow_padding=False)
        scales = {"x": x, "y": y}
        pool_x, pool_y, count = _binned(self._values, self._relative, ends)
        pool = bqplot.Scatter(
            x=pool_x, y=pool_y, size=np.sqrt(count), colors=[GRAY], opacities=[0.55],
            default_size=150, stroke_width=0,
            scales={**scales, "size": bqplot.LinearScale(min=0, max=float(np.sqrt(count.max())))},
        )  # fmt: skip
        uniform = bqplot.Lines(
            x=list(ends), y=[1, 1], scales=scales, colors=[GRAY], stroke_width=1, line_style="dashed"
        )
        self._drawn = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[BLUE], default_size=22, opacities=[0.8]
        )
        self._present = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[ORANGE], marker="diamond", default_size=130
        )
        self.figure = make_figure(
            [pool, uniform, self._drawn, self._present],
            [
                make_axis(
                    x, axis.label, tick_format=axis.tick_format, tick_values=_round_ticks(axis.low, axis.high)
                ),
                make_axis(
                    y, "times uniform (m·q)", is_vertical=True, tick_format=".1f", tick_values=_ticks(top)
                ),
            ],
        )

    def update(self, drawn: IntArray, present: int | None) -> None:
        """Mark instances.

        Parameters
        ----------
        drawn : ndarray of shape (n_draws,)
            Indices of the instances drawn so far; the latest are shown where there are many.
        present : int or None
            The index of the one on screen.
        """
        latest = drawn[-MAX_POINTS:]
        now = np.array([] if present is None else [present], dtype=np.intp)
        for mark, instances in ((self._drawn, latest), (self._present, now)):
            set_points(mark, self._values[instances], self._relative[instances])


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
    y_range = (0.0, max(1.0, float(y.max())))
    edges = [np.linspace(*x_range, _GRID[0] + 1), np.linspace(*y_range, _GRID[1] + 1)]
    count, sum_x, sum_y = (
        np.histogram2d(x, y, bins=edges, weights=weights)[0].ravel() for weights in (None, x, y)
    )
    fullest = np.argsort(-count, kind="stable")[:MAX_POINTS]
    cells = fullest[count[fullest] > 0]
    return sum_x[cells] / count[cells], sum_y[cells] / count[cells], count[cells]
