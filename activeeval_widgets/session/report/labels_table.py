"""The labels as a table, one row per instance."""

from math import nan
from typing import Any

import pandas as pd

from activeeval_widgets.session.draws.weighted_labels import weighted_labels
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.log.events import Answer, Changed, Deferred


def labels_table(session: Findings) -> pd.DataFrame:
    """Return the labels as a table, one row per instance, in draw order.

    Returns
    -------
    DataFrame
        Columns: instance_id, content (title, first words or file), label, group (if the pool has groups),
        prediction, confidence (for numbers, standard_deviation; for several models, with their names), draw
        (the number of the first draw, from 1), q (its probability), weight (in a mean over the pool, up to a
        factor; NaN if the label does not count yet), n_draws, who, time, seconds, first_key_seconds,
        is_changed, is_flagged, note.

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
    columns, rows = label_rows(session)
    table = pd.DataFrame(rows, columns=columns)
    # dtype=object: pandas would convert integers with gaps to floats
    table["label"] = pd.Series([row["label"] for row in rows], dtype=object)
    return table


def given_answers(session: Findings) -> dict[int, tuple[Answer, Answer | Changed, str | None]]:
    """Return each instance's first answer, the one that counts, and who gave that."""
    last = {action.instance: action for action in session.log.actions if not isinstance(action, Deferred)}
    # A label that is carried over is that of its first rater.
    return {
        index: (first, last[index], getattr(last[index], "rater", None) or last[index].who)
        for index, first in session.log.state.answers.items()
    }


def label_rows(session: Findings, *, with_contents: bool = True) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the columns of `labels_table`, and its rows; without contents, no instance is read."""
    given = given_answers(session)
    notes, flags = session.log.notes, session.log.flags
    rows: list[dict[str, Any]] = []
    for index, weight, n_draws in weighted_labels(session.draws):
        action, last, who = given[index]
        rows.append(
            {
                **_of_instance(session, index, with_contents),
                "draw": action.draw,
                "q": action.q,
                "weight": nan if weight is None else weight,
                "n_draws": n_draws,
                "who": who,
                "time": last.time,
                "seconds": action.seconds,
                "first_key_seconds": action.first_key_seconds,
                "is_changed": isinstance(last, Changed) and not last.was_asked,
                "is_flagged": index in flags,
                "note": notes.get(index, ""),
            }
        )
    return [*_of_instance(session, 0, with_contents), *_ANSWER], rows


_ANSWER = (
    *("draw", "q", "weight", "n_draws", "who", "time", "seconds", "first_key_seconds"),
    *("is_changed", "is_flagged", "note"),
)


def _of_instance(session: Findings, index: int, with_content: bool) -> dict[str, Any]:
    """Return an instance, its label and what the models predict."""
    question, pool = session.question, session.pool
    row: dict[str, Any] = {"instance_id": pool.ids[index]}
    if with_content:
        row["content"] = pool.excerpt(index)
    row["label"] = session.log.label_of(index)
    if pool.groups is not None:
        row["group"] = pool.groups[index]
    names = [f": {name}" for name in question.names] if question.pairs else [""]
    for name, model in zip(names, session.models, strict=True):
        row |= {f"{key}{name}": value for key, value in model.describe(index).record.items()}
    return row
