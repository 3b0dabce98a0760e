"""Views of a session for notebooks and pages."""

from typing import TYPE_CHECKING, Any

from activeeval_widgets._lazy import attribute
from activeeval_widgets.widgets.elements.html import sanitized_html
from activeeval_widgets.widgets.elements.tree import Element, element, link
from activeeval_widgets.widgets.evaluation.panel import Panel, register_panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.instances.absent import AbsentView
from activeeval_widgets.widgets.instances.answers import AnswersView
from activeeval_widgets.widgets.instances.conversation import ConversationView
from activeeval_widgets.widgets.instances.image import ImageView
from activeeval_widgets.widgets.instances.image_encoding import image
from activeeval_widgets.widgets.instances.media import Media
from activeeval_widgets.widgets.instances.ranking import RankingView
from activeeval_widgets.widgets.instances.record import RecordView
from activeeval_widgets.widgets.instances.registered_views import register_view
from activeeval_widgets.widgets.instances.rubric import RubricView
from activeeval_widgets.widgets.instances.text import PairView, TextView

if TYPE_CHECKING:
    from activeeval_widgets.widgets import explorers
    from activeeval_widgets.widgets.figures.plots import plots
    from activeeval_widgets.widgets.labeling_app import LabelingApp
    from activeeval_widgets.widgets.notebook import compare, evaluate
    from activeeval_widgets.widgets.parts import (
        EstimateView,
        HistoryView,
        InstanceView,
        LabelButtons,
        ProgressView,
    )
    from activeeval_widgets.widgets.race.race import Race

_WHERE = {
    "EstimateView": "parts",
    "HistoryView": "parts",
    "InstanceView": "parts",
    "LabelButtons": "parts",
    "LabelingApp": "labeling_app",
    "ProgressView": "parts",
    "Race": "race.race",
    "compare": "notebook",
    "evaluate": "notebook",
    "explorers": "",
    "plots": "figures.plots",
}
"""The modules of widgets. They are imported when asked for: a page without Jupyter has no ipywidgets."""

__all__ = [
    "AbsentView",
    "AnswersView",
    "ConversationView",
    "Element",
    "EstimateView",
    "HistoryView",
    "ImageView",
    "InstanceView",
    "LabelButtons",
    "LabelingApp",
    "Media",
    "PairView",
    "Panel",
    "ProgressView",
    "Race",
    "RankingView",
    "RecordView",
    "RubricView",
    "Snapshot",
    "TextView",
    "compare",
    "element",
    "evaluate",
    "explorers",
    "image",
    "link",
    "plots",
    "register_panel",
    "register_view",
    "sanitized_html",
]


if not TYPE_CHECKING:  # which would take any name of it

    def __getattr__(name: str) -> Any:
        return attribute(__name__, _WHERE, name)


def __dir__() -> list[str]:
    return list(__all__)
