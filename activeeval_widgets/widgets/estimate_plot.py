"""The estimate after each draw, with its interval, and the labels so far."""

from collections.abc import Sequence

import bqplot
import numpy as np

from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.widgets._plot import (
    BLUE,
    GRAY,
    MAX_POINTS,
    ORANGE,
    make_axis,
    make_figure,
    set_points,
    step_up,
)

_X_STEPS = [step * 10.0**power for power in range(1, 8) for step in (2.5, 5, 7.5, 10, 15, 20)]
_Y_STEPS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0]


class EstimatePlot:
    """A line for the estimate, a band for its interval, and a mark for each labeled draw.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    """

    def __init__(self, measure: Measure) -> None:
        self._least, self._greatest = measure.value_range
        self._x = bqplot.LinearScale(min=0, max=_X_STEPS[0], allow_padding=False)
        self._y = bqplot.LinearScale(min=self._least, max=self._greatest, allow_padding=False)
        scales = {"x": self._x, "y": self._y}
        self._band = bqplot.Lines(
            x=[], y=[[], []], scales=scales, fill="between", colors=[BLUE], fill_colors=[BLUE],
            opacities=[0, 0], fill_opacities=[0.22], stroke_width=0,
        )  # fmt: skip
        self._line = bqplot.Lines(x=[], y=[], scales=scales, colors=[BLUE], stroke_width=2)
        self._agreeing = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[GRAY], marker="circle", default_size=10
        )
        self._differing = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[ORANGE], marker="cross", default_size=45
        )
        is_share = (self._least, self._greatest) == (0, 1)
        self.figure = make_figure(
            [self._band, self._line, self._agreeing, self._differing],
            [
                make_axis(self._x, "draws", tick_format="d"),
                make_axis(self._y, measure.name, is_vertical=True, tick_format=".0%" if is_share else ".2f"),
            ],
        )

    def update(self, trajectory: Sequence[Estimate], differs: AnyArray) -> None:
        """Show the estimates so far.

        Parameters
        ----------
        trajectory : sequence of Estimate
            At most about 200 of them, after growing numbers of draws, from 0 (where anything is possible).
        differs : ndarray of shape (n_draws,), bool
            For each labeled draw, whether its label is not what the model predicted.
        """
        n_draws = len(differs)
        x = np.array([estimate.n_draws for estimate in trajectory], dtype=np.float64)
        value = np.array([estimate.value for estimate in trajectory])
        low, high = (np.array([getattr(e, end) for e in trajectory]) for end in ("low", "high"))
        self._x.max = step_up(n_draws, _X_STEPS)
        self._y.max = top = self._top(high)
        set_points(self._band, x, np.array([low, high]))
        is_defined = np.isfinite(value)
        set_points(self._line, x[is_defined], value[is_defined])
        latest = np.arange(max(0, n_draws - MAX_POINTS), n_draws)
        height = self._least + 0.03 * (top - self._least)
        for mark, is_shown in ((self._agreeing, ~differs[latest]), (self._differing, differs[latest])):
            draws = latest[is_shown] + 1.0
            set_points(mark, draws, np.full(draws.size, height))

    def _top(self, high: AnyArray) -> float:
        """The end of the vertical axis: the band's last half fits; how wide it began need not."""
        if not high.size:
            return self._greatest
        share = (high[high.size // 2 :].max() - self._least) / (self._greatest - self._least)
        return self._least + step_up(1.05 * share, _Y_STEPS) * (self._greatest - self._least)
