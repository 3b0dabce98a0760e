"""Jupyter widgets that tell how good a predictive model is, with as few human labels as possible."""

from typing import TYPE_CHECKING, Any

from activeeval_widgets._lazy import attribute
from activeeval_widgets._version import __version__ as __version__

if TYPE_CHECKING:  # "as" says to type checkers that a name is public
    from activeeval_widgets import session as session
    from activeeval_widgets import stats as stats
    from activeeval_widgets import widgets as widgets
    from activeeval_widgets.app.serving import serve as serve
    from activeeval_widgets.session import Conversation as Conversation
    from activeeval_widgets.session import Goal as Goal
    from activeeval_widgets.session import Pool as Pool
    from activeeval_widgets.session import Ranking as Ranking
    from activeeval_widgets.session import Result as Result
    from activeeval_widgets.session import Session as Session
    from activeeval_widgets.session import Text as Text
    from activeeval_widgets.session import Turn as Turn
    from activeeval_widgets.widgets import EstimateView as EstimateView
    from activeeval_widgets.widgets import HistoryView as HistoryView
    from activeeval_widgets.widgets import InstanceView as InstanceView
    from activeeval_widgets.widgets import LabelButtons as LabelButtons
    from activeeval_widgets.widgets import LabelingApp as LabelingApp
    from activeeval_widgets.widgets import ProgressView as ProgressView
    from activeeval_widgets.widgets import compare as compare
    from activeeval_widgets.widgets import evaluate as evaluate
    from activeeval_widgets.widgets import explorers as explorers
    from activeeval_widgets.widgets import plots as plots

_WHERE = {
    "Conversation": "session",
    "EstimateView": "widgets",
    "Goal": "session",
    "HistoryView": "widgets",
    "InstanceView": "widgets",
    "LabelButtons": "widgets",
    "LabelingApp": "widgets",
    "Pool": "session",
    "ProgressView": "widgets",
    "Ranking": "session",
    "Result": "session",
    "Session": "session",
    "Text": "session",
    "Turn": "session",
    "compare": "widgets",
    "evaluate": "widgets",
    "explorers": "widgets",
    "plots": "widgets",
    "serve": "app.serving",
    "session": "",
    "stats": "",
    "widgets": "",
}
"""The module of each public name. It is imported when asked for: `stats` needs only numpy and scipy."""

__all__ = sorted([*_WHERE, "__version__"])


def __getattr__(name: str) -> Any:
    return attribute(__name__, _WHERE, name)


def __dir__() -> list[str]:
    return list(__all__)
