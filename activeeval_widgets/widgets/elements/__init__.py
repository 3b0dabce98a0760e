"""What views put on the page: trees of safe elements."""

from activeeval_widgets.widgets.elements.tree import Element, element, link

__all__ = ["Element", "element", "link"]
