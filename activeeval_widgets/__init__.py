"""Jupyter widgets that tell how good a predictive model is, with as few human labels as possible."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from activeeval_widgets._version import __version__

if TYPE_CHECKING:
    from activeeval_widgets.app.serving import serve
    from activeeval_widgets.session import Conversation, Goal, Pool, Ranking, Result, Session, Text, Turn
    from activeeval_widgets.widgets import LabelingApp, compare, evaluate, explorers, plots

__all__ = [
    "Conversation",
    "Goal",
    "LabelingApp",
    "Pool",
    "Ranking",
    "Result",
    "Session",
    "Text",
    "Turn",
    "__version__",
    "compare",
    "evaluate",
    "explorers",
    "plots",
    "serve",
]


def __getattr__(name: str) -> Any:
    # Imported when asked for, so that `activeeval_widgets.stats` alone needs numpy and scipy alone.
    for layer in ("session", "widgets", "app.serving"):
        if name in __all__:
            module = import_module(f"activeeval_widgets.{layer}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
