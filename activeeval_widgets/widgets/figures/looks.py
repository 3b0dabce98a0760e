"""How each kind of band, curve, line and point looks: `plot_kinds.py` says what it means.

Colors are variables of Jupyter's theme, to which the app's style sheet gives the app's own colors.
"""

from dataclasses import dataclass
from typing import Literal

ACCENT = "var(--jp-brand-color1, #2f5fd0)"
MUTED = "var(--jp-ui-font-color2, #565c68)"
TEXT = "var(--jp-ui-font-color1, #1a1c20)"
LINE = "var(--jp-border-color2, #d9dde4)"
GOOD = "var(--jp-success-color0, #1a7340)"
WARN = "var(--jp-error-color1, #a3420b)"
BACKGROUND = "var(--jp-layout-color0, #ffffff)"

Dash = Literal["solid", "dashed", "dash_dotted", "dotted"]


@dataclass(frozen=True)
class Look:
    """The look of one kind.

    Attributes
    ----------
    color : str
        CSS.
    opacity : float
        Of the fill.
    width : float
        Of the stroke, in pixels.
    dash : str
        Of the stroke, as bqplot names it.
    is_hollow : bool
        Whether points have an outline and no fill.
    """

    color: str
    opacity: float = 1.0
    width: float = 1.3
    dash: Dash = "solid"
    is_hollow: bool = False


_OF_MODELS = ("#4c78e0", "#d0701f", "#2e9456", "#a05ad0", "#d04a86", "#1f97a6", "#948028", "#7d8896")
"""Outside of an app: colors that are seen on light and on dark ground."""

LOOKS: dict[str, Look] = {
    "band": Look(ACCENT, opacity=0.16),
    "approximate": Look(ACCENT, opacity=0.34),
    "forecast": Look(MUTED, opacity=0.2),
    "pool-bars": Look(MUTED, opacity=0.34),
    "drawn-bars": Look(ACCENT, opacity=0.5),
    "rug": Look(WARN),
    "papers-band": Look(GOOD, opacity=0.13),
    "estimate": Look(ACCENT, width=2.0),
    "wald": Look(MUTED, dash="dashed"),
    "wealth": Look(ACCENT, width=2.0),
    "ideal": Look(MUTED, dash="dashed"),
    "bar": Look(ACCENT, opacity=0.28, width=6.0),
    "papers": Look(GOOD, width=1.8),
    "uniform-steps": Look(MUTED, width=1.6, dash="dashed"),
    "leader": Look(TEXT, opacity=0.16, width=7.0),
    **{
        f"model-{i}": Look(f"var(--aew-model-{i}, {color})", width=2.0)
        for i, color in enumerate(_OF_MODELS, start=1)
    },
    "goal": Look(GOOD, width=2.0, dash="dash_dotted"),
    "zero": Look(TEXT),
    "uniform": Look(MUTED, dash="dashed"),
    "pool": Look(MUTED, opacity=0.6),
    "drawn": Look(ACCENT),
    "wrong": Look(WARN, width=1.8),
    "present": Look(WARN),
    **{f"same-{i}": Look(MUTED, opacity=opacity) for i, opacity in enumerate((0.3, 0.45, 0.65, 0.9))},
    **{f"differ-{i}": Look(ACCENT, opacity=opacity) for i, opacity in enumerate((0.4, 0.6, 0.8, 1.0))},
    "first-right": Look(GOOD),
    "second-right": Look(WARN),
    "both-right": Look(TEXT, width=1.6, is_hollow=True),
    "neither-right": Look(TEXT, width=1.6, is_hollow=True),
}
