"""The figures in the panels of a page."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.widgets.figures.drawn_plot import DrawnPlot
from activeeval_widgets.widgets.figures.plot_figure import BareFigure

_DRAWN = ("bands", "curves", "lines", "points", "sides")
"""The parts of a plot description that a figure draws, so that the page does not need them."""


class PageFigures:
    """Draws the plots of panels as bqplot figures, which the page shows in these panels."""

    def __init__(self) -> None:
        self._plots: dict[str, DrawnPlot] = {}
        self._figures: dict[str, BareFigure] = {}
        self._replaced: list[DrawnPlot] = []

    def place(self, parts: Mapping[str, Any]) -> dict[str, Any]:
        """Draw the plots in the parts of a message, and return what the page needs besides the figures."""
        return {name: self._placed(name, part) for name, part in parts.items()}

    @property
    def references(self) -> dict[str, str]:
        """The reference by which the page finds each figure, by plot name."""
        return {name: f"IPY_MODEL_{figure.model_id}" for name, figure in self._figures.items()}

    def renew(self) -> None:
        """Make new figures from now on. The others stay until the next time: pages still show them."""
        for plot in self._replaced:
            plot.close()
        self._replaced = list(self._plots.values())
        self._plots, self._figures = {}, {}

    def close(self) -> None:
        """Close all widgets."""
        for plot in (*self._replaced, *self._plots.values()):
            plot.close()

    def _placed(self, name: str, part: Any) -> Any:
        if not isinstance(part, Mapping):
            return part
        if part.get("plot") is not None:
            return {**part, "plot": self._placed(name, part["plot"])}
        if "bands" not in part:
            return part
        plot = self._plots.get(name)
        if plot is None:
            plot = self._plots[name] = DrawnPlot(part)
            self._figures[name] = BareFigure(plot)
        else:
            plot.show(part)
        return {**part, **{each: [] for each in _DRAWN}, "margin": plot.margin}
