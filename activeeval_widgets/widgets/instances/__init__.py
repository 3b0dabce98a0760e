"""Views of instances, one for each kind; importing this package registers them."""

from activeeval_widgets.widgets.instances import image, ranking, record, text

__all__ = ["image", "ranking", "record", "text"]
