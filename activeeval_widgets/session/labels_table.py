"""The labels as a tidy table: one row an instance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.events import Changed, Labeled
from activeeval_widgets.session.excerpts import excerpt
from activeeval_widgets.session.result import names_of
from activeeval_widgets.stats import ClassPredictions, RankingPredictions, ValuePredictions
from activeeval_widgets.stats.predictions import Predictions

if TYPE_CHECKING:
    from activeeval_widgets.session.session import Session


def labels_table(session: Session) -> pd.DataFrame:
    """One row an instance that has a label, in draw order; see `Session.labels_table`."""
    draws, _ = session.labeled_draws()
    weights = session.weights()
    order, first, inverse = np.unique(draws, return_index=True, return_inverse=True)
    weight_of = dict(zip(order.tolist(), np.bincount(inverse, weights=weights).tolist(), strict=True))
    n_draws = dict(zip(order.tolist(), np.bincount(inverse, minlength=order.size).tolist(), strict=True))
    given = {action.instance: action for action in session.actions if isinstance(action, Labeled)}
    changed = {action.instance: action for action in session.actions if isinstance(action, Changed)}
    notes, flags = session.notes, session.flags
    names = ["prediction"] if len(session.models) == 1 else [f"prediction: {n}" for n in names_of(session)]
    rows: list[dict[str, Any]] = []
    for index in order[np.argsort(first)].tolist():
        action = given[index]
        row = {
            "instance_id": action.instance_id,
            "content": excerpt(session.pool, index),
            "label": session.label_of(index),
        }
        for name, model in zip(names, session.models, strict=True):
            row |= {name.replace("prediction", key): said for key, said in _said(model, index).items()}
        row |= {
            "weight": weight_of[index],
            "n_draws": n_draws[index],
            "time": changed.get(index, action).time,
            "seconds": action.seconds,
            "is_changed": index in changed,
            "note": notes.get(index, ""),
            "is_flagged": index in flags,
        }
        rows.append(row)
    table = pd.DataFrame(rows)
    if rows:  # as they were given: pandas would turn whole numbers into fractions where one is missing
        table["label"] = pd.Series([row["label"] for row in rows], dtype=object)
    return table


def to_csv(table: pd.DataFrame) -> str:
    """A table as CSV in which no cell is a formula to a spreadsheet, and mappings are JSON.

    A text that begins like a formula gets an apostrophe before it: what a pool or a person brought is data.

    Examples
    --------
    >>> print(to_csv(pd.DataFrame({"label": ["=1+1", "-2.5"], "grades": [{"d7": 2}, None]})), end="")
    label,grades
    '=1+1,"{""d7"": 2}"
    -2.5,
    """
    cells = table.copy()
    cells.columns = pd.Index([_cell(name) for name in table.columns])
    for position in range(cells.shape[1]):
        column = table.iloc[:, position]
        if column.dtype == object or pd.api.types.is_string_dtype(column):
            cells.isetitem(position, np.array([_cell(value) for value in column], dtype=object))
    return cells.to_csv(index=False, lineterminator="\n")


def _cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "\t", "\r", "\n")):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _said(model: Predictions, index: int) -> dict[str, Any]:
    """What a model said of an instance, and how sure it was."""
    if isinstance(model, ClassPredictions):
        return {"prediction": model.y_pred[index], "confidence": float(model.confidence[index])}
    if isinstance(model, ValuePredictions):
        said = {"prediction": float(model.mean[index])}
        if model.variance is not None:
            said["standard_deviation"] = float(np.sqrt(model.variance[index]))
        return said
    assert isinstance(model, RankingPredictions)  # noqa: S101 - for the type checker: there is no other kind
    rows = [model.relevance.rows[index][item] for item in model.rankings[index]]
    expected = model.relevance.proba[rows] @ model.grades
    ranked = zip(model.rankings[index], expected.tolist(), strict=True)
    return {"prediction": {str(item): round(grade, 4) for item, grade in ranked}}
