"""The estimate after each draw, with the interval that may be watched, and the labels so far."""

from collections.abc import Sequence
from math import isfinite

import bqplot
import numpy as np

from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.widgets._plot import (
    BLUE,
    GRAY,
    MAX_POINTS,
    ORANGE,
    make_axis,
    make_figure,
    nice_range,
    set_points,
    step_up,
)
from activeeval_widgets.widgets.estimate_panel import is_percentage

_X_STEPS = [step * 10.0**power for power in range(1, 8) for step in (2.5, 5, 7.5, 10, 15, 20)]


class EstimatePlot:
    """A line for the estimate, a band for its interval, and a mark for each labeled draw.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    is_difference : bool
        Whether it is the difference of two models.
    """

    def __init__(self, measure: Measure, *, is_difference: bool = False) -> None:
        least, greatest = measure.value_range
        self._range = (least - greatest, greatest - least) if is_difference else (least, greatest)
        self._x = bqplot.LinearScale(min=0, max=_X_STEPS[0], allow_padding=False)
        self._y = bqplot.LinearScale(min=0, max=1, allow_padding=False)
        scales = {"x": self._x, "y": self._y}
        self._band = bqplot.Lines(
            x=[], y=[[], []], scales=scales, fill="between", colors=[BLUE], fill_colors=[BLUE],
            opacities=[0, 0], fill_opacities=[0.22], stroke_width=0,
        )  # fmt: skip
        self._wald = bqplot.Lines(
            x=[], y=[[], []], scales=scales, colors=[GRAY, GRAY], stroke_width=1, line_style="dashed"
        )
        self._line = bqplot.Lines(x=[], y=[], scales=scales, colors=[BLUE], stroke_width=2)
        self._agreeing = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[GRAY], marker="circle", default_size=10
        )
        self._differing = bqplot.Scatter(
            x=[], y=[], scales=scales, colors=[ORANGE], marker="cross", default_size=45
        )
        tick_format = "~%" if is_percentage(measure) else "~g"
        label = f"difference in {measure.name}" if is_difference else measure.name
        self._y_axis = make_axis(self._y, label, is_vertical=True, tick_format=tick_format)
        self._fit(self._range)
        self.figure = make_figure(
            [self._band, self._wald, self._line, self._agreeing, self._differing],
            [make_axis(self._x, "draws", tick_format="d"), self._y_axis],
        )

    def update(
        self,
        trajectory: Sequence[Estimate],
        band: FloatArray,
        differs: AnyArray,
        *,
        shows_wald: bool = False,
    ) -> None:
        """Show the estimates so far.

        Parameters
        ----------
        trajectory : sequence of Estimate
            At most about 200 of them, after growing numbers of draws, from 0 (where anything is possible);
            with Wald intervals.
        band : ndarray of shape (2, n_estimates)
            The ends of the interval that is shown, at each of these.
        differs : ndarray of shape (n_draws,), bool
            For each labeled draw, whether its label is not what the model predicted. Empty where that has no
            meaning.
        shows_wald : bool
            Whether the Wald interval is shown beside the band.
        """
        n_draws = trajectory[-1].n_draws if trajectory else 0
        x = np.array([estimate.n_draws for estimate in trajectory], dtype=np.float64)
        value = np.array([estimate.value for estimate in trajectory])
        self._x.max = step_up(n_draws, _X_STEPS)
        self._fit((band[0, x.size // 2 :].min(), band[1, x.size // 2 :].max()) if x.size else self._range)
        least, greatest = self._y.min, self._y.max
        # What is drawn must be finite: a range without an end is cut off far outside.
        height = greatest - least
        set_points(self._band, x, np.clip(band, least - height, greatest + height))
        is_defined = np.isfinite(value)
        set_points(self._line, x[is_defined], value[is_defined])
        self._show_wald([e for e in trajectory if isfinite(e.standard_error)] if shows_wald else [])
        latest = np.arange(max(0, len(differs) - MAX_POINTS), len(differs))
        for mark, is_shown in ((self._agreeing, ~differs[latest]), (self._differing, differs[latest])):
            draws = latest[is_shown] + 1.0
            set_points(mark, draws, np.full(draws.size, least + 0.03 * height))

    def _show_wald(self, trajectory: Sequence[Estimate]) -> None:
        ends = np.array([[e.low for e in trajectory], [e.high for e in trajectory]])
        set_points(self._wald, np.array([float(e.n_draws) for e in trajectory]), ends)

    def _fit(self, shown: tuple[float, float]) -> None:
        """Fit the vertical axis to what is shown: how wide the band began need not fit."""
        least, greatest = nice_range(shown, self._range)
        if (least, greatest) != (self._y.min, self._y.max) or self._y_axis.tick_values is None:
            self._y.min, self._y.max = least, greatest
            # Around 0 an even number of steps, so that 0 is one of the ticks.
            self._y_axis.tick_values = np.linspace(least, greatest, 5 if least == -greatest else 6)
