"""What was predicted before votes changed, in a form that a log can hold."""

from copy import copy
from typing import Any

import numpy as np

from activeeval_widgets.stats import ClassPredictions, Predictions
from activeeval_widgets.stats._typing import IntArray


def as_record(model: ClassPredictions) -> dict[str, list[Any]]:
    """Return probabilities and predicted classes: each different row once, and the row of each instance."""
    table = np.column_stack([model.y_proba, model.pred_codes])
    rows, number = np.unique(table, axis=0, return_inverse=True)
    return {
        "y_proba": rows[:, :-1].tolist(),
        "predicted": rows[:, -1].astype(int).tolist(),
        "rows": number.ravel().tolist(),
    }


def from_record(record: Any, present: Predictions) -> ClassPredictions | None:
    """Return the predictions of a record, for the classes of the present ones; None if it is damaged."""
    if not isinstance(present, ClassPredictions) or not isinstance(record, dict):
        return None
    if record.keys() != {"y_proba", "predicted", "rows"}:
        return None
    try:
        y_proba, predicted, rows = (np.asarray(record[name]) for name in ("y_proba", "predicted", "rows"))
        if rows.shape != (present.n_instances,) or {predicted.dtype.kind, rows.dtype.kind} != {"i"}:
            return None
        if min(predicted.min(), rows.min()) < 0:
            return None
        made = ClassPredictions(
            y_proba[rows], present.classes, present.classes[predicted[rows]], present.name
        )
    except (ValueError, TypeError, IndexError):
        return None
    made.assists, made.role = present.assists, present.role
    return made


def with_rows_of(model: ClassPredictions, earlier: ClassPredictions, instances: IntArray) -> ClassPredictions:
    """Return predictions in which some instances have the earlier ones."""
    made = copy(model)
    made.y_proba, made.pred_codes = model.y_proba.copy(), model.pred_codes.copy()
    made.y_proba[instances] = earlier.y_proba[instances]
    made.pred_codes[instances] = earlier.pred_codes[instances]
    return made
