"""How instances look: one view for each kind. Importing this registers the package's own."""

from activeeval_widgets.widgets.instances import image, ranking, record, text

__all__ = ["image", "ranking", "record", "text"]
