"""What a person sees: views of a session for notebooks and pages."""

from activeeval_widgets.widgets.elements.html import sanitized_html
from activeeval_widgets.widgets.elements.tree import Element, element, link
from activeeval_widgets.widgets.instances.images import image
from activeeval_widgets.widgets.instances.record import RecordView
from activeeval_widgets.widgets.instances.views import ImageView, PairView, RankingView, TextView
from activeeval_widgets.widgets.labeling_app import LabelingApp
from activeeval_widgets.widgets.notebook import evaluate

__all__ = [
    "Element",
    "ImageView",
    "LabelingApp",
    "PairView",
    "RankingView",
    "RecordView",
    "TextView",
    "element",
    "evaluate",
    "image",
    "link",
    "sanitized_html",
]
