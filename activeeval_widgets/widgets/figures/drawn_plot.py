"""Plots drawn with bqplot: marks are created once, and then only their data change."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import bqplot
import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.widgets.evaluation.plot_kinds import PlotKind
from activeeval_widgets.widgets.figures.styles import BACKGROUND, LINE, MUTED, WARN, style_of

FONT = {"font": "12px system-ui, sans-serif", "font-variant-numeric": "tabular-nums"}

_DIGIT = 8
"""The largest width of a tick label's character in common fonts of this size, in pixels."""

_FEWEST = 4
"""The least number of characters for which a vertical axis has room, so that "100%" does not move it."""

_MARKERS = {
    "dot": "circle",
    "cross": "crosshair",
    "foot": "crosshair",
    "diamond": "diamond",
    "square": "square",
}
_AREAS = {"dot": 36, "cross": 46, "foot": 46, "diamond": 92, "square": 36}
"""Areas in square pixels."""

_LARGEST_DOT = 55
"""The area of a point of size 1, in square pixels."""

_NOT_MANY = {"preserve_domain": {"x": True, "y": True}, "interactions": {}, "enable_hover": False}
_NOTHING = np.zeros(0)

Scales = dict[str, bqplot.Scale]


class DrawnPlot:
    """The scales, axes and marks of one plot, which several figures can show at the same time.

    Attributes
    ----------
    marks : list of bqplot.Mark
        From back to front.
    axes : list of bqplot.Axis
        The horizontal and the vertical axis.
    margin : dict of str to int
        The pixels for ticks and titles at "left", "right", "top" and "bottom".
    content : mapping
        The current content; see `messages.from_python.PlotContent`.
    figures : list of bqplot.Figure
        The figures that show it; each has an `update` method, which follows margins and new marks.
    """

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.scales: Scales = {axis: _scale(content[axis]) for axis in "xy"}
        common = {"tick_style": {**FONT, "fill": MUTED}, "label_color": MUTED, "color": LINE}
        self.axes = [
            bqplot.Axis(scale=self.scales["x"], grid_lines="none", label_offset="32px", **common),
            bqplot.Axis(scale=self.scales["y"], side="left", grid_color=LINE, **common),
        ]
        self._marks: dict[str, bqplot.Mark] = {}
        self._order: dict[str, tuple[int, int]] = {}
        self._shown: dict[str, Any] = {}
        self.marks: list[bqplot.Mark] = []
        self.margin: dict[str, int] = {}
        self.content: Mapping[str, Any] = content
        self.figures: list[Any] = []
        self.show(content)

    def show(self, content: Mapping[str, Any]) -> None:
        """Show another plot description."""
        self.content = content
        self.margin = margin_of(content)
        for axis, name in zip(self.axes, "xy", strict=True):
            self._fit(name, axis, content[name])
        self.axes[1].label_offset = f"{self.margin['left'] - 18}px"
        for band in _by_kind(content["bands"]):
            outlines = [(run["x"] + run["x"][::-1], run["high"] + run["low"][::-1]) for run in band]
            self._draw(0, "band", band[0]["kind"], outlines, _new_band, _give_curves)
        ends = [content["x"]["low"], content["x"]["high"]]
        for line in _by_kind(content["lines"]):
            across = [(ends, [each["y"], each["y"]]) for each in line]
            self._draw(1, "line", line[0]["kind"], across, _new_curve, _give_curves)
        for curve in _by_kind(content["curves"]):
            through = [(each["x"], each["y"]) for each in curve]
            self._draw(2, "curve", curve[0]["kind"], through, _new_curve, _give_curves)
        for points in _merged(content["points"]):
            self._draw(3, f"points-{points['shape']}", points["kind"], points, _new_points, _give_points)
        self._draw(
            4, "labels", "", [each for each in content["points"] if each.get("label")], _new_text, _label
        )
        self._draw(4, "sides", "", (content["sides"], content["x"], content["y"]), _new_text, _give_sides)
        self._clear(content)
        marks = [self._marks[name] for name in sorted(self._marks, key=lambda name: self._order[name])]
        if marks != self.marks:
            self.marks = marks
        for figure in self.figures:
            figure.update()

    def close(self) -> None:
        """Close all its widgets."""
        for widget in (*self.figures, *self._marks.values(), *self.axes, *self.scales.values()):
            widget.close()

    # -- parts ------------------------------------------------------------------------------------------

    def _fit(self, name: str, axis: bqplot.Axis, content: Mapping[str, Any]) -> None:
        scale = self.scales[name]
        if isinstance(scale, bqplot.LogScale) != bool(content.get("is_log")):
            self.scales[name] = axis.scale = scale = _scale(content)
            for mark in self._marks.values():
                mark.scales = {**mark.scales, name: scale}
        with scale.hold_sync():
            scale.min, scale.max = content["low"], content["high"]
        # The front end finds a tick's text by JavaScript's string for its number, and writes it a frame after
        # it gets the numbers, by the texts known then. So texts are sent first, and those of old ticks stay.
        texts = {javascript(value): text for value, text in content["ticks"]}
        axis.tick_labels = {**axis.tick_labels, **texts}
        values = np.array([float(value) for value, _ in content["ticks"]])
        if not np.array_equal(values, axis.tick_values):
            axis.tick_values = values
        axis.label = content.get("title", "")

    def _draw(
        self,
        layer: int,
        what: str,
        kind: str,
        data: Any,
        make: Callable[[PlotKind, str, Scales], bqplot.Mark],
        give: Callable[[bqplot.Mark, Any], None],
    ) -> None:
        name = f"{what} {kind}"
        if name not in self._marks:
            if not _has_any(data):
                return
            self._marks[name] = make(style_of(kind), what, dict(self.scales))
            self._order[name] = (layer, len(self._order))
        self._shown[name] = self.content
        mark = self._marks[name]
        with mark.hold_sync():
            give(mark, data)

    def _clear(self, content: Mapping[str, Any]) -> None:
        """Empty the marks of kinds that are no longer shown."""
        for name, mark in self._marks.items():
            if self._shown[name] is not content and len(mark.x):
                with mark.hold_sync():
                    mark.x = mark.y = _NOTHING


