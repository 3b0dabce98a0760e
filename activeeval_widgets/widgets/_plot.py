"""What the plots share."""

from typing import Any

import bqplot
import numpy as np

from activeeval_widgets.stats._typing import AnyArray, IntArray

# Middle tones that stand out from a white and from a black page; their lightness differs, too.
BLUE = "#2f7fd0"
ORANGE = "#e0702a"
GRAY = "#8a8f98"

MAX_POINTS = 200
"""bqplot takes about a millisecond a point to draw: so many at most for each mark."""


def make_figure(marks: list[bqplot.Mark], axes: list[bqplot.Axis]) -> bqplot.Figure:
    """A figure that fills the width it is given, without title or background of its own."""
    return bqplot.Figure(
        marks=marks,
        axes=axes,
        animation_duration=0,
        fig_margin={"top": 10, "bottom": 42, "left": 54, "right": 20},
        padding_x=0,
        padding_y=0,
        background_style={"fill": "none"},
        min_aspect_ratio=0.1,
        max_aspect_ratio=20,
        layout={"width": "auto", "height": "190px", "min_width": "0"},
    )


def make_axis(scale: bqplot.Scale, label: str, *, is_vertical: bool = False, **options: Any) -> bqplot.Axis:
    """An axis without grid lines, with few ticks."""
    return bqplot.Axis(
        scale=scale,
        label=label,
        side="left" if is_vertical else "bottom",
        label_offset="40px" if is_vertical else "32px",
        grid_lines="none",
        **{"num_ticks": 6, **options},
    )


def thin(n: int) -> IntArray:
    """At most `MAX_POINTS` of the numbers 0 to n, evenly spread, both ends among them; none if n is 0.

    Their step is a power of 2: as n grows, what was chosen before is chosen again, or left out.
    """
    if n == 0:
        return np.empty(0, dtype=np.intp)
    step = 1
    while n // step + 2 > MAX_POINTS:
        step *= 2
    return np.unique(np.append(np.arange(0, n, step, dtype=np.intp), n))


def step_up(value: float, steps: list[float]) -> float:
    """The least of `steps` that is at least `value`, or the last: axes that grow in steps jump rarely."""
    return next((step for step in steps if step >= value), steps[-1])


def set_points(mark: bqplot.Mark, x: AnyArray, y: AnyArray) -> None:
    """Give a mark its points in one message."""
    with mark.hold_sync():
        mark.x = x
        mark.y = y


def nice_range(shown: tuple[float, float], possible: tuple[float, float]) -> tuple[float, float]:
    """Ends of an axis that holds what is shown, in steps, so that it jumps rarely.

    Parameters
    ----------
    shown : tuple of two floats
        The least and the greatest number to be shown; may be infinite.
    possible : tuple of two floats
        The ends that the axis never exceeds. One of them is kept, that which is nearer to what is shown; but
        0 stays in the middle where the range extends equally to both sides of it.
    """
    least, greatest = possible
    low, high = (end if np.isfinite(end) else limit for end, limit in zip(shown, possible, strict=True))
    if least == -greatest:
        reach = _nice(max(abs(low), abs(high)), greatest)
        return -reach, reach
    if np.isfinite(greatest) and (low - least) > (greatest - high):
        return greatest - _nice(greatest - low, greatest - least), greatest
    return least, least + _nice(high - least, greatest - least)


def _nice(extent: float, greatest: float) -> float:
    """The least round number with room above `extent`, but not above `greatest`."""
    if not np.isfinite(extent):
        return greatest if np.isfinite(greatest) else 1.0
    extent = max(1.05 * extent, 1e-9)
    unit = 10.0 ** np.floor(np.log10(extent))
    return float(min(greatest, next(s * unit for s in (1, 2, 3, 5, 7.5, 10) if s * unit >= extent)))
