"""The figures that stand in the panels of a page."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.widgets.figures.drawn_plot import DrawnPlot
from activeeval_widgets.widgets.figures.plot_figure import BareFigure

_DRAWN = ("bands", "curves", "lines", "points", "sides")
"""Parts of a plot's description that a figure has, so that the page need not have them."""


class PageFigures:
    """Draws what panels say with bqplot figures, which the page shows in these panels."""

    def __init__(self) -> None:
        self._plots: dict[str, DrawnPlot] = {}
        self._figures: dict[str, BareFigure] = {}

    def place(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """Draw the plots among the parts of a message; what the page needs beside the figures is left."""
        return {name: self._placed(name, part) for name, part in told.items()}

    @property
    def references(self) -> dict[str, str]:
        """How the page finds each figure, by the name of its plot."""
        return {name: f"IPY_MODEL_{figure.model_id}" for name, figure in self._figures.items()}

    def close(self) -> None:
        """Close all widgets that were made."""
        for plot in self._plots.values():
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
