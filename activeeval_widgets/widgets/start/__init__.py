"""The start page: the evaluations there are, a new one from a file, the demos."""

from activeeval_widgets.widgets.start.start_page import StartPage

__all__ = ["StartPage"]
