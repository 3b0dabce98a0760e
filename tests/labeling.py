"""Labels for what a session asks."""

from math import inf
from typing import Any

import numpy as np

from activeeval_widgets import Session


def give_labels(session: Session, y_true: Any, n: int | None = None, **options: Any) -> Session:
    """Label what is asked, `n` times or until nothing is, and return the session.

    `y_true` holds the labels by index, is a function of it, or is the label of all.
    """
    is_table = hasattr(y_true, "__getitem__") and not isinstance(y_true, str | dict)
    n_left = inf if n is None else n
    while n_left > 0 and (n is not None or session.next() is not None):
        if is_table or callable(y_true):
            index = session.next().index
            label = y_true[index] if is_table else y_true(index)
        else:
            label = y_true
        session.label(label.item() if isinstance(label, np.generic) else label, **options)
        n_left -= 1
    return session
