"""What a person sees: views of a session for notebooks and pages."""

from activeeval_widgets.widgets.elements import Element, element, link
from activeeval_widgets.widgets.html_view import sanitized_html
from activeeval_widgets.widgets.images import image
from activeeval_widgets.widgets.labeling_app import LabelingApp, evaluate
from activeeval_widgets.widgets.record_view import RecordView
from activeeval_widgets.widgets.views import ImageView, PairView, RankingView, TextView

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
