"""How labels are given: one panel for each kind of label. Importing this registers the package's own."""

from activeeval_widgets.widgets.labels import classes, grades, numbers

__all__ = ["classes", "grades", "numbers"]
