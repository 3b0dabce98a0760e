"""The vocabulary of plots: each kind of band, curve, line and point, with its meaning and its look.

Figures use it (`figures/styles.py`), and `make bundle` generates the page's style sheet from it.
"""

from typing import Any, Literal, NamedTuple

from activeeval_widgets.session.findings.plot_axes import MAX_MODELS

Shape = Literal["area", "line", "dot", "ring"]
Dash = Literal["solid", "dashed", "dash_dotted", "dotted"]


class PlotKind(NamedTuple):
    """One kind of band, curve, line or point.

    Attributes
    ----------
    meaning : str
        What it shows.
    shape : str
        "area" and "dot" are filled, "line" and "ring" are not.
    color : str
        A color of the page: "accent", "muted", "text", "good", "warn", or "model-1" and so on.
    opacity : float
        The opacity.
    width : float
        The width of the stroke, in pixels.
    dash : str
        The style of the stroke, with bqplot's names.
    has_edge : bool
        Whether dots have an edge that separates them from what is below.
    """

    meaning: str
    shape: Shape
    color: str
    opacity: float = 1.0
    width: float = 1.3
    dash: Dash = "solid"
    has_edge: bool = False


def _line(meaning: str, color: str, **stroke: Any) -> PlotKind:
    return PlotKind(meaning, "line", color, **stroke)


PLOT_KINDS: dict[str, PlotKind] = {
    # Bands.
    "band": PlotKind("the guaranteed interval", "area", "accent", 0.16),
    "approximate": PlotKind("the approximate interval, inside the guaranteed one", "area", "accent", 0.34),
    "forecast": PlotKind(
        "where the interval's width is expected to go: four of five sessions", "area", "muted", 0.2
    ),
    "pool-bars": PlotKind("a histogram of the pool: steps from 0", "area", "muted", 0.34),
    "drawn-bars": PlotKind(
        "a histogram of the draws, in front of the pool's: steps from 0", "area", "accent", 0.5
    ),
    "rug": PlotKind(
        "many labels for which a model is wrong: narrow bars on the horizontal axis", "area", "warn"
    ),
    "papers-band": PlotKind("the interval of the papers' method in a race", "area", "good", 0.13),
    # Curves.
    "estimate": _line(
        "the main curve: the estimate, the width of the interval; its first point", "accent", width=2.0
    ),
    "wald": _line("an end of the Wald interval", "muted", dash="dashed"),
    "wealth": _line("what bets against a value have won", "accent", width=2.0),
    "ideal": _line("what a perfect model would have", "muted", dash="dashed"),
    "bar": _line("an interval at one place: a bar", "accent", opacity=0.28, width=6.0),
    "papers": _line("the estimate by the papers' method in a race; its points, too", "good", width=1.8),
    "uniform-steps": _line("the error of uniform draws in a race", "muted", width=1.6, dash="dashed"),
    "leader": _line(
        "a wide, pale line below the curve of the best model so far", "text", opacity=0.16, width=7.0
    ),
    **{
        f"model-{i}": _line(f"model {i} of several: a curve, a bar or a dot", f"model-{i}", width=2.0)
        for i in range(1, MAX_MODELS + 1)
    },
    # Horizontal lines, and curves in the same style.
    "goal": _line("what is to be reached", "good", width=2.0, dash="dash_dotted"),
    "zero": _line("no difference", "text"),
    "uniform": _line("uniform draws: a line or a curve", "muted", dash="dashed"),
    # Points.
    "pool": PlotKind("the pool, or what was not drawn yet", "dot", "muted", 0.6),
    "drawn": PlotKind("labeled instances, or bins with labels", "dot", "accent"),
    "wrong": PlotKind("labels for which a model is wrong", "ring", "warn", width=1.8),
    "present": PlotKind("the instance on screen, or the present moment", "dot", "warn", has_edge=True),
    **{
        f"same-{i}": PlotKind(
            "the pool where two models predict the same, by how often it is drawn", "dot", "muted", opacity
        )
        for i, opacity in enumerate((0.3, 0.45, 0.65, 0.9))
    },
    **{
        f"differ-{i}": PlotKind(
            "the pool where two models differ, by how often it is drawn", "dot", "accent", opacity
        )
        for i, opacity in enumerate((0.4, 0.6, 0.8, 1.0))
    },
    "first-right": PlotKind("labels where only the first model is right", "dot", "good", has_edge=True),
    "second-right": PlotKind("labels where only the second model is right", "dot", "warn", has_edge=True),
    "both-right": PlotKind("labels where two models that differ are both right", "ring", "text", width=1.6),
    "neither-right": PlotKind("labels where neither of two models is right", "ring", "text", width=1.6),
}
"""The meaning and the look of each kind, for figures and the page alike."""
