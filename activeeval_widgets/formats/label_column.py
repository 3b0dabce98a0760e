"""Read labels from a column of a file: classes or numbers. An empty cell is no label."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.guessed_columns import label_names
from activeeval_widgets.formats.predictions import report_missing
from activeeval_widgets.formats.problems import MAX_REPORTED, closest, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.shown_labels import known_form
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import BoolArray, FloatArray


class LabelColumn(NamedTuple):
    """A column with labels for some rows, or for all."""

    name: str
    n_labels: int


def label_column(table: FileTable, columns: Columns) -> LabelColumn | None:
    """Return the column given for labels, or one with a known name that holds some."""
    used, labels = columns.named(), label_names(columns)
    free = [name for name in table.names if name not in used and known_form(name) in labels]
    for name in free if columns.labels is None else [columns.labels]:
        n_labels = int(np.count_nonzero(has_label(table, name)))
        if columns.labels is not None or n_labels:
            return LabelColumn(name, n_labels)
    return None


def has_label(table: FileTable, column: str) -> BoolArray:
    """Return which rows have a label."""
    return np.array([bool(text.strip()) for text in table.strings(column).to_pylist()], dtype=bool)


def labels_in(
    table: FileTable, column: str, model: Predictions | None, classes: Sequence[str] | None = None
) -> list[Any]:
    """Return the label of each row, None or NaN if there is none; report invalid ones."""
    if model is not None:
        classes = None if model.label_values is None else model.label_values.tolist()
    if classes is not None:
        return _classes(table, column, classes)
    numbers, missing = table.numbers(column)
    wrong = missing[has_label(table, column)[missing]]
    if model is None and wrong.size:  # the measure decides which labels are possible
        return [text.strip() or None for text in table.strings(column).to_pylist()]
    report_missing(table, column, wrong, "a number")
    found: list[Any] = numbers.tolist()
    return found


def inclusion_in(table: FileTable, column: str) -> FloatArray:
    """Return the probability with which each row got into a sample; report missing ones."""
    numbers, missing = table.numbers(column)
    report_missing(table, column, missing, "the row's probability of being in the sample")
    return numbers


def _classes(table: FileTable, column: str, classes: Sequence[Any]) -> list[Any]:
    meant = {str(each).casefold(): each for each in classes} | {str(each): each for each in classes}
    found = []
    for index, text in enumerate(table.strings(column).to_pylist()):
        value = meant.get(text.strip(), meant.get(text.strip().casefold()))
        if value is None and text.strip() and len(table.problems) < MAX_REPORTED:
            problem = f"{shortened(text)} is none of the classes"
            table.report(problem, closest(text, list(map(str, classes))), index=index, column=column)
        found.append(value)
    return found
