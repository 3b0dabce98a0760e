"""Trees of safe elements, in which views describe their content."""

from activeeval_widgets.widgets.elements.tree import Element, element, link

__all__ = ["Element", "element", "link"]
