"""Input panels, one for each kind of label; importing this package registers them."""

from activeeval_widgets.widgets.labels import classes, grades, numbers

__all__ = ["classes", "grades", "numbers"]
