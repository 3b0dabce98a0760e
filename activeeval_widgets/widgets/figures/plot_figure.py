"""Figures of a plot: bare, for panels with their own heading and legend, or complete."""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import bqplot
import numpy as np

from activeeval_widgets.widgets.evaluation.plot_kinds import PlotKind
from activeeval_widgets.widgets.figures.drawn_plot import DrawnPlot
from activeeval_widgets.widgets.figures.styles import MUTED, TEXT, style_of

WIDTH, HEIGHT = "640px", "320px"

_TITLE = {"font": "600 14px system-ui, sans-serif", "fill": TEXT}
_ROW = 18
"""The height of a line of the legend, in pixels."""

_N_COLUMNS = 2
_LINE = 80
"""The number of characters in a line of a note."""

_REACH = 400
"""The area around a value in which the pointer finds it, in square pixels."""

_GLYPHS = {"foot": "×", "cross": "×", "dot": "●", "diamond": "◆", "square": "■"}


class BareFigure(bqplot.Figure):  # type: ignore[misc]
    """The data and axes of a plot; it fills its container."""

    def __init__(self, plot: DrawnPlot) -> None:
        super().__init__(
            **OPTIONS, axes=plot.axes, layout={"width": "100%", "height": "100%", "min_width": "0"}
        )
        self._plot = plot
        self.update()
        plot.figures.append(self)

    def update(self) -> None:
        """Copy from the plot what figures do not share."""
        self.fig_margin = self._plot.margin
        self.marks = self._plot.marks

    def close(self) -> None:
        """Remove the figure from the page."""
        _forget(self._plot, self)
        super().close()


class PlotFigure(bqplot.Figure):  # type: ignore[misc]
    """A live plot with title, legend and values, for any place in a notebook.

    Its `layout` sets the size. The pointer shows a value in words, and a hidden text describes the plot to
    screen readers. `save_png` and `save_svg` save it as displayed.
    """

    def __init__(self, plot: DrawnPlot) -> None:
        super().__init__(
            **OPTIONS, axes=plot.axes, layout={"width": WIDTH, "max_width": "100%", "height": HEIGHT}
        )
        self._plot = plot
        self._values: dict[str, bqplot.Scatter] = {}
        self._unit = {"x": bqplot.LinearScale(min=0, max=1), "y": bqplot.LinearScale(min=0, max=1)}
        self._rows: list[tuple[bqplot.Label, bqplot.Label]] = []
        self._summary = self._text(MUTED, 1)
        self._summary.colors = ["transparent"]
        self._notes: list[bqplot.Label] = []
        self.update()
        plot.figures.append(self)

    def update(self) -> None:
        """Follow the plot."""
        content = self._plot.content
        for stops in content["stops"]:
            self._add_stops(stops)
        self._show_legend(content["legend"])
        margin = self._plot.margin
        below = margin["bottom"] + _ROW * len(self._rows)
        below += self._show_note(content.get("note", ""), below)
        _put(self._summary, [f"{content['heading']}. {content['summary']}"], [0.0], 0)
        marks = [
            *self._plot.marks,
            *(part for row in self._rows for part in row),
            *self._notes,
            *self._values.values(),
            self._summary,
        ]
        with self.hold_sync():
            self.title = content["heading"]
            self.fig_margin = {**margin, "top": 40, "bottom": below + 6}
            self.marks = marks

    def _add_stops(self, stops: Mapping[str, Any]) -> None:
        """Add invisible points whose names are sentences, for the pointer to find."""
        name = stops["name"]
        if name not in self._values:
            if not stops["x"]:
                return
            self._values[name] = bqplot.Scatter(
                scales=dict(self._plot.scales),
                default_size=_REACH,
                colors=["transparent"],
                stroke="transparent",
                display_names=False,
                names_unique=False,
                apply_clip=False,
                preserve_domain={"x": True, "y": True},
                tooltip=bqplot.Tooltip(fields=["name"], show_labels=False),
                hovered_style={"fill": "none", "stroke": TEXT, "stroke-width": "2px"},
            )
        mark = self._values[name]
        mark.scales = dict(self._plot.scales)
        with mark.hold_sync():
            mark.names = np.array(stops["text"], dtype=str)
            mark.x, mark.y = np.array(stops["x"], dtype=float), np.array(stops["y"], dtype=float)

    def _show_legend(self, legend: Sequence[Sequence[str]]) -> None:
        rows = [legend[i : i + _N_COLUMNS] for i in range(0, len(legend), _N_COLUMNS)]
        while len(self._rows) < len(rows):
            self._rows.append((self._text(TEXT, 14), self._text(TEXT, 12)))
        del self._rows[len(rows) :]
        shapes = {points["kind"]: points["shape"] for points in self._plot.content["points"]}
        bands = {band["kind"] for band in self._plot.content["bands"]}
        for i, (row, (glyphs, texts)) in enumerate(zip(rows, self._rows, strict=True)):
            styles = [style_of(kind) for kind, _ in row]
            at = [k / _N_COLUMNS for k in range(len(row))]
            below = self._plot.margin["bottom"] + _ROW * i + _ROW // 2
            glyphs.colors = [style.color for style in styles]
            glyphs.opacities = [max(style.opacity, 0.25) for style in styles]
            _put(
                glyphs,
                [_glyph(kind, style, shapes, bands) for (kind, _), style in zip(row, styles, strict=True)],
                at,
                below,
            )
            texts.x_offset = 22
            _put(texts, [text for _, text in row], at, below)

    def _show_note(self, note: str, below: int) -> int:
        """Show a note below the legend, and return its height in pixels."""
        lines = wrap(note, _LINE)
        while len(self._notes) < len(lines):
            self._notes.append(self._text(MUTED, 12))
        del self._notes[len(lines) :]
        for i, (line, label) in enumerate(zip(lines, self._notes, strict=True)):
            _put(label, [line], [0.0], below + _ROW * i + _ROW // 2)
        return _ROW * len(lines)

    def close(self) -> None:
        """Remove the figure from the page."""
        _forget(self._plot, self)
        super().close()

    def _text(self, color: str, size: int) -> bqplot.Label:
        """Return a mark for texts below the data, positioned by shares of the width."""
        return bqplot.Label(
            scales=self._unit,
            colors=[color],
            default_size=size,
            font_weight="normal",
            apply_clip=False,
            preserve_domain={"x": True, "y": True},
            interactions={},
        )


OPTIONS: dict[str, Any] = {
    "padding_x": 0.0,
    "padding_y": 0.0,
    "display_toolbar": False,  # its buttons are blank without Font Awesome, and its zoom can't be reset
    "animation_duration": 0,
    "background_style": {"fill": "transparent"},
    "title_style": _TITLE,
}


def _forget(plot: DrawnPlot, figure: bqplot.Figure) -> None:
    plot.figures[:] = [each for each in plot.figures if each is not figure]


def _put(label: bqplot.Label, texts: Sequence[str], x: Sequence[float], below: int) -> None:
    with label.hold_sync():
        label.y_offset = below
        label.text = np.array(texts, dtype=str)
        label.x, label.y = np.array(x[: len(texts)], dtype=float), np.zeros(len(texts))


def _glyph(kind: str, style: PlotKind, shapes: Mapping[str, str], bands: set[str]) -> str:
    if kind in shapes:
        return _GLYPHS[shapes[kind]]
    if kind in bands:
        return "■"
    if style.shape in ("dot", "ring"):
        return "●"
    return "━" if style.dash == "solid" else "╍"