def margin_of(content: Mapping[str, Any]) -> dict[str, int]:
    """Return the pixels for ticks and titles on each side of the data."""
    x, y = content["x"], content["y"]
    widest = max((len(text) for _, text in y["ticks"]), default=0)
    last = len(x["ticks"][-1][1]) if x["ticks"] else 0
    return {
        "top": 9,
        "bottom": 40 if x.get("title") else 24,
        "left": _DIGIT * max(_FEWEST, widest) + 14 + (18 if y.get("title") else 0),
        "right": max(20, _DIGIT * last // 2 + 4),
    }


def _scale(content: Mapping[str, Any]) -> bqplot.Scale:
    kind = bqplot.LogScale if content.get("is_log") else bqplot.LinearScale
    # Padding would detach the axis from the data.
    return kind(min=content["low"], max=content["high"], allow_padding=False)


def javascript(value: float) -> str:
    """Return a number as JavaScript writes it."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    text = repr(float(value))
    if "e" not in text:
        return text
    digits, exponent = text.split("e")
    if -7 < int(exponent) < 0:
        return np.format_float_positional(value, trim="-")
    return f"{digits.removesuffix('.0')}e{int(exponent):+d}"


def _by_kind(parts: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    kinds = dict.fromkeys(part["kind"] for part in parts)
    return [[part for part in parts if part["kind"] == kind] for kind in kinds]


def _merged(points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Merge the points of each kind and shape."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for part in points:
        known = found.setdefault(
            (part["kind"], part["shape"]), {"kind": part["kind"], "shape": part["shape"]}
        )
        for name in ("x", "y", "size"):
            if name in part:
                known[name] = [*known.get(name, []), *part[name]]
    return list(found.values())


def _has_any(data: Any) -> bool:
    if isinstance(data, Mapping):
        return bool(data["x"])
    return bool(data[0]) if isinstance(data, tuple) else bool(data)


# -- marks and their data ---------------------------------------------------------------------------------


def _new_band(style: PlotKind, _what: str, scales: Scales) -> bqplot.Lines:
    return bqplot.Lines(
        scales=scales,
        fill="inside",
        close_path=True,
        stroke_width=0,
        colors=[style.color],
        fill_colors=[style.color],
        fill_opacities=[style.opacity] * 100,
        **_NOT_MANY,
    )


def _new_curve(style: PlotKind, _what: str, scales: Scales) -> bqplot.Lines:
    return bqplot.Lines(
        scales=scales,
        colors=[style.color],
        opacities=[style.opacity],
        stroke_width=style.width,
        line_style=style.dash,
        **_NOT_MANY,
    )


def _give_curves(mark: bqplot.Lines, curves: Sequence[tuple[Sequence[float], Sequence[float]]]) -> None:
    """Set several curves of one mark; shorter ones are padded with their last point."""
    longest = max((len(x) for x, _ in curves), default=0)
    padded = [
        # bqplot drops an axis of length 1.
        [np.pad(np.asarray(values, float), (0, max(2, longest) - len(values)), "edge") for values in curve]
        for curve in curves
        if len(curve[0])
    ]
    mark.x = np.array([x for x, _ in padded]) if padded else _NOTHING
    mark.y = np.array([y for _, y in padded]) if padded else _NOTHING


def _new_points(style: PlotKind, what: str, scales: Scales) -> bqplot.Scatter:
    shape = what.removeprefix("points-")
    is_cross = shape in ("cross", "foot")
    is_line = style.shape == "ring" or is_cross
    return bqplot.Scatter(
        # bqplot scales sizes from 0 to the default size.
        scales={**scales, "size": bqplot.LinearScale(min=0, max=1)},
        marker=_MARKERS[shape],
        default_size=_AREAS[shape],
        colors=[style.color],
        fill=not is_line,
        stroke=style.color if is_line else BACKGROUND if style.has_edge else "transparent",
        stroke_width=style.width,
        opacities=[style.opacity],
        apply_clip=False,
        **_NOT_MANY,
    )


def _give_points(mark: bqplot.Scatter, points: Mapping[str, Any]) -> None:
    if "size" in points:
        radius = 1.4 + 2.8 * np.asarray(points["size"], float)
        mark.default_size = _LARGEST_DOT
        mark.size = np.pi * radius**2 / _LARGEST_DOT
    mark.x, mark.y = _numbers(points["x"]), _numbers(points["y"])


def _new_text(_look: PlotKind, what: str, scales: Scales) -> bqplot.Label:
    is_side = what == "sides"
    return bqplot.Label(
        scales=scales,
        colors=[MUTED if is_side else WARN],
        default_size=12,
        font_weight="normal" if is_side else "bold",
        align="end" if is_side else "start",
        x_offset=-2 if is_side else 10,
        y_offset=0 if is_side else -6,
        apply_clip=False,
        **_NOT_MANY,
    )


def _label(mark: bqplot.Label, points: Sequence[Mapping[str, Any]]) -> None:
    """Label single points, on the side with more room."""
    if points:
        middle = (mark.scales["x"].min + mark.scales["x"].max) / 2
        is_right = points[0]["x"][0] > middle
        mark.align, mark.x_offset = ("end", -10) if is_right else ("start", 10)
    mark.text = np.array([each["label"] for each in points], dtype=str)
    mark.x = _numbers([each["x"][0] for each in points])
    mark.y = _numbers([each["y"][0] for each in points])


def _give_sides(
    mark: bqplot.Label, sides: tuple[Sequence[str], Mapping[str, Any], Mapping[str, Any]]
) -> None:
    """Say what the top and the bottom of the plot mean."""
    texts, x, y = sides
    height = y["high"] - y["low"]
    mark.text = np.array(texts, dtype=str)
    mark.x = _numbers([x["high"]] * len(texts))
    mark.y = _numbers([y["high"] - 0.08 * height, y["low"] + 0.12 * height][: len(texts)])


def _numbers(values: Any) -> FloatArray:
    found: FloatArray = np.asarray(values, dtype=np.float64)
    return found
