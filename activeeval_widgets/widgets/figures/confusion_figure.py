"""The confusion matrix as a figure."""

from collections.abc import Mapping
from typing import Any

import bqplot
import numpy as np

from activeeval_widgets.stats.text import cut
from activeeval_widgets.widgets.figures.drawn_plot import FONT
from activeeval_widgets.widgets.figures.plot_figure import OPTIONS
from activeeval_widgets.widgets.figures.styles import ACCENT, MUTED, TEXT

_SIDE, _MIN_WIDTH = 44, 230
"""Pixels of a cell, and the least width of all cells, if the layout does not set the figure's size."""

_CHARACTER = 8
"""The largest width of a character of a class name, in pixels."""

_LONGEST = 16
"""The number of characters of a class name that are shown."""


class ConfusionFigure(bqplot.Figure):  # type: ignore[misc]
    """The share of instances with each true and predicted class; darker cells have more."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        names = [_short(name, content["classes"]) for name in content["classes"]]
        n = len(names)
        side = max(_SIDE, _MIN_WIDTH // n)
        # The first true class is at the top.
        scales = {
            "x": bqplot.LinearScale(min=-0.5, max=n - 0.5, allow_padding=False),
            "y": bqplot.LinearScale(min=-0.5, max=n - 0.5, allow_padding=False, reverse=True),
        }
        left = _CHARACTER * max(map(len, names)) + 30
        style = {**FONT, "fill": MUTED}
        common = {
            "grid_lines": "none",
            "tick_style": style,
            "label_color": MUTED,
            "tick_values": np.arange(float(n)),
        }
        labels = {str(i): name for i, name in enumerate(names)}
        self._cells = bqplot.Scatter(
            scales={**scales, "opacity": bqplot.LinearScale(min=0, max=1)},
            marker="square",
            colors=[ACCENT],
            default_size=side**2,
            stroke="transparent",
            display_names=False,
            names_unique=False,
            preserve_domain={"x": True, "y": True},
            tooltip=bqplot.Tooltip(fields=["name"], show_labels=False),
        )
        self._numbers = bqplot.Label(
            scales=scales,
            colors=[TEXT],
            default_size=11,
            font_weight="normal",
            align="middle",
            preserve_domain={"x": True, "y": True},
            interactions={},
        )
        super().__init__(
            **OPTIONS,
            axes=[
                bqplot.Axis(
                    scale=scales["x"], label="predicted", tick_labels=labels, label_offset="32px", **common
                ),
                bqplot.Axis(
                    scale=scales["y"],
                    side="left",
                    label="true",
                    tick_labels=labels,
                    label_offset=f"{left - 18}px",
                    **common,
                ),
            ],
            marks=[self._cells, self._numbers],
            fig_margin={"top": 40, "bottom": 46, "left": left, "right": 16},
            layout={"width": f"{left + 16 + n * side}px", "height": f"{86 + n * side}px"},
        )
        self.show(content)

    def show(self, content: Mapping[str, Any]) -> None:
        """Show another matrix of the same classes."""
        n = len(content["classes"]) if content["cells"] else 0
        self.title = "Confusion matrix (% of all instances)" if n else "Confusion matrix: no labels yet"
        y, x = (each.ravel().astype(float) for each in np.indices((n, n)))
        cells = [cell for row in content["cells"] for cell in row]
        shares = np.array([cell["share"] for cell in cells])
        with self._cells.hold_sync():
            self._cells.names = np.array([cell["title"] for cell in cells], dtype=str)
            self._cells.opacity = np.sqrt(np.clip(shares, 0, 1) / max(shares.max(initial=0), 1e-9))
            self._cells.x, self._cells.y = x, y
        with self._numbers.hold_sync():
            self._numbers.text = np.array([cell["text"] for cell in cells], dtype=str)
            self._numbers.x, self._numbers.y = x, y


def _short(name: str, classes: list[str]) -> str:
    longest = _LONGEST if len(classes) <= 12 else _LONGEST // 2
    return cut(name, longest)
