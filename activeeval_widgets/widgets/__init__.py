"""What a person sees: views of a session for notebooks and pages."""

from activeeval_widgets.widgets.labeling_app import LabelingApp, evaluate

__all__ = ["LabelingApp", "evaluate"]
