"""The style of each kind in figures: `plot_kinds.py` in the colors of Jupyter's theme.

Colors are CSS variables, which the app's style sheet sets to its own colors.
"""

from activeeval_widgets.widgets.evaluation.plot_kinds import PLOT_KINDS, PlotKind

ACCENT = "var(--jp-brand-color1, #2f5fd0)"
MUTED = "var(--jp-ui-font-color2, #565c68)"
TEXT = "var(--jp-ui-font-color1, #1a1c20)"
LINE = "var(--jp-border-color2, #d9dde4)"
GOOD = "var(--jp-success-color0, #1a7340)"
WARN = "var(--jp-error-color1, #a3420b)"
BACKGROUND = "var(--jp-layout-color0, #ffffff)"

_OF_MODELS = ("#4c78e0", "#d0701f", "#2e9456", "#a05ad0", "#d04a86", "#1f97a6", "#948028", "#7d8896")
"""Colors outside an app, visible on light and dark backgrounds."""

_COLORS = {
    "accent": ACCENT,
    "muted": MUTED,
    "text": TEXT,
    "good": GOOD,
    "warn": WARN,
    **{f"model-{i}": f"var(--aew-model-{i}, {color})" for i, color in enumerate(_OF_MODELS, start=1)},
}


def style_of(kind: str) -> PlotKind:
    """Return a kind with its color as CSS; unknown kinds are muted lines."""
    found = PLOT_KINDS.get(kind, PlotKind("", "line", "muted"))
    return found._replace(color=_COLORS[found.color])
