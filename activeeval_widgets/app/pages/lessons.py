"""Imports that all lessons share; their notebooks make the pages."""

from importlib import import_module

from ipywidgets import VBox

from activeeval_widgets.app.pages import Query, Spec
from activeeval_widgets.widgets.explorers import EXPLORERS

IMPORTED = (
    "activeeval_widgets.demos",
    "activeeval_widgets.lessons.figures",
    "matplotlib.backends.backend_agg",
    "activeeval_widgets.session",
    "activeeval_widgets.stats",
    "latex2mathml.converter",
    "sklearn.datasets",
    "sklearn.linear_model",
    "sklearn.model_selection",
)


def prepare(spec: Spec) -> None:  # noqa: ARG001
    """Import what the lessons import, which takes most of their time."""
    for module in IMPORTED:
        import_module(module)


def build(spec: Spec, query: Query) -> VBox:  # noqa: ARG001
    """Make all explorers, one below the other."""
    return VBox([explorer() for explorer in EXPLORERS])
