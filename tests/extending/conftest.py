from typing import Any

import numpy as np

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate


def session() -> Session:
    model = ClassPredictions(np.random.default_rng(0).dirichlet([1, 1], size=50))
    return Session(Pool(["a text"] * 50, predictions=model), ErrorRate())


def ask(app: LabelingApp, kind: str, **content: Any) -> Any:
    """Return the reply to a page's message."""
    reply, _ = app._front_end._handlers[kind]({"type": kind, **content})
    return reply
