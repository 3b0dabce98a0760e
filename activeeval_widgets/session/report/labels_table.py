"""The labels as a table, one row per instance."""

from math import nan
from typing import Any

import pandas as pd

from activeeval_widgets.session.draws.weighted_labels import weighted_labels
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.log.events import Changed, Labeled


def labels_table(session: Findings) -> pd.DataFrame:
    """Return the labels as a table, one row per instance, in draw order.

    Returns
    -------
    DataFrame
        Columns: instance_id, content (title, first words or file), label, group (if the pool has groups),
        prediction, confidence (for numbers, standard_deviation; for several models, with their names),
        weight (in a mean over the pool, up to a factor; NaN if the label does not count yet), n_draws, time,
        seconds, is_changed, note, is_flagged, who. An empty table has no columns.

    See Also
    --------
    history : All events, one row per event.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> table = session.labels_table()
    >>> sorted(table["content"]), table["label"].tolist()
    (['a', 'b', 'c'], [0, 0, 0])
    """
    given = {action.instance: action for action in session.log.actions if isinstance(action, Labeled)}
    changed = {action.instance: action for action in session.log.actions if isinstance(action, Changed)}
    notes, flags = session.log.notes, session.log.flags
    question = session.question
    names = [f"prediction: {name}" for name in question.names] if question.pairs else ["prediction"]
    rows: list[dict[str, Any]] = []
    for index, weight, n_draws in weighted_labels(session.draws):
        action = given[index]
        row = {
            "instance_id": action.instance_id,
            "content": session.pool.excerpt(index),
            "label": session.log.label_of(index),
        }
        if session.pool.groups is not None:
            row["group"] = session.pool.groups[index]
        for name, model in zip(names, session.models, strict=True):
            row |= {
                name.replace("prediction", key): value for key, value in model.describe(index).record.items()
            }
        row |= {
            "weight": nan if weight is None else weight,
            "n_draws": n_draws,
            "time": changed.get(index, action).time,
            "seconds": action.seconds,
            "is_changed": index in changed,
            "note": notes.get(index, ""),
            "is_flagged": index in flags,
            # A label that is carried over is that of its first rater.
            "who": changed[index].who if index in changed else action.rater or action.who,
        }
        rows.append(row)
    table = pd.DataFrame(rows)
    if rows:  # dtype=object: pandas would convert integers with gaps to floats
        table["label"] = pd.Series([row["label"] for row in rows], dtype=object)
    return table
