"""The start page: a list of evaluations, a new one from a file, and the demos."""

from activeeval_widgets.widgets.start.start_page import StartPage

__all__ = ["StartPage"]
