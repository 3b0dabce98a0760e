"""Figures of the lessons in one style, with the colors of the app.

Figures have a light background, so that they are readable on dark pages, too. Importing this module needs
matplotlib (extra ``lessons``).
"""

from __future__ import annotations

import base64
import html
import io
from typing import Any

from IPython.display import HTML, display
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

__all__ = ["COLORS", "figure", "show"]

COLORS = {
    "active": "#2f5fd0",
    "papers": "#1a7340",
    "uniform": "#565c68",
    "truth": "#1a1c20",
    "wrong": "#a3420b",
    "text": "#1a1c20",
    "muted": "#565c68",
    "line": "#d9dde4",
    "ground": "#ffffff",
}
"""The colors of the app's plots on a light page, by what they stand for; a test compares them.

``active``: adaptive draws and their results; ``papers``: the papers' q*; ``uniform``: uniform draws;
``truth``: the value on the whole pool; ``wrong``: errors and failures.
"""

_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": COLORS["muted"],
    "axes.facecolor": COLORS["ground"],
    "axes.grid": True,
    "axes.labelcolor": COLORS["text"],
    "axes.labelsize": 11,
    "axes.linewidth": 0.8,
    "axes.prop_cycle": cycler(color=[COLORS[name] for name in ("active", "papers", "wrong", "uniform")]),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "figure.facecolor": COLORS["ground"],
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11,
    "grid.color": COLORS["line"],
    "grid.linewidth": 0.7,
    "text.color": COLORS["text"],
    "xtick.color": COLORS["muted"],
    "xtick.labelcolor": COLORS["text"],
    "xtick.labelsize": 10,
    "ytick.color": COLORS["muted"],
    "ytick.labelcolor": COLORS["text"],
    "ytick.labelsize": 10,
}

_DOTS_PER_INCH = 100  # on the page; the picture has twice the resolution, for high-density screens


def figure(
    width: float = 720, height: float = 340, *, rows: int = 1, columns: int = 1, **options: Any
) -> tuple[Figure, Any]:
    """Create a figure.

    Parameters
    ----------
    width, height : float
        Size in pixels on the page.
    rows, columns : int
        The numbers of axes.
    **options
        For `matplotlib.figure.Figure.subplots`, such as ``sharey=True``.

    Returns
    -------
    figure : matplotlib.figure.Figure
        The figure, to pass to `show`.
    axes : matplotlib.axes.Axes or ndarray of them
        One, or an array as returned by matplotlib.
    """
    with rc_context(_STYLE):
        begun = Figure(figsize=(width / _DOTS_PER_INCH, height / _DOTS_PER_INCH), dpi=_DOTS_PER_INCH)
        return begun, begun.subplots(rows, columns, **options)


def show(figure: Figure, description: str) -> None:
    """Show a figure below the cell.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        From `figure`.
    description : str
        An alternative text: what the figure shows, in a sentence or two.

    Raises
    ------
    ValueError
        If there is no description.
    """
    if not description.strip():
        raise ValueError("description is empty: say in a sentence what the figure shows, for screen readers")
    for axes in figure.axes:
        legend = axes.get_legend()
        if legend is not None:
            legend.get_frame().set(linewidth=0, alpha=0.85)
    file = io.BytesIO()
    with rc_context(_STYLE):
        figure.savefig(file, format="png", dpi=2 * _DOTS_PER_INCH)
    code = base64.b64encode(file.getvalue()).decode()
    width, height = (round(inches * _DOTS_PER_INCH) for inches in figure.get_size_inches())
    place = f'width="{width}" height="{height}" style="max-width: 100%; height: auto; border-radius: 6px"'
    alt = html.escape(description.strip())
    shown = f'<img class="aew-figure" src="data:image/png;base64,{code}" alt="{alt}" {place}>'
    display(HTML(shown))  # type: ignore[no-untyped-call]
