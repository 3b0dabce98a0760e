"""The predictions of several models for labeled instances, and whether they are right."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.models import is_wrong_by


def marked_predictions(
    session: Session, indices: Sequence[int], positions: Sequence[int], better: Mapping[int, int]
) -> dict[int, list[dict[str, str]]]:
    """Return the models' predictions for each instance, with marks."""
    found: dict[int, list[dict[str, str]]] = {index: [] for index in indices}
    if not found:
        return found
    y_true: Any = session.labels.decode([session.log.label_of(index) for index in indices], list(indices))
    names = session.question.names
    for place, position in enumerate(positions):
        model = session.models[position]
        is_wrong = is_wrong_by(session.measure, model, np.array(indices), y_true)
        for at, index in enumerate(indices):
            if is_wrong is None:
                mark = "better" if better.get(index) == place else ""
            else:
                mark = "wrong" if is_wrong[at] else "right"
            found[index].append(
                {"name": names[position], "text": model.describe(index).in_short, "mark": mark}
            )
    return found
